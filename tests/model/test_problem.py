"""Problems are validated once; names of squares, labels, conditions of third parties, clocks."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
import time

import networkx as nx
import numpy as np
import pytest

from kt_cp import (
    Board,
    Enumeration,
    Outcome,
    Piece,
    Problem,
    Tour,
    Verdict,
    defects,
    get_engine,
    prove,
    solve,
)
from kt_cp.engines import engine_names
from kt_cp.model.conditions import End, Given, Required, Start, Symmetry
from kt_cp.model.errors import BoardError, InputError, ProblemError, SquareError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Evidence, EvidenceKind
from tests.support.command_line import PATIENCE, environment

BOARD = Board(5, 6, missing={(2, 2)})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a board or a graph"),
        ({"board": BOARD, "graph": nx.path_graph(3)}, "and not both"),
        ({"board": 56}, "expected a Board"),
        ({"board": BOARD, "start": (5, 0)}, "start to be on the 5x6 board, got a6"),
        ({"board": BOARD, "end": (2, 2)}, "end on a square that is not missing, got c3"),
        ({"board": BOARD, "start": "a6"}, "start to be on the 5x6 board"),
        ({"board": BOARD, "start": [0, 6]}, "start to be on the 5x6 board"),
        ({"board": BOARD, "start": (0, 0), "end": (0, 0)}, "to differ, got a1"),
        ({"board": BOARD, "closed": True, "end": (0, 1)}, "expected no end, got b1"),
        # In any order, and beside the keywords.
        (
            {"board": BOARD, "closed": True, "conditions": [End((0, 1)), Start((0, 0))]},
            "expected no end, got b1",
        ),
        ({"board": BOARD, "start": (0, 0), "conditions": [Start((0, 1))]}, "one start, got 2"),
        ({"board": BOARD, "conditions": [End((0, 0)), End((0, 1))]}, "one end, got 2"),
        (
            {"board": BOARD, "conditions": [Symmetry("half-turn"), Symmetry("left-right")]},
            "one symmetry, got 2",
        ),
        ({"graph": nx.Graph()}, "at least one node"),
        ({"graph": [(1, 2), 3]}, "networkx graph, edges, .* got list"),
        ({"graph": nx.path_graph(3), "start": 7}, "start to be in the graph"),
        ({"graph": nx.path_graph(3), "start": []}, "start to be in the graph"),
    ],
)
def test_questions_that_make_no_sense(arguments, message):
    with pytest.raises(ProblemError, match=message):
        Problem(**arguments)


def test_one_square_may_be_start_and_end():
    assert Problem(Board(1, 1), start=(0, 0), end=(0, 0)).end == (0, 0)


def test_a_graph_is_copied():
    graph = nx.cycle_graph(5)
    problem = Problem(graph=graph, closed=True)
    graph.add_edge(0, 2)
    assert problem.graph.number_of_edges() == 5
    with pytest.raises(nx.NetworkXError):
        problem.graph.add_edge(0, 2)


def test_frozen_and_equal():
    problem = Problem(BOARD, start=(0, 0))
    assert problem == Problem(BOARD, start=(0, 0))
    assert problem != Problem(BOARD)
    assert hash(problem) == hash(Problem(BOARD, start=(0, 0)))
    with pytest.raises(AttributeError):
        problem.closed = True


def test_travels_without_what_is_derived():
    problem = Problem(Board(30, 30), closed=True)
    before = len(pickle.dumps(problem))
    assert len(problem.indexed) == 900
    assert problem.graph.number_of_nodes() == 900
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    assert len(pickle.dumps(problem)) == before


def test_tour_is_a_sequence():
    tour = Tour([(0, 0), (2, 1), (0, 2)], board=Board(3, 3))
    assert tour[0] == (0, 0)
    assert tour[1:] == ((2, 1), (0, 2))
    assert tour.names == ["a1", "b3", "c1"]
    assert tour.step((0, 2)) == 3
    assert tour._repr_svg_().startswith("<svg")
    assert Tour(["x", "y"])._repr_svg_().startswith("<svg")


def test_a_verdict_is_not_a_boolean():
    with pytest.raises(TypeError, match="three values"):
        bool(Verdict.UNKNOWN)


def test_an_outcome_is_true_if_there_is_a_tour():
    assert solve("5x5") and not solve("3x3")
    assert not solve("7x7", closed=True, start="a1", engine="warnsdorff")


def test_outcomes_are_consistent():
    problem = Problem(Board(3, 3))
    evidence = Evidence(EvidenceKind.CLAIMED, "claimed by nobody")
    tour = Tour([(0, 0)])
    for fields in [
        (Verdict.FOUND, None, None, None),
        (Verdict.FOUND, tour, None, evidence),
        (Verdict.IMPOSSIBLE, None, "because", None),
        (Verdict.UNKNOWN, None, None, None),
        (Verdict.UNKNOWN, tour, "late", None),
    ]:
        verdict, tour_, reason, evidence_ = fields
        with pytest.raises(ValueError, match="needs a tour, evidence or a reason"):
            Outcome(verdict, problem, "x", tour=tour_, reason=reason, evidence=evidence_)


NAMED = [
    (Board(5, 5, missing=["c3", (0, 1)]), Board(5, 5, missing={(2, 2), (0, 1)})),
    (Board(5, 5, missing="c3, b1"), Board(5, 5, missing={(2, 2), (0, 1)})),
    (Problem("5x6", start="a1", end="f1"), Problem(Board(5, 6), start=(0, 0), end=(0, 5))),
    (Problem("8x8", start=np.array([3, 4])), Problem(Board(8, 8), start=(3, 4))),
    (Problem("8x8", start=(np.int64(3), 4)), Problem(Board(8, 8), start=(3, 4))),
    (Problem("8x8", require=["a1-c2"]), Problem(Board(8, 8), require=[((0, 0), (1, 2))])),
    (Problem("8x8", forbid=[("a1", (1, 2))]), Problem(Board(8, 8), forbid=[((0, 0), (1, 2))])),
    (Problem("8x8", given={"a1": 5, "c2": 6}),
     Problem(Board(8, 8), given={(0, 0): 5, (1, 2): 6})),
    (Problem("8x8", conditions=[Start("a1"), Given("c2", 2)]),
     Problem(Board(8, 8), start=(0, 0), given={(1, 2): 2})),
    (Problem("8x8", conditions=[Required.of("a1", (1, 2))]), Problem("8x8", require=["c2-a1"])),
    (Tour(["a1", "b3"], board=Board(3, 3)), Tour([(0, 0), (2, 1)], board=Board(3, 3))),
]  # fmt: skip


@pytest.mark.parametrize(("by_name", "by_square"), NAMED, ids=lambda value: str(value))
def test_a_name_stands_for_its_square(by_name, by_square):
    assert by_name == by_square and hash(by_name) == hash(by_square)


@pytest.mark.parametrize(
    ("conditions", "message"),
    [({"start": "z9"}, "expected start to be on the 8x8 board, got z9"),
     ({"start": "here"}, "expected a square such as c5, or rank,file such as 5,3; got 'here'"),
     ({"end": 7}, "expected end to be on the 8x8 board, got 7"),
     ({"start": (0.0, 1)}, r"expected start to be on the 8x8 board, got \(0.0, 1\)"),
     ({"require": ["a1-b2"]}, "expected required moves to be a knight's moves, got a1-b2"),
     ({"require": ["a1-a1"]}, "expected a required move between two squares, got 'a1' twice"),
     ({"require": [("a1", (0, 0))]}, "expected a required move between two squares, got a1 twice"),
     ({"forbid": ["a1c2"]}, "expected forbidden moves each as a square and a square"),
     ({"forbid": ["a1-c2-e3"]}, "expected forbidden moves each as a square and a square"),
     ({"forbid": "a1-c2"}, "expected forbidden moves each as a square and a square"),
     ({"given": {"i1": 1}}, "expected given steps to be on the 8x8 board, got i1"),
     ({"given": ["a1-5"]}, "expected given steps each as a square and a step"),
     ({"conditions": [Start("i1")]}, "expected start to be on the 8x8 board, got i1")],
    ids=str,
)  # fmt: skip
def test_messages_name_what_is_no_square(conditions, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Problem("8x8", **conditions)


def test_the_nodes_of_a_graph_are_no_names():
    # Nodes that are called as squares are nodes; a text is no edge, whatever it holds.
    graph = nx.cycle_graph(["a1", "b1", "c1"])
    assert Problem(graph=graph, start="a1").start == "a1"
    assert Tour(["a1", "b1"]).step("b1") == 2
    with pytest.raises(ProblemError, match="expected required moves each as a square"):
        Problem(graph=graph, require=["a1-b1"])


@pytest.mark.parametrize("missing", [["c9"], ["here"], "c9", [None], [(1, 2, 3)], [(True, 1)]])
def test_missing_squares_that_are_none(missing):
    with pytest.raises(SquareError, match=r"^expected (missing squares on|a square)"):
        Board(5, 5, missing=missing)


def test_steps_by_name():
    tour = solve("8x8", start="a1").tour
    assert tour.step("a1") == 1 and tour.step(np.array(tour[5])) == 6
    assert "h8" in tour and "i9" not in tour and "nowhere" not in tour
    with pytest.raises(SquareError, match=r"^expected a square of the tour, got i9"):
        tour.step("i9")
    with pytest.raises(SquareError, match=r"^expected a square such as c5"):
        tour.step("nowhere")


def test_the_judge_reads_names():
    problem = Problem("3x4", start="a1")
    names = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"]
    assert defects(problem, names) == []
    assert [str(each) for each in defects(problem, [*names[:11], "d9"])][:1] == [
        "d9 at step 12 is off the 3x4 board"
    ]
    assert "'nowhere' at step 12" in str(defects(problem, [*names[:11], "nowhere"])[0])


def test_questions_in_short():
    torus = solve("4x4", missing=["a1"], surface="torus", piece=Piece.leaper(1, 1))
    assert torus.problem == Problem(Board(4, 4, missing="a1", surface="torus"), piece="1,1")
    assert solve(Board(5, 5), "backtrack", closed=True).verdict is Verdict.IMPOSSIBLE
    assert solve(nx.cycle_graph(5), closed=True).verdict is Verdict.FOUND
    assert prove("4x4").certificate.kind == "removal"
    assert prove("3x4", closed=True).problem.closed
    assert Enumeration("5x5", start="c3").count() == 64
    assert solve((5, 6), closed=True).problem == Problem("5x6", closed=True)


def test_questions_in_short_that_are_none():
    for problem, options, error, message in (
        (Problem("5x5"), {"closed": True}, ProblemError, "closed where the problem is made"),
        ("eight", {}, InputError, "expected a board as ROWSxCOLUMNS"),
        (8, {}, ProblemError, 'expected a Problem, a board such as "8x8" or a graph, got 8'),
        (None, {}, ProblemError, "got None"),
        ((8, 0), {}, BoardError, "8x0"),
        ("5x5", {"close": True}, TypeError, "unexpected keyword argument 'close'"),
        (Board(5, 5), {"missing": "a1"}, ProblemError, "expected missing with the sides"),
    ):
        for ask in (solve, prove, Enumeration):
            with pytest.raises(error, match=message):
                ask(problem, **options)


def test_an_enumeration_yields_tours():
    everything = Enumeration("5x6", closed=True, unique=True)
    for tour in everything:
        assert isinstance(tour, Tour) and tour.closed and tour.board == Board(5, 6)
        assert not defects(everything.problem, tour) and tour.class_size in (2, 4)
    assert next(iter(Enumeration(nx.cycle_graph("abc")))).names == ["a", "b", "c"]
    assert next(iter(Enumeration("3x4"))).class_size is None


LONG = Problem(
    Board(9, 9, missing="a1 b2 c3 d4 e5 f6 g7 h8 i9", surface="moebius"),
    piece="camel", closed=True, forbid=["a2-d3"],
)  # fmt: skip


@pytest.mark.parametrize("board", ["8x8", "3x3", "4x4", "1x1"])
def test_values_show_themselves_in_a_line(board):
    outcome = prove(board)
    values = [outcome, outcome.tour, outcome.evidence, outcome.certificate, outcome.problem]
    for value in (*values, Enumeration(board)):
        assert len(repr(value)) <= 110 and "\n" not in repr(value)
        assert value is None or repr(value).startswith(f"<{type(value).__name__}: ")


def test_long_ones_are_cut():
    for value in (LONG, solve(LONG, "backtrack", time_limit=0.1), Enumeration(LONG)):
        assert len(repr(value)) <= 110
    assert repr(LONG).endswith("…>")
    for name in engine_names():
        assert len(repr(get_engine(name))) <= 110
    assert repr(get_engine("cpsat")).startswith("<Engine: cpsat, complete: OR-Tools")


ADDED = '''
import json, sys
from dataclasses import dataclass
from typing import ClassVar
import kt_cp.model.conditions as conditions

@dataclass(frozen=True)
class Apart(conditions.Forbidden):
    """Two squares do not follow each other."""
    key: ClassVar[str] = "apart"
    words: ClassVar[str] = "squares apart"

    def label(self, name):
        return f"{self.move_text(name)} apart"

conditions.KINDS += (Apart,)
conditions.EDGES |= {Apart}

from kt_cp import Problem, Verdict, count, prove, solve
from kt_cp.enumeration import Enumeration
from kt_cp.model.document import problem_document
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.judge import Rule, conditions as judged, defects
judged.RULES[Apart] = judged._forbidden

apart = Apart.of((0, 0), (2, 1))
problem = Problem("3x4", conditions=[apart])
assert problem.label == "3x4, open, a1-b3 apart"
assert problem_document(problem)["apart"] == [["a1", "b3"]]
assert count(problem).tours == Enumeration(problem).count() == 4
for engine in ("cpsat", "sat", "backtrack", "reference", "warnsdorff", "windows"):
    outcome = solve(problem, engine, own_process=False)
    assert outcome.verdict is Verdict.FOUND, outcome
    walk = "-".join(outcome.tour.names)
    assert "a1-b3" not in walk and "b3-a1" not in walk
together = Problem("3x4", conditions=[Apart.of(*outcome.tour.squares[:2])])
(defect,) = defects(together, outcome.tour.squares)
assert defect.rule is Rule.FORBIDDEN_USED
closed = Problem("5x6", closed=True, conditions=[apart])
made = prove(closed).certificate.document
assert made["problem"]["apart"] == [["a1", "b3"]] and check(made).problem == closed
made["problem"]["apart"] = []
del made["digest"], made["argument"]
try:
    assert not check(made)
except Refusal as refused:
    assert refused.reason is Reason.NOT_PROVED

# What was written before it came is read as it was, and written alike.
older = json.loads(sys.stdin.read())
assert check(older).problem == Problem("3x5")
assert problem_document(Problem("3x5")) == older["problem"]
'''


def test_a_condition_that_is_added_reaches_everything_and_older_files_are_read():
    older = json.dumps(prove(Problem("3x5")).certificate.document)
    done = subprocess.run(
        [sys.executable, "-c", ADDED], input=older, env=environment(),
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_a_step_ends_with_what_it_is_a_step_of():
    clock = Clock(2.0)
    assert clock.step(0.5).work_left <= 0.5
    assert clock.step(60.0).seconds <= 2.0
    assert clock.step(60.0, 1 / 4).seconds <= 0.5
    time.sleep(0.05)
    assert clock.step().seconds <= 1.95 and clock.limits(100.0).seconds <= 1.95
    step = Clock(None).step(60.0)
    assert step.seconds is None and 59.0 < step.processor_left <= 60.0
    assert 14.0 < step.step(60.0, 1 / 4).limits().processor_seconds <= 15.0
    assert Clock(None).step().limits(None, 3) == Limits(workers=3)
    over = Clock(1e-9)
    assert over.step(60.0).expired() and over.limits().clock().step(60.0).seconds < 0.01


def test_the_budget_of_a_step_is_processor_time(monkeypatch):
    monkeypatch.setattr("time.process_time", lambda: 7.0)
    limited, step = Clock(600.0), Clock(None).step(10.0)
    monkeypatch.setattr("time.perf_counter", lambda: 1e9)  # others use the processor
    assert step.processor_left == step.work_left == 10.0 and not step.expired()
    assert limited.step(10.0).expired()  # the limit of the user is wall time
    monkeypatch.setattr("time.process_time", lambda: 11.0)
    part = step.step(5.0)
    part.add_processor(4.0)
    assert part.processor_left == 1.0 and step.processor_left == 2.0
    monkeypatch.setattr("time.process_time", lambda: 12.0)
    assert part.expired() and not step.expired()


def test_what_is_spent_of_a_limit_is_no_time_to_search():
    clock = Limits(2.0, spent=1.5).clock()
    assert clock.seconds == 2.0 and clock.left <= 0.5 and clock.elapsed < 1.0
    assert Limits(2.0, spent=5.0).clock().expired()
    assert Limits(spent=5.0).clock().left is None


@pytest.mark.parametrize("infinite", [math.inf, 1e999, np.float64("inf")])
def test_an_infinite_limit_is_none(infinite):
    assert Limits(infinite, infinite) == Limits()
    assert solve("5x5", time_limit=infinite, memory_limit=infinite).verdict is Verdict.FOUND
