"""A closed tour by clingo: the program in ``reachability.lp``, and reading its answer.

``cycle.lp`` is the same for any graph.

On 60x60 the default configuration takes 21 to 26 s, ``jumpy`` 11 s, ``handy`` 4.6, 4.7 and 13.6 s
over three seeds, and ``crafty`` 3.0, 3.8 and 4.1 s.  On 100x100, where it matters, ``crafty`` does
not end in 200 s with any of them, nor does the default; ``handy`` takes 64 and 111 s and, with one
seed, more than 200 s, so that is what is measured.  In the program, bounds stand where it could as
well say ``square(X + A, Y + B)``: then grounding alone takes 9 s on 60x60, not half a second.
"""

from __future__ import annotations

import time
from pathlib import Path

PROGRAM = Path(__file__).with_suffix(".lp")
ANY_GRAPH = Path(__file__).with_name("cycle.lp")
CONFIGURATION = "handy"


def closed_tour(side: int, seed: int) -> tuple[str, float, list[tuple[int, int]]]:
    """Status, seconds to ground and solve, and the squares of a closed tour in order."""
    import clingo

    began = time.perf_counter()
    options = [f"--const=n={side}", f"--configuration={CONFIGURATION}", f"--seed={seed}"]
    control = clingo.Control(options)
    control.load(str(PROGRAM))
    control.ground([("base", [])])
    following: dict[tuple[int, int], tuple[int, int]] = {}
    with control.solve(yield_=True) as answers:
        for model in answers:
            for atom in model.symbols(shown=True):
                x, y, u, v = (argument.number for argument in atom.arguments)
                following[x - 1, y - 1] = u - 1, v - 1
            break
        said = str(answers.get())
    seconds = time.perf_counter() - began
    if not following:
        return said, seconds, []
    walk = [(0, 0)]
    while following[walk[-1]] != (0, 0):
        walk.append(following[walk[-1]])
    return said, seconds, walk


def cycle(nodes: int, arcs: list[tuple[int, int]], seed: int) -> tuple[str, float, list[int]]:
    """The same of any graph, each edge an arc in either direction."""
    import clingo

    began = time.perf_counter()
    control = clingo.Control([f"--configuration={CONFIGURATION}", f"--seed={seed}"])
    control.load(str(ANY_GRAPH))
    facts = [f"node(0..{nodes - 1}).", *(f"arc({u},{v})." for u, v in arcs)]
    control.add("base", [], "\n".join(facts))
    control.ground([("base", [])])
    following: dict[int, int] = {}
    with control.solve(yield_=True) as answers:
        for model in answers:
            for atom in model.symbols(shown=True):
                here, there = (argument.number for argument in atom.arguments)
                following[here] = there
            break
        said = str(answers.get())
    seconds = time.perf_counter() - began
    if not following:
        return said, seconds, []
    walk = [0]
    while following[walk[-1]] != 0:
        walk.append(following[walk[-1]])
    return said, seconds, walk
