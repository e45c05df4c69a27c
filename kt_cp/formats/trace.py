"""The boards of a search as text, as JSON lines, and as steps for pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from kt_cp.formats.write import SCHEMA_VERSION, frame_cells
from kt_cp.model.board import Board, describe
from kt_cp.model.document import problem_document
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.model.problem import Problem
from kt_cp.render.animation import Step
from kt_cp.trust.reference import Ending, Trace, TraceStep

HERE, VISITED, FREE, HOLE = "K", "X", "·", "#"
"""Marks of squares in text."""


def frame_text(
    board: Board, frame: TraceStep, piece: Piece = KNIGHT, *, downwards: bool = False
) -> str:
    """Return a heading, the board and an empty line; with ``downwards``, rank 1 is on top.

    >>> print(frame_text(Board(3, 3), TraceStep(9, False, (0, 1), ((0, 0), (2, 1)))), end="")
    Board 9: back to move 2, b1 is free again
    3 │ · K ·
    2 │ · · ·
    1 │ X · ·
      └──────
        a b c
    <BLANKLINE>
    """
    cells = [[FREE] * board.columns for _ in range(board.rows)]
    for row, column in board.missing:
        cells[row][column] = HOLE
    for row, column in frame.path:
        cells[row][column] = VISITED
    if frame.path:
        row, column = frame.path[-1]
        cells[row][column] = HERE
    return f"{heading(frame, piece)}\n{frame_cells(cells, 1, downwards=downwards)}\n\n"


def heading(frame: TraceStep, piece: Piece = KNIGHT) -> str:
    """Return a line that describes the event of a board."""
    square = describe(frame.square)
    if not frame.path:
        return f"Board {frame.number}: back to the beginning, {square} is free again"
    if not frame.placed:
        return f"Board {frame.number}: back to move {frame.move}, {square} is free again"
    if frame.move == 1:
        return f"Board {frame.number}: move 1, the {piece} starts on {square}"
    no_move = "" if frame.legal else f", which is no move of a {piece}"
    tour = f", tour {frame.tour:,}" if frame.tour else ""
    left = describe(frame.path[-2])
    return f"Board {frame.number}: move {frame.move}, {left} to {square}{no_move}{tour}"


def ending_text(trace: Trace, first: int = 1) -> str:
    r"""Return a line that describes how a search ended.

    >>> trace = Trace(Problem(Board(1, 1)), (0, 0))
    >>> [frame.number for frame in trace], ending_text(trace)
    ([1], 'The search ends with a tour at board 1: 1 square placed, 0 taken back.\n')
    """
    boards = trace.placed + trace.taken_back
    many = f"{trace.placed:,} square{'s' * (trace.placed != 1)} placed"
    counts = f"{many}, {trace.taken_back:,} taken back"
    tours = f"{trace.tours:,} tour{'s' * (trace.tours != 1)}"
    after = f"The walk that was given has {trace.given} boards. " if trace.given else ""
    if trace.ending is Ending.STOPPED:
        found = f" after {tours}" if trace.tours else ""
        return f"{after}Stopped after board {boards}{found}, and the search goes on: {counts}.\n"
    how = f"with {tours}, everything tried," if trace.tours else "without a tour, everything tried,"
    if trace.ending is Ending.TOUR:
        how = "with a tour"
    before = f"There is no board {first}. " if boards < first else ""
    return f"{before}{after}The search ends {how} at board {boards}: {counts}.\n"


def frame_json(frame: TraceStep) -> str:
    """Return a board as a line of JSON."""
    path = [describe(square) for square in frame.path]
    document = {
        "board": frame.number,
        "event": "placed" if frame.placed else "taken_back",
        "square": describe(frame.square),
        "move": frame.move,
        "knight": path[-1] if path else None,
        "path": path,
        "tour": frame.tour or None,
        "given": frame.given,
        "legal": frame.legal,
    }
    return json.dumps(document) + "\n"


def ending_json(trace: Trace, problem: Problem, source: str) -> str:
    """Return the last line of JSON: the problem and the ending."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        "source": source,
        "ending": None if trace.ending is None else trace.ending.value,
        "given": trace.given,
        "tours": trace.tours,
        "placed": trace.placed,
        "taken_back": trace.taken_back,
    }
    return json.dumps(document) + "\n"


def picture_steps(frames: Iterable[TraceStep]) -> Iterator[Step]:
    """Yield the steps of boards with short captions for small pictures."""
    for frame in frames:
        square = describe(frame.square)
        if not frame.placed:
            event = f"back from {square}"
        else:
            event = square if frame.move == 1 else f"{describe(frame.path[-2])}–{square}"
        no_move = "" if frame.legal else ", no move"
        tour = f", tour {frame.tour}" if frame.tour else ""
        yield Step(frame.placed, frame.square, f"{frame.number} · {event}{no_move}{tour}")
