"""The recursion on from a given walk, held against the recursion itself."""

from __future__ import annotations

import random

import pytest

from kt_cp import Board, Problem
from kt_cp.model.errors import InputError
from kt_cp.trust.reference import Ending, Trace, search
from kt_cp.trust.reference.trace import GivenRun, walk_steps
from tests.trust.test_reference import random_problem

MOST = 400


def frames(problem, start, *, walk=(), every=False, first=1):
    trace = Trace(problem, start, walk=walk, every=every, first=first, last=MOST)
    return [(each.number, each.placed, each.square, each.path) for each in trace], trace


def named(steps):
    """A walk that makes the given steps: where it goes back, the square that it comes to."""
    path, squares = [], []
    for placed, square in steps:
        if placed:
            path.append(square)
        else:
            path.pop()
        squares += path[-1:]
    return squares


@pytest.mark.parametrize("seed", range(40))
def test_a_walk_that_the_recursion_makes_itself_changes_nothing(seed):
    rng = random.Random(seed)
    problem, start = random_problem(rng)[:2]
    if problem.start not in (None, start):
        problem, start = Problem(Board(4, 4)), (1, 1)
    boards, plain = frames(problem, start, every=True)
    for given in {1, rng.randint(1, len(boards)), rng.randint(1, len(boards))}:
        steps = [(placed, square) for _, placed, square, _ in boards[:given]]
        if not boards[given - 1][3]:
            continue  # back to nothing: a walk has a square at least
        ours, trace = frames(problem, start, walk=named(steps), every=True)
        assert trace.given == given
        assert ours == boards
        assert (trace.ending, trace.tours) == (plain.ending, plain.tours)
        assert (trace.placed, trace.taken_back) == (plain.placed, plain.taken_back)
        later = rng.randint(1, len(boards))
        ours, trace = frames(problem, start, walk=named(steps), every=True, first=later)
        assert ours == boards[later - 1 :]
        assert trace.tours == plain.tours


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("walk", [(), ((0, 0),)])
def test_every_tour_is_counted_on_its_board(closed, walk):
    problem = Problem(Board(3, 4) if not closed else Board(4, 4, surface="torus"), closed=closed)
    start = next(iter(problem.board))
    walk = walk and (start,)
    tours = []

    def on_tour(squares):
        tours.append(tuple(squares))
        return len(tours) == 3

    search(problem, start, on_tour=on_tour)
    shown = []
    trace = Trace(problem, start, walk=walk, every=True)
    for frame in trace:
        if frame.tour:
            assert frame.tour == len(shown) + 1 == trace.tours
            shown.append(frame.path)
            if len(shown) == 3:
                break
    assert shown == tours
    if len(shown) < 3:
        assert (trace.ending, trace.tours) == (Ending.EXHAUSTED, len(tours))


def test_a_move_that_was_tried_on_one_way_is_tried_again_on_another():
    problem = Problem(Board(3, 3))
    # From a1 by c2 and a3; back to c2, a1; then by b3, from where c2's moves are all new.
    trace = Trace(problem, (0, 0), walk=[(0, 0), (1, 2), (2, 0), (0, 0), (2, 1)])
    after = list(trace)[trace.given :]
    assert after[0].path[:3] == ((0, 0), (2, 1), (0, 2))
    assert ((0, 0), (1, 2)) not in [frame.path[:2] for frame in after]
    assert any(frame.path[-2:] == (((1, 2)), (2, 0))[::-1] for frame in after)


def test_a_step_that_is_no_move_is_marked_and_makes_no_tour():
    problem = Problem(Board(3, 4))
    tour = search(problem, (0, 0)).squares
    wrong = [tour[0], *tour[2:], tour[1]]
    shown = list(Trace(problem, (0, 0), walk=wrong, last=12))
    assert [frame.legal for frame in shown[:3]] == [True, False, True]
    assert not any(frame.tour for frame in shown)
    assert list(Trace(problem, (0, 0), walk=tour))[-1].tour == 1


def test_a_walk_must_be_one_of_squares():
    problem = Problem(Board(3, 3, {(1, 1)}))
    for walk, words in (
        ([(0, 0), (1, 1)], "square 2 of the walk: expected one of 3x3 without b2, open, got b2"),
        ([(0, 0), (9, 9)], "got j10"),
        ([(0, 0), (0, 0)], "expected another one than the last, got a1 again"),
        ([None], "square 1 of the walk"),
    ):
        with pytest.raises(InputError) as refused:
            GivenRun(problem, walk)
        assert words in str(refused.value)
    assert walk_steps(problem, []) == []
