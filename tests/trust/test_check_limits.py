"""Limits in ``FORMAT.md``: a file at each limit is checked in time, one beyond is refused."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations, pairwise
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from kt_cp.model.board import square_name
from kt_cp.trust.check import FORMAT, Reason, Refusal, check, parsing
from kt_cp.trust.check.bound import PAIRS
from kt_cp.trust.check.certificate import MOST_BYTES, MOST_LISTS, TOURS, digest_of
from kt_cp.trust.check.forced import MOST_SETS
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import MOST_SQUARES, frame_of
from kt_cp.trust.check.instance import BUDGET
from kt_cp.trust.check.parsing import MOST_CONDITIONS, MOST_EDGES, read_instance
from kt_cp.trust.check.refutation import MOST_TOURS, check_lemmas, digest, dimacs
from kt_cp.trust.check.split import MOST_LOAD
from kt_cp.trust.check.sweep import CHOICES
from tests.examples.certificates import (
    KING,
    WAZIR,
    certificate,
    on_board,
    on_graph,
    packed,
    refutation,
)
from tests.support.exhaustive import more

PAGE = Path(parsing.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| (.*) \| (.*) \|$", PAGE[PAGE.index("## Limits") : PAGE.index("Objects may")], re.MULTILINE
)[1:]

SECONDS = more(20, 200)
"""Processor seconds for any of the files: none takes a third of it on an idle machine."""

SIZE = {"kind": "size"}
NO_MOVES = on_board(1, 2, closed=True)
"""A problem that is refuted at once: its formula has an empty clause for each square."""


@dataclass(frozen=True)
class File:
    """A kind of file whose size is a number.

    Attributes
    ----------
    make : callable
        From the number; it returns a certificate, or one and the tours beside it.
    at : Reason or None
        Why the file at the limit is refused, where no small one is valid.
    beyond : Reason
        Why one with one more is refused.
    """

    make: Callable[[int], Any]
    at: Reason | None = None
    beyond: Reason = Reason.TOO_LARGE


@dataclass(frozen=True)
class Limit:
    """A limit of the code, by the names of its module and constant, and the files that reach it.

    Unless by FULL=1, a ``part`` of it is taken.
    """

    name: str
    files: list[File]
    part: int = 1
    budget: str = ""
    """Its name in ``BUDGET``, if it stands there."""

    @property
    def most(self) -> int:
        if self.budget:
            return BUDGET[self.budget]
        module, name = self.name.split(".")
        return getattr(import_module(f"kt_cp.trust.check.{module}"), name)


# --- files of a given size ------------------------------------------------------------------------


def nodes(number):
    return [f"n{each}" for each in range(number)]


def graph(names, edges, *, closed=True, **conditions):
    made = {**on_graph([], nodes=["a"]), "nodes": names, "closed": closed}
    return {**made, "edges": [*map(list, edges)], **conditions}


def circle(number, *others):
    """A cycle, and nodes apart from it: there is no tour, and no local reason why not."""
    names = nodes(number)
    return graph([*names, *others], [*pairwise(names), (names[-1], names[0])])


def two_ladders(number):
    """Two graphs without a way from one to the other, where the plain rules say nothing."""
    names, others = nodes(number), ["z", "z1", "z2", "z3"]
    pairs = [*pairwise(names), *zip(names, names[2:], strict=False), *combinations(others, 2)]
    return graph([*names, *others], [*pairs, (names[0], names[-1])])


APART = {"kind": "connectivity", "squares": ["n0", "z"]}


def padded(document, size):
    text = json.dumps(document)
    return text + " " * (size - len(text))


def with_tours(beside):
    tours = {"number": 1, "digest": digest_of(beside)}
    evidence = {"kind": "list", "tight": [], "cuts": [], "tours": tours}
    evidence |= {"proof": ["0 1 2 4 6 9 0"], "digests": {"formula": LISTED[0], "proof": LISTED[1]}}
    return certificate(on_graph(["ab", "bc", "cd", "da"], closed=True), evidence)


LISTED = (
    "add9e7072a6f09372d6e1151c04b9d922066c78e7d3e0f2a60faa4b9225a6768",
    "a01e122c3a5728170c5dc93409a4daac0c58136d423da05e46d6eb29bcbbbaae",
)
"""Digests of the example in ``FORMAT.md``."""

BESIDE = {"format": TOURS, "tours": [["a", "b", "c", "d"]]}


def marks(number):
    problem = {"rows": 1, "columns": 2, "missing": [], "closed": True, "start": None, "end": None}
    document = {"format": FORMAT, "schema_version": 1, "problem": problem, "evidence": SIZE}
    base = sum(json.dumps(document).count(mark) for mark in "[{")
    return json.dumps({**document, "argument": "[" * (number - base)})


def tours_of_many_marks(number):
    return with_tours(BESIDE), json.dumps({"format": TOURS, "tours": [[]] * (number - 2)})


def missing(number):
    names = [square_name((0, column)) for column in range(number + 2)]
    return certificate(on_board(1, number + 2, *names[2:], closed=True), SIZE)


def board_of_a_symmetry(number):
    problem = on_board(1, number, piece=WAZIR, closed=True, symmetry="left-right")
    return certificate(problem, {"kind": "symmetry", "squares": []})


def nodes_without_edges(number):
    return certificate(graph(nodes(number), []), {"kind": "degrees", "squares": ["n0"]})


def squares_times_leaps(number):
    problem = on_board(1, -(-number // 2), piece=[[1, 1], [1, 2]])
    return certificate(problem, {"kind": "connectivity", "squares": ["a1", "b1"]})


def edges(number):
    names = nodes(number // 3 + 3)
    pairs = [pair for by in (1, 2, 3) for pair in zip(names, names[by:], strict=False)][:number]
    return certificate(graph([*names, "z"], pairs), {"kind": "degrees", "squares": ["z"]})


def conditions(key, number):
    """Moves of a wazir along one rank, or its squares as clues."""
    names = [square_name((0, column)) for column in range(number + 1)]
    pairs = [*enumerate(names[:-1], start=1)] if key == "given" else [*pairwise(names)]
    listed = [[name, step] for step, name in pairs] if key == "given" else [*map(list, pairs)]
    problem = on_board(1, number + 1, piece=WAZIR, closed=True)
    return certificate({**problem, key: listed}, {"kind": "degrees", "squares": [names[-1]]})


def clues(number):
    given = conditions("given", min(number, parsing.MOST_CONDITIONS))["problem"]["given"]
    problem = on_board(1, len(given), piece=WAZIR, closed=True, given=given)
    return certificate(problem, {"kind": "clash", "clues": [*given, ["a1", 1]][:number]})


def leaps(number):
    return certificate(
        on_board(1, 1, piece=[[0, a] for a in range(1, number + 1)], closed=True), SIZE
    )


def name(number):
    names = ["x" * number, "b", "c"]
    return certificate(graph(names, []), {"kind": "degrees", "squares": names[:1]})


def made_by(number, name=0, version=0):
    programs = {f"{each:{max(name, 2)}}": "1" * max(version, 1) for each in range(number)}
    return certificate(NO_MOVES, SIZE, made_by=programs)


def refuted(problem, lines=None, pack=False, **evidence):
    """A refutation with the digests that fit: by an empty clause, unless there are other lines."""
    frame = frame_of(read_instance(problem, 4))
    number = frame.number
    cuts = [{number[each] for each in cut} for cut in evidence.get("cuts", [])]
    taken = [(number[square], step) for square, step in evidence.get("clues", [])]
    try:
        variables, clauses = formula_of(frame, None, cuts, taken)
    except Refusal:  # which the checker says as well
        variables, clauses = 0, [[]]
    lines = lines or [f"0 {clauses.index([]) + 1} 0"]
    text = lines if isinstance(lines, str) else "".join(f"{line}\n" for line in lines)
    digests = {"formula": digest(dimacs(variables, clauses)), "proof": digest(text)}
    made = {"kind": "refutation", "tight": [], "cuts": [], **evidence, "digests": digests}
    return certificate(problem, {**made, "proof": packed(text) if pack else [*lines]})


def sets(key, number):
    problem = graph(nodes(3), [])
    if key == "sets":
        return certificate(problem, {"kind": "tight", "sets": [["n0"]] * number})
    if key == "cuts":
        return refuted(problem, cuts=[["n0"]] * number)
    made = refuted(problem)
    return certificate(problem, {**made["evidence"], "tight": [["n0"]] * number})


LOAD = 10_000


def loads_of_sets(key, number):
    many = [["n0"]] * -(-number // LOAD)
    problem = graph(nodes(LOAD), [])
    if key == "sets":
        return certificate(problem, {"kind": "tight", "sets": many})
    evidence = {"kind": "refutation", "tight": many, "cuts": [], "proof": [], "digests": {}}
    return certificate(problem, evidence)


def loads_of_a_tree(number):
    """As many nodes as a tree can have one within the other, each of which removes a square."""
    depth = 300
    load = number // depth
    tree: dict[str, Any] = {}
    for _ in range(-(-number // load) - 1):
        tree = {"remove": ["n0"], "then": tree}
    return certificate(circle(load), {"kind": "forced", "tree": tree})


def cases(load, number):
    """Cases within cases, each of which supposes one more edge of a ladder."""
    half = load // 2
    names = nodes(load)
    rails = [(at, at + 1) for at in range(load - 1) if at + 1 != half]
    rungs = [(at, at + half) for at in range(half)]
    problem = graph(names, [(names[u], names[v]) for u, v in (*rails, *rungs)])
    tree: dict[str, Any] = {}
    for at in range(2, 2 + 4 * number, 4):
        tree = {"move": [names[at], names[at + 1]], "used": tree, "unused": {}}
    return certificate(problem, {"kind": "forced", "tree": tree})


def cases_times_load(number):
    load = 5_000
    return cases(load, -(-number // load))


def loads_of_a_split(number):
    load = 1_000
    evidence = {"kind": "split", "steps": ["plain"] * -(-number // load), "then": APART}
    return certificate(two_ladders(load - 4), evidence, schema_version=5)


def uses(first, last, unless=APART):
    """Steps of a split: edges of the first ladder are used, as the two are apart without them."""
    return [{"use": [f"n{at}", f"n{at + 1}"], "unless": unless} for at in range(first, last)]


def pieces_of_a_split(number):
    """Fifty in each of twenty splits within splits."""
    evidence: dict[str, Any] = {"kind": "split", "steps": uses(0, number - 951), "then": APART}
    for level in range(60, 79):
        steps = [*uses(level, level + 1, evidence), *uses(0, 49)]
        evidence = {"kind": "split", "steps": steps, "then": APART}
    return certificate(two_ladders(100), evidence, schema_version=5)


def split_within_split(number):
    evidence: dict[str, Any] = {"kind": "split", "steps": ["plain"], "then": APART}
    for at in range(2, 2 * number, 2):
        evidence = {"kind": "split", "steps": uses(at, at + 1, evidence), "then": APART}
    return certificate(two_ladders(3 * number), evidence, schema_version=5)


def literals(number):
    """Return a refutation with the literals of a complete graph, and one for each cut."""
    most = int((number / 19) ** 0.5) - 1
    clique = nodes(most)
    pairs = [(u, v) for place, u in enumerate(clique) for v in clique[:place]]
    rest = number - most * (19 * (most - 1) - 13)
    return refuted(graph([*clique, "z"], pairs), cuts=[["z"]] * rest)


def windows(number):
    """Walks around a circle from all of its nodes, up to the step of a clue apart."""
    return walks([1], -(-number // CIRCLE) + 2, 1)


def edges_of_windows(number):
    """The same where 51 edges lead from each node, one of them to the end; and one from others."""
    step, apart = divmod(number, 51 * CIRCLE)
    return walks(range(1, 26), step + 1, apart)


CIRCLE = 2_000


def walks(ways, step, apart):
    names, others = nodes(CIRCLE), [f"z{each}" for each in range(apart)]
    given = [["z0", step]]
    edges = [(names[at], names[(at + way) % CIRCLE]) for at in range(CIRCLE) for way in ways]
    problem = graph([*names, *others], edges, closed=False, given=given)
    return refuted(problem, clues=given)


def leaves(number):
    """A tree about a ring of four squares, at each of which two edges meet."""
    leaf = {"scale": 1, "potentials": [0] * 4, "cuts": []}

    def tree(many):
        if many == 1:
            return leaf
        cases = {"used": tree(many // 2), "unused": tree(many - many // 2)}
        return {"move": ["a1", "a2"], **cases}

    evidence = {"kind": "bound", "objective": "fewest-turns", "bound": 4}
    problem = on_board(2, 2, piece=[[0, 1]], closed=True)
    return certificate(problem, {**evidence, "trees": [tree(-(-number // 16))]})


def choices(number):
    """Sweeps over stars, each of which ends after its middle, and one over a triangle.

    A star of d nodes around its middle has d (d - 1) / 2 choices, each with d nodes on the
    frontier.  The triangle has two choices, with two nodes and one.
    """
    left, sizes = number - 5, []
    while left >= 3:
        sizes.append(max(d for d in range(2, 500) if d * (d - 1) * (d + 1) // 2 <= left))
        left -= sizes[-1] * (sizes[-1] - 1) * (sizes[-1] + 1) // 2
    stars = {f"s{at}": [f"s{at} {each}" for each in range(d)] for at, d in enumerate(sizes)}
    stars |= {"z": [], "t": ["t0", "t1"]} | ({"u": ["u0", "u1"]} if left else {})
    pairs = [(middle, other) for middle, others in stars.items() for other in others]
    problem = circle(len(stars) + 3, *stars, *(other for _, other in pairs))
    problem["edges"] += [*map(list, pairs), ["t0", "t1"]]

    def sweep(*first):
        rest = [each for each in problem["nodes"] if each not in first]
        return {"kind": "sweep", "order": [*first, *rest]}

    firsts = [*([middle, "z"] for middle in stars if middle[0] in "su"), ["t", "t0", "z"]]
    uses = [
        {"use": [f"n{at}", f"n{at + 1}"], "unless": sweep(*each)} for at, each in enumerate(firsts)
    ]
    evidence = {"kind": "split", "steps": uses, "then": APART}
    return certificate(problem, evidence, schema_version=6)


def list_of_tours(number):
    """A king's tours of two ranks at a time: to and fro, or in a zigzag."""
    listed = [snake(map(int, f"{each:014b}")) for each in range(number)]
    evidence = {"kind": "list", "tight": [], "cuts": [], "tours": listed, "proof": []}
    digests = {"formula": "", "proof": ""}
    return certificate(on_board(28, 4, piece=KING), {**evidence, "digests": digests})


def snake(zigzags):
    squares, columns = [], [*range(4)]
    for row, zigzag in enumerate(zigzags):
        if zigzag:
            squares += [(2 * row + up, column) for column in columns for up in (0, 1)]
            columns.reverse()
        else:
            squares += [(2 * row, column) for column in columns]
            squares += [(2 * row + 1, column) for column in columns[::-1]]
    return [*map(square_name, squares)]


def proof_of_characters(number):
    line = f"0 1 0{' ' * 9_994}\n"
    text = line * (number // len(line) - 1)
    return refuted(graph(nodes(3), []), text + f"0 1 0{' ' * (number - len(text) - 6)}\n", True)


def line_of_a_proof(pack, number):
    return refuted(graph(nodes(3), []), [f"0 1 0{' ' * (number - 5)}"], pack=pack)


def literals_that_lines_name(number):
    """A long lemma that every line after it names, the last for what is left."""
    width = min(1_000_000, number // 3)
    full, rest = divmod(number, width)
    lines = [f"{'1 ' * width}0 1 0", *["1 0 4 0"] * full]
    lines += [f"{'1 ' * rest}0 1 0", f"1 0 {full + 5} 0"] if rest else []
    problem = graph([*nodes(2), "z"], [("n0", "n1")])
    return refuted(problem, [*lines, "0 1 0"], True)


# --- the table ------------------------------------------------------------------------------------

LIMITS = {
    "bytes of the file, and of a separate file with tours": [
        Limit("certificate.MOST_BYTES", [
            File(partial(padded, certificate(NO_MOVES, SIZE))),
            File(lambda number: (with_tours(BESIDE), padded(BESIDE, number))),
        ], part=10),
    ],
    "marks `[` and `{` in each": [
        Limit("certificate.MOST_LISTS", [
            File(marks), File(tours_of_many_marks, Reason.WRONG_DIGEST),
        ], part=10),
    ],
    "squares of a list, or of the board of a `symmetry`; nodes of a graph; squares of a frame "
    "times leaps of the piece": [
        Limit("frame.MOST_SQUARES", [
            File(missing), File(board_of_a_symmetry), File(nodes_without_edges),
            File(squares_times_leaps),
        ], part=10),
    ],
    "edges of a graph": [Limit("parsing.MOST_EDGES", [File(edges)], part=10)],
    "pairs in `require`, in `forbid`, in `given`, in `clues`": [
        Limit("parsing.MOST_CONDITIONS", [
            *(File(partial(conditions, key)) for key in ("require", "forbid", "given")),
            File(clues, Reason.WRONG_SHAPE),
        ], part=10),
    ],
    "leaps of a piece": [Limit("parsing.MOST_LEAPS", [File(leaps)])],
    "characters of a node's name, all of them printable": [
        Limit("parsing.MOST_NAME", [File(name)])
    ],
    "programs in `made_by`; characters of a name or version": [
        Limit("certificate.MOST_PROGRAMS", [File(made_by)]),
        Limit("certificate.MOST_VERSION", [
            File(partial(made_by, 1)), File(partial(made_by, 1, 1)),
        ]),
    ],
    "sets in `sets`, `tight` or `cuts`": [
        Limit("forced.MOST_SETS", [
            File(partial(sets, "sets")), File(partial(sets, "cuts")),
            File(partial(sets, "tight"), Reason.WRONG_SHAPE),
        ], part=10),
    ],
    "sets in `sets` or `tight`, and nodes of a tree, each times the load of the frame: its "
    "vertices, or a fifth of its edges if these are more *": [
        Limit("instance.BUDGET", [
            File(partial(loads_of_sets, "sets")),
            File(partial(loads_of_sets, "tight"), Reason.WRONG_SHAPE),
            File(loads_of_a_tree, Reason.NOT_PROVED),
        ], part=10, budget="loads of the frame"),
    ],
    "nested cases": [
        Limit("forced.MOST_DEPTH", [
            File(partial(cases, 1_000), Reason.NOT_PROVED, Reason.TOO_DEEP),
        ]),
        Limit("forced.MOST_COPIED", [
            File(cases_times_load, Reason.NOT_PROVED, Reason.TOO_DEEP),
        ], part=10),
    ],
    "loads of the frames of the rests in all steps of a `split`; pieces of evidence in it; "
    "nested `split`s": [
        Limit("split.MOST_LOAD", [File(loads_of_a_split)], part=10),
        Limit("split.MOST_ENDS", [File(pieces_of_a_split)]),
        Limit("split.MOST_DEPTH", [File(split_within_split, None, Reason.TOO_DEEP)]),
    ],
    "literals of the formula (of the clauses at vertices, the tours, the cuts, and the squares "
    "named in these; and for each square of each window 16, and 9 for each edge of the frame at "
    "it) *": [
        Limit("formula.MOST_LITERALS", [File(literals)], part=10, budget="literals"),
    ],
    "squares of all windows, counted as the squares that a walk from the previous clue reaches": [
        Limit("steps.MOST_PAIRS", [File(windows)], part=10),
    ],
    "edges from these squares": [Limit("steps.MOST_EDGES", [File(edges_of_windows)], part=10)],
    "choices of a `sweep` (step 1), each times one more than the vertices of the frontier after "
    "the vertex *": [
        Limit("instance.BUDGET", [File(choices)], part=10, budget=CHOICES),
    ],
    "leaves of a `bound` or of `potentials`, each times the sum over all vertices of the number of "
    "edges there, squared *": [
        Limit("instance.BUDGET", [File(leaves)], part=1000, budget=PAIRS),
    ],
    "tours of a list": [
        Limit("refutation.MOST_TOURS", [File(list_of_tours, Reason.WRONG_DIGEST)], part=10),
    ],
    "characters of a proof; of a line; of a line in a list": [
        Limit("refutation.MOST_TEXT", [File(proof_of_characters)], part=10),
        Limit("refutation.MOST_LINE", [File(partial(line_of_a_proof, True))]),
        Limit("refutation.MOST_LISTED_LINE", [File(partial(line_of_a_proof, False))]),
    ],
    "literals in the clauses that a proof's lines name *": [
        Limit("instance.BUDGET", [File(literals_that_lines_name)], part=1000,
              budget="literals examined"),
    ],
}  # fmt: skip
"""The limits of the page, in its words.

Some files at a limit are refused for another reason.  A valid tree of that many cases, or a valid
list of that many tours, would take a search.  Tight sets that need no refutation are refused.
"""

EACH = [
    pytest.param(limit, file, id=f"{limit.budget or limit.name} {number}")
    for limits in LIMITS.values()
    for limit in limits
    for number, file in enumerate(limit.files)
]


def test_every_limit_of_the_page_is_here():
    numbers = {
        row: sorted(int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", value))
        for row, value in ROWS
    }
    assert numbers == {row: sorted(each.most for each in limits) for row, limits in LIMITS.items()}


def lowered(limit, monkeypatch):
    """The limit as it holds for a test, in every module that looks at it."""
    whole = limit.most
    most = whole // more(limit.part, 1)
    if limit.budget:
        monkeypatch.setitem(BUDGET, limit.budget, most)
    constant = limit.name.split(".")[1]
    for name, module in sys.modules.items():
        if name.startswith("kt_cp.trust.check.") and vars(module).get(constant) == whole:
            monkeypatch.setattr(module, constant, most)
    return most


def answer(made):
    """Why a file is refused, if it is; the time that takes is bounded."""
    text, *beside = made if isinstance(made, tuple) else (made,)
    text = text if isinstance(text, str) else json.dumps(text)
    started = process_time()
    reason = None
    try:
        check(text, *beside)
    except Refusal as refusal:
        reason = refusal.reason
    assert process_time() - started < SECONDS
    return reason


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "file"), EACH)
def test_a_file_at_a_limit_is_checked_and_one_beyond_is_refused(limit, file, monkeypatch):
    most = lowered(limit, monkeypatch)
    assert answer(file.make(most)) is file.at
    assert answer(file.make(most + 1)) is file.beyond


def test_names_are_printable():
    """The other half of a row of the page."""
    problem = graph(["x\n", "b", "c"], [])
    evidence = {"kind": "degrees", "squares": ["b"]}
    assert answer(certificate(problem, evidence)) is Reason.WRONG_SHAPE


PART = more(10, 1)
"""Which part of each limit is reached."""

MOST_SECONDS = 120 / PART
"""Processor time that a check may take: on an idle machine none takes a third of it."""

NO_DIGESTS = {"formula": "", "proof": ""}


def path_graph(nodes, **conditions):
    names = [f"n{number}" for number in range(nodes)]
    graph = {"nodes": names, "edges": [list(pair) for pair in pairwise(names)]}
    return {**on_graph([], nodes=["a"]), **graph, **conditions}


def side(squares):
    return int(squares**0.5)


def names_of(rows, columns):
    return [square_name((row, column)) for row in range(rows) for column in range(columns)]


def file_of_lists():
    return {"format": FORMAT, "evidence": [[]] * (MOST_LISTS // PART - 9)}


def long_file():
    return {"format": FORMAT, "evidence": "x" * (MOST_BYTES // PART - 99)}


def long_list():
    n = side(MOST_SQUARES // PART)
    half = [name for place, name in enumerate(names_of(n, n)) if place % 2]
    return certificate(on_board(n, n), {"kind": "removal", "squares": half})


def large_graph():
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    edges = [*pairwise(names), *zip(names, names[2:], strict=False)]
    graph = {**on_graph([], nodes=names), "edges": [*map(list, edges[: MOST_EDGES // PART])]}
    return certificate(graph, {"kind": "connectivity", "squares": [names[0], names[-1]]})


def star():
    """All conditions at one node with nearly all edges."""
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    edges = [[names[0], other] for other in names[1:]]
    graph = {**on_graph([], nodes=["a"]), "nodes": names, "edges": edges, "forbid": edges[9:]}
    return certificate(graph, {"kind": "degrees", "squares": names[9:]})


def required_moves():
    graph = path_graph(MOST_CONDITIONS // PART, closed=True)
    graph["require"] = graph["edges"]
    return certificate(graph, {"kind": "forced", "tree": {}})


def clues_that_clash():
    graph = path_graph(MOST_CONDITIONS // PART)
    graph["given"] = [[name, step] for step, name in enumerate(graph["nodes"], start=1)]
    return certificate(graph, {"kind": "clash", "clues": graph["given"][-2:]})


def clues_of_a_refutation(squares=57_600 // PART):
    n = side(squares)
    snake = snakes(n, [0] * n)
    given = [[name, step] for step, name in enumerate(snake, start=1)]
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "clues": given, "proof": []}
    problem = on_board(n, n, piece=WAZIR, given=given)
    return certificate(problem, {**evidence, "digests": NO_DIGESTS})


def snakes(n, zigzags):
    """A king's open tour, two ranks at a time: to and fro, or in a zigzag."""
    squares, columns = [], [*range(n)]
    for row, zigzag in zip(range(0, n - 1, 2), zigzags, strict=False):
        if zigzag:
            squares += [(up, column) for column in columns for up in (row, row + 1)]
            columns.reverse()
        else:
            squares += [(row, column) for column in columns]
            squares += [(row + 1, column) for column in columns[::-1]]
    return [*map(square_name, squares)]


def windows_of_many_edges():
    """Walks to and fro between a hub and one free node, past all clues."""
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    half = len(names) // 2
    edges = [[names[0], other] for other in names[1:half]]
    given = [[name, step] for step, name in enumerate(names[2:half], start=2)]
    graph = {**on_graph([], nodes=["a"]), "nodes": names, "edges": edges, "given": given}
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "clues": given, "proof": []}
    return certificate(graph, {**evidence, "digests": NO_DIGESTS})


def tight_sets():
    sets = [["a1"]] * (MOST_SETS // PART)
    return certificate(on_board(9, 9), {"kind": "tight", "sets": sets})


def tree_of_cases():
    """One set after the other, on the largest board for that depth."""
    depth = 300
    n = side(BUDGET["loads of the frame"] // PART // depth // 2)
    tree = {"remove": ["a1"], "then": {}}
    for _ in range(depth - 2):
        tree = {"remove": ["a1"], "then": tree}
    return certificate(on_board(n, n), {"kind": "forced", "tree": tree})


def steps_of_a_split():
    steps = ["plain"] * (MOST_LOAD // PART // 64)
    evidence = {"kind": "split", "steps": steps, "then": {"kind": "forced", "tree": {}}}
    return certificate(on_board(8, 8, piece=KING), evidence)


def choices_of_a_sweep():
    files = [square_name((row, column)) for column in range(41) for row in range(5)]
    return certificate(on_board(5, 41, closed=True), {"kind": "sweep", "order": files})


def long_formula():
    n = side(BUDGET["literals"] // 260 // PART)
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "proof": [], "digests": NO_DIGESTS}
    return certificate(on_board(n, n), evidence)


def long_list_of_tours():
    n = side(BUDGET["literals"] // MOST_TOURS) // 2 * 2
    tours = [snakes(n, map(int, f"{number:0{n // 2}b}")) for number in range(MOST_TOURS // PART)]
    evidence = {"kind": "list", "tight": [], "cuts": [], "tours": tours, "proof": []}
    return certificate(on_board(n, n, piece=KING), {**evidence, "digests": NO_DIGESTS})


def symmetric_board():
    n = side(MOST_SQUARES // PART)
    problem = on_board(n, n, closed=True, symmetry="half-turn")
    return certificate(problem, {"kind": "symmetry", "squares": []})


def long_proof():
    problem = on_board(3, 4, closed=True)
    return certificate(problem, refutation(problem, ["1 0 1 0"] * ((1 << 26) // PART // 8)))


FILES = [
    file_of_lists, long_file, long_list, large_graph, star, required_moves, clues_that_clash,
    clues_of_a_refutation, windows_of_many_edges, tight_sets, tree_of_cases, steps_of_a_split,
    choices_of_a_sweep, long_formula, long_list_of_tours, symmetric_board, long_proof,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
def test_the_checker_ends_in_time(make, monkeypatch):
    text = json.dumps(make())
    monkeypatch.setitem(BUDGET, CHOICES, BUDGET[CHOICES] // PART)
    started = process_time()
    try:
        result = check(text).kind
    except Refusal as refusal:
        result = str(refusal)
    spent = process_time() - started
    print(f"{spent:.2f} s of the processor: {result}")
    assert spent < MOST_SECONDS


def test_time_grows_with_the_number_of_clues():
    """Eight times as many clues take about eight times as long, and 64 times if compared."""

    def seconds(squares):
        text = json.dumps(clues_of_a_refutation(squares))
        started = process_time()
        with pytest.raises(Refusal):
            check(text)
        return process_time() - started

    few, many = (min(seconds(squares) for _ in range(3)) for squares in (1_600, 12_800))
    print(f"{few:.2f} s and {many:.2f} s of the processor")
    assert many < 24 * few


@pytest.mark.slow
def test_a_proof_is_read_in_time():
    """Long clauses, each of which makes one more literal true."""
    width = 2_000
    clauses = [[*range(1, width + 1), width + 1 + number] for number in range(width)]
    clauses.append([-number for number in range(width + 1, 2 * width + 1)])
    lemma = " ".join(map(str, [*range(1, width + 1), 0, *range(1, width + 2), 0]))
    lines = [lemma] * (BUDGET["literals examined"] // width**2 // PART // 4)
    started = process_time()
    with pytest.raises(Refusal) as refused:
        check_lemmas(2 * width, clauses, lines)
    assert refused.value.reason is Reason.NO_EMPTY_CLAUSE
    spent = process_time() - started
    print(f"{spent:.2f} s of the processor")
    assert spent < MOST_SECONDS
