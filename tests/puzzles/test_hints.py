"""Hints: played to the end they give the solution, and nothing they say is wrong."""

from __future__ import annotations

import json
import random
from dataclasses import asdict

import pytest

from kt_cp import Enumeration, Problem, make_puzzle
from kt_cp.model.board import parse_square
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.problem import changed
from kt_cp.puzzles.hints import Kind, hint

EASIEST = [*Kind]
PUZZLE = Problem("3x4", given={"a1": 1, "a2": 8, "c2": 2, "b1": 4, "d3": 12})


def played(puzzle):
    """The kinds of the hints that solve a puzzle; each is held to its solution."""
    entered, kinds = {}, []
    while (found := hint(puzzle.problem, entered)).kind is not Kind.DONE:
        assert puzzle.tour[found.step - 1] == parse_square(found.square), found
        assert found.square not in entered and found.text.endswith(".")
        assert found.square not in found.struck
        json.dumps(asdict(found))
        entered[found.square] = found.step
        kinds.append(found.kind)
    assert len(entered) + puzzle.clues == puzzle.problem.size
    return kinds


@pytest.mark.parametrize(
    "board, options, hardest",
    [
        ("6x6", {"closed": True, "grade": "easy"}, Kind.COUNTING),
        ("6x6", {"grade": "medium"}, Kind.NARROWING),
        ("6x6", {"closed": True, "grade": "hard"}, Kind.AHEAD),
        ("5x5", {"piece": "king", "grade": "hard"}, Kind.AHEAD),
        ("6x6", {"closed": True, "grade": "medium", "clues_": {"a1": 1}}, Kind.NARROWING),
    ],
)
def test_hints_solve_a_puzzle_by_what_its_grade_takes(board, options, hardest) -> None:
    given = options.pop("clues_", {})
    options = {**options, "given": given} if given else options
    kinds = played(make_puzzle(board, seed=1, **options))
    assert max(map(EASIEST.index, kinds)) == EASIEST.index(hardest)


@pytest.mark.slow
def test_where_only_a_search_decides() -> None:
    kinds = played(make_puzzle("8x8", closed=True, grade="expert", seed=4))
    assert set(Kind) - {Kind.DONE, Kind.MISTAKE} == set(kinds)


def test_every_tour_agrees_with_a_hint() -> None:
    every = [list(tour.squares) for tour in Enumeration("5x6", closed=True)]
    chance, hinted = random.Random(18), 0
    for _ in range(40):
        walk = chance.choice(every)
        given = {walk[step]: step + 1 for step in chance.sample(range(30), 5)}
        found = hint(Problem("5x6", closed=True, given=given))
        both = (list(turned) for each in every for turned in rounds(each, walk))
        fits = [it for it in both if all(it[step - 1] == at for at, step in given.items())]
        if found.step is None:
            assert len(fits) > 1 and found.text.startswith("Several tours")
        else:
            hinted += 1
            assert {it[found.step - 1] for it in fits} == {parse_square(found.square)}, given
    assert hinted > 10


def rounds(tour, like):
    """A closed tour from each square, both ways, where it agrees with another somewhere."""
    for way in (tour, tour[::-1]):
        for at in range(len(way)):
            yield way[at:] + way[:at]


@pytest.mark.parametrize(
    "entered, text, square, step",
    [
        ({"c1": 3}, "3 is not at c1: ", "c1", 3),
        ({"c1": 2}, "2 is on two squares: c2 and c1.", "c1", 2),
        ({"a1": 5}, "5 is not at a1: that square has another number.", "a1", 5),
        ({"c1": 7, "d2": 7}, "7 is on two squares: c1 and d2.", "d2", 7),
        ({"a3": 3, "d1": 6}, "6 is not at d1: ", "d1", 6),
    ],
)
def test_a_mistake_is_the_first_hint(entered, text, square, step) -> None:
    found = hint(PUZZLE, entered)
    assert (found.kind, found.square, found.step) == (Kind.MISTAKE, square, step)
    assert found.text.startswith(text)


def test_a_mistake_that_narrowing_does_not_show() -> None:
    puzzle = make_puzzle("6x6", closed=True, grade="hard", seed=1)
    solution = {square: step for step, square in enumerate(puzzle.tour, start=1)}
    reasons = set()
    for step in range(2, 37, 6):
        for square in set(solution) - set(puzzle.numbers):
            if solution[square] != step and step not in puzzle.numbers.values():
                found = hint(puzzle.problem, {square: step})
                assert found.kind is Kind.MISTAKE and found.step == step
                reasons.add(found.text.split(": ")[1])
    assert "with the clues alone a search shows that no tour has it there." in reasons
    assert "no way leads on from there." in reasons and len(reasons) > 3


def test_numbers_of_two_tours_are_no_mistake_by_themselves() -> None:
    """Both ways round a cycle have the clue: a number of each is not both, and neither is wrong."""
    import networkx as nx

    cycle = Problem(graph=nx.cycle_graph(6), closed=True, given={0: 1})
    assert hint(cycle, {1: 2}).kind is not Kind.MISTAKE is not hint(cycle, {2: 5}).kind
    found = hint(cycle, {1: 2, 2: 5})
    assert (found.text, found.square) == ("No tour has all these numbers.", None)
    assert hint(cycle, {1: 2, 3: 5}).step == 5


def test_clues_that_no_tour_has() -> None:
    found = hint(changed(PUZZLE, given={"a1": 1, "b1": 2}))
    assert (found.kind, found.square) == (Kind.MISTAKE, None)


def test_reasons_are_sentences() -> None:
    """In plain sentences: the moves of a piece once, squares joined by "and"."""
    found = hint(Problem("3x4", given={"a1": 1, "c2": 2, "b1": 4, "a2": 8}))
    assert found.text == (
        "3 can only be at a3: no other free square is reached in 1 knight's move from 2 (c2) and "
        "in 1 from 4 (b1)."
    )
    puzzle = make_puzzle("6x6", closed=True, grade="hard", seed=1)
    assert hint(puzzle.problem).text == (
        "25 can only be at e2: with 25 at b3, e1 could no longer be visited. a2 fails once squares "
        "were tried for other numbers too."
    )


def test_what_is_solved_is_done() -> None:
    (tour, *more) = Enumeration(PUZZLE)
    assert not more
    full = {square: step for step, square in enumerate(tour, start=1)}
    assert hint(PUZZLE, full).kind is Kind.DONE


def test_on_a_graph_nodes_are_named() -> None:
    import networkx as nx

    found = hint(Problem(graph=nx.path_graph(["s", "t", "u", "v"]), given={"s": 1}))
    assert (found.square, found.step) == ("v", 4) or found.square in "tu"
    assert "square" not in found.text.split(":")[0]


@pytest.mark.parametrize(
    "problem, entered, error",
    [
        (Problem("3x4"), {}, "expected a puzzle with clues, got 3x4, open"),
        (Problem("1x2", piece="wazir", given={"a1": 1}), {}, "expected a puzzle with clues, got 1"),
        (PUZZLE, {"e1": 3}, "expected a square of the puzzle, got 'e1'"),
        (PUZZLE, {"a3": 0}, "expected a number from 1 to 12, got 0"),
        (PUZZLE, {"a3": 13}, "expected a number from 1 to 12, got 13"),
        (PUZZLE, {"a3": True}, "expected a number from 1 to 12, got True"),
        (PUZZLE, {"a3": "3"}, "expected a number from 1 to 12, got '3'"),
        (PUZZLE, {"?": 3}, "expected"),
    ],
)
def test_what_is_no_puzzle_and_no_number(problem, entered, error) -> None:
    with pytest.raises(InputError) as refused:
        hint(problem, entered)
    assert str(refused.value).startswith(error)


def test_conditions_that_puzzles_do_not_take() -> None:
    with pytest.raises(NotTakenError, match="puzzles do not take"):
        hint(Problem("6x6", closed=True, symmetry="half-turn", given={"a1": 1}))
