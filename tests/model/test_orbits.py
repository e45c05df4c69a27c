"""Orbits of moves, held to the judge's motions applied one square at a time; and tiny problems."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.cycle import cycle_form, prescribed_steps, tiny
from kt_cp.model.orbits import MOVED, images, move_orbits
from kt_cp.trust.judge.conditions import MOTIONS as JUDGED
from tests.examples.random_problems import random_problem


def test_a_motion_here_is_a_condition_and_the_judges():
    assert set(MOVED) == set(MOTIONS) == set(JUDGED)


def naive_orbits(graph, image):
    """Moves that are carried to each other, as sets of sets; none with an image that is no move."""
    edges = {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.pairs()}
    carried = nx.Graph()
    for edge in edges:
        carried.add_edge(edge, frozenset(map(image, edge)))
    whole = (frozenset(part) for part in nx.connected_components(carried))
    return {part for part in whole if part <= edges}


@pytest.mark.parametrize("motion", MOTIONS)
def test_orbits_are_what_the_motion_joins(motion):
    rng = random.Random(motion)
    seen = set()
    for _ in range(60):
        plain = random_problem(rng)
        board = plain.board
        problem = Problem(board, piece=plain.piece, forbid=plain.forbid, symmetry=motion)

        def image(square, board=board):
            return JUDGED[motion](board.rows, board.columns, square)

        graph = problem.indexed
        there = images(graph, board, motion)
        for square, vertex in zip(graph.nodes, there.tolist(), strict=True):
            assert vertex == graph.index.get(image(square), -1)
        orbit = move_orbits(problem)
        made = {}
        for (u, v), number in zip(graph.pairs(), orbit.tolist(), strict=True):
            made.setdefault(number, set()).add(frozenset((graph.nodes[u], graph.nodes[v])))
        made.pop(-1, None)
        assert {*map(frozenset, made.values())} == naive_orbits(graph, image), problem.label
        assert sorted(made) == list(range(len(made)))
        seen.add((bool((orbit < 0).any()), len(made) > 0))
    assert len(seen) >= 3


def test_the_depot_stays_where_it_is():
    form = cycle_form(Problem(Board(4, 4), symmetry="half-turn"))
    orbit = move_orbits(form.problem, form.graph).tolist()
    at = {pair: orbit[i] for i, pair in enumerate(form.graph.pairs())}
    assert all(at[v, 16] == at[15 - v, 16] >= 0 for v in range(16))


def test_without_a_symmetry_every_move_is_alone():
    assert move_orbits(Problem(Board(3, 4))).tolist() == list(range(14))


TINY = [
    ({"given": {"a1": 2}}, ["b1", "a1"]),
    ({"given": {"b1": 2}, "start": "a1"}, ["a1", "b1"]),
    ({"given": {"a1": 1, "b1": 2}, "symmetry": "left-right"}, ["a1", "b1"]),
    ({"given": {"a1": 1}, "start": "b1"}, None),
    ({"given": {"a1": 2}, "end": "b1"}, None),
    ({"given": {"a1": 1}, "symmetry": "diagonal"}, None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "tour"), TINY, ids=lambda each: str(each))
def test_two_squares(asked, tour):
    problem = Problem(Board(1, 2), piece="wazir", **asked)
    walk, why = tiny(problem)
    told = None if walk is None else [("a1", "b1")[vertex] for vertex in walk]
    assert told == tour and bool(why) == (tour is None)


def test_prescribed_steps_that_clash():
    for asked in (
        {"start": "a1", "given": {"a1": 2}},
        {"end": "a1", "given": {"b3": 12}},
        {"start": "a1", "end": "b3", "given": {"c2": 1}},
    ):
        assert prescribed_steps(Problem(Board(3, 4), **asked)) is None
    assert prescribed_steps(Problem(Board(3, 4))) == {}
    asked = {"start": "a1", "given": {"a1": 1, "c2": 5}, "closed": True}
    assert prescribed_steps(Problem(Board(3, 4), **asked)) == {0: 0, 6: 4}
