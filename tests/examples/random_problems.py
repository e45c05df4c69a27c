"""Random questions on small boards, as problems for tests/oracles/naive.py."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from kt_cp import Board, Problem
from kt_cp.model.piece import Piece
from kt_cp.model.problem import changed
from kt_cp.testing.problems import Question, Square, question
from tests.oracles.naive import JOINED, beside


def random_piece(rng, most=4):
    """Return a leaper, or two together."""
    pairs = [(a, b) for b in range(1, most + 1) for a in range(b + 1)]
    return Piece(rng.sample(pairs, rng.choice([1, 1, 1, 2])))


def random_problem(rng: random.Random, largest=16, most_moves=3):
    """Return a valid small question about any piece, any surface and conditions on edges."""
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


MOTIONS = ("half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal")


@dataclass(frozen=True)
class ClueQuestion(Question):
    """A question with given steps, a symmetry or both."""

    given: tuple[tuple[Square, int], ...] = ()
    symmetry: str | None = None

    def problem(self) -> Problem:
        return changed(super().problem(), given=self.given, symmetry=self.symmetry)

    def tours(self) -> Iterator[tuple[Square, ...]]:
        """Yield every tour in every direction; a closed one begins according to the given steps."""
        for walk in super().tours():
            turns = len(walk) if self.closed and self.given and not self.start else 1
            for turned in (walk[turn:] + walk[:turn] for turn in range(turns)):
                if all(turned[step - 1] == square for square, step in self.given) and (
                    self.symmetry is None or self._is_symmetric(turned)
                ):
                    yield turned

    def _is_symmetric(self, walk) -> bool:
        """Return whether the symmetry maps the moves to themselves, measured from the centre."""
        across, down = (self.columns - 1) / 2, (self.rows - 1) / 2

        def image(square: Square) -> tuple[float, float]:
            if self.symmetry == "diagonal":
                return square[::-1]
            if self.symmetry == "quarter-turn":  # on a square board with the side of the files
                return down - (square[1] - down), square[0]
            up = -1 if self.symmetry in ("half-turn", "top-bottom") else 1
            right = -1 if self.symmetry in ("half-turn", "left-right") else 1
            return down + up * (square[0] - down), across + right * (square[1] - across)

        moves = [{*move} for move in pairwise(walk + walk[:1] * self.closed)]
        return all({image(square) for square in move} in moves for move in moves)


def with_clues(seed: int, most: int = 12) -> ClueQuestion:
    """Return a random question with given steps, a symmetry or both, mostly of an existing tour."""
    drawn, rng = ClueQuestion(**vars(question(seed, most))), random.Random(-seed - 1)
    if seed % 3:
        drawn = replace(drawn, symmetry=rng.choice(MOTIONS))
        if next(drawn.tours(), None) is None:  # most conditions of edges are not symmetric
            drawn = replace(drawn, require=(), forbid=drawn.forbid[:1], start=None, end=None)
    if seed % 3 == 1:
        return drawn
    planted = next(drawn.tours(), None) if rng.random() < 0.8 else None
    walk = list(planted or rng.sample(list(drawn.graph), len(drawn.graph)))
    if drawn.closed and drawn.start is None:
        turn = rng.randrange(len(walk))
        walk = walk[turn:] + walk[:turn]
    steps = rng.sample(range(len(walk)), rng.randint(1, min(4, len(walk))))
    ends = {drawn.start: 0, drawn.end: len(walk) - 1}
    taken = {step for square, step in ends.items() if square is not None}
    given = tuple(
        (walk[at], at + 1)
        for at in sorted(steps)
        if ends.get(walk[at], at) == at and (at not in taken or walk[at] in ends)
    )
    return replace(drawn, given=given or ((walk[steps[0]], steps[0] + 1),))


def combined(seed: int, most: int = 12) -> ClueQuestion:
    """Return a random question with all kinds of conditions, all or nearly all of one tour.

    Two of three questions have a planted tour; in the others one condition is changed.
    """
    rng = random.Random(-7 - seed)
    tours: list[tuple[Square, ...]] = []
    while not tours:
        motion = rng.choice((None, *MOTIONS))
        plain = question(rng.randrange(10**6), most)
        plain = replace(plain, start=None, end=None, require=(), forbid=())
        drawn = ClueQuestion(**vars(plain), symmetry=motion)
        tours = list(islice(drawn.tours(), 20))
    walk = list(rng.choice(tours))
    turn = rng.randrange(len(walk)) if drawn.closed else 0
    walk = walk[turn:] + walk[:turn]
    made = [*pairwise(walk), *([(walk[-1], walk[0])] if drawn.closed else [])]
    sets = {frozenset(move) for move in made}
    others = [move for move in drawn.graph.edges() if frozenset(move) not in sets]
    require = rng.sample(made, rng.choice((0, 1, 1, 2)))
    forbid = rng.sample(others, min(len(others), rng.choice((0, 1, 2))))
    start = rng.choice((None, walk[0]))
    end = None if drawn.closed else rng.choice((None, walk[-1]))
    steps = rng.sample(range(len(walk)), rng.choice((0, 1, 2, 3)))
    given = [(walk[at], at + 1) for at in steps]
    spoilt = rng.choice(("given", "forbid", "require", "start", *[""] * 8))
    if spoilt == "given" and given:
        free = {*range(1, len(walk) + 1)} - {step for _, step in given}
        given[0] = given[0][0], rng.choice(sorted(free))
    elif spoilt == "forbid":
        forbid += [move for move in rng.sample(made, 1) if move not in require]
    elif spoilt == "require" and (left := [move for move in others if move not in forbid]):
        require = [rng.choice(left)]
    elif spoilt == "start":
        start = rng.choice([square for square in walk if square != end])
    return replace(
        drawn, start=start, end=end, require=tuple(require), forbid=tuple(forbid),
        given=tuple(sorted(given)),
    )  # fmt: skip


def problems_with_clues(
    seeds: Iterable[int], most: int, least: int = 3
) -> Iterator[tuple[int, ClueQuestion, Problem]]:
    """Yield such questions of at least ``least`` squares, each after its seed."""
    for seed in seeds:
        drawn = with_clues(seed, most)
        problem = drawn.problem()
        if problem.size >= least:
            yield seed, drawn, problem
