"""Taking vertices out of the cycle: every tour is a model, no lie is believed."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.proofs.elimination import narrow_order
from kt_cp.trust.check import Reason, Refusal, check, formula
from kt_cp.trust.check.formula import LEFT, formula_of
from kt_cp.trust.check.frame import frame_of
from tests.examples.certificates import (
    accepts,
    certificate,
    narrow,
    reason,
    reason_of,
    refutation,
    signed,
)
from tests.support.exhaustive import more


@pytest.mark.parametrize(("problem", "evidence"), narrow())
def test_eliminations_are_accepted_by_both_checkers(problem, evidence):
    document = signed(certificate(problem, evidence))
    assert check(document).kind == "refutation"
    assert accepts(document)
    older = certificate(problem, evidence, schema_version=4)
    assert reason_of(older) is Reason.WRONG_SHAPE and not accepts(older)


def random_problem(rng):
    """A graph of a few nodes, or a board with holes; open or closed."""
    closed = rng.random() < 0.6
    if rng.random() < 0.3:
        rows, columns = rng.choice([(3, 4), (3, 5), (4, 4), (2, 5)])
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        board = Board(rows, columns, set(rng.sample(squares, rng.randint(0, 4))))
        return Problem(board, piece=rng.choice(["knight", "wazir"]), closed=closed)
    size = rng.randint(5, 8)
    edges = rng.randint(size, min(2 * size + 1, size * (size - 1) // 2))
    return Problem(graph=nx.gnm_random_graph(size, edges, seed=rng.randrange(10**6)), closed=closed)


@pytest.mark.parametrize(
    "seeds",
    [range(25), pytest.param(range(25, more(100, 400)), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_every_tour_is_a_model_in_any_order(seeds):
    # So the clauses may be added; and with three vertices left nothing else is a model.
    for seed in seeds:
        rng = random.Random(seed)
        problem = random_problem(rng)
        frame = frame_of(problem)
        squares = rng.sample(range(frame.squares), frame.squares)
        order = squares[: rng.randint(1, len(frame) - LEFT)]
        whole = len(frame) - len(order) == LEFT
        edges = frame.edges()
        wanted = {frozenset(map(frozenset, each)) for each in frame_cycles(frame)}
        _, clauses = formula_of(frame, None, [], (), (), order)
        found = set()
        with Solver("cadical195") as solver:
            for clause in clauses:
                solver.append_formula([clause] if clause else [[1], [-1]])
            while solver.solve():
                chosen = [x for x in solver.get_model() if 0 < x <= len(edges)]
                assert frozenset(chosen) not in found
                found.add(frozenset(chosen))
                solver.add_clause([-x for x in chosen])
        cyclic = {frozenset(frozenset(edges[x - 1]) for x in each) for each in found}
        assert wanted <= cyclic, seed
        assert not whole or wanted == cyclic, seed


def frame_cycles(frame):
    """The cycles through all vertices and the edges that must be used, as lists of edges."""
    must = set(map(frozenset, frame.must))

    def walk(path, seen):
        here = path[-1]
        if len(path) == len(frame):
            if 0 in frame.neighbours[here] and path[1] < here:
                yield list(zip(path, [*path[1:], 0], strict=True))
            return
        for other in frame.neighbours[here]:
            if other not in seen:
                yield from walk([*path, other], seen | {other})

    for moves in walk([0], {0}):
        if must <= set(map(frozenset, moves)):
            yield moves


def test_elimination_lies_are_refused():
    (problem, evidence), *_ = narrow()

    def why(taken, **changed):
        told = refutation(problem, evidence["proof"], order=taken, pack=False)
        return reason(problem, {**told, **changed})

    assert why("a") is None
    assert why("b") is Reason.BAD_LEMMA  # the proof is of another formula
    assert why("ab") is None  # which has the clauses that the proof names, and more
    assert why("a", order=["b"]) is Reason.WRONG_DIGEST
    assert why("a", order=["a", "a"]) is Reason.BAD_SQUARE
    assert why("a", order=["z"]) is Reason.BAD_SQUARE
    assert why("a", order="a") is Reason.WRONG_SHAPE
    assert why("a", order=None) is Reason.WRONG_SHAPE
    assert why("a", order=[]) is Reason.WRONG_DIGEST
    assert why("a", order=list("abcd")) is Reason.WHOLE_SET  # two would be left
    assert why("a", digests={**evidence["digests"], "proof": "0" * 64}) is Reason.WRONG_DIGEST


def test_too_many_literals_are_refused_before_all_are_made(monkeypatch):
    monkeypatch.setattr(formula, "MOST_LITERALS", 100_000)
    complete = Problem(graph=nx.complete_graph(40), closed=True)
    formula_of(frame_of(complete), None, [])
    with pytest.raises(Refusal) as refused:
        formula_of(frame_of(complete), None, [], (), (), range(37))
    assert refused.value.reason is Reason.TOO_LARGE


def test_the_order_is_narrow_and_leaves_enough():
    ladder = Problem(graph=nx.ladder_graph(50), closed=True)
    order = narrow_order(ladder)
    assert len(order) == len(set(order)) == 100 - LEFT
    assert narrow_order(Problem(graph=nx.complete_graph(20), closed=True)) == []
