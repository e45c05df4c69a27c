"""The best tours in the documentation: both checkers accept the files, and the page lists them."""

import gzip
import json

import pytest

from benchmarks import best_tours
from kt_cp.model.terms import is_minimized
from kt_cp.verify import verify
from tests.support.exhaustive import SEED, more

FILES = sorted(best_tours.FOLDER.glob("*.json.gz"))
QUICK = 36
"""The quick tests check every thirty-sixth file; the slow ones a third, by the seed."""


def is_accepted(kt_cp, file):
    result = kt_cp("check", file)
    document = json.loads(gzip.decompress(file.read_bytes()))
    if document["certificate"] is not None:
        verify(document)
    sign = 1 if is_minimized(document["objective"]) else -1
    ordered = document["bound"] is None or sign * document["bound"] <= sign * document["value"]
    stem = f"{document['problem']['rows']}x{document['problem']['columns']}"
    assert file.name.startswith(stem) and document["objective"] in file.name
    assert ("-closed-" in file.name) == document["problem"]["closed"]
    return result.code == 0 and ordered


def test_some_files_are_accepted(kt_cp):
    assert len(FILES) > 300
    for file in FILES[::QUICK]:
        assert is_accepted(kt_cp, file), file.name


@pytest.mark.slow
def test_more_files_are_accepted(kt_cp):
    for file in more(FILES[int(SEED) % 3 :: 3], FILES):
        assert is_accepted(kt_cp, file), file.name


def test_the_page_is_that_of_the_files():
    assert best_tours.PAGE.read_text(encoding="utf-8") == best_tours.page()


def test_a_file_is_replaced_by_a_better_one_only(tmp_path, monkeypatch):
    monkeypatch.setattr(best_tours, "FOLDER", tmp_path / "best")
    assert "20 turns" in best_tours.search("5x5", "fewest-turns", 60.0, closed=False)
    assert best_tours.search("5x5", "fewest-turns", 60.0, closed=False) == "no better"
    assert best_tours.cell("5x5", "fewest-turns", closed=False).startswith("{download}`20 <best/")
    assert best_tours.cell("5x5", "most-turns", closed=False) == "–"
