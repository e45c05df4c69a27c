"""Clues that no tour satisfies: two together, or one alone.  No search is needed to see it.

Between two clues a tour makes as many moves as their steps differ.  A closed tour makes the rest
of its moves on the way back.  The clues clash if no walk of that many moves leads from the one
square to the other; a walk may visit squares twice.  Distances decide whether a walk exists: a
shorter walk of the same parity can be made longer by going back and forth.  So the shortest walk of
even length and the shortest of odd length suffice.  Breadth-first search finds both if it visits
each square twice, once for each parity.

The same search shows what one clue alone requires.  All steps of its own parity need squares that
walks of even length reach from it, and the other steps need squares that walks of odd length
reach.  If there are fewer squares than steps, there is no tour.  On a board on which moves change
colour this counts the colours: on 5x5 the odd steps need the 13 dark squares, so no light square
has an odd step.
"""

from __future__ import annotations

from typing import Any

from kt_cp.model.conditions import Given
from kt_cp.model.terms import counted, terms
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.moves import alternates
from kt_cp.trust.check.parsing import MOST_CONDITIONS, keys_of, list_of, number_of, quote, square_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.sentences import describe_node, join_names, piece_with_article
from kt_cp.trust.check.steps import clues_of

NamedClue = tuple[Any, int]
"""A square, or node, and its step."""


def clash(problem: Instance, evidence: object) -> str:
    """Check two clues at an impossible distance or parity, or one clue of the wrong colour."""
    frame = frame_of(problem)
    clues = _pairs(problem, keys_of(evidence, "kind", "clues")["clues"], clues_of(problem))
    if len(clues) == 1:
        clash_text = misplaced(frame, *clues)
        possible = "there are squares enough for the steps of either parity"
    elif len(clues) == 2:
        clash_text = clash_of(frame, *clues)
        possible = "walks of the right length lead from the one to the other"
    else:
        raise Refusal(Reason.WRONG_SHAPE, f"expected one or two clues, got {len(clues)}")
    if clash_text is None:
        raise Refusal(Reason.NOT_PROVED, possible)
    return clash_text


def misplaced(frame: Frame, clue: NamedClue) -> str | None:
    """Return why a clue is impossible: there are too few squares for the steps of a parity.

    >>> from kt_cp.model.problem import Problem
    >>> frame = frame_of(Problem("5x5"))
    >>> misplaced(frame, ((0, 0), 9)), misplaced(frame, ((0, 1), 9)).partition(", so ")[2]
    (None, "the odd steps need 13 squares of b1's colour, but moves from there reach 12")
    """
    problem, (square, step) = frame.problem, clue
    walks = _walks(frame, frame.number[square])
    words = terms(problem)
    for parity in (0, 1):
        reached = sum(place % 2 == parity for place in walks)
        odd = (step + parity) % 2
        steps = (problem.size + odd) // 2
        if reached < steps:
            name = describe_node(square)
            here = f"{name} is at step {step:,}"
            needed = f"so the {'odd' if odd else 'even'} steps need {counted(steps, words.square)}"
            but = f"but {words.move}s from there reach {reached:,}"
            if problem.board is not None and alternates(problem.board, problem.piece):
                rule = f"and {piece_with_article(problem.piece)} changes colour with every move"
                colour = "the other" if parity else f"{name}'s"
                return f"{here} {rule}, {needed} of {colour} colour, {but}"
            which = "an odd" if parity else "an even"
            return f"{here}, {needed} that {which} number of {words.move}s leads to, {but}"
    return None


def clash_of(frame: Frame, one: NamedClue, other: NamedClue) -> str | None:
    """Return why two different clues clash, or None."""
    problem = frame.problem
    (here, early), (there, late) = sorted((one, other), key=lambda clue: clue[1])
    first, second = describe_node(here), describe_node(there)
    if early == late:
        return f"{first} and {second} cannot both be at step {early:,}"
    if here == there:
        return f"{first} cannot be both at step {early:,} and at step {late:,}"
    shortest = shortest_walks(frame, frame.number[here], frame.number[there])
    ways = [(f"{first} is at step {early:,} and {second} at step {late:,}", late - early)]
    if problem.closed:
        back = f"{second} is at step {late:,} and {first} at step {early:,} of the next round"
        ways.append((back, frame.squares - late + early))
    for clue_text, steps_apart in ways:
        least = shortest[steps_apart % 2]
        if least is None or least > steps_apart:
            moves = counted(steps_apart, terms(problem).move)
            why = _why(problem, first, second, shortest, steps_apart)
            return f"{clue_text}, {moves} later, but {why}"
    return None


def shortest_walks(frame: Frame, start: int, goal: int) -> list[int | None]:
    """Return the length of the shortest even and of the shortest odd walk between two vertices.

    >>> from kt_cp.model.problem import Problem
    >>> frame = frame_of(Problem("5x5", piece="king"))
    >>> shortest_walks(frame, 0, 2), shortest_walks(frame_of(Problem("5x5")), 0, 1)
    ([2, 3], [None, 3])
    """
    length = _walks(frame, start)
    return [length.get(2 * goal), length.get(2 * goal + 1)]


def _walks(frame: Frame, start: int) -> dict[int, int]:
    """Return the lengths of shortest walks to each vertex v: even at 2v, odd at 2v + 1."""
    size = frame.squares
    length = {2 * start: 0}
    reached = [2 * start]
    for place in reached:
        for other in frame.neighbours[place // 2]:
            following = 2 * other + 1 - place % 2
            if other < size and following not in length:
                length[following] = length[place] + 1
                reached.append(following)
    return length


def _why(
    problem: Instance, one: str, other: str, shortest: list[int | None], steps_apart: int
) -> str:
    """Return why no walk of ``steps_apart`` moves leads from one vertex to the other."""
    lengths = [each for each in shortest if each is not None]
    move, same = terms(problem).move, shortest[steps_apart % 2]
    if not lengths:
        return f"no way leads from {one} to {other}"
    if min(lengths) > steps_apart:
        needs = (
            "it takes" if problem.board is None else f"{piece_with_article(problem.piece)} needs"
        )
        return f"{needs} {counted(min(lengths), move)} from {one} to {other}"
    parity = "an odd" if steps_apart % 2 else "an even"
    if same is None:
        opposite = "an even" if steps_apart % 2 else "an odd"
        return f"every way from {one} to {other} has {opposite} number of {move}s"
    return f"a way from {one} to {other} of {parity} number of {move}s has {same:,} at least"


def known_clues(problem: Instance, value: object) -> list[NamedClue]:
    """Return the clues that a refutation may take: given steps, and a closed tour's start at 1."""
    ends = not problem.closed
    given = [(each.square, each.step) for each in problem.conditions if type(each) is Given]
    return _pairs(problem, value, given if ends else [*given, (problem.start, 1)])


def describe_clues(clues: list[NamedClue]) -> str:
    """Describe clues, ordered by their steps."""
    ordered = sorted(clues, key=lambda clue: clue[1])
    return join_names(
        [f"{describe_node(square)} at step {step:,}" for square, step in ordered], "clue"
    )


def _pairs(problem: Instance, value: object, known: list[NamedClue]) -> list[NamedClue]:
    """Read different clues of a problem from pairs of a square's name and a step."""
    values = list_of(value, "clues")
    if len(values) > MOST_CONDITIONS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_CONDITIONS:,} clues")
    found, clues = [], set(known)
    for each in values:
        if not isinstance(each, list) or len(each) != 2:
            raise Refusal(Reason.WRONG_SHAPE, f"expected a square and a step, got {quote(each)}")
        square, step = square_of(problem, each[0]), number_of(each[1], 1, problem.size, "a step")
        if (square, step) not in clues:
            text = f"{describe_node(square)} at step {step:,}"
            raise Refusal(Reason.NOT_A_CLUE, f"{text} is no clue of this problem")
        found.append((square, step))
    if len(set(found)) < len(found):
        raise Refusal(Reason.NOT_A_CLUE, "a clue stands twice")
    return found
