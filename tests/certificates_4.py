"""Certificates of version 4 made by hand: clues, symmetry, and complete lists of tours."""

from __future__ import annotations

from functools import cache

from tests.examples.certificates import KING, WAZIR, on_board, on_graph, refuted

SQUARE = on_graph(["ab", "bc", "cd", "ad"], closed=True)


SYMMETRIC = [
    tour.split()
    for tour in (
        "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3",
        "d1 b2 d3 c1 a2 c3 b1 d2 b3 a1 c2 a3",
        "a2 c3 d1 b2 d3 c1 b3 a1 c2 a3 b1 d2",
        "a2 c1 d3 b2 d1 c3 b1 a3 c2 a1 b3 d2",
    )
]
"""All tours of 3x4 that a half turn carries to themselves."""


CORNERS, MIDDLE = ["a1", "d1", "a4", "d4"], ["b2", "c2", "b3", "c3"]
SYMMETRIES = [
    (question, {"kind": "symmetry", "squares": squares.split()})
    for question, squares in (
        (on_board(4, 4, *CORNERS, *MIDDLE, closed=True, symmetry="quarter-turn"), ""),
        (on_board(3, 4, closed=True, symmetry="left-right"), ""),
        (on_board(3, 3, piece=KING, closed=True, symmetry="quarter-turn"), "b2"),
        (on_board(3, 3, piece=KING, closed=True, symmetry="half-turn"), "b2"),
        (on_board(3, 3, piece=KING, closed=True, symmetry="top-bottom"), "a2 b2 c2"),
        (on_board(4, 4, *CORNERS, "b1", "a2", closed=True, symmetry="diagonal"), "b2 c3"),
        (on_board(3, 3, piece=KING, symmetry="quarter-turn"), "a1"),
        (on_board(3, 3, piece=WAZIR, symmetry="diagonal"), "a1 c3"),
        (on_board(3, 3, piece=WAZIR, start="b2", symmetry="half-turn"), "b2"),
        (on_board(2, 3, piece=WAZIR, start="a1", end="c1", symmetry="half-turn"), "a1 c1"),
    )
]


@cache
def examples():
    """Valid certificates of every kind that knows of clues, a symmetry or tours."""
    far = on_board(3, 4, given=[["a1", 1], ["b1", 3]])
    ring = on_board(3, 4, "b2", "c2", piece=WAZIR, closed=True, given=[["a1", 1], ["d1", 10]])
    round_ = on_board(2, 3, piece=WAZIR, closed=True, start="a1", given=[["c2", 3]])
    colours = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["c1", 6]])
    corner = on_board(2, 3, piece=WAZIR, given=[["b1", 1], ["c2", 4]])
    start = on_board(2, 3, piece=KING, start="a1", end="c2", given=[["a2", 6]])
    kings = on_board(2, 3, piece=KING, closed=True, given=[["a1", 2], ["c1", 3]], start="b2")
    turned = on_board(2, 3, piece=WAZIR, symmetry="quarter-turn")
    mirrored = on_board(3, 4, symmetry="left-right")
    slant = on_board(3, 3, "b2", closed=True, symmetry="diagonal", forbid="a1-b3")
    alone = on_board(3, 3, piece=WAZIR, given=[["b1", 5]])
    bare = on_graph(["ab", "bc", "bd", "de"], given=[["b", 3]])
    one = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["b1", 4]])
    closed = on_board(2, 3, piece=WAZIR, closed=True, given=[["b1", 3]])
    half = on_board(3, 4, symmetry="half-turn")
    moved = on_board(2, 3, piece=KING, start="a1", require="a1-b2", forbid="a2-b2 b1-c1")
    return [
        (far, {"kind": "clash", "clues": [["a1", 1], ["b1", 3]]}),
        (far, {"kind": "clash", "clues": [["b1", 3], ["a1", 1]]}),
        (ring, {"kind": "clash", "clues": [["a1", 1], ["d1", 10]]}),
        (round_, {"kind": "clash", "clues": [["a1", 1], ["c2", 3]]}),
        (start, {"kind": "clash", "clues": [["c2", 6], ["a2", 6]]}),
        (
            on_graph(["ab", "bc", "cd"], start="a", given=[["a", 3]]),
            {"kind": "clash", "clues": [["a", 1], ["a", 3]]},
        ),
        (alone, {"kind": "clash", "clues": [["b1", 5]]}),
        (bare, {"kind": "clash", "clues": [["b", 3]]}),
        (colours, refuted(colours, pack=False)),
        (corner, refuted(corner, pack=False)),
        (kings, refuted(kings, pack=False)),
        (start, refuted(start, pack=False)),
        (turned, {"kind": "symmetry", "squares": ["c1"]}),
        (mirrored, {"kind": "symmetry", "squares": []}),
        *SYMMETRIES,
        (turned, refuted(turned, pack=False)),
        (mirrored, refuted(mirrored, pack=False)),
        (slant, refuted(slant, pack=False)),
        (SQUARE, refuted(SQUARE, pack=False, tours=[[*"abcd"]])),
        (one, refuted(one, pack=False, tours=[["a1", "a2", "b2", "b1", "c1", "c2"]])),
        (closed, refuted(closed, pack=False, tours=[["a2", "a1", "b1", "c1", "c2", "b2"]])),
        (
            closed,
            refuted(closed, pack=False, clues=[], tours=[["c2", "c1", "b1", "a1", "a2", "b2"]]),
        ),
        (half, refuted(half, pack=False, tours=SYMMETRIC)),
        (moved, refuted(moved, pack=False, tours=[["a1", "b2", "c1", "c2", "b1", "a2"]])),
    ]
