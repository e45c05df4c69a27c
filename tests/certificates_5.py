"""Certificates of versions 5 and 6 made by hand: graphs in parts, and sweeps."""

from __future__ import annotations

from functools import cache

from tests.examples.certificates import on_board, on_graph, refuted

PLAIN, NOTHING = "plain", {"kind": "forced", "tree": {}}
PETERSEN = [
    "bc",
    "cd",
    "de",
    "bg",
    "ch",
    "di",
    "ej",
    "fh",
    "hj",
    "jg",
    "gi",
    "if",
    "bx",
    "ex",
    "fx",
]
SHRUNK = [*PETERSEN[:12], *["bx", "ey", "fz", "xy", "yz", "xz"]]
"""The Petersen graph with a triangle in place of a vertex."""
CASES = {
    "move": ["b", "c"],
    "used": {
        "move": ["d", "e"],
        "used": {
            "move": ["b", "g"],
            "used": {},
            "unused": {"move": ["c", "d"], "used": {}, "unused": {}},
        },
        "unused": {},
    },
    "unused": {"move": ["d", "e"], "used": {}, "unused": {}},
}
PAIRS = on_graph(
    [
        "mc",
        "md",
        "mj",
        "ei",
        "ea",
        "ef",
        "ek",
        "lg",
        "li",
        "lb",
        "di",
        "da",
        "df",
        "cj",
        "cg",
        "jg",
        "af",
        "kh",
        "bh",
    ],
    closed=True,
)
NESTED = on_graph(
    ["dc", "dg", "fi", "fa", "bh", "be", "hi", "hc", "ic", "ge", "ga", "ea"], closed=True
)
BOWTIE = on_graph(["ab", "bc", "ca", "cd", "de", "ec"], closed=True)
TRIANGLE = on_graph(SHRUNK, closed=True, nodes=[*"bcdefghijxyz"])
OPEN = on_graph(["ab", "ac", "ad"])
LEAF_B = {"kind": "degrees", "squares": ["a"]}


def split(*steps, then=NOTHING):
    return {"kind": "split", "steps": list(steps), "then": then}


def keep(names):
    return {"keep": names.split() if " " in names else [*names]}


def use(edge, unless):
    return {"use": [*edge], "unless": unless}


def sweep(order):
    return {"kind": "sweep", "order": order.split() if " " in order else [*order]}


AT_TRIANGLE = split(keep("bcdefghij"), then={"kind": "forced", "tree": CASES})


def sweeps():
    """Valid sweeps, as (problem, evidence)."""
    kite = on_graph(["ab", "bc", "cd", "da", "ae", "ec"], closed=True)
    petersen = on_graph(PETERSEN, closed=True, nodes=[*"bcdefghijx"])
    ring = on_graph(["ab", "bc", "cd", "da", "ac"], closed=True)
    return [
        (kite, sweep("abdec")),
        (kite, sweep("acbde")),
        (petersen, sweep("xbefcghijd")),
        (OPEN, sweep("bcda")),
        (on_board(3, 4, closed=True), sweep("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3")),
        (on_board(3, 3), sweep("a1 a2 a3 b1 b2 b3 c1 c2 c3")),
        (on_board(2, 3, piece=[[0, 1]], start="b1", end="b2"), sweep("a1 a2 b1 b2 c1 c2")),
        ({**ring, "require": [["a", "c"]]}, sweep("abcd")),
        ({**ring, "forbid": [["a", "b"]]}, sweep("dcba")),
        (TRIANGLE, split(keep("bcdefghij"), then=sweep("xbefcghijd"))),
        (BOWTIE, split(use("ab", sweep("abcde")), PLAIN)),
    ]


@cache
def examples():
    """Valid certificates of the kind, as (problem, evidence)."""
    petersen = on_graph(PETERSEN, closed=True, nodes=[*"bcdefghijx"])
    return [
        (PAIRS, split(PLAIN, keep("deil"), PLAIN)),
        (PAIRS, split(keep("deil"))),
        (NESTED, split(PLAIN, keep("aceghi"), PLAIN, keep("chi"))),
        (TRIANGLE, AT_TRIANGLE),
        (TRIANGLE, split(keep("bcdefghij"), then=refuted(petersen, pack=False))),
        (BOWTIE, split(PLAIN)),
        (BOWTIE, split(use("ab", LEAF_B), then={"kind": "cut", "squares": ["c"]})),
        (BOWTIE, split(use("ab", split(PLAIN)), use("ac", LEAF_B), PLAIN)),
        (OPEN, split(PLAIN)),
        (OPEN, split(use(["b", "end 1"], {"kind": "degrees", "squares": ["b"]}), PLAIN)),
        (on_board(3, 3, "b2", start="a1", end="c2", require="a1-c2"), split(PLAIN)),
    ]
