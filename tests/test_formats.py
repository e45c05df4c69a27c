"""Formats: what is written can be read, by people and by programs."""

from __future__ import annotations

import csv
import io
import json
import sys

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Board, Outcome, Problem, Tour, Verdict, solve
from kt_cp.board import file_name, parse_squares
from kt_cp.errors import TourFileError
from kt_cp.formats.csv import tour_csv
from kt_cp.formats.grid import HOLE, tour_grid
from kt_cp.formats.json import outcome_document, outcome_json
from kt_cp.formats.names import tour_names
from kt_cp.formats.read import Claim, read_tour
from kt_cp.formats.write import BY_SUFFIX, Format, written
from kt_cp.outcome import Checks

# --- reading back what was written ----------------------------------------------------------------


@st.composite
def walks(draw):
    """A board with some missing squares, and all others in any order at all."""
    rows, columns = draw(st.integers(1, 30)), draw(st.integers(1, 30))
    rectangle = [(row, column) for row in range(rows) for column in range(columns)]
    kept = draw(st.integers(max(1, len(rectangle) - 20), len(rectangle)))
    order = draw(st.randoms(use_true_random=False)).sample(rectangle, len(rectangle))
    return Board(rows, columns, frozenset(order[kept:])), order[:kept]


@given(walks())
def test_a_grid_reads_back(walk):
    board, squares = walk
    assert read_tour(tour_grid(board, squares)) == Claim(squares, board)


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
    claim = Claim(squares, board, closed)
    assert read_tour(outcome_json(outcome)) == claim
    assert read_tour(outcome_json(outcome, indent=None)) == claim
    assert read_tour(json.dumps(outcome_document(outcome)["tour"])) == Claim(squares)


@given(walks())
def test_names_and_csv_read_back(walk):
    board, squares = walk
    tour = Tour(squares, board=board)
    assert read_tour(tour_names(tour)) == Claim(squares)
    assert read_tour(tour_csv(tour)) == Claim(squares)
    assert read_tour(tour_csv(tour).replace("\n", "\r\n")) == Claim(squares)


def test_ends_read_back():
    problem = Problem(Board(5, 6), start=(0, 0), end=(0, 5))
    claim = read_tour(outcome_json(solve(problem)))
    assert (claim.start, claim.end) == ((0, 0), (0, 5))


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
)


FIELDS = ("rows", "columns", "missing", "closed", "start", "end", "nodes")
PROBLEM = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, JSON))
OUTCOME = st.fixed_dictionaries({"problem": PROBLEM}, optional={"tour": JSON, "verdict": JSON})


@given(st.lists(JSON) | OUTCOME)
def test_any_json(document):
    try:
        read_tour(json.dumps(document))
    except TourFileError as error:
        assert len(str(error)) < 300


# --- reading what others write --------------------------------------------------------------------

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
    ("{", "line 1: not complete JSON"),
    ('{"problem": {\n"rows": 3,', "line 2: not complete JSON"),
    ("{}", "expected an outcome with a 'problem' object"),
    ('{"problem": []}', "expected an outcome with a 'problem' object"),
    ('{"problem": {}, "verdict": "IMPOSSIBLE"}', "holds no tour: its verdict is \"IMPOSSIBLE\""),
    ('{"problem": {"nodes": []}, "tour": []}', "a graph without a board"),
    ('{"problem": {"rows": 3}, "tour": []}', "expected 'columns' to be a whole number, got null"),
    ('{"problem": {"rows": 3, "columns": "4"}, "tour": []}', "'columns' to be a whole number"),
    ('{"problem": {"rows": true, "columns": 4}, "tour": []}', "'rows' to be a whole number"),
    ('{"problem": {"rows": 0, "columns": 4}, "tour": []}', "expected rows to be a whole number"),
    ('{"problem": {"rows": 3, "columns": 4, "closed": 1}, "tour": []}', "'closed' to be true or"),
    ('{"problem": {"rows": 3, "columns": 4, "start": 5}, "tour": []}', "start: expected a square"),
    ('{"problem": {"rows": 3, "columns": 4, "missing": ["z9"]}, "tour": []}', "missing squares on"),
    ('{"problem": {"rows": 3, "columns": 4, "missing": "a1"}, "tour": []}', "expected a list"),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": "a1"}', 'of squares, got "a1"'),
    ('{"problem": {"rows": 3, "columns": 4}, "tour": {"a": 1}}', "got an object of 1"),
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
    assert [row["square"] for row in rows] == list(graph)
    assert rows[0]["row"] == ""


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
    assert list(impossible["evidence"]) == ["kind", "text"]
    assert document == outcome_document(outcome)


def test_the_tour_is_one_line_of_json():
    text = outcome_json(solve(Problem(Board(8, 8))))
    (line,) = [line for line in text.split("\n") if '"tour"' in line]
    assert len(json.loads(line.strip().removeprefix('"tour": ').removesuffix(","))) == 64


def test_json_of_a_general_graph():
    graph = nx.cycle_graph(5)
    document = json.loads(outcome_json(solve(Problem(graph=graph, closed=True, start=2))))
    assert sorted(document["problem"]) == ["closed", "edges", "end", "nodes", "start"]
    assert document["problem"]["nodes"] == ["0", "1", "2", "3", "4"]
    assert (document["tour"][0], document["problem"]["start"]) == ("2", "2")
    strange = nx.cycle_graph(["\0", '"tour": null', "c"])
    document = json.loads(outcome_json(solve(Problem(graph=strange, closed=True))))
    assert sorted(document["tour"]) == sorted(strange)
    assert document["problem"]["nodes"] == list(strange)


def test_checks_are_true_false_or_null_with_a_reason():
    outcome = solve(Problem(Board(8, 8)))
    document = outcome_document(outcome)
    for check in ("verified", "replayed", "agrees"):
        assert document[check] is True or (document[check] is None and document["remarks"][check])
    bare = Outcome(Verdict.UNKNOWN, Problem(Board(8, 8)), "x", reason="why", checks=Checks())
    assert outcome_document(bare)["verified"] is None


def test_written():
    # A still picture and a moving one end with .svg both.
    assert set(BY_SUFFIX.values()) == set(Format) - {Format.ANIMATION}
    outcome = solve(Problem(Board(3, 4)))
    for shape in Format:
        text = written(outcome, shape)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
    without = solve(Problem(Board(3, 3)))
    assert '"IMPOSSIBLE"' in written(without, Format.JSON)
    for shape in set(Format) - {Format.JSON}:
        with pytest.raises(ValueError, match=f"expected a tour to write as {shape.value}"):
            written(without, shape)
    graph = solve(Problem(graph=nx.cycle_graph(5)))
    assert sorted(written(graph, Format.NAMES).split()) == list("01234")
    for shape in (Format.GRID, Format.SVG, Format.ANIMATION):
        with pytest.raises(ValueError, match="on a board"):
            written(graph, shape)
