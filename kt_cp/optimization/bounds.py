"""Evidence for a bound, from the dual of a linear program and a tree of cases.

The relaxation has a variable for each transition (:mod:`kt_cp.optimization.transitions`).  Cuts
that its solution violates are added until there are none.  The dual values of the rows of moves and
of cuts, scaled and rounded, become the potentials and weights of the evidence.  The checker's sum
is a bound for any rounding, so it is computed here in whole numbers with the smallest sufficient
scale.  If none suffices, the tours are split by a move.  A few trials find a move that raises the
bound in both cases (strong branching).

A square without a transition costs a penalty far above the bound.  So the program always has a
solution, and the potentials of an impossible case are found in the same way.

Source: this package, with the cuts of G. Dantzig, R. Fulkerson and S. Johnson, "Solution of a
large-scale traveling-salesman problem", Operations Research 2, 1954, and strong branching after D.
Applegate and others, "The Traveling Salesman Problem", 2006.  Cost: about 0.05 s a case on 8x8.
When it loses: if the relaxation is more than one or two below the optimum, the tree is too large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.optimization.transitions import choice_costs, round_up
from kt_cp.proofs.potentials import SCALES, CaseProgram, violated_cuts
from kt_cp.trust.check.bound import LONGEST, PATH_COVER, Case, Cut, choices_of, sum_of_minima
from kt_cp.trust.check.frame import END

if TYPE_CHECKING:
    from kt_cp.model.limits import Clock
    from kt_cp.trust.check.bound import Cost
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]
Tree = dict[str, Any]

TRIED = 8
"""Moves that are tried before one of them is chosen to split the tours."""

CLOSE = 1e-6

BY_MOVE, BY_SQUARE = ("unused", "used"), ("skipped", "visited")
"""The cases of a split, by a move or by a square; the second case is tried first."""


@dataclass
class Proof:
    """A possibly unfinished tree of cases to prove that every tour costs at least the target."""

    target: int
    cases: Tree = field(default_factory=lambda: {"tree": None})
    """The tree, under the key ``"tree"``; None stands for an open case."""
    is_refuted: bool = False  # whether a case was found that costs less

    @property
    def is_finished(self) -> bool:
        """Return whether no case is open."""
        waiting = [self.cases["tree"]]
        while waiting:
            tree = waiting.pop()
            if tree is None:
                return False
            waiting += [tree[name] for name in (*BY_MOVE, *BY_SQUARE) if name in tree]
        return True


class BoundProver(CaseProgram):
    """A linear program about the tours of a frame.

    ``cost`` is the cost of a vertex by its two neighbours.  ``should_stop`` is called before each
    case with the number of cases; if it returns true, the proof ends unfinished.  ``clock`` ends a
    linear program that takes too long, by :class:`TimeLimitReachedError`.
    """

    def __init__(
        self,
        frame: Frame,
        objective: str,
        cost: Cost,
        should_stop: Callable[[int], bool] = lambda _: False,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(frame)  # a case also has squares, visited or not, by ~vertex
        self.objective, self.cost = objective, cost
        self.should_stop, self.clock = should_stop, clock
        self.vertex = {name: v for v, name in enumerate(frame.names[: frame.squares])}
        self.cases = 0
        self.cuts: list[Cut] = []
        self._build()
        self.root = {self.number[edge]: True for edge in frame.must}
        self.enter(self.root)

    def _build(self) -> None:
        solver = self.solver
        self.having: dict[tuple[int, int], list[Any]] = {}
        """Variables of the choices that have an edge, by the edge and one of its ends; twice if
        they have it twice."""
        self.at_square: list[list[Any]] = []
        self.skipped: dict[int, Any] = {}
        self.bans: Counter[Any] = Counter()
        """The number of splits that exclude a variable."""
        costs = choice_costs(self.frame, self.objective, self.cost)
        self.penalty = 10_000.0 + 4 * sum(max(map(abs, row.values()), default=0) for row in costs)
        """The cost of a square without a choice."""
        objective = solver.Objective()
        for vertex, choices in enumerate(costs):
            row = solver.Constraint(1.0, 1.0)
            slack = solver.NumVar(0.0, solver.infinity(), "")
            row.SetCoefficient(slack, 1.0)
            objective.SetCoefficient(slack, self.penalty)
            self.at_square.append([])
            for choice, cost in choices.items():
                variable = solver.NumVar(0.0, 1.0, "")
                row.SetCoefficient(variable, 1.0)
                objective.SetCoefficient(variable, float(cost))
                self.at_square[vertex].append(variable)
                if not choice:
                    self.skipped[vertex] = variable
                for number in (self._edge(vertex, other) for other in choice):
                    self.having.setdefault((number, vertex), []).append(variable)
        self.at_end: dict[int, Any] = {}
        """Variables of the edges at ends, which have no choices."""
        for end in () if self.objective == PATH_COVER else self.frame.ends:
            row = solver.Constraint(2.0, 2.0)
            for sign in (1.0, -1.0):
                slack = solver.NumVar(0.0, solver.infinity(), "")
                row.SetCoefficient(slack, sign)
                objective.SetCoefficient(slack, self.penalty)
            for other in self.frame.neighbours[end]:
                number = self._edge(end, other)
                if number not in self.at_end:
                    self.at_end[number] = solver.NumVar(0.0, 1.0, "")
                row.SetCoefficient(self.at_end[number], 1.0)
        self.links: list[Any] = []
        for number, (u, v) in enumerate(self.edges):
            link = solver.Constraint(0.0, 0.0)
            if v < self.frame.squares or number in self.at_end:
                for variable in self.having.get((number, u), ()):
                    link.SetCoefficient(variable, 1.0)
                for variable in self.having.get((number, v), ()):
                    link.SetCoefficient(variable, -1.0)
                if number in self.at_end and u < self.frame.squares:
                    link.SetCoefficient(self.at_end[number], -1.0)
            self.links.append(link)

    def _edge(self, u: int, v: int) -> int:
        return self.number[min(u, v), max(u, v)]

    def bound(self) -> tuple[int, Tree] | None:
        """Return the best bound without cases, and its leaf."""
        value = self._solve_with_cuts()
        least = round_up(value)
        leaf = self._leaf(least)
        return None if leaf is None else (least, leaf)

    def prove(self, proof: Proof) -> None:
        """Close the open cases of a proof, until none is left, a tour costs less, or time is over.

        The proof is consistent after each step, so that an interrupted proof can be resumed.
        """
        waiting: list[tuple[dict[int, bool], Tree, str]] = [(self.root, proof.cases, "tree")]
        while waiting:
            case, parent, key = waiting.pop()
            if parent[key] is None:
                self.cases += 1
                if self.should_stop(self.cases):
                    return
                self.enter(case)
                parent[key] = self._examine(proof.target)
                if parent[key] is None:
                    proof.is_refuted = not self.should_stop(self.cases)
                    return
            for name, number, choice in self._split(parent[key]):
                waiting.append(({**case, number: choice}, parent[key], name))

    def _examine(self, least: int) -> Tree | None:
        """Return a leaf that shows the bound for this case, or a split; None if it costs less."""
        value = self._solve_with_cuts(least)
        if value > least - 1 + CLOSE and (leaf := self._leaf(least)) is not None:
            return leaf
        shares = dict(enumerate(self._usage()))
        shares |= {~vertex: 1 - each.solution_value() for vertex, each in self.skipped.items()}
        open_ = [
            number
            for number, share in shares.items()
            if number not in self.splits and 1e-5 < share < 1 - 1e-5
        ]
        if not open_:
            return None
        number = self.branch(sorted(open_, key=lambda each: abs(shares[each] - 0.5))[:TRIED])
        assert number is not None
        if number < 0:
            return {"square": self.frame.names[~number], **dict.fromkeys(BY_SQUARE)}
        return {"move": self.names(number), **dict.fromkeys(BY_MOVE)}

    def _split(self, tree: Tree) -> Iterator[tuple[str, int, bool]]:
        """Return the names of the cases of a tree, and the edge or square that they decide."""
        if "square" in tree:
            number, names = ~self.vertex[tree["square"]], BY_SQUARE
        elif "move" in tree:
            u, last = self.vertex[tree["move"][0]], tree["move"][1]
            ends = (end for end in self.frame.ends if end in self.frame.neighbours[u])
            number, names = self._edge(u, next(ends) if last == END else self.vertex[last]), BY_MOVE
        else:
            return
        yield from zip(names, (number, number), (False, True), strict=True)

    def split(self, number: int, choice: bool) -> None:
        """Enter the case of a used or unused edge, or of a visited or skipped square."""
        self.splits[number] = choice
        for variable in self._excluded(number, choice):
            self.bans[variable] += 1
            variable.SetUb(0.0)
        if number in self.at_end:
            # The choices at a square already require its edge.  A lower bound as well could make
            # the program infeasible, and then it has no dual solution.
            is_between_ends = self.edges[number][0] >= self.frame.squares
            self.at_end[number].SetBounds(float(choice and is_between_ends), float(choice))

    def leave(self, number: int) -> None:
        """Leave the case of an edge or a square."""
        for variable in self._excluded(number, self.splits.pop(number)):
            self.bans[variable] -= 1
            if not self.bans[variable]:
                variable.SetUb(1.0)
        if number in self.at_end:
            self.at_end[number].SetBounds(0.0, 1.0)

    def _excluded(self, number: int, choice: bool) -> Iterator[Any]:
        """Return the choices that are excluded in a case."""
        if number < 0:
            vertex = ~number
            if choice:
                yield self.skipped[vertex]
            else:
                for other in self.frame.neighbours[vertex]:
                    yield from self.having.get((self._edge(vertex, other), vertex), ())
                    yield from self.having.get((self._edge(vertex, other), other), ())
            return
        for vertex in self.edges[number]:
            having = self.having.get((number, vertex), [])
            if not choice:
                yield from having
            elif vertex < self.frame.squares:
                yield from {*self.at_square[vertex]} - {*having}

    def solve(self) -> float:
        """Solve the program with the bounds of the case; at most the penalty is returned."""
        if self.clock is not None and self.clock.left is not None:
            self.solver.SetTimeLimit(max(1, int(1000 * self.clock.left)))
        status = self.solver.Solve()
        if status != self.solver.OPTIMAL:
            if self.clock is not None and self.clock.expired():
                raise TimeLimitReachedError("the linear program takes too long")
            return self.penalty  # two edges at an end exclude each other
        return min(float(self.solver.Objective().Value()), self.penalty)

    def _solve_with_cuts(self, least: float = float("inf")) -> float:
        """Solve, and add cuts that the solution violates, until there are none."""
        while True:
            value = self.solve()
            if value >= self.penalty / 2 or value > least - 1 + 10 * CLOSE:
                return value
            cuts = self._violated(self._usage())
            if not cuts or self.should_stop(self.cases):
                return value
            for cut in cuts:
                self._add(cut)

    def _usage(self) -> list[float]:
        """Return how much of each edge the solution uses."""
        usage = []
        for number, (u, _) in enumerate(self.edges):
            if number in self.at_end:
                usage.append(self.at_end[number].solution_value())
            else:
                usage.append(
                    sum(each.solution_value() for each in self.having.get((number, u), ()))
                )
        return usage

    def _add(self, cut: Cut) -> None:
        row = self.solver.Constraint(2.0, self.solver.infinity())
        coefficients = {self.skipped[v]: 2.0 for v in cut.visited if v in self.skipped}
        for number, (u, v) in enumerate(self.edges):
            if (u in cut.inside) != (v in cut.inside):
                for variable in self.having.get((number, u if u < self.frame.squares else v), ()):
                    coefficients[variable] = coefficients.get(variable, 0.0) + 1.0
        for variable, coefficient in coefficients.items():
            row.SetCoefficient(variable, coefficient)
        self.cuts.append(cut)
        self.cut_rows.append(row)

    def _violated(self, usage: list[float]) -> list[Cut]:
        """Return sets of squares whose boundary the solution crosses less than twice."""
        skipped = [v for v, skip in self.skipped.items() if skip.solution_value() > 1 - CLOSE]
        parts = violated_cuts(
            self.frame, usage, left_out=skipped, ends_apart=self.objective == PATH_COVER
        )
        cuts = (self._cut(part) for part in sorted(parts, key=sorted))
        return [cut for cut in cuts if cut is not None and cut not in self.cuts]

    def _cut(self, part: frozenset[int]) -> Cut | None:
        """Return the cut of a set; for the longest path, for the squares that are visited most."""
        if self.objective != LONGEST:
            return Cut(1, part)

        def share(vertex: int) -> float:
            skip = self.skipped.get(vertex)
            return 1.0 if skip is None else 1 - skip.solution_value()

        outside = [vertex for vertex in range(self.frame.squares) if vertex not in part]
        sides = [part] if self.frame.ends else [part, outside]
        if not all(sides):
            return None
        return Cut(1, part, tuple(max(sorted(side), key=share) for side in sides))

    def _leaf(self, least: int) -> Tree | None:
        """Return the dual values as numbers of a leaf that shows a bound, at the smallest scale."""
        choices = choices_of(self.frame, self.objective, self._case())
        if not all(choices):
            return {}
        links = [link.dual_value() for link in self.links]
        weights = [max(0.0, row.dual_value()) for row in self.cut_rows]
        for scale in SCALES:
            whole = [round(weight * scale) for weight in weights]
            cuts = [
                replace(cut, weight=weight)
                for cut, weight in zip(self.cuts, whole, strict=True)
                if weight
            ]
            # The dual value of a cut lowers the cost of its edges at the end with the choices.
            numbers = [
                -round(link * scale)
                - sum(cut.weight for cut in cuts if (u in cut.inside) != (v in cut.inside))
                * (u < self.frame.squares)
                for link, (u, v) in zip(links, self.edges, strict=True)
            ]
            potential = self.both_ways(numbers)
            total = sum_of_minima(
                self.frame, self.objective, self.cost, choices, scale, potential, cuts
            )
            if total is None or total > scale * (least - 1):
                return {
                    "scale": scale,
                    "potentials": numbers,
                    "cuts": [self._cut_document(cut) for cut in cuts],
                }
        return None

    def _case(self) -> Case:
        """Return the splits as the checker reads them."""
        root = Case.root(self.frame)
        edges = {self.edges[each]: choice for each, choice in self.splits.items() if each >= 0}
        squares = {~each: choice for each, choice in self.splits.items() if each < 0}
        return replace(
            root,
            used=root.used | {edge for edge, choice in edges.items() if choice},
            unused=frozenset(edge for edge, choice in edges.items() if not choice),
            visited=root.visited | {vertex for vertex, choice in squares.items() if choice},
            skipped=frozenset(vertex for vertex, choice in squares.items() if not choice),
        )

    def _cut_document(self, cut: Cut) -> dict[str, Any]:
        visited = (self.frame.names[vertex] for vertex in cut.visited)
        names = zip(("inside", "outside"), visited, strict=False)
        squares = [self.frame.names[vertex] for vertex in sorted(cut.inside)]
        return {"weight": cut.weight, "squares": squares, **dict(names)}
