"""Another checker of certificates, written from kt_cp/trust/check/FORMAT.md alone.

It imports nothing of kt_cp, and is as plain as it can be, and therefore slow.  It does not look at
limits, digests of the file, and arguments; nor at keys that play no part.  :func:`accepts` says
whether a certificate is valid.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from itertools import combinations, pairwise

import networkx as nx

from tests.second_arcs import undirected
from tests.second_elimination import elimination_clauses
from tests.second_frame import Contradiction, Known, Problem
from tests.second_steps import step_clauses


def accepts(certificate, beside=None):
    """Whether it proves that there is no tour, or no other; whatever fails on the way is a no."""
    try:
        version, evidence = certificate["schema_version"], certificate["evidence"]
        if beside is not None:
            text = json.dumps(beside, sort_keys=True, separators=(",", ":"))
            told = hashlib.sha256(text.encode()).hexdigest()
            assert evidence["tours"] == {"number": len(beside["tours"]), "digest": told}
            assert set(beside) == {"format", "tours"} and beside["format"] == "kt_cp tours"
            evidence = {**evidence, "tours": beside["tours"]}
        assert type(version) is int and version in (1, 2, 3, 4, 5)
        assert version > 4 or "order" not in evidence
        given = certificate["problem"]
        if "directed" in given:
            assert version > 4 and isinstance(given["directed"], bool) and "nodes" in given
            given = undirected(given) if given["directed"] else given
        problem = Problem(given, version)
        assert version > 3 or evidence["kind"] not in ("clash", "symmetry", "list")
        assert version > 4 or evidence["kind"] != "split"
        return len(problem.squares) + problem.closed > 1 and RULES[evidence["kind"]](
            problem, evidence
        )
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError, zlib.error):
        return False


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
    (one, early), (other, late) = clues
    assert len(set(clues)) == 2 and set(clues) <= problem.clues()
    if one == other or early == late:
        return True
    apart = abs(late - early)
    walks = [apart, len(problem.squares) - apart] if problem.closed else [apart]
    return not all(walk(problem, one, other, moves) for moves in walks)


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


def sets_of(problem, lists):
    assert isinstance(lists, list)
    sets = [problem.set_of(names, 1) for names in lists]
    assert all(len(squares) < len(problem.squares) for squares in sets)
    return [{problem.squares.index(square) for square in squares} for squares in sets]


def tight(problem, evidence):
    frame, sets = problem.frame(), sets_of(problem, evidence["sets"])
    assert sets
    try:
        known = Known(*frame, len(problem.squares))
        for squares in [*sets, set()]:
            known.count(squares)
    except Contradiction:
        return True
    return False


def forced(problem, evidence):
    frame = problem.frame()
    try:
        known = Known(*frame, len(problem.squares))
    except Contradiction:
        return evidence["tree"] == {}
    return _refuted(problem, known, evidence["tree"])


def _refuted(problem, known, tree):
    if "remove" in tree:
        squares = problem.set_of(tree["remove"])
        assert len(squares) < len(problem.squares)
        try:
            known.count({problem.squares.index(square) for square in squares})
        except Contradiction:
            return tree.keys() == {"remove"}
        return tree.keys() == {"remove", "then"} and _refuted(problem, known, tree["then"])
    assert tree.keys() == {"move", "used", "unused"}
    one, other = tree["move"]
    one = problem.squares.index(one)
    if other == "end":
        ends = [v for v in known.frame if v >= known.size and frozenset({one, v}) in known.open]
        (other,) = ends
    else:
        other = problem.squares.index(other)
    edge = frozenset({one, other})
    assert edge in known.open
    for key in ("used", "unused"):
        twin = known.copy()
        if key == "used":
            twin.forced.add(edge)
        else:
            twin.open.discard(edge)
        try:
            twin.plain()
        except Contradiction:
            assert tree[key] == {}
        else:
            assert _refuted(problem, twin, tree[key])
    return True


def formula(problem, sets, cuts, clues=(), tours=(), order=()):
    frame, must = problem.frame()
    edges = sorted((min(edge), max(edge)) for edge in frame.edges)
    variable = {frozenset(edge): number for number, edge in enumerate(edges, start=1)}
    top, clauses = len(edges), []
    for vertex in range(len(frame)):
        x = sorted(variable[frozenset({vertex, other})] for other in frame[vertex])
        if len(x) < 2:
            clauses.append([])
        elif len(x) < 10:
            clauses += [list(some) for some in combinations(x, len(x) - 1)]
            clauses += [[-each for each in three] for three in combinations(x, 3)]
        else:
            d = len(x)
            s, t = [*range(top + 1, top + d + 1)], [*range(top + d + 1, top + 2 * d + 1)]
            top += 2 * d
            clauses += [[-s[0], x[0]], [s[0], -x[0]], [-t[0]]]
            for i in range(1, d):
                clauses += [[s[i], -x[i]], [s[i], -s[i - 1]], [-s[i], x[i], s[i - 1]]]
                clauses += [[t[i], -x[i], -s[i - 1]], [t[i], -t[i - 1]], [-t[i], x[i], t[i - 1]]]
                clauses += [[-t[i], s[i - 1]], [-x[i], -t[i - 1]]]
            clauses.append([t[-1]])
    clauses += [[variable[frozenset(edge)]] for edge in must]
    if sets:
        known = Known(frame, must, len(problem.squares))
        for squares in sets:
            known.count(squares)
        for edge, number in variable.items():
            if edge in known.forced:
                clauses.append([number])
            elif edge not in known.open:
                clauses.append([-number])
    if clues:
        top, more = step_clauses(problem, frame, top, variable, clues)
        clauses += more
    if order:
        assert len(frame) - len(order) > 2
        top, more = elimination_clauses(frame, top, variable, order)
        clauses += more
    if problem.symmetry:
        for (u, v), number in zip(edges, variable.values(), strict=True):
            if v < len(problem.squares):
                image = frozenset(problem.image(problem.squares[each]) for each in (u, v))
                names = {square: place for place, square in enumerate(problem.squares)}
                other = variable.get(frozenset(names.get(square) for square in image))
                if other is None:
                    clauses.append([-number])
                elif other != number:
                    clauses.append([-number, other])
    for tour in tours:
        places = [frozenset(problem.squares.index(each) for each in move) for move in tour]
        clauses.append([-number for number in sorted(variable[place] for place in places)])
    for cut_ in cuts:
        clauses.append(sorted(variable[edge] for edge in variable if len(edge & cut_) == 1))
    return top, clauses


def refutation(problem, evidence, tours=()):
    clues = []
    if problem.steps:
        clues = [(name, step) for name, step in evidence["clues"]]
        allowed = set(problem.steps.items())
        if problem.closed:
            allowed |= {(square, 1) for square in problem.given}
        assert set(clues) <= allowed and len(set(clues)) == len(clues)
    sets, cuts = (sets_of(problem, evidence[key]) for key in ("tight", "cuts"))
    order = evidence.get("order", [])
    assert isinstance(order, list) and len(problem.set_of(order)) == len(order)
    order = [problem.squares.index(name) for name in order]
    try:
        top, clauses = formula(problem, sets, cuts, clues, tours, order)
    except Contradiction:
        return False
    text = evidence["proof"]
    if isinstance(text, list):
        text = "".join(f"{line}\n" for line in text)
    else:
        text = zlib.decompress(base64.b64decode(text, validate=True)).decode("ascii")
    dimacs = f"p cnf {top} {len(clauses)}\n"
    dimacs += "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    for what, whole in (("formula", dimacs), ("proof", text)):
        assert evidence["digests"][what] == hashlib.sha256(whole.encode()).hexdigest()
    lemma = None
    for line in text.splitlines():
        assert set(line) <= set("-0123456789 ")
        numbers = [int(word) for word in line.split()]
        lemma = numbers[: numbers.index(0)]
        hints = numbers[len(lemma) + 1 :]
        assert hints.pop() == 0 and hints
        assert all(0 < abs(literal) <= top for literal in lemma)
        true = {-literal for literal in lemma}
        assert not any(-literal in true for literal in true)
        for place, hint in enumerate(hints):
            assert 1 <= hint <= len(clauses)
            left = [literal for literal in clauses[hint - 1] if -literal not in true]
            if place == len(hints) - 1:
                assert not left
            else:
                assert len(left) == 1 and left[0] not in true
                true.add(left[0])
        clauses.append(lemma)
    return lemma == []


def complete(problem, evidence):
    lists = evidence["tours"]
    assert isinstance(lists, list) and lists
    tours = []
    for squares in lists:
        assert problem.set_of(squares) == set(problem.squares)
        moves = [*pairwise([*squares, squares[0]] if problem.closed else squares)]
        assert all(problem.moves.has_edge(*move) for move in moves)
        made = {frozenset(move) for move in moves}
        assert all(frozenset(move) in made for move in problem.require)
        assert all(squares[step - 1] == square for square, step in problem.clues())
        if problem.symmetry:
            assert {frozenset(map(problem.image, move)) for move in made} == made
        tours.append(frozenset(made))
    assert len(set(tours)) == len(tours)
    return refutation(problem, evidence, tours)


def graph_of(names, edges, must):
    """A graph with required edges as a problem; None if three of these meet."""
    required = {frozenset(edge) for edge in must}
    if any(sum(name in edge for edge in required) > 2 for name in names):
        return None
    given = {"nodes": list(names), "edges": [[*edge] for edge in map(tuple, edges)]}
    asked = {"closed": True, "start": None, "end": None, "given": [], "symmetry": None}
    return Problem({**given, **asked, "require": [[*edge] for edge in required], "forbid": []}, 5)


def split(problem, evidence):
    frame, must = problem.frame()
    names = [*problem.squares, *("end 1", "end 2")[: len(frame) - len(problem.squares)]]
    assert len(set(names)) == len(names)
    edges = {frozenset(names[v] for v in edge) for edge in frame.edges}
    left = graph_of(names, edges, [[names[v] for v in edge] for edge in must])
    return left is not None and parted(left, evidence)


def parted(left, evidence):
    assert evidence.keys() == {"kind", "steps", "then"} and evidence["steps"]
    assert isinstance(evidence["steps"], list)
    then = evidence["then"]
    for place, step in enumerate(evidence["steps"]):
        edges = {frozenset(edge) for edge in left.moves.edges}
        left = stepped(left, step, edges, {frozenset(edge) for edge in left.require})
        if left is None:
            return place == len(evidence["steps"]) - 1 and then == {"kind": "forced", "tree": {}}
    return then["kind"] in AT_ENDS and RULES[then["kind"]](left, then)


def stepped(left, step, edges, must):
    names = left.squares
    if step == "plain":
        try:
            known = Known(*left.frame(), len(names))
        except Contradiction:
            return None
        told = (
            {frozenset(names[v] for v in e) for e in some} for some in (known.open, known.forced)
        )
        return graph_of(names, *told)
    if "keep" in step:
        assert step.keys() == {"keep"}
        kept = left.set_of(step["keep"], 1)
        assert len(kept) < len(names)
        new, more, needed = set(kept), set(), set()
        for piece in nx.connected_components(left.moves.subgraph(set(names) - kept)):
            out = [edge for edge in edges if len(edge & piece) == 1]
            ends = frozenset().union(*out) - piece
            if len(ends) == 2:
                more.add(ends)
                needed.add(ends)
            else:
                assert len(ends) == len(out) == 3
                middle = min(piece, key=names.index)
                new.add(middle)
                more |= {frozenset({end, middle}) for end in ends}
                needed |= {(edge - piece) | {middle} for edge in out if edge in must}
        assert len(new) > 2
        inside = [{edge for edge in each if edge <= kept} for each in (edges, must)]
        order = [name for name in names if name in new]
        return graph_of(order, inside[0] | more, inside[1] | needed)
    assert step.keys() == {"use", "unless"}
    edge, unless = frozenset(left.set_of(step["use"])), step["unless"]
    assert edge in edges and edge not in must
    less = graph_of(names, edges - {edge}, must)
    if unless["kind"] == "split":
        assert parted(less, unless)
    else:
        assert unless["kind"] in AT_ENDS and RULES[unless["kind"]](less, unless)
    return graph_of(names, edges, must | {edge})


AT_ENDS = ("degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation")
RULES = {
    "size": size,
    "colours": colours,
    "clash": clash,
    "degrees": degrees,
    "connectivity": connectivity,
    "symmetry": symmetry,
    "cut": cut,
    "removal": removal,
    "tight": tight,
    "forced": forced,
    "split": split,
    "refutation": refutation,
    "list": complete,
}
