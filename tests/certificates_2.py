"""Certificates of version 2 made by hand: pieces, surfaces, required and forbidden moves."""

from __future__ import annotations

from functools import cache

from tests.examples.certificates import refuted

KNIGHT, CAMEL, KING, WAZIR, FERZ = [[1, 2]], [[1, 3]], [[0, 1], [1, 1]], [[0, 1]], [[1, 1]]
DABBABA = [[0, 2]]
NOTHING = {"start": None, "end": None, "require": [], "forbid": [], "given": [], "symmetry": None}


def asked(rows, columns, *missing, piece=KNIGHT, surface="plane", closed=False, **conditions):
    """A problem on a board; moves of a condition as texts such as ``"a1-c2"``."""
    board = {"rows": rows, "columns": columns, "missing": list(missing)}
    return {**board, "piece": piece, "surface": surface, "closed": closed, **said(conditions)}


def asked_of(edges, closed=False, nodes=None, **conditions):
    """The same on a graph, its edges as texts such as ``"ab"``."""
    nodes = nodes or list(dict.fromkeys("".join(edges)))
    graph = {"nodes": nodes, "edges": [list(edge) for edge in edges]}
    return {**graph, "closed": closed, **said(conditions)}


def said(conditions):
    moves = {key: conditions.get(key, "").split() for key in ("require", "forbid")}
    return {**NOTHING, **conditions, **{key: [m.split("-") for m in moves[key]] for key in moves}}


RING = "a1-b1 b1-c1 c1-d1 a1-d1"
COMPLETE = ["ab", "ac", "ad", "bc", "bd", "cd"]


@cache
def examples():
    """Valid certificates of every kind, as (problem, evidence)."""
    turned = asked(3, 3, piece=FERZ, surface="moebius", closed=True)
    beside = asked(2, 4, piece=KING, start="b1", end="b2", require="b1-b2")
    apart = asked(2, 3, piece=WAZIR, forbid="a1-b1 a2-b2")
    less = asked(2, 3, piece=WAZIR, closed=True, forbid="a1-b1")
    inner = [f"{file}{rank}" for rank in (2, 3) for file in "abcdef"]
    return [
        (asked(1, 2, piece=KING, surface="torus", closed=True), {"kind": "size"}),
        (asked(3, 4, "a1", surface="moebius", closed=True), {"kind": "colours"}),
        (asked(3, 4, "a1", surface="cylinder", closed=True), {"kind": "colours"}),
        (asked(4, 3, "a1", surface="klein", closed=True), {"kind": "colours"}),
        (asked(2, 4, "a1", surface="torus", piece=WAZIR, closed=True), {"kind": "colours"}),
        (asked(2, 3, piece=WAZIR, start="a1", end="c1"), {"kind": "colours"}),
        (asked(4, 4, piece=CAMEL), {"kind": "degrees", "squares": ["b2"]}),
        (
            asked(3, 4, forbid="a1-c2 d1-b2", given=[["c3", 4]], symmetry="half-turn"),
            {"kind": "degrees", "squares": ["a1", "b2", "d1"]},
        ),
        (
            asked_of(COMPLETE, closed=True, forbid="a-b a-c"),
            {"kind": "degrees", "squares": ["a"]},
        ),
        (apart, {"kind": "connectivity", "squares": ["a1", "b1"]}),
        (
            asked(3, 3, "b2", piece=DABBABA, surface="cylinder"),
            {"kind": "connectivity", "squares": ["a1", "a2"]},
        ),
        (asked(1, 3, piece=WAZIR, closed=True), {"kind": "cut", "squares": ["b1"]}),
        (turned, {"kind": "removal", "squares": ["a2", "b2", "c2"]}),
        (asked_of(COMPLETE, forbid="b-c b-d c-d"), {"kind": "removal", "squares": ["a"]}),
        (
            asked(4, 6, closed=True, forbid="a1-b3", require="b2-c4"),
            {"kind": "tight", "sets": [inner]},
        ),
        (
            asked(3, 4, piece=WAZIR, surface="torus", closed=True, require=RING),
            {"kind": "forced", "tree": {}},
        ),
        (
            asked(5, 6, closed=True, require="d2-b3 b3-a5"),
            {"kind": "forced", "tree": {}},
        ),
        (asked_of(COMPLETE, require="a-b", start="a", end="b"), {"kind": "forced", "tree": {}}),
        (beside, refuted(beside, pack=False)),
        (less, refuted(less, pack=False)),
        (turned, refuted(turned)),
    ]
