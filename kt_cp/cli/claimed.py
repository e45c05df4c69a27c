"""The tours that a text claims: of which problem, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kt_cp.cli.judgement import TourJudgement
from kt_cp.cli.question import Question
from kt_cp.formats.drawing import read_board
from kt_cp.formats.read import Claim, read_tour, read_walk, tour_lines
from kt_cp.model.board import Board, Square
from kt_cp.model.errors import BoardError, InputError, TourFileError
from kt_cp.model.problem import Problem, changed
from kt_cp.trust.judge import defects
from kt_cp.trust.judge.rules import is_move


def claims_of(data: bytes, question: Question) -> Iterator[Claim]:
    """The tour that a text claims, or one after the other where it holds several."""
    graph = question.graph is not None
    return tour_lines(data, graph=graph) or iter([read_walk(data) if graph else _one(data)])


def _one(data: bytes) -> Claim:
    """The tour of a text; where it is a board to be solved, it is told that it has none."""
    try:
        return read_tour(data)
    except TourFileError as error:
        try:
            board, given = read_board(data)
        except InputError:
            raise error from None
        if board.size - len(given) < 2:  # a tour with a fault
            raise
        told = f"expected a tour, got a board with {board.size - len(given)} free squares"
        raise TourFileError(f"{told}: kt-cp solve finds its tours") from None


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
