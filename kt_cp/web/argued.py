"""The argument of a certificate step by step, each with what it points at."""

from __future__ import annotations

from typing import Any

from kt_cp.model.board import square_name
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.render.highlights import pointed_at

Step = dict[str, Any]


def steps(certificate: Certificate) -> list[Step]:
    """What the picture of an argument shows at once, one thing after the other; then its sentence.

    Examples
    --------
    >>> from kt_cp import prove
    >>> for step in steps(prove("4x4", closed=True).certificate):
    ...     print(len(step["squares"]), len(step["parts"]), step["text"].split(":")[0])
    2 0 Take away 2 squares.
    0 3 What is left falls into 3 parts.
    0 3 No tour
    """
    drawn = pointed_at(certificate)
    removed, parts = drawn.get("removed", ()), drawn.get("components", ())
    told = []
    if drawn.get("colours"):
        told.append(coloured(certificate.problem, {*removed}))
    if used := drawn.get("used"):
        told.append(step("Every tour makes these moves.", moves=used))
    if banned := drawn.get("banned"):
        told.append(step("No tour makes these moves.", moves=banned))
    for number, squares in enumerate(drawn.get("counted", ()), start=1):
        told.append(step(f"Count the squares of set {number}.", squares))
    if asked := drawn.get("asked"):
        told.append(step("Suppose this move is made, and then that it is not.", moves=asked))
    if removed:
        told.append(step(f"Take away {counted(len(removed), 'square')}.", removed))
    if parts:
        many = counted(len(parts), "part")
        told.append(step(f"What is left falls into {many}.", parts=parts))
    if marked := drawn.get("marked"):
        why = str(drawn.get("marked_as", "what this is about"))
        told.append(step(f"{why[0].upper()}{why[1:]}.", sorted(marked)))
    claim = f"{certificate.claim.capitalize()}: {certificate.argument}."
    return [*told, step(claim, parts=parts)]


def coloured(problem: Problem, removed: set[Any]) -> Step:
    """The two colours of what is left, if the moves have any.

    Examples
    --------
    >>> coloured(Problem("3x3"), {(0, 0)})["text"]
    'Colour the board: a knight changes colour with every move. Left are 4 and 4 squares.'
    """
    graph = problem.indexed
    two: tuple[list[Any], list[Any]] = ([], [])
    for square, colour in zip(graph.nodes, graph.colours or (), strict=False):
        if square not in removed:
            two[colour].append(square)
    many = " and ".join(str(len(each)) for each in two)
    told = f"{'Left are' if removed else 'There are'} {many} squares."
    first = f"Colour the board: a {problem.piece} changes colour with every move."
    return step(f"{first} {told}" if any(two) else first, parts=[each for each in two if each])


def step(text: str, squares: Any = (), moves: Any = (), parts: Any = ()) -> Step:
    """A sentence, and what it points at by names."""
    return {
        "text": text,
        "squares": [square_name(square) for square in squares],
        "moves": [[square_name(u), square_name(v)] for u, v in moves],
        "parts": [[square_name(square) for square in part] for part in parts],
    }
