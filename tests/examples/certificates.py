"""Certificates made by hand for the tests of the checkers, and the functions that build them.

Examples cover every version: 1; 2 (pieces, surfaces, required and forbidden moves); 4 (clues,
symmetry, complete lists of tours); 5 to 7 (split graphs, sweeps, bounds).  PySAT finds the
refutations, and a function scans all clauses at every step for their hints: slow, short, and
independent of the package.
"""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache

from pysat.solvers import Solver

from kt_cp.model.board import square_name
from kt_cp.trust.check import FORMAT, Refusal, check
from kt_cp.trust.check.certificate import digest_of, first_version
from kt_cp.trust.check.forced import apply_counts, sets_of
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.parsing import problem_of
from kt_cp.trust.check.refutation import digest, dimacs
from kt_cp.verify import Invalid, verify


def board(rows, columns, *missing, closed=False, start=None, end=None):
    conditions = {"closed": closed, "start": start, "end": end}
    return {"rows": rows, "columns": columns, "missing": list(missing), **conditions}


def graph(edges, *alone, closed=False, start=None, end=None):
    """Return a graph from its edges, texts such as ``"ab"``, and from isolated nodes."""
    nodes = list(dict.fromkeys("".join([*edges, *alone])))
    conditions = {"closed": closed, "start": start, "end": end}
    return {"nodes": nodes, "edges": [list(edge) for edge in edges], **conditions}


def newer(problem):
    """Return the same problem in the notation since version 2."""
    moves = {"piece": [[1, 2]], "surface": "plane"} if "rows" in problem else {}
    return {**problem, **moves, "require": [], "forbid": [], "given": [], "symmetry": None}


def certificate(problem, evidence, **more):
    newest = max(
        4, first_version(evidence) if isinstance(evidence, dict) else 4, 5 * ("directed" in problem)
    )
    return {
        "format": FORMAT,
        "schema_version": newest if "require" in problem else 1,
        "problem": problem,
        "evidence": evidence,
        **more,
    }


def signed(document):
    """Return a certificate with its correct digest."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return {**rest, "digest": digest_of(rest)}


def reason(problem, evidence, **more):
    """Return why a certificate is refused, or None if it is accepted."""
    return reason_of(certificate(problem, evidence, **more))


def reason_of(certificate_):
    try:
        check(certificate_)
    except Refusal as refusal:
        assert str(refusal).isprintable()
        return refusal.reason
    return None


def accepts(document, tours=None):
    """Return whether the checker in one file, kt_cp/verify.py, accepts a certificate."""
    try:
        verify(document, tours)
    except Invalid as refusal:
        assert str(refusal).isprintable()
        return False
    return True


def says(problem, evidence):
    """Return the argument in words."""
    return check(certificate(problem, evidence)).argument


def ranks(columns, *numbers):
    """Return the names of the squares of whole ranks."""
    return [square_name((rank - 1, file)) for rank in numbers for file in range(columns)]


def unpacked(text):
    return zlib.decompress(base64.b64decode(text)).decode()


def packed(text):
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def refutation(problem, lines, cuts=(), tight=(), pack=True, clues=(), tours=(), order=()):
    """Return evidence from the lines of a proof, which need not be valid."""
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
    known = apply_counts(frame, sets_of(frame, list(tight)), []) if tight else None
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
    """Return a refutation from a solver, with cuts for each model of several cycles.

    By default, its clues are the given steps.
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
    """Return the lemmas of a DRUP proof up to the empty clause, without deletions."""
    lemmas = [[*map(int, line.split()[:-1])] for line in proof or () if line[0] != "d"]
    lemmas.append([])
    return lemmas[: lemmas.index([]) + 1]


def hinted(variables, clauses, lemmas):
    """Return lines with hints for the lemmas that the proof needs."""
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
    """Return the numbers of the relevant unit clauses in order, and of the falsified clause.

    The lemma must follow by unit propagation.
    """
    false = dict.fromkeys(lemma, 0)  # with the clause that falsified each literal
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
    """Return refutations that remove vertices from the cycle, with cuts and without."""
    triangles = newer(graph(["ab", "bc", "ca", "cd", "de", "ef", "fd"], closed=True))
    wide, closed_3x8 = newer(board(3, 5, "c3", start="a1")), newer(board(3, 8, closed=True))
    return [
        (triangles, refuted(triangles, pack=False, order="a")),
        (triangles, refuted(triangles, order="cfa")),
        (wide, refuted(wide, order=["a1", "b1", "e3", "d3", "a2"])),
        (closed_3x8, refuted(closed_3x8, order=ranks(8, 1))),
    ]


@cache
def examples_1():
    """Return small valid certificates of every kind, as (problem, evidence), for mutations."""
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


KNIGHT, CAMEL, KING, WAZIR, FERZ = [[1, 2]], [[1, 3]], [[0, 1], [1, 1]], [[0, 1]], [[1, 1]]
DABBABA = [[0, 2]]
NO_CONDITIONS = {
    "start": None,
    "end": None,
    "require": [],
    "forbid": [],
    "given": [],
    "symmetry": None,
}


def on_board(rows, columns, *missing, piece=KNIGHT, surface="plane", closed=False, **conditions):
    """Return a problem on a board; moves of a condition are texts such as ``"a1-c2"``."""
    board = {"rows": rows, "columns": columns, "missing": list(missing)}
    return {
        **board,
        "piece": piece,
        "surface": surface,
        "closed": closed,
        **condition_values(conditions),
    }


def on_graph(edges, closed=False, nodes=None, **conditions):
    """Return a problem on a graph; its edges are texts such as ``"ab"``."""
    nodes = nodes or list(dict.fromkeys("".join(edges)))
    graph = {"nodes": nodes, "edges": [list(edge) for edge in edges]}
    return {**graph, "closed": closed, **condition_values(conditions)}


def condition_values(conditions):
    moves = {key: conditions.get(key, "").split() for key in ("require", "forbid")}
    return {
        **NO_CONDITIONS,
        **conditions,
        **{key: [m.split("-") for m in moves[key]] for key in moves},
    }


RING = "a1-b1 b1-c1 c1-d1 a1-d1"
COMPLETE = ["ab", "ac", "ad", "bc", "bd", "cd"]


@cache
def examples_2():
    """Return valid certificates of every kind, as (problem, evidence)."""
    turned = on_board(3, 3, piece=FERZ, surface="moebius", closed=True)
    beside = on_board(2, 4, piece=KING, start="b1", end="b2", require="b1-b2")
    apart = on_board(2, 3, piece=WAZIR, forbid="a1-b1 a2-b2")
    less = on_board(2, 3, piece=WAZIR, closed=True, forbid="a1-b1")
    inner = [f"{file}{rank}" for rank in (2, 3) for file in "abcdef"]
    return [
        (on_board(1, 2, piece=KING, surface="torus", closed=True), {"kind": "size"}),
        (on_board(3, 4, "a1", surface="moebius", closed=True), {"kind": "colours"}),
        (on_board(3, 4, "a1", surface="cylinder", closed=True), {"kind": "colours"}),
        (on_board(4, 3, "a1", surface="klein", closed=True), {"kind": "colours"}),
        (on_board(2, 4, "a1", surface="torus", piece=WAZIR, closed=True), {"kind": "colours"}),
        (on_board(2, 3, piece=WAZIR, start="a1", end="c1"), {"kind": "colours"}),
        (on_board(4, 4, piece=CAMEL), {"kind": "degrees", "squares": ["b2"]}),
        (
            on_board(3, 4, forbid="a1-c2 d1-b2", given=[["c3", 4]], symmetry="half-turn"),
            {"kind": "degrees", "squares": ["a1", "b2", "d1"]},
        ),
        (
            on_graph(COMPLETE, closed=True, forbid="a-b a-c"),
            {"kind": "degrees", "squares": ["a"]},
        ),
        (apart, {"kind": "connectivity", "squares": ["a1", "b1"]}),
        (
            on_board(3, 3, "b2", piece=DABBABA, surface="cylinder"),
            {"kind": "connectivity", "squares": ["a1", "a2"]},
        ),
        (on_board(1, 3, piece=WAZIR, closed=True), {"kind": "cut", "squares": ["b1"]}),
        (turned, {"kind": "removal", "squares": ["a2", "b2", "c2"]}),
        (on_graph(COMPLETE, forbid="b-c b-d c-d"), {"kind": "removal", "squares": ["a"]}),
        (
            on_board(4, 6, closed=True, forbid="a1-b3", require="b2-c4"),
            {"kind": "tight", "sets": [inner]},
        ),
        (
            on_board(3, 4, piece=WAZIR, surface="torus", closed=True, require=RING),
            {"kind": "forced", "tree": {}},
        ),
        (
            on_board(5, 6, closed=True, require="d2-b3 b3-a5"),
            {"kind": "forced", "tree": {}},
        ),
        (on_graph(COMPLETE, require="a-b", start="a", end="b"), {"kind": "forced", "tree": {}}),
        (beside, refuted(beside, pack=False)),
        (less, refuted(less, pack=False)),
        (turned, refuted(turned)),
    ]


SQUARE = on_graph(["ab", "bc", "cd", "ad"], closed=True)


SYMMETRIC = [
    tour.split()
    for tour in (
        "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3",
        "d1 b2 d3 c1 a2 c3 b1 d2 b3 a1 c2 a3",
        "a2 c3 d1 b2 d3 c1 b3 a1 c2 a3 b1 d2",
        "a2 c1 d3 b2 d1 c3 b1 a3 c2 a1 b3 d2",
    )
]
"""All tours of 3x4 that a half turn maps to themselves."""


CORNERS, MIDDLE = ["a1", "d1", "a4", "d4"], ["b2", "c2", "b3", "c3"]
SYMMETRIES = [
    (question, {"kind": "symmetry", "squares": squares.split()})
    for question, squares in (
        (on_board(4, 4, *CORNERS, *MIDDLE, closed=True, symmetry="quarter-turn"), ""),
        (on_board(3, 4, closed=True, symmetry="left-right"), ""),
        (on_board(3, 3, piece=KING, closed=True, symmetry="quarter-turn"), "b2"),
        (on_board(3, 3, piece=KING, closed=True, symmetry="half-turn"), "b2"),
        (on_board(3, 3, piece=KING, closed=True, symmetry="top-bottom"), "a2 b2 c2"),
        (on_board(4, 4, *CORNERS, "b1", "a2", closed=True, symmetry="diagonal"), "b2 c3"),
        (on_board(3, 3, piece=KING, symmetry="quarter-turn"), "a1"),
        (on_board(3, 3, piece=WAZIR, symmetry="diagonal"), "a1 c3"),
        (on_board(3, 3, piece=WAZIR, start="b2", symmetry="half-turn"), "b2"),
        (on_board(2, 3, piece=WAZIR, start="a1", end="c1", symmetry="half-turn"), "a1 c1"),
    )
]


@cache
def examples_4():
    """Return valid certificates of every kind with clues, a symmetry or tours."""
    far = on_board(3, 4, given=[["a1", 1], ["b1", 3]])
    ring = on_board(3, 4, "b2", "c2", piece=WAZIR, closed=True, given=[["a1", 1], ["d1", 10]])
    round_ = on_board(2, 3, piece=WAZIR, closed=True, start="a1", given=[["c2", 3]])
    colours = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["c1", 6]])
    corner = on_board(2, 3, piece=WAZIR, given=[["b1", 1], ["c2", 4]])
    start = on_board(2, 3, piece=KING, start="a1", end="c2", given=[["a2", 6]])
    kings = on_board(2, 3, piece=KING, closed=True, given=[["a1", 2], ["c1", 3]], start="b2")
    turned = on_board(2, 3, piece=WAZIR, symmetry="quarter-turn")
    mirrored = on_board(3, 4, symmetry="left-right")
    slant = on_board(3, 3, "b2", closed=True, symmetry="diagonal", forbid="a1-b3")
    alone = on_board(3, 3, piece=WAZIR, given=[["b1", 5]])
    bare = on_graph(["ab", "bc", "bd", "de"], given=[["b", 3]])
    one = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["b1", 4]])
    closed = on_board(2, 3, piece=WAZIR, closed=True, given=[["b1", 3]])
    half = on_board(3, 4, symmetry="half-turn")
    moved = on_board(2, 3, piece=KING, start="a1", require="a1-b2", forbid="a2-b2 b1-c1")
    return [
        (far, {"kind": "clash", "clues": [["a1", 1], ["b1", 3]]}),
        (far, {"kind": "clash", "clues": [["b1", 3], ["a1", 1]]}),
        (ring, {"kind": "clash", "clues": [["a1", 1], ["d1", 10]]}),
        (round_, {"kind": "clash", "clues": [["a1", 1], ["c2", 3]]}),
        (start, {"kind": "clash", "clues": [["c2", 6], ["a2", 6]]}),
        (
            on_graph(["ab", "bc", "cd"], start="a", given=[["a", 3]]),
            {"kind": "clash", "clues": [["a", 1], ["a", 3]]},
        ),
        (alone, {"kind": "clash", "clues": [["b1", 5]]}),
        (bare, {"kind": "clash", "clues": [["b", 3]]}),
        (colours, refuted(colours, pack=False)),
        (corner, refuted(corner, pack=False)),
        (kings, refuted(kings, pack=False)),
        (start, refuted(start, pack=False)),
        (turned, {"kind": "symmetry", "squares": ["c1"]}),
        (mirrored, {"kind": "symmetry", "squares": []}),
        *SYMMETRIES,
        (turned, refuted(turned, pack=False)),
        (mirrored, refuted(mirrored, pack=False)),
        (slant, refuted(slant, pack=False)),
        (SQUARE, refuted(SQUARE, pack=False, tours=[[*"abcd"]])),
        (one, refuted(one, pack=False, tours=[["a1", "a2", "b2", "b1", "c1", "c2"]])),
        (closed, refuted(closed, pack=False, tours=[["a2", "a1", "b1", "c1", "c2", "b2"]])),
        (
            closed,
            refuted(closed, pack=False, clues=[], tours=[["c2", "c1", "b1", "a1", "a2", "b2"]]),
        ),
        (half, refuted(half, pack=False, tours=SYMMETRIC)),
        (moved, refuted(moved, pack=False, tours=[["a1", "b2", "c1", "c2", "b1", "a2"]])),
    ]


PLAIN_STEP, CONTRADICTION = "plain", {"kind": "forced", "tree": {}}
PETERSEN = [
    "bc", "cd", "de", "bg", "ch", "di", "ej", "fh", "hj", "jg", "gi", "if", "bx", "ex", "fx",
]  # fmt: skip
SHRUNK = [*PETERSEN[:12], "bx", "ey", "fz", "xy", "yz", "xz"]
"""The Petersen graph with a triangle instead of a vertex."""
CASES = {
    "move": ["b", "c"],
    "used": {
        "move": ["d", "e"],
        "used": {
            "move": ["b", "g"],
            "used": {},
            "unused": {"move": ["c", "d"], "used": {}, "unused": {}},
        },
        "unused": {},
    },
    "unused": {"move": ["d", "e"], "used": {}, "unused": {}},
}
PAIRS = on_graph([
    "mc", "md", "mj", "ei", "ea", "ef", "ek", "lg", "li", "lb", "di", "da", "df", "cj", "cg",
    "jg", "af", "kh", "bh",
], closed=True)  # fmt: skip
NESTED = on_graph(
    ["dc", "dg", "fi", "fa", "bh", "be", "hi", "hc", "ic", "ge", "ga", "ea"], closed=True
)
CLOSED_BOWTIE = on_graph(["ab", "bc", "ca", "cd", "de", "ec"], closed=True)
TRIANGLE = on_graph(SHRUNK, closed=True, nodes=[*"bcdefghijxyz"])
OPEN = on_graph(["ab", "ac", "ad"])
LEAF_B = {"kind": "degrees", "squares": ["a"]}


def split(*steps, then=CONTRADICTION):
    return {"kind": "split", "steps": list(steps), "then": then}


def keep(names):
    return {"keep": names.split() if " " in names else [*names]}


def use(edge, unless):
    return {"use": [*edge], "unless": unless}


def sweep(order):
    return {"kind": "sweep", "order": order.split() if " " in order else [*order]}


AT_TRIANGLE = split(keep("bcdefghij"), then={"kind": "forced", "tree": CASES})


def sweeps():
    """Return valid sweeps, as (problem, evidence)."""
    kite = on_graph(["ab", "bc", "cd", "da", "ae", "ec"], closed=True)
    petersen = on_graph(PETERSEN, closed=True, nodes=[*"bcdefghijx"])
    ring = on_graph(["ab", "bc", "cd", "da", "ac"], closed=True)
    return [
        (kite, sweep("abdec")),
        (kite, sweep("acbde")),
        (petersen, sweep("xbefcghijd")),
        (OPEN, sweep("bcda")),
        (on_board(3, 4, closed=True), sweep("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3")),
        (on_board(3, 3), sweep("a1 a2 a3 b1 b2 b3 c1 c2 c3")),
        (on_board(2, 3, piece=[[0, 1]], start="b1", end="b2"), sweep("a1 a2 b1 b2 c1 c2")),
        ({**ring, "require": [["a", "c"]]}, sweep("abcd")),
        ({**ring, "forbid": [["a", "b"]]}, sweep("dcba")),
        (TRIANGLE, split(keep("bcdefghij"), then=sweep("xbefcghijd"))),
        (CLOSED_BOWTIE, split(use("ab", sweep("abcde")), PLAIN_STEP)),
    ]


def potentials():
    """Return valid potentials, as (problem, evidence)."""
    leaf = {"scale": 1, "cuts": []}
    theta = on_graph(["ab", "ac", "ad", "be", "ce", "de"], closed=True)
    bridge = on_graph(["ab", "ac", "bc", "cd", "de", "df", "ef"], closed=True)
    cut = {"weight": 1, "squares": ["a", "b", "c"]}
    cases = {"move": ["a", "d"], "unused": {}, "used": {}}
    plain = {**leaf, "potentials": [-1, -1, -1, 1, 1, 1]}
    return [
        (theta, {"kind": "potentials", "tree": plain}),
        (theta, {"kind": "potentials", "tree": {**cases, "used": plain, "unused": plain}}),
        (bridge, {"kind": "potentials",
                  "tree": {**leaf, "potentials": [0, 0, 0, 0, 0, 0, 0], "cuts": [cut]}}),
        ({**OPEN, "start": "b", "end": "c"},
         {"kind": "potentials", "tree": cases}),
        (on_board(3, 3), {"kind": "potentials", "tree": {}}),
    ]  # fmt: skip


def undirected():
    """Return valid evidence about digraphs with all arcs reversible, as (problem, evidence)."""
    path = {**on_graph(["ab", "ba", "bc", "cb"], closed=True), "directed": True}
    star = {**on_graph(["ab", "ba", "ac", "ca", "ad", "da"]), "directed": True}
    degrees = {"kind": "degrees", "squares": ["a"]}
    return [
        (path, {"kind": "undirected", "then": degrees}),
        (star, {"kind": "undirected", "then": {"kind": "removal", "squares": ["a"]}}),
    ]


def bounds():
    """Return valid bounds, as (problem, evidence); every wazir's tour turns in the four corners."""
    problem = on_board(4, 4, piece=[[0, 1]], closed=True)
    leaf = {"scale": 1, "potentials": [0] * 24, "cuts": []}
    corner = {**leaf, "cuts": [{"weight": 1, "squares": ["a1"]}]}
    cases = {"move": ["a1", "b1"], "used": corner, "unused": {}}
    tour = [
        "a1",
        "b1",
        "c1",
        "d1",
        "d2",
        "d3",
        "d4",
        "c4",
        "c3",
        "c2",
        "b2",
        "b3",
        "b4",
        "a4",
        "a3",
        "a2",
    ]

    def bound(objective, value, *trees, **more):
        kind = {"kind": "bound", "objective": objective, "bound": value}
        return {**kind, "trees": list(trees), **more}

    return [
        (problem, bound("fewest-turns", 4, leaf)),
        (problem, bound("fewest-turns", 4, cases)),
        (problem, bound("most-turns", 16, {**leaf, "scale": 3})),
        (problem, bound("most-direction", 16, leaf, leaf)),
        (on_board(2, 2, piece=[[0, 1]], closed=True),
         bound("fewest-turns", 4, {"scale": 1, "potentials": [0] * 4, "cuts": []},
               tour=["a1", "b1", "b2", "a2"])),
        (problem, bound("fewest-obtuse-angles", 0, leaf, tour=tour)),
    ]  # fmt: skip


@cache
def examples_5():
    """Return valid splits, as (problem, evidence)."""
    petersen = on_graph(PETERSEN, closed=True, nodes=[*"bcdefghijx"])
    return [
        (PAIRS, split(PLAIN_STEP, keep("deil"), PLAIN_STEP)),
        (PAIRS, split(keep("deil"))),
        (NESTED, split(PLAIN_STEP, keep("aceghi"), PLAIN_STEP, keep("chi"))),
        (TRIANGLE, AT_TRIANGLE),
        (TRIANGLE, split(keep("bcdefghij"), then=refuted(petersen, pack=False))),
        (CLOSED_BOWTIE, split(PLAIN_STEP)),
        (CLOSED_BOWTIE, split(use("ab", LEAF_B), then={"kind": "cut", "squares": ["c"]})),
        (CLOSED_BOWTIE, split(use("ab", split(PLAIN_STEP)), use("ac", LEAF_B), PLAIN_STEP)),
        (OPEN, split(PLAIN_STEP)),
        (OPEN, split(use(["b", "end 1"], {"kind": "degrees", "squares": ["b"]}), PLAIN_STEP)),
        (on_board(3, 3, "b2", start="a1", end="c2", require="a1-c2"), split(PLAIN_STEP)),
    ]


def all_examples():
    """Return valid certificates of every version."""
    older = [*examples_1(), *examples_2(), *examples_4(), *examples_5(), *sweeps()]
    return [*older, *potentials(), *undirected(), *bounds()]
