"""Warnsdorff's rule with Pósa rotations: step to the neighbour with the fewest free neighbours.

A vertex with few free neighbours is soon cut off, so the walk visits it while it can still leave
it. The walk never backtracks. One pass over the neighbours of the last vertex both lowers their
degrees and finds the next vertex.

Ties, neighbours with equally few free neighbours, are the rule's weakness. On boards, Roth's
tie-break prefers the square farther from the board's centre. On other graphs a smaller sum of the
neighbours' degrees stands in for the distance. This is Pohl's tie-break, computed once instead of
at every step. `benchmarks/MEASURED.md` has the gain of each.

The walk visits a neighbour that it could not leave again only if there is no other: it then misses
one vertex, where the rule would miss all the rest. A walk that is stuck, or complete with a wrong
end, is not discarded: rotations move its end to where it can continue, close, or reach the
prescribed end, which stays free until then.

A rotation gives a path another end without losing a vertex. Let v0, v1, …, vk be stuck: every
neighbour of vk is on the path. If vi is such a neighbour, then v0, …, vi, vk, vk-1, …, vi+1 is a
path on the same vertices. It ends in vi+1, which may have a free neighbour where vk had none, or
may be a neighbour of the vertex at which the path must stop or close. The start v0 never moves. The
number of ends within reach multiplies with every level of rotations. The search for ends is breadth
first and visits each once, so it finds the shortest series of rotations. The path itself does not
change meanwhile: a series is stored as the positions at which it cuts the path, and a vertex is
found by mapping its position through those cuts. Only the series that succeeds is carried out.

If rotations fail too, another walk begins with random ties and a few random steps: variety then
helps more than Roth's tie-break. A start that is not prescribed is drawn anew. Between prescribed
ends every other restart walks from the end to the start, because a walk often fails in one
direction only. A seed other than 0 requests another tour, so its walk begins anywhere, with random
ties on few vertices. Large boards keep Roth's tie-break: it saves rotations.

Rotations do not respect required edges. A vertex of degree two lies on a Hamiltonian cycle with
both its edges, so each required edge is replaced by two with a new vertex between them. Any search
for a cycle then uses both; a search for a path must not begin or end there.

Sources: H. C. von Warnsdorff, "Des Rösselsprungs einfachste und allgemeinste Lösung" (1823);
I. Pohl, "A method for finding Hamilton paths and knight's tours", Communications of the ACM 10
(1967) 446–449; the tie-break by distance is ascribed to A. Roth; L. Pósa, "Hamiltonian circuits in
random graphs", Discrete Mathematics 14 (1976) 359–364.

Cost: O(edges) for a walk. An end with d neighbours, reached by r rotations, costs O(d r); carrying
out a series costs O(r n), nearly all of it in slices. A knight's rotation moves the end by two
leaps at most, so on a board of 100 × 100 a series may have 20 or 30 rotations.

When it loses: it cannot distinguish "there is none" from "not found": every end is visited once,
although another path to the same end might have led further. Few ends are within reach where most
vertices have degree two or three (sparse random graphs, boards three or four squares wide). In a
bipartite graph a rotation never changes the colour of the end, so callers must rule out ends of
wrong colours.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

POLL = 16_384
"""Edges followed (at a rotation, cuts passed) between two time checks: 2 to 4 ms."""


def rotate(
    path: list[int],
    position: list[int],
    neighbours: Sequence[Sequence[int]],
    targets: Sequence[int],
    *,
    budget: int,
    should_stop: Callable[[], bool],
) -> tuple[bool, int]:
    """Rotate the path until its last vertex is a wanted one, reaching at most ``budget`` ends.

    ``position`` has the place of each vertex, negative off the path; ``wanted`` is nonzero where
    the path may end. Both path and positions change, on success only. Returns whether it succeeded,
    and the number of ends that it reached.
    """
    end = path[-1]
    if targets[end]:
        return True, 0
    length = len(path)
    seen = {end}
    queue: deque[tuple[int, tuple[int, ...]]] = deque([(end, ())])
    passed = POLL
    while queue:
        if passed >= POLL:
            if should_stop():
                break
            passed = 0
        end, cuts = queue.popleft()
        passed += len(neighbours[end]) * (1 + len(cuts))
        undo = cuts[::-1]
        for vertex in neighbours[end]:
            cut = position[vertex]
            if cut < 0:
                continue
            # A rotation at `earlier` mirrors all later places: earlier + 1 and length - 1 swap.
            # It is its own inverse, so the way back is the same series in reverse.
            for earlier in cuts:
                if cut > earlier:
                    cut = earlier + length - cut
            if cut >= length - 2:
                continue  # the edge by which the path arrived at its end
            place = cut + 1
            for earlier in undo:
                if place > earlier:
                    place = earlier + length - place
            new_end = path[place]
            if new_end in seen:
                continue
            seen.add(new_end)
            series = (*cuts, cut)
            if targets[new_end]:
                for each in series:
                    path[each + 1 :] = path[:each:-1]
                first = min(series) + 1
                for place, vertex in enumerate(path[first:], first):
                    position[vertex] = place
                return True, len(seen) - 1
            if len(seen) > budget:
                return False, len(seen) - 1
            queue.append((new_end, series))
    return False, len(seen) - 1


def subdivide(
    neighbours: Sequence[Sequence[int]], required: Sequence[tuple[int, int]]
) -> Sequence[Sequence[int]]:
    """Return adjacency lists in which each required edge goes through a vertex of its own.

    The new vertices come after the others, in the order of the edges. A vertex with two required
    edges has no other.

    >>> subdivide([[1, 2], [0, 2], [0, 1]], [(0, 1)])
    [[2, 3], [2, 3], [0, 1], [0, 1]]
    """
    rows = [list(row) for row in neighbours]
    for between, (u, v) in enumerate(required, start=len(rows)):
        for end, other in ((u, v), (v, u)):
            rows[end][rows[end].index(other)] = between
        rows.append([u, v])
    at = Counter(vertex for edge in required for vertex in edge)
    for full in (vertex for vertex, count in at.items() if count == 2):
        for other in rows[full]:
            if other < len(neighbours):
                rows[other].remove(full)
        rows[full] = [other for other in rows[full] if other >= len(neighbours)]
    return [sorted(row) for row in rows]


ROTATIONS_PER_VERTEX = 8
"""Bound on the ends reached by rotation in one attempt, a safeguard: all measured graphs take less
than one per vertex (`benchmarks/MEASURED.md`)."""

STRAY = 6
"""A restart begins with fewer random steps than this: without them some pairs of ends are never
joined, and with too many restarts multiply (`benchmarks/MEASURED.md`)."""

RANDOM_TIES, RANDOM_STEPS = 400, 49
"""Most vertices on which the first walk of a seed has random ties, and random first steps.  So
seeds 0 to 399 give 381 closed tours of 6 × 6 instead of 14, and 400 of 8 × 8, closed or open,
instead of 183 and 118, in the same time; on 60 × 60 random ties would double it."""


@dataclass
class Work:
    """Counters of a search: vertices placed, restarts, ends reached by rotation."""

    placed: int = 0
    restarts: int = 0
    rotations: int = 0


def hamiltonian_path(
    neighbours: Sequence[Sequence[int]],
    *,
    starts: Sequence[int],
    start: int | None,
    end: int | None,
    closed: bool,
    tie_key: Sequence[float] | None,
    seed: int,
    max_restarts: int,
    should_stop: Callable[[], bool],
    required: Sequence[tuple[int, int]] = (),
) -> tuple[list[int] | None, Work]:
    """Search for a Hamiltonian path or cycle of a simple graph of three vertices or more.

    A path may begin or end at one of ``starts`` if neither is prescribed: on a bipartite graph of
    odd order, the vertices of the commoner colour.  A closed path has no prescribed end.  Between
    vertices with equally few free neighbours, the first attempt prefers a larger ``tie_key``. The
    same seed gives the same answer; 0 is the plain rule.  None proves nothing.
    """
    work = Work()
    vertices = len(neighbours)
    neighbours = subdivide(neighbours, required) if required else neighbours
    if tie_key is not None:
        tie_key = [*tie_key, *[0.0] * (len(neighbours) - vertices)]
    first, last = start, end
    if closed:
        first = last = None  # a cycle goes through every vertex and may begin at the easiest
    elif start is None:
        first, last = end, None
    candidates = list(starts) if first is None else [first]
    movable = set(candidates) if first is None else set()  # where rotations may put the start
    degree = [len(adjacent) for adjacent in neighbours]
    preference = tie_key
    if preference is None:
        preference = [
            0 if should_stop() else -sum([degree[other] for other in adjacent])
            for adjacent in neighbours
        ]
    # A path best begins where vertices are hardest to reach, a cycle where it is easiest to return:
    # of 900 attempts each on 5 × 6, none from a corner closed, but one in five from anywhere.
    sign = 1 if closed else -1
    first_key = preference
    first = max(candidates, key=lambda vertex: (sign * degree[vertex], -sign * first_key[vertex]))
    rng = random.Random(seed)
    for attempt in range(max_restarts + 1):
        if should_stop():
            break
        work.restarts += attempt > 0
        if attempt or seed:
            first = rng.choice(candidates)
        if attempt or (seed and vertices <= RANDOM_TIES):
            preference = [rng.random() for _ in neighbours]
        astray = attempt or (seed and vertices <= RANDOM_STEPS)
        ends = (first, last) if last is None or attempt % 2 == 0 else (last, first)
        path = [ends[0]]
        for _ in range(rng.randrange(STRAY) if astray else 0):
            free = [other for other in neighbours[path[-1]] if other not in (ends[1], *path)]
            path += rng.choices(free) if free else ()
        if not _attempt(
            neighbours, path, ends[1], closed, preference, movable, vertices, work, should_stop
        ):
            continue
        if closed:
            shift = 0 if start is None else path.index(start)
            path = path[shift:] + path[:shift]
        elif start not in (None, path[0]) or end not in (None, path[-1]):
            path.reverse()
        return [vertex for vertex in path if vertex < vertices], work
    return None, work


def _attempt(
    neighbours: Sequence[Sequence[int]],
    path: list[int],
    end: int | None,
    closed: bool,
    preference: Sequence[float],
    movable: Set[int],
    vertices: int,
    work: Work,
    should_stop: Callable[[], bool],
) -> bool:
    """Walk, rotate when stuck, continue; finally rotate to where the path must finish."""
    degree = [len(adjacent) for adjacent in neighbours]  # free neighbours, once the loop is done
    position = [-1] * len(neighbours)
    for place, vertex in enumerate(path):
        position[vertex] = place
    target = len(neighbours) - (end is not None)
    if end is not None:
        position[end] = -2  # off the path until all else is on it
    for vertex in path if end is None else (*path, end):
        for neighbour in neighbours[vertex]:
            degree[neighbour] -= 1
    budget = ROTATIONS_PER_VERTEX * len(neighbours)
    placed = 0
    while True:
        finished = _walk(neighbours, path, position, degree, preference, should_stop)
        work.placed += len(path) - placed
        placed = len(path)
        if not finished:
            return False
        complete = len(path) == target
        anywhere = end is None and not closed  # except at a vertex of a required edge
        if complete and anywhere and path[-1] < vertices:
            return True
        for _ in range(2):
            targets: Sequence[int] = degree
            if complete:
                goals = bytearray(len(neighbours))
                around = neighbours[path[0] if end is None else end]
                for vertex in range(vertices) if anywhere else around:
                    goals[vertex] = 1
                targets = goals
            turned, reached = rotate(
                path, position, neighbours, targets, budget=budget, should_stop=should_stop
            )
            work.rotations += reached
            budget -= reached
            if turned or budget <= 0 or path[-1] not in movable:
                break
            # Rotations keep the first vertex; on the reversed path they move it instead.
            path.reverse()
            for place, vertex in enumerate(path):
                position[vertex] = place
        if not turned:
            return False
        if complete:
            path += () if end is None else (end,)
            return True


def _walk(
    neighbours: Sequence[Sequence[int]],
    path: list[int],
    position: list[int],
    degree: list[int],
    preference: Sequence[float],
    should_stop: Callable[[], bool],
) -> bool:
    """Lengthen the path until its last vertex has no free neighbour; False if stopped before."""
    dead_end = len(neighbours)  # more than any degree: the last choice
    stride = max(1, POLL // max(1, *map(len, neighbours)))
    vertex = path[-1]
    for neighbour in neighbours[vertex]:
        degree[neighbour] += 1  # the loop lowers them again
    while not should_stop():
        for _ in range(stride):
            fewest = dead_end + 1
            best = 0.0
            following = -1
            for neighbour in neighbours[vertex]:
                degree[neighbour] = ways = degree[neighbour] - 1
                if position[neighbour] == -1:
                    ways = ways or dead_end
                    if ways < fewest or (ways == fewest and preference[neighbour] > best):
                        fewest = ways
                        best = preference[neighbour]
                        following = neighbour
            if following < 0:
                return True
            position[following] = len(path)
            path.append(following)
            vertex = following
    return False
