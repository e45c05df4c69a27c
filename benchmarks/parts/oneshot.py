"""How far each encoding comes that states everything at once.

The solver is the same for all, CaDiCaL 1.9.5 as PySAT has it, so that encodings are compared and
not solvers.  One whose models need a check runs with its cuts, as its engine does.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import Case, job
from benchmarks.ladder import Ladder
from benchmarks.markdown import outcome, table, target, title
from benchmarks.measure import Results
from benchmarks.plan import Plan

SOLVER = "cadical195"
AIM = 40
"""Side that the best one is to reach; in the SAT Race of 2019 nothing came beyond 20."""


def ladders(plan: Plan) -> list[Ladder]:
    """Even sides from 6, one after the other to 50, then every fifth."""
    sides = [side for side in range(6, plan.most + 1, 2) if side <= 50 or side % 10 == 0]

    def rung(name: str, side: int) -> Case:
        words = ("search", f"sat:{name}:{SOLVER}", side, "{seed}")
        return job(f"{side}x{side}", name, words, plan.climb_limit, side)

    return [
        Ladder([rung(name, side) for side in sides], plan.seeds, thrifty=True)
        for name in plan.oneshot
    ]


def report(plan: Plan, results: Results) -> Iterator[str]:
    """The table, and how far the best one came."""
    yield from title(
        f"One-shot formulas, closed, {SOLVER}: the largest side within {plan.climb_limit:g} s"
    )
    climbed = {ladder.cases[0].who: ladder for ladder in results.ladders["oneshot"]}
    headings = ["encoding", "largest side", "seconds there", "variables", "clauses", "failed at"]
    yield from table(headings, [_row(plan, name, ladder) for name, ladder in climbed.items()])
    yield ""
    yield "Even sides from 6 to 50, then 60, 70, …, until most of the seeds fail; seeds that change"
    yield "nothing any more are left out, but for the largest side. In brackets the fastest and the"
    yield "slowest seed. REFUSED: more clauses than kt_cp allows a formula."
    yield ""
    reached = {name: it.highest.place if it.highest else 0 for name, it in climbed.items()}
    if plan.most >= AIM and reached:
        best = max(reached.values())
        names = ", ".join(name for name, side in reached.items() if side == best)
        yield target(f"{names}: side {best} (at least {AIM})", best >= AIM)


def _row(plan: Plan, name: str, ladder: Ladder) -> list[str]:
    highest, fell = ladder.highest, ladder.fell
    failed = "–"
    if fell is not None:
        failed = f"{fell.place} ({outcome([*ladder.by_seed(fell).values()], plan.climb_limit)})"
    if highest is None:
        return [name, "–", "", "", "", failed]
    runs = [*ladder.by_seed(highest).values()]
    sizes = next(run.values for run in runs if run.status == "FOUND")
    counts = [f"{sizes[it]:,.0f}" for it in ("variables", "clauses")]
    return [name, f"{highest.place}", outcome(runs, plan.climb_limit), *counts, failed]
