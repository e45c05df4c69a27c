"""Puzzles judged by all tours of their boards, which are listed without given steps."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import networkx as nx
import pytest

from kt_cp import Enumeration, Problem, Puzzle, defects, make_puzzle
from kt_cp.model.board import Board
from kt_cp.model.limits import Limits
from kt_cp.model.orbits import images
from kt_cp.model.problem import changed
from kt_cp.processes.executors import WorkerEndedError
from kt_cp.puzzles import generator, second_tours
from tests.support.fakes import Failing

QUESTIONS = [
    Problem("3x4"),
    Problem("5x5"),
    Problem("6x6", closed=True),
    Problem("5x6", closed=True, start="c3"),
    Problem("5x5", start="a1"),
    Problem("5x6", start="a1", end="f1"),
    Problem("5x6", closed=True, require=["a1-c2"], forbid=["d4-e2"]),
    Problem(Board(3, 5, missing={(1, 2)}, surface="cylinder"), start="a1"),
    Problem("4x5", piece="wazir"),
    Problem("4x4", piece="wazir", closed=True),
    Problem("3x3", piece="king"),
    Problem("3x3", piece="king", closed=True),
    Problem(Board(4, 4, missing={(0, 3), (1, 3)}), piece="wazir"),
    Problem("5x6", closed=True, given={"c3": 9}),
    Problem("5x5", given={"c3": 25}),
    Problem("1x5", piece="wazir"),
    Problem("2x2", piece="wazir", closed=True),
    Problem("1x1"),
]


@cache
def every_tour(problem):
    """Every tour, by the search on moves, in each direction in which it may be read."""
    found = [list(tour) for tour in Enumeration(changed(problem, given=()))]
    if not problem.closed or problem.size < 2:
        return found
    return [walk for tour in found for walk in (tour, tour[::-1])]


def solutions(problem, given):
    """Tours with the given steps, as their numbers are written: a closed one either way round."""
    fixed = given if problem.start is None else {problem.start: 1, **given}
    found = set()
    for walk in every_tour(problem):
        if problem.closed:
            square, step = next(iter(fixed.items()))
            at = walk.index(square) - step + 1
            walk = walk[at:] + walk[:at]
        if all(walk[step - 1] == square for square, step in fixed.items()):
            found.add(tuple(walk))
    return found


def clues_of(puzzle):
    document = puzzle.problem.conditions
    return {each.square: each.step for each in document if hasattr(each, "step")}


def check_clues(problem, puzzle) -> None:
    """One tour has the clues, and more than one have all of them but any one."""
    clues, asked = clues_of(puzzle), clues_of(Puzzle(problem, puzzle.tour, "easy", 0))
    assert not defects(puzzle.problem, puzzle.tour.squares)
    assert len(solutions(problem, clues)) == 1, puzzle
    assert asked.items() <= clues.items()
    for square in clues.keys() - asked.keys():
        left = {key: step for key, step in clues.items() if key != square}
        if left or not problem.closed or problem.start is not None:
            assert len(solutions(problem, left)) > 1, (puzzle, square)


@pytest.mark.parametrize("problem", QUESTIONS, ids=lambda problem: problem.label)
@pytest.mark.parametrize("by", ["search", pytest.param("sat", marks=pytest.mark.slow)])
def test_one_solution_and_no_needless_clue(problem, by, monkeypatch) -> None:
    if by == "sat":
        monkeypatch.setattr(second_tours, "DECISIONS", 0)
    for seed in range(1 if by == "search" else 2):
        check_clues(problem, make_puzzle(problem, seed=seed))


@pytest.mark.parametrize("problem", QUESTIONS[3:9], ids=lambda problem: problem.label)
def test_from_the_middle_outwards(problem, monkeypatch) -> None:
    monkeypatch.setattr(generator, "SCATTERED", 0)
    puzzle = make_puzzle(problem, seed=1)
    check_clues(problem, puzzle)
    maker = generator.Maker(
        problem, 1, generator.clue_orbits(problem, None), None, Limits().clock(), None
    )
    walk = [problem.indexed.index[square] for square in puzzle.tour]
    order = [walk[orbit.bit_length() - 1] for orbit in maker.ordered_orbits()]
    graph = nx.Graph(problem.indexed.pairs())  # less the forbidden moves
    total = {u: sum(there.values()) for u, there in nx.all_pairs_shortest_path_length(graph)}
    assert [total[vertex] for vertex in order] == sorted(total.values())


def test_what_stayed_open_is_asked_once_more(monkeypatch) -> None:
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(generator, "PATIENCE", (0,))
    problem = Problem("6x6", closed=True)
    assert make_puzzle(problem, seed=2).needless
    monkeypatch.setattr(generator, "PATIENCE", (0, 1))
    puzzle = make_puzzle(problem, seed=2)
    assert not puzzle.needless
    check_clues(problem, puzzle)
    deaths = [None, WorkerEndedError("killed"), None, None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    assert make_puzzle(problem, seed=2, executor=executor) == puzzle
    assert executor.sent > puzzle.clues  # each was asked there, and the others as well


def test_search_and_sat_make_the_same_puzzle(monkeypatch) -> None:
    made = make_puzzle("6x6", closed=True, seed=5)
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    assert make_puzzle("6x6", closed=True, seed=5) == made


def test_the_same_seed_makes_the_same_puzzle() -> None:
    made = [make_puzzle("6x6", seed=seed) for seed in (1, 2, 1)]
    assert made[0] == made[2] != made[1]
    graded = make_puzzle("6x6", closed=True, grade="hard", seed=1)
    assert make_puzzle("6x6", closed=True, grade="hard", seed=graded.seed) == graded


def test_tours_are_of_all_kinds() -> None:
    problem = Problem("6x6", closed=True)
    puzzles = [make_puzzle(problem, seed=seed, clues=36) for seed in range(12)]
    moves = {frozenset(map(frozenset, zip(t, [*t[1:], t[0]], strict=True)))
             for t in (list(each.tour) for each in puzzles)}  # fmt: skip
    assert len(moves) > 9  # of 9,862
    assert len({each.tour[0] for each in puzzles}) > 6
    ends = {make_puzzle("5x5", seed=seed, clues=25).tour[-1] for seed in range(20)}
    assert len(ends) > 6  # of 13


def test_what_cannot_be_mixed_stays() -> None:
    path = Problem("1x4", piece="wazir", start="a1")
    tour = path.tour(["a1", "b1", "c1", "d1"])
    assert generator.shuffle_tour(path, tour, random.Random(1)) == tour


@pytest.mark.parametrize(
    ("board", "asked", "motion"),
    [
        ("6x6", {"closed": True}, "half-turn"),
        ("6x6", {"closed": True}, "quarter-turn"),
        ("3x7", {}, "left-right"),
        ("5x5", {}, "diagonal"),
        ("4x4", {"piece": "wazir"}, "top-bottom"),
    ],
)
def test_places_are_symmetric(board, asked, motion) -> None:
    problem = Problem(board, **asked)
    puzzle = make_puzzle(problem, seed=3, symmetry=motion)
    graph = problem.indexed
    image = images(graph, problem.board, motion)
    clues = clues_of(puzzle)
    carried = {square: graph.nodes[image[graph.index[square]]] for square in clues}
    assert set(carried.values()) == set(clues)
    assert len(solutions(problem, clues)) == 1
    for square in clues:
        orbit = {square}
        while carried[(last := square)] not in orbit:
            orbit.add(carried[last])
            square = carried[last]
        left = {key: step for key, step in clues.items() if key not in orbit}
        assert not left or len(solutions(problem, left)) > 1


def test_as_many_clues_as_asked_for() -> None:
    fewest = make_puzzle("6x6", closed=True, seed=4)
    more = make_puzzle("6x6", closed=True, seed=4, clues=fewest.clues + 5)
    assert more.clues == fewest.clues + 5 and more.seed == 4
    assert clues_of(fewest).items() < clues_of(more).items() and more.tour == fewest.tour
    assert make_puzzle("6x6", closed=True, clues=36).clues == 36
    assert make_puzzle("6x6", closed=True, clues=14, symmetry="half-turn").clues == 14
    assert make_puzzle("5x5", clues=13, symmetry="half-turn").clues == 13  # with the middle


def test_more_clues_go_into_the_longest_gaps() -> None:
    puzzle = make_puzzle("5x5", clues=20, seed=2)
    steps = sorted(clues_of(puzzle).values())
    assert max(b - a for a, b in pairwise(steps)) <= 3


def test_what_is_given_brings_its_images() -> None:
    puzzle = make_puzzle("5x5", given={"a1": 1}, symmetry="half-turn", seed=1)
    places = clues_of(puzzle).keys()
    assert (0, 0) in places and {(4 - row, 4 - column) for row, column in places} == places


def test_graphs_have_puzzles() -> None:
    puzzle = make_puzzle(nx.petersen_graph(), seed=3)
    everything = Enumeration(puzzle.problem)
    assert [list(tour) for tour in everything] == [list(puzzle.tour)]


def test_a_puzzle_tells_itself() -> None:
    puzzle = make_puzzle("5x6", closed=True, seed=7)
    assert repr(puzzle) == f"<Puzzle: 5x6, closed, {puzzle.clues} clues, {puzzle.grade}, seed 7>"
    assert len(puzzle.numbers) == puzzle.clues == len(clues_of(puzzle))
    started = make_puzzle("5x5", start="a1", seed=1)
    assert started.numbers == {(0, 0): 1, **clues_of(started)}


def test_progress_is_told() -> None:
    told = []
    puzzle = make_puzzle("5x5", progress=told.append)
    assert told[-1] == {f"seed {puzzle.seed}, looked at 25 of 25": None, "clues": puzzle.clues}
