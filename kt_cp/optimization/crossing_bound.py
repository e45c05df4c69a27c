"""A bound of crossings from small windows of the board, by a linear program.

A *window* has the moves inside a rectangle of up to 4x4 or 3x6 squares, or all moves at four
squares.  A *pattern* is a set of these moves that a tour can have: no square has more than two, a
square with all its moves in the window has exactly two, and no moves form a cycle.  Every tour, cut
to a window, is one pattern.  So a tour assigns the weight 1 to one pattern of each window, and all
windows agree on the moves that are used, and on the pairs of moves that cross or touch.  The linear
program has a variable for each pattern of each window, for each move, and for each such pair.  Its
least number of crossings is a bound.  Averages of a tour over the motions of the board that
preserve the problem satisfy the same rows.  So the images under such motions share a variable.

There are millions of patterns.  The program begins with those of one tour.  Its dual values are
prices of moves and pairs in each window, and the cheapest patterns at these prices are added next
(column generation).  The prices stay near the best so far, and move only a part of the way, which
saves most rounds (O. du Merle and others, "Stabilized column generation", Discrete Mathematics 194,
1999; P. Wentges, "Weighted Dantzig-Wolfe decomposition", International Transactions in Operational
Research 4, 1997).

Any prices give a bound (Lagrange): each window costs at least its cheapest pattern.  The prices are
rounded to whole numbers, and these minima over all patterns are added up.  So rounding in the LP
solver cannot make the bound wrong.  It is still no certificate: no checker repeats the sum.

Source: this package; programs over local patterns are those of H. Sherali and W. Adams, SIAM
Journal on Discrete Mathematics 3, 1990.  Cost: a window of 4x4 squares has 1.8 million patterns;
the bound of closed 8x8 is 57 after about 15 s, and 59 after 40 s, when these windows show no more.
Windows of 3x6 squares take a minute to begin and show 65 after three; they contain moves across the
whole width of a strip.  CP-SAT with products of moves has 48. When it loses: the program itself is
below the best value.  On closed 6x6, windows of 3x4 squares show 48, with 2x2 squares 50, and the
best tour has 52.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from kt_cp.model.measures import crosses
from kt_cp.optimization.crossing_sweep import edge_image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.optimization.crossing_sweep import Edge, Sweep

    Numbers = NDArray[Any]

INSIDE, AT = "inside", "at"
"""Kinds of windows: the moves inside a rectangle, or all moves at its squares."""

STAGES = (
    ((INSIDE, 3, 3),),
    ((INSIDE, 3, 4), (INSIDE, 4, 3)),
    ((INSIDE, 4, 4),),
    ((INSIDE, 3, 6), (INSIDE, 6, 3)),
    ((AT, 2, 2),),
)
"""Kinds and sides of windows.  Each stage begins with the prices of the one before."""

MOST_MOVES = 40
"""Most moves of a window; a pattern is a number with this many bits."""

MOST_PATTERNS = 3_000_000
"""Most patterns of a window; for a knight, a window of 4x4 squares has 1,753,384."""

NEW_PATTERNS = 12
"""Patterns of each window that are added in a round."""

STEADY = 0.5
"""The weight of the best prices so far in those of the next round.  On 6x6, windows of 3x4 take 50
rounds; they take 80 with 0.9."""

REACH = (20.0, 20.0, 1.0, 1.0, 1.0)
"""The largest distance of the dual values of each stage from the best prices so far."""

UNIT = 1_000_000
"""The scale of prices in whole numbers."""

NO_BOUND = -(10**15)
LEAST_GAIN = 10
"""Parts of ``UNIT`` that a round must gain if it finds no new pattern."""


@dataclass
class Window:
    """A window, which represents its images under motions of the board."""

    edges: list[int]  # the moves inside, by their numbers in the problem
    pairs: list[Edge]  # its pairs of moves that cross or touch
    patterns: Numbers  # sets of moves, as bits by their places
    classes: Numbers
    """For each move and then each pair a number, the same for those that a motion of the window
    joins.  They share a price."""

    def pattern(self, tour: set[int]) -> int:
        """Return the pattern of the edges of a tour."""
        return sum(1 << bit for bit, number in enumerate(self.edges) if number in tour)

    def held(self, pattern: int) -> list[bool]:
        """Return a flag for each move of a pattern, and then for each pair."""
        used = {number for bit, number in enumerate(self.edges) if pattern >> bit & 1}
        return [*({n} <= used for n in self.edges), *({*pair} <= used for pair in self.pairs)]

    def costs(self, prices: Numbers) -> Numbers:
        """Return the sum of prices of each pattern; the prices are of moves and then of pairs."""
        bit = {number: index for index, number in enumerate(self.edges)}
        pairs = zip(self.pairs, prices[len(bit) :].tolist(), strict=True)
        of_pairs = [(bit[one], bit[other], price) for (one, other), price in pairs if price]
        index = np.arange(1 << 16)
        total = np.zeros(len(self.patterns), np.int64)
        parts = range(max(2, -(-len(bit) // 8)))
        for first, second in combinations(parts, 2):
            table = np.zeros(1 << 16, np.int64)
            own = {part for part in (first, second) if part == first + 1 or second == 1}
            for place, price in enumerate(prices[: len(bit)].tolist()):
                if place // 8 in own:
                    table += price * (index >> (place % 8 + 8 * (place // 8 == second)) & 1)
            for one, other, price in of_pairs:
                if (both := {one // 8, other // 8}) == {first, second} or both <= own:
                    shifts = (each % 8 + 8 * (each // 8 == second) for each in (one, other))
                    table += price * (index >> next(shifts) & index >> next(shifts) & 1)
            _add_up(total, self.patterns, table, 8 * first, 8 * second)
        return total


@njit(cache=True, nogil=True)
def _add_up(total, patterns, table, first, second):  # type: ignore[no-untyped-def]
    """Add the prices of two bytes of each pattern."""
    for index in range(len(patterns)):
        bits = patterns[index]
        total[index] += table[(bits >> first & 0xFF) | (bits >> second & 0xFF) << 8]


def motions_of(sweep: Sweep) -> list[list[int]]:
    """Return the motions of the board that preserve a problem, as images of its squares."""
    top, right = (max(values) for values in zip(*sweep.points, strict=True))
    number = {point: index for index, point in enumerate(sweep.points)}
    found = []
    for turned, down, left in product((False, True), repeat=3):
        points = [
            (top - row if down else row, right - column if left else column)
            for row, column in sweep.points
        ]
        points = [point[::-1] if turned else point for point in points]
        image = [number.get(point, -1) for point in points]
        if -1 not in image and sweep.is_kept_by(image):
            found.append(image)
    return found


def find_patterns(
    moves: Sequence[Edge],
    least: Sequence[int],
    most: Sequence[int],
    required: Sequence[bool],
    *,
    may_close: bool = False,
    spare: int = 0,
) -> Numbers | None:
    """Return all patterns of a window as bits, or None if there are too many.

    Moves are pairs of places of squares in the window.  Each square has a least and a greatest
    number of moves.  Up to ``spare`` of the squares with least number 1 may have a single move, as
    ends of a tour.  If the window is the whole board, the moves ``may_close`` to a cycle.

    >>> ring = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> [f"{bits:04b}" for bits in find_patterns(ring, [2, 0, 0, 0], [2] * 4, [False] * 4)]
    ['1001', '1011', '1101']
    """
    found = np.zeros(1, np.int64)
    degrees = np.zeros((1, len(least)), np.int8)
    parts = np.arange(len(least), dtype=np.int8)[None, :]
    left = Counter(chain.from_iterable(moves))
    for bit, (u, v) in enumerate(moves):
        can = (degrees[:, u] < most[u]) & (degrees[:, v] < most[v])
        if not may_close:
            can &= parts[:, u] != parts[:, v]
        more, joined = degrees[can], parts[can]
        more[:, (u, v)] += 1
        joined = np.where(joined == joined[:, v, None], joined[:, u, None], joined)
        added = found[can] | 1 << bit
        if required[bit]:
            found, degrees, parts = added, more, joined
        else:
            found = np.concatenate((found, added))
            degrees, parts = np.concatenate((degrees, more)), np.concatenate((parts, joined))
        left.subtract((u, v))
        for square in (u, v):
            if not left[square] and least[square]:
                keep = degrees[:, square] >= least[square]
                found, degrees, parts = found[keep], degrees[keep], parts[keep]
        if len(found) > MOST_PATTERNS:
            return None
    short = [square for square, number in enumerate(least) if number == 1 < most[square]]
    chosen: Numbers = found[(degrees[:, short] == 1).sum(axis=1) <= spare]
    return chosen


class CrossingProgram:
    """The linear program, and the best bound so far.

    ``look`` is called after each round with the bound; if it returns true, the program stops.
    """

    def __init__(self, sweep: Sweep, tour: Iterable[Edge], look: Callable[[int], bool]) -> None:
        self.sweep, self.look = sweep, look
        self.motions = motions_of(sweep)
        self.edge_number = {edge: number for number, edge in enumerate(sweep.edges)}
        self.tours = [
            {self._image(self.edge_number[edge], image) for edge in tour} for image in self.motions
        ]
        lines = [(sweep.points[u], sweep.points[v]) for u, v in sweep.edges]
        self.crossing: dict[Edge, bool] = {}
        """Pairs of moves that cross, or touch at a square; whether they cross."""
        for i, j in combinations(range(len(lines)), 2):
            if (does := crosses(lines[i], lines[j])) or {*sweep.edges[i]} & {*sweep.edges[j]}:
                self.crossing[i, j] = does
        images = [[self._image(n, image) for n in range(len(lines))] for image in self.motions]
        self.square_orbit = [
            min(image[v] for image in self.motions) for v in range(len(sweep.points))
        ]
        self.orbit_sizes = Counter(self.square_orbit)
        self.edge_orbit = [min(image[number] for image in images) for number in range(len(lines))]
        self.pair_orbit = {
            (i, j): min((min(m[i], m[j]), max(m[i], m[j])) for m in images)
            for i, j in self.crossing
        }
        sign = sweep.sign * UNIT
        self.pair_costs = dict.fromkeys(self.pair_orbit.values(), 0)
        for pair, orbit in self.pair_orbit.items():
            self.pair_costs[orbit] += sign * self.crossing[pair]
        self.degrees = Counter(chain.from_iterable(sweep.edges))
        self.edges_at = [
            [n for n, edge in enumerate(sweep.edges) if v in edge] for v in range(len(sweep.points))
        ]
        self.shapes: dict[Any, Any] = {}
        self.are_ends_free = not sweep.closed and len(sweep.ends) < 2
        self.windows: list[Window] = []
        self.entered: list[set[int]] = []
        """The patterns of each window in the program."""
        self.prices: list[Numbers] = []
        """The best so far: those of the degrees of squares, then those of each window."""
        self.total = NO_BOUND
        """The bound in parts of ``UNIT``."""

    def _image(self, number: int, image: Sequence[int]) -> int:
        return self.edge_number[edge_image(self.sweep.edges[number], image)]

    @property
    def bound(self) -> int | None:
        """The lower bound of a tour's crossings, or of their negative for the most crossings."""
        return None if self.total == NO_BOUND else -(-self.total // UNIT)

    def run(self) -> None:
        """Raise the bound, stage by stage, up to that of the program; ``look`` may stop it."""
        for self.stage, shapes in enumerate(STAGES):
            if not self._add_windows(shapes):
                continue
            self._build()
            while self._solve():
                before = self.total
                has_new = self._price(STEADY) or self._price(0.0)
                if self.look(-(-self.total // UNIT)):
                    return
                if not has_new and self.total <= before + LEAST_GAIN:
                    break

    def _add_windows(self, shapes: Iterable[tuple[str, int, int]]) -> bool:
        """Add one window of each orbit, instead of smaller ones; return whether there are any."""
        sweep = self.sweep
        number = {point: index for index, point in enumerate(sweep.points)}
        top, right = (max(values) for values in zip(*sweep.points, strict=True))
        known: set[frozenset[int]] = set()
        windows = []
        for kind, height, width in shapes:
            for row, column in product(range(top + 2 - height), range(right + 2 - width)):
                cells = product(range(row, row + height), range(column, column + width))
                inside = sorted(number[cell] for cell in cells if cell in number)
                if frozenset(inside) in known:
                    continue
                known |= {frozenset(image[v] for v in inside) for image in self.motions}
                moves = dict.fromkeys(number for v in inside for number in self.edges_at[v])
                edges = [n for n in moves if kind == AT or {*sweep.edges[n]} <= {*inside}]
                patterns = self._patterns(edges) if len(edges) <= MOST_MOVES else None
                if patterns is None or not edges:
                    continue
                pairs = [pair for pair in combinations(sorted(edges), 2) if pair in self.crossing]
                classes = self._classes(inside, [*edges, *pairs])
                windows.append(Window(edges, pairs, patterns, classes))
        old = list(zip(self.windows, self.prices[1:], strict=False))
        self.windows, self.prices = windows, self.prices[:1]
        self.prices += [np.zeros(max(each.classes) + 1) for each in windows if self.prices]
        for window, values in old:
            if not self._hand_over(window, values):
                self.windows.append(window)
                self.prices.append(values)
        self.entered = [{window.pattern(tour) for tour in self.tours} for window in self.windows]
        return bool(windows)

    def _patterns(self, edges: list[int]) -> Any:
        """Return the patterns of a window; windows of the same shape share them."""
        sweep = self.sweep
        squares = dict.fromkeys(chain.from_iterable(sweep.edges[number] for number in edges))
        place = {square: index for index, square in enumerate(squares)}
        moves = tuple((place[u], place[v]) for u, v in (sweep.edges[number] for number in edges))
        degrees = Counter(chain.from_iterable(moves))
        least, most = [], []
        for square, index in place.items():
            is_end = square in sweep.ends
            is_whole = degrees[index] == self.degrees[square]  # all its moves are inside
            least.append((1 if is_end or self.are_ends_free else 2) if is_whole else 0)
            most.append(1 if is_end else 2)
        required = tuple(sweep.edges[number] in sweep.required for number in edges)
        shape = (moves, tuple(least), tuple(most), required)
        if shape not in self.shapes:
            is_board = len(squares) == len(sweep.points)
            self.shapes[shape] = find_patterns(
                *shape, may_close=is_board and sweep.closed, spare=2 - len(sweep.ends)
            )
        return self.shapes[shape]

    def _moved(self, thing: Any, image: Sequence[int]) -> Any:
        """Return the image of a move or a pair of moves."""
        if isinstance(thing, int):
            return self._image(thing, image)
        one, other = sorted(self._image(number, image) for number in thing)
        return one, other

    def _classes(self, inside: Iterable[int], things: list[Any]) -> Numbers:
        """Number the orbits of moves and pairs under the motions of their window."""
        inside = {*inside}
        own = [image for image in self.motions if {image[v] for v in inside} == inside]
        names = [frozenset(self._moved(thing, image) for image in own) for thing in things]
        number = {name: index for index, name in enumerate(dict.fromkeys(names))}
        return np.array([number[name] for name in names])

    def _hand_over(self, window: Window, prices: Numbers) -> bool:
        """Add the prices of a window, in equal parts, to those of larger windows around it."""
        around = []
        for image in self.motions:
            names = [self._moved(thing, image) for thing in (*window.edges, *window.pairs)]
            for place, other in enumerate(self.windows):
                at = {name: index for index, name in enumerate((*other.edges, *other.pairs))}
                if at.keys() >= {*names}:
                    around.append((place, other.classes[[at[name] for name in names]]))
        for place, classes in around:
            sizes = np.bincount(self.windows[place].classes)
            parts = prices[window.classes] / sizes[classes] / len(around)
            np.add.at(self.prices[place + 1], classes, parts)
        return bool(around)

    def _build(self) -> None:
        """Make the linear program of the patterns that have entered."""
        from ortools.linear_solver import pywraplp

        solver = self.solver = pywraplp.Solver.CreateSolver("GLOP")
        sweep = self.sweep
        objective = solver.Objective()
        used = {orbit: solver.NumVar(0.0, 1.0, "") for orbit in {*self.edge_orbit}}
        crossed = {orbit: solver.NumVar(0.0, 1.0, "") for orbit in self.pair_costs}
        for pair, cost in self.pair_costs.items():
            objective.SetCoefficient(crossed[pair], cost / UNIT)
        self.squares = sorted(self.orbit_sizes)
        rows = []
        for square in self.squares:
            row = solver.Constraint(*[2.0 - (square in sweep.ends and not self.are_ends_free)] * 2)
            for orbit, times in self._edges_at(square).items():
                row.SetCoefficient(used[orbit], times)
            rows.append(row)
        both = solver.Constraint(2.0, 2.0)  # the ends of an open tour
        for square, row in zip(self.squares, rows, strict=True):
            end = solver.NumVar(0.0, 1.0, "")
            both.SetCoefficient(end, self.orbit_sizes[square])
            row.SetCoefficient(end, float(self.are_ends_free))
        self.rows = [[*rows, both]]
        self.single: list[Any] = []
        self.slacks: list[tuple[Any, float]] = []
        for window, patterns in zip(self.windows, self.entered, strict=True):
            rows = [solver.Constraint(0.0, 0.0) for _ in range(max(window.classes) + 1)]
            sizes = np.bincount(window.classes)
            shared = [
                *(used[self.edge_orbit[number]] for number in window.edges),
                *(crossed[self.pair_orbit[pair]] for pair in window.pairs),
            ]
            for variable, place in zip(shared, window.classes.tolist(), strict=True):
                rows[place].SetCoefficient(variable, -float(sizes[place]))
            for row in rows:
                for sign in (1.0, -1.0):
                    slack = solver.NumVar(0.0, solver.infinity(), "")
                    row.SetCoefficient(slack, sign)
                    self.slacks.append((slack, sign))
            self.rows.append(rows)
            self.single.append(solver.Constraint(1.0, 1.0))
            for pattern in patterns:
                self._enter(len(self.single) - 1, pattern)
        objective.SetMinimization()
        self._bound_prices()

    def _bound_prices(self) -> None:
        """Keep the dual values near the best prices, by the costs of slack variables."""
        objective, reach = self.solver.Objective(), REACH[self.stage]
        prices = np.concatenate(self.prices[1:]) / UNIT if self.prices else [0.0] * 10**6
        for (slack, sign), price in zip(self.slacks, np.repeat(prices, 2), strict=False):
            objective.SetCoefficient(slack, sign * float(price) + reach)

    def _edges_at(self, square: int) -> Counter[int]:
        """Return the number of edges of each orbit at a square."""
        return Counter(self.edge_orbit[number] for number in self.edges_at[square])

    def _enter(self, place: int, pattern: int) -> None:
        """Add the variable of a pattern."""
        window, rows = self.windows[place], self.rows[place + 1]
        variable = self.solver.NumVar(0.0, self.solver.infinity(), "")
        self.single[place].SetCoefficient(variable, 1.0)
        times = np.bincount(window.classes, window.held(pattern))
        for row, number in zip(rows, times.tolist(), strict=True):
            if number:
                row.SetCoefficient(variable, number)

    def _solve(self) -> bool:
        """Solve the program; return whether that succeeded."""
        if self.solver.Solve() != self.solver.OPTIMAL:  # GLOP may fail from an old basis
            self._build()
            if self.solver.Solve() != self.solver.OPTIMAL:
                return False
        self.dual = [np.array([row.dual_value() for row in rows]) for rows in self.rows]
        return True

    def _price(self, steady: float) -> bool:
        """Compute the bound of prices near the dual values; return whether new patterns enter."""
        dual = [UNIT * values for values in self.dual]
        if self.prices:
            both = zip(self.prices, dual, strict=True)
            dual = [steady * old + (1 - steady) * new for old, new in both]
        prices = [np.rint(values).astype(np.int64) for values in dual]
        total, new = self._rest(prices), []
        for place, window in enumerate(self.windows):
            costs = window.costs(-prices[place + 1][window.classes])
            total += int(costs.min())
            some = min(NEW_PATTERNS, len(costs) - 1)
            cheapest = {*window.patterns[np.argpartition(costs, some)[: some + 1]].tolist()}
            new += [(place, pattern) for pattern in cheapest - self.entered[place]]
        for place, pattern in new:
            self.entered[place].add(pattern)
            self._enter(place, pattern)
        if total > self.total:
            self.total, self.prices = total, [values.astype(float) for values in prices]
            self._bound_prices()
        return bool(new)

    def _rest(self, prices: list[Numbers]) -> int:
        """Return the bound without the windows: the least that moves, pairs and ends can add.

        Each is used between zero times and once.
        """
        *degrees, both = (int(price) for price in prices[0])
        fixed = {*self.sweep.ends} if not self.are_ends_free else set()
        of_edges = dict.fromkeys(self.edge_orbit, 0)
        of_pairs = dict(self.pair_costs)
        total = 2 * both
        for square, price in zip(self.squares, degrees, strict=True):
            total += (2 - (square in fixed)) * price
            total += min(0, -price * self.are_ends_free - both * self.orbit_sizes[square])
            for orbit, times in self._edges_at(square).items():
                of_edges[orbit] -= times * price
        for window, values in zip(self.windows, prices[1:], strict=True):
            numbers = [int(value) for value in values[window.classes]]
            for number, value in zip(window.edges, numbers, strict=False):
                of_edges[self.edge_orbit[number]] += value
            for pair, value in zip(window.pairs, numbers[len(window.edges) :], strict=True):
                of_pairs[self.pair_orbit[pair]] += value
        return total + sum(min(0, each) for each in (*of_edges.values(), *of_pairs.values()))
