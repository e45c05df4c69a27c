"""Answers of engines, held to what an oracle and the judge say of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kt_cp.engines import Engine, get_engine, solve
from kt_cp.engines.run import check
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    import networkx as nx

Asked = str | Engine

FEWEST_SQUARES = 3
"""Of what an engine is handed: less is answered at the front door."""


def engine_of(engine: Asked) -> Engine:
    """The engine of a name."""
    return get_engine(engine) if isinstance(engine, str) else engine


def answer(engine: Asked, problem: Problem, seed: int = 0, **more: Any) -> Outcome | None:
    """What the front door says, judged and replayed there; None if the problem is refused."""
    try:
        if problem.size >= FEWEST_SQUARES:
            check(engine, problem)
    except InputError as error:
        said = str(error)
        assert said and "\n" not in said, f"{problem.label}: refused in one line, not {said!r}"
        return None
    return solve(problem, engine, seed=seed, own_process=False, **more)


def held(
    engine: Asked, problem: Problem, exists: bool, graph: nx.Graph, seed: int = 0
) -> Outcome | None:
    """The same, compared with what an oracle says: whether there is a tour, and the moves."""
    outcome = answer(engine, problem, seed)
    if outcome is None:
        return None
    note = f"{outcome.engine}, {problem.label}, seed {seed}"
    if engine_of(engine).complete:
        true = Verdict.FOUND if exists else Verdict.IMPOSSIBLE
        assert outcome.verdict is true, f"{note}: {outcome.verdict}, and true is {true}"
    else:
        assert outcome.verdict is not Verdict.IMPOSSIBLE, note
        assert exists or outcome.verdict is Verdict.UNKNOWN, note
    well_formed(outcome, note)
    if outcome.tour is not None:
        is_tour(problem, graph, outcome.tour, note)
        assert outcome.verified and outcome.replayed, note
        assert outcome.checks is not None and outcome.checks.agrees is not False, note
        unasked = "reference does not take" in outcome.checks.remarks.get("agrees", "")
        assert outcome.checks.agrees or unasked, note
    return outcome


def is_tour(problem: Problem, graph: nx.Graph, tour: Tour, note: str = "") -> None:
    """The judge's word, and edges looked up in a graph made without the package."""
    squares: list[Any] = list(tour)
    assert defects(problem, squares) == [], note
    assert len(squares) == len(graph) and set(squares) == set(graph), note
    assert all(graph.has_edge(u, v) for u, v in pairwise(squares)), note
    assert tour.closed is problem.closed and tour.board is problem.board, note
    if problem.closed:
        assert len(squares) > 2 and graph.has_edge(squares[-1], squares[0]), note
    assert problem.start is None or squares[0] == problem.start, note
    assert problem.end is None or squares[-1] == problem.end, note


def well_formed(outcome: Outcome, note: str = "") -> None:
    """Statistics are numbers, none negative; there are versions, and a reason where no tour."""
    for name, number in outcome.statistics.items():
        assert isinstance(name, str) and isinstance(number, int | float), f"{note}: {name}"
        assert number >= 0 and number == number, f"{note}: {name} is {number}"
    assert outcome.versions["python"] and "kt_cp" in outcome.versions, note
    assert outcome.verdict is Verdict.FOUND or outcome.reason, f"{note}: no reason is given"
