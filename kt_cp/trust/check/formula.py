"""The formula that a refutation refutes, made from the problem alone.

Variable i is edge i of the frame, counted from 1 in lexicographic order; a model is a choice of
edges.  The clauses say, in this order: at each vertex exactly two edges are chosen; each edge that
must be used is; so is, or is not, each that tight sets and the plain rules force or ban; the steps
of the tour agree with the clues (:mod:`kt_cp.trust.check.steps`); vertices are taken out of the
cycle one by one (:mod:`kt_cp.trust.check.formula`); with an edge its image is chosen, where the
tour is to be symmetric; each tour of a list lacks an edge; for each cut, at least one edge between
the set and the rest is chosen.  Every cycle through all vertices satisfies that,
unless the set is empty or everything.  ``FORMAT.md`` has them clause by clause.

Every tour that is not listed is a model of the formula, so where it has none, there is no other.

Clauses that leave a single cycle alone: vertices are taken out of it, one after the other.

Take a vertex out of a cycle and join its two neighbours there: the rest is a shorter cycle.  So
think of the cycle as walked in one direction.  A variable for each *arc* (u, v), in both directions
of every edge, says that v follows u.  When a vertex is taken out, its neighbours so far are joined
to each other by new arcs, with new variables: w follows u if it did, or if u, the vertex and w
followed each other.  Exactly one arc leads out of every vertex, exactly one into it, and no
neighbour is in both: at first, once more before a vertex with new arcs is taken out, and at last.

Every cycle through all vertices satisfies that, walked in either direction, as long as three
vertices are left: the new variables are true where they have to be, and nowhere else.  To keep one
of the two directions, at the first vertex of the order what follows has to come before what
precedes, in the order of the frame.

Disjoint cycles stay as many until one of them has two vertices, which is excluded.  So with three
vertices left the clauses have no models but the cycles through all vertices.  No part of the
checker needs that.  With cuts alone a refutation may take exponentially many lemmas where a few
vertices separate any part of the graph from the rest; here each step speaks of a few vertices.

Source: N.-F. Zhou, "Encoding the Hamiltonian cycle problem into SAT based on vertex elimination",
CP 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise, permutations
from math import comb

from kt_cp.model.conditions import Given, Symmetry
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.instance import BUDGET
from kt_cp.trust.check.moves import moved_square
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.state import State
from kt_cp.trust.check.steps import Clause, Clue, Steps, at_most_one

LEFT = 3
"""So many vertices are never taken out."""


class Elimination:
    """The arcs of a frame, while vertices are taken out in an order.

    Attributes
    ----------
    top : int
        The last variable that is used.
    literals : int
        How many literals the clauses have so far.

    Raises
    ------
    Refusal
        If too few vertices are left, or there would be too many literals.
    """

    def __init__(self, frame: Frame, order: Sequence[int], top: int, most: int) -> None:
        if len(frame) - len(order) < LEFT:
            raise Refusal(Reason.WHOLE_SET, f"expected {LEFT} vertices that are not taken out")
        self.frame, self.order, self.top = frame, order, top
        self.most, self.literals = most, 0

    def clauses(self, edge: dict[tuple[int, int], int]) -> Iterator[Clause]:
        """The clauses, by the variables of the frame's edges."""
        for clause in self._clauses(edge):
            self.literals += len(clause)
            if self.literals > self.most:
                raise Refusal(Reason.TOO_LARGE, f"expected at most {self.most:,} literals here")
            yield clause

    def _clauses(self, edge: dict[tuple[int, int], int]) -> Iterator[Clause]:
        beside = [set(row) for row in self.frame.neighbours]
        arc: dict[tuple[int, int], int] = {}
        for (u, v), e in edge.items():
            forth, back = arc[u, v], arc[v, u] = self.top + 1, self.top + 2
            self.top += 2
            yield from ([-forth, e], [-back, e], [-e, forth, back])
        if self.order:
            first, earlier = self.order[0], list[int]()
            for other in sorted(beside[first]):
                yield [*earlier, -arc[other, first]]
                earlier.append(arc[first, other])
        for vertex, row in enumerate(beside):
            yield from self._between(vertex, sorted(row), arc)
        changed: set[int] = set()
        for vertex in self.order:
            others = sorted(beside[vertex])
            if vertex in changed:
                yield from self._between(vertex, others, arc)
            for u, w in permutations(others, 2):
                old, self.top = arc.get((u, w)), self.top + 1
                yield [-arc[u, vertex], -arc[vertex, w], self.top]
                if old is not None:
                    yield [-old, self.top]
                arc[u, w] = self.top
            for u in others:
                beside[u] |= beside[vertex]
                beside[u] -= {u, vertex}
            changed.update(others)
        for vertex in sorted(changed.difference(self.order)):
            yield from self._between(vertex, sorted(beside[vertex]), arc)

    def _between(
        self, vertex: int, others: list[int], arc: dict[tuple[int, int], int]
    ) -> Iterator[Clause]:
        """One arc leads out of a vertex, one into it, and these are of two neighbours."""
        for way in ([arc[vertex, u] for u in others], [arc[u, vertex] for u in others]):
            yield way
            clauses, self.top = at_most_one(way, self.top)
            yield from clauses
        for u in others:
            yield [-arc[vertex, u], -arc[u, vertex]]


Edge = tuple[int, int]

DIRECT = 9
"""A knight's eight moves and the end of a tour."""

MOST_LITERALS = BUDGET["literals"]
"""In all clauses."""


def formula_of(
    frame: Frame,
    known: State | None,
    cuts: Sequence[set[int]],
    clues: Sequence[Clue] = (),
    tours: Sequence[Sequence[int]] = (),
    order: Sequence[int] = (),
) -> tuple[int, list[Clause]]:
    """Number of variables, and the clauses.

    ``known`` is what tight sets have shown, if there are any; a cut is a set of vertices, a clue a
    vertex and its step, a tour, which is no model, its vertices in order; and the last is the order
    in which vertices are taken out of the cycle.
    """
    top, sections = sections_of(frame, known, cuts, clues, tours, order)
    return top, [*chain.from_iterable(sections.values())]


def sections_of(
    frame: Frame,
    known: State | None,
    cuts: Sequence[set[int]],
    clues: Sequence[Clue] = (),
    tours: Sequence[Sequence[int]] = (),
    order: Sequence[int] = (),
) -> tuple[int, dict[str, list[Clause]]]:
    """The same, the clauses by what they are there for, in their order."""
    literals = sum(_literals(len(row)) for row in frame.neighbours)
    _expect_at_most(literals)
    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    top = len(edges)
    clauses: list[Clause] = []
    for vertex, row in enumerate(frame.neighbours):
        incident = [variable[min(vertex, other), max(vertex, other)] for other in row]
        if len(incident) > DIRECT:
            clauses += _counted(incident, top)
            top += 2 * len(incident)
        elif len(incident) < 2:
            clauses.append([])
        else:
            clauses += map(list, combinations(incident, len(incident) - 1))
            clauses += ([-a, -b, -c] for a, b, c in combinations(incident, 3))
    sections = {"vertices": clauses, "must": [[variable[edge]] for edge in frame.must]}
    sections["tight"] = [] if known is None else [*_known(edges, known)]
    sections["steps"] = []
    if clues:
        steps = Steps(frame, [*clues, *end_clues(frame)], top, MOST_LITERALS - literals)
        sections["steps"], top = steps.clauses(variable), steps.top
        literals += steps.literals
    sections["elimination"] = []
    if order:
        elimination = Elimination(frame, order, top, MOST_LITERALS - literals)
        sections["elimination"] = [*elimination.clauses(variable)]
        top = elimination.top
        literals += elimination.literals
    sections["symmetry"] = [*_symmetric(frame, variable)]
    literals += sum(map(len, tours))
    _expect_at_most(literals)
    sections["tours"] = [[-e for e in edges_of(frame, tour, variable)] for tour in tours]
    sections["cuts"] = []
    for cut in cuts:
        sections["cuts"].append(leaving(frame, cut, variable))
        literals += len(sections["cuts"][-1]) + len(cut)
        _expect_at_most(literals)
    return top, sections


def end_clues(frame: Frame) -> list[Clue]:
    """The clues that the ends of an open tour are, where they are prescribed."""
    problem = frame.problem
    ends = () if problem.closed else ((problem.start, 1), (problem.end, frame.squares))
    return [(frame.number[square], step) for square, step in ends if square is not None]


def given_clues(frame: Frame) -> list[Clue]:
    """Return all clues that a refutation may take, beside the ends of an open tour."""
    problem = frame.problem
    given = [(each.square, each.step) for each in problem.conditions if type(each) is Given]
    if given and problem.closed and problem.start is not None:
        given.insert(0, (problem.start, 1))
    return [(frame.number[square], step) for square, step in dict.fromkeys(given)]


def edges_of(frame: Frame, tour: Sequence[int], variable: dict[Edge, int]) -> list[int]:
    """The variables of a tour's moves, ascending; every one of them must be an edge."""
    back = zip(tour[-1:], tour[:1], strict=True) if frame.problem.closed else ()
    moves = chain(pairwise(tour), back)
    return sorted(variable[min(u, v), max(u, v)] for u, v in moves)


def _known(edges: list[Edge], known: State) -> Iterator[Clause]:
    """What tight sets have forced and banned."""
    for number, (u, v) in enumerate(edges, start=1):
        if v in known.forced[u]:
            yield [number]
        elif v not in known.open_[u]:
            yield [-number]


def _symmetric(frame: Frame, variable: dict[Edge, int]) -> Iterator[Clause]:
    """With each move its image is chosen; a move without one is not."""
    problem = frame.problem
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    if motion is None or problem.board is None:
        return
    image = [frame.number.get(moved_square(problem.board, motion, each)) for each in frame.number]
    for (u, v), e in variable.items():
        if v < frame.squares:
            ends = sorted(vertex for vertex in (image[u], image[v]) if vertex is not None)
            other = variable.get((ends[0], ends[1])) if len(ends) == 2 else None
            if other != e:
                yield [-e] if other is None else [-e, other]


def _literals(degree: int) -> int:
    """In the clauses of one vertex; they are counted before any is made."""
    if degree > DIRECT:
        return 19 * degree - 13  # see _counted
    return degree * (degree - 1) + 3 * comb(degree, 3)


def _expect_at_most(literals: int) -> None:
    if literals > MOST_LITERALS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_LITERALS:,} literals in all")


def _counted(x: list[int], top: int) -> list[Clause]:
    """Exactly two of many; ``one[i]`` and ``two[i]``: at least one, two of the first i are."""
    one = range(top + 1, top + len(x) + 1)
    two = range(top + len(x) + 1, top + 2 * len(x) + 1)
    clauses = [[-one[0], x[0]], [one[0], -x[0]], [-two[0]]]
    for i in range(1, len(x)):
        clauses += [
            [one[i], -x[i]],
            [one[i], -one[i - 1]],
            [-one[i], x[i], one[i - 1]],
            [two[i], -x[i], -one[i - 1]],
            [two[i], -two[i - 1]],
            [-two[i], x[i], two[i - 1]],
            [-two[i], one[i - 1]],
            [-x[i], -two[i - 1]],
        ]
    return [*clauses, [two[-1]]]


def leaving(frame: Frame, cut: set[int], variable: dict[tuple[int, int], int]) -> Clause:
    """One of the edges that leave a set is chosen."""
    return sorted(
        variable[min(vertex, other), max(vertex, other)]
        for vertex in cut
        for other in frame.neighbours[vertex]
        if other not in cut
    )
