"""An outcome in any of the formats that are written, each loaded when it is used."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from kt_cp.errors import TooLargeError
from kt_cp.outcome import Outcome
from kt_cp.problem import Problem


class Format(StrEnum):
    """How an outcome is written; all but JSON need a tour, and NPY a file."""

    GRID = "grid"
    NAMES = "names"
    JSON = "json"
    CSV = "csv"
    SVG = "svg"
    ANIMATION = "animation"
    NPY = "npy"


MOST_SQUARES = 4_000_000
"""Of a tour that is written as text: a grid of so many takes 30 MB, and some seconds to write."""

BY_SUFFIX = {
    ".json": Format.JSON,
    ".csv": Format.CSV,
    ".svg": Format.SVG,
    ".names": Format.NAMES,
    ".txt": Format.GRID,
    ".npy": Format.NPY,
}
"""Format that the name of a file asks for."""


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
    outcome = _laid_out(outcome)
    if format is Format.JSON:
        from kt_cp.formats.json import outcome_json

        return outcome_json(outcome) + "\n"
    tour = outcome.tour
    if tour is None:
        raise ValueError(f"expected a tour to write as {format.value}")
    if format is Format.CSV:
        from kt_cp.formats.csv import tour_csv

        return tour_csv(tour)
    if format is Format.NAMES:
        from kt_cp.formats.names import tour_names

        return tour_names(tour) + "\n"
    if tour.board is None or format is Format.NPY:
        raise ValueError(f"expected a tour on a board to write as {format.value}")
    if format is Format.SVG:
        from kt_cp.render.svg import tour_svg

        return tour_svg(tour.board, tour.squares, closed=tour.closed)
    if format is Format.ANIMATION:
        from kt_cp.render.animation import animation_svg
        from kt_cp.render.steps import tour_steps

        title = f"Knight's tour on a {tour.board} board, {outcome.problem.kind}, step by step"
        return animation_svg(
            tour.board, list(tour_steps(tour.squares)), closed=tour.closed, title=title
        )
    from kt_cp.formats.grid import tour_grid

    return tour_grid(tour.board, tour.squares) + "\n"


def _laid_out(outcome: Outcome) -> Outcome:
    """The same with its squares held: taken from the array, as it was judged."""
    tour = outcome.tour
    if tour is None or not tour.computed:
        return outcome
    from kt_cp.arrays import squares_in

    return replace(outcome, tour=replace(tour, squares=squares_in(tour.to_array())))
