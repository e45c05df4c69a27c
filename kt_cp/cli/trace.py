"""``kt-cp trace``: the search of a source program, board by board."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

import typer

from kt_cp.cli.files import OutputFile
from kt_cp.cli.options import SOURCE_NAMES, Force, Json, Output, format_of, format_option
from kt_cp.cli.output import FOUND, StandardOutput, destination, remark
from kt_cp.cli.question import Question, asks
from kt_cp.cli.start import start_of
from kt_cp.formats.table import PAINTED, Format, Subject
from kt_cp.model.board import Square, describe, parse_squares
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.problem import Problem
from kt_cp.sources.registry import EVERY_TOUR, Source, find_source
from kt_cp.trust.reference import Ending, Trace

MOST_SQUARES = 1 << 16
"""Largest board that is traced: every board shown has as many squares."""

SLOWEST = 0.05
"""Fewest boards a second of an animation."""

LONGEST_SIDE_ANIMATED = 64
"""Longest side of an animated board."""


USUAL_BOARDS = {**dict.fromkeys((Format.SVG, *PAINTED), 24), Format.ANIMATION: 240}
"""Boards of a picture where ``--to`` does not say; what is not here is no picture."""


@asks(start=typer.Option(metavar="SQUARE", help="First square", show_default="a1"))
def command(
    question: Question,
    *,
    source: Annotated[
        str, typer.Option(metavar="NAME", help=f"Whose order of moves: {SOURCE_NAMES}")
    ] = "002",
    at: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help="The start as the document counts, such as 3,3"),
    ] = None,
    walk: Annotated[
        str | None,
        typer.Option(
            metavar="SQUARES",
            help="A walk to draw first, such as 'a1 c2 d4'; to name a square again is to go back to"
            " it. Then the search goes on from there",
        ),
    ] = None,
    first: Annotated[
        int, typer.Option("--from", metavar="BOARD", min=1, help="Number of the first to show")
    ] = 1,
    last: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="BOARD",
            min=1,
            help="Number of the last",
            show_default="the search's last; a picture stops at 24 boards, an animation at 240",
        ),
    ] = None,
    format: Annotated[
        Format | None,
        format_option(
            Subject.SEARCH,
            "svg, png, pdf: side by side; animation: one after the other. "
            "Default: text, or what FILE's name ends with",
        ),
    ] = None,
    json: Json = False,
    speed: Annotated[
        float | None,
        typer.Option(
            metavar="BOARDS", help="Boards a second of an animation", show_default="4 or more"
        ),
    ] = None,
    output: Output = None,
    force: Force = False,
) -> int:
    """Show the recursion board by board: K the piece, X a square visited before.

    Every square placed or taken back is one board.  The search ends with its first tour; that of
    004 goes on through all of them.  Boards of 003 and 004 have rank 1 on top, as they print them.
    """
    shape = format_of(format, json, output, Subject.SEARCH, Format.TEXT)
    order = find_source(source)
    start, given = start_of(order, question, at), _given(walk)
    if given and start is not None:
        raise InputError(
            f"--walk begins with its own start: expected no other, got {describe(start)}"
        )
    problem = question.problem_on_board(start=given[0] if given else start or (0, 0))
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_SQUARES:,} squares to be traced, "
            f"got {problem.size:,}"
        )
    if last is not None and last < first:
        raise InputError(f"expected --to to be at least --from, which is {first}, got {last}")
    _check_speed(speed, shape)
    drawn = shape in USUAL_BOARDS
    stop = _check_picture(problem, shape, first, last) if drawn else last
    with destination(output, force=force) as place:
        trace = Trace(
            problem,
            problem.start,
            order.candidates(problem),
            first=first,
            last=stop,
            walk=given,
            every=order.number == EVERY_TOUR,
        )
        if drawn:
            place.write(_picture(trace, problem, order, shape, first, speed))
        else:
            _stream(place, trace, problem, order, shape, first)
    if stop != last and trace.ending is Ending.STOPPED:
        remark(f"kt-cp: the picture stops at board {stop}, the search goes on; see --to")
    return FOUND


def _given(walk: str | None) -> list[Square]:
    """The squares of ``--walk``, with blanks, commas or dashes between them."""
    if walk is None:
        return []
    try:
        squares = parse_squares(walk.replace("-", " "))
    except InputError as error:
        raise InputError(f"--walk: {error}") from None
    if not squares:
        raise InputError(f"--walk: expected squares such as 'a1 c2 d4', got {walk!r}")
    return squares


def _check_speed(speed: float | None, shape: Format) -> None:
    from kt_cp.render.animation import FASTEST

    if speed is None:
        return
    if shape is not Format.ANIMATION:
        raise InputError(f"--speed is that of an animation, got --format {shape}")
    if not SLOWEST <= speed <= FASTEST:
        raise InputError(
            f"expected a speed from {SLOWEST:g} to {FASTEST:g} boards a second, got {speed}"
        )


def _check_picture(problem: Problem, shape: Format, first: int, last: int | None) -> int:
    """Refuse what would make no picture, and say which board is its last."""
    from kt_cp.render.animation import LONGEST_SIDE, MOST_BOARDS, MOST_STEPS

    assert problem.board is not None
    still = shape is not Format.ANIMATION
    side = LONGEST_SIDE if still else LONGEST_SIDE_ANIMATED
    if max(problem.board.rows, problem.board.columns) > side:
        raise TooLargeError(
            f"{problem.label}: expected sides of at most {side} for --format {shape}; "
            "--format text takes more"
        )
    if last is None:
        return first + USUAL_BOARDS[shape] - 1
    most, boards = MOST_BOARDS if still else MOST_STEPS, last - first + 1
    if boards > most:
        raise InputError(
            f"expected at most {most} boards for --format {shape}, to be chosen by --from and "
            f"--to, got {boards}"
        )
    return last


def _picture(
    trace: Trace, problem: Problem, order: Source, shape: Format, first: int, speed: float | None
) -> str | bytes:
    from kt_cp.formats.trace import picture_steps
    from kt_cp.formats.write import drawn
    from kt_cp.render.animation import animation_svg, comic_svg

    assert problem.board is not None
    frames = iter(trace)
    earliest = next(frames, None)
    if earliest is None:
        boards = trace.placed + trace.taken_back
        raise InputError(
            f"expected --from to be at most {boards}, the last board of this search, got {first}"
        )
    steps = list(picture_steps(chain([earliest], frames)))
    title = f"Search for a tour ({problem.label}), source {order.number}, from board {first} on"
    if shape is not Format.ANIMATION:
        beside = comic_svg(
            problem.board,
            steps,
            earliest.before,
            piece=problem.piece,
            title=title,
            downwards=order.downwards,
        )
        return drawn(beside, shape)
    return animation_svg(
        problem.board,
        steps,
        earliest.before,
        piece=problem.piece,
        speed=speed,
        title=title,
        downwards=order.downwards,
    )


def _stream(
    place: OutputFile | StandardOutput,
    trace: Trace,
    problem: Problem,
    order: Source,
    shape: Format,
    first: int,
) -> None:
    """Board by board, for as long as somebody reads."""
    from kt_cp.formats import trace as written

    assert problem.board is not None
    for frame in trace:
        if shape is Format.JSON:
            text = written.frame_json(frame)
        else:
            text = written.frame_text(
                problem.board, frame, problem.piece, downwards=order.downwards
            )
        if not place.add(text):
            return
    if shape is Format.JSON:
        place.add(written.ending_json(trace, problem, order.number))
    else:
        place.add(written.ending_text(trace, first))
    place.finish()
