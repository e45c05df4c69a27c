"""Problems are validated once, when they are made."""

from __future__ import annotations

import pickle

import networkx as nx
import pytest

from kt_cp import Board, Outcome, Problem, Tour, Verdict
from kt_cp.model.conditions import End, Start, Symmetry
from kt_cp.model.errors import ProblemError
from kt_cp.model.outcome import Evidence, EvidenceKind

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
        ({"graph": [(1, 2)]}, "networkx graph, got list"),
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
