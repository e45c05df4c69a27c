"""The answer of a count: how many there are, and what makes two tours one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.model.terms import units

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem


@dataclass(frozen=True)
class Count:
    """How many tours, or classes of tours, a problem has.

    Attributes
    ----------
    problem : Problem
        The question.
    tours : int
        How many, of any size.
    directed : bool
        Whether a tour and its reverse are two; on a digraph always.
    unique : bool
        Whether tours that a rotation or reflection of the board carries to each other are one.
    method : str
        Name of what counted them.
    confirmed : tuple of str
        In which other ways the same number came out.
    reason : str or None
        Why there is none, where that was told without a count.
    """

    problem: Problem
    tours: int
    directed: bool
    unique: bool = False
    method: str = "enumerate"
    confirmed: tuple[str, ...] = ()
    reason: str | None = None

    def __int__(self) -> int:
        return self.tours

    @property
    def counted(self) -> str:
        """What makes two tours one."""
        return units(self.problem, directed=self.directed, unique=self.unique)
