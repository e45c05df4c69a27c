"""The five source programs by number and by name: in which order each tries its moves.

The documents are told apart by number; the plain names say what each is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.board import describe
from kt_cp.errors import SourceNameError
from kt_cp.problem import Problem
from kt_cp.reference import ORDERS, Candidates, fewest_ways_first, fixed_order


@dataclass(frozen=True)
class Source:
    """One source program.

    Attributes
    ----------
    number, name : str
        ``"000"`` to ``"004"``, and a plain word.
    summary : str
        What it is, in a line.
    fewest_first : bool
        Whether it sorts the moves of a square, those with fewest ways on first.
    """

    number: str
    name: str
    summary: str
    fewest_first: bool = False

    def candidates(self, problem: Problem) -> Candidates:
        """Where the knight may go from a square, in this program's order.

        Examples
        --------
        >>> from kt_cp.board import Board
        >>> find_source("modula").candidates(Problem(Board(5, 5)))((0, 0))
        [(2, 1), (1, 2)]
        """
        order = ORDERS[self.number]
        return (
            fewest_ways_first(problem, order) if self.fewest_first else fixed_order(problem, order)
        )


SOURCES = (
    Source("000", "boolean", "a Boolean recursion; prints its path last square first"),
    Source("001", "modula", "a Modula-2 program of 1994; prints the matrix with y upwards"),
    Source("002", "decision", "the decision TRUE or FALSE, from the lower left square"),
    Source("003", "ordered", "ranks and files, moves with fewest ways on first", True),
    Source("004", "all", "a C++ program that prints every tour as a matrix"),
)
"""In the order of their numbers."""

_BY_NAME = {key: source for source in SOURCES for key in (source.number, source.name)}


def find_source(name: str) -> Source:
    """The source program with a number or plain name.

    Raises
    ------
    SourceNameError
        If there is none.

    Examples
    --------
    >>> find_source("004").name
    'all'
    """
    source = _BY_NAME.get(name.strip().lower())
    if source is None:
        known = ", ".join(f"{source.number} ({source.name})" for source in SOURCES)
        raise SourceNameError(f"expected a source, one of {known}, got {describe(name)}")
    return source
