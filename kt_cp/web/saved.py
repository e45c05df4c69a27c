"""Files of a board, and of a tour on it if there is one."""

from __future__ import annotations

import json
from typing import Any

from kt_cp.formats.table import Format, check_size
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Checks, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.trust.judge import defects
from kt_cp.web.asks import Asked
from kt_cp.web.watch import Emit


def picture(problem: Problem, asked: Asked, emit: Emit) -> None:
    """The file of a format; a tour is judged before it is written."""
    shape = {"text": Format.GRID}.get(asked["format"]) or Format(asked["format"])
    if asked["tour"] is None:
        content = _of_board(problem, shape)
    else:
        tour = problem.tour(asked["tour"])
        if wrong := defects(problem, tour.squares):
            raise InputError(f"expected a tour of {problem.label}, got none: {wrong[0]}")
        content = _sheet(problem, tour, asked) if asked["grade"] else _of_tour(problem, tour, shape)
    emit({"event": "file", "content": content.encode() if isinstance(content, str) else content})


def _of_tour(problem: Problem, tour: Tour, shape: Format) -> str | bytes:
    from kt_cp.formats.write import content

    check_size(problem, shape)
    if shape is Format.NPY:
        from kt_cp.formats.array import npy_pieces

        return b"".join(map(bytes, npy_pieces(tour)))
    said = Outcome(Verdict.FOUND, problem, "page", tour=tour, checks=Checks(verified=True))
    return content(said, shape)


def _sheet(problem: Problem, tour: Tour, asked: Asked) -> str | bytes:
    from kt_cp.puzzles import Grade, Puzzle
    from kt_cp.puzzles.output import render_puzzles

    puzzle = Puzzle(problem, tour, Grade(asked["grade"]), asked["seed"])
    return render_puzzles([puzzle], Format.PDF, both=asked["both"], sheet=True)


def _of_board(problem: Problem, shape: Format) -> str | bytes:
    from kt_cp.formats.drawing import draw_board
    from kt_cp.formats.write import drawn
    from kt_cp.model.conditions import Given
    from kt_cp.render.sheet import Drawing, puzzle_svg

    board, piece = problem.board, problem.piece
    assert board is not None
    steps = (each for each in problem.conditions if isinstance(each, Given))
    given: dict[Any, int] = {each.square: each.step for each in steps}
    if shape is Format.JSON:
        return json.dumps({"problem": problem_document(problem)}, indent=2) + "\n"
    if shape is Format.NPY:
        raise InputError("expected a tour to write as npy")
    if shape is Format.GRID:
        return draw_board(board, given)
    moves = problem.require, problem.forbid
    made = Drawing(board, piece, problem.closed, given, (), problem.label, *moves)
    return drawn(puzzle_svg(made), shape)
