"""``kt-cp count``: how many tours there are, without listing them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli import many
from kt_cp.cli.deadline import Deadline
from kt_cp.cli.listed import count_told
from kt_cp.cli.options import Executor, MemoryLimit, TimeLimit
from kt_cp.cli.output import FOUND, NO, UNKNOWN, remark, say, search_progress, show
from kt_cp.cli.question import OPTIONS, Question, asks
from kt_cp.cli.words import completed
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from kt_cp.counting import Count
    from kt_cp.counting.method import Estimate

SOON = 2.0
"""Seconds from which on the likely time is told as more than a moment."""


@asks(but="directed", board=OPTIONS["board"])
def command(
    question: Question,
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
        return _far(store, json=json)
    if (problems := question.each()) is not None:
        many.refuse(store=store, executor=executor)
        from kt_cp.counting import count

        def answer(problem: Problem) -> many.Answered:
            try:
                found = count(problem, method, **options, **limits)
            except TooLargeError as error:
                remark(f"kt-cp: unknown: {error}")
                told = '{"tours": null, "complete": false}' if json else "unknown"
                return many.of_count(told, 0, complete=False)
            told = count_told(found, json=True) if json else f"{found.tours}"
            return many.of_count(told, found.tours, complete=True)

        return many.answers(problems, answer, None, force=False)
    try:
        with Deadline(time_limit):
            found = _counted(question.problem(), method, store, executor, options, limits)
    except TooLargeError as error:
        remark(f"kt-cp: unknown: {error}")
        return UNKNOWN
    show(count_told(found, json=True)) if json else say(count_told(found, json=False))
    return FOUND if found.tours else NO


def _counted(
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
    from kt_cp.processes.executors import opened

    made = plan_count(problem, method, store=store, **options, **limits)
    with opened(executor) as pool:
        if made.parts:
            remark(f"{problem.label}: by {made.method}, {likely(made.estimate)}")
        try:
            with search_progress(problem.label, limits["time_limit"]) as show_work:
                tell = (
                    None if show_work is None else (lambda work: show_work(describe_progress(work)))
                )
                found = run_plan(made, progress=tell, store=store, executor=pool, **limits)
        except (KeyboardInterrupt, TimeLimitReachedError):
            if store is not None:
                remark(f"{problem.label}: what is done is kept in {store}")
            raise
    for way in found.confirmed:
        remark(f"{problem.label}: confirmed by {way}")
    return found


def likely(estimate: Estimate) -> str:
    """What a count is likely to take, in words.

    Examples
    --------
    >>> from kt_cp.counting.method import Estimate
    >>> likely(Estimate(430_000_000, 2_400_000_000, 31.0))
    'likely some 31 seconds, with 430,000,000 states in 2,400 MB'
    >>> likely(Estimate(36, 1000, 0.01)), likely(Estimate(36, 1000, 3e12))
    ('likely in a moment', 'likely some 10^5 years')
    >>> likely(Estimate(64, 1000, 0.0, timed=False))
    'without an estimate of the time'
    >>> likely(Estimate(11_300_000_000, 6_500_000_000, 7200.0, 45_000_000_000))
    'likely some 2 hours, with 11,300,000,000 states in 6,500 MB, and 45 GB on disk'
    """
    time = f"some {estimate.duration}" if estimate.seconds >= SOON else "in a moment"
    time = f"likely {time}" if estimate.timed else "without an estimate of the time"
    large = estimate.bytes >= 10_000_000
    room = f", with {estimate.states:,} states in {estimate.bytes / 1e6:,.0f} MB" if large else ""
    disk = f", and {estimate.disk / 1e9:,.0f} GB on disk" if estimate.disk else ""
    return f"{time}{room}{disk}"


def _far(store: Path, *, json: bool) -> int:
    """Say how far a store is."""
    import json as json_module

    from kt_cp.counting.api import describe_progress
    from kt_cp.counting.store import last_progress, last_step, read_count_manifest, stored_count

    manifest, work, found = read_count_manifest(store), last_progress(store), stored_count(store)
    step, blocks = last_step(store)
    if json:
        document = {key: manifest[key] for key in ("problem", "method")}
        document |= {"step": step, "blocks": blocks, "steps": work.get("steps"), "tours": found}
        show(json_module.dumps({**document, "complete": found is not None}) + "\n")
    elif found is None:
        (at,) = describe_progress({"step": step, "steps": work.get("steps")})
        more = f" and {counted(blocks, 'block')} of the next" if blocks else ""
        say(f"{manifest['label']}, by {manifest['method']}: {at} is done{more}.\n")
    else:
        say(f"{counted(found, 'tour')} ({manifest['label']}; {manifest['counted']}).\n")
    return UNKNOWN if found is None else FOUND if found else NO
