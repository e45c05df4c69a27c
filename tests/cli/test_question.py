"""Pieces, surfaces, required and forbidden moves: the same options in every command."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kt_cp.cli.problem_options import OPTIONS
from kt_cp.model.board import square_name
from kt_cp.model.piece import NAMED
from kt_cp.testing.problems import SURFACES, moves, question
from tests.support.command_line import refused
from tests.support.exhaustive import crossed

COMMANDS = {
    "solve": ("solve", "4x5"),
    "prove": ("prove", "4x5"),
    "enumerate": ("enumerate", "4x5", "--count"),
    "export": ("export", "4x5"),
    "encodings": ("encodings", "4x5"),
    "locate": ("locate", "4x5", "--step", "1"),
    "trace": ("trace", "4x5"),
    "check": ("check", "tour.txt", "--board", "4x5"),
    "compare": ("compare", "--boards", "4x5", "--engines", "sat", "--open"),
}
PIECES = "expected a piece, one of knight, camel, zebra, giraffe, antelope, wazir, ferz, dabbaba"
WRONG = [
    ("--piece x", f"--piece: {PIECES}, alfil, king, or steps such as 1,4 or 0,1+1,1; got 'x'"),
    ("--piece 0,0", "got 0,0, which leads nowhere"),
    ("--piece 1,2+", "got '1,2+'"),
    ("--piece 1,-2", "got '1,-2'"),
    ("--piece 1,2,3", "got '1,2,3'"),
    ("--piece a,b", "got 'a,b'"),
    ("--piece=", "got ''"),
    ("--surface ball", "expected a surface, one of plane, cylinder, torus, moebius, klein;"),
    ("--surface=", "got ''"),
    ("--require a1-b1", "expected required moves to be a knight's moves, got a1-b1"),
    ("--require a1-b3 --piece camel", "expected required moves to be a camel's moves, got a1-b3"),
    ("--forbid a1-e2", "expected forbidden moves to be a knight's moves, got a1-e2"),
    ("--require a1-a1", "expected a required move between two squares, got a1 twice"),
    ("--require a1-b9", "expected required moves to be on the 4x5 board, got b9"),
    ("--missing b3 --require a1-b3", "a square that is not missing, got b3"),
    ("--require c3-d1,c3-e2,c3-e4", "at most two required moves at a square, got 3 at c3"),
    ("--require a1-b3 --forbid 3,2-1,1", "expected a1-b3 to be required or forbidden, got both"),
    ("--require a1", "--require: expected moves such as a1-c2,b1-d2; got 'a1'"),
    ("--require a1-b3-c1", "got 'a1-b3-c1'"),
    ("--forbid a1-", "--forbid: expected moves such as a1-c2,b1-d2; got 'a1-'"),
    ("--forbid 1-2,2-3", "--forbid: expected moves"),
    ("--forbid a1-c2,x", "got 'a1-c2,x'"),
]  # fmt: skip


@pytest.fixture
def asked(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tour.txt").write_text("a1 b3")
    return lambda command, line: kt_cp(*COMMANDS[command], *line.split())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("line", "said"), WRONG, ids=lambda value: value[:30])
def test_what_makes_no_sense_is_bad_input_everywhere(asked, command, line, said):
    refused(asked(command, line), said)


def test_every_command_has_all_options(kt_cp):
    names = [f"--{name.replace('_', '-')}" for name in OPTIONS if name != "board"]
    for command in COMMANDS:
        said = kt_cp(command, "--help").out
        assert all(name in said for name in names), command
    assert "--piece" not in kt_cp("reference", "--help").out


@pytest.mark.slow
@pytest.mark.parametrize(("piece", "surface"), crossed([*NAMED, "1,5", "1,2+0,1"], SURFACES))
def test_a_tour_is_found_and_checked(kt_cp, tmp_path, piece, surface):
    path = tmp_path / "tour.json"
    ran = kt_cp("solve", "4x6", "--piece", piece, "--surface", surface, "--json", "-o", path)
    document = json.loads(path.read_text())
    leaps = [list(leap) for leap in NAMED.get(piece, [])]
    leaps = leaps or [list(map(int, leap.split(","))) for leap in piece.split("+")]
    assert sorted(document["problem"]["piece"]) == sorted(leaps)
    assert document["problem"]["surface"] == surface
    steps = "+".join(",".join(map(str, leap)) for leap in leaps)
    graph = moves(4, 6, (), steps, surface)
    if ran.code == 1:
        assert not graph.number_of_edges() or kt_cp("check", path).code == 2
        assert kt_cp("prove", "4x6", "--piece", piece, "--surface", surface).code == 0
        return
    assert ran.code == 0 and kt_cp("check", path).out.startswith("A tour (4x6")
    named = {square_name(square): square for square in graph}
    walk = [named[name] for name in document["tour"]]
    assert len(set(walk)) == 24 and all(map(graph.has_edge, walk, walk[1:]))
    # Asked about something else, the same squares are no tour.
    other = kt_cp("check", path, "--piece", "dabbaba" if piece != "dabbaba" else "wazir")
    assert other.code == 1 and "illegal move" in other.out


def line_of(asked):
    """A random question as words of the command line, its moves said in several ways."""
    name = square_name
    words = [f"{asked.rows}x{asked.columns}", "--piece", asked.piece, "--surface", asked.surface]
    words += ["--closed"] if asked.closed else []
    words += ["--missing", ",".join(map(name, asked.missing))] if asked.missing else []
    for which, square in (("--start", asked.start), ("--end", asked.end)):
        words += [which, name(square)] if square else []
    if asked.require:
        words += ["--require", ",".join(f"{name(u)}-{name(v)}" for u, v in asked.require)]
    for (row, column), (other, beside) in asked.forbid:
        words += ["--forbid", f"{other + 1},{beside + 1}-{row + 1},{column + 1}"]
    return words


@pytest.mark.parametrize("seed", range(40))
def test_random_questions(kt_cp, tmp_path, seed):
    asked, path = question(seed, most=10), tmp_path / "answer.json"
    words, tours = line_of(asked), set(asked.tours())
    ran = kt_cp("solve", *words, "--json", "-o", path, "--certificate", tmp_path / "no.json")
    assert ran.code == (0 if tours else 1), ran.err
    document = json.loads(path.read_text())
    names = [[square_name(u), square_name(v)] for u, v in asked.require]
    assert sorted(map(sorted, document["problem"]["require"])) == sorted(map(sorted, names))
    if tours:
        assert kt_cp("check", path).code == 0
        bare = tmp_path / "names"
        bare.write_text(" ".join(document["tour"]))
        said = ["--board", *words]
        assert kt_cp("check", bare, *said).code == 0
        made = "-".join([*document["problem"]["require"], document["tour"][:2]][0])
        ran = kt_cp(
            "check", bare, "--board", *line_of(replace(asked, require=())), "--forbid", made
        )
        assert ran.code == 1 and "forbidden move" in ran.out
    elif (tmp_path / "no.json").exists():
        assert kt_cp("check", tmp_path / "no.json", "--board", *words).code == 0
        words[words.index("--piece") + 1] = "7,8"
        ran = kt_cp("check", tmp_path / "no.json", "--board", *words)
        if ran.code == 2:  # the moves of the question are none of this piece
            refused(ran, "moves to be a (7,8)-leaper's moves")
        else:
            assert ran.code == 1 and "about another question: expected (7,8)-leaper" in ran.out


def test_what_cannot_be_satisfied_is_a_no_with_a_reason(kt_cp):
    for line, why in (
        ("5x6 --closed --forbid a1-c2", "a1 has at most one"),
        ("4x4 --piece king --closed --require a1-b1,b1-b2,b2-a1", "a1"),
        ("6x6 --piece camel", "the board falls into 2 pieces"),
        ("1x5 --piece zebra --surface cylinder", ""),
    ):
        ran = kt_cp("solve", *line.split())
        assert ran.code == 1 and ran.out.startswith(f"No tour ({line[:3]}"), ran
        assert why in ran.out
        assert kt_cp("prove", *line.split()).code == 0


def test_a_certificate_is_about_its_question(kt_cp, tmp_path):
    path = tmp_path / "no.json"
    assert kt_cp("prove", "6x6", "--closed", "--forbid", "a1-b3", "-o", path).code == 0
    for line, code in (
        ("", 0),
        ("--board 6x6 --closed --piece knight --surface plane --forbid b3-a1", 0),
        ("--closed --forbid b3-a1", 0),
        ("--forbid b3-a1", 1),
        ("--board 6x6 --closed", 1),
        ("--forbid a1-c2", 1),
        ("--forbid a1-b3,a1-c2", 1),
        ("--require a1-c2", 1),
        ("--piece zebra", 1),
        ("--surface torus", 1),
        ("--forbid a1-b1", 1),  # no move of its knight
    ):
        ran = kt_cp("check", path, *line.split())
        assert ran.code == code, line
        said = "is about another question: expected" if code else "A proof (6x6"
        assert said in ran.out and ran.out.count("\n") == 1


def test_an_array_and_a_grid_hold_the_board_alone(kt_cp, tmp_path):
    options = ("--surface", "torus", "--piece", "zebra", "--closed")
    for name in ("tour.npy", "tour.txt", "tour.csv", "tour.names"):
        path = tmp_path / name
        assert kt_cp("solve", "7x8", *options, "--require", "a1-c4", "-o", path).code == 0
        asked = ("check", path, "--board", "7x8", *options)
        assert kt_cp(*asked, "--require", "c4-a1").out.startswith("A tour (7x8 torus, zebra")
        ran = kt_cp(*asked, "--forbid", "c4-a1")
        assert ran.code == 1 and "a1-c4" in ran.out
        assert kt_cp("check", path).code == 1


def test_locate_takes_what_an_engine_answers(kt_cp):
    asked = ("locate", "5x6", "--closed", "--surface", "torus", "--require", "a1-b3")
    first = json.loads(kt_cp(*asked, "--square", "a1", "--json").out)
    second = json.loads(kt_cp(*asked, "--square", "b3", "--json").out)
    assert (first["step"] - second["step"]) % 30 in (1, 29)
    large = ("locate", "1000000x1000000", "--step", "5")
    refused(kt_cp(*large, "--require", "a1-b3"), "no required moves on a board of more than")
    refused(kt_cp(*large, "--forbid", "a1-b3", "--start", "a1"), "expected no forbidden moves on")
    ran = kt_cp(*large, "--surface", "torus")
    assert ran.code == 3 and "whole plane rectangles" in ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_a_comparison_says_what_it_asked(kt_cp):
    asked = ("compare", "--boards", "4x5,5x5", "--engines", "sat,construct", "--piece", "king")
    asked += ("--surface", "klein", "--closed", "--forbid", "a1-b2,b2-c3")
    runs = json.loads(kt_cp(*asked, "--json").out)["runs"]
    assert [run["verdict"] for run in runs] == ["FOUND", "REFUSED"] * 2
    for run in runs:
        assert (run["piece"], run["surface"]) == ([[0, 1], [1, 1]], "klein")
        assert run["forbid"] == [["a1", "b2"], ["b2", "c3"]]
    row = kt_cp(*asked, "--format", "csv").out.splitlines()[1]
    assert row.startswith("4x5,,0-1 1-1,klein,True,,,,a1-b2 b2-c3,,,sat,0,FOUND,")
    assert "king, closed, without a1-b2, without b2-c3" in kt_cp(*asked).out


def test_graph6_takes_forbidden_moves_as_removed_edges(kt_cp):
    import networkx as nx

    ran = kt_cp("export", "4x5", "--format", "graph6", "--surface", "torus", "--forbid", "a1-b3")
    read = nx.from_graph6_bytes(ran.out.strip().encode())
    graph = moves(4, 5, (), "1,2", "torus")
    graph.remove_edge((0, 0), (2, 1))
    number = {square: vertex for vertex, square in enumerate(graph)}
    assert nx.utils.edges_equal(read.edges, nx.relabel_nodes(graph, number).edges)
    for line in ("--require a1-b3", "--start a1 --require a1-b3", "--end a1"):
        words = ["export", "4x5", "--format", "graph6", *line.split()]
        refused(kt_cp(*words), "graph6 holds the graph alone: expected no ")
