"""Pósa rotations: give a path another end without losing a vertex.

Let a path v0, v1, …, vk be stuck: every neighbour of vk lies on the path already. If vi is such a
neighbour, then v0, …, vi, vk, vk-1, …, vi+1 is a path on the same vertices. The edge vi–vk came in,
the edge vi–vi+1 went out, and the part behind vi is reversed. The path now ends in vi+1, which may
have a free neighbour where vk had none, or may be a neighbour of the vertex at which the path is
to stop or close. The start v0 never moves. From the new end one rotates again, so the number of
ends within reach multiplies with every level.

The search for ends is breadth first and visits each once, so it finds the shortest series of
rotations. The path itself does not change meanwhile. A series is remembered as the positions at
which it cut the path, and a vertex is found by sending its position through those cuts. Only the
series that succeeds is carried out.

Source: L. Pósa, "Hamiltonian circuits in random graphs", Discrete Mathematics 14 (1976) 359–364.

Cost: an end with d neighbours, reached by r rotations, costs O(d r); each vertex is visited at most
once. Carrying out a series costs O(r n), nearly all of it in slices. A knight's rotation moves the
end by two leaps at most, so on a board of 100 × 100 a series may have 20 or 30 members.

When it loses: every end is visited once, with whichever path came first, although another path to
the same end might have led on. So an exhausted search proves nothing. Where most vertices have
degree two or three (sparse random graphs, boards three or four squares wide) few ends are within
reach at all. In a bipartite graph a rotation replaces the end by one of the same colour, since both
are neighbours of vi: no series brings a path to an end of the other colour. Callers must rule that
out by counting before they ask.

Rotations know nothing of required edges, so each goes through one vertex more. A vertex of degree
two lies on a Hamiltonian cycle with both its edges. So an edge that must be used is replaced by
two, with a new vertex between them, and any search for a cycle obeys; one for a path must not begin
or end there. A vertex with two required edges keeps no other.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence

POLL = 16_384
"""Edges followed (at a rotation, cuts passed) between two looks at the clock: 2 to 4 ms."""


def rotate(
    path: list[int],
    position: list[int],
    neighbours: Sequence[Sequence[int]],
    wanted: Sequence[int],
    *,
    budget: int,
    should_stop: Callable[[], bool],
) -> tuple[bool, int]:
    """Rotate the path until its last vertex is a wanted one.

    Parameters
    ----------
    path, position
        Vertices in order, and the place of each, negative for vertices off the path. Changed in
        place, on success only; the first vertex stays.
    wanted
        Per vertex, nonzero if the path may end there.
    budget
        How many ends to reach at most.

    Returns
    -------
    tuple of bool and int
        Whether the path now ends in a wanted vertex, and the number of ends that were reached.
    """
    end = path[-1]
    if wanted[end]:
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
            # A rotation at `earlier` mirrors all later places: earlier + 1 and length - 1 change
            # seats. It is its own inverse, so the way back is the same series from behind.
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
            if wanted[new_end]:
                _carry_out(path, position, (*cuts, cut))
                return True, len(seen) - 1
            if len(seen) > budget:
                return False, len(seen) - 1
            queue.append((new_end, (*cuts, cut)))
    return False, len(seen) - 1


def _carry_out(path: list[int], position: list[int], cuts: tuple[int, ...]) -> None:
    """Perform a series of rotations on the path itself."""
    for cut in cuts:
        path[cut + 1 :] = path[:cut:-1]
    first = min(cuts) + 1
    for place, vertex in enumerate(path[first:], first):
        position[vertex] = place


def subdivided(
    neighbours: Sequence[Sequence[int]], required: Sequence[tuple[int, int]]
) -> Sequence[Sequence[int]]:
    """Adjacency lists in which each required edge goes through a vertex of its own.

    The new vertices come after the others, in the order of the edges.

    Examples
    --------
    >>> subdivided([[1, 2], [0, 2], [0, 1]], [(0, 1)])
    [[2, 3], [2, 3], [0, 1], [0, 1]]
    """
    if not required:
        return neighbours
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
