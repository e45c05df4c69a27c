"""What is written of many tours: each of them, how many there are, and a certificate of them.

Write a tour in any format, in pieces.

Many graphs, one a line: one answer a line, and one exit code for all.

The code is the worst that any graph has: unknown before a definite no, and that before a yes.  A
line that is no graph ends it with 2; the answers before it stand.
"""

from __future__ import annotations

import json as json_module
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.output import (
    FOUND,
    NO,
    UNKNOWN,
    OutputFile,
    StandardOutput,
    destination,
    remark,
    search_progress,
    shorten_path,
)
from kt_cp.formats.read import line_of_names
from kt_cp.formats.table import Format, check_size
from kt_cp.formats.write import SCHEMA_VERSION, outcome_content, outcome_document, tour_grid
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import InputError, TooLargeError, UnsoundEngineError
from kt_cp.model.limits import Clock, TimeLimitReachedError
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing
from kt_cp.model.terms import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import DTypeLike

    from kt_cp.counting import Count
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour
    from kt_cp.sources.registry import Source


def certify_tours(everything: Enumeration, tours: list[Tour], clock: Clock) -> Certificate | None:
    """A certificate that these are all tours, or None where none is found in time."""
    from kt_cp.enumeration.listing import certify_enumeration

    problem = everything.problem
    with search_progress(problem.label, clock.left) as progress:
        return certify_enumeration(problem, tours, clock, progress=progress)


def write_certificate(
    certificate: Certificate, place: OutputFile, beside: OutputFile | None
) -> None:
    """The certificate; its tours beside it, where a file of their own was asked for."""
    if beside is None or "tours" not in certificate.document["evidence"]:
        place.write(certificate.to_json())
        return
    from kt_cp.proofs.certificate import apart

    told, tours = apart(certificate)
    beside.write(tours)
    place.write(told)


def tour_text(
    problem: Problem, tour: Tour, number: int, shape: Format, program: Source, **more: object
) -> str:
    """One tour, in the format that was asked for; JSON says more of it."""
    board = problem.board
    names = [node_name(problem, square) for square in tour.squares]
    size = "" if tour.class_size is None else f"class of {tour.class_size}"
    if shape is Format.JSON:
        line: dict[str, object] = {"number": number, **more, "tour": names}
        if tour.class_size is not None:
            line["class_size"] = tour.class_size
        return json_module.dumps(line) + "\n"
    if shape is Format.NAMES:
        told = line_of_names(names) if board is None else " ".join(names)
        return f"{told}  ({size})\n" if size else f"{told}\n"
    assert board is not None  # check_size has seen to it
    if shape is Format.SOURCE:
        from kt_cp.sources.registry import tour_text

        text = tour_text(program, board, tour.squares)
        return (f"{size}\n" if size else "") + text + ("\n\n" if "\n" in text else "\n")
    head = f"Tour {number}" + (f", {size}" if size else "")
    return f"{head}\n{tour_grid(board, tour.squares)}\n\n"


def list_tours(
    place: OutputFile | StandardOutput,
    everything: Enumeration,
    shape: Format,
    program: Source,
    limit: int | None,
    should_stop: Callable[[], bool],
    so_far: dict[str, float],
    kept: list[Tour] | None,
    executor: Executor | None,
) -> tuple[int, bool]:
    """Show the tours, and keep them where a list is given; how many, and if all were read."""
    from kt_cp.trust.judge import defects

    problem, found = everything.problem, 0
    for tour in everything.tours(should_stop, executor=executor):
        found += 1
        wrong = defects(problem, tour.squares)
        if wrong:
            names = " ".join(tour.names)
            told = f"the enumeration of {problem.label} gave no tour: {wrong[0]}; squares {names}"
            raise UnsoundEngineError(told)
        if not place.add(tour_text(problem, tour, found, shape, program)):
            return found, False
        so_far["tours"] = found
        if kept is not None:
            kept.append(tour)
        if found == limit:
            break
    return found, True


def enumeration_summary(everything: Enumeration, shape: Format, program: Source, found: int) -> str:
    """What was counted and how, after the tours."""
    told = {
        "complete": everything.complete,
        "reason": everything.reason.text if everything.reason else None,
        "source": program.number,
        "placed": everything.placed,
    }
    return _summary(everything, found, told, json=shape is Format.JSON)


def count_summary(found: Count, *, json: bool) -> str:
    """How many there are, and what was counted."""
    told = {
        "complete": True,
        "reason": found.reason,
        "method": found.method,
        "confirmed": list(found.confirmed),
    }
    return _summary(found, found.tours, told, json=json)


def _summary(what: Enumeration | Count, found: int, told: Mapping[str, Any], *, json: bool) -> str:
    """A number of tours, or of classes, with what makes two of them one."""
    label = what.problem.label
    if json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "problem": problem_document(what.problem),
            "tours": found,
            "complete": told["complete"],
            "directed": what.directed,
            "unique": what.unique,
            "counted": what.counted,
        }
        return json_module.dumps({**document, **told}) + "\n"
    if told["complete"] and not found:
        return f"No tour ({label}): {told['reason'] or 'every way was tried'}.\n"
    one = "class" if what.unique else "tour"
    many = f"{found:,} {one}{'' if found == 1 else 'es' if what.unique else 's'}"
    so_far = "" if told["complete"] else " so far"
    return f"{many}{so_far} ({label}; {what.counted}).\n"


PIECE_BYTES = 1 << 22
"""Bytes that are written between two looks at the clock."""


def check_fits(
    problem: Problem, shape: Format, output: Path | None, dtype: DTypeLike | None = None
) -> None:
    """Refuse, before the search, what cannot be written: for its format, type, file or disk."""
    if shape is not Format.NPY or problem.board is None:
        check_size(problem, shape)
        return
    from kt_cp.formats.array import npy_size
    from kt_cp.model.arrays import step_type

    assert output is not None  # format_of has seen to it
    kind = step_type(problem.size, dtype)
    size = npy_size(problem.board.rows, problem.board.columns, kind)
    try:
        free = shutil.disk_usage(output.absolute().parent).free
    except OSError:  # opening the file will say why
        return
    if size > free and (output.is_file() or not output.exists()):
        raise TooLargeError(
            f"{output} takes {_format_bytes(size)}, and {_format_bytes(free)} are free: use a "
            "larger disk, or kt-cp locate for single squares"
        )


def write_outcome(
    place: OutputFile | StandardOutput,
    outcome: Outcome,
    shape: Format,
    dtype: DTypeLike | None = None,
    deadline: Deadline | None = None,
    output: Path | None = None,
) -> None:
    """Write a tour in pieces; where there is none, JSON alone has a place for it.

    A file gets its name, and stdout its first character, once the deadline is lifted.
    """
    if outcome.tour is None and shape is not Format.JSON:
        return
    deadline = deadline or Deadline(None)
    what = "the answer" if output is None else shorten_path(output)
    try:
        with search_progress(outcome.problem.label, deadline.seconds) as progress:
            if outcome.tour is not None:
                deadline.check()
            doing(progress, f"making {what}")
            if shape is Format.NPY and outcome.tour is not None:
                from kt_cp.formats.array import npy_pieces

                pieces: Iterable[str | bytes | memoryview] = npy_pieces(outcome.tour, dtype)
            else:
                text = outcome_content(outcome, shape)
                pieces = [text]
            if isinstance(place, OutputFile):
                _write_pieces(place, pieces, f"MB of {what} written", deadline, progress)
    except TimeLimitReachedError as error:
        raise TimeLimitReachedError(f"{error} before {what} was written") from None
    deadline.lift()
    if isinstance(place, OutputFile):
        place.finish()
    else:
        place.write(text)


def _write_pieces(
    file: OutputFile,
    pieces: Iterable[str | bytes | memoryview],
    what: str,
    deadline: Deadline,
    progress: Progress | None,
) -> None:
    """Write pieces of some megabytes, and look at the deadline after each."""
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
    """A number of bytes in a unit that suits it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} kB"


Answer = tuple[str, str, int]
"""A line, what it is counted as, and the exit code of its graph alone."""


def write_answers(
    problems: Iterator[Problem],
    answer: Callable[[Problem], Answer],
    output: Path | None,
    *,
    force: bool,
) -> int:
    """Write the answer to each problem as it comes; the exit code."""
    counts: Counter[str] = Counter()
    codes = {FOUND}
    with destination(output, force=force) as place:
        for problem in problems:
            line, what, code = answer(problem)
            counts[what] += 1
            codes.add(code)
            if not place.add(f"{line}\n"):
                break
        place.finish()
    total = sum(counts.values())
    if not total:
        raise InputError("expected a graph a line, got none")
    each = ", ".join(f"{many:,} {what}" for what, many in sorted(counts.items()))
    remark(f"{counted(total, 'graph')}: {each}")
    return next(code for code in (UNKNOWN, NO, FOUND) if code in codes)


def outcome_line(outcome: Outcome, *, json: bool) -> str:
    """An outcome in a line: its verdict, and its tour or its reason."""
    if json:
        tour = None if outcome.tour is None else outcome.tour.names
        return json_module.dumps({**outcome_document(outcome), "tour": tour}, ensure_ascii=False)
    told = outcome.reason or "" if outcome.tour is None else " ".join(outcome.tour.names)
    return f"{outcome.verdict.value} {' '.join(told.split())}".rstrip()


def wants_json_lines(shape: Format | None, text: Format) -> bool:
    """Whether lines of JSON were asked for, and not of text.

    Raises
    ------
    InputError
        If it was another format.
    """
    if shape not in (None, text, Format.JSON):
        raise InputError(
            f"expected {text.value} or json for a graph a line, got {shape.value}: "
            "one graph in a file takes any"
        )
    return shape is Format.JSON


def expect_single_graph(**options: object) -> None:
    """Refuse options that are about one answer."""
    for name, value in options.items():
        if value:
            told = name.replace("_", "-")
            raise InputError(f"--{told}: expected one graph, got a graph a line")


def verdict_answer(outcome: Outcome, code: int, *, json: bool) -> Answer:
    """The answer of an outcome."""
    return outcome_line(outcome, json=json), outcome.verdict.value, code


def count_answer(line: str, found: int, *, complete: bool) -> Answer:
    """The answer of a count."""
    if not complete:
        return line.rstrip(), "unknown", UNKNOWN
    return (line.rstrip(), "with tours", FOUND) if found else (line.rstrip(), "without", NO)


PROOF_EXIT_CODES = {Verdict.FOUND: NO, Verdict.IMPOSSIBLE: FOUND, Verdict.UNKNOWN: UNKNOWN}
"""What ``prove`` exits with."""
