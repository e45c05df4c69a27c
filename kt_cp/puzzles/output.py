"""Puzzles as text and pictures: one alone, or several on sheets to print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kt_cp.formats.drawing import draw_problem
from kt_cp.formats.table import CONVERTED, Format
from kt_cp.formats.write import tour_grid
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError
from kt_cp.model.terms import counted
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.render.rasterize import convert_pages, convert_svg
from kt_cp.render.sheet import Drawing, page_bodies, page_svgs, puzzle_svg, sheet_svg


def puzzle_rule(puzzle: Puzzle) -> str:
    """Return the instruction for the solver, in a sentence.

    Examples
    --------
    >>> from kt_cp.puzzles import make_puzzle
    >>> puzzle_rule(make_puzzle("3x4"))
    "Write 1 to 12 into the squares: from each to the next a knight's move."
    """
    problem = puzzle.problem
    back = f", and from {problem.size} back to 1" if problem.closed else ""
    return (
        f"Write 1 to {problem.size} into the squares: "
        f"from each to the next a {problem.piece.name}'s move{back}."
    )


def puzzle_document(puzzle: Puzzle) -> dict[str, Any]:
    """Return the JSON object of a puzzle, with its rule and pictures of it and its solution."""
    return {
        "puzzle": json.loads(puzzle.to_json()),
        "rule": puzzle_rule(puzzle),
        "svg": render_puzzles([puzzle], Format.SVG),
        "solution_svg": render_puzzles([puzzle], Format.SVG, solved=True),
    }


def render_puzzles(
    puzzles: Sequence[Puzzle],
    format: Format,
    *,
    solved: bool = False,
    both: bool = False,
    sheet: bool = False,
) -> str | bytes:
    """Return the content of a file of puzzles, or of their solutions if ``solved``.

    With ``both`` the solutions follow the puzzles on sheets; text never contains them, because it
    is read back as puzzles.  With ``sheet`` a single puzzle also gets a sheet, with the rule above
    it.  Raise InputError for puzzles on graphs, which have no board to draw.

    Examples
    --------
    >>> from kt_cp.puzzles import make_puzzle
    >>> print(render_puzzles([make_puzzle("3x4", start="a1", seed=2)], Format.DRAWING), end="")
    . . 9 .
    . . . .
    1 . . .
    """
    if format is Format.JSON:
        if len(puzzles) == 1:
            return puzzles[0].to_json() + "\n"
        return "".join(f"{each.to_json(indent=None)}\n" for each in puzzles)
    if format is Format.DRAWING:
        boards = [_board(each) for each in puzzles]
        return "\n".join(
            tour_grid(board, each.tour.squares) + "\n"
            if solved
            else draw_problem(each.problem, each.numbers)
            for board, each in zip(boards, puzzles, strict=True)
        )
    if len(puzzles) == 1 and not sheet:
        picture = puzzle_svg(_drawing(puzzles[0]), solved=solved)
        return convert_svg(picture, format.value) if format in CONVERTED else picture
    numbers = range(1, len(puzzles) + 1) if len(puzzles) > 1 else [None]
    drawings = [_drawing(each, number) for number, each in zip(numbers, puzzles, strict=True)]
    rule, title = puzzle_rule(puzzles[0]), counted(len(puzzles), "puzzle")
    bodies = page_bodies(drawings, rule, solved=solved)
    bodies += page_bodies(drawings, rule, solved=True) if both else []
    if format is Format.PDF:
        return convert_pages(page_svgs(bodies, title))
    picture = sheet_svg(bodies, title)
    return convert_svg(picture, format.value) if format in CONVERTED else picture


def _board(puzzle: Puzzle) -> Board:
    if puzzle.problem.board is None:
        raise InputError("expected a puzzle on a board to draw, got one on a graph: write JSON")
    return puzzle.problem.board


def _drawing(puzzle: Puzzle, number: int | None = None) -> Drawing:
    problem = puzzle.problem
    caption = f"{puzzle.base_problem.label}: {puzzle.grade}, seed {puzzle.seed}"
    return Drawing(
        _board(puzzle),
        problem.piece,
        problem.closed,
        puzzle.numbers,
        puzzle.tour.squares,
        caption if number is None else f"{number}. {caption}",
        problem.require,
        problem.forbid,
    )
