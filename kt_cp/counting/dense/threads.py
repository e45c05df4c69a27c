"""Parts of a step on all processors: kernels run outside Python's lock, so threads will do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Threads:
    """Runs a function on lists of arguments, outside Python's lock, on all processors."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def __call__(self, function: Callable[..., object], jobs: Iterable[tuple[Any, ...]]) -> None:
        """Run it on each; the first error, or Ctrl-C, ends the rest."""
        jobs = list(jobs)
        if self.workers == 1 or len(jobs) < 2:
            for job in jobs:
                function(*job)
            return
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for made in [pool.submit(function, *job) for job in jobs]:
                    made.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
