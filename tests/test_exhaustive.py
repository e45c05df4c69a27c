"""Every case of a lemma runs if its code has changed, and a sample of the cases otherwise."""

from __future__ import annotations

import ast
from itertools import chain

import pytest

from tests.support import exhaustive
from tests.support.imports import HOUSE, reached


def chosen(monkeypatch, lemma="squares", digest="", full="", cases=range(1000)):
    line = {"lemma": "squares", "code": "tests/test_exhaustive.py", "digest": digest}
    monkeypatch.setattr(exhaustive, "table", lambda: [line])
    monkeypatch.setenv("FULL", full)

    @exhaustive.exhaustive(lemma, cases, sample=10, batches=3)
    def tried(cases):
        pass

    (mark,) = (mark for mark in tried.pytestmark if mark.name == "parametrize")
    return list(mark.args[1]), mark.kwargs["ids"]


def test_all_cases_or_a_sample(monkeypatch):
    known = exhaustive.digest("tests/test_exhaustive.py")
    (some,), (name,) = chosen(monkeypatch, digest=known)
    assert len({*some} & {*range(1000)}) == 10
    assert name == f"10-of-1000-seed-{exhaustive.SEED}"
    assert chosen(monkeypatch, digest=known)[0] == [some]
    assert chosen(monkeypatch, digest=known, cases=iter("ab"))[0] in ([["a", "b"]], [["b", "a"]])
    for otherwise in ({}, {"digest": known, "full": "1"}):
        batches, names = chosen(monkeypatch, **otherwise)
        assert sorted(chain(*batches)) == [*range(1000)]
        assert [*names] == ["all-0-of-3", "all-1-of-3", "all-2-of-3"]
    assert chosen(monkeypatch, digest="of old code", full="0")[0] == [some]
    with pytest.raises(ValueError):
        chosen(monkeypatch, lemma="a lemma without a line")


def test_the_digest_is_of_code_and_not_of_remarks():
    def shape(text):
        return exhaustive.shape(ast.parse(text))

    code = 'def twice(x):\n    """Double."""\n    return 2 * x\n'
    assert shape(code) == shape("# a remark\ndef twice(x): return (2*x)")
    assert shape(code) != shape(code.replace("2", "3"))


def test_what_a_file_imports_is_reached():
    tiles = reached([HOUSE / "construction" / "tiles.py"])
    assert {HOUSE / "model" / "board.py", HOUSE / "search" / "backtrack.py"} < tiles
    assert HOUSE / "cli" / "main.py" not in tiles


def test_every_line_of_the_table_is_of_files():
    for line in exhaustive.table():
        assert all(path.is_file() for path in exhaustive.files(line["code"])), line
