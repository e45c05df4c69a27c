"""``kt-cp export``: formulas, models and graphs for other programs."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import shlex
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from pysat.formula import CNF

from kt_cp import Board, Problem, Verdict, knight_graph, solve
from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, get_encoding
from kt_cp.encodings.meaning import meaning
from kt_cp.formats.export import graph6, graph6_pieces, tsplib_pieces
from kt_cp.formats.formula import LINES_PER_PIECE, dimacs_pieces, encode_problem, formula_pieces
from kt_cp.formats.graphs.networkx_formats import read_graph6
from kt_cp.model.board import parse_square, parse_squares
from kt_cp.testing import oracle
from kt_cp.trust.judge import defects
from tests.examples.formulas import CASES, IMPOSSIBLE, competition, fields, solved
from tests.support.command_line import refused
from tests.support.exhaustive import crossed


def problem_of(line):
    words = shlex.split(line)
    options = dict(pairwise(words))
    conditions = {
        which: parse_square(options[f"--{which}"])
        for which in ("start", "end")
        if f"--{which}" in options
    }
    for which in ("require", "forbid"):
        moves = options.get(f"--{which}", "").split(",")
        conditions[which] = [tuple(map(parse_square, move.split("-"))) for move in moves if move]
    pairs = [pair.split("=") for pair in options.get("--given", "").split(",") if pair]
    conditions["given"] = {parse_square(square): int(step) for square, step in pairs}
    conditions["symmetry"] = options.get("--symmetry")
    board = Board.parse(words[0], options.get("--missing", ""), options.get("--surface", "plane"))
    return Problem(board, piece=options.get("--piece"), closed="--closed" in words, **conditions)


def names_of(problem, squares):
    return " ".join(f"{chr(97 + column)}{row + 1}" for row, column in squares)


# --- DIMACS ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("line", "name"), crossed([*CASES, *IMPOSSIBLE], ENCODING_NAMES))
def test_the_formula_is_the_encoding(kt_cp, tmp_path, name, line):
    path = tmp_path / "f.cnf"
    result = kt_cp("export", *shlex.split(line), "--encoding", name, "-o", path)
    assert (result.code, result.out) == (0, "") and f"encoding {name}" in result.err
    read = CNF(from_file=str(path))
    cnf = get_encoding(name).encode(problem_of(line))
    assert read.clauses == [
        part for each in cnf.clauses for part in ([each] if each else [[1], [-1]])
    ]
    text = path.read_text("utf-8")
    head = next(each for each in text.splitlines() if each.startswith("p "))
    assert head == f"p cnf {cnf.variables} {len(read.clauses)}"
    bare = "".join(f"{each}\n" for each in text.splitlines() if not each.startswith("c"))
    written = fields(path)
    assert written["sha256"] == hashlib.sha256(bare.encode()).hexdigest()
    assert (written["encoding"], set(written)) == (
        name,
        {"encoding", "problem", "sha256", "version"},
    )
    document, problem = json.loads(written["problem"]), problem_of(line)
    assert (document["rows"], document["columns"]) == (problem.board.rows, problem.board.columns)
    assert document["closed"] is problem.closed
    for which in ("start", "end"):
        square = getattr(problem, which)
        assert document[which] == (None if square is None else names_of(problem, [square]))
    # The numbers of the map are distinct variables.
    numbers = [int(number) for number, _ in meaning_of(text)]
    assert len(set(numbers)) == len(numbers) > 0
    assert set(numbers) <= set(range(1, cnf.variables + 1))


def meaning_of(text):
    """Read the map of a file, from numbers to meanings, without the package."""
    return re.findall(r"^c ([0-9]+) (\S+(?: at [0-9]+)?)$", text, re.MULTILINE)


def by_hand(text, model, problem):
    """Read a tour from the comments of a formula and a model, without the package."""
    true = {str(literal) for literal in model if literal > 0}
    meanings = [what for number, what in meaning_of(text) if number in true]
    if " at " in meanings[0]:
        return [square for _, square in sorted((int(s.split()[2]), s.split()[0]) for s in meanings)]
    graph = nx.Graph([re.split("->|-", move) for move in meanings])
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
    if tour is None:  # several cycles: an encoding that cuts them off on demand
        return
    assert defects(problem, parse_squares(" ".join(tour))) == []


def test_every_map_is_complete():
    # The map has every variable of the tour: every arc, edge, or square and step.
    problem = Problem(Board(5, 6), closed=True)
    for name in ENCODING_NAMES:
        meanings = [what for _, what in meaning(get_encoding(name).encode(problem))]
        assert len(set(meanings)) == len(meanings)
        squares = {square for what in meanings for square in re.findall("[a-z][0-9]", what)}
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
    assert json.dumps(repr("a\nb")) in text  # a name that needs quotes


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
    formula = kt_cp("export", "5x5").out
    assert (
        formula == (tmp_path / "f.cnf").read_text("utf-8") == kt_cp("export", "5x5", "-o", "-").out
    )
    assert kt_cp("export", "5x5", "-o", tmp_path / "g.formula", "--format", "dimacs").code == 0
    assert (tmp_path / "g.formula").read_text("utf-8") == formula


@pytest.mark.parametrize(("options", "encoding"), [
    ([], "lazy"),
    (["--symmetry", "half-turn"], "lazy"),
    (["--given", "a1=2"], "channel"),
])  # fmt: skip
def test_the_formula_is_one_that_takes_the_conditions(kt_cp, options, encoding):
    result = kt_cp("export", "5x6", *options)
    assert result.code == 0 and result.out.splitlines()[1] == f"c kt_cp encoding {encoding}"


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["8x8", "--encoding", "nonsense"], ["expected an encoding, one of lazy", "'nonsense'"]),
        (["8x8", "--encoding", "lazy", "--format", "graph6"],
         ["--encoding is for dimacs and opb: expected none with graph6"]),
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
def test_bad_input(kt_cp, tmp_path, monkeypatch, words, messages):
    monkeypatch.chdir(tmp_path)
    refused(kt_cp("export", *words), *messages)
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


@pytest.mark.parametrize("words", [["1x1"], ["3x3"], ["5x8"], ["8x8", "--missing", "c3,d4,a1"]])
def test_graph6_is_what_networkx_writes(kt_cp, words):
    text = kt_cp("export", *words, "--format", "graph6").out
    graph = knight_graph(Board.parse(words[0], words[-1] if len(words) > 1 else ""))
    assert text.encode() == nx.to_graph6_bytes(graph, header=False)
    assert kt_cp("export", *words, "--format", "graph6", "--closed").out == text


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 62, 63, 64, 100])
def test_graph6_of_any_graph(size):
    graph = nx.gnp_random_graph(size, 0.4, seed=size)
    ends = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    assert graph6(size, ends[:, 1], ends[:, 0]).encode() == nx.to_graph6_bytes(graph, header=False)


def read_tsplib(text):
    """Read a Hamiltonian cycle problem: its keys, its comments and its graph."""
    head, body = text.split("EDGE_DATA_SECTION\n")
    lines = [line.split(" : ", 1) for line in head.splitlines()]
    *pairs, end, eof = body.splitlines()
    assert (end, eof) == ("-1", "EOF")
    graph = nx.Graph(tuple(map(int, pair.split())) for pair in pairs)
    assert graph.number_of_edges() == len(pairs)
    return dict(lines), [text for key, text in lines if key == "COMMENT"], graph


@pytest.mark.parametrize("line", [*CASES, "3x8 --closed", "4x4"])
def test_tsplib_has_the_cycles_that_are_tours(kt_cp, line):
    problem = problem_of(line)
    keys, comments, graph = read_tsplib(
        kt_cp("export", *shlex.split(line), "--format", "tsplib").out
    )
    assert (keys["TYPE"], keys["EDGE_DATA_FORMAT"]) == ("HCP", "EDGE_LIST")
    assert set(graph) <= set(range(1, int(keys["DIMENSION"]) + 1))
    assert f"{problem.piece.name}'s tour: {problem.label}" in comments
    assert problem.closed or "an open tour, written as a cycle:" in comments
    found = cycle(graph, int(keys["DIMENSION"]))
    if line in IMPOSSIBLE:
        assert found is None
        return
    squares = dict(enumerate(problem.board, start=1))
    assert graph.subgraph(squares).number_of_edges() <= problem.indexed.tails.size
    # Without the extra vertices, it becomes the tour in one of its two directions.
    inside = [vertex in squares for vertex in found]
    turn = next((i for i in range(len(found)) if inside[i] and not inside[i - 1]), 0)
    walk = [squares[v] for v in [*found[turn:], *found[:turn]] if v in squares]
    if problem.closed and problem.start is not None:
        turn = walk.index(problem.start)
        walk = walk[turn:] + walk[:turn]
    assert not defects(problem, walk) or not defects(problem, walk[::-1])


def cycle(graph, size):
    """Return a Hamiltonian cycle, by a separate formula with cuts of sub-tours."""
    from pysat.card import CardEnc
    from pysat.solvers import Solver

    number = {frozenset(edge): i for i, edge in enumerate(graph.edges, start=1)}
    top = len(number)
    with Solver(name="cadical195") as solver:
        for vertex in range(1, size + 1):
            own = [number[frozenset((vertex, other))] for other in graph[vertex]]
            if len(own) < 2:
                return None
            two = CardEnc.equals(own, 2, top_id=top)
            top = max(top, two.nv)
            solver.append_formula(two.clauses)
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            chosen = nx.Graph(tuple(edge) for edge, v in number.items() if v in true)
            parts = list(nx.connected_components(chosen))
            if len(parts) == 1:
                return [u for u, _ in nx.find_cycle(chosen)]
            for part in parts:
                solver.add_clause([v for edge, v in number.items() if len(edge & part) == 1])
    return None


@pytest.mark.parametrize("seed", range(12))
def test_tsplib_has_as_many_cycles_as_there_are_tours(seed):
    graph = nx.gnp_random_graph(5, 0.7, seed=seed)
    for ends in ({"closed": True}, {}, {"start": 0}, {"end": 3}, {"start": 4, "end": 1}):
        keys, _, stated = read_tsplib("".join(tsplib_pieces(Problem(graph=graph, **ends))))
        stated.add_nodes_from(range(1, int(keys["DIMENSION"]) + 1))
        cycles = sum(1 for _ in oracle.tours(stated, closed=True, start=1))
        tours = sum(
            1 for _ in oracle.tours(graph, "closed" in ends, ends.get("start"), ends.get("end"))
        )
        # Cycles begin at one vertex and have two directions; a tour with an end has one direction.
        assert cycles == (tours // 5 if "closed" in ends else tours * 2 if ends else tours), ends


def written(tmp_path, digraph):
    """Write a file of the arcs in JSON, with letters as node names."""
    nodes = ", ".join(f'{{"id": "{chr(97 + v)}"}}' for v in digraph)
    arcs = ", ".join(
        f'{{"source": "{chr(97 + u)}", "target": "{chr(97 + v)}"}}' for u, v in digraph.edges
    )
    path = tmp_path / "arcs.json"
    path.write_text(f'{{"directed": true, "nodes": [{nodes}], "edges": [{arcs}]}}', "utf-8")
    return path


@pytest.mark.parametrize("size", [1, 2, 5, 7, 62, 63, 70])
def test_digraph6_comes_back_as_it_was(size):
    rng = random.Random(size)
    digraph = nx.empty_graph(size, create_using=nx.DiGraph)
    while digraph.size() < min(3 * size, size * (size - 1)):
        digraph.add_edge(*(rng.sample(range(size), 2)))
    (text,) = graph6_pieces(Problem(graph=digraph))
    back = read_graph6(text.encode()).graph
    assert text.startswith("&") and back.is_directed() and len(back) == size
    assert {(int(u), int(v)) for u, v in back.edges} == {*digraph.edges}


def test_digraph6_leaves_out_what_is_forbidden(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)]))
    result = kt_cp("export", path, "--closed", "--forbid", "b-a", "-o", tmp_path / "f.d6")
    assert (result.code, result.err) == (0, "")
    back = read_graph6((tmp_path / "f.d6").read_bytes()).graph
    assert {*back.edges} == {("0", "1"), ("1", "2"), ("2", "0")}


@pytest.mark.parametrize("seed", range(4))
def test_tsplib_has_a_cycle_where_the_digraph_has_one(kt_cp, tmp_path, seed):
    rng = random.Random(seed)
    digraph = nx.gnp_random_graph(5, 0.45, seed=seed, directed=True)
    closed = rng.random() < 0.5
    path, made = written(tmp_path, digraph), tmp_path / "f.hcp"
    result = kt_cp("export", path, *["--closed"][: 1 if closed else 0], "-o", made)
    assert (result.code, result.err) == (0, "")
    text = made.read_text("ascii")
    assert "TYPE : HCP\n" in text and "COMMENT : vertices 1 to 15: the way in" in text
    there = solve(Problem(graph=digraph, closed=closed), "backtrack").verdict
    assert kt_cp("solve", made, "--engine", "backtrack").code == int(there is not Verdict.FOUND)


def test_a_model_has_the_arcs(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)]))
    result = kt_cp("export", path, "--closed", "--format", "cpsat")
    assert (result.code, result.err) == (0, "")
    arcs = [line.split('"')[1] for line in result.out.splitlines() if "name: " in line]
    assert sorted(arcs) == ["a->b", "b->a", "b->c", "c->a"]


def test_a_formula_is_refused(kt_cp, tmp_path):
    path = written(tmp_path, nx.DiGraph([(0, 1), (1, 2), (2, 0)]))
    result = kt_cp("export", path, "--closed")
    assert (result.code, result.out) == (2, "")
    assert "undirected graph for a formula" in result.err and "tsplib" in result.err


EVERY = [*ENCODING_NAMES, FOR_PROOFS]
KEYS = [
    "name", "variables", "clauses", "literals", "build_seconds", "solver", "summary", "refused",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--open"], Problem(Board(8, 8))),
        (["5x6", "--end", "f2"], Problem(Board(5, 6), end=(1, 5))),
        (["5x6"], Problem(Board(5, 6))),
        (["5x6", "--closed"], Problem(Board(5, 6), closed=True)),
        (["5x6", "--start", "a1", "--end", "f1"], Problem(Board(5, 6), start=(0, 0), end=(0, 5))),
        (["6x6", "--missing", "a1,b1", "--closed"],
         Problem(Board(6, 6, {(0, 0), (0, 1)}), closed=True)),
    ],
)  # fmt: skip
def test_the_sizes_are_those_of_the_formulas(kt_cp, words, problem):
    result = kt_cp("encodings", *words, "--json")
    assert (result.code, result.err) == (0, "")
    rows = json.loads(result.out)
    assert [row["name"] for row in rows] == EVERY
    for row in rows:
        encoding = get_encoding(row["name"])
        cnf = encoding.encode(problem)
        assert list(row) == KEYS
        assert row["variables"] == cnf.variables
        assert row["clauses"] == len(cnf.clauses)
        assert row["literals"] == sum(len(clause) for clause in cnf.clauses)
        assert (row["solver"], row["summary"]) == (encoding.solver, encoding.summary)
        assert row["build_seconds"] >= 0 and row["refused"] is None


def test_what_does_not_take_a_condition_says_so(kt_cp):
    result = kt_cp("encodings", "3x4", "--given", "a1=1", "--json")
    refused = {row["name"]: row["refused"] for row in json.loads(result.out)}
    assert result.code == 0 and refused["channel"] is None
    assert refused["lazy"] == "the lazy encoding does not take given steps"


def test_the_table(kt_cp):
    result = kt_cp("encodings")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "8x8, open"
    for name in EVERY:
        numbers, _ = [line for line in lines if line.split()[:1] == [name]]
        assert f"{len(get_encoding(name).encode(Problem(Board(8, 8))).clauses):,}" in (
            numbers.split()
        )
        assert f" {name} {get_encoding(name).summary} " in " ".join([*result.out.split(), ""])
    assert max(map(len, lines)) <= 80


def test_what_is_too_large_says_so(kt_cp, monkeypatch):
    board = "1000000000000x1000000000000"
    rows = json.loads(kt_cp("encodings", board, "--json").out)
    assert [row["name"] for row in rows] == EVERY
    for row in rows:
        assert row["clauses"] is row["variables"] is row["literals"] is row["build_seconds"] is None
        assert "and the limit is" in row["refused"]
    monkeypatch.setattr("kt_cp.encodings.cnf.MOST_CLAUSES", 20_000)
    result = kt_cp("encodings", "9x9", "--open")
    assert result.code == 0
    (line,) = [line for line in result.out.splitlines() if line.startswith("  position ")]
    assert "9x9, open: the position encoding would have about" in line


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["1x2"], ["1x2, open: expected at least 3 squares, got 2"]),
        (["0x8"], ["expected a board"]),
        (["8x8", "--closed", "--end", "a1"], ["expected no end, got a1"]),
        (["8x8", "--start", "z9"], ["expected start"]),
        (["8x8", "--missing", "??"], ["expected squares"]),
        (["8x8", "9x9"], ["9x9"]),
    ],
)
def test_encodings_bad_input(kt_cp, words, messages):
    refused(kt_cp("encodings", *words), *messages)


def test_a_digraph_is_refused_once(kt_cp, tmp_path):
    (tmp_path / "d.d6").write_bytes(b">>digraph6<<&BP_\n")
    result = kt_cp("encodings", tmp_path / "d.d6")
    refused(result, "d.d6 with 3 nodes and 3 arcs, open: expected a board or an undirected graph")


# --- pseudo-Boolean formulas ----------------------------------------------------------------------


def inequalities(text):
    """Return the inequalities of an OPB file: coefficients by variable, and the bound."""
    for line in text.splitlines():
        if not line.startswith("*"):
            *terms, relation, bound, end = line.split()
            assert (relation, end) == (">=", ";")
            pairs = zip(terms[::2], terms[1::2], strict=True)
            yield {int(name[1:]): int(factor) for factor, name in pairs}, int(bound)


@pytest.mark.parametrize("name", ENCODING_NAMES)
def test_opb_is_the_formula(kt_cp, tmp_path, name):
    cnf, opb = tmp_path / "f.cnf", tmp_path / "f.opb.gz"
    for path in (cnf, opb):
        assert kt_cp("export", "3x4", "--encoding", name, "-o", path).code == 0
    formula, text = CNF(from_file=str(cnf)), gzip.decompress(opb.read_bytes()).decode()
    head = f"* #variable= {formula.nv} #constraint= {len(formula.clauses)}"
    assert text.splitlines()[0] == head
    made = [*inequalities(text)]
    assert len(made) == len(formula.clauses)
    for clause, (factors, bound) in zip(formula.clauses, made, strict=True):
        assert factors == {abs(each): 1 if each > 0 else -1 for each in clause}
        assert bound == 1 - sum(each < 0 for each in clause)


def test_the_answer_of_a_pseudo_boolean_solver_is_decoded(kt_cp, tmp_path):
    cnf, answer = tmp_path / "f.cnf", tmp_path / "answer"
    assert kt_cp("export", "3x4", "--encoding", "position", "-o", cnf).code == 0
    words = " ".join(f"x{each}" if each > 0 else f"-x{-each}" for each in solved(cnf))
    answer.write_text(f"c by a test\ns SATISFIABLE\nv {words}\n")
    result = kt_cp("decode", cnf, answer, "--format", "names")
    assert result.code == 0 and not defects(Problem(Board(3, 4)), parse_squares(result.out))


def test_what_opb_cannot_hold_is_refused(kt_cp, tmp_path):
    tours = tmp_path / "tours.txt"
    assert kt_cp("enumerate", "3x4", "-o", tours).code == 0
    options = ("--encoding", FOR_PROOFS, "--tours", tours, "--format", "opb")
    refused(kt_cp("export", "3x4", *options), "--tours: expected dimacs")


def test_advice_is_of_this_command(kt_cp):
    result = kt_cp("export", "60x60", "--encoding", "position")
    refused(result, "the limit is 8,000,000: use --encoding lazy")
    result = kt_cp("export", "2000x2000", "--encoding", "lazy")
    assert result.code == 2 and "--engine" not in result.err


def test_formats_by_their_suffix_and_the_remark_on_a_formula(kt_cp, tmp_path):
    assert (
        kt_cp("export", "3x4", "--format", "g6").out
        == kt_cp("export", "3x4", "--format", "graph6").out
    )
    result = kt_cp("export", "6x6", "-o", tmp_path / "f.cnf")
    assert "encoding lazy; a model may have several cycles" in result.err
    result = kt_cp("export", "6x6", "--encoding", "position", "-o", tmp_path / "p.cnf")
    assert result.err.endswith("encoding position\n")
