"""The checker has bounds: it ends soon on any input and takes less than about a gigabyte.

Each hostile text is checked in a process of its own with a memory limit.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zlib
from functools import partial

import pytest

from kt_cp.model.board import square_name
from kt_cp.trust.check.certificate import MOST_BYTES, MOST_LISTS
from kt_cp.trust.check.refutation import MOST_TEXT, digest
from tests.examples.certificates import board, certificate, graph, packed, reason, refutation
from tests.support.command_line import PATIENCE, environment
from tests.support.exhaustive import exhaustive

HUGE = 10**18
MEMORY = 3 << 29
"""Bytes of address space; the interpreter and its libraries take about a hundred million."""

CHECK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from kt_cp.trust.check import Refusal, check
data = open(sys.argv[1], "rb").read()
try:
    print("accepted", check(data).kind)
except Refusal as refusal:
    print(refusal.reason.name)
    assert len(str(refusal)) < 700
"""


def verdict(tmp_path, text):
    """Return the verdict of a separate process on a certificate."""
    path = tmp_path / "certificate.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    command = [sys.executable, "-c", CHECK.format(memory=MEMORY), str(path)]
    run = {"capture_output": True, "text": True, "env": environment(), "timeout": 3 * PATIENCE}
    ended = subprocess.run(command, **run)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout.strip()


def repeated(problem, evidence, piece, length=MOST_BYTES - 4000):
    """Return a certificate's text in which a list of ``X`` repeats within the evidence."""
    text = json.dumps(certificate(problem, evidence, digest="0"))
    return text.replace('"X"', ",".join([piece] * (length // (len(piece) + 1))))


def unproved(**parts):
    digests = {"formula": "", "proof": ""}
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "proof": [], "digests": digests}
    return {**evidence, **parts}


KINDS = {
    "size": {},
    "colours": {},
    "degrees": {"squares": ["b2"]},
    "connectivity": {"squares": ["a1", "b1"]},
    "cut": {"squares": ["b2"]},
    "removal": {"squares": ["b2", "c2"]},
    "tight": {"sets": [["b2"]]},
    "forced": {"tree": {}},
    "refutation": unproved(),
}
EXPECTED = {"size": "WRONG_QUESTION", "colours": "NOT_PROVED", "degrees": "NOT_PROVED"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", [(HUGE, HUGE), (1, HUGE), (HUGE, 3), (501, 500)])
def test_boards_beyond_any_machine(kind, sides):
    evidence = {**KINDS[kind], "kind": kind}
    if kind in ("degrees", "connectivity", "cut", "removal", "tight"):
        if sides[0] == 1:
            evidence = json.loads(json.dumps(evidence).replace("2", "1"))
        if sides == (HUGE, 3) and kind == "removal":
            evidence["squares"] = ["b2"]
    if kind == "degrees" and sides[0] == 1:
        assert reason(board(*sides), evidence) is None  # b1 has no moves on a board of any length
        return
    found = reason(board(*sides), evidence)
    assert found.name == EXPECTED.get(kind, "TOO_LARGE")


def test_colours_and_degrees_are_counted_however_large_the_board():
    sides = {"closed": True}
    assert reason(board(HUGE - 1, HUGE - 1, **sides), {"kind": "colours"}) is None
    assert reason(board(HUGE, HUGE, "a1", **sides), {"kind": "colours"}) is None
    assert reason(board(HUGE, HUGE, "a1", "b1", **sides), {"kind": "colours"}) is not None
    far = board(HUGE, HUGE, "b3", closed=True)
    assert reason(far, {"kind": "degrees", "squares": ["a1"]}) is None


ODD = [square_name((row, file)) for row in range(300) for file in range(300) if (row + file) % 2]
SMALL, LARGE = board(3, 4, closed=True), board(500, 500, closed=True)


def packed_proof():
    bomb = zlib.compress(b"1 0 1 0\n" * (MOST_TEXT // 4), 9)
    return certificate(SMALL, unproved(proof=base64.b64encode(bomb).decode()))


def missing_squares():
    return certificate(board(HUGE, HUGE, *ODD, *(f"zz{row}" for row in range(1, 210_001))), {})


def altered_graph(**parts):
    return certificate({**graph(["ab"]), **parts}, {"kind": "size"})


# Its own test writes each text: all of them together take a second.
HOSTILE = {
    "deep": (lambda: "[" * MOST_LISTS, "TOO_DEEP"),
    "deep objects": (lambda: '{"a":' * MOST_LISTS, "TOO_DEEP"),
    "long": (lambda: " " * (MOST_BYTES + 1), "TOO_LARGE"),
    "one long text": (lambda: f'"{"x" * (MOST_BYTES - 2)}"', "WRONG_SHAPE"),
    "a number of many digits": (lambda: "9" * MOST_BYTES, "OUT_OF_RANGE"),
    "packed proof": (packed_proof, "TOO_LARGE"),
    "missing squares": (missing_squares, "TOO_LARGE"),
    "long line": (
        lambda: certificate(SMALL, refutation(SMALL, [f"{'1 ' * (1 << 21)}0 1 0"])),
        "TOO_LARGE",
    ),
    "edges": (lambda: altered_graph(edges=[["a", "b"]] * 500_001), "TOO_LARGE"),
    "nodes": (lambda: altered_graph(nodes=["a"] * 250_001), "TOO_LARGE"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_certificates(tmp_path, what):
    text, expected = HOSTILE[what]
    assert verdict(tmp_path, text()) == expected


PIECES = {
    "empty lists": (SMALL, {"kind": "tight", "sets": ["X"]}, "[]", "TOO_LARGE"),
    "empty objects": (SMALL, {"kind": "tight", "sets": ["X"]}, "{}", "TOO_LARGE"),
    "small sets": (SMALL, {"kind": "tight", "sets": ["X"]}, '["a1"]', "TOO_LARGE"),
    "small cuts": (LARGE, unproved(cuts=["X"]), '["a1"]', "TOO_LARGE"),
    "large cuts": (
        board(300, 300, closed=True),
        unproved(cuts=["X"], proof=packed("0 0\n")),
        json.dumps(ODD, separators=(",", ":")),
        "TOO_LARGE",
    ),
    "one square": (board(HUGE, HUGE), {"kind": "degrees", "squares": ["X"]}, '"a1"', "TOO_LARGE"),
}


def of_pieces(*parts, expected):
    text = repeated(*parts)
    return text if expected == "WRONG_DIGEST" else text.replace(', "digest": "0"', "")


def longest_proof():
    # As many valid lemmas as possible; all repeat the first clause.
    text = "1 0 1 0\n" * (MOST_TEXT // 8 - 1)
    evidence = refutation(SMALL, [])
    evidence["proof"] = packed(text)
    evidence["digests"]["proof"] = digest(text)
    return certificate(SMALL, evidence)


def tree_of_the_most_work():
    # The checker refuses a repeated split, but accepts many nested sets without effect.
    tree = {"remove": ["b2"]}
    for _ in range(120):
        tree = {"remove": ["b2"], "then": tree}
    return certificate(board(490, 490), {"kind": "forced", "tree": tree})


def splits_on_a_large_board():
    # Each split copies the state, which takes hundreds of megabytes.
    tree = {}
    for move in (["h19", "j20"], ["h9", "j10"], ["h1", "j2"]):
        tree = {"move": move, "unused": {}, "used": tree}
    evidence = {"kind": "forced", "tree": tree}
    return certificate(board(480, 480, closed=True), evidence)


LONGEST = {
    "formula": (
        partial(certificate, board(500, 500), unproved(proof=packed("0 0\n"))),
        "TOO_LARGE",
    ),
    "sets times squares": (
        partial(certificate, board(480, 480), {"kind": "tight", "sets": [["a1"]] * 200}),
        "TOO_LARGE",
    ),
    **{what: (partial(of_pieces, *parts, expected=expected), expected)
       for what, (*parts, expected) in PIECES.items()},
    "proof": (longest_proof, "NO_EMPTY_CLAUSE"),
    "tree": (tree_of_the_most_work, "NOT_PROVED"),
    "splits": (splits_on_a_large_board, "TOO_DEEP"),
}  # fmt: skip


@exhaustive("the longest certificates are soon checked", LONGEST, sample=0, batches=11)
def test_certificates_of_the_longest_size(tmp_path, cases):
    for what in cases:
        text, expected = LONGEST[what]
        assert verdict(tmp_path, text()) == expected, what


@pytest.mark.slow
def test_a_hundred_thousand_missing_squares(tmp_path):
    names = [square_name((row, file)) for row in range(400) for file in range(250)]
    far = board(HUGE, HUGE, *names)
    assert verdict(tmp_path, certificate(far, {"kind": "colours"})) == "NOT_PROVED"
    assert verdict(tmp_path, certificate(board(401, 250, *names), {"kind": "colours"})) == (
        "NOT_PROVED"
    )


def test_cases_within_cases():
    # The same object many times: as text it would have 2**101 cases.  The checker refuses the first
    # path at its end.
    tree = {}
    for _ in range(101):
        tree = {"move": ["f6", "g8"], "used": tree, "unused": tree}
    assert reason(board(12, 12), {"kind": "forced", "tree": tree}).name == "TOO_DEEP"
