"""Parts of a graph: what a tour does in one of them is a cycle of a smaller graph.

Some vertices are *kept*, and the others fall into pieces.  If a piece is joined to two kept
vertices alone, the cycle passes it once, from one of the two to the other: the piece is replaced
by an edge between them that must be used.  If three edges lead to it, from three kept vertices,
the cycle uses two of them, and passes it once as well: the piece is shrunk to a single vertex.  So
each tour of the whole gives a cycle of what is left, and where that has none, there is no tour.
Three pieces between the same two vertices need no words of their own: two pieces are enough to
show by another kind that there is no cycle.

Between two such steps the plain rules may be applied; and an edge may be shown to be one that must
be used, since what is left without it has no cycle.  At the end the evidence of another kind is
held against what is left, which is a problem like any other: a graph, a closed tour, and required
edges.  The graph keeps its names; ends of an open tour are called ``end 1`` and ``end 2``.

A pair of vertices, and three edges, as places to part a graph are folklore.  The cost is that of
laying out what is left, once for each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kt_cp.model.conditions import Required
from kt_cp.model.terms import counted
from kt_cp.trust.check import argument, forced, refutation, sweep
from kt_cp.trust.check.frame import END, Frame, frame_of, pieces_without
from kt_cp.trust.check.instance import Instance, instance_of_graph
from kt_cp.trust.check.parsing import keys_of, list_of, shown, squares_of, vertices_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.state import Contradiction, State

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

PLAIN = "plain"
"""The step that applies the plain rules."""

MOST_LOAD = 3_000_000
"""Loads of the frames of all steps: a minute or so."""

MOST_ENDS = 1_000
"""Pieces of evidence of other kinds."""

MOST_DEPTH = 20
"""Evidence within evidence."""

KINDS: dict[str, Callable[[Instance, object], str]] = {
    "degrees": argument.degrees,
    "connectivity": argument.connectivity,
    "cut": argument.cut,
    "removal": argument.removal,
    "tight": forced.tight,
    "forced": forced.forced,
    "sweep": sweep.sweep,
    "refutation": refutation.refutation,
}
"""What may stand at an end."""


@dataclass
class _Spent:
    """What was laid out so far, and how many ends there were."""

    load: int = 0
    ends: int = 0


def split(problem: Instance, evidence: object) -> str:
    """One part after the other is left out of the question, and what remains has no cycle."""
    try:
        left = as_cycle_problem(problem)
    except Contradiction:
        raise Refusal(Reason.WRONG_SHAPE, "there is a contradiction already") from None
    size, said = _split(left, evidence, _Spent(), 0)
    return (
        f"a tour passes each part that hangs on two vertices, or on three edges, once; with such "
        f"parts taken out, a graph of {counted(size, 'node')} is left, which a tour would make a "
        f"cycle of, but {said}"
    )


def _split(left: Instance, evidence: object, spent: _Spent, depth: int) -> tuple[int, str]:
    """How many vertices are left at the end, and why these have no cycle."""
    told = keys_of(evidence, "kind", "steps", "then")
    steps = list_of(told["steps"], "steps")
    if not steps:
        raise Refusal(Reason.EMPTY_SET, "expected at least one step")
    if depth >= MOST_DEPTH:
        raise Refusal(Reason.TOO_DEEP, f"evidence within evidence more than {MOST_DEPTH} times")
    for place, step in enumerate(steps, start=1):
        frame = frame_of(left)
        spent.load += frame.load
        if spent.load > MOST_LOAD:
            raise Refusal(Reason.TOO_LARGE, "so many steps are too many for such a graph")
        try:
            left = _stepped(left, frame, step, spent, depth)
        except Contradiction as contradiction:
            if place < len(steps) or told["then"] != {"kind": "forced", "tree": {}}:
                raise Refusal(
                    Reason.WRONG_SHAPE, "there is a contradiction already, and more stands there"
                ) from None
            return left.size, str(contradiction)
    return left.size, _at_the_end(left, told["then"], spent)


def _at_the_end(left: Instance, evidence: object, spent: _Spent) -> str:
    kind = evidence.get("kind") if isinstance(evidence, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refusal(Reason.UNKNOWN_KIND, f"expected one of {', '.join(KINDS)}; got {shown(kind)}")
    spent.ends += 1
    if spent.ends > MOST_ENDS:
        raise Refusal(Reason.TOO_LARGE, f"more than {MOST_ENDS:,} pieces of evidence")
    return KINDS[kind](left, evidence)


def _stepped(left: Instance, frame: Frame, step: object, spent: _Spent, depth: int) -> Instance:
    if step == PLAIN:
        state = State(frame)
        open_ = [(u, v) for u, row in enumerate(state.open_) for v in row if u < v]
        return _problem(frame, range(len(frame)), open_, _edges(state.kept))
    if isinstance(step, dict) and "keep" in step:
        vertices = vertices_of(frame, keys_of(step, "keep")["keep"])
        if not vertices:
            raise Refusal(Reason.EMPTY_SET, "nothing is kept")
        if len(vertices) == len(frame):
            raise Refusal(Reason.WHOLE_SET, "everything is kept")
        return replace_pieces(frame, vertices)
    told = keys_of(step, "use", "unless")
    squares = squares_of(left, told["use"])
    edge = sorted(frame.number[square] for square in squares)
    if len(edge) != 2 or edge[1] not in frame.neighbours[edge[0]]:
        raise Refusal(Reason.NOT_PROVED, "expected an edge of what is left")
    if (edge[0], edge[1]) in frame.must:
        raise Refusal(Reason.WRONG_SHAPE, "the edge must be used already")
    rest = [each for each in frame.edges() if each != (edge[0], edge[1])]
    other = _problem(frame, range(len(frame)), rest, frame.must)
    unless = told["unless"]
    if isinstance(unless, dict) and unless.get("kind") == "split":
        _split(other, unless, spent, depth + 1)
    else:
        _at_the_end(other, unless, spent)
    return _problem(frame, range(len(frame)), frame.edges(), [*frame.must, (edge[0], edge[1])])


def as_cycle_problem(problem: Problem | Instance) -> Instance:
    """A problem as a graph that is to have a cycle through required edges.

    Raises
    ------
    Refusal
        If a node is called as an end of an open tour is here.
    Contradiction
        If more than two edges at a vertex must be used.

    Examples
    --------
    >>> from kt_cp.model.problem import Problem
    >>> as_cycle_problem(Problem("3x4")).problem.label
    "graph with 14 nodes and 27 edges, closed, with 'end 1'-'end 2'"
    """
    frame = frame_with_named_ends(problem)
    return _problem(frame, range(len(frame)), frame.edges(), frame.must)


def frame_with_named_ends(problem: Problem | Instance) -> Frame:
    """A problem as a cycle, with a name of its own for each end of an open tour.

    Raises
    ------
    Refusal
        If a node is called as an end is here, or the problem has no such form.
    """
    frame = frame_of(problem)
    names = [*frame.names[: frame.squares], *(f"{END} {k + 1}" for k in range(len(frame.ends)))]
    if len(set(names)) < len(names):
        raise Refusal(Reason.WRONG_QUESTION, f"a node is called {names[-1]!r}")
    return Frame(frame.problem, names, frame.squares, frame.neighbours, frame.must)


def replace_pieces(frame: Frame, kept: set[int]) -> Instance:
    """What is left when all but some vertices are replaced, piece by piece.

    Raises
    ------
    Refusal
        If a piece is joined otherwise than to two vertices, or by three edges to three.
    Contradiction
        If more than two edges at a vertex must be used.
    """
    must, edges, vertices = [], [], set(kept)
    for u, v in frame.edges():
        if u in kept and v in kept:
            edges.append((u, v))
    must += [(u, v) for u, v in frame.must if u in kept and v in kept]
    required = set(frame.must)
    for piece in pieces_without(frame.neighbours, kept):
        out = [(v, u) for u in piece for v in frame.neighbours[u] if v in kept]
        ends = sorted({v for v, _ in out})
        if len(ends) == 2:
            edges.append((ends[0], ends[1]))
            must.append((ends[0], ends[1]))
        elif len(ends) == len(out) == 3:
            new = min(piece)
            vertices.add(new)
            edges += [(v, new) for v in ends]
            must += [(v, new) for v, u in out if (min(u, v), max(u, v)) in required]
        else:
            raise Refusal(
                Reason.NOT_PROVED,
                f"a piece is joined to {counted(len(ends), 'node')} by {counted(len(out), 'edge')}",
            )
    if len(vertices) < 3:
        raise Refusal(Reason.NOT_PROVED, "fewer than three vertices are left")
    return _problem(frame, sorted(vertices), edges, must)


def _edges(rows: list[set[int]]) -> list[tuple[int, int]]:
    return [(u, v) for u, row in enumerate(rows) for v in row if u < v]


def _problem(
    frame: Frame,
    vertices: Iterable[int],
    edges: Iterable[tuple[int, int]],
    must: Iterable[tuple[int, int]],
) -> Instance:
    """The closed problem of these vertices and edges; edges may stand twice."""
    names = frame.names
    required = sorted({(min(u, v), max(u, v)) for u, v in must})
    count: dict[int, set[int]] = {}
    for u, v in required:
        for one, other in ((u, v), (v, u)):
            count.setdefault(one, set()).add(other)
            if len(count[one]) > 2:
                raise Contradiction(f"three edges that must be used meet at {names[one]}")
    conditions = [Required.of(names[u], names[v]) for u, v in required]
    return instance_of_graph(
        (names[v] for v in vertices),
        ((names[u], names[v]) for u, v in edges),
        closed=True,
        conditions=conditions,
        budget=frame.problem.budget,
    )
