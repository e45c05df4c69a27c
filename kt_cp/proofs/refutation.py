"""Refutations: a formula with the cuts that it needs, and a proof that it has no model.

:mod:`kt_cp.proofs.cuts` finds the cuts.  A solver that logs its lemmas then solves the formula with
them again, from the start.  :mod:`.trimming` keeps the lemmas that the empty clause needs,
with hints, and the cuts that they use.  With only these cuts the formula is solved a few times
more, by other solvers and in other orders, for a shorter proof.  With clues, :func:`find_conflict`
first finds a small subset that no tour satisfies.

PySAT's solvers have no time limit and cannot be interrupted, so this runs in its own process.

Source: proofs as DRUP after M. Heule, W. Hunt and N. Wetzler, "Trimming while checking clausal
proofs", FMCAD 2013.  Cost: a tenth of a second and a few kilobytes for most boards of up to 64
squares with holes and ends.  When it loses: if the reason is a count over the whole board (colours,
tight sets).  Resolution needs exponentially many lemmas for a count, and closed 7x7 does not end.
Other kinds of evidence cover these cases.

Fast refutations of clues, or of lists with clues, run in this process (:func:`try_refute`).
Starting a process with an interpreter, NumPy, Numba and a solver takes longer than refuting a
puzzle.  With clues no cuts are needed, so one solver run with a log is enough.  It has a limit of
conflicts, because PySAT's solvers cannot be interrupted.  If it reaches the limit or finds another
tour, :func:`find_refutation` starts again from scratch.

Trimming visits every clause, and most conflicts of clues concern a few steps.  So a solver first
identifies the conflicting chunks of clauses, each enabled by an assumption.  The proof uses only
these.

Source: ours; cores from assumptions are those of N. Eén and N. Sörensson, "An extensible
SAT-solver", SAT 2003.  Cost: half a second for 8×8 with one tour, against another second for the
process; a tenth of a second for 8×8 without one, and trimming is a hundredth of a second of it.
When it loses: if it reaches its limit, some tenths of a second are wasted.

Conflicting clues: a few clues of a problem that no tour satisfies together.

If no tour satisfies all clues, users want to know which of them conflict.  So clues are removed,
first all, then half of them, down to single ones, as long as there is still no tour.  The remaining
clues are enough to refute the problem.  Their windows are wider than those of all clues, so a
refutation may take longer.  Each trial has a budget of conflicts, and a clue is not removed if the
trial exceeds it.  If no trial without a single clue exceeded its budget, every remaining clue is
needed: without it there is a tour.  The set is not necessarily the smallest.

Source: deletion, after J. Marques-Silva, "Minimal unsatisfiability: models, algorithms and
applications", ISMVL 2010, in halves first as in A. Zeller and R. Hildebrandt, "Simplifying and
isolating failure-inducing input", IEEE Transactions on Software Engineering 28, 2002.  Cost: a
formula for each trial, some tens of milliseconds on 8x8.  When it loses: many clues that are all
needed, on a large board.
"""

from __future__ import annotations

import base64
import random
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kt_cp.model.conditions import Given
from kt_cp.model.errors import EndedError, EngineFailedError
from kt_cp.model.limits import Clock
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, Request
from kt_cp.processes import isolate
from kt_cp.proofs.backward_check import Step
from kt_cp.proofs.cuts import BOUNDED, Claim, CutSearch, find_cuts_or_tour
from kt_cp.proofs.trimming import ROUNDS, parse_drup, trim
from kt_cp.trust.check import Refusal
from kt_cp.trust.check.forced import apply_counts
from kt_cp.trust.check.formula import given_clues
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.refutation import digest, dimacs
from kt_cp.trust.check.steps import Clause

CLASH_CONFLICTS = 20_000
"""Most conflicts of one trial: about a second."""


@dataclass(frozen=True)
class Conflict:
    """Conflicting clues, the cuts of their refutation, and whether all clues are needed."""

    claim: Claim
    cuts: list[set[int]]
    needed: bool


def find_conflict(claim: Claim, cuts: list[set[int]], expired: Callable[[], bool]) -> Conflict:
    """Return a few conflicting clues of a claim that all clues and these cuts refute."""
    clues = sorted(claim.clues, key=lambda clue: clue[1])
    minimal = True
    chunk = len(clues)
    while chunk:
        place, minimal = 0, True
        while place < len(clues):
            if expired():
                return Conflict(replace(claim, clues=clues), cuts, False)
            fewer = clues[:place] + clues[place + chunk :]
            attempt = _try_clues(replace(claim, clues=fewer))
            if attempt is not None and attempt.is_decided and attempt.tour is None:
                clues, cuts = fewer, attempt.cuts
                continue
            minimal = minimal and attempt is not None and attempt.is_decided
            place += chunk
        chunk //= 2
    return Conflict(replace(claim, clues=clues), cuts, minimal)


def _try_clues(claim: Claim) -> CutSearch | None:
    try:
        return find_cuts_or_tour(claim, budget=CLASH_CONFLICTS)
    except Refusal:  # the windows are too wide
        return None


PROVERS = ("glucose4", "cadical153", "lingeling")
"""Solvers that log their lemmas, in the order in which they are tried: the first gives the shortest
proofs on small boards, the others on larger ones or with elimination."""

ATTEMPTS = 6
SHORTEN_SECONDS = 2.0
"""Most attempts at a shorter proof, and the seconds after which no further attempt starts."""

LIST_SECONDS = 0.1
"""The seconds for a list of tours; nobody reads its proof, so it is trimmed once, not twice."""

LONG = 30_000
"""Steps of a proof that is trimmed only once: a second round saves a few per cent."""

CONFLICT_SECONDS = 5.0
"""Seconds to find conflicting clues; under a time limit at most a quarter of the rest."""

PACKED = 4_000
"""Characters from which a proof is compressed; shorter ones remain readable."""


@dataclass(frozen=True)
class Result:
    """The squares of a tour, or evidence that there is none; neither if the time was over.

    The note has further facts about the evidence, beyond what it proves.
    """

    tour: list[Any] | None = None
    evidence: dict[str, Any] | None = None
    note: str = ""
    statistics: Mapping[str, float] = field(default_factory=dict)


def find_refutation(
    request: Request,
    *,
    sets: Sequence[Sequence[str]] = (),
    tours: Sequence[Sequence[str]] = (),
    order: Sequence[int] = (),
) -> Result:
    """Find a tour that is not listed, or refute the problem's formula, in another process.

    The formula includes the moves that the tight sets (names of squares) force and ban, and clauses
    that eliminate vertices in an order (:mod:`kt_cp.proofs.certify`).

    Raises
    ------
    EngineFailedError
        If the solver crashed.
    MemoryError
        If the memory limit was reached.
    """
    problem, limits = request.problem, request.clock.limits(request.limits.megabytes)
    arguments = problem, request.seed, sets, request.clock.work_left, tours, order
    # A child process under a time limit starts its own child, which ends in time with it.
    if isolate.in_child() and request.clock.work_left is None:
        return refute(*arguments, emit=request.report)
    ended = isolate.call(
        f"{__name__}:refute",
        *arguments,
        limits=limits,
        progress=request.progress,
        warm=not isolate.in_child(),
        since=time.perf_counter(),
    )
    request.clock.add_processor(ended.processor_seconds)
    if ended.how == "done":
        result: Result = ended.value
        return result
    if ended.how == "memory":
        raise MemoryError(f"the memory limit of {limits.megabytes:g} MB was reached")
    if ended.how == "timeout":
        return Result(statistics={"solve_seconds": ended.seconds})
    if ended.how == "killed":
        what = f"the process of the refutation of {problem.label}"
        raise EndedError(f"{what} was {ended.detail} from outside")
    raise EngineFailedError(f"the refutation of {problem.label} crashed: {ended.detail}")


def refute(
    problem: Problem,
    seed: int,
    sets: Sequence[Sequence[str]],
    seconds: float | None,
    tours: Sequence[Sequence[str]] = (),
    order: Sequence[int] = (),
    *,
    emit: Progress,
) -> Result:
    """Do the work in this process; only the search for shorter proofs checks the clock."""
    clock = Clock(seconds)
    frame = frame_of(problem)
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    vertices = [{number[name] for name in names} for names in sets]
    known = apply_counts(frame, vertices, []) if vertices else None
    listed = [[number[name] for name in names] for names in tours]
    claim = Claim(frame, known, given_clues(frame), listed, order)
    try:
        search = find_cuts_or_tour(claim, seed, emit)
    except Refusal:  # the formula is too large for the checker
        return Result()
    statistics = {"rounds": search.rounds, "cuts": len(search.cuts)}
    if search.tour is not None:
        nodes = list(frame.number)
        return Result(tour=[nodes[vertex] for vertex in search.tour], statistics=statistics)
    cuts, note = search.cuts, ""
    if claim.clues and not tours:
        most = CONFLICT_SECONDS if clock.left is None else min(CONFLICT_SECONDS, clock.left / 4)
        conflict = find_conflict(claim, cuts, Clock(most).expired)
        claim, cuts = conflict.claim, conflict.cuts
        if conflict.needed and claim.clues:
            note = "none of these clues can be left out" if len(claim.clues) > 1 else ""
    proof = _find_short_proof(claim, cuts, seed, clock)
    statistics["lemmas"] = len(proof.lines)
    return Result(None, proof.evidence(claim, sets), note, statistics)


@dataclass(frozen=True)
class _Proof:
    """A proof that refutes the formula with the cuts that it needs."""

    formula: tuple[int, list[Clause]]
    cuts: list[set[int]]
    lines: list[str]

    def __len__(self) -> int:
        return sum(map(len, self.lines))

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def compress(self) -> str | list[str]:
        text = self.text()
        if len(text) < PACKED:
            return self.lines
        return base64.b64encode(zlib.compress(text.encode(), 9)).decode()

    def evidence(self, claim: Claim, sets: Sequence[Sequence[str]]) -> dict[str, Any]:
        """Return the proof as evidence, with the tight sets of the claim."""
        names = claim.frame.names
        evidence: dict[str, Any] = {
            "kind": "list" if claim.tours else "refutation",
            "tight": [list(each) for each in sets],
            "cuts": [[names[vertex] for vertex in sorted(cut)] for cut in self.cuts],
        }
        if any(type(each) is Given for each in claim.frame.problem.conditions):
            evidence["clues"] = [[names[vertex], step] for vertex, step in claim.clues]
        if claim.order:
            evidence["order"] = [names[vertex] for vertex in claim.order]
        if claim.tours:
            evidence["tours"] = [[names[vertex] for vertex in tour] for tour in claim.tours]
        digests = {"formula": digest(dimacs(*self.formula)), "proof": digest(self.text())}
        return {**evidence, "proof": self.compress(), "digests": digests}


def _find_short_proof(claim: Claim, cuts: list[set[int]], seed: int, clock: Clock) -> _Proof:
    """Return the shortest of a few proofs, each with the cuts that the best proof so far needs."""
    rng = random.Random(seed)
    started = clock.elapsed
    patience = LIST_SECONDS if claim.tours else SHORTEN_SECONDS
    best = _make_proof(claim, cuts, 0, rng)
    for attempt in range(1, ATTEMPTS):
        left = clock.left
        if clock.elapsed - started > patience or (left is not None and left < 1.0):
            break
        best = min(best, _make_proof(claim, best.cuts, attempt, rng), key=len)
    return best


def _make_proof(claim: Claim, cuts: list[set[int]], attempt: int, rng: random.Random) -> _Proof:
    from pysat.solvers import Solver

    _, clauses = claim.formula(cuts)
    shuffled = rng.sample(clauses, len(clauses)) if attempt else clauses
    if [] in clauses:
        log = []
    else:
        prover = PROVERS[(attempt + bool(claim.order)) % len(PROVERS)]
        with Solver(name=prover, with_proof=True) as solver:
            solver.append_formula(shuffled)
            if solver.solve() is not False:
                raise EngineFailedError("a solver contradicts another on one formula")
            log = solver.get_proof()
    return trim_proof(claim, cuts, clauses, parse_drup(log))


def trim_proof(
    claim: Claim,
    cuts: list[set[int]],
    clauses: list[Clause],
    steps: Iterable[Step],
    core: Sequence[int] | None = None,
) -> _Proof:
    """Return the parts of a proof and of the cuts (the last clauses) that the empty clause needs.

    The steps refute the clauses whose indices are in ``core``, by default all.
    """
    steps, core = list(steps), range(len(clauses)) if core is None else core
    rounds = 1 if claim.tours or len(steps) > LONG else ROUNDS
    trimmed = trim([clauses[index] for index in core], steps, rounds=rounds)
    base = len(clauses) - len(cuts)
    used = [core[place] - base for place in trimmed.used if core[place] >= base]
    number = {base + place + 1: base + rank + 1 for rank, place in enumerate(used)}
    down = len(cuts) - len(used)
    lines = []
    for lemma, hints in trimmed.lemmas:
        ids = (core[h - 1] + 1 if h <= len(core) else h - len(core) + len(clauses) for h in hints)
        renumbered = (number.get(h, h if h <= base else h - down) for h in ids)
        lines.append(" ".join(map(str, [*lemma, 0, *renumbered, 0])))
    needed = [cuts[place] for place in used]
    return _Proof(claim.formula(needed), needed, lines)


SQUARES, TOURS = 100, 100
"""Most squares of a problem, and most tours of a list, for a refutation in this process."""

QUICK_CONFLICTS = 10_000
"""Most conflicts: some tenths of a second; 8×8 needs a tenth of them."""

CHUNKS = (256, 16)
"""Clauses in a chunk of a core: many in the first round, few in the second."""


def try_refute(
    problem: Problem, tours: Sequence[Sequence[str]] = (), conflicts: int | None = None
) -> Result | None:
    """Return evidence that there are no other tours than these, or None if it is not found soon.

    Each solver call stops after ``conflicts`` conflicts, by default ``QUICK_CONFLICTS``.

    Examples
    --------
    >>> problem = Problem("3x4", given={"a1": 1, "d3": 12})
    >>> try_refute(problem, ["a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split()]).evidence["kind"]
    'list'
    >>> try_refute(Problem("3x4", given={"a1": 1}), ["a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split()])
    """
    if problem.size > SQUARES or len(tours) > TOURS:
        return None
    frame = frame_of(problem)
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    listed = [[number[name] for name in names] for names in tours]
    claim = Claim(frame, None, given_clues(frame), listed)
    if not claim.clues:
        return None
    try:
        variables, clauses = claim.formula()
    except Refusal:  # too large for the checker
        return None
    conflicts = QUICK_CONFLICTS if conflicts is None else conflicts
    core = _find_core(variables, clauses, conflicts)
    log = None if core is None else _log_proof([clauses[index] for index in core], conflicts)
    if log is None:
        return None
    proof = trim_proof(claim, [], clauses, parse_drup(log), core)
    return Result(None, proof.evidence(claim, []), statistics={"lemmas": len(proof.lines)})


def _find_core(variables: int, clauses: list[Clause], conflicts: int) -> list[int] | None:
    """Return the indices of an unsatisfiable core; None if there is a model or conflicts run out.

    Each assumption is a selector variable that enables a chunk of consecutive clauses.
    """
    from pysat.solvers import Solver

    indices = list(range(len(clauses)))
    if [] in clauses:
        return [clauses.index([])]
    for size in CHUNKS:
        chunks = [indices[first : first + size] for first in range(0, len(indices), size)]
        switches = range(variables + 1, variables + 1 + len(chunks))
        rows = [
            [*clauses[index], -switch]
            for switch, chunk in zip(switches, chunks, strict=True)
            for index in chunk
        ]
        with Solver(name=BOUNDED, bootstrap_with=rows) as solver:
            solver.conf_budget(conflicts)
            if solver.solve_limited(assumptions=list(switches)) is not False:
                return None
            core = set(solver.get_core())
        indices = [
            index
            for switch, chunk in zip(switches, chunks, strict=True)
            if switch in core
            for index in chunk
        ]
    return indices


def _log_proof(clauses: list[Clause], conflicts: int) -> list[str] | None:
    """Return a DRUP proof; None if the clauses have a model or conflicts run out."""
    from pysat.solvers import Solver

    if [] in clauses:
        return []
    with Solver(name=BOUNDED, bootstrap_with=clauses, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        if solver.solve_limited() is not False:
            return None
        log: list[str] = solver.get_proof()
    return log
