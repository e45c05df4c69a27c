"""One row of a comparison, and which problems and engines are compared by default."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kt_cp.model.board import Board
from kt_cp.model.outcome import Checks, Evidence
from kt_cp.model.problem import Problem


@dataclass(frozen=True)
class Run:
    """One row: a problem, an engine, one seed.

    ``verdict`` is that of the outcome, or ``TIMEOUT``, ``MEMORY``, ``CRASH``, ``REFUSED`` (too
    large for the engine, by estimate, or with conditions that it does not take) or ``UNSOUND`` (the
    answer is wrong).  ``evidence`` is what a "no" came with, and ``backed`` says in a word what
    stands behind it, see :mod:`kt_cp.compare.backing`.
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
DEFAULT_BOARDS: tuple[tuple[str, str], ...] = (
    ("3x3", "oc"),
    ("4x4", "oc"),
    ("3x4", "oc"),
    ("3x10", "oc"),
    ("4x5", "oc"),
    ("5x5", "o"),
    ("5x6", "oc"),
    ("6x6", "oc"),
    ("7x7", "o"),
    ("8x8", "oc"),
    ("12x12", "oc"),
    ("20x20", "oc"),
    ("30x30", "oc"),
)


def questions(
    ask: Callable[..., Problem] = Problem,
    boards: Iterable[tuple[str, str]] = DEFAULT_BOARDS,
    kinds: str = "oc",
) -> list[Problem]:
    """A problem for each board and kind, open (``"o"``) or closed (``"c"``).

    Parameters
    ----------
    ask : callable
        Makes a problem of a board and the keyword ``closed``.
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
        ask(Board.parse(name), closed=kind == "c")
        for name, both in boards
        for kind in both
        if kind in kinds
    ]
