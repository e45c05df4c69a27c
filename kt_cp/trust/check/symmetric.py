"""Why no tour has a symmetry: fixed squares, turning places, and colours.

A motion that carries a tour to itself also acts on the order of the tour.

* An open tour is fixed, square by square, or *reversed*: its start becomes its end.  If it is
  reversed, the motion applied twice fixes every square.  The middle of the tour is the only fixed
  square, or it is a move that the motion reverses.
* A closed tour is *moved on* along itself or *reversed*.  If it is moved on, no square is fixed
  unless all are.  If it is reversed, the motion applied twice fixes every square, and there are two
  turning places, half a tour apart.  Each is a fixed square or a move that the motion reverses; so
  at most two squares are fixed.  Suppose that the tour is moved on, and that k is the least number
  of applications that fix every square.  Then it is moved on by m/k of the tour, where m and k have
  no common divisor.  A half turn moves it on by half of the tour, a quarter turn by a quarter or
  three quarters.

If every move changes colour, the colours of a square and of its image decide whether the tour is
moved on by an even or odd number of moves.  So a closed knight's tour with a quarter turn needs a
square board of side 4n + 2.  On other boards of even side a quarter of the squares is an even
number, but dark squares are carried to light ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kt_cp.model.board import Board, Square, describe
from kt_cp.model.conditions import Symmetry
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.moves import alternates, moved_square
from kt_cp.trust.check.parsing import keys_of, squares_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.sentences import join_names

WORDS = {
    "half-turn": "a half turn",
    "quarter-turn": "a quarter turn",
    "left-right": "a reflection from left to right",
    "top-bottom": "a reflection from top to bottom",
    "diagonal": "a reflection in the diagonal",
}

Images = dict[Square, Square]


def symmetry(problem: Instance, evidence: object) -> str:
    """Check that no tour has the symmetry, by some deciding squares, perhaps none."""
    squares = squares_of(problem, keys_of(evidence, "kind", "squares")["squares"])
    board = problem.board
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    if board is None or motion is None:
        raise Refusal(Reason.WRONG_QUESTION, "the problem requires no symmetry")
    if problem.size < (3 if problem.closed else 2):
        raise Refusal(Reason.WRONG_QUESTION, "this evidence is for larger boards")
    if len(squares) == 1 and (there := moved_square(board, motion, squares[0])) not in board:
        return f"{WORDS[motion]} carries {describe(squares[0])} {_describe_outside(board, there)}"
    if problem.size > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} squares")
    image = {square: moved_square(board, motion, square) for square in board}
    if any(there not in image for there in image.values()):
        raise Refusal(Reason.NOT_PROVED, "expected one square that is carried to none")
    if all(here == there for here, there in image.items()):
        raise Refusal(Reason.NOT_PROVED, f"{WORDS[motion]} leaves every square where it is")
    turns = all(image[there] == here for here, there in image.items())
    sentence = _RULES[problem.closed, turns](problem, WORDS[motion], image, squares)
    if sentence is None:
        raise Refusal(Reason.NOT_PROVED, "these squares leave room for a tour with that symmetry")
    return sentence


def _describe_outside(board: Board, there: Square) -> str:
    if board.on_rectangle(there):
        return f"to {describe(there)}, which is missing"
    return "off the board"


def _open_quarter(_: Instance, what: str, image: Images, squares: Sequence[Square]) -> str | None:
    """Return the argument for an open tour if the motion is not its own inverse."""
    if len(squares) != 1 or image[image[squares[0]]] == squares[0]:
        return None
    here, there = map(describe, (squares[0], image[image[squares[0]]]))
    return (
        "a motion that carries an open tour to itself leaves it as it is or turns it round, so "
        f"done twice it leaves every square where it is; but {what} done twice carries {here} to "
        f"{there}"
    )


def _open(problem: Instance, what: str, image: Images, squares: Sequence[Square]) -> str | None:
    start, end = problem.start, problem.end
    turns, names = f"{what} turns an open tour round", join_names(list(map(describe, squares)))
    if len(squares) == 2 and all(image[square] == square for square in squares):
        return f"{turns}, so no square but its middle stays where it is, and {names} do"
    if len(squares) == 1 and squares[0] in (start, end) and image[squares[0]] == squares[0]:
        return f"{turns}, so its ends change places, but {names} stays where it is"
    if len(squares) == 2 and {*squares} == {start, end} and image[start] != end:
        to = describe(image[start])
        start, end = describe(start), describe(end)
        return f"{turns}, so its ends change places, but {start} is carried to {to}, not to {end}"
    if not squares and not any(_turning_places(problem, image)):
        return f"{turns}, so its middle is {PLACE}, and there is none"
    return None


PLACE = "a square that stays where it is or a move whose two squares change places"


def _turning_places(problem: Instance, image: Images) -> tuple[list[Square], list[Square]]:
    """Return the fixed squares, and one square of each move that the motion reverses."""
    stay = [here for here, there in image.items() if here == there]
    pairs = [(here, there) for here, there in image.items() if here < there]
    moves = zip(pairs, problem.are_moves(pairs), strict=True)
    return stay, [pair[0] for pair, is_move in moves if is_move]


def _closed_quarter(
    problem: Instance, what: str, image: Images, squares: Sequence[Square]
) -> str | None:
    """Return the argument for a closed tour if the motion has order four."""
    if len(squares) == 1 and image[squares[0]] == squares[0]:
        (name,) = map(describe, squares)
        tour = "a closed tour"
        return f"{what} can only move {tour} on, so no square stays where it is, but {name} does"
    wrong = None if squares else _wrong_colour(problem, image, 4)
    if wrong is None:
        return None
    part = problem.size // 4
    tour = f"a closed tour of {problem.size:,} squares"
    return f"{what} can only move {tour} on by {part:,} or {3 * part:,} moves, {wrong}"


def _closed(problem: Instance, what: str, image: Images, squares: Sequence[Square]) -> str | None:
    """Return the argument for a closed tour if the motion is its own inverse."""
    if any(image[square] != square for square in squares):
        return None
    names = join_names(list(map(describe, squares)))
    if len(squares) > 2:
        return (
            f"{what} moves a closed tour on by half of it, so no square stays where it is, or "
            f"turns it round, so two stay at most; but {names} do"
        )
    not_turned, wrong = _irreversible(problem, image), _wrong_colour(problem, image, 2)
    if not_turned is None or not (squares or wrong):
        return None
    if squares:
        stay = f"{names} stays where it is" if len(squares) == 1 else f"{names} stay where they are"
        return f"{what} does not move a closed tour on, as {stay}; {not_turned}"
    tour = f"a closed tour of {problem.size:,} squares"
    half = problem.size // 2
    return f"{what} can move {tour} on by {half:,} moves alone, {wrong}; {not_turned}"


def _irreversible(problem: Instance, image: Images) -> str | None:
    """Return why the motion reverses no closed tour, or None if it may reverse one."""
    stay, moves = _turning_places(problem, image)
    places, half = len(stay) + len(moves), problem.size // 2
    if places < 2:
        there = "there is only one" if places else "there is none"
        return f"nor does it turn one round, for that takes two places, each {PLACE}, and {there}"
    if len(stay) != 2 or problem.board is None or not alternates(problem.board, problem.piece):
        return None
    if sum(map(sum, stay)) % 2 == half % 2:
        return None
    one, other = map(describe, stay)
    even, to, but = ("odd", "other", "same") if half % 2 else ("even", "same", "other")
    return (
        f"nor does it turn one round, for then {half:,} moves lead from {one} to {other}, an "
        f"{even} number, so to a square of the {to} colour, but it is of the {but}"
    )


def _wrong_colour(problem: Instance, image: Images, parts: int) -> str | None:
    """Return why colours exclude moving a closed tour on by an odd number of such parts."""
    board = problem.board
    if board is None or problem.size % parts or not alternates(board, problem.piece):
        return None
    changes = {(sum(here) + sum(there)) % 2 for here, there in image.items()}
    odd = problem.size // parts % 2
    if changes != {1 - odd}:
        return None
    here, there = map(describe, next(iter(image.items())))
    even, to, but = ("odd", "other", "same") if odd else ("even", "same", "other")
    return (
        f"an {even} number, so to a square of the {to} colour, but it carries {here} to {there}, "
        f"which is of the {but}"
    )


Rule = Callable[[Instance, str, Images, Sequence[Square]], str | None]

_RULES: dict[tuple[bool, bool], Rule] = {
    (False, True): _open,
    (False, False): _open_quarter,
    (True, True): _closed,
    (True, False): _closed_quarter,
}
"""Rules by whether tours are closed, and whether the motion is its own inverse."""
