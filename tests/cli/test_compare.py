"""``kt-cp compare`` as a process: the destination of the table, and interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import networkx as nx
import pytest

from tests.support.command_line import (
    alive,
    busy,
    command_line,
    end,
    environment,
    refused,
    wait_until,
    workers,
)

SMALL = ("compare", "--boards", "3x3", "--engines", "backtrack", "--open")


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_the_table_goes_where_it_is_sent(kt_cp, tmp_path):
    result = kt_cp(*SMALL)
    assert result.code == 0
    assert "IMPOSSIBLE" in result.out
    assert result.err == "1 run, 1 answered, no disagreement\n"
    assert json.loads(kt_cp(*SMALL, "--json", "-o", "-").out)["runs"][0]["board"] == "3x3"
    assert kt_cp(*SMALL, "-o", tmp_path / "table.csv").out == ""
    assert (tmp_path / "table.csv").read_text().startswith("board,")
    assert kt_cp(*SMALL, "--format", "csv").out.startswith("board,")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.usefixtures("beside_none")
def test_the_table_is_as_wide_as_the_terminal(kt_cp, monkeypatch):
    lines = {}
    for columns, wide in (("60", []), ("200", []), ("60", ["--wide"])):
        monkeypatch.setenv("COLUMNS", columns)
        out = kt_cp(*SMALL, *wide).out
        lines[columns, *wide] = next(it for it in out.splitlines() if it.startswith("engine"))
    assert len(lines["60",]) <= 60 < len(lines["200",])
    assert lines["200",] == lines["60", "--wide"]
    refused(kt_cp(*SMALL, "--wide", "--json"), "--wide is for the table", "got json")
    refused(kt_cp(*SMALL, "-o", "t.svg"), "--output: expected a name that ends with", "got 't.svg'")


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_all_boards_get_the_same_question(kt_cp):
    options = ("--boards", "3x4,5x6", "--engines", "backtrack", "--missing", "c3", "--json")
    result = kt_cp("compare", *options, "--end", "a1")
    runs = json.loads(result.out)["runs"]
    questions = [
        [run[key] for key in ("board", "missing", "closed", "start", "end")] for run in runs
    ]
    assert questions == [[board, ["c3"], False, None, "a1"] for board in ("3x4", "5x6")]
    kinds = [run["closed"] for run in json.loads(kt_cp("compare", *options).out)["runs"]]
    assert kinds == [False, True, False, True]
    assert (
        kt_cp("compare", *options[:-1], "--start", "b1", "--open").out.count("open, from b1") == 2
    )
    refused(kt_cp("compare", *options, "--start", "z9"), "start to be on the 3x4 board, got z9")


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_a_picture_is_drawn_beside_the_table(kt_cp, tmp_path):
    path = tmp_path / "times.svg"
    result = kt_cp(*SMALL, "--plot", path)
    assert result.code == 0 and "IMPOSSIBLE" in result.out
    assert ">backtrack</text>" in path.read_text("utf-8")
    for name in ("times.gif", "times", "svg"):
        expected = "--plot: expected a name that ends with .svg, .png or .pdf, got '"
        refused(kt_cp(*SMALL, "--plot", tmp_path / name), expected)
    refused(kt_cp(*SMALL, "--plot", "-"), "--plot: expected the name of a file, got '-'")
    refused(kt_cp(*SMALL, "-o", tmp_path / "a.svg", "--plot", tmp_path / "a.svg"), "the same file")
    assert list(tmp_path.iterdir()) == [path]
    for name, begin in (("times.PNG", b"\x89PNG"), ("times.pdf", b"%PDF")):
        assert kt_cp(*SMALL, "--plot", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().startswith(begin)


@pytest.mark.clock
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code", "stderr"),
    [
        (signal.SIGINT, 130, b"kt-cp: interrupted\n"),
        pytest.param(signal.SIGTERM, 143, b"", marks=pytest.mark.slow),
    ],
    ids=["Ctrl-C", "terminated"],
)
def test_interrupts_end_every_run(tmp_path, number, code, stderr):
    arguments = ("--boards", "30x30,20x20", "--engines", "sat:position", "--jobs", 2, "--closed")
    files = ("-o", tmp_path / "table.json", "--plot", tmp_path / "times.svg")
    with subprocess.Popen(
        command_line("compare", *arguments, "--time-limit", 60, *files),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as running:
        wait_until(lambda: len(workers(running.pid)) == 2)
        children = workers(running.pid)
        wait_until(lambda: all(busy(child, 0.3) for child in children))
        assert end(running, number) == (code, b"", stderr)
    assert not any(alive(child) for child in children)
    assert list(tmp_path.iterdir()) == []


def test_an_engine_that_is_named_twice_runs_once(kt_cp) -> None:
    result = kt_cp("compare", "3x3", "--open", "--engines", "reference,reference", "--json")
    assert result.code == 0 and len(json.loads(result.out)["runs"]) == 1


def test_a_blank_in_a_list_of_engines_is_explained(kt_cp) -> None:
    result = kt_cp("compare", "3x3", "--engines", "cpsat,", "reference")
    assert result.code == 2
    assert (
        "--engines: expected names separated by commas, without blanks or in quotes" in result.err
    )


@pytest.mark.usefixtures("beside_none")
def test_folders_of_graphs_are_summed_up_by_family(kt_cp, tmp_path):
    (tmp_path / "stars").mkdir()
    nx.write_edgelist(nx.star_graph(3), tmp_path / "stars" / "s.edges", data=False)
    for size in (6, 8):
        nx.write_graph6(nx.cycle_graph(size), tmp_path / f"ring-{size}.g6")
    (tmp_path / "notes.txt").write_text("no graph")
    result = kt_cp("compare", tmp_path, "--closed", "--engines", "warnsdorff,backtrack")
    assert result.code == 0
    rows = [line.split() for line in result.out.split("family")[1].splitlines()[1:]]
    assert [row[:4] for row in rows] == [
        ["ring", "backtrack", "2", "2"],
        ["ring", "warnsdorff", "2", "2"],
        ["stars", "backtrack", "1", "1"],
        ["stars", "warnsdorff", "1", "0"],
    ]
    assert rows[-1][4:] == ["none", "none"]
    (tmp_path / "stars" / "s.edges").unlink()
    refused(kt_cp("compare", tmp_path / "stars"), "the folder has no files of graphs")
