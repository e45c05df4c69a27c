"""Knowledge drawn to its end: the counting rule, applied until it has nothing more to say.

The checker's own :class:`~kt_cp.trust.check.state.State` holds what is known of the moves, so a
finder cannot believe anything that the checker does not.  Two techniques name sets of squares to
it, the cheap one first: :mod:`kt_cp.proofs.separators` and :mod:`kt_cp.search.flow`.  After every
set the three plain rules have their say, and the techniques are asked again.  Each set excludes at
least one move, so this ends.  Cost: one flow for every set.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.proofs.separators import separators
from kt_cp.search.breadth_first import two_colouring as colouring
from kt_cp.search.flow import Cut, Flow
from kt_cp.search.work import ShouldStop, poll
from kt_cp.trust.check.frame import Frame
from kt_cp.trust.check.state import Contradiction, State, remove


def two_colouring(frame: Frame) -> list[int] | None:
    """Colours 0 and 1 of the squares, the ends apart, or None if some cycle of moves is odd.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> two_colouring(frame_of(Problem(Board(2, 3))))
    [0, 0, 0, 1, 0, 1]
    """
    neighbours = frame.neighbours
    return colouring(
        frame.squares, lambda vertex: (v for v in neighbours[vertex] if v < frame.squares)
    )


def cut_of(state: State, colour: list[int], should_stop: ShouldStop) -> Cut | None:
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
    return Flow(links, need, colour, slack, should_stop).cut()


def close(
    state: State, colour: list[int] | None, should_stop: ShouldStop
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
    changed = True
    while changed:
        changed = False
        for named in _named(state, colour, should_stop):
            known = knowledge(state)
            try:
                remove(state, named)
            except Contradiction:
                return [*sets, named], True
            if knowledge(state) != known:
                sets.append(named)
                changed = True
                break
    return sets, False


def _named(state: State, colour: list[int] | None, should_stop: ShouldStop) -> Iterator[set[int]]:
    """Sets for the counting rule, while it changes nothing."""
    poll(should_stop)
    for squares in separators(state):
        if len(squares) < state.frame.squares:  # which a certificate may not name
            yield squares
    cut = None if colour is None else cut_of(state, colour, should_stop)
    if cut is not None and len(cut.squares) < state.frame.squares:
        yield cut.squares


def knowledge(state: State) -> int:
    """How much is known: forced moves, less those that are open; it only grows."""
    return state.chosen - sum(map(len, state.open_))
