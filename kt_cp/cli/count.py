"""``kt-cp count``: how many tours there are, without listing them.

What ``sample``, ``rank`` and ``unrank`` share: tours by their numbers, or that there is none.

``kt-cp rank``: the number of a tour, or of each of several, among all tours of its problem.

``kt-cp unrank``: the tour of a number, which ``kt-cp rank`` tells.

``kt-cp sample``: tours drawn at random, each as likely as any other.
"""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.check import ToursReport, claimed_problem, judge_claim, read_claims
from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Executor,
    Force,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    format_of,
    format_option,
)
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    destination,
    print_result,
    print_text,
    read_bytes,
    remark,
    search_progress,
)
from kt_cp.cli.problem_options import OPTIONS, ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import (
    Answer,
    count_answer,
    count_summary,
    expect_single_graph,
    tour_text,
    write_answers,
)
from kt_cp.cli.words import completed
from kt_cp.formats.table import Format, Subject, check_size, default_format
from kt_cp.formats.write import SCHEMA_VERSION, tour_grid
from kt_cp.model.board import shorten
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import EndedError, InputError, TooLargeError
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted, units
from kt_cp.processes.memory import NUMBA_BYTES, require_memory

if TYPE_CHECKING:
    from kt_cp.counting import Count
    from kt_cp.counting.method import Estimate
    from kt_cp.counting.numbering import Numbering


SOON = 2.0
"""Seconds from which on the likely time is told as more than a moment."""


@with_problem_options(but="directed", board=OPTIONS["board"])
def count_command(
    question: ProblemOptions,
    *,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What counts them: dense, frontier, enumerate, or the one that is likely to be"
            " done first",
            autocompletion=completed(lambda: ("auto", "dense", "frontier", "enumerate")),
        ),
    ] = "auto",
    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected",
            help="Whether a tour and its reverse are two; by default for open tours without"
            " --classes; on a digraph they always are two. --directed also reads edges of a file"
            " that leaves it open, such as an edge list, as arcs",
            show_default=False,
        ),
    ] = None,
    classes: Annotated[
        bool, typer.Option("--classes", help="Count them up to rotation and reflection")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Count them once more in another way")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep the work there, and go on from what is there; alone, say how far it is",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    executor: Executor = None,
    json: Annotated[bool, typer.Option("--json", help="The answer as a JSON object")] = False,
) -> int:
    """Count the tours without listing them.

    What is likely to be done first is chosen, and told with the likely time before it starts.
    Exits with 0 if there is any tour, 1 if there is none, 3 if a limit came first, a store is not
    done yet, or no method would end: such a count is not begun, but for --method NAME with a
    --time-limit.
    """
    question = replace(question, arcs=directed is True)
    options: dict[str, Any] = {"directed": directed, "unique": classes, "confirm": confirm}
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
    if question.board is None:
        if store is None:
            raise InputError("expected a board or a file, or --store FOLDER, got neither")
        return _report_progress(store, json=json)
    if (problems := question.each()) is not None:
        expect_single_graph(store=store, executor=executor)
        from kt_cp.counting import count

        def answer(problem: Problem) -> Answer:
            try:
                found = count(problem, method, **options, **limits)
            except TooLargeError as error:
                remark(f"kt-cp: unknown: {error}")
                told = '{"tours": null, "complete": false}' if json else "unknown"
                return count_answer(told, 0, complete=False)
            told = count_summary(found, json=True) if json else f"{found.tours}"
            return count_answer(told, found.tours, complete=True)

        return write_answers(problems, answer, None, force=False)
    try:
        with Deadline(time_limit):
            found = _run_count(question.problem(), method, store, executor, options, limits)
    except TooLargeError as error:
        remark(f"kt-cp: unknown: {error}")
        return UNKNOWN
    print_result(count_summary(found, json=True)) if json else print_text(
        count_summary(found, json=False)
    )
    return FOUND if found.tours else NO


def _run_count(
    problem: Problem,
    method: str,
    store: Path | None,
    executor: str | None,
    options: dict[str, Any],
    limits: dict[str, Any],
) -> Count:
    """The answer, after a word on what it is likely to take."""
    from kt_cp.counting.api import describe_progress, run_plan
    from kt_cp.counting.plan import plan_count
    from kt_cp.model.limits import Limits
    from kt_cp.model.request import Request
    from kt_cp.processes.executors import open_executor

    request = Request.begin(problem, Limits(limits["time_limit"], limits["memory_limit"]))
    made = plan_count(request, method, store=store, **options)
    with open_executor(executor) as pool:
        if made.parts:
            remark(f"{problem.label}: by {made.method}, {describe_estimate(made.estimate)}")
        try:
            with search_progress(problem.label, limits["time_limit"]) as show_work:
                tell = (
                    None if show_work is None else (lambda work: show_work(describe_progress(work)))
                )
                found = run_plan(made, replace(request, progress=tell), executor=pool)
        except (KeyboardInterrupt, TimeLimitReachedError):
            if store is not None:
                remark(f"{problem.label}: what is done is kept in {store}")
            raise
    for way in found.confirmed:
        remark(f"{problem.label}: confirmed by {way}")
    return found


def describe_estimate(estimate: Estimate) -> str:
    """What a count is likely to take, in words.

    Examples
    --------
    >>> from kt_cp.counting.method import Estimate
    >>> describe_estimate(Estimate(430_000_000, 2_400_000_000, 31.0))
    'likely some 31 seconds, with 430,000,000 states in 2,400 MB'
    >>> describe_estimate(Estimate(36, 1000, 0.01)), describe_estimate(Estimate(36, 1000, 3e12))
    ('likely in a moment', 'likely some 10^5 years')
    >>> describe_estimate(Estimate(64, 1000, 0.0, timed=False))
    'without an estimate of the time'
    >>> describe_estimate(Estimate(11_300_000_000, 6_500_000_000, 7200.0, 45_000_000_000))
    'likely some 2 hours, with 11,300,000,000 states in 6,500 MB, and 45 GB on disk'
    """
    time = f"some {estimate.duration}" if estimate.seconds >= SOON else "in a moment"
    time = f"likely {time}" if estimate.timed else "without an estimate of the time"
    large = estimate.bytes >= 10_000_000
    room = f", with {estimate.states:,} states in {estimate.bytes / 1e6:,.0f} MB" if large else ""
    disk = f", and {estimate.disk / 1e9:,.0f} GB on disk" if estimate.disk else ""
    return f"{time}{room}{disk}"


def _report_progress(store: Path, *, json: bool) -> int:
    """Say how far a store is."""
    import json as json_module

    from kt_cp.counting.api import describe_progress
    from kt_cp.processes.store import last_progress, last_step, read_count_manifest, stored_count

    manifest, work, found = read_count_manifest(store), last_progress(store), stored_count(store)
    step, blocks = last_step(store)
    if json:
        document = {key: manifest[key] for key in ("problem", "method")}
        document |= {"step": step, "blocks": blocks, "steps": work.get("steps"), "tours": found}
        print_result(json_module.dumps({**document, "complete": found is not None}) + "\n")
    elif found is None:
        (at,) = describe_progress({"step": step, "steps": work.get("steps")})
        more = f" and {counted(blocks, 'block')} of the next" if blocks else ""
        print_text(f"{manifest['label']}, by {manifest['method']}: {at} is done{more}.\n")
    else:
        print_text(f"{counted(found, 'tour')} ({manifest['label']}; {manifest['counted']}).\n")
    return UNKNOWN if found is None else FOUND if found else NO


METHODS = ("auto", "dense", "frontier", "enumerate")
RankingMethod = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Whose numbers: dense, frontier, enumerate, or what suits the problem",
        autocompletion=completed(lambda: METHODS),
    ),
]
TableStore = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Keep the tables of dense there, or use those that are"),
]


def number_tours(
    problem: Problem,
    time_limit: float | None,
    memory_limit: float | None = None,
    method: str = "auto",
    store: Path | None = None,
) -> Numbering:
    """The tours of a problem by their numbers.

    Raises
    ------
    EndedError
        If that takes longer than the limit.
    """
    clock = Limits(time_limit).clock()
    require_memory(NUMBA_BYTES, "Numba")
    from kt_cp.counting.numbering import Numbering

    with search_progress(problem.label, time_limit) as shown:

        def told(work: Mapping[str, float | None]) -> None:
            if shown is not None:
                shown(work)
            if clock.expired():
                raise EndedError(f"the time limit of {time_limit:g} s was reached")

        return Numbering(problem, method, progress=told, memory_limit=memory_limit, store=store)


def numbering_line(tours: Numbering, **said: Any) -> str:
    """A line of JSON: the problem, what is said of its tours, and how many they are."""
    problem = tours.problem
    told = {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        **said,
        "tours": tours.size,
        "directed": problem.directed,
        "counted": units(problem, directed=problem.directed),
        "method": tours.method,
        "reason": tours.reason,
    }
    return json_module.dumps(told, ensure_ascii=False) + "\n"


def report_no_tour(tours: Numbering, *, json: bool) -> None:
    """Say that there is none, and why."""
    if json:
        print_result(numbering_line(tours))
    else:
        print_text(f"No tour ({tours.problem.label}): {tours.reason or 'every way was tried'}.\n")


def remark_numbering(tours: Numbering, what: str) -> None:
    """A line on which tours, of how many, and what makes two of them one."""
    problem = tours.problem
    unit = units(problem, directed=problem.directed)
    remark(f"{problem.label}: {what} of {counted(tours.size, 'tour')}, by {tours.method}; {unit}")


@with_problem_options(
    board=typer.Option(metavar="BOARD", help="Where the file does not say", show_default=False),
    closed=typer.Option("--closed/--open", help="Where the file does not say: open"),
)
def rank_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, or tours in JSON lines, of each of which"
            " the number is told; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: ProblemOptions,
    method: RankingMethod = "auto",
    store: TableStore = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
) -> int:
    """Tell the number of a tour, from 0 on, among all tours of its problem; kt-cp unrank has it.

    A tour and its reverse have one number, and so has a closed tour wherever it begins. Options
    override what the file says.

    Exits with 0 for a number, 1 if it is no tour, 3 if a time limit came first.
    """
    found = None
    for at, claim in enumerate(read_claims(read_bytes(file), question), start=1):
        problem = claimed_problem(claim, question)
        judged = judge_claim(problem, claim.squares, alone=False)
        if not judged.valid:
            told = judged if at == 1 else ToursReport(at, judged)
            print_result(told.to_json()) if json else print_text(told.words())
            return NO
        if found is None or found.problem != problem:
            with Deadline(time_limit):
                found = number_tours(problem, time_limit, memory_limit, method, store)
        number = found.index(claim.squares)
        print_result(numbering_line(found, number=number) if json else f"{number}\n")
    if found is not None and not json:
        remark_numbering(found, f"number {number:,}, from 0," if at == 1 else "numbers, from 0,")
    return FOUND


DIGITS = 4_000
"""Of a number: fewer than Python turns into an integer, more than any count that ends."""


@with_problem_options()
def unrank_command(
    question: ProblemOptions,
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="From 0 to one below the count")],
    *,
    method: RankingMethod = "auto",
    store: TableStore = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid; names on a graph")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One line, which check and rank read")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Show the tour of a number, from 0 on, among all tours of a problem.

    Exits with 0 for a tour, 1 if there is none at all, 2 if there is none of that number, 3 if a
    time limit came first.
    """
    digits = number.replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
        raise InputError(f"expected the number of a tour, from 0, got {shorten(number)!r}")
    problem, wanted = question.problem(), int(digits)
    shape = format_of(format, json, output, Subject.TOURS, default_format(problem))
    check_size(problem, shape)
    with destination(output, force=force) as place:
        with Deadline(time_limit):
            tours = number_tours(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            report_no_tour(tours, json=shape is Format.JSON)
            return NO
        tour = tours[wanted]
        if shape is Format.JSON:
            names = [node_name(problem, square) for square in tour.squares]
            place.write(numbering_line(tours, number=wanted, tour=names))
        elif shape is Format.GRID and problem.board is not None:  # alone, as solve shows it
            place.write(tour_grid(problem.board, tour.squares) + "\n")
        else:
            from kt_cp.sources.registry import find_source

            place.write(tour_text(problem, tour, wanted, shape, find_source("all")))
    remark_numbering(tours, f"number {wanted:,}, from 0,")
    return FOUND


@with_problem_options()
def sample_command(
    question: ProblemOptions,
    *,
    number: Annotated[int, typer.Option(metavar="K", min=1, help="How many tours to draw")] = 1,
    seed: Seed = 0,
    method: RankingMethod = "auto",
    store: TableStore = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    executor: Executor = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid; names on a graph")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="JSON lines: one a tour, and a last one with totals")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Draw tours at random: each is as likely as any other, and may be drawn again.

    All tours are counted first, so that a number drawn is a tour drawn; a tour and its reverse are
    one, and so is a closed tour wherever it begins. The same seed draws the same tours.

    Exits with 0 if there is any tour, 1 if there is none, 3 if a time limit came first.
    """
    problem = question.problem()
    shape = format_of(format, json, output, Subject.TOURS, default_format(problem))
    check_size(problem, shape)
    from kt_cp.processes.executors import open_executor

    with (
        Deadline(time_limit),
        destination(output, force=force) as place,
        open_executor(executor) as pool,
    ):
        tours = number_tours(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            report_no_tour(tours, json=shape is Format.JSON)
            return NO
        from kt_cp.counting.numbering import draw_numbers, unrank_all
        from kt_cp.sources.registry import find_source

        program, read = find_source("all"), True
        ranks = draw_numbers(tours, number, seed)
        with closing(unrank_all(tours, ranks, pool)) as found:
            for at, (rank, tour) in enumerate(zip(ranks, found, strict=True), start=1):
                said = {"rank": rank} if shape is Format.JSON else {}
                text = tour_text(problem, tour, at, shape, program, **said)
                if not (read := place.add(text)):
                    break
        if read and shape is Format.JSON:
            place.add(numbering_line(tours, drawn=number, seed=seed))
        place.finish()
    if read:
        remark_numbering(
            tours, f"{counted(number, 'tour')} drawn with seed {seed}, each as likely as any,"
        )
    return FOUND
