"""Random problems of every kind, answered in every way, against an oracle that lists all tours.

The seed of a case determines its problem: a board with holes, any piece and any surface, or a
graph with parallel edges and loops, directed or not; up to twelve squares or nodes; all conditions.
It also selects an engine, and counting, enumeration, numbering, proof or the command line.  Every
answer is compared with :mod:`tests.oracles.naive`, which imports nothing of the package.  The cases
are random, so they include unexpected ones.

A failure prints its seed and its problem.  To repeat it, call ``check_case(SEED)``, or run pytest
with ``-k "oracle[FIRST]"`` for the cases from a first seed on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Numbering, Problem, Verdict, count, defects, prove, solve
from kt_cp.counting import plan
from kt_cp.counting.tour_numbering import sample
from kt_cp.encodings import encoding_names
from kt_cp.engines import engine_names, get_engine
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.proofs.certify import KINDS
from kt_cp.trust.check import check
from tests.examples.graph_files import WRITERS as OF_ANY_FORMAT
from tests.oracles import naive
from tests.support.command_line import refused as refusal
from tests.support.exhaustive import SEED, more

CASES, QUICK, BATCH = 10_000, 300, 25
"""All cases, those of ``make test``, and those of each test, since xdist distributes whole tests.

A case takes about 12 ms of a processor, and 25 ms on the command line.  ``make test-all`` tries a
fifth of the others, drawn by ``SEED``, and all of them by ``FULL=1``.
"""

COMMANDS, QUICK_COMMANDS = 500, 25
"""The same numbers for cases on the command line."""

MOST = 1_200
"""Limit of squares that the oracle places for a problem; larger problems are skipped."""

LARGEST = 12

ENGINES = [*engine_names(), *(f"sat:{encoding}" for encoding in encoding_names())]

ENGINES_ASKED = 0.6
"""Share of the cases with an engine; each engine gets about 270 of 10,000."""

PIECES = [*["1,2"] * 4, "0,1", "1,1", "0,1+1,1", "1,3", "2,3", "0,2", "2,2", "1,2+0,1", "3,3"]

TRICKY = [
    "end", "end 1", "source", "target", "in a", "at a", "out a", "a", "b c", "1", "2", "-", "é",
]  # fmt: skip
"""Names with another meaning in certificates or in the undirected form of a digraph."""


LETTERS = "abcdefghijkl"

WRITERS = {form: OF_ANY_FORMAT[form] for form in ("graphml", "json", "gml")}
"""Formats that hold nodes without edges, loops and parallel edges, and the nodes' names."""


@dataclass(frozen=True)
class Case:
    """A problem in plain values, as in its JSON, and the nodes of its graph in this order."""

    seed: int
    document: dict[str, Any]
    nodes: tuple[Any, ...] = ()
    extra: tuple[tuple[int, int], ...] = ()
    """Loops and repeated edges, by the numbers of their nodes."""

    @cached_property
    def question(self) -> naive.Question:
        return naive.question_of(self.document, MOST)

    @cached_property
    def walks(self) -> list[naive.Walk]:
        return self.question.walks

    @cached_property
    def graph(self) -> nx.Graph:
        """The graph, in the class of networkx for its directions and parallel edges."""
        kinds = {
            (False, False): nx.Graph,
            (False, True): nx.MultiGraph,
            (True, False): nx.DiGraph,
            (True, True): nx.MultiDiGraph,
        }
        graph = kinds[self.document.get("directed", False), bool(self.extra)]()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.node(edge) for edge in self.document["edges"])
        graph.add_edges_from((self.nodes[u], self.nodes[v]) for u, v in self.extra)
        return graph

    def node(self, name: Any) -> Any:
        """Return the node or square that a name of the document denotes."""
        if isinstance(name, list | tuple):
            return tuple(map(self.node, name))
        return self.nodes[int(name)] if "nodes" in self.document else naive.place(name)

    @cached_property
    def problem(self) -> Problem:
        document = self.document
        conditions = {
            "closed": document["closed"],
            "require": [self.node(move) for move in document["require"]],
            "forbid": [self.node(move) for move in document["forbid"]],
            "given": [(self.node(name), step) for name, step in document["given"]],
            "symmetry": document["symmetry"],
            **{
                key: self.node(document[key])
                for key in ("start", "end")
                if document[key] is not None
            },
        }
        if "nodes" in document:
            return Problem(graph=self.graph, **conditions)
        missing = {naive.place(name) for name in document["missing"]}
        board = Board(document["rows"], document["columns"], missing, document["surface"])
        return Problem(board, piece=piece_of(document), **conditions)

    def walk(self, squares: Any) -> naive.Walk:
        """Convert a tour of the package to one of the oracle."""
        if "nodes" not in self.document:
            return tuple(squares)
        index = {node: str(number) for number, node in enumerate(self.nodes)}
        return tuple(index[node] for node in squares)

    def name(self, node: Any) -> str:
        """Return the name that files and the command line use for a name of the document."""
        return str(self.nodes[int(node)]) if "nodes" in self.document else node

    def number(self, name: str) -> Any:
        """Return the node of the oracle for a name in a file."""
        if "nodes" not in self.document:
            return naive.place(name)
        return str([*map(str, self.nodes)].index(name))

    @property
    def plain(self) -> bool:
        """Return whether the command line can name its nodes: as words, all different."""
        words = [str(node) for node in self.nodes]
        return len({*words}) == len(words) and all(word.isalnum() for word in words)

    def squares(self, walk: naive.Walk) -> list[Any]:
        """Convert a walk of the oracle to squares of the package."""
        return (
            list(walk) if "nodes" not in self.document else [self.nodes[int(name)] for name in walk]
        )

    def __str__(self) -> str:
        nodes = f", nodes {self.nodes!r}, extra {self.extra!r}" if self.nodes else ""
        return f"seed {self.seed}: {json.dumps(self.document)}{nodes}"


def piece_of(document: dict[str, Any]) -> str:
    return "+".join(f"{a},{b}" for a, b in document["piece"])


# Problems


def random_board(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(1, 6), rng.randint(1, 6)
    if rng.random() < 0.3:
        columns = rows
    squares = [name_of(r, c) for r in range(rows) for c in range(columns)]
    holes = max(len(squares) - LARGEST, rng.choice([0, 0, 0, 1, 2, 4]))
    missing = rng.sample(squares, min(holes, len(squares) - 1))
    leaps = [[*map(int, leap.split(","))] for leap in rng.choice(PIECES).split("+")]
    if rng.random() < 0.1:
        leaps = [sorted([rng.randint(0, 4), rng.randint(1, 7)])]
    surface = rng.choice(["plane", "plane", "plane", *naive.JOINED])
    sides = {"rows": rows, "columns": columns, "missing": missing}
    return {**sides, "piece": leaps, "surface": surface}


def name_of(row: int, column: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def random_graph(rng: random.Random) -> tuple[dict[str, Any], tuple[Any, ...], Any]:
    size = rng.choice([1, 2, 3, *range(3, LARGEST + 1)])
    directed, names = rng.random() < 0.5, range(size)
    pairs = [(u, v) for u in names for v in names if (u != v if directed else u < v)]
    likely = min(1.0, rng.choice([0.0, 1.0, 1.5, 2.0, 3.0]) / max(size - 1, 1) * (2 - directed))
    edges = {pair for pair in pairs if rng.random() < likely}
    if rng.random() < 0.6:  # a tour is planted
        walk = rng.sample(names, size)
        planted = [*pairwise(walk), *([(walk[-1], walk[0])] * (size > 2))]
        edges |= {pair if directed else tuple(sorted(pair)) for pair in planted}
    extra: list[tuple[int, int]] = []
    if rng.random() < 0.3:
        extra = [(u, u) for u in names if rng.random() < 0.3]
        extra += [edge for edge in sorted(edges) if rng.random() < 0.3]
    listed = [[str(u), str(v)] for u, v in rng.sample(sorted(edges), len(edges))]
    document: dict[str, Any] = {"nodes": [*map(str, names)], "edges": listed}
    if directed:
        document["directed"] = True
    nodes = rng.choice(
        [
            names,
            LETTERS[:size],
            rng.sample(TRICKY, size),
            rng.sample([("x", 1), ("x", 2), 2.5, frozenset("ab"), *TRICKY, 1, -1, 2], size),
        ]
    )
    return document, tuple(nodes), tuple(extra)


NOTHING: dict[str, Any] = {
    "start": None, "end": None, "require": [], "forbid": [], "given": [], "symmetry": None,
}  # fmt: skip


def random_conditions(rng: random.Random, bare: naive.Question, board: bool) -> dict[str, Any]:
    """Return compatible conditions, mostly those of an existing tour."""
    names = {square: name_of(*square) if board else square for square in bare.onward}
    walk = [*rng.choice(bare.walks or [tuple(names)])]
    if rng.random() < 0.3:
        rng.shuffle(walk)
    turn = rng.randrange(len(walk)) if bare.closed else 0
    walk = walk[turn:] + walk[:turn]
    used = bare.moves(walk)
    moves = {bare.move(u, v): (u, v) for u in bare.onward for v in sorted(bare.onward[u])}
    document = dict(NOTHING)
    if rng.random() < 0.3:
        document["start"] = names[walk[0]]
    if rng.random() < 0.3 and not bare.closed and len(walk) > 1:
        document["end"] = names[walk[-1]]
    require: list[Any] = []
    forbid: list[Any] = []
    if rng.random() < 0.4:
        for move in rng.sample(sorted(moves.values()), min(len(moves), rng.randint(1, 3))):
            rest = [[*each] for each in require]
            if (bare.move(*move) in used) == (rng.random() < 0.9) and fits(bare, move, rest):
                require.append(move)
            else:
                forbid.append(move)
        document["require"] = [[names[u], names[v]] for u, v in require]
        document["forbid"] = [[names[u], names[v]] for u, v in forbid]
    if rng.random() < 0.25:
        steps = rng.sample(range(len(walk)), rng.randint(1, min(3, len(walk))))
        document["given"] = [[names[walk[step]], step + 1] for step in steps]
    if board and rng.random() < 0.25:
        document["symmetry"] = rng.choice(MOTIONS)
    return document


def fits(bare: naive.Question, move: tuple[Any, Any], others: list[list[Any]]) -> bool:
    """Return whether a move may be required beside others: at most two at a square."""
    tails, heads = [u for u, _ in others], [v for _, v in others]
    if bare.directed:
        return move[0] not in tails and move[1] not in heads
    return all((tails + heads).count(square) < 2 for square in move)


def random_case(seed: int) -> Case:
    """Return the case of a seed: the first problem that the oracle answers soon."""
    rng = random.Random(seed)
    while True:
        board = rng.random() < 0.6
        document, nodes, extra = (random_board(rng), (), ()) if board else random_graph(rng)
        document = {**document, "closed": rng.random() < 0.5}
        bare = naive.question_of({**document, **NOTHING}, MOST)
        conditions = dict(NOTHING)
        try:
            if board and not bare.walks and rng.random() < 0.7:
                continue  # otherwise hardly any board has a tour
            if rng.random() < 0.7:
                conditions = random_conditions(rng, bare, board)
            case = Case(seed, {**document, **conditions}, nodes, extra)
            assert case.walks is not None
        except OverflowError:
            continue
        return case


# Queries


def refused(why: InputError, due: bool) -> None:
    """Assert that a refusal is due and has one line."""
    assert due and "\n" not in str(why), f"refused: {why!r}"


def check_outcome(case: Case, outcome: Any, complete: bool) -> None:
    """Compare an outcome with all tours."""
    if outcome.verdict is Verdict.FOUND:
        assert case.question.has(case.walk(outcome.tour.squares)), f"no tour: {outcome.tour.names}"
    elif outcome.verdict is Verdict.IMPOSSIBLE:
        assert not case.walks, f"there are {len(case.walks)} tours"
    else:
        assert not complete and outcome.reason, f"unknown: {outcome.reason}"
    if outcome.certificate is not None and outcome.certificate.kind != "exhausted":
        accepted(outcome.certificate)


def accepted(certificate: Any) -> None:
    """Assert that the checker accepts a certificate and that it is true."""
    text = certificate.to_json()
    assert check(text).kind == certificate.kind
    assert naive.is_true(json.loads(text))


def judge(case: Case, rng: random.Random) -> None:
    walks = rng.sample(case.walks, min(3, len(case.walks)))
    nodes = [*case.question.onward]
    walks += [tuple(rng.sample(nodes, len(nodes)))]
    for walk in walks[:2]:
        turn = rng.randrange(len(walk))
        walks += [walk[::-1], walk[turn:] + walk[:turn]]
    for walk in walks:
        found = defects(case.problem, case.squares(walk))
        assert (found == []) == case.question.has(walk), (walk, found)


def engines(case: Case, rng: random.Random) -> None:
    name = rng.choice(ENGINES)
    engine = get_engine(name)
    try:
        outcome = solve(case.problem, name, seed=rng.randrange(100), own_process=False)
    except NotTakenError as why:
        taken = {type(condition) for condition in case.problem.conditions} <= engine.takes
        return refused(why, not taken)
    except InputError as why:
        return refused(why, False)
    return check_outcome(case, outcome, engine.complete)


def counting(case: Case, rng: random.Random) -> None:
    method = rng.choice(["auto", *plan.methods()])
    options = {
        "directed": rng.choice([None, False, True]),
        "unique": rng.random() < 0.3,
        "confirm": rng.random() < 0.3,
    }
    question, problem = case.question, case.problem
    both = options["directed"]
    if both is None:
        both = not (problem.closed or options["unique"])
    try:
        found = count(problem, method, **options)
    except InputError as why:
        due = options["unique"] and options["directed"] and not problem.directed
        due = due or (options["confirm"] and "a second way" in str(why))
        due = due or (method != "auto" and isinstance(why, NotTakenError))
        return refused(why, bool(due))
    classes = question.classes(directed=False) if options["unique"] else None
    expected = len(question.keys(directed=both) if classes is None else classes)
    assert found.tours == expected, f"{method} {options}: {found.tours}, not {expected}"
    assert found.directed == (both or problem.directed)
    return None


def enumerating(case: Case, rng: random.Random) -> None:
    options = {"directed": rng.choice([None, False, True]), "unique": rng.random() < 0.3}
    question, everything = case.question, Enumeration(case.problem, **options)
    tours = [*everything]
    both = everything.directed
    walks = [case.walk(tour.squares) for tour in tours]
    keys = [question.key(walk, directed=both) for walk in walks]
    assert all(map(question.has, walks)), f"{options}: no tour among {walks}"
    assert len({*keys}) == len(keys), f"{options}: a tour twice in {walks}"
    if options["unique"]:
        sizes = sorted(tour.class_size or 0 for tour in tours)
        assert sizes == question.classes(directed=both), f"{options}: classes of {sizes}"
    else:
        assert {*keys} == question.keys(directed=both), f"{options}: {len(keys)} tours"
    again = Enumeration(case.problem, **options)
    assert again.count() == len(keys), f"{options}: counted {again.count()}, listed {len(keys)}"
    if not options["unique"] and case.problem.size > 1 and rng.random() < 0.2:
        certificate = everything.certificate()
        assert certificate is not None
        accepted(certificate)


def numbering(case: Case, rng: random.Random) -> None:
    question, method = case.question, rng.choice(["auto", *plan.methods()])
    try:
        tours = Numbering(case.problem, method)
    except InputError as why:
        return refused(why, method != "auto" and isinstance(why, NotTakenError))
    walks = [case.walk(tour.squares) for tour in tours]
    keys = [question.key(walk, directed=question.directed) for walk in walks]
    assert all(map(question.has, walks)), f"{method}: no tour among {walks}"
    assert sorted(keys) == sorted(question.keys(directed=False)), f"{method}: {walks}"
    if walks:
        at = rng.randrange(len(walks))
        other = case.squares(walks[at])
        assert tours.index(other) == at, f"{method}: the number of {walks[at]}"
        (drawn,) = sample(case.problem, 1, rng.randrange(100), method=method)
        assert question.has(case.walk(drawn.squares))
    else:
        with pytest.raises(InputError):
            sample(case.problem, 1, method=method)
    return None


def proving(case: Case, rng: random.Random) -> None:
    kind = rng.choice([None, None, "refutation", *KINDS, "exhausted"])
    outcome = prove(case.problem, kind)
    check_outcome(case, outcome, complete=kind is None)
    if case.walks:
        assert outcome.verdict is Verdict.FOUND, outcome.reason
    elif kind is None:
        assert outcome.certificate is not None


def options_of(case: Case) -> list[str]:
    """Return the conditions of a case as options of the command line."""
    document, name = case.document, case.name
    given = [f"{name(at)}={step}" for at, step in document["given"]]
    options_by_name = {
        "start": document["start"] and [name(document["start"])],
        "end": document["end"] and [name(document["end"])],
        "require": ["-".join(map(name, move)) for move in document["require"]],
        "forbid": ["-".join(map(name, move)) for move in document["forbid"]],
        "given": given,
        "symmetry": [document["symmetry"]] if document["symmetry"] else [],
        "missing": document.get("missing", []),
        "piece": [piece_of(document)] if "piece" in document else [],
        "surface": [document["surface"]] if "surface" in document else [],
    }
    options = [f"--{key}={','.join(values)}" for key, values in options_by_name.items() if values]
    return [*options, "--closed" if document["closed"] else "--open"]


def commands(case: Case, rng: random.Random, run: Any, folder: Path) -> None:
    """Run a command on a case, and check the files that it writes by another command."""
    place = f"{case.document['rows']}x{case.document['columns']}" if "rows" in case.document else ""
    if not place:
        form = rng.choice([*WRITERS])
        place = str(folder / f"graph.{form}")
        Path(place).write_bytes(WRITERS[form](case.graph))
    arguments, question = [place, *options_of(case)], case.question
    answer, certificate = folder / "answer.json", folder / "certificate.json"
    command = rng.choice(["solve", "count", "enumerate", "prove"])
    if command == "solve":
        result = run("solve", *arguments, "--json", "-o", answer, "--force")
        assert result.code == (0 if case.walks else 1), result
        if case.walks:
            walk = json.loads(answer.read_text("utf-8"))["tour"]
            assert question.has(map(case.number, walk)), walk
            assert run("check", answer).code == 0
            assert run("check", answer, "--board", *arguments).code == 0
    elif command == "count":
        way, classes = rng.choice(["--directed", "--undirected"]), rng.random() < 0.3
        both = way == "--directed"
        result = run("count", *arguments, "--json", *(["--classes"] if classes else [way]))
        tours = question.classes(directed=False) if classes else question.keys(directed=both)
        assert result.code == (0 if tours else 1), result
        assert json.loads(result.out)["tours"] == len(tours), result
    elif command == "enumerate":
        proof = ["--certificate", certificate, "--force"] if len(question.onward) > 1 else []
        result = run("enumerate", *arguments, "--json", "--directed", *proof)
        assert result.code == (0 if case.walks else 1), result
        *lines, last = map(json.loads, result.out.splitlines())
        walks = [[*map(case.number, line["tour"])] for line in lines]
        keys = [question.key(walk) for walk in walks]
        assert all(map(question.has, walks)), walks
        assert (sorted(keys), last["tours"]) == (sorted(question.keys(directed=True)), len(keys))
        if proof:
            assert naive.is_true(json.loads(certificate.read_text("utf-8")))
            assert run("check", certificate, "--board", *arguments).code == 0
    else:
        result = run("prove", *arguments, "-o", certificate, "--force")
        assert result.code == (1 if case.walks else 0), result
        if not case.walks:
            assert naive.is_true(json.loads(certificate.read_text("utf-8")))
            assert run("check", certificate, "--board", *arguments).code == 0


WAYS = [counting, enumerating, numbering, proving]


def check_case(seed: int, run: Any = None, folder: Path | None = None) -> None:
    """Compare every answer to a case with the oracle; with ``run``, on the command line."""
    case, rng = random_case(seed), random.Random(-1 - seed)
    ways: list[Callable[[Case, random.Random], None]] = [judge, rng.choice(WAYS)]
    if rng.random() < ENGINES_ASKED:
        ways.append(engines)
    if run is not None:
        plain = case if case.plain else replace(case, nodes=tuple(LETTERS[: len(case.nodes)]))
        case, ways = plain, [partial(commands, run=run, folder=folder)]
    for way in ways:
        try:
            way(case, rng)
        except (Exception, pytest.fail.Exception) as error:
            name = getattr(way, "__name__", "commands")
            raise AssertionError(f"{name}, {case}: {error!r}") from error


def batches(cases: int, quick: int, size: int) -> list[Any]:
    """Return the first seeds of batches; those beyond ``quick`` are slow tests."""
    rest = range(quick, cases, size)
    drawn = random.Random(SEED).sample(rest, len(rest) // 5)
    slow = [pytest.param(first, marks=pytest.mark.slow) for first in more(sorted(drawn), rest)]
    return [*range(0, quick, size), *slow]


@pytest.mark.parametrize("first", batches(CASES, QUICK, BATCH))
def test_every_answer_is_that_of_the_oracle(first):
    for seed in range(first, first + BATCH):
        check_case(seed)


@pytest.mark.parametrize("first", batches(COMMANDS, QUICK_COMMANDS, BATCH))
def test_every_answer_of_the_command_line_is_that_of_the_oracle(first, kt_cp, tmp_path):
    for seed in range(-first - BATCH, -first):
        check_case(seed, kt_cp, tmp_path)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_nothing_to_visit_is_no_question(kind, kt_cp, tmp_path):
    with pytest.raises(InputError, match="at least one node"):
        Problem(graph=kind())
    for form, write in WRITERS.items():
        path = tmp_path / f"empty.{form}"
        path.write_bytes(write(kind()))
        for command in ("solve", "count", "enumerate", "prove", "sample"):
            refusal(kt_cp(command, path), "node")
    with pytest.raises(InputError, match="at least one square"):
        Problem(Board(1, 2, {(0, 0), (0, 1)}))
    refusal(kt_cp("solve", "1x2", "--missing", "a1,b1"), "at least one square")
