"""The readable twin of what :mod:`kt_cp.search.windows` compiles; the rules stand there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def beside_step(step: int, total: int, closed: bool) -> list[int]:
    """The steps before and after one."""
    return [other % total for other in (step - 1, step + 1) if closed or 0 <= other < total]


def narrow(windows: list[set[int]], beside: Sequence[set[int]], partners: Sequence[set[int]],
           closed: bool) -> bool:  # fmt: skip
    """Apply every rule until none says more; False where there can be no tour."""
    total = len(windows)
    while True:
        before = [len(window) for window in windows]
        for step, window in enumerate(windows):
            for other in beside_step(step, total, closed):
                window &= set().union(*(beside[vertex] for vertex in windows[other]))
        alone = [window for window in windows if len(window) == 1]
        if len(set().union(*alone)) < len(alone):
            return False
        placed = set().union(*alone)
        for window in windows:
            if len(window) > 1:
                window -= placed
        for vertex in range(total):
            steps = [step for step in range(total) if vertex in windows[step]]
            if not steps:
                return False
            if len(steps) == 1:
                windows[steps[0]] &= {vertex}
        ways: list[set[int]] = [set() for _ in range(total)]
        for step, window in enumerate(windows):
            around = beside_step(step, total, closed)
            near = set().union(*(windows[other] for other in around))
            for vertex in list(window):
                few = len(around) == 2 and len(window) > 1 and len(beside[vertex] & near) < 2
                if few or not partners[vertex] <= near:
                    window.discard(vertex)
                elif len(around) == 2:
                    ways[vertex] |= beside[vertex] & near
                else:
                    ways[vertex] |= set(range(total + 3))  # at an end: not to be counted
        forced = [set(each) for each in partners]
        for vertex, others in enumerate(ways):
            if len(others) == 2:
                for other in others:
                    forced[other].add(vertex)
        if any(len(others) > 2 for others in forced):
            return False
        for step, window in enumerate(windows):
            near = set().union(*(windows[other] for other in beside_step(step, total, closed)))
            if len(window) > 1:
                window &= {vertex for vertex in window if forced[vertex] <= near}
        if not all(windows):
            return False
        if before == [len(window) for window in windows]:
            return True


def tours(windows: list[set[int]], beside: Sequence[set[int]], partners: Sequence[set[int]],
          closed: bool) -> Iterator[tuple[int, ...]]:  # fmt: skip
    """Every tour within the windows."""
    windows = [set(window) for window in windows]
    if not narrow(windows, beside, partners, closed):
        return
    open_ = [step for step, window in enumerate(windows) if len(window) > 1]
    if not open_:
        yield tuple(next(iter(window)) for window in windows)
        return
    step = min(open_, key=lambda step: len(windows[step]))
    for vertex in sorted(windows[step]):
        yield from tours(
            [{vertex} if other == step else window for other, window in enumerate(windows)],
            beside, partners, closed,
        )  # fmt: skip
