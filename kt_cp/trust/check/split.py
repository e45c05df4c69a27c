"""Splits: pieces of a graph are replaced, step by step, until a smaller graph has no cycle.

Some vertices are kept as *anchors*.  The others form connected pieces.  If a piece is joined to
exactly two anchors, the cycle passes it once, from one of the two to the other.  The piece is
replaced by an edge between them that must be used.  If exactly three edges join the piece to three
anchors, the cycle uses two of the edges and also passes it once.  The piece is contracted to a
single vertex.  So each tour of the graph gives a cycle of the rest, and if the rest has none, there
is no tour.
Three pieces between the same two vertices need no rule of their own: two of them are enough to
show by another kind that there is no cycle.

Between two such steps the plain rules may be applied.  A step may also show that an edge must be
used, by evidence that the rest without it has no cycle.  At the end, evidence of another kind is
checked for the rest, which is an ordinary problem: a graph, a closed tour, and required edges.  The
nodes have the same names as before.  The ends of an open tour are called ``end 1`` and ``end 2``.

Separating a graph at two vertices or at three edges is folklore.  The cost is that of building the
frame of the rest, once for each step.
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
from kt_cp.trust.check.parsing import keys_of, list_of, quote, squares_of, vertices_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.state import Contradiction, State

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

PLAIN = "plain"
"""The step that applies the plain rules."""

MOST_LOAD = 3_000_000
"""Loads of the frames of all steps: about a minute."""

MOST_ENDS = 1_000
"""Pieces of evidence of other kinds."""

MOST_DEPTH = 20
"""Nested splits."""

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
"""Kinds of evidence for the rest."""


@dataclass
class _Spent:
    """The load of the frames so far, and the number of pieces of evidence of other kinds."""

    load: int = 0
    ends: int = 0


def split(problem: Instance, evidence: object) -> str:
    """Check that the rest has no cycle after pieces were replaced, step by step."""
    try:
        frame = frame_with_named_ends(problem)
        left = _problem(frame, range(len(frame)), frame.edges(), frame.must)
    except Contradiction:
        raise Refusal(Reason.WRONG_SHAPE, "there is a contradiction already") from None
    size, sentence = _split(left, evidence, _Spent(), 0)
    return (
        f"a tour passes each part that hangs on two vertices, or on three edges, once; with such "
        f"parts taken out, a graph of {counted(size, 'node')} is left, which a tour would make a "
        f"cycle of, but {sentence}"
    )


def _split(left: Instance, evidence: object, spent: _Spent, depth: int) -> tuple[int, str]:
    """Return the number of vertices of the last rest, and why it has no cycle."""
    fields = keys_of(evidence, "kind", "steps", "then")
    steps = list_of(fields["steps"], "steps")
    if not steps:
        raise Refusal(Reason.EMPTY_SET, "expected at least one step")
    if depth >= MOST_DEPTH:
        raise Refusal(Reason.TOO_DEEP, f"evidence within evidence more than {MOST_DEPTH} times")
    for place, step in enumerate(steps, start=1):
        frame = frame_of(left)
        spent.load += frame.load
        if spent.load > MOST_LOAD:
            raise Refusal(Reason.TOO_LARGE, "expected fewer steps for a graph of this size")
        try:
            left = _apply_step(left, frame, step, spent, depth)
        except Contradiction as contradiction:
            if place < len(steps) or fields["then"] != {"kind": "forced", "tree": {}}:
                raise Refusal(
                    Reason.WRONG_SHAPE, "there is a contradiction already, and more stands there"
                ) from None
            return left.size, str(contradiction)
    return left.size, _check_final(left, fields["then"], spent)


def _check_final(left: Instance, evidence: object, spent: _Spent) -> str:
    kind = evidence.get("kind") if isinstance(evidence, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refusal(Reason.UNKNOWN_KIND, f"expected one of {', '.join(KINDS)}; got {quote(kind)}")
    spent.ends += 1
    if spent.ends > MOST_ENDS:
        raise Refusal(Reason.TOO_LARGE, f"more than {MOST_ENDS:,} pieces of evidence")
    return KINDS[kind](left, evidence)


def _apply_step(left: Instance, frame: Frame, step: object, spent: _Spent, depth: int) -> Instance:
    if step == PLAIN:
        state = State(frame)
        open_ = [(u, v) for u, row in enumerate(state.open_) for v in row if u < v]
        return _problem(frame, range(len(frame)), open_, _edges(state.forced))
    if isinstance(step, dict) and "keep" in step:
        vertices = vertices_of(frame, keys_of(step, "keep")["keep"])
        if not vertices:
            raise Refusal(Reason.EMPTY_SET, "nothing is kept")
        if len(vertices) == len(frame):
            raise Refusal(Reason.WHOLE_SET, "everything is kept")
        return replace_pieces(frame, vertices)
    fields = keys_of(step, "use", "unless")
    squares = squares_of(left, fields["use"])
    edge = sorted(frame.number[square] for square in squares)
    if len(edge) != 2 or edge[1] not in frame.neighbours[edge[0]]:
        raise Refusal(Reason.NOT_PROVED, "expected an edge of the remaining graph")
    if (edge[0], edge[1]) in frame.must:
        raise Refusal(Reason.WRONG_SHAPE, "the edge must be used already")
    rest = [each for each in frame.edges() if each != (edge[0], edge[1])]
    other = _problem(frame, range(len(frame)), rest, frame.must)
    unless = fields["unless"]
    if isinstance(unless, dict) and unless.get("kind") == "split":
        _split(other, unless, spent, depth + 1)
    else:
        _check_final(other, unless, spent)
    return _problem(frame, range(len(frame)), frame.edges(), [*frame.must, (edge[0], edge[1])])


def frame_with_named_ends(problem: Problem | Instance) -> Frame:
    """Return the frame of a problem, with a different name for each end of an open tour."""
    frame = frame_of(problem)
    names = [*frame.names[: frame.squares], *(f"{END} {k + 1}" for k in range(len(frame.ends)))]
    if len(set(names)) < len(names):
        raise Refusal(Reason.WRONG_QUESTION, f"a node is called {names[-1]!r}")
    return Frame(frame.problem, names, frame.squares, frame.neighbours, frame.must)


def replace_pieces(frame: Frame, anchors: set[int]) -> Instance:
    """Return the rest after the pieces between the anchors have been replaced."""
    must, edges, vertices = [], [], set(anchors)
    for u, v in frame.edges():
        if u in anchors and v in anchors:
            edges.append((u, v))
    must += [(u, v) for u, v in frame.must if u in anchors and v in anchors]
    required = set(frame.must)
    for piece in pieces_without(frame.neighbours, anchors):
        out = [(v, u) for u in piece for v in frame.neighbours[u] if v in anchors]
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
    """Return the closed problem of these vertices and edges; edges may occur twice."""
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
