"""Steps counted modulo small numbers: the same tours, stated sizes, and why a factor 2 is free."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import gcd, prod

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem, Verdict, solve
from kt_cp.encodings import Cuts, get_encoding, remainder
from kt_cp.model.errors import EngineFailedError, InputError
from kt_cp.testing import oracle
from tests.support.exhaustive import exhaustive
from tests.support.successor_models import (
    CORNER,
    COUNTED,
    every_combination,
    leave_the_same_tours,
    models,
    numbered,
    true_of,
    wanted,
)

NAMES = ("remainder", "remainder-short")
SWITCHES = ("orientation", "parity", "corners")
PARTS = (None, remainder.FEW, (3,), (2,), (5, 4), ())
every_encoding = pytest.mark.parametrize("name", NAMES)


@every_encoding
@pytest.mark.parametrize(
    ("rows", "columns", "conditions", "tours"),
    [*COUNTED, CORNER],
)
def test_as_many_models_as_tours(name, rows, columns, conditions, tours):
    problem = Problem(Board(rows, columns), **conditions)
    found = models(get_encoding(name), problem)
    assert len(found) == len(set(found)) == tours


@exhaustive("remainders leave the tours of random graphs", range(30), sample=1, batches=2)
def test_every_switch_and_every_choice_of_parts_leaves_the_same_tours(cases):
    for seed in cases:
        leave_the_same_tours(
            seed,
            [
                (
                    get_encoding("remainder" if parts is None else "remainder-short"),
                    partial(remainder.encode, parts=parts, **switches),
                    switches["orientation"],
                )
                for switches in every_combination(SWITCHES)
                for parts in PARTS
            ],
        )


@pytest.mark.parametrize(
    "conditions", [{}, {"closed": True}, {"start": (0, 0)}, {"start": (2, 3), "end": (0, 0)}]
)
def test_every_switch_leaves_the_tours_of_a_board(conditions):
    problem = Problem(Board(3, 4), **conditions)
    expected = wanted(oracle.knight_graph(3, 4), problem)
    for switches in every_combination(SWITCHES):
        for parts in PARTS:
            encode = partial(remainder.encode, parts=parts, **switches)
            name = "remainder" if parts is None else "remainder-short"
            assert set(models(get_encoding(name), problem, encode)) == expected, switches


# Sizes and parts


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [Problem(Board(5, 6), closed=True), Problem(Board(10, 10), closed=True), Problem(Board(5, 5)),
     Problem(Board(4, 5)), Problem(Board(5, 5), start=(0, 0)), Problem(Board(5, 5), closed=True),
     Problem(Board(5, 6), start=(0, 0), end=(0, 5)), Problem(Board.parse("5x6", "c3")),
     Problem(graph=nx.petersen_graph()), Problem(graph=nx.complete_graph(9), closed=True)],
    ids=lambda problem: problem.label,
)  # fmt: skip
@pytest.mark.parametrize("chosen", [None, (3, 7), (2, 5), (8, 3, 5, 7)], ids=str)
def test_sizes_are_those_of_the_essay(problem, chosen):
    for switches in every_combination(SWITCHES):
        numbering, shared = numbered(problem, windows=False, **switches)
        n, a, d = len(shared), len(shared.arcs), shared.form.graph.degrees[numbering.start]
        used = len(numbering.first) + len(numbering.last)
        variables, clauses = shared.fresh.top, len(shared.clauses)
        parts = (
            remainder.choose_parts(numbering.values, numbering.stride) if chosen is None else chosen
        )
        for part in parts:
            bits, c = {3: (2, 5), 5: (3, 7), 7: (3, 8)}.get(part, (part.bit_length() - 1, 0))
            c = c or bits * (bits + 1)
            variables += (n - 1) * bits
            clauses += (a - 2 * d) * (c if numbering.stride == 1 else bits + c / 2) + used * bits
            clauses += n - 1 if part == 7 else 0
        cnf = remainder.encode(problem, parts=chosen, **switches)
        assert (cnf.variables, len(cnf.clauses)) == (variables, clauses), switches


@pytest.mark.parametrize("stride", [1, 2])
def test_parts_are_enough_and_have_no_common_factor(stride):
    for values in (*range(2, 300), 10**4, 10**6):
        parts = remainder.choose_parts(values, stride)
        assert prod(parts) >= values
        assert all(gcd(p, q) == 1 for i, p in enumerate(parts) for q in parts[:i])
    # The bound that M. J. H. Heule's 3, 5 and 7 have on boards, without the factor 2.
    assert prod((3, 5, 7)) == 105 >= (209 - 1) // 2 + 1


@pytest.mark.parametrize("part", [2, 3, 4, 5, 7, 8])
def test_every_way_round_a_register_is_divisible_by_its_part(part):
    """Any cycle of codes, also of those that no tour has, has the stated length."""
    register = remainder.counter_of(part)
    x, y = range(1, register.bits + 1), range(register.bits + 1, 2 * register.bits + 1)
    clauses = register.advance(x, y)
    assert len(clauses) == register.cost
    follows = nx.DiGraph()
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        for model in solver.enum_models():
            old, new = (
                sum((literal > 0) << i for i, literal in enumerate(half))
                for half in (model[: register.bits], model[register.bits :])
            )
            follows.add_edge(old, new)
    assert all(follows.out_degree(code) == 1 for code in range(2**register.bits))
    for step in range(2 * part):
        assert follows.has_edge(register.code(step), register.code(step + 1))
    follows.remove_nodes_from(register.forbidden)
    assert [len(cycle) for cycle in nx.simple_cycles(follows)] == [part]


def test_parts_there_are_none_of():
    for part in (0, 1, 6, 9, 11):
        with pytest.raises(InputError, match="power of 2"):
            remainder.counter_of(part)


# A cycle that misses the start


def two_cycles(sizes):
    """Two cycles side by side and a bridge; the start is on the first."""
    return nx.compose(
        nx.cycle_graph(sizes[0]),
        nx.relabel_nodes(nx.cycle_graph(sizes[1]), {i: sizes[0] + i for i in range(sizes[1])}),
    )


@exhaustive(
    "cycles that remainders let pass", product(range(4, 43, 2), [1, 2]), sample=2, batches=2
)
def test_what_a_sub_cycle_passes(cases):
    """With parity a part p lets pass the lengths divisible by 2 p, without it those by p."""
    for length, stride in cases:
        first = (
            42 if stride == 2 else 21 * 42
        )  # divisible by all parts, so that only one can refuse
        graph = two_cycles((first, length))
        parity = stride == 2
        for parts in ((3,), (5,), (7,), (2,), (4,), (3, 7)):
            cnf = remainder.encode(
                Problem(graph=graph, closed=True), parts=parts, parity=parity, orientation=False
            )
            shared = cnf.key
            assert shared.start < first
            n = first + length
            arcs = [(i, i + 1) for i in range(first - 1)] + [(first - 1, 0)]
            arcs += [(i, i + 1) for i in range(first, n - 1)] + [(n - 1, first)]
            with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
                passes = solver.solve(assumptions=[shared.number[arc] for arc in arcs])
            # The cycle of the start closes by the same rule: its own length is N modulo every part.
            turn = stride * prod(parts)
            assert passes is (length % turn == 0), (parts, length)


def test_models_with_several_cycles_are_cut_and_the_answer_is_complete():
    rounds = 0
    for rows, columns in ((6, 6), (6, 8), (8, 8), (10, 10)):
        problem = Problem(Board(rows, columns), closed=True)
        cnf = remainder.encode(problem, parts=(2,))
        with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
            while solver.solve():
                true = [False, *(literal > 0 for literal in solver.get_model())]
                decoded = get_encoding("remainder-short").decode(cnf, true)
                if not isinstance(decoded, Cuts):
                    break
                rounds += 1
                for cut in decoded.clauses:
                    assert not any(true[variable] for variable in cut)
                    solver.add_clause(cut)
            else:
                pytest.fail(f"{problem.label} has a tour")
    assert rounds
    outcome = solve(Problem(Board(10, 10), closed=True), "sat:remainder-short", own_process=False)
    assert outcome.verdict is Verdict.FOUND and outcome.verified


def test_nonsense_is_no_tour():
    graph = two_cycles((4, 3))
    cycles = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 4)]
    for name in NAMES:
        encoding = get_encoding(name)
        cnf = encoding.encode(Problem(graph=graph, closed=True))
        for arcs in (cycles[1:], [*cycles, (1, 0)], []):
            with pytest.raises(EngineFailedError, match="successor"):
                encoding.decode(cnf, true_of(cnf, arcs))
    assert isinstance(encoding.decode(cnf, true_of(cnf, cycles)), Cuts)
    with pytest.raises(EngineFailedError, match="2 cycles"):
        get_encoding("remainder").decode(cnf, true_of(cnf, cycles))
