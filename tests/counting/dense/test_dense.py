"""The dense method agrees with other counts, for all its options."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import chain

import numpy as np
import pytest

from kt_cp.counting.dense import meeting as meeting
from kt_cp.counting.dense.dense import METHOD, Dense, array_entries
from kt_cp.counting.dense.half_sweep import DenseCount
from kt_cp.counting.dense.halves import HalvedProblem, sweep_steps
from kt_cp.counting.dense.matchings import layout
from kt_cp.counting.dense.meeting import partner_digits
from kt_cp.counting.dense.state_array import StateArray
from kt_cp.counting.plan import choose, transform_problem
from kt_cp.enumeration import Enumeration
from kt_cp.model.board import Board
from kt_cp.model.errors import EndedError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from tests.examples import known_counts
from tests.oracles.dense_twin import Twin, count_joins
from tests.support.exhaustive import more

SIDES = [(4, 4), (3, 4), (3, 6), (4, 5), (5, 5), (3, 7), (3, 8), (4, 6)]
LARGER = [(5, 6), (3, 10), (6, 5), (6, 6), (5, 8), (4, 7)]


def random_problem(chance, sides):
    """Return a board with holes, often its own mirror image, with required ends and moves."""
    rows, columns = chance.choice(sides)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    missing = chance.sample(squares, chance.choice([0, 0, 1, 2, 2]))
    if chance.random() < 0.5:
        missing += [(rows - 1 - row, column) for row, column in missing]
    board = Board(rows, columns, missing)
    conditions = {"closed": chance.random() < 0.5}
    if not conditions["closed"]:
        start, end = chance.sample(list(board), 2)
        conditions |= {"start": start} if chance.random() < 0.5 else {}
        conditions |= {"end": end} if chance.random() < 0.5 else {}
    edges = list(Problem(board).graph.edges)
    if len(edges) > 3 and chance.random() < 0.4:
        required, *forbidden = chance.sample(edges, 3)
        conditions |= {"require": [required], "forbid": forbidden}
    return Problem(board, **conditions)


def by_primes(problem, lower=0, store=None):
    return DenseCount(HalvedProblem(problem, lower), store=store).count(exact=False)


def agree(seed, sides):
    problem = random_problem(random.Random(seed), sides)
    if METHOD.refuses(problem) is None:
        counted = Dense(lower=seed % 2).count(problem)
        wanted = Enumeration(problem, directed=False).count()
        assert counted == wanted, (seed, problem)
        if seed % 5 == 0:
            assert by_primes(problem, seed % 2) == wanted, (seed, problem)
        for motion in ("left-right", "top-bottom", "diagonal"):
            assert METHOD.count(transform_problem(problem, motion)) == wanted, (
                seed,
                problem,
                motion,
            )


@pytest.mark.parametrize("seed", range(5))
def test_holes_ends_and_moves_against_enumeration(seed):
    agree(seed, SIDES[:4])


@pytest.mark.slow
@pytest.mark.parametrize("seed", more([101, 105, 106, 107], range(100, 108)))
def test_larger_boards_against_enumeration(seed):
    agree(seed, SIDES + LARGER)


ROWS = [
    row
    for row in known_counts.known(10**30)
    if row["piece"] == "knight" and row["unit"] != "classes"
]


def compare(row):
    board = Board(int(row["rows"]), int(row["columns"]))
    problem = Problem(board, closed=row["kind"] == "closed")
    tours = int(row["count"]) // (2 if row["unit"] == "directed" else 1)
    assert METHOD.refuses(problem) is None
    assert METHOD.count(problem) == tours


@pytest.mark.parametrize(
    "row", [row for row in ROWS if int(row["rows"]) < 6], ids=known_counts.label
)
def test_known_counts(row):
    compare(row)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", [row for row in ROWS if int(row["rows"]) >= 6], ids=known_counts.label
)
def test_larger_known_counts(row):
    compare(row)


# The first is known; two programs of ours counted the second, and test_numbers checks it.
# Computed by hand: 7x10 1250063279938854, 8x8, both kinds, and 8x10 4235482818156697040.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "tours"),
    [("7x8", 34524432316), *more([], [("6x20", 276453522147273309254029785276)])],
)
def test_closed_tours_of_long_boards(sides, tours):
    assert METHOD.count(Problem(sides, closed=True)) == tours


def twins(problem, lower=0):
    """Return the count by the readable twin, whose numbers are unbounded."""
    question = HalvedProblem(problem, lower)
    halves = [question.half(lower=side) for side in (False, True)]
    swept = []
    for half in halves:
        swept.append(Twin(half, question.ends))
        for step in chain.from_iterable(sweep_steps(half)):
            swept[-1].take(step)
    upper, other = (twin.states for twin in swept)
    return sum(
        count_joins(
            states, other.get((question.ends[0] - dark, question.ends[1] - light), {}), joins
        )
        for joins in [partner_digits(*halves)]
        for (dark, light), states in upper.items()
    )


@pytest.mark.parametrize(
    ("problem", "lower"),
    [
        (Problem("3x34", closed=True), 0),
        pytest.param(Problem("3x34", closed=True), 3, marks=pytest.mark.slow),
        pytest.param(Problem("3x15"), 0, marks=pytest.mark.slow),
        (Problem(Board(3, 11, "a1,h2")), 0),
    ],
    ids=str,
)
def test_the_twin_counts_the_same(problem, lower):
    question = HalvedProblem(problem, lower)
    wanted = twins(problem, lower)
    assert wanted > 0
    assert Dense(lower=lower).count(problem) == wanted, question.rows
    assert by_primes(problem, lower) == wanted


def test_numbers_that_may_be_too_large_are_counted_by_primes(monkeypatch):
    monkeypatch.setattr(meeting, "fits", lambda *_: False)
    assert METHOD.count(Problem("5x8", closed=True)) == 44202


@pytest.mark.slow
def test_numbers_beyond_128_bits():
    problem = Problem("3x90", closed=True)
    count = METHOD.count(problem)
    assert count == twins(problem) > 1 << 128


@pytest.mark.parametrize("bits", [32, 64])
def test_entries_get_room_before_a_sum_can_be_too_large(bits):
    states = StateArray(*layout(6, 6, 0))
    states.largest[1] = 1000  # with one pair: may get two entries with two more pairs
    states.largest[2] = ((1 << bits) - 1 - 1000) // 2
    states.widen()
    assert states.values.dtype == (np.uint32 if bits == 32 else np.uint64)
    states.largest[2] += 1
    if bits == 64:
        with pytest.raises(OverflowError):
            states.widen()
    else:
        states.widen()
        assert states.values.dtype == np.uint64


class Memory:
    """A store that ends the run after ``left`` steps."""

    def __init__(self):
        self.steps, self.content, self.left = 0, None, None

    def done(self):
        return self.steps

    def load(self, step):
        assert step == self.steps
        return self.content

    def save(self, step, content):
        assert step > self.steps
        copies = {
            key: each.copy() if hasattr(each, "copy") else each for key, each in content.items()
        }
        self.steps, self.content = step, copies
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_a_count_modulo_a_prime():
    problem = Problem("5x12", closed=True)
    (way,) = (each for each in METHOD.others() if each.modulus)
    exact = METHOD.count(problem)
    assert exact > way.modulus and way.count(problem) == exact % way.modulus


@pytest.mark.parametrize(
    ("count", "problem"),
    [
        (METHOD.count, Problem("4x6")),
        (by_primes, Problem("5x6", closed=True)),
        pytest.param(Dense(lower=1).count, Problem("5x6"), marks=pytest.mark.slow),
    ],
    ids=["open", "primes", "lower"],
)
def test_a_count_goes_on_from_every_step(count, problem):
    wanted = METHOD.count(problem)
    store = Memory()
    kills = 0
    while True:
        store.left = 1
        try:
            tours = count(problem, store=store)
        except KeyboardInterrupt:
            kills += 1
        else:
            break
    assert tours == wanted
    assert store.steps >= kills >= 4


def test_steps_are_reported():
    events = []
    METHOD.count(Problem("4x5"), progress=events.append)
    assert [each["step"] for each in events] == sorted(each["step"] for each in events)
    assert {each["steps"] for each in events} == {6}
    assert events[-1]["step"] == 5
    assert events[-1]["states"] > 1000


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (Problem("10x10", closed=True), "a side of at most 9"),
        (Problem("9x10"), "closed tours of whole boards alone"),
        (Problem("9x10", closed=True, forbid=[("a1", "b3")]), "closed tours of whole boards"),
        (Problem(Board(4, 6, surface="torus")), "a knight on a plane board"),
        (Problem("6x6", piece="zebra"), "a knight on a plane board"),
        (Problem("6x6", given={"a1": 1, "c2": 2}), "given steps"),
        (Problem("6x6", closed=True, symmetry="half-turn"), "symmetry"),
        (Problem("2x9"), "at least 3x4"),
        (Problem("3x3"), "at least 3x4"),
        (Problem(Board(4, 3, "a1,b1,c1")), "at least 3x4"),
        (Problem("8x600"), "4,096 squares"),
        (Problem(graph=Problem("4x5").graph), "a knight on a plane board"),
    ],
    ids=str,
)
def test_messages_for_what_is_not_taken(problem, why):
    assert why in METHOD.refuses(problem)


def test_more_memory_than_allowed_is_not_taken():
    with pytest.raises(EndedError, match="would take 2,"):
        METHOD.count(Problem("8x8", closed=True), memory_limit=1000)


PEAK = """
import sys
from pathlib import Path
from kt_cp.counting.dense.dense import METHOD
from kt_cp.model.problem import Problem
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request

for line in sys.argv[1:]:
    sides, kind = line.split()
    METHOD.count(Problem(sides, closed=kind == "closed"))
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) * 1024)
"""


def peak_of(*lines):
    """Return the peak memory of a process that counts some boards."""
    command = [sys.executable, "-c", PEAK, *lines]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
def test_the_estimate_of_memory_is_an_upper_bound_and_near():
    peak_of("6x16 closed", "6x7 open")  # the compilation also takes memory, once
    # Two halves; an array with a new layout; and one that grows to 64 bits.
    for line in ("6x7 open", "7x8 closed", "7x14 closed"):
        sides, kind = line.split()
        estimate = METHOD.estimate(Problem(sides, closed=kind == "closed")).bytes
        peak = peak_of(line)
        assert peak <= estimate <= 1.3 * peak, (line, peak, estimate)


def test_arrays_are_as_large_as_they_are_laid_out():
    for width, depot in np.ndindex(7, 2):
        for total in range(depot, 4 * width + 1, 2):
            assert array_entries(2 * width, total, depot) == layout(2 * width, total, depot)[1]


def test_the_memory_of_large_and_long_boards():
    # Measured without a store and with one.
    for name, peak, stored in (("8x8", 1.914e9, 2.676e9), ("9x8", 3.681e9, 4.562e9)):
        estimate = METHOD.estimate(Problem(name, closed=True))
        assert peak < estimate.bytes < 1.25 * peak
        assert stored < estimate.bytes + estimate.saving < 1.25 * stored
    assert METHOD.estimate(Problem("8x40", closed=True)).bytes > 12 * 429658515
    assert Dense(modulus=7).estimate(Problem("9x8", closed=True)).bytes < 4e9
    request = Request.begin(Problem("9x8", closed=True), Limits(None, 4000))
    assert choose(request, "dense").estimate.bytes < 4e9
    with pytest.raises(TooLargeError, match=r"take 4,\d+ MB, and 4,000 MB are available"):
        choose(request, "dense", stored=True)
    assert METHOD.estimate(Problem("5x5", closed=True)).bytes > 0  # it has no tour


def test_the_estimate_has_room_for_what_is_held():
    for problem in (Problem("6x6", closed=True), Problem("6x6"), Problem("5x6", start="a1")):
        question = HalvedProblem(problem)
        estimate = METHOD.estimate(problem)
        assert estimate.states >= 845691 or question.width == 5
        assert estimate.bytes > 4 * estimate.states
    assert (
        METHOD.estimate(Problem("8x8")).bytes > METHOD.estimate(Problem("8x8", closed=True)).bytes
    )
