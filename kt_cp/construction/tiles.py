"""Find tiles: tours of small boards from end to end, with given moves along their borders.

The search is the exact backtracking of :mod:`kt_cp.search.backtrack`.  The ends of an open tour are
joined by a virtual edge, and that edge and the given moves are forced.  Their propagation leaves
little to search.

Tiles have 36 to 121 squares.  The search nearly always succeeds with the first choice of ports, in
about a millisecond.  So tiles are found on demand and cached in memory; no table of them is stored.
Only finitely many tiles can occur in plans; a test finds every one.

There are two ways across a vertical border, with columns below 0 to the left of it:

* a :class:`Port` exchanges two edges: the left tile loses ``left[0]``-``left[1]``, the right
  tile ``right[0]``-``right[1]``, and ``left[0]``-``right[0]`` and ``left[1]``-``right[1]`` replace
  them.  The right tile, until then a closed tour, hangs on the left one.
* a :class:`Crossing` is one move, by which an open tour of the left tile goes on in the right one.

Both lie in the lowest six rows, which every tile has.  For horizontal borders, rows and columns are
exchanged.

Source: joining tours by exchanging edges is the method of A. J. Schwenk, "Which rectangular
chessboards have a knight's tour?", Mathematics Magazine 64 (1991).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from kt_cp.construction.parts import Tile, is_move
from kt_cp.model.board import Board, Square
from kt_cp.model.graph import index_board
from kt_cp.search.backtrack import hamiltonian_cycle

LEAST = 6
"""Rows, and columns, of the smallest tile."""


class Port(NamedTuple):
    """Two moves across a border in exchange for an edge on each side."""

    left: tuple[Square, Square]
    right: tuple[Square, Square]


class Crossing(NamedTuple):
    """One move across a border."""

    left: Square
    right: Square


@cache
def ports() -> list[Port]:
    """Return all ports."""
    found = []
    for one, two in product(_beside(-2, -1), repeat=2):
        # The square of the corner's colour counts as the first.
        if is_move(one, two) and sum(one) % 2 == 0:
            found += [
                Port((one, two), (three, four))
                for three, four in product(_beside(0, 1), repeat=2)
                if is_move(one, three) and is_move(two, four) and is_move(three, four)
            ]
    return found


@cache
def crossings() -> list[Crossing]:
    """Return all crossings."""
    pairs = product(_beside(-2, -1), _beside(0, 1))
    return [Crossing(left, right) for left, right in pairs if is_move(left, right)]


def _beside(*columns: int) -> list[Square]:
    return [(row, column) for row in range(LEAST) for column in columns]


Edge = tuple[Square, Square]

POLLS = 200
"""Limit of one search, in polls of about a millisecond; twenty times the longest in tests."""

CHOICES = 500
"""Combinations of ends and ports that are tried; tests need four at most."""

SEEDS = 60
"""Tours tried for one that passes its ports in the right order; tests need 14 at most."""

LEFT, RIGHT, BELOW, ABOVE = "left", "right", "below", "above"
"""Sides of a tile."""


class NoTileError(Exception):
    """The error if no tile of a kind was found."""


@dataclass(frozen=True)
class PortedTile:
    """A tile and its ports, by side."""

    tile: Tile
    ports: Mapping[str, Port]

    def cut(self, side: str) -> int:
        """Return the place before which its order is cut if the port on that side is used."""
        here, there = port_edge(self.ports[side], side, self.tile.rows, self.tile.columns)
        return max(self.tile.step(here), self.tile.step(there))


def port_edge(port: Port, side: str, rows: int, columns: int) -> Edge:
    """Return the move that a tile loses at its port on a side."""
    one, two = port.left if side in (RIGHT, ABOVE) else port.right
    return border_square(one, side, rows, columns), border_square(two, side, rows, columns)


def border_square(square: Square, side: str, rows: int, columns: int) -> Square:
    """Return the square of a tile for a square that is given relative to the border.

    >>> border_square((4, -1), RIGHT, 6, 8), border_square((4, -1), ABOVE, 6, 8)
    ((4, 7), (5, 4))
    >>> border_square((4, 1), BELOW, 6, 8)
    (1, 4)
    """
    row, column = square
    if side == RIGHT:
        return row, column + columns
    if side == ABOVE:
        return column + rows, row
    return (column, row) if side == BELOW else square


def tour_through(
    rows: int, columns: int, ends: Sequence[Square], moves: Iterable[Edge], *, seed: int, polls: int
) -> tuple[list[Square] | None, bool]:
    """Return a tour with the given moves, or None; and whether the result is certain.

    ``ends`` has both ends of an open tour, the first square of a closed one, or nothing.  There is
    a poll every third of a millisecond to one millisecond.

    >>> order, decided = tour_through(3, 4, [(0, 0), (2, 3)], [], seed=0, polls=100)
    >>> order[0], order[-1], len(order), decided
    ((0, 0), (2, 3), 12, True)
    """
    neighbours = [list(near) for near in _neighbours(rows, columns)]
    forced = []
    for here, there in [*moves, (ends[0], ends[1])] if len(ends) == 2 else moves:
        one, two = (row * columns + column for row, column in (here, there))
        forced.append((one, two))
        if two not in neighbours[one]:
            neighbours[one].append(two)
            neighbours[two].append(one)
    left = iter(range(polls))
    cycle, decided, _ = hamiltonian_cycle(
        neighbours, forced, seed=seed, should_stop=lambda: next(left, None) is None
    )
    if cycle is None:
        return None, decided
    order = [divmod(vertex, columns) for vertex in cycle]
    first = order.index(ends[0]) if ends else 0
    order = order[first:] + order[:first]
    if len(ends) == 2 and order[-1] != ends[1]:
        order = [order[0], *reversed(order[1:])]
    return order, True


@lru_cache(maxsize=256)
def _neighbours(rows: int, columns: int) -> list[list[int]]:
    return index_board(Board(rows, columns)).neighbours


@lru_cache(maxsize=4096)
def find_tile(
    rows: int, columns: int, first: Square, last: Square, edges: frozenset[Edge], seed: int = 0
) -> Tile | None:
    """Return an open tour from ``first`` to ``last`` that makes the given moves, or None."""
    order, _ = tour_through(rows, columns, (first, last), edges, seed=seed, polls=POLLS)
    return None if order is None else Tile(rows, columns, order)


def choose_tile(
    rows: int,
    columns: int,
    ends: Iterable[tuple[Square, Square]],
    sides: Mapping[str, Sequence[Port]] | Sequence[str],
    fits: Callable[[PortedTile], bool] = lambda _: True,
    seed: int = 0,
) -> PortedTile:
    """Return a tile with ports on some sides, for the first possible choice of ends and ports.

    ``sides`` maps sides to the ports that are allowed there, or lists sides that allow all ports.
    ``fits`` is a further condition, and ``seed`` the seed of the first tour.  Ends of the wrong
    colours are skipped.  Raise :class:`NoTileError` if there is no such tile.
    """
    allowed = sides if isinstance(sides, Mapping) else {side: ports() for side in sides}
    pairs = [pair for pair in ends if _compatible(rows * columns, *pair)]
    for (first, last), *chosen in sample_combinations([pairs, *allowed.values()], CHOICES):
        named = dict(zip(allowed, chosen, strict=True))
        edges = [port_edge(port, side, rows, columns) for side, port in named.items()]
        # Ports must not share an edge, nor take the one that would close the tour.
        if len({frozenset(one) for one in [*edges, (first, last)]}) <= len(edges):
            continue
        for each in range(seed, seed + SEEDS):
            tile = find_tile(rows, columns, first, last, frozenset(edges), each)
            if tile is None:
                break
            found = PortedTile(tile, named)
            if fits(found):
                return found
    raise NoTileError(f"no {rows}x{columns} tile with ports {', '.join(allowed) or 'nowhere'}")


def crossing_ends(
    crossing: Crossing, rows: int, columns: int, *, upwards: bool = False
) -> tuple[Square, Square]:
    """Return the ends of a tile that is crossed from left to right, or from below."""
    near, far = (BELOW, ABOVE) if upwards else (LEFT, RIGHT)
    return border_square(crossing.right, near, rows, columns), border_square(
        crossing.left, far, rows, columns
    )


def hanging_tile(
    port: Port, rows: int, columns: int, far: str, sides: Sequence[str] = ()
) -> PortedTile:
    """Return a tile that hangs by a port, and on which an equal one can hang by the same port.

    ``far`` is the side of the other one, ``RIGHT`` or ``ABOVE``; the near side is opposite.  The
    tile has ports on the ``sides`` as well.
    """
    near = LEFT if far == RIGHT else BELOW
    first, last = port_edge(port, near, rows, columns)

    def straight(found: PortedTile) -> bool:
        # The tour must pass the far port in the order in which it enters the near one.
        one, two = port_edge(port, far, rows, columns)
        return found.tile.step(one) < found.tile.step(two)

    allowed = {far: [port], **{side: ports() for side in sides}}
    return choose_tile(rows, columns, [(first, last)], allowed, straight)


def sample_combinations(options: Sequence[Sequence[Any]], most: int) -> Iterable[tuple[Any, ...]]:
    """Return combinations in a fixed pseudorandom order; if there are many, return a sample."""
    rng = random.Random(0)
    if prod(map(len, options)) > 10 * most:
        return (tuple(map(rng.choice, options)) for _ in range(most))
    choices = list(product(*options))
    rng.shuffle(choices)
    return choices[:most]


def _compatible(size: int, first: Square, last: Square) -> bool:
    same = (sum(first) + sum(last)) % 2 == 0
    if first == last or same != bool(size % 2):
        return False
    return not size % 2 or sum(first) % 2 == 0
