"""What is written of many tours: each of them, how many there are, and a certificate of them."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kt_cp.cli.files import OutputFile
from kt_cp.cli.output import StandardOutput, search_progress
from kt_cp.formats.read import line_of_names
from kt_cp.formats.table import Format
from kt_cp.formats.write import SCHEMA_VERSION, tour_grid
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Certificate

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from kt_cp.counting import Count
    from kt_cp.enumeration import Enumeration
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour
    from kt_cp.sources.registry import Source


def certified(everything: Enumeration, tours: list[Tour], clock: Clock) -> Certificate | None:
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


def written(
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
        if not place.add(written(problem, tour, found, shape, program)):
            return found, False
        so_far["tours"] = found
        if kept is not None:
            kept.append(tour)
        if found == limit:
            break
    return found, True


def conclusion(everything: Enumeration, shape: Format, program: Source, found: int) -> str:
    """What was counted and how, after the tours."""
    told = {
        "complete": everything.complete,
        "reason": everything.reason.text if everything.reason else None,
        "source": program.number,
        "placed": everything.placed,
    }
    return _said(everything, found, told, json=shape is Format.JSON)


def count_told(found: Count, *, json: bool) -> str:
    """How many there are, and what was counted."""
    told = {
        "complete": True,
        "reason": found.reason,
        "method": found.method,
        "confirmed": list(found.confirmed),
    }
    return _said(found, found.tours, told, json=json)


def _said(what: Enumeration | Count, found: int, told: Mapping[str, Any], *, json: bool) -> str:
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
