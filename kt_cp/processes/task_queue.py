"""Tasks of large jobs: an executor runs them, repeats them if a worker dies, and stores results.

A piece is the arguments of one call.  Its result has two parts: a value, and further pieces if the
work was too large for one call.  These replace the piece in the queue.  So results arrive in the
order of a single worker, while other workers compute ahead.  Every call takes a short time, and all
workers are busy until nearly the end.

A depth-first search is divided in the same way, by the entries of its stack (V. N. Rao and V.
Kumar, "Parallel depth first search", International Journal of Parallel Programming 16, 1987).  The
division depends only on the work and never on the clock.  So a second run has the same pieces, and
finds their stored results by the same keys.

Cost: a message of a few kilobytes for each piece.  When it loses: if the first result in the queue
takes long, later results must wait in memory; their number is at most :data:`HELD` per worker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple, Protocol

from kt_cp.model.errors import EndedError
from kt_cp.model.limits import StoppedError
from kt_cp.processes.executors import SIGNAL_SECONDS, WorkerEndedError, at_once
from kt_cp.processes.interruptible_cpsat import POLL_SECONDS

TRIES = 3
"""Attempts at a piece: if three workers die, the piece itself is probably the cause."""

AHEAD = 2
"""Pieces submitted per worker, so that the next piece is ready when one is finished."""

HELD = 16
"""Results per worker that may wait for earlier ones."""


class Done(NamedTuple):
    """Result of a call: a value, and the arguments of the remaining calls."""

    value: Any
    rest: tuple[tuple[Any, ...], ...] = ()


class ResultStore(Protocol):
    """A store of results by key."""

    def load(self, key: str, piece: tuple[Any, ...]) -> Done | None:
        """Return the result of a piece if it is stored, or None."""

    def save(self, key: str, done: Done) -> None:
        """Save a result."""


@dataclass(eq=False)
class _Piece:
    key: str
    arguments: tuple[Any, ...]
    tried: int = 0
    done: Done | None = None


@dataclass
class _Line:
    """Tasks in the order of their results: first those already in the queue, then the others."""

    coming: Iterator[tuple[Any, ...]]
    begun: deque[_Piece] = field(default_factory=deque)
    names: Iterator[int] = field(default_factory=count)

    def next(self) -> _Piece | None:
        """Return the first task that has not been submitted, or None."""
        for piece in self.begun:
            if piece.done is None and not piece.tried:
                return piece
        arguments = next(self.coming, None)
        if arguments is None:
            return None
        self.begun.append(_Piece(f"{next(self.names)}", arguments))
        return self.begun[-1]

    def put(self, piece: _Piece, done: Done) -> None:
        """Record a result, and insert the remaining calls of the task after it."""
        piece.done = done
        at = self.begun.index(piece) + 1
        for number, arguments in enumerate(done.rest):
            self.begun.insert(at + number, _Piece(f"{piece.key}-{number}", arguments))

    def ready(self) -> Iterator[Any]:
        """Remove and yield the values that are next in order."""
        while self.begun and (done := self.begun[0].done) is not None:
            self.begun.popleft()
            yield done.value

    @property
    def held(self) -> int:
        """Number of results that wait for earlier ones."""
        return sum(piece.done is not None for piece in self.begun)


def run_tasks(
    executor: Executor,
    function: Callable[..., Done],
    pieces: Iterable[tuple[Any, ...]],
    *,
    store: ResultStore | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[Any]:
    """Yield the values of all pieces, in order.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Executor that runs the calls.
    function : callable
        Called with the arguments of a piece.
    pieces : iterable of tuples
        Arguments, read when a worker is free.
    store : ResultStore, optional
        Store for results, which a second run reads.
    should_stop : callable, optional
        Polled while tasks run.

    Raises
    ------
    StoppedError
        Soon after ``should_stop`` returns true.
    EndedError
        If three workers died while they ran the same piece.
    Exception
        Any exception of the function.

    Examples
    --------
    >>> from kt_cp.processes.executors import Threads
    >>> def halve(many):
    ...     return Done(many % 2, ((many // 2,),) if many > 1 else ())
    >>> with Threads(2) as pool:
    ...     list(run_tasks(pool, halve, [(6,), (1,)]))
    [0, 1, 1, 1]
    """
    workers = at_once(executor)
    poll = SIGNAL_SECONDS if should_stop is None else POLL_SECONDS
    line = _Line(iter(pieces))
    running: dict[Future[Done], _Piece] = {}
    try:
        while True:
            # If nothing runs, the first task of the queue is submitted, so every task runs in time.
            while len(running) < AHEAD * workers and (line.held <= HELD * workers or not running):
                piece = line.next()
                if piece is None:
                    break
                stored = None if store is None else store.load(piece.key, piece.arguments)
                if stored is not None:
                    line.put(piece, stored)
                else:
                    _send(executor, function, piece, running)
                yield from line.ready()
            if not running:
                return
            ended, _ = wait(running, poll, FIRST_COMPLETED)
            failed: list[tuple[_Piece, Exception]] = []
            for piece, future in [(running.pop(future), future) for future in ended]:
                try:
                    done = future.result()
                except Exception as error:
                    failed.append((piece, error))
                else:
                    if store is not None:
                        store.save(piece.key, done)
                    line.put(piece, done)
            for piece, why in failed:  # last, so that the results of the others are stored
                if not _died(why):
                    raise why
                if piece.tried >= TRIES:
                    cause = str(why).splitlines()[0] if str(why) else type(why).__name__
                    message = f"{TRIES} workers were ended at work on one piece: {cause}"
                    raise EndedError(message) from why
                _send(executor, function, piece, running)
            yield from line.ready()
            if should_stop is not None and should_stop():
                raise StoppedError
    finally:
        for future in running:
            future.cancel()


def _send(
    executor: Executor,
    function: Callable[..., Done],
    piece: _Piece,
    running: dict[Future[Done], _Piece],
) -> None:
    piece.tried += 1
    try:
        running[executor.submit(function, *piece.arguments)] = piece
    except BrokenExecutor as error:
        raise EndedError(f"the executor takes no more work: {error}") from None


def _died(error: Exception) -> bool:
    """Return whether the worker died for a reason other than its task."""
    if isinstance(error, (BrokenExecutor, CancelledError, WorkerEndedError)):
        return True
    # Errors of Dask, recognized by name so that Dask need not be loaded.
    return type(error).__module__.startswith("distributed") and type(error).__name__ in (
        "KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError",
    )  # fmt: skip
