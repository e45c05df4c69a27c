"""Progress events of a search: counts, moves placed and taken back, cycles, the current walk.

A search does millions of steps a second; a browser draws about sixty frames.  So the first steps
are sent one by one, and the page can replay them slowly.  After that the state is sent, at most
twenty times a second.  A slow page may miss states, but no steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from kt_cp.counting.api import describe_progress
from kt_cp.model.board import square_name
from kt_cp.model.problem import Problem
from kt_cp.model.request import Edges

Event = dict[str, Any]
Emit = Callable[[Event], None]

EVERY_SECONDS = 0.05
"""Least time between two states."""

FULL_STATES = 50_000
"""Squares of states that are sent without that delay."""

STEPS_IN_EVENT = 2_000
"""Steps in one event."""


def is_transient(event: Event) -> bool:
    """Return whether an event may be skipped, because a later one replaces it.

    Examples
    --------
    >>> is_transient({"event": "moves", "moves": []}), is_transient({"event": "moves", "walk": []})
    (False, True)
    """
    kind = event["event"]
    return kind in ("progress", "paths", "cycles") or (kind == "moves" and "walk" in event)


class ProgressReporter:
    """A progress callback that emits events, with the moves that a search has chosen.

    Examples
    --------
    >>> watch = ProgressReporter(Problem("2x3"), events := [])
    >>> watch({"step": 1, "steps": 4})
    >>> watch.look(lambda: [((0, 0), (1, 2)), ((0, 2), 9)])
    >>> watch({"value": 47, "bound": 44})
    >>> [(event.get("fraction"), event.get("paths"), event.get("value")) for event in events]
    [(0.25, None, None), (None, [['a1', 'c2']], None), (None, None, 47)]
    """

    def __init__(self, problem: Problem, emit: Emit | list[Event]) -> None:
        self._problem = problem
        self._emit = emit.append if isinstance(emit, list) else emit
        self._due = {"progress": 0.0, "look": 0.0}
        self._shown_squares, self._rounds = 0, 0
        self._reported: set[str] = set()
        self._value: float | None = None

    def __call__(self, work: Mapping[str, float | None]) -> None:
        """Send the work counted so far."""
        self._rounds = int(work.get("rounds") or self._rounds + 1)
        known = {name: work[name] for name in ("value", "bound") if work.get(name) is not None}
        rest = {name: value for name, value in work.items() if name not in ("value", "bound")}
        counts = describe_progress({**known, **rest})
        words = (
            name if value is None else f"{name} {value:,.0f}" for name, value in counts.items()
        )
        text = ", ".join(words)
        begins = not work.keys() <= self._reported  # other counts than before
        begins |= known.get("value", self._value) != self._value
        self._reported, self._value = set(work), known.get("value", self._value)
        if not self._is_due("progress") and not begins:
            return
        step, steps = work.get("step"), work.get("steps")
        fraction = None if not step or not steps else round(min(step / steps, 1.0), 4)
        self._emit({"event": "progress", "text": text, "fraction": fraction, **known})

    def look(self, edges: Callable[[], Edges]) -> None:
        """Send the moves that the search has chosen so far."""
        if self._shown_squares > FULL_STATES and not self._is_due("look"):
            return
        paths, cycles = walks(self._problem, edges())
        self._shown_squares += self._problem.size
        if cycles and not paths:
            self._emit({"event": "cycles", "round": self._rounds, "cycles": cycles})
        else:
            self._emit({"event": "paths", "paths": [*paths, *cycles]})

    def _is_due(self, what: str) -> bool:
        now = time.perf_counter()
        if now < self._due[what]:
            return False
        self._due[what] = now + EVERY_SECONDS
        return True


def walks(problem: Problem, edges: Edges) -> tuple[list[list[str]], list[list[str]]]:
    """Return chosen moves as paths and as cycles, by the names of squares.

    Vertices that are not squares, and edges that are not moves, are those of the cycle form.

    Examples
    --------
    >>> walks(Problem("3x4"), [((0, 0), (1, 2)), ((1, 2), (2, 0)), ((2, 0), 12)])
    ([['a1', 'c2', 'a3']], [])
    """
    beside: dict[Any, list[Any]] = {}
    ends = {problem.start, problem.end}
    for u, v in edges:
        if not isinstance(u, tuple) or not isinstance(v, tuple):
            continue
        if {u, v} == ends and not problem.is_move(u, v):
            continue
        beside.setdefault(u, []).append(v)
        beside.setdefault(v, []).append(u)
    found: tuple[list[list[str]], list[list[str]]] = ([], [])
    seen: set[Any] = set()
    # Paths from their ends first: then only cycles are left.
    for first in sorted(beside, key=lambda square: (len(beside[square]), square)):
        if first in seen:
            continue
        cycle = len(beside[first]) > 1
        walk, here = [], first
        while here is not None:
            seen.add(here)
            walk.append(square_name(here))
            here = next((each for each in beside[here] if each not in seen), None)
        found[cycle].append(walk)
    return found


def steps_event(steps: list[tuple[bool, Any]], placed: int, taken_back: int) -> Event:
    """Return an event with steps of a recursion: squares placed or taken back.

    Examples
    --------
    >>> steps_event([(True, (2, 1)), (False, (2, 1))], 1, 1)["moves"]
    [['+', 'b3'], ['-']]
    """
    moves = [["+", square_name(square)] if forth else ["-"] for forth, square in steps]
    return {"event": "moves", "moves": moves, "placed": placed, "taken_back": taken_back}
