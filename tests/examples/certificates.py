"""Certificates made by hand, for the tests of the checker: examples of every kind, true and false.

Refutations come from PySAT, and their hints from a routine that looks through all clauses at every
step; slow, short, and apart from the package's own.
"""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache

from pysat.solvers import Solver

from kt_cp.model.board import square_name
from kt_cp.trust.check import FORMAT, Refusal, check
from kt_cp.trust.check.certificate import digest_of, since
from kt_cp.trust.check.forced import sets_of, tightened
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refutation import digest, dimacs
from kt_cp.trust.check.shape import problem_of
from kt_cp.verify import Invalid, verify


def board(rows, columns, *missing, closed=False, start=None, end=None):
    conditions = {"closed": closed, "start": start, "end": end}
    return {"rows": rows, "columns": columns, "missing": list(missing), **conditions}


def graph(edges, *alone, closed=False, start=None, end=None):
    """A graph from its edges, each as a text such as ``"ab"``, and nodes without any."""
    nodes = list(dict.fromkeys("".join([*edges, *alone])))
    conditions = {"closed": closed, "start": start, "end": end}
    return {"nodes": nodes, "edges": [list(edge) for edge in edges], **conditions}


def newer(problem):
    """The same problem, as it is told since version 2."""
    on_board = {"piece": [[1, 2]], "surface": "plane"} if "rows" in problem else {}
    return {**problem, **on_board, "require": [], "forbid": [], "given": [], "symmetry": None}


def certificate(problem, evidence, **more):
    newest = max(
        4, since(evidence) if isinstance(evidence, dict) else 4, 5 * ("directed" in problem)
    )
    return {
        "format": FORMAT,
        "schema_version": newest if "require" in problem else 1,
        "problem": problem,
        "evidence": evidence,
        **more,
    }


def signed(document):
    """With the digest that fits."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return {**rest, "digest": digest_of(rest)}


def reason(problem, evidence, **more):
    """Why a certificate is refused, or None if it is accepted."""
    return reason_of(certificate(problem, evidence, **more))


def reason_of(certificate_):
    try:
        check(certificate_)
    except Refusal as refusal:
        assert str(refusal).isprintable()
        return refusal.reason
    return None


def accepts(document, tours=None):
    """Whether the checker of one file, kt_cp/verify.py, accepts a certificate."""
    try:
        verify(document, tours)
    except Invalid as refusal:
        assert str(refusal).isprintable()
        return False
    return True


def says(problem, evidence):
    """The argument in words."""
    return check(certificate(problem, evidence)).argument


def ranks(columns, *numbers):
    """Names of the squares of whole ranks."""
    return [square_name((rank - 1, file)) for rank in numbers for file in range(columns)]


def unpacked(text):
    return zlib.decompress(base64.b64decode(text)).decode()


def packed(text):
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def refutation(problem, lines, cuts=(), tight=(), pack=True, clues=(), tours=(), order=()):
    """Evidence from the lines of a proof, whether they prove it or not."""
    text = "".join(f"{line}\n" for line in lines)
    variables, clauses = formula(problem, cuts, tight, clues, tours, order)
    return {
        "kind": "list" if tours else "refutation",
        "tight": list(tight),
        "cuts": list(cuts),
        **({"clues": list(clues)} if problem.get("given") else {}),
        **({"tours": list(tours)} if tours else {}),
        **({"order": list(order)} if order else {}),
        "proof": packed(text) if pack else list(lines),
        "digests": {"formula": digest(dimacs(variables, clauses)), "proof": digest(text)},
    }


def formula(problem, cuts=(), tight=(), clues=(), tours=(), order=()):
    frame = frame_of(problem_of(problem))
    known = tightened(frame, sets_of(frame, list(tight)), []) if tight else None
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    steps = [(number[name], step) for name, step in clues]
    listed = [[number[name] for name in tour] for tour in tours]
    taken = [number[name] for name in order]
    return formula_of(frame, known, sets_of(frame, list(cuts)), steps, listed, taken)


@cache
def _refuted(text):
    problem, tight, clues, tours, order = json.loads(text)
    frame = frame_of(problem_of(problem))
    cuts = []
    while True:
        variables, clauses = formula(problem, cuts, tight, clues, tours, order)
        if [] in clauses:
            return cuts, hinted(variables, clauses, [[]])
        with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            if not solver.solve():
                return cuts, hinted(variables, clauses, lemmas_of(solver.get_proof()))
            edges = len(frame.edges())
            chosen = {number for number in solver.get_model() if 0 < number <= edges}
        found = _pieces(frame, chosen)
        assert len(found) > 1, "a tour exists"
        cuts += [
            [frame.names[vertex] for vertex in sorted(piece)]
            for piece in found
            if max(piece) < frame.squares
        ]


def refuted(problem, tight=(), pack=True, clues=None, tours=(), order=()):
    """A refutation from a solver, with cuts wherever a model falls into several cycles.

    Its clues are those given, unless others are named.
    """
    clues = problem.get("given", []) if clues is None else clues
    cuts, lines = _refuted(json.dumps([problem, list(tight), clues, list(tours), list(order)]))
    return refutation(problem, lines, cuts, tight, pack, clues, tours, order)


def _pieces(frame, chosen):
    beside = {vertex: set() for vertex in range(len(frame))}
    for number, (u, v) in enumerate(frame.edges(), start=1):
        if number in chosen:
            beside[u].add(v)
            beside[v].add(u)
    pieces = []
    while beside:
        piece, waiting = set(), [next(iter(beside))]
        while waiting:
            vertex = waiting.pop()
            piece.add(vertex)
            waiting += beside.pop(vertex, ())
        pieces.append(piece)
    return pieces


def lemmas_of(proof):
    """Lemmas of a DRUP proof, up to the empty clause; deletions are left out."""
    lemmas = [[*map(int, line.split()[:-1])] for line in proof or () if line[0] != "d"]
    lemmas.append([])
    return lemmas[: lemmas.index([]) + 1]


def hinted(variables, clauses, lemmas):
    """Lines with the clauses that make each lemma follow, of the lemmas that play a part."""
    known = [*clauses]
    hints = []
    for lemma in lemmas:
        hints.append(_propagated(known, lemma))
        known.append(lemma)
    needed, base = {len(known)}, len(clauses)
    for number in range(len(known), base, -1):
        if number in needed:
            needed |= set(hints[number - base - 1])
    new = {number: number for number in range(1, base + 1)}
    for number in sorted(needed):
        new.setdefault(number, len(new) + 1)
    return [
        " ".join(map(str, [*known[number - 1], 0, *(new[hint] for hint in used), 0]))
        for number, used in enumerate(hints, start=base + 1)
        if number in needed
    ]


def _propagated(clauses, lemma):
    """Numbers of the clauses that become unit, then of one that becomes empty; those that matter.

    The lemma must follow so.
    """
    false = dict.fromkeys(lemma, 0)  # and the clause that made each false
    order = []
    while True:
        for number, clause in enumerate(clauses, start=1):
            left = [literal for literal in clause if literal not in false]
            if not left:
                needed = {false[literal] for literal in clause}
                for each in reversed(order):
                    if each in needed:
                        needed |= {
                            false[literal] for literal in clauses[each - 1] if literal in false
                        }
                needed -= {0}
                return [each for each in order if each in needed] + [number]
            if len(left) == 1 and -left[0] not in false:
                false[-left[0]] = number
                order.append(number)
                break
        else:
            raise AssertionError(f"{lemma} does not follow")


TREE_4X4 = {
    "move": ["b1", "c3"],
    "used": {"remove": ["b1", "a2", "b2", "c2", "b3", "c3", "d3", "c4"]},
    "unused": {
        "move": ["b1", "end"],
        "used": {},
        "unused": {
            "move": ["d2", "c4"],
            "used": {"remove": ["b1", "c1", "b2", "c2", "d2", "b3", "c3", "b4"]},
            "unused": {
                "remove": ["b1", "b2", "c2", "a3", "b3", "c3", "b4"],
                "then": {"remove": ["c1", "b2", "a3", "b3", "c3", "b4"]},
            },
        },
    },
}
STAR = graph(["ab", "ac", "ad"])
BOWTIE = graph(["ab", "bc", "ca", "cd", "de", "ec"])
ONE_MOVE = {"move": ["d1", "e3"], "used": {}, "unused": {}}


@cache
def narrow():
    """Refutations that take vertices out of the cycle, with cuts and without."""
    triangles = newer(graph(["ab", "bc", "ca", "cd", "de", "ef", "fd"], closed=True))
    wide, closed_3x8 = newer(board(3, 5, "c3", start="a1")), newer(board(3, 8, closed=True))
    return [
        (triangles, refuted(triangles, pack=False, order="a")),
        (triangles, refuted(triangles, order="cfa")),
        (wide, refuted(wide, order=["a1", "b1", "e3", "d3", "a2"])),
        (closed_3x8, refuted(closed_3x8, order=ranks(8, 1))),
    ]


@cache
def examples():
    """Valid certificates of every kind, as (problem, evidence), small enough to be mutated."""
    closed_3x8, closed_4x6 = board(3, 8, closed=True), board(4, 6, closed=True)
    inner, sides = ranks(6, 2, 3), ["c1", "d1", "c2", "d2", "c3", "d3"]
    return [
        (board(1, 2, closed=True), {"kind": "size"}),
        (graph([], "a", closed=True), {"kind": "size"}),
        (board(3, 3, closed=True), {"kind": "colours"}),
        (board(3, 5, start="b1"), {"kind": "colours"}),
        (board(3, 4, start="a1", end="c1"), {"kind": "colours"}),
        (board(3, 4, "a1", "c1"), {"kind": "colours"}),
        (board(3, 3), {"kind": "degrees", "squares": ["b2"]}),
        (board(3, 3, "a1", "c3", closed=True), {"kind": "degrees", "squares": ["b1", "c2"]}),
        (STAR, {"kind": "degrees", "squares": ["b", "c", "d"]}),
        ({**STAR, "start": "a"}, {"kind": "degrees", "squares": ["b", "d"]}),
        ({**STAR, "start": "a", "end": "b"}, {"kind": "degrees", "squares": ["c"]}),
        (board(2, 4), {"kind": "connectivity", "squares": ["a1", "b1"]}),
        (graph(["ab", "cd"], closed=True), {"kind": "connectivity", "squares": ["a", "d"]}),
        ({**BOWTIE, "closed": True}, {"kind": "cut", "squares": ["c"]}),
        ({**BOWTIE, "start": "c"}, {"kind": "cut", "squares": ["c"]}),
        (STAR, {"kind": "cut", "squares": ["a"]}),
        (board(3, 4, closed=True), {"kind": "removal", "squares": ["c1", "c3"]}),
        (board(4, 4), {"kind": "removal", "squares": ["b2", "b3", "c2", "c3"]}),
        (board(3, 6), {"kind": "removal", "squares": sides}),
        (board(3, 4, start="c1", end="c3"), {"kind": "removal", "squares": ["c1", "c3"]}),
        (closed_4x6, {"kind": "tight", "sets": [inner]}),
        (board(4, 5, start="b2"), {"kind": "tight", "sets": [ranks(5, 2, 3)]}),
        (board(3, 6), {"kind": "tight", "sets": [sides]}),
        (board(3, 6, closed=True), {"kind": "forced", "tree": {}}),
        (board(3, 5, start="c1", end="c3"), {"kind": "forced", "tree": {}}),
        (board(3, 6), {"kind": "forced", "tree": {"remove": sides}}),
        (closed_4x6, {"kind": "forced", "tree": {"remove": inner, "then": {"remove": []}}}),
        (closed_3x8, {"kind": "forced", "tree": ONE_MOVE}),
        (board(4, 4), {"kind": "forced", "tree": TREE_4X4}),
        (closed_3x8, refuted(closed_3x8)),
        (closed_4x6, refuted(closed_4x6, [inner], pack=False)),
        (board(3, 5), refuted(board(3, 5), pack=False)),
        (BOWTIE | {"closed": True}, refuted(BOWTIE | {"closed": True}, pack=False)),
        (board(4, 4), refuted(board(4, 4))),
        *narrow(),
    ]
