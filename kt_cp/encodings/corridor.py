"""Corridor encoding: shift registers, and a variable order in which solvers need hardly any search.

The formula is that of :mod:`kt_cp.encodings.lfsr` without windows: successors, and a shift register
at every square.  Its models are exactly the tours.  A solver does not find them on large boards,
because the value of a register is unknown until the path to the start is complete.  So the solver
begins in a *corridor*: bands three times as wide as the piece's longest leap, six ranks for a
knight, joined at alternate ends to one long winding strip.  In the corridor few squares separate
one end from the other, so the clauses of :mod:`kt_cp.encodings.reach` are few, and they forbid
every cycle by propagation.

The order of the variables is as important as in the reach encoding.  The arcs outside the corridor
are the last variables, and they are negated: a solver that decides the last variable first, and
tries it true, leaves these arcs out.  Then it sweeps from the far end of the corridor to its
beginning with hardly a conflict, and all registers follow.

The formula does not exclude any tour.  Each arc is free, so a tour outside the corridor is a model,
and a solver that needs one arc outside flips only that variable.  The clauses about reaching hold
for every tour.  Moves over an edge of the board are outside.  If there is no corridor (no board, a
piece of four steps, a side too short for two bands, holes that cut it, or a required move that
leads out of it, which would cause a long search) the formula is that of the reach encoding.

Source: This project's.

Cost: With N vertices, d_v neighbours of v when it is eliminated, and registers of L bits:
2 Σ d_v + (N - 1) L variables beside the shared ones.  Beyond lfsr there are as many clauses as the
corridor has arcs (those at the exempt vertex left out), and Σ d_v + Σ d_v (d_v - 1), which is about
160 for a square of a knight's board.

When it loses: It is best for finding, on all boards from 12 a side.  It loses at refuting, and with
solvers that decide other variables first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from kt_cp.encodings import reach
from kt_cp.encodings.cardinality import Fresh
from kt_cp.encodings.chordal_completion import eliminate
from kt_cp.encodings.cnf import MOST_IN_TABLE, ClauseTable, Cnf, Encoding, Shape, shape_of
from kt_cp.encodings.counter import allot, count_in_arrays
from kt_cp.encodings.lfsr import bits_for, shift_register
from kt_cp.encodings.numbering import numbering_of, rooted_successors
from kt_cp.encodings.successor import TAKES, breadth_first_edges, tour_of
from kt_cp.model.board import Board
from kt_cp.model.cycle import CycleForm, cycle_form
from kt_cp.model.piece import Piece
from kt_cp.model.problem import Problem
from kt_cp.search.breadth_first import find_reachable, two_colouring

FEWEST_STEPS = 8
"""Least moves of a piece; with fewer, as the wazir has, a band leads to dead ends."""

NEIGHBOURS = 17
"""Bound on Σ d_v for each square; Σ d_v (d_v - 1) is at most 4 h² + 10 with bands of up to h ranks,
and 2 Σ d_v more with a depot: measured on 14 rectangles of 12x12 to 100x100 and 14x200."""


def encode(problem: Problem) -> Cnf:
    """State a problem in the corridor encoding.

    >>> from kt_cp.model.board import Board
    >>> cnf = encode(Problem(Board(12, 12), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (6355, 39668)
    """
    form = cycle_form(problem)
    neighbours = corridor(form)
    if neighbours is None:
        return reach.encode(problem)
    exempt = int(form.graph.degrees.argmin())
    inside = reach.Reach(exempt, list(_elimination(form, neighbours, exempt)))
    numbering = numbering_of(form, windows=False)
    register = shift_register(bits_for(numbering.values))
    fresh = Fresh(inside.variables)
    bits = allot(numbering, register, fresh)
    edges = breadth_first_edges(form, exempt, neighbours)
    near = [*map(set, neighbours)]
    outside = sum(v not in near[u] for u, v in edges)
    shared = rooted_successors(numbering, edges=edges, before=fresh.top, negated=outside)
    counting = count_in_arrays(numbering, shared.number, register, bits)
    usable = {(u, v): x for (u, v), x in shared.number.items() if v in near[u]}
    clauses = ClauseTable(chain([shared.clauses], counting, inside.clauses(usable)))
    return Cnf(problem, shared.fresh.top, clauses, replace(shared, clauses=[]))


def measures(piece: Piece) -> tuple[int, int]:
    """Return the ranks of a band, and the files by which two bands are joined at an end.

    A band is as narrow as possible, but a tour can go along it and return everywhere.

    >>> measures(Piece.leaper(1, 2)), measures(Piece.leaper(2, 3))
    ((6, 4), (9, 6))
    """
    leap = max(2, piece.reach)
    return 3 * leap, 2 * leap


def corridor(form: CycleForm) -> list[list[int]] | None:
    """Return the neighbours of each vertex in the corridor; None if two bands do not fit."""
    problem = form.problem
    board, (band, turn) = problem.board, measures(problem.piece)
    if board is None or min(board.rows, board.columns) < 2 * band:
        return None
    if len(problem.piece.steps) < FEWEST_STEPS:
        return None
    places = [place(board, square, band) for square in board]
    last, reach = max(places)[1], problem.piece.reach

    def is_joined(u: int, v: int) -> bool:
        if max(u, v) >= problem.size:
            return True
        (one, file), (other, beyond) = sorted((places[u], places[v]))
        if one == other:
            return abs(file - beyond) <= reach  # otherwise it goes over an edge of the board
        return one + 1 == other and file > last - turn and beyond < turn

    if not all(is_joined(u, v) for u, v in form.forced):
        return None
    neighbours: list[list[int]] = [[] for _ in range(len(form))]
    for u, v in form.graph.pairs():
        if is_joined(u, v):
            neighbours[u].append(v)
            neighbours[v].append(u)
    return neighbours if _is_passable(neighbours, problem) else None


def place(board: Board, square: tuple[int, int], band: int) -> tuple[int, int]:
    """Return the band of a square, and its place along the corridor in that band.

    >>> [place(Board(13, 20), square, 6) for square in ((0, 0), (5, 19), (6, 19), (12, 0))]
    [(0, 0), (0, 19), (1, 0), (1, 19)]
    """
    sides = (board.rows, board.columns)
    if sides[0] > sides[1]:
        sides, square = sides[::-1], square[::-1]
    number = ((square[0] + 1) * round(sides[0] / band) - 1) // sides[0]
    return number, sides[1] - 1 - square[1] if number % 2 else square[1]


def _is_passable(neighbours: list[list[int]], problem: Problem) -> bool:
    """Return whether simple tests do not rule out a tour through the corridor."""
    near = neighbours.__getitem__
    if len(find_reachable([0], near)) < len(neighbours) or min(map(len, neighbours)) < 2:
        return False
    if problem.whole_rectangle is not None or not problem.closed:
        return True
    # Without the moves over its edges a torus with odd sides is bipartite, and has no closed tour.
    colours = two_colouring(len(neighbours), near)
    return colours is None or 2 * sum(colours) == len(colours)


def _elimination(
    form: CycleForm, neighbours: list[list[int]], exempt: int
) -> Iterator[tuple[int, list[int]]]:
    """Eliminate the corridor's vertices from its far end."""
    board, (band, _) = form.problem.board, measures(form.problem.piece)
    assert board is not None
    places = [place(board, square, band) for square in board]
    order = sorted(range(len(places)), key=places.__getitem__, reverse=True)
    order += range(len(places), len(form))
    order.remove(exempt)
    return eliminate({vertex: {*neighbours[vertex]} - {exempt} for vertex in order}, order)


def clauses_of(problem: Problem) -> int:
    """Bound the clauses by counting, or by an estimate from the sides of a whole rectangle."""
    shape, board = shape_of(problem), problem.whole_rectangle
    if board is None and shape.shared > MOST_IN_TABLE:
        return shape.shared
    band, _ = measures(problem.piece)
    if board is not None and min(board.rows, board.columns) >= 2 * band:
        bound = _bound_rectangle(problem, shape, board, band)
        if bound > MOST_IN_TABLE or not (problem.forbid or problem.require):
            return bound
    form = cycle_form(problem)
    neighbours = corridor(form)
    if neighbours is None:
        return reach.clauses_of(problem)
    gone = _elimination(form, neighbours, int(form.graph.degrees.argmin()))
    pairs = reach.count_pairs(gone)
    return _counting(shape, bits_for(numbering_of(form, windows=False).values), 12) + pairs


def _bound_rectangle(problem: Problem, shape: Shape, board: Board, band: int) -> int:
    shorter, ends = min(board.rows, board.columns), (problem.start, problem.end)
    highest = -(-shorter // round(shorter / band))
    pairs = 4 * highest**2 + 10 + (2 * NEIGHBOURS if shape.vertices > problem.size else 0)
    # For an open tour of odd order, neither the direction nor the parity of a step is known.
    unknown = not problem.closed and problem.size % 2 == 1 and ends == (None, None)
    bits = bits_for(shape.vertices if unknown else shape.values)
    return _counting(shape, bits, 12 if unknown else 6) + (pairs + NEIGHBOURS) * shape.vertices


def _counting(shape: Shape, bits: int, taps: int) -> int:
    """Return the size of the formula without the clauses about reaching."""
    return shape.shared + shape.arcs // 2 * (4 * bits + taps) + shape.vertices + shape.arcs


ENCODING = Encoding(
    name="corridor",
    summary="lfsr, and an order: the solver tries a tour that winds through the board; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=tour_of,
    takes=TAKES,
    in_table=True,
)
