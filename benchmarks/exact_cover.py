"""Exact covers as Hamiltonian cycles: puzzles, each with a planted solution.

Given sets of items, do some of them contain every item exactly once?  Most puzzles are such a
question, so they share one reduction (C. H. Papadimitriou and K. Steiglitz, Combinatorial
Optimization (1982), section 15.6).  It is a ring of links, one for each set and one for each item.
A cycle passes a set's link along one of two lines, *taken* or *left*, and an item's link along one
line for each set that contains it.  An *exclusive or* connects the line *left* of a set to its line
in an item's link.  It has twelve nodes, and the four in the middle have degree two.  A cycle visits
all twelve from one side or from the other, so it uses exactly one of the two lines.  A cover with N
incidences has 12 · N nodes and one for each link.

The Challenge Set has reductions of Instant Insanity, N-queens, dominating sets, and *Unium*, whose
rules are not published; Sudokus replace it here.  Its reductions differ, but are of the same kind:
nearly all nodes have degree two or three.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from itertools import product

from benchmarks.planted import Edge, Planted, plant

WIDTH = 4
"""Nodes on either side of an exclusive or: with fewer, a cycle could cross to the other side."""


def exact_cover(sets: Sequence[Collection[Hashable]], chosen: Collection[int]) -> Planted:
    """Return the graph of these sets, and the cycle of chosen ones that contain every item once.

    Examples
    --------
    >>> from benchmarks.planted import is_cycle
    >>> made = exact_cover([{1, 2}, {3}, {2, 3}], {0, 1})
    >>> len(made.graph), is_cycle(*made)
    (66, True)
    """
    by: dict[Hashable, list[int]] = {}
    for number, items in enumerate(sets):
        for item in sorted(items, key=repr):
            by.setdefault(item, []).append(number)
    covered = [item for number in chosen for item in sets[number]]
    if sorted(map(repr, covered)) != sorted(map(repr, by)):
        raise ValueError("expected every item exactly once in the chosen sets")
    edges: list[Edge] = []
    for item, holding in by.items():
        for number in holding:
            edges += _exclusive_or((number, item))
    cycle: list[Hashable] = []
    links = [*range(len(sets)), *by]
    keys = [("link", place) for place in range(len(links))]
    taken = set(chosen)
    for place, link in enumerate(links):
        ends = keys[place], keys[(place + 1) % len(keys)]
        cycle.append(ends[0])
        if place < len(sets):
            edges.append(ends)
            corners = [(link, item) for item in sorted(sets[place], key=repr)]
            edges += _line(ends, corners, "left")
            if place not in taken:
                cycle += _passed(corners, "left", "used")
            continue
        for number in by[link]:
            edges += _line(ends, [(number, link)], "used")
            if number in taken:
                cycle += _passed([(number, link)], "used", "left")
    return plant(edges, cycle)


def _exclusive_or(corner: Hashable) -> list[Edge]:
    edges: list[Edge] = []
    for place in range(WIDTH):
        middle = (corner, "middle", place)
        for side in ("left", "used"):
            edges.append(((corner, side, place), middle))
            if place:
                edges.append(((corner, side, place - 1), (corner, side, place)))
    return edges


def _line(ends: Edge, corners: Sequence[Hashable], side: str) -> list[Edge]:
    """Return a line from one link to the next, along one side of each corner."""
    starts = [(corner, side, 0) for corner in corners]
    stops = [(corner, side, WIDTH - 1) for corner in corners]
    return list(zip([ends[0], *stops], [*starts, ends[1]], strict=True))


def _passed(corners: Sequence[Hashable], side: str, other: str) -> list[Hashable]:
    """Return all nodes of the corners, in the order of a cycle along ``side``."""
    nodes: list[Hashable] = []
    for corner in corners:
        for place in range(WIDTH):
            across = [(corner, side, place), (corner, "middle", place), (corner, other, place)]
            nodes += across if place % 2 == 0 else across[::-1]
    return nodes


Items = frozenset[Hashable]


def queens(n: int, rng: random.Random, left_out: float = 0.0) -> Planted:
    """Place a queen in each row and column, at most one on a diagonal; exclude some squares.

    The solution has the even columns, then the odd ones: no diagonal holds two, unless n is 2 or 3
    modulo 6.

    Examples
    --------
    >>> len(queens(4, random.Random(1)).graph)
    884
    """
    if n % 6 in (2, 3):
        raise ValueError(f"expected neither 2 nor 3 modulo 6, got {n}")
    placed = set(enumerate([*range(1, n, 2), *range(0, n, 2)]))
    squares = [
        square
        for square in product(range(n), repeat=2)
        if square in placed or rng.random() >= left_out
    ]
    lines = Counter(line for square in squares for line in _diagonals(square))
    shared = {line for line, many in lines.items() if many > 1}
    sets, chosen = [], []
    free = set(shared)
    for square in squares:
        crossed = shared & set(_diagonals(square))
        if square in placed:
            chosen.append(len(sets))
            free -= crossed
        sets.append(frozenset({("row", square[0]), ("column", square[1]), *crossed}))
    return _with_slack(sets, chosen, shared, free)


def _diagonals(square: tuple[int, int]) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("up", square[0] - square[1]), ("down", square[0] + square[1])


def insanity(n: int, rng: random.Random) -> Planted:
    """Stack n cubes with n colours so that all four sides of the stack show each colour once.

    A cube gives one of its three pairs of opposite faces to front and back, and another one to
    left and right, either way round.

    Examples
    --------
    >>> len(insanity(3, random.Random(1)).graph)
    1614
    """
    sides = [rng.sample(range(n), n) for _ in range(4)]
    sets: list[Items] = []
    chosen, shared, free = [], set(), set()
    for cube in range(n):
        front, back, left, right = (side[cube] for side in sides)
        pairs = [(front, back), (left, right), (rng.randrange(n), rng.randrange(n))]
        for number in rng.sample(range(3), 3):
            pair = (cube, number)
            shared.add(pair)
            if number == 2:
                free.add(pair)
            for axis, (one, other) in enumerate((("front", "back"), ("left", "right"))):
                if number == axis:
                    chosen.append(len(sets))
                for first, second in dict.fromkeys((pairs[number], pairs[number][::-1])):
                    sets.append(frozenset({(cube, one), pair, (one, first), (other, second)}))
    return _with_slack(sets, chosen, shared, free)


def sudoku(given: int, rng: random.Random) -> Planted:
    """Solve a Sudoku of 9 × 9 with ``given`` cells.

    Examples
    --------
    >>> len(sudoku(60, random.Random(1)).graph) > 500
    True
    """
    order = [[3 * band + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
             for _ in range(2)]  # fmt: skip
    digits = rng.sample(range(9), 9)
    solved = {
        (row, column): digits[(3 * (r % 3) + r // 3 + c) % 9]
        for row, r in enumerate(order[0])
        for column, c in enumerate(order[1])
    }
    cells = rng.sample(sorted(solved), 81)
    known = {item for cell in cells[:given] for item in _units(cell, solved[cell])}
    sets, chosen = [], []
    for cell in cells[given:]:
        for digit in range(9):
            items = frozenset({cell, *_units(cell, digit)})
            if not known & items:
                if solved[cell] == digit:
                    chosen.append(len(sets))
                sets.append(items)
    return exact_cover(sets, chosen)


def _units(cell: tuple[int, int], digit: int) -> list[tuple[str, int, int]]:
    row, column = cell
    box = 3 * (row // 3) + column // 3
    return [("row", row, digit), ("column", column, digit), ("box", box, digit)]


def domination(n: int, most: int, more: int, rng: random.Random) -> Planted:
    """Choose at most ``most`` of n vertices so that each vertex is chosen or adjacent to one.

    The graph has n - ``most`` edges between the vertices of a solution and the others, and ``more``
    random edges.  There is an item for a vertex and each one that may dominate it.  The dominated
    vertex covers it, or a chosen vertex with a set for unused items, or a vertex not chosen.

    Examples
    --------
    >>> len(domination(8, 2, 4, random.Random(1)).graph)
    1950
    """
    centres = rng.sample(range(n), most)
    beside = {v: {v} for v in range(n)}
    above: dict[int, int] = {}
    for v in range(n):
        above[v] = v if v in centres else rng.choice(centres)
        beside[v].add(above[v])
        beside[above[v]].add(v)
    for _ in range(more):
        u, v = rng.sample(range(n), 2)
        beside[u].add(v)
        beside[v].add(u)
    sets: list[Items] = []
    chosen = []

    def add(items: Items, expected: bool) -> None:
        if expected:
            chosen.append(len(sets))
        sets.append(items)

    for u in range(n):
        add(frozenset({("is", u), *((u, v) for v in beside[u])}), u not in centres)
        for slot in range(most):
            add(frozenset({("is", u), ("slot", slot)}), centres[slot] == u)
        for v in sorted(beside[u]):
            add(frozenset({("under", v), (u, v)}), above[v] == u)
            add(frozenset({(u, v)}), u in centres and above[v] != u)
    return exact_cover(sets, chosen)


def _with_slack(
    sets: list[Items], chosen: list[int], optional: set[Hashable], free: set[Hashable]
) -> Planted:
    """Add a set for each optional item, and choose it if the item is free."""
    for item in sorted(optional, key=repr):
        if item in free:
            chosen.append(len(sets))
        sets.append(frozenset({item}))
    return exact_cover(sets, chosen)
