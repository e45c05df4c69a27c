"""Arguments that no tour has a symmetry: in words, against oracles, and what they do not prove."""

from __future__ import annotations

import random
from itertools import product

import pytest

from kt_cp import Board, Problem
from kt_cp.enumeration.quotient import quotient_of
from kt_cp.enumeration.walks import Walker
from kt_cp.model.board import square_name
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.document import problem_document
from kt_cp.model.move_order import move_table
from kt_cp.proofs.certificate import certified
from kt_cp.proofs.certify import certify
from kt_cp.proofs.obstructions import obstruction, symmetry
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.check.frame import MOST_SQUARES
from tests.enumeration.test_quotient import held_against, random_question
from tests.examples.certificates import accepts, signed
from tests.support.exhaustive import exhaustive


def says(problem):
    """The squares of the evidence and the sentence, as the checker accepts them; or None."""
    evidence = symmetry(problem)
    return evidence and (evidence["squares"], certified(problem, evidence).argument)


PLACES = (
    "nor does it turn one round, for that takes two places, each a square that stays where it is "
    "or a move whose two squares change places, and there is "
)
SAID = [
    (
        Problem("8x8", closed=True, symmetry="quarter-turn"),
        [],
        "a quarter turn can only move a closed tour of 64 squares on by 16 or 48 moves, an even "
        "number, so to a square of the same colour, but it carries a1 to a8, which is of the other",
    ),
    (
        Problem("7x7", closed=True, symmetry="quarter-turn", forbid=["a1-b3"]),
        ["d4"],
        "with the forbidden moves left out, a quarter turn can only move a closed tour on, so no "
        "square stays where it is, but d4 does",
    ),
    (
        Problem("6x8", closed=True, symmetry="left-right"),
        [],
        "a reflection from left to right can move a closed tour of 48 squares on by 24 moves "
        "alone, an even number, so to a square of the same colour, but it carries a1 to h1, which "
        f"is of the other; {PLACES}none",
    ),
    (
        Problem("6x6", closed=True, symmetry="diagonal"),
        ["a1", "b2", "c3"],
        "a reflection in the diagonal moves a closed tour on by half of it, so no square stays "
        "where it is, or turns it round, so two stay at most; but a1, b2 and c3 do",
    ),
    (
        Problem("3x3", piece="king", closed=True, symmetry="half-turn"),
        ["b2"],
        f"a half turn does not move a closed tour on, as b2 stays where it is; {PLACES}only one",
    ),
    (
        Problem(Board(4, 4, {(0, 0), (3, 3)}), closed=True, symmetry="diagonal"),
        ["b2", "c3"],
        "a reflection in the diagonal does not move a closed tour on, as b2 and c3 stay where they "
        "are; nor does it turn one round, for then 7 moves lead from b2 to c3, an odd number, so "
        "to a square of the other colour, but it is of the same",
    ),
    (
        Problem("5x5", symmetry="quarter-turn"),
        ["a1"],
        "a motion that carries an open tour to itself leaves it as it is or turns it round, so "
        "done twice it leaves every square where it is; but a quarter turn done twice carries a1 "
        "to e5",
    ),
    (
        Problem("3x4", symmetry="quarter-turn"),
        ["d1"],
        "a quarter turn carries d1 off the board",
    ),
    (
        Problem(Board(5, 5, {(0, 0)}), closed=True, symmetry="half-turn"),
        ["e5"],
        "a half turn carries e5 to a1, which is missing",
    ),
    (
        Problem("4x5", symmetry="left-right"),
        ["c1", "c2"],
        "a reflection from left to right turns an open tour round, so no square but its middle "
        "stays where it is, and c1 and c2 do",
    ),
    (
        Problem("4x6", symmetry="half-turn"),
        [],
        "a half turn turns an open tour round, so its middle is a square that stays where it is or "
        "a move whose two squares change places, and there is none",
    ),
    (
        Problem("5x5", symmetry="half-turn", start="c3"),
        ["c3"],
        "a half turn turns an open tour round, so its ends change places, but c3 stays where it is",
    ),
    (
        Problem("5x5", symmetry="half-turn", start="a1", end="a5"),
        ["a1", "a5"],
        "a half turn turns an open tour round, so its ends change places, but a1 is carried to e5, "
        "not to a5",
    ),
]


@pytest.mark.parametrize(
    ("problem", "squares", "text"), SAID, ids=[problem.label for problem, *_ in SAID]
)
def test_what_is_said(problem, squares, text):
    assert says(problem) == (squares, text)
    assert certify(problem, ("symmetry",)).certificate.argument == text
    soonest = obstruction(problem)  # what an engine says of it, which may be something simpler
    assert soonest.text == text or soonest.certificate.kind in ("colours", "degrees")
    assert accepts(certified(problem, symmetry(problem)).document)


@pytest.mark.parametrize("closed", [True, False])
def test_knights_on_rectangles(closed):
    """What is known of which boards have tours with which symmetry (Jelliss, Knight's Tour Notes).

    Of closed tours.  Quarter turns: squares of side 4n + 2.  Mirrors: one side odd, and the other,
    across which it reflects, of the form 4n + 2.  Half turns: all boards of even size.
    """
    for rows, columns, motion in product(range(3, 13), range(3, 13), MOTIONS):
        problem = Problem(Board(rows, columns), closed=closed, symmetry=motion)
        may = {
            "quarter-turn": closed and rows == columns and rows % 4 == 2,
            "left-right": closed and rows % 2 == 1 and columns % 4 == 2,
            "top-bottom": closed and columns % 2 == 1 and rows % 4 == 2,
            "diagonal": False,
            "half-turn": rows * columns % 2 == 0 if closed else rows % 2 + columns % 2 > 0,
        }[motion]
        assert (says(problem) is None) == may, problem.label


@pytest.mark.slow
@exhaustive("no symmetric tour is argued away", range(3060), sample=30)
def test_what_is_proved_is_true(cases):
    proved = 0
    for seed in cases:
        problem = random_question(seed)
        if symmetry(problem) is not None:
            proved += 1
            tours = held_against(problem)
            assert not tours, f"seed {seed}, {problem.label}"
    assert proved > len(cases) // 4 or len(cases) < 100, proved


def has_tour(problem):
    """By the walks through orbits; None where these do not answer."""
    quotient = quotient_of(problem, move_table(problem), directed=False)
    if quotient is None:
        return None
    for job in quotient.jobs():
        walker = Walker(quotient.graph, job)
        while not walker.exhausted:
            if quotient.many(job, walker.next(room=64, steps=10**6)):
                return True
    return False


@pytest.mark.slow
@exhaustive("no lie about symmetry is believed", range(1240), sample=20)
def test_no_lie_is_believed_and_both_checkers_agree(cases):
    believed = 0
    for seed in cases:
        rng, problem = random.Random(seed), random_question(seed)
        squares = sorted(problem.board)
        truth = has_tour(problem)
        for _ in range(6):
            names = [
                square_name(s)
                for s in rng.sample(squares, min(len(squares), rng.choice([0, 1, 1, 2, 2, 3])))
            ]
            document = {
                "format": "kt_cp certificate",
                "schema_version": 4,
                "problem": problem_document(problem),
                "evidence": {"kind": "symmetry", "squares": names},
            }
            try:
                check(document)
                accepted = True
            except Refusal:
                accepted = False
            note = f"seed {seed}, {problem.label}, {names}"
            assert accepts(document) == accepted, note
            assert not (accepted and truth), note
            believed += accepted
    assert believed > len(cases) // 4 or len(cases) < 100


@pytest.mark.parametrize(
    ("problem", "names", "reason"),
    [
        (Problem("6x6", closed=True, symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True), [], Reason.WRONG_QUESTION),
        (Problem("1x2", closed=True, symmetry="half-turn"), [], Reason.WRONG_QUESTION),
        (Problem("8x8", closed=True, symmetry="half-turn"), [], Reason.NOT_PROVED),
        (Problem("7x7", closed=True, symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("7x7", closed=True, symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x8", closed=True, symmetry="left-right"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="diagonal"), ["a1", "b2"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="diagonal"), ["a1", "b2", "a2"], Reason.NOT_PROVED),
        (Problem("3x4", symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("3x4", symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("1x5", piece="wazir", symmetry="top-bottom"), ["a1", "b1"], Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn", start="a1"), ["a1"], Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn", start="a1", end="e5"), ["a1", "e5"],
         Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn"), ["a1", "a1"], Reason.BAD_SQUARE),
        (Problem("5x5", symmetry="half-turn"), ["a6"], Reason.BAD_SQUARE),
        (Problem("501x501", closed=True, symmetry="half-turn"), [], Reason.TOO_LARGE),
    ],
)  # fmt: skip
def test_what_is_refused(problem, names, reason):
    with pytest.raises(Refusal) as refused:
        certified(problem, {"kind": "symmetry", "squares": names})
    assert refused.value.reason is reason


def test_one_square_says_enough_of_any_board():
    assert MOST_SQUARES < 501 * 501
    long = Problem(Board(10**9, 10**9 + 1), closed=True, symmetry="quarter-turn")
    far = f"{square_name((0, 10**9))}"
    assert certified(long, {"kind": "symmetry", "squares": [far]}).kind == "symmetry"


def test_older_versions_do_not_know_it():
    made = certified(
        Problem("8x8", closed=True, symmetry="quarter-turn"), {"kind": "symmetry", "squares": []}
    )
    with pytest.raises(Refusal) as refused:
        check(signed({**made.document, "schema_version": 3}))
    assert refused.value.reason is Reason.UNKNOWN_KIND
