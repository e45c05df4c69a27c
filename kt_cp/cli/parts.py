"""What the texts of options name: squares and moves of a board, nodes and edges of a graph.

A board's squares have names of one shape.  A graph's nodes are called anything, so that a text is
taken apart wherever its parts are nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice
from typing import Any, Protocol, TypeVar

from kt_cp.model.board import parse_square, parse_squares, shorten
from kt_cp.model.errors import InputError
from kt_cp.model.square import number_of

T = TypeVar("T")

_PLACE = r"(?:[A-Za-z]+[0-9]+|[0-9]+\s*,\s*[0-9]+)"
_MOVES = re.compile(rf"(?:[\s,;]*{_PLACE}\s*-\s*{_PLACE})*[\s,;]*")
_STEPS = re.compile(rf"[\s,;]*({_PLACE})\s*=\s*([0-9]+)(?=[\s,;]|$)[\s,;]*")
_STEP = re.compile(r"(.*\S)\s*=\s*([0-9]+)\s*")


class Parts(Protocol):
    """How the texts of options are read."""

    def square(self, text: str) -> Any:
        """A square, or node."""

    def moves(self, text: str) -> list[tuple[Any, Any]]:
        """Moves, or edges."""

    def steps(self, text: str) -> list[tuple[Any, int]]:
        """Squares, or nodes, and their steps."""


class OnBoard:
    """Squares such as c5 or 5,3, moves such as a1-c2, and steps such as e4=17."""

    def square(self, text: str) -> Any:
        return parse_square(text)

    def moves(self, text: str) -> list[tuple[Any, Any]]:
        if not _MOVES.fullmatch(text):
            raise InputError(f"expected moves such as a1-c2,b1-d2; got {shorten(text)!r}")
        squares = parse_squares(text.replace("-", " "))
        return list(zip(squares[::2], squares[1::2], strict=True))

    def steps(self, text: str) -> list[tuple[Any, int]]:
        found = []
        place = 0
        while place < len(text):
            match = _STEPS.match(text, place)
            if match is None:
                raise InputError(f"expected steps such as e4=17,c3=2; got {shorten(text)!r}")
            found.append((parse_square(match[1]), number_of(match[2]) or 0))
            place = match.end()
        return found


class OnGraph:
    """Nodes by their names, edges as two of these with a dash between them.

    Examples
    --------
    >>> OnGraph(["x", "y-1", "y"]).moves("x-y-1,x-y")
    [('x', 'y-1'), ('x', 'y')]
    """

    def __init__(self, nodes: Iterable[Any]) -> None:
        self._given = nodes

    @cached_property
    def _nodes(self) -> dict[str, Any]:
        return {str(node): node for node in self._given}

    def square(self, text: str) -> Any:
        name = text.strip()
        if name not in self._nodes:
            raise InputError(f"expected a node, such as {self._some()}; got {shorten(name)!r}")
        return self._nodes[name]

    def moves(self, text: str) -> list[tuple[Any, Any]]:
        whole = self._edges(text)
        return whole or [self._edge(part) for part in text.split(",") if part.strip()]

    def steps(self, text: str) -> list[tuple[Any, int]]:
        found = []
        for part in text.split(","):
            match = _STEP.fullmatch(part)
            if match is None:
                raise InputError(f"expected steps such as {self._some(1)}=3; got {shorten(text)!r}")
            found.append((self.square(match[1]), number_of(match[2]) or 0))
        return found

    def _some(self, many: int = 3) -> str:
        return ", ".join(shorten(name) for name in islice(self._nodes, many))

    def _edges(self, text: str) -> list[tuple[Any, Any]]:
        """Every way to read a text as one edge."""
        dashes = (place for place, letter in enumerate(text) if letter == "-")
        ways = (
            (text[:place].strip(), text[place + 1 :].removeprefix(">").strip()) for place in dashes
        )
        known = self._nodes
        return [(known[u], known[v]) for u, v in ways if u in known and v in known]

    def _edge(self, text: str) -> tuple[Any, Any]:
        ways = self._edges(text)
        if len(ways) != 1:
            told = "one that can be read in one way" if ways else "between nodes"
            two = [*islice(self._nodes, 2)]
            raise InputError(
                f"expected an edge {told}, such as {'-'.join(map(shorten, two))}; "
                f"got {shorten(text.strip())!r}"
            )
        return ways[0]


def read(parse: Callable[[str], T], text: str | None, what: str) -> T | None:
    """What the text of an option says; its name in front of what is wrong with it."""
    if text is None:
        return None
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"--{what}: {error}") from None


def read_all(parse: Callable[[str], list[T]], texts: list[str] | None, what: str) -> list[T] | None:
    """All that an option says, however often it was given; None where it was not."""
    if not texts:
        return None
    return [each for text in texts for each in read(parse, text, what) or []]
