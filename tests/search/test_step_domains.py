"""The search on the squares that each step may have: held to its twin, the oracle and puzzles."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest

from kt_cp import Board, Problem, solve
from kt_cp.enumeration.given_steps import Formula
from kt_cp.model.errors import ProblemError
from kt_cp.search.step_domains import StepDomains, given_vertices
from kt_cp.testing import oracle
from tests.oracles import step_domains_twin as twin

PIECES = ("knight", "king", "wazir", "camel", "0,1+1,2")
EVERYTHING = 10**9
"""Steps: more than any search here takes."""


def random_question(rng: random.Random) -> Problem | None:
    """A random question with given steps that a random tour satisfies, or nearly."""
    rows, columns = rng.choice([(3, 4), (4, 4), (4, 5), (3, 5), (5, 5), (2, 6)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    board = Board(
        rows, columns, rng.sample(squares, rng.choice((0, 0, 1, 2))),
        rng.choice(("plane", "plane", "cylinder", "torus")),
    )  # fmt: skip
    piece, closed = rng.choice(PIECES), rng.random() < 0.5
    found = solve(Problem(board, piece=piece, closed=closed), time_limit=5, seed=rng.randrange(99))
    order = list(found.tour or rng.sample(list(board), len(board)))
    steps = rng.sample(range(len(order)), rng.randrange(3, min(8, len(order))))
    given = {order[step]: step + 1 for step in steps}
    if rng.random() < 0.3:
        given[rng.choice(list(given))] = rng.randrange(len(order)) + 1
    moves = list(pairwise(order))
    try:
        return Problem(
            board, piece=piece, closed=closed, given=given,
            require=rng.sample(moves, 1) if rng.random() < 0.3 else (),
            forbid=rng.sample(moves, 1) if rng.random() < 0.2 else (),
            end=order[-1] if not closed and rng.random() < 0.2 else None,
        )  # fmt: skip
    except ProblemError:  # a step given twice, or a move that is none
        return None


def parts(problem: Problem):
    """Return the arguments of the twin."""
    graph = problem.indexed
    total = len(graph)
    beside = [set(row) for row in graph.neighbours]
    partners: list[set[int]] = [set() for _ in range(total)]
    for u, v in problem.forced:
        partners[u].add(v)
        partners[v].add(u)
    given = dict(given_vertices(problem))
    rest = set(range(total)) - set(given.values())
    windows = [{given[step]} if step in given else set(rest) for step in range(total)]
    return windows, beside, partners, problem.closed


def found(problem: Problem) -> list[tuple[int, ...]]:
    search = StepDomains(problem)
    walks = search.next(limit=10_000, steps=EVERYTHING)
    assert search.exhausted or len(walks) == 10_000
    return [tuple(walk) for walk in walks.tolist()]


def first_windows(problem: Problem) -> list[set[int]]:
    """The windows before any decision."""
    return [{*np.flatnonzero(row).tolist()} for row in StepDomains(problem).first]


@pytest.mark.parametrize("part, cases", [(0, 15), pytest.param(1, 40, marks=pytest.mark.slow)])
def test_it_finds_what_its_twin_finds(part, cases) -> None:
    rng = random.Random(part)
    several = none = 0
    for number in range(cases):
        problem = random_question(rng)
        if problem is None or problem.size < 4 or len(given_vertices(problem)) < 2:
            continue
        context = f"seed {part}, case {number}: {problem.label}"
        walks = found(problem)
        if len(walks) > 100:
            continue
        assert sorted(walks) == sorted(twin.tours(*parts(problem))), context
        windows, *rest = parts(problem)
        if twin.narrow(windows, *rest):
            assert first_windows(problem) == windows, context
        several += len(walks) > 1
        none += not walks
    assert min(several, none) > cases // 8, (several, none)


@pytest.mark.parametrize("board", ["3x3", "2x4"])
@pytest.mark.parametrize("piece", ["knight", "king", "wazir"])
def test_it_finds_what_the_oracle_finds(board, piece) -> None:
    rng = random.Random(f"{board} {piece}")
    base = Problem(board, piece=piece)
    for closed in (False, True):
        every = list(oracle.tours(base.graph, closed))
        for _ in range(4):
            squares = rng.sample(list(base.graph), 2)
            given = dict(zip(squares, rng.sample(range(1, base.size + 1), 2), strict=True))
            expected = [
                order
                for order in every
                if all(order[step - 1] == square for square, step in given.items())
            ]
            problem = Problem(board, piece=piece, closed=closed, given=given)
            nodes = problem.indexed.nodes
            walks = [tuple(nodes[vertex] for vertex in walk) for walk in found(problem)]
            assert sorted(walks) == sorted(expected), f"{problem.label}"


@pytest.mark.parametrize("size", [3, 4])
def test_required_moves_that_close_no_open_tour(size) -> None:
    """Required moves and those that steps leave made a ring, and what the search found broke it."""
    graph = nx.complete_graph(size)
    ways = [way for way in permutations(graph) if way[0] < way[-1]]
    for way, squares, steps in product(ways, combinations(graph, 2), permutations(graph, 2)):
        given = {square: step + 1 for square, step in zip(squares, steps, strict=True)}
        expected = [
            each for each in (way, way[::-1]) if all(each[at - 1] == v for v, at in given.items())
        ]
        problem = Problem(graph=graph, require=pairwise(way), given=given)
        assert sorted(found(problem)) == sorted(expected), (way, given)


def test_without_given_steps_it_finds_every_tour() -> None:
    assert len(found(Problem("5x6", closed=True))) == 2 * 8
    assert len(found(Problem("3x4"))) == 16
    assert len(found(Problem("5x5", start="a1"))) == 304
    assert len(found(Problem("4x4"))) == 0


@pytest.mark.parametrize("room", [1, 3])
def test_it_goes_on_from_where_it_was(room) -> None:
    problem = Problem("5x5", start="a1")
    search, parts = StepDomains(problem), []
    while not search.exhausted:
        parts.append(search.next(limit=room, steps=2_000))
        assert len(parts[-1]) <= room
    assert [tuple(walk) for walk in np.concatenate(parts).tolist()] == found(problem)
    counted = StepDomains(problem)
    assert len(counted.next(limit=0, steps=EVERYTHING)) == 0 and counted.found == 304


def test_a_seed_changes_the_order_and_nothing_else() -> None:
    problem = Problem("5x6", closed=True)
    orders = []
    for seed in (0, 1, 1, 2):
        walks = StepDomains(problem, seed).next(limit=100, steps=EVERYTHING)
        orders.append([tuple(walk) for walk in walks.tolist()])
    assert orders[1] == orders[2] != orders[0]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[3])


@pytest.mark.parametrize(
    "conditions",
    [
        {"start": "a1", "given": {"c3": 1}},
        {"start": "a1", "given": {"a1": 2}},
        {"end": "a1", "given": {"c3": 25}},
        {"given": {"a1": 1, "b3": 3}},  # of two colours
        {"given": {"a1": 1, "e5": 3}},  # four moves apart
    ],
)
def test_a_clash_is_seen_before_the_search(conditions) -> None:
    search = StepDomains(Problem("5x5", **conditions))
    assert search.exhausted and search.placed == 0 and len(search.next(limit=1, steps=1)) == 0


def test_a_puzzle_of_several_words_a_window() -> None:
    tour = solve("12x12", closed=True, seed=3).tour
    given = {square: step for step, square in enumerate(tour, start=1) if step % 2}
    search = StepDomains(Problem("12x12", closed=True, given=given))
    walks = search.next(limit=2, steps=EVERYTHING)
    nodes = Problem("12x12").indexed.nodes
    assert tuple(tour) in {tuple(nodes[vertex] for vertex in walk) for walk in walks.tolist()}


@pytest.mark.parametrize("kind", ["search", "formula"])
def test_what_is_struck_is_not_visited(kind) -> None:
    problem = Problem("3x4", start="a1")
    walks = found(problem)
    assert len(walks) > 1
    for step, vertex in {(step, walk[step]) for walk in walks for step in range(1, 12)}:
        others = {walk for walk in walks if walk[step] != vertex}
        if kind == "search":
            search = StepDomains(problem, excluded=[(step, vertex)])
            remaining = {*map(tuple, search.next(limit=100, steps=EVERYTHING).tolist())}
            assert search.exhausted and remaining == others
        else:
            answer, walk = Formula(problem).solve(excluded=[(step, vertex)])
            assert answer == bool(others) and (not walk or tuple(walk) in others)
