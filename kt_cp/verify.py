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

Squares and nodes are names, and frames have numbers. A check either returns or raises `Invalid`.

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
from collections.abc import Callable, Collection, Iterable
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

Move = tuple[str, str]
Edge = tuple[int, int]


class Invalid(Exception):  # noqa: N818
    """A file that proves nothing; its text says why, in one line."""


def demand(truth: object, reason: str) -> None:
    """Raise Invalid unless this is true."""
    if not truth:
        raise Invalid(reason)


# 1. Reading

TYPES = {
    dict: "not an object",
    list: "not a list",
    str: "not a text",
    int: "not a whole number",
    bool: "neither true nor false",
}


def read(value: Any, what: str, kind: type) -> Any:
    """Return a value of this type; true and false are no numbers."""
    demand(type(value) is kind, f"{what} is {TYPES[kind]}")
    return value


def read_json(data: str | bytes) -> Any:
    """Return the value of a JSON text; no key stands twice in one object."""
    demand(len(data) <= MOST_BYTES, f"too large: the file has more than {MOST_BYTES} bytes")

    def read_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, count in Counter(key for key, _ in pairs).items():
            demand(count == 1, f"the key {key!a} stands {count} times in one object")
        return dict(pairs)

    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        return json.loads(text, object_pairs_hook=read_keys)
    except ValueError as error:
        raise Invalid(f"not JSON in UTF-8: {error}") from None


def read_object(
    value: Any, what: str, keys: Collection[str], optional: Collection[str] = ()
) -> None:
    """Demand an object that has these keys and no others."""
    read(value, what, dict)
    for key in keys:
        demand(key in value, f"{what} lacks the key {key!a}")
    for key in value:
        demand(key in keys or key in optional, f"{what} has the key {key!a}, which plays no part")


def read_list(value: Any, what: str, length: int | None = None) -> list[Any]:
    """Return a list, of this length if one is given."""
    entries: list[Any] = read(value, what, list)
    demand(length in (None, len(value)), f"{what} has {len(value)} entries in place of {length}")
    return entries


def read_pairs(value: Any, what: str) -> list[tuple[Any, Any]]:
    """Return a list of pairs."""
    pairs = (read_list(pair, f"an entry of {what}", 2) for pair in read_list(value, what))
    return [(one, other) for one, other in pairs]


def read_number(value: Any, what: str, least: int, most: int) -> int:
    """Return a whole number of this range."""
    number: int = read(value, what, int)
    demand(least <= number <= most, f"{what} is not from {least} to {most}")
    return number


def read_choice(value: Any, what: str, choices: Iterable[str]) -> str:
    """Return one of these texts."""
    text: str = read(value, what, str)
    demand(text in choices, f"{what} is {text!a}, which does not exist")
    return text


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

MOTIONS: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "half-turn": lambda row, column, top, right: (top - row, right - column),
    "quarter-turn": lambda row, column, top, _: (top - column, row),
    "left-right": lambda row, column, _, right: (row, right - column),
    "top-bottom": lambda row, column, top, _: (top - row, column),
    "diagonal": lambda row, column, *_: (column, row),
}
"""Where a square is carried; `top` and `right` are the last row and the last column."""


def locate(square: str) -> tuple[int, int]:
    """Return the row and the column of a square, on the board or not."""
    match = re.fullmatch("([a-z]{1,14})([1-9][0-9]{0,18})", square)
    if not match:
        raise Invalid(f"{square!a} is not a square of the board")
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return int(match[2]) - 1, column - 1


def colour(square: str) -> int:
    """Return 0 if row + column is even, else 1."""
    return sum(locate(square)) % 2


class Board:
    """A board with a piece; nothing is laid out, so it may be as large as it likes."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.rows = read_number(document["rows"], "rows", 1, MOST_SIDE)
        self.columns = read_number(document["columns"], "columns", 1, MOST_SIDE)
        piece = read_pairs(document.get("piece", [[1, 2]]), "piece")
        for a, b in piece:
            read_number(a, "a side of a leap", 0, read_number(b, "a leap", 1, MOST_SIDE))
        demand(1 <= len(piece) <= 16 and all_differ(piece), "not 1 to 16 different leaps")
        surface = read_choice(document.get("surface", "plane"), "surface", SURFACES)
        self.wide, self.high, self.turned = SURFACES[surface]
        leaps = [(x, y) for a, b in piece for x in (a, -a) for y in (b, -b)]
        self.steps = {*leaps, *((y, x) for x, y in leaps)}
        self.missing: set[str] = set()
        missing = [self.find(square) for square in read_list(document["missing"], "missing")]
        demand(all_differ(missing), "a missing square stands twice")
        self.missing.update(missing)
        self.total = self.rows * self.columns - len(missing)
        demand(self.total, "no square remains")
        self.alternates = (
            all((a + b) % 2 == 1 for a, b in piece)
            and not (self.wide and (self.columns + self.turned * (self.rows - 1)) % 2)
            and not (self.high and self.rows % 2)
        )

    def name(self, row: int, column: int) -> str | None:
        """Return the name of a square, or None: it is off the board, or missing."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        letters, column = "", column + 1
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("a") + letter) + letters
        square = f"{letters}{row + 1}"
        return None if square in self.missing else square

    def find(self, square: Any) -> str:
        """Return a square of the board."""
        name = self.name(*locate(read(square, "a square", str)))
        if name is None:
            raise Invalid(f"{square!a} is not a square of the board")
        return name

    def moves(self, square: str) -> set[str]:
        """Return the squares that one move leads to."""
        row, column = locate(square)
        found = set()
        for up, right in self.steps:
            there, across = row + up, column + right
            if self.wide:
                turns, across = divmod(across, self.columns)
                there = self.rows - 1 - there if self.turned and turns % 2 else there
            if self.high:
                there %= self.rows
            name = self.name(there, across)
            if name not in (None, square):
                found.add(str(name))
        return found


class Work:
    """Elementary steps of a whole check."""

    steps = 0

    def spend(self, steps: int) -> None:
        """Count steps."""
        self.steps += steps
        demand(self.steps <= MOST_WORK, f"too large: more than {MOST_WORK} steps of work")


@dataclass
class Problem:
    """A board or graph, open or closed, with conditions; squares and nodes are names.

    Of a graph `near` has the neighbours of each node, without forbidden edges; of a board, those of
    the squares that were looked at.
    """

    near: dict[str, set[str]]
    version: int
    closed: bool
    board: Any = None
    start: Any = None
    end: Any = None
    require: list[Move] = field(default_factory=list)
    forbid: list[Move] = field(default_factory=list)
    given: list[tuple[str, int]] = field(default_factory=list)
    symmetry: Any = None
    work: Work = field(default_factory=Work)

    def __post_init__(self) -> None:
        self.total: int = self.board.total if self.board else len(self.near)
        self.alternates: bool = self.board is not None and self.board.alternates

    @cached_property
    def squares(self) -> list[str]:
        """All squares in the order of the frame, which has three vertices or more."""
        demand(self.total <= MOST_SQUARES, f"too large: more than {MOST_SQUARES} squares")
        demand(self.total > 1 + self.closed, "too few squares for this kind")
        if not self.board:
            return list(self.near)
        rows, columns = range(self.board.rows), range(self.board.columns)
        names = (self.board.name(row, column) for row in rows for column in columns)
        return [name for name in names if name is not None]

    @cached_property
    def frame(self) -> Frame:
        """The frame."""
        return Frame(self)

    @property
    def ends(self) -> list[str]:
        """The start and the end, those that are given."""
        return [square for square in (self.start, self.end) if square is not None]

    @property
    def end_clues(self) -> list[tuple[str, int]]:
        """The clues of start and end."""
        ends = ((self.start, 1), (self.end, self.total))
        return [(square, step) for square, step in ends if square is not None]

    def moves(self, square: str) -> set[str]:
        """Return the squares that moves lead to, without the forbidden ones."""
        if square not in self.near:
            self.near[square] = self.board.moves(square)
        return self.near[square]

    def find(self, square: Any) -> str:
        """Return a square of the board, or a node of the graph."""
        if self.board:
            return str(self.board.find(square))
        demand(read(square, "a node", str) in self.near, f"{square!a} is not a node")
        return str(square)

    def find_squares(self, squares: Any, length: int | None = None) -> list[str]:
        """Return a list of different squares."""
        found = [self.find(square) for square in read_list(squares, "squares", length)]
        demand(all_differ(found), "a square stands twice in one list")
        return found

    def find_moves(self, moves: Any, what: str) -> list[Move]:
        """Return pairs of squares."""
        return [(self.find(u), self.find(v)) for u, v in read_pairs(moves, what)]

    def find_set(self, squares: Any) -> list[str]:
        """Return a list of different squares: not none, not all."""
        found = self.find_squares(squares)
        demand(0 < len(found) < self.total, "a set of no squares, or of all")
        return found

    def carry(self, square: str) -> Any:
        """Return the square to which the symmetry carries one, or None if there is none."""
        top, right = self.board.rows - 1, self.board.columns - 1
        return self.board.name(*MOTIONS[self.symmetry](*locate(square), top, right))


def order_pair(u: Any, v: Any) -> tuple[Any, Any]:
    """Return a move in the direction that stands for both."""
    return (u, v) if u < v else (v, u)


def join(near: Any, edges: Iterable[tuple[Any, Any]]) -> None:
    """Make the two vertices of each edge neighbours."""
    for u, v in edges:
        near[u].add(v)
        near[v].add(u)


def most_at_one(moves: Iterable[Move]) -> int:
    """Return how many moves meet at one square, at most."""
    return max(Counter(square for move in moves for square in move).values(), default=0)


def read_problem(document: Any, version: int) -> Problem:
    """Return the problem of a file; of a directed graph, the undirected one that stands for it."""
    graph = "nodes" in read(document, "the problem", dict)
    keys = ["nodes", "edges"] if graph else ["rows", "columns", "missing"]
    keys += ["closed", "start", "end"]
    if version > 1:
        keys += ["require", "forbid", "given", "symmetry"]
        keys += [] if graph else ["piece", "surface"]
    read_object(document, "the problem", keys, ["directed"] if graph and version > 4 else [])
    closed = read(document["closed"], "closed", bool)
    directed = read(document.get("directed", False), "directed", bool)
    if graph:
        problem = Problem(read_nodes(document["nodes"]), version, closed)
        read_edges(problem, document["edges"], directed)
    else:
        problem = Problem({}, version, closed, Board(document))
    problem.start, problem.end = (
        None if document[key] is None else problem.find(document[key]) for key in ("start", "end")
    )
    demand(not closed or problem.end is None, "a closed tour has no end")
    demand(all_differ(problem.ends) or problem.total == 1, "start and end are one square")
    read_moves(problem, document, directed)
    for square, step in read_pairs(document.get("given", []), "given"):
        step = read_number(step, "a given step", 1, problem.total)
        problem.given.append((problem.find(square), step))
    for values in zip(*problem.given, strict=True):
        demand(all_differ(values), "a square or a step stands twice in given")
    problem.symmetry = document.get("symmetry")
    if problem.symmetry is not None:
        demand(problem.board, "a graph has no symmetry")
        read_choice(problem.symmetry, "symmetry", MOTIONS)
    if version < 4:  # these play no part there
        problem.given, problem.symmetry = [], None
    return draw_undirected(problem) if directed else problem


def read_nodes(names: Any) -> dict[str, set[str]]:
    """Return nodes, none of which has a neighbour yet."""
    nodes = [read(node, "a node", str) for node in read_list(names, "nodes")]
    near: dict[str, set[str]] = {node: set() for node in nodes}
    demand(nodes and all_differ(nodes), "not one node or more, all different")
    demand("end" not in near, "a node is called end")
    demand(all(node.isprintable() for node in near), "a node's name cannot be printed")
    return near


def read_edges(problem: Problem, edges: Any, directed: bool) -> None:
    """Read the edges of a graph, or its arcs."""
    for u, v in problem.find_moves(edges, "edges"):
        demand(u != v, f"an edge leads from {u!a} to itself")
        demand(v not in problem.near[u], "an edge stands twice")
        problem.near[u].add(v)
        if not directed:
            problem.near[v].add(u)


def read_moves(problem: Problem, document: dict[str, Any], directed: bool) -> None:
    """Read the required and forbidden moves, and take the forbidden ones away."""
    for key, moves in (("require", problem.require), ("forbid", problem.forbid)):
        for u, v in problem.find_moves(document.get(key, []), key):
            demand(v in problem.moves(u), f"{key}: {[u, v]!a} is no move")
            moves.append((u, v) if directed else order_pair(u, v))
    both = problem.require + problem.forbid
    demand(all_differ(both), "a required or forbidden move stands twice")
    if directed:
        for ends in zip(*problem.require, strict=True):
            demand(all_differ(ends), "two required arcs lead from one node, or to one")
    else:
        demand(most_at_one(problem.require) < 3, "three required moves at one square")
    for u, v in problem.forbid:
        problem.moves(u).discard(v)
        if not directed:
            problem.moves(v).discard(u)


def make_graph(problem: Problem, nodes: Iterable[str], edges: Iterable[Move]) -> Problem:
    """Return a problem on another graph, without conditions."""
    near: dict[str, set[str]] = {node: set() for node in nodes}
    join(near, edges)
    return Problem(near, problem.version, problem.closed, work=problem.work)


def draw_undirected(problem: Problem) -> Problem:
    """Return the undirected problem that stands for a directed one."""
    near, start, end = problem.near, problem.start, problem.end
    nodes = [f"{word} {v}" for v in near for word in ("in", "at", "out")]
    edges = [(f"in {v}", f"at {v}") for v in near] + [(f"at {v}", f"out {v}") for v in near]
    edges += [draw_arc((u, v)) for u in near for v in near[u]]
    if not problem.closed:
        nodes += ["source", "target"]
        edges += [("source", f"in {v}") for v in near if start in (None, v)]
        edges += [(f"out {v}", "target") for v in near if end in (None, v)]
    drawn = make_graph(problem, nodes, edges)
    if not problem.closed:
        drawn.start, drawn.end = "source", "target"
    elif start is not None:
        drawn.start = f"in {start}"
    drawn.require = [draw_arc(arc) for arc in problem.require]
    for v, step in problem.given:
        first = 3 * step - 2 if problem.closed else 3 * step - 1
        drawn.given += [(f"in {v}", first), (f"at {v}", first + 1)]
    return drawn


def draw_arc(arc: Move) -> Move:
    """Return the edge that stands for an arc."""
    return f"out {arc[0]}", f"in {arc[1]}"


def describe(document: dict[str, Any]) -> str:
    """Return a problem in words."""
    if "rows" in document:
        size = f"{document['rows']}x{document['columns']}"
    else:
        graph = "directed graph" if document.get("directed") else "graph"
        size = f"{graph} of {len(document['nodes'])} nodes and {len(document['edges'])} edges"
    words = [size, "closed" if document["closed"] else "open"]
    for key in ("piece", "surface", "start", "end", "symmetry"):
        if document.get(key) not in (None, "plane", [[1, 2]]):
            words.append(f"{key} {document[key]}")
    for key in ("missing", "require", "forbid", "given"):
        words += [f"{len(document[key])} {key}"] if document.get(key) else []
    return ", ".join(words)


def check_tour(problem: Problem, names: Any) -> frozenset[Move]:
    """Check that a list of names is a tour that satisfies all conditions; return its moves."""
    squares = problem.find_squares(names)
    demand(len(squares) == problem.total, f"{len(squares)} of {problem.total} squares are visited")
    demand(not problem.closed or len(squares) > 2, "a closed tour of fewer than 3 squares")
    made = set()
    for u, v in pairwise([*squares, squares[0]] if problem.closed else squares):
        if v not in problem.moves(u):
            reason = "is forbidden" if order_pair(u, v) in problem.forbid else "is no move"
            raise Invalid(f"{u!a} to {v!a} {reason}")
        made.add(order_pair(u, v))
    for u, v in problem.require:
        demand(order_pair(u, v) in made, f"{u!a}-{v!a} is not made")
    for square, step in problem.given + problem.end_clues:
        demand(squares[step - 1] == square, f"{square!a} is not at step {step}")
    for move in made if problem.symmetry else ():
        u, v = map(problem.carry, move)
        there = None not in (u, v) and order_pair(u, v) in made
        demand(there, f"the tour is not symmetric under a {problem.symmetry}")
    return frozenset(made)


# 3. The frame


class Frame:
    """A graph on vertices 0, 1, ...; every tour is a cycle through all of them.

    `size` is the number of squares, so the ends have the numbers from there to `total`; `edges` has
    the variable of each edge, and `must` those that must be used, in the order of their clauses.
    """

    def __init__(self, problem: Problem) -> None:
        self.closed, self.size, self.work = problem.closed, problem.total, problem.work
        self.number = {square: vertex for vertex, square in enumerate(problem.squares)}
        self.near = [{self.number[v] for v in problem.moves(u)} for u in problem.squares]
        self.must = sorted(self.pair(move) for move in problem.require)
        if not self.closed:
            self.add_ends(problem)
        self.total = len(self.near)
        edges = [(u, v) for u in range(self.total) for v in sorted(self.near[u]) if u < v]
        self.edges = {edge: number for number, edge in enumerate(edges, start=1)}
        self.load = 8 * (self.total + 2 * len(self.edges))

    def pair(self, move: Move) -> Edge:
        """Return the numbers of a move's two squares, the smaller one first."""
        return order_pair(self.number[move[0]], self.number[move[1]])

    def add_ends(self, problem: Problem) -> None:
        """Add one end or two, and the edges there."""
        first = self.size
        colours = [problem.alternates and colour(square) for square in problem.squares]
        two = problem.alternates and first % 2 == 0
        more = 2 * sum(colours) > first  # the colour that more squares have
        prescribed = [self.number[square] for square in problem.ends]
        joined = [v for v in range(first) if two or colours[v] == more]
        if len(prescribed) == 2:
            joined = []
        ends = [(v, first + colours[v] * two) for v in joined + prescribed]
        self.must += ends[len(joined) :]
        if two:
            ends.append((first, first + 1))
            self.must.append((first, first + 1))
        self.near += [set() for _ in range(1 + two)]
        join(self.near, ends)


# 4. Kinds without a search


def find_pieces(vertices: Iterable[Any], moves: Any, removed: Iterable[Any]) -> list[list[Any]]:
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
    demand(problem.closed and problem.total < 3, "not a closed tour of one or two squares")


def check_colours(problem: Problem, _: dict[str, Any]) -> None:
    """A tour changes the colour with every move."""
    board = problem.board
    demand(problem.alternates, "the board does not alternate")
    odd = sum(map(colour, board.missing))
    excess = board.rows * board.columns % 2 - len(board.missing) + 2 * odd  # D - L
    ends = [colour(square) for square in problem.ends]
    if problem.closed or excess == 0:
        proved = excess != 0 or (len(ends) == 2 and ends[0] == ends[1])
    else:
        proved = abs(excess) > 1 or (excess > 0) in ends
    demand(proved, "the colours leave room for a tour")


def check_degrees(problem: Problem, evidence: dict[str, Any]) -> None:
    """A square inside a tour needs two moves."""
    squares = problem.find_squares(evidence["squares"])
    demand(problem.total > 1, "there is one square only")
    degrees = [len(problem.moves(square)) for square in squares]
    if degrees == [0]:
        return
    demand(squares and max(degrees) < 2, "no squares, or one with two moves or more")
    if not problem.closed:
        demand(not set(squares) & set(problem.ends), "an end can do with one move")
        enough = len(squares) > 2 - len(problem.ends)
        demand(enough, "there are as many ends as such squares")


def check_connectivity(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tour connects any two squares."""
    demand(problem.squares, "no squares")
    one, other = problem.find_squares(evidence["squares"], 2)
    demand(other not in find_pieces([one], problem.moves, ())[0], "moves connect the two squares")


def check_removal(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tour without k squares falls into about k parts, and each piece needs one."""
    squares, ends = problem.find_set(evidence["squares"]), set(problem.ends)
    if evidence["kind"] == "cut":
        read_list(squares, "squares", 1)
    pieces = find_pieces(problem.squares, problem.moves, squares)
    most = len(squares)
    if not problem.closed:
        most += 1 - len(ends & set(squares))
        most -= len(ends) == 2 and any(ends <= set(piece) for piece in pieces)
    demand(len(pieces) > most, f"{len(pieces)} pieces leave room for a tour")


def check_clash(problem: Problem, evidence: dict[str, Any]) -> None:
    """Two clues between which no walk is long enough, or one that leaves too few squares."""
    total = problem.total
    demand(total > 1 + problem.closed, "too few squares for this kind")
    clues = read_clues(problem, evidence["clues"], {*problem.given, *problem.end_clues})
    demand(len(clues) == 2 or (len(clues) == 1 and problem.version > 4), "not two clues")
    one, step = clues[0]
    other, later = clues[-1]
    if len(clues) == 1:
        reached = Counter(parity for _, parity in measure_walks(problem, one))
        steps = Counter((each - step) % 2 for each in range(1, total + 1))
        demand(reached[0] < steps[0] or reached[1] < steps[1], "enough squares are reached")
    elif one != other and step != later:
        walks, apart = measure_walks(problem, one), abs(later - step)
        lengths = [apart, total - apart] if problem.closed else [apart]
        too_far = any(walks.get((other, each % 2), each + 1) > each for each in lengths)
        demand(too_far, "a walk leads from the one clue to the other")


def read_clues(problem: Problem, pairs: Any, allowed: set[tuple[str, int]]) -> list[Any]:
    """Return a list of different clues, each of which the problem has."""
    clues = []
    for square, step in read_pairs(pairs, "clues"):
        clues.append((problem.find(square), read_number(step, "a step", 1, problem.total)))
        demand(clues[-1] in allowed, f"{clues[-1]!a} is not a clue of the problem")
    demand(all_differ(clues), "a clue stands twice")
    return clues


def measure_walks(problem: Problem, square: str) -> dict[tuple[str, int], int]:
    """Return the length of the shortest even and odd walk from one square to the others."""
    demand(problem.squares, "no squares")
    lengths, last, length = {(square, 0): 0}, [square], 0
    while last:
        length += 1
        there = {v for u in last for v in problem.moves(u)}
        last = [v for v in there if (v, length % 2) not in lengths]
        lengths.update(((v, length % 2), length) for v in last)
    return lengths


def check_symmetry(problem: Problem, evidence: dict[str, Any]) -> None:
    """A motion of the board that no tour can have."""
    demand(problem.symmetry, "the problem has no symmetry")
    chosen, ends = problem.find_squares(evidence["squares"]), problem.ends
    carried = {square: problem.carry(square) for square in problem.squares}
    number = len(chosen)
    if number == 1 and carried[chosen[0]] is None:
        return
    demand(None not in carried.values(), "the motion carries a square off the board")
    stay = {square for square in carried if carried[square] == square}
    demand(len(stay) < problem.total, "the motion carries every square to itself")
    all_stay = stay.issuperset(chosen)
    inverse = all(carried[image] == square for square, image in carried.items())
    turning = sum(carried[v] == u and v in problem.moves(u) for u, v in carried.items() if u < v)
    changes = {colour(square) != colour(image) for square, image in carried.items()}
    part, rest = divmod(problem.total, 2 if inverse else 4)
    wrong_colours = problem.alternates and rest == 0 and changes == {part % 2 == 0}
    if problem.closed and inverse:
        moved_on = not chosen and not wrong_colours
        differ = all_differ([colour(square) for square in stay])
        wrong_pair = problem.alternates and len(stay) == 2 and differ == (part % 2 == 0)
        reversed_ = len(stay) + turning > 1 and not wrong_pair
        proved = all_stay and (number > 2 or not (moved_on or reversed_))
    elif problem.closed:
        proved = (number == 1 and all_stay) or (number == 0 and wrong_colours)
    elif inverse:
        proved = (
            (number == 2 and all_stay)
            or (number == 1 and all_stay and chosen[0] in ends)
            or (number == 2 and set(chosen) == set(ends) and carried[ends[0]] != ends[1])
            or (number == 0 and not stay and not turning)
        )
    else:
        proved = number == 1 and carried[carried[chosen[0]]] != chosen[0]
    demand(proved, "the squares leave room for a symmetric tour")


# 5. Kinds about moves


class Known:
    """What is known of the edges of a frame: `open` are all but the banned ones.

    Forced edges form paths. `far` has, for a vertex at the end of a path, the other end; a vertex
    without a forced edge is a path of its own. A path has all vertices if one edge is lacking.
    After a contradiction `wrong` is true, and the rest means nothing.
    """

    def __init__(self, frame: Frame, sets: Iterable[list[int]] = ()) -> None:
        frame.work.spend(frame.load)
        self.frame, self.wrong, self.lacking = frame, False, frame.total
        self.open = [set(near) for near in frame.near]
        self.forced: list[set[int]] = [set() for _ in frame.near]
        self.far = list(range(frame.total))
        self.changed = list(range(frame.total))
        for u, v in frame.must:
            self.force(u, v)
        self.apply_plain_rules()
        for squares in sets:
            self.count(squares)

    def copy(self) -> Known:
        """Return a copy that can be changed."""
        self.frame.work.spend(self.frame.load)
        twin = copy(self)
        twin.open, twin.forced = ([set(near) for near in each] for each in (self.open, self.forced))
        twin.far, twin.changed = self.far[:], []
        return twin

    def force(self, u: int, v: int) -> None:
        """Make an edge forced: two paths become one, whose ends must not be joined too early."""
        if v in self.forced[u]:
            return
        if v not in self.open[u] or len(self.forced[u]) > 1 or len(self.forced[v]) > 1:
            self.wrong = True
            return
        join(self.forced, [(u, v)])
        self.changed += (u, v)
        self.lacking -= 1
        one, other = self.far[u], self.far[v]
        if one != v:  # else a cycle through all vertices: the last edge of a shorter one is banned
            self.far[one], self.far[other] = other, one
            if self.lacking > 1 and other not in self.forced[one]:
                self.ban(one, other)

    def ban(self, u: int, v: int) -> None:
        """Make an edge banned."""
        self.wrong |= v in self.forced[u]
        self.open[u].discard(v)
        self.open[v].discard(u)
        self.changed += (u, v)

    def apply_plain_rules(self) -> None:
        """Apply the plain rules until nothing changes."""
        while self.changed and not self.wrong:
            u = self.changed.pop()
            self.wrong |= len(self.open[u]) < 2
            if len(self.open[u]) == 2:
                for v in self.open[u].copy():
                    self.force(u, v)
            if len(self.forced[u]) == 2:
                for v in self.open[u] - self.forced[u]:
                    self.ban(u, v)

    def count(self, squares: Iterable[int]) -> None:
        """Count a set of squares, and apply the plain rules to what follows."""
        if self.wrong:
            return
        frame = self.frame
        frame.work.spend(frame.load)
        ends, taken = range(frame.size, frame.total), set(squares)
        fixed = sum(v < frame.size for end in ends for v in self.forced[end])
        if not frame.closed and fixed != 2:
            taken.update(ends)
        pieces = len(find_pieces(range(frame.total), self.open.__getitem__, taken))
        if not taken:
            self.wrong = pieces > 1
            return
        out = {v: self.open[v] - taken for v in taken}
        free = {v: 2 - len(self.forced[v] & taken) for v in taken}
        offered = sum(min(free[v], len(out[v])) for v in taken)
        self.wrong = offered < 2 * pieces
        if offered != 2 * pieces:
            return
        for v in taken:
            inside = (self.open[v] & taken) - self.forced[v] if free[v] <= len(out[v]) else ()
            for u in out[v] if len(out[v]) <= free[v] else ():
                self.force(v, u)
            for u in inside:
                self.ban(v, u)
        self.apply_plain_rules()


def read_sets(problem: Problem, lists: Any) -> list[list[int]]:
    """Return sets of squares as vertices: none of them empty, none of all squares."""
    sets = [problem.find_set(squares) for squares in read_list(lists, "sets")]
    return [[problem.frame.number[square] for square in squares] for squares in sets]


def check_tight(problem: Problem, evidence: dict[str, Any]) -> None:
    """Sets that offer too little, one after the other."""
    sets = read_sets(problem, evidence["sets"])
    demand(sets, "no sets")
    demand(Known(problem.frame, [*sets, []]).wrong, "the sets lead to no contradiction")


def check_forced(problem: Problem, evidence: dict[str, Any]) -> None:
    """A tree of cases that all end in a contradiction."""
    check_tree(problem, Known(problem.frame), evidence["tree"])


def check_tree(problem: Problem, known: Known, tree: Any) -> None:
    """Check a tree with what is known there."""
    while not known.wrong:
        demand(tree != {}, "a case ends without a contradiction")
        if "move" in read(tree, "a tree", dict):
            check_cases(problem, known, tree)
            return
        read_object(tree, "a tree", ["remove"], ["then"])
        squares = problem.find_squares(tree["remove"])
        demand(len(squares) < problem.total, "a count of all squares")
        known.count(problem.frame.number[square] for square in squares)
        ends = "then" not in tree
        demand(ends == known.wrong, "a count ends without a contradiction, or goes on after one")
        tree = tree.get("then", {})
    demand(tree == {}, "a tree goes on where there is a contradiction already")


def check_cases(problem: Problem, known: Known, tree: dict[str, Any]) -> None:
    """Check the two cases of an edge: it is used, it is not."""
    read_object(tree, "a tree", ["move", "used", "unused"])
    one, other = read_list(tree["move"], "a move of a tree", 2)
    frame = problem.frame
    u, vertices = frame.number[problem.find(one)], {*range(frame.size, frame.total)}
    if other != "end":
        vertices = {frame.number[problem.find(other)]}
    candidates = known.open[u] & vertices
    demand(candidates, f"{one!a} to {other!a} is no open edge")
    for key, change in (("used", Known.force), ("unused", Known.ban)):
        twin = known.copy()
        change(twin, u, min(candidates))
        twin.apply_plain_rules()
        check_tree(problem, twin, tree[key])


# Split

AT_LAST = ("degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation", "sweep")
"""Kinds of evidence for a rest; `unless` may be a split as well."""


def check_split(problem: Problem, evidence: dict[str, Any]) -> None:
    """Make the problem smaller, step by step; each rest is a problem of its own."""
    frame = problem.frame
    names = [*problem.squares, "end 1", "end 2"][: frame.total]
    demand(all_differ(names), "a node is called end 1 or end 2")
    rest = make_rest(problem, names, name_edges(names, frame.edges), name_edges(names, frame.must))
    demand(evidence["steps"], "a split of no steps")
    for step in read_list(evidence["steps"], "steps"):
        demand(rest, "steps go on after a contradiction")
        rest.work.spend(3 * rest.frame.load)
        rest = make_step(rest, step, name_edges(rest.squares, rest.frame.edges), {*rest.require})
    if rest:
        check_evidence(rest, evidence["then"], AT_LAST)
    else:
        alone = evidence["then"] == {"kind": "forced", "tree": {}}
        demand(alone, "after a contradiction there is other evidence than an empty tree")


def name_edges(names: list[str], edges: Iterable[Edge]) -> set[Move]:
    """Return edges of a frame as pairs of names."""
    return {order_pair(names[u], names[v]) for u, v in edges}


def make_rest(problem: Problem, nodes: list[str], edges: set[Move], must: set[Move]) -> Any:
    """Return a rest, or None if three required edges meet at a node: a contradiction."""
    rest = make_graph(problem, nodes, edges)
    rest.closed, rest.require = True, [*must]
    return rest if most_at_one(must) < 3 else None


def make_step(rest: Problem, step: Any, edges: set[Move], must: set[Move]) -> Any:
    """Return the rest after a step, or None after a contradiction."""
    nodes, frame = rest.squares, rest.frame
    if step == "plain":
        known = Known(frame)
        left = name_edges(nodes, [(u, v) for u, v in frame.edges if v in known.open[u]])
        forced = name_edges(nodes, [(u, v) for u, v in frame.edges if v in known.forced[u]])
        return None if known.wrong else make_rest(rest, nodes, left, forced)
    if "keep" in read(step, "a step", dict):
        return keep_nodes(rest, step, edges, must)
    read_object(step, "a step", ["use", "unless"])
    u, v = rest.find_squares(step["use"], 2)
    edge = {order_pair(u, v)}
    demand(edge <= edges - must, f"{u!a} to {v!a} is required, or no edge")
    check_evidence(make_rest(rest, nodes, edges - edge, must), step["unless"], (*AT_LAST, "split"))
    return make_rest(rest, nodes, edges, must | edge)


def keep_nodes(rest: Problem, step: dict[str, Any], edges: set[Move], must: set[Move]) -> Any:
    """Return the rest after some nodes were kept, and what hangs between them was replaced."""
    read_object(step, "a step", ["keep"])
    kept = set(rest.find_set(step["keep"]))
    nodes = kept.copy()
    left, needed = ({edge for edge in some if kept.issuperset(edge)} for some in (edges, must))
    for piece in find_pieces(rest.squares, rest.moves, kept):
        out = [(end, v) for v in piece for end in rest.moves(v) & kept]
        ends = {end for end, _ in out}
        if len(ends) == 2:
            needed.add(order_pair(*ends))
            continue
        demand(len(ends) == len(out) == 3, "a piece is not joined to two nodes, or by three edges")
        nodes.add(piece[0])
        left |= {order_pair(end, piece[0]) for end in ends}
        needed |= {order_pair(end, piece[0]) for end, v in out if order_pair(end, v) in must}
    demand(len(nodes) > 2, "fewer than three nodes are left")
    return make_rest(rest, [node for node in rest.squares if node in nodes], left | needed, needed)


# Sweep

FULL = -1
"""In a state: the vertex has two edges."""


def check_sweep(problem: Problem, evidence: dict[str, Any]) -> None:
    """Take the vertices in an order, edge by edge; no state may become a whole cycle.

    A state is a tuple along the frontier. It has for each vertex the vertex at the other end of its
    path; the vertex itself if it has no edge; or FULL.
    """
    frame = problem.frame
    order = [frame.number[square] for square in problem.find_squares(evidence["order"])]
    demand(len(order) == frame.size, "the order lacks a square")
    required: list[set[int]] = [set() for _ in frame.near]
    join(required, frame.must)
    taken: set[int] = set()
    frontier: list[int] = []
    states: set[tuple[int, ...]] = {()}
    for v in [*order, *range(frame.size, frame.total)]:
        taken.add(v)
        later, needed = frame.near[v] - taken, required[v] - taken
        after = [u for u in frontier if u != v] + sorted(later.difference(frontier))
        # A cycle leaves out what is beyond the frontier, and edges between two that are not taken.
        short = len(taken) + len(after) < frame.total or any(required[u] - taken for u in after)
        alone = {u: u for u in (v, *after)}
        rows = {tuple((alone | dict(zip(frontier, row, strict=True))).values()) for row in states}
        for u in (*needed, *(later - needed)):
            needed.discard(u)
            used = set()
            for row in rows:
                frame.work.spend(40 * len(row))
                ends = dict(zip(alone, row, strict=True))
                one, other = ends[v], ends[u]
                if FULL in (one, other):
                    continue
                ends |= {v: FULL} if one != v else {}
                ends |= {u: FULL} if other != u else {}
                if one != u:
                    ends |= {one: other, other: one}
                    used.add(tuple(ends.values()))
                elif not (short or needed) and set(ends.values()) == {FULL}:
                    raise Invalid("there is a cycle through all vertices")
            rows = used if u in required[v] else rows | used
        states, frontier = {row[1:] for row in rows if row[0] == FULL}, after


# 6. Refutation and list


class Formula:
    """Clauses, in their order; the last variable is `top`."""

    def __init__(self, top: int) -> None:
        self.top, self.literals = top, 0
        self.clauses: list[tuple[int, ...]] = []

    def add(self, *clauses: Iterable[int]) -> None:
        """Add clauses."""
        for clause in map(tuple, clauses):
            self.literals += len(clause) + 1
            demand(self.literals <= MOST_LITERALS, f"too large: more than {MOST_LITERALS} literals")
            self.clauses.append(clause)

    def make_variables(self, number: int) -> list[int]:
        """Return so many further variables."""
        self.top += number
        return [*range(self.top - number + 1, self.top + 1)]

    def add_at_most_one(self, x: list[int]) -> None:
        """Add that at most one of some variables is true."""
        if len(x) < 10:
            self.add(*([-one, -other] for one, other in combinations(x, 2)))
            return
        s = self.make_variables(len(x) - 1)
        self.add([-x[0], s[0]])
        for i in range(1, len(s)):
            self.add([-x[i], s[i]], [-s[i - 1], s[i]], [-x[i], -s[i - 1]])
        self.add([-x[-1], -s[-1]])

    def add_exactly_two(self, x: list[int]) -> None:
        """Add that exactly two of some variables are true."""
        d = len(x)
        if d < 2:
            self.add([])
        elif d < 10:
            self.add(*combinations(x, d - 1))
            self.add(*([-one, -two, -three] for one, two, three in combinations(x, 3)))
        else:
            s, t = self.make_variables(d), self.make_variables(d)
            self.add([-s[0], x[0]], [s[0], -x[0]], [-t[0]])
            for i in range(1, d):
                self.add([s[i], -x[i]], [s[i], -s[i - 1]], [-s[i], x[i], s[i - 1]])
                self.add([t[i], -x[i], -s[i - 1]], [t[i], -t[i - 1]], [-t[i], x[i], t[i - 1]])
                self.add([-t[i], s[i - 1]], [-x[i], -t[i - 1]])
            self.add([t[-1]])

    def write(self) -> str:
        """Return it in DIMACS."""
        lines = [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join((f"p cnf {self.top} {len(lines)}", *lines, ""))


def make_formula(problem: Problem, evidence: dict[str, Any], tours: list[Any]) -> Formula:
    """Return the formula that a refutation or a list refutes."""
    frame = problem.frame
    variable, formula = frame.edges, Formula(len(frame.edges))
    for u, near in enumerate(frame.near):
        formula.add_exactly_two([variable[order_pair(u, v)] for v in sorted(near)])
    formula.add(*([variable[edge]] for edge in frame.must))
    sets, cuts = (read_sets(problem, evidence[key]) for key in ("tight", "cuts"))
    if sets:
        known = Known(frame, sets)
        demand(not known.wrong, "the tight sets contradict by themselves")
        for (u, v), e in variable.items():
            if v in known.forced[u] or v not in known.open[u]:
                formula.add([e if v in known.forced[u] else -e])
    allowed = {*problem.given, (problem.start, 1)} if problem.closed else {*problem.given}
    clues = read_clues(problem, evidence.get("clues", []), allowed)
    if clues:
        add_steps(formula, problem, clues)
    order = [frame.number[each] for each in problem.find_squares(evidence.get("order", []))]
    demand(len(order) + 3 <= frame.total, "fewer than three vertices are not taken out")
    if order:
        add_taking_out(formula, frame, order)
    if problem.symmetry:
        add_symmetry(formula, problem)
    for tour in tours:
        formula.add(sorted((-variable[frame.pair(move)] for move in tour), reverse=True))
    for cut in cuts:
        out = [order_pair(u, v) for u in cut for v in frame.near[u].difference(cut)]
        formula.add(sorted(variable[edge] for edge in out))
    return formula


def add_symmetry(formula: Formula, problem: Problem) -> None:
    """Add that a used move's image is used."""
    number, edges = problem.frame.number, problem.frame.edges
    image = [number.get(problem.carry(square), -1) for square in problem.squares]
    for (u, v), e in edges.items():
        if v < problem.total:
            other = edges.get(order_pair(image[u], image[v]))
            if other != e:
                formula.add([-e, other] if other else [-e])


# The clauses of steps


def find_windows(problem: Problem, near: list[set[int]], clues: list[Any]) -> list[set[int]]:
    """Return the window of each step, as vertices; the entry of step 0 is not used."""
    total, number, closed = problem.total, problem.frame.number, problem.closed
    counting = {*clues} if closed else {*clues, *problem.end_clues}
    at_square = Counter(number[square] for square, _ in counting)
    at_step = Counter(step for _, step in counting)
    fitting: dict[int, set[int]] = {step: set() for step in at_step}
    for square, step in counting:
        if at_step[step] == at_square[number[square]] == 1:
            fitting[step] = {number[square]}
    free = set(range(total)) - set(at_square)
    bounds = sorted({*at_step} if closed else {*at_step, 1, total})
    if closed:
        bounds.append(bounds[0] + total)
    windows = [set(range(total))] * (total + 1)
    for first, last in pairwise(bounds):
        steps = [(step - 1) % total + 1 for step in range(first, last + 1)]
        fits = [fitting.get(step, free) for step in steps]
        for _ in range(2):  # there, and back
            for i in range(1, len(fits)):
                problem.work.spend(100 + 100 * len(fits[i - 1]))
                fits[i] = fits[i] & set().union(*(near[v] for v in fits[i - 1]))
            fits.reverse()
        for step, window in zip(steps, fits, strict=True):
            windows[step] = windows[step] & window
    return windows


def add_steps(formula: Formula, problem: Problem, clues: list[tuple[str, int]]) -> None:
    """Add the clauses of steps; x[v] has the variables of a vertex, by step."""
    total, closed = problem.total, problem.closed
    near = [{v for v in each if v < total} for each in problem.frame.near[:total]]
    windows = find_windows(problem, near, clues)
    x: list[dict[int, int]] = [{} for _ in range(total)]
    visits = [(v, t) for t in range(1, total + 1) for v in sorted(windows[t])]
    for v, t in visits:
        (x[v][t],) = formula.make_variables(1)
    at_step = [[x[v][t] for v in sorted(windows[t])] for t in range(1, total + 1)]
    for some in (*at_step, *(list(each.values()) for each in x)):
        formula.add(some)
        formula.add_at_most_one(some)

    def at(v: int, t: int) -> list[int]:
        """Return x(v, t) as a list, which is empty if there is no such variable."""
        step = (t - 1) % total + 1 if closed else t
        return [x[v][step]] if step in x[v] else []

    for v, t in visits:
        for after in (t + 1, t - 1):
            if closed or 1 <= after <= total:
                formula.add([-x[v][t], *(z for u in sorted(near[v]) for z in at(u, after))])
    for (u, v), e in problem.frame.edges.items():
        if v < total:
            for one, other in ((u, v), (v, u)):
                for t, y in x[one].items():
                    formula.add(*([-y, -z, e] for z in at(other, t + 1)))
                    formula.add([-e, -y, *at(other, t + 1), *at(other, t - 1)])
        elif u < total:
            both = at(u, 1) + at(u, total)
            formula.add(*([-y, e] for y in both), [-e, *both])


# The clauses of taking out


def add_taking_out(formula: Formula, frame: Frame, order: list[int]) -> None:
    """Add the clauses of taking out; `follows` has the variable a(u, v)."""
    near = [set(each) for each in frame.near]
    follows: dict[Edge, int] = {}

    def add_one_in_one_out(v: int) -> None:
        after = [follows[v, u] for u in sorted(near[v])]
        before = [follows[u, v] for u in sorted(near[v])]
        for some in (after, before):
            formula.add(some)
            formula.add_at_most_one(some)
        formula.add(*([-one, -other] for one, other in zip(after, before, strict=True)))

    for (u, v), e in frame.edges.items():
        one, other = follows[u, v], follows[v, u] = formula.make_variables(2)
        formula.add([-one, e], [-other, e], [-e, one, other])
    first = order[0]
    for u in sorted(near[first]):
        smaller = [follows[first, w] for w in sorted(near[first]) if w < u]
        formula.add([*smaller, -follows[u, first]])
    for v in range(frame.total):
        add_one_in_one_out(v)
    changed: set[int] = set()
    for v in order:
        if v in changed:
            add_one_in_one_out(v)
        for u, w in permutations(sorted(near[v]), 2):
            (x,) = formula.make_variables(1)
            formula.add([-follows[u, v], -follows[v, w], x])
            if w in near[u]:
                formula.add([-follows[u, w], x])
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
        lines = [read(line, "a line of the proof", str) for line in proof]
        demand(not any("\n" in line for line in lines), "a line of the proof is two lines")
        return "".join(f"{line}\n" for line in lines)
    try:
        packed = base64.b64decode(read(proof, "the proof", str), validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(packed, MOST_TEXT + 1).decode("ascii")
    except (ValueError, zlib.error) as error:
        raise Invalid(f"the proof cannot be unpacked: {error}") from None
    demand(len(text) <= MOST_TEXT, f"too large: the proof has more than {MOST_TEXT} characters")
    demand(stream.eof and not stream.unused_data, "the packed proof is cut short, or goes on")
    demand(text == "" or text.endswith("\n"), "the last line of the proof is not ended")
    return text


def check_proof(formula: Formula, text: str, work: Work) -> None:
    """Check that each line follows, and that the last one is the empty clause."""
    clauses: list[tuple[int, ...]] = [(), *formula.clauses]  # the first has the number 1
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            clauses.append(check_line(line, formula.top, clauses, work))
        except Invalid as error:
            raise Invalid(f"line {number} of the proof: {error}") from None
    proved = len(clauses) > len(formula.clauses) + 1 and clauses[-1] == ()
    demand(proved, "the last line of the proof is not the empty clause")


def check_line(line: str, top: int, clauses: list[tuple[int, ...]], work: Work) -> tuple[int, ...]:
    """Return the lemma of a line: suppose that its literals are false, and look at the clauses."""
    demand(re.fullmatch("[-0-9 ]*", line), "other characters than digits, minus signs and blanks")
    try:
        numbers = [int(word) for word in line.split()]
        zero = numbers.index(0)
    except ValueError:
        raise Invalid("a number cannot be read, or there is no 0") from None
    lemma, hints = tuple(numbers[:zero]), numbers[zero + 1 : -1]
    demand(numbers[-1] == 0 and hints, "there are no clauses, ended by 0")
    known = min(hints) > 0 and max(hints) < len(clauses)
    demand(known, "a clause is named that is no earlier one")
    demand(all(abs(literal) <= top for literal in lemma), "a literal has no variable")
    work.spend(sum([len(clauses[hint]) + 5 for hint in hints]))
    false = set(lemma)
    demand(not any(-literal in false for literal in lemma), "a literal and its opposite")
    last = hints.pop()
    for hint in hints:
        left = [literal for literal in clauses[hint] if literal not in false]
        if len(left) != 1 or -left[0] in false:
            raise Invalid("a clause that is named has not one literal left")
        false.add(-left[0])
    demand(false.issuperset(clauses[last]), "the last clause that is named has a literal left")
    return lemma


def check_refutation(problem: Problem, evidence: dict[str, Any]) -> None:
    """The tours of a list, if it is one, are tours; the formula has no model but these."""
    tours = []
    if evidence["kind"] == "list":
        tours = [check_tour(problem, names) for names in read_list(evidence["tours"], "tours")]
        demand(tours, "a list of no tours")
        demand(all_differ(tours), "two tours of the list have the same moves")
    read_object(evidence["digests"], "digests", ["formula", "proof"])
    formula, proof = make_formula(problem, evidence, tours), unpack_proof(evidence["proof"])
    for name, text in (("formula", formula.write()), ("proof", proof)):
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        demand(evidence["digests"][name] == digest, f"the digest of the {name} does not fit")
    check_proof(formula, proof, problem.work)


# 7. The whole file, and the command

KINDS: dict[str, tuple[int, str, Callable[[Problem, dict[str, Any]], None]]] = {
    "size": (1, "", check_size),
    "colours": (1, "", check_colours),
    "degrees": (1, "squares", check_degrees),
    "connectivity": (1, "squares", check_connectivity),
    "removal": (1, "squares", check_removal),
    "cut": (1, "squares", check_removal),
    "clash": (4, "clues", check_clash),
    "symmetry": (4, "squares", check_symmetry),
    "tight": (1, "sets", check_tight),
    "forced": (1, "tree", check_forced),
    "split": (5, "steps then", check_split),
    "sweep": (6, "order", check_sweep),
    "refutation": (1, "tight cuts proof digests", check_refutation),
    "list": (4, "tight cuts proof digests tours", check_refutation),
}
"""For each kind the first version that has it, its keys, and its rule."""


def check_evidence(problem: Problem, evidence: Any, kinds: Collection[str]) -> None:
    """Check evidence of one of some kinds."""
    demand("kind" in read(evidence, "the evidence", dict), "evidence has no kind")
    kind = read_choice(evidence["kind"], "the kind of the evidence", kinds)
    first, words, rule = KINDS[kind]
    demand(problem.version >= first, f"{kind} is evidence from version {first} on")
    keys, optional = ["kind", *words.split()], []
    if rule is check_refutation:
        keys += ["clues"] if problem.given else []
        optional += ["order"] if problem.version > 4 else []
    read_object(evidence, f"the evidence ({kind})", keys, optional)
    rule(problem, evidence)


def check_certificate(document: dict[str, Any], tours: Any) -> str:
    """Check a certificate, and return its claim."""
    keys = ("format", "schema_version", "problem", "evidence")
    read_object(document, "the certificate", keys, ["argument", "made_by", "digest"])
    demand(document["format"] == "kt_cp certificate", "format is not kt_cp certificate")
    version = read_number(document["schema_version"], "schema_version", 1, LATEST)
    read(document.get("argument", ""), "argument", str)
    for program in read(document.get("made_by", {}), "made_by", dict).values():
        read(program, "a version in made_by", str)
    if "digest" in document:
        rest = {key: value for key, value in document.items() if key != "digest"}
        demand(document["digest"] == digest_of(rest), "the digest of the file does not fit")
    problem, evidence = read_problem(document["problem"], version), document["evidence"]
    demand(problem.total + problem.closed > 1, "a single square is an open tour")
    if isinstance(evidence, dict) and isinstance(evidence.get("tours"), dict):
        evidence = {**evidence, "tours": read_tours(evidence["tours"], tours)}
    else:
        demand(tours is None, "a file of tours belongs to a list whose tours stand elsewhere")
    check_evidence(problem, evidence, KINDS)
    proved = "no tour"
    if evidence["kind"] == "list":
        number = len(evidence["tours"])
        proved = f"all {number} tours" if number > 1 else "the only tour"
    return f"{describe(document['problem'])}: {proved} ({evidence['kind']})"


def read_tours(reference: dict[str, Any], tours: Any) -> list[Any]:
    """Return the tours that stand in another file."""
    read_object(reference, "tours", ["number", "digest"])
    demand(tours is not None, "the tours stand in another file, which is not here")
    read_object(tours, "the file of tours", ["format", "tours"])
    demand(tours["format"] == "kt_cp tours", "format is not kt_cp tours")
    names = read_list(tours["tours"], "tours")
    read_number(reference["number"], "the number of tours", len(names), len(names))
    demand(reference["digest"] == digest_of(tours), "the digest of the tours does not fit")
    return names


def check_outcome(document: dict[str, Any]) -> str:
    """Check the tour of an outcome, and return what it is."""
    demand("problem" in document, "the outcome lacks the key 'problem'")
    problem, names = read_problem(document["problem"], LATEST), document.get("tour")
    verdict = read(document["verdict"], "verdict", str)
    demand(verdict == "FOUND", f"an outcome {verdict!a} proves nothing; a certificate would")
    if document["problem"].get("directed"):
        nodes = [read(node, "a node", str) for node in read_list(names, "tour")]
        names = [f"{word} {v}" for v in nodes for word in ("in", "at", "out")]
        names = names if problem.closed else ["source", *names, "target"]
    check_tour(problem, names)
    return f"{describe(document['problem'])}: a tour"


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
    except (RecursionError, MemoryError):
        raise Invalid("too large: nested too deep, or more than the memory holds") from None


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
