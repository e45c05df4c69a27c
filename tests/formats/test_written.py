"""Formats: what is written can be read, by people and by programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, Outcome, Problem, Tour, Verdict, count, solve
from kt_cp.formats.read import Claim, read_tour
from kt_cp.formats.table import BINARY, FORMATS, HOLE, Format, Subject, format_of_path, formats_of
from kt_cp.formats.write import outcome_json, outcome_text, tour_csv, tour_grid, tour_names
from kt_cp.model.board import file_name
from kt_cp.model.document import problem_document
from kt_cp.model.errors import ProblemError, TourFileError
from kt_cp.model.outcome import Checks
from tests.support.exhaustive import more

# --- reading back what was written ----------------------------------------------------------------


@st.composite
def walks(draw):
    """A board with some missing squares, and all others in any order at all."""
    rows, columns = draw(st.integers(1, 30)), draw(st.integers(1, 12))
    rectangle = [(row, column) for row in range(rows) for column in range(columns)]
    kept = draw(st.integers(max(1, len(rectangle) - 20), len(rectangle)))
    order = draw(st.randoms(use_true_random=False)).sample(rectangle, len(rectangle))
    return Board(rows, columns, frozenset(order[kept:])), order[:kept]


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
    assert list(impossible["evidence"]) == ["kind", "text", "certificate"]


def test_the_tour_is_one_line_of_json():
    text = outcome_json(solve(Problem(Board(8, 8))))
    (line,) = [line for line in text.split("\n") if '"tour"' in line]
    assert len(json.loads(line.strip().removeprefix('"tour": ').removesuffix(","))) == 64


def test_json_of_a_general_graph():
    graph = nx.cycle_graph(5)
    document = json.loads(outcome_json(solve(Problem(graph=graph, closed=True, start=2))))
    said = ("closed", "start", "end", "require", "forbid", "given", "symmetry")
    assert list(document["problem"]) == ["nodes", "edges", *said]
    assert document["problem"]["nodes"] == ["0", "1", "2", "3", "4"]
    assert (document["tour"][0], document["problem"]["start"]) == ("2", "2")
    strange = nx.cycle_graph(["\0", '"tour": null', "c"])
    document = json.loads(outcome_json(solve(Problem(graph=strange, closed=True))))
    assert sorted(document["tour"]) == sorted(strange)
    assert document["problem"]["nodes"] == list(strange)


def test_checks_are_true_false_or_null_with_a_reason():
    outcome = solve(Problem(Board(8, 8)))
    document = json.loads(outcome_json(outcome))
    for check in ("verified", "replayed", "agrees"):
        assert document[check] is True or (document[check] is None and document["remarks"][check])
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
