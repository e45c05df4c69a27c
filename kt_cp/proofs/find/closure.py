"""Knowledge drawn to its end: the counting rule, applied until it has nothing more to say.

What is known of the moves is held in the checker's own :class:`~kt_cp.proofs.check.state.State`,
so a finder cannot believe anything that the checker does not.  Two techniques name sets of squares
to it, the cheap one first: :mod:`kt_cp.proofs.find.joints` and :mod:`kt_cp.proofs.find.flow`.
After every set the three plain rules have their say, and the techniques are asked again; each set
excludes at least one move, so this ends.  Cost: one flow for every set.
"""

from __future__ import annotations

from collections.abc import Callable

from kt_cp.proofs.check.frame import Frame
from kt_cp.proofs.check.state import Contradiction, State, remove
from kt_cp.proofs.find.flow import Cut, Flow
from kt_cp.proofs.find.joints import joints


class GaveUpError(Exception):
    """The caller wants it to end, or it has cost enough; never leaves this package."""


def two_colouring(frame: Frame) -> list[int] | None:
    """Colours 0 and 1 of the squares, the ends apart, or None if some cycle of moves is odd.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> from kt_cp.problem import Problem
    >>> from kt_cp.proofs.check.frame import frame_of
    >>> two_colouring(frame_of(Problem(Board(2, 3))))
    [0, 0, 0, 1, 0, 1]
    """
    colour = [-1] * frame.squares
    for root in range(frame.squares):
        if colour[root] >= 0:
            continue
        colour[root] = 0
        stack = [root]
        while stack:
            vertex = stack.pop()
            for other in frame.neighbours[vertex]:
                if other >= frame.squares:
                    continue
                if colour[other] < 0:
                    colour[other] = 1 - colour[vertex]
                    stack.append(other)
                elif colour[other] == colour[vertex]:
                    return None
    return colour


def cut_of(state: State, colour: list[int], should_stop: Callable[[], bool]) -> Cut | None:
    """The set that the flow names in this state, if any.

    Raises
    ------
    GaveUpError
        If it is to stop.
    """
    squares = state.frame.squares
    links = [{v for v in state.open_[u] - state.kept[u] if v < squares} for u in range(squares)]
    need = [2 - len(state.kept[u]) for u in range(squares)]
    given = {v for end in state.frame.ends for v in state.kept[end] if v < squares}
    slack = 0 if state.frame.problem.closed else 1 - sum(colour[v] == 0 for v in given)
    flow = Flow(links, need, colour, slack, should_stop)
    if flow.stopped:
        raise GaveUpError
    return flow.cut()


def close(
    state: State, colour: list[int] | None, should_stop: Callable[[], bool]
) -> tuple[list[set[int]], bool]:
    """Apply the counting rule until nothing changes or there is a contradiction.

    Parameters
    ----------
    state : State
        Is added to.
    colour : list of int or None
        From :func:`two_colouring`; without it, flows are left out.

    Returns
    -------
    list of set of int
        The sets, in the order in which they were removed.
    bool
        Whether there was a contradiction; it came from the last of the sets.

    Raises
    ------
    GaveUpError
        If it is to stop.
    """
    sets: list[set[int]] = []
    while True:
        if should_stop():
            raise GaveUpError
        named = next(joints(state), None)
        if named is None and colour is not None:
            cut = cut_of(state, colour, should_stop)
            named = None if cut is None else cut.squares
        # A certificate does not name everything; then the plain rules have said all there is.
        if named is None or len(named) == state.frame.squares:
            return sets, False
        sets.append(named)
        known = knowledge(state)
        try:
            remove(state, named)
        except Contradiction:
            return sets, True
        if knowledge(state) == known:  # the bound promised more than the rule gives: never so far
            sets.pop()
            return sets, False


def knowledge(state: State) -> int:
    """How much is known: forced moves, less those that are open; it only grows."""
    return state.chosen - sum(map(len, state.open_))
