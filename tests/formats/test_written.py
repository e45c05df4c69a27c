"""Formats: whatever is written can be read; whatever is malformed is refused in one line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, Outcome, Problem, Tour, Verdict, check, count, defects, prove, solve
from kt_cp.formats import read, table
from kt_cp.formats.read import Claim, SquareList, read_tour
from kt_cp.formats.table import BINARY, FORMATS, HOLE, Format, Subject, format_of_path, formats_of
from kt_cp.formats.write import outcome_json, outcome_text, tour_csv, tour_grid, tour_names
from kt_cp.model.board import file_name, parse_squares
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, ProblemError, TooLargeError, TourFileError
from kt_cp.model.outcome import Checks
from tests.support.exhaustive import more

# --- reading back what was written ----------------------------------------------------------------


@st.composite
def walks(draw):
    """A board with some missing squares, and all others in any order at all."""
    rows, columns = draw(st.integers(1, 30)), draw(st.integers(1, 12))
    rectangle = [(row, column) for row in range(rows) for column in range(columns)]
    size = draw(st.integers(max(1, len(rectangle) - 20), len(rectangle)))
    order = draw(st.randoms(use_true_random=False)).sample(rectangle, len(rectangle))
    return Board(rows, columns, frozenset(order[size:])), order[:size]


@given(walks())
def test_a_grid_reads_back(walk):
    board, squares = walk
    assert read_tour(tour_grid(board, squares)) == Claim(squares, board)


@pytest.mark.slow
@settings(max_examples=more(20, 100))
@given(walks(), st.booleans())
def test_a_grid_without_labels_reads_back(walk, from_zero):
    board, squares = walk
    step = {square: number for number, square in enumerate(squares, start=0 if from_zero else 1)}
    lines = [
        " ".join(str(step.get((row, column), ".")) for column in range(board.columns))
        for row in reversed(range(board.rows))
    ]
    assert read_tour("\n".join(lines)) == Claim(squares, board)


@given(walks(), st.booleans())
def test_json_reads_back(walk, closed):
    board, squares = walk
    outcome = Outcome(
        Verdict.FOUND, Problem(board, closed=closed), "x", tour=Tour(squares, closed, board)
    )
    claim = Claim(squares, problem=outcome.problem)
    assert read_tour(outcome_json(outcome)) == claim
    assert read_tour(json.dumps(json.loads(outcome_json(outcome))["tour"])) == Claim(squares)


@given(walks())
def test_names_and_csv_read_back(walk):
    board, squares = walk
    tour = Tour(squares, board=board)
    assert read_tour(tour_names(tour)) == Claim(squares)
    assert read_tour(tour_csv(tour)) == Claim(squares)
    assert read_tour(tour_csv(tour).replace("\n", "\r\n")) == Claim(squares)


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Board(5, 6), start=(0, 0), end=(0, 5)),
        Problem(Board(5, 6, surface="moebius"), piece="zebra", closed=True, start=(1, 1)),
        Problem(Board(5, 6, {(0, 1)}, "klein"), piece="0,1+1,1", require=[((0, 0), (1, 1))]),
        Problem(Board(5, 6), forbid=[((0, 0), (1, 2)), ((0, 0), (2, 1))]),
        Problem(Board(5, 6), given={(0, 0): 7, (1, 2): 8}, symmetry="half-turn"),
    ],
    ids=lambda problem: problem.label,
)
def test_the_problem_reads_back(problem):
    outcome = Outcome(Verdict.FOUND, problem, "x", tour=problem.tour([(0, 0), (1, 2)]))
    assert read_tour(outcome_json(outcome)) == Claim([(0, 0), (1, 2)], problem=problem)


def test_outcomes_of_before_pieces_and_surfaces_are_read():
    older = {"rows": 3, "columns": 4, "missing": [], "closed": False, "start": None, "end": "d3"}
    claim = read_tour(json.dumps({"problem": older, "tour": ["a1"]}))
    assert claim.problem == Problem(Board(3, 4), end=(2, 3))
    claim = read_tour('{"problem": {"rows": 3, "columns": 4}, "tour": []}')
    assert claim == Claim([], problem=Problem(Board(3, 4)))


@given(st.text())
def test_any_text_is_a_claim_or_refused_in_one_line(text):
    try:
        read_tour(text)
    except TourFileError as error:
        assert len(str(error)) < 300
        assert "\n" not in str(error)


@given(st.binary())
def test_any_bytes(data):
    try:
        read_tour(data)
    except TourFileError as error:
        assert "\n" not in str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**31) | st.floats() | st.text() | st.just("a1"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=9,  # to draw them takes most of the time
)


FIELDS = [*problem_document(Problem(Board(1, 1))), "nodes"]
PROBLEM = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, JSON))
OUTCOME = st.fixed_dictionaries({"problem": PROBLEM}, optional={"tour": JSON, "verdict": JSON})


@pytest.mark.slow
@given(st.lists(JSON) | OUTCOME)
def test_any_json(document):
    try:
        read_tour(json.dumps(document))
    except TourFileError as error:
        assert len(str(error)) < 300


# --- grids for people -----------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [(1, 1), (3, 4), (8, 8), (24, 24), (25, 8), (5, 30), (100, 100)])
def test_grids_are_aligned_and_labelled(sides):
    rows, columns = sides
    board = Board(rows, columns)
    lines = tour_grid(board, list(board)).split("\n")
    both = max(sides) > 24
    files = [line.split() for line in lines if line.split()[0].isalpha()]
    assert files == [[file_name(column) for column in range(columns)]] * (2 if both else 1)
    ranked = [line for line in lines if "│" in line]
    assert [int(line.split("│")[0]) for line in ranked] == list(range(rows, 0, -1))
    if both:
        assert [int(line.split("│")[2]) for line in ranked] == list(range(rows, 0, -1))
    assert len({line.index("│") for line in ranked}) == 1
    # every number ends in the column in which its file's letters end
    ends = [place for place, letter in enumerate(lines[-1] + " ") if letter == " "]
    ends = [place for place in ends if place and lines[-1][place - 1] != " "]
    for line in ranked:
        for place in ends:
            assert line[place - 1].isdigit()
            assert line[place : place + 1] in ("", " ")
    assert all(line == line.rstrip() for line in lines)


def test_a_grid_to_look_at():
    board = Board(3, 4, missing={(1, 1)})
    assert tour_grid(board, [(0, 0), (2, 1), (1, 3)]).split("\n") == [
        "3 │  ·  2  ·  ·",
        "2 │  ·  ·  ·  3",
        "1 │  1  ·  ·  ·",
        "  └────────────",
        "     a  b  c  d",
    ]
    assert HOLE == "·"


# --- the other formats ----------------------------------------------------------------------------


def test_csv_is_csv():
    tour = solve(Problem(Board(3, 4))).tour
    rows = list(csv.DictReader(io.StringIO(tour_csv(tour))))
    assert [(int(row["row"]), int(row["column"])) for row in rows] == list(tour)
    graph = Tour(['a "quoted", node', "b"])
    rows = list(csv.DictReader(io.StringIO(tour_csv(graph))))
    assert [row["node"] for row in rows] == list(graph)
    assert rows[0].keys() == {"step", "node"}


@pytest.mark.parametrize("header", ["step,node", "step,square,row,column"])
def test_csv_of_a_graph_is_read_back(kt_cp, tmp_path, header):
    graph, tour = tmp_path / "g.edges", tmp_path / "t.csv"
    graph.write_text('"New, York" b\nb c\nc "New, York"\n')
    assert kt_cp("solve", graph, "--closed", "-o", tour).code == 0
    text = tour.read_text()
    assert text.startswith("step,node\n")
    tour.write_text(text.replace("step,node", header))  # as versions before 1.0 wrote it
    assert kt_cp("check", tour, "--board", graph, "--closed").code == 0


def test_names_are_ten_a_line():
    tour = solve(Problem(Board(5, 5))).tour
    assert [len(line.split()) for line in tour_names(tour).split("\n")] == [10, 10, 5]


def test_json_keys_are_fixed():
    outcome = solve(Problem(Board(5, 5)))
    document = json.loads(outcome_json(outcome))
    assert list(document) == [
        "schema_version", "problem", "verdict", "tour", "reason", "evidence", "engine",
        "statistics", "verified", "replayed", "agrees", "remarks", "seed", "versions",
    ]  # fmt: skip
    impossible = json.loads(outcome_json(solve(Problem(Board(3, 3)))))
    assert list(impossible) == list(document)
    assert list(impossible["evidence"]) == ["kind", "text", "certificate"]


def test_the_tour_is_one_line_of_json():
    text = outcome_json(solve(Problem(Board(8, 8))))
    (line,) = [line for line in text.split("\n") if '"tour"' in line]
    assert len(json.loads(line.strip().removeprefix('"tour": ').removesuffix(","))) == 64


def test_json_of_a_general_graph():
    graph = nx.cycle_graph(5)
    document = json.loads(outcome_json(solve(Problem(graph=graph, closed=True, start=2))))
    keys = ("closed", "start", "end", "require", "forbid", "given", "symmetry")
    assert list(document["problem"]) == ["nodes", "edges", *keys]
    assert document["problem"]["nodes"] == ["0", "1", "2", "3", "4"]
    assert (document["tour"][0], document["problem"]["start"]) == ("2", "2")
    strange = nx.cycle_graph(["\0", '"tour": null', "c"])
    document = json.loads(outcome_json(solve(Problem(graph=strange, closed=True))))
    assert sorted(document["tour"]) == sorted(strange)
    assert document["problem"]["nodes"] == list(strange)


def test_checks_are_true_false_or_null_with_a_reason():
    outcome = solve(Problem(Board(8, 8)))
    document = json.loads(outcome_json(outcome))
    for key in ("verified", "replayed", "agrees"):
        assert document[key] is True or (document[key] is None and document["remarks"][key])
    bare = Outcome(Verdict.UNKNOWN, Problem(Board(8, 8)), "x", reason="why", checks=Checks())
    assert json.loads(outcome_json(bare))["verified"] is None


def test_the_table_has_a_row_for_every_format():
    assert set(FORMATS) == set(Format)
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(
        row.subjects and row.read_by in (None, "check", "decode", "solve")
        for row in FORMATS.values()
    )
    assert format_of_path(Path("x.JSONL"), Subject.TOURS) is Format.JSON
    for nothing in (None, Path("tour.txt"), Path("svg"), Path("tour.cnf")):
        assert format_of_path(nothing, Subject.TOUR) is None


def test_written():
    with pytest.raises(ValueError, match="expected a format of tours, got dimacs"):
        outcome_text(solve(Problem(Board(3, 4))), Format.DIMACS)
    outcome = solve(Problem(Board(3, 4)))
    for shape in set(formats_of(Subject.TOUR)) - BINARY:
        text = outcome_text(outcome, shape)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
    without = solve(Problem(Board(3, 3)))
    assert '"IMPOSSIBLE"' in outcome_text(without, Format.JSON)
    with pytest.raises(ValueError, match="expected a format of text, got npy"):
        outcome_text(outcome, Format.NPY)
    for shape in set(formats_of(Subject.TOUR)) - {Format.JSON, *BINARY}:
        with pytest.raises(ValueError, match=f"expected a tour to write as {shape.value}"):
            outcome_text(without, shape)
    graph = solve(Problem(graph=nx.cycle_graph(5)))
    assert sorted(outcome_text(graph, Format.NAMES).split()) == list("01234")
    assert outcome_text(graph, Format.SVG).startswith("<svg")
    for shape in (Format.GRID, Format.ANIMATION):
        with pytest.raises(ValueError, match="on a board"):
            outcome_text(graph, shape)


def test_nodes_of_one_text_are_not_mixed_up_in_a_file(tmp_path):
    """Both graphs would be the same file, and the store of one count the answer to the other."""
    one = nx.Graph([(1, 2), ("1", 3), ("1", 4), (2, 3)])
    other = nx.Graph([(1, 2), (1, 3), (1, 4), (2, 3)])
    other.add_node("1")
    assert (count(one).tours, count(other).tours) == (2, 0)
    outcome = solve(one)
    for refused in (
        lambda: outcome_json(outcome),
        lambda: outcome_text(outcome, Format.NAMES),
        lambda: outcome_text(outcome, Format.CSV),
        lambda: count(one, "frontier", store=tmp_path),
    ):
        with pytest.raises(ProblemError, match=r"whose texts differ.* got 1 and '1'"):
            refused()


WALK = parse_squares("a1 b3 c1 a2")


@pytest.mark.parametrize(
    "text",
    [
        "a1 b3 c1 a2",
        "a1,b3,c1,a2",
        "a1, b3;c1\ta2\n",
        "a1-b3-c1-a2",
        "a1 - b3 – c1 — a2",
        "a1->b3=>c1→a2",
        "a1\nb3\nc1\na2\n",
        "a1\r\nb3\r\n\r\nc1\r\na2",
        "\ufeffa1 b3 c1 a2",
        "A1 B3 C1 A2",
        "1,1 3,2 1,3 2,1",
        "1,1\n3,2\n1,3\n2,1\n",
        "1,1; 3, 2; c1 a2",
        "step,square\n1,a1\n2,b3\n3,c1\n4,a2\n",
        "\n\nStep,Square,note\n1,a1,x\n\n2,b3,y\n3,c1,z\n4,a2,\n",
        '["a1", "b3", "c1", "a2"]',
        "[[0, 0], [2, 1], [0, 2], [1, 0]]",
    ],
)
def test_lists(text):
    assert read_tour(text) == Claim(WALK)
    assert read_tour(text.encode()) == Claim(WALK)


@pytest.mark.parametrize(
    "text",
    [
        ". 2 .\n4 . .\n1 . 3",
        "- 2 -\n4 - -\n1 - 3\n",
        "x 2 X\n4 # *\n1 · 3",
        "\n  .   2   .\n\n  4   .   .\n\n  1   .   3\n",
        "3 | . 2 .\n2 | 4 . .\n1 | 1 . 3\n  +------\n    a b c",
        "  a b c\n3 │ · 2 · │ 3\n2 │ 4 · · │ 2\n1 │ 1 · 3 │ 1\n  a b c",
        "| . 2 . |\n| 4 . . |\n| 1 . 3 |",
        "========\n. 1 .\n3 . .\n0 . 2\n========",
    ],
)
def test_grids(text):
    claim = read_tour(text)
    assert claim.squares == WALK
    missing = parse_squares("a3 c3 b2 c2 b1")
    assert claim.board == Board(3, 3, frozenset(missing))


def test_a_rank_of_holes_is_a_rank():
    assert read_tour("1 2\n- -\n").board == Board(2, 2, frozenset({(0, 0), (0, 1)}))


BOARD = '{"problem": {"rows": 3, "columns": 4, %s}, "tour": []}'
MALFORMED = [
    ("", "got an empty file"),
    (" \n\t\n", "got an empty file"),
    ("a1 hello", "line 1: expected squares such as c3,d4; got 'hello'"),
    ("a1\nb3\n\nc0\n", "line 4: expected a square such as c5"),
    ("a1\0b3", "line 1"),
    ("<svg></svg>", "line 1"),
    ("1 2 3\n4 5", "line 2: expected 3 squares as in the first row, got 2"),
    ("1 2\n3 3", "line 2: step 3 stands twice in the grid"),
    ("0 1\n2 0", "line 2: step 0 stands twice in the grid"),
    ("1 2\n3 5", "step 4 is not in the grid, and step 5 is"),
    ("2 3\n4 5", "step 1 is not in the grid, and step 5 is"),
    ("1 2\n3 four", "line 2: expected a step number, got 'four'"),
    ("1 " + "9" * 5000, "line 1: expected a step number, got '999"),
    ("1 │ 1 2 │\n2 │ 3 4 │", "line 1: expected rank 2 beside the bars"),
    ("| 1 | 2 |\n| 3 | 4 |", "line 2: expected rank 1 beside the bars"),
    ("1 | 4 | 7\n", "line 1: expected rank 1 beside the bars"),
    ("│\n│", "expected a grid of step numbers, got none"),
    (". .\n. .", "expected a grid of step numbers, got none"),
    ("step,square\n1,a1\n3,b3", "line 3: expected step 2 and its square, got '3,b3'"),
    ("\nstep,square\n1\n", "line 3: expected step 1 and its square, got '1'"),
    ("step,square\n1,hello", "line 2: expected squares"),
    ("{", "line 1: not valid JSON"),
    ('{"problem": {\n"rows": 3,', "line 2: not valid JSON"),
    ("{}", "expected an outcome with a 'problem' object"),
    ('{"problem": []}', "expected an outcome with a 'problem' object"),
    ('{"problem": {}, "verdict": "IMPOSSIBLE"}', "holds no tour: its verdict is \"IMPOSSIBLE\""),
    ('{"problem": {"nodes": []}, "tour": []}', "the problem makes no sense"),
    ('{"problem": {"rows": 3}, "tour": []}', "expected the key 'columns'"),
    ('{"problem": {"rows": 3, "columns": "4"}, "tour": []}', "expected columns to be a whole"),
    ('{"problem": {"rows": true, "columns": 4}, "tour": []}', "of at least 1, got True"),
    ('{"problem": {"rows": 0, "columns": 4}, "tour": []}', "expected rows to be a whole number"),
    ('{"problem": {"rows": 1%s, "columns": 4}, "tour": []}' % ("0" * 99), "rows from 1 to 1,000"),
    (BOARD % '"closed": 1', "expected closed as true or false, got 1"),
    (BOARD % '"start": 5', "expected start with printable texts, got 5"),
    (BOARD % '"missing": ["z9"]', "missing squares on the 3x4 board, got z9"),
    (BOARD % '"missing": "a1"', "expected missing as a list"),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": "a1"}', 'of squares, got "a1"'),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": {"a": 1}}', "got an object of 1"),
    (BOARD % '"piece": [[0, 0]]', "got 0,0, which leads"),
    (BOARD % '"surface": "ball"', "torus, moebius, klein"),
    (BOARD % '"require": ["a1-b3"]', "expected square and square in require, got 'a1-b3'"),
    (BOARD % '"forbid": [["a1", "b1"]]', "got a1-b1"),
    (BOARD % '"colour": "red"', "'colour' plays no part"),
    ('["a1", 7]', "step 2: expected a square, got 7"),
    ('["a1", [0, 0, 0]]', "step 2: expected a square, got a list of 3"),
    ('["a1", "b99x"]', "step 2: expected a square such as c5"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=lambda value: repr(value[:30]))
def test_malformed(text, message):
    with pytest.raises(TourFileError) as caught:
        read_tour(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


def test_not_utf8():
    with pytest.raises(TourFileError, match="line 3: expected UTF-8 text, got byte 0xff"):
        read_tour(b"a1\nb3\n\xff\n")


@pytest.mark.parametrize("shape", ["{}", '{{"problem": {{"rows": 3, "columns": 3}}, "tour": {}}}',
                                   '{{"problem": {{"closed": {}}}, "tour": []}}'])  # fmt: skip
def test_nesting_of_any_depth(shape):
    # Near the recursion limit reading may succeed, and then showing must not fail.
    limit = sys.getrecursionlimit()
    for depth in (1, 50, *range(limit - 250, limit + 20, 7), 200_000):
        for closing in ("]" * depth, ""):
            with pytest.raises(TourFileError):
                read_tour(shape.format("[" * depth + closing) if depth > 1 else "[[]]")


@pytest.mark.parametrize(
    "text",
    [
        "a1 b3 c1 a2",
        "a1\nb3\nc1\na2",
        "step,square\n1,a1\n2,b3\n3,c1\n4,a2\n",
        '["a1", "b3", "c1", "a2"]',
        "1 2\n3 4",
        "1 2 3 4",
    ],
)
def test_more_squares_than_are_read(monkeypatch, text):
    monkeypatch.setattr(read, "MOST_SQUARES", 4)
    assert len(read_tour(text).squares) == 4
    monkeypatch.setattr(read, "MOST_SQUARES", 3)
    with pytest.raises(TooLargeError, match=r"at most 3 squares as text, got more: .* from .npy"):
        read_tour(text)


@pytest.mark.parametrize(
    ("name", "most", "text", "words"),
    [
        ("MOST_BYTES", 1 << 20, "a1 " * 400_000, "at most 1 MB of text, got 1"),
        ("MOST_LINES", 3, "a1\n\n\nb3\n", "line 4: expected lines of at most"),
        ("LONGEST_LINE", 8, "a1 b3 \na2      b4", "line 2: expected lines of at most"),
        ("MOST_JSON", 10, '["a1","b3"]', "expected a tour of at most"),
        ("MOST_MISSING", 1, "1 .\n. 2", "at most 1 squares of a grid without a number, got 2"),
    ],
)
def test_texts_that_would_take_too_much(monkeypatch, name, most, text, words):
    monkeypatch.setattr(read, name, most)
    with pytest.raises(TooLargeError, match=words):
        read_tour(text)


@pytest.mark.parametrize(
    ("value", "number"), [("[]", 13_000_000), ("{}", 1_500_000), ('"♞"', 3_100_000)]
)
def test_json_of_more_values_than_memory_should_hold_is_not_read(value, number, monkeypatch):
    monkeypatch.setattr(read.json, "loads", lambda _: pytest.fail("it was read"))
    with pytest.raises(TooLargeError):
        read_tour("[" + f"{value}," * number + "1]")


@pytest.mark.parametrize("text", ["[[9223372036854775808, 0]]", "z" * 18 + "1"])
def test_squares_beyond_all_boards(text):
    with pytest.raises(TooLargeError, match=r"expected ranks and files below 2.63, got more"):
        read_tour(text)


def test_a_list_of_squares_is_a_sequence():
    squares = SquareList(WALK)
    assert [squares[place] for place in range(-4, 4)] == WALK + WALK
    assert (squares[1:3], squares[::-1], list(reversed(squares))) == (
        WALK[1:3], WALK[::-1], WALK[::-1],
    )  # fmt: skip
    assert squares == SquareList(WALK)
    assert (squares != WALK[:3], squares != 7, bool(SquareList())) == (True, True, False)
    assert repr(squares).startswith("SquareList([(0, 0), (2, 1)")
    for place in (4, -5):
        with pytest.raises(IndexError):
            squares[place]


@pytest.mark.parametrize("head", ["", "step,square\n"])
def test_too_many_lines_are_refused_before_one_is_read(monkeypatch, head):
    monkeypatch.setattr(read, "MOST_SQUARES", 3)
    monkeypatch.setattr(read, "EDGES", 1)
    with pytest.raises(TooLargeError, match="got more"):
        read.read_tour(head + "nonsense\n" * 5)
    with pytest.raises(TourFileError):  # lines without anything do not count
        read.read_tour(head + "nonsense\n\n \n\n\n")


BEGINS = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".npy": b"\x93NUMPY"}
SUFFIXES = [end for each in formats_of(Subject.TOUR) for end in FORMATS[each].suffixes]


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".txt", ""])
def test_a_tour(tmp_path, suffix):
    outcome, path = solve("5x6", closed=True, start="a1"), tmp_path / f"t{suffix}"
    path.write_text("what stood there")
    outcome.save(path)
    if suffix == ".npy":
        assert np.array_equal(np.load(path), outcome.tour.to_array())
    elif suffix in BEGINS:
        assert path.read_bytes().startswith(BEGINS[suffix])
    else:
        assert tuple(read_tour(path.read_bytes()).squares) == outcome.tour.squares


@pytest.mark.parametrize("suffix", [".json", ".txt", ".svg", ".png", ".pdf"])
def test_a_no(tmp_path, suffix):
    outcome = prove("4x4")
    outcome.save(str(tmp_path / f"no{suffix}"))
    outcome.certificate.save(tmp_path / f"proof{suffix}")
    no, proof = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("no", "proof"))
    if suffix == ".json":
        assert json.loads(no)["verdict"] == "IMPOSSIBLE" and check(proof).kind == "removal"
    else:
        assert no == proof and no.startswith(BEGINS.get(suffix, b"No tour (4x4, open): without"))


def test_a_graph(tmp_path):
    outcome = solve(nx.dodecahedral_graph(), closed=True)
    for suffix in (".json", ".txt", ".csv", ".names", ".svg", ".png"):
        outcome.save(tmp_path / f"g{suffix}")
    assert (tmp_path / "g.txt").read_text() == (tmp_path / "g.names").read_text()
    star = prove(nx.star_graph(3))
    for suffix in (".json", ".txt"):
        star.save(tmp_path / f"s{suffix}")
        star.certificate.save(tmp_path / f"s{suffix}")
    assert check((tmp_path / "s.json").read_text()).kind == "degrees"


def test_what_cannot_be_saved_leaves_no_file(tmp_path, monkeypatch):
    tour, no = solve("5x5"), prove("4x4")
    graph, star = solve(nx.cycle_graph(5)), prove(nx.star_graph(3))
    unknown = Outcome(Verdict.UNKNOWN, tour.problem, "x", reason="the time limit was reached")
    for value, name, message in (
        (tour, "t.foo", r"ends with .*\.png, .*\.npy or \.txt, got 't\.foo'"),
        (tour, "t.cnf", r"got 't\.cnf'"),
        (no, "t.npy", "where there is no tour, got 't.npy'"),
        (no, "t.csv", "where there is no tour, got 't.csv'"),
        (no.certificate, "t.csv", r"ends with .*\.svg, \.png, \.pdf or \.txt, got 't\.csv'"),
        (graph, "t.npy", "expected a tour on a board"),
        (star, "t.svg", "expected a tour, or a board without one, to draw"),
        (star.certificate, "t.png", "expected .json or .txt for a graph"),
        (unknown, "t.txt", "expected .json for an outcome without an answer"),
    ):
        with pytest.raises(InputError, match=message):
            value.save(tmp_path / name)
    assert not [*tmp_path.iterdir()]
    unknown.save(tmp_path / "t.json")
    monkeypatch.setattr(table, "MOST_CONVERTED", 24)
    with pytest.raises(TooLargeError, match="expected at most 24 squares for png, got 25"):
        tour.save(tmp_path / "t.png")
    with pytest.raises(TooLargeError):
        solve("9998x9999", closed=True).save(tmp_path / "t.svg")


def test_pictures_of_a_tour(tmp_path):
    tour = solve("5x5").tour
    assert tour.svg() == tour._repr_svg_() == tour.svg()._repr_svg_()
    assert "<animate" in tour.animation(speed=2) and repr(tour.svg()).startswith("<Picture: SVG of")
    tour.animation().save(tmp_path / "moving.svg")
    assert (tmp_path / "moving.svg").read_text("utf-8") == tour.animation()
    for speed in (0, -1, 61, float("nan")):
        with pytest.raises(InputError, match="expected a speed above 0"):
            tour.animation(speed=speed)
    with pytest.raises(TooLargeError, match="expected at most 4,096 squares"):
        solve("100x100", closed=True).tour.animation()
    with pytest.raises(InputError, match="expected a tour on a board"):
        solve(nx.cycle_graph(5)).tour.animation()
    assert not defects(solve("5x5").problem, tour)


@pytest.mark.parametrize("name", ["t.json", "t.csv", "t.names", "t.txt", "t.svg"])
def test_a_compressed_outcome_is_saved(tmp_path, name):
    outcome = solve("5x5")
    outcome.save(tmp_path / name)
    outcome.save(tmp_path / f"{name}.GZ")
    text, packed = ((tmp_path / each).read_bytes() for each in (name, f"{name}.GZ"))
    assert gzip.decompress(packed) == text
    no = prove("3x3")
    no.certificate.save(tmp_path / "no.json.gz")
    assert check(gzip.decompress((tmp_path / "no.json.gz").read_bytes()).decode())


@pytest.mark.parametrize("name", ["t.png.gz", "t.npy.gz", "t.gif.gz"])
def test_what_is_not_compressed(tmp_path, name):
    with pytest.raises(InputError, match=r"without \.gz|expected a name that ends"):
        solve("5x5").save(tmp_path / name)
    assert not [*tmp_path.iterdir()]
