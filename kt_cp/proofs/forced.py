"""Small case splits in which forced moves and counting contradict every case.

In every case the knowledge is first drawn to its end (:mod:`kt_cp.proofs.separators`).  If there is
no contradiction, the search tries moves near what is known already: at squares with few moves left,
and at ends of forced paths.  It splits on the move whose two cases look best.  A case that
contradicts at once is worth most, since only the other is left then.  Otherwise the score is the
product of what the two cases add to the knowledge, as look-ahead solvers for SAT score variables.

A first try allows a handful of cases and looks at many moves, with the counting rule in both cases
of each.  It finds the proofs that are worth reading.  The second try looks at fewer moves and goes
on to the bound.  At the end :mod:`kt_cp.proofs.forced` makes the tree small.

Everything is bounded by work, counted in vertices and not in time, so the outcome is the same every
time unless ``should_stop`` ends it.

Source: M. Heule and H. van Maaren, "Look-ahead based SAT solvers", Handbook of Satisfiability,
2009.  Cost: a fraction of a millisecond for each look at a move of a 6x6 board; what it settles
stands in ``benchmarks/MEASURED.md``.  When it loses: where a refutation takes thousands of cases;
and on any board that has a tour, which shows only at the bound unless the search runs into the
tour.

Trees of cases: replayed with other knowledge than they were made with, and made small.

A search records every set that it removed and every move that it split on, and most of that turns
out not to matter.  To find out whether a part matters, leave it out and replay the rest with the
checker's own rules.  A replay adapts.  After an early contradiction the rest is cut off.
Where a move to be split on is decided already, the case that cannot be is dropped.  So a tree that
survives is ready to be written in the checker's form.  From the root down, each split is replaced
by one of its two cases if that case does without the supposition, and each set is left out if the
others do.

Cost: one replay for every part, each as expensive as checking the tree.  Trees of hundreds of cases
take a second, so there is a bound, and what is left then is returned as it is.  When it loses: it
cannot find a better split; that is the search's part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kt_cp.model.limits import StoppedError
from kt_cp.model.problem import Problem
from kt_cp.proofs.separators import close, knowledge
from kt_cp.search.meter import ShouldStop
from kt_cp.trust.check.frame import END, Frame, frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import Contradiction, State, remove


@dataclass(frozen=True)
class CaseTree:
    """What refutes one case.

    Attributes
    ----------
    sets : list of set of int
        Removed and counted in turn.
    move : (int, int) or None
        Then split on; without it the last set contradicts, or there is none and the plain rules
        have contradicted already.
    used, unused : CaseTree or None
        The two cases of the split.
    """

    sets: list[set[int]] = field(default_factory=list)
    move: tuple[int, int] | None = None
    used: CaseTree | None = None
    unused: CaseTree | None = None

    @property
    def weight(self) -> tuple[int, int]:
        """What makes a tree small: few cases that are not split further, then few sets."""
        if self.used is None or self.unused is None:
            return 1, len(self.sets)
        (leaves, sets), (others, more) = self.used.weight, self.unused.weight
        return leaves + others, len(self.sets) + sets + more


def suppose(state: State, move: tuple[int, int], used: bool) -> State | None:
    """The state in which a move is used, or is not; None where that is a contradiction."""
    other = state.copy()
    try:
        (other.force if used else other.ban)([move])
    except Contradiction:
        return None
    return other


def replay(state: State | None, case: CaseTree) -> CaseTree | None:
    """The same tree for a state, which is added to; None if it proves nothing there."""
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


def trimmed(state: State | None, case: CaseTree, enough: Callable[[], bool]) -> CaseTree:
    """A tree for the same state with nothing in it that can be left out by itself.

    ``enough`` is called before each replay; once it returns true, the rest stays as it is.
    """
    if state is None:
        return CaseTree()
    changed = True
    while changed and case.used is not None and case.unused is not None and not enough():
        changed = False
        for part in sorted((case.used, case.unused), key=lambda each: each.weight):
            without = CaseTree([*case.sets, *part.sets], part.move, part.used, part.unused)
            found = replay(state.copy(), without)
            if found is not None:
                case, changed = found, True
                break
    place = len(case.sets) - 1
    while place >= 0 and not enough():
        sets = case.sets[:place] + case.sets[place + 1 :]
        found = replay(state.copy(), CaseTree(sets, case.move, case.used, case.unused))
        # Leaving a set out may make the others contradict late, or at a split below.
        if found is not None and found.weight <= case.weight:
            case = found
        place = min(place, len(case.sets)) - 1
    if case.used is None or case.unused is None or case.move is None:
        return case
    for squares in case.sets:
        remove(state, squares)
    used = trimmed(suppose(state, case.move, True), case.used, enough)
    unused = trimmed(suppose(state, case.move, False), case.unused, enough)
    return CaseTree(case.sets, case.move, used, unused)


def written(frame: Frame, case: CaseTree) -> dict[str, Any]:
    """The tree as a certificate holds it."""
    tree: dict[str, Any] = {}
    contradicts = case.move is None
    if case.move is not None and case.used is not None and case.unused is not None:
        u, v = sorted(case.move)
        move = [frame.names[u], END if v >= frame.squares else frame.names[v]]
        tree = {"move": move, "used": written(frame, case.used)}
        tree["unused"] = written(frame, case.unused)
    for squares in reversed(case.sets):
        named = [frame.names[vertex] for vertex in sorted(squares)]
        tree = {"remove": named} if contradicts else {"remove": named, "then": tree}
        contradicts = False
    return tree


MOST_CASES = 200

MOST_SQUARES = 10_000
"""Laying out a larger board takes long, and cannot be interrupted (``benchmarks/MEASURED.md``)."""

MOST_DEPTH = 50
"""Cases within cases; the checker takes twice as many."""

FEW_CASES, WIDE, NARROW = 6, 60, 12
"""Cases of the first try; moves looked at in the first and in the second."""

SEARCHED_SQUARES = 2_500
"""Above, only the plain rules apply: to try a single move takes too long there."""

MOST_WORK = 200_000
"""Vertices of all states that a try makes, four times where counting follows: about a second."""


def forced(
    problem: Problem,
    should_stop: ShouldStop,
    most_cases: int = MOST_CASES,
    effort: float = 1.0,
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
            case = search.refuted(state.copy(), 0)
        except _TourError:
            return None
        except StoppedError:
            continue
        case = trimmed(state, case, search.enough)
        return {"kind": "forced", "tree": written(frame, case)}
    return None


FEW_DEPTH = 3
"""Suppositions within suppositions of a small tree."""


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
        case = _halve(state, FEW_DEPTH) if _undecided(state) else None
    except Contradiction:
        case = CaseTree()
    return None if case is None else {"kind": "forced", "tree": written(frame, case)}


def _halve(state: State, depth: int) -> CaseTree | None:
    left = _undecided(state)
    open_rows = zip(state.open_, state.forced, strict=True)
    move = next(((u, v) for u, (row, forced_row) in enumerate(open_rows) for v in row - forced_row))
    cases = []
    for used in (True, False):
        other = suppose(state, move, used)
        if other is None:
            cases.append(CaseTree())
            continue
        following = _undecided(other)
        case = _halve(other, depth - 1) if depth and 0 < 2 * following <= left else None
        if case is None:
            return None
        cases.append(case)
    return CaseTree([], move, *cases)


def _undecided(state: State) -> int:
    return sum(map(len, state.open_)) // 2 - state.chosen


class _TourError(Exception):
    """What is known is a tour: there is nothing to prove."""


@dataclass
class _Search:
    """One try, with what it may still cost."""

    colour: list[int] | None
    should_stop: ShouldStop
    cases: int
    width: int
    deep: bool
    work: int = MOST_WORK

    def refuted(self, state: State, depth: int) -> CaseTree:
        """Refute what is known; the state is added to.

        Raises StoppedError if that takes more than is allowed, _TourError if it cannot be done.
        """
        sets, contradiction = close(state, self.colour, self.should_stop)
        if contradiction:
            return CaseTree(sets)
        if state.chosen == len(state.frame):
            raise _TourError
        if depth >= MOST_DEPTH:
            raise StoppedError
        move, used, unused = self._best(state)
        # One case more than before, whatever comes of the two.
        self.cases -= 1
        if self.cases <= 0:
            raise StoppedError
        # What looks easier goes first: if it is too much, so is the rest.
        cases: dict[bool, CaseTree] = {}
        pair = [(True, used), (False, unused)]
        pair.sort(key=lambda each: -1 << 60 if each[1] is None else -knowledge(each[1]))
        for which, other in pair:
            cases[which] = CaseTree() if other is None else self.refuted(other, depth + 1)
        return CaseTree(sets, move, cases[True], cases[False])

    def _best(self, state: State) -> tuple[tuple[int, int], State | None, State | None]:
        """The move to split on, and what is known in its two cases."""
        known = knowledge(state)
        best: tuple[float, tuple[int, int], State | None, State | None] | None = None
        for move in _moves(state)[: self.width]:
            used, unused = (self._looked(state, move, which) for which in (True, False))
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

    def _looked(self, state: State, move: tuple[int, int], which: bool) -> State | None:
        """What is known if a move is used, or not; None if that is a contradiction."""
        self.work -= len(state.frame) * (4 if self.deep else 1)
        if self.enough():
            raise StoppedError
        other = suppose(state, move, which)
        if other is not None and self.deep and close(other, self.colour, self.should_stop)[1]:
            return None
        return other

    def enough(self) -> bool:
        """Whether it has cost all that it may."""
        return self.work < 0 or self.should_stop()


def _moves(state: State) -> list[tuple[int, int]]:
    """Open moves, those first that lie near what is known."""
    left = [
        len(row) - len(forced_row)
        for row, forced_row in zip(state.open_, state.forced, strict=True)
    ]
    moves = [
        (u, v) for u, row in enumerate(state.open_) for v in sorted(row - state.forced[u]) if u < v
    ]

    def nearness(move: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        u, v = move
        slack = [left[w] - (2 - len(state.forced[w])) for w in move]
        return min(slack), max(slack), (u, v)

    return sorted(moves, key=nearness)
