"""The readable twin of the compiled :mod:`kt_cp.search.step_domains`, which states the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def beside_step(step: int, total: int, closed: bool) -> list[int]:
    """Return the steps before and after a step."""
    return [other % total for other in (step - 1, step + 1) if closed or 0 <= other < total]


def narrow(windows: list[set[int]], moves: list[set[int]], partners: Sequence[set[int]],
           closed: bool) -> bool:  # fmt: skip
    """Apply every rule until nothing changes; return False if no tour is possible."""
    total = len(windows)
    while True:
        before = [*map(len, windows), *map(len, moves)]
        for step, window in enumerate(windows):
            for other in beside_step(step, total, closed):
                window &= set().union(*(moves[vertex] for vertex in windows[other]))
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
        ends = set() if closed else windows[0] | windows[-1]
        forced = [set(each) for each in partners]
        for vertex, others in enumerate(moves):
            if len(others) < (1 if vertex in ends else 2):
                return False
            if len(others) == 2 and vertex not in ends:
                for other in others:
                    forced[vertex].add(other)
                    forced[other].add(vertex)
        if any(len(others) > 2 for others in forced):
            return False
        for vertex, others in enumerate(forced):
            if len(others) == 2:
                keep_moves(moves, vertex, others)
        found = pieces(forced, closed)
        if found is None:
            return False
        for piece in found:
            keep_places(windows, moves, forced, piece, closed)
        if not all(windows):
            return False
        if before == [*map(len, windows), *map(len, moves)]:
            return True


def keep_moves(moves: list[set[int]], vertex: int, others: set[int]) -> None:
    """Remove all moves of a vertex except those to ``others``."""
    for lost in moves[vertex] - others:
        moves[lost].discard(vertex)
    moves[vertex] &= others


def pieces(forced: list[set[int]], closed: bool) -> list[list[int]] | None:
    """Return the paths of forced moves, or None if some of them close a cycle that is no tour."""
    found, visited = [], set()
    for first in sorted(range(len(forced)), key=lambda vertex: len(forced[vertex])):
        if first in visited:
            continue
        if len(forced[first]) == 2 and visited:
            return None
        piece = [first]
        while after := forced[piece[-1]] - {*piece}:
            piece.append(min(after))
        found.append(piece)
        visited |= {*piece}
        if len(forced[first]) == 2 and (len(visited) < len(forced) or not closed):
            return None
    return found


def keep_places(windows: list[set[int]], moves: list[set[int]], forced: list[set[int]],
                piece: list[int], closed: bool) -> None:  # fmt: skip
    """Remove steps at which a piece does not fit as a whole, and the moves beside it."""
    total = len(windows)
    steps: list[set[int]] = [set() for _ in piece]
    beside: dict[int, set[int]] = {piece[0]: set(), piece[-1]: set()}
    for way in (1, -1):
        for start in range(total):
            at = [start + way * place for place in range(-1, len(piece) + 1)]
            if closed:
                at = [step % total for step in at]
            fits = all(0 <= step < total and vertex in windows[step]
                       for vertex, step in zip(piece, at[1:-1], strict=True))  # fmt: skip
            near = [
                (windows[step] & moves[vertex]) - forced[vertex]
                if 0 <= step < total
                else {-1 - other}
                for other, (vertex, step) in enumerate([(piece[0], at[0]), (piece[-1], at[-1])])
            ]
            if len(forced[piece[0]]) < 2:
                fits &= all(near) and (at[0] == at[-1] or len(near[0] | near[1]) > 1)
            if fits:
                for place, step in enumerate(at[1:-1]):
                    steps[place].add(step)
                beside[piece[0]] |= near[0]
                beside[piece[-1]] |= near[1]
    for vertex, own in zip(piece, steps, strict=True):
        for step in set(range(total)) - own:
            windows[step].discard(vertex)
    for vertex, others in beside.items():
        if len(forced[vertex]) < 2:
            keep_moves(moves, vertex, others | forced[vertex])


def tours(windows: list[set[int]], beside: Sequence[set[int]], partners: Sequence[set[int]],
          closed: bool) -> Iterator[tuple[int, ...]]:  # fmt: skip
    """Yield every tour within the windows."""
    windows, beside = [set(window) for window in windows], [set(others) for others in beside]
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
