"""The smallest set of squares whose removal leaves too many components, by OR-Tools CP-SAT.

The model: a square is removed, or it has a label.  The label is a square of its component that does
not come after it.  Neighbours that are left have the same label, and a square may be a label only
if it has itself as its label.  Counting these squares counts the components.  No component is
counted twice: it is connected and so has one label.  That none is missed need not be said, since
more components are wanted.  They must be one more than a tour can join, exactly as
:mod:`kt_cp.trust.check.argument` counts.  The fewest squares come first, then the most components.

Labels are Booleans: labels as whole numbers make the smaller model, but the linear relaxation says
nothing about them; over the Booleans it bounds the number of components.  Three formulations were
compared in ``benchmarks/MEASURED.md``.

Cost: tens of milliseconds to 36 squares, whether there is a set or not; exponential beyond, so
there is a limit, in the solver's own deterministic units and in seconds.  When it loses: above some
64 squares it finds hardly more than :mod:`kt_cp.proofs.removal` does, and where there is no set it
cannot say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kt_cp.processes.stoppable import StoppedError, solve_stoppable
from kt_cp.search.meter import GaveUpError, ShouldStop
from kt_cp.trust.check.frame import Frame

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

MOST_SQUARES = 100

LINEAR = 2
"""Level of the linear relaxation, chosen by measurement (``benchmarks/MEASURED.md``)."""

UNITS = 1.0
"""Deterministic time for each second: it ends a little before the clock does."""


def smallest(frame: Frame, should_stop: ShouldStop, seconds: float) -> set[int] | None:
    """A smallest set whose removal leaves too many pieces, or None if none was found.

    Out of time, a set that is not the smallest may be returned.  Raises ``GaveUpError``.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(Board(4, 4)))
    >>> sorted(frame.names[vertex] for vertex in smallest(frame, lambda: False, 5.0))
    ['b2', 'b3', 'c2', 'c3']
    """
    from ortools.sat.python import cp_model

    model, removed = _model(frame)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = 0
    parameters.linearization_level = LINEAR
    parameters.max_time_in_seconds = max(seconds, 0.01)
    parameters.max_deterministic_time = max(seconds * UNITS, 0.01)
    parameters.catch_sigint_signal = False
    try:
        status = solve_stoppable(solver, model, should_stop)
    except StoppedError:
        raise GaveUpError from None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {v for v, literal in enumerate(removed) if solver.boolean_value(literal)}


def _model(frame: Frame) -> tuple[cp_model.CpModel, list[Any]]:
    """The model, and a literal for every square that says whether it is removed."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    everyone = range(frame.squares)
    removed = [model.new_bool_var("") for _ in everyone]
    label = [[model.new_bool_var("") for _ in range(vertex + 1)] for vertex in everyone]
    for v in everyone:
        model.add_exactly_one([*label[v], removed[v]])
        for w in range(v):
            model.add_implication(label[v][w], label[w][w])
        for u in frame.neighbours[v]:
            if u >= v:
                continue
            for w in range(u + 1):
                model.add_bool_or(~label[u][w], removed[v], label[v][w])
                model.add_bool_or(~label[v][w], removed[u], label[u][w])
            for w in range(u + 1, v + 1):
                model.add_implication(label[v][w], removed[u])
    root = [label[vertex][vertex] for vertex in everyone]
    size, pieces = sum(removed), sum(root)
    problem = frame.problem
    if problem.closed:
        model.add(pieces >= size + 1)
    else:
        ends = [frame.number[end] for end in (problem.start, problem.end) if end is not None]
        lost = [removed[end] for end in ends]
        if len(ends) == 2:
            together = model.new_bool_var("")
            one, other = sorted(ends)
            model.add_implication(together, ~removed[one])
            model.add_implication(together, ~removed[other])
            for w in range(one + 1):
                model.add_bool_or(~together, ~label[one][w], label[other][w])
            lost.append(together)
        model.add(pieces >= size + 2 - sum(lost))
    model.add(size >= 1)
    # Pieces are squares that are left, so they are no more than those.
    model.add(size + pieces <= frame.squares)
    model.minimize(size * (frame.squares + 1) - pieces)
    return model, removed
