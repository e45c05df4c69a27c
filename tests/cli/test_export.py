"""``kt-cp export``: formulas and models that programs of others read."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from itertools import pairwise

import networkx as nx
import pytest
from pysat.formula import CNF

from kt_cp import Board, Problem, knight_graph
from kt_cp.encodings import ENCODING_NAMES, get_encoding
from kt_cp.encodings.meaning import meaning
from kt_cp.formats.formula import LINES_PER_PIECE, dimacs_pieces, encode_problem, formula_pieces
from kt_cp.model.board import parse_square, parse_squares
from kt_cp.trust.judge import defects
from tests.examples.formulas import CASES, IMPOSSIBLE, competition, fields, solved
from tests.support.command_line import refused
from tests.support.exhaustive import crossed


def problem_of(line):
    words = shlex.split(line)
    options = dict(pairwise(words))
    said = {
        which: parse_square(options[f"--{which}"])
        for which in ("start", "end")
        if f"--{which}" in options
    }
    for which in ("require", "forbid"):
        moves = options.get(f"--{which}", "").split(",")
        said[which] = [tuple(map(parse_square, move.split("-"))) for move in moves if move]
    pairs = [pair.split("=") for pair in options.get("--given", "").split(",") if pair]
    said["given"] = {parse_square(square): int(step) for square, step in pairs}
    said["symmetry"] = options.get("--symmetry")
    board = Board.parse(words[0], options.get("--missing", ""), options.get("--surface", "plane"))
    return Problem(board, piece=options.get("--piece"), closed="--closed" in words, **said)


def names_of(problem, squares):
    return " ".join(f"{chr(97 + column)}{row + 1}" for row, column in squares)


# --- DIMACS ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed([*CASES, *IMPOSSIBLE], ENCODING_NAMES))
def test_the_formula_is_the_encoding(kt_cp, tmp_path, name, line):
    path = tmp_path / "f.cnf"
    ran = kt_cp("export", *shlex.split(line), "--encoding", name, "-o", path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    read = CNF(from_file=str(path))
    cnf = get_encoding(name).encode(problem_of(line))
    assert read.clauses == [
        part for each in cnf.clauses for part in ([each] if each else [[1], [-1]])
    ]
    text = path.read_text("utf-8")
    head = next(each for each in text.splitlines() if each.startswith("p "))
    assert head == f"p cnf {cnf.variables} {len(read.clauses)}"
    bare = "".join(f"{each}\n" for each in text.splitlines() if not each.startswith("c"))
    said = fields(path)
    assert said["sha256"] == hashlib.sha256(bare.encode()).hexdigest()
    assert (said["encoding"], set(said)) == (name, {"encoding", "problem", "sha256", "version"})
    document, problem = json.loads(said["problem"]), problem_of(line)
    assert (document["rows"], document["columns"]) == (problem.board.rows, problem.board.columns)
    assert document["closed"] is problem.closed
    for which in ("start", "end"):
        square = getattr(problem, which)
        assert document[which] == (None if square is None else names_of(problem, [square]))
    # The numbers of the map are variables, each once.
    named = [int(number) for number, _ in meaning_of(text)]
    assert len(set(named)) == len(named) > 0
    assert set(named) <= set(range(1, cnf.variables + 1))


def meaning_of(text):
    """The map of a file, without the package: numbers and what they mean."""
    return re.findall(r"^c ([0-9]+) (\S+(?: at [0-9]+)?)$", text, re.MULTILINE)


def by_hand(text, model, problem):
    """A tour from the comments of a formula and a model, as one reads it without the package."""
    true = {str(literal) for literal in model if literal > 0}
    said = [what for number, what in meaning_of(text) if number in true]
    if " at " in said[0]:
        return [square for _, square in sorted((int(s.split()[2]), s.split()[0]) for s in said)]
    graph = nx.Graph([re.split("->|-", move) for move in said])
    assert all(degree == 2 for _, degree in graph.degree)
    if not nx.is_connected(graph):
        return None
    ends = list(graph["end"]) if "end" in graph else None
    graph.remove_nodes_from(["end"] if ends else [])
    if ends is None and not problem.closed:
        ends = [names_of(problem, [problem.start]), names_of(problem, [problem.end])]
        graph.remove_edge(*ends)
    if ends is None:
        first = names_of(problem, [problem.start or next(iter(problem.board))])
        return [v for v, _ in nx.find_cycle(graph, first)]
    path = nx.shortest_path(graph, *ends)
    start, end = (None if each is None else names_of(problem, [each])
                  for each in (problem.start, problem.end))  # fmt: skip
    return path[::-1] if start not in (None, path[0]) or end not in (None, path[-1]) else path


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed(CASES, ENCODING_NAMES))
def test_a_model_can_be_read_by_hand(tmp_path, name, line):
    problem, path = problem_of(line), tmp_path / "f.cnf"
    text = "".join(formula_pieces(encode_problem(problem, name)))
    path.write_text(text)
    tour = by_hand(text, solved(path), problem)
    if tour is None:  # several cycles: an encoding that cuts them off as they appear
        return
    assert defects(problem, parse_squares(" ".join(tour))) == []


def test_every_map_is_complete():
    # Of the variables that tell the tour none is left out: every arc, edge, or square and step.
    problem = Problem(Board(5, 6), closed=True)
    for name in ENCODING_NAMES:
        said = [what for _, what in meaning(get_encoding(name).encode(problem))]
        assert len(set(said)) == len(said)
        squares = {square for what in said for square in re.findall("[a-z][0-9]", what)}
        assert len(squares) == 30
    edges = knight_graph(Board(5, 6)).number_of_edges()
    assert len(list(meaning(get_encoding("lazy").encode(problem)))) == edges


def test_the_words_above_the_map(kt_cp):
    text = kt_cp("export", "5x5", "--start", "a1").out
    assert "c 5x5, open, from a1, in the lazy encoding:\n" in text
    assert "'end' stands between its last square and its first" in text
    text = kt_cp("export", "5x5", "--start", "a1", "--end", "e5").out
    assert "from its end e5 it goes back to its start a1" in text
    text = kt_cp("export", "6x6", "--closed", "--encoding", "position").out
    assert "c 'b3 at 2': square b3 is the second of the tour.\n" in text


def test_graphs_are_written_too():
    problem = Problem(graph=nx.relabel_nodes(nx.petersen_graph(), {0: "a\nb"}))
    text = "".join(formula_pieces(encode_problem(problem, "lazy")))
    assert all(line.startswith(("c", "p ")) or line.endswith("0") for line in text.splitlines())
    assert json.dumps(repr("a\nb")) in text  # a name that cannot be told as it is


def test_pieces_are_joined_without_a_seam():
    clauses = [[i, -i - 1] for i in range(1, 3 * LINES_PER_PIECE + 7)]
    text = "".join(dimacs_pieces(len(clauses) + 1, clauses, {}, []))
    assert text.splitlines()[2:] == [f"{i} {-i - 1} 0" for i in range(1, 3 * LINES_PER_PIECE + 7)]


def test_suffixes_and_stdout(kt_cp, tmp_path):
    begins = {
        "f.cnf": "c kt_cp problem", "f.CNF": "c kt_cp problem", "f": "c kt_cp problem",
        "f.pbtxt": "# Knight's tour: 5x5, open", "f.textproto": "# Knight's tour",
        "f.g6": "X??_cP", "f.hcp": "NAME : knight_5x5_open\nTYPE : HCP\n", "f.tsp": "NAME : ",
    }  # fmt: skip
    for name, begin in begins.items():
        assert kt_cp("export", "5x5", "-o", tmp_path / name, "--force").code == 0
        assert (tmp_path / name).read_text("utf-8").startswith(begin)
    usual = kt_cp("export", "5x5").out
    assert usual == (tmp_path / "f.cnf").read_text("utf-8") == kt_cp("export", "5x5", "-o", "-").out
    assert kt_cp("export", "5x5", "-o", tmp_path / "g.g6", "--format", "dimacs").code == 0
    assert (tmp_path / "g.g6").read_text("utf-8") == usual


@pytest.mark.parametrize(("asked", "encoding"), [
    ([], "lazy"),
    (["--symmetry", "half-turn"], "lazy"),
    (["--given", "a1=2"], "channel"),
])  # fmt: skip
def test_the_formula_is_one_that_takes_the_conditions(kt_cp, asked, encoding):
    ran = kt_cp("export", "5x6", *asked)
    assert ran.code == 0 and ran.out.splitlines()[1] == f"c kt_cp encoding {encoding}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["8x8", "--encoding", "nonsense"], ["expected an encoding, one of lazy", "'nonsense'"]),
        (["8x8", "--encoding", "lazy", "--format", "graph6"],
         ["--encoding is for dimacs: expected none with graph6"]),
        (["8x8", "--encoding", "lazy", "--format", "tsplib"], ["--encoding is for dimacs"]),
        (["8x8", "--encoding", "lazy", "-o", "f.pbtxt"], ["expected none with cpsat"]),
        (["8x8", "--start", "a1", "--format", "graph6"], ["graph6 holds the graph alone"]),
        (["8x8", "--end", "a1", "--format", "graph6"], ["graph6 holds the graph alone"]),
        (["8x8", "--given", "a1=2", "--symmetry", "half-turn", "--format", "tsplib"],
         ["tsplib", "expected no given steps and no symmetry with it"]),
        (["8x8", "--given", "a1=2", "--encoding", "lazy"], ["lazy", "does not take given steps"]),
        (["8x8", "--format", "nonsense"], ["--format", "nonsense"]),
        (["1x2"], ["1x2, open: expected at least 3 squares, got 2"]),
        (["1x1", "--format", "cpsat"], ["expected at least 3 squares"]),
        (["1x2", "--format", "tsplib"], ["expected at least 3 squares"]),
        (["100x100", "--encoding", "position"], ["position", "the limit is 8,000,000"]),
        (["1000000000x1000000000"], ["the lazy encoding", "and the limit is"]),
        (["1000000000x1000000000", "--format", "cpsat"], ["limited to 100,000 squares"]),
        (["1000000000x1000000000", "--format", "graph6"], ["at most 20,000 squares for graph6"]),
        (["1000000000x1000000000", "--format", "tsplib"], ["at most 1,000,000 squares"]),
        (["8x8", "--closed", "--end", "a1"], ["expected no end"]),
        ([], ["BOARD"]),
    ],
)  # fmt: skip
def test_bad_input(kt_cp, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    refused(kt_cp("export", *words), *said)
    assert list(tmp_path.iterdir()) == []


# --- CP-SAT ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [*CASES, *IMPOSSIBLE])
def test_the_model_in_cp_sat(kt_cp, line):
    from google.protobuf import text_format
    from ortools.sat import cp_model_pb2
    from ortools.sat.python import cp_model

    problem = problem_of(line)
    text = kt_cp("export", *shlex.split(line), "--format", "cpsat").out
    model = cp_model.CpModel()
    if hasattr(model.proto, "parse_text_format"):
        assert model.proto.parse_text_format(text)
    else:
        text_format.Parse(text, model.proto)
    assert len(text_format.Parse(text, cp_model_pb2.CpModelProto()).variables) > 0
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if line in IMPOSSIBLE:
        assert status == cp_model.INFEASIBLE
        return
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    values = solver.response_proto.solution
    names = [each.name for each in model.proto.variables]
    after = dict(n.split("->") for n, value in zip(names, values, strict=True) if value)
    first = names_of(problem, [problem.start or next(iter(problem.board))])
    walk = [after["end"] if not problem.closed else first]
    while len(walk) < problem.size:
        walk.append(after[walk[-1]])
    assert after[walk[-1]] == ("end" if not problem.closed else first)
    assert defects(problem, parse_squares(" ".join(walk))) == []


def test_competition_output_is_what_it_should_be():
    lines = competition(list(range(1, 25))).splitlines()
    assert lines[1] == "s SATISFIABLE" and lines[-1].endswith(" 0")
    assert all(line.startswith("v ") for line in lines[2:])
    assert all(int(a) + 1 == int(b) for a, b in pairwise(lines[2].split()[1:]))
