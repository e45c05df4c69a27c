"""A few sets of squares without moves inside them, and then a contradiction: no case is split.

On a board of four ranks the inner two ranks are such a set.  The outer squares touch nothing else
and are as many, so no closed tour moves within the inner ranks.  Without such moves the board falls
apart.  In general the counting rule is applied until it has nothing more to say.  The checker's own
:class:`~kt_cp.trust.check.state.State` holds what is known of the moves, so a finder cannot believe
anything that the checker does not.  Two techniques name sets of squares to it, the cheap one first:
:mod:`kt_cp.proofs.separators` and :mod:`kt_cp.search.two_factor`.  After every set the three plain
rules have their say, and the techniques are asked again.  Each set excludes at least one move, so
this ends.

Sets found in this way are often longer than need be, and look accidental: at the rim of a board
forced moves shift them by a square or two.  So they are made readable afterwards.  Sets are rounded
to whole ranks or files wherever one such set alone does.  Otherwise those that are not needed are
dropped, the latest first.  The checker's own rules decide every trial.

Cost: one flow for every set; linear in practice for the boards that have such proofs.  When it
loses: most boards without a tour need a split into cases (:mod:`kt_cp.proofs.forced`), or a set
that leaves large components (:mod:`kt_cp.proofs.removal`).  Where the plain rules contradict each
other before any set is removed, sets would explain nothing, and none is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from kt_cp.model.problem import Problem
from kt_cp.proofs.separators import separators
from kt_cp.search.meter import GaveUpError, ShouldStop, poll
from kt_cp.search.two_factor import TightSetFlow
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import Contradiction, State, remove

MOST_SQUARES = 10_000
"""Laying out a larger board takes long, and cannot be interrupted (``benchmarks/MEASURED.md``)."""


def tight(problem: Problem, should_stop: ShouldStop) -> dict[str, Any] | None:
    """Evidence of the kind ``tight``, or None.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> tight(Problem(Board(4, 6), closed=True), lambda: False)["sets"]
    [['a2', 'b2', 'c2', 'd2', 'e2', 'f2', 'a3', 'b3', 'c3', 'd3', 'e3', 'f3']]
    >>> tight(Problem(Board(6, 6), closed=True), lambda: False) is None
    True
    """
    closed = _closed(problem, should_stop)
    if closed is None:
        return None
    frame, sets, proved = closed
    if not proved or not sets:
        return None
    return {"kind": "tight", "sets": _named(frame, _shortened(frame, sets, should_stop))}


def tight_sets(problem: Problem, should_stop: ShouldStop) -> list[list[str]]:
    """Sets that prove nothing alone, but ban and force moves: a refutation can use them.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(6, 6, missing={(0, 2), (1, 1), (4, 1), (5, 2)}), closed=True)
    >>> len(tight_sets(problem, lambda: False)) > 0
    True
    """
    closed = _closed(problem, should_stop)
    if closed is None or closed[2]:
        return []
    return _named(*closed[:2])


def _closed(problem: Problem, should_stop: ShouldStop) -> tuple[Frame, list[set[int]], bool] | None:
    """Sets by which the counting rule decides moves, and whether they contradict."""
    if problem.size > MOST_SQUARES:
        return None
    try:
        frame = frame_of(problem)
        sets, proved = close(State(frame), problem.indexed.colours, should_stop)
    except (Refusal, Contradiction, GaveUpError):
        return None
    return frame, [squares for squares in sets if squares], proved


def _named(frame: Frame, sets: list[set[int]]) -> list[list[str]]:
    return [[frame.names[vertex] for vertex in sorted(squares)] for squares in sets]


def _shortened(frame: Frame, sets: list[set[int]], should_stop: ShouldStop) -> list[set[int]]:
    """A single set that does, or the same sets without those that are not needed."""
    for squares in [*_rounded(frame, sets), *sets]:
        if should_stop():
            return sets
        if _proves(frame, [squares]):
            return [squares]
    place = len(sets) - 1
    while place >= 0 and len(sets) > 1 and not should_stop():
        without = sets[:place] + sets[place + 1 :]
        if _proves(frame, without):
            sets = without
        place -= 1
    return sets


def _rounded(frame: Frame, sets: list[set[int]]) -> list[set[int]]:
    """Whole ranks, and whole files, of which one of the sets has a half or a third."""
    if frame.problem.board is None:
        return []
    found: list[set[int]] = []
    squares = list(frame.number)
    for named in sets[:4]:
        for share, axis in ((2, 0), (2, 1), (3, 0), (3, 1)):
            all_ = Counter(square[axis] for square in squares)
            taken = Counter(squares[vertex][axis] for vertex in named)
            lines = {line for line, count in taken.items() if share * count > all_[line]}
            whole = {v for v, square in enumerate(squares) if square[axis] in lines}
            if 0 < len(whole) < frame.squares and whole not in found:
                found.append(whole)
    return found


def _proves(frame: Frame, sets: list[set[int]]) -> bool:
    """Whether the checker would take these sets."""
    state = State(frame)
    try:
        for squares in sets:
            remove(state, squares)
        remove(state, set())
    except Contradiction:
        return True
    return False


def _cut_of(state: State, colour: list[int], should_stop: ShouldStop) -> set[int] | None:
    """The set that the flow names in this state, if any."""
    squares = state.frame.squares
    links = [{v for v in state.open_[u] - state.kept[u] if v < squares} for u in range(squares)]
    need = [2 - len(state.kept[u]) for u in range(squares)]
    given = {v for end in state.frame.ends for v in state.kept[end] if v < squares}
    slack = 0 if state.frame.problem.closed else 1 - sum(colour[v] == 0 for v in given)
    return TightSetFlow(links, need, colour, slack, should_stop).cut()


def close(
    state: State, colour: list[int] | None, should_stop: ShouldStop
) -> tuple[list[set[int]], bool]:
    """Apply the counting rule until nothing changes or there is a contradiction.

    Parameters
    ----------
    state : State
        Is added to.
    colour : list of int or None
        Of the squares, 0 or 1; without it, flows are left out.

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
        for named in _sets(state, colour, should_stop):
            known = knowledge(state)
            try:
                remove(state, named)
            except Contradiction:
                return [*sets, named], True
            if knowledge(state) != known:
                sets.append(named)
                break
        else:
            return sets, False


def _sets(state: State, colour: list[int] | None, should_stop: ShouldStop) -> Iterator[set[int]]:
    """Sets for the counting rule, while it changes nothing."""
    poll(should_stop)
    for squares in separators(state):
        if len(squares) < state.frame.squares:  # which a certificate may not name
            yield squares
    cut = None if colour is None else _cut_of(state, colour, should_stop)
    if cut is not None and len(cut) < state.frame.squares:
        yield cut


def knowledge(state: State) -> int:
    """How much is known: forced moves, less those that are open; it only grows."""
    return state.chosen - sum(map(len, state.open_))
