"""``kt-cp sample``, ``rank`` and ``unrank``: tours by their numbers."""

from __future__ import annotations

import json

import pytest

from kt_cp import Numbering, Problem, defects, parse_square
from kt_cp.cli import output
from tests.support.command_line import documents, refused


def test_tours_are_drawn_and_have_their_numbers(kt_cp, tmp_path):
    ran = kt_cp("sample", "5x6", "--closed", "--number", "5", "--seed", "2", "--json")
    *tours, totals = documents(ran)
    assert (ran.code, totals["tours"], totals["drawn"], totals["seed"]) == (0, 8, 5, 2)
    assert totals["directed"] is False and totals["counted"].startswith("undirected: a tour and")
    assert "5 tours drawn uniformly with seed 2" in ran.err and "of 8 tours" in ran.err
    assert [tour["number"] for tour in tours] == [1, 2, 3, 4, 5]
    problem = Problem("5x6", closed=True)
    for tour in tours:
        assert not defects(problem, [*map(parse_square, tour["tour"])])
        ran = kt_cp("unrank", "5x6", "--closed", tour["rank"], "--format", "names")
        assert ran.out == " ".join(tour["tour"]) + "\n"
    assert kt_cp("sample", "5x6", "--closed", "--number", "5", "--seed", "2", "--json").out == (
        "".join(json.dumps(each) + "\n" for each in [*tours, totals])
    )


def test_there_and_back(kt_cp, tmp_path):
    path = tmp_path / "tour.json"
    assert kt_cp("unrank", "3x4", "5", "-o", path).code == 0
    told = json.loads(path.read_text())
    assert (told["number"], told["tours"], told["method"]) == (5, 8, "enumerate")
    assert kt_cp("check", path).code == 0
    ran = kt_cp("rank", path)
    assert (ran.code, ran.out) == (0, "5\n")
    assert ran.err.startswith("3x4, open: number 5, from 0, of 8 tours, by enumerate; undirected")
    (document,) = documents(kt_cp("rank", path, "--json"))
    assert (document["number"], document["tours"]) == (5, 8)
    path.write_text(" ".join(reversed(told["tour"])))
    assert kt_cp("rank", path, "--board", "3x4").out == "5\n"
    assert kt_cp("rank", path, "--board", "3x4", "--start", told["tour"][-1]).out in ("0\n", "1\n")


def test_lines_that_sample_enumerate_and_unrank_write(kt_cp, tmp_path):
    path = tmp_path / "tours.json"
    sampled = kt_cp("sample", "5x6", "--closed", "--number", "4", "--seed", "2", "--json").out
    path.write_text(sampled)
    ranks = [line["rank"] for line in map(json.loads, sampled.splitlines()[:-1])]
    ran = kt_cp("rank", path)
    assert (ran.code, [*map(int, ran.out.split())]) == (0, ranks)
    assert ran.err.startswith("5x6, closed: numbers, from 0, of 8 tours, by enumerate; undirected")
    assert kt_cp("check", path).out == "4 tours (5x6, closed): 30 squares each\n"
    path.write_text(kt_cp("enumerate", "5x6", "--closed", "--json").out)
    assert sorted(line["number"] for line in documents(kt_cp("rank", path, "--json"))) == [
        *range(8)
    ]
    unranked = [kt_cp("unrank", board, "3", "--json").out for board in ("3x4", "5x5", "3x4")]
    path.write_text("\n".join(unranked))  # each line says its problem
    assert kt_cp("rank", path).out == "3\n" * 3
    path.write_text(sampled.splitlines()[0])  # none does
    assert kt_cp("rank", path, "--board", "5x6", "--closed").out == f"{ranks[0]}\n"
    assert kt_cp("check", path).out == "A tour (5x6, open): 30 squares, closed as well\n"
    graph, tours = tmp_path / "k4.edges", ("sample", tmp_path / "k4.edges", "--closed", "--json")
    graph.write_text("a b\na c\na d\nb c\nb d\nc d\n")
    path.write_text(kt_cp(*tours, "--number", "2").out)
    assert kt_cp("rank", path).out == kt_cp("rank", path, "--board", graph, "--closed").out
    assert kt_cp("check", path).out.startswith("2 tours (graph with 4 nodes and 6 edges, closed)")


@pytest.mark.parametrize(
    ("second", "code", "said"),
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
def test_lines_that_are_damaged(kt_cp, tmp_path, second, code, said):
    path = tmp_path / "tours.json"
    lines = kt_cp("sample", "5x6", "--closed", "--json").out.splitlines()
    lines[1:1] = [second if second == "}" else json.dumps(second)]
    path.write_text("\n".join(lines if second else lines[-1:]) + "\n")
    for command in ("check", "rank"):
        ran = kt_cp(command, path)
        assert ran.code == code and said in (ran.err if code == 2 else ran.out)


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
    ran = kt_cp("unrank", path, "2", "--closed")
    assert (ran.code, len(ran.out.split())) == (0, 4)
    tour.write_text(ran.out)
    assert kt_cp("rank", tour, "--board", path, "--closed").out == "2\n"


@pytest.mark.parametrize("words", [["sample", "3x3"], ["unrank", "3x3", "0"]], ids=str)
def test_none_is_a_definite_no(kt_cp, words):
    ran = kt_cp(*words)
    assert (ran.code, ran.out) == (1, "No tour (3x3, open): b2 has no moves at all.\n")
    (document,) = documents(kt_cp(*words, "--json"))
    assert document["tours"] == 0 and document["reason"] == "b2 has no moves at all"


def test_none_without_a_reason(kt_cp):
    ran = kt_cp("sample", "3x7", "--start", "d2")
    assert (ran.code, ran.out) == (1, "No tour (3x7, open, from d2): every way was tried.\n")


def test_what_is_no_tour_has_no_number(kt_cp, tmp_path):
    path = tmp_path / "tour.names"
    path.write_text("a1 b3 c1")
    ran = kt_cp("rank", path, "--board", "3x4")
    assert ran.code == 1 and ran.out.startswith("Not a tour (3x4, open): 1 defect\n  9 squares un")
    assert json.loads(kt_cp("rank", path, "--board", "3x4", "--json").out)["valid"] is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["unrank", "3x4", "8"], "expected a number from 0 to 7 of a tour, got 8"),
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
def test_bad_input(kt_cp, words, said):
    refused(kt_cp(*words), said)


def test_a_time_limit_leaves_it_unknown(kt_cp):
    ran = kt_cp("sample", "6x6", "--method", "enumerate", "--time-limit", "0.01")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "kt-cp: unknown: the time limit of 0.01 s was reached\n"


def test_ctrl_c_leaves_no_file(kt_cp, tmp_path, monkeypatch):
    def tour(self, number):
        raise KeyboardInterrupt

    monkeypatch.setattr(Numbering, "__getitem__", tour)
    ran = kt_cp("sample", "3x4", "--number", "3", "-o", tmp_path / "tours")
    assert (ran.code, ran.out, ran.err) == (130, "", "kt-cp: interrupted\n")
    assert [*tmp_path.iterdir()] == []


def test_a_reader_who_has_gone_ends_it(kt_cp, monkeypatch):
    drawn = []
    real = Numbering.__getitem__
    monkeypatch.setattr(Numbering, "__getitem__", lambda self, n: drawn.append(n) or real(self, n))
    monkeypatch.setattr(output.StandardOutput, "add", lambda self, text: len(drawn) < 3)
    ran = kt_cp("sample", "3x4", "--number", "1000")
    assert (ran.code, ran.err, len(drawn)) == (0, "", 3)


def test_a_full_disk(kt_cp):
    ran = kt_cp("sample", "3x4", "--number", "3", "-o", "/dev/full")
    assert ran.code == 2 and ran.err == "kt-cp: cannot write /dev/full: no space left on device\n"
