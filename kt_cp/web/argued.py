"""The argument of a certificate step by step, each with what it points at."""

from __future__ import annotations

from typing import Any

from kt_cp.model.board import square_name
from kt_cp.model.outcome import Certificate
from kt_cp.model.terms import counted
from kt_cp.render.pointed import pointed_at

Step = dict[str, Any]


def steps(certificate: Certificate) -> list[Step]:
    """What the picture of an argument shows at once, one thing after the other; then its sentence.

    Examples
    --------
    >>> from kt_cp import prove
    >>> for step in steps(prove("4x4", closed=True).certificate):
    ...     print(step["text"][:40], step["squares"], len(step["parts"]))
    Take away 2 squares. ['c2', 'b3'] 0
    What is left falls into 3 parts. [] 3
    No tour: without c2 and b3 the board fal [] 3
    """
    drawn = pointed_at(certificate)
    removed, parts = drawn.get("removed", ()), drawn.get("components", ())
    told = []
    if drawn.get("colours"):
        told.append(step(f"Colour the board: a {certificate.problem.piece} changes colour."))
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


def step(text: str, squares: Any = (), moves: Any = (), parts: Any = ()) -> Step:
    """A sentence, and what it points at by names."""
    return {
        "text": text,
        "squares": [square_name(square) for square in squares],
        "moves": [[square_name(u), square_name(v)] for u, v in moves],
        "parts": [[square_name(square) for square in part] for part in parts],
    }
