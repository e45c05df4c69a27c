"""``kt-cp reference`` runs a source program; ``kt-cp trace`` shows its search board by board.

Output has the form of the program's document.  The start is the name of a square, or a pair of
numbers as the document counts, or is typed at the prompt of the program.
"""

from __future__ import annotations

import json as json_module
import sys
from contextlib import nullcontext
from itertools import chain
from typing import Annotated, Any

import typer

from kt_cp.cli.options import Force, Json, Output, TimeLimit, format_of, format_option
from kt_cp.cli.output import (
    FOUND,
    UNKNOWN,
    Destination,
    destination,
    print_result,
    remark,
    search_progress,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import EXIT_CODES
from kt_cp.formats.table import CONVERTED, Format, Subject
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import Board, Square, describe, parse_squares
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.sources.registry import (
    COORDINATES,
    EVERY_TOUR,
    SOURCE_NAMES,
    SOURCES,
    Source,
    answer_text,
    find_source,
    moves_text,
    parse_at,
)
from kt_cp.sources.run import Method, Recursion, RunReport, check_size, closed_tour, run_source
from kt_cp.trust.reference import Ending, Trace

READS_START = "001"
"""The one source that reads its start."""


def start_square(source: Source, question: ProblemOptions, at: str | None) -> Square | None:
    """Return the square of ``--start`` or ``--at``, or None if neither is given."""
    named = question.arguments().get("start")
    if at is None:
        return named
    if named is not None:
        raise InputError(
            f"--start and --at name one thing: expected one, got {question.start!r} and {at!r}"
        )
    try:
        return parse_at(source, question.board_on(), at)
    except InputError as error:
        raise InputError(f"--at: {error}") from None


def read_start(source: Source, question: ProblemOptions, *, quiet: bool) -> Square:
    """Prompt for the two numbers of the start, one on each line, and return their square.

    Prompts belong to the output of the program.  So do the answers: if no terminal shows them, they
    are printed as well.  ``quiet`` prints nothing on stdout.

    Raises
    ------
    InputError
        If stdin ends before both numbers, or they are not a square of the board.
    """
    numbers = []
    for axis in COORDINATES[source.number].axes:
        prompts_for_start = f"Start at {axis} = "
        if not quiet:
            print_result(prompts_for_start)
        elif sys.stdin is not None and sys.stdin.isatty():
            print(prompts_for_start, end="", file=sys.stderr, flush=True)
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            raise InputError(
                f"document {source.number} reads x and y from stdin: expected {axis} there, or "
                "--start or --at; reached the end of the input"
            )
        numbers.append(line.strip())
        if not quiet:
            is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
            print_result("\n" if is_terminal else f"{numbers[-1]}\n\n")
    return parse_at(source, question.board_on(), ",".join(numbers))


@with_problem_options(
    "board",
    "start",
    "missing",
    board=typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 8x10", show_default=False),
)
def reference_command(
    question: ProblemOptions,
    *,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="One of the five, by number or name", show_default="modula"
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help="The start as the document counts, such as 3,3"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="TOURS", help="Most tours, for 004")
    ] = None,
    method: Annotated[
        Method,
        typer.Option(
            help="Method of 003: its recursion; a closed tour with both moves past every corner;"
            " the same by the search of the text alone; or four such tours, merged, for even sides"
        ),
    ] = Method.PLAIN,
    recursion: Annotated[
        Recursion | None,
        typer.Option(
            help="Both place the same squares. Default: readable, and compiled for long runs",
            show_default=False,
        ),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="Show the eight moves in their order, and run nothing")
    ] = False,
    time_limit: TimeLimit = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON; for 004, a line for each square")
    ] = False,
) -> int:
    """Run the recursion of one of the five source texts, with its order and output."""
    if moves:
        listed_sources = SOURCES if source is None else [find_source(source)]
        print_result("\n".join(map(moves_text, listed_sources)))
        return FOUND
    if question.board is None:
        raise InputError("expected a BOARD, such as 5x5, or --moves; got neither")
    chosen = find_source("modula" if source is None else source)
    every = chosen.number == EVERY_TOUR
    if limit is not None and not every:
        raise InputError(
            f"--limit is for {EVERY_TOUR}, which prints every tour; {_named(chosen)} stops at its "
            f"first: expected no --limit, got {limit}"
        )
    if recursion is not None and method is not Method.PLAIN:
        raise InputError(f"--recursion is for the plain method, got --method {method}")
    limits = Limits(time_limit)
    the_board, start = question.board_on(), start_square(chosen, question, at)
    prompts_for_start = start is None and chosen.number == READS_START and method is Method.PLAIN
    if prompts_for_start:
        check_size(question.problem_on_board())
        start = read_start(chosen, question, quiet=json)
    problem = question.problem_on_board(start=start or (0, 0))
    clock = limits.clock()
    if method is not Method.PLAIN:
        return _closed(chosen, problem, method, clock, json=json)
    printer = _Printer(
        chosen, the_board, None if prompts_for_start else problem.start, json, limit if every else 1
    )
    # A spinner would disturb tours that scroll by.
    with nullcontext() if every else search_progress(problem.label) as progress:
        account = run_source(
            chosen,
            problem,
            printer.receive,
            recursion=recursion,
            should_stop=clock.expired,
            progress=progress,
        )
    ended = account.exhausted or printer.enough
    if json:
        tours = {"tours": account.tours} if every else {"tour": printer.last}
        printer.show(
            _reference_document(
                chosen,
                problem,
                account.verdict,
                solved=account.tours > 0,
                **tours,
                exhausted=account.exhausted,
                placed=account.placed,
                taken_back=account.taken_back,
                recursion=account.recursion.value,
            )
        )
    elif account.verdict is Verdict.IMPOSSIBLE:
        printer.show(
            answer_text(chosen, the_board, None if prompts_for_start else problem.start, None)
        )
    if not ended:
        found = f" after {_tours(account.tours)}" if account.tours else ""
        remark(
            f"kt-cp: unknown whether there is {'another' if found else 'a'} tour: "
            f"the time limit of {time_limit} s was reached{found}"
        )
        return UNKNOWN
    remark(_account(chosen, problem, account, every=every))
    return EXIT_CODES[account.verdict]


reference_command.__doc__ = "\n\n".join(
    [
        str(reference_command.__doc__),
        *(f"{source.number}, {source.name}: {source.summary}" for source in SOURCES),
        "Exits with 0 for a tour, 1 if there is none from that start, 3 if a limit was reached.",
    ]
)


def _closed(source: Source, problem: Problem, method: Method, clock: Clock, *, json: bool) -> int:
    """Print a closed tour by an algorithm of text 003, written from the start."""
    outcome = closed_tour(source, problem, method, clock.expired)
    board = problem.board
    assert board is not None
    if outcome.verdict is Verdict.UNKNOWN:
        remark("kt-cp: unknown whether there is a structured tour: the time limit was reached")
        return UNKNOWN
    squares = outcome.squares
    if json:
        print_result(
            _reference_document(
                source,
                outcome.problem,
                outcome.verdict,
                solved=squares is not None,
                structured=squares is not None,
                tour=None if squares is None else [describe(square) for square in squares],
                how=outcome.how,
            )
        )
    else:
        print_result(answer_text(source, board, problem.start, squares))
        if squares:
            print_result("Closed: True\nStructured: True\n")
    remark(f"{outcome.problem.label} by {_named(source)}, {method}: {outcome.how}")
    return EXIT_CODES[outcome.verdict]


class _Printer:
    """A printer of tours as they are found, until there are enough or the reader stops."""

    def __init__(
        self, source: Source, board: Board, start: Square | None, json: bool, most: int | None
    ) -> None:
        self._source, self._board, self._start = source, board, start
        self._json, self._most = json, most
        self._received = 0
        self._read = True
        self.last: list[str] | None = None

    def receive(self, squares: list[Any]) -> bool:
        self._received += 1
        self.last = [describe(square) for square in squares]
        if not self._json:
            self.show(answer_text(self._source, self._board, self._start, squares))
        elif self._source.number == EVERY_TOUR:
            self.show(_json(tour=self.last))
        return self.enough

    def show(self, text: str) -> None:
        self._read = self._read and print_result(text)

    @property
    def enough(self) -> bool:
        """Whether the tours are enough, or the reader has stopped."""
        return not self._read or self._received == self._most


def _reference_document(
    source: Source, problem: Problem, verdict: Verdict, **fields: object
) -> str:
    return _json(
        schema_version=SCHEMA_VERSION,
        source={"number": source.number, "name": source.name},
        problem=problem_document(problem),
        verdict=verdict.value,
        **fields,
    )


def _json(**document: object) -> str:
    return json_module.dumps(document, ensure_ascii=False) + "\n"


def _account(source: Source, problem: Problem, account: RunReport, *, every: bool) -> str:
    board = problem.board
    assert board is not None
    parts = [
        f"{account.placed:,} squares placed",
        f"{account.taken_back:,} taken back",
        f"{account.recursion} recursion",
    ]
    if every:
        whole = "all there are" if account.exhausted else "and no more were requested"
        parts[:0] = [_tours(account.tours), whole]
    where = f"{board.label} from {describe(problem.start)} by {_named(source)}"
    return f"{where}: {', '.join(parts)}"


def _named(source: Source) -> str:
    return f"{source.number} ({source.name})"


def _tours(count: int) -> str:
    return "1 tour" if count == 1 else f"{count:,} tours"


MOST_SQUARES = 1 << 16
"""Most squares of a board that is traced: every board shown has as many."""

SLOWEST = 0.05
"""Fewest boards a second of an animation."""

LONGEST_SIDE_ANIMATED = 64
"""Longest side of an animated board."""


USUAL_BOARDS = {**dict.fromkeys((Format.SVG, *CONVERTED), 24), Format.ANIMATION: 240}
"""Boards of a picture without ``--to``; other formats are not pictures."""


@with_problem_options(start=typer.Option(metavar="SQUARE", help="First square", show_default="a1"))
def trace_command(
    question: ProblemOptions,
    *,
    source: Annotated[
        str, typer.Option(metavar="NAME", help=f"Source of the order of moves: {SOURCE_NAMES}")
    ] = "002",
    at: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help="The start as the document counts, such as 3,3"),
    ] = None,
    walk: Annotated[
        str | None,
        typer.Option(
            metavar="SQUARES",
            help="A walk to draw first, such as 'a1 c2 d4'. A square that occurs again is a step"
            " back to it. The search continues from the end",
        ),
    ] = None,
    first: Annotated[
        int,
        typer.Option("--from", metavar="BOARD", min=1, help="Number of the first board to show"),
    ] = 1,
    last: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="BOARD",
            min=1,
            help="Number of the last board",
            show_default="the last of the search; 24 in a picture, 240 in an animation",
        ),
    ] = None,
    format: Annotated[
        Format | None,
        format_option(
            Subject.SEARCH,
            "svg, png, pdf: side by side; animation: one after the other. "
            "Default: text, or by the suffix of FILE",
        ),
    ] = None,
    json: Json = False,
    speed: Annotated[
        float | None,
        typer.Option(
            metavar="BOARDS", help="Boards per second of an animation", show_default="4 or more"
        ),
    ] = None,
    output: Output = None,
    force: Force = False,
) -> int:
    """Show the recursion board by board: K is the piece, X a square visited before.

    Every square placed or taken back is one board.  The search ends with its first tour; that of
    004 goes through all of them.  Boards of 003 and 004 have rank 1 on top, as in the texts.
    """
    shape = format_of(format, json, output, Subject.SEARCH, Format.TEXT)
    order = find_source(source)
    start, given = start_square(order, question, at), _parse_walk(walk)
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


def _parse_walk(walk: str | None) -> list[Square]:
    """Return the squares of ``--walk``, with blanks, commas or dashes between them."""
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
    """Refuse boards that do not fit a picture, and return the last one that it shows."""
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
    from kt_cp.formats.write import convert_picture
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
        return convert_picture(beside, shape)
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
    place: Destination, trace: Trace, problem: Problem, order: Source, shape: Format, first: int
) -> None:
    """Print one board after the other until the reader closes the pipe."""
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
