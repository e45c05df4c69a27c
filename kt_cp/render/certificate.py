"""The argument of a certificate as a picture: what its evidence points at, drawn on the board."""

from __future__ import annotations

from typing import Any

from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of
from kt_cp.render.argument import argument_svg
from kt_cp.render.pointed import pointed_at

MOST_SQUARES = 10_201
"""Of a board that is drawn, 101 × 101: square by square, some megabytes."""


def check_picture(problem: Problem) -> None:
    """Refuse a board that is too large for a picture, and a graph, by an ``InputError``."""
    if problem.board is None:
        raise InputError(
            f"{problem.label}: expected a board for a picture of an argument, got a graph; "
            "json and text tell it"
        )
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_SQUARES:,} squares for a picture; "
            "--format json takes more"
        )


def argument_picture(certificate: Certificate) -> str:
    """SVG of the board and of what the argument says about it.

    Raises
    ------
    InputError
        If the problem has no board, or one that is too large to be drawn.

    Examples
    --------
    >>> from kt_cp import Board, Problem, prove
    >>> picture = argument_picture(prove(Problem(Board(3, 3))).certificate)
    >>> "b2 has no moves at all" in picture
    True
    """
    check_picture(certificate.problem)
    drawn = pointed_at(certificate)
    return claim_svg(certificate.problem, certificate.claim, certificate.argument, **drawn)


def no_tour_svg(problem: Problem, why: str, **drawn: Any) -> str:
    """The board of a problem with what is prescribed on it, and below it why there is no tour."""
    return claim_svg(problem, claim_of(0), why, **drawn)


def claim_svg(problem: Problem, claim: str, why: str, **drawn: Any) -> str:
    """The same with what is claimed of its tours."""
    assert problem.board is not None
    label = f"{claim.capitalize()} ({problem.label})"
    return argument_svg(
        problem.board,
        title=label,
        caption=f"{label}: {why}.",
        piece=problem.piece,
        require=problem.require,
        forbid=problem.forbid,
        start=problem.start,
        end=problem.end,
        **drawn,
    )
