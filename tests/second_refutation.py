"""Refutations and lists of tours, written from kt_cp/trust/check/FORMAT.md alone: see
second_checker."""

from __future__ import annotations

import base64
import hashlib
import zlib
from itertools import combinations, pairwise

from tests.second_elimination import elimination_clauses
from tests.second_frame import Contradiction, Known
from tests.second_steps import step_clauses


def sets_of(problem, lists):
    assert isinstance(lists, list)
    sets = [problem.set_of(names, 1) for names in lists]
    assert all(len(squares) < len(problem.squares) for squares in sets)
    return [{problem.squares.index(square) for square in squares} for squares in sets]


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
