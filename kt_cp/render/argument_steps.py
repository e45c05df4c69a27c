"""The steps of an argument: sentences, each with its squares and moves.

The picture of an argument (:mod:`kt_cp.render.highlights`) shows all of them at once.
"""

from __future__ import annotations

from typing import Any

from kt_cp.model.board import square_name
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.render.highlights import find_highlights

ArgumentStep = dict[str, Any]


def argument_steps(certificate: Certificate) -> list[ArgumentStep]:
    """Return the steps of an argument; the last step states the argument as a whole.

    >>> from kt_cp import prove
    >>> for step in argument_steps(prove("4x4", closed=True).certificate):
    ...     print(len(step["squares"]), len(step["parts"]), step["text"].split(":")[0])
    2 0 Take away 2 squares.
    0 3 The rest falls into 3 parts.
    0 3 No tour
    """
    drawn = find_highlights(certificate)
    removed, parts = drawn.get("removed", ()), drawn.get("components", ())
    steps = []
    if drawn.get("colours"):
        steps.append(colour_step(certificate.problem, {*removed}))
    if used := drawn.get("used"):
        steps.append(argument_step("Every tour makes these moves.", moves=used))
    if banned := drawn.get("banned"):
        steps.append(argument_step("No tour makes these moves.", moves=banned))
    for number, squares in enumerate(drawn.get("counted", ()), start=1):
        steps.append(argument_step(f"Count the squares of set {number}.", squares))
    if tried := drawn.get("tried"):
        steps.append(
            argument_step("Suppose this move is made, and then that it is not.", moves=tried)
        )
    if removed:
        steps.append(argument_step(f"Take away {counted(len(removed), 'square')}.", removed))
    if parts:
        many = counted(len(parts), "part")
        steps.append(argument_step(f"The rest falls into {many}.", parts=parts))
    if marked := drawn.get("marked"):
        why = str(drawn.get("marked_as", "squares of the argument"))
        steps.append(argument_step(f"{why[0].upper()}{why[1:]}.", sorted(marked)))
    claim = f"{certificate.claim.capitalize()}: {certificate.argument}."
    return [*steps, argument_step(claim, parts=parts)]


def colour_step(problem: Problem, removed: set[Any]) -> ArgumentStep:
    """Return the step that counts the squares of each colour, if moves change the colour.

    >>> colour_step(Problem("3x3"), {(0, 0)})["text"]
    'Colour the board: a knight changes colour with every move. Left are 4 and 4 squares.'
    """
    graph = problem.indexed
    two: tuple[list[Any], list[Any]] = ([], [])
    for square, colour in zip(graph.nodes, graph.colours or (), strict=False):
        if square not in removed:
            two[colour].append(square)
    many = " and ".join(str(len(each)) for each in two)
    rest = f"{'Left are' if removed else 'There are'} {many} squares."
    first = f"Colour the board: a {problem.piece} changes colour with every move."
    return argument_step(
        f"{first} {rest}" if any(two) else first, parts=[each for each in two if each]
    )


def argument_step(text: str, squares: Any = (), moves: Any = (), parts: Any = ()) -> ArgumentStep:
    """Return the step of a sentence, with the names of its squares."""
    return {
        "text": text,
        "squares": [square_name(square) for square in squares],
        "moves": [[square_name(u), square_name(v)] for u, v in moves],
        "parts": [[square_name(square) for square in part] for part in parts],
    }
