"""A naive oracle of whole questions: moves over piece and surface, conditions, every tour.

It shares no code with the package, and its arithmetic goes another way than those in there: a step
is walked square by square, first along the ranks and then along the files, and whoever goes over a
joined side comes in on the other.
"""

from __future__ import annotations

import random
from itertools import pairwise

from kt_cp import Board, Problem
from kt_cp.model.piece import Piece

JOINED = {  # files, ranks; "turned" where the ranks are counted from the other end
    "plane": ("", ""),
    "cylinder": ("plain", ""),
    "torus": ("plain", "plain"),
    "moebius": ("turned", ""),
    "klein": ("turned", "plain"),
}


def neighbours(rows, columns, missing, surface, leaps):
    """The moves of a board, as a mapping from squares to sets of squares."""
    files, ranks = JOINED[surface]
    steps = {
        (s * up, t * right)
        for a, b in leaps
        for up, right in ((a, b), (b, a))
        for s in (1, -1)
        for t in (1, -1)
    }

    def walked(row, column, up, right):
        for _ in range(abs(up)):
            row += 1 if up > 0 else -1
            if not 0 <= row < rows:
                if not ranks:
                    return None
                row = 0 if row == rows else rows - 1
        for _ in range(abs(right)):
            column += 1 if right > 0 else -1
            if not 0 <= column < columns:
                if not files:
                    return None
                column = 0 if column == columns else columns - 1
                if files == "turned":
                    row = rows - 1 - row
        return row, column

    squares = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in missing]
    found = {square: {walked(*square, *step) for step in steps} for square in squares}
    return {square: found[square] & set(squares) - {square} for square in squares}


def beside(problem):
    """The same of a problem, whatever its conditions."""
    board = problem.board
    sides = board.rows, board.columns, board.missing
    return neighbours(*sides, str(board.surface), problem.piece.leaps)


def motion_of(problem):
    """Where the symmetry that a problem asks for carries each square; None without one.

    Made of two reflections at most, so a square may come to lie off the board.
    """
    asked = [each.motion for each in problem.conditions if each.key == "symmetry"]
    if not asked:
        return None
    board = problem.board
    over, across, swapped = {
        "half-turn": (True, True, False),
        "quarter-turn": (True, False, True),
        "left-right": (False, True, False),
        "top-bottom": (True, False, False),
        "diagonal": (False, False, True),
    }[asked[0]]
    found = {}
    for square in board:
        row, column = reversed(square) if swapped else square
        found[square] = (
            board.rows - 1 - row if over else row,
            board.columns - 1 - column if across else column,
        )
    return found


def tours(problem, most=None):
    """Every directed tour of a problem, a closed one from its start or first square alone.

    By plain recursion: conditions are held against whole walks, except that forbidden moves are
    not made.  Gives up with None where more squares than ``most`` would be placed.
    """
    onward, placed = beside(problem), 0
    for one, other in problem.forbid:
        onward[one].discard(other)
        onward[other].discard(one)
    required = {frozenset(move) for move in problem.require}
    found = []

    def longer(walk, seen):
        nonlocal placed
        placed += 1
        if most is not None and placed > most:
            raise OverflowError
        if len(walk) == len(onward):
            made = {frozenset(pair) for pair in pairwise(walk)}
            if problem.closed:
                if len(walk) < 3 or walk[0] not in onward[walk[-1]]:
                    return
                made.add(frozenset((walk[0], walk[-1])))
            if required <= made and problem.end in (None, walk[-1]):
                found.append(tuple(walk))
            return
        for other in sorted(onward[walk[-1]] - seen):
            longer([*walk, other], seen | {other})

    starts = sorted(onward)[:1] if problem.closed else sorted(onward)
    try:
        for first in starts if problem.start is None else [problem.start]:
            longer([first], {first})
    except OverflowError:
        return None
    return found


def cycles(beside):
    """How many undirected Hamiltonian cycles a graph has: Held and Karp's table, counting."""
    number = {node: bit for bit, node in enumerate(sorted(beside))}
    near = [sum(1 << number[other] for other in beside[node]) for node in sorted(beside)]
    layer = {(1, 0): 1}  # visited set and last node -> walks
    for _ in range(len(near) - 1):
        following = {}
        for (visited, last), walks in layer.items():
            for other in range(1, len(near)):
                if near[last] >> other & 1 and not visited >> other & 1:
                    key = visited | 1 << other, other
                    following[key] = following.get(key, 0) + walks
        layer = following
    return sum(walks for (_, last), walks in layer.items() if near[last] & 1) // 2


def random_piece(rng, most=4):
    """A leaper, or two together."""
    pairs = [(a, b) for b in range(1, most + 1) for a in range(b + 1)]
    return Piece(rng.sample(pairs, rng.choice([1, 1, 1, 2])))


def random_problem(rng: random.Random, largest=16, most_moves=3):
    """A small question about any piece, any surface and conditions of edges, well formed."""
    while True:
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        if rows * columns <= largest:
            break
    squares = [(r, c) for r in range(rows) for c in range(columns)]
    missing = rng.sample(squares, rng.choice([0, 0, 0, 1, 2]) if len(squares) > 3 else 0)
    board = Board(rows, columns, frozenset(missing), rng.choice(sorted(JOINED)))
    piece = rng.choice([Piece.leaper(1, 2), random_piece(rng)])
    closed = rng.random() < 0.5
    left = sorted(board)
    start = rng.choice([None, rng.choice(left)])
    end = (
        None if closed else rng.choice([None, rng.choice([s for s in left if s != start] or left)])
    )
    if end == start:
        end = None
    moves = sorted(
        (one, other)
        for one, others in beside(Problem(board, piece=piece)).items()
        for other in others
        if one < other
    )
    rng.shuffle(moves)
    require, forbid = [], []
    for move in moves[: rng.randint(0, most_moves)]:
        if rng.random() < 0.5:
            forbid.append(move)
        elif all(sum(square in pair for pair in require) < 2 for square in move):
            require.append(move)
    conditions = {"start": start, "end": end, "require": require, "forbid": forbid}
    return Problem(board, piece=piece, closed=closed, **conditions)
