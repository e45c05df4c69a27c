"""Tours by their numbers: a bijection for all problems, and uniform draws."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest

from kt_cp import Enumeration, Problem, defects
from kt_cp.counting import tour_numbering
from kt_cp.counting.tour_numbering import Numbering, draw_numbers, sample
from kt_cp.model.errors import (
    EngineNameError,
    InputError,
    NotTakenError,
    NumberError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.problem import as_problem
from kt_cp.processes.executors import WorkerEndedError
from tests.support.exhaustive import more
from tests.support.fakes import Failing

DIGRAPH = nx.gnp_random_graph(6, 0.6, seed=3, directed=True)
QUESTIONS = [
    ("1x1", {}),
    ("3x4", {}),
    ("3x4", {"start": "c1"}),
    ("3x4", {"end": "a1"}),
    ("4x5", {"start": "e4", "end": "a1"}),
    ("5x6", {"closed": True}),
    ("5x6", {"closed": True, "start": "d3", "require": ["a1-b3"]}),
    ("3x4", {"given": {"a1": 3}}),
    ("5x6", {"closed": True, "given": {"d3": 4}}),
    ("3x4", {"surface": "torus", "piece": "wazir", "closed": True, "forbid": ["a1-a2", "c2-c3"]}),
    ("3x4", {"missing": "a1", "piece": "king", "start": "a2", "symmetry": "top-bottom"}),
    (nx.petersen_graph(), {}),
    (nx.relabel_nodes(nx.complete_graph(5), dict(enumerate("vwxyz"))), {"closed": True}),
    (DIGRAPH, {}),
    (DIGRAPH, {"closed": True, "start": 4}),
]


def edges(problem, tour):
    """Return the moves of a tour, in any order of writing."""
    moves = [*pairwise(tour)]
    moves += [(tour[-1], tour[0])] * problem.closed
    return frozenset(moves if problem.directed else map(frozenset, moves))


def another_way(problem, tour):
    """Return the tour in another sequence that the problem allows, or the same."""
    if problem.start is not None or problem.end is not None or problem.conditions:
        return tour
    third = len(tour) // 3 if problem.closed else 0
    turned = tour[third:] + tour[:third]
    return turned if problem.directed else turned[::-1]


def a_bijection(problem, method="auto"):
    tours = Numbering(problem, method)
    everything = Enumeration(problem, directed=False)
    expected = {edges(problem, tour.squares) for tour in everything}
    found = set()
    for number, tour in enumerate(tours):
        assert not defects(problem, tour)
        assert tours.index(tour) == number
        found.add(edges(problem, tour.squares))
        assert tours.index(another_way(problem, tour.squares)) == number
    assert found == expected and len(tours) == tours.size == len(expected)
    return tours.size


@pytest.mark.parametrize(("board", "conditions"), QUESTIONS, ids=str)
def test_a_bijection_onto_all_tours(board, conditions):
    problem = as_problem(board, conditions)
    assert a_bijection(problem) == Enumeration(problem, directed=False).count()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "closed", "tours", "method"),
    [
        ("5x5", False, 864, "enumerate"),
        *more([], [("5x5", False, 864, "dense"), ("6x6", True, 9862, "enumerate")]),
    ],
    ids=str,
)
def test_a_bijection_onto_many(sides, closed, tours, method):
    assert a_bijection(Problem(sides, closed=closed), method) == tours


def test_how_tours_are_written():
    """A tour begins at the first square, and continues to the smaller of its two neighbours."""
    for tour in Numbering("5x6", closed=True):
        assert tour[0] == (0, 0) and tour[1] < tour[-1]
    assert all(tour[0] < tour[-1] for tour in Numbering("3x4"))
    assert {tour[0] for tour in Numbering("5x6", closed=True, start="d3")} == {(2, 3)}


def test_as_a_sequence():
    tours = Numbering("3x4")
    assert tours[-1] == tours[len(tours) - 1] == [*tours][-1] and tours[0] == next(iter(tours))
    assert tours.reason is None and repr(tours) == "<Numbering: 8 tours, 3x4, open>"


@pytest.mark.parametrize(
    ("number", "message"),
    [(8, "the number of a tour, from 0 to 7, got 8"), (-9, "got -9"), (10**30, "from 0 to 7")],
)
def test_a_number_out_of_range(number, message):
    with pytest.raises(NumberError, match=message) as raised:
        Numbering("3x4")[number]
    assert isinstance(raised.value, IndexError) and isinstance(raised.value, InputError)


def test_no_number_where_there_is_no_tour():
    tours = Numbering("3x3")
    assert (len(tours), [*tours]) == (0, []) and "b2 has no moves" in tours.reason
    with pytest.raises(NumberError, match=r"there is no tour \(3x3, open\), got 0"):
        tours[0]
    assert Numbering("3x7", start="d2").reason is None


def test_what_is_no_tour_has_no_number():
    tours = Numbering("5x6", closed=True)
    squares = list(tours[2].squares)
    squares[3:5] = squares[4:2:-1]
    with pytest.raises(InputError, match="expected a tour of 5x6, closed, got none: illegal move"):
        tours.index(squares)
    for walk in ([], squares[:-1], ["z9"] * 30):
        with pytest.raises(InputError, match="got none"):
            tours.index(walk)


def test_a_tour_of_another_problem_has_no_number():
    closed = Numbering("5x6", closed=True)
    for other in (Numbering("5x6")[0], Numbering("3x4")[1]):
        with pytest.raises(InputError, match="expected a tour of 5x6, closed, got <Tour"):
            closed.index(other)
    from_corner = Numbering("5x6", closed=True, start="a1")
    with pytest.raises(InputError, match="got none: wrong start: c2"):
        from_corner.index(closed[0].squares[1:] + closed[0].squares[:1])


def test_names_of_squares_are_taken():
    tours = Numbering("3x4")
    assert tours.index(tours[5].names) == 5


def test_too_many_to_list(monkeypatch):
    monkeypatch.setattr("kt_cp.counting.enumerate.MOST_LISTED", 7)
    with pytest.raises(TooLargeError, match="expected at most 7 tours to number by listing"):
        Numbering("3x4", "enumerate")


def test_whose_numbers():
    with pytest.raises(EngineNameError, match="a method of counting"):
        Numbering("3x4", "sparse")
    with pytest.raises(NotTakenError, match="the method frontier does not take"):
        Numbering("3x4", "frontier", given={"a1": 1})
    with pytest.raises(InputError, match="expected a store only for the tables of dense, got one"):
        Numbering("3x4", "enumerate", store="folder")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "conditions", "method"),
    [
        ("3x4", {}, "enumerate"),
        ("2x5", {"piece": "king"}, "frontier"),
        ("3x4", {"piece": "king", "start": "a1", "end": "d3"}, "enumerate"),
        ("4x5", {}, "dense"),
    ],
    ids=str,
)
def test_the_problem_alone_says_whose_numbers(monkeypatch, sides, conditions, method):
    """Few tours are listed; otherwise dense precedes frontier."""
    monkeypatch.setattr(tour_numbering, "SOON_LISTED", 500)
    monkeypatch.setattr(tour_numbering, "SMALL", 12)
    problem = as_problem(sides, conditions)
    assert Numbering(problem).method == method and a_bijection(problem) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("board", "conditions"), QUESTIONS, ids=str)
def test_frontier_gives_a_bijection_too(board, conditions):
    problem = as_problem(board, conditions)
    if tour_numbering.can_number("frontier", problem):
        assert a_bijection(problem, "frontier") == Enumeration(problem, directed=False).count()


def test_progress_may_end_it():
    events = []

    def progress(work):
        events.append(work)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Numbering("5x6", progress=progress)
    assert "tours" in events[0]


class Fake:
    """Tables of more tours than a machine integer can count, all equal."""

    size = 2**70

    def __init__(self, walk):
        self.walk = walk

    def tour(self, _):
        return self.walk


def faked(monkeypatch, walk):
    monkeypatch.setattr(tour_numbering, "_make_tables", lambda *_: ("fake", Fake(walk)))
    return Numbering("3x4")


def test_numbers_of_any_size(monkeypatch):
    tours = faked(monkeypatch, [0, 9, 2, 4, 11, 5, 3, 10, 1, 8, 6, 7])
    with pytest.raises(OverflowError):
        len(tours)
    numbers = draw_numbers(tours, 50, 1)
    assert max(numbers) > 2**66 and all(0 <= number < 2**70 for number in numbers)


def test_what_a_method_gives_is_judged(monkeypatch):
    tours = faked(monkeypatch, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    with pytest.raises(
        UnsoundEngineError, match="fake gave no tour of 3x4, open for number 5: ill"
    ):
        tours[5]


def test_draws_are_uniform():
    """Chi-square over 8 tours exceeds 26 for one seed in two thousand; these seeds are fixed."""
    problem = Problem("5x6", closed=True)
    tours = sample(problem, 200, seed=7)
    counts = Counter(tour.squares for tour in tours)
    assert len(counts) == 8
    assert sum((count - 25) ** 2 / 25 for count in counts.values()) < 26
    assert tours[:9] == sample(problem, 9, seed=7) != sample(problem, 9, seed=8)


@pytest.mark.slow
def test_10_000_draws_of_5x5_are_uniform():
    """Chi-square over the 864 tours, within three standard deviations."""
    tours = Numbering("5x5", "enumerate")
    every = [tour.squares for tour in tours]
    counts = Counter(every[number] for number in draw_numbers(tours, 10_000, 1))
    expected = 10_000 / 864
    squares = sum((count - expected) ** 2 / expected for count in counts.values())
    squares += (864 - len(counts)) * expected
    assert len(set(every)) == 864
    assert abs(squares - 863) / (2 * 863) ** 0.5 < 3


def test_nothing_to_draw():
    assert sample("3x3", 0) == []
    with pytest.raises(InputError, match="expected a problem with a tour to draw, got 3x3, open"):
        sample("3x3", 1)
    with pytest.raises(InputError, match="expected to draw 0 tours or more, got -1"):
        sample("3x4", -1)


def test_workers_make_tables_of_their_own():
    tours = Numbering("5x6", closed=True)
    there = pickle.loads(pickle.dumps(tours))
    assert there is not tours and [*there] == [*tours]
    assert pickle.loads(pickle.dumps(there)) is there  # once in a process
    deaths = [WorkerEndedError("killed"), None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    assert sample("5x6", 120, 3, closed=True, executor=executor) == sample(
        "5x6", 120, 3, closed=True
    )
    assert executor.sent == 4
