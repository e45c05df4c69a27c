"""Random questions on small boards, as problems; tests/oracles/naive.py answers them."""

from __future__ import annotations

import random

from kt_cp import Board, Problem
from kt_cp.model.piece import Piece
from tests.oracles.naive import JOINED, beside


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
