"""An outcome in any of the formats of tours, each loaded when it is used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kt_cp.formats.table import Format, Subject, formats_of
from kt_cp.model.errors import TooLargeError
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem

MOST_SQUARES = 4_000_000
"""Of a tour that is written as text: a grid of so many takes 30 MB, and some seconds to write."""


def check_size(problem: Problem, format: Format) -> None:
    """Refuse, before the search, a board that is too large for the format.

    Raises
    ------
    TooLargeError
        Saying what would do instead.
    """
    if format is Format.NPY:
        return
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label} has {problem.size:,} squares: expected at most {MOST_SQUARES:,} to "
            f"write as {format.value}; use -o FILE.npy, or kt-cp locate for single squares"
        )
    if format is not Format.ANIMATION:
        return
    from kt_cp.render.animation import MOST_STEPS

    if problem.size > MOST_STEPS:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_STEPS} squares for an animation, "
            f"got {problem.size}; use --format svg"
        )


def written(outcome: Outcome, format: Format) -> str:
    r"""Text of an outcome, ending with a newline.

    Raises
    ------
    ValueError
        If the format shows a board and the outcome has no tour on one, or it is none of text.

    Examples
    --------
    >>> from kt_cp import Board, Problem, solve
    >>> written(solve(Problem(Board(1, 1))), Format.NAMES)
    'a1\n'
    """
    if format not in formats_of(Subject.TOUR):
        raise ValueError(f"expected a format of tours, got {format.value}")
    outcome = _laid_out(outcome)
    if format is Format.JSON:
        from kt_cp.formats.json import outcome_json

        return outcome_json(outcome) + "\n"
    tour = outcome.tour
    if tour is None:
        raise ValueError(f"expected a tour to write as {format.value}")
    if format is Format.CSV:
        from kt_cp.formats.plain_text import tour_csv

        return tour_csv(tour)
    if format is Format.NAMES:
        from kt_cp.formats.plain_text import tour_names

        return tour_names(tour) + "\n"
    if tour.board is None or format is Format.NPY:
        raise ValueError(f"expected a tour on a board to write as {format.value}")
    shown: dict[str, Any] = {"piece": tour.piece, "closed": tour.closed}
    shown |= {"require": outcome.problem.require, "forbid": outcome.problem.forbid}
    if format is Format.SVG:
        from kt_cp.render.svg import tour_svg

        return tour_svg(tour.board, tour.squares, **shown)
    if format is Format.ANIMATION:
        from kt_cp.render.animation import animation_svg
        from kt_cp.render.board import titled
        from kt_cp.render.steps import tour_steps

        where = titled("tour", tour.board, tour.piece)
        title = f"{where}, {outcome.problem.kind}, step by step"
        return animation_svg(tour.board, list(tour_steps(tour.squares)), title=title, **shown)
    from kt_cp.formats.plain_text import tour_grid

    return tour_grid(tour.board, tour.squares) + "\n"


def _laid_out(outcome: Outcome) -> Outcome:
    """The same with its squares held: taken from the array, as it was judged."""
    tour = outcome.tour
    if tour is None or not tour.computed:
        return outcome
    from kt_cp.model.arrays import squares_in

    return replace(outcome, tour=replace(tour, squares=squares_in(tour.to_array())))
