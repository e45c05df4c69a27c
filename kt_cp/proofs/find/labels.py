"""The smallest set of squares whose removal leaves too many pieces, by OR-Tools CP-SAT.

The model: a square is removed, or it has a label, which is a square of its piece not after it; kept
neighbours have the same label; only a square that is its own label may be one.  The pieces are
counted at those.  None can be counted twice, since it hangs together and so has one label; that
none is missed need not be said, since more pieces are wanted.  They must be one more than a tour
can join, exactly as :mod:`kt_cp.proofs.check.argument` counts.  The fewest squares come first, then
the most pieces.

Three formulations were compared, each with one worker, and the best of them at several levels of
the linear relaxation (median seconds, or how many were found in 1 s):

==================================  ======  ======  ======  ==========  ==========  =============
formulation                         3x6     4x4     4x6     6x6         6x6, 25     7x7, 8x8, 30
                                    open    open    closed  no set      sets        sets
==================================  ======  ======  ======  ==========  ==========  =============
labels as whole numbers, linear 1   0.02    0.01    0.08    1.4         25 in 0.48  9 in 1
labels as Booleans, linear 0        -       -       -       -           25 in 0.55  11 in 1
labels as Booleans, linear 1        0.04    0.04    0.12    0.36        25 in 0.21  12 in 1
labels as Booleans, linear 2        -       -       -       -           25 in 0.16  26 in 0.80
n / 2 classes with a Boolean each   none    0.14    none    none        -           -
==================================  ======  ======  ======  ==========  ==========  =============

(none: not in 5 s; -: not measured.)  Whole numbers make the smaller model, but the linear
relaxation says nothing about them; over the Booleans it bounds the number of pieces.  Without
probing and symmetry the Booleans are four times slower.

Cost: tens of milliseconds to 36 squares, where there is a set and where there is none; exponential
beyond, so there is a limit, in the solver's own deterministic units and in seconds.  When it
loses: above some 64 squares it finds hardly more than :mod:`kt_cp.proofs.find.hall` does, and
where there is no set it cannot say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kt_cp.proofs.check.frame import Frame
from kt_cp.proofs.find.stop import GaveUpError, ShouldStop
from kt_cp.stoppable import StoppedError, solve_stoppable

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

MOST_SQUARES = 100

LINEAR = 2
"""Level of the linear relaxation: see above."""

UNITS = 1.0
"""Deterministic time for each second: it ends a little before the clock does."""


def smallest(frame: Frame, should_stop: ShouldStop, seconds: float) -> set[int] | None:
    """A smallest set whose removal leaves too many pieces, or None if none was found.

    Out of time, a set that is not the smallest may be returned.

    Raises
    ------
    GaveUpError
        If it is to stop.

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> from kt_cp.problem import Problem
    >>> from kt_cp.proofs.check.frame import frame_of
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
