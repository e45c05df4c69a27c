"""Arguments about moves: tight sets of squares, forced moves, and small splits into cases.

``tight``
    Sets of squares are removed and counted, one after the other.  A tight set leaves exactly as
    many pieces as it can join.  So a tour moves within it only if it must.  Without the other moves
    within it there is a contradiction, by the plain rules or because the rest is not connected.
    On a board of four ranks the inner two are such a set.  The outer squares have moves to inner
    squares only, and are as many.  So a closed tour alternates between inner and outer squares, and
    never changes from dark to light outer squares.
``forced``
    A tree of cases.  A node counts a set as above, or splits the tours into those that use a move
    and those that do not.  (The move can be the edge to an end: then the question is whether a
    square is an end.)  At a leaf the plain rules alone give a contradiction.

The rules are those of :mod:`kt_cp.trust.check.state`.  A tree is read with a stack, which holds a
copy of the state for every pending case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_cp.model.terms import counted, terms
from kt_cp.trust.check.frame import END, Frame, frame_of
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.parsing import edge_of, keys_of, list_of, vertices_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.sentences import describe_node, describe_pieces
from kt_cp.trust.check.state import Contradiction, Count, State, remove

MOST_SETS = 200_000
"""Sets of squares in a list; even a small one takes memory of its own."""

MOST_DEPTH = 100
MOST_COPIED = 500_000
"""Nested cases, and the load of all their copies of the state: up to a gigabyte."""


def tight(problem: Instance, evidence: object) -> str:
    """Check tight sets: without the moves within them there is a contradiction."""
    frame = frame_of(problem)
    sets = sets_of(frame, keys_of(evidence, "kind", "sets")["sets"])
    if not sets:
        raise Refusal(Reason.EMPTY_SET, "expected at least one set of squares")
    counts: list[Count] = []
    problem.budget.spend("loads of the frame", len(sets) * frame.load)
    try:
        remove(apply_counts(frame, sets, counts), set())
    except Contradiction as contradiction:
        return f"{_describe_tight_sets(frame, sets, counts)}{contradiction}"
    raise Refusal(Reason.NOT_PROVED, "the sets and the plain rules leave room for a tour")


def sets_of(frame: Frame, value: object) -> list[set[int]]:
    """Read sets of squares to remove, or for cuts, none of them empty or everything."""
    lists = list_of(value, "lists of squares")
    if len(lists) > MOST_SETS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SETS:,} sets, got {len(lists):,}")
    sets = []
    for names in lists:
        sets.append(vertices_of(frame, names))
        if not sets[-1]:
            raise Refusal(Reason.EMPTY_SET, "a set of no squares says nothing")
        if len(sets[-1]) == frame.squares:
            raise Refusal(Reason.WHOLE_SET, "a set of all squares says nothing")
    return sets


def apply_counts(frame: Frame, sets: list[set[int]], counts: list[Count]) -> State:
    """Return the state after each set has been counted; the counts are added to a list."""
    state = State(frame)
    for squares in sets:
        counts.append(remove(state, squares))
    return state


def _describe_tight_sets(frame: Frame, sets: list[set[int]], counts: list[Count]) -> str:
    """Describe the tight ones among the sets; from the others nothing follows."""
    telling = [each for each in zip(sets, counts, strict=False) if each[1].tight]
    if not telling:
        return ""
    squares, first = telling[0]
    others = f", and likewise for {counted(len(telling) - 1, 'more set')}" if telling[1:] else ""
    words = terms(frame.problem)
    return (
        f"{describe_pieces(frame, squares, first.pieces)}, just as many as a tour can visit, so "
        f"it uses a {words.move} between these {words.square}s only where it must{others}; then "
    )


@dataclass
class _Case:
    """A pending subtree and its state, or the contradiction that is already known."""

    known: State | Contradiction
    tree: object
    depth: int


def forced(problem: Instance, evidence: object) -> str:
    """Check a tree of cases that all lead to a contradiction."""
    frame = frame_of(problem)
    tree = keys_of(evidence, "kind", "tree")["tree"]
    waiting = [_Case(_known(frame), tree, 0)]
    nodes = leaves = deepest = 0
    last = ""
    while waiting:
        case = waiting.pop()
        nodes += 1
        problem.budget.spend("loads of the frame", frame.load)
        deepest = max(deepest, case.depth)
        try:
            waiting += _follow(frame, case)
        except Contradiction as contradiction:
            leaves += 1
            last = str(contradiction)
    words = terms(problem)
    if leaves == 1:
        return (
            last
            if nodes == 1
            else f"{words.piece}s left without certain {words.square}s are counted, and then {last}"
        )
    if deepest == 1:
        return (
            f"whether {_split(tree, words.move)} or not, forced {words.move}s lead to "
            "a contradiction"
        )
    return (
        f"suppose of one {words.move} after another that a tour uses it, and then that it does not"
        f": forced {words.move}s lead to a contradiction in each of the {leaves:,} cases, "
        f"after {counted(deepest, 'supposition')} at most"
    )


def _known(frame: Frame) -> State | Contradiction:
    try:
        return State(frame)
    except Contradiction as contradiction:
        return contradiction


def _follow(frame: Frame, case: _Case) -> list[_Case]:
    """Apply one node, and return the pending subtrees; raise Contradiction if none is left."""
    state, tree = case.known, case.tree
    if isinstance(state, Contradiction):
        keys_of(tree)  # a leaf, which is empty
        raise state
    if isinstance(tree, dict) and "remove" in tree:
        node = keys_of(tree, "remove", optional=("then",))
        squares = vertices_of(frame, node["remove"])
        if len(squares) == frame.squares:
            raise Refusal(Reason.WHOLE_SET, "every square is removed")
        try:
            remove(state, squares)
        except Contradiction:
            keys_of(node, "remove")
            raise
        if "then" not in node:
            raise Refusal(Reason.NOT_PROVED, "the pieces of a removed set can all be joined")
        return [_Case(state, node["then"], case.depth)]
    if tree == {}:
        raise Refusal(Reason.NOT_PROVED, "a case ends without a contradiction")
    node = keys_of(tree, "move", "used", "unused")
    most = min(MOST_DEPTH, MOST_COPIED // frame.load)
    if case.depth >= most:
        raise Refusal(Reason.TOO_DEEP, f"more than {most} cases within cases on such a board")
    edge = edge_of(frame, node["move"], state.open_)
    if edge is None:
        raise Refusal(Reason.NOT_PROVED, "a case is about a move that is excluded already")
    move = [edge]
    supposed = []
    for key, suppose in (("unused", State.ban), ("used", State.force)):
        other = state.copy()
        try:
            suppose(other, move)
            supposed.append(_Case(other, node[key], case.depth + 1))
        except Contradiction as contradiction:
            supposed.append(_Case(contradiction, node[key], case.depth + 1))
    return supposed


def _split(tree: Any, move: str) -> str:
    """Describe the first split of a checked tree; the text follows the word *whether*."""
    while "then" in tree:
        tree = tree["then"]
    one, other = map(describe_node, tree["move"])
    return f"{one} is an end" if other == END else f"a tour uses the {move} {one}-{other}"
