"""Puzzles are made, graded and written; what is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import networkx as nx
import pytest

from kt_cp import Enumeration, Problem, Puzzle, Verdict, defects, make_puzzle
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError, NotTakenError, StoreError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.orbits import images
from kt_cp.model.problem import changed
from kt_cp.processes.executors import WorkerEndedError
from kt_cp.processes.task_queue import Done
from kt_cp.puzzles import Grade, NoPuzzleError, generator, grade_of, second_tours
from kt_cp.puzzles.generator import make_puzzles, open_store
from tests.oracles import step_domains_twin as twin
from tests.oracles.naive import beside
from tests.support.exhaustive import more
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
    clues, conditions = clues_of(puzzle), clues_of(Puzzle(problem, puzzle.tour, "easy", 0))
    assert not defects(puzzle.problem, puzzle.tour.squares)
    assert len(solutions(problem, clues)) == 1, puzzle
    assert conditions.items() <= clues.items()
    for square in clues.keys() - conditions.keys():
        left = {key: step for key, step in clues.items() if key != square}
        if left or not problem.closed or problem.start is not None:
            assert len(solutions(problem, left)) > 1, (puzzle, square)


@pytest.mark.parametrize("problem", QUESTIONS, ids=lambda problem: problem.label)
@pytest.mark.parametrize("by", ["search", pytest.param("sat", marks=pytest.mark.slow)])
def test_one_solution_and_no_needless_clue(problem, by, monkeypatch) -> None:
    if by == "sat":
        monkeypatch.setattr(second_tours, "DECISIONS", 0)
    for seed in range(1 if by == "search" else more(1, 2)):
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
    ("board", "conditions", "motion"),
    [
        ("6x6", {"closed": True}, "half-turn"),
        ("6x6", {"closed": True}, "quarter-turn"),
        ("3x7", {}, "left-right"),
        ("5x5", {}, "diagonal"),
        ("4x4", {"piece": "wazir"}, "top-bottom"),
    ],
)
def test_places_are_symmetric(board, conditions, motion) -> None:
    problem = Problem(board, **conditions)
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


def test_a_puzzle_has_its_clues() -> None:
    puzzle = make_puzzle("5x6", closed=True, seed=7)
    assert repr(puzzle) == f"<Puzzle: 5x6, closed, {puzzle.clues} clues, {puzzle.grade}, seed 7>"
    assert len(puzzle.numbers) == puzzle.clues == len(clues_of(puzzle))
    started = make_puzzle("5x5", start="a1", seed=1)
    assert started.numbers == {(0, 0): 1, **clues_of(started)}


def test_progress_is_reported() -> None:
    events = []
    puzzle = make_puzzle("5x5", seed=1, progress=events.append)
    assert events[-1] == {"seed 1, examined 25 of 25 places": None, "clues": puzzle.clues}


@pytest.mark.parametrize("options", [{}, {"clues": 9}, {"grade": "hard"}], ids=str)
def test_in_pieces_the_same_puzzles_are_made(options):
    problem, seed, made = Problem("5x5"), 3, []
    for _ in range(3):
        made.append(make_puzzle(problem, seed=seed, **options))
        seed = made[-1].seed + 1
    deaths = [WorkerEndedError("killed"), None, None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    there = make_puzzles(executor, problem, seed=3, **options)
    assert [next(there) for _ in range(3)] == made


def test_puzzles_are_read_back_from_a_store(tmp_path):
    """Puzzles, with what is unsure of them, and seeds that gave none."""
    problem, first = Problem("3x4", start="a1"), Failing()
    options = {"seed": 3, "grade": "easy"}
    for executor in (first, again := Failing()):
        with open_store(tmp_path, problem, **options) as store:
            made = [*islice(make_puzzles(executor, problem, store=store, **options), 2)]
            if executor is first:
                wanted = made
                unsure = replace(made[0], needless=(made[0].tour[1],))
                for done in (Done((unsure, 3)), Done((None, 7))):
                    store.save("x", done)
                    assert store.load("x", (problem, unsure.seed)) == done
    assert made == wanted and first.sent >= 2 > again.sent
    with (
        pytest.raises(StoreError, match=r"grade easy, and not puzzles from seed 3;"),
        open_store(tmp_path, problem, seed=3, grade=None),
    ):
        pass


@pytest.mark.parametrize(
    ("board", "conditions", "message"),
    [
        ("3x3", {}, "b2"),
        ("5x5", {"time_limit": 1e-9}, "time limit"),
        ("5x5", {"clues": 1}, "of 100 seeds none needs so few clues as 1; the fewest: [23]"),
    ],
    ids=str,
)
def test_no_puzzle_from_an_executor(board, conditions, message):
    with pytest.raises(NoPuzzleError, match=message):
        next(make_puzzles(Failing(), Problem(board), seed=0, **conditions))


def test_time_ends_what_others_are_asked(monkeypatch) -> None:
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(generator, "PATIENCE", (0, 1))
    monkeypatch.setattr(generator.Maker, "_fits", lambda *_: None)
    over = iter([False] * 20 + [True] * 10**4)
    monkeypatch.setattr("kt_cp.model.limits.Clock.expired", lambda _: next(over))
    with pytest.raises(NoPuzzleError, match="time limit of 100 s"):
        make_puzzle("3x4", time_limit=100, executor=Failing())


def test_a_budget_that_is_spent_is_reported(monkeypatch) -> None:
    minimal = make_puzzle("6x6", closed=True, seed=1)
    assert not minimal.needless
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(second_tours, "CONFLICTS", 0)
    puzzle = make_puzzle("6x6", closed=True, seed=1)
    assert puzzle.needless and set(puzzle.needless) <= set(clues_of(puzzle))
    assert puzzle.tour == minimal.tour and puzzle.clues > minimal.clues


def test_no_tour() -> None:
    with pytest.raises(NoPuzzleError) as refused:
        make_puzzle("4x4")
    assert refused.value.outcome.verdict is Verdict.IMPOSSIBLE
    with pytest.raises(NoPuzzleError, match="tried everything"):
        make_puzzle("5x5", given={"a1": 1, "b1": 2})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"clues": 0}, InputError, "expected from 1 to 36 clues, got 0"),
        ({"clues": 37}, InputError, "expected from 1 to 36 clues, got 37"),
        ({"clues": 13, "symmetry": "half-turn"}, InputError, "can be symmetric, got 13"),
        ({"grade": "fiendish"}, InputError, "one of easy, medium, hard, expert; got 'fiendish'"),
        ({"symmetry": "whirl"}, InputError, "got 'whirl'"),
        ({"clues": 3, "tries": 3}, NoPuzzleError, "none needs so few clues as 3; the fewest: "),
        ({"grade": "easy", "clues": 36, "tries": 2}, None, ""),
        ({"grade": "expert", "clues": 36, "tries": 2}, NoPuzzleError, "2 seeds none made"),
        ({"time_limit": 1e-9}, NoPuzzleError, "the time limit of 1e-09 s was reached"),
    ],
)
def test_what_cannot_be_had(options, error, message) -> None:
    problem = Problem("6x6", closed=True)
    if error is None:
        assert make_puzzle(problem, **options).grade is Grade.EASY
        return
    with pytest.raises(error, match=message):
        make_puzzle(problem, **options)


def test_the_fewest_clues_so_far_are_reported_when_time_ends() -> None:
    clock = iter(range(100))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(generator.Maker, "puzzle", lambda *_: _late() if next(clock) > 1 else None)
        with pytest.raises(NoPuzzleError, match=r"2 seeds tried; the fewest clues: [0-9]"):
            make_puzzle("5x5", clues=1, time_limit=100)


def _late():
    raise TimeoutError


def test_questions_that_are_not_taken() -> None:
    with pytest.raises(InputError, match="at least 2 clues, as many as are given; got 1"):
        make_puzzle("5x5", given={"a1": 1, "c3": 25}, clues=1)
    with pytest.raises(NotTakenError, match="puzzles do not take symmetry"):
        make_puzzle(Problem("6x6", closed=True, symmetry="half-turn"))
    with pytest.raises(TooLargeError, match="at most 1,600 squares of a puzzle, got 1,640"):
        make_puzzle("40x41")
    with pytest.raises(InputError, match="the quarter-turn carries to itself, got 5x6"):
        make_puzzle("5x6", symmetry="quarter-turn")
    with pytest.raises(InputError, match="the half-turn carries to itself"):
        make_puzzle(Board(5, 6, missing={(0, 0)}), symmetry="half-turn")


CASES = [
    Problem("5x6", closed=True),
    *more([], [Problem("5x6")]),
    Problem("5x5", start="a1"),
    Problem("5x5", piece="wazir"),
    Problem("4x4", piece="king"),
    Problem("4x4", piece="king", closed=True),
]


class Naive:
    """The deductions of each grade, in sets and loops."""

    def __init__(self, problem, placed):
        self.near, self.closed = beside(problem), problem.closed
        self.size, self.placed = problem.size, dict(placed)

    def steps_beside(self, step):
        found = [step - 1, step + 1]
        if self.closed:
            return [each % self.size for each in found]
        return [each for each in found if 0 <= each < self.size]

    def moves_between(self, square):
        distance, queue = {square: 0}, [square]
        for here in queue:
            for there in self.near[here] - distance.keys():
                distance[there] = distance[here] + 1
                queue.append(there)
        return distance

    def two_coloured(self):
        colours = {square: d % 2 for square, d in self.moves_between(min(self.near)).items()}
        return all(colours[a] != colours[b] for a in self.near for b in self.near[a])

    def easy(self):
        placed, even = dict(self.placed), self.two_coloured()
        distance = {square: self.moves_between(square) for square in self.near}
        while len(placed) < self.size:
            fits = {}
            for step in set(range(self.size)) - placed.keys():
                fits[step] = set(self.near) - set(placed.values())
                for way in (-1, 1):
                    for apart in range(1, self.size):
                        other = step + way * apart
                        other = other % self.size if self.closed else other
                        if other in placed:
                            fits[step] = {
                                square for square in fits[step]
                                if distance[placed[other]].get(square, 99) <= apart
                                and not (even and (distance[placed[other]][square] - apart) % 2)
                            }  # fmt: skip
                            break
            singles = {step: next(iter(them)) for step, them in fits.items() if len(them) == 1}
            for square in set(self.near) - set(placed.values()):
                steps = [step for step, them in fits.items() if square in them]
                if len(steps) == 1:
                    singles[steps[0]] = square
            if not singles:
                return False
            placed |= singles
        return len(set(placed.values())) == self.size

    def windows(self):
        free = set(self.near) - set(self.placed.values())
        return [
            {self.placed[step]} if step in self.placed else set(free) for step in range(self.size)
        ]

    def narrowed(self, windows):
        """The windows when no rule narrows them, or None where one is empty."""
        number = {square: at for at, square in enumerate(self.near)}
        found = [{number[square] for square in window} for window in windows]
        moves = [{number[other] for other in others} for others in self.near.values()]
        if not twin.narrow(found, moves, [set() for _ in number], self.closed):
            return None
        squares = [*number]
        return [{squares[at] for at in window} for window in found]

    def grade(self):
        if self.easy():
            return Grade.EASY
        windows = self.narrowed(self.windows())
        if windows and all(len(each) == 1 for each in windows):
            return Grade.MEDIUM
        struck = True
        while struck and windows:
            struck = False
            for step in range(self.size):
                for square in sorted(windows[step]) if windows else ():
                    if len(windows[step]) == 1 or square not in windows[step]:
                        continue
                    tried = [*windows[:step], {square}, *windows[step + 1 :]]
                    if self.narrowed(tried) is None:
                        windows[step] = windows[step] - {square}
                        windows = self.narrowed(windows)
                        struck = True
                        if windows is None:
                            return Grade.EXPERT
        if windows and all(len(each) == 1 for each in windows):
            return Grade.HARD
        return Grade.EXPERT


def placed(puzzle):
    return {step - 1: square for square, step in puzzle.numbers.items()}


@pytest.mark.slow
@pytest.mark.parametrize("problem", CASES, ids=lambda problem: problem.label)
def test_grades_are_those_of_the_plain_rules(problem) -> None:
    found = set()
    for seed in range(3 if problem.size < 30 else more(1, 3)):
        fewest = make_puzzle(problem, seed=seed)
        for puzzle in (fewest, make_puzzle(problem, seed=seed, clues=fewest.clues + 2),
                       make_puzzle(problem, seed=seed, clues=problem.size // 2)):  # fmt: skip
            assert puzzle.grade == Naive(problem, placed(puzzle)).grade(), puzzle
            found.add(puzzle.grade)
    assert len(found) > 1


def test_a_further_clue_makes_no_puzzle_harder() -> None:
    order = list(Grade)
    for seed in range(4):
        puzzle = make_puzzle("6x6", closed=True, seed=seed)
        steps = [step for step in range(36) if puzzle.tour[step] not in puzzle.numbers]
        random.Random(seed).shuffle(steps)
        numbers, grades = dict(puzzle.numbers), [puzzle.grade]
        for step in steps:
            numbers[puzzle.tour[step]] = step + 1
            grades.append(grade_of(changed(puzzle.base_problem, given=numbers)))
        places = [order.index(grade) for grade in grades]
        assert places == sorted(places, reverse=True) and grades[-1] is Grade.EASY


@pytest.mark.slow
@pytest.mark.parametrize("grade", Grade)
def test_the_grade_that_is_asked_for(grade) -> None:
    board = "8x8" if grade is Grade.EXPERT else "6x6"
    puzzle = make_puzzle(board, closed=True, grade=str(grade), seed=1)
    assert puzzle.grade is grade and grade.method
    rank = list(Grade).index(grade)
    for square in puzzle.numbers:
        left = {key: step for key, step in puzzle.numbers.items() if key != square}
        harder = grade_of(changed(puzzle.base_problem, given=left))
        assert list(Grade).index(harder) >= rank
        if grade in (Grade.EASY, Grade.MEDIUM):
            assert harder is not grade


def test_what_has_several_solutions_takes_a_search() -> None:
    assert grade_of(Problem("5x5")) is Grade.EXPERT
    assert grade_of(Problem("6x6", closed=True, given={"a1": 1})) is Grade.EXPERT
    assert grade_of(Problem("5x5", given={"a1": 1, "b1": 2})) is Grade.EXPERT  # it has none
    assert grade_of(Problem("1x1")) is Grade.EASY


def test_required_moves_help() -> None:
    puzzle = make_puzzle("6x6", closed=True, seed=2)
    tour = list(puzzle.tour)
    moves = list(zip(tour, [*tour[1:], tour[0]], strict=True))
    given = {puzzle.tour[0]: 1, puzzle.tour[1]: 2}
    assert grade_of(Problem("6x6", closed=True, given=given, require=moves)) is Grade.MEDIUM


def test_the_former_name_of_the_base_problem_works():
    puzzle = make_puzzle("5x5", seed=1)
    with pytest.warns(DeprecationWarning, match=r"Puzzle\.base_problem"):
        assert puzzle.asked == puzzle.base_problem == Problem("5x5")
