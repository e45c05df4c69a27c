"""Which formats have room for a problem's tour, and which one is usual."""

from __future__ import annotations

from kt_cp.formats.table import PAINTED, Format
from kt_cp.formats.write import MOST_SQUARES
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.problem import Problem

MOST_PAINTED = 100_000
"""Of a tour that is painted as PNG or PDF: these take ten seconds and more."""

OF_BOARDS = frozenset({Format.GRID, Format.SOURCE, Format.ANIMATION, Format.NPY})
"""Formats that have no place for a graph's tour."""


def usual(problem: Problem) -> Format:
    """How a tour is written where nothing is said: as a grid, or by the names of nodes."""
    return Format.NAMES if problem.board is None else Format.GRID


def check_size(problem: Problem, format: Format) -> None:
    """Refuse, before the search, a format that has no place for a problem's tour.

    Raises
    ------
    InputError
        If the format is one of boards and the problem is about a graph.
    TooLargeError
        If the board is too large for it, saying what would do instead.
    """
    if problem.board is None and format in OF_BOARDS:
        raise InputError(
            f"expected a board for {format.value}, got {problem.label}: names, csv, json and "
            "pictures have a place for a graph's tour"
        )
    if problem.board is None and (format is Format.SVG or format in PAINTED):
        from kt_cp.render.graph import check_nodes

        check_nodes(problem.size)
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label} has {problem.size:,} squares: expected at most {MOST_SQUARES:,} to "
            f"write as {format.value}; use -o FILE.npy, or kt-cp locate for single squares"
        )
    if format in PAINTED and problem.size > MOST_PAINTED:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_PAINTED:,} squares for {format.value}, "
            f"got {problem.size:,}; use --format svg"
        )
    if format is not Format.ANIMATION:
        return
    from kt_cp.render.animation import MOST_STEPS

    if problem.size > MOST_STEPS:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_STEPS} squares for an animation, "
            f"got {problem.size}; use --format svg"
        )
