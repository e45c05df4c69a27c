"""The squares, moves and components that the picture of a certificate highlights.

They are derived again by the rules of the checker, so the picture shows what was checked.  The
picture of a refutation shows its clues, or the moves that the plain rules force at its root and the
squares of its cuts.  The picture of a list shows the moves that all tours or no tours make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from kt_cp.model.board import Square, parse_square, square_name
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.render.argument import argument_svg
from kt_cp.trust.check.argument import squares_without
from kt_cp.trust.check.frame import Frame, frame_of, pieces_without
from kt_cp.trust.check.refutation import moves_of
from kt_cp.trust.check.state import Contradiction, State, remove, with_ends

Highlights = dict[str, Any]
"""The fields of :class:`kt_cp.render.argument.Argument`."""


def find_highlights(certificate: Certificate) -> Highlights:
    """Return the squares, moves and components that an argument on a board is about.

    >>> from kt_cp import prove
    >>> find_highlights(prove("3x3").certificate)["marked"]
    [(1, 1)]
    """
    evidence = certificate.document["evidence"]
    return _HIGHLIGHTS.get(certificate.kind, _plain)(certificate.problem, evidence)


def _plain(_problem: Problem, _evidence: Mapping[str, Any]) -> Highlights:
    """Highlight nothing, because the evidence is the board's size or an exhausted search."""
    return {}


def _colours(_problem: Problem, _evidence: Mapping[str, Any]) -> Highlights:
    return {"colours": True}


def _clash(_problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    steps = {parse_square(name): step for name, step in evidence["clues"]}
    wrong = "steps that cannot be right together" if len(steps) > 1 else "a step it cannot have"
    return {"marked": sorted(steps), "marked_as": wrong, "steps": steps}


def _degrees(_problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    return {"marked": _squares(evidence["squares"]), "marked_as": "one move at most"}


def _connectivity(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    marked = {"marked": _squares(evidence["squares"]), "marked_as": "no way between them"}
    return {**_removal(problem, {"squares": []}), **marked}


def _symmetry(_problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the decisive squares, or the colours if there are none."""
    if squares := _squares(evidence["squares"]):
        return {"marked": squares, "marked_as": "where the motion carries them decides"}
    return {"colours": True}


def _removal(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    frame = frame_of(problem)
    squares = _squares(evidence["squares"])
    vertices = {frame.number[square] for square in squares}
    return {"removed": squares, "components": _components(frame, squares_without(frame, vertices))}


def _tight(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the sets if they separate the rest, otherwise the removal of the first set."""
    frame = frame_of(problem)
    sets = [_squares(names) for names in evidence["sets"]]
    state = _state(frame)
    with suppress(Contradiction):
        for squares in sets:
            remove(state, {frame.number[square] for square in squares})
    parts = _components(frame, pieces_without(state.open_, set()))
    if len(parts) > 1:
        marked = {square for squares in sets for square in squares}
        why = "no move between two of these unless it must be used"
        return {"marked": marked, "marked_as": why, "components": parts}
    return {**_removal(problem, {"squares": evidence["sets"][0]}), **_known(frame, state)}


def _forced(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the sets that are counted before the first split, known moves, and that split."""
    frame = frame_of(problem)
    state, tree, marked = _state(frame), evidence["tree"], []
    why = "taken away to count the pieces"
    counted: list[list[Square]] = []
    tried = []
    while "remove" in tree:
        squares = _squares(tree["remove"])
        vertices = {frame.number[square] for square in squares}
        counted.append(squares)
        try:
            remove(state, vertices)
        except Contradiction:
            left = pieces_without(state.open_, with_ends(state, vertices))
            return {
                "removed": squares,
                "components": _components(frame, left),
                "counted": counted if len(counted) > 1 else (),  # else it equals ``removed``
                **_known(frame, state),
            }
        marked += squares
        tree = tree["then"]
    if "move" in tree:
        marked = [parse_square(name) for name in tree["move"] if name != "end"]
        tried = [tuple(marked)] if len(marked) == 2 else []
        why = "the move that is tried both ways" if tried else "an end of the tour, or not"
    split = {"tried": tried, "counted": counted}
    return {"marked": marked, "marked_as": why, **split, **_known(frame, state)}


def _refutation(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    if evidence.get("clues"):
        return _clash(problem, evidence)
    frame = frame_of(problem)
    marked = {square for names in evidence["cuts"] for square in _squares(names)}
    known = _known(frame, _state(frame))
    # Cuts all over the board explain nothing.
    if len(marked) == problem.size:
        return known
    return {"marked": marked, "marked_as": "parts that a tour must leave again", **known}


def _split(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the squares that are left at the end."""
    names = {square_name(square) for square in problem.board or ()}
    left = names
    for step in evidence["steps"]:
        if "keep" in step:
            left = names.intersection(step["keep"])
    if left == names:
        return {}
    return {"marked": _squares(sorted(left)), "marked_as": "what is left, and has no cycle"}


def _sweep(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the squares of the widest frontier."""
    frame = frame_of(problem)
    visited, frontier, widest = set[int](), set[int](), set[int]()
    for square in _squares(evidence["order"]):
        vertex = frame.number[square]
        visited.add(vertex)
        frontier = (frontier | {*frame.neighbours[vertex]} - {*frame.ends}) - visited
        widest = max(widest, frontier, key=len)
    squares = list(frame.number)
    why = "the widest frontier of the sweep"
    return {"marked": [squares[vertex] for vertex in sorted(widest)], "marked_as": why}


def _list(problem: Problem, evidence: Mapping[str, Any]) -> Highlights:
    """Highlight the moves that all tours make, and the moves that no tour makes."""
    frame, closed = frame_of(problem), problem.closed
    tours = [[frame.number[square] for square in _squares(names)] for names in evidence["tours"]]
    made = [moves_of(tour, closed) for tour in tours]
    moves = {(u, v) for u, v in frame.edges() if v < frame.squares}
    squares = list(frame.number)
    used, banned = frozenset.intersection(*made), moves.difference(*made)
    found = {"used": sorted(used), "banned": sorted(banned)}
    return {key: [(squares[u], squares[v]) for u, v in edges] for key, edges in found.items()}


_HIGHLIGHTS: dict[str, Callable[[Problem, Mapping[str, Any]], Highlights]] = {
    "size": _plain,
    "colours": _colours,
    "clash": _clash,
    "degrees": _degrees,
    "connectivity": _connectivity,
    "symmetry": _symmetry,
    "cut": _removal,
    "removal": _removal,
    "tight": _tight,
    "forced": _forced,
    "split": _split,
    "potentials": _plain,
    "sweep": _sweep,
    "refutation": _refutation,
    "undirected": _plain,
    "list": _list,
    "bound": _plain,
    "exhausted": _plain,
}


def _state(frame: Frame) -> State:
    """Return the state that the plain rules derive, up to a contradiction if they find one."""
    state = State.__new__(State)
    with suppress(Contradiction):
        State.__init__(state, frame)
    return state


def _known(frame: Frame, state: State) -> Highlights:
    """Return the moves that every tour must use, and the moves that no tour can use."""
    squares = list(frame.number)
    used, banned = [], []
    for u, v in frame.edges():
        if v >= frame.squares:
            continue
        if v in state.forced[u]:
            used.append((squares[u], squares[v]))
        elif v not in state.open_[u]:
            banned.append((squares[u], squares[v]))
    return {"used": used, "banned": banned}


def _components(frame: Frame, components: Iterable[Iterable[int]]) -> list[list[Square]]:
    """Return components as squares, without the ends of an open tour."""
    squares = list(frame.number)
    named = ([squares[v] for v in component if v < frame.squares] for component in components)
    return [component for component in named if component]


def _squares(names: Iterable[str]) -> list[Square]:
    return [parse_square(name) for name in names]


MOST_SQUARES = 10_201
"""Most squares of a board in a picture, 101 × 101, which takes a few megabytes."""


def check_picture(problem: Problem) -> None:
    """Raise ``InputError`` for a graph and for a board that is too large for a picture."""
    if problem.board is None:
        raise InputError(
            f"{problem.label}: expected a board for a picture of an argument, got a graph; "
            "use json or text"
        )
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_SQUARES:,} squares for a picture; "
            "--format json takes more"
        )


def argument_picture(certificate: Certificate) -> str:
    """Return SVG of a certificate's board and argument.

    >>> from kt_cp import Board, Problem, prove
    >>> picture = argument_picture(prove(Problem(Board(3, 3))).certificate)
    >>> "b2 has no moves at all" in picture
    True
    """
    problem = certificate.problem
    check_picture(problem)
    return claim_svg(
        problem, certificate.claim, certificate.argument, **find_highlights(certificate)
    )


def claim_svg(problem: Problem, claim: str, reason: str, **highlights: Any) -> str:
    """Return SVG of a board with its conditions, and a claim and its reason below it."""
    assert problem.board is not None
    label = f"{claim.capitalize()} ({problem.label})"
    return argument_svg(
        problem.board,
        title=label,
        caption=f"{label}: {reason}.",
        piece=problem.piece,
        require=problem.require,
        forbid=problem.forbid,
        start=problem.start,
        end=problem.end,
        **highlights,
    )
