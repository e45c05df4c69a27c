"""Find sets of squares for the counting rule: cut vertices, forced paths and tight sets.

Remove a path of k squares that forced moves join: the rest of a tour is one path, so it is
connected.  By the counting rule, k squares offer 2k moves, less 2(k - 1) for the forced moves
within the path, so they can join one component.  If the ends of an open tour are not both known,
they are removed as well and allow one component more.  So contract every such path
to one vertex, and look for vertices whose removal leaves too many components.  A cut vertex is the
simplest case.  With unknown ends, a path that leaves two components is *tight*: no open move leads
from it to an end.

Source: the depth-first search is that of :mod:`kt_cp.search.depth_first`, on the contracted graph;
:mod:`kt_cp.search.backtrack` only decides whether there is such a path.  Cost: linear in the open
moves.  When it loses: it finds no sets of two or more paths.

A *cut vertex* is evidence that needs no forced moves.  Without such a square the board falls
into components, and a tour can join few of them: one if it is closed, two if it is open.  It is one
less if the square is itself an end, and one less if both ends are given and lie in one component.
A square that leaves three components proves that there is no tour, whatever its ends are.  A square
that leaves two proves it only for some ends.

One search from a given end answers both questions (``benchmarks/MEASURED.md``).  When it loses:
boards without holes have no such square, except the smallest.

*Tight sets* are sets without moves inside them that lead to a contradiction without case splits.

On a board of four ranks the inner two ranks are such a set.  The outer squares have no other
neighbours and are as many, so no closed tour moves within the inner ranks.  Without such moves the
board falls apart.  In general the counting rule is applied until it changes nothing.  The checker's
class :class:`~kt_cp.trust.check.state.State` holds the knowledge about moves, so a finder never
deduces more than the checker.  Two techniques find sets of squares for it, the cheap one first: the
separators above and :mod:`kt_cp.search.two_factor`.  After every set the three plain rules are
applied, and the techniques are tried again.  Each set excludes at least one move, so this ends.

Sets found in this way are often longer than necessary and look irregular, because forced moves at
the rim of a board shift them by a square or two.  So they are simplified afterwards.  Sets are
rounded to whole ranks or files if one such set is enough.  Otherwise unnecessary sets are dropped,
the latest first.  The checker's own rules decide every trial.

Cost: one flow for every set; linear in practice for the boards that have such proofs.  When it
loses: most boards without a tour need a split into cases (:mod:`kt_cp.proofs.forced`), or a set
that leaves large components (:mod:`kt_cp.proofs.removal`).  If the plain rules already lead to a
contradiction, there are no sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from kt_cp.model.limits import StoppedError
from kt_cp.model.problem import Problem
from kt_cp.search.breadth_first import find_reachable
from kt_cp.search.depth_first import Articulation
from kt_cp.search.meter import ShouldStop, poll
from kt_cp.search.two_factor import TightSetFlow
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.state import Contradiction, State, remove, with_ends


def separators(state: State) -> Iterator[set[int]]:
    """Yield sets of squares for the counting rule, those that prove most first.

    The set is empty if the graph is already disconnected.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> two_cliques = nx.compose(nx.complete_graph(range(4)), nx.complete_graph(range(3, 7)))
    >>> list(separators(State(frame_of(Problem(graph=two_cliques, closed=True)))))
    [{3}]
    """
    frame = state.frame
    path, members = _paths(state)
    floating = bool(with_ends(state, set()))
    separate = {path[end] for end in frame.ends} if floating else set()

    def linked_paths(node: int) -> Iterator[int]:
        return (path[other] for vertex in members[node] for other in sorted(state.open_[vertex]))

    search = Articulation(len(members), linked_paths, lambda: False, without=separate)
    end_squares = {v for node in separate for v in members[node]} - set(frame.ends)
    if search.components > 1:
        yield end_squares
        return
    allowed = 2 if floating else 1
    found = [
        (left, node) for node, left in enumerate(search.left) if left > 1 and node not in separate
    ]
    for left, node in sorted(found, key=lambda pair: (-pair[0], len(members[pair[1]]), pair[1])):
        if left > allowed:
            yield (set(members[node]) - set(frame.ends)) | end_squares
        elif floating and left == allowed and _bans_move(state, set(members[node]) | end_squares):
            yield set(members[node]) | end_squares


def _bans_move(state: State, squares: set[int]) -> bool:
    """Return whether an open move joins two vertices of a set and the ends."""
    removed = squares | set(state.frame.ends)
    return any((state.open_[v] - state.forced[v]) & removed for v in removed)


def _paths(state: State) -> tuple[list[int], list[list[int]]]:
    """Return the number of each vertex's path of forced moves, and the vertices of each path."""
    path = [-1] * len(state.frame)
    members: list[list[int]] = []
    for root in range(len(path)):
        if path[root] < 0:
            members.append(sorted(find_reachable([root], state.forced.__getitem__)))
            for vertex in members[-1]:
                path[vertex] = len(members) - 1
    return path, members


def cut_vertex(problem: Problem, should_stop: ShouldStop) -> dict[str, Any] | None:
    """Return evidence of the kind ``cut``: a square that proves it and leaves most components.

    Examples
    --------
    >>> import networkx as nx
    >>> cut_vertex(Problem(graph=nx.star_graph(3)), lambda: False)
    {'kind': 'cut', 'squares': ['0']}
    """
    try:
        poll(should_stop)
        frame = frame_of(problem)
        ends = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
        first = ends[0] if ends else 0
        search = Articulation(
            frame.squares,
            lambda vertex: (v for v in frame.neighbours[vertex] if v < frame.squares),
            should_stop,
            first=first,
        )
    except (Refusal, StoppedError):
        return None
    most = [1 if problem.closed else 2] * frame.squares
    if not problem.closed:
        for end in ends:
            most[end] -= 1
        if len(ends) == 2 and search.is_connected(*ends):
            separate = {*search.separators(ends[1]), *ends}
            most = [each - (vertex not in separate) for vertex, each in enumerate(most)]
    proving = [v for v, left in enumerate(search.left) if left > most[v]]
    if not proving or frame.squares < 2:
        return None
    best = max(proving, key=lambda vertex: (search.left[vertex], -vertex))
    return {"kind": "cut", "squares": [frame.names[best]]}


MOST_SQUARES = 10_000
"""Most squares; building larger graphs takes long and cannot be interrupted
(``benchmarks/MEASURED.md``)."""


def tight(problem: Problem, should_stop: ShouldStop) -> dict[str, Any] | None:
    """Return evidence of the kind ``tight``, or None.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> tight(Problem(Board(4, 6), closed=True), lambda: False)["sets"]
    [['a2', 'b2', 'c2', 'd2', 'e2', 'f2', 'a3', 'b3', 'c3', 'd3', 'e3', 'f3']]
    >>> tight(Problem(Board(6, 6), closed=True), lambda: False) is None
    True
    """
    result = _decide(problem, should_stop)
    if result is None:
        return None
    frame, sets, proved = result
    if not proved or not sets:
        return None
    return {"kind": "tight", "sets": _set_names(frame, _shorten(frame, sets, should_stop))}


def tight_sets(problem: Problem, should_stop: ShouldStop) -> list[list[str]]:
    """Return sets that are no proof, but ban and force moves for use in a refutation.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> problem = Problem(Board(6, 6, missing={(0, 2), (1, 1), (4, 1), (5, 2)}), closed=True)
    >>> len(tight_sets(problem, lambda: False)) > 0
    True
    """
    result = _decide(problem, should_stop)
    if result is None or result[2]:
        return []
    return _set_names(*result[:2])


def _decide(problem: Problem, should_stop: ShouldStop) -> tuple[Frame, list[set[int]], bool] | None:
    """Return sets by which the counting rule decides moves, and whether they contradict."""
    if problem.size > MOST_SQUARES:
        return None
    try:
        frame = frame_of(problem)
        sets, proved = saturate(State(frame), problem.indexed.colours, should_stop)
    except (Refusal, Contradiction, StoppedError):
        return None
    return frame, [squares for squares in sets if squares], proved


def _set_names(frame: Frame, sets: list[set[int]]) -> list[list[str]]:
    return [[frame.names[vertex] for vertex in sorted(squares)] for squares in sets]


def _shorten(frame: Frame, sets: list[set[int]], should_stop: ShouldStop) -> list[set[int]]:
    """Return a single sufficient set, or the given sets without unnecessary ones."""
    for squares in [*_whole_lines(frame, sets), *sets]:
        if should_stop():
            return sets
        if _is_proof(frame, [squares]):
            return [squares]
    place = len(sets) - 1
    while place >= 0 and len(sets) > 1 and not should_stop():
        fewer = sets[:place] + sets[place + 1 :]
        if _is_proof(frame, fewer):
            sets = fewer
        place -= 1
    return sets


def _whole_lines(frame: Frame, sets: list[set[int]]) -> list[set[int]]:
    """Return ranks and files with more than a half or a third of their squares in a set."""
    if frame.problem.board is None:
        return []
    found: list[set[int]] = []
    squares = list(frame.number)
    for members in sets[:4]:
        for share, axis in ((2, 0), (2, 1), (3, 0), (3, 1)):
            all_ = Counter(square[axis] for square in squares)
            counts = Counter(squares[vertex][axis] for vertex in members)
            lines = {line for line, count in counts.items() if share * count > all_[line]}
            whole = {v for v, square in enumerate(squares) if square[axis] in lines}
            if 0 < len(whole) < frame.squares and whole not in found:
                found.append(whole)
    return found


def _is_proof(frame: Frame, sets: list[set[int]]) -> bool:
    state = State(frame)
    try:
        for squares in sets:
            remove(state, squares)
        remove(state, set())
    except Contradiction:
        return True
    return False


def _flow_cut(state: State, colour: list[int], should_stop: ShouldStop) -> set[int] | None:
    """Return the set that the flow finds in this state, or None."""
    squares = state.frame.squares
    links = [{v for v in state.open_[u] - state.forced[u] if v < squares} for u in range(squares)]
    need = [2 - len(state.forced[u]) for u in range(squares)]
    given = {v for end in state.frame.ends for v in state.forced[end] if v < squares}
    slack = 0 if state.frame.problem.closed else 1 - sum(colour[v] == 0 for v in given)
    return TightSetFlow(links, need, colour, slack, should_stop).cut()


def saturate(
    state: State, colour: list[int] | None, should_stop: ShouldStop
) -> tuple[list[set[int]], bool]:
    """Apply the counting rule until nothing changes or there is a contradiction.

    Parameters
    ----------
    state : State
        Changes in place.
    colour : list of int or None
        Colours of the squares, 0 or 1; without them, no flows are used.

    Returns
    -------
    list of set of int
        The sets, in the order in which they were removed.
    bool
        Whether the last of the sets led to a contradiction.

    Raises
    ------
    StoppedError
        If the caller stops the search.
    """
    sets: list[set[int]] = []
    while True:
        for squares in _sets(state, colour, should_stop):
            known = knowledge(state)
            try:
                remove(state, squares)
            except Contradiction:
                return [*sets, squares], True
            if knowledge(state) != known:
                sets.append(squares)
                break
        else:
            return sets, False


def _sets(state: State, colour: list[int] | None, should_stop: ShouldStop) -> Iterator[set[int]]:
    """Yield sets for the counting rule, as long as it changes nothing."""
    poll(should_stop)
    for squares in separators(state):
        if len(squares) < state.frame.squares:  # a certificate may not name all squares
            yield squares
    cut = None if colour is None else _flow_cut(state, colour, should_stop)
    if cut is not None and len(cut) < state.frame.squares:
        yield cut


def knowledge(state: State) -> int:
    """Return a measure of knowledge that only grows: forced moves minus open moves."""
    return state.chosen - sum(map(len, state.open_))
