"""Kinds of evidence without a search, written from kt_cp/trust/check/FORMAT.md alone: see
second_checker."""

from __future__ import annotations

import networkx as nx


def size(problem, _):
    return problem.closed and len(problem.squares) < 3


def colours(problem, _):
    assert problem.board and problem.alternates
    dark = [square for square in problem.squares if problem.colour(square) == 0]
    difference = 2 * len(dark) - len(problem.squares)
    if problem.closed or abs(difference) > 1:
        return difference != 0
    shades = [problem.colour(square) for square in problem.given]
    if difference:
        return (1 if difference > 0 else 0) in shades
    return len(shades) == 2 and shades[0] == shades[1]


def degrees(problem, evidence):
    squares = problem.set_of(evidence["squares"], 1)
    most = max(problem.moves.degree(square) for square in squares)
    assert len(problem.squares) > 1 and most <= 1
    if problem.closed or (len(squares) == 1 and most == 0):
        return True
    return not squares & set(problem.given) and len(squares) > 2 - len(problem.given)


def connectivity(problem, evidence):
    one, other = problem.set_of(evidence["squares"])
    problem.frame()
    return not nx.has_path(problem.moves, one, other)


def removal(problem, evidence):
    problem.frame()
    squares = problem.set_of(evidence["squares"], 1)
    assert len(squares) < len(problem.squares)
    pieces = [*nx.connected_components(problem.moves.subgraph(set(problem.squares) - squares))]
    most = len(squares)
    if not problem.closed:
        given = set(problem.given)
        most += 1 - len(given & squares)
        most -= len(given) == 2 and any(given <= piece for piece in pieces)
    return len(pieces) > most


def cut(problem, evidence):
    return len(evidence["squares"]) == 1 and removal(problem, evidence)


def clash(problem, evidence):
    problem.frame()
    clues = [tuple(clue) for clue in evidence["clues"]]
    assert len(set(clues)) == len(clues) in (1, 2) and set(clues) <= problem.clues()
    if len(clues) == 1:
        return misplaced(problem, *clues[0])
    (one, early), (other, late) = clues
    if one == other or early == late:
        return True
    apart = abs(late - early)
    walks = [apart, len(problem.squares) - apart] if problem.closed else [apart]
    return not all(walk(problem, one, other, moves) for moves in walks)


def misplaced(problem, square, step):
    """Whether a parity has more steps than squares that walks of that parity reach."""
    reached, there = [{square}, set()], {square}
    for moves in range(1, 2 * len(problem.squares) + 1):
        there = {after for one in there for after in problem.moves[one]}
        reached[moves % 2] |= there
    steps = range(1, len(problem.squares) + 1)
    needed = [sum((other - step) % 2 == parity for other in steps) for parity in (0, 1)]
    return any(len(reached[parity]) < needed[parity] for parity in (0, 1))


def walk(problem, one, other, moves):
    """Whether a walk of so many moves leads from one square to the other."""
    there = {one}
    for _ in range(moves):
        there = {after for square in there for after in problem.moves[square]}
    return other in there


def symmetry(problem, evidence):
    """Squares that stay, turning moves and colours, counted one by one."""
    names, size = problem.squares, len(problem.squares)
    assert problem.symmetry and size >= (3 if problem.closed else 2)
    given = evidence["squares"]
    assert isinstance(given, list) and len(set(given)) == len(given) and set(given) <= set(names)
    to = {name: problem.image(name) for name in names}
    if len(given) == 1 and to[given[0]] not in names:
        return True
    assert set(to.values()) == set(names) and any(to[name] != name for name in names)
    stay = {name for name in names if to[name] == name}
    turning = [move for move in problem.moves.edges if to[move[0]] == move[1]]
    turning = [(u, v) for u, v in turning if to[v] == u]
    inverse = all(to[to[name]] == name for name in names)

    def wrong_for(k):
        assert problem.alternates and size % k == 0
        changed = {problem.colour(name) != problem.colour(to[name]) for name in names}
        return changed == {size // k % 2 == 0}

    def try_(test, *values):
        try:
            return test(*values)
        except AssertionError:
            return False

    if not problem.closed:
        if not inverse:
            return len(given) == 1 and to[to[given[0]]] != given[0]
        if not given:
            return not stay and not turning
        if len(given) == 1:
            return given[0] in stay & set(problem.given)
        ends = {problem.start, problem.end}
        return len(given) == 2 and (
            set(given) <= stay or (set(given) == ends and to[problem.start] != problem.end)
        )
    if not inverse:
        if given:
            return len(given) == 1 and given[0] in stay
        return try_(wrong_for, 4)
    if not set(given) <= stay:
        return False
    if len(given) > 2:
        return True
    reversed_ = len(stay) + len(turning) > 1
    if reversed_ and problem.alternates and len(stay) == 2:
        shades = {problem.colour(name) for name in stay}
        reversed_ = len(shades) == (2 if size // 2 % 2 else 1)
    return (bool(given) or try_(wrong_for, 2)) and not reversed_
