"""Check a certificate or a tour: one file, the standard library, nothing else of kt_cp.

Run it as ``python -m kt_cp.verify FILE [TOURS]``, or copy this file anywhere and run
``python verify.py FILE [TOURS]``. It prints one line, ``valid: ...`` or ``not valid: ...``.

What it checks
--------------
- *Certificates* of versions 1 to 6, every kind: there is no tour, or (the kind ``list``) there are
  no tours but these. `FORMAT.md <trust/check/FORMAT.md>`_ describes them, and this file was written
  from that page alone. It refuses what the page refuses. TOURS is the second file of a ``list``
  whose tours stand beside it.
- *Outcomes*, the JSON of ``kt-cp solve ... --json``: whether the tour visits every square once by
  moves of the piece, and satisfies all conditions of the problem. An outcome without a tour proves
  nothing; a certificate does.

Of a certificate, ``argument`` (a sentence for readers) is not compared. Of an outcome, only
``problem``, ``verdict`` and ``tour`` are read.

What you trust
--------------
Python, its ``json``, ``hashlib``, ``base64`` and ``zlib``, and this file. You need not trust any
program that made the file, nor kt_cp's own checker, with which this one shares no line. What is
proved is about the problem in the file: read the claim that is printed, and the file's ``problem``.

How to read it
--------------
Have FORMAT.md beside it; the parts come in the same order, and the names are those of the page:

1. reading: JSON without doubtful readings;
2. boards and graphs, problems, tours;
3. the frame: a graph whose cycles through all vertices are the tours;
4. kinds without a search: size, colours, degrees, connectivity, removal, cut, clash, symmetry;
5. kinds about moves: tight, forced; then split and sweep;
6. refutation and list: a formula, and a proof that it has no model;
7. the command.

Squares are pairs (row, column), and nodes are texts. A check either returns or raises `Invalid`.

Cost and limits
---------------
Plain kinds take a few microseconds for each square, refutations about one for each literal that the
proof looks at. `colours`, `size` and `degrees` work on boards of any size. So that every check
ends, some limits hold that say nothing about truth: bytes of a file and of an unpacked proof,
squares of a board that is laid out, literals of a formula, and elementary steps in all (the
``MOST_...`` below). Beyond them the answer is ``not valid: too large``. The other limits of
FORMAT.md's table are not enforced.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

__all__ = ["Invalid", "verify"]

MOST_BYTES = 2**25
"""Bytes of a file."""
MOST_TEXT = 2**26
"""Characters of a proof that was packed."""
MOST_SIDE = 10**18
"""Rows or columns."""
MOST_SQUARES = 10**6
"""Squares of a board whose squares are gone through one by one."""
MOST_LITERALS = 10**7
"""Literals of a formula; they are in memory all at once."""
MOST_WORK = 5 * 10**9
"""Elementary steps of a whole check: some ten minutes."""

LATEST = 6
"""The last version of the format."""

Square = Any
"""A pair (row, column) of a board, or the text of a node."""
Move = tuple[Square, Square]


class Invalid(Exception):  # noqa: N818
    """A file that proves nothing; its text says why, in one line."""


def demand(truth: object, reason: str) -> None:
    """Raise Invalid unless this is true."""
    if not truth:
        raise Invalid(reason)


# 1. Reading


def read_json(data: str | bytes) -> Any:
    """Return the value of a JSON text; no key stands twice in one object."""
    demand(len(data) <= MOST_BYTES, f"too large: the file has more than {MOST_BYTES} bytes")

    def read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, count in Counter(key for key, _ in pairs).items():
            demand(count == 1, f"the key {key!a} stands {count} times in one object")
        return dict(pairs)

    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        return json.loads(text, object_pairs_hook=read_pairs)
    except ValueError as error:
        raise Invalid(f"not JSON in UTF-8: {error}") from None


def read_object(
    value: Any, what: str, keys: Collection[str], optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return an object that has these keys and no others."""
    demand(isinstance(value, dict), f"{what} is not an object")
    for key in keys:
        demand(key in value, f"{what} lacks the key {key!a}")
    for key in value:
        demand(key in keys or key in optional, f"{what} has the key {key!a}, which plays no part")
    return dict(value)


def read_list(value: Any, what: str, length: int | None = None) -> list[Any]:
    """Return a list, of this length if one is given."""
    demand(isinstance(value, list), f"{what} is not a list")
    demand(length in (None, len(value)), f"{what} has {len(value)} entries in place of {length}")
    return list(value)


def read_text(value: Any, what: str) -> str:
    """Return a text."""
    demand(isinstance(value, str), f"{what} is not a text")
    return str(value)


def read_number(value: Any, what: str, least: int, most: int) -> int:
    """Return a whole number of this range; true and false are no numbers."""
    demand(type(value) is int, f"{what} is not a whole number")
    demand(least <= value <= most, f"{what} is not from {least} to {most}")
    return int(value)


def read_choice(value: Any, what: str, choices: Iterable[str]) -> str:
    """Return one of these texts."""
    demand(read_text(value, what) in choices, f"{what} is {value!a}, which does not exist")
    return str(value)


def digest_of(document: Any) -> str:
    """Return the SHA-256 of a value, written with sorted keys and without blanks."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def all_differ(values: Collection[Any]) -> bool:
    """Return whether no value stands twice."""
    return len(set(values)) == len(values)


# 2. Boards and graphs, problems, tours

SURFACES = {
    "plane": (False, False, False),
    "cylinder": (True, False, False),
    "torus": (True, True, False),
    "moebius": (True, False, True),
    "klein": (True, True, True),
}
"""Whether the files are joined, whether the ranks are, whether the files are joined with a turn."""

MOTIONS = ("half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal")


class Board:
    """A board with a piece; nothing is laid out, so it may be as large as it likes."""

    def __init__(self, document: dict[str, Any], version: int) -> None:
        self.rows = read_number(document["rows"], "rows", 1, MOST_SIDE)
        self.columns = read_number(document["columns"], "columns", 1, MOST_SIDE)
        self.piece, self.surface = [(1, 2)], "plane"
        if version > 1:
            leaps = [read_list(each, "a leap", 2) for each in read_list(document["piece"], "piece")]
            for a, b in leaps:
                read_number(a, "a side of a leap", 0, read_number(b, "a leap", 1, MOST_SIDE))
            self.piece = [(a, b) for a, b in leaps]
            demand(1 <= len(leaps) <= 16 and all_differ(self.piece), "not 1 to 16 different leaps")
            self.surface = read_choice(document["surface"], "surface", SURFACES)
        self.steps = {
            step
            for a, b in self.piece
            for x, y in ((a, b), (-a, b), (a, -b), (-a, -b))
            for step in ((x, y), (y, x))
        }
        self.missing: set[Square] = set()
        missing = [self.find(name) for name in read_list(document["missing"], "missing")]
        demand(all_differ(missing), "a missing square stands twice")
        self.missing = set(missing)
        self.total = self.rows * self.columns - len(missing)
        demand(self.total, "no square remains")
        wide, high, turned = SURFACES[self.surface]
        self.alternates = (
            all((a + b) % 2 == 1 for a, b in self.piece)
            and not (wide and (self.columns + turned * (self.rows - 1)) % 2)
            and not (high and self.rows % 2)
        )

    def find(self, name: Any) -> Square:
        """Return the square of a name."""
        match = re.fullmatch("([a-z]{1,14})([1-9][0-9]{0,18})", read_text(name, "a square"))
        if match:
            column = 0
            for letter in match[1]:
                column = 26 * column + ord(letter) - ord("a") + 1
            square = (int(match[2]) - 1, column - 1)
            if square[0] < self.rows and column <= self.columns and square not in self.missing:
                return square
        raise Invalid(f"{name!a} is not a square of the board")

    def name(self, square: Square) -> str:
        """Return the name of a square."""
        letters, column = "", square[1] + 1
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("a") + letter) + letters
        return f"{letters}{square[0] + 1}"

    def squares(self) -> list[Square]:
        """Return all squares in the order of the frame."""
        everything = ((row, column) for row in range(self.rows) for column in range(self.columns))
        return [square for square in everything if square not in self.missing]

    def moves(self, square: Square) -> set[Square]:
        """Return the squares that one move leads to."""
        wide, high, turned = SURFACES[self.surface]
        found = set()
        for up, right in self.steps:
            row = square[0] + up
            across, column = divmod(square[1] + right, self.columns)
            if turned and across % 2:
                row = self.rows - 1 - row
            around, row = divmod(row, self.rows)
            if (wide or not across) and (high or not around):
                found.add((row, column))
        found.discard(square)
        return found - self.missing

    def colour(self, square: Square) -> int:
        """Return 0 if row + column is even, else 1."""
        return int(square[0] + square[1]) % 2

    def count_colours(self) -> tuple[int, int]:
        """Return D and L, the numbers of squares with row + column even, and odd."""
        cells, odd = self.rows * self.columns, sum(map(self.colour, self.missing))
        return (cells + 1) // 2 - (len(self.missing) - odd), cells // 2 - odd

    def carry(self, symmetry: str, square: Square) -> Square | None:
        """Return the square to which a motion carries one, or None: off the board, or missing."""
        row, column = square
        image = {
            "half-turn": (self.rows - 1 - row, self.columns - 1 - column),
            "quarter-turn": (self.rows - 1 - column, row),
            "left-right": (row, self.columns - 1 - column),
            "top-bottom": (self.rows - 1 - row, column),
            "diagonal": (column, row),
        }[symmetry]
        inside = 0 <= image[0] < self.rows and 0 <= image[1] < self.columns
        return image if inside and image not in self.missing else None

    def __str__(self) -> str:
        """Return it in words."""
        told = f"{self.rows}x{self.columns}"
        if self.piece != [(1, 2)]:
            told += ", piece " + "+".join(f"{a},{b}" for a, b in self.piece)
        if self.surface != "plane":
            told += f", {self.surface}"
        return told + f", {len(self.missing)} missing" * bool(self.missing)


class Graph:
    """A graph; of a directed one, moves lead along the arcs."""

    alternates = False

    def __init__(self, nodes: Iterable[str], edges: Iterable[Move], directed: bool = False) -> None:
        self.near: dict[Square, set[Square]] = {node: set() for node in nodes}
        self.directed, self.total = directed, len(self.near)
        for u, v in edges:
            self.near[u].add(v)
            if not directed:
                self.near[v].add(u)

    def find(self, name: Any) -> Square:
        """Return the node of a name."""
        demand(read_text(name, "a node") in self.near, f"{name!a} is not a node")
        return name

    def name(self, node: Square) -> str:
        """Return the name of a node."""
        return str(node)

    def squares(self) -> list[Square]:
        """Return all nodes in the order of the frame."""
        return list(self.near)

    def moves(self, node: Square) -> set[Square]:
        """Return the nodes that one move leads to."""
        return self.near[node]

    def __str__(self) -> str:
        """Return it in words."""
        edges = sum(map(len, self.near.values()))
        if self.directed:
            return f"directed graph of {self.total} nodes and {edges} arcs"
        return f"graph of {self.total} nodes and {edges // 2} edges"


def read_graph(document: dict[str, Any]) -> Graph:
    """Return the graph of a problem."""
    nodes = [read_text(node, "a node") for node in read_list(document["nodes"], "nodes")]
    demand(nodes and all_differ(nodes), "not one node or more, all different")
    demand("end" not in nodes, "a node is called end")
    demand(all(node.isprintable() for node in nodes), "a node's name cannot be printed")
    directed = document.get("directed", False)
    demand(isinstance(directed, bool), "directed is neither true nor false")
    lone = Graph(nodes, ())
    edges: list[Move] = []
    for each in read_list(document["edges"], "edges"):
        u, v = map(lone.find, read_list(each, "an edge", 2))
        demand(u != v, f"an edge leads from {u!a} to itself")
        edges.append((u, v) if directed else order_pair(u, v))
    demand(all_differ(edges), "an edge stands twice")
    return Graph(nodes, edges, directed)


def order_pair(u: Square, v: Square) -> Move:
    """Return a move in the direction that stands for both."""
    return (u, v) if u < v else (v, u)


@dataclass
class Work:
    """Elementary steps that are left."""

    left: int = MOST_WORK

    def spend(self, steps: int) -> None:
        """Count steps."""
        self.left -= steps
        demand(self.left >= 0, f"too large: more than {MOST_WORK} steps of work")


@dataclass
class Problem:
    """A board or graph, open or closed, with conditions; `given` and `symmetry` as they count."""

    place: Board | Graph
    version: int
    closed: bool
    start: Square | None = None
    end: Square | None = None
    require: list[Move] = field(default_factory=list)
    forbid: list[Move] = field(default_factory=list)
    given: list[tuple[Square, int]] = field(default_factory=list)
    symmetry: str | None = None
    work: Work = field(default_factory=Work)

    @cached_property
    def squares(self) -> list[Square]:
        """All squares in the order of the frame."""
        self.limit_squares()
        return self.place.squares()

    def limit_squares(self) -> None:
        """Refuse what is too large to go through all squares."""
        demand(self.place.total <= MOST_SQUARES, f"too large: more than {MOST_SQUARES} squares")

    @cached_property
    def frame(self) -> Frame:
        """The frame; it is an error if there are too few squares for one."""
        return Frame(self)

    @cached_property
    def forbidden(self) -> dict[Square, set[Square]]:
        """The ends of the forbidden moves of each square."""
        ends: dict[Square, set[Square]] = {}
        for u, v in self.forbid:
            ends.setdefault(u, set()).add(v)
            ends.setdefault(v, set()).add(u)
        return ends

    def moves(self, square: Square) -> set[Square]:
        """Return the squares that moves lead to, without the forbidden ones."""
        there = self.place.moves(square)
        return there - self.forbidden[square] if square in self.forbidden else there

    def find_squares(self, names: Any) -> list[Square]:
        """Return the squares of a list of different names."""
        squares = [self.place.find(name) for name in read_list(names, "squares")]
        demand(all_differ(squares), "a square stands twice in one list")
        return squares

    def find_set(self, names: Any) -> list[Square]:
        """Return the squares of a list: not none, not all."""
        squares = self.find_squares(names)
        demand(0 < len(squares) < self.place.total, "a set of no squares, or of all")
        return squares

    def given_ends(self) -> list[Square]:
        """Return the start and the end, those that are given."""
        return [square for square in (self.start, self.end) if square is not None]

    def clues(self) -> set[tuple[Square, int]]:
        """Return all pairs of a square and its step."""
        ends = ((self.start, 1), (self.end, self.place.total))
        return {*self.given, *((square, step) for square, step in ends if square is not None)}

    def carry(self, square: Square) -> Square | None:
        """Return the square to which the symmetry carries one, or None."""
        assert isinstance(self.place, Board) and self.symmetry
        return self.place.carry(self.symmetry, square)

    def __str__(self) -> str:
        """Return it in words."""
        told = f"{self.place}, {'closed' if self.closed else 'open'}"
        for word, square in (("start", self.start), ("end", self.end)):
            told += "" if square is None else f", {word} {self.place.name(square)}"
        for key in ("require", "forbid", "given"):
            told += f", {key} {len(getattr(self, key))}" * bool(getattr(self, key))
        return told + f", {self.symmetry}" * bool(self.symmetry)


def read_problem(document: Any, version: int) -> Problem:
    """Return the problem of a certificate or an outcome, as it stands there."""
    conditions = ("require", "forbid", "given", "symmetry") if version > 1 else ()
    ends = ("closed", "start", "end")
    if isinstance(document, dict) and "nodes" in document:
        optional = ("directed",) if version > 4 else ()
        read_object(document, "the problem", ("nodes", "edges", *ends, *conditions), optional)
        place: Board | Graph = read_graph(document)
    else:
        more = ("piece", "surface") if version > 1 else ()
        keys = ("rows", "columns", "missing", *more, *ends, *conditions)
        read_object(document, "the problem", keys)
        place = Board(document, version)
    closed = document["closed"]
    demand(isinstance(closed, bool), "closed is neither true nor false")
    start, end = (
        None if document[key] is None else place.find(document[key]) for key in ("start", "end")
    )
    demand(not closed or end is None, "a closed tour has no end")
    demand(start is None or start != end or place.total == 1, "start and end are one square")
    directed = isinstance(place, Graph) and place.directed
    problem = Problem(place, version, closed, start, end)
    if conditions:
        read_moves(problem, document, directed)
        read_given(problem, document["given"])
        if document["symmetry"] is not None:
            demand(isinstance(place, Board), "a graph has no symmetry")
            problem.symmetry = read_choice(document["symmetry"], "symmetry", MOTIONS)
    return problem


def read_moves(problem: Problem, document: dict[str, Any], directed: bool) -> None:
    """Read the required and forbidden moves."""
    place = problem.place
    for key in ("require", "forbid"):
        for each in read_list(document[key], key):
            u, v = map(place.find, read_list(each, "a move", 2))
            demand(v in place.moves(u), f"{key}: {each!a} is no move")
            getattr(problem, key).append((u, v) if directed else order_pair(u, v))
    demand(
        all_differ(problem.require + problem.forbid), "a required or forbidden move stands twice"
    )
    if directed:
        for ends in zip(*problem.require, strict=True):
            demand(all_differ(ends), "two required arcs lead from one node, or to one")
    elif problem.require:
        at_square = Counter(square for move in problem.require for square in move)
        demand(max(at_square.values()) < 3, "three required moves at one square")


def read_given(problem: Problem, pairs: Any) -> None:
    """Read the given steps."""
    for each in read_list(pairs, "given"):
        square, step = read_list(each, "a pair of given", 2)
        step = read_number(step, "a given step", 1, problem.place.total)
        problem.given.append((problem.place.find(square), step))
    for values in zip(*problem.given, strict=True):
        demand(all_differ(values), "a square or a step stands twice in given")


def draw_undirected(problem: Problem) -> Problem:
    """Return the undirected problem that stands for a directed one; another one as it is."""
    if not isinstance(problem.place, Graph) or not problem.place.directed:
        return problem
    near, closed, start, end = problem.place.near, problem.closed, problem.start, problem.end
    nodes = [f"{word} {v}" for v in near for word in ("in", "at", "out")]
    edges = [(f"in {v}", f"at {v}") for v in near] + [(f"at {v}", f"out {v}") for v in near]
    edges += [draw_arc((u, v)) for u in near for v in near[u]]
    if not closed:
        nodes += ["source", "target"]
        edges += [("source", f"in {v}") for v in near if start in (None, v)]
        edges += [(f"out {v}", "target") for v in near if end in (None, v)]
    first = -2 if closed else -1
    return Problem(
        Graph(nodes, edges),
        problem.version,
        closed,
        "source" if not closed else None if start is None else f"in {start}",
        None if closed else "target",
        [draw_arc(arc) for arc in problem.require],
        [draw_arc(arc) for arc in problem.forbid],
        [
            (f"{word} {v}", 3 * step + first + later)
            for v, step in problem.given
            for later, word in enumerate(("in", "at"))
        ],
    )


def draw_arc(arc: Move) -> Move:
    """Return the edge that stands for an arc."""
    return f"out {arc[0]}", f"in {arc[1]}"


def check_tour(problem: Problem, names: Any) -> frozenset[Move]:
    """Check that a list of names is a tour that satisfies all conditions; return its moves."""
    squares, place = problem.find_squares(names), problem.place
    demand(len(squares) == place.total, f"{len(squares)} of {place.total} squares are visited")
    demand(not problem.closed or len(squares) > 2, "a closed tour of fewer than 3 squares")
    made = set()
    for u, v in pairwise([*squares, squares[0]] if problem.closed else squares):
        if v not in problem.moves(u):
            reason = "is forbidden" if v in place.moves(u) else "is no move"
            raise Invalid(f"{place.name(u)!a} to {place.name(v)!a} {reason}")
        made.add(order_pair(u, v))
    for u, v in problem.require:
        demand(order_pair(u, v) in made, f"{place.name(u)!a}-{place.name(v)!a} is not made")
    for square, step in problem.clues():
        demand(squares[step - 1] == square, f"{place.name(square)!a} is not at step {step}")
    if problem.symmetry:
        for move in made:
            u, v = map(problem.carry, move)
            there = u is not None and v is not None and order_pair(u, v) in made
            demand(there, f"the tour is not symmetric under a {problem.symmetry}")
    return frozenset(made)


# 3. The frame


class Frame:
    """A graph on vertices 0, 1, ...; every tour is a cycle through all of them.

    `size` is the number of squares, so the ends have the numbers from there to `total`; `must` has
    the edges that must be used, in the order of the formula's clauses.
    """

    def __init__(self, problem: Problem) -> None:
        self.closed, self.size, self.work = problem.closed, problem.place.total, problem.work
        demand(self.size >= (3 if self.closed else 2), "too few squares for this kind")
        self.number = {square: vertex for vertex, square in enumerate(problem.squares)}
        self.near = [{self.number[v] for v in problem.moves(u)} for u in problem.squares]
        self.must = sorted(self.pair(move) for move in problem.require)
        if not self.closed:
            self.add_ends(problem)
        self.total = len(self.near)
        self.edges = [(u, v) for u in range(self.total) for v in sorted(self.near[u]) if u < v]
        self.load = self.total + 2 * len(self.edges)

    def pair(self, move: Move) -> tuple[int, int]:
        """Return the numbers of a move's two squares, the smaller one first."""
        u, v = order_pair(self.number[move[0]], self.number[move[1]])
        return u, v

    def add_ends(self, problem: Problem) -> None:
        """Add one end or two, and the edges there."""
        first, place = self.size, problem.place
        colours = [0] * first
        if isinstance(place, Board) and place.alternates:
            colours = [place.colour(square) for square in problem.squares]
        two = place.alternates and first % 2 == 0
        more = int(2 * sum(colours) > first)  # the colour that more squares have
        prescribed = [self.number[square] for square in problem.given_ends()]
        joined = [v for v, colour in enumerate(colours) if two or colour == more]
        if len(prescribed) == 2:
            joined = []
        ends = [(v, first + colours[v] * two) for v in joined + prescribed]
        self.must += ends[len(joined) :]
        if two:
            ends.append((first, first + 1))
            self.must.append((first, first + 1))
        self.near += [set() for _ in range(1 + two)]
        for u, v in ends:
            self.near[u].add(v)
            self.near[v].add(u)


# 4. Kinds without a search


def find_pieces(
    vertices: Iterable[Square], moves: Callable[[Square], set[Square]], removed: Iterable[Square]
) -> list[list[Square]]:
    """Return the pieces into which vertices fall; a piece begins with its first vertex."""
    seen, pieces = set(removed), []
    for vertex in vertices:
        if vertex not in seen:
            seen.add(vertex)
            piece = [vertex]
            for each in piece:  # which grows meanwhile
                new = moves(each) - seen
                seen |= new
                piece.extend(new)
            pieces.append(piece)
    return pieces


def check_size(problem: Problem, _: dict[str, Any]) -> None:
    """A closed tour needs three squares."""
    demand(problem.closed and problem.place.total < 3, "not a closed tour of one or two squares")


def check_colours(problem: Problem, _: dict[str, Any]) -> None:
    """A tour changes the colour with every move."""
    place = problem.place
    demand(isinstance(place, Board) and place.alternates, "the board does not alternate")
    assert isinstance(place, Board)
    even, odd = place.count_colours()
    ends = [place.colour(square) for square in problem.given_ends()]
    if problem.closed or even == odd:
        proved = even != odd or (len(ends) == 2 and ends[0] == ends[1])
    else:
        proved = abs(even - odd) > 1 or int(even > odd) in ends
    demand(proved, "the colours leave room for a tour")


def check_degrees(problem: Problem, evidence: dict[str, Any]) -> None:
    """A square inside a tour needs two moves."""
    squares, ends = problem.find_squares(evidence["squares"]), problem.given_ends()
    demand(problem.place.total > 1, "there is one square only")
    degrees = [len(problem.moves(square)) for square in squares]
    if degrees == [0]:
        return
    demand(squares and max(degrees) < 2, "no squares, or one with two moves or more")
    if not problem.closed:
        demand(not set(squares) & set(ends), "an end can do with one move")
        demand(len(squares) > 2 - len(ends), "there are as many ends as such squares")


def check_connectivity(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tour connects any two squares."""
    demand(problem.place.total > 1 + problem.closed, "too few squares for this kind")
    problem.limit_squares()
    one, other = read_list(problem.find_squares(evidence["squares"]), "squares", 2)
    demand(other not in find_pieces([one], problem.moves, ())[0], "moves connect the two squares")


def check_removal(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tour without k squares falls into about k parts, and each piece needs one."""
    squares, ends = problem.find_set(evidence["squares"]), set(problem.given_ends())
    pieces = find_pieces(problem.squares, problem.moves, squares)
    most = len(squares)
    if not problem.closed:
        most += 1 - len(ends & set(squares))
        most -= len(ends) == 2 and any(ends <= set(piece) for piece in pieces)
    demand(len(pieces) > most, f"{len(pieces)} pieces leave room for a tour")


def check_cut(problem: Problem, evidence: dict[str, Any]) -> None:
    """A removal of one square."""
    read_list(evidence["squares"], "squares", 1)
    check_removal(problem, evidence)


def check_clash(problem: Problem, evidence: dict[str, Any]) -> None:
    """Two clues between which no walk is long enough, or one that leaves too few squares."""
    total = problem.place.total
    demand(total > 1 + problem.closed, "too few squares for this kind")
    clues = read_clues(problem, evidence["clues"], problem.clues())
    demand(len(clues) == 2 or (len(clues) == 1 and problem.version > 4), "not two clues")
    one, step = clues[0]
    if len(clues) == 1:
        reached = Counter(parity for _, parity in measure_walks(problem, one))
        steps = Counter((each - step) % 2 for each in range(1, total + 1))
        demand(any(reached[each] < steps[each] for each in (0, 1)), "enough squares are reached")
        return
    other, later = clues[1]
    if one == other or step == later:
        return
    walks, apart = measure_walks(problem, one), abs(later - step)
    lengths = [apart, total - apart] if problem.closed else [apart]
    too_far = [walks.get((other, each % 2), each + 1) > each for each in lengths]
    demand(any(too_far), "a walk leads from the one clue to the other")


def read_clues(problem: Problem, pairs: Any, allowed: set[tuple[Square, int]]) -> list[Any]:
    """Return a list of different clues, each of which the problem has."""
    clues = []
    for each in read_list(pairs, "clues"):
        square, step = read_list(each, "a clue", 2)
        demand(type(step) is int, "the step of a clue is not a whole number")
        clues.append((problem.place.find(square), step))
        demand(clues[-1] in allowed, f"{each!a} is not a clue of the problem")
    demand(all_differ(clues), "a clue stands twice")
    return clues


def measure_walks(problem: Problem, square: Square) -> dict[tuple[Square, int], int]:
    """Return the length of the shortest even and odd walk from one square to the others."""
    problem.limit_squares()
    lengths, last = {(square, 0): 0}, [square]
    for length in range(1, 2 * problem.place.total + 1):
        there = {v for u in last for v in problem.moves(u)}
        last = [v for v in there if (v, length % 2) not in lengths]
        if not last:
            break
        lengths.update(((v, length % 2), length) for v in last)
    return lengths


def check_symmetry(problem: Problem, evidence: dict[str, Any]) -> None:
    """A motion of the board that no tour can have."""
    demand(problem.symmetry, "the problem has no symmetry")
    total, closed = problem.place.total, problem.closed
    demand(total > 1 + closed, "too few squares for this kind")
    chosen = problem.find_squares(evidence["squares"])
    if len(chosen) == 1 and problem.carry(chosen[0]) is None:
        return
    carried = {square: problem.carry(square) for square in problem.squares}
    demand(None not in carried.values(), "the motion carries a square off the board")
    stay = {square for square in carried if carried[square] == square}
    demand(len(stay) < total, "the motion carries every square to itself")
    inverse = all(carried[image] == square for square, image in carried.items())
    turning = sum(carried[v] == u and v in problem.moves(u) for u, v in carried.items() if u < v)
    all_stay = set(chosen) <= stay
    if not closed and not inverse:
        proved = len(chosen) == 1 and carried[carried[chosen[0]]] != chosen[0]
    elif not closed:
        ends = problem.given_ends()
        proved = (
            (len(chosen) == 2 and all_stay)
            or (len(chosen) == 1 and all_stay and chosen[0] in ends)
            or (len(chosen) == 2 and set(chosen) == set(ends) and carried[ends[0]] != ends[1])
            or (not chosen and not stay and not turning)
        )
    elif not inverse:
        proved = (len(chosen) == 1 and all_stay) or (
            not chosen and has_wrong_colours(problem, carried, 4)
        )
    else:
        moved_on = not chosen and not has_wrong_colours(problem, carried, 2)
        reversed_ = len(stay) + turning > 1 and not has_wrong_pair(problem, stay)
        proved = all_stay and (len(chosen) > 2 or (not moved_on and not reversed_))
    demand(proved, "the squares leave room for a symmetric tour")


def has_wrong_colours(problem: Problem, carried: dict[Square, Square], k: int) -> bool:
    """Return whether the colours are wrong for k."""
    place, total = problem.place, problem.place.total
    if not isinstance(place, Board) or not place.alternates or total % k:
        return False
    changes = {place.colour(square) != place.colour(image) for square, image in carried.items()}
    return changes == {total // k % 2 == 0}


def has_wrong_pair(problem: Problem, stay: set[Square]) -> bool:
    """Return whether two squares stay, of colours that a reversed tour cannot have there."""
    place = problem.place
    if not isinstance(place, Board) or not place.alternates or len(stay) != 2:
        return False
    same = len({place.colour(square) for square in stay}) == 1
    return same == (place.total // 2 % 2 == 1)


# 5. Kinds about moves


class Contradiction(Exception):  # noqa: N818
    """No cycle through all vertices agrees with what is known."""


class Known:
    """What is known of the edges of a frame: `open` are all but the banned ones.

    Forced edges form paths. `far` has, for a vertex at the end of a path, the other end, and
    `length` the number of the path's vertices; a vertex without a forced edge is a path of one.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.open = [set(near) for near in frame.near]
        self.forced: list[set[int]] = [set() for _ in frame.near]
        self.far = list(range(frame.total))
        self.length = [1] * frame.total
        self.changed = list(range(frame.total))
        frame.work.spend(8 * frame.load)

    def copy(self) -> Known:
        """Return a copy that can be changed."""
        self.frame.work.spend(8 * self.frame.load)
        twin = copy(self)
        twin.open, twin.forced = ([set(near) for near in each] for each in (self.open, self.forced))
        twin.far, twin.length, twin.changed = self.far[:], self.length[:], []
        return twin

    def force(self, u: int, v: int) -> None:
        """Make an edge forced: two paths become one, whose ends must not be joined too early."""
        if v in self.forced[u]:
            return
        if v not in self.open[u] or len(self.forced[u]) > 1 or len(self.forced[v]) > 1:
            raise Contradiction
        self.forced[u].add(v)
        self.forced[v].add(u)
        self.changed += (u, v)
        one, other, length = self.far[u], self.far[v], self.length[u] + self.length[v]
        if one == v:  # a cycle through all vertices: the last edge of a shorter one is banned
            return
        self.far[one], self.far[other] = other, one
        self.length[one] = self.length[other] = length
        if 2 < length < self.frame.total and other in self.open[one]:
            self.ban(one, other)

    def ban(self, u: int, v: int) -> None:
        """Make an edge banned."""
        if v in self.forced[u]:
            raise Contradiction
        self.open[u].discard(v)
        self.open[v].discard(u)
        self.changed += (u, v)

    def apply_plain_rules(self) -> None:
        """Apply the plain rules until nothing changes."""
        while self.changed:
            u = self.changed.pop()
            if len(self.open[u]) < 2:
                raise Contradiction
            if len(self.open[u]) == 2:
                for v in self.open[u].copy():
                    self.force(u, v)
            if len(self.forced[u]) == 2:
                for v in self.open[u] - self.forced[u]:
                    self.ban(u, v)

    def start(self) -> None:
        """Force the edges that must be used, and apply the plain rules."""
        for u, v in self.frame.must:
            self.force(u, v)
        self.apply_plain_rules()

    def count(self, squares: Iterable[int]) -> None:
        """Count a set of squares, and apply the plain rules to what follows."""
        frame = self.frame
        frame.work.spend(8 * frame.load)
        ends, taken = range(frame.size, frame.total), set(squares)
        fixed = sum(v < frame.size for end in ends for v in self.forced[end])
        if not frame.closed and fixed != 2:
            taken.update(ends)
        pieces = len(find_pieces(range(frame.total), self.open.__getitem__, taken))
        if not taken:
            if pieces > 1:
                raise Contradiction
            return
        out = {v: self.open[v] - taken for v in taken}
        free = {v: 2 - len(self.forced[v] & taken) for v in taken}
        offered = sum(min(free[v], len(out[v])) for v in taken)
        if offered < 2 * pieces:
            raise Contradiction
        if offered > 2 * pieces:
            return
        for v in taken:
            inside = (self.open[v] & taken) - self.forced[v] if free[v] <= len(out[v]) else ()
            for u in out[v] if len(out[v]) <= free[v] else ():
                self.force(v, u)
            for u in inside:
                self.ban(v, u)
        self.apply_plain_rules()


def contradicts(action: Callable[..., None], *values: Any) -> bool:
    """Return whether an action comes to a contradiction."""
    try:
        action(*values)
    except Contradiction:
        return True
    return False


def read_sets(problem: Problem, lists: Any) -> list[list[int]]:
    """Return sets of squares as vertices: none of them empty, none of all squares."""
    number = problem.frame.number
    sets = [problem.find_set(names) for names in read_list(lists, "sets")]
    return [[number[square] for square in squares] for squares in sets]


def count_sets(known: Known, sets: list[list[int]]) -> None:
    """Apply the plain rules, and count sets in turn."""
    known.start()
    for squares in sets:
        known.count(squares)


def check_tight(problem: Problem, evidence: dict[str, Any]) -> None:
    """Sets that offer too little, one after the other."""
    sets = read_sets(problem, evidence["sets"])
    demand(sets, "no sets")
    proved = contradicts(count_sets, Known(problem.frame), [*sets, []])
    demand(proved, "the sets lead to no contradiction")


def check_forced(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tree of cases that all end in a contradiction."""
    known = Known(problem.frame)
    check_tree(problem, None if contradicts(known.start) else known, evidence["tree"])


def check_tree(problem: Problem, known: Known | None, tree: Any) -> None:
    """Check a tree with what is known there, or None where there is a contradiction already."""
    while known is not None:
        demand(tree != {}, "a case ends without a contradiction")
        demand(isinstance(tree, dict), "a tree is not an object")
        if "move" in tree:
            check_cases(problem, known, tree)
            return
        read_object(tree, "a tree", ("remove",), ("then",))
        squares = problem.find_squares(tree["remove"])
        demand(len(squares) < problem.place.total, "a count of all squares")
        if contradicts(known.count, [problem.frame.number[square] for square in squares]):
            demand("then" not in tree, "a tree goes on after a contradiction")
            return
        demand("then" in tree, "a count ends without a contradiction")
        tree = tree["then"]
    demand(tree == {}, "a tree goes on where there is a contradiction already")


def check_cases(problem: Problem, known: Known, tree: dict[str, Any]) -> None:
    """Check the two cases of an edge: it is used, it is not."""
    read_object(tree, "a tree", ("move", "used", "unused"))
    one, other = read_list(tree["move"], "a move of a tree", 2)
    frame = problem.frame
    u = frame.number[problem.place.find(one)]
    if other == "end":
        candidates = [v for v in known.open[u] if v >= frame.size]
    else:
        candidates = [v for v in known.open[u] if v == frame.number[problem.place.find(other)]]
    demand(candidates, f"{one!a} to {other!a} is no open edge")
    for key, change in (("used", Known.force), ("unused", Known.ban)):
        twin = known.copy()
        wrong = contradicts(change, twin, u, candidates[0]) or contradicts(twin.apply_plain_rules)
        check_tree(problem, None if wrong else twin, tree[key])


# Split

AT_LAST = ("degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation", "sweep")
"""Kinds of evidence for a rest; `unless` may be a split as well."""

Edges = set[tuple[str, str]]


def check_split(problem: Problem, evidence: dict[str, Any]) -> None:
    """Make the problem smaller, step by step; each rest is a problem of its own."""
    frame = problem.frame
    names = [problem.place.name(square) for square in problem.squares]
    names += ("end 1", "end 2")[: frame.total - frame.size]
    demand(all_differ(names), "a node is called end 1 or end 2")
    edges, must = (
        {order_pair(names[u], names[v]) for u, v in x} for x in (frame.edges, frame.must)
    )
    rest = make_rest(problem, names, edges, must)
    demand(rest, "three edges that must be used meet in the frame")
    steps = read_list(evidence["steps"], "steps")
    demand(steps, "a split of no steps")
    for place, step in enumerate(steps, start=1):
        assert rest
        problem.work.spend(20 * rest.frame.load)
        rest = make_step(rest, step)
        if rest is None:
            demand(place == len(steps), "steps go on after a contradiction")
            alone = evidence["then"] == {"kind": "forced", "tree": {}}
            demand(alone, "after a contradiction there is other evidence than an empty tree")
            return
    assert rest
    check_evidence(rest, evidence["then"], AT_LAST)


def make_rest(problem: Problem, nodes: list[str], edges: Edges, must: Edges) -> Problem | None:
    """Return a rest, or None if three required edges meet at a node."""
    at_node = Counter(node for edge in must for node in edge)
    if max(at_node.values(), default=0) > 2:
        return None
    graph = Graph(nodes, edges)
    return Problem(graph, problem.version, True, require=[*must], work=problem.work)


def make_step(rest: Problem, step: Any) -> Problem | None:
    """Return the rest after a step, or None after a contradiction."""
    nodes, must = rest.squares, set(rest.require)
    edges = {order_pair(u, v) for u in nodes for v in rest.moves(u)}
    if step == "plain":
        known = Known(rest.frame)
        if contradicts(known.start):
            return None
        left, forced = (
            {order_pair(nodes[u], nodes[v]) for u, near in enumerate(some) for v in near}
            for some in (known.open, known.forced)
        )
        return make_rest(rest, nodes, left, forced)
    demand(isinstance(step, dict), "a step is neither plain nor an object")
    if "keep" in step:
        return keep_nodes(rest, step, edges, must)
    read_object(step, "a step", ("use", "unless"))
    u, v = read_list(rest.find_squares(step["use"]), "an edge to use", 2)
    edge = order_pair(u, v)
    demand(edge in edges and edge not in must, f"{u!a} to {v!a} is required, or no edge")
    less = make_rest(rest, nodes, edges - {edge}, must)
    assert less
    check_evidence(less, step["unless"], (*AT_LAST, "split"))
    return make_rest(rest, nodes, edges, must | {edge})


def keep_nodes(rest: Problem, step: dict[str, Any], edges: Edges, must: Edges) -> Problem | None:
    """Return the rest after some nodes were kept, and what hangs between them was replaced."""
    read_object(step, "a step", ("keep",))
    kept = set(rest.find_set(step["keep"]))
    nodes = kept.copy()
    left, needed = ({edge for edge in some if kept.issuperset(edge)} for some in (edges, must))
    for piece in find_pieces(rest.squares, rest.moves, kept):
        out = [(end, v) for v in piece for end in rest.moves(v) & kept]
        ends = {end for end, _ in out}
        if len(ends) == 2:
            left.add(order_pair(*ends))
            needed.add(order_pair(*ends))
            continue
        demand(len(ends) == len(out) == 3, "a piece is not joined to two nodes, or by three edges")
        nodes.add(piece[0])
        for end, v in out:
            left.add(order_pair(end, piece[0]))
            if order_pair(end, v) in must:
                needed.add(order_pair(end, piece[0]))
    demand(len(nodes) > 2, "fewer than three nodes are left")
    return make_rest(rest, [node for node in rest.squares if node in nodes], left, needed)


# Sweep

FULL = -1
"""In a state: the vertex has two edges."""


def check_sweep(problem: Problem, evidence: dict[str, Any]) -> None:
    """Take the vertices in an order; no state of chosen edges may become a whole cycle.

    A state is a tuple along the frontier. It has for each vertex the vertex at the other end of its
    path; the vertex itself if it has no edge; or FULL.
    """
    frame = problem.frame
    order = [frame.number[square] for square in problem.find_squares(evidence["order"])]
    demand(len(order) == frame.size, "the order lacks a square")
    required: list[set[int]] = [set() for _ in frame.near]
    for u, v in frame.must:
        required[u].add(v)
        required[v].add(u)
    taken: set[int] = set()
    frontier: list[int] = []
    states: set[tuple[int, ...]] = {()}
    for v in [*order, *range(frame.size, frame.total)]:
        taken.add(v)
        later = sorted(frame.near[v] - taken)
        after = [u for u in frontier if u != v] + sorted({*later}.difference(frontier))
        # A cycle leaves out what is beyond the frontier, and edges between two that are not taken.
        short = len(taken) + len(after) < frame.total or any(required[u] - taken for u in after)
        new: set[tuple[int, ...]] = set()
        for state in states:
            ends = {u: u for u in (v, *after)} | dict(zip(frontier, state, strict=True))
            for following, closes in choose_edges(ends, v, later, required[v] - taken):
                frame.work.spend(40 * (len(after) + 1))
                row = tuple([following[u] for u in after])
                if not closes:
                    new.add(row)
                elif not short and set(row) <= {FULL}:
                    raise Invalid("there is a cycle through all vertices")
        states, frontier = new, after
        if not states:
            return


def choose_edges(
    ends: dict[int, int], v: int, later: list[int], needed: set[int]
) -> Iterator[tuple[dict[int, int], bool]]:
    """Yield each choice of edges from v: the other ends then, and whether it closes a cycle."""
    number = 0 if ends[v] == FULL else 1 if ends[v] != v else 2
    free = {u for u in later if ends[u] != FULL}
    if not needed <= free or len(needed) > number:
        return
    for others in combinations(sorted(free - needed), number - len(needed)):
        new, closes = ends.copy(), False
        for u in (*needed, *others):
            one, other = new[v], new[u]
            closes = one == u
            if one != v:
                new[v] = FULL
            if other != u:
                new[u] = FULL
            if not closes:
                new[one], new[other] = other, one
        yield new, closes


# 6. Refutation and list


class Formula:
    """Clauses, in their order; the last variable is `top`."""

    def __init__(self, top: int) -> None:
        self.top, self.literals = top, 0
        self.clauses: list[tuple[int, ...]] = []

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.literals += len(literals) + 1
        demand(self.literals <= MOST_LITERALS, f"too large: more than {MOST_LITERALS} literals")
        self.clauses.append(literals)

    def make_variables(self, number: int) -> list[int]:
        """Return so many further variables."""
        self.top += number
        return [*range(self.top - number + 1, self.top + 1)]

    def add_at_most_one(self, x: list[int]) -> None:
        """Add that at most one of some variables is true."""
        d = len(x)
        if d < 10:
            for one, other in combinations(x, 2):
                self.add(-one, -other)
            return
        s = self.make_variables(d - 1)
        self.add(-x[0], s[0])
        for i in range(1, d - 1):
            self.add(-x[i], s[i])
            self.add(-s[i - 1], s[i])
            self.add(-x[i], -s[i - 1])
        self.add(-x[-1], -s[-1])

    def add_exactly_two(self, x: list[int]) -> None:
        """Add that exactly two of some variables are true."""
        d = len(x)
        if d < 2:
            self.add()
        elif d < 10:
            for some in combinations(x, d - 1):
                self.add(*some)
            for one, two, three in combinations(x, 3):
                self.add(-one, -two, -three)
        else:
            s, t = self.make_variables(d), self.make_variables(d)
            self.add(-s[0], x[0])
            self.add(s[0], -x[0])
            self.add(-t[0])
            for i in range(1, d):
                self.add(s[i], -x[i])
                self.add(s[i], -s[i - 1])
                self.add(-s[i], x[i], s[i - 1])
                self.add(t[i], -x[i], -s[i - 1])
                self.add(t[i], -t[i - 1])
                self.add(-t[i], x[i], t[i - 1])
                self.add(-t[i], s[i - 1])
                self.add(-x[i], -t[i - 1])
            self.add(t[-1])

    def write(self) -> str:
        """Return it in DIMACS."""
        lines = [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join((f"p cnf {self.top} {len(lines)}", *lines, ""))


def make_formula(
    problem: Problem, evidence: dict[str, Any], tours: Iterable[frozenset[Move]]
) -> Formula:
    """Return the formula that a refutation or a list refutes."""
    frame = problem.frame
    variable = {edge: number for number, edge in enumerate(frame.edges, start=1)}
    at_vertex: list[list[int]] = [[] for _ in frame.near]
    for (u, v), number in variable.items():
        at_vertex[u].append(number)
        at_vertex[v].append(number)
    formula = Formula(len(variable))
    for x in at_vertex:
        formula.add_exactly_two(x)
    for edge in frame.must:
        formula.add(variable[edge])
    sets, cuts = (read_sets(problem, evidence[key]) for key in ("tight", "cuts"))
    if sets:
        known = Known(frame)
        contradiction = contradicts(count_sets, known, sets)
        demand(not contradiction, "the tight sets contradict by themselves")
        for (u, v), number in variable.items():
            if v in known.forced[u]:
                formula.add(number)
            elif v not in known.open[u]:
                formula.add(-number)
    allowed = {*problem.given, (problem.start, 1)} if problem.closed else {*problem.given}
    clues = read_clues(problem, evidence.get("clues", []), allowed)
    if clues:
        add_steps(formula, problem, variable, clues)
    order = [frame.number[each] for each in problem.find_squares(evidence.get("order", []))]
    demand(len(order) + 3 <= frame.total, "fewer than three vertices are not taken out")
    if order:
        add_taking_out(formula, frame, variable, order)
    if problem.symmetry:
        add_symmetry(formula, problem, variable)
    for tour in tours:
        formula.add(*sorted((-variable[frame.pair(move)] for move in tour), reverse=True))
    for cut in cuts:
        inside = set(cut)
        out = [order_pair(u, v) for u in cut for v in frame.near[u] - inside]
        formula.add(*sorted(variable[edge] for edge in out))
    return formula


def add_symmetry(formula: Formula, problem: Problem, variable: dict[tuple[int, int], int]) -> None:
    """Add that a used move's image is used."""
    frame, squares = problem.frame, problem.squares
    image = [frame.number.get(problem.carry(square)) for square in squares]
    for (u, v), number in variable.items():
        if v < frame.size:
            one, other = image[u], image[v]
            lost = one is None or other is None
            carried = None if lost else variable.get(order_pair(one, other))
            if carried is None:
                formula.add(-number)
            elif carried != number:
                formula.add(-number, carried)


# The clauses of steps


def find_windows(problem: Problem, clues: list[tuple[Square, int]]) -> list[set[int]]:
    """Return the window of each step, as vertices; the entry of step 0 is not used."""
    frame, total = problem.frame, problem.place.total
    near = [{v for v in each if v < total} for each in frame.near[:total]]
    ends = () if problem.closed else ((problem.start, 1), (problem.end, total))
    counting = {*clues, *(pair for pair in ends if pair[0] is not None)}
    at_square = Counter(frame.number[square] for square, _ in counting)
    at_step = Counter(step for _, step in counting)
    fitting: dict[int, set[int]] = {step: set() for step in at_step}
    for square, step in counting:
        if at_step[step] == at_square[frame.number[square]] == 1:
            fitting[step] = {frame.number[square]}
    free = set(range(total)) - set(at_square)
    bounds = sorted({*at_step} if problem.closed else {*at_step, 1, total})
    gaps = [*pairwise(bounds), *([(bounds[-1], bounds[0] + total)] if problem.closed else [])]
    windows = [set(range(total))] * (total + 1)
    for first, last in gaps:
        steps = [(step - 1) % total + 1 for step in range(first, last + 1)]
        fits = [fitting.get(step, free) for step in steps]
        narrow(problem, near, fits)
        fits.reverse()
        narrow(problem, near, fits)
        for step, window in zip(reversed(steps), fits, strict=True):
            windows[step] = windows[step] & window
    return windows


def narrow(problem: Problem, near: list[set[int]], fits: list[set[int]]) -> None:
    """Leave in each set what one move leads to from the set before."""
    for i, before in enumerate(fits[:-1]):
        before = fits[i]
        reached: set[int] = set()
        for v in before:
            reached |= near[v]
        problem.work.spend(100 + 10 * len(before) + 10 * len(reached))
        fits[i + 1] = fits[i + 1] & reached


def add_steps(
    formula: Formula,
    problem: Problem,
    variable: dict[tuple[int, int], int],
    clues: list[tuple[Square, int]],
) -> None:
    """Add the clauses of steps; x has the variable of a vertex and a step."""
    total, closed = problem.place.total, problem.closed
    near = [sorted(v for v in each if v < total) for each in problem.frame.near[:total]]
    windows = [sorted(window) for window in find_windows(problem, clues)]
    x: dict[tuple[int, int], int] = {}
    steps_of: list[list[int]] = [[] for _ in range(total)]
    for t in range(1, total + 1):
        for v in windows[t]:
            (x[v, t],) = formula.make_variables(1)
            steps_of[v].append(t)
    for some in (
        *([x[v, t] for v in windows[t]] for t in range(1, total + 1)),
        *([x[v, t] for t in steps_of[v]] for v in range(total)),
    ):
        formula.add(*some)
        formula.add_at_most_one(some)

    def at(v: int, t: int) -> list[int]:
        """Return x(v, t) as a list, which is empty if there is no such variable."""
        key = (v, (t - 1) % total + 1) if closed else (v, t)
        return [x[key]] if key in x else []

    for (v, t), y in x.items():
        for after in (t + 1, t - 1):
            if closed or 1 <= after <= total:
                formula.add(-y, *(z for u in near[v] for z in at(u, after)))
    for (u, v), e in variable.items():
        if v < total:
            for one, other in ((u, v), (v, u)):
                for t in steps_of[one]:
                    y = x[one, t]
                    for z in at(other, t + 1):
                        formula.add(-y, -z, e)
                    formula.add(-e, -y, *at(other, t + 1), *at(other, t - 1))
        elif u < total:
            both = at(u, 1) + at(u, total)
            for y in both:
                formula.add(-y, e)
            formula.add(-e, *both)


# The clauses of taking out


def add_taking_out(
    formula: Formula, frame: Frame, variable: dict[tuple[int, int], int], order: list[int]
) -> None:
    """Add the clauses of taking out; `follows` has the variable a(u, v)."""
    near = [set(each) for each in frame.near]
    follows: dict[tuple[int, int], int] = {}

    def add_one_in_one_out(v: int) -> None:
        neighbours = sorted(near[v])
        for arcs in ([(v, u) for u in neighbours], [(u, v) for u in neighbours]):
            formula.add(*(follows[arc] for arc in arcs))
            formula.add_at_most_one([follows[arc] for arc in arcs])
        for u in neighbours:
            formula.add(-follows[v, u], -follows[u, v])

    for (u, v), e in variable.items():
        one, other = follows[u, v], follows[v, u] = formula.make_variables(2)
        formula.add(-one, e)
        formula.add(-other, e)
        formula.add(-e, one, other)
    first = order[0]
    for u in sorted(near[first]):
        smaller = [follows[first, w] for w in sorted(near[first]) if w < u]
        formula.add(*smaller, -follows[u, first])
    for v in range(frame.total):
        add_one_in_one_out(v)
    changed: set[int] = set()
    for v in order:
        if v in changed:
            add_one_in_one_out(v)
        for u, w in permutations(sorted(near[v]), 2):
            (x,) = formula.make_variables(1)
            formula.add(-follows[u, v], -follows[v, w], x)
            if w in near[u]:
                formula.add(-follows[u, w], x)
            follows[u, w] = x
        for u in near[v]:
            near[u] = (near[u] | near[v]) - {u, v}
        changed |= near[v]
    for v in sorted(changed - set(order)):
        add_one_in_one_out(v)


# The proof


def unpack_proof(proof: Any) -> str:
    """Return the text of a proof: its lines, each ended by a line feed."""
    if isinstance(proof, list):
        lines = [read_text(line, "a line of the proof") for line in proof]
        demand(not any("\n" in line for line in lines), "a line of the proof is two lines")
        return "".join(f"{line}\n" for line in lines)
    try:
        packed = base64.b64decode(read_text(proof, "the proof"), validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(packed, MOST_TEXT + 1).decode("ascii")
    except (ValueError, zlib.error) as error:
        raise Invalid(f"the proof cannot be unpacked: {error}") from None
    demand(len(text) <= MOST_TEXT, f"too large: the proof has more than {MOST_TEXT} characters")
    demand(stream.eof and not stream.unused_data, "the packed proof is cut short, or goes on")
    demand(text == "" or text.endswith("\n"), "the last line of the proof is not ended")
    return text


def read_line(line: str, top: int, earlier: int) -> tuple[tuple[int, ...], list[int]]:
    """Return the literals of a lemma, and the numbers of the clauses that it follows from."""
    demand(re.fullmatch("[-0-9 ]*", line), "other characters than digits, minus signs and blanks")
    try:
        numbers = [int(word) for word in line.split()]
        zero = numbers.index(0)
    except ValueError:
        raise Invalid("a number cannot be read, or there is no 0") from None
    lemma, hints = tuple(numbers[:zero]), numbers[zero + 1 : -1]
    demand(numbers[-1] == 0 and hints, "there are no clauses, ended by 0")
    demand(min(hints) > 0 and max(hints) <= earlier, "a clause is named that is no earlier one")
    demand(all(abs(literal) <= top for literal in lemma), "a literal has no variable")
    return lemma, hints


def check_proof(formula: Formula, text: str, work: Work) -> None:
    """Check that each line follows, and that the last one is the empty clause."""
    clauses: list[tuple[int, ...]] = [(), *formula.clauses]  # the first has the number 1
    lemma: tuple[int, ...] | None = None
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            lemma, hints = read_line(line, formula.top, len(clauses) - 1)
            work.spend(sum([len(clauses[hint]) + 5 for hint in hints]))
            check_lemma(lemma, [clauses[hint] for hint in hints])
        except Invalid as error:
            raise Invalid(f"line {number} of the proof: {error}") from None
        clauses.append(lemma)
    demand(lemma == (), "the last line of the proof is not the empty clause")


def check_lemma(lemma: tuple[int, ...], hints: list[tuple[int, ...]]) -> None:
    """Check that a lemma follows: suppose that its literals are false, and look at the clauses."""
    false = set(lemma)
    demand(not any(-literal in false for literal in lemma), "a literal and its opposite")
    last = hints.pop()
    for clause in hints:
        left = [literal for literal in clause if literal not in false]
        if len(left) != 1 or -left[0] in false:
            raise Invalid("a clause that is named has not one literal left")
        false.add(-left[0])
    demand(false.issuperset(last), "the last clause that is named has a literal left")


def check_refutation(problem: Problem, evidence: dict[str, Any]) -> None:
    """The formula of the problem has no model."""
    refute(problem, evidence, ())


def check_list(problem: Problem, evidence: dict[str, Any]) -> None:
    """The listed tours are tours, and the formula has no model but these."""
    tours = [check_tour(problem, names) for names in read_list(evidence["tours"], "tours")]
    demand(tours, "a list of no tours")
    demand(all_differ(tours), "two tours of the list have the same moves")
    refute(problem, evidence, tours)


def refute(problem: Problem, evidence: dict[str, Any], tours: Iterable[frozenset[Move]]) -> None:
    """Check that the formula has the digest that is given, and the proof that it has no model."""
    digests = read_object(evidence["digests"], "digests", ("formula", "proof"))
    formula, proof = make_formula(problem, evidence, tours), unpack_proof(evidence["proof"])
    for name, text in (("formula", formula.write()), ("proof", proof)):
        fits = digests[name] == hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        demand(fits, f"the digest of the {name} does not fit")
    check_proof(formula, proof, problem.work)


# 7. The whole file, and the command

Rule = Callable[[Problem, dict[str, Any]], None]
KINDS: dict[str, tuple[int, tuple[str, ...], Rule]] = {
    "size": (1, (), check_size),
    "colours": (1, (), check_colours),
    "degrees": (1, ("squares",), check_degrees),
    "connectivity": (1, ("squares",), check_connectivity),
    "removal": (1, ("squares",), check_removal),
    "cut": (1, ("squares",), check_cut),
    "clash": (4, ("clues",), check_clash),
    "symmetry": (4, ("squares",), check_symmetry),
    "tight": (1, ("sets",), check_tight),
    "forced": (1, ("tree",), check_forced),
    "split": (5, ("steps", "then"), check_split),
    "sweep": (6, ("order",), check_sweep),
    "refutation": (1, ("tight", "cuts", "proof", "digests"), check_refutation),
    "list": (4, ("tight", "cuts", "proof", "digests", "tours"), check_list),
}
"""For each kind the first version that has it, its keys, and its rule."""


def check_evidence(problem: Problem, evidence: Any, kinds: Collection[str]) -> None:
    """Check evidence of one of some kinds."""
    demand(isinstance(evidence, dict) and "kind" in evidence, "evidence has no kind")
    kind = read_choice(evidence["kind"], "the kind of the evidence", kinds)
    first, keys, rule = KINDS[kind]
    demand(problem.version >= first, f"{kind} is evidence from version {first} on")
    optional: tuple[str, ...] = ()
    if rule in (check_refutation, check_list):
        keys += ("clues",) if problem.given else ()
        optional = ("order",) if problem.version > 4 else ()
    read_object(evidence, f"the evidence ({kind})", ("kind", *keys), optional)
    rule(problem, evidence)


def check_certificate(document: dict[str, Any], tours: Any) -> str:
    """Check a certificate, and return its claim."""
    keys = ("format", "schema_version", "problem", "evidence")
    read_object(document, "the certificate", keys, ("argument", "made_by", "digest"))
    demand(document["format"] == "kt_cp certificate", "format is not kt_cp certificate")
    version = read_number(document["schema_version"], "schema_version", 1, LATEST)
    read_text(document.get("argument", ""), "argument")
    demand(isinstance(document.get("made_by", {}), dict), "made_by is not an object")
    for program in document.get("made_by", {}).values():
        read_text(program, "a version in made_by")
    if "digest" in document:
        rest = {key: value for key, value in document.items() if key != "digest"}
        demand(document["digest"] == digest_of(rest), "the digest of the file does not fit")
    problem, evidence = read_problem(document["problem"], version), document["evidence"]
    claim, problem = str(problem), draw_undirected(problem)
    demand(problem.place.total + problem.closed > 1, "a single square is an open tour")
    if version < 4:  # these play no part there
        problem.given, problem.symmetry = [], None
    if isinstance(evidence, dict) and isinstance(evidence.get("tours"), dict):
        evidence = {**evidence, "tours": read_tours(evidence["tours"], tours)}
    else:
        demand(tours is None, "a file of tours belongs to a list whose tours stand elsewhere")
    check_evidence(problem, evidence, KINDS)
    proved = "no tour"
    if evidence["kind"] == "list":
        number = len(evidence["tours"])
        proved = f"all {number} tours" if number > 1 else "the only tour"
    return f"{claim}: {proved} ({evidence['kind']})"


def read_tours(reference: dict[str, Any], tours: Any) -> list[Any]:
    """Return the tours that stand in another file."""
    read_object(reference, "tours", ("number", "digest"))
    demand(tours is not None, "the tours stand in another file, which is not here")
    read_object(tours, "the file of tours", ("format", "tours"))
    demand(tours["format"] == "kt_cp tours", "format is not kt_cp tours")
    names = read_list(tours["tours"], "tours")
    read_number(reference["number"], "the number of tours", len(names), len(names))
    demand(reference["digest"] == digest_of(tours), "the digest of the tours does not fit")
    return names


def check_outcome(document: dict[str, Any]) -> str:
    """Check the tour of an outcome, and return what it is."""
    demand("problem" in document, "the outcome lacks the key 'problem'")
    problem, names = read_problem(document["problem"], LATEST), document.get("tour")
    verdict = read_text(document["verdict"], "verdict")
    demand(verdict == "FOUND", f"an outcome {verdict!a} proves nothing; a certificate would")
    claim, drawn = str(problem), draw_undirected(problem)
    if drawn is not problem:
        nodes = problem.find_squares(names)
        names = [f"{word} {v}" for v in nodes for word in ("in", "at", "out")]
        names = names if problem.closed else ["source", *names, "target"]
    check_tour(drawn, names)
    return f"{claim}: a tour"


def verify(document: Any, tours: Any = None) -> str:
    """Check a certificate or an outcome with a tour.

    Parameters
    ----------
    document : str, bytes or dict
        The text of the file, or what `json.load` makes of it (keys that stand twice are then lost).
    tours : str, bytes or dict, optional
        The same of the second file, if the tours of a ``list`` stand there.

    Returns
    -------
    str
        What was proved, in a line: the problem and the claim.

    Raises
    ------
    Invalid
        If anything is wrong. Its text is the reason, in one line.

    Examples
    --------
    >>> problem = {"rows": 3, "columns": 3, "missing": [], "closed": True,
    ...            "start": None, "end": None}
    >>> certificate = {"format": "kt_cp certificate", "schema_version": 1, "problem": problem,
    ...                "evidence": {"kind": "colours"}}
    >>> verify(certificate)
    '3x3, closed: no tour (colours)'
    >>> verify({**certificate, "problem": {**problem, "closed": False}})
    Traceback (most recent call last):
    ...
    kt_cp.verify.Invalid: the colours leave room for a tour
    """
    try:
        document, tours = (
            read_json(each) if isinstance(each, str | bytes) else each for each in (document, tours)
        )
        demand(isinstance(document, dict), "the file is not a JSON object")
        if "verdict" in document:
            demand(tours is None, "a file of tours belongs to a certificate")
            return check_outcome(document)
        demand("format" in document, "neither a certificate nor an outcome")
        return check_certificate(document, tours)
    except RecursionError:
        raise Invalid("too large: objects are nested too deep") from None
    except MemoryError:
        raise Invalid("too large: the memory does not suffice") from None


USAGE = "usage: python verify.py FILE [TOURS]"


def main(arguments: list[str]) -> int:
    """Check the files that are named, print one line, and return the exit code."""
    if arguments in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if len(arguments) not in (1, 2) or any(each.startswith("-") for each in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        print(f"valid: {verify(*(Path(each).read_bytes() for each in arguments))}")
    except Invalid as reason:
        print(f"not valid: {reason}")
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
