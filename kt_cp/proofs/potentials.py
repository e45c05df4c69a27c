"""Potentials that show that a graph has no cycle through all vertices, from a linear program.

The program has a variable for each edge, between 0 and 1, and its sum at each vertex is 2.  A cut
says that a cycle leaves a set of vertices at least twice.  Cuts that the solution violates are
added until there are none.  If the program has no solution, there is no cycle.  Slack variables
that cost 1 keep it feasible, so that its dual values always exist.  They become the potentials of
the evidence as follows.  Let y be the dual value of a vertex, w that of a cut and r the reduced
cost of an edge.  An edge has the potential y + r / 2 at each of its ends.  Both sum to -w over the
cuts that it crosses, as the checker requires.  Rounding cannot make the evidence wrong, because
the checker adds up whole numbers (:mod:`kt_cp.trust.check.bound`).

If the program has a solution, an edge splits the problem into two cases, used and unused, and so
on, for at most ``MOST_CASES`` programs.

The program is stronger than counting: if k vertices leave more than k components when they are
removed, then it has no solution, although the set is hard to find.  It also combines cuts,
two-factors and required edges.

Source: G. Dantzig, R. Fulkerson and S. Johnson, "Solution of a large-scale traveling-salesman
problem", Operations Research 2, 1954; dual values as evidence of infeasibility are due to J. Farkas
1902.  Cost: about a second on 400 vertices of a sparse graph, most of it for minimum cuts.  When it
loses: on most graphs without a Hamiltonian cycle the linear program still has a fractional
solution, and splitting into cases rarely helps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from kt_cp.model.problem import Problem
from kt_cp.search.meter import ShouldStop
from kt_cp.trust.check.bound import Case, Cut, choices_of, sum_of_minima
from kt_cp.trust.check.frame import END, Frame, frame_of

if TYPE_CHECKING:
    from kt_cp.trust.check.bound import Choice

Tree = dict[str, Any]

SCALES = (1, 2, 3, 4, 6, 12, 60, 420, 5040, 720720)
"""Factors of dual values before rounding, tried until the sum of minima suffices."""

MOST_EDGES = 20_000
"""Most edges of a graph that is tried; with more, minimum cuts take minutes."""

MOST_CASES = 60
"""Most programs that are solved before the proof is given up."""

MOST_CUTS = 40
"""Most cuts that are added in a round."""

TRIED = 4
"""Most edges that are tried before one of them splits the cycles."""

CLOSE = 1e-6

UNIT = 1_000_000
"""Capacity of an edge that is used completely."""


def potentials(
    problem: Problem, should_stop: ShouldStop = lambda: False, cases: int = MOST_CASES
) -> dict[str, Any] | None:
    """Return evidence that there is no cycle, or None if the linear program does not show it.

    Parameters
    ----------
    problem : Problem
        Undirected.
    should_stop : callable, optional
        Called before each program and between cuts; if it returns true, the search stops.
    cases : int
        Most programs that are solved.

    Examples
    --------
    >>> import networkx as nx
    >>> evidence = potentials(Problem(graph=nx.complete_bipartite_graph(3, 4), closed=True))
    >>> evidence["kind"], evidence["tree"]["cuts"]
    ('potentials', [])
    >>> potentials(Problem(graph=nx.petersen_graph(), closed=True), cases=1) is None
    True
    """
    frame = frame_of(problem)
    if len(frame.edges()) > MOST_EDGES or not all(frame.neighbours):
        return None
    tree = CycleProgram(frame, should_stop).refute(cases)
    return None if tree is None else {"kind": "potentials", "tree": tree}


class CaseProgram(ABC):
    """A linear program of the cycles of a frame, in one case after the other."""

    def __init__(self, frame: Frame) -> None:
        from ortools.linear_solver import pywraplp

        self.frame, self.edges = frame, frame.edges()
        self.number = {edge: number for number, edge in enumerate(self.edges)}
        self.splits: dict[int, bool] = {}
        """The case: edges by their numbers, used or not."""
        self.cut_rows: list[Any] = []
        self.solver = pywraplp.Solver.CreateSolver("GLOP")
        # After a bound or a cut, the last basis is still feasible for the dual.
        self.solver.SetSolverSpecificParametersAsString(
            "use_dual_simplex: true use_preprocessing: false"
        )
        self.solver.Objective().SetMinimization()

    def enter(self, case: dict[int, bool]) -> None:
        """Go from the present case to another."""
        for number in [n for n, choice in self.splits.items() if case.get(n) is not choice]:
            self.leave(number)
        for number in case.keys() - self.splits.keys():
            self.split(number, case[number])

    def branch(self, candidates: Sequence[int]) -> int | None:
        """Return the candidate with the highest values in its two cases; the lower value counts."""
        if len(candidates) == 1:
            return candidates[0]
        scores = {}
        for number in candidates:
            values = []
            for choice in (False, True):
                self.split(number, choice)
                values.append(self.solve())
                self.leave(number)
            scores[number] = (min(values), max(values))
        return max(scores, key=lambda each: scores[each], default=None)

    @abstractmethod
    def split(self, number: int, choice: bool) -> None:
        """Enter the case in which an edge is used or not."""

    @abstractmethod
    def leave(self, number: int) -> None:
        """Leave the case of an edge."""

    @abstractmethod
    def solve(self) -> float:
        """Return the value of the program in the present case."""

    def names(self, number: int) -> list[str]:
        """Return the names of the ends of an edge."""
        u, v = self.edges[number]
        return [self.frame.names[u], END if v >= self.frame.squares else self.frame.names[v]]

    def both_ways(self, numbers: Sequence[int]) -> dict[tuple[int, int], int]:
        """Return potentials of the edges at each of their ends."""
        potential = {}
        for (u, v), number in zip(self.edges, numbers, strict=True):
            potential[u, v], potential[v, u] = number, -number
        return potential


class CycleProgram(CaseProgram):
    """The linear program of the edges of a cycle."""

    def __init__(self, frame: Frame, should_stop: ShouldStop) -> None:
        super().__init__(frame)
        self.should_stop = should_stop
        self.splits = {self.number[edge]: True for edge in frame.must}
        self.cuts: list[frozenset[int]] = []
        self.variables = [self.solver.NumVar(0.0, 1.0, "") for _ in self.edges]
        self.degree_rows = [self._row(2.0) for _ in range(len(frame))]
        for variable, edge in zip(self.variables, self.edges, strict=True):
            for vertex in edge:
                self.degree_rows[vertex].SetCoefficient(variable, 1.0)
        for number in self.splits:
            self.variables[number].SetLb(1.0)

    def _row(self, most: float) -> Any:
        """Return a row for 2 to ``most`` edges; violating it has a cost."""
        row = self.solver.Constraint(2.0, most)
        for sign in (1.0, -1.0):
            slack = self.solver.NumVar(0.0, self.solver.infinity(), "")
            row.SetCoefficient(slack, sign)
            self.solver.Objective().SetCoefficient(slack, 1.0)
        return row

    def refute(self, cases: int) -> Tree | None:
        """Return a tree of cases without a cycle, or None if it is not found."""
        found: Tree = {}
        waiting: list[tuple[dict[int, bool], Tree, str]] = [({}, found, "tree")]
        root = dict(self.splits)
        while waiting:
            case, parent, key = waiting.pop()
            cases -= 1
            if cases < 0 or self.should_stop():
                return None
            self.enter({**root, **case})
            leaf, split = self._examine(may_split=cases >= 2)
            if leaf is not None:
                parent[key] = leaf
                continue
            if split is None:
                return None
            parent[key] = {"move": self.names(split)}
            waiting += [
                ({**case, split: choice}, parent[key], name)
                for name, choice in (("unused", False), ("used", True))
            ]
        tree: Tree = found["tree"]
        return tree

    def _examine(self, *, may_split: bool) -> tuple[Tree | None, int | None]:
        """Return a leaf for the present case, or an edge that splits it, or neither."""
        while self.solve() < CLOSE:
            usage = [variable.solution_value() for variable in self.variables]
            found = violated_cuts(self.frame, usage, self.should_stop)
            cuts = [cut for cut in found if cut not in self.cuts]
            if not cuts:
                return None, self._branch(usage) if may_split else None
            for cut in cuts:
                self._add(cut)
            if self.should_stop():
                return None, None
        return self._leaf(), None

    def solve(self) -> float:
        """Return the cost of violations; 0 if the solver fails."""
        if self.solver.Solve() != self.solver.OPTIMAL:
            return 0.0
        return float(self.solver.Objective().Value())

    def _branch(self, usage: Sequence[float]) -> int | None:
        """Return the edge with the most violated cases; None if the solution is a cycle."""
        open_ = [n for n, share in enumerate(usage) if CLOSE < share < 1 - CLOSE]
        return self.branch(sorted(open_, key=lambda each: abs(usage[each] - 0.5))[:TRIED])

    def split(self, number: int, choice: bool) -> None:
        """Enter the case in which an edge is used or not."""
        self.splits[number] = choice
        self.variables[number].SetBounds(float(choice), float(choice))

    def leave(self, number: int) -> None:
        """Leave the case of an edge."""
        del self.splits[number]
        self.variables[number].SetBounds(0.0, 1.0)

    def _add(self, cut: frozenset[int]) -> None:
        row = self._row(self.solver.infinity())
        for number, (u, v) in enumerate(self.edges):
            if (u in cut) != (v in cut):
                row.SetCoefficient(self.variables[number], 1.0)
        self.cuts.append(cut)
        self.cut_rows.append(row)

    def _leaf(self) -> Tree | None:
        """Return the dual values as whole numbers, at the smallest scale that suffices."""
        frame = self.frame
        case = Case(
            None,
            frozenset(self.edges[n] for n, choice in self.splits.items() if choice),
            frozenset(self.edges[n] for n, choice in self.splits.items() if not choice),
        )
        choices: list[list[Choice]] = choices_of(frame, "", case)
        if not all(choices):
            return {}
        of_vertex = [row.dual_value() for row in self.degree_rows]
        of_cut = [max(0.0, row.dual_value()) for row in self.cut_rows]
        for scale in SCALES:
            vertex = [round(value * scale) for value in of_vertex]
            cuts = [
                Cut(weight, cut)
                for cut, value in zip(self.cuts, of_cut, strict=True)
                if (weight := round(value * scale))
            ]
            numbers = []
            for u, v in self.edges:
                crossed = sum(cut.weight for cut in cuts if (u in cut.inside) != (v in cut.inside))
                reduced = -vertex[u] - vertex[v] - crossed
                numbers.append(vertex[u] + reduced // 2)
            potential = self.both_ways(numbers)
            total = sum_of_minima(frame, "", lambda *_: 0, choices, 1, potential, cuts)
            if total is None or total > 0:
                documents = [
                    {
                        "weight": cut.weight,
                        "squares": [frame.names[v] for v in sorted(cut.inside)],
                    }
                    for cut in cuts
                ]
                return {"scale": 1, "potentials": numbers, "cuts": documents}
        return None


def violated_cuts(
    frame: Frame,
    usage: Sequence[float],
    should_stop: ShouldStop = lambda: False,
    *,
    left_out: Collection[int] = (),
    ends_apart: bool = False,
) -> list[frozenset[int]]:
    """Return sets of squares that a solution enters and leaves by less than two edges.

    The ends of the frame are one node, because cuts name squares alone.  So are the ends of an edge
    that is used wholly.  If a vertex of degree 2 is joined to a set by such an edge, adding it to
    the set does not raise the cut.  So a least cut remains (M. Padberg and G. Rinaldi, "An
    efficient algorithm for the minimum capacity cut problem", Mathematical Programming 47, 1990).

    Parameters
    ----------
    usage : sequence of float
        How much of each edge the solution uses.
    left_out : collection of int
        Squares that it does not visit.
    ends_apart : bool
        Whether more than two edges may meet at the ends; then the ends are joined to nothing.
    """
    from networkx.utils import UnionFind

    edges = [(edge, share) for edge, share in zip(frame.edges(), usage, strict=True)
             if share > CLOSE]  # fmt: skip
    joined = UnionFind(range(len(frame)))
    joined.union(*frame.ends)
    for (u, v), share in edges:
        if share > 1 - CLOSE and not (ends_apart and v >= frame.squares):
            joined.union(u, v)
    node: dict[int, int] = {}
    vertices = {*range(len(frame))}.difference(left_out)
    node_of = {vertex: node.setdefault(joined[vertex], len(node)) for vertex in sorted(vertices)}
    capacity: dict[tuple[int, int], float] = {}
    for (u, v), share in edges:
        one, other = sorted((node_of[u], node_of[v]))
        if one != other:
            capacity[one, other] = capacity.get((one, other), 0.0) + share
    found = []
    for side in minimum_cuts(len(node), capacity, should_stop):
        inside = {vertex for vertex, node in node_of.items() if node in side}
        rest = vertices - inside
        if frame.ends:
            inside = rest if frame.squares in inside else inside
        elif len(rest) < len(inside):
            inside = rest
        found.append(frozenset(inside))
    return [*dict.fromkeys(found)]


def minimum_cuts(
    nodes: int,
    capacity: dict[tuple[int, int], float],
    should_stop: ShouldStop = lambda: False,
) -> Iterable[set[int]]:
    """Yield one side of each of at most ``MOST_CUTS`` cuts below 2, if there are any.

    Each is a minimum cut between node 0 and another node, so a side may be repeated.  A graph that
    is not connected yields its components.

    Parameters
    ----------
    nodes : int
    capacity : mapping
        Of each edge, a pair of nodes.

    Examples
    --------
    >>> triangles = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    >>> [*minimum_cuts(6, dict.fromkeys(triangles, 1.0) | {(2, 3): 0.5})][:1]
    [{0, 1, 2}]
    """
    import networkx as nx
    import numpy as np
    from ortools.graph.python import max_flow

    if nodes < 2:
        return
    graph = nx.empty_graph(nodes)
    graph.add_edges_from(capacity)
    if not nx.is_connected(graph):
        yield from islice(nx.connected_components(graph), MOST_CUTS)
        return
    flow = max_flow.SimpleMaxFlow()
    tails, heads = np.array([*capacity, *(edge[::-1] for edge in capacity)]).T
    whole = [round(UNIT * share) for share in capacity.values()]
    flow.add_arcs_with_capacity(tails, heads, np.array([*whole, *whole]))
    found = 0
    for sink in range(1, nodes):
        if should_stop() or flow.solve(0, sink) != flow.OPTIMAL:
            return
        if flow.optimal_flow() < (2 - 1e-5) * UNIT:
            yield {*map(int, flow.get_source_side_min_cut())}
            found += 1
            if found == MOST_CUTS:
                return
