"""An executor without threads, whose workers die when a test says so."""

from __future__ import annotations

from concurrent.futures import Executor, Future


class Failing(Executor):
    """Does a call at once, or loses it: of every call ``dies`` is asked."""

    def __init__(self, dies=lambda *_: None):
        self.dies, self.sent = dies, 0

    def submit(self, fn, /, *args, **kwargs):
        self.sent += 1
        future = Future()
        error = self.dies(*args)
        if error is not None:
            future.set_exception(error)
            return future
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
