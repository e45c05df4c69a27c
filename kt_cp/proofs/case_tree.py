"""Trees of cases: replayed with other knowledge than they were made with, and made small.

A search records every set that it removed and every move that it split on, and most of that turns
out not to matter.  To find out whether a part matters, leave it out and replay the rest with the
checker's own rules.  A replay adapts.  Where a contradiction comes early, the rest is cut off.
Where a move to be split on is decided already, the case that cannot be is dropped.  So a tree that
survives is ready to be written as the checker wants it.  From the root down, each split is replaced
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

from kt_cp.trust.check.frame import END, Frame
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
    if v not in state.open_[u] or v in state.kept[u]:
        rest = replay(state, case.used if v in state.open_[u] else case.unused)
        return rest and CaseTree([*sets, *rest.sets], rest.move, rest.used, rest.unused)
    unused = replay(suppose(state, case.move, False), case.unused)
    if unused is None:
        return None
    used = replay(suppose(state, case.move, True), case.used)
    return None if used is None else CaseTree(sets, case.move, used, unused)


def trimmed(state: State | None, case: CaseTree, enough: Callable[[], bool]) -> CaseTree:
    """A tree for the same state with nothing in it that can be left out by itself.

    ``enough`` is asked before each replay; the rest stays as it is once it says so.
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
