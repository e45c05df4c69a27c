"""Tours by their numbers, a sample, symmetry classes, and how many there are.

Numbers of tours are told as text: they are larger than what a browser counts exactly.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import square_name
from kt_cp.model.limits import Limits
from kt_cp.model.problem import Problem
from kt_cp.web.asks import Asked
from kt_cp.web.said import command, python
from kt_cp.web.watch import Emit, Event, Watch

if TYPE_CHECKING:
    from kt_cp.counting.numbering import Numbering
    from kt_cp.model.tour import Tour


def count(problem: Problem, asked: Asked, emit: Emit) -> None:
    """How many tours there are, or classes of them; the frontier's sweep is told on the way."""
    from kt_cp.counting.api import run_plan
    from kt_cp.counting.plan import plan_count

    began = time.perf_counter()
    made = plan_count(problem, unique=asked["classes"])
    watch = _swept(problem, made.method, emit)
    found = run_plan(made, progress=watch, time_limit=asked["seconds"])
    told = {"classes": asked["classes"]}
    emit(
        {
            "event": "outcome",
            "tours": str(found.tours),
            "counted": found.counted,
            "method": found.method,
            "reason": found.reason,
            "seconds": round(time.perf_counter() - began, 4),
            "command": command("count", problem, **told),
            "python": python("count", problem, unique=asked["classes"]),
        }
    )


def _swept(problem: Problem, method: str, emit: Emit) -> Watch:
    """Where the frontier sweeps a board, the order of its squares is told first."""
    if method == "frontier":
        from kt_cp.counting.frontier.frontier import graph_form

        nodes: Any = problem.indexed.nodes
        order = [step.vertex for step in graph_form(problem).plan.steps]
        # What is no square is the vertex that makes an open tour a cycle.
        names = [square_name(nodes[each]) if each < len(nodes) else "" for each in order]
        emit({"event": "sweep", "order": names})
    return Watch(problem, emit)


def unrank(problem: Problem, asked: Asked, emit: Emit) -> None:
    """The tour of a number."""
    began = time.perf_counter()
    tours = _numbered(problem, asked, emit)
    number = asked["number"]
    tour = tours[number]
    said = python("Numbering", problem) + f"[{number}]"
    _told(tours, began, emit, command("unrank", problem, number), said, [(number, tour)])


def rank(problem: Problem, asked: Asked, emit: Emit) -> None:
    """The number of a tour."""
    began = time.perf_counter()
    tours = _numbered(problem, asked, emit)
    names = asked["tour"]
    number = tours.index(names)
    said = python("Numbering", problem) + f".index({' '.join(names)!r}.split())"
    line = command("rank", problem).split(" ", 3)
    rest = f" {line[3]}" if len(line) > 3 else ""
    told = f"echo '{' '.join(names)}' | kt-cp rank - --board {line[2]}{rest}"
    _told(tours, began, emit, told, said, [(number, problem.tour(names))])


def sample(problem: Problem, asked: Asked, emit: Emit) -> None:
    """Tours drawn at random, each as likely as any other."""
    from kt_cp.counting.numbering import draw_numbers

    began = time.perf_counter()
    tours = _numbered(problem, asked, emit)
    many, seed = asked["many"], asked["seed"]
    numbers = draw_numbers(tours, many, seed) if tours.size else []
    said = python("sample", problem, many, seed=seed)
    line = command("sample", problem, number=many, seed=seed)
    _told(tours, began, emit, line, said, [(each, tours[each]) for each in numbers])


def classes(problem: Problem, asked: Asked, emit: Emit) -> None:
    """One tour of each symmetry class, as many as are shown, and whether these are all."""
    from kt_cp.enumeration import Enumeration

    began, clock = time.perf_counter(), Limits(asked["seconds"]).clock()
    everything = Enumeration(problem, unique=True)
    found: list[Event] = []
    for tour in islice(everything.tours(clock.expired), asked["many"]):
        found.append({"tour": tour.names, "size": tour.class_size})
        watch = {"event": "progress", "text": f"classes {len(found)}", "fraction": None}
        if len(found) % 20 == 0:
            emit(watch)
    emit(
        {
            "event": "outcome",
            "classes": found,
            "complete": everything.complete,
            "counted": everything.counted,
            "reason": None if everything.reason is None else everything.reason.text,
            "seconds": round(time.perf_counter() - began, 4),
            "command": command("enumerate", problem, unique=True, limit=asked["many"]),
            "python": python("Enumeration", problem, unique=True),
        }
    )


def _numbered(problem: Problem, asked: Asked, emit: Emit) -> Numbering:
    from kt_cp.counting.numbering import Numbering
    from kt_cp.model.errors import EndedError

    clock, watch = Limits(asked["seconds"]).clock(), Watch(problem, emit)

    def told(work: Mapping[str, float | None]) -> None:
        watch(work)
        if clock.expired():
            raise EndedError(f"the time limit of {asked['seconds']:g} s was reached")

    return Numbering(problem, progress=told, memory_limit=asked["megabytes"])


def _told(
    tours: Numbering, began: float, emit: Emit, line: str, said: str, found: list[tuple[int, Tour]]
) -> None:
    """Some tours, each with its number, of how many."""
    emit(
        {
            "event": "outcome",
            "numbered": [{"number": str(number), "tour": tour.names} for number, tour in found],
            "tours": str(tours.size),
            "method": tours.method,
            "reason": tours.reason,
            "seconds": round(time.perf_counter() - began, 4),
            "command": line,
            "python": said,
        }
    )
