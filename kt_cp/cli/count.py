"""``kt-cp count`` counts tours without listing them.

``kt-cp rank``, ``unrank`` and ``sample`` use the counting tables to number all tours of a problem:
``rank`` prints the number of a tour, ``unrank`` the tour of a number, and ``sample`` draws tours
uniformly at random.
"""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Executor,
    Force,
    MemoryLimit,
    Output,
    Seed,
    TimeLimit,
    complete_from,
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
from kt_cp.formats.table import Format, Subject, check_size, default_format
from kt_cp.formats.write import SCHEMA_VERSION, tour_grid
from kt_cp.model.board import shorten
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import EndedError, InputError, TooLargeError
from kt_cp.model.limits import Limits, TimeLimitReachedError
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.model.terms import counted, units
from kt_cp.processes.memory import NUMBA_BYTES, require_memory

if TYPE_CHECKING:
    from kt_cp.counting.dense.cluster_bill import ClusterBill
    from kt_cp.counting.method import Count, Estimate
    from kt_cp.counting.tour_numbering import Numbering


METHODS = ("auto", "dense", "frontier", "subsets", "enumerate")
LEAST_WIDTH, MOST_WIDTH = 3, 20
"""Widths of the boards for which ``--workers`` prints an estimate."""

SHORT_SECONDS = 1
"""Shorter estimates are printed as "under 1 s"."""


@with_problem_options(but="directed", board=OPTIONS["board"])
def count_command(
    question: ProblemOptions,
    *,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Method: dense, frontier, subsets or enumerate; auto takes the one with the"
            " shortest estimated time",
            autocompletion=complete_from(lambda: METHODS),
        ),
    ] = "auto",
    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected",
            help="Whether a tour and its reverse are two tours. Default: yes for open tours without"
            " --classes, and always on a digraph. --directed also reads the edges of a file that"
            " does not state it, such as an edge list, as arcs",
            show_default=False,
        ),
    ] = None,
    classes: Annotated[
        bool, typer.Option("--classes", help="Count tours up to rotation and reflection")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Count again by another method")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Save the work in FOLDER and resume from it; without BOARD, print its progress",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    executor: Executor = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what each method would need, and count nothing")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="With --dry-run, also print what a dense array on N workers would need",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as a JSON object")] = False,
) -> int:
    """Count tours without listing them.

    The method with the shortest estimated time is chosen, and printed with the estimate before it
    starts. Exits with 0 if there is a tour, 1 if there is none, 3 if a limit was reached, a store
    is incomplete, or no method would finish: such a count starts only with --method NAME and
    --time-limit.
    """
    question = replace(question, arcs=directed is True)
    options: dict[str, Any] = {"directed": directed, "unique": classes, "confirm": confirm}
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
    if workers is not None and not dry_run:
        raise InputError("expected --dry-run with --workers")
    if dry_run:
        if question.board is None:
            raise InputError("expected a board or a file with --dry-run, got neither")
        if question.problems() is not None:
            raise InputError("expected a single graph with --dry-run")
        return _print_needs(question.problem(), workers, json=json)
    if question.board is None:
        if store is None:
            raise InputError("expected a board or a file, or --store FOLDER, got neither")
        return _report_progress(store, json=json)
    if (problems := question.problems()) is not None:
        expect_single_graph(store=store, executor=executor)
        from kt_cp.counting.api import count

        def answer(problem: Problem, _: Deadline) -> Answer:
            try:
                found = count(problem, method, **options, **limits)
            except TooLargeError as error:
                remark(f"kt-cp: unknown: {error}", always=True)
                return timed_out(problem)
            line = count_summary(found, json=True) if json else f"{found.tours}"
            return count_answer(line, found.tours, complete=True)

        def timed_out(_: Problem) -> Answer:
            line = '{"tours": null, "complete": false}' if json else "unknown"
            return count_answer(line, 0, complete=False)

        return write_answers(problems, answer, timed_out, None, time_limit, force=False)
    try:
        with Deadline(time_limit) as deadline:
            request = Request.begin(question.problem(), deadline.limits(memory_limit))
            found = _run_count(request, method, store, executor, options)
    except TooLargeError as error:
        remark(f"kt-cp: unknown: {error}", always=True)
        return UNKNOWN
    summary = count_summary(found, json=json)
    print_result(summary) if json else print_text(summary)
    return FOUND if found.tours else NO


def _run_count(
    request: Request, method: str, store: Path | None, executor: str | None, options: dict[str, Any]
) -> Count:
    """Print the estimate, then count."""
    from kt_cp.counting.api import describe_progress, run_plan
    from kt_cp.counting.plan import plan_count

    problem, plan = request.problem, plan_count(request, method, store=store, **options)
    opened: AbstractContextManager[Any] = nullcontext()
    if executor is not None:
        from kt_cp.processes.executors import open_executor

        opened = open_executor(executor)
    with opened as pool:
        if plan.parts:
            remark(f"{problem.label}: by {plan.method}, {describe_estimate(plan.estimate)}")
        try:
            with search_progress(problem.label, request.limits.seconds) as show:
                progress = show and (lambda work: show(describe_progress(work)))
                found = run_plan(plan, replace(request, progress=progress), executor=pool)
        except (KeyboardInterrupt, TimeLimitReachedError):
            if store is not None:
                remark(f"{problem.label}: the work is saved in {store}")
            raise
    for other in found.confirmed:
        remark(f"{problem.label}: confirmed by {other}")
    return found


def describe_estimate(estimate: Estimate) -> str:
    """Describe the estimated time, memory and disk space of a count.

    Examples
    --------
    >>> from kt_cp.counting.method import Estimate
    >>> describe_estimate(Estimate(430_000_000, 2_400_000_000, 31.0))
    'estimated time: 31 s, with 430,000,000 states in 2,400 MB'
    >>> describe_estimate(Estimate(36, 1000, 0.01)), describe_estimate(Estimate(36, 1000, 3e12))
    ('estimated time: under 1 s', 'estimated time: 10^5 years')
    >>> describe_estimate(Estimate(64, 1000, 0.0, timed=False))
    'estimated time: unknown'
    >>> describe_estimate(Estimate(11_300_000_000, 6_500_000_000, 7200.0, 45_000_000_000))
    'estimated time: 2 hours, with 11,300,000,000 states in 6,500 MB, and 45 GB on disk'
    """
    text = f"estimated time: {_duration(estimate)}"
    if estimate.bytes >= 10_000_000:
        text += f", with {estimate.states:,} states in {estimate.bytes / 1e6:,.0f} MB"
    return text + (f", and {estimate.disk / 1e9:,.0f} GB on disk" if estimate.disk else "")


def _duration(estimate: Estimate) -> str:
    """Return the estimated time in words."""
    if not estimate.timed:
        return "unknown"
    short = estimate.seconds < SHORT_SECONDS
    return f"under {SHORT_SECONDS} s" if short else estimate.duration


def _print_needs(problem: Problem, workers: int | None, *, json: bool) -> int:
    """Print the needs of each method and of a cluster."""
    from kt_cp.counting.method import Estimate
    from kt_cp.counting.plan import assess_methods
    from kt_cp.proofs.obstructions import obstruction

    obstacle = None if problem.directed or problem.given else obstruction(problem)
    needs = assess_methods(problem)
    bill = None if workers is None else _estimate_cluster(problem, workers)
    if json:
        methods: dict[str, Any] = {}
        for name, need in needs.items():
            if isinstance(need, Estimate):
                methods[name] = {**need._asdict(), "seconds": need.seconds if need.timed else None}
                del methods[name]["timed"]
            else:
                methods[name] = {"refused": need}
        document: dict[str, Any] = {"problem": problem_document(problem), "methods": methods}
        document["impossible"] = None if obstacle is None else obstacle.text
        if bill is not None:
            document["cluster"] = {"workers": workers, **asdict(bill)}
        print_result(json_module.dumps(document) + "\n")
        return FOUND
    lines = [problem.label]
    if obstacle is not None:
        lines.append(f"  no tour, without a count: {obstacle.text}")
    for name, need in needs.items():
        if isinstance(need, str):
            text = f"cannot count this ({shorten(need, 100)})"
        else:
            text = f"{_duration(need)}, {need.bytes / 1e6:,.0f} MB of memory"
            text += f", {need.disk / 1e9:,.0f} GB of disk" if need.disk else ""
        lines.append(f"  {name:<10} {text}")
    if bill is not None:
        time = Estimate(0, 0, 3600 * bill.hours).duration
        lines += [
            f"  dense array on {counted(workers or 1, 'worker')} of one core each:",
            f"    {bill.entries:,} numbers in {bill.bytes / 1e9:,.1f} GB",
            f"    {bill.worker_bytes / 1e9:,.1f} GB of memory for each worker",
            f"    {bill.shuffled_bytes / 1e12:,.2f} TB between workers",
            f"    {bill.core_hours:,.3g} core hours, about {time} without the network",
        ]
    print_text("\n".join(lines) + "\n")
    return FOUND


def _estimate_cluster(problem: Problem, workers: int) -> ClusterBill:
    """Return the needs of a cluster for the closed tours of a whole board."""
    from kt_cp.counting.dense.cluster_bill import cluster_bill

    board = problem.whole_rectangle
    if board is None or not problem.closed or problem.conditions:
        raise InputError("expected closed tours of a whole board with --workers")
    width, rows = sorted((board.rows, board.columns))
    if rows % 2:
        width, rows = rows, width
    if not LEAST_WIDTH <= width <= MOST_WIDTH or rows % 2 or rows < LEAST_WIDTH:
        raise InputError(
            f"expected a board with an even side, from {LEAST_WIDTH} to {MOST_WIDTH} wide, with"
            " --workers"
        )
    return cluster_bill(rows, width, workers)


def _report_progress(store: Path, *, json: bool) -> int:
    """Print the progress of a store."""
    from kt_cp.counting.api import describe_progress
    from kt_cp.processes.store import last_progress, last_step, read_count_manifest, stored_count

    manifest, work, found = read_count_manifest(store), last_progress(store), stored_count(store)
    step, blocks = last_step(store)
    if json:
        document = {key: manifest[key] for key in ("problem", "method")}
        document |= {"step": step, "blocks": blocks, "steps": work.get("steps"), "tours": found}
        print_result(json_module.dumps({**document, "complete": found is not None}) + "\n")
    elif found is None:
        (position,) = describe_progress({"step": step, "steps": work.get("steps")})
        more = f" and {counted(blocks, 'block')} of the next" if blocks else ""
        print_text(f"{manifest['label']}, by {manifest['method']}: {position} is done{more}.\n")
    else:
        print_text(f"{counted(found, 'tour')} ({manifest['label']}; {manifest['counted']}).\n")
    return UNKNOWN if found is None else FOUND if found else NO


RankingMethod = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Method that numbers tours: dense, frontier, enumerate, or auto",
        autocompletion=complete_from(lambda: METHODS),
    ),
]
TableStore = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Save the tables of dense in FOLDER, or use those there"),
]


def number_tours(
    problem: Problem,
    time_limit: float | None,
    memory_limit: float | None = None,
    method: str = "auto",
    store: Path | None = None,
) -> Numbering:
    """Return the numbering of the tours of a problem; raise EndedError at the time limit."""
    clock = Limits(time_limit).clock()
    require_memory(NUMBA_BYTES, "Numba")
    from kt_cp.counting.tour_numbering import Numbering

    with search_progress(problem.label, time_limit) as show:

        def update(work: Mapping[str, float | None]) -> None:
            if show is not None:
                show(work)
            if clock.expired():
                raise EndedError(f"the time limit of {time_limit:g} s was reached")

        return Numbering(problem, method, progress=update, memory_limit=memory_limit, store=store)


def numbering_line(tours: Numbering, **more: Any) -> str:
    """Return a line of JSON on the numbered tours of a problem."""
    problem = tours.problem
    document = {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        **more,
        "tours": tours.size,
        "directed": problem.directed,
        "counted": units(problem, directed=problem.directed),
        "method": tours.method,
        "reason": tours.reason,
    }
    return json_module.dumps(document, ensure_ascii=False) + "\n"


def report_no_tour(tours: Numbering, *, json: bool) -> None:
    """Print that there is no tour, and why."""
    if json:
        print_result(numbering_line(tours))
    else:
        print_text(f"No tour ({tours.problem.label}): {tours.reason or 'every way was tried'}.\n")


def remark_numbering(tours: Numbering, what: str) -> None:
    """Print which of how many tours were shown, and which tours count as one."""
    problem = tours.problem
    unit = units(problem, directed=problem.directed)
    remark(f"{problem.label}: {what} of {counted(tours.size, 'tour')}, by {tours.method}; {unit}")


@with_problem_options(
    board=typer.Option(
        metavar="BOARD", help="Board, if the file does not state it", show_default=False
    ),
    closed=typer.Option("--closed/--open", help="Kind of tour. Default: the file's, or open"),
)
def rank_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, or several tours in JSON lines;"
            " - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: ProblemOptions,
    method: RankingMethod = "auto",
    store: TableStore = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False,
) -> int:
    """Print the number of a tour, from 0, among all tours of its problem.

    A tour and its reverse have the same number, and so has a closed tour from any start. Options
    override what the file states. kt-cp unrank prints the tour of a number.

    Exits with 0 for a number, 1 if it is not a tour, 3 if the time limit was reached.
    """
    tours = None
    from kt_cp.cli.check import ToursReport, claimed_problem, judge_claim, print_report, read_claims

    for at, claim in enumerate(read_claims(read_bytes(file), question), start=1):
        problem = claimed_problem(claim, question)
        report = judge_claim(problem, claim.squares, alone=False)
        if not report.valid:
            print_report(report if at == 1 else ToursReport(at, report), json=json)
            return NO
        if tours is None or tours.problem != problem:
            with Deadline(time_limit):
                tours = number_tours(problem, time_limit, memory_limit, method, store)
        number = tours.index(claim.squares)
        print_result(numbering_line(tours, number=number) if json else f"{number}\n")
    if tours is not None and not json:
        remark_numbering(tours, f"number {number:,}, from 0," if at == 1 else "numbers, from 0,")
    return FOUND


MOST_DIGITS = 4_000
"""Digits of a number: within Python's limit for integers, and more than any count has."""


@with_problem_options()
def unrank_command(
    question: ProblemOptions,
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="A number from 0 to one below the count")
    ],
    *,
    method: RankingMethod = "auto",
    store: TableStore = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    format: Annotated[
        Format | None, format_option(Subject.TOURS, "Default: grid; names on a graph")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One line, which kt-cp check and rank read")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Show the tour of a number, from 0, among all tours of a problem.

    Exits with 0 for a tour, 1 if the problem has none, 2 if no tour has that number, 3 if the time
    limit was reached.
    """
    digits = number.replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise InputError(f"expected the number of a tour, from 0, got {shorten(number)!r}")
    problem, rank = question.problem(), int(digits)
    shape = format_of(format, json, output, Subject.TOURS, default_format(problem))
    check_size(problem, shape)
    with destination(output, force=force) as file:
        with Deadline(time_limit):
            tours = number_tours(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            report_no_tour(tours, json=shape is Format.JSON)
            return NO
        tour = tours[rank]
        if shape is Format.JSON:
            names = [node_name(problem, square) for square in tour.squares]
            file.write(numbering_line(tours, number=rank, tour=names))
        elif shape is Format.GRID and problem.board is not None:  # as solve shows it
            file.write(tour_grid(problem.board, tour.squares) + "\n")
        else:
            from kt_cp.sources.registry import find_source

            file.write(tour_text(problem, tour, rank, shape, find_source("all")))
    remark_numbering(tours, f"number {rank:,}, from 0,")
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
        bool, typer.Option("--json", help="JSON lines: one for each tour, then one with totals")
    ] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    """Draw tours uniformly at random, with replacement.

    All tours are counted first, and numbers are drawn. A tour and its reverse are the same tour,
    and so is a closed tour from any start. The same seed draws the same tours.

    Exits with 0 if there is a tour, 1 if there is none, 3 if the time limit was reached.
    """
    problem = question.problem()
    shape = format_of(format, json, output, Subject.TOURS, default_format(problem))
    check_size(problem, shape)
    from kt_cp.processes.executors import open_executor

    with (
        Deadline(time_limit),
        destination(output, force=force) as file,
        open_executor(executor) as pool,
    ):
        tours = number_tours(problem, time_limit, memory_limit, method, store)
        if not tours.size:
            report_no_tour(tours, json=shape is Format.JSON)
            return NO
        from kt_cp.counting.tour_numbering import draw_numbers, unrank_all
        from kt_cp.sources.registry import find_source

        program, has_reader = find_source("all"), True
        ranks = draw_numbers(tours, number, seed)
        with closing(unrank_all(tours, ranks, pool)) as found:
            for at, (rank, tour) in enumerate(zip(ranks, found, strict=True), start=1):
                text = tour_text(problem, tour, at, shape, program, rank=rank)
                if not (has_reader := file.add(text)):
                    break
        if has_reader and shape is Format.JSON:
            file.add(numbering_line(tours, drawn=number, seed=seed))
        file.finish()
    if has_reader:
        remark_numbering(tours, f"{counted(number, 'tour')} drawn uniformly with seed {seed},")
    return FOUND
