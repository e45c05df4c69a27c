"""Small case splits in which forced moves and counting contradict every case.

In every case, the rules are first applied until nothing follows (:mod:`kt_cp.proofs.separators`).
If there is no contradiction, the search tries moves near known ones: at squares with few moves
left, and at ends of forced paths.  It splits on the move whose two cases have the best score.  A
case that contradicts at once is best, because only the other case is left then.  Otherwise the
score is the product of the knowledge that the two cases add, as in look-ahead solvers for SAT.

The first try allows a few cases and examines many moves, with the counting rule in both cases of
each.  It finds the readable proofs.  The second try examines fewer moves and continues up to the
bound.  At the end the tree is reduced.

All bounds count work in vertices and not time, so the outcome is the same every time unless
``should_stop`` ends the search.

Source: M. Heule and H. van Maaren, "Look-ahead based SAT solvers", Handbook of Satisfiability,
2009.  Cost: a fraction of a millisecond for each move that is tried on a 6x6 board;
``benchmarks/MEASURED.md`` lists the results.  When it loses: if a refutation takes thousands of
cases, and on any board that has a tour: the search runs up to its bound unless it finds the tour.

Reduction of trees of cases:

A search records every set that it removed and every move that it split on, but most of them are not
needed.  To test whether a part is needed, it is left out and the rest is replayed with the
checker's own rules.  A replay adapts the tree: it cuts off the rest after an early contradiction,
and if the move of a split is already decided, it drops the impossible case.  So the resulting tree
can be written in the checker's form.  From the root down, each split is replaced by one of its two
cases if that case holds without the supposition, and each set is left out if the others suffice.

Cost: one replay for every part, each as expensive as checking the tree.  Trees of hundreds of cases
take a second, so the work is bounded, and after that the rest of the tree is unchanged.  When it
loses: it cannot find a better split.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kt_cp.model.limits import StoppedError
from kt_cp.model.problem import Problem
from kt_cp.proofs.separators import knowledge, saturate
from kt_cp.search.meter import ShouldStop
from kt_cp.trust.check.frame import END, Frame, frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import Contradiction, State, remove


@dataclass(frozen=True)
class CaseTree:
    """A refutation of one case.

    Attributes
    ----------
    sets : list of set of int
        Removed and counted in turn.
    move : (int, int) or None
        The move of the split after the sets.  Without it, the last set leads to a contradiction,
        or the plain rules do if there are no sets.
    used, unused : CaseTree or None
        The two cases of the split.
    """

    sets: list[set[int]] = field(default_factory=list)
    move: tuple[int, int] | None = None
    used: CaseTree | None = None
    unused: CaseTree | None = None

    @property
    def weight(self) -> tuple[int, int]:
        """Return the size of the tree: the number of leaves, then the number of sets."""
        if self.used is None or self.unused is None:
            return 1, len(self.sets)
        (leaves, sets), (others, more) = self.used.weight, self.unused.weight
        return leaves + others, len(self.sets) + sets + more


def suppose(state: State, move: tuple[int, int], used: bool) -> State | None:
    """Return the state in which a move is used, or not used; None if that is a contradiction."""
    other = state.copy()
    try:
        (other.force if used else other.ban)([move])
    except Contradiction:
        return None
    return other


def replay(state: State | None, case: CaseTree) -> CaseTree | None:
    """Return the tree adapted to a state, which changes; None if it proves nothing there."""
    if state is None:
        return CaseTree()
    sets = []
    for squares in case.sets:
        sets.append(squares)
        try:
            remove(state, squares)
        except Contradiction:
            return CaseTree(sets)
    if case.move is None or case.used is None or case.unused is None:
        return None
    u, v = case.move
    if v not in state.open_[u] or v in state.forced[u]:
        rest = replay(state, case.used if v in state.open_[u] else case.unused)
        return rest and CaseTree([*sets, *rest.sets], rest.move, rest.used, rest.unused)
    unused = replay(suppose(state, case.move, False), case.unused)
    if unused is None:
        return None
    used = replay(suppose(state, case.move, True), case.used)
    return None if used is None else CaseTree(sets, case.move, used, unused)


def trim_tree(state: State | None, case: CaseTree, is_spent: Callable[[], bool]) -> CaseTree:
    """Return a tree for the same state from which no single part can be left out.

    ``is_spent`` is called before each replay; once it returns true, the rest is not reduced.
    """
    if state is None:
        return CaseTree()
    changed = True
    while changed and case.used is not None and case.unused is not None and not is_spent():
        changed = False
        for part in sorted((case.used, case.unused), key=lambda each: each.weight):
            merged = CaseTree([*case.sets, *part.sets], part.move, part.used, part.unused)
            smaller = replay(state.copy(), merged)
            if smaller is not None:
                case, changed = smaller, True
                break
    place = len(case.sets) - 1
    while place >= 0 and not is_spent():
        sets = case.sets[:place] + case.sets[place + 1 :]
        smaller = replay(state.copy(), CaseTree(sets, case.move, case.used, case.unused))
        # Leaving a set out may make the others contradict late, or at a split below.
        if smaller is not None and smaller.weight <= case.weight:
            case = smaller
        place = min(place, len(case.sets)) - 1
    if case.used is None or case.unused is None or case.move is None:
        return case
    for squares in case.sets:
        remove(state, squares)
    used = trim_tree(suppose(state, case.move, True), case.used, is_spent)
    unused = trim_tree(suppose(state, case.move, False), case.unused, is_spent)
    return CaseTree(case.sets, case.move, used, unused)


def tree_document(frame: Frame, case: CaseTree) -> dict[str, Any]:
    """Return the tree in the form of a certificate."""
    tree: dict[str, Any] = {}
    contradicts = case.move is None
    if case.move is not None and case.used is not None and case.unused is not None:
        u, v = sorted(case.move)
        move = [frame.names[u], END if v >= frame.squares else frame.names[v]]
        tree = {"move": move, "used": tree_document(frame, case.used)}
        tree["unused"] = tree_document(frame, case.unused)
    for squares in reversed(case.sets):
        named = [frame.names[vertex] for vertex in sorted(squares)]
        tree = {"remove": named} if contradicts else {"remove": named, "then": tree}
        contradicts = False
    return tree


MOST_CASES = 200

MOST_SQUARES = 10_000
"""Most squares; building larger graphs takes long and cannot be interrupted
(``benchmarks/MEASURED.md``)."""

MOST_DEPTH = 50
"""Most nested cases; the checker accepts twice as many."""

FEW_CASES, WIDE, NARROW = 6, 60, 12
"""Most cases of the first try; moves examined in the first and in the second try."""

SEARCHED_SQUARES = 2_500
"""Most squares for a search; above, only the plain rules apply, because one move takes too long."""

MOST_WORK = 200_000
"""Most vertices of all states in a try, four times as many with counting: about a second."""


def forced(
    problem: Problem, should_stop: ShouldStop, most_cases: int = MOST_CASES, effort: float = 1.0
) -> dict[str, Any] | None:
    """Return evidence of the kind ``forced``, or None if a share of the usual work finds none.

    The tree has at most ``most_cases`` leaves.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> forced(Problem(Board(5, 8), start=(2, 1), end=(3, 7)), lambda: False)
    {'kind': 'forced', 'tree': {}}
    >>> forced(Problem(Board(6, 6)), lambda: False) is None
    True
    """
    if problem.size > MOST_SQUARES:
        return None
    try:
        frame = frame_of(problem)
        state = State(frame)
    except Refusal:
        return None
    except Contradiction:
        return {"kind": "forced", "tree": {}}
    if problem.size > SEARCHED_SQUARES:
        return None
    colour = problem.indexed.colours
    for cases, width, deep in (
        (min(FEW_CASES, most_cases), WIDE, True),
        (most_cases, NARROW, False),
    ):
        search = _Search(colour, should_stop, cases, width, deep, int(effort * MOST_WORK))
        try:
            case = search.refute(state.copy(), 0)
        except _TourError:
            return None
        except StoppedError:
            continue
        case = trim_tree(state, case, search.is_spent)
        return {"kind": "forced", "tree": tree_document(frame, case)}
    return None


FEW_DEPTH = 3
"""Most nested suppositions of a small tree."""


def few_cases(problem: Problem) -> dict[str, Any] | None:
    """Return a tree of the kind ``forced`` in which each supposition decides half of all moves.

    Where vertices have two ways in and two ways out, as on a directed torus, one supposition may
    decide everything.  Elsewhere the first supposition shows that there is no such tree.

    Examples
    --------
    >>> import networkx as nx
    >>> torus = nx.DiGraph()
    >>> torus.add_edges_from(((r, c), ((r + 1) % 3, c)) for r in range(3) for c in range(4))
    >>> torus.add_edges_from(((r, c), (r, (c + 1) % 4)) for r in range(3) for c in range(4))
    >>> from kt_cp.model.directed import undirected
    >>> few_cases(undirected(Problem(graph=torus, closed=True)))["tree"]["used"]
    {}
    """
    frame = frame_of(problem)
    try:
        state = State(frame)
        case = _halve(state, FEW_DEPTH) if _count_open_moves(state) else None
    except Contradiction:
        case = CaseTree()
    return None if case is None else {"kind": "forced", "tree": tree_document(frame, case)}


def _halve(state: State, depth: int) -> CaseTree | None:
    count = _count_open_moves(state)
    open_rows = zip(state.open_, state.forced, strict=True)
    move = next(((u, v) for u, (row, forced_row) in enumerate(open_rows) for v in row - forced_row))
    cases = []
    for used in (True, False):
        other = suppose(state, move, used)
        if other is None:
            cases.append(CaseTree())
            continue
        next_count = _count_open_moves(other)
        case = _halve(other, depth - 1) if depth and 0 < 2 * next_count <= count else None
        if case is None:
            return None
        cases.append(case)
    return CaseTree([], move, *cases)


def _count_open_moves(state: State) -> int:
    return sum(map(len, state.open_)) // 2 - state.chosen


class _TourError(Exception):
    """The known moves are a tour, so there is nothing to prove."""


@dataclass
class _Search:
    """A try with its remaining budget."""

    colour: list[int] | None
    should_stop: ShouldStop
    cases: int
    width: int
    deep: bool
    work: int = MOST_WORK

    def refute(self, state: State, depth: int) -> CaseTree:
        """Refute a state, which changes.

        Raises StoppedError if the budget is used up, _TourError if the state is a tour.
        """
        sets, contradiction = saturate(state, self.colour, self.should_stop)
        if contradiction:
            return CaseTree(sets)
        if state.chosen == len(state.frame):
            raise _TourError
        if depth >= MOST_DEPTH:
            raise StoppedError
        move, used, unused = self._choose_move(state)
        # A split adds one case, whatever its result.
        self.cases -= 1
        if self.cases <= 0:
            raise StoppedError
        # The easier case comes first: if it exceeds the budget, so does the other.
        cases: dict[bool, CaseTree] = {}
        pair = [(True, used), (False, unused)]
        pair.sort(key=lambda each: -1 << 60 if each[1] is None else -knowledge(each[1]))
        for which, other in pair:
            cases[which] = CaseTree() if other is None else self.refute(other, depth + 1)
        return CaseTree(sets, move, cases[True], cases[False])

    def _choose_move(self, state: State) -> tuple[tuple[int, int], State | None, State | None]:
        """Return the move to split on, and the states of its two cases."""
        known = knowledge(state)
        best: tuple[float, tuple[int, int], State | None, State | None] | None = None
        for move in _open_moves(state)[: self.width]:
            used, unused = (self._look_ahead(state, move, which) for which in (True, False))
            gains = [
                1000.0 if other is None else 1.0 + knowledge(other) - known
                for other in (used, unused)
            ]
            score = gains[0] * gains[1]
            if best is None or score > best[0]:
                best = score, move, used, unused
            if used is None and unused is None:
                break
        assert best is not None, "an incomplete cycle has open moves"
        move = best[1]
        return move, suppose(state, move, True), suppose(state, move, False)

    def _look_ahead(self, state: State, move: tuple[int, int], which: bool) -> State | None:
        """Return the state if a move is used, or not used; None if that is a contradiction."""
        self.work -= len(state.frame) * (4 if self.deep else 1)
        if self.is_spent():
            raise StoppedError
        other = suppose(state, move, which)
        if other is not None and self.deep and saturate(other, self.colour, self.should_stop)[1]:
            return None
        return other

    def is_spent(self) -> bool:
        """Return whether the budget is used up."""
        return self.work < 0 or self.should_stop()


def _open_moves(state: State) -> list[tuple[int, int]]:
    """Return the open moves, those near known ones first."""
    degrees = [
        len(row) - len(forced_row)
        for row, forced_row in zip(state.open_, state.forced, strict=True)
    ]
    moves = [
        (u, v) for u, row in enumerate(state.open_) for v in sorted(row - state.forced[u]) if u < v
    ]

    def nearness(move: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        u, v = move
        slack = [degrees[w] - (2 - len(state.forced[w])) for w in move]
        return min(slack), max(slack), (u, v)

    return sorted(moves, key=nearness)
