"""Problems on the command line: boards, drawings, puzzles, graph files, conditions."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import pytest

from kt_cp import Board, Problem, make_puzzle
from kt_cp.cli import tour_output
from kt_cp.cli.problem_options import OPTIONS, GraphParser, ProblemOptions
from kt_cp.formats.read import read_tours
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.piece import NAMED
from kt_cp.model.problem import changed
from kt_cp.testing.problems import SURFACES, moves, question
from tests.examples.graph_files import WRITERS
from tests.formats.test_drawing import HOLY
from tests.support.command_line import refused
from tests.support.exhaustive import crossed

PUZZLE = ". . 8\n. . .\n. . .\n1 . .\n"
"""4x3, with one tour."""


@pytest.fixture
def puzzle(tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(PUZZLE)
    return str(file)


def test_given_steps_are_in_the_problem(kt_cp) -> None:
    ended = kt_cp(
        "solve", "5x6", "--closed", "--given", "e4=17,c3=2", "--given", "1,1=1;", "--engine",
        "windows", "--json",
    )  # fmt: skip
    document = json.loads(ended.out)
    assert ended.code in (0, 1) and document["problem"]["given"] == [
        ["a1", 1],
        ["c3", 2],
        ["e4", 17],
    ]


def test_a_drawing_is_a_board(kt_cp, puzzle, monkeypatch) -> None:
    ended = kt_cp("solve", puzzle, "--engine", "windows")
    assert ended.code == 0
    assert ended.out.splitlines()[0].split() == ["4", "│", "10", "5", "8"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PUZZLE.encode())))
    assert kt_cp("solve", "-", "--engine", "windows").out == ended.out


def test_options_add_to_a_drawing(kt_cp, tmp_path) -> None:
    file = tmp_path / "holy.txt"
    file.write_text(HOLY)
    ended = kt_cp("solve", file, "--missing", "d8", "--engine", "windows", "--json")
    problem = json.loads(ended.out)["problem"]
    assert ended.code in (0, 1) and "d8" in problem["missing"] and problem["given"] == [["a3", 1]]


def test_every_tour_of_a_drawing(kt_cp, puzzle) -> None:
    ended = kt_cp("enumerate", puzzle, "--count", "--json")
    assert (ended.code, json.loads(ended.out)["tours"]) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("8x8", "--given", "e4=17,c3"), "--given: expected steps such as e4=17,c3=2"),
        (("8x8", "--given", "e4=0"), "expected steps from 1 to 64, got 0 at e4"),
        (("8x8", "--given", "e4=65"), "expected steps from 1 to 64, got 65 at e4"),
        (("8x8", "--given", "e4=" + "9" * 30), "expected steps from 1 to 64"),
        (("8x8", "--given", "z9=1"), "given steps to be on the 8x8 board, got z9"),
        (("8x8", "--given", "e4=1,e4=2"), "expected one step for e4, got 1 and 2"),
        (("8x8", "--given", "e4=1,a1=1"), "expected one square at step 1, got e4 and a1"),
        (("8x8", "--given", "e4=one"), "expected steps such as"),
        (("8x8", "--symmetry", "spin"), "expected a symmetry, one of half-turn"),
        (("nowhere.txt",), "cannot read nowhere.txt: no such file or directory"),
        (("nowhere",), "or a file with a drawn one; got 'nowhere', and there is no such file"),
        ((".",), "cannot read"),
    ],
)
def test_what_makes_no_sense_is_one_line(kt_cp, arguments, message) -> None:
    ended = kt_cp("solve", *arguments, "--engine", "windows")
    assert ended.code == 2 and message in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(("text", "message"), [
    ("1 2\n1 .", "step 1"),
    ("1 2 9\n. . .", "got 9 at c2"),
    ("1 70 .\n. . .\n. . .", "expected steps from 1 to 9, got 70 at b3"),  # no squares 7 and 0
    ("1 -5 .\n. . .\n. . .", "got '-5'"),
    ("1 ?\n. .", "got '?'"),
])  # fmt: skip
def test_a_drawing_that_makes_no_sense_is_one_line(kt_cp, tmp_path, text, message) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    ended = kt_cp("solve", file, "--engine", "windows")
    assert ended.code == 2 and len(ended.err.splitlines()) == 1
    assert message in ended.err


@pytest.fixture
def as_json(tmp_path):
    file = tmp_path / "puzzle.json"
    file.write_text(make_puzzle("5x5", seed=1).to_json())
    return file


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("solve {} --engine windows --json", 0, "FOUND"),
        ("enumerate {} --count", 0, "1 tour (5x5, open, "),
        ("prove {}", 1, "there is a tour"),
        ("check {}", 0, "A valid tour (5x5, open, "),
        ("check {} --board {}", 0, "A valid tour (5x5, open, "),
        ("export {} --encoding position", 0, "p cnf "),
        ("count {}", 0, "1 tour (5x5, open, "),
        pytest.param("compare {} --engines windows --json", 0, "FOUND", marks=pytest.mark.slow),
        ("puzzle {} --seed 2 --clues 25 --json", 0, '"given"'),
    ],
)
def test_the_problem_of_a_puzzle_is_read(kt_cp, as_json, command, code, message) -> None:
    ended = kt_cp(*(each.format(as_json) for each in command.split()))
    assert ended.code == code and message in ended.out + ended.err
    given = json.loads(as_json.read_text())["problem"]["given"]
    if "--json" in command and "compare" not in command:
        steps = json.loads(ended.out)["problem"]["given"]
        assert {tuple(each) for each in given} <= {tuple(each) for each in steps}


def test_options_change_the_problem_of_a_puzzle(tmp_path) -> None:
    file = tmp_path / "puzzle.json"
    problem = Problem(Board(5, 6, surface="cylinder"), start="a1", end="f1", require=["a1-b3"])
    file.write_text(json.dumps({"problem": problem_document(problem), "tour": None}))

    def problem_with(**options):
        return ProblemOptions(str(file), **options).problem()

    assert problem_with() == problem
    more = changed(problem, end="e1", require=["a1-b3", "e1-d3"])
    assert problem_with(require=["e1-d3"], end="e1") == more
    closed = changed(problem, closed=True, end=None, given={"c3": 9})
    assert problem_with(given=["c3=9"], closed=True) == closed
    assert problem_with(surface="plane", missing=["c5"]).board == Board(5, 6, {(4, 2)})
    assert (
        ProblemOptions(str(file)).problem(start="b1", closed=True) == problem
    )  # nothing is as usual
    assert (
        ProblemOptions(str(file)).stated_for(closed)
        == problem
        == ProblemOptions(str(file)).modify(closed)
    )


def test_the_problem_of_a_graph_is_read(kt_cp, tmp_path) -> None:
    file = tmp_path / "petersen.json"
    file.write_text(make_puzzle(nx.relabel_nodes(nx.petersen_graph(), str), seed=3).to_json())
    ended = kt_cp("enumerate", file, "--count", "--json")
    assert (ended.code, json.loads(ended.out)["tours"]) == (0, 1)
    assert kt_cp("solve", file, "--start", "11", "--engine", "windows").code == 2
    tour = tmp_path / "tour.txt"
    tour.write_text(" ".join(json.loads(file.read_text())["tour"]))
    assert kt_cp("check", tour, "--board", file).code == 0
    refused = kt_cp("puzzle", file)
    assert refused.code == 2 and "expected a board, got a graph in" in refused.err


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (('"rows": 5', '"rows": "five"'), "the problem makes no sense: expected"),
        (('"rows": 5, ', ""), "the problem makes no sense: expected the key 'rows'"),
        (('"rows": 5', '"rows": 0'), "the problem makes no sense"),
        (('"rows": 5', '"rows": 2'), "the problem makes no sense"),
        (('"given": [[', '"given": [["a1", 26], ['), "expected steps from 1 to 25, got 26 at a1"),
        (('"given": [[', '"given": [["z9", 1], ['), "the problem makes no sense"),
        (('"given"', '"numbers"'), "the key 'numbers' plays no part"),
        (('"surface"', '"surface'), "not valid JSON"),
        (('"problem": {', '"problem": [{'), "not valid JSON"),
        (("}\n", "}\n{}"), "one outcome, puzzle or list, got another"),
    ],
)
def test_a_puzzle_that_makes_no_sense_is_one_line(kt_cp, as_json, spoilt, message) -> None:
    text = as_json.read_text() + "\n"
    as_json.write_text(text.replace(*spoilt, 1))
    ended = kt_cp("solve", as_json, "--engine", "windows")
    assert ended.code == 2 and message in ended.err and "puzzle.json: " in ended.err
    assert len(ended.err.splitlines()) == 1


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
def run_line(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tour.txt").write_text("a1 b3")
    return lambda command, line: kt_cp(*COMMANDS[command], *line.split())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("line", "message"), WRONG, ids=lambda value: value[:30])
def test_what_makes_no_sense_is_bad_input_everywhere(run_line, command, line, message):
    refused(run_line(command, line), message)


def test_every_command_has_all_options(kt_cp):
    names = [f"--{name.replace('_', '-')}" for name in OPTIONS if name != "board"]
    for command in COMMANDS:
        help_text = kt_cp(command, "--help").out
        assert all(name in help_text for name in names), command
    assert "--piece" not in kt_cp("reference", "--help").out


@pytest.mark.slow
@pytest.mark.parametrize(("piece", "surface"), crossed([*NAMED, "1,5", "1,2+0,1"], SURFACES))
def test_a_tour_is_found_and_checked(kt_cp, tmp_path, piece, surface):
    path = tmp_path / "tour.json"
    result = kt_cp("solve", "4x6", "--piece", piece, "--surface", surface, "--json", "-o", path)
    document = json.loads(path.read_text())
    leaps = [list(leap) for leap in NAMED.get(piece, [])]
    leaps = leaps or [list(map(int, leap.split(","))) for leap in piece.split("+")]
    assert sorted(document["problem"]["piece"]) == sorted(leaps)
    assert document["problem"]["surface"] == surface
    steps = "+".join(",".join(map(str, leap)) for leap in leaps)
    graph = moves(4, 6, (), steps, surface)
    if result.code == 1:
        assert not graph.number_of_edges() or kt_cp("check", path).code == 2
        assert kt_cp("prove", "4x6", "--piece", piece, "--surface", surface).code == 0
        return
    assert result.code == 0 and kt_cp("check", path).out.startswith("A valid tour (4x6")
    squares = {square_name(square): square for square in graph}
    walk = [squares[name] for name in document["tour"]]
    assert len(set(walk)) == 24 and all(map(graph.has_edge, walk, walk[1:]))
    # With another piece, the same squares are no tour.
    other = kt_cp("check", path, "--piece", "dabbaba" if piece != "dabbaba" else "wazir")
    assert other.code == 1 and "illegal move" in other.out


def line_of(query):
    """Return the arguments for a random question, with moves in several notations."""
    name = square_name
    words = [f"{query.rows}x{query.columns}", "--piece", query.piece, "--surface", query.surface]
    words += ["--closed"] if query.closed else []
    words += ["--missing", ",".join(map(name, query.missing))] if query.missing else []
    for which, square in (("--start", query.start), ("--end", query.end)):
        words += [which, name(square)] if square else []
    if query.require:
        words += ["--require", ",".join(f"{name(u)}-{name(v)}" for u, v in query.require)]
    for (row, column), (other, beside) in query.forbid:
        words += ["--forbid", f"{other + 1},{beside + 1}-{row + 1},{column + 1}"]
    return words


@pytest.mark.parametrize("seed", range(40))
def test_random_questions(kt_cp, tmp_path, seed):
    query, path = question(seed, most=10), tmp_path / "answer.json"
    words, tours = line_of(query), set(query.tours())
    result = kt_cp("solve", *words, "--json", "-o", path, "--certificate", tmp_path / "no.json")
    assert result.code == (0 if tours else 1), result.err
    document = json.loads(path.read_text())
    names = [[square_name(u), square_name(v)] for u, v in query.require]
    assert sorted(map(sorted, document["problem"]["require"])) == sorted(map(sorted, names))
    if tours:
        assert kt_cp("check", path).code == 0
        bare = tmp_path / "names"
        bare.write_text(" ".join(document["tour"]))
        options = ["--board", *words]
        assert kt_cp("check", bare, *options).code == 0
        made = "-".join([*document["problem"]["require"], document["tour"][:2]][0])
        result = kt_cp(
            "check", bare, "--board", *line_of(replace(query, require=())), "--forbid", made
        )
        assert result.code == 1 and "forbidden move" in result.out
    elif (tmp_path / "no.json").exists():
        assert kt_cp("check", tmp_path / "no.json", "--board", *words).code == 0
        words[words.index("--piece") + 1] = "7,8"
        result = kt_cp("check", tmp_path / "no.json", "--board", *words)
        if result.code == 2:  # moves of the question that this piece does not have
            refused(result, "moves to be a (7,8)-leaper's moves")
        else:
            assert (
                result.code == 1 and "about another question: expected (7,8)-leaper" in result.out
            )


def test_what_cannot_be_satisfied_is_a_no_with_a_reason(kt_cp):
    for line, why in (
        ("5x6 --closed --forbid a1-c2", "a1 has at most one"),
        ("4x4 --piece king --closed --require a1-b1,b1-b2,b2-a1", "a1"),
        ("6x6 --piece camel", "the board falls into 2 pieces"),
        ("1x5 --piece zebra --surface cylinder", ""),
    ):
        result = kt_cp("solve", *line.split())
        assert result.code == 1 and result.out.startswith(f"No tour ({line[:3]}"), result
        assert why in result.out
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
        ("--forbid a1-b1", 1),  # not a knight's move
    ):
        result = kt_cp("check", path, *line.split())
        assert result.code == code, line
        message = "is about another question: expected" if code else "A valid proof (6x6"
        assert message in result.out and result.out.count("\n") == 1


def test_an_array_and_a_grid_hold_the_board_alone(kt_cp, tmp_path):
    options = ("--surface", "torus", "--piece", "zebra", "--closed")
    for name in ("tour.npy", "tour.txt", "tour.csv", "tour.names"):
        path = tmp_path / name
        assert kt_cp("solve", "7x8", *options, "--require", "a1-c4", "-o", path).code == 0
        arguments = ("check", path, "--board", "7x8", *options)
        assert kt_cp(*arguments, "--require", "c4-a1").out.startswith(
            "A valid tour (7x8 torus, zebra"
        )
        result = kt_cp(*arguments, "--forbid", "c4-a1")
        assert result.code == 1 and "a1-c4" in result.out
        assert kt_cp("check", path).code == 1


def test_locate_takes_what_an_engine_answers(kt_cp):
    arguments = ("locate", "5x6", "--closed", "--surface", "torus", "--require", "a1-b3")
    first = json.loads(kt_cp(*arguments, "--square", "a1", "--json").out)
    second = json.loads(kt_cp(*arguments, "--square", "b3", "--json").out)
    assert (first["step"] - second["step"]) % 30 in (1, 29)
    large = ("locate", "1000000x1000000", "--step", "5")
    refused(kt_cp(*large, "--require", "a1-b3"), "no required moves on a board of more than")
    refused(kt_cp(*large, "--forbid", "a1-b3", "--start", "a1"), "expected no forbidden moves on")
    result = kt_cp(*large, "--surface", "torus")
    assert result.code == 3 and "of a whole rectangle" in result.err


@pytest.mark.slow
@pytest.mark.usefixtures("beside_none")
def test_a_comparison_says_what_it_asked(kt_cp):
    arguments = ("compare", "--boards", "4x5,5x5", "--engines", "sat,construct", "--piece", "king")
    arguments += ("--surface", "klein", "--closed", "--forbid", "a1-b2,b2-c3")
    runs = json.loads(kt_cp(*arguments, "--json").out)["runs"]
    assert [run["verdict"] for run in runs] == ["FOUND", "REFUSED"] * 2
    for run in runs:
        assert (run["piece"], run["surface"]) == ([[0, 1], [1, 1]], "klein")
        assert run["forbid"] == [["a1", "b2"], ["b2", "c3"]]
    row = kt_cp(*arguments, "--format", "csv").out.splitlines()[1]
    assert row.startswith("4x5,,0-1 1-1,klein,True,,,,a1-b2 b2-c3,,,sat,0,FOUND,")
    assert "king, closed, without a1-b2, without b2-c3" in kt_cp(*arguments).out


def test_graph6_takes_forbidden_moves_as_removed_edges(kt_cp):
    import networkx as nx

    result = kt_cp("export", "4x5", "--format", "graph6", "--surface", "torus", "--forbid", "a1-b3")
    read = nx.from_graph6_bytes(result.out.strip().encode())
    graph = moves(4, 5, (), "1,2", "torus")
    graph.remove_edge((0, 0), (2, 1))
    number = {square: vertex for vertex, square in enumerate(graph)}
    assert nx.utils.edges_equal(read.edges, nx.relabel_nodes(graph, number).edges)
    for line in ("--require a1-b3", "--start a1 --require a1-b3", "--end a1"):
        words = ["export", "4x5", "--format", "graph6", *line.split()]
        refused(kt_cp(*words), "graph6 holds the graph alone: expected no ")


CUBE = nx.hypercube_graph(3)
PETERSEN = nx.petersen_graph()
LETTERS = nx.relabel_nodes(nx.cycle_graph(5), dict(enumerate(["x", "y", "y-1", "z", "x-y"])))


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a graph to a file in the folder where commands run."""
    monkeypatch.chdir(tmp_path)

    def into(graph, name):
        graph = graph if name.endswith("edges") else nx.convert_node_labels_to_integers(graph)
        (tmp_path / name).write_bytes(WRITERS[name.rpartition(".")[2]](graph))
        return name

    return into


@pytest.fixture
def typed(monkeypatch):
    """Replace the content of stdin."""

    def give(data):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    return give


@pytest.mark.parametrize("name", ["cube.hcp", "cube.g6", "cube.graphml"])
def test_solve_and_check(kt_cp, write, name):
    write(CUBE, name)
    result = kt_cp("solve", name, "--closed", "--json", "-o", "tour.json")
    assert result.code == 0 and f"{name} with 8 nodes and 12 edges, closed: FOUND" in result.err
    result = kt_cp("check", "tour.json")
    assert (result.code, result.out) == (
        0,
        "A valid tour (graph with 8 nodes and 12 edges, closed): 8 nodes\n",
    )
    assert kt_cp("check", "tour.json", "--board", name).code == 0
    for ending in ("names", "csv"):
        assert kt_cp("solve", name, "-o", f"tour.{ending}").code == 0
        assert kt_cp("check", f"tour.{ending}", "--board", name).code == 0
    write(PETERSEN, "other.g6")
    result = kt_cp("check", "tour.json", "--board", "other.g6")
    assert result.code == 1 and "Not a tour (other.g6 with 10 nodes" in result.out


ODD = ["New York", "東京", 'a "b"', ",c", "{d", "", "5'"]


def test_names_with_blanks_come_back(kt_cp, write):
    graph = nx.relabel_nodes(nx.cycle_graph(len(ODD)), dict(enumerate(ODD)))
    (Path(write(CUBE, "odd.gml"))).write_text("\n".join(nx.generate_gml(graph)))
    assert kt_cp("solve", "odd.gml", "--closed", "-o", "tour.names").code == 0
    text = Path("tour.names").read_text()
    assert '"New York"' in text and '"東京"' not in text
    assert kt_cp("check", "tour.names", "--board", "odd.gml", "--closed").code == 0
    assert kt_cp("enumerate", "odd.gml", "--closed", "-o", "tours.txt").code == 0
    assert read_tours(Path("tours.txt").read_bytes()) == [ODD]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_node_called_end_comes_back(kt_cp, write, kind):
    way = ["start", "end 0", "end", "b"]
    graph = kind([*pairwise([*way, "start"]), ("b", "end 0")])
    Path(write(CUBE, "end.json")).write_text(json.dumps(nx.node_link_data(graph)))
    options = ("--start", "start", "--end", "b", "--require", "end-b", "--forbid", "b-end 0")
    assert kt_cp("solve", "end.json", *options, "--json", "-o", "tour.json").code == 0
    assert kt_cp("check", "tour.json").code == 0
    again = json.loads(kt_cp("solve", "tour.json", "--json").out)
    assert again["tour"] == way
    assert again["problem"] == json.loads(Path("tour.json").read_text())["problem"]


def test_tsplib_asks_for_a_cycle_unless_a_path_is_asked_for(kt_cp, write):
    write(PETERSEN, "p.hcp")
    assert kt_cp("solve", "p.hcp").code == 1
    assert kt_cp("solve", "p.hcp", "--open").code == 0


def test_a_certificate_and_its_check(kt_cp, write):
    write(PETERSEN, "p.g6")
    assert kt_cp("prove", "p.g6", "--closed", "-o", "no.json").code == 0
    assert kt_cp("check", "no.json").code == 0
    assert kt_cp("check", "no.json", "--board", "p.g6", "--closed").code == 0
    result = kt_cp("check", "no.json", "--board", "p.g6")
    about = "no.json is about another question: expected "
    assert (result.code, result.out) == (1, f"{about}open tours, found closed tours\n")
    write(CUBE, "c.g6")
    result = kt_cp("check", "no.json", "--board", "c.g6", "--closed")
    nodes, edges = result.out.removeprefix(about).split("; ")
    assert (result.code, nodes) == (
        1,
        "8 nodes (0, 1, 2, 3, 4 more), found 10 (8, 9, 0, 1, 6 more)",
    )
    assert edges.startswith("expected 12 edges (0-2, 1-3, ") and ", found 15 (" in edges
    result = kt_cp("prove", "c.g6", "--closed")
    assert result.code == 1 and len(result.out.split()) == 8


def test_a_certificate_about_arcs(kt_cp, write):
    arcs = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "b")])
    for name, graph in (("arcs.json", arcs), ("edges.json", nx.Graph(arcs))):
        Path(write(CUBE, name.replace("json", "g6"))).with_name(name).write_text(
            json.dumps(nx.node_link_data(graph))
        )
    assert kt_cp("prove", "arcs.json", "--closed", "--forbid", "a->b", "-o", "no.json").code == 0
    for same in ("", "--board arcs.json --closed --forbid a-b", "--closed --forbid a->b"):
        assert kt_cp("check", "no.json", *same.split()).code == 0
    for other, message in (
        ("arcs.json", "expected no forbidden arcs, found 1 (a->b)"),
        ("edges.json", "expected a graph, found a digraph; expected no forbidden edges, found 1 "),
        ("2x2", "expected 2x2, found a digraph; expected no forbidden moves, found 1 (a->b)"),
    ):
        result = kt_cp("check", "no.json", "--board", other, "--closed")
        assert result.code == 1 and f"is about another question: {message}" in result.out


def test_nodes_and_edges_by_name(kt_cp, write):
    write(LETTERS, "l.edges")
    result = kt_cp("solve", "l.edges", "--start", "y-1", "--end", "z")
    assert result.code == 0 and result.out.split() == ["y-1", "y", "x", "x-y", "z"]
    result = kt_cp("solve", "l.edges", "--forbid", "y-y-1,x-y", "--start", "y")
    assert result.code == 1
    result = kt_cp("solve", "l.edges", "--require", "x-x-y", "--start", "y")
    names = result.out.split()
    assert result.code == 0 and names[0] == "y" and abs(names.index("x") - names.index("x-y")) == 1
    assert GraphParser(["y", "y-1"]).steps("y=1, y-1=5") == [("y", 1), ("y-1", 5)]
    assert GraphParser(["y", "y-1"]).moves("y->y-1") == [("y", "y-1")]


def test_enumerate_and_export(kt_cp, write):
    write(CUBE, "c.g6")
    result = kt_cp("enumerate", "c.g6", "--closed", "--count")
    assert result.code == 0 and result.out.startswith(
        "6 tours (c.g6 with 8 nodes and 12 edges, closed;"
    )
    result = kt_cp("enumerate", "c.g6", "--closed")
    assert len(result.out.splitlines()) == 7 and result.out.startswith("0 ")
    assert kt_cp("enumerate", "c.g6", "--closed", "--certificate", "all.json").code == 0
    assert kt_cp("check", "all.json", "--board", "c.g6", "--closed").code == 0
    assert kt_cp("export", "c.g6", "--closed", "-o", "c.hcp").code == 0
    assert kt_cp("export", "c.hcp", "-o", "d.g6").code == 0
    assert kt_cp("check", "all.json", "--board", "d.g6", "--closed").code == 0
    result = kt_cp("export", "c.g6", "--format", "tsplib")
    assert "COMMENT : a Hamiltonian path: c.g6 with 8 nodes" in result.out


def test_boards_and_graphs_are_compared(kt_cp, write):
    write(PETERSEN, "p.hcp")
    arguments = ("compare", "p.hcp", "--boards", "2x2", "--engines", "backtrack", "--json")
    result = kt_cp(*arguments)
    runs = json.loads(result.out)["runs"]
    rows = [(row["board"], row["closed"]) for row in runs]
    assert (result.code, rows) == (0, [("p.hcp", True), ("2x2", False), ("2x2", True)])
    assert runs[0]["nodes"] < 100 and "edges" not in runs[0]  # a count, not a list of all edges


def test_many_graphs_one_answer_a_line(kt_cp, write, typed):
    lines = b"".join(
        nx.to_graph6_bytes(graph, header=False) for graph in (nx.cycle_graph(4), nx.path_graph(4))
    )
    typed(lines)
    result = kt_cp("solve", "-", "--format-in", "g6", "--closed")
    assert result.code == 1 and result.err.endswith("2 graphs: 1 FOUND, 1 IMPOSSIBLE\n")
    first, second = result.out.splitlines()
    assert first.split()[0] == "FOUND" and sorted(first.split()[1:]) == ["0", "1", "2", "3"]
    assert second.startswith("IMPOSSIBLE a closed tour needs two edges")
    typed(lines)
    result = kt_cp("prove", "-", "--format-in", "g6", "--closed", "--json")
    assert [json.loads(line)["verdict"] for line in result.out.splitlines()] == [
        "FOUND",
        "IMPOSSIBLE",
    ]
    typed(lines)
    result = kt_cp("enumerate", "-", "--format-in", "g6", "--count")
    assert (result.code, result.out) == (0, "8\n2\n")
    typed(lines[:3] + b"C~~\n")
    result = kt_cp("solve", "-", "--format-in", "g6")
    assert result.code == 2 and result.out.startswith("FOUND ") and result.out.count("\n") == 1
    assert "line 2: expected 1 characters" in result.err
    typed(b"\n")
    assert kt_cp("solve", "-", "--format-in", "g6").code == 2
    with open("two.g6", "wb") as file:
        file.write(lines)
    assert kt_cp("solve", "two.g6", "--engine", "warnsdorff", "--closed").code == 3
    for command in (["solve", "--certificate", "no.json"], ["export"], ["enumerate"]):
        result = kt_cp(command[0], "two.g6", *command[1:])
        assert result.code == 2
        assert "got one per line" in result.err or "a file with one graph per line" in result.err


@pytest.mark.parametrize("command", ["solve", "prove", "count", "enumerate --count"])
def test_an_executor_answers_many_graphs_in_order(kt_cp, monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tour_output, "TASK_BYTES", 10)
    graphs = [nx.cycle_graph(4), nx.path_graph(4), nx.complete_graph(9), nx.petersen_graph()] * 2
    lines = b"".join(nx.to_graph6_bytes(graph, header=False) for graph in graphs)
    Path("all.g6").write_bytes(lines)
    Path("bad.g6").write_bytes(lines + b"C~~\n")
    arguments = (*command.split(), "all.g6", "--closed", "--json")
    result, others = kt_cp(*arguments), kt_cp(*arguments, "--executor", "processes")
    assert (others.code, others.err) == (result.code, result.err)

    def answers(text):
        keys = "verdict", "tour", "reason", "tours", "complete"
        return [tuple(map(json.loads(line).get, keys)) for line in text.splitlines()]

    assert len(answers(result.out)) == 8 and answers(others.out) == answers(result.out)
    result = kt_cp(*command.split(), "bad.g6", "--closed", "--executor", "processes")
    assert result.code == 2 and "bad.g6: line 9: expected 1 characters" in result.err
    assert len(result.out.splitlines()) == 8
    result = kt_cp(*command.split(), "all.g6", "--executor", "threads")
    assert result.code == 2 and "expected processes, dask or dask:ADDRESS" in result.err


def test_a_long_task_of_lines_hands_back_the_others(monkeypatch):
    lines = [(number, b"C]") for number in (3, 4, 7, 8)]
    question = ProblemOptions("g.g6", closed=True)
    answered = []

    def answer(problem, _, *, timed_out):
        answered.append(problem.label)
        return f"{timed_out}", "FOUND", 0

    monkeypatch.setattr(tour_output, "TASK_SECONDS", 0)
    done = tour_output.answer_lines(question, lines, answer, None)
    assert done.value == [("False", "FOUND", 0)]
    assert [piece[:2] for piece in done.rest] == [(question, lines[1:2]), (question, lines[2:])]
    monkeypatch.setattr(tour_output, "TASK_SECONDS", 60)
    done = tour_output.answer_lines(question, [*lines[1:], (9, b"C~~")], answer, None)
    assert len(done.value) == 4 and "g.g6: line 9: expected 1" in str(done.value[3])
    assert not done.rest and len(answered) == 4


def test_a_count_that_ends_early_does_not_end_the_others(kt_cp, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    graphs = [nx.complete_graph(15), nx.cycle_graph(5)]
    Path("two.g6").write_bytes(b"".join(nx.to_graph6_bytes(each, header=False) for each in graphs))
    limits = "--closed", "--method", "enumerate", "--time-limit", "0.5"
    result = kt_cp("count", "two.g6", *limits)
    assert result.code == 3 and result.err == "2 graphs: 1 unknown, 1 with tours\n"
    first, second = result.out.splitlines()
    assert first.startswith("unknown: stopped after 0.5 s") and second == "1"


@pytest.mark.parametrize("command", ["solve", "prove"])
def test_executors_are_for_many_graphs(kt_cp, monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    Path("path.edges").write_text("0 1\n1 2\n")
    for file in ("path.edges", "3x3"):
        result = kt_cp(command, file, "--executor", "processes")
        assert result.code == 2
        assert "--executor: expected one graph per line, got a single problem" in result.err


REFUSED = [
    (["solve", "c.g6", "--format", "grid"], "expected a board for grid, got c.g6 with 8 nodes"),
    (["solve", "c.g6", "-o", "x.npy"], "expected a board for npy"),
    (["prove", "c.g6", "-o", "x.svg"], "expected a board for a picture"),
    (["enumerate", "c.g6", "--source", "001"], "--source: expected a board"),
    (["solve", "c.g6", "--missing", "a1"], "--missing is for boards"),
    (["solve", "c.g6", "--surface", "torus"], "--surface is for boards"),
    (["solve", "c.g6", "--piece", "king"], "piece is for boards: expected none with a graph"),
    (["solve", "c.g6", "--start", "a1"], "--start: expected a node, such as 0, 1, 2; got 'a1'"),
    (["solve", "c.g6", "--require", "0-9"], "--require: expected an edge between nodes, such as"),
    (["solve", "c.g6", "--given", "0"], "--given: expected steps such as 0=3; got '0'"),
    (["solve", "none.hcp"], "cannot read none.hcp: no such file"),
    (["solve", "c.g6", "--format-in", "gif"], "--format-in: expected one of hcp, tsp, g6"),
    (["solve", "8x8", "--format-in", "g6"], "--format-in is for files: expected one, got 8x8"),
    (["solve", "c.g6", "--format-in", "hcp"], "c.g6: line 1: expected a word of TSPLIB"),
    (["reference", "c.g6"], "expected a board, got a graph in c.g6"),
    (["trace", "c.g6"], "expected a board, got a graph in c.g6"),
    (["puzzle", "c.g6"], "expected a board, got a graph in c.g6"),
    (["locate", "c.g6", "--step", "1"], "expected a board, got a graph in c.g6"),
]


@pytest.mark.parametrize(("line", "message"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_graphs_are_not_taken_for(kt_cp, write, line, message):
    write(CUBE, "c.g6")
    result = kt_cp(*line)
    assert (
        (result.code, result.out) == (2, "")
        and message in result.err
        and result.err.count("\n") == 1
    )


def test_a_file_without_an_ending(kt_cp, write, typed):
    write(CUBE, "c.graphml")
    typed(WRITERS["graphml"](CUBE))
    assert kt_cp("solve", "-", "--closed").code == 0
    typed(b"nothing of that kind\n")
    result = kt_cp("solve", "-")
    assert result.code == 2 and "line 1" in result.err
    assert result.err.endswith("; a graph needs a suffix such as .edges, or --format-in\n")


def test_what_is_ignored_has_one_remark(kt_cp, tmp_path):
    path = tmp_path / "g.edges"
    path.write_text("a b 1\nb c 2\nc a 3\na a 4\n")
    result = kt_cp("solve", path, "--closed")
    assert result.code == 0
    assert result.err.count("1 self-loop plays no part in a tour") == 1
    assert result.err.count("weights play no part in a tour") == 1


LIST = "a b\nb c\na c\n"
"""A triangle; as arcs there is no cycle, and one path."""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "t.edges": LIST,
        "t.adjlist": "a: b c\nb: c\n",
        "t.json": '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a",'
        ' "target": "b"}, {"source": "b", "target": "c"}, {"source": "a", "target": "c"}]}',
        "t.csv": "Source,Target,Type\na,b,Directed\nb,c,Directed\na,c,Directed\n",
        "path.names": "c b a\n",
        "drawn.txt": ". . .\n. . .\n. . .\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    for kind in ("g6", "graphml", "hcp", "gml", "col"):
        (tmp_path / f"k.{kind}").write_bytes(WRITERS[kind](nx.complete_graph(3)))
    (tmp_path / "two.g6").write_bytes(2 * WRITERS["g6"](nx.complete_graph(3)))
    (tmp_path / "d.graphml").write_bytes(WRITERS["graphml"](nx.DiGraph(["ab"])))


ANSWERS = [
    ("solve {} --closed", 0, 1),
    ("prove {} --closed", 1, 0),
    ("solve {} --start c", 0, 1),
    ("check path.names --board {}", 0, 1),
    ("count {} --open", "6 tours", "1 tour "),
    ("count {} --closed", "1 tour ", "No tour"),
    ("enumerate {} --open --count", "6 tours", "1 tour "),
    ("enumerate {} --open --format names", "c b a\n", "a b c\n1 tour"),
    ("export {} --format graph6", "Bw", "&B"),
    ("unrank {} 0 --json", '"directed": false', '"directed": true'),
    ("sample {} --json", '"directed": false', '"directed": true'),
    ("compare {} --engines backtrack --closed --json", '"FOUND"', '"IMPOSSIBLE"'),
    ("rank path.names --board {}", 0, 1),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("line", "edges", "arcs"),
    [*ANSWERS, ("solve t.adjlist --closed", 0, 1), ("solve t.json --closed", 0, 1)],
)
def test_edges_are_arcs_where_it_is_asked_for(kt_cp, line, edges, arcs):
    for option, expected in ((), edges), (("--directed",), arcs):
        result = kt_cp(*line.format("t.edges").split(), *option)
        note = (result.code, result.out, result.err)
        assert result.code == expected if isinstance(expected, int) else expected in result.out, (
            note
        )


STATES_DIRECTION = [
    "8x8",
    "drawn.txt",
    "k.g6",
    "two.g6",
    "k.hcp",
    "k.graphml",
    "k.gml",
    "k.col",
    "d.graphml",
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", STATES_DIRECTION)
def test_files_that_state_it_are_refused(kt_cp, name):
    refused(kt_cp("solve", name, "--directed"), "--directed: expected a file that leaves open")


@pytest.mark.usefixtures("files")
def test_every_command_refuses_boards(kt_cp):
    for line in (
        "prove 5x5", "export 5x5", "sample 5x5", "unrank 5x5 0", "locate 5x5 --step 1", "trace 5x5",
        "puzzle 5x5", "compare 5x5", "compare", "check path.names", "check path.names --board 5x5",
        "encodings 5x5", "rank path.names --board 5x5",
    ):  # fmt: skip
        refused(kt_cp(*line.split(), "--directed"), "--directed: expected a file that leaves open")


@pytest.mark.usefixtures("files")
def test_counting_keeps_its_meaning_where_a_file_states_it(kt_cp):
    for command in (("count",), ("enumerate", "--count")):
        assert kt_cp(*command, "k.g6", "--closed", "--directed").out.startswith("2 tours")
        assert kt_cp(*command, "k.g6", "--closed").out.startswith("1 tour ")
        assert kt_cp(*command, "t.edges", "--open", "--undirected").out.startswith("3 tours")
        assert kt_cp(*command, "3x4", "--directed").out.startswith("16 tours")


@pytest.mark.usefixtures("files")
def test_a_table_may_state_it_in_a_column(kt_cp):
    with open("t.csv", "rb") as file:
        data = file.read()
    for text, code in ((data, 1), (data.replace(b"Directed", b"Undirected"), 0)):
        with open("u.edges", "wb") as file:
            file.write(text)
        assert kt_cp("solve", "u.edges", "--closed").code == code
        refused(kt_cp("solve", "u.edges", "--directed"), "directed graph in u.edges")
    with open("u.edges", "wb") as file:
        file.write(data.replace(b"b,c,D", b"b,c,Und"))
    refused(kt_cp("solve", "u.edges"), "line 3: expected Type directed, as before, got undirected")


@pytest.mark.usefixtures("files")
def test_a_list_on_stdin_and_its_answer(kt_cp, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LIST.encode())))
    result = kt_cp("count", "-", "--format-in", "edges", "--directed", "--json")
    document = json.loads(result.out)
    assert (document["tours"], document["directed"]) == (1, True)


def test_an_edge_list_without_a_name_is_pointed_out(kt_cp, monkeypatch, tmp_path) -> None:
    (tmp_path / "plain").write_text("1 2\n2 3\n3 1\n")
    result = kt_cp("solve", tmp_path / "plain")
    assert (
        result.code == 2 and "a graph needs a suffix such as .edges, or --format-in" in result.err
    )
    result = kt_cp("solve", tmp_path / "plain", "--format-in", "edges", "--closed", "--start", "1")
    assert result.code == 0
    (tmp_path / "g.edges").write_text("Bern Chur\nChur Sion\n")
    result = kt_cp("solve", tmp_path / "g.edges", "--start", "bern")
    assert result.code == 2 and "got 'bern' (did you mean Bern?)" in result.err
