"""Formulas, encodings, and estimates of the size of a formula before it is built."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.neighbourhood import Neighbourhood
from kt_cp.model.conditions import EDGES, Condition
from kt_cp.model.errors import NotTakenError, TooLargeError
from kt_cp.model.limits import advice
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour

Clause = list[int]

MOST_CLAUSES = 8_000_000
"""Most estimated clauses of a formula: about 250 bytes each, or 2 GB."""

MOST_IN_TABLE = 24_000_000
"""Most clauses of a formula in a :class:`ClauseTable`: 130 to 180 bytes each, at most 4.3 GB."""

CHUNK = 20_000
"""Rows that are converted to lists at a time; a million would take ten times the memory."""

FEWEST_CLAUSES = 4
"""Least clauses per square with three moves or more, to refuse huge problems without a graph."""

MOST_ROWS = 4_000_000
"""Most squares of a formula in cardinality constraints that is stated band by band
(:mod:`kt_cp.engines.band_sweep`): about 450 bytes each, or 1.8 GB."""

MOST_WHOLE = 2_000_000
"""Most squares of such a formula that is stated as a whole: about 1,800 bytes each, or 3.6 GB."""


class ClauseTable(Collection[Clause]):
    """Clauses in one array: four bytes a literal and four a clause.

    In lists a literal takes about sixty bytes.

    >>> table = ClauseTable([[[1, 2], [3]], np.array([[-1, -2]])])
    >>> len(table), list(table)
    (3, [[1, 2], [3], [-1, -2]])
    """

    def __init__(self, parts: Iterable[Sequence[Clause] | NDArray[np.int64]]) -> None:
        literals, widths = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)]
        for part in parts:
            if isinstance(part, np.ndarray):
                literals.append(part.ravel().astype(np.int32))
                widths.append(np.full(len(part), part.shape[1], dtype=np.int32))
            else:
                literals.append(np.fromiter(chain.from_iterable(part), dtype=np.int32))
                widths.append(np.fromiter(map(len, part), dtype=np.int32))
        self._literals, self._widths = np.concatenate(literals), np.concatenate(widths)

    def __len__(self) -> int:
        return len(self._widths)

    def __iter__(self) -> Iterator[Clause]:
        begin = 0
        for first in range(0, len(self), CHUNK):
            ends = np.cumsum(self._widths[first : first + CHUNK]).tolist()
            literals = self._literals[begin : begin + ends[-1]].tolist()
            begin += ends[-1]
            yield from map(literals.__getitem__, map(slice, [0, *ends], ends))

    def __contains__(self, clause: object) -> bool:
        return any(clause == each for each in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClauseTable) and [*self] == [*other]


@dataclass(frozen=True)
class Cnf:
    """A formula in conjunctive normal form."""

    problem: Problem
    variables: int  # they are 1 … variables, as in DIMACS
    clauses: Collection[Clause]
    key: Any  # the data that the encoding's ``decode`` needs to read a model
    exactly_two: tuple[NDArray[np.int64], ...] = ()
    """Cardinality constraints in addition to the clauses, for solvers that support them: exactly
    two literals in each row of each array are true."""


@dataclass(frozen=True)
class Cuts:
    """Clauses that every tour satisfies, but not the last model.

    ``cycles`` is the number of the model's cycles, if known; ``neighbourhood`` describes which
    parts of the model the next search may reuse.  If ``two`` is set, every tour satisfies at least
    two literals of each clause.
    """

    clauses: list[Clause]
    cycles: int | None = None
    neighbourhood: Neighbourhood | None = None
    two: bool = False


class Decode(Protocol):
    """A function that reads a model, a sequence of truth values from index 1.

    EngineFailedError is raised if it is no model.
    """

    def __call__(self, cnf: Cnf, true: Sequence[bool]) -> Tour | Cuts: ...


@dataclass(frozen=True)
class Encoding:
    """A method of stating a problem of three squares and more as a formula.

    Attributes
    ----------
    clauses_of : callable
        Estimate of the number of clauses from the problem, without building them.
    encode, decode : callable
        Problem in, formula out; model in, tour or cuts out.  Both are pure.
    solver : str
        PySAT's name of the solver that is best for it.
    native : callable, optional
        The ``encode`` function for solvers with native cardinality constraints; the same ``decode``
        reads their models.
    meaning : callable, optional
        Yields the number and the meaning of each variable of the tour, for exported formulas.  It
        is unnecessary if :mod:`kt_cp.encodings.meaning` supports the type of the key.
    two_factors : bool
        Whether a model that is no tour is a set of cycles through all vertices, described by its
        neighbourhood.  Such cycles can be patched.
    takes : frozenset of condition classes
        The conditions that it supports; a problem with any other is refused.
    in_table : bool
        Whether the clauses are in a :class:`ClauseTable`, which allows more of them.
    """

    name: str
    summary: str
    clauses_of: Callable[[Problem], int]
    encode: Callable[[Problem], Cnf]
    decode: Decode
    solver: str = "cadical195"
    native: Callable[[Problem], Cnf] | None = None
    meaning: Callable[[Cnf], Iterable[tuple[int, str]]] | None = None
    two_factors: bool = False
    takes: frozenset[type[Condition]] = EDGES
    in_table: bool = False

    @property
    def most(self) -> int:
        """Return the number of clauses of the largest formula that is not refused."""
        return MOST_IN_TABLE if self.in_table else MOST_CLAUSES

    def refuse(self, problem: Problem, *, exported: bool = False) -> None:
        """Raise NotTakenError or TooLargeError if the encoding does not take the problem.

        The message suggests an engine, or for an ``exported`` formula another encoding.
        """
        estimate = FEWEST_CLAUSES * problem.size
        if problem.whole_rectangle is not None or estimate <= self.most:
            estimate = self.clauses_of(problem)
        self._refuse(problem, estimate, "clauses", self.most, exported)

    def refuse_native(self, problem: Problem) -> None:
        self._refuse(problem, problem.size, "cardinality constraints", MOST_ROWS)

    def _refuse(
        self, problem: Problem, estimate: int, what: str, most: int, exported: bool = False
    ) -> None:
        lacking = {each.words for each in problem.conditions if type(each) not in self.takes}
        if lacking:
            words = " and ".join(sorted(lacking))
            raise NotTakenError(f"the {self.name} encoding does not take {words}")
        instead = "warnsdorff" if self.name == "lazy" else "sat:lazy"
        if problem.given:
            instead = "auto"  # the suitable engine depends on the size and the symmetry
        if estimate <= most:
            return
        hint = f": {advice(problem.size, instead)}"
        if exported:
            hint = ": use --encoding lazy" if instead == "sat:lazy" else ""
        raise TooLargeError(
            f"{problem.label}: the {self.name} encoding would have about {estimate:,} "
            f"{what}, and the limit is {most:,}{hint}"
        )


@dataclass(frozen=True)
class Shape:
    """The sizes from which bounds on the size of a formula follow."""

    vertices: int  # of the cycle form
    arcs: int
    stride: int  # steps to one advance of a counter: see :mod:`kt_cp.encodings.numbering`

    @property
    def values(self) -> int:
        """Return the number of values that a counter must distinguish."""
        return (self.vertices - 1) // self.stride + 1

    @property
    def shared(self) -> int:
        """Return a bound on the clauses of the successor formula: six a literal."""
        return 7 * self.arcs + 4 * self.vertices + 2


def shape_of(problem: Problem) -> Shape:
    """Return the shape of a problem, from the sides of a whole rectangle or else from the graph.

    >>> from kt_cp.model.board import Board
    >>> shape_of(Problem(Board(8, 8), closed=True))
    Shape(vertices=64, arcs=336, stride=2)
    """
    board, size = problem.whole_rectangle, problem.size
    if board is not None:
        across = max(0, board.rows - 1) * max(0, board.columns - 2)
        along = max(0, board.rows - 2) * max(0, board.columns - 1)
        edges, stride = min(2 * (across + along), 4 * size), 2
    else:
        edges = len(problem.indexed.tails)
        # If the formula is too large already, colours are not needed.
        stride = 1 if 14 * edges > MOST_CLAUSES or problem.indexed.colours is None else 2
    if problem.closed:
        return Shape(size, 2 * edges, stride)
    if problem.start is not None and problem.end is not None:
        return Shape(size, 2 * edges + 2, stride)
    return Shape(size + 1, 2 * (edges + size), stride)
