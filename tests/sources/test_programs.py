"""The five source programs, compared with recursions written afresh."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from kt_cp import Board, Problem, Verdict, defects
from kt_cp.model.errors import (
    BoardError,
    InputError,
    SquareError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.sources import run as run_module
from kt_cp.sources.numbered_board import Tour, corner_edges, missing_corner_edges
from kt_cp.sources.registry import (
    COORDINATES,
    SOURCES,
    answer_text,
    find_source,
    parse_at,
    tour_text,
)
from kt_cp.sources.run import Recursion, run_source
from kt_cp.sources.structured import divide_and_conquer, structured_tour
from tests.examples.structured_tours import assert_numbered, closed_tour_without, corner_moves
from tests.support.command_line import DATA, printed_matrices

NUMBERS = [source.number for source in SOURCES]

# As the documents list them, in their own axes: 000 and 001 go along x, to the right, first.
MOVES = {
    "000": [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)],
    "001": [(1, 2), (2, 1), (1, -2), (2, -1), (-1, 2), (-2, 1), (-1, -2), (-2, -1)],
    "002": [(-1, -2), (1, -2), (2, -1), (2, 1), (-2, -1), (-2, 1), (-1, 2), (1, 2)],
    "003": [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)],
    "004": [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)],
}
FIRST = {"000": 0, "001": 1, "002": 1, "003": 1, "004": 0}
X_FIRST = {"000", "001"}


class Naive:
    """A document's recursion in its own coordinates, through all tours."""

    def __init__(self, document, rows, columns):
        self.document = document
        self.sides = (columns, rows) if document in X_FIRST else (rows, columns)
        self.placed = 0

    def onward(self, at):
        first = FIRST[self.document]
        return [
            (at[0] + a, at[1] + b)
            for a, b in MOVES[self.document]
            if 0 <= at[0] + a - first < self.sides[0] and 0 <= at[1] + b - first < self.sides[1]
        ]

    def tours(self, path):
        self.placed += 1
        if len(path) == self.sides[0] * self.sides[1]:
            yield path
            return
        moves = self.onward(path[-1])
        if self.document == "003":
            moves.sort(key=lambda square: len(self.onward(square)))
        for square in moves:
            if square not in path:
                yield from self.tours([*path, square])

    def printed(self, path):
        """Return the output of the document's program for a path, without the headings."""
        (width, height), first = self.sides, FIRST[self.document]
        steps = {square: step for step, square in enumerate(path, start=1)}
        if self.document == "000":
            return "".join(f"{x}, {y}\n" for x, y in path[::-1])
        if self.document == "001":
            rows = [[steps[x + 1, y] for x in range(width)] for y in range(height, 0, -1)]
            return "".join("".join(f"{step:5}" for step in row) + "\n\n" for row in rows)
        rows = [[steps[a + first, b + first] for b in range(height)] for a in range(width)]
        if self.document == "002":
            letters = "abcdefgh"
            return " ".join(f"{letters[column - 1]}{row}" for row, column in path) + "\n"
        if self.document == "003":
            return "".join(" ".join(f"{step:2}" for step in row) + "\n" for row in rows)
        return "".join("".join(f"{step} " for step in row) + "\n" for row in rows)


def run_program(document, rows, columns, at, recursion=None, most=1):
    """Tours, and the account, of a source from its own coordinates."""
    source, board = find_source(document), Board(rows, columns)
    start = parse_at(source, board, f"{at[0]},{at[1]}")
    problem = Problem(board, start=start)
    tours = []

    def on_tour(squares):
        tours.append(squares)
        return len(tours) == most

    return problem, tours, run_source(source, problem, on_tour, recursion=recursion)


# Starts in the documents' own coordinates, off the middle row and column, from which the naive
# recursion does not take long.
STARTS = {
    (5, 5): {"000": (0, 4), "001": (5, 1), "002": (1, 5), "003": (2, 4), "004": (4, 4)},
    (4, 5): {"000": (1, 0), "001": (5, 3), "002": (2, 1), "003": (4, 2), "004": (0, 3)},
    (5, 4): {"000": (0, 3), "001": (1, 2), "002": (4, 1), "003": (2, 1), "004": (4, 2)},
}
CASES = [
    (document, *sides, starts[document])
    for sides, starts in STARTS.items()
    for document in NUMBERS
] + [
    (document, 3, 4, (first + a, first + b))
    for document, first in FIRST.items()
    for a, b in ([(a, b) for b in range(3) for a in range(4)] if document in X_FIRST
                 else [(a, b) for a in range(3) for b in range(4)])
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("document", "rows", "columns", "at"), CASES)
def test_first_tour_as_the_document_runs_it(document, rows, columns, at):
    naive = Naive(document, rows, columns)
    path = next(naive.tours([at]), None)
    source = find_source(document)
    for recursion in Recursion:
        problem, tours, account = run_program(document, rows, columns, at, recursion)
        assert account.recursion is recursion
        assert account.placed == naive.placed
        assert account.exhausted is (path is None)
        if path is None:
            assert (tours, account.verdict) == ([], Verdict.IMPOSSIBLE)
            assert account.taken_back == account.placed
            continue
        assert account.placed - account.taken_back == rows * columns
        assert [COORDINATES[document].of(square) for square in tours[0]] == path
        text = tour_text(source, problem.board, tours[0])
        assert text.rstrip("\n") == naive.printed(path).rstrip("\n")
        answer = answer_text(source, problem.board, problem.start, tours[0])
        assert naive.printed(path) in answer or (document, answer) == ("002", "TRUE\n")


def test_the_cases_hold_both_answers_for_every_source():
    for document in NUMBERS:
        answers = {
            next(Naive(document, 3, 4).tours([at]), None) is None
            for name, rows, _, at in CASES
            if (name, rows) == (document, 3)
        }
        assert answers == {True, False}


@pytest.mark.parametrize("document", NUMBERS)
@pytest.mark.parametrize("recursion", [None, *Recursion])
def test_every_tour_in_order(document, recursion):
    naive = Naive(document, 3, 4)
    first = FIRST[document]
    expected = list(naive.tours([(first, first)]))
    _, tours, account = run_program(document, 3, 4, (first, first), recursion, most=None)
    assert [[COORDINATES[document].of(square) for square in tour] for tour in tours] == expected
    assert len(expected) == account.tours > 1
    assert (account.placed, account.taken_back) == (naive.placed, naive.placed)
    assert account.exhausted


@pytest.mark.slow
def test_the_tours_of_004_and_how_many():
    problem, tours, account = run_program("004", 5, 5, (0, 0), Recursion.COMPILED, most=None)
    assert account.tours == len({tuple(tour) for tour in tours}) == 304
    assert not any(defects(problem, tour) for tour in tours)
    _, readable, account = run_program("004", 4, 5, (0, 0), most=None)
    assert account.recursion is Recursion.READABLE
    _, compiled, counted = run_program("004", 4, 5, (0, 0), Recursion.COMPILED, most=None)
    assert compiled == readable
    assert (counted.placed, counted.taken_back) == (account.placed, account.taken_back)


def test_the_tours_that_004_prints():
    four = printed_matrices(DATA / "004-all-5x5-first-four.txt")
    assert len(four) == 4
    _, tours, _ = run_program("004", 5, 5, (0, 0), most=4)
    assert [_matrix(tour, 5) for tour in tours] == four
    # Its example on 8x8 is a tour from the top left corner, and the second that its program finds.
    (example,) = printed_matrices(DATA / "004-all-8x8-one-tour.txt")
    problem, tours, _ = run_program("004", 8, 8, (0, 0), most=2)
    at = {step: (x, y) for x, row in enumerate(example) for y, step in enumerate(row)}
    assert defects(problem, [at[step] for step in sorted(at)]) == []
    assert _matrix(tours[1], 8) == example


def _matrix(tour, side):
    steps = {square: step for step, square in enumerate(tour, start=1)}
    return [[steps[x, y] for y in range(side)] for x in range(side)]


@pytest.mark.parametrize("side", [*range(1, 6), pytest.param(6, marks=pytest.mark.slow)])
def test_002_decides_from_the_lower_left_square(side):
    exists = next(Naive("002", side, side).tours([(1, 1)]), None) is not None
    problem, tours, account = run_program("002", side, side, (1, 1))
    assert (account.verdict is Verdict.FOUND) is exists is (side in (1, 5, 6))
    answer = answer_text(find_source("002"), problem.board, (0, 0), tours[0] if tours else None)
    assert answer == ("TRUE\n" if exists else "FALSE\n")


def test_the_call_of_000():
    problem, tours, _ = run_program("000", 5, 5, (3, 3))
    assert problem.start == (3, 3)
    output = answer_text(find_source("000"), problem.board, (3, 3), tours[0])
    sentence, *path = output.splitlines()
    assert sentence == "A solution has been found"
    assert len(set(path)) == 25
    assert path[-1] == "3, 3"
    # Every pair is two places and one place from the next.
    pairs = [tuple(map(int, line.split(", "))) for line in path]
    for here, there in pairwise(pairs):
        assert sorted(abs(a - b) for a, b in zip(here, there, strict=True)) == [1, 2]


NONE = {
    "000": "No solution was found\n",
    "001": "Start at x = 2\n\nStart at y = 1\n\nno path found\n",
    "002": "FALSE\n",
    "003": "Solved: False\nSteps: 0\n",
    "004": "",
}


@pytest.mark.parametrize("document", NUMBERS)
def test_where_there_is_no_tour(document):
    assert answer_text(find_source(document), Board(5, 5), (0, 1), None) == NONE[document]


def test_missing_squares_are_marked():
    board = Board(3, 4, {(0, 1)})
    tour = [(0, 0), (2, 1)]
    texts = {n: tour_text(find_source(n), board, tour) for n in ("001", "003", "004")}
    up = "    0    2    0    0\n\n    0    0    0    0\n\n    1    .    0    0"
    down = "1 . 0 0\n0 0 0 0\n0 2 0 0"
    blanks = "1 . 0 0 \n0 0 0 0 \n0 2 0 0 "
    assert texts == {"001": up, "003": down, "004": blanks}


def test_the_five_stand_in_every_table():
    assert set(COORDINATES) == set(NUMBERS) == set(MOVES)
    assert [source.name for source in SOURCES] == [
        "boolean",
        "modula",
        "decision",
        "ordered",
        "all",
    ]


# (columns, rows) of a board of 4 rows and 6 columns, as each document counts.
@pytest.mark.parametrize(
    ("document", "inside", "outside", "words"),
    [
        ("000", "5,3", ["6,3", "5,4"], "x,y with x from 0 to 5 and y from 0 to 3"),
        ("001", "6,4", ["0,1", "7,1", "6,5"], "x,y with x from 1 to 6 and y from 1 to 4"),
        ("002", "4,6", ["0,1", "5,1"], "row,column with row from 1 to 4 and column from 1 to 6"),
        ("003", "4,6", ["1,0", "4,7"], "rank,file with rank from 1 to 4 and file from 1 to 6"),
        ("004", "3,5", ["4,5", "3,6"], "x,y with x from 0 to 3 and y from 0 to 5"),
    ],
)
def test_starts_in_the_documents_coordinates(document, inside, outside, words):
    source, board = find_source(document), Board(4, 6)
    assert parse_at(source, board, inside) == (3, 5)
    assert parse_at(source, board, f"({inside})") == (3, 5)
    first = FIRST[document]
    assert parse_at(source, board, f" {first} , {first} ") == (0, 0)
    for text in [*outside, "", "c3", "1", "1,2,3", "-1,1", "1.0,1", "9" * 5000 + ",1", "١,١"]:
        with pytest.raises(SquareError, match=words) as refused:
            parse_at(source, board, text)
        assert f"document {document} counts on the 4x6 board" in str(refused.value)
        assert len(str(refused.value)) < 200


def test_the_compiled_run_goes_on_where_the_readable_one_stopped(monkeypatch):
    _, every, account = run_program("004", 5, 5, (0, 0), Recursion.COMPILED, most=None)
    for budget in (1, 8_839, 8_840, 40_000):
        monkeypatch.setattr(run_module, "READABLE_SQUARES", budget)
        _, tours, own = run_program("004", 5, 5, (0, 0), most=None)
        assert tours == every
        assert own == account
        _, few, own = run_program("004", 5, 5, (0, 0), most=7)
        assert few == every[:7]
        assert own.tours == 7


@pytest.mark.slow
def test_it_stops_when_asked(monkeypatch):
    monkeypatch.setattr(run_module, "READABLE_SQUARES", 5_000)
    problem = Problem(Board(8, 8), start=(0, 0))
    for recursion in (None, *Recursion):
        asked_times = []

        def should_stop(times=asked_times):
            times.append(1)
            return len(times) > 7

        account = run_source(
            find_source("001"), problem, lambda tour: True,
            recursion=recursion, should_stop=should_stop,
        )  # fmt: skip
        assert (account.verdict, account.exhausted) == (Verdict.UNKNOWN, False)
        assert len(asked_times) == 8
        if recursion is Recursion.READABLE:
            assert account.placed == 8_000
        else:
            assert account.recursion is Recursion.COMPILED
            assert account.placed > 900_000


def test_progress_has_the_number_of_squares_placed():
    events = []
    problem = Problem(Board(7, 7), start=(3, 3))
    run_source(find_source("001"), problem, lambda tour: True, progress=events.append)
    counts = [work["squares placed"] for work in events]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert 11_000_000 < counts[-1] < 12_040_482


@pytest.mark.parametrize("recursion", Recursion)
def test_a_wrong_tour_is_never_handed_out(monkeypatch, recursion):
    from kt_cp.sources.registry import Source

    def everywhere(self, problem):
        return lambda square: [other for other in problem.board if other != square]

    monkeypatch.setattr(Source, "candidates", everywhere)
    tours = []
    with pytest.raises(UnsoundEngineError, match=r"source 001 on 3x3.*illegal move"):
        run_source(
            find_source("001"), Problem(Board(3, 3), start=(0, 0)), tours.append,
            recursion=recursion,
        )  # fmt: skip
    assert tours == []


def test_boards_beyond_hope_are_refused():
    problem = Problem(Board(400, 400), start=(0, 0))
    with pytest.raises(TooLargeError, match="100,000 squares, and 400x400"):
        run_source(find_source("003"), problem, lambda tour: True)


MOVES_OF_003 = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)]


# Algorithms 1 to 3


@pytest.mark.parametrize(("ranks", "files"), [(1, 1), (2, 5), (3, 3), (3, 4), (5, 5), (8, 6)])
def test_moves_of_every_square(ranks, files):
    squares = list(product(range(1, ranks + 1), range(1, files + 1)))
    beside = {
        (rank, file): [
            (rank + up, file + right)
            for up, right in MOVES_OF_003
            if (rank + up, file + right) in squares
        ]
        for rank, file in squares
    }
    tour = Tour(ranks, files)
    for square in squares:
        assert tour.find_moves(*square) == beside[square]
        fewest_first = sorted(beside[square], key=lambda other: len(beside[other]))
        assert tour.ordered_moves(*square) == fewest_first


def test_moves_do_not_heed_what_is_visited():
    tour = Tour(5, 5)
    before = tour.ordered_moves(3, 3)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.ordered_moves(3, 3) == before
    assert len(before) == 8


@pytest.mark.parametrize(
    ("ranks", "files", "rank", "file"),
    [(1, 1, 1, 1), (3, 4, 1, 1), (3, 7, 1, 1), (5, 5, 3, 3), (5, 6, 1, 1), (6, 6, 2, 5)],
)
def test_the_recursion_tours(ranks, files, rank, file):
    tour = Tour(ranks, files)
    assert tour.tour(rank, file) == Verdict.FOUND
    assert tour.solved
    assert tour.steps == tour.size == ranks * files
    problem = Problem(Board(ranks, files), start=(rank - 1, file - 1))
    assert defects(problem, tour.squares) == []
    assert_numbered(tour)
    assert tour.placed - tour.taken_back == tour.size


@pytest.mark.parametrize(
    ("ranks", "files", "rank", "file"), [(1, 2, 1, 1), (3, 3, 1, 1), (3, 4, 1, 2), (4, 4, 2, 2)]
)
def test_failure_leaves_the_board_empty(ranks, files, rank, file):
    tour = Tour(ranks, files)
    assert tour.tour(rank, file) == Verdict.IMPOSSIBLE
    assert not tour.solved
    assert not tour.closed
    assert (tour.steps, tour.path) == (0, [])
    assert tour.board == [[0] * files for _ in range(ranks)]
    assert tour.placed == tour.taken_back > 0


def test_a_run_forgets_the_one_before():
    tour = Tour(3, 4)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.tour(1, 2) == Verdict.IMPOSSIBLE
    assert (tour.steps, tour[1, 1]) == (0, 0)
    assert tour.tour(2, 4) == Verdict.FOUND
    assert (tour.path[0], tour[2, 4], tour.steps) == ((2, 4), 1, 12)


def test_budget_and_stop_of_the_recursion():
    tour = Tour(7, 7)
    assert tour.tour(1, 1, budget=500) == Verdict.UNKNOWN
    assert (tour.placed, tour.steps) == (500, 0)
    assert tour.tour(1, 1, should_stop=lambda: True) == Verdict.UNKNOWN
    assert tour.placed == 1000


def test_a_path_is_followed_only_if_it_is_one():
    assert_numbered(Tour.along(3, 3, [(1, 1), (3, 2), (1, 3)]))
    with pytest.raises(SquareError, match=r"knight's move, got \(1, 1\) to \(2, 2\)"):
        Tour.along(3, 3, [(1, 1), (2, 2)])
    with pytest.raises(SquareError, match=r"not visited yet, got \(1, 1\) twice"):
        Tour.along(3, 3, [(1, 1), (3, 2), (1, 1)])
    with pytest.raises(SquareError, match=r"3x3 board .* got \(5, 2\)"):
        Tour.along(3, 3, [(3, 1), (5, 2)])


@pytest.mark.parametrize("sides", [(0, 5), (5, 0), (-1, 5), (2.0, 5), (True, 5), ("5", 5)])
def test_sides_that_are_none(sides):
    for make in (Tour, structured_tour, divide_and_conquer):
        with pytest.raises(BoardError, match=r"expected .* got"):
            make(*sides)


@pytest.mark.parametrize("square", [(0, 1), (1, 0), (4, 1), (1, 5), (-1, 1), (1.0, 1), ("1", 1)])
def test_squares_off_the_board(square):
    tour = Tour(3, 4)
    for ask in (tour.find_moves, tour.ordered_moves, tour.tour):
        with pytest.raises(SquareError, match=r"expected a square of the 3x4 board .* got"):
            ask(*square)
    with pytest.raises(SquareError):
        tour[square]
    assert issubclass(SquareError, InputError)


@pytest.mark.parametrize("edge", corner_edges(6, 6), ids=str)
def test_a_closed_tour_need_not_be_structured(edge):
    tour = closed_tour_without(*edge)
    assert tour.closed
    assert not tour.structured
    assert edge in missing_corner_edges(tour)
    moves = zip(tour.path, tour.path[1:] + tour.path[:1], strict=True)
    lacking = corner_moves(6, 6) - {frozenset(move) for move in moves}
    assert {frozenset(move) for move in missing_corner_edges(tour)} == lacking


def test_an_open_tour_is_not_closed():
    tour = Tour(3, 4)
    assert tour.tour(1, 1) == Verdict.FOUND
    assert tour.solved
    assert not tour.closed
    assert not tour.structured
