"""Every engine on random pieces, surfaces, required and forbidden moves, held to plain search."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, engine_names, get_engine, solve
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.model.conditions import KINDS
from kt_cp.model.errors import NotTakenError
from kt_cp.testing import engine as contract

ENGINES = [
    *(name for name in engine_names() if name != "sat"),
    *(f"sat:{name}" for name in ENCODING_NAMES),
    "sat:lazy:cadical195",
    "sat:lazy:gluecard4:patch",
]


ONE_OF_A_KIND = [
    pytest.param(each, marks=pytest.mark.slow if each.count(":") and "lazy" not in each else ())
    for each in ENGINES
]


@pytest.mark.parametrize("engine", ONE_OF_A_KIND)
def test_random_questions(engine):
    outcomes = contract.questions(engine, range(40))
    verdicts = [outcome.verdict for outcome in outcomes if outcome is not None]
    if engine in ("construct", "sat:corridor"):  # only these take knights on planes alone
        return
    assert len(verdicts) == len(outcomes) and verdicts.count(Verdict.FOUND) >= 10, engine
    if get_engine(engine).complete:
        assert verdicts.count(Verdict.IMPOSSIBLE) >= 10


def test_every_condition_is_taken_by_auto():
    taken = {name: get_engine(name).takes for name in engine_names()}
    assert taken["auto"] == set(KINDS)
    assert all(takes <= set(KINDS) for takes in taken.values())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"require": [((0, 0), (1, 2))]}, "required moves: use --engine auto"),
        ({"forbid": [((0, 0), (1, 2))]}, "forbidden moves: use --engine auto"),
        ({"given": {(0, 0): 3}}, "given steps: use --engine auto"),
        ({"symmetry": "half-turn"}, "symmetry: use --engine auto"),
    ],
)
def test_what_an_engine_does_not_take_is_refused(more, words):
    with pytest.raises(NotTakenError, match=f"engine construct does not take {words}"):
        solve(Problem(Board(6, 6), closed=True, **more), "construct")


def test_a_move_between_the_ends_leaves_no_room_for_the_others():
    ends = {"start": (0, 0), "end": (1, 2)}
    problem = Problem(Board(5, 6), **ends, require=[((0, 0), (1, 2))])
    for engine in ("auto", "backtrack", "cpsat", "sat", "sat:position", "propagator"):
        outcome = solve(problem, engine, own_process=False)
        assert outcome.verdict is Verdict.IMPOSSIBLE, engine
    assert solve(problem).certificate is not None


@pytest.mark.parametrize("engine", ["auto", "backtrack", "cpsat", "sat", "warnsdorff"])
def test_graphs_take_them_as_well(engine):
    graph = nx.relabel_nodes(nx.dodecahedral_graph(), str)
    edge = next(iter(graph.edges()))
    with_it = solve(Problem(graph=graph, closed=True, require=[edge]), engine).tour
    assert frozenset(edge) in map(frozenset, zip(with_it, [*with_it[1:], with_it[0]], strict=True))
    without = solve(Problem(graph=graph, closed=True, forbid=[edge]), engine).tour
    moves = zip(without, [*without[1:], without[0]], strict=True)
    assert frozenset(edge) not in map(frozenset, moves)
