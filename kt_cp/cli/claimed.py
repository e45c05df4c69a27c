"""A tour that a text claims: of which problem, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.cli.judgement import TourJudgement
from kt_cp.cli.question import Question
from kt_cp.formats.read import Claim
from kt_cp.model.board import Board, Square
from kt_cp.model.consistency import changed
from kt_cp.model.errors import BoardError
from kt_cp.model.problem import Problem
from kt_cp.trust.judge import defects
from kt_cp.trust.judge.rules import is_move


def problem_of(claim: Claim, question: Question) -> Problem:
    """The problem of which it is claimed: what was asked, over what the text says of it."""
    if claim.problem is not None:
        return question.over(claim.problem)
    return question.problem(claim.board or (None if question.board else _smallest(claim)))


def _smallest(claim: Claim) -> Board:
    if not claim.squares:
        raise BoardError("expected --board for a tour without squares")
    rows = max(row for row, _ in claim.squares) + 1
    columns = max(column for _, column in claim.squares) + 1
    if rows < 1 or columns < 1:
        raise BoardError(f"expected --board for squares off every board, got {claim.squares[0]}")
    return Board(rows, columns)


def judged_tour(problem: Problem, squares: Sequence[Square], *, alone: bool) -> TourJudgement:
    """What is wrong with a claimed tour; of one alone, whether it would be closed as well."""
    found = defects(problem, squares)
    first, last = (squares[0], squares[-1]) if squares else (None, None)
    closes = not found and problem.closed
    if alone and not found and not problem.closed and problem.end is None:
        closes = len(squares) > 2 and is_move(problem, last, first)
        if closes and problem.conditions:
            closes = not defects(changed(problem, closed=True), squares)
    return TourJudgement(problem, found, len(squares), first, last, closes)
