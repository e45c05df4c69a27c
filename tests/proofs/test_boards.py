"""What has no tour gets a certificate, quickly: small boards, families of boards, random ones."""

from __future__ import annotations

import os
import random

import pytest

from kt_cp import Board, Problem, Verdict, check, defects, prove, solve
from kt_cp.proofs.theorems import closed_impossible, open_impossible
from kt_cp.trust import reference
from tests.support.exhaustive import exhaustive, more

STRUCTURE = ("colours", "degrees", "connectivity", "cut", "removal", "tight", "forced")
FIND_SECONDS, CHECK_SECONDS = 10.0, 2.0


def processor_seconds():
    """Seconds that processors spent on this process and on its children that have ended."""
    return sum(os.times()[:4])


def certificate_of(problem, kinds=STRUCTURE, find=FIND_SECONDS, seconds=CHECK_SECONDS):
    """Prove it, check the text of the certificate, and hold both to their processor times."""
    began = processor_seconds()
    outcome = prove(problem)
    found = processor_seconds() - began
    assert outcome.verdict is Verdict.IMPOSSIBLE, (problem.label, outcome.reason)
    text = outcome.certificate.to_json()
    began = processor_seconds()
    checked = check(text)
    took = processor_seconds() - began
    assert checked.kind in kinds, (problem.label, checked)
    assert checked.problem.label == problem.label
    assert checked.argument == outcome.reason
    assert found < find and took < seconds, (problem.label, checked.kind, found, took)
    return outcome.certificate


SMALL = [(rows, columns) for rows in range(1, 9) for columns in range(1, 9)]


@pytest.mark.parametrize(
    "sides", [s for s in SMALL if open_impossible(*sorted(s))], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_every_small_board_without_an_open_tour(sides):
    certificate_of(Problem(Board(*sides)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sides", [s for s in SMALL if closed_impossible(*sorted(s))], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_every_small_board_without_a_closed_tour(sides):
    certificate_of(Problem(Board(*sides), closed=True), ("size", *STRUCTURE))


NARROW = [
    (rows, columns)
    for rows in (3, 4)
    for columns in range(3, 61)
    if closed_impossible(*sorted((rows, columns)))
]


@exhaustive("narrow boards have proofs", NARROW, sample=1, batches=4)
def test_narrow_boards_without_a_closed_tour(cases):
    for rows, columns in cases:
        certificate_of(Problem(Board(rows, columns), closed=True))


@pytest.mark.slow
@pytest.mark.parametrize("side", more([1, 5, 21, 101], [1, 3, 5, 7, 21, 51, 101]))
def test_odd_sides_have_no_closed_tour_by_colours_alone(side):
    for other in (side, more(51, 101)):
        if side * other > 2:
            made = certificate_of(Problem(Board(side, other), closed=True), ("colours",))
            assert len(made.to_json()) < 1000


INNER = [(columns, row, column) for columns in range(4, 13) for row in (1, 2)
         for column in range(columns) if columns > 4]  # fmt: skip
INNER += [(columns, row, column) for columns in (20, 30) for row, column in ((1, 0), (2, 7))]
INNER += [(30, 1, 29), (30, 2, 15), (60, 1, 31)]


@exhaustive("starts within four ranks have proofs", INNER, sample=1)
def test_four_ranks_have_no_tour_from_an_inner_square(cases):
    for columns, row, column in cases:
        problem = Problem(Board(4, columns), start=(row, column))
        certificate_of(problem, ("tight", "removal", "forced"))


def fixed_ends():
    """The lemmas on prescribed ends, beyond what colours tell, for 3 and 5 ranks to 30 files."""
    for columns in (5, 6, 9, 14, 19, 24, 29, 30):
        common_neighbour, corners = (2, 1), {(0, 0), (4, 0)}
        for end in [(0, columns - 1), (4, columns - 2), (3, columns - 1), (2, columns - 3)]:
            if end not in corners:
                yield Board(5, columns), common_neighbour, end
    for columns in (7, 8, 9, 10, 15, 16, 21, 22, 29, 30):
        for end in [(0, columns - 1), (2, columns - 2), (1, columns - 1), (1, columns - 2)]:
            yield Board(3, columns), (1, 2), end
        yield Board(3, columns), (0, 2), (2, 2)
        yield Board(3, columns), (2, 2), (1, 3)
        yield Board(3, columns), (0, 2), (1, 3)


@exhaustive("ends of three and five ranks have proofs", fixed_ends(), sample=4, batches=2)
def test_ends_that_three_and_five_ranks_do_not_allow(cases):
    for board, start, end in cases:
        problem = Problem(board, start=start, end=end)
        certificate_of(problem, ("colours", "forced", "removal", "tight"))


def random_problem(rng):
    rows, columns = rng.randint(3, 6), rng.randint(3, 6)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    missing = set(rng.sample(squares, rng.choice([0, 1, 2, 2, 3, 4, 6])))
    left = [square for square in squares if square not in missing]
    start, end = rng.sample(left, 2)
    conditions = rng.choice(
        [{}, {"closed": True}, {"start": start}, {"end": end}, {"start": start, "end": end}]
    )
    return Problem(Board(rows, columns, missing), **conditions)


def naive_verdict(problem):
    """The naive recursion's verdict; where it gives up, that of exhaustive backtracking."""
    walk = reference.decide(problem, budget=300_000)
    if walk.verdict is not Verdict.UNKNOWN:
        return walk.verdict
    return solve(problem, "backtrack").verdict


@exhaustive("random small boards have a tour or a proof", range(500), sample=15, batches=4)
def test_random_boards_against_the_naive_recursion(cases):
    verdicts = []
    for seed in cases:
        problem = random_problem(random.Random(seed))
        print(f"seed {seed}: {problem.label}")
        outcome = prove(problem, seed=seed)
        verdicts.append(outcome.verdict)
        assert outcome.verdict is naive_verdict(problem)
        if outcome.verdict is Verdict.FOUND:
            assert not defects(problem, outcome.tour.squares)
        else:
            assert check(outcome.certificate.to_json()).kind == outcome.certificate.kind
    assert len(cases) < 100 or len(set(verdicts)) == 2, (
        "there should be boards with and without tours"
    )
