"""Check a certificate or a tour: one file, the standard library, nothing else of kt_cp.

Run it as ``python -m kt_cp.verify FILE [TOURS]``, or copy this file anywhere and run
``python verify.py FILE [TOURS]``. It prints one line, ``valid: ...`` or ``not valid: ...``.

What it checks
--------------
- *Certificates* of versions 1 to 7, of every kind. A certificate proves that there is no tour, or
  (``list``) that there are no other tours than these, or (``bound``) that none is better.
  `FORMAT.md <trust/check/FORMAT.md>`_ describes them. This file was written from that page
  alone, and refuses what the page refuses. TOURS is the separate file with the tours of a
  ``list``, if it has one.
- *Outcomes*, the JSON of ``kt-cp solve ... --json``: the tour visits every square once by moves of
  the piece, and satisfies all conditions of the problem. An outcome without a tour proves nothing.

It does not compare the ``argument`` of a certificate, which is a sentence for readers. In an
outcome it reads only ``problem``, ``verdict`` and ``tour``.

What you trust
--------------
Python, its ``json``, ``hashlib``, ``base64`` and ``zlib``, and this file. You need not trust the
program that made the certificate, nor kt_cp's own checker, which shares no line with this one. The
proof is about the problem in the file, so read the printed claim.

How to read it
--------------
Read it beside FORMAT.md. The parts have the order of that page and use its names:

1. reading: JSON of a fixed shape;
2. boards and graphs, problems, tours;
3. the frame: a graph; the tours are its cycles through all vertices;
4. kinds without a search: size, colours, degrees, connectivity, removal, cut, clash, symmetry;
5. kinds about moves: tight, forced, split, sweep;
6. refutation and list: a formula, and a proof that it has no model;
7. bound: no tour has fewer turns, or more moves in one direction;
8. the command.

Squares, nodes and vertices are numbers in the order of the page; names occur only in files. A check
either returns or raises `Invalid`.

Cost and limits
---------------
Plain kinds take a few microseconds for each square. Refutations take about one for each literal of
the clauses that the proof names. `colours`, `size` and `degrees` work on boards of any size. Every
check ends, because there are limits (``MOST_...`` below). A file beyond them is ``not valid: too
large``; this does not depend on its truth. The other limits in FORMAT.md's table are not
enforced.
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
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, pairwise, permutations, product
from math import gcd
from pathlib import Path
from typing import Any

__all__ = ["Invalid", "verify"]

LATEST = 7
"""The latest version of the format."""
MOST_BYTES = 2**25
"""Bytes of a file."""
MOST_TEXT = 2**26
"""Characters of a packed proof."""
MOST_SQUARES = 10**6
"""Squares of a board that a check goes through one by one."""
MOST_LITERALS = 10**7
"""Literals of a formula, all in memory at once."""
MOST_WORK = 5 * 10**9
"""Elementary steps of a whole check: about ten minutes."""

Edge = tuple[int, int]
Clue = tuple[int, int]
Graph = dict[int, set[int]]
Json = dict[str, Any]


class Invalid(Exception):  # noqa: N818
    """The file proves nothing; the text is the reason, in one line."""


def demand(truth: object, reason: str) -> None:
    """Raise Invalid unless this is true."""
    if not truth:
        raise Invalid(reason)


# 1. Reading

SIDES = range(1, 10**18 + 1)
TYPES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


def read(value: Any, shape: Any, what: str) -> Any:
    """Return a JSON value that has a certain shape.

    A shape is a type; a range of numbers; a set of texts; an object of shapes, in which ``?`` marks
    an optional key; a list with the shape of every entry; a tuple with one shape for each entry; a
    function that reads the value; or None for any value.
    """
    if isinstance(shape, dict):
        for key in shape:
            demand(
                key in read(value, dict, what) or key[-1] == "?", f"{what} lacks the key {key!a}"
            )
        shapes = {key.rstrip("?"): part for key, part in shape.items()}
        for key in value:
            demand(key in shapes, f"{what} has the key {key!a}, which plays no part")
        return {key: read(value[key], shapes[key], key) for key in value}
    if isinstance(shape, list | tuple):
        number = len(read(value, list, what))
        entries = shape * number if isinstance(shape, list) else shape
        demand(number == len(entries), f"{what} has {number} entries in place of {len(entries)}")
        what = f"an entry of {what}"
        return [read(each, entry, what) for each, entry in zip(value, entries, strict=True)]
    if isinstance(shape, range):
        inside = type(value) is int and value in shape
        demand(inside, f"{what} is not a whole number from {shape[0]} to {shape[-1]}")
    elif isinstance(shape, set):
        exists = isinstance(value, str | None) and value in shape
        demand(exists, f"{what} is {value!a}, which does not exist")
    elif isinstance(shape, type):  # true and false are no numbers
        demand(type(value) is shape, f"{what} is not {TYPES.get(shape, 'true or false')}")
    return shape(value) if shape and not isinstance(shape, type | range | set) else value


def read_json(data: Any) -> Any:
    """Return the value of a JSON text in which no object has a key twice; return values as is."""
    if not isinstance(data, str | bytes):
        return data
    demand(len(data) <= MOST_BYTES, f"too large: the file has more than {MOST_BYTES} bytes")
    text = data if isinstance(data, str) else data.decode("utf-8")
    return json.loads(text, object_pairs_hook=read_pairs)


def read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of a JSON text."""
    demand(all_differ([key for key, _ in pairs]), "a key stands twice in one object")
    return dict(pairs)


def digest_of(document: Any) -> str:
    """Return the SHA-256 of a value, written with sorted keys and without blanks."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def all_differ(values: Collection[Any]) -> bool:
    """Return whether no value occurs twice."""
    return len(set(values)) == len(values)


# 2. Boards and graphs, problems, tours

SURFACES = {
    "plane": (False, False, False),
    "cylinder": (True, False, False),
    "torus": (True, True, False),
    "moebius": (True, False, True),
    "klein": (True, True, True),
}
"""Whether files are joined, whether ranks are joined, whether the join of files is reversed."""

MOTIONS: dict[str | None, Callable[[int, int, int, int], tuple[int, int]]] = {
    "half-turn": lambda row, column, top, right: (top - row, right - column),
    "quarter-turn": lambda row, column, top, _: (top - column, row),
    "left-right": lambda row, column, _, right: (row, right - column),
    "top-bottom": lambda row, column, top, _: (top - row, column),
    "diagonal": lambda row, column, *_: (column, row),
}
"""The image of a square under a motion; `top`, `right` are the last row and the last column."""


class Board(Graph):
    """A board with a piece: a graph that computes the moves of a square on first use.

    So a board may have any size. The square in a row and a column has the number
    row * columns + column.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.rows, self.columns = document["rows"], document["columns"]
        self.wide, self.high, self.turned = SURFACES[document["surface"]]
        piece = {(a, b) for a, b in document["piece"] if a <= b}
        demand(len(piece) == len(document["piece"]), "two equal leaps, or [a, b] with a > b")
        demand(1 <= len(piece) <= 16, "not 1 to 16 leaps")
        leaps = [(x, y) for a, b in piece for x in (a, -a) for y in (b, -b)]
        self.leaps = {*leaps, *((y, x) for x, y in leaps)}
        self.missing: set[int | None] = set()
        self.missing = {self.find(name) for name in document["missing"]} - {None}
        demand(
            len(self.missing) == len(document["missing"]),
            "a missing square is not on the board, or stands twice",
        )
        self.total = self.rows * self.columns - len(self.missing)
        demand(self.total, "no square remains")
        self.alternates = (
            all((a + b) % 2 for a, b in piece)
            and not (self.wide and (self.columns + self.turned * (self.rows - 1)) % 2)
            and not (self.high and self.rows % 2)
        )

    def number(self, row: int, column: int) -> int | None:
        """Return a square, or None if it is off the board or missing."""
        square = row * self.columns + column
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return square if inside and square not in self.missing else None

    def find(self, name: str) -> int | None:
        """Return the square of a name, or None."""
        match = re.fullmatch("([a-z]{1,14})([1-9][0-9]{0,18})", name)
        if not match:
            return None
        column = 0
        for letter in match[1]:
            column = 26 * column + ord(letter) - ord("a") + 1
        return self.number(int(match[2]) - 1, column - 1)

    def __missing__(self, square: int) -> set[int]:
        """Return the squares that one move leads to."""
        row, column = divmod(square, self.columns)
        found = set()
        for up, right in self.leaps:
            there, across = row + up, column + right
            if self.wide:
                turns, across = divmod(across, self.columns)
                there = self.rows - 1 - there if self.turned and turns % 2 else there
            found.add(self.number(there % self.rows if self.high else there, across))
        self[square] = {v for v in found if v is not None and v != square}
        return self[square]

    def colour(self, square: int) -> int:
        """Return 0 if row + column is even, else 1."""
        row, column = divmod(square, self.columns)
        return int(row + column) % 2

    def carry(self, square: int, motion: str) -> int | None:
        """Return the image of a square under a motion, or None if there is none."""
        row, column = divmod(square, self.columns)
        return self.number(*MOTIONS[motion](row, column, self.rows - 1, self.columns - 1))


class Work:
    """The number of elementary steps of a whole check."""

    steps = 0

    def spend(self, steps: int) -> None:
        """Count steps."""
        self.steps += steps
        demand(self.steps <= MOST_WORK, f"too large: more than {MOST_WORK} steps of work")


@dataclass
class Problem:
    """A board or graph, open or closed, with conditions; `near` lacks the forbidden moves."""

    near: Any
    number: Callable[[str], int | None]
    version: int
    closed: bool
    work: Work
    require: list[Edge] = field(default_factory=list)
    end_clues: list[Clue] = field(default_factory=list)
    given: list[Clue] = field(default_factory=list)
    symmetry: Any = None

    def __post_init__(self) -> None:
        self.board: Any = self.near if isinstance(self.near, Board) else None
        self.total: int = len(self.near) if self.board is None else self.board.total
        self.alternates: bool = self.board is not None and self.board.alternates

    @property
    def ends(self) -> list[int]:
        """The given ones of start and end."""
        return [square for square, _ in self.end_clues]

    @cached_property
    def squares(self) -> list[int]:
        """All squares of a problem, which must be large enough for a frame."""
        demand(self.total <= MOST_SQUARES, f"too large: more than {MOST_SQUARES} squares")
        demand(self.total > 1 + self.closed, "too few squares for this kind")
        if self.board is None:
            return list(self.near)
        return sorted({*range(self.board.rows * self.board.columns)} - self.board.missing)

    @cached_property
    def frame(self) -> Frame:
        """The frame."""
        return Frame(self)

    def find(self, name: Any) -> int:
        """Return the square or node of a name."""
        square = self.number(read(name, str, "a square"))
        if square is None or (self.board is None and square not in self.near):
            raise Invalid(f"{name!a} is no square or node of the problem")
        return square

    def find_squares(self, names: Any) -> list[int]:
        """Return a list of different squares."""
        squares: list[int] = read(names, [self.find], "squares")
        demand(all_differ(squares), "a square stands twice in one list")
        return squares

    def find_sets(self, lists: Any) -> list[set[int]]:
        """Return sets of squares: none of them empty, none of all."""
        sets = [set(squares) for squares in read(lists, [self.find_squares], "sets")]
        demand(all(0 < len(each) < self.total for each in sets), "a set of no squares, or of all")
        return sets

    def find_clues(self, pairs: Any, what: str) -> list[Clue]:
        """Return pairs of a square and a step."""
        steps = range(1, self.total + 1)
        return [(square, step) for square, step in read(pairs, [(self.find, steps)], what)]


def order_pair(u: Any, v: Any) -> Edge:
    """Return an edge in the direction that represents both."""
    return (u, v) if u < v else (v, u)


def join(near: Graph, edges: Iterable[Edge]) -> None:
    """Make the two vertices of each edge neighbours."""
    for u, v in edges:
        near[u].add(v)
        near[v].add(u)


def most_at_one(edges: Iterable[Edge]) -> int:
    """Return the largest number of edges at one vertex."""
    return max(Counter(vertex for edge in edges for vertex in edge).values(), default=0)


ANY: Json = {"closed": bool, "start": None, "end": None}
BOARD: Json = {"rows": SIDES, "columns": SIDES, "missing": [str]}
PIECE: Json = {"piece": [(range(10**18 + 1), SIDES)], "surface": {*SURFACES}}
GRAPH: Json = {"nodes": [str], "edges": [(str, str)]}
CONDITIONS: Json = {"require": None, "forbid": None, "given": None, "symmetry": {*MOTIONS, None}}
VERSION_1: Json = {"piece": [[1, 2]], "surface": "plane", "symmetry": None}
VERSION_1 |= {"require": [], "forbid": [], "given": []}
"""The shapes of problems, and the defaults of keys that version 1 does not have."""


def read_problem(raw: Any, version: int) -> Problem:
    """Return the problem of a file; for a directed graph, the undirected problem instead of it."""
    is_graph = "nodes" in read(raw, dict, "the problem")
    shape = ANY | (GRAPH if is_graph else BOARD)
    if version > 1:
        shape |= CONDITIONS | ({} if is_graph else PIECE)
    if version > 4 and is_graph:
        shape["directed?"] = bool
    document = VERSION_1 | read(raw, shape, "the problem")
    closed, directed = document["closed"], document.get("directed", False)
    near: Any = parse_graph(document, directed) if is_graph else Board(document)
    number = {name: v for v, name in enumerate(document["nodes"])}.get if is_graph else near.find
    problem = Problem(near, number, version, closed, Work())
    for key, step in (("start", 1), ("end", problem.total)):
        if document[key] is not None:
            problem.end_clues.append((problem.find(document[key]), step))
    demand(not closed or document["end"] is None, "a closed tour has no end")
    demand(all_differ(problem.ends) or problem.total == 1, "start and end are one square")
    pair = (problem.find, problem.find)
    require, forbid = (read(document[key], [pair], key) for key in ("require", "forbid"))
    demand(all(v in near[u] for u, v in require + forbid), "a required or forbidden move is none")
    moves = [(u, v) if directed else order_pair(u, v) for u, v in require + forbid]
    demand(all_differ(moves), "a required or forbidden move stands twice")
    problem.require = moves[: len(require)]
    for squares in zip(*require, strict=True) if directed else ():
        demand(all_differ(squares), "two required arcs lead from one node, or to one")
    demand(most_at_one(require) < 3, "three required moves at one square")
    for u, v in forbid:
        near[u].discard(v)
        near[v].discard(u)
    given = problem.find_clues(document["given"], "given")
    for values in zip(*given, strict=True):
        demand(all_differ(values), "a square or a step stands twice in given")
    demand(not is_graph or document["symmetry"] is None, "a graph has no symmetry")
    if version > 3:  # they play no part in earlier ones
        problem.given, problem.symmetry = given, document["symmetry"]
    return read_problem(draw_undirected(raw), version) if directed else problem


def parse_graph(document: dict[str, Any], directed: bool) -> Graph:
    """Return a graph: the neighbours of each node, or the heads of its arcs."""
    nodes = document["nodes"]
    demand(nodes and all_differ(nodes), "not one node or more, all different")
    demand("end" not in nodes, "a node is called end")
    demand("".join(nodes).isprintable(), "a node's name cannot be printed")
    number = {name: v for v, name in enumerate(nodes)}
    near: Graph = {v: set() for v in number.values()}
    for names in document["edges"]:
        u, v = map(number.get, names)
        if u is None or v in (None, u) or v in near[u]:
            raise Invalid(f"{names!a} is no edge between two nodes, or stands twice")
        near[u].add(v)
        if not directed:
            near[v].add(u)
    return near


def draw_undirected(directed: dict[str, Any]) -> dict[str, Any]:
    """Return the undirected problem that represents a directed one."""
    drawn, nodes, closed = {**directed, "directed": False}, directed["nodes"], directed["closed"]
    drawn["nodes"] = [f"{word} {v}" for v in nodes for word in ("in", "at", "out")]
    for key in ("edges", "require", "forbid"):
        drawn[key] = [[f"out {u}", f"in {v}"] for u, v in directed[key]]
    drawn["edges"] += [[f"in {v}", f"at {v}"] for v in nodes]
    drawn["edges"] += [[f"at {v}", f"out {v}"] for v in nodes]
    start, end = directed["start"], directed["end"]
    drawn["start"] = None if start is None else f"in {start}"
    if not closed:
        drawn["nodes"] += ["source", "target"]
        drawn["edges"] += [["source", f"in {v}"] for v in nodes if start in (None, v)]
        drawn["edges"] += [[f"out {v}", "target"] for v in nodes if end in (None, v)]
        drawn |= {"start": "source", "end": "target"}
    firsts = [(v, 3 * step - 1 - closed) for v, step in directed["given"]]
    drawn["given"] = [[f"in {v}", first] for v, first in firsts]
    drawn["given"] += [[f"at {v}", first + 1] for v, first in firsts]
    return drawn


def describe(document: dict[str, Any]) -> str:
    """Return a problem in words."""
    graph = "directed graph" if document.get("directed") else "graph"
    size = "{rows}x{columns}".format_map(document) if "rows" in document else graph
    words = [size, "closed" if document["closed"] else "open"]
    for key, value in document.items():
        if isinstance(value, list) and value not in ([], [[1, 2]]):
            words.append(f"{len(value)} {key}" if key != "piece" else f"{key} {value}")
        elif isinstance(value, str) and value != "plane":
            words.append(f"{key} {value}")
    return ", ".join(words)


def check_tour(problem: Problem, names: Any) -> frozenset[Edge]:
    """Check that a list of names is a tour that satisfies all conditions; return its moves."""
    squares = problem.find_squares(names)
    demand(len(squares) == problem.total, f"{len(squares)} of {problem.total} squares are visited")
    demand(not problem.closed or len(squares) > 2, "a closed tour of fewer than 3 squares")
    moves = [*pairwise(squares), *([(squares[-1], squares[0])] if problem.closed else [])]
    for name, (u, v) in zip(names, moves, strict=False):
        demand(v in problem.near[u], f"from {name!a} the tour makes no move, or a forbidden one")
    made = frozenset(order_pair(u, v) for u, v in moves)
    demand(made.issuperset(problem.require), "a required move is not made")
    for square, step in problem.given + problem.end_clues:
        demand(squares[step - 1] == square, f"{names[step - 1]!a} is not the square of step {step}")
    for move in made if problem.symmetry else ():
        u, v = (problem.board.carry(square, problem.symmetry) for square in move)
        there = None not in (u, v) and order_pair(u, v) in made
        demand(there, f"the tour is not symmetric under a {problem.symmetry}")
    return made


# 3. The frame


class Frame:
    """A graph such that every tour is a cycle through all of its vertices.

    `must` has the edges that must be used, in the order of their clauses. `ends` has the one or two
    vertices for the ends of an open tour. `edges` has the variable of each edge. Paths that are not
    tours (`partial`) may end on squares of any colours, so their frame has one end.
    """

    def __init__(self, problem: Problem, partial: bool = False) -> None:
        self.near: Graph = {v: set(problem.near[v]) for v in problem.squares}
        self.must = sorted(problem.require)
        self.ends: list[int] = []
        if not problem.closed:
            self.add_ends(problem, problem.alternates and not partial)
        edges = [(u, v) for u in self.near for v in sorted(self.near[u]) if u < v]
        self.edges = {edge: variable for variable, edge in enumerate(edges, start=1)}
        self.work, self.load = problem.work, 8 * (len(self.near) + 2 * len(self.edges))

    def add_ends(self, problem: Problem, coloured: bool) -> None:
        """Add one or two ends, and their edges."""
        squares, ends = problem.squares, problem.ends
        colours = {v: coloured and problem.board.colour(v) for v in squares}
        two = coloured and len(squares) % 2 == 0
        more = 2 * sum(colours.values()) > len(squares)  # the more frequent colour
        joined = [v for v in squares if (two or colours[v] == more) and len(ends) < 2]
        first = squares[-1] + 1
        self.ends = [first, first + 1] if two else [first]
        edges = [(v, first + two * colours[v]) for v in joined + ends]
        edges += [(first, first + 1)] if two else []
        self.must += edges[len(joined) :]
        self.near |= {end: set() for end in self.ends}
        join(self.near, edges)


# 4. Kinds without a search


def find_reached(start: Any, moves: Callable[[Any], Iterable[Any]]) -> dict[Any, int]:
    """Return everything that moves reach, with the least number of moves."""
    distance, queue = {start: 0}, [start]
    for u in queue:  # which grows in the loop
        for v in moves(u):
            if v not in distance:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def find_pieces(vertices: Iterable[int], near: Any, removed: set[int]) -> list[list[int]]:
    """Return the connected pieces of some vertices; a piece begins with its first vertex."""
    seen, pieces = set(removed), []
    for vertex in vertices:
        if vertex not in seen:
            pieces.append([*find_reached(vertex, lambda u: near[u] - removed)])
            seen.update(pieces[-1])
    return pieces


def check_size(problem: Problem, _: Json) -> bool:
    """A closed tour needs three squares."""
    return problem.closed and problem.total < 3


def check_colours(problem: Problem, _: Json) -> bool:
    """A tour changes colour with every move, so its ends determine the more frequent colour."""
    demand(problem.alternates, "the board does not alternate")
    board = problem.board
    sign = {v: 1 - 2 * board.colour(v) for v in (*board.missing, *problem.ends)}
    excess = board.rows * board.columns % 2 - sum(sign[v] for v in board.missing)  # D - L
    ends = [[sign[v]] for v in problem.ends] + [[1, -1], [1, -1]]
    sums = [0] if problem.closed else map(sum, product(*ends[:2]))
    return 2 * excess not in sums


def check_degrees(problem: Problem, evidence: Json) -> bool:
    """A square inside a tour needs two moves."""
    squares, ends = evidence["squares"], problem.ends
    degrees = [len(problem.near[square]) for square in squares]
    if problem.total == 1 or degrees == [0]:
        return problem.total > 1
    inside = problem.closed or not set(squares).intersection(ends)
    other_ends = 0 if problem.closed else 2 - len(ends)
    return inside and len(squares) > other_ends and max(degrees) < 2


def check_connectivity(problem: Problem, evidence: Json) -> bool:
    """A tour connects any two squares."""
    squares = evidence["squares"]
    demand(problem.squares and len(squares) == 2, "not two squares")
    return squares[1] not in find_reached(squares[0], problem.near.__getitem__)


def check_removal(problem: Problem, evidence: Json) -> bool:
    """A tour without k squares falls into about k parts, and each piece needs one."""
    removed, ends = set(evidence["squares"]), set(problem.ends)
    demand(0 < len(removed) < problem.total, "a set of no squares, or of all")
    demand(evidence["kind"] == "removal" or len(removed) == 1, "a cut of several squares")
    pieces = find_pieces(problem.squares, problem.near, removed)
    one_piece = len(ends) == 2 and any(ends.issubset(piece) for piece in pieces)
    more = 0 if problem.closed else 1 - len(ends & removed) - one_piece
    return len(pieces) > len(removed) + more


def check_clash(problem: Problem, evidence: Json) -> bool:
    """Two clues with no walk of the right length between them, or one that has too few squares."""
    total, allowed = len(problem.squares), problem.given + problem.end_clues
    clues = read_clues(problem, evidence["clues"], allowed)
    demand(len(clues) == 2 or (len(clues) == 1 and problem.version > 4), "not two clues")
    (one, step), (other, later) = clues[0], clues[-1]
    walks = find_reached((one, 0), lambda end: [(v, 1 - end[1]) for v in problem.near[end[0]]])
    if len(clues) == 1:
        reached = Counter(parity for _, parity in walks)
        steps = Counter((each - step) % 2 for each in range(1, total + 1))
        return reached[0] < steps[0] or reached[1] < steps[1]
    steps_between = abs(later - step)
    lengths = [steps_between, total - steps_between] if problem.closed else [steps_between]
    too_far = any(walks.get((other, each % 2), each + 1) > each for each in lengths)
    return one == other or step == later or too_far


def read_clues(problem: Problem, pairs: Any, allowed: list[Clue]) -> list[Clue]:
    """Return a list of different clues of the problem."""
    clues = problem.find_clues(pairs, "clues")
    demand(set(clues).issubset(allowed), "a pair of clues is not a clue of the problem")
    demand(all_differ(clues), "a clue stands twice")
    return clues


def check_symmetry(problem: Problem, evidence: Json) -> bool:
    """No tour is carried to itself by the motion of the board."""
    demand(problem.symmetry, "the problem has no symmetry")
    squares, ends, colour = evidence["squares"], problem.ends, problem.board.colour
    image = {v: problem.board.carry(v, problem.symmetry) for v in problem.squares}
    if None in image.values():
        return len(squares) == 1 and image[squares[0]] is None
    number, all_stay = len(squares), all(image[v] == v for v in squares)
    stay = [v for v in image if image[v] == v]
    turning = [v for v in image if v < image[v] in problem.near[v] and image[image[v]] == v]
    own_inverse = all(image[image[v]] == v for v in image)
    if len(stay) == problem.total:
        return False
    if not problem.closed and own_inverse:
        return (
            (all_stay and number == 2)
            or (all_stay and number == 1 and squares[0] in ends)
            or (number == 2 and set(squares) == set(ends) and image[ends[0]] != ends[1])
            or (number == 0 and not stay and not turning)
        )
    if not problem.closed:
        return number == 1 and image[image[squares[0]]] != squares[0]
    part, rest = divmod(problem.total, 2 if own_inverse else 4)
    changes = {colour(v) != colour(image[v]) for v in image}
    wrong_colours = problem.alternates and rest == 0 and changes == {part % 2 == 0}
    if not own_inverse:
        return (number == 1 and all_stay) or (number == 0 and wrong_colours)
    one_colour = len({colour(v) for v in stay}) == 1
    wrong_pair = problem.alternates and len(stay) == 2 and one_colour == part % 2
    not_reversed = len(stay) + len(turning) < 2 or wrong_pair
    return all_stay and (number > 2 or (not_reversed and (number > 0 or wrong_colours)))


# 5. Kinds about moves


class Known:
    """The state of the edges of a frame: `open` has all but the banned ones.

    Forced edges form paths. For a vertex at the end of a path, `far` has the other end. A vertex
    without a forced edge is a path of its own. A path has all vertices if only one edge is missing
    from the cycle. After a contradiction `wrong` is true, and the rest has no meaning.
    """

    def __init__(self, frame: Frame, sets: Iterable[set[int]] = ()) -> None:
        frame.work.spend(frame.load)
        self.frame, self.wrong, self.lacking = frame, False, len(frame.near)
        self.open = frame.near.copy()
        self.forced: Graph = {v: set() for v in frame.near}
        self.far = {v: v for v in frame.near}
        self.changed = list(frame.near)
        for u, v in frame.must:
            self.force(u, v)
        self.apply_plain_rules()
        for squares in sets:
            self.count(squares)

    def suppose(self, change: Callable[[Known, int, int], None], u: int, v: int) -> Known:
        """Return a copy in which an edge is forced or banned."""
        self.frame.work.spend(self.frame.load)
        twin = copy(self)
        twin.open, twin.forced, twin.far = self.open.copy(), self.forced.copy(), self.far.copy()
        change(twin, u, v)
        twin.apply_plain_rules()
        return twin

    def force(self, u: int, v: int) -> None:
        """Force an edge: two paths become one, and its ends must not be joined too early."""
        if v in self.forced[u]:
            return
        if v not in self.open[u] or len(self.forced[u]) > 1 or len(self.forced[v]) > 1:
            self.wrong = True
            return
        self.forced[u] = self.forced[u] | {v}
        self.forced[v] = self.forced[v] | {u}
        self.changed += (u, v)
        self.lacking -= 1
        one, other = self.far[u], self.far[v]
        if one != v:  # else a cycle through all vertices: the rules ban the last edge of others
            self.far[one], self.far[other] = other, one
            if self.lacking > 1 and other not in self.forced[one]:
                self.ban(one, other)

    def ban(self, u: int, v: int) -> None:
        """Ban an edge."""
        self.wrong |= v in self.forced[u]
        self.open[u] = self.open[u] - {v}
        self.open[v] = self.open[v] - {u}
        self.changed += (u, v)

    def apply_plain_rules(self) -> None:
        """Apply the plain rules until nothing changes."""
        while self.changed and not self.wrong:
            u = self.changed.pop()
            self.wrong |= len(self.open[u]) < 2
            if len(self.open[u]) == 2:
                for v in self.open[u]:
                    self.force(u, v)
            if len(self.forced[u]) == 2:
                for v in self.open[u] - self.forced[u]:
                    self.ban(u, v)

    def count(self, squares: Iterable[int]) -> None:
        """Count a set of squares, and apply the plain rules to what follows."""
        if self.wrong:
            return
        self.frame.work.spend(self.frame.load)
        ends, taken = self.frame.ends, set(squares)
        if sum(len(self.forced[end].difference(ends)) for end in ends) != 2:
            taken.update(ends)
        pieces = len(find_pieces(self.frame.near, self.open, taken))
        out = {v: self.open[v] - taken for v in taken}
        free = {v: 2 - len(self.forced[v] & taken) for v in taken}
        spare = sum(min(free[v], len(out[v])) for v in taken) - 2 * pieces
        self.wrong = spare < 0 if taken else pieces > 1
        for v in taken if spare == 0 else ():
            banned = (self.open[v] & taken) - self.forced[v] if free[v] <= len(out[v]) else ()
            for u in out[v] if len(out[v]) <= free[v] else ():
                self.force(v, u)
            for u in banned:
                self.ban(v, u)
        self.apply_plain_rules()


def check_tight(problem: Problem, evidence: Json) -> bool:
    """Sets that are counted one by one, up to a contradiction."""
    demand(evidence["sets"], "no sets")
    return Known(problem.frame, [*evidence["sets"], set()]).wrong


def check_forced(problem: Problem, evidence: Json) -> bool:
    """A tree of cases that all end in a contradiction."""
    return check_tree(problem, Known(problem.frame), evidence["tree"])


def check_tree(problem: Problem, known: Known, tree: Any) -> bool:
    """Return whether a tree leads to contradictions everywhere, from the state at its root."""
    while not known.wrong and "remove" in read(tree, dict, "a tree"):
        squares = problem.find_squares(tree["remove"])
        demand(len(squares) < problem.total, "a count of all squares")
        known.count(squares)
        tree = read(tree, {"remove": None} | ({} if known.wrong else {"then": None}), "a tree")
        tree = tree.get("then", {})
    if known.wrong or tree == {}:
        return known.wrong and tree == {}
    tree = read(tree, {"move": (problem.find, None), "used": None, "unused": None}, "a tree")
    u, other = tree["move"]
    found = known.open[u] & ({*problem.frame.ends} if other == "end" else {problem.find(other)})
    demand(found, "a case of an edge that is not open")
    cases = (("used", Known.force), ("unused", Known.ban))
    return all(
        check_tree(problem, known.suppose(change, u, min(found)), tree[key])
        for key, change in cases
    )


# Split

AT_LAST = ("degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation", "sweep")
"""Kinds of evidence for a rest; `unless` may be a split as well."""


def check_split(problem: Problem, evidence: Json) -> bool:
    """Make the problem smaller, step by step; each rest is a problem of its own."""
    frame, steps, then = problem.frame, read(evidence["steps"], list, "steps"), evidence["then"]
    ends = {f"end {i}": end for i, end in enumerate(frame.ends, start=1)}
    demand({None}.issuperset(map(problem.number, ends)), "a node is called end 1 or end 2")
    demand(steps, "a split of no steps")

    def number(name: str) -> int | None:
        return ends.get(name, problem.number(name))

    rest = Problem({}, number, problem.version, True, problem.work)
    rest = make_rest(rest, frame.near, frame.edges, frame.must)
    for step in steps:
        demand(rest, "steps go on after a contradiction")
        rest.work.spend(3 * rest.frame.load)
        rest = make_step(rest, step)
    if rest is None:
        return bool(then == {"kind": "forced", "tree": {}})
    check_evidence(rest, then, AT_LAST)
    return True


def make_rest(problem: Problem, nodes: Iterable[int], edges: Any, must: Any) -> Any:
    """Return a rest, or None if three required edges meet at a node: a contradiction."""
    near: Graph = {v: set() for v in nodes}
    join(near, edges)
    rest = replace(problem, near=near, require=[*must])
    return rest if most_at_one(must) < 3 else None


def make_step(rest: Problem, step: Any) -> Any:
    """Return the rest after a step, or None after a contradiction."""
    frame, edges, must = rest.frame, {*rest.frame.edges}, {*rest.require}
    if step == "plain":
        known = Known(frame)
        graphs = known.open, known.forced
        edges, must = ({(u, v) for u, v in edges if v in near[u]} for near in graphs)
        return None if known.wrong else make_rest(rest, frame.near, edges, must)
    if "keep" in read(step, dict, "a step"):
        (remaining,) = rest.find_sets([read(step, {"keep": None}, "a step")["keep"]])
        return keep_nodes(rest, remaining, edges, must)
    step = read(step, {"use": (rest.find, rest.find), "unless": None}, "a step")
    edge = order_pair(*step["use"])
    demand(edge in edges - must, "an edge that is required, or no edge")
    without = make_rest(rest, frame.near, edges - {edge}, must)
    check_evidence(without, step["unless"], (*AT_LAST, "split"))
    return make_rest(rest, frame.near, edges, must | {edge})


def keep_nodes(rest: Problem, remaining: set[int], edges: set[Edge], must: set[Edge]) -> Any:
    """Return the rest after the pieces between some kept nodes were replaced."""
    nodes = remaining.copy()
    left, needed = ({edge for edge in some if remaining.issuperset(edge)} for some in (edges, must))
    for piece in find_pieces(rest.squares, rest.near, remaining):
        out = [(end, v) for v in piece for end in rest.near[v] & remaining]
        ends = {end for end, _ in out}
        if len(ends) == 2:
            needed.add(order_pair(*ends))
            continue
        demand(len(ends) == len(out) == 3, "a piece is not joined to two nodes, or by three edges")
        nodes.add(piece[0])
        left |= {order_pair(end, piece[0]) for end in ends}
        needed |= {order_pair(end, piece[0]) for end, v in out if order_pair(end, v) in must}
    demand(len(nodes) > 2, "fewer than three nodes are left")
    return make_rest(rest, sorted(nodes), left | needed, needed)


# Sweep

FULL = -1
"""Marks a vertex with two edges in a state."""


def check_sweep(problem: Problem, evidence: Json) -> bool:
    """Take the vertices in an order; no state may become a cycle through all vertices.

    For each vertex that is not taken, a state has nothing if the vertex has no edge, the other end
    of its path if it has one edge, and FULL if it has two.
    """
    frame, must, order = problem.frame, {*problem.frame.must}, evidence["order"]
    demand(len(order) == problem.total, "the order lacks a square")
    left = {*frame.near}
    states: set[frozenset[Edge]] = {frozenset()}
    for v in [*order, *frame.ends]:
        left.remove(v)
        later = frame.near[v] & left
        needed = {u for u in later if order_pair(u, v) in must}
        old, states = states, set()
        for state in old:
            before = dict(state)
            lacking = 2 if v not in before else int(before[v] != FULL)
            candidates = [u for u in later if before.get(u) != FULL]
            for chosen in combinations(candidates, lacking):
                frame.work.spend(40 * len(before) + 40)
                ends, is_cycle = before.copy(), False
                for u in chosen:
                    one, other = ends.get(v, v), ends.get(u, u)
                    is_cycle = one == u
                    ends[v] = ends[u] = FULL
                    ends |= {} if is_cycle else {one: other, other: one}
                ends.pop(v)
                if is_cycle and left == {u for u in ends if ends[u] == FULL}:
                    whole = needed.issubset(chosen) and not any(map(left.issuperset, must))
                    demand(not whole, "there is a cycle through all vertices")
                elif needed.issubset(chosen) and not is_cycle:
                    states.add(frozenset(ends.items()))
    return True


# 6. Refutation and list


class Formula:
    """Clauses in their order; `top` is the last variable."""

    def __init__(self, top: int) -> None:
        self.top, self.literals = top, 0
        self.clauses: list[tuple[int, ...]] = []

    def add(self, *clauses: Iterable[int]) -> None:
        """Add clauses."""
        for clause in map(tuple, clauses):
            self.literals += len(clause) + 1
            demand(self.literals <= MOST_LITERALS, f"too large: more than {MOST_LITERALS} literals")
            self.clauses.append(clause)

    def make_variable(self) -> int:
        """Return the next variable."""
        self.top += 1
        return self.top

    def add_exactly_one(self, x: list[int]) -> None:
        """Add the clauses for exactly one of some variables."""
        self.add(x)
        if len(x) < 10:
            self.add(*([-one, -other] for one, other in combinations(x, 2)))
            return
        s = [self.make_variable() for _ in x[1:]]
        self.add([-x[0], s[0]])
        for i in range(1, len(s)):
            self.add([-x[i], s[i]], [-s[i - 1], s[i]], [-x[i], -s[i - 1]])
        self.add([-x[-1], -s[-1]])

    def add_exactly_two(self, x: list[int]) -> None:
        """Add the clauses for exactly two of some variables."""
        if len(x) < 2:
            self.add([])
        elif len(x) < 10:
            self.add(*combinations(x, len(x) - 1))
            self.add(*([-one, -two, -three] for one, two, three in combinations(x, 3)))
        else:
            s, t = ([self.make_variable() for _ in x] for _ in range(2))
            self.add([-s[0], x[0]], [s[0], -x[0]], [-t[0]])
            for i in range(1, len(x)):
                self.add([s[i], -x[i]], [s[i], -s[i - 1]], [-s[i], x[i], s[i - 1]])
                self.add([t[i], -x[i], -s[i - 1]], [t[i], -t[i - 1]], [-t[i], x[i], t[i - 1]])
                self.add([-t[i], s[i - 1]], [-x[i], -t[i - 1]])
            self.add([t[-1]])

    def write(self) -> str:
        """Return the formula in DIMACS."""
        lines = [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join((f"p cnf {self.top} {len(lines)}", *lines, ""))


def add_steps(formula: Formula, problem: Problem, clues: list[Clue]) -> None:
    """Add the clauses of steps; `visits` has the variables of a square, by step."""
    total, closed, near = problem.total, problem.closed, problem.near
    windows = find_windows(problem, clues)
    visits: dict[int, dict[int, int]] = {v: {} for v in problem.squares}
    order = [(v, t) for t in range(1, total + 1) for v in sorted(windows[t])]
    for v, t in order:
        visits[v][t] = formula.make_variable()
    for t in range(1, total + 1):
        formula.add_exactly_one([visits[v][t] for v in sorted(windows[t])])
    for v in visits:
        formula.add_exactly_one([*visits[v].values()])

    def at(v: int, t: int) -> list[int]:
        """Return the variable as a list, which is empty if there is none."""
        step = (t - 1) % total + 1 if closed else t
        return [visits[v][step]] if step in visits[v] else []

    for v, t in order:
        for after in (t + 1, t - 1):
            if closed or 1 <= after <= total:
                formula.add([-visits[v][t], *(x for u in sorted(near[v]) for x in at(u, after))])
    for (u, v), e in problem.frame.edges.items():
        if v in visits:
            for one, other in ((u, v), (v, u)):
                for t, x in visits[one].items():
                    formula.add(*([-x, -y, e] for y in at(other, t + 1)))
                    formula.add([-e, -x, *at(other, t + 1), *at(other, t - 1)])
        elif u in visits:
            both = at(u, 1) + at(u, total)
            formula.add(*([-x, e] for x in both), [-e, *both])


def find_windows(problem: Problem, clues: list[Clue]) -> list[set[int]]:
    """Return the window of each step; the entry of step 0 is not used."""
    total, closed = problem.total, problem.closed
    counting = {*clues} if closed else {*clues, *problem.end_clues}
    at_square, at_step = (Counter(each) for each in zip(*counting, strict=True))
    fitting = {
        step: {square} if at_square[square] == at_step[step] == 1 else set()
        for square, step in counting
    }
    free = set(problem.squares) - set(at_square)
    bounds = sorted({*at_step} if closed else {*at_step, 1, total})
    if closed:
        bounds.append(bounds[0] + total)
    windows = [set(problem.squares)] * (total + 1)
    for first, last in pairwise(bounds):
        steps = [(step - 1) % total + 1 for step in range(first, last + 1)]
        fits = [fitting.get(step, free) for step in steps]
        for _ in range(2):  # there, and back
            for i in range(1, len(fits)):
                problem.work.spend(100 + 100 * len(fits[i - 1]))
                fits[i] = fits[i] & set().union(*(problem.near[v] for v in fits[i - 1]))
            fits.reverse()
        for step, window in zip(steps, fits, strict=True):
            windows[step] = windows[step] & window
    return windows


def add_taking_out(formula: Formula, frame: Frame, order: list[int]) -> None:
    """Add the clauses of taking out; `follows` has the variables a(u, v)."""
    near = {v: set(each) for v, each in frame.near.items()}
    follows: dict[Edge, int] = {}

    def add_one_in_one_out(v: int) -> None:
        after = [follows[v, u] for u in sorted(near[v])]
        before = [follows[u, v] for u in sorted(near[v])]
        formula.add_exactly_one(after)
        formula.add_exactly_one(before)
        formula.add(*([-one, -other] for one, other in zip(after, before, strict=True)))

    for (u, v), e in frame.edges.items():
        one, other = formula.make_variable(), formula.make_variable()
        follows[u, v], follows[v, u] = one, other
        formula.add([-one, e], [-other, e], [-e, one, other])
    first = order[0]
    for u in sorted(near[first]):
        smaller = [follows[first, w] for w in sorted(near[first]) if w < u]
        formula.add([*smaller, -follows[u, first]])
    for v in near:
        add_one_in_one_out(v)
    changed: set[int] = set()
    for v in order:
        if v in changed:
            add_one_in_one_out(v)
        for u, w in permutations(sorted(near[v]), 2):
            x = formula.make_variable()
            formula.add([-follows[u, v], -follows[v, w], x])
            if w in near[u]:
                formula.add([-follows[u, w], x])
            follows[u, w] = x
        for u in near[v]:
            near[u] = (near[u] | near[v]) - {u, v}
        changed |= near[v]
    for v in sorted(changed.difference(order)):
        add_one_in_one_out(v)


def add_symmetry(formula: Formula, problem: Problem) -> None:
    """Add the clauses that use the image of each used move."""
    edges: dict[Any, int] = problem.frame.edges
    image = {v: problem.board.carry(v, problem.symmetry) for v in problem.squares}
    for (u, v), e in edges.items():
        if v in image:
            ends = {image[u], image[v]}
            other = None if None in ends else edges.get(order_pair(*ends))
            if other != e:
                formula.add([-e, other] if other else [-e])


def unpack_proof(proof: Any) -> str:
    """Return the text of a proof: its lines, each ended by a line feed."""
    if isinstance(proof, list):
        lines = read(proof, [str], "the proof")
        demand(not any("\n" in line for line in lines), "a line of the proof is two lines")
        return "".join(f"{line}\n" for line in lines)
    packed = base64.b64decode(read(proof, str, "the proof"), validate=True)
    stream = zlib.decompressobj()
    text = stream.decompress(packed, MOST_TEXT + 1).decode("ascii")
    demand(len(text) <= MOST_TEXT, f"too large: the proof has more than {MOST_TEXT} characters")
    demand(stream.eof and not stream.unused_data, "the packed proof is cut short, or goes on")
    demand(text == "" or text.endswith("\n"), "the last line of the proof is not ended")
    return text


def check_proof(formula: Formula, text: str, work: Work) -> None:
    """Check that each line follows, and that the last one is the empty clause."""
    clauses = [(), *formula.clauses]  # the formula's first clause has number 1
    lemma = None
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        lemma, hints = read_line(line, formula.top, len(clauses))
        work.spend(sum([len(clauses[hint]) + 5 for hint in hints]))
        follows = propagate(lemma, [clauses[hint] for hint in hints])
        demand(follows, f"line {number} of the proof does not follow")
        clauses.append(lemma)
    demand(lemma == (), "the last line of the proof is not the empty clause")


def read_line(line: str, top: int, number: int) -> tuple[tuple[int, ...], list[int]]:
    """Return the lemma of a line, and the numbers of the clauses from which it follows."""
    demand(re.fullmatch("[-0-9 ]*", line), "the proof has other characters than numbers and blanks")
    numbers = [int(word) for word in line.split()]
    zero = [*numbers, 0].index(0)
    lemma, hints = numbers[:zero], numbers[zero + 1 : -1]
    demand(hints and numbers[-1] == 0, "a line of the proof has no clauses, ended by 0")
    earlier = min(hints) > 0 and max(hints) < number
    demand(earlier, "a line of the proof names a clause that is no earlier one")
    demand(all(abs(literal) <= top for literal in lemma), "a lemma has a literal without variable")
    return tuple(lemma), hints


def propagate(lemma: tuple[int, ...], clauses: list[tuple[int, ...]]) -> bool:
    """Return whether a lemma follows: if its literals are false, so is the last of the clauses."""
    false = set(lemma)
    if any(-literal in false for literal in lemma):
        return False
    for clause in clauses[:-1]:
        left = [literal for literal in clause if literal not in false]
        if len(left) != 1 or -left[0] in false:
            return False
        false.add(-left[0])
    return false.issuperset(clauses[-1])


def make_formula(problem: Problem, evidence: Json, tours: list[Any]) -> Formula:
    """Return the formula that a refutation or a list refutes."""
    frame = problem.frame
    variable, formula = frame.edges, Formula(len(frame.edges))
    for u, near in frame.near.items():
        formula.add_exactly_two([variable[order_pair(u, v)] for v in sorted(near)])
    formula.add(*([variable[edge]] for edge in frame.must))
    if evidence["tight"]:
        known = Known(frame, evidence["tight"])
        demand(not known.wrong, "the tight sets contradict by themselves")
        for (u, v), e in variable.items():
            if v in known.forced[u] or v not in known.open[u]:
                formula.add([e if v in known.forced[u] else -e])
    allowed = problem.given + (problem.end_clues if problem.closed else [])
    clues = read_clues(problem, evidence.get("clues", []), allowed)
    if clues:
        add_steps(formula, problem, clues)
    order = evidence.get("order", [])
    demand(len(order) + 3 <= len(frame.near), "fewer than three vertices are not taken out")
    if order:
        add_taking_out(formula, frame, order)
    if problem.symmetry:
        add_symmetry(formula, problem)
    for tour in tours:
        formula.add(sorted((-variable[move] for move in tour), reverse=True))
    for cut in evidence["cuts"]:
        out = [order_pair(u, v) for u in cut for v in frame.near[u] - cut]
        formula.add(sorted(variable[edge] for edge in out))
    return formula


def check_refutation(problem: Problem, evidence: Json) -> bool:
    """The tours of a list, if it is one, are tours; without them the formula has no model."""
    tours = []
    if evidence["kind"] == "list":
        tours = [check_tour(problem, names) for names in read(evidence["tours"], list, "tours")]
        demand(tours, "a list of no tours")
        demand(all_differ(tours), "two tours of the list have the same moves")
    formula, proof = make_formula(problem, evidence, tours), unpack_proof(evidence["proof"])
    digests = read(evidence["digests"], {"formula": str, "proof": str}, "digests")
    for name, text in (("formula", formula.write()), ("proof", proof)):
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        demand(digests[name] == digest, f"the digest of the {name} does not fit")
    check_proof(formula, proof, problem.work)
    return True


# 7. Bound

ANGLES: dict[str, Callable[[int, int], bool]] = {
    "turns": lambda cross, dot: bool(cross) or dot > 0,
    "straight": lambda cross, dot: not cross and dot < 0,
    "right-angles": lambda _, dot: not dot,
    "acute-angles": lambda _, dot: dot > 0,
    "obtuse-angles": lambda cross, dot: bool(cross) and dot < 0,
}
"""Whether a square counts, by the cross and the dot product of the steps to its two neighbours."""
MEASURED = {f"{most}-{name}" for most in ("fewest", "most") for name in (*ANGLES, "steep")}
MEASURED |= {"most-direction"}
OBJECTIVES = {*MEASURED, "longest", "path-cover", "least-weight"}
NUMBER = range(-(10**15), 10**15 + 1)
WEIGHTS: Json = {"denominator": range(1, 10**15 + 1), "values": [NUMBER]}
LEAF: Json = {"scale": range(10**15 + 1), "potentials": [NUMBER], "cuts": list}
CUT: Json = {"weight": range(1, 10**15 + 1), "squares": None}

Cost = Callable[..., int]
"""The cost of a vertex, by itself and its neighbours in the cycle; less is better."""


def list_costs(frame: Frame, problem: Problem, objective: str, weights: list[int]) -> list[Cost]:
    """Return the sums; the least of them gives the value of a tour."""
    first = min(frame.ends, default=problem.squares[-1] + 1)
    sense, _, name = objective.partition("-")
    sign, board = -1 if sense == "most" else 1, problem.board

    def step(v: int, u: int) -> Edge:
        (row, column), (up, right) = divmod(v, board.columns), divmod(u, board.columns)
        return up - row, right - column

    def angle(v: int, u: int, w: int) -> int:
        if max(v, u, w) >= first:
            return 0
        (a, b), (c, d) = step(v, u), step(v, w)
        return sign * ANGLES[name](a * d - b * c, a * c + b * d)

    def count(test: Callable[[int, int], bool]) -> Cost:
        return lambda v, *near: sign * sum(test(*step(v, u)) for u in near if v < u < first)

    def parallel(a: int, b: int) -> Callable[[int, int], bool]:
        return lambda up, right: up * b == right * a

    if objective == "longest":
        return [lambda _, *near: not near]
    if objective == "path-cover":
        return [lambda _, *near: sum(u >= first for u in near)]
    if objective == "least-weight":
        inner = [edge for edge in frame.edges if edge[1] < first]
        demand(len(inner) == len(weights), "not one weight for each edge")
        weight = dict(zip(inner, weights, strict=True))
        return [lambda v, *near: sum(weight.get((v, u), 0) for u in near)]
    if name == "direction":
        lines = {(a // gcd(a, b), b // gcd(a, b)) for a, b in board.leaps if (a, b) > (0, 0)}
        return [count(parallel(*line)) for line in sorted(lines)]
    return [count(lambda up, right: abs(up) > abs(right)) if name == "steep" else angle]


def check_bound(problem: Problem, evidence: Json) -> bool:
    """No tour is better than the bound; a given tour attains it."""
    board, objective = problem.board, read(evidence["objective"], OBJECTIVES, "objective")
    plane = board is not None and not board.wide
    demand(plane or objective not in MEASURED, "the board is not on the plane")
    skips, covers = objective == "longest", objective == "path-cover"
    demand(not covers or not (problem.closed or problem.ends), "a cover has paths with any ends")
    for key, of in (("weights", "least-weight"), ("paths", "path-cover")):
        demand(key not in evidence or objective == of, f"{key} play no part")
    demand("tour" not in evidence or not covers, "a tour plays no part")
    frame = Frame(problem, partial=True) if skips or covers else problem.frame
    values = range(skips and not problem.closed, len(frame.near) + 1)
    weights = []
    if objective == "least-weight":
        values, weights = NUMBER, read(evidence.get("weights"), WEIGHTS, "weights")["values"]
    value = read(evidence["bound"], values, "bound")
    costs = list_costs(frame, problem, objective, weights)
    trees = read(evidence["trees"], list, "trees")
    demand(len(trees) == len(costs), f"not {len(costs)} trees")
    sign = -1 if objective.startswith("most") else 1
    target = len(problem.squares) - value if skips else 2 * value - 1 if covers else sign * value
    for cost, tree in zip(costs, trees, strict=True):
        check_cases(problem, frame, objective, tree, cost, target)
    example = evidence.get("paths" if covers else "tour")
    if example is not None:
        found = measure(problem, frame, objective, costs, example)
        demand(found == value, f"the tour has {found}, and the bound is {value}")
    return True


def check_potentials(problem: Problem, evidence: Json) -> bool:
    """No tour: in each case the sum of minima is above 0, but the sum of a tour is 0."""
    check_cases(problem, problem.frame, "", evidence["tree"], lambda *_: 0, 1)
    return True


def check_cases(
    problem: Problem, frame: Frame, objective: str, tree: Any, cost: Cost, target: int
) -> None:
    """Check that the costs of each case of a tree are at least the target."""
    skips, covers = objective == "longest", objective == "path-cover"
    visited = frozenset(square for square, _ in problem.end_clues)
    waiting = [(tree, frozenset(frame.must), frozenset[Edge](), visited, frozenset[int]())]
    while waiting:
        tree, used, unused, visited, skipped = waiting.pop()
        if "move" in read(tree, dict, "a tree"):
            node = read(tree, {"move": (str, str), "used": dict, "unused": dict}, "a tree")
            edge = find_edge(problem, frame, *node["move"])
            waiting += [(node["used"], used | {edge}, unused, visited, skipped)]
            waiting += [(node["unused"], used, unused | {edge}, visited, skipped)]
            continue
        if skips and "square" in tree:
            node = read(tree, {"square": str, "visited": dict, "skipped": dict}, "a tree")
            square = problem.find(node["square"])
            waiting += [(node["visited"], used, unused, visited | {square}, skipped)]
            waiting += [(node["skipped"], used, unused, visited, skipped | {square})]
            continue
        gone = unused | {edge for edge in frame.edges if not skipped.isdisjoint(edge)}
        options = {v: list_options(frame, v, used, gone, covers) for v in frame.near}
        for v in frame.ends if covers else []:
            del options[v]
        for v in problem.squares if skips else []:
            if v not in visited and all(v not in edge for edge in used):
                options[v].append(())
        if not tree:
            demand(not all(options.values()), "a case without numbers is not empty")
            continue
        leaf = read(tree, LEAF, "a leaf")
        least = sum_of_minima(problem, frame, leaf, options, cost, objective)
        enough = least is None or least > leaf["scale"] * (target - 1)
        demand(enough, "a case shows less than that")


def measure(problem: Problem, frame: Frame, objective: str, costs: list[Cost], example: Any) -> int:
    """Check a tour or paths, and return the value."""
    if objective not in ("longest", "path-cover"):
        check_tour(problem, example)
        cycle = problem.find_squares(example) + frame.ends[:1]
        near = zip(cycle, cycle[-1:] + cycle[:-1], cycle[1:] + cycle[:1], strict=True)
        around = [each for each in near if each[0] not in frame.ends]
        least = min(sum(cost(*each) for each in around) for cost in costs)
        return -least if objective.startswith("most") else least
    demand(not problem.given and not problem.symmetry, "steps and symmetries are for tours")
    lists = [example] if objective == "longest" else read(example, list, "paths")
    paths = [problem.find_squares(names) for names in lists]
    squares = [square for path in paths for square in path]
    demand(all(paths) and all_differ(squares), "the paths have a square twice, or none")
    demand(not problem.closed or len(squares) > 2, "a cycle of fewer than 3 squares")
    moves = {order_pair(*move) for path in paths for move in pairwise(path)}
    if problem.closed:
        moves.add(order_pair(squares[-1], squares[0]))
    demand(all(v in problem.near[u] for u, v in moves), "no move, or a forbidden one")
    demand(moves.issuperset(problem.require), "a required move is not made")
    if objective == "path-cover":
        demand(len(squares) == problem.total, "the paths do not visit all squares")
        return len(paths)
    for square, step in problem.end_clues:
        demand(squares[0 if step == 1 else -1] == square, "a given end is not at its end")
    return len(squares)


def find_edge(problem: Problem, frame: Frame, one: str, other: str) -> Edge:
    """Return the edge of the frame with these ends."""
    u, near = problem.find(one), frame.near
    ends = [v for v in frame.ends if v in near[u]]
    v = ends[0] if other == "end" and ends else problem.find(other)
    demand(v in near[u], f"{one!a} and {other!a} are not joined")
    return order_pair(u, v)


def list_options(
    frame: Frame, v: int, used: frozenset[Edge], unused: frozenset[Edge], twice: bool
) -> list[tuple[int, ...]]:
    """Return the possible pairs of neighbours of a vertex; an end counts twice for covers."""
    free = [u for u in sorted(frame.near[v]) if order_pair(u, v) not in unused]
    must = {u for u in frame.near[v] if order_pair(u, v) in used}
    frame.work.spend(len(free) ** 2)
    pairs = [*combinations(free, 2), *((u, u) for u in free if twice and u in frame.ends)]
    return [pair for pair in pairs if must.issubset(pair)]


def sum_of_minima(
    problem: Problem,
    frame: Frame,
    leaf: Json,
    options: dict[int, list[tuple[int, ...]]],
    cost: Cost,
    objective: str,
) -> int | None:
    """Return a bound of the costs of a case, times the scale, or None if it has no cycle."""
    demand(len(leaf["potentials"]) == len(frame.edges), "not one potential for each edge")
    potential = {}
    for (u, v), number in zip(frame.edges, leaf["potentials"], strict=True):
        potential[u, v], potential[v, u] = number, -number
    total, skipping = 0, dict.fromkeys(frame.near, 0)
    sides = ["inside", "outside"] if problem.closed else ["inside"]
    shape = {**CUT, **dict.fromkeys(sides if objective == "longest" else [], problem.find)}
    for each in leaf["cuts"]:
        cut = read(each, shape, "a cut")
        inside = {*problem.find_squares(cut["squares"])}
        demand(0 < len(inside) < len(frame.near), "a cut of no squares, or of all")
        frame.work.spend(frame.load)
        total += 2 * cut["weight"]
        for side in sides if objective == "longest" else []:
            demand((cut[side] in inside) == (side == "inside"), "a square on the wrong side")
            skipping[cut[side]] += 2 * cut["weight"]
        for u, v in frame.edges:
            potential[v, u] -= cut["weight"] * ((u in inside) != (v in inside))
    if not all(options.values()):
        return None
    for v, choices in options.items():
        sums = []
        for near in choices:
            number = leaf["scale"] * cost(v, *near) - (0 if near else skipping[v])
            for u in near:
                number += potential[v, u]
                if objective == "path-cover" and u in frame.ends:
                    number += potential[u, v]
            sums.append(number)
        total += min(sums)
    return total


# 8. The whole file, and the command

KINDS: dict[str, tuple[int, str, Callable[[Problem, Json], bool]]] = {
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
    "potentials": (7, "tree", check_potentials),
    "sweep": (6, "order", check_sweep),
    "refutation": (1, "tight cuts proof digests", check_refutation),
    "list": (4, "tight cuts proof digests tours", check_refutation),
    "bound": (7, "objective bound trees weights? tour? paths?", check_bound),
}
"""For each kind: the first version that has it, its keys, and its rule."""


def check_evidence(problem: Problem, evidence: Any, kinds: Collection[str]) -> None:
    """Check evidence of one of some kinds."""
    kind = read(read(evidence, dict, "the evidence").get("kind"), {*kinds}, "the kind of evidence")
    first, words, rule = KINDS[kind]
    demand(problem.version >= first, f"{kind} is evidence from version {first} on")
    keys = ["kind", *words.split()]
    if rule is check_refutation:
        keys += ["clues"] if problem.given else []
        keys += ["order?"] if problem.version > 4 else []
    parts = read(evidence, dict.fromkeys(keys), f"the evidence ({kind})")
    for key in parts:
        if key in ("squares", "order"):
            parts[key] = problem.find_squares(parts[key])
        if key in ("sets", "tight", "cuts"):
            parts[key] = problem.find_sets(parts[key])
    demand(rule(problem, parts), f"the evidence ({kind}) leaves room for a tour")


CERTIFICATE: Json = {"format": {"kt_cp certificate"}, "schema_version": range(1, LATEST + 1)}
CERTIFICATE |= {"problem": None, "evidence": dict}
CERTIFICATE |= {"argument?": str, "made_by?": dict, "digest?": str}


def check_certificate(raw: dict[str, Any], tours: Any) -> str:
    """Check a certificate, and return its claim."""
    document = read(raw, CERTIFICATE, "the certificate")
    for texts in document.get("made_by", {}).items():
        printable = all(isinstance(text, str) and text.isprintable() for text in texts)
        demand(printable, "a version in made_by is not a printable text")
    digest = document.pop("digest", None)
    demand(digest in (None, digest_of(document)), "the digest of the file does not fit")
    problem = read_problem(document["problem"], document["schema_version"])
    demand(problem.total + problem.closed > 1, "a single square is an open tour")
    evidence, proved = document["evidence"], "no tour"
    if isinstance(evidence.get("tours"), dict):
        evidence = {**evidence, "tours": read_tours(evidence["tours"], tours)}
    else:
        demand(tours is None, "a file of tours belongs to a list whose tours stand elsewhere")
    if evidence.get("kind") == "undirected":
        demand(document["schema_version"] > 6, "undirected is evidence from version 7 on")
        problem = read_two_way(document["problem"])
        then = read(evidence, {"kind": str, "then": dict}, "the evidence")["then"]
        check_evidence(problem, then, KINDS.keys() - {"list", "bound"})
    else:
        check_evidence(problem, evidence, KINDS)
    if evidence["kind"] == "list":
        number = len(evidence["tours"])
        proved = f"all {number} tours" if number > 1 else "the only tour"
    if evidence["kind"] == "bound":
        proved = f"no tour is better than {evidence['bound']} for {evidence['objective']}"
        proved += ", and one attains it" if "tour" in evidence or "paths" in evidence else ""
    return f"{describe(document['problem'])}: {proved} ({evidence['kind']})"


def read_two_way(directed: dict[str, Any]) -> Problem:
    """Return the undirected problem of a digraph whose arcs all have their reverse."""
    arcs = {(u, v) for u, v in directed.get("edges", ())}
    demand(directed.get("directed") is True, "the problem is not directed")
    demand(all((v, u) in arcs for u, v in arcs), "an arc has no reverse")
    demand(not directed["require"] and not directed["forbid"], "an arc is required or forbidden")
    demand(len(directed["nodes"]) > 2, "two nodes have a closed directed tour")
    edges = [[u, v] for u, v in directed["edges"] if u < v]
    return read_problem({**directed, "directed": False, "edges": edges}, LATEST)


def read_tours(reference: Any, tours: Any) -> list[Any]:
    """Return the tours of a separate file."""
    demand(tours is not None, "the tours stand in another file, which is not here")
    tours = read(tours, {"format": {"kt_cp tours"}, "tours": list}, "the file of tours")
    reference = read(reference, {"number": int, "digest": str}, "tours")
    demand(reference["number"] == len(tours["tours"]), "there is another number of tours")
    demand(reference["digest"] == digest_of(tours), "the digest of the tours does not fit")
    return list(tours["tours"])


def draw_tour(document: dict[str, Any], names: Any) -> Any:
    """Return a tour as one of the undirected problem, if the problem is directed."""
    if not document["problem"].get("directed"):
        return names
    nodes = read(names, [str], "tour")
    drawn = [f"{word} {v}" for v in nodes for word in ("in", "at", "out")]
    return drawn if document["problem"]["closed"] else ["source", *drawn, "target"]


def check_outcome(document: dict[str, Any]) -> str:
    """Check the tour of an outcome, and return what it is."""
    demand("problem" in document, "the outcome lacks the key 'problem'")
    problem, names = read_problem(document["problem"], LATEST), document.get("tour")
    verdict = read(document["verdict"], str, "verdict")
    demand(verdict == "FOUND", f"an outcome {verdict!a} proves nothing; a certificate would")
    check_tour(problem, draw_tour(document, names))
    return f"{describe(document['problem'])}: a tour"


def check_optimum(document: dict[str, Any]) -> str:
    """Check the certificate of an optimum, and that its tour or paths have the value beside it."""
    certificate = read(document["certificate"], dict, "the certificate of the optimum")
    claim, evidence = check_certificate(certificate, None), certificate["evidence"]
    demand(document["problem"] == certificate["problem"], "its certificate is of another problem")
    if evidence["kind"] != "bound":
        demand(document.get("tour") is None, "it has a tour, and a proof that there is none")
        return claim
    problem = read_problem(document["problem"], LATEST)
    objective, weights = evidence["objective"], evidence.get("weights", {})
    partial = objective in ("longest", "path-cover")
    frame = Frame(problem, partial=True) if partial else problem.frame
    costs = list_costs(frame, problem, objective, weights.get("values", []))
    example = draw_tour(document, document.get("paths" if objective == "path-cover" else "tour"))
    found, unit = measure(problem, frame, objective, costs, example), weights.get("denominator", 1)
    stated = {"objective": objective, "bound": evidence["bound"] / unit, "value": found / unit}
    for key, value in stated.items():
        demand(document.get(key) == value, f"its {key} is not {value}")
    return f"{claim}; its value is {document['value']}"


def verify(document: Any, tours: Any = None) -> str:
    """Check a certificate or an outcome with a tour.

    Parameters
    ----------
    document : str, bytes or dict
        The text of the file, or the result of `json.load` (which drops repeated keys).
    tours : str, bytes or dict, optional
        The second file, likewise, if it has the tours of a ``list``.

    Returns
    -------
    str
        The problem and the proved claim, in one line.

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
    kt_cp.verify.Invalid: the evidence (colours) leaves room for a tour
    """
    try:
        document, tours = read_json(document), read_json(tours)
        demand(isinstance(document, dict), "the file is not a JSON object")
        if "verdict" in document:
            demand(tours is None, "a file of tours belongs to a certificate")
            is_optimum = isinstance(document.get("certificate"), dict) and "objective" in document
            return check_optimum(document) if is_optimum else check_outcome(document)
        demand("format" in document, "neither a certificate nor an outcome")
        return check_certificate(document, tours)
    except (ValueError, zlib.error) as error:
        raise Invalid(f"not JSON in UTF-8, or a proof that cannot be unpacked: {error}") from None
    except (RecursionError, MemoryError):
        raise Invalid("too large: nested too deep, or more than the memory holds") from None


USAGE = "usage: python verify.py FILE [TOURS]"
HELP = """
Check a certificate, an optimum (kt-cp optimize --json) or the tour of an outcome (kt-cp solve
--json), and print one line.

  FILE   the certificate or the outcome
  TOURS  the second file of a list of tours, if they stand beside the certificate

Exits with 0 if the file is valid, 1 if it is not, 2 if it cannot be read. The argument of a
certificate is a sentence for readers: it is not compared with the evidence, which is checked.
"""


def main(arguments: list[str]) -> int:
    """Check the named files, print one line, and return the exit code."""
    if arguments in (["-h"], ["--help"]):
        print(USAGE, HELP, sep="\n", end="")
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
