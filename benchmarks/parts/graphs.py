"""Hamiltonian cycles of any graph, by families: how many are found, and how many refuted, and when.

Each graph is a process by itself, which makes it and then times whoever is asked, with all cores:
the front door's ``auto``, clingo's usual program, the plain ``AddCircuit`` script, and LKH.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks.case import Run, job
from benchmarks.graphs.catalogue import Graph, acyclic, catalogue
from benchmarks.graphs.large import LARGE
from benchmarks.ladder import Ladder, ladders_of
from benchmarks.markdown import in_seconds, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import CLINGO, LKH, PLAIN, Plan
from benchmarks.yardsticks import installed

AUTO = "auto"
CANDIDATES = (AUTO, CLINGO, PLAIN, LKH)
ALL, COMBINED = ("generalized Petersen", "flower snark and an edge"), "combined"
SOLVED, SOLVED_COMBINED = 0.9, 0.8
"""Of all graphs, and of the combined ones, that are to be solved; of those in ``ALL`` every one."""


def ladders(plan: Plan) -> list[Ladder]:
    """Every graph by everyone who can, once; the large ones by ``auto`` alone."""
    cases = []
    chosen = ["petersen-1", "coxeter"] if plan.quick else [*some(plan), *acyclic()]
    for place, name in enumerate(chosen):
        for who in filter(installed, CANDIDATES[:2] if plan.quick else CANDIDATES):
            words = ("graphs", who, name, plan.graph_limit, "{seed}")
            cases.append(job(name, who, words, plan.graph_limit, place))
    for place, name in enumerate(() if plan.quick else LARGE, start=len(chosen)):
        words = ("graphs", AUTO, name, plan.graph_limit, "{seed}")
        cases.append(job(name, AUTO, words, plan.graph_limit, place))
    return ladders_of(cases, (1,))


def some(plan: Plan) -> list[str]:
    """So many of the graphs with a cycle as are asked for, spread over families and sizes.

    Examples
    --------
    >>> some(Plan(graphs=4))
    ['combined-28', 'petersen-1', 'flower-12', 'insanity-9']
    """
    names = list(catalogue())
    many = min(plan.graphs or len(names), len(names))
    return [names[(2 * place + 1) * len(names) // (2 * many)] for place in range(many)]


def report(plan: Plan, results: Results) -> Iterator[str]:
    """A row for each family, of graphs with a cycle and of those without, and the large ones."""
    told = _Told(results)
    headings = ["family", *(f"{who}{more}" for who in told.names for more in ("", ", s"))]
    for text, known in (
        ("Hamiltonian cycles: found of how many, and median seconds", catalogue()),
        ("Graphs without a Hamiltonian cycle: refuted of how many, and median seconds", acyclic()),
    ):
        families: dict[str, list[str]] = {}
        for name, it in known.items():
            if told.run(AUTO, name) is not None:
                families.setdefault(it.family, []).append(name)
        yield from title(text)
        rows = [[family, *told.cells(names)] for family, names in families.items()]
        rows.append(["all", *told.cells([name for names in families.values() for name in names])])
        yield from table(headings, rows)
    yield ""
    yield f"At most {plan.graph_limit:g} s each; what is not done counts as infinitely long."
    yield from _certified(told)
    yield ""
    yield from _targets(told)
    yield from _large(told)


class _Told:
    def __init__(self, results: Results) -> None:
        _, who = results.names("graphs")
        self.names = [name for name in CANDIDATES if name in who]
        self._runs = {
            (case.who, case.row): run
            for ladder in results.ladders["graphs"]
            for (case, _), run in ladder.runs.items()
        }

    def run(self, who: str, name: str) -> Run | None:
        return self._runs.get((who, name))

    def done(self, who: str, names: list[str]) -> list[str]:
        return [name for name in names if not math.isinf(self.seconds(who, name))]

    def seconds(self, who: str, name: str) -> float:
        run = self.run(who, name)
        return math.inf if run is None else run.seconds

    def cells(self, names: list[str]) -> list[str]:
        cells = []
        for who in self.names:
            middle = median(self.seconds(who, name) for name in names)
            text = "" if math.isinf(middle) else in_seconds(middle)
            cells += [f"{len(self.done(who, names))} of {len(names)}", text]
        return cells

    def asked(self, known: dict[str, Graph], family: str = "") -> list[str]:
        return [
            name
            for name, it in known.items()
            if family in ("", it.family) and self.run(AUTO, name) is not None
        ]


def _certified(told: _Told) -> Iterator[str]:
    names = told.done(AUTO, told.asked(acyclic()))
    runs = [told.run(AUTO, name) for name in names]
    many = sum(run is not None and run.values.get("certified", False) for run in runs)
    yield f"Of the {len(names)} refutations by {AUTO}, {many} came with a certificate."


def _targets(told: _Told) -> Iterator[str]:
    asked = told.asked(catalogue())
    for names, least, what in (
        (asked, SOLVED, "all"),
        *((told.asked(catalogue(), family), 1.0, family) for family in ALL),
        (told.asked(catalogue(), COMBINED), SOLVED_COMBINED, COMBINED),
        (told.asked(acyclic()), 1.0, "those without a cycle"),
    ):
        if names:
            done = len(told.done(AUTO, names))
            text = f"{AUTO} does {done} of {len(names)}, {what} (at least {least:.0%})"
            yield target(text, done >= least * len(names))
    others = [who for who in (CLINGO, PLAIN) if who in told.names]
    if asked and others:
        theirs = len({name for who in others for name in told.done(who, asked)})
        done = len(told.done(AUTO, asked))
        text = f"{AUTO} finds {done}, one of {' and '.join(others)} {theirs} (more)"
        yield target(text, done > theirs or done == len(asked))


def _large(told: _Told) -> Iterator[str]:
    measured = [name for name in LARGE if told.run(AUTO, name) is not None]
    if measured:
        yield from title("Large graphs, by auto")
        rows = [[name, in_seconds(told.seconds(AUTO, name))] for name in measured]
        yield from table(["graph", "seconds"], rows)
        yield ""
    for name in measured:
        most = LARGE[name].seconds
        met = told.seconds(AUTO, name) <= most
        yield target(f"{name} in {in_seconds(told.seconds(AUTO, name))} s (at most {most:g})", met)
