"""The search for the best tour, and then for a certificate that none is better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve_request
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.limits import LEAST_SECONDS, Limits, TimeLimitReachedError
from kt_cp.model.outcome import Certificate, Verdict
from kt_cp.model.request import Request
from kt_cp.model.terms import is_minimized
from kt_cp.optimization.optimum import Optimum
from kt_cp.optimization.transitions import cheapest_cycle, choice_costs
from kt_cp.optimization.weights import read_weights
from kt_cp.trust.check.bound import (
    LEAST_WEIGHT,
    LONGEST,
    MEASURED,
    PARTIAL,
    PATH_COVER,
    Weights,
    costs_of,
    fault_of_paths,
    in_units,
    target_of,
    value_of,
)
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.limits import Clock
    from kt_cp.model.tour import Tour
    from kt_cp.optimization.bounds import Proof
    from kt_cp.trust.check.bound import Cost

FIRST_SHARE = 0.3
"""The share of a time limit for finding a tour first, which would also be a longest path."""

SEARCH_SHARE = 0.6
"""The share of a time limit that the search for tours gets; the proof gets the rest."""

RESUMED_SEARCH_SHARE = 0.2
"""The same, if an earlier run has begun the proof that the best tour needs."""

MEDIUM, LARGE = 80, 400
"""Squares above which local search comes before CP-SAT, and above which it replaces it, because
CP-SAT no longer improves a tour within a minute."""

COMPILE_SECONDS = 10
"""A time limit up to which medium boards have no local search: compiling it the first time takes
about as long."""

LOCAL_SHARE = 0.85
"""The share of a time limit for local search; the certificate is checked afterwards."""


class CertifiedSearch:
    """The steps of one optimization, and the best so far."""

    def __init__(self, request: Request, objective: str, weight: str, engine: str) -> None:
        self.request, self.objective, self.engine = request, objective, engine
        self.frame = frame_of(request.problem, partial=objective in PARTIAL)
        self.weights = Weights()
        self.statistics: dict[str, float] = {}
        if objective == LEAST_WEIGHT:
            self.weights, rounded = read_weights(self.frame, request.problem, weight)
            if rounded:
                self.statistics["weight_unit"] = in_units(1, self.weights.denominator)
        self.costs = costs_of(self.frame, objective, self.weights.values)
        self.paths: list[list[int]] = []
        """The best cycle, or paths of a cover; empty if there is none yet."""
        self.cost: int | None = None
        self.proofs = [self._simple_proof(cost) for cost in self.costs]
        """For each sum a bound, and its tree."""
        self.unfinished: list[Proof | None] = [None for _ in self.costs]
        """For each sum the unfinished proof of a better bound."""
        self.search_share = SEARCH_SHARE
        self.earlier: dict[str, float] = {}
        """The statistics of an earlier answer."""
        self.limit: str | None = None

    def resume(self, document: Mapping[str, Any]) -> None:
        """Use the tour and the proofs of an earlier answer as the best so far."""
        from kt_cp.optimization.resume import read_earlier

        earlier = read_earlier(document, self.request.problem, self.objective, self.weights)
        vertex = {name: v for v, name in enumerate(self.frame.names[: self.frame.squares])}
        paths = [[vertex[name] for name in path] for path in earlier.paths]
        if self.objective != PATH_COVER:
            paths = [cycle_of(self.frame, paths[0])]
        self._improve(paths)
        self.earlier = earlier.statistics
        for number, proof in enumerate(earlier.proofs):
            self.proofs[number] = max(self.proofs[number], proof, key=lambda each: each[0])
        if any(earlier.unfinished):
            self.unfinished = earlier.unfinished
            self.search_share = RESUMED_SEARCH_SHARE

    def begin(self, tour: Tour) -> None:
        """Use a tour as the best so far."""
        squares = [self.frame.number[square] for square in tour]
        self._improve([squares if self.objective == PATH_COVER else cycle_of(self.frame, squares)])

    def begin_with_a_square(self) -> None:
        """Use a path of a single square as the best so far, if the conditions allow it."""
        problem = self.request.problem
        if not problem.closed and not problem.require and None in (problem.start, problem.end):
            given = next((each for each in (problem.start, problem.end) if each is not None), None)
            self._improve([[self.frame.number.get(given, 0), *self.frame.ends]])

    def run(self) -> Optimum:
        """Search, then prove, each within its share of the time."""
        problem, objective = self.request.problem, self.objective
        try:
            begin = self.request.clock.elapsed
            is_large = self._can_search_locally(LARGE)
            if is_large:
                self._bound_by_repetition()
            if not (self.earlier and self._is_attained()):
                claimed = None if is_large else self._claimed_before()
                if claimed is None:
                    claimed = self._improve_tour(is_large)
                self.statistics["search_seconds"] = self.request.clock.elapsed - begin
                if claimed is not None:
                    self.statistics["claimed_bound"] = self._value(claimed)
                if self.limit is None and not is_large:
                    self._prove(claimed)
        except (KeyboardInterrupt, TimeLimitReachedError) as stop:  # the best so far is the answer
            self.limit = "interrupted" if isinstance(stop, KeyboardInterrupt) else "time"
        certificate = self._certificate()
        bound = min(cost for cost, _ in self.proofs)
        if not self._is_attained() and self.limit is None and self.request.expired():
            self.limit = "time"
        self.statistics["seconds"] = self.request.clock.elapsed
        if self.earlier:
            self._add_statistics()
        found = Optimum(
            problem,
            objective,
            certificate=certificate,
            limit=self.limit,
            statistics=self.statistics,
            unfinished=self._unfinished(),
        )
        if self.cost is None:
            is_proved = self._value(bound) <= 2
            reason = "no closed path exists" if is_proved else "the search was stopped"
            return replace(
                found, verdict=Verdict.IMPOSSIBLE if is_proved else Verdict.UNKNOWN, reason=reason
            )
        found = replace(found, value=self._value(self.cost), verdict=Verdict.FOUND)
        if certificate is not None:
            found = replace(found, bound=self._value(bound), bound_by="certificate")
        if objective == PATH_COVER:
            return replace(found, paths=self._tours())
        return replace(found, tour=self._tours()[0])

    def _claimed_before(self) -> int | None:
        """Return the cost of the best tour, if an earlier search ended with it as the best."""
        is_best = self.cost is not None and self.earlier.get("claimed_bound") == self._value(
            self.cost
        )
        return self.cost if is_best else None

    def _is_attained(self) -> bool:
        """Return whether the best tour attains the bound."""
        bound = min(cost for cost, _ in self.proofs)
        return self.cost is not None and self._value(bound) == self._value(self.cost)

    def _add_statistics(self) -> None:
        """Turn the statistics into totals of all runs."""
        from kt_cp.optimization.resume import TOTALS

        runs = {**self.statistics, "runs": 1}
        earlier = {"runs": 1, **self.earlier}
        totals = {key: earlier.get(key, 0) + runs.get(key, 0) for key in TOTALS}
        self.statistics = {**earlier, **self.statistics, **totals}

    def _unfinished(self) -> list[dict[str, Any] | None] | None:
        """Return the interrupted proofs of better bounds, or None."""
        bound = min(cost for cost, _ in self.proofs)
        found = [
            None
            if proof is None or proof.target <= bound or proof.cases["tree"] is None
            else {
                "bound": value_of(self.frame, self.objective, proof.target),
                "tree": proof.cases["tree"],
            }
            for proof in self.unfinished
        ]
        return found if any(found) else None

    def _improve_tour(self, is_large: bool) -> int | None:
        """Search locally, by an engine, or both; return the bound that the engine claims."""
        left = self.request.clock.left
        has_time = is_large or left is None or left > COMPILE_SECONDS
        if has_time and self._can_search_locally(MEDIUM):
            self._search_locally(LOCAL_SHARE if is_large else FIRST_SHARE)
        # A tour is the best path or cover.
        best = 2 if self.objective == PATH_COVER else 0
        is_ideal = self.objective in PARTIAL and self.cost == best
        return None if is_large or is_ideal else self._search()

    def _can_search_locally(self, least: int) -> bool:
        """Return whether local search supports the problem, with more than ``least`` squares."""
        problem = self.request.problem
        is_free = not any(isinstance(each, Given | Symmetry) for each in problem.conditions)
        is_default = self.engine == "cpsat"
        return self.objective in MEASURED and problem.size > least and is_free and is_default

    def _bound_by_repetition(self) -> None:
        """Find bounds from potentials that repeat."""
        from kt_cp.optimization.repeated_potentials import repeated_potentials

        for number, cost in enumerate(self.costs):
            self.request.announce("proving the bound")
            left = self.request.clock.left
            choices = choice_costs(self.frame, self.objective, cost)
            seconds = None if left is None else left / 4
            found = repeated_potentials(self.frame, choices, seconds)
            if found is not None and found[0] > self.proofs[number][0]:
                self.proofs[number] = found

    def _search_locally(self, share: float) -> None:
        """Improve the tour by local search, in a share of the time."""
        from kt_cp.optimization.large_boards import improve_tour
        from kt_cp.optimization.local_search import layout_of

        search = self.request.within(share=share)
        bound = self._value(min(cost for cost, _ in self.proofs))
        for done, cost in enumerate(self.costs):
            search.announce("searching")
            step = search.within(share=1 / (len(self.costs) - done))
            layout = layout_of(self.frame, choice_costs(self.frame, self.objective, cost))

            def spent(least: int, clock: Clock = step.clock) -> float:
                search.report({"value": self._value(least), "bound": bound})
                return 1.0 if self._value(least) == bound else share_spent(clock)

            improve_tour(
                self.frame,
                layout,
                self.paths[0],
                self.request.seed,
                spent,
                lambda cycle: self._improve([cycle]),
            )

    def _simple_proof(self, cost: Cost) -> tuple[int, Any]:
        """Return a bound without potentials, and its tree: the sum of the least at each square."""
        tree = {"scale": 1, "potentials": [0] * len(self.frame.edges()), "cuts": []}
        choices = choice_costs(self.frame, self.objective, cost)
        if not all(choices):
            return self.frame.squares - 2, {}  # no cycle at all
        return sum(min(row.values()) for row in choices), tree

    def _value(self, cost: int) -> float:
        """Return the value of a cost, in units of weight if it is one."""
        value = value_of(self.frame, self.objective, cost)
        return in_units(value, self.weights.denominator)

    def _cost(self, paths: list[list[int]]) -> int:
        """Return the cost of a cycle, or of paths of a cover."""
        if self.objective == PATH_COVER:
            return 2 * len(paths)
        (cycle,) = paths
        if self.objective == LONGEST:
            return self.frame.squares - sum(vertex < self.frame.squares for vertex in cycle)
        near = zip(cycle, [*cycle[-1:], *cycle[:-1]], [*cycle[1:], *cycle[:1]], strict=True)
        around = [each for each in near if each[0] < self.frame.squares]
        return min(sum(cost(*each) for each in around) for cost in self.costs)

    def _improve(self, paths: list[list[int]]) -> None:
        """Keep paths if they are better than the best so far."""
        cost = self._cost(paths)
        if self.cost is None or cost < self.cost:
            self.paths, self.cost = paths, cost
            if wrong := self._fault():
                label = self.request.problem.label
                raise UnsoundEngineError(f"the tour of {label} by optimize: {wrong}")

    def _fault(self) -> str | None:
        """Return a defect of the best so far, or None."""
        tours = self._tours()
        if self.objective in PARTIAL:
            paths = [[self.frame.number[square] for square in tour] for tour in tours]
            return fault_of_paths(self.frame, paths, cover=self.objective == PATH_COVER)
        found = defects(self.request.problem, tours[0])
        return str(found[0]) if found else None

    def _tours(self) -> list[Tour]:
        """Return the best paths as tours."""
        if self.objective == PATH_COVER:
            nodes, problem = self.frame.problem.nodes, self.request.problem
            return [problem.tour([nodes[vertex] for vertex in path]) for path in self.paths]
        return [tour_of(self.frame, cycle) for cycle in self.paths]

    def _search(self) -> int | None:
        """Improve the tour by CP-SAT; return the bound that it claims."""
        from kt_cp.optimization.maxsat import cheapest_by_maxsat

        bounds: list[int | None] = []
        search = self.request.within(share=self.search_share)
        for done, cost in enumerate(self.costs):
            step = search.within(share=1 / (len(self.costs) - done))
            search.announce("searching")
            if self.engine == "maxsat":
                left = None if step.clock.left is None else max(step.clock.left, 0.01)
                limits = Limits(left, step.limits.megabytes)
                weights = self.weights.values
                best = cheapest_by_maxsat(step.problem, self.objective, weights, done, limits)
            else:
                best = cheapest_cycle(
                    self.frame,
                    self.objective,
                    cost,
                    [] if self.objective == PATH_COVER else self.paths,
                    step.clock,
                    workers=self.request.limits.workers or 1,
                    seed=self.request.seed,
                    progress=self.request.progress,
                    known=self._known(done, bounds),
                )
            if best.paths is not None:
                self._improve(best.paths)
            bounds.append(best.bound)
            if best.interrupted:
                self.limit = "interrupted"
                return None
        return None if None in bounds else min(each for each in bounds if each is not None)

    def _known(self, done: int, bounds: list[int | None]) -> tuple[float, float]:
        """Return the best cost so far, and the least bound of all sums but one."""
        others = [
            cost if bound is None else bound
            for bound, (cost, _) in zip(bounds, self.proofs, strict=False)
        ]
        others += [cost for cost, _ in self.proofs[done + 1 :]]
        return math.inf if self.cost is None else self.cost, min(others, default=math.inf)

    def _prove(self, claimed: int | None) -> None:
        """Find a proof of the best cost, or of the best weaker bound within the time."""
        from kt_cp.optimization.bounds import BoundProver

        self.request.announce("proving the bound")
        best = self.frame.squares - 2 if self.cost is None else self.cost
        cases = 0
        for number, cost in enumerate(self.costs):
            prover = BoundProver(
                self.frame, self.objective, cost, self._should_stop, self.request.clock
            )
            found = prover.bound()
            if found is None:
                return
            if found[0] >= min(best, self.proofs[number][0]):
                self.proofs[number] = min(found[0], best), found[1]
            for proof in self._next_proofs(number, claimed, best):
                self.unfinished[number] = proof
                prover.prove(proof)
                if proof.is_finished:
                    self.proofs[number] = proof.target, proof.cases["tree"]
                elif proof.is_refuted:
                    self.unfinished[number] = None
                if not proof.is_finished:
                    break
            cases += prover.cases
            self.statistics["cases"] = cases

    def _certificate(self) -> Certificate | None:
        """Return a checked certificate of the proofs, with the best tour if it is optimal."""
        from kt_cp.proofs.certificate import accepted

        value = value_of(self.frame, self.objective, min(cost for cost, _ in self.proofs))
        evidence: dict[str, Any] = {
            "kind": "bound",
            "objective": self.objective,
            "bound": value,
            "trees": [tree for _, tree in self.proofs],
        }
        if self.objective == LEAST_WEIGHT:
            values = [*self.weights.values]
            evidence["weights"] = {"denominator": self.weights.denominator, "values": values}
        if self.cost is not None and value == value_of(self.frame, self.objective, self.cost):
            names = [tour.names for tour in self._tours()]
            evidence |= {"paths": names} if self.objective == PATH_COVER else {"tour": names[0]}
        return accepted(self.request.problem, evidence, ("ortools",))

    def _targets(self, least: int, bound: int | None, best: int) -> list[int]:
        """Return the costs to prove, from one that is proved to the best."""
        first = max(least + 1, best if bound is None else min(bound, best))
        if self.objective == LEAST_WEIGHT:
            return sorted({first, best} - {least}) if first <= best else []
        targets = range(first, best + 1)
        values = dict.fromkeys(value_of(self.frame, self.objective, each) for each in targets)
        # Sums of covers are even, so a bound needs one less.
        return [target_of(self.frame, self.objective, each) for each in values]

    def _next_proofs(self, number: int, claimed: int | None, best: int) -> list[Proof]:
        """Return proofs of a sum to try; the first may be that of an earlier answer."""
        from kt_cp.optimization.bounds import Proof

        targets = self._targets(self.proofs[number][0], claimed, best)
        begun = self.unfinished[number]
        if begun is None or not targets or begun.target <= self.proofs[number][0]:
            return [Proof(target) for target in targets]
        begun.target = min(begun.target, targets[-1])  # a better tour may be known since
        return [begun, *(Proof(target) for target in targets if target > begun.target)]

    def _should_stop(self, cases: int) -> bool:
        self.request.report({"cases": cases})
        return self.request.expired()


def search_by_model(request: Request, objective: str) -> Optimum:
    """Find the best tour by a CP-SAT model, whose bound has no certificate."""
    problem, name = request.problem, objective.partition("-")[2]
    answer = solve_request(request, "auto")
    best = Optimum.from_outcome(answer, objective)
    if answer.tour is None:
        return replace(best, statistics={"seconds": request.clock.elapsed})
    frame = frame_of(problem)
    cycle = cycle_of(frame, [frame.number[square] for square in answer.tour])
    begin = request.clock.elapsed
    request.announce("searching")
    found = cheapest_cycle(
        frame,
        objective,
        None,
        [cycle],
        request.clock,
        workers=request.limits.workers or 1,
        seed=request.seed,
        progress=request.progress,
    )
    sign = -1 if is_minimized(objective) else 1
    for path in found.paths or ():
        tours = [tour_of(frame, path)]
        if name.startswith("magic"):  # they depend on the first square
            squares = [*tours[0]]
            shifts = range(len(squares) if problem.closed else 1)
            turned = [squares[shift:] + squares[:shift] for shift in shifts]
            tours = [problem.tour(each) for way in turned for each in (way, way[::-1])]
        tours = [tour for tour in (answer.tour, *tours) if not defects(problem, tour)]
        best = replace(best, tour=max(tours, key=lambda tour: sign * tour.measures()[name]))
    assert best.tour is not None
    value = best.tour.measures()[name]
    bound = None if found.bound is None else value_of(frame, objective, found.bound)
    if bound is not None and sign * value > sign * bound:
        raise UnsoundEngineError(
            f"CP-SAT claims {bound:,} for {objective} of {problem.label}, and a tour has {value:,}"
        )
    limit = "interrupted" if found.interrupted else "time" if value != bound else None
    elapsed = request.clock.elapsed
    statistics = {"seconds": elapsed, "search_seconds": elapsed - begin}
    if bound is not None:
        statistics["claimed_bound"] = bound
    return replace(
        best,
        value=value,
        bound=bound,
        bound_by=None if bound is None else "cpsat",
        certificate=None,
        limit=limit,
        statistics=statistics,
    )


def share_spent(clock: Clock) -> float:
    """Return the share of a limit that is spent, 0 without one."""
    return 0.0 if clock.seconds is None else clock.elapsed / max(clock.seconds, LEAST_SECONDS)


def cycle_of(frame: Frame, cycle: list[int]) -> list[int]:
    """Return the vertices of a tour as a cycle of the frame."""
    ends = list(frame.ends)
    if len(ends) == 2 and ends[0] not in frame.neighbours[cycle[-1]]:
        ends.reverse()
    return cycle + ends


def tour_of(frame: Frame, cycle: Sequence[int]) -> Tour:
    """Return the tour of a cycle of the frame, from its start to its end."""
    problem = frame.problem.problem
    nodes = frame.problem.nodes
    first = cycle.index(frame.number[problem.start]) if problem.start is not None else 0
    if problem.closed and problem.given:
        square, step = next(iter(problem.given.items()))
        first = (cycle.index(frame.number[square]) - step + 1) % len(cycle)
    if not problem.closed:
        places = [place for place, vertex in enumerate(cycle) if vertex >= frame.squares]
        last = max(places) if max(places) - min(places) < 2 else min(places)
        first = (last + 1) % len(cycle)
    turned = [*cycle[first:], *cycle[:first]]
    squares = [nodes[vertex] for vertex in turned if vertex < frame.squares]
    if not problem.closed and (
        problem.start not in (None, squares[0]) or problem.end not in (None, squares[-1])
    ):
        squares.reverse()
    return problem.tour(squares)
