"""The answer of an optimization: the best tour, path or cover, and a bound for all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Verdict
from kt_cp.model.terms import describe_comparison, describe_value
from kt_cp.trust.check.bound import PATH_COVER

if TYPE_CHECKING:
    from kt_cp.model.outcome import Certificate, Outcome
    from kt_cp.model.problem import Problem
    from kt_cp.model.tour import Tour
    from kt_cp.model.views import Picture

SOURCES = {
    "certificate": "",
    "sweeps": ", by sweeps from both ends",
    "windows": ", by windows of the board",
    "cpsat": ", according to CP-SAT",
}
"""Descriptions of the proofs of a bound."""


@dataclass(frozen=True)
class Optimum:
    """The best tour that was found, with a bound for all tours.

    Attributes
    ----------
    problem : Problem
    objective : str
        The objective, such as ``"fewest-turns"``.
    tour : Tour or None
        The best tour; None if there is no tour or none was found.  For ``longest`` it is a path or
        cycle that may skip squares.
    paths : list of Tour or None
        The paths of a ``path-cover``, which has no single tour.
    value, bound : int, float or None
        The measure of the tour, and the bound of the certificate, which no tour exceeds.
    certificate : Certificate or None
        An accepted certificate of the bound, with the tour if it attains the bound; or a
        certificate that there is no tour.
    bound_by : str or None
        The source of the bound: ``"certificate"``; ``"sweeps"`` if two frontier sweeps, from both
        ends of the board, gave the same value; ``"windows"`` if
        :mod:`kt_cp.optimization.crossing_bound` computed it; or ``"cpsat"`` if CP-SAT claims it.
    verdict : Verdict
        Whether there is a tour.
    reason : str or None
        Why there is no tour, or why it is unknown.
    limit : str or None
        ``"time"`` or ``"interrupted"`` if this left a gap.
    statistics : mapping
        The total ``seconds``, ``search_seconds`` and the ``claimed_bound`` of the engine, the
        number of ``cases``, and ``weight_unit`` if weights are rounded to multiples of it.  After
        ``resume``, the totals of all ``runs``.
    unfinished : list or None
        For each sum of the objective a better ``bound`` and the unfinished ``tree`` of cases for
        it, which ``resume`` continues.
    """

    problem: Problem
    objective: str
    tour: Tour | None = None
    paths: list[Tour] | None = None
    value: float | None = None
    bound: float | None = None
    certificate: Certificate | None = None
    bound_by: str | None = None
    verdict: Verdict = Verdict.UNKNOWN
    reason: str | None = None
    limit: str | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    unfinished: list[dict[str, Any] | None] | None = None

    @classmethod
    def from_outcome(cls, outcome: Outcome, objective: str) -> Optimum:
        """Return an optimum without value or bound, from the search for any tour."""
        return cls(
            outcome.problem,
            objective,
            tour=outcome.tour,
            certificate=outcome.certificate,
            verdict=outcome.verdict,
            reason=outcome.reason,
            limit=outcome.limit,
        )

    def __bool__(self) -> bool:
        return self.value is not None

    def __repr__(self) -> str:
        return f"<Optimum: {self.problem.label}, {self.objective}: {self.summary}>"

    @property
    def proved(self) -> bool:
        """Return whether a certificate shows that no tour is better."""
        return self.has_no_gap and self.bound_by == "certificate"

    @property
    def has_no_gap(self) -> bool:
        """Return whether the value equals the bound."""
        return self.value is not None and self.value == self.bound

    @property
    def summary(self) -> str:
        """The value and the bound in words."""
        if self.value is None:
            return "no tour" if self.verdict is Verdict.IMPOSSIBLE else "unknown"
        known = describe_value(self.objective, self.value)
        others = describe_comparison(self.objective)
        if self.bound is None or self.bound_by is None:
            return f"{known}; no bound is known"
        than = "" if self.has_no_gap else f" than {self.bound:,}"
        return f"{known}; {others}{than}{SOURCES[self.bound_by]}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values of JSON."""
        return {
            "problem": problem_document(self.problem),
            "objective": self.objective,
            "verdict": self.verdict.value,
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "bound_by": self.bound_by,
            "reason": self.reason,
            "limit": self.limit,
            **self._found(),
            "certificate": None if self.certificate is None else dict(self.certificate.document),
            "statistics": self.statistics,
            **({} if self.unfinished is None else {"unfinished": self.unfinished}),
        }

    def picture(self) -> Picture:
        """Return the tour or the paths as SVG, with marks for the objective.

        Turns and angles are dots, crossings are rings, and moves that count are thick.

        Raises
        ------
        InputError
            If there is no tour, or if there are several paths of a graph.
        """
        from kt_cp.render.optimum import optimum_picture

        tours = self.paths or ([] if self.tour is None else [self.tour])
        if not tours:
            raise InputError(f"expected a tour to draw, got none: {self.summary}")
        return optimum_picture(self.problem, tours, self.objective)

    def _found(self) -> dict[str, Any]:
        if self.objective == PATH_COVER:
            return {"paths": None if self.paths is None else [each.names for each in self.paths]}
        if self.tour is None:
            return {"tour": None}
        is_measured = self.objective.startswith(("fewest-", "most-"))
        return {
            "tour": self.tour.names,
            **({"measures": self.tour.measures()} if is_measured else {}),
        }
