"""Run CP-SAT so that Ctrl-C or the caller can stop it.

The solver works in a thread of its own, and the caller's thread looks at it now and then.  An event
says when it is done.  A ``join`` will not do: after Ctrl-C Python 3.11's ``join`` may come back too
early, and leaving while CP-SAT is still running aborts the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kt_cp.model.limits import StoppedError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

POLL_SECONDS = 0.02
"""Time between two calls of ``should_stop``."""

STOP_POLLS = 500
"""After ten seconds of requests to stop, the thread is abandoned, so the caller never hangs."""


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
        Whatever the solver raises.
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
        for _ in range(STOP_POLLS):  # again and again: it may not have begun yet
            solver.stop_search()
            if done.wait(POLL_SECONDS):
                break
        raise
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]
