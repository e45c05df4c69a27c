"""What the argument of a certificate points at: squares, moves and components of its board.

What is counted is derived again with the rules of the checker, so that what is shown was checked.
Of a refutation there is little to see: its clues, or the moves that the plain rules force at its
root and the squares that its cuts are about.  Of a list, the moves that all tours make or none.

The argument of a certificate as a picture: what its evidence points at, drawn on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from kt_cp.model.board import Square, parse_square, square_name
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of
from kt_cp.render.argument import argument_svg
from kt_cp.trust.check.argument import squares_without
from kt_cp.trust.check.frame import Frame, frame_of, pieces_without
from kt_cp.trust.check.state import Contradiction, State, remove, with_ends
from kt_cp.trust.check.tours import moves_of

Drawn = dict[str, Any]
"""Keywords of :func:`kt_cp.render.argument.argument_svg`."""


def find_highlights(certificate: Certificate) -> Drawn:
    """What an argument on a board points at: squares, moves and components.

    Examples
    --------
    >>> from kt_cp import prove
    >>> find_highlights(prove("3x3").certificate)["marked"]
    [(1, 1)]
    """
    evidence = certificate.document["evidence"]
    return _DRAWN.get(certificate.kind, _plain)(certificate.problem, evidence)


def _plain(_problem: Problem, _evidence: Mapping[str, Any]) -> Drawn:
    """Nothing but the board: its size, or a search that says no more than its end."""
    return {}


def _colours(_problem: Problem, _evidence: Mapping[str, Any]) -> Drawn:
    return {"colours": True}


def _clash(_problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    steps = {parse_square(name): step for name, step in evidence["clues"]}
    wrong = "steps that cannot be right together" if len(steps) > 1 else "a step it cannot have"
    return {"marked": sorted(steps), "marked_as": wrong, "steps": steps}


def _degrees(_problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    return {"marked": _squares(evidence["squares"]), "marked_as": "one move at most"}


def _connectivity(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    marked = {"marked": _squares(evidence["squares"]), "marked_as": "no way between them"}
    return {**_removal(problem, {"squares": []}), **marked}


def _symmetry(_problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The squares that decide; where there are none, colours do, or that no move is in a place."""
    marked = _squares(evidence["squares"])
    why = "where the motion carries them decides"
    return {"marked": marked, "marked_as": why} if marked else {"colours": True}


def _removal(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    frame = frame_of(problem)
    squares = _squares(evidence["squares"])
    vertices = {frame.number[square] for square in squares}
    return {"removed": squares, "components": _components(frame, squares_without(frame, vertices))}


def _tight(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The sets as marks where what is left without moves in them falls apart; else the first."""
    frame = frame_of(problem)
    sets = [_squares(names) for names in evidence["sets"]]
    state = _state(frame)
    with suppress(Contradiction):
        for squares in sets:
            remove(state, {frame.number[square] for square in squares})
    apart = _components(frame, pieces_without(state.open_, set()))
    if len(apart) > 1:
        marked = {square for squares in sets for square in squares}
        why = "no move between two of these unless it must be used"
        return {"marked": marked, "marked_as": why, "components": apart}
    return {**_removal(problem, {"squares": evidence["sets"][0]}), **_known(frame, state)}


def _forced(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The sets that are counted before the first split, what is known then, and that split."""
    frame = frame_of(problem)
    state, tree, marked = _state(frame), evidence["tree"], []
    why = "taken away to count the pieces"
    counted: list[list[Square]] = []
    asked = []
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
                "counted": counted if len(counted) > 1 else (),  # else it is what is removed
                **_known(frame, state),
            }
        marked += squares
        tree = tree["then"]
    if "move" in tree:
        marked = [parse_square(name) for name in tree["move"] if name != "end"]
        asked = [tuple(marked)] if len(marked) == 2 else []
        why = "the move that is tried both ways" if asked else "an end of the tour, or not"
    split = {"asked": asked, "counted": counted}
    return {"marked": marked, "marked_as": why, **split, **_known(frame, state)}


def _refutation(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    if evidence.get("clues"):
        return _clash(problem, evidence)
    frame = frame_of(problem)
    marked = {square for names in evidence["cuts"] for square in _squares(names)}
    known = _known(frame, _state(frame))
    # Cuts all over the board say nothing.
    if len(marked) == problem.size:
        return known
    return {"marked": marked, "marked_as": "parts that a tour must leave again", **known}


def _split(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The squares that are left at the end."""
    kept = [step["keep"] for step in evidence["steps"] if "keep" in step]
    names = {square_name(square) for square in problem.board or ()}
    left = names.intersection(kept[-1]) if kept else names
    if left == names:
        return {}
    return {"marked": _squares(sorted(left)), "marked_as": "what is left, and has no cycle"}


def _sweep(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The squares of the widest frontier."""
    frame = frame_of(problem)
    taken, frontier, widest = set[int](), set[int](), set[int]()
    for square in _squares(evidence["order"]):
        vertex = frame.number[square]
        taken.add(vertex)
        frontier = (frontier | {*frame.neighbours[vertex]} - {*frame.ends}) - taken
        widest = max(widest, frontier, key=len)
    squares = list(frame.number)
    why = "the widest frontier of the sweep"
    return {"marked": [squares[vertex] for vertex in sorted(widest)], "marked_as": why}


def _list(problem: Problem, evidence: Mapping[str, Any]) -> Drawn:
    """The moves that all tours make, and those that none makes."""
    frame, closed = frame_of(problem), problem.closed
    tours = [[frame.number[square] for square in _squares(names)] for names in evidence["tours"]]
    made = [moves_of(tour, closed) for tour in tours]
    moves = {(u, v) for u, v in frame.edges() if v < frame.squares}
    squares = list(frame.number)
    used, banned = frozenset.intersection(*made), moves.difference(*made)
    told = {"used": sorted(used), "banned": sorted(banned)}
    return {key: [(squares[u], squares[v]) for u, v in edges] for key, edges in told.items()}


_DRAWN: dict[str, Callable[[Problem, Mapping[str, Any]], Drawn]] = {
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
    "sweep": _sweep,
    "refutation": _refutation,
    "list": _list,
    "exhausted": _plain,
}


def _state(frame: Frame) -> State:
    """What the plain rules know by themselves; where they contradict, up to that point."""
    state = State.__new__(State)
    with suppress(Contradiction):
        State.__init__(state, frame)
    return state


def _known(frame: Frame, state: State) -> Drawn:
    """Moves between squares that every tour must use, and that none can."""
    squares = list(frame.number)
    used, banned = [], []
    for u, v in frame.edges():
        if v >= frame.squares:
            continue
        if v in state.kept[u]:
            used.append((squares[u], squares[v]))
        elif v not in state.open_[u]:
            banned.append((squares[u], squares[v]))
    return {"used": used, "banned": banned}


def _components(frame: Frame, components: Iterable[Iterable[int]]) -> list[list[Square]]:
    """Components as squares, without the ends of an open tour."""
    squares = list(frame.number)
    named = ([squares[v] for v in component if v < frame.squares] for component in components)
    return [component for component in named if component]


def _squares(names: Iterable[str]) -> list[Square]:
    return [parse_square(name) for name in names]


MOST_SQUARES = 10_201
"""Of a board that is drawn, 101 × 101: square by square, some megabytes."""


def check_picture(problem: Problem) -> None:
    """Refuse a board that is too large for a picture, and a graph, by an ``InputError``."""
    if problem.board is None:
        raise InputError(
            f"{problem.label}: expected a board for a picture of an argument, got a graph; "
            "json and text tell it"
        )
    if problem.size > MOST_SQUARES:
        raise TooLargeError(
            f"{problem.label}: expected at most {MOST_SQUARES:,} squares for a picture; "
            "--format json takes more"
        )


def argument_picture(certificate: Certificate) -> str:
    """SVG of the board and of what the argument says about it.

    Raises
    ------
    InputError
        If the problem has no board, or one that is too large to be drawn.

    Examples
    --------
    >>> from kt_cp import Board, Problem, prove
    >>> picture = argument_picture(prove(Problem(Board(3, 3))).certificate)
    >>> "b2 has no moves at all" in picture
    True
    """
    check_picture(certificate.problem)
    drawn = find_highlights(certificate)
    return claim_svg(certificate.problem, certificate.claim, certificate.argument, **drawn)


def no_tour_svg(problem: Problem, why: str, **drawn: Any) -> str:
    """The board of a problem with what is prescribed on it, and below it why there is no tour."""
    return claim_svg(problem, claim_of(0), why, **drawn)


def claim_svg(problem: Problem, claim: str, why: str, **drawn: Any) -> str:
    """The same with what is claimed of its tours."""
    assert problem.board is not None
    label = f"{claim.capitalize()} ({problem.label})"
    return argument_svg(
        problem.board,
        title=label,
        caption=f"{label}: {why}.",
        piece=problem.piece,
        require=problem.require,
        forbid=problem.forbid,
        start=problem.start,
        end=problem.end,
        **drawn,
    )
