"""``kt-cp count``, ``sample``, ``rank``, ``unrank``: numbers of tours, and tours by number."""

from __future__ import annotations

import json
import re

import networkx as nx
import pytest

from kt_cp import Numbering, Problem, defects, parse_square
from kt_cp.cli import output
from kt_cp.cli.count import describe_estimate
from kt_cp.counting import plan
from kt_cp.counting.method import Estimate
from tests.support.command_line import documents, refused
from tests.support.fakes import Fake, answer


def test_how_many_and_what_is_counted(kt_cp):
    result = kt_cp("count", "3x4")
    assert result.code == 0
    assert result.out == (
        "16 tours (3x4, open; directed: a tour and its reverse are two; rotations and reflections"
        " of the board are counted one by one).\n"
    )
    assert result.err == "3x4, open: by frontier, estimated time: under 1 s\n"
    assert result.out == kt_cp("enumerate", "3x4", "--count").out
    assert kt_cp("count", "3x4", "--classes").out == (
        kt_cp("enumerate", "3x4", "--count", "--unique").out
    )


@pytest.mark.parametrize(
    ("line", "method"),
    [("3x4", "frontier"), ("4x4", "enumerate"), ("3x4 --undirected", "frontier")],
)
def test_json_is_that_of_an_enumeration(kt_cp, line, method):
    one, other = (
        json.loads(kt_cp(*command.split(), *line.split(), "--json").out)
        for command in ("count", "enumerate --count")
    )
    same = set(one) & set(other)
    assert same == set(other) - {"source", "placed"}
    assert {key: one[key] for key in same} == {key: other[key] for key in same}
    assert (one["method"], one["confirmed"]) == (method, [])


def test_none_is_an_answer(kt_cp):
    result = kt_cp("count", "4x4")
    assert (result.code, result.out) == (1, kt_cp("enumerate", "4x4", "--count").out)
    assert kt_cp("count", "4x4", "--piece", "1,3", "--start", "a1").code == 1


def test_graphs_a_line(kt_cp, tmp_path):
    file = tmp_path / "some.g6"
    file.write_text("D~{\nDhC\n")  # K5 and the path of 5
    result = kt_cp("count", file, "--undirected")
    assert (result.code, result.out.split()) == (0, ["60", "1"])
    assert kt_cp("count", file, "--closed").code == 1
    lines = kt_cp("count", file, "--json").out.splitlines()
    assert [json.loads(line)["tours"] for line in lines] == [120, 2]
    refused(kt_cp("count", file, "--store", tmp_path / "x"), "--store: expected a single graph")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("count", "expected a board or a file, or --store FOLDER, got neither"),
        ("count 5x5 --method fast", "expected a method of counting"),
        ("count 5x5 --classes --directed", "expected no directed classes"),
        ("count 5x5 --time-limit -1", "expected a time limit above 0"),
        ("count --store /nowhere/at/all", "expected a store"),
    ],
)
def test_what_cannot_be_is_refused(kt_cp, line, message):
    refused(kt_cp(*line.split()), message)


SUBSETS = r"subsets cannot count this \(more than 28 vertices\)"
YEARS = r"enumerate needs about 10\^\d+ years"


@pytest.mark.parametrize("limit", ["", "--time-limit 600"])
@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("12x12", 3, r"12x12, open: no method can count this: frontier needs 10\^\d+ MB of memory "
         r"\([\d,]+ MB are available\) and about [\d,]+ years, dense cannot count this \(it takes "
         rf"boards with a side of at most 9\), {SUBSETS}, {YEARS}"),
        ("9x10 --closed", 2, "9x10, closed: expected --store FOLDER, where dense needs 46 GB of "
         r"disk, [\d,]+ MB of memory( \(.* available\))? and about \d+ \w+; got none"),
        ("9x10 --closed --memory-limit 1000", 2, "dense needs 46 GB of disk, .* MB of memory "
         r"\(1,000 MB are available\) and about \d+ \w+; got none"),
        ("9x10 --closed --memory-limit 1000 --store STORE", 3, "no method can count this: .*dense "
         rf"needs 46 GB of disk, .* MB of memory \(1,000 MB are available\) and .*, {YEARS}"),
        ("K40", 3, r"no method can count this: frontier needs 10\^\d+ MB of memory .* years, "
         rf"dense cannot count this \(.*\), {YEARS}"),
        ("10x10 --closed --symmetry half-turn", 3, r", enumerate needs about \d+ days"),
        ("5x6 --memory-limit 0.01", 3, r"dense needs 2\d\d MB of memory \(0.0 MB are available\)"),
    ],
)  # fmt: skip
def test_a_count_that_cannot_end_is_not_begun(kt_cp, tmp_path, line, code, message, limit):
    (tmp_path / "K40.g6").write_bytes(nx.to_graph6_bytes(nx.complete_graph(40)))
    places = {"STORE": tmp_path / "run", "K40": tmp_path / "K40.g6"}
    words = [places.get(word, word) for word in [*line.split(), *limit.split()]]
    result = kt_cp("count", *words)
    assert (result.code, result.out, result.err.count("\n")) == (code, "", 1), result.err
    assert re.search(message, result.err), result.err
    assert not (tmp_path / "run").exists()


def test_a_dry_run_prints_what_methods_and_a_cluster_need(kt_cp):
    result = kt_cp("count", "10x10", "--closed", "--dry-run", "--workers", "64")
    assert (result.code, result.err) == (0, "")
    first, *lines = result.out.splitlines()
    assert first == "10x10, closed"
    assert [line.split()[0] for line in lines[:4]] == ["frontier", "dense", "subsets", "enumerate"]
    assert lines[4:] == [
        "  dense array on 64 workers of one core each:",
        "    327,504,905,871 numbers in 1,310.0 GB",
        "    55.3 GB of memory for each worker",
        "    13.10 TB between workers",
        "    41.2 core hours, about 39 minutes without the network",
    ]
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_dry_run_as_json(kt_cp):
    result = kt_cp("count", "8x9", "--closed", "--dry-run", "--workers", "2", "--json")
    found = json.loads(result.out)
    assert result.code == 0
    assert found["methods"]["subsets"] == {"refused": "more than 28 vertices"}
    assert found["methods"]["dense"]["bytes"] > found["methods"]["enumerate"]["bytes"]
    assert found["cluster"]["entries"] == 11_338_512_185
    assert found["impossible"] is None


def test_a_dry_run_says_that_there_is_no_tour(kt_cp):
    result = kt_cp("count", "3x9", "--closed", "--dry-run")
    assert "  no tour, without a count: " in result.out
    assert json.loads(kt_cp("count", "3x9", "--closed", "--dry-run", "--json").out)["impossible"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("8x8 --closed --workers 2", "expected --dry-run with --workers"),
        ("--dry-run", "expected a board or a file with --dry-run, got neither"),
        ("8x8 --dry-run --workers 2", "expected closed tours of a whole board with --workers"),
        ("8x8 --closed --missing a1 --dry-run --workers 2", "expected closed tours of a whole"),
        ("9x9 --closed --dry-run --workers 2", "expected a board with an even side, from 3 to 20"),
        ("99x100 --closed --dry-run --workers 2", "expected a board with an even side"),
        ("8x8 --closed --dry-run --workers 0", "--workers: expected a whole number, 1 or more"),
    ],
)
def test_a_dry_run_refuses_bad_input(kt_cp, words, message):
    result = kt_cp("count", *words.split())
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err


def test_a_method_that_is_named_begins_a_count_that_cannot_end(kt_cp):
    kt_cp("count", "5x5", "--method", "enumerate")  # loads compiled code, which takes time
    result = kt_cp("count", "12x12", "--method", "enumerate", "--time-limit", "1")
    assert result.code == 3 and "by enumerate, estimated time: 10^" in result.err
    assert "kt-cp: unknown: stopped after 1 s, at tours" in result.err
    result = kt_cp("count", "12x12", "--method", "enumerate")
    assert (
        result.code == 3
        and "--method enumerate --time-limit SECONDS counts for so long" in result.err
    )


def test_a_graph_among_many_that_cannot_be_counted(kt_cp, tmp_path):
    file = tmp_path / "some.g6"
    graphs = nx.complete_graph(5), nx.complete_graph(40), nx.path_graph(5)
    file.write_bytes(b"".join(nx.to_graph6_bytes(each, header=False) for each in graphs))
    result = kt_cp("count", file, "--undirected")
    first, second, third = result.out.splitlines()
    assert (result.code, first, third) == (3, "60", "1")
    assert second.startswith("unknown: line 2 ") and "no method can count this" in second
    lines = kt_cp("count", file, "--json").out.splitlines()
    assert [json.loads(line)["tours"] for line in lines] == [120, None, 2]


def test_a_store_goes_on_and_says_how_far_it_is(kt_cp, tmp_path, monkeypatch):
    method, store = Fake(), tmp_path / "run"
    monkeypatch.setattr(plan, "methods", lambda: {method.name: method})
    result = kt_cp("count", "5x5", "--store", store, "--time-limit", "1e-9")
    assert (result.code, result.out) == (3, "")
    assert result.err.splitlines()[1].startswith("kt-cp: unknown: stopped after 1e-09 s, at step 1")
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
    arguments = ("count", "5x5", "--store", store)
    assert kt_cp(*arguments, "--method", "fake", "--time-limit", "1e-9").code == 3
    (store / "manifest.json").write_text("{}")
    (store / "progress.json").write_text('{"step": "x", "steps": []}')
    for line in (arguments, ("count", "--store", store)):
        refused(kt_cp(*line), "manifest.json is damaged", "remove it and run again")
    (store / "manifest.json").unlink()
    refused(kt_cp("count", "--store", store), "beside --store, which is 5x5, open, by fake")
    assert kt_cp(*arguments).code == 0  # the method that its files name
    assert len(method.work) == 12 and not other.work
    (store / "manifest.json").unlink()
    assert kt_cp(*arguments).code == 0 and len(method.work) == 12
    refused(kt_cp("count", "5x6", "--store", store), "its problem is 5x5, open, and not 5x6, open",
            "name another folder, or remove this one to start anew")  # fmt: skip
    assert kt_cp("count", "5x6", "--store", tmp_path / "another").code == 0


def test_an_interrupted_count_saves_what_is_done(kt_cp, tmp_path, monkeypatch):
    method = Fake()

    def ended(*_given, **_named):
        raise KeyboardInterrupt

    method.count = ended
    monkeypatch.setattr(plan, "methods", lambda: {method.name: method})
    result = kt_cp("count", "5x5", "--store", tmp_path)
    assert result.code == 130
    assert result.err.splitlines()[1:] == [
        f"5x5, open: the work is saved in {tmp_path}", "kt-cp: interrupted"
    ]  # fmt: skip


def test_ways_that_do_not_agree_are_a_bug(kt_cp, monkeypatch):
    result = kt_cp("count", "3x4", "--confirm", "--json")
    assert json.loads(result.out)["confirmed"] == ["enumerate"]
    assert "3x4, open: confirmed by enumerate\n" in result.err
    both = {each.name: each for each in (Fake(), Fake("liar", lie=-1))}
    monkeypatch.setattr(plan, "methods", lambda: both)
    result = kt_cp("count", "5x5", "--confirm")
    assert (result.code, result.out) == (70, "")
    assert f"fake counts {answer()} tours, and liar {answer() - 1}" in result.err


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "under 1 s"), (2.4, "2 s"), (119, "119 s"),
     (300, "5 minutes"), (9e4, "25 hours"), (1e9, "32 years"),
     (4e12, "10^5 years")],
)  # fmt: skip
def test_the_estimated_time_has_a_suitable_unit(seconds, text):
    assert describe_estimate(Estimate(10, 10, seconds)) == f"estimated time: {text}"


def test_pieces_of_an_executor_come_to_the_same(kt_cp, tmp_path):
    arguments = ("count", "5x5", "--method", "enumerate", "--executor", "threads")
    for store in ([], ["--store", tmp_path / "run"], ["--store", tmp_path / "run"]):
        result = kt_cp(*arguments, *store)
        assert result.code == 0 and result.out.startswith("1,728 tours (5x5, open; directed")
    refused(kt_cp("count", "5x5", "--executor", "dusk"), "expected threads, processes, dask or")


def test_no_time_is_promised_where_steps_are_given(kt_cp):
    result = kt_cp("count", "5x5", "--given", "c3=13")
    assert result.out.startswith("256 tours")
    assert result.err == "5x5, open, c3 at 13: by enumerate, estimated time: unknown\n"


def test_tours_are_drawn_and_have_their_numbers(kt_cp, tmp_path):
    result = kt_cp("sample", "5x6", "--closed", "--number", "5", "--seed", "2", "--json")
    *tours, totals = documents(result)
    assert (result.code, totals["tours"], totals["drawn"], totals["seed"]) == (0, 8, 5, 2)
    assert totals["directed"] is False and totals["counted"].startswith("undirected: a tour and")
    assert "5 tours drawn uniformly with seed 2" in result.err and "of 8 tours" in result.err
    assert [tour["number"] for tour in tours] == [1, 2, 3, 4, 5]
    problem = Problem("5x6", closed=True)
    for tour in tours:
        assert not defects(problem, [*map(parse_square, tour["tour"])])
        result = kt_cp("unrank", "5x6", "--closed", tour["rank"], "--format", "names")
        assert result.out == " ".join(tour["tour"]) + "\n"
    assert kt_cp("sample", "5x6", "--closed", "--number", "5", "--seed", "2", "--json").out == (
        "".join(json.dumps(each) + "\n" for each in [*tours, totals])
    )


def test_there_and_back(kt_cp, tmp_path):
    path = tmp_path / "tour.json"
    assert kt_cp("unrank", "3x4", "5", "-o", path).code == 0
    document = json.loads(path.read_text())
    assert (document["number"], document["tours"], document["method"]) == (5, 8, "enumerate")
    assert kt_cp("check", path).code == 0
    result = kt_cp("rank", path)
    assert (result.code, result.out) == (0, "5\n")
    assert result.err.startswith(
        "3x4, open: number 5, from 0, of 8 tours, by enumerate; undirected"
    )
    (ranked,) = documents(kt_cp("rank", path, "--json"))
    assert (ranked["number"], ranked["tours"]) == (5, 8)
    path.write_text(" ".join(reversed(document["tour"])))
    assert kt_cp("rank", path, "--board", "3x4").out == "5\n"
    assert kt_cp("rank", path, "--board", "3x4", "--start", document["tour"][-1]).out in (
        "0\n",
        "1\n",
    )


def test_lines_that_sample_enumerate_and_unrank_write(kt_cp, tmp_path):
    path = tmp_path / "tours.json"
    sampled = kt_cp("sample", "5x6", "--closed", "--number", "4", "--seed", "2", "--json").out
    path.write_text(sampled)
    ranks = [line["rank"] for line in map(json.loads, sampled.splitlines()[:-1])]
    result = kt_cp("rank", path)
    assert (result.code, [*map(int, result.out.split())]) == (0, ranks)
    assert result.err.startswith(
        "5x6, closed: numbers, from 0, of 8 tours, by enumerate; undirected"
    )
    assert kt_cp("check", path).out == "4 tours (5x6, closed): 30 squares each\n"
    path.write_text(kt_cp("enumerate", "5x6", "--closed", "--json").out)
    assert sorted(line["number"] for line in documents(kt_cp("rank", path, "--json"))) == [
        *range(8)
    ]
    unranked = [kt_cp("unrank", board, "3", "--json").out for board in ("3x4", "5x5", "3x4")]
    path.write_text("\n".join(unranked))  # each line states its problem
    assert kt_cp("rank", path).out == "3\n" * 3
    path.write_text(sampled.splitlines()[0])  # no line states its problem
    assert kt_cp("rank", path, "--board", "5x6", "--closed").out == f"{ranks[0]}\n"
    assert kt_cp("check", path).out == "A valid tour (5x6, open): 30 squares, closed as well\n"
    graph, tours = tmp_path / "k4.edges", ("sample", tmp_path / "k4.edges", "--closed", "--json")
    graph.write_text("a b\na c\na d\nb c\nb d\nc d\n")
    path.write_text(kt_cp(*tours, "--number", "2").out)
    assert kt_cp("rank", path).out == kt_cp("rank", path, "--board", graph, "--closed").out
    assert kt_cp("check", path).out.startswith("2 tours (graph with 4 nodes and 6 edges, closed)")


@pytest.mark.parametrize(
    ("second", "code", "message"),
    [
        ({"tour": ["a1"]}, 1, "Of the tours, number 2: Not a tour (5x6, closed): 2 defects"),
        ({"tour": None}, 2, "line 2: expected a tour, got none"),
        ({"tour": ["a1", "zz"]}, 2, "line 2: step 2: expected a square such as c5"),
        (3, 2, "line 2: expected a tour, got 3"),
        ("}", 2, "line 2: no JSON"),
        (None, 2, "expected a tour, got none"),
    ],
    ids=str,
)
def test_lines_that_are_damaged(kt_cp, tmp_path, second, code, message):
    path = tmp_path / "tours.json"
    lines = kt_cp("sample", "5x6", "--closed", "--json").out.splitlines()
    lines[1:1] = [second if second == "}" else json.dumps(second)]
    path.write_text("\n".join(lines if second else lines[-1:]) + "\n")
    for command in ("check", "rank"):
        result = kt_cp(command, path)
        assert result.code == code and message in (result.err if code == 2 else result.out)


def test_every_format(kt_cp, tmp_path):
    grid = tmp_path / "tour.txt"
    assert kt_cp("unrank", "3x4", "1,", "-o", grid).code == 0
    assert grid.read_text().startswith("3 │ ")
    assert kt_cp("rank", grid).out == "1\n"
    path = tmp_path / "tour.names"
    assert kt_cp("sample", "3x4", "--number", "2", "-o", path).out == ""
    assert len(path.read_text().splitlines()) == 2
    refused(kt_cp("sample", "3x4", "-o", path), "exists already")
    refused(kt_cp("sample", "3x4", "--format", "svg"), "--format", "svg")


def test_a_graph(kt_cp, tmp_path):
    path, tour = tmp_path / "k4.edges", tmp_path / "tour"
    path.write_text("a b\na c\na d\nb c\nb d\nc d\n")
    result = kt_cp("unrank", path, "2", "--closed")
    assert (result.code, len(result.out.split())) == (0, 4)
    tour.write_text(result.out)
    assert kt_cp("rank", tour, "--board", path, "--closed").out == "2\n"


@pytest.mark.parametrize("words", [["sample", "3x3"], ["unrank", "3x3", "0"]], ids=str)
def test_none_is_a_definite_no(kt_cp, words):
    result = kt_cp(*words)
    assert (result.code, result.out) == (1, "No tour (3x3, open): b2 has no moves at all.\n")
    (document,) = documents(kt_cp(*words, "--json"))
    assert document["tours"] == 0 and document["reason"] == "b2 has no moves at all"


def test_none_without_a_reason(kt_cp):
    result = kt_cp("sample", "3x7", "--start", "d2")
    assert (result.code, result.out) == (1, "No tour (3x7, open, from d2): every way was tried.\n")


def test_what_is_no_tour_has_no_number(kt_cp, tmp_path):
    path = tmp_path / "tour.names"
    path.write_text("a1 b3 c1")
    result = kt_cp("rank", path, "--board", "3x4")
    assert result.code == 1 and result.out.startswith(
        "Not a tour (3x4, open): 1 defect\n  9 squares un"
    )
    assert json.loads(kt_cp("rank", path, "--board", "3x4", "--json").out)["valid"] is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["unrank", "3x4", "8"], "expected the number of a tour, from 0 to 7, got 8"),
        (["unrank", "3x4", "9" * 50], "from 0 to 7"),
        (["unrank", "3x4", "9" * 5000], "expected the number of a tour, from 0, got '999"),
        (["unrank", "3x4", "x"], "expected the number of a tour, from 0, got 'x'"),
        (["unrank", "3x4", "--", "-1"], "got '-1'"),
        (["unrank", "3x4", "٣"], "got '٣'"),
        (["unrank", "3x4"], "Missing argument 'NUMBER'"),
        (["sample", "3x4", "--number", "0"], "--number"),
        (["sample", "101x100", "--seed", "1"], "at most 10,000 squares"),
        (["rank", "no-such-file"], "cannot read no-such-file"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_bad_input(kt_cp, words, message):
    refused(kt_cp(*words), message)


def test_a_time_limit_leaves_it_unknown(kt_cp):
    result = kt_cp("sample", "6x6", "--method", "enumerate", "--time-limit", "0.01")
    assert (result.code, result.out) == (3, "")
    assert result.err == "kt-cp: unknown: the time limit of 0.01 s was reached\n"


def test_ctrl_c_leaves_no_file(kt_cp, tmp_path, monkeypatch):
    def tour(self, number):
        raise KeyboardInterrupt

    monkeypatch.setattr(Numbering, "__getitem__", tour)
    result = kt_cp("sample", "3x4", "--number", "3", "-o", tmp_path / "tours")
    assert (result.code, result.out, result.err) == (130, "", "kt-cp: interrupted\n")
    assert [*tmp_path.iterdir()] == []


def test_a_reader_who_has_gone_ends_it(kt_cp, monkeypatch):
    drawn = []
    real = Numbering.__getitem__
    monkeypatch.setattr(Numbering, "__getitem__", lambda self, n: drawn.append(n) or real(self, n))
    monkeypatch.setattr(output.StandardOutput, "add", lambda self, text: len(drawn) < 3)
    result = kt_cp("sample", "3x4", "--number", "1000")
    assert (result.code, result.err, len(drawn)) == (0, "", 3)


def test_a_full_disk(kt_cp):
    result = kt_cp("sample", "3x4", "--number", "3", "-o", "/dev/full")
    assert (
        result.code == 2
        and result.err == "kt-cp: cannot write /dev/full: no space left on device\n"
    )


COMMANDS = {
    "compare": ("compare", "3x3", "--engines", "backtrack"),
    "sample": ("sample", "5x6", "--closed", "--number", "120", "--seed", "3", "--json"),
    "puzzle": ("puzzle", "3x4", "--number", "2", "--seed", "3"),
}


@pytest.mark.parametrize("command", ["compare", "sample"])
def test_a_name_that_is_none(kt_cp, command):
    refused(kt_cp(*COMMANDS[command], "--executor", "dusk"), "expected threads, processes, dask or")


@pytest.mark.parametrize(
    ("command", "executor"),
    [("sample", "threads"), pytest.param("puzzle", "processes", marks=pytest.mark.slow)],
)
def test_it_makes_the_same(kt_cp, command, executor):
    arguments = COMMANDS[command]
    here, there = (kt_cp(*arguments, *more) for more in ([], ["--executor", executor]))
    assert there == here and here.code == 0


@pytest.mark.parametrize("name", ["threads", "dusk", "dask:"])
def test_threads_make_no_puzzles(kt_cp, name):
    """Threads take turns with Python's lock, and end late."""
    result = kt_cp(*COMMANDS["puzzle"], "--executor", name)
    refused(result, f"--executor: expected processes, dask or dask:ADDRESS, got '{name}'")


def test_a_store_requires_a_seed(kt_cp, tmp_path):
    result = kt_cp("puzzle", "3x4", "--store", str(tmp_path))
    refused(result, "--store: expected --seed as well")


@pytest.mark.slow
def test_puzzles_are_saved(kt_cp, tmp_path):
    arguments = (*COMMANDS["puzzle"], "--store", str(tmp_path))
    first, second = kt_cp(*arguments), kt_cp(*arguments)
    assert first == second == kt_cp(*COMMANDS["puzzle"])
    refused(kt_cp(*arguments, "--grade", "hard"), "grade hard", "and not")


@pytest.mark.slow
def test_rows_are_the_same(kt_cp):
    """Each run has its own process below that of the executor."""
    arguments = (*COMMANDS["compare"], "--json", "--jobs", "2")
    here, there = (kt_cp(*arguments, *more) for more in ([], ["--executor", "processes"]))
    rows = [json.loads(result.out)["runs"] for result in (here, there)]
    for row in (*rows[0], *rows[1]):
        assert row.pop("build_seconds") >= 0 and row.pop("solve_seconds") >= 0
        assert row.pop("peak_mb") > 0
    assert here.code == there.code == 0 and rows[0] == rows[1]
