"""Tasks of large jobs: sent to an executor, repeated if a worker dies, stored.

A piece is the arguments of one call.  Its result has two parts: a value, and the pieces that are
left of it, if it was more than one call should do.  These take its place in the line.  So results
come in the order in which one worker alone would have them, while others work ahead.  No piece
takes long, whatever the work looks like, and all workers are busy until nearly the end.

This is how a depth-first search is shared out by its stack: what lies on it is handed over (V. N.
Rao and V. Kumar, "Parallel depth first search", International Journal of Parallel Programming 16,
1987).  Where the cut is made depends on the work alone and never on the clock, so a second run has
the same pieces, and finds those that are done in the store by the same keys.

Cost: a message of some kilobytes a piece.  When it loses: the first result in the line may take
long, and those behind it are held; there are no more of them than :data:`HELD` for each worker.
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
"""How often a piece is sent out: what ends three workers is no accident."""

AHEAD = 2
"""Pieces sent out for each worker: while one is done, the next is there already."""

HELD = 16
"""Results held for each worker until it is their turn."""


class Done(NamedTuple):
    """Result of a call: a value, and the arguments of the calls that are left."""

    value: Any
    rest: tuple[tuple[Any, ...], ...] = ()


class ResultStore(Protocol):
    """Where results are stored, by key: a block of a store."""

    def load(self, key: str, piece: tuple[Any, ...]) -> Done | None:
        """The result of a piece, if it is there."""

    def save(self, key: str, done: Done) -> None:
        """Keep a result."""


@dataclass(eq=False)
class _Piece:
    key: str
    arguments: tuple[Any, ...]
    tried: int = 0
    done: Done | None = None


@dataclass
class _Line:
    """Tasks in the order of their results: those that are begun, and those to come."""

    coming: Iterator[tuple[Any, ...]]
    begun: deque[_Piece] = field(default_factory=deque)
    names: Iterator[int] = field(default_factory=count)

    def next(self) -> _Piece | None:
        """The first task without a result."""
        for piece in self.begun:
            if piece.done is None and not piece.tried:
                return piece
        arguments = next(self.coming, None)
        if arguments is None:
            return None
        self.begun.append(_Piece(f"{next(self.names)}", arguments))
        return self.begun[-1]

    def put(self, piece: _Piece, done: Done) -> None:
        """Record a result; what is left of the task follows it."""
        piece.done = done
        at = self.begun.index(piece) + 1
        for number, arguments in enumerate(done.rest):
            self.begun.insert(at + number, _Piece(f"{piece.key}-{number}", arguments))

    def ready(self) -> Iterator[Any]:
        """Yield the values that are next in order."""
        while self.begun and (done := self.begun[0].done) is not None:
            self.begun.popleft()
            yield done.value

    @property
    def held(self) -> int:
        """Results that wait for their turn."""
        return sum(piece.done is not None for piece in self.begun)


def run_tasks(
    executor: Executor,
    function: Callable[..., Done],
    pieces: Iterable[tuple[Any, ...]],
    *,
    store: ResultStore | None = None,
    should_stop: Callable[[], bool] | None = None,
    again: Callable[[str], None] | None = None,
) -> Iterator[Any]:
    """The values of all pieces, in order.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Who works.
    function : callable
        Called with the arguments of a piece.
    pieces : iterable of tuples
        Arguments, taken when a worker is free.
    store : ResultStore, optional
        Where results are stored, and found by a second run.
    should_stop : callable, optional
        Polled.
    again : callable, optional
        Called with the reason why a task is repeated.

    Raises
    ------
    StoppedError
        Soon after ``should_stop`` returns true.
    EndedError
        If a piece has ended three workers.
    Exception
        Whatever the function raises.

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
            # With nothing under way the first in the line is one of them, so all get their turn.
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
                _try_again(piece, why, again)
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


def _try_again(piece: _Piece, error: Exception, again: Callable[[str], None] | None) -> None:
    why = str(error).splitlines()[0] if str(error) else type(error).__name__
    if piece.tried >= TRIES:
        raise EndedError(f"{TRIES} workers were ended at work on one piece: {why}") from error
    if again is not None:
        again(why)


def _died(error: Exception) -> bool:
    """Whether the worker died, and not because of its task."""
    if isinstance(error, (BrokenExecutor, CancelledError, WorkerEndedError)):
        return True
    # Dask's own, and no reason to load it.
    return type(error).__module__.startswith("distributed") and type(error).__name__ in (
        "KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError",
    )  # fmt: skip
