"""Directed graphs, written from kt_cp/trust/check/FORMAT.md alone: see second_checker."""

from __future__ import annotations

from collections import Counter


def undirected(given):
    """The undirected problem that the evidence speaks of, in the same form."""
    nodes, arcs = given["nodes"], [tuple(arc) for arc in given["edges"]]
    assert all(isinstance(node, str) for node in nodes) and "end" not in nodes
    assert nodes and len(set(nodes)) == len(nodes) and len(set(arcs)) == len(arcs)
    assert all(len(arc) == 2 and arc[0] != arc[1] and set(arc) <= set(nodes) for arc in arcs)
    require, forbid = ([tuple(arc) for arc in given[key]] for key in ("require", "forbid"))
    assert set(require) | set(forbid) <= set(arcs)
    assert len({*require, *forbid}) == len(require) + len(forbid)
    for ends in zip(*require, strict=True):
        assert max(Counter(ends).values()) == 1
    start, end, closed = given["start"], given["end"], given["closed"]
    assert {start, end} <= {None, *nodes} and not (closed and end)
    assert start is None or start != end or len(nodes) == 1
    assert len(nodes) > 1 or closed
    steps = given["given"]
    assert all(v in nodes and type(t) is int and 1 <= t <= len(nodes) for v, t in steps)
    edges = [[f"{u} {v}", f"{w} {v}"] for v in nodes for u, w in (("in", "at"), ("at", "out"))]
    edges += [joined(arc) for arc in arcs]
    if not closed:
        edges += [["source", f"in {v}"] for v in nodes if start in (None, v)]
        edges += [[f"out {v}", "target"] for v in nodes if end in (None, v)]
    first = 2 if closed else 1
    return {
        "nodes": [f"{word} {v}" for v in nodes for word in ("in", "at", "out")]
        + ["source", "target"] * (not closed),
        "edges": edges,
        "closed": closed,
        "start": "source" if not closed else None if start is None else f"in {start}",
        "end": None if closed else "target",
        "require": [joined(arc) for arc in require],
        "forbid": [joined(arc) for arc in forbid],
        "given": [
            [f"{word} {v}", 3 * t - first + later]
            for v, t in steps
            for later, word in enumerate(("in", "at"))
        ],
        "symmetry": given["symmetry"],
    }


def joined(arc):
    return [f"out {arc[0]}", f"in {arc[1]}"]
