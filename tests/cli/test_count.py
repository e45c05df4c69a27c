"""``kt-cp count``: what it says, its exit codes, stores and second ways."""

from __future__ import annotations

import json
import re

import networkx as nx
import pytest

from kt_cp.cli.count import describe_estimate
from kt_cp.counting import plan
from kt_cp.counting.method import Estimate
from tests.support.command_line import refused
from tests.support.fakes import Fake, answer


def test_how_many_and_what_is_counted(kt_cp):
    ran = kt_cp("count", "3x4")
    assert ran.code == 0
    assert ran.out == (
        "16 tours (3x4, open; directed: a tour and its reverse are two; rotations and reflections"
        " of the board are counted one by one).\n"
    )
    assert ran.err == "3x4, open: by frontier, estimated time: a moment\n"
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
        ("count", "expected a board or a file, or --store FOLDER, got neither"),
        ("count 5x5 --method fast", "expected a method of counting"),
        ("count 5x5 --classes --directed", "classes of tours are undirected"),
        ("count 5x5 --time-limit -1", "expected a time limit above 0"),
        ("count --store /nowhere/at/all", "expected a store"),
    ],
)
def test_what_cannot_be_is_refused(kt_cp, line, told):
    refused(kt_cp(*line.split()), told)


YEARS = r"enumerate needs about 10\^\d+ years"


@pytest.mark.parametrize("limit", ["", "--time-limit 600"])
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("12x12", 3, r"12x12, open: no method can count this: frontier needs 10\^\d+ MB of memory "
         r"\([\d,]+ MB are available\) and about [\d,]+ years, dense does not take it \(it takes "
         rf"boards with a side of at most 9\), {YEARS}"),
        ("9x10 --closed", 2, "9x10, closed: expected --store FOLDER, where dense needs 46 GB of "
         r"disk, [\d,]+ MB of memory( \(.* available\))? and about \d+ \w+; got none"),
        ("9x10 --closed --memory-limit 1000", 2, "dense needs 46 GB of disk, .* MB of memory "
         r"\(1,000 MB are available\) and about \d+ \w+; got none"),
        ("9x10 --closed --memory-limit 1000 --store STORE", 3, "no method can count this: .*dense "
         rf"needs 46 GB of disk, .* MB of memory \(1,000 MB are available\) and .*, {YEARS}"),
        ("K40", 3, r"no method can count this: frontier needs 10\^\d+ MB of memory .* years, "
         rf"dense does not take it \(.*\), {YEARS}"),
        ("10x10 --closed --symmetry half-turn", 3, r", enumerate needs about \d+ days"),
        ("5x6 --memory-limit 0.01", 3, r"dense needs 2\d\d MB of memory \(0.0 MB are available\)"),
    ],
)  # fmt: skip
def test_a_count_that_cannot_end_is_not_begun(kt_cp, tmp_path, line, code, told, limit):
    (tmp_path / "K40.g6").write_bytes(nx.to_graph6_bytes(nx.complete_graph(40)))
    places = {"STORE": tmp_path / "run", "K40": tmp_path / "K40.g6"}
    words = [places.get(word, word) for word in [*line.split(), *limit.split()]]
    ran = kt_cp("count", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1), ran.err
    assert re.search(told, ran.err), ran.err
    assert not (tmp_path / "run").exists()


def test_a_method_that_is_named_begins_a_count_that_cannot_end(kt_cp):
    kt_cp("count", "5x5", "--method", "enumerate")  # loads compiled code, which takes its time
    ran = kt_cp("count", "12x12", "--method", "enumerate", "--time-limit", "1")
    assert ran.code == 3 and "by enumerate, estimated time: 10^" in ran.err
    assert "kt-cp: unknown: stopped after 1 s, at tours" in ran.err
    ran = kt_cp("count", "12x12", "--method", "enumerate")
    assert ran.code == 3 and "--method enumerate --time-limit SECONDS counts for so long" in ran.err


def test_a_graph_among_many_that_cannot_be_counted(kt_cp, tmp_path):
    file = tmp_path / "some.g6"
    graphs = nx.complete_graph(5), nx.complete_graph(40), nx.path_graph(5)
    file.write_bytes(b"".join(nx.to_graph6_bytes(each, header=False) for each in graphs))
    ran = kt_cp("count", file, "--undirected")
    assert (ran.code, ran.out.split()) == (3, ["60", "unknown", "1"])
    assert "no method can count this" in ran.err
    lines = kt_cp("count", file, "--json").out.splitlines()
    assert [json.loads(line)["tours"] for line in lines] == [120, None, 2]


def test_a_store_goes_on_and_says_how_far_it_is(kt_cp, tmp_path, monkeypatch):
    method, store = Fake(), tmp_path / "run"
    monkeypatch.setattr(plan, "methods", lambda: {method.name: method})
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
    monkeypatch.setattr(plan, "methods", lambda: {it.name: it for it in (other, method)})
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
    monkeypatch.setattr(plan, "methods", lambda: {method.name: method})
    ran = kt_cp("count", "5x5", "--store", tmp_path)
    assert ran.code == 130
    assert ran.err.splitlines()[1:] == [
        f"5x5, open: the work is saved in {tmp_path}", "kt-cp: interrupted"
    ]  # fmt: skip


def test_ways_that_do_not_agree_are_a_bug(kt_cp, monkeypatch):
    ran = kt_cp("count", "3x4", "--confirm", "--json")
    assert json.loads(ran.out)["confirmed"] == ["enumerate"]
    assert "3x4, open: confirmed by enumerate\n" in ran.err
    both = {each.name: each for each in (Fake(), Fake("liar", lie=-1))}
    monkeypatch.setattr(plan, "methods", lambda: both)
    ran = kt_cp("count", "5x5", "--confirm")
    assert (ran.code, ran.out) == (70, "")
    assert f"fake counts {answer()} tours, and liar {answer() - 1}" in ran.err


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "a moment"), (2.4, "2 seconds"), (119, "119 seconds"),
     (300, "5 minutes"), (9e4, "25 hours"), (1e9, "32 years"),
     (4e12, "10^5 years")],
)  # fmt: skip
def test_the_time_is_told_in_words(seconds, told):
    assert describe_estimate(Estimate(10, 10, seconds)) == f"estimated time: {told}"


def test_pieces_of_an_executor_come_to_the_same(kt_cp, tmp_path):
    asked = ("count", "5x5", "--method", "enumerate", "--executor", "threads")
    for store in ([], ["--store", tmp_path / "run"], ["--store", tmp_path / "run"]):
        ran = kt_cp(*asked, *store)
        assert ran.code == 0 and ran.out.startswith("1,728 tours (5x5, open; directed")
    refused(kt_cp("count", "5x5", "--executor", "dusk"), "expected threads, processes, dask or")


def test_no_time_is_promised_where_steps_are_given(kt_cp):
    ran = kt_cp("count", "5x5", "--given", "c3=13")
    assert ran.out.startswith("256 tours")
    assert ran.err == "5x5, open, c3 at 13: by enumerate, estimated time: unknown\n"
