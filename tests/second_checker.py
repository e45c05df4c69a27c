"""Another checker of certificates, written from kt_cp/trust/check/FORMAT.md alone.

It imports nothing of kt_cp, and is as plain as it can be, and therefore slow.  It does not look at
limits, digests of the file, and arguments; nor at keys that play no part.  :func:`accepts` says
whether a certificate is valid.
"""

from __future__ import annotations

import hashlib
import json
import zlib

import networkx as nx

from tests.second_arcs import undirected
from tests.second_frame import Contradiction, Known, Problem
from tests.second_plain import (
    clash,
    colours,
    connectivity,
    cut,
    degrees,
    removal,
    size,
    symmetry,
)
from tests.second_refutation import complete, refutation, sets_of


def accepts(certificate, beside=None):
    """Whether it proves that there is no tour, or no other; whatever fails on the way is a no."""
    try:
        version, evidence = certificate["schema_version"], certificate["evidence"]
        if beside is not None:
            text = json.dumps(beside, sort_keys=True, separators=(",", ":"))
            told = hashlib.sha256(text.encode()).hexdigest()
            assert evidence["tours"] == {"number": len(beside["tours"]), "digest": told}
            assert set(beside) == {"format", "tours"} and beside["format"] == "kt_cp tours"
            evidence = {**evidence, "tours": beside["tours"]}
        assert type(version) is int and version in (1, 2, 3, 4, 5)
        assert version > 4 or "order" not in evidence
        given = certificate["problem"]
        if "directed" in given:
            assert version > 4 and isinstance(given["directed"], bool) and "nodes" in given
            given = undirected(given) if given["directed"] else given
        problem = Problem(given, version)
        assert version > 3 or evidence["kind"] not in ("clash", "symmetry", "list")
        assert version > 4 or evidence["kind"] != "split"
        assert version > 4 or evidence["kind"] != "clash" or len(evidence["clues"]) == 2
        return len(problem.squares) + problem.closed > 1 and RULES[evidence["kind"]](
            problem, evidence
        )
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError, zlib.error):
        return False


def tight(problem, evidence):
    frame, sets = problem.frame(), sets_of(problem, evidence["sets"])
    assert sets
    try:
        known = Known(*frame, len(problem.squares))
        for squares in [*sets, set()]:
            known.count(squares)
    except Contradiction:
        return True
    return False


def forced(problem, evidence):
    frame = problem.frame()
    try:
        known = Known(*frame, len(problem.squares))
    except Contradiction:
        return evidence["tree"] == {}
    return _refuted(problem, known, evidence["tree"])


def _refuted(problem, known, tree):
    if "remove" in tree:
        squares = problem.set_of(tree["remove"])
        assert len(squares) < len(problem.squares)
        try:
            known.count({problem.squares.index(square) for square in squares})
        except Contradiction:
            return tree.keys() == {"remove"}
        return tree.keys() == {"remove", "then"} and _refuted(problem, known, tree["then"])
    assert tree.keys() == {"move", "used", "unused"}
    one, other = tree["move"]
    one = problem.squares.index(one)
    if other == "end":
        ends = [v for v in known.frame if v >= known.size and frozenset({one, v}) in known.open]
        (other,) = ends
    else:
        other = problem.squares.index(other)
    edge = frozenset({one, other})
    assert edge in known.open
    for key in ("used", "unused"):
        twin = known.copy()
        if key == "used":
            twin.forced.add(edge)
        else:
            twin.open.discard(edge)
        try:
            twin.plain()
        except Contradiction:
            assert tree[key] == {}
        else:
            assert _refuted(problem, twin, tree[key])
    return True


def graph_of(names, edges, must):
    """A graph with required edges as a problem; None if three of these meet."""
    required = {frozenset(edge) for edge in must}
    if any(sum(name in edge for edge in required) > 2 for name in names):
        return None
    given = {"nodes": list(names), "edges": [[*edge] for edge in map(tuple, edges)]}
    asked = {"closed": True, "start": None, "end": None, "given": [], "symmetry": None}
    return Problem({**given, **asked, "require": [[*edge] for edge in required], "forbid": []}, 5)


def split(problem, evidence):
    frame, must = problem.frame()
    names = [*problem.squares, *("end 1", "end 2")[: len(frame) - len(problem.squares)]]
    assert len(set(names)) == len(names)
    edges = {frozenset(names[v] for v in edge) for edge in frame.edges}
    left = graph_of(names, edges, [[names[v] for v in edge] for edge in must])
    return left is not None and parted(left, evidence)


def parted(left, evidence):
    assert evidence.keys() == {"kind", "steps", "then"} and evidence["steps"]
    assert isinstance(evidence["steps"], list)
    then = evidence["then"]
    for place, step in enumerate(evidence["steps"]):
        edges = {frozenset(edge) for edge in left.moves.edges}
        left = stepped(left, step, edges, {frozenset(edge) for edge in left.require})
        if left is None:
            return place == len(evidence["steps"]) - 1 and then == {"kind": "forced", "tree": {}}
    return then["kind"] in AT_ENDS and RULES[then["kind"]](left, then)


def stepped(left, step, edges, must):
    names = left.squares
    if step == "plain":
        try:
            known = Known(*left.frame(), len(names))
        except Contradiction:
            return None
        told = (
            {frozenset(names[v] for v in e) for e in some} for some in (known.open, known.forced)
        )
        return graph_of(names, *told)
    if "keep" in step:
        assert step.keys() == {"keep"}
        kept = left.set_of(step["keep"], 1)
        assert len(kept) < len(names)
        new, more, needed = set(kept), set(), set()
        for piece in nx.connected_components(left.moves.subgraph(set(names) - kept)):
            out = [edge for edge in edges if len(edge & piece) == 1]
            ends = frozenset().union(*out) - piece
            if len(ends) == 2:
                more.add(ends)
                needed.add(ends)
            else:
                assert len(ends) == len(out) == 3
                middle = min(piece, key=names.index)
                new.add(middle)
                more |= {frozenset({end, middle}) for end in ends}
                needed |= {(edge - piece) | {middle} for edge in out if edge in must}
        assert len(new) > 2
        inside = [{edge for edge in each if edge <= kept} for each in (edges, must)]
        order = [name for name in names if name in new]
        return graph_of(order, inside[0] | more, inside[1] | needed)
    assert step.keys() == {"use", "unless"}
    edge, unless = frozenset(left.set_of(step["use"])), step["unless"]
    assert edge in edges and edge not in must
    less = graph_of(names, edges - {edge}, must)
    if unless["kind"] == "split":
        assert parted(less, unless)
    else:
        assert unless["kind"] in AT_ENDS and RULES[unless["kind"]](less, unless)
    return graph_of(names, edges, must | {edge})


AT_ENDS = ("degrees", "connectivity", "cut", "removal", "tight", "forced", "refutation")
RULES = {
    "size": size,
    "colours": colours,
    "clash": clash,
    "degrees": degrees,
    "connectivity": connectivity,
    "symmetry": symmetry,
    "cut": cut,
    "removal": removal,
    "tight": tight,
    "forced": forced,
    "split": split,
    "refutation": refutation,
    "list": complete,
}
