"""A certificate of the tours that an enumeration has listed."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import Clock
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress
from kt_cp.model.tour import Tour


def proved(
    problem: Problem,
    tours: Sequence[Tour],
    clock: Clock,
    memory_limit: float | None = None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate | None:
    """That these are all, found within what is left of the clock; None where none is.

    Raises
    ------
    UnsoundEngineError
        If there is another.
    TooLargeError
        If there are too many tours, or too many squares.
    """
    from kt_cp.proofs.complete import complete

    limits = clock.limits(memory_limit)
    finding = complete(problem, tours, limits, seed=seed, progress=progress)
    if finding.tour is not None:
        names = " ".join(finding.tour.names)
        raise UnsoundEngineError(f"the enumeration of {problem.label} has missed a tour: {names}")
    return finding.certificate
