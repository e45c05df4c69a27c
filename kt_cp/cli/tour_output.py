"""Output of tours: one tour in any format, many tours with their number, and answers by line.

For input with one graph per line, the exit code is the worst of all graphs: unknown, then a
definite "no", then a "yes".  A line that is not a graph ends the command with 2, after the answers
so far.
"""

from __future__ import annotations

import json as json_module
import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.cli.deadline import Deadline, start_clock
from kt_cp.cli.options import expect_processes
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    Destination,
    OutputFile,
    destination,
    print_text,
    remark,
    search_progress,
    shorten_path,
)
from kt_cp.formats.table import Format, check_size
from kt_cp.formats.write import (
    SCHEMA_VERSION,
    describe_checks,
    outcome_content,
    outcome_document,
    tour_grid,
)
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import InputError, TooLargeError, UnsoundEngineError
from kt_cp.model.limits import Clock, TimeLimitReachedError
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.request import Progress, report_step
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import DTypeLike

    from kt_cp.cli.problem_options import ProblemOptions
    from kt_cp.counting.method import Count
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour
    from kt_cp.processes.task_queue import Done
    from kt_cp.sources.registry import Source


def report_outcome(outcome: Outcome, *, answered: bool, hint: str = "") -> None:
    """Print a "no", and how the answer was checked.

    ``answered`` means that stdout has the outcome already; ``hint`` follows an unknown outcome.
    """
    problem = outcome.problem
    if outcome.verdict is Verdict.IMPOSSIBLE and not answered:
        print_text(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown whether there is a tour: {outcome.reason}{hint}", always=True)
        return
    seconds = f" in {outcome.seconds:.3g} s" if outcome.seconds else ""
    answer = f"{outcome.verdict.value} by {outcome.engine}{seconds}"
    remark(f"{problem.label}: {answer}; {describe_checks(outcome)}")


def certify_tours(enumeration: Enumeration, tours: list[Tour], clock: Clock) -> Certificate | None:
    """Return a certificate that these are all tours, or None if none is found in time."""
    from kt_cp.enumeration.listing import certify_enumeration
    from kt_cp.model.limits import Limits
    from kt_cp.model.request import Request

    problem = enumeration.problem
    with search_progress(problem.label, clock.left) as progress:
        request = Request(problem, Limits(clock.seconds), clock, progress=progress)
        return certify_enumeration(request, tours)


def write_certificate(
    certificate: Certificate, file: OutputFile, tours_file: OutputFile | None
) -> None:
    """Write a certificate, with its tours in a file of their own if there is one."""
    if tours_file is None or "tours" not in certificate.document["evidence"]:
        file.write(certificate.to_json())
        return
    from kt_cp.proofs.certificate import separate_tours

    document, tours = separate_tours(certificate)
    tours_file.write(tours)
    file.write(document)


def tour_text(
    problem: Problem, tour: Tour, number: int, shape: Format, program: Source, **more: object
) -> str:
    """Format one tour of many; ``more`` are further fields of JSON."""
    board = problem.board
    names = [node_name(problem, square) for square in tour.squares]
    size = "" if tour.class_size is None else f"class of {tour.class_size}"
    if shape is Format.JSON:
        line: dict[str, object] = {"number": number, **more, "tour": names}
        if tour.class_size is not None:
            line["class_size"] = tour.class_size
        return json_module.dumps(line) + "\n"
    if shape is Format.NAMES:
        from kt_cp.formats.read import line_of_names

        text = line_of_names(names) if board is None else " ".join(names)
        return f"{text}  ({size})\n" if size else f"{text}\n"
    assert board is not None  # by check_size
    if shape is Format.SOURCE:
        from kt_cp.sources.registry import tour_text

        text = tour_text(program, board, tour.squares)
        return (f"{size}\n" if size else "") + text + ("\n\n" if "\n" in text else "\n")
    head = f"Tour {number}" + (f", {size}" if size else "")
    return f"{head}\n{tour_grid(board, tour.squares)}\n\n"


def list_tours(
    file: Destination,
    enumeration: Enumeration,
    shape: Format,
    program: Source,
    limit: int | None,
    should_stop: Callable[[], bool],
    progress: dict[str, float],
    tours: list[Tour] | None,
    executor: Executor | None,
) -> bool:
    """Write tours as they are found, and add them to ``tours``; return False without a reader."""
    from kt_cp.trust.judge import defects

    problem = enumeration.problem
    for number, tour in enumerate(enumeration.tours(should_stop, executor=executor), start=1):
        if found := defects(problem, tour.squares):
            names = " ".join(tour.names)
            raise UnsoundEngineError(
                f"the enumeration of {problem.label} gave no tour: {found[0]}; squares {names}"
            )
        progress["tours"] = number
        if not file.add(tour_text(problem, tour, number, shape, program)):
            return False
        if tours is not None:
            tours.append(tour)
        if number == limit:
            break
    return True


def enumeration_summary(
    enumeration: Enumeration, shape: Format, program: Source, tours: int
) -> str:
    """Summarize an enumeration."""
    more = {
        "complete": enumeration.complete,
        "reason": enumeration.reason.text if enumeration.reason else None,
        "source": program.number,
        "placed": enumeration.placed,
    }
    return _summary(enumeration, tours, more, json=shape is Format.JSON)


def count_summary(found: Count, *, json: bool) -> str:
    """Summarize a count."""
    more = {
        "complete": True,
        "reason": found.reason,
        "method": found.method,
        "confirmed": list(found.confirmed),
    }
    return _summary(found, found.tours, more, json=json)


def _summary(
    result: Enumeration | Count, tours: int, more: Mapping[str, Any], *, json: bool
) -> str:
    """Format a number of tours or classes, and which tours count as one."""
    label = result.problem.label
    if json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "problem": problem_document(result.problem),
            "tours": tours,
            "complete": more["complete"],
            "directed": result.directed,
            "unique": result.unique,
            "counted": result.counted,
        }
        return json_module.dumps({**document, **more}) + "\n"
    if more["complete"] and not tours:
        return f"No tour ({label}): {more['reason'] or 'every way was tried'}.\n"
    one, several = ("class", "classes") if result.unique else ("tour", "tours")
    so_far = "" if more["complete"] else " so far"
    return f"{tours:,} {one if tours == 1 else several}{so_far} ({label}; {result.counted}).\n"


PIECE_BYTES = 1 << 22
"""Bytes that are written between two checks of the time limit."""


def check_fits(
    problem: Problem, shape: Format, output: Path | None, dtype: DTypeLike | None = None
) -> None:
    """Refuse, before the search, output that its format, type or disk cannot hold."""
    if shape is not Format.NPY or problem.board is None:
        check_size(problem, shape)
        return
    from kt_cp.formats.array import npy_size
    from kt_cp.model.arrays import step_type

    assert output is not None  # by format_of
    kind = step_type(problem.size, dtype)
    size = npy_size(problem.board.rows, problem.board.columns, kind)
    try:
        free = shutil.disk_usage(output.absolute().parent).free
    except OSError:  # opening the file reports why
        return
    if size > free and (output.is_file() or not output.exists()):
        raise TooLargeError(
            f"{output} takes {_format_bytes(size)}, and {_format_bytes(free)} are free: use a "
            "larger disk, or kt-cp locate for single squares"
        )


def write_outcome(
    file: Destination,
    outcome: Outcome,
    shape: Format,
    dtype: DTypeLike | None = None,
    deadline: Deadline | None = None,
    output: Path | None = None,
) -> None:
    """Write an outcome; without a tour, only JSON can express it.

    A file is renamed, and stdout gets its first character, after the deadline is lifted.
    """
    if outcome.tour is None and shape is not Format.JSON:
        return
    deadline = deadline or Deadline(None)
    what = "the answer" if output is None else shorten_path(output)
    try:
        with search_progress(outcome.problem.label, deadline.seconds) as progress:
            if outcome.tour is not None:
                deadline.check()
            report_step(progress, f"making {what}")
            if shape is Format.NPY and outcome.tour is not None:
                from kt_cp.formats.array import npy_pieces

                pieces: Iterable[str | bytes | memoryview] = npy_pieces(outcome.tour, dtype)
            else:
                text = outcome_content(outcome, shape)
                pieces = [text]
            if isinstance(file, OutputFile):
                _write_pieces(file, pieces, f"MB of {what} written", deadline, progress)
    except TimeLimitReachedError as error:
        raise TimeLimitReachedError(f"{error} before {what} was written") from None
    deadline.lift()
    if isinstance(file, OutputFile):
        file.finish()
    else:
        steps = outcome.problem.given.values()
        is_terminal = sys.stdout is not None and sys.stdout.isatty()
        is_bold = shape is Format.GRID and is_terminal and "NO_COLOR" not in os.environ
        file.write(embolden(str(text), {*steps}) if is_bold and steps else text)


def embolden(grid: str, steps: Collection[int]) -> str:
    r"""Return a grid for a terminal, with some of its step numbers in bold.

    >>> embolden("1 │ 2 3\n", {2})
    '1 │ \x1b[1m2\x1b[0m 3\n'
    """

    def bold(number: re.Match[str]) -> str:
        return f"\x1b[1m{number[0]}\x1b[0m" if int(number[0]) in steps else number[0]

    lines = []
    for line in grid.splitlines(keepends=True):
        label, *rest = line.split("│")
        if rest:  # behind a second bar the label is repeated
            rest[0] = re.sub("[0-9]+", bold, rest[0])
        lines.append("│".join([label, *rest]))
    return "".join(lines)


def _write_pieces(
    file: OutputFile,
    pieces: Iterable[str | bytes | memoryview],
    what: str,
    deadline: Deadline,
    progress: Progress | None,
) -> None:
    """Write pieces of a few megabytes, and check the deadline after each."""
    written = 0
    for piece in pieces:
        whole = memoryview(piece.encode() if isinstance(piece, str) else piece).cast("B")
        for begin in range(0, len(whole), PIECE_BYTES):
            part = whole[begin : begin + PIECE_BYTES]
            if not file.add(part):
                return
            written += len(part)
            deadline.check()
            if progress is not None:
                progress({what: written / 1e6})


def _format_bytes(size: int) -> str:
    """Format a number of bytes in a suitable unit."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} kB"


Answer = tuple[str, str, int]
"""A line, the word under which it is counted, and the exit code of its graph."""


TASK_BYTES, TASK_SECONDS = 1 << 13, 0.5
"""Bytes of the lines of a task, about half a second of easy graphs, and the time after which a task
returns its remaining lines.  Short tasks leave workers idle in between, long ones at the end."""


def write_answers(
    question: ProblemOptions,
    answer: Callable[..., Answer],
    output: Path | None,
    time_limit: float | None,
    *,
    force: bool,
    executor: str | None,
    workers: int | None = None,
) -> int:
    """Write the answer to the graph of each line, within a time limit of its own.

    Return the exit code.  ``answer`` is called with a problem, its deadline and whether this has
    passed.  With an executor it is pickled, and ``workers`` is the number of graphs at a time.
    """
    assert question.lines is not None
    expect_processes(executor)
    counts: Counter[str] = Counter()
    codes = {FOUND}
    if executor is None:
        answers = answers_of(question, question.lines, answer, time_limit)
    else:
        answers = _answers_of_tasks(question, executor, workers, answer, time_limit)
    with destination(output, force=force) as file, closing(answers):
        for line, outcome_name, code in answers:
            counts[outcome_name] += 1
            codes.add(code)
            if not file.add(f"{line}\n"):
                break
        file.finish()
    total = sum(counts.values())
    if not total:
        raise InputError("expected one graph per line, got none")
    parts = ", ".join(
        f"{number:,} {outcome_name}" for outcome_name, number in sorted(counts.items())
    )
    remark(f"{counted(total, 'graph')}: {parts}")
    return next(code for code in (UNKNOWN, NO, FOUND) if code in codes)


def answers_of(
    question: ProblemOptions,
    lines: Iterable[tuple[int, bytes]],
    answer: Callable[..., Answer],
    time_limit: float | None,
) -> Generator[Answer, None, None]:
    """Yield the answer to the graph of each line, within a time limit of its own."""
    for problem in question.problems(lines):
        start_clock()
        deadline = Deadline(time_limit)
        try:
            with deadline:
                found = answer(problem, deadline, timed_out=False)
        except TimeLimitReachedError:
            found = answer(problem, deadline, timed_out=True)
        yield found


def answer_lines(question: ProblemOptions, lines: list[tuple[int, bytes]], *how: Any) -> Done:
    """Return answers to lines, as a task, and the error after them if there is one."""
    from kt_cp.processes.task_queue import Done

    answers: list[Answer | InputError] = []
    left, end = iter(lines), time.perf_counter() + TASK_SECONDS
    try:
        for found in answers_of(question, left, *how):
            answers.append(found)
            if time.perf_counter() > end:
                break
    except InputError as error:
        return Done([*answers, error])
    rest = [*left]
    halves = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    return Done(answers, tuple((question, half, *how) for half in halves if half))


def _answers_of_tasks(
    question: ProblemOptions, executor: str, workers: int | None, *how: Any
) -> Generator[Answer, None, None]:
    """Yield the answers in order; an error ends them after those before it."""
    from kt_cp.processes.executors import open_executor
    from kt_cp.processes.task_queue import run_tasks

    def tasks(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[Any, ...]]:
        options, some = replace(question), []  # the copy does not hold the content of the file
        for number, line in lines:
            some.append((number, line))
            if sum(len(line) for _, line in some) >= TASK_BYTES:
                yield options, some, *how
                some = []
        yield options, some, *how

    with open_executor(executor, workers) as pool:
        assert pool is not None and question.lines is not None
        for found in chain.from_iterable(run_tasks(pool, answer_lines, tasks(question.lines))):
            if isinstance(found, InputError):
                raise found
            yield found


def wants_json_lines(shape: Format | None, text: Format) -> bool:
    """Return whether answers are lines of JSON, not of text; refuse other formats."""
    if shape not in (None, text, Format.JSON):
        raise InputError(
            f"expected {text.value} or json for one graph per line, got {shape.value}: "
            "a file with a single graph takes any format"
        )
    return shape is Format.JSON


def expect_graph_per_line(executor: str | None) -> None:
    """Refuse an executor for a single problem."""
    if executor is not None:
        raise InputError("--executor: expected one graph per line, got a single problem")


def expect_single_graph(**options: object) -> None:
    """Refuse options that concern a single answer."""
    for name, value in options.items():
        if value:
            option = name.replace("_", "-")
            raise InputError(f"--{option}: expected a single graph, got one per line")


def verdict_answer(outcome: Outcome, code: int, *, json: bool) -> Answer:
    """Return the answer of an outcome: its verdict, and its tour or its reason."""
    tour, verdict = None if outcome.tour is None else outcome.tour.names, outcome.verdict.value
    if json:
        document = {**outcome_document(outcome), "tour": tour}
        return json_module.dumps(document, ensure_ascii=False), verdict, code
    text = outcome.reason or "" if tour is None else " ".join(tour)
    return f"{verdict} {' '.join(text.split())}".rstrip(), verdict, code


def count_answer(line: str, tours: int, *, complete: bool) -> Answer:
    """Return the answer of a count."""
    if not complete:
        return line.rstrip(), "unknown", UNKNOWN
    return (line.rstrip(), "with tours", FOUND) if tours else (line.rstrip(), "without", NO)


PROOF_EXIT_CODES = {Verdict.FOUND: NO, Verdict.IMPOSSIBLE: FOUND, Verdict.UNKNOWN: UNKNOWN}
"""Exit codes of ``prove``."""

EXIT_CODES = {Verdict.FOUND: FOUND, Verdict.IMPOSSIBLE: NO, Verdict.UNKNOWN: UNKNOWN}
"""Exit codes of ``solve``."""
