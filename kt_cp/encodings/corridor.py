"""Corridor encoding: steps counted for every tour, and a first guess that needs no search.

The formula is that of :mod:`kt_cp.encodings.lfsr`: successors, and a register at every square that
advances along the tour.  Its models are exactly the tours, but on large boards a solver does not
find them: what a register says about a piece of a path is known only when the piece has met the
start.  So one more variable c, which the solver decides first of all, says that the tour keeps to a
*corridor*: bands of about six ranks, joined at alternate ends to a long winding strip.  In the
corridor few squares separate one end from the other, so :mod:`kt_cp.encodings.reach` is small there
and forbids every cycle by propagation: the solver sweeps from the far end of the corridor to its
beginning with hardly a conflict, and all registers follow.

Nothing is lost by this: c may be false, and then every arc is free.  A tour outside the corridor is
a model with c false, and if there is no tour both cases have to be refuted.  What is said about who
reaches whom holds for every tour.  Where the board is too narrow for two bands, or holes cut the
corridor, or there is no board, the formula is that of reach.

With N vertices, A arcs, o of them outside the corridor, d_v neighbours of v among those that go
later in it, registers of L bits: 2 Σ d_v + (N - 1) L + 1 variables beside the shared ones; and
beyond those of lfsr without windows, o clauses by c, as many as the corridor has arcs but for those
at the exempt vertex, and Σ d_v + Σ d_v (d_v - 1), which is about 160 for a square.

Measured with CaDiCaL 1.9.5, seconds of loading and solving: closed 20x20 0.08 (147,859 clauses),
40x40 0.3 (572,040), 60x60 0.7 (1,401,284), 100x100 2.1 (4,356,352), 120x120 3.0 (6,358,250), each
with at most 3 conflicts; building takes three times as long. On 20x20 and 40x40 CaDiCaL 1.5.3 and
Kissat 4.0.4 do as well; glucose, which begins with other variables, does not end in 10 s, nor does
CaDiCaL with --sat on 20x20. It wins on finding, on all boards from 12 a side; it loses on refuting,
where the guess is one more case.
"""

from __future__ import annotations

from functools import partial

from kt_cp.board import Board
from kt_cp.cycle import CycleForm, cycle_form
from kt_cp.encodings import reach
from kt_cp.encodings.cnf import MOST_CLAUSES, Clause, Cnf, Encoding
from kt_cp.encodings.fill import in_order
from kt_cp.encodings.lfsr import bits_for, shift_register
from kt_cp.encodings.register import count
from kt_cp.encodings.seam import seam, shape_of
from kt_cp.encodings.successor import tour_of
from kt_cp.encodings.sweep import outwards
from kt_cp.problem import Problem

BAND = 6
"""Ranks of a band: as narrow as lets a tour go along it and come back everywhere."""

TURN = 4
"""Files at an end of two bands by which they are joined."""

NEIGHBOURS = 17
"""Bound on Σ d_v for each square; Σ d_v (d_v - 1) is at most 4 h² + 10 with bands of up to h ranks,
and 2 Σ d_v more with a depot: measured on 14 boards of 12x12 to 100x100 and 14x200."""


def encode(problem: Problem) -> Cnf:
    """State a problem in the corridor encoding.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> cnf = encode(Problem(Board(12, 12), closed=True))
    >>> cnf.variables, len(cnf.clauses)
    (6356, 39764)
    """
    form = cycle_form(problem)
    neighbours = corridor(form)
    if neighbours is None:
        return reach.encode(problem)
    exempt = int(form.graph.degrees.argmin())
    inside = _reach(form, neighbours, exempt)
    register = shift_register(bits_for(seam(problem, windows=False).turns))
    size, top = len(form), inside.variables
    below = top + (size - 1) * register.bits
    edges = outwards(form, exempt, neighbours)
    cut = seam(problem, windows=False, edges=edges, before=below)
    shared = cut.shared
    bits: list[list[int]] = []
    for vertex in range(size):
        own = 0 if vertex == shared.start else register.bits
        bits.append(list(range(top + 1, top + own + 1)))
        top += own
    clauses: list[Clause] = [*shared.clauses, *count(cut, register, bits)]
    kept = {(u, v): x for (u, v), x in shared.number.items() if v in neighbours[u]}
    for part in inside.clauses(kept):
        clauses += part
    guess = shared.fresh()
    clauses += ([-guess, -x] for arc, x in shared.number.items() if arc not in kept)
    return Cnf(problem, guess, clauses, shared)


def corridor(form: CycleForm) -> list[list[int]] | None:
    """Neighbours of each vertex in the corridor; None where there is none of two bands."""
    problem = form.problem
    if problem.board is None or min(problem.board.rows, problem.board.columns) < 2 * BAND:
        return None
    places = [place(problem.board, square) for square in problem.board]
    last = max(places)[1]

    def joined(u: int, v: int) -> bool:
        if max(u, v) >= problem.size or (u, v) in form.forced:
            return True
        (band, file), (other, beyond) = sorted((places[u], places[v]))
        return band == other or (band + 1 == other and file > last - TURN and beyond < TURN)

    neighbours: list[set[int]] = [set() for _ in range(len(form))]
    for u, v in form.graph.pairs():
        if joined(u, v):
            neighbours[u].add(v)
            neighbours[v].add(u)
    return [*map(sorted, neighbours)] if _one_piece(neighbours) else None


def place(board: Board, square: tuple[int, int]) -> tuple[int, int]:
    """Band of a square, and how far along it lies as the corridor goes.

    Examples
    --------
    >>> [place(Board(13, 20), square) for square in ((0, 0), (5, 19), (6, 19), (12, 0))]
    [(0, 0), (0, 19), (1, 0), (1, 19)]
    """
    sides = (board.rows, board.columns)
    if sides[0] > sides[1]:
        sides, square = sides[::-1], square[::-1]
    band = ((square[0] + 1) * round(sides[0] / BAND) - 1) // sides[0]
    return band, sides[1] - 1 - square[1] if band % 2 else square[1]


def _one_piece(neighbours: list[set[int]]) -> bool:
    """Whether a graph is connected, and no vertex has fewer than two neighbours."""
    seen = {0}
    queue = [0]
    for vertex in queue:
        more = neighbours[vertex] - seen
        seen |= more
        queue += more
    return len(seen) == len(neighbours) and min(map(len, neighbours)) > 1


def _reach(form: CycleForm, neighbours: list[list[int]], exempt: int) -> reach.Reach:
    """Who reaches whom within the corridor, whose vertices go from its far end."""
    board = form.problem.board
    assert board is not None
    places = [place(board, square) for square in board]
    order = sorted(range(len(places)), key=places.__getitem__, reverse=True)
    order += range(len(places), len(form))
    order.remove(exempt)
    left = {vertex: {*neighbours[vertex]} - {exempt} for vertex in order}
    return reach.Reach(exempt, list(in_order(left, order)))


def clauses_of(problem: Problem) -> int:
    """Bound on the number of clauses."""
    board = problem.board
    if board is None or min(board.rows, board.columns) < 2 * BAND:
        return reach.clauses_of(problem)
    shape = shape_of(problem)
    shorter, ends = min(board.rows, board.columns), (problem.start, problem.end)
    band = -(-shorter // round(shorter / BAND))
    pairs = 4 * band**2 + 10 + (2 * NEIGHBOURS if shape.vertices > problem.size else 0)
    # Of an open tour of odd order neither the direction nor the parity of a step is known.
    unknown = not problem.closed and problem.size % 2 == 1 and ends == (None, None)
    bits = bits_for(shape.vertices if unknown else shape.turns)
    counting = shape.arcs // 2 * (4 * bits + (12 if unknown else 6)) + shape.vertices
    bound = shape.shared + counting + shape.arcs + (pairs + NEIGHBOURS) * shape.vertices
    # Too large is said without a look for holes that cut it, for which the graph has to be built.
    cut = bound <= MOST_CLAUSES and board.missing and corridor(cycle_form(problem)) is None
    return reach.clauses_of(problem) if cut else bound


ENCODING = Encoding(
    name="corridor",
    summary="lfsr, and a first guess: a tour that winds through the board; for finding",
    clauses_of=clauses_of,
    encode=encode,
    decode=partial(tour_of, encoding="corridor"),
    solver="cadical195",
)
