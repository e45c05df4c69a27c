"""Every tour, by a plain C++ recursion, by its compiled twin, and by what prunes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks import cplusplus
from benchmarks.case import KT_CP, Case, job
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.parts.commands import PASS, commands, spreads
from benchmarks.plan import Plan
from kt_cp.model.board import Board, parse_square

RECURSION, TWIN, LISTING, COUNTING = "C++ recursion", "compiled twin", "listing", "counting"
FIRST = "compiled twin, to its first tour"

EVERYBODY = (RECURSION, TWIN, LISTING, COUNTING)
PRUNED = (LISTING, COUNTING)
COLUMNS = ["tours", "squares placed", "million squares/s", "seconds"]

COLD = "kt-cp enumerate 5x5 --count"
FIRST_TIME = {"kt-cp enumerate 5x5 --count, nothing compiled yet": (*KT_CP, *COLD.split()[1:])}
"""What is run with an empty compile cache, and so fills it for the others."""

COMMANDS = PASS | {
    name: (*KT_CP, *name.split()[1:])
    for name in (COLD, "kt-cp enumerate 5x5", "kt-cp enumerate 6x6 --closed --count")
}

ALL = FIRST_TIME | COMMANDS


@dataclass(frozen=True)
class Every:
    """An enumeration and those that run it.

    Attributes
    ----------
    board : str
        Such as ``5x6``.
    by : tuple of str
        Who runs it.
    start : str
        A square's name, or ``all``.
    directed : bool
        Whether a tour and its reverse are two.
    order : str
        Number of the source text whose order of moves is taken.
    symmetry : str
        A motion that carries each tour to itself, if any.
    tours, placed : int, optional
        As they must come out, where that is known beforehand.
    targets : tuple of (str, float)
        Candidates, and less than how many seconds they are to take.
    """

    board: str
    by: tuple[str, ...]
    start: str = "all"
    closed: bool = False
    directed: bool = True
    order: str = "004"
    symmetry: str = ""
    tours: int | None = None
    placed: int | None = None
    targets: tuple[tuple[str, float], ...] = ()

    @property
    def label(self) -> str:
        """In words."""
        kind = "closed" if self.closed else "open"
        unit = "" if self.directed else ", undirected"
        start = "" if self.start == "all" else f" from {self.start}"
        return f"{self.board} {kind}{unit}{start}{self.symmetry and f', {self.symmetry}'}"

    def case(self, who: str, limit: float, place: int) -> Case:
        """By a candidate."""
        if who == RECURSION:
            board = Board.parse(self.board)
            start = ("all",) if self.start == "all" else map(str, parse_square(self.start))
            sides = f"{board.rows}", f"{board.columns}"
            words = ("{recursion}", *sides, *start, *(["closed"] if self.closed else []))
            return Case(self.label, who, words, limit, place)
        kinds = "closed" if self.closed else "open", "directed" if self.directed else "undirected"
        said = ("enumeration", who, self.board, self.start, *kinds, self.order, self.symmetry)
        return job(self.label, who, said, limit, place)


COMPARED = (
    Every("5x5", EVERYBODY, "a1", tours=304),
    Every("5x5", EVERYBODY, tours=1728, targets=((LISTING, 0.2),)),
    Every("5x6", EVERYBODY, "a1", tours=4542),
    Every("6x6", (RECURSION, *PRUNED), "a1", closed=True, tours=2 * 9862),
)
"""Beside the C++ recursion, in whose unit all are counted; it has no hope on the last one."""

ALONE = (
    Every(
        "6x6", PRUNED, closed=True, directed=False, tours=9862,
        targets=((LISTING, 2.0), (COUNTING, 2.0)),
    ),
    Every("6x6", (COUNTING,), tours=6_637_920, targets=((COUNTING, 60.0),)),
    Every("6x7", (COUNTING,), closed=True, directed=False, tours=1_067_638),
    Every(
        "8x8", (COUNTING,), closed=True, directed=False, symmetry="half-turn", tours=2_432_932,
        targets=((COUNTING, 60.0),),
    ),
    Every("7x7", (FIRST,), "d4", order="001", tours=1, placed=12_040_482, targets=((FIRST, 2.0),)),
)  # fmt: skip
"""Without the C++ recursion; what the enumeration is meant for, and the twin's longest run."""

QUICK = (
    Every("3x4", EVERYBODY, tours=16),
    Every("5x5", (LISTING,), "c3", tours=64, targets=((LISTING, 0.2),)),
    Every("5x5", (FIRST,), "c3", order="001", tours=1),
    Every("6x6", (COUNTING,), closed=True, directed=False, symmetry="quarter-turn", tours=10),
)


def asked(plan: Plan) -> tuple[Every, ...]:
    """All enumerations."""
    return QUICK if plan.quick else (*COMPARED, *ALONE)


def ladders(plan: Plan) -> list[Ladder]:
    """Each by each of its candidates, and commands; without a compiler nothing by C++."""
    compiled = cplusplus.compiler() is not None
    cases = [
        every.case(who, plan.time_limit, place)
        for place, every in enumerate(asked(plan))
        for who in every.by
        if compiled or who != RECURSION
    ]
    # To compile takes longer than the rest of a quick run, which so finds what is compiled already.
    cases += commands(COMMANDS, plan) if plan.quick else commands(ALL, plan, cache="cache")
    return ladders_of(cases, range(plan.few_repeats))


def report(plan: Plan, results: Results) -> Iterator[str]:
    """All tables and targets."""
    rows = [_Row(plan, results, every) for every in asked(plan)]
    compared = [row for row in rows if RECURSION in row.every.by]
    yield from title("Every tour, beside a plain C++ recursion")
    if cplusplus.compiler() is None:
        yield "No C++ compiler was found, so the C++ recursion was not run."
    else:
        yield f"C++ compiler: {cplusplus.version()}, {' '.join(cplusplus.OPTIONS)}."
    yield ""
    cells = [[*row.cells(who), row.times_as_fast(who)] for row in compared for who in row.every.by]
    yield from table(["board", "by", *COLUMNS, "C++ / this"], cells)
    yield ""
    for row in compared:
        yield from row.comparison()
    yield from title("Every tour, by itself")
    alone = [row for row in rows if row not in compared]
    yield from table(["board", "by", *COLUMNS], [it.cells(w) for it in alone for w in it.every.by])
    yield ""
    for row in rows:
        yield from row.targets()
    yield from title("Whole processes that enumerate, seconds")
    note = "  The first line starts with an empty compile cache,\nthe others find what it compiled."
    yield from spreads(results, "enumeration", {}, "" if plan.quick else note)


class _Row:
    def __init__(self, plan: Plan, results: Results, every: Every) -> None:
        self.plan = plan
        self.every = every
        self.runs = {who: results.runs("enumeration", every.label, who) for who in every.by}

    def numbers(self, who: str, name: str) -> set[int]:
        """All the numbers that came out, of which there should be one."""
        return {it.values[name] for it in self.runs.get(who, ()) if it.status == "FOUND"}

    def seconds(self, who: str) -> float:
        """Median; infinite where a run did not end, or there is none."""
        return median([run.seconds for run in self.runs.get(who, ())] or [math.inf])

    def cells(self, who: str) -> list[str]:
        seconds, speed = self.seconds(who), ""
        tours, placed = (
            ", ".join(f"{number:,}" for number in sorted(self.numbers(who, name)))
            for name in ("tours", "placed")
        )
        if math.isinf(seconds):
            shown = ", ".join(dict.fromkeys(run.status for run in self.runs[who])) or "not run"
            shown = shown.replace("TIMEOUT", f"> {self.plan.time_limit:g} (TIMEOUT)")
        else:
            shown = _fine(seconds)
            speed = f"{min(self.numbers(who, 'placed')) / 1e6 / seconds:.1f}"
        return [self.every.label, who, tours, placed, speed, shown]

    def ratio(self, who: str) -> tuple[float | None, bool]:
        """How often a run fits into one of the C++ recursion's, and whether at least as often."""
        plain, seconds = self.seconds(RECURSION), self.seconds(who)
        over = any(run.status == "TIMEOUT" for run in self.runs.get(RECURSION, ()))
        if over:
            plain = self.plan.time_limit
        if who == RECURSION or math.isinf(plain) or math.isinf(seconds):
            return None, over
        return plain / seconds, over

    def times_as_fast(self, who: str) -> str:
        ratio, bound = self.ratio(who)
        return "" if ratio is None else f"{'≥ ' if bound else ''}{_times(ratio)}"

    def comparison(self) -> Iterator[str]:
        placed = [self.numbers(who, "placed") for who in (RECURSION, TWIN)]
        if all(placed):
            same = len(set().union(*placed)) == 1
            said = "as many squares" if same else "**not** as many squares"
            yield f"- {self.every.label}: the compiled twin placed {said} as the C++ recursion."
        ratio, bound = self.ratio(LISTING)
        if ratio is not None:
            text = f"{self.every.label}: listing is {'at least ' if bound else ''}{_times(ratio)} "
            yield target(f"{text}times as fast as the C++ recursion (more than 1)", ratio > 1)

    def targets(self) -> Iterator[str]:
        for who, most in self.every.targets:
            seconds = self.seconds(who)
            took = "no figure" if math.isinf(seconds) else f"{_fine(seconds)} s"
            text = f"{self.every.label}, {who}: {took} (less than {most:g} s)"
            yield target(text, seconds < most)

    def contradictions(self) -> Iterator[str]:
        """Tours must agree; squares placed too where nothing is pruned, move by move."""
        unpruned = (RECURSION, TWIN, FIRST)
        for name, what, known, who in (
            ("tours", "tours", self.every.tours, self.every.by),
            ("placed", "squares placed", self.every.placed, unpruned),
        ):
            came = set().union(*(self.numbers(it, name) for it in who))
            if len(came | ({known} - {None})) > 1:
                expected = "" if known is None else f", expected {known}"
                yield f"{self.every.label}: {sorted(came)} {what}{expected}"


def contradictions(plan: Plan, results: Results) -> list[str]:
    """What does not agree."""
    return [said for it in asked(plan) for said in _Row(plan, results, it).contradictions()]


def _fine(seconds: float) -> str:
    """Seconds, of short runs also their milliseconds' tenths."""
    return in_seconds(seconds) if seconds >= 0.01 else f"{seconds:.4f}"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
