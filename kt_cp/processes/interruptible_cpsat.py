"""Run CP-SAT so that Ctrl-C or the caller can stop it.

The solver runs in its own thread, and the caller's thread polls it.  An event signals the end of
the solve.  A ``join`` is not enough: after Ctrl-C, ``join`` in Python 3.11 may return too early,
and an exit while CP-SAT is still running aborts the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kt_cp.model.limits import StoppedError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

POLL_SECONDS = 0.02
"""Seconds between two calls of ``should_stop``."""

STOP_POLLS = 500
"""Number of requests to stop, over ten seconds; then the caller abandons the thread."""


def solve_interruptible(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    should_stop: Callable[[], bool],
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> Any:
    """Return the status of the solve; the callback, if any, receives every solution.

    Raises
    ------
    StoppedError
        Soon after ``should_stop`` returns true; ``KeyboardInterrupt`` is passed on.
    Exception
        Any exception of the solver.
    """
    answer: list[Any] = []
    done = threading.Event()

    def work() -> None:
        try:
            answer.append(solver.solve(model, callback))
        except Exception as error:
            answer.append(error)
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        while not done.wait(POLL_SECONDS):
            if should_stop():
                raise StoppedError
    except BaseException:
        for _ in range(STOP_POLLS):  # repeat the request: the solver may not have begun yet
            solver.stop_search()
            if done.wait(POLL_SECONDS):
                break
        raise
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]
