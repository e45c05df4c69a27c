"""Formulas, and what an encoding is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kt_cp.errors import TooLargeError
from kt_cp.limits import advice
from kt_cp.problem import Problem
from kt_cp.tour import Tour

Clause = list[int]

MOST_CLAUSES = 8_000_000
"""Larger formulas are refused by estimate: at about 250 bytes a clause they pass 2 GB."""


@dataclass(frozen=True)
class Cnf:
    """A formula in conjunctive normal form.

    Attributes
    ----------
    variables : int
        Number of variables; they are 1 … variables, as in DIMACS.
    clauses : list of list of int
        Non-zero literals.
    key : object
        Whatever the encoding's ``decode`` needs to read a model.
    """

    problem: Problem
    variables: int
    clauses: list[Clause]
    key: Any


@dataclass(frozen=True)
class Cuts:
    """A model that is no tour yet: clauses which every tour satisfies and this model does not.

    ``cycles`` is how many cycles it has, where the encoding tells.
    """

    clauses: list[Clause]
    cycles: int | None = None


class Decode(Protocol):
    """Reads a model: the set of variables that are true, as a sequence of flags from index 1."""

    def __call__(self, cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts: ...


@dataclass(frozen=True)
class Encoding:
    """One way of stating a problem of three squares and more as a formula.

    Attributes
    ----------
    clauses_of : callable
        Estimate of the number of clauses from the problem, without building them.
    encode, decode : callable
        Problem in, formula out; model in, tour or cuts out.  Both are pure.
    solver : str
        PySAT's name of the solver that does best on it.
    """

    name: str
    summary: str
    clauses_of: Callable[[Problem], int]
    encode: Callable[[Problem], Cnf]
    decode: Decode
    solver: str

    def refuse(self, problem: Problem) -> None:
        """Raise :class:`TooLargeError` where the formula would not fit."""
        clauses = self.clauses_of(problem)
        instead = "warnsdorff" if self.name == "lazy" else "sat:lazy"
        if clauses > MOST_CLAUSES:
            raise TooLargeError(
                f"the {self.name} encoding of {problem.label} would have about {clauses:,} "
                f"clauses, and the limit is {MOST_CLAUSES:,}: {advice(problem.size, instead)}"
            )
