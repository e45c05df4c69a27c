"""Find a set of squares whose removal leaves more components than a tour can join.

This is the strongest argument that a person can check by counting on a board.  Finding the set is
NP-hard (toughness: D. Bauer, S. Hakimi and E. Schmeichel, 1990), so there are several steps.  First
come sets of squares of one colour with few neighbours, and flows, in polynomial time on boards of
any size.  Then all sets are tried, smallest first: one by one on tiny boards and by a solver on
small ones.  The checker's own function counts the components for every candidate.  A candidate of
the polynomial part is reduced one square at a time, as long as it remains a proof.

Take a set X of squares of one colour and remove its neighbours.  Then each square of X is a
component by itself, and if anything else is left, there is one component more.  By P. Hall's
theorem, some X is larger than its neighbourhood if no matching covers X.  Alternating paths from a
square that the largest matching leaves out reach such an X.  If the matching covers all squares of
a colour, there may still be an X just as large as its neighbourhood.  Such an X is closed in the
residual graph of the matching.  The strongly connected components of that graph, in the order of
Tarjan's algorithm, build up all such sets, smallest first.  Both colours are examined.  A flow of
two units (:mod:`kt_cp.search.two_factor`) finds sets whose removal leaves trees.

On boards of up to ``SOLVER_SQUARES`` the solver runs for a short time even if the first step has
found a set, because people read the set, and a small one is easier to understand.

Source: P. Hall 1935, D. König 1931; the decomposition by components goes back to A. Dulmage and
N. Mendelsohn, "Coverings of bipartite graphs", 1958.  Cost: milliseconds for the polynomial part to
thousands of squares.  When it loses: most boards have no such set, and there the solver uses up its
time; ``units`` bounds that.  The polynomial part finds no sets that leave several
components with cycles in them, as the inner four squares of a 4x4 board do.

The smallest set of squares whose removal leaves too many components, by OR-Tools CP-SAT.

The model: a square is removed, or it has a label.  The label is a square of its component that does
not come after it.  Neighbours that are left have the same label, and a square may be a label only
if it has itself as its label.  Counting these squares counts the components.  No component is
counted twice: it is connected and so has one label.  No constraint is needed against missing one,
since the solver maximizes the number.  They must be one more than a tour can join, exactly as
:mod:`kt_cp.trust.check.argument` counts.  It minimizes the squares first, then maximizes the
components.

Labels are Booleans: labels as whole numbers make the smaller model, but the linear relaxation says
nothing about them; over the Booleans it bounds the number of components.  Three formulations were
compared in ``benchmarks/MEASURED.md``.

Cost: tens of milliseconds to 36 squares, whether there is a set or not; exponential beyond, so
there is a limit, in the solver's own deterministic units, whatever the machine.  When it loses:
above about 64 squares it finds hardly more than the polynomial part does, and it cannot prove that
there is no set.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from kt_cp.model.limits import StoppedError
from kt_cp.model.problem import Problem
from kt_cp.processes.interruptible_cpsat import solve_interruptible
from kt_cp.search.breadth_first import find_reachable
from kt_cp.search.depth_first import strong_components
from kt_cp.search.meter import ShouldStop, poll
from kt_cp.search.two_factor import TightSetFlow
from kt_cp.trust.check.argument import most_pieces, squares_without
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refusal import Refusal

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


SOLVER_SQUARES = 100

LINEAR = 2
"""Level of the linear relaxation, chosen by measurement (``benchmarks/MEASURED.md``)."""


def find_smallest_set(frame: Frame, should_stop: ShouldStop, units: float) -> set[int] | None:
    """Return a smallest set whose removal leaves too many components; None if none was found.

    ``units`` is CP-SAT's deterministic time, about as many seconds.  If that is too short, a set
    that is not the smallest may be returned.  Raises ``StoppedError``.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(Board(4, 4)))
    >>> sorted(frame.names[vertex] for vertex in find_smallest_set(frame, lambda: False, 5.0))
    ['b2', 'b3', 'c2', 'c3']
    """
    from ortools.sat.python import cp_model

    model, removed = _model(frame)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = 0
    parameters.linearization_level = LINEAR
    parameters.max_deterministic_time = max(units, 0.01)
    parameters.catch_sigint_signal = False
    status = solve_interruptible(solver, model, should_stop)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {v for v, literal in enumerate(removed) if solver.boolean_value(literal)}


def _model(frame: Frame) -> tuple[cp_model.CpModel, list[Any]]:
    """Return the model, and for every square the literal of its removal."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    vertices = range(frame.squares)
    removed = [model.new_bool_var("") for _ in vertices]
    label = [[model.new_bool_var("") for _ in range(vertex + 1)] for vertex in vertices]
    for v in vertices:
        model.add_exactly_one([*label[v], removed[v]])
        for w in range(v):
            model.add_implication(label[v][w], label[w][w])
        for u in frame.neighbours[v]:
            if u >= v:
                continue
            for w in range(u + 1):
                model.add_bool_or(~label[u][w], removed[v], label[v][w])
                model.add_bool_or(~label[v][w], removed[u], label[u][w])
            for w in range(u + 1, v + 1):
                model.add_implication(label[v][w], removed[u])
    root = [label[vertex][vertex] for vertex in vertices]
    size, pieces = sum(removed), sum(root)
    problem = frame.problem
    if problem.closed:
        model.add(pieces >= size + 1)
    else:
        ends = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
        lost = [removed[end] for end in ends]
        if len(ends) == 2:
            together = model.new_bool_var("")
            one, other = sorted(ends)
            model.add_implication(together, ~removed[one])
            model.add_implication(together, ~removed[other])
            for w in range(one + 1):
                model.add_bool_or(~together, ~label[one][w], label[other][w])
            lost.append(together)
        model.add(pieces >= size + 2 - sum(lost))
    model.add(size >= 1)
    # Pieces are squares that are left, so they are no more than those.
    model.add(size + pieces <= frame.squares)
    model.minimize(size * (frame.squares + 1) - pieces)
    return model, removed


MOST_TRIED = 25_000
"""Most sets that are tried one by one: a tenth of a second, less than loading the solver takes."""


def try_all_sets(frame: Frame, should_stop: ShouldStop) -> tuple[set[int] | None, bool]:
    """Return a smallest set by trying all, and whether all were tried; it leaves most components.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> try_all_sets(frame_of(Problem("3x4", closed=True)), lambda: False)
    ({1, 9}, True)
    """
    squares, tried = frame.squares, 0
    near = [sum(1 << v for v in row if v < squares) for row in frame.neighbours[:squares]]
    for size in range(1, squares // 2 + 1):
        tried += comb(squares, size)
        if tried > MOST_TRIED:
            return None, False
        poll(should_stop)
        best: tuple[int, set[int]] | None = None
        for chosen in combinations(range(squares), size):
            left = (1 << squares) - 1
            for vertex in chosen:
                left ^= 1 << vertex
            pieces = _count_components(near, left)
            is_more = pieces >= size and (best is None or pieces > best[0])
            if is_more and is_proof(frame, {*chosen}):
                best = pieces, {*chosen}
        if best is not None:
            return best[1], True
    return None, True


def _count_components(near: list[int], left: int) -> int:
    """Return the number of components of a set of squares, a bit mask like the neighbours."""
    found = 0
    while left:
        found += 1
        new = left & -left
        while new:
            lowest = new & -new
            left &= ~lowest
            new = (new | near[lowest.bit_length() - 1]) & left
    return found


MOST_SQUARES = 50_000
"""Most squares; above, a single count takes longer than a finder may run without polling."""

MOST_SHRUNK = 2_000_000
"""Most squares of the board times squares of the set, for reducing a set one square at a time."""

MOST_SETS = 20
"""Most closed sets of each colour that are examined, and unmatched squares."""


def removal(problem: Problem, should_stop: ShouldStop, units: float = 1.0) -> dict[str, Any] | None:
    """Return evidence of the kind ``removal``, or None; ``units`` limits the solver's work.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> removal(Problem(Board(3, 4), closed=True), lambda: False)
    {'kind': 'removal', 'squares': ['b1', 'b3']}
    """
    if problem.size > MOST_SQUARES:
        return None
    try:
        poll(should_stop)
        frame = frame_of(problem)
        found = _find_set(frame, problem.indexed.colours, should_stop)
        if frame.squares <= SOLVER_SQUARES and (found is None or len(found) > 1):
            with suppress(StoppedError):  # the set that was found remains valid
                other, is_smallest = try_all_sets(frame, should_stop)
                if not is_smallest:
                    other = find_smallest_set(frame, should_stop, units)
                found = _min_set(found, other, frame)
    except (Refusal, StoppedError):
        return None
    if found is None:
        return None
    return {"kind": "removal", "squares": [frame.names[vertex] for vertex in sorted(found)]}


def _find_set(frame: Frame, colour: list[int] | None, should_stop: ShouldStop) -> set[int] | None:
    """Return the smallest candidate that is a proof."""
    if colour is None:
        return None
    best: set[int] | None = None
    for squares in candidates(frame, colour, should_stop):
        poll(should_stop)
        if (best is None or len(squares) < len(best)) and is_proof(frame, squares):
            best = set(squares)
    if best is None or len(best) * frame.squares > MOST_SHRUNK:
        return best
    for vertex in sorted(best):
        poll(should_stop)
        if is_proof(frame, best - {vertex}):
            best.remove(vertex)
    return best


def _min_set(found: set[int] | None, other: set[int] | None, frame: Frame) -> set[int] | None:
    if other is None or not is_proof(frame, other):
        return found
    return other if found is None or len(other) <= len(found) else found


def is_proof(frame: Frame, squares: set[int]) -> bool:
    """Return whether removing these squares leaves too many components, by the checker's count."""
    if not 0 < len(squares) < frame.squares:
        return False
    pieces = squares_without(frame, squares)
    return len(pieces) > most_pieces(frame, squares, pieces)


def candidates(frame: Frame, colour: list[int], should_stop: ShouldStop) -> Iterator[set[int]]:
    """Yield sets of squares that may leave too many components; the caller counts.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(graph=nx.complete_bipartite_graph(2, 3), closed=True))
    >>> {0, 1} in candidates(frame, [0, 0, 1, 1, 1], lambda: False)
    True
    """
    size = frame.squares
    links = [{v for v in frame.neighbours[u] if v < size} for u in range(size)]
    for shade in (0, 1):
        side = [vertex for vertex in range(size) if colour[vertex] == shade]
        partner = _matching(links, colour, shade, should_stop)
        yield from _closed_sets(links, side, partner, should_stop)
    problem = frame.problem
    given = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
    ends = [] if problem.closed else given
    need = [2 - (vertex in ends) for vertex in range(size)]
    slack = 0 if problem.closed else 1 - sum(colour[end] == 0 for end in ends)
    flow = TightSetFlow(links, need, colour, slack, should_stop)
    if flow.excess > 0:
        yield flow.cut() or set()


def _matching(
    links: list[set[int]], colour: list[int], shade: int, should_stop: ShouldStop
) -> dict[int, int]:
    """Return the partners of the other colour's squares in a maximum matching, by a unit flow."""
    senders_first = [each ^ shade for each in colour]
    received = TightSetFlow(links, [1] * len(links), senders_first, 0, should_stop).received
    return {v: u for v, senders in enumerate(received) for u in senders}


def _closed_sets(
    links: list[set[int]], side: list[int], partner: dict[int, int], should_stop: ShouldStop
) -> Iterator[set[int]]:
    """Yield neighbourhoods of sets that are at least as large, small ones first."""

    def arcs(u: int) -> list[int]:
        return [partner[v] for v in sorted(links[u]) if v in partner and partner[v] != u]

    covered = set(partner.values())
    unmatched = [u for u in side if u not in covered]
    union: set[int] = set()
    for u in unmatched[:MOST_SETS]:
        poll(should_stop)
        members = find_reachable([u], arcs)
        union |= members
        yield _neighbourhood(links, members)
    if len(unmatched) > 1:
        yield _neighbourhood(links, union)
    # A component that leads nowhere is closed by itself; so are the first few together.
    chain = strong_components(len(links), side, arcs)
    prefix: set[int] = set()
    place = {u: number for number, component in enumerate(chain) for u in component}
    sinks = [
        component
        for number, component in enumerate(chain)
        if all(place[other] == number for u in component for other in arcs(u))
    ]
    for component in sorted(sinks, key=len)[:MOST_SETS]:
        yield _neighbourhood(links, set(component))
    for component in chain[:MOST_SETS]:
        prefix |= set(component)
        yield _neighbourhood(links, prefix)


def _neighbourhood(links: list[set[int]], squares: set[int]) -> set[int]:
    return {v for u in squares for v in links[u]}
