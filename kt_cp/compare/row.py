"""One row of a comparison, what is compared by default, and how every "none" is backed, in a word.

``certified``
    A certificate of the problem was checked: the engine's own, or one found here.
``exhausted``
    The engine searched to the end, or the reference did, which agrees.
``theorem``
    A theorem is cited.
``claimed``
    The engine says so, and that is all.

A certificate belongs to a problem and not to an engine, so each problem is certified once, after
all runs.  Should that come upon a tour, every "none" is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate, Checks, Evidence, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.processes.memory import is_out_of_memory
from kt_cp.proofs.certify import Finding, certify
from kt_cp.trust.check import Refusal, check
from kt_cp.trust.crosscheck import cross_check

CERTIFY_SECONDS = 10.0
"""Most time for the certificate of one problem, and never more than a run may take."""


@dataclass(frozen=True)
class Run:
    """One row: a problem, an engine, one seed.

    ``verdict`` is that of the outcome, or ``TIMEOUT``, ``MEMORY``, ``CRASH``, ``KILLED`` (by
    somebody else, or for want of memory that its limit allows), ``REFUSED`` (too large for the
    engine, by estimate, or with conditions that it does not take), ``UNSOUND`` (the answer is
    wrong) or ``DONE`` (a task was measured).  ``evidence`` is what a "no" came with, and ``backed``
    says in a word what stands behind it.
    """

    problem: Problem
    engine: str
    seed: int
    verdict: str
    reason: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    checks: Checks = field(default_factory=Checks)
    versions: dict[str, str] = field(default_factory=dict)
    evidence: Evidence | None = None
    backed: str | None = None


DEFAULT_ENGINES = ("backtrack", "warnsdorff", "cpsat", "sat:lazy", "sat:position")

# "o" open, "c" closed.  Boards without a tour of either kind come first; closed tours are left out
# where an odd number of squares makes the question trivial.
_SMALL = ("3x3", "4x4", "3x4", "3x10", "4x5", "5x5", "5x6", "6x6", "7x7")
_LARGE = ("8x8", "12x12", "20x20", "30x30")
_ODD = ("5x5", "7x7")
DEFAULT_BOARDS = tuple((name, "o" if name in _ODD else "oc") for name in (*_SMALL, *_LARGE))


def questions(
    ask: Callable[..., Problem] = Problem,
    boards: Iterable[tuple[str, str]] = DEFAULT_BOARDS,
    kinds: str = "oc",
) -> list[Problem]:
    """A problem for each board and kind, open (``"o"``) or closed (``"c"``).

    Parameters
    ----------
    ask : callable
        Makes a problem of a board's name and the keyword ``closed``.
    boards : iterable of (str, str)
        Boards, and the kinds in which each is of interest.
    kinds : str
        Those that are asked for.

    Examples
    --------
    >>> [problem.label for problem in questions(boards=[("3x4", "oc")])]
    ['3x4, open', '3x4, closed']
    """
    return [
        ask(name, closed=kind == "c") for name, both in boards for kind in both if kind in kinds
    ]


def with_backing(rows: list[Run], limits: Limits, seed: int) -> list[Run]:
    """The rows; those that say that there is no tour, with how that is backed."""
    seconds = min(CERTIFY_SECONDS, limits.seconds or CERTIFY_SECONDS)

    @cache
    def certified(problem: Problem) -> Finding:
        try:
            came = certify(problem, limits=Limits(seconds, limits.megabytes), seed=seed)
        except Exception as error:
            if is_out_of_memory(error):
                return Finding()
            raise
        if came.tour is not None:
            cross_check(Outcome(Verdict.FOUND, problem, "certify", tour=came.tour, seed=seed))
        return came

    found = {row.problem for row in rows if row.verdict == Verdict.FOUND.value}
    none = Verdict.IMPOSSIBLE.value
    return [
        # Where another engine has a tour, that is what there is to tell.
        _backed(row, None if row.problem in found else certified) if row.verdict == none else row
        for row in rows
    ]


def _backed(row: Run, certified: Callable[[Problem], Finding] | None) -> Run:
    assert row.evidence is not None
    if _accepted(row.evidence.certificate, row.problem):
        return replace(row, backed="certified")
    found = Finding() if certified is None else certified(row.problem)
    if found.tour is not None:
        what = (
            f"engine {row.engine} says IMPOSSIBLE on {row.problem.label}, seed {row.seed}, "
            f"but looking for a certificate found a tour: {' '.join(found.tour.names)}"
        )
        return replace(row, verdict="UNSOUND", reason=what)
    if found.certificate is not None:
        return replace(row, backed="certified")
    if row.evidence.kind is EvidenceKind.EXHAUSTED or row.checks.agrees:
        return replace(row, backed="exhausted")
    cited = row.evidence.kind is EvidenceKind.THEOREM
    return replace(row, backed="theorem" if cited else "claimed")


def _accepted(own: Certificate | None, problem: Problem) -> bool:
    """Whether an engine's own certificate holds here as well: it comes from another process."""
    if own is None:
        return False
    try:
        checked = check(own.document)
        return checked.problem == problem and not checked.tours
    except Refusal:
        return False
