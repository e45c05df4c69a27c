"""How large the encodings make a problem."""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.encodings import Cnf, Encoding, get_encoding
from kt_cp.model.errors import ProblemError, TooLargeError
from kt_cp.model.limits import Clock
from kt_cp.model.problem import Problem

FEWEST_SQUARES = 3
"""Smaller problems are answered at sight, and the encodings are not meant for them."""


@dataclass(frozen=True)
class Size:
    """One encoding of one problem, measured.

    Attributes
    ----------
    variables, clauses, literals : int or None
    seconds : float or None
        That it took to build.
    refused : str or None
        Why there is no formula; the four above are then None.
    """

    encoding: Encoding
    variables: int | None = None
    clauses: int | None = None
    literals: int | None = None
    seconds: float | None = None
    refused: str | None = None


def size_of(name: str, problem: Problem) -> Size:
    """Build the formula of a problem, and count.

    Raises
    ------
    EngineNameError
        If there is no encoding of this name.
    ProblemError
        If the problem has fewer than three squares.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> size_of("lazy", Problem(Board(3, 10), closed=True)).clauses
    176
    """
    encoding = get_encoding(name)
    clock = Clock(None)
    try:
        cnf = encoded(encoding, problem)
    except TooLargeError as error:
        return Size(encoding, refused=str(error))
    seconds = clock.elapsed
    return Size(encoding, cnf.variables, len(cnf.clauses), sum(map(len, cnf.clauses)), seconds)


def encoded(encoding: Encoding, problem: Problem) -> Cnf:
    """Formula of a problem, unless it is too large for this encoding or too small for any.

    Raises
    ------
    ProblemError
        If the problem has fewer than three squares.
    TooLargeError
        If the formula would not fit.
    """
    check_encodable(problem)
    encoding.refuse(problem)
    return encoding.encode(problem)


def check_encodable(problem: Problem) -> None:
    """Refuse problems that are answered at sight.

    Raises
    ------
    ProblemError
        If the problem has fewer than three squares.
    """
    if problem.size < FEWEST_SQUARES:
        raise ProblemError(
            f"{problem.label}: expected at least {FEWEST_SQUARES} squares, got {problem.size}; "
            "kt-cp solve answers smaller ones at sight"
        )
