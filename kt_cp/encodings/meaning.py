"""The meaning of variables in words, so that a model can be read without this package.

Only the variables that determine the tour have a meaning here: moves and steps.  All others
(counters, positions in binary, halves of a vertex) follow from them or bound them, and a reader can
leave them aside.

- A directed move, ``a1->b3``: the tour goes from a1 to b3.  ``not a1->b3``: it does not.
- An undirected one, ``a1-b3``: it goes from one to the other, or back.
- A step, ``b3 at 2``: b3 is the second square.

The type of the formula's key decides which of these applies.  An encoding with another type of key
may define the meaning in ``Encoding.meaning``.

Where an open tour is stated as a cycle, ``end`` is the vertex outside the board at which it closes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from kt_cp.encodings.cnf import Cnf
from kt_cp.encodings.lazy import Key
from kt_cp.encodings.successor import Successors
from kt_cp.model.board import describe
from kt_cp.model.cycle import CycleForm
from kt_cp.model.problem import Problem

OUTSIDE = "end"
"""Name of the depot."""


def meaning(cnf: Cnf) -> Iterator[tuple[int, str]]:
    """Yield the variables that determine the tour with their meanings; none for other keys.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.encodings import get_encoding
    >>> from kt_cp.model.problem import Problem
    >>> problem = Problem(Board(3, 4))
    >>> next(meaning(get_encoding("position").encode(problem)))
    (1, 'a1 at 1')
    >>> list(meaning(get_encoding("lazy").encode(problem)))[-1]
    (30, 'd3-end')
    """
    key = cnf.key
    if isinstance(key, Successors):
        names = _names(key.form)
        for (u, v), literal in key.number.items():
            yield abs(literal), f"{'not ' * (literal < 0)}{names[u]}->{names[v]}"
    elif isinstance(key, Key):
        names = _names(key.form)
        meanings: dict[int, str] = {}
        for (u, v), orbit in zip(key.form.graph.pairs(), key.orbit.tolist(), strict=True):
            text = f"{names[u]}-{names[v]}"
            meanings[orbit] = f"{meanings[orbit]} and {text}" if orbit in meanings else text
        for orbit, text in sorted(meanings.items()):
            yield key.first_edge + orbit, text
    elif isinstance(key, np.ndarray):
        names = [_name(cnf.problem, node) for node in cnf.problem.indexed.nodes]
        for name, row in zip(names, key.tolist(), strict=True):
            for step, variable in enumerate(row, start=1):
                if variable:
                    yield variable, f"{name} at {step}"


def explanation(cnf: Cnf) -> Iterator[str]:
    """Yield lines that explain how to read a model of this formula."""
    key = cnf.key
    if isinstance(key, np.ndarray):
        yield "'b3 at 2': square b3 is the second of the tour."
        if cnf.problem.closed:
            yield "After the last square the tour comes back to the first."
        return
    if not isinstance(key, Successors | Key):
        return
    directed = isinstance(key, Successors)
    if isinstance(key, Successors):
        yield "'a1->b3': the tour goes from a1 to b3."
        if min(key.number.values(), default=0) < 0:
            yield "'not a1->b3': it does not go from a1 to b3."
    else:
        yield "'a1-b3': the tour goes from a1 to b3, or from b3 to a1."
    form = key.form
    if form.depot is not None:
        yield f"It is written as a cycle: '{OUTSIDE}' stands between its last square and its first."
    elif not cnf.problem.closed:
        start, end = (_name(cnf.problem, node) for node in (cnf.problem.start, cnf.problem.end))
        yield f"It is written as a cycle: from its end {end} it goes back to its start {start}."
        if directed:
            yield "The cycle may run backwards."
    if directed and form.depot is not None:
        yield "The cycle may run backwards where a start or an end is prescribed."


def _names(form: CycleForm) -> list[str]:
    """Return the name of each vertex of a cycle form."""
    names = [_name(form.problem, node) for node in form.problem.indexed.nodes]
    return [*names, *[OUTSIDE] * (len(form) - len(names))]


def _name(problem: Problem, node: object) -> str:
    """Return the name of a square, or a graph's node in quotation marks."""
    return describe(node) if problem.board is not None else json.dumps(str(node))
