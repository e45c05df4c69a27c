"""The formula that a refutation refutes, made from the problem alone.

Variable i is edge i of the frame, counted from 1 in lexicographic order.  A model is a choice of
edges.  The clauses state the following conditions, in this order:

* Exactly two edges are chosen at each vertex.
* Each edge that must be used is chosen.
* Edges that tight sets and the plain rules force are chosen, and edges that they ban are not.
* The steps of the tour agree with the clues (:mod:`kt_cp.trust.check.steps`).
* Vertices are taken out of the cycle one by one, as described below.
* If the tour must be symmetric, the image of each chosen edge is chosen.
* Each tour of a list lacks an edge.
* For each cut, at least one edge between the set and the rest is chosen.  Every cycle through all
  vertices satisfies this, unless the set is empty or has all vertices.

``FORMAT.md`` lists them clause by clause.

Every tour that is not listed is a model of the formula.  So if it has no model, there is no other
tour.

**Taking vertices out.**  These clauses exclude several disjoint cycles.  Take a vertex out of a
cycle and join its two neighbours there: the rest is a shorter cycle.  Give the cycle a direction.
A variable for each *arc* (u, v), in both directions of every edge, states that v follows u.  When a
vertex is taken out, new arcs with new variables join its current neighbours: w follows u if it did
so before, or if u, the vertex and w followed each other.  Exactly one arc leads out of every
vertex, exactly one leads into it, and these two have different other ends.  Clauses state this at
first, again before a vertex with new arcs is taken out, and at last.

Every cycle through all vertices satisfies these clauses, in either direction, if at least three
vertices are left: the new variables are true exactly where the definition requires it.  One clause
group selects a direction: at the first vertex of the order, the next vertex must be smaller than
the previous one in the order of the frame.

The number of disjoint cycles does not change until one of them has two vertices, which the clauses
exclude.  So if three vertices are left, the only models are the cycles through all vertices.  The
checker does not depend on this.  With cuts alone a refutation may take exponentially many lemmas if
a few vertices separate any part of the graph from the rest.  Here each step involves few vertices.

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
"""Least number of vertices that are never taken out."""


class Elimination:
    """The arcs of a frame from which vertices are taken out in an order.

    Attributes
    ----------
    top : int
        The last variable that is used.
    literals : int
        Number of literals of the clauses so far.

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
        """Yield the clauses, given the variables of the frame's edges."""
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
        """Yield the clauses for one arc out of a vertex and one into it, from another neighbour."""
        for way in ([arc[vertex, u] for u in others], [arc[u, vertex] for u in others]):
            yield way
            clauses, self.top = at_most_one(way, self.top)
            yield from clauses
        for u in others:
            yield [-arc[vertex, u], -arc[u, vertex]]


Edge = tuple[int, int]

DIRECT = 9
"""Largest degree with direct clauses: a knight's eight moves and the end of a tour."""

MOST_LITERALS = BUDGET["literals"]
"""Literals of all clauses together."""


def formula_of(
    frame: Frame,
    known: State | None,
    cuts: Sequence[set[int]],
    clues: Sequence[Clue] = (),
    tours: Sequence[Sequence[int]] = (),
    order: Sequence[int] = (),
) -> tuple[int, list[Clause]]:
    """Return the number of variables, and the clauses.

    Parameters
    ----------
    known : State, optional
        The consequences of tight sets.
    cuts : sequence of sets
        Sets of vertices.
    clues : sequence of pairs
        Vertices, each with its step.
    tours : sequence of sequences
        The vertices in order of each tour that the formula excludes.
    order : sequence of int
        The order in which vertices are taken out of the cycle.
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
    """Return the number of variables, and the clauses by purpose, in their order."""
    literals = sum(_literals(len(row)) for row in frame.neighbours)
    _expect_at_most(literals)
    edges = frame.edges()
    variable = {edge: number for number, edge in enumerate(edges, start=1)}
    top = len(edges)
    clauses: list[Clause] = []
    for vertex, row in enumerate(frame.neighbours):
        incident = [variable[min(vertex, other), max(vertex, other)] for other in row]
        if len(incident) > DIRECT:
            clauses += _exactly_two(incident, top)
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
    """Return the prescribed ends of an open tour as clues."""
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
    """Return the variables of a tour's moves, ascending; every move must be an edge."""
    back = zip(tour[-1:], tour[:1], strict=True) if frame.problem.closed else ()
    moves = chain(pairwise(tour), back)
    return sorted(variable[min(u, v), max(u, v)] for u, v in moves)


def _known(edges: list[Edge], known: State) -> Iterator[Clause]:
    """Yield a clause for each edge that tight sets have forced or banned."""
    for number, (u, v) in enumerate(edges, start=1):
        if v in known.forced[u]:
            yield [number]
        elif v not in known.open_[u]:
            yield [-number]


def _symmetric(frame: Frame, variable: dict[Edge, int]) -> Iterator[Clause]:
    """Yield the clauses that choose the image of each chosen move, and ban moves without one."""
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
    """Return the number of literals at one vertex; it is known before the clauses are made."""
    if degree > DIRECT:
        return 19 * degree - 13  # see _counted
    return degree * (degree - 1) + 3 * comb(degree, 3)


def _expect_at_most(literals: int) -> None:
    if literals > MOST_LITERALS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_LITERALS:,} literals in all")


def _exactly_two(x: list[int], top: int) -> list[Clause]:
    """Return clauses for exactly two; ``one[i]``, ``two[i]``: at least 1, 2 of the first i."""
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
    """Return the clause that requires an edge out of a set."""
    return sorted(
        variable[min(vertex, other), max(vertex, other)]
        for vertex in cut
        for other in frame.neighbours[vertex]
        if other not in cut
    )
