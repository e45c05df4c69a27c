"""The promises of every engine, one function each; ``engine`` is a name or an Engine.

Answers are compared with oracles that share no code with the package, on problems so small that
oracles can try everything.  An engine may refuse a problem by an ``InputError`` of one line, and an
incomplete one may give up.  Its answers must be true, and it must find a tour on at least one of
the usual boards.  Engines run in this process, so that 300 questions take seconds.
Only time limits are tested in another process, where an engine that hangs can be ended.

Each function returns its outcomes, None for problems that were refused, so that a test can be
stricter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kt_cp.engines import Engine, get_engine, solve
from kt_cp.engines.run import check
from kt_cp.model.board import Board
from kt_cp.model.conditions import KINDS
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.processes import isolate
from kt_cp.testing import oracle
from kt_cp.testing.problems import (
    ENDS,
    OTHERS,
    TOURED,
    Question,
    boards,
    ends,
    flower_snark,
    graphs,
    moves,
    question,
    random_board,
    random_graph,
)
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    import networkx as nx


EngineLike = str | Engine

FEWEST_SQUARES = 3
"""Fewest squares of a problem for an engine: ``solve`` itself answers smaller ones."""


def engine_of(engine: EngineLike) -> Engine:
    """Return the engine of a name."""
    return get_engine(engine)


def answer(engine: EngineLike, problem: Problem, seed: int = 0, **more: Any) -> Outcome | None:
    """Return the judged and replayed outcome of ``solve``; None if the problem is refused."""
    try:
        if problem.size >= FEWEST_SQUARES:
            check(engine, problem)
    except InputError as error:
        text = str(error)
        assert text and "\n" not in text, f"{problem.label}: refused in one line, not {text!r}"
        return None
    return solve(problem, engine, seed=seed, own_process=False, **more)


def held(
    engine: EngineLike, problem: Problem, exists: bool, graph: nx.Graph, seed: int = 0
) -> Outcome | None:
    """Return the same outcome, and compare its verdict and the moves of its tour with an oracle."""
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
    """Check a tour by the judge, and its edges in a graph that is made without the package."""
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
    """Check for statistics that are not negative, versions, and a reason if there is no tour."""
    for name, number in outcome.statistics.items():
        assert isinstance(name, str) and isinstance(number, int | float), f"{note}: {name}"
        assert number >= 0 and number == number, f"{note}: {name} is {number}"
    assert outcome.versions["python"] and "kt_cp" in outcome.versions, note
    assert outcome.verdict is Verdict.FOUND or outcome.reason, f"{note}: no reason is given"


Outcomes = list[Outcome | None]

PATIENCE = 20.0
"""Seconds for a board, for engines that check the clock."""

LATE = 2.5
"""Seconds after its limit by which an engine has ended: the machine may have other work to do."""


def registered(engine: EngineLike) -> None:
    """Check that its texts are one line each, and that the registry finds it by its name."""
    made = engine_of(engine)
    for text in (made.name, made.summary, made.usage, made.capacity):
        assert text and "\n" not in text, f"{made.name}: a line each, not {text!r}"
    assert made.takes <= set(KINDS), f"{made.name} takes {made.takes}"
    if isinstance(engine, str):
        assert made.name.split(":")[0] == engine.split(":")[0], f"{engine} is named {made.name}"
        assert get_engine(made.name).name == made.name, f"{engine} is named {made.name}"


def tiny_boards(engine: EngineLike) -> Outcomes:
    """Check boards of up to nine squares, some missing, with ends of every kind."""
    outcomes = []
    for rows, columns, missing in boards():
        board = Board(rows, columns, missing=missing)
        first, *_, last = [*board, *board]
        graph = oracle.knight_graph(rows, columns, set(missing))
        outcomes += _of_every_kind(engine, {"board": board}, graph, first, last)
    alone = Problem(Board(1, 1), start=(0, 0), end=(0, 0))
    return [*outcomes, held(engine, alone, True, oracle.knight_graph(1, 1))]


def tiny_graphs(engine: EngineLike) -> Outcomes:
    """Check graphs of up to eight nodes, connected or not."""
    # A depot might get one of the labels 3, 4, 5 of three nodes as its number.
    return [
        outcome
        for graph in graphs()
        for outcome in _of_every_kind(engine, {"graph": graph}, graph, min(graph), max(graph))
    ]


def random_graphs(engine: EngineLike, seeds: Iterable[int] = range(12)) -> Outcomes:
    """Check sparse and dense graphs, with hashable labels of any type."""
    outcomes = []
    for seed in seeds:
        rng = random.Random(seed)
        graph = random_graph(rng, 8 if seed % 8 == 0 else 7)
        nodes = list(graph)
        first = rng.choice(nodes)
        last = rng.choice([node for node in nodes if node != first] or nodes)
        outcomes += _of_every_kind(engine, {"graph": graph}, graph, first, last, seed)
    return outcomes


def random_boards(engine: EngineLike, seeds: Iterable[int] = range(4)) -> Outcomes:
    """Check boards with most of their squares missing."""
    outcomes = []
    for seed in seeds:
        rng = random.Random(100 + seed)
        board = random_board(rng)
        graph = oracle.knight_graph(board.rows, board.columns, board.missing)
        first, last = rng.sample(list(graph), 2)
        outcomes += _of_every_kind(engine, {"board": board}, graph, first, last, seed)
    return outcomes


def _of_every_kind(
    engine: EngineLike, where: dict[str, Any], graph: nx.Graph, first: Any, last: Any, seed: int = 0
) -> Outcomes:
    outcomes = []
    for kind in ENDS:
        problem = Problem(**where, **ends(kind, first, last))
        exists = oracle.exists(graph, problem.closed, problem.start, problem.end)
        outcomes.append(held(engine, problem, exists, graph, seed))
    return outcomes


@cache  # every engine gets the same questions
def _has_a_tour(cases: Question) -> bool:
    return next(cases.tours(), None) is not None


def questions(engine: EngineLike, seeds: Iterable[int] = range(60)) -> Outcomes:
    """Check random pieces and surfaces, missing squares, required and forbidden moves."""
    cases = map(question, seeds)
    return [held(engine, each.problem(), _has_a_tour(each), each.graph, 1) for each in cases]


def other_conditions(engine: EngineLike) -> Outcomes:
    """Check that given steps and symmetry are refused before the search, or answered correctly.

    The true tours are the walks along the moves in which the judge finds no defect.
    """
    outcomes: Outcomes = []
    for rows, columns, piece, more in OTHERS:
        problem = Problem(Board(rows, columns), piece=piece, **more)
        graph = moves(rows, columns, (), piece, "plane")
        if {type(condition) for condition in problem.conditions} <= engine_of(engine).takes:
            walks = oracle.tours(graph, problem.closed)
            exists = any(not defects(problem, list(walk)) for walk in walks)
            outcomes.append(held(engine, problem, exists, graph))
            continue
        try:
            solve(problem, engine, own_process=False)
        except NotTakenError:
            outcomes.append(None)
            continue
        raise AssertionError(f"{problem.label}: it does not take this, and does not say so")
    return outcomes


def boards_with_a_tour(engine: EngineLike) -> Outcomes:
    """Check boards of twelve to thirty squares; it must find a tour on at least one."""
    limit = PATIENCE if engine_of(engine).interruptible else None
    outcomes = []
    for rows, columns, missing, more in TOURED:
        problem = Problem(Board(rows, columns, missing=missing), **more)
        outcome = answer(engine, problem, 1, time_limit=limit)
        if outcome is not None and outcome.tour is not None:
            is_tour(problem, oracle.knight_graph(rows, columns, missing), outcome.tour)
            assert (outcome.seed, outcome.problem) == (1, problem), problem.label
        elif outcome is not None:
            assert outcome.verdict is Verdict.UNKNOWN, f"{problem.label}: there is a tour"
            heuristic = not engine_of(engine).complete
            assert heuristic or outcome.limit, f"{problem.label}: gave up, though complete"
        outcomes.append(outcome)
    assert any(each is not None and each.tour for each in outcomes), (
        "it finds a tour on none of the boards"
    )
    return outcomes


def same_seed(engine: EngineLike, problems: Iterable[Problem] | None = None) -> Outcomes:
    """Check that the same seed with one worker gives the same tour, with the same work."""
    outcomes: Outcomes = []
    for problem in problems or (Problem(Board(4, 5)), Problem(Board(5, 5), start=(2, 2))):
        for seed in (0, 7):
            one, two = (answer(engine, problem, seed, workers=1) for _ in range(2))
            if one is not None and two is not None:
                note = f"{problem.label}, seed {seed}: another answer to the same question"
                assert (one.verdict, one.tour) == (two.verdict, two.tour), note
                assert _counted(one) == _counted(two), note
            outcomes.append(one)
    return outcomes


def _counted(outcome: Outcome) -> dict[str, float]:
    return {name: n for name, n in outcome.statistics.items() if "seconds" not in name}


def progress(engine: EngineLike, problem: Problem | None = None) -> Outcomes:
    """Check that a progress callback changes nothing, and receives no negative number."""
    problem = problem or Problem(Board(4, 5))
    reports: list[Any] = []
    silent = answer(engine, problem)
    watched = answer(engine, problem, progress=reports.append)
    if silent is not None and watched is not None:
        assert silent.tour == watched.tour, "another tour where progress is reported"
    assert all((number or 0) >= 0 for report in reports for number in report.values()), reports
    return [silent, watched]


def time_limits(
    engine: EngineLike, problem: Problem | None = None, limits: Iterable[float] = (0.001, 0.2)
) -> list[Outcome]:
    """Check that it ends soon after the time limit: by itself, unless it declares otherwise."""
    hard = [Problem(graph=flower_snark(25), closed=True), Problem(Board(7, 7), closed=True)]
    outcomes: list[Outcome] = []
    for each in hard if problem is None else [problem]:
        try:
            check(engine, each)
        except InputError:
            continue
        outcomes += [_on_time(engine, each, seconds) for seconds in limits]
        break
    return outcomes


def _on_time(engine: EngineLike, problem: Problem, seconds: float) -> Outcome:
    made, limits = engine_of(engine), Limits(seconds)
    note = f"{made.name}, {problem.label}, at most {seconds} s"
    if made.interruptible:
        target = "kt_cp.engines.run:answer_in_child"
        ended = isolate.call(
            target, engine, problem, limits, 0, limits=limits, grace=LATE, warm=True
        )
        assert ended.how == "done", f"{note}: {ended.how} by {ended.seconds:.1f} s {ended.detail}"
        outcome: Outcome = ended.value
    else:  # ``solve`` ends it
        outcome = solve(problem, engine, time_limit=seconds)
    assert outcome.verdict is not Verdict.FOUND, note  # there is no tour
    if outcome.verdict is Verdict.UNKNOWN and made.complete:
        assert outcome.limit == "time", f"{note}: {outcome.reason}"
    return outcome


PROMISES: dict[str, Callable[[EngineLike], Any]] = {
    "registered": registered,
    "tiny boards": tiny_boards,
    "tiny graphs": tiny_graphs,
    "random graphs": random_graphs,
    "random boards": random_boards,
    "questions": questions,
    "other conditions": other_conditions,
    "boards with a tour": boards_with_a_tour,
    "same seed": same_seed,
    "progress": progress,
    "time limits": time_limits,
}
