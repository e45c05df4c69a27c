"""Evidence for a bound, from the dual of a linear program and a tree of cases.

The relaxation has a variable for each transition (:mod:`kt_cp.optimization.transitions`).  Cuts
that its solution violates are added until there are none.  The dual values of the rows of moves and
of cuts, scaled and rounded, become the potentials and weights of the evidence.  The checker's sum
is a bound however they are rounded, so it is computed here in whole numbers, and the smallest
sufficient scale is taken.  If no scale suffices, the tours are split by a move.  A few trials find
a move that raises the bound in both cases (strong branching).

A square without a transition costs a penalty far above the bound.  So the program always has a
solution, and the potentials of an impossible case are found in the same way.

Source: ours, with the cuts of G. Dantzig, R. Fulkerson and S. Johnson, "Solution of a large-scale
traveling-salesman problem", Operations Research 2, 1954, and strong branching after D. Applegate
and others, "The Traveling Salesman Problem", 2006.  Cost: some 0.05 s a case on 8x8.  When it
loses: if the relaxation is more than one or two below the optimum, the tree grows exponentially.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kt_cp.model.board import square_name
from kt_cp.optimization.transitions import round_up
from kt_cp.trust.check.frame import END

if TYPE_CHECKING:
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]
Tree = dict[str, Any]

PENALTY = 10_000.0
"""The cost of a square without a transition."""

SCALES = (1, 2, 3, 4, 6, 12, 60, 420, 5040, 720720)
TRIED = 8
"""Moves that are tried before one of them splits the tours."""

CLOSE = 1e-6


class BoundProver:
    """A linear program about the tours of a frame.

    Parameters
    ----------
    frame : Frame
    costs : sequence of mapping
        Of each square, the costs of its pairs of neighbours.
    should_stop : callable
        Called with the number of cases before each; if it returns true, the proof is given up.
    """

    def __init__(
        self,
        frame: Frame,
        costs: Sequence[dict[Edge, int]],
        should_stop: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self.frame, self.costs, self.should_stop = frame, costs, should_stop
        self.edges = frame.edges()
        self.number = {edge: number for number, edge in enumerate(self.edges)}
        self.fixed: dict[int, bool] = {}
        self.cases = 0
        self.cuts: list[frozenset[int]] = []
        self._build()
        for edge in frame.must:
            self._fix(self.number[edge], True)

    def _build(self) -> None:
        from ortools.linear_solver import pywraplp

        solver = self.solver = pywraplp.Solver.CreateSolver("GLOP")
        # After a bound or a cut, the last basis is still feasible for the dual.
        solver.SetSolverSpecificParametersAsString(
            "use_dual_simplex: true use_preprocessing: false"
        )
        self.having: dict[tuple[int, int], list[Any]] = {}
        """Variables of the transitions that have an edge, by the edge and one of its ends."""
        self.at_square: list[list[Any]] = [[] for _ in self.costs]
        self.bans: Counter[Any] = Counter()
        """The number of fixed edges that exclude a transition."""
        objective = solver.Objective()
        for vertex, pairs in enumerate(self.costs):
            row = solver.Constraint(1.0, 1.0)
            slack = solver.NumVar(0.0, solver.infinity(), "")
            row.SetCoefficient(slack, 1.0)
            objective.SetCoefficient(slack, PENALTY)
            for pair, cost in pairs.items():
                variable = solver.NumVar(0.0, 1.0, "")
                row.SetCoefficient(variable, 1.0)
                objective.SetCoefficient(variable, float(cost))
                self.at_square[vertex].append(variable)
                for number in (self._edge(vertex, other) for other in pair):
                    self.having.setdefault((number, vertex), []).append(variable)
        self.at_end: dict[int, Any] = {}
        """Variables of the edges at ends, which have no transitions."""
        for end in self.frame.ends:
            row = solver.Constraint(2.0, 2.0)
            for other in self.frame.neighbours[end]:
                number = self._edge(end, other)
                if number not in self.at_end:
                    self.at_end[number] = solver.NumVar(0.0, 1.0, "")
                row.SetCoefficient(self.at_end[number], 1.0)
        self.links: list[Any] = []
        for number, (u, v) in enumerate(self.edges):
            link = solver.Constraint(0.0, 0.0)
            for variable in self.having.get((number, u), ()):
                link.SetCoefficient(variable, 1.0)
            for variable in self.having.get((number, v), ()):
                link.SetCoefficient(variable, -1.0)
            if number in self.at_end and u < self.frame.squares:
                link.SetCoefficient(self.at_end[number], -1.0)
            self.links.append(link)
        self.cut_rows: list[Any] = []
        objective.SetMinimization()

    def _edge(self, u: int, v: int) -> int:
        return self.number[min(u, v), max(u, v)]

    def bound(self) -> tuple[int, Tree] | None:
        """Return the best bound without cases, and its leaf."""
        value = self._solve_with_cuts()
        least = round_up(value)
        leaf = self._leaf(least)
        return None if leaf is None else (least, leaf)

    def prove(self, least: int) -> Tree | None:
        """Return a tree that shows that every tour costs at least this.

        None if a tour costs less, or if time is over.
        """
        self.cases += 1
        if self.should_stop(self.cases):
            return None
        value = self._solve_with_cuts(least)
        if value > least - 1 + CLOSE and (leaf := self._leaf(least)) is not None:
            return leaf
        usage = self._usage()
        split = [
            number
            for number, share in enumerate(usage)
            if number not in self.fixed and 1e-5 < share < 1 - 1e-5
        ]
        if not split:
            return None
        number = self._branch(sorted(split, key=lambda each: abs(usage[each] - 0.5))[:TRIED])
        cases: Tree = {"move": self._names(number)}
        for name, choice in (("used", True), ("unused", False)):
            self._fix(number, choice)
            tree = self.prove(least)
            self._free(number)
            if tree is None:
                return None
            cases[name] = tree
        return cases

    def _branch(self, candidates: list[int]) -> int:
        """The edge whose two cases have the highest bounds, the lower one first."""
        if len(candidates) == 1:
            return candidates[0]
        scores = {}
        for number in candidates:
            values = []
            for choice in (False, True):
                self._fix(number, choice)
                values.append(min(self._solve(), PENALTY))
                self._free(number)
            scores[number] = (min(values), max(values))
        return max(candidates, key=lambda number: scores[number])

    def _fix(self, number: int, choice: bool) -> None:
        """Enter the case in which an edge is used, or is not used."""
        self.fixed[number] = choice
        for variable in self._excluded(number, choice):
            self.bans[variable] += 1
            variable.SetUb(0.0)
        if number in self.at_end:
            self.at_end[number].SetBounds(float(choice), float(choice))

    def _free(self, number: int) -> None:
        """Leave the case of an edge."""
        for variable in self._excluded(number, self.fixed.pop(number)):
            self.bans[variable] -= 1
            if not self.bans[variable]:
                variable.SetUb(1.0)
        if number in self.at_end:
            self.at_end[number].SetBounds(0.0, 1.0)

    def _excluded(self, number: int, choice: bool) -> Iterator[Any]:
        """The transitions that are excluded if the edge is used, or if it is not."""
        for vertex in self.edges[number]:
            having = self.having.get((number, vertex), [])
            if not choice:
                yield from having
            elif vertex < self.frame.squares:
                yield from {*self.at_square[vertex]} - {*having}

    def _solve(self) -> float:
        """Solve the program with the bounds of the case."""
        status = self.solver.Solve()
        if status != self.solver.OPTIMAL:  # two edges at an end that exclude each other
            return PENALTY
        return float(self.solver.Objective().Value())

    def _solve_with_cuts(self, least: float = float("inf")) -> float:
        """Solve, and add cuts that the solution violates, until there are none."""
        while True:
            value = self._solve()
            if value >= PENALTY / 2 or value > least - 1 + 10 * CLOSE:
                return value
            cuts = self._violated(self._usage())
            if not cuts:
                return value
            for cut in cuts:
                self._add(cut)

    def _usage(self) -> list[float]:
        """How much of each edge the solution uses."""
        usage = []
        for number, (u, _) in enumerate(self.edges):
            if number in self.at_end:
                usage.append(self.at_end[number].solution_value())
            else:
                usage.append(
                    sum(each.solution_value() for each in self.having.get((number, u), ()))
                )
        return usage

    def _add(self, cut: frozenset[int]) -> None:
        row = self.solver.Constraint(2.0, self.solver.infinity())
        coefficients: dict[Any, float] = {}
        for number, (u, v) in enumerate(self.edges):
            if (u in cut) != (v in cut):
                for variable in self.having.get((number, u if u < self.frame.squares else v), ()):
                    coefficients[variable] = coefficients.get(variable, 0.0) + 1.0
        for variable, coefficient in coefficients.items():
            row.SetCoefficient(variable, coefficient)
        self.cuts.append(cut)
        self.cut_rows.append(row)

    def _violated(self, usage: list[float]) -> list[frozenset[int]]:
        """Sets of squares whose boundary the solution crosses less than twice."""
        import networkx as nx

        squares = self.frame.squares
        graph = nx.Graph()
        graph.add_nodes_from(range(squares + bool(self.frame.ends)))  # the ends are one node
        for (u, v), share in zip(self.edges, usage, strict=True):
            u, v = min(u, squares), min(v, squares)
            if share > 1e-7 and u != v:
                before = graph.get_edge_data(u, v, {"weight": 0.0})["weight"]
                graph.add_edge(u, v, weight=before + share)
        parts = [set(part) for part in nx.connected_components(graph)]
        if len(parts) == 1:
            least, (part, _) = nx.stoer_wagner(graph)
            if least > 2 - 1e-5:
                return []
            parts = [set(part)]
            tree = nx.gomory_hu_tree(graph, capacity="weight")
            for u, v, data in [*tree.edges(data=True)]:
                if data["weight"] < 2 - 1e-5:
                    tree.remove_edge(u, v)
                    parts.append(set(nx.node_connected_component(tree, u)))
                    tree.add_edge(u, v, **data)
        found = set()
        for part in parts:
            rest = set(graph) - part
            if self.frame.ends:
                part = rest if squares in part else part
            elif len(rest) < len(part):
                part = rest
            found.add(frozenset(part))
        return sorted(found - {*self.cuts}, key=sorted)

    def _leaf(self, least: int) -> Tree | None:
        """The dual values as numbers of a leaf that shows a bound, at the smallest scale."""
        pairs = self._pairs()
        if not all(pairs):
            return {}
        links = [link.dual_value() for link in self.links]
        weights = [max(0.0, row.dual_value()) for row in self.cut_rows]
        for scale in SCALES:
            whole = [round(weight * scale) for weight in weights]
            first = [-round(link * scale) for link in links]
            cuts = [(cut, weight) for cut, weight in zip(self.cuts, whole, strict=True) if weight]
            crossing = [
                sum(weight for cut, weight in cuts if (u in cut) != (v in cut))
                for u, v in self.edges
            ]
            # The dual value of a cut lowers what its edges cost at the end with the transitions.
            potentials = [
                here - across * (u < self.frame.squares)
                for here, across, (u, _) in zip(first, crossing, self.edges, strict=True)
            ]
            if self._total(pairs, scale, potentials, cuts, crossing) > scale * (least - 1):
                return {
                    "scale": scale,
                    "potentials": potentials,
                    "cuts": [
                        {"weight": weight, "squares": self._square_names(cut)}
                        for cut, weight in cuts
                    ],
                }
        return None

    def _pairs(self) -> list[list[tuple[int, int, int]]]:
        """For each vertex the pairs of edges that the case allows, and their costs."""
        found: list[list[tuple[int, int, int]]] = []
        for vertex in range(len(self.frame)):
            near = [self._edge(vertex, other) for other in self.frame.neighbours[vertex]]
            open_ = [number for number in near if self.fixed.get(number) is not False]
            must = {number for number in near if self.fixed.get(number)}
            cost = self.costs[vertex] if vertex < self.frame.squares else None
            other = dict(zip(near, self.frame.neighbours[vertex], strict=True))
            found.append(
                [
                    (one, two, 0 if cost is None else cost[other[one], other[two]])
                    for at, one in enumerate(open_)
                    for two in open_[at + 1 :]
                    if must <= {one, two}
                ]
            )
        return found

    def _total(
        self,
        pairs: list[list[tuple[int, int, int]]],
        scale: int,
        potentials: list[int],
        cuts: list[tuple[frozenset[int], int]],
        crossing: list[int],
    ) -> int:
        """The sum that the checker computes."""
        total = 2 * sum(weight for _, weight in cuts)
        for vertex, choices in enumerate(pairs):

            def at(number: int, vertex: int = vertex) -> int:
                first = self.edges[number][0] == vertex
                return potentials[number] if first else -potentials[number] - crossing[number]

            total += min(scale * cost + at(one) + at(two) for one, two, cost in choices)
        return total

    def _names(self, number: int) -> list[str]:
        u, v = self.edges[number]
        nodes = self.frame.problem.nodes
        return [square_name(nodes[u]), END if v >= self.frame.squares else square_name(nodes[v])]

    def _square_names(self, cut: frozenset[int]) -> list[str]:
        nodes = self.frame.problem.nodes
        return [square_name(nodes[vertex]) for vertex in sorted(cut)]
