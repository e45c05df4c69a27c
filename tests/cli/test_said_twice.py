"""What is said twice, and names of files that promise what is not written."""

from __future__ import annotations

import json

import pytest

from tests.support.command_line import refused


def test_lists_add_up(kt_cp):
    apart = kt_cp("prove", "5x5", "--closed", "--missing", "c3", "--missing", "d3,e1", "--json")
    at_once = kt_cp("prove", "5x5", "--closed", "--missing", "c3,d3,e1", "--json")
    asked = json.loads(apart.out)["problem"]
    assert asked == json.loads(at_once.out)["problem"]
    assert sorted(asked["missing"]) == ["c3", "d3", "e1"]


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_boards_and_engines_of_a_comparison_add_up(kt_cp):
    ran = kt_cp(
        "compare", "--boards", "3x3", "--boards", "2x2,3x4", "--open", "--json",
        "--engines", "backtrack", "--engines", "reference",
    )  # fmt: skip
    rows = json.loads(ran.out)["runs"]
    boards = [(row["board"], row["engine"]) for row in rows]
    assert boards == [(b, e) for b in ("3x3", "2x2", "3x4") for e in ("backtrack", "reference")]


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("solve 5x5 --seed 1 --seed 2", "--seed"),
        ("solve 5x5 --closed --open", "--closed"),
        ("prove 5x5 --start a1 --end b1 --start a3", "--start"),
        ("compare --boards 3x3 --repeat 2 --repeat 3", "--repeat"),
        ("export 5x5 -o a.cnf --output b.cnf", "--output"),
        ("enumerate 3x4 --piece king --count --piece knight", "--piece"),
        ("check a.json --json --json", "--json"),
    ],
)
def test_what_would_be_heard_once_is_not_taken_twice(kt_cp, line, option):
    ran = kt_cp(*line.split())
    refused(ran, f"expected {option} once, got it 2 times")


@pytest.mark.parametrize(
    ("line", "name", "known"),
    [
        ("solve 5x5", "t.gif", ".csv, .svg, .png, .pdf, .npy or .txt"),
        ("solve 5x5", "t.foo", ".csv, .svg, .png, .pdf, .npy or .txt"),
        ("enumerate 3x4", "t.svg", ".names, .json, .jsonl or .txt"),
        ("export 3x4", "f.lp", ".cnf, .dimacs"),
        ("export 3x4", "f.mzn", ".g6, .d6, .hcp or .tsp"),
        ("prove 3x3", "p.npy", ".json, .jsonl, .svg, .png, .pdf or .txt"),
        ("trace 5x5", "x.gif", ".json, .jsonl, .svg, .png, .pdf or .txt"),
    ],
)
def test_a_name_promises_what_is_written(kt_cp, tmp_path, line, name, known):
    ran = kt_cp(*line.split(), "-o", tmp_path / name)
    refused(ran, known, f"got '{name}'")
    assert list(tmp_path.iterdir()) == []


def test_with_a_format_any_name_will_do(kt_cp, tmp_path):
    for name, said in (("a.dat", ["--format", "csv"]), ("b.txt", []), ("c", [])):
        ran = kt_cp("solve", "3x4", "-o", tmp_path / name, *said)
        assert ran.code == 0
        assert (tmp_path / name).read_text().startswith("step," if said else "3 │")
