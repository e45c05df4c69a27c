"""Texts for squares, sets and contradictions in the sentences of arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kt_cp.model.board import describe, file_name, shorten
from kt_cp.model.piece import Piece
from kt_cp.model.terms import counted, terms
from kt_cp.trust.check.frame import Frame


def piece_with_article(piece: Piece) -> str:
    """Return the name of a piece with its article: "a camel", "an antelope", "a (1,5)-leaper"."""
    return f"an {piece}" if piece.name[0] in "aeiou" else f"a {piece}"


def join_names(names: list[str], what: str = "square") -> str:
    """Join names into a list in English; of many, only the first few.

    >>> join_names(["a1"]), join_names(["a1", "b2", "c3"])
    ('a1', 'a1, b2 and c3')
    """
    names = [shorten(name) for name in names]
    if len(names) > 12:
        names = [*names[:9], counted(len(names) - 9, f"more {what}")]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def describe_pieces(frame: Frame, removed: Iterable[int], pieces: int) -> str:
    """Describe the pieces that remain without some squares; the set may be empty."""
    words, numbers = terms(frame.problem), list(removed)
    without = f"without {describe_set(frame, numbers)} " if numbers else ""
    return f"{without}the {words.whole} falls into {counted(pieces, words.piece)}"


def describe_set(frame: Frame, vertices: Iterable[int]) -> str:
    """Describe a set of squares: as ranks or files if it consists of complete ones, else by name.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.terms import counted, terms
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(Board(4, 5)))
    >>> describe_set(frame, range(5, 15)), describe_set(frame, [1, 0])
    ('ranks 2 and 3', 'a1 and b1')
    """
    numbers = sorted(vertices)
    if frame.problem.board is not None and len(numbers) > 3:
        board = list(frame.number)
        for axis, what, name in ((0, "rank", lambda line: str(line + 1)), (1, "file", file_name)):
            lines = Counter(board[vertex][axis] for vertex in numbers)
            if 2 * len(lines) > len(numbers):
                continue  # a line of a single square is described by its name
            if sum(square[axis] in lines for square in board) == len(numbers):
                names = join_names([name(line) for line in sorted(lines)], what)
                return f"{what if len(lines) == 1 else f'{what}s'} {names}"
    return join_names([frame.names[vertex] for vertex in numbers], terms(frame.problem).square)


def describe_node(square: Any) -> str:
    """Return the name of a square, or the text of a node of a graph."""
    return shorten(square) if isinstance(square, str) else describe(square)


# The contradictions of kt_cp.trust.check.state.  There the ends of an open tour are vertices; the
# sentences mention ends of the tour instead.


def needed_and_excluded(frame: Frame, u: int, v: int) -> str:
    """Describe an edge that must be used and is excluded."""
    if _is_end(frame, max(u, v)):
        name = _name(frame, min(u, v))
        return f"forced {_moves(frame)} rule out the end that the tour has at {name}"
    edge = f"{terms(frame.problem).move} {_name(frame, u)}-{_name(frame, v)}"
    return f"forced {_moves(frame)} both need and rule out the {edge}"


def too_many_needed(frame: Frame, forced: list[set[int]], vertex: int) -> str:
    """Describe a vertex with three edges that must be used."""
    if _is_end(frame, vertex):
        return (
            f"forced {_moves(frame)} make more {_squares(frame)} ends of the tour than it can have"
        )
    name = _name(frame, vertex)
    if any(_is_end(frame, other) for other in forced[vertex]):
        return f"two {_moves(frame)} are forced at {name}, but as an end of the tour it has one"
    return f"three {_moves(frame)} are forced at {name}, but a tour makes two at most"


def too_few_left(frame: Frame, left: list[set[int]], vertex: int) -> str:
    """Describe a vertex with fewer than two edges that can be used."""
    if _is_end(frame, vertex):
        return (
            f"forced {_moves(frame)} leave too few {_squares(frame)} that can be ends of the tour"
        )
    name = _name(frame, vertex)
    if all(_is_end(frame, other) for other in left[vertex]):
        return f"forced {_moves(frame)} leave no {terms(frame.problem).move} at {name}"
    return f"forced {_moves(frame)} leave a single {terms(frame.problem).move} at {name}" + (
        "" if frame.problem.closed else f", and {name} cannot be an end"
    )


def cannot_be_forced(frame: Frame, forced: list[set[int]], u: int, v: int) -> str:
    """Describe an excluded edge that must be used, by the edges that exclude it if possible."""
    for vertex in (u, v):
        if len(forced[vertex]) == 2 and not _is_end(frame, max(u, v)):
            return too_many_needed(frame, forced, vertex)
    walk = [u, *forced[u]][:2]
    while len(walk) > 1 and len(forced[walk[-1]]) == 2:
        (following,) = forced[walk[-1]] - {walk[-2]}
        walk.append(following)
    if len(walk) < 3 or walk[-1] != v or _is_end(frame, max(u, v)):
        return needed_and_excluded(frame, u, v)
    # A cycle through an end is a path of the tour.
    ends = any(_is_end(frame, vertex) for vertex in walk)
    what = "lead from one end of the tour to the other" if ends else "close a circle"
    edge = f"{_name(frame, u)}-{_name(frame, v)}"
    every = f"every {terms(frame.problem).square}"
    return f"forced {_moves(frame)} {what} with {edge} before {every} is visited"


def too_many_pieces(frame: Frame, removed: set[int], pieces: int, joins: int) -> str:
    """Describe a set of squares, perhaps empty, that cannot join the pieces it leaves."""
    fallen = describe_pieces(frame, removed, pieces)
    if not removed:
        return f"{fallen} with no {terms(frame.problem).move} between them"
    return f"{fallen}, of which a tour can visit at most {joins:,}"


def _moves(frame: Frame) -> str:
    return f"{terms(frame.problem).move}s"


def _squares(frame: Frame) -> str:
    return f"{terms(frame.problem).square}s"


def _name(frame: Frame, vertex: int) -> str:
    return describe_node(frame.names[vertex])


def _is_end(frame: Frame, vertex: int) -> bool:
    return vertex >= frame.squares
