"""``kt-cp count``: what it says, its exit codes, stores and second ways."""

from __future__ import annotations

import json

import pytest

from kt_cp.cli.count import likely
from kt_cp.counting import choose
from kt_cp.counting.method import Estimate
from tests.counting.fake import Fake, answer
from tests.helpers import refused


def test_how_many_and_what_is_counted(kt_cp):
    ran = kt_cp("count", "3x4")
    assert ran.code == 0
    assert ran.out == (
        "16 tours (3x4, open; directed: a tour and its reverse are two; rotations and reflections"
        " of the board are counted one by one).\n"
    )
    assert ran.err == "3x4, open: by frontier, likely in a moment\n"
    assert ran.out == kt_cp("enumerate", "3x4", "--count").out
    assert kt_cp("count", "3x4", "--classes").out == (
        kt_cp("enumerate", "3x4", "--count", "--unique").out
    )


@pytest.mark.parametrize(
    ("line", "method"),
    [("3x4", "frontier"), ("4x4", "enumerate"), ("3x4 --undirected", "frontier")],
)
def test_json_is_that_of_an_enumeration(kt_cp, line, method):
    one, other = (
        json.loads(kt_cp(*said.split(), *line.split(), "--json").out)
        for said in ("count", "enumerate --count")
    )
    same = set(one) & set(other)
    assert same == set(other) - {"source", "placed"}
    assert {key: one[key] for key in same} == {key: other[key] for key in same}
    assert (one["method"], one["confirmed"]) == (method, [])


def test_none_is_an_answer(kt_cp):
    ran = kt_cp("count", "4x4")
    assert (ran.code, ran.out) == (1, kt_cp("enumerate", "4x4", "--count").out)
    assert kt_cp("count", "4x4", "--piece", "1,3", "--start", "a1").code == 1


def test_graphs_a_line(kt_cp, tmp_path):
    file = tmp_path / "some.g6"
    file.write_text("D~{\nDhC\n")  # K5 and the path of 5
    ran = kt_cp("count", file, "--undirected")
    assert (ran.code, ran.out.split()) == (0, ["60", "1"])
    assert kt_cp("count", file, "--closed").code == 1
    lines = kt_cp("count", file, "--json").out.splitlines()
    assert [json.loads(line)["tours"] for line in lines] == [120, 2]
    refused(kt_cp("count", file, "--store", tmp_path / "x"), "--store: expected one graph")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("count 12x12", "this count would not end in a lifetime"),
        ("count 5x6 --memory-limit 0.01", "MB; dense: it would take 2"),
        ("count", "expected a board or a file, or --store FOLDER, got neither"),
        ("count 5x5 --method fast", "expected a method of counting"),
        ("count 5x5 --classes --directed", "classes of tours are undirected"),
        ("count 5x5 --time-limit -1", "expected a time limit above 0"),
        ("count --store /nowhere/at/all", "expected a store"),
    ],
)
def test_what_cannot_be_is_refused(kt_cp, line, told):
    refused(kt_cp(*line.split()), told)


def test_a_store_goes_on_and_says_how_far_it_is(kt_cp, tmp_path, monkeypatch):
    method, store = Fake(), tmp_path / "run"
    monkeypatch.setattr(choose, "methods", lambda: {method.name: method})
    ran = kt_cp("count", "5x5", "--store", store, "--time-limit", "1e-9")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.splitlines()[1].startswith("kt-cp: unknown: stopped after 1e-09 s, at step 1")
    far = kt_cp("count", "--store", store)
    assert (far.code, far.out) == (3, "5x5, open, by fake: step 1 of 4 is done.\n")
    found = json.loads(kt_cp("count", "--store", store, "--json").out)
    assert [found[key] for key in ("method", "step", "steps", "tours")] == ["fake", 1, 4, None]
    assert kt_cp("count", "5x5", "--store", store).code == 0
    assert len(method.work) == 12
    far = kt_cp("count", "--store", store)
    assert far.code == 0
    assert far.out.startswith(f"{answer()} tours (5x5, open; undirected")
    refused(kt_cp("count", "5x6", "--store", store), "its problem is 5x5, open, and not 5x6, open")
    (store / "answer.kept").write_text("7")
    refused(kt_cp("count", "--store", store), "answer.kept is damaged", "remove it and run again")
    (store / "answer.kept").unlink()
    assert kt_cp("count", "--store", store).out == "5x5, open, by fake: step 0 of 4 is done.\n"


def test_a_store_without_its_manifest_goes_on(kt_cp, tmp_path, monkeypatch):
    method, other, store = Fake(), Fake("other"), tmp_path / "run"
    monkeypatch.setattr(choose, "methods", lambda: {it.name: it for it in (other, method)})
    asked = ("count", "5x5", "--store", store)
    assert kt_cp(*asked, "--method", "fake", "--time-limit", "1e-9").code == 3
    (store / "manifest.json").write_text("{}")
    (store / "progress.json").write_text('{"step": "x", "steps": []}')
    for line in (asked, ("count", "--store", store)):
        refused(kt_cp(*line), "manifest.json is damaged", "remove it and run again")
    (store / "manifest.json").unlink()
    refused(kt_cp("count", "--store", store), "beside --store, which is 5x5, open, by fake")
    assert kt_cp(*asked).code == 0  # by the method that its files name
    assert len(method.work) == 12 and not other.work
    (store / "manifest.json").unlink()
    assert kt_cp(*asked).code == 0 and len(method.work) == 12
    refused(kt_cp("count", "5x6", "--store", store), "its problem is 5x5, open, and not 5x6, open",
            "name another folder, or remove this one to start anew")  # fmt: skip
    assert kt_cp("count", "5x6", "--store", tmp_path / "another").code == 0


def test_interrupted_what_is_done_is_kept(kt_cp, tmp_path, monkeypatch):
    method = Fake()

    def ended(*_given, **_named):
        raise KeyboardInterrupt

    method.count = ended
    monkeypatch.setattr(choose, "methods", lambda: {method.name: method})
    ran = kt_cp("count", "5x5", "--store", tmp_path)
    assert ran.code == 130
    assert ran.err.splitlines()[1:] == [
        f"5x5, open: what is done is kept in {tmp_path}", "kt-cp: interrupted"
    ]  # fmt: skip


def test_ways_that_do_not_agree_are_a_bug(kt_cp, monkeypatch):
    ran = kt_cp("count", "3x4", "--confirm", "--json")
    assert json.loads(ran.out)["confirmed"] == ["enumerate"]
    assert "3x4, open: confirmed by enumerate\n" in ran.err
    both = {each.name: each for each in (Fake(), Fake("liar", lie=-1))}
    monkeypatch.setattr(choose, "methods", lambda: both)
    ran = kt_cp("count", "5x5", "--confirm")
    assert (ran.code, ran.out) == (70, "")
    assert f"fake counts {answer()} tours, and liar {answer() - 1}" in ran.err


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "in a moment"), (2.4, "some 2 seconds"), (119, "some 119 seconds"),
     (300, "some 5 minutes"), (9e4, "some 25 hours"), (1e9, "some 32 years"),
     (4e12, "some 10^5 years")],
)  # fmt: skip
def test_the_time_is_told_in_words(seconds, told):
    assert likely(Estimate(10, 10, seconds)) == f"likely {told}"


def test_pieces_of_an_executor_come_to_the_same(kt_cp, tmp_path):
    asked = ("count", "5x5", "--method", "enumerate", "--executor", "threads")
    for store in ([], ["--store", tmp_path / "run"], ["--store", tmp_path / "run"]):
        ran = kt_cp(*asked, *store)
        assert ran.code == 0 and ran.out.startswith("1,728 tours (5x5, open; directed")
    refused(kt_cp("count", "5x5", "--executor", "dusk"), "expected threads, processes, dask or")
