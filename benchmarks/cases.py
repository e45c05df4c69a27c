"""What is enumerated, and by whom."""

from __future__ import annotations

from dataclasses import dataclass

RECURSION, TWIN, LISTING, COUNTING, FIRST = "c++", "twin", "listing", "counting", "first"

WHO = {
    RECURSION: "C++ recursion",
    TWIN: "compiled twin",
    LISTING: "listing",
    COUNTING: "counting",
    FIRST: "compiled twin, to its first tour",
}
"""Candidates: the plain C++ program, the twin that takes the same steps, and the pruned ones."""


@dataclass(frozen=True)
class Case:
    """An enumeration and those that run it.

    Attributes
    ----------
    board : str
        Such as ``5x6``.
    candidates : tuple of str
        Of :data:`WHO`, each in a process of its own.
    start : str
        A square's name, or ``all``.
    directed : bool
        Whether a tour and its reverse are two.
    order : str
        Number of the source text whose order of moves is taken.
    tours, placed : int, optional
        As they must come out, where that is known beforehand.
    targets : tuple of (str, float)
        Candidates, and less than how many seconds they are to take.
    """

    board: str
    candidates: tuple[str, ...]
    start: str = "all"
    closed: bool = False
    directed: bool = True
    order: str = "004"
    tours: int | None = None
    placed: int | None = None
    targets: tuple[tuple[str, float], ...] = ()

    @property
    def label(self) -> str:
        """In words."""
        kind = "closed" if self.closed else "open"
        unit = "" if self.directed else ", undirected"
        return f"{self.board} {kind}{unit}" + ("" if self.start == "all" else f" from {self.start}")


EVERYBODY = (RECURSION, TWIN, LISTING, COUNTING)
PRUNED = (LISTING, COUNTING)

COMPARED = (
    Case("5x5", EVERYBODY, "a1", tours=304),
    Case("5x5", EVERYBODY, tours=1728),
    Case("5x6", EVERYBODY, "a1", tours=4542),
    Case("6x6", (RECURSION, *PRUNED), "a1", closed=True, tours=2 * 9862),
)
"""Beside the C++ recursion, in whose unit all are counted; it has no hope on the last one."""

ALONE = (
    Case("5x5", PRUNED, tours=1728, targets=((LISTING, 0.2),)),
    Case(
        "6x6", PRUNED, closed=True, directed=False, tours=9862,
        targets=((LISTING, 2.0), (COUNTING, 2.0)),
    ),
    Case("6x6", (COUNTING,), tours=6_637_920, targets=((COUNTING, 60.0),)),
    Case("6x7", (COUNTING,), closed=True, directed=False, tours=1_067_638),
    Case("7x7", (FIRST,), "d4", order="001", tours=1, placed=12_040_482, targets=((FIRST, 2.0),)),
)  # fmt: skip
"""Without the C++ recursion; what the enumeration is meant for, and the twin's longest run."""

QUICK_COMPARED = (
    Case("3x4", EVERYBODY, tours=16),
    Case("4x5", EVERYBODY, "a1"),
    Case("4x5", (RECURSION, *PRUNED), "a1", closed=True, tours=0),
)
QUICK_ALONE = (
    Case("5x5", PRUNED, "c3", tours=64, targets=((LISTING, 0.2),)),
    Case("5x5", (FIRST,), "c3", order="001", tours=1),
)
