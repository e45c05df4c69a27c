"""Grades, held to a plain writing of their rules."""

from __future__ import annotations

import random

import pytest

from kt_cp import Problem, make_puzzle
from kt_cp.model.problem import changed
from kt_cp.puzzles import Grade, grade_of
from tests.oracles import step_domains_twin as twin
from tests.oracles.naive import beside
from tests.support.exhaustive import more

CASES = [
    Problem("5x6", closed=True),
    *more([], [Problem("5x6")]),
    Problem("5x5", start="a1"),
    Problem("5x5", piece="wazir"),
    Problem("4x4", piece="king"),
    Problem("4x4", piece="king", closed=True),
]


class Naive:
    """What each grade can do, in sets and loops."""

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
            grades.append(grade_of(changed(puzzle.asked, given=numbers)))
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
        harder = grade_of(changed(puzzle.asked, given=left))
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
