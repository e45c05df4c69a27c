"""Steps counted in binary and by shift registers: the same tours, stated sizes, true periods."""

from __future__ import annotations

from functools import partial
from itertools import product

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Board, Problem
from kt_cp.encodings import adder, get_encoding, lfsr
from kt_cp.encodings.successor import successors
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError, InputError
from kt_cp.testing import oracle
from tests.support.exhaustive import exhaustive
from tests.support.successor_models import (
    CORNER,
    COUNTED,
    SWITCHES,
    every_combination,
    leave_the_same_tours,
    models,
    numbered,
    numbering_clauses,
    true_of,
    wanted,
)

NAMES = ("adder", "lfsr")
MODULES = {"adder": adder, "lfsr": lfsr}
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


@exhaustive(
    "distances leave the tours of random graphs", product(NAMES, range(30)), sample=10, batches=2
)
def test_every_switch_leaves_the_same_tours(cases):
    for name, seed in cases:
        encodes = [
            (partial(MODULES[name].encode, **switches), switches["orientation"])
            for switches in every_combination(SWITCHES)
        ]
        leave_the_same_tours(seed, [(get_encoding(name), *encode) for encode in encodes])


@every_encoding
@pytest.mark.parametrize("conditions", [{}, {"start": (0, 0)}, {"start": (2, 3), "end": (0, 0)}])
def test_every_switch_leaves_the_tours_of_a_board(name, conditions):
    problem = Problem(Board(3, 4), **conditions)
    expected = wanted(oracle_board(problem), problem)
    for switches in every_combination(SWITCHES):
        encode = partial(MODULES[name].encode, **switches)
        assert set(models(get_encoding(name), problem, encode)) == expected, switches


def oracle_board(problem):
    return oracle.knight_graph(problem.board.rows, problem.board.columns, problem.board.missing)


# Sizes


PROBLEMS = [
    Problem(Board(5, 6), closed=True), Problem(Board(8, 8), closed=True), Problem(Board(5, 5)),
    Problem(Board(4, 5)), Problem(Board(5, 5), start=(0, 0)), Problem(Board(6, 6), end=(2, 2)),
    Problem(Board(5, 6), start=(0, 0), end=(0, 5)), Problem(Board(5, 5), start=(0, 0), end=(4, 4)),
    Problem(Board(5, 5), closed=True), Problem(Board.parse("5x6", "c3")),
    Problem(Board(3, 40), closed=True), Problem(graph=nx.petersen_graph()),
    Problem(graph=nx.complete_graph(9), closed=True),
]  # fmt: skip


@pytest.mark.slow
@every_encoding
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_sizes_are_those_of_the_essay(name, problem):
    for switches in every_combination(SWITCHES):
        numbering, shared = numbered(problem, **switches)
        stride, n, a = numbering.stride, len(shared), len(shared.arcs)
        d = shared.form.graph.degrees[numbering.start]
        used = len(numbering.first) + len(numbering.last)
        if name == "adder":
            bits = next(bits for bits in range(1, 20) if 2**bits >= n / stride)
            advance = bits * (bits + 1)
            both = advance if stride == 1 else bits * (bits + 3) / 2
            clauses = (a - 2 * d) * both + used * bits
        else:
            bits = next(bits for bits in range(2, 20) if 2**bits - 1 >= n / stride)
            taps = len(lfsr.TAPS[bits])
            both = 2 * bits + 2 * taps if stride == 1 else 2 * bits + taps
            clauses = (a - 2 * d) * both + used * bits + n - 1
        for v, (early, late) in enumerate(numbering.windows or []):
            if v == numbering.start:
                continue
            if name == "adder":
                clauses += (early // stride).bit_count() + bits - (late // stride).bit_count()
            else:
                most, final = lfsr.MOST_BLOCKED, (n - 1) // stride
                clauses += min(early // stride, most) + min(final - late // stride, most)
        cnf = MODULES[name].encode(problem, **switches)
        assert cnf.variables == shared.fresh.top + (n - 1) * bits, switches
        assert len(cnf.clauses) == len(shared.clauses) + clauses, switches


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.label)
def test_the_numbering_adds_as_many_clauses_as_it_says(problem):
    for switches in every_combination(SWITCHES):
        numbering, shared = numbered(problem, **switches)
        distinguished = problem.start is not None or problem.end is not None
        if switches["parity"] and problem.size % 2 == 0:
            distinguished |= problem.indexed.colours is not None
        apart = switches["orientation"] and not problem.closed and distinguished
        assert numbering.reversible == (switches["orientation"] and not apart)
        base = successors(cycle_form(problem), directed=numbering.reversible)
        added = numbering_clauses(numbering, switches)
        assert len(shared.clauses) == len(base.clauses) + added, switches


# Counting


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5])
def test_one_more(bits):
    register = adder.binary(bits)
    x, y = range(1, bits + 1), range(bits + 1, 2 * bits + 1)
    clauses = register.advance(x, y)
    assert len(clauses) == register.cost == bits * (bits + 1)
    assert _pairs(clauses, bits) == {(p, (p + 1) % 2**bits) for p in range(2**bits)}


@pytest.mark.parametrize("bits", [2, 3, 4, 5, 8])
def test_one_more_in_a_shift_register(bits):
    register = lfsr.shift_register(bits)
    x, y = range(1, bits + 1), range(bits + 1, 2 * bits + 1)
    clauses = register.advance(x, y)
    assert len(clauses) == register.cost == 2 * (bits + len(lfsr.TAPS[bits]))
    follows = {(register.code(t), register.code(t + 1)) for t in range(register.period)}
    assert _pairs(clauses, bits) == follows | {(0, 0)}


def _pairs(clauses, bits):
    found = set()
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        for model in solver.enum_models():
            values = [literal > 0 for literal in model]
            found.add(tuple(sum(v << i for i, v in enumerate(half))
                            for half in (values[:bits], values[bits:])))  # fmt: skip
    return found


@pytest.mark.parametrize("bits", sorted(lfsr.TAPS))
def test_periods(bits):
    register = lfsr.shift_register(bits)
    feedback = 1 | sum(1 << tap for tap in lfsr.TAPS[bits])
    code, steps = 1, 0
    while steps == 0 or code != 1:
        high = code >> (bits - 1)
        code = (code << 1) % (1 << bits) ^ feedback * high
        steps += 1
        assert register.code(steps) == code
    assert steps == register.period == 2**bits - 1


def test_registers_there_are_none_of():
    for bits in (1, 21):
        with pytest.raises(InputError, match="2 to 20 bits"):
            lfsr.shift_register(bits)


@pytest.mark.parametrize("bits", [1, 3, 4])
def test_comparisons_with_constants(bits):
    own = range(1, bits + 1)
    for bound, value in product(range(2**bits), repeat=2):
        true = {i if value >> (i - 1) & 1 else -i for i in own}
        for clauses, holds, size in (
            (adder.at_least(own, bound), value >= bound, bound.bit_count()),
            (adder.at_most(own, bound), value <= bound, bits - bound.bit_count()),
        ):
            clauses = list(clauses)
            assert len(clauses) == size
            assert all(true & set(clause) for clause in clauses) is holds


# Decoding


@every_encoding
def test_several_cycles_are_no_tour(name):
    graph = nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(3))
    graph.add_edge(0, 4)
    encoding = get_encoding(name)
    cnf = encoding.encode(Problem(graph=graph, closed=True))
    cycles = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 4)]
    with pytest.raises(EngineFailedError, match="2 cycles"):
        encoding.decode(cnf, true_of(cnf, cycles))
    with pytest.raises(EngineFailedError, match="successor"):
        encoding.decode(cnf, true_of(cnf, cycles[1:]))
    with pytest.raises(EngineFailedError, match="successor"):
        encoding.decode(cnf, true_of(cnf, [*cycles, (0, 4)]))
