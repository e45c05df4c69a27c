"""Arguments about moves: tight sets of squares, forced moves, and small splits into cases.

``tight``
    One set of squares after the other is taken away and counted.  None leaves too many pieces, but
    each leaves as many as it can join; so no tour moves within it, and without those moves there
    is a contradiction: by the plain rules, or because what is left falls apart.  On a board of
    four ranks the inner two are such a set: the outer squares touch nothing else, and are as many;
    so a closed tour alternates between inner and outer squares, and would never change from dark
    to light outer squares.
``forced``
    A tree.  A leaf ``{}`` stands where the plain rules have come to a contradiction by
    themselves.  ``{"remove": [squares], "then": tree}`` counts a set as above; there is no
    ``then`` where that is the contradiction.  ``{"move": [square, square], "used": tree,
    "unused": tree}`` splits into the tours that use a move and those that do not; ``"end"`` in
    place of the second square asks whether the first is an end of the tour.

The rules are those of :mod:`kt_cp.proofs.check.state`.  A tree is read with a stack, and a copy of
what is known for every case that waits.
"""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.problem import Problem
from kt_cp.proofs.check.argument import listed
from kt_cp.proofs.check.frame import END, Frame, frame_of
from kt_cp.proofs.check.refusal import Reason, Refusal
from kt_cp.proofs.check.shape import keys_of, list_of, shown, square_of, vertices_of
from kt_cp.proofs.check.state import Contradiction, Count, State, remove

MOST_WORK = 30_000_000
"""Nodes of a tree times vertices of the board: a minute or so."""

MOST_DEPTH = 100
MOST_COPIED = 500_000
"""Cases within cases, and vertices in all their copies of what is known: some 500 MB."""


def tight(problem: Problem, evidence: object) -> str:
    """Sets that can just join their pieces, and what is left without moves within them."""
    frame = frame_of(problem)
    sets = sets_of(frame, keys_of(evidence, "kind", "sets")["sets"])
    if not sets:
        raise Refusal(Reason.EMPTY_SET, "expected at least one set of squares")
    counts: list[Count] = []
    try:
        remove(tightened(frame, sets, counts), set())
    except Contradiction as contradiction:
        return f"{_told(frame, sets, counts)}{contradiction}"
    raise Refusal(Reason.NOT_PROVED, "the sets and the plain rules leave room for a tour")


def sets_of(frame: Frame, value: object) -> list[set[int]]:
    """Sets of squares that are to be removed, none of them empty or everything.

    Raises
    ------
    Refusal
        If one is, or if there are so many that counting them would take minutes.
    """
    sets = [vertices_of(frame, names) for names in list_of(value, "lists of squares")]
    for squares in sets:
        if not squares:
            raise Refusal(Reason.EMPTY_SET, "no square is removed")
        if len(squares) == frame.squares:
            raise Refusal(Reason.WHOLE_SET, "every square is removed")
    if len(sets) * len(frame) > MOST_WORK:
        raise Refusal(Reason.TOO_LARGE, f"{len(sets):,} sets are too many for such a board")
    return sets


def tightened(frame: Frame, sets: list[set[int]], counts: list[Count]) -> State:
    """What is known after each set has been removed and counted; the counts are added to a list.

    Raises
    ------
    Contradiction
        If there is one on the way.
    """
    state = State(frame)
    for squares in sets:
        counts.append(remove(state, squares))
    return state


def _told(frame: Frame, sets: list[set[int]], counts: list[Count]) -> str:
    if not counts:
        return ""
    names = listed([frame.names[vertex] for vertex in sorted(sets[0])])
    more = "" if len(counts) < 2 else f", and so on for {len(counts) - 1:,} more"
    return (
        f"without {names} there are {counts[0].pieces:,} pieces, just as many as a tour can join, "
        f"so it makes no move within that set{more}; and without such moves "
    )


@dataclass
class _Case:
    """A subtree that waits; the state is None where the rules have contradicted already."""

    state: State | None
    tree: object
    depth: int


def forced(problem: Problem, evidence: object) -> str:
    """A tree of cases, each of which comes to a contradiction."""
    frame = frame_of(problem)
    tree = keys_of(evidence, "kind", "tree")["tree"]
    try:
        waiting = [_Case(State(frame), tree, 0)]
    except Contradiction as contradiction:
        keys_of(tree)
        return f"forced moves contradict each other: {contradiction}"
    nodes = leaves = deepest = 0
    while waiting:
        case = waiting.pop()
        nodes += 1
        if nodes * len(frame) > MOST_WORK:
            raise Refusal(Reason.TOO_LARGE, "so many cases are too many for such a board")
        followed = _follow(frame, case)
        leaves += not followed
        deepest = max(deepest, case.depth)
        waiting += followed
    if leaves == 1:
        return "removed squares and forced moves, counted in turn, come to a contradiction"
    deep = "" if deepest == 1 else f", {deepest} moves deep,"
    return f"each of {leaves:,} cases{deep} comes to a contradiction by forced moves"


def _follow(frame: Frame, case: _Case) -> list[_Case]:
    """Apply one node; what is left to show."""
    state, tree = case.state, case.tree
    if state is None:
        keys_of(tree)  # a leaf, with nothing in it
        return []
    if isinstance(tree, dict) and "remove" in tree:
        node = keys_of(tree, "remove", optional=("then",))
        squares = vertices_of(frame, node["remove"])
        if len(squares) == frame.squares:
            raise Refusal(Reason.WHOLE_SET, "every square is removed")
        try:
            remove(state, squares)
        except Contradiction:
            keys_of(node, "remove")
            return []
        if "then" not in node:
            raise Refusal(Reason.NOT_PROVED, "the pieces of a removed set can all be joined")
        return [_Case(state, node["then"], case.depth)]
    if tree == {}:
        raise Refusal(Reason.NOT_PROVED, "a case ends without a contradiction")
    node = keys_of(tree, "move", "used", "unused")
    most = min(MOST_DEPTH, MOST_COPIED // len(frame))
    if case.depth >= most:
        raise Refusal(Reason.TOO_DEEP, f"more than {most} cases within cases on such a board")
    move = [_move_of(frame, state, node["move"])]
    supposed = []
    for key, suppose in (("unused", State.ban), ("used", State.force)):
        other = state.copy()
        try:
            suppose(other, move)
            supposed.append(_Case(other, node[key], case.depth + 1))
        except Contradiction:
            supposed.append(_Case(None, node[key], case.depth + 1))
    return supposed


def _move_of(frame: Frame, state: State, value: object) -> tuple[int, int]:
    """The edge of a split, which is one that is still open."""
    names = list_of(value, "two squares")
    if len(names) != 2:
        raise Refusal(Reason.WRONG_SHAPE, f"expected a move as two squares, got {shown(value)}")
    first = frame.number[square_of(frame.problem, names[0])]
    if names[1] == END:
        second = next((end for end in frame.ends if first in state.open_[end]), -1)
    else:
        second = frame.number[square_of(frame.problem, names[1])]
    if second not in state.open_[first]:
        raise Refusal(Reason.NOT_PROVED, "a case is about a move that is excluded already")
    return first, second
