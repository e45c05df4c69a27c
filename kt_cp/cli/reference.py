"""``kt-cp reference``: one of the five source programs, run and shown as its document does."""

from __future__ import annotations

import json as json_module
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from kt_cp.cli.options import TimeLimit
from kt_cp.cli.output import FOUND, OF_VERDICT, UNKNOWN, remark, search_progress, show
from kt_cp.cli.question import Question, asks
from kt_cp.cli.start import ASKS, asked_start, start_of
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import Board, Square, describe
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.sources.registry import EVERY_TOUR, SOURCES, Source, answer_text, find_source, moves_text
from kt_cp.sources.run import Method, Recursion, RunReport, check_size, closed_tour, run_source

HELP = "\n\n".join(
    [
        "Run the recursion of one of the five source texts, as it runs and prints there.",
        *(f"{source.number}, {source.name}: {source.summary}" for source in SOURCES),
        "Exits with 0 for a tour, 1 if there is none from that start, 3 if a limit was reached.",
    ]
)


@asks(
    "board",
    "start",
    "missing",
    board=typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 8x10", show_default=False),
)
def command(
    question: Question,
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
            help="Of 003: its recursion; a closed tour with both moves past every corner; the same"
            " by no more than the text's own search; or four of them, merged, for even sides"
        ),
    ] = Method.PLAIN,
    recursion: Annotated[
        Recursion | None,
        typer.Option(
            help="Same squares, same counts; default: readable, and compiled where that is long",
            show_default=False,
        ),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="Show the eight moves in their order, and run nothing")
    ] = False,
    time_limit: TimeLimit = None,
    json: Annotated[bool, typer.Option("--json", help="For programs; of 004, lines")] = False,
) -> int:
    """Run one of the five source programs; its help is ``HELP``."""
    if moves:
        asked_of = SOURCES if source is None else [find_source(source)]
        show("\n".join(map(moves_text, asked_of)))
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
    the_board, start = question.on(), start_of(chosen, question, at)
    asked = start is None and chosen.number == ASKS and method is Method.PLAIN
    if asked:
        check_size(question.problem_on_board())
        start = asked_start(chosen, question, quiet=json)
    problem = question.problem_on_board(start=start or (0, 0))
    clock = limits.clock()
    if method is not Method.PLAIN:
        return _closed(chosen, problem, method, clock, json=json)
    printer = _Printer(
        chosen, the_board, None if asked else problem.start, json, limit if every else 1
    )
    # A spinner beside tours that scroll by would only be in their way.
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
            _document(
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
        printer.show(answer_text(chosen, the_board, None if asked else problem.start, None))
    if not ended:
        found = f" after {_tours(account.tours)}" if account.tours else ""
        remark(
            f"kt-cp: unknown whether there is {'another' if found else 'a'} tour: "
            f"the time limit of {time_limit} s was reached{found}"
        )
        return UNKNOWN
    remark(_account(chosen, problem, account, every=every))
    return OF_VERDICT[account.verdict]


def _closed(source: Source, problem: Problem, method: Method, clock: Clock, *, json: bool) -> int:
    """Text 003's closed tours, written from the start."""
    outcome = closed_tour(source, problem, method, clock.expired)
    board = problem.board
    assert board is not None
    if outcome.verdict is Verdict.UNKNOWN:
        remark("kt-cp: unknown whether there is a structured tour: the time limit was reached")
        return UNKNOWN
    squares = outcome.squares
    if json:
        show(
            _document(
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
        show(answer_text(source, board, problem.start, squares))
        if squares:
            show("Closed: True\nStructured: True\n")
    remark(f"{outcome.problem.label} by {_named(source)}, {method}: {outcome.how}")
    return OF_VERDICT[outcome.verdict]


class _Printer:
    """Shows the tours as they come, until there are enough or nobody reads on."""

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
        self._read = self._read and show(text)

    @property
    def enough(self) -> bool:
        """Whether no more tours are wanted."""
        return not self._read or self._received == self._most


def _document(source: Source, problem: Problem, verdict: Verdict, **came: object) -> str:
    return _json(
        schema_version=SCHEMA_VERSION,
        source={"number": source.number, "name": source.name},
        problem=problem_document(problem),
        verdict=verdict.value,
        **came,
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
        whole = "all there are" if account.exhausted else "and no more asked for"
        parts[:0] = [_tours(account.tours), whole]
    where = f"{board.label} from {describe(problem.start)} by {_named(source)}"
    return f"{where}: {', '.join(parts)}"


def _named(source: Source) -> str:
    return f"{source.number} ({source.name})"


def _tours(count: int) -> str:
    return "1 tour" if count == 1 else f"{count:,} tours"
