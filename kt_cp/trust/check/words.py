"""Squares, sets and numbers in words, for the sentences that a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kt_cp.model.board import describe, file_name, shorten
from kt_cp.model.piece import Piece
from kt_cp.trust.check.frame import Frame


def counted(number: int, what: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "piece"), counted(1200, "piece")
    ('1 piece', '1,200 pieces')
    """
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def a_piece(piece: Piece) -> str:
    """A piece as a person speaks of one.

    Examples
    --------
    >>> a_piece(Piece.leaper(1, 3)), a_piece(Piece.leaper(3, 4)), a_piece(Piece.leaper(1, 5))
    ('a camel', 'an antelope', 'a (1,5)-leaper')
    """
    return f"an {piece}" if piece.name[0] in "aeiou" else f"a {piece}"


def listed(names: list[str], what: str = "square") -> str:
    """Names as a person lists them, the first few of many.

    Examples
    --------
    >>> listed(["a1"]), listed(["a1", "b2", "c3"])
    ('a1', 'a1, b2 and c3')
    """
    names = [shorten(name) for name in names]
    if len(names) > 12:
        names = [*names[:9], counted(len(names) - 9, f"more {what}")]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def set_in_words(frame: Frame, vertices: Iterable[int]) -> str:
    """A set of squares: as ranks or files if it consists of whole ones, else one by one.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.model.problem import Problem
    >>> from kt_cp.trust.check.frame import frame_of
    >>> frame = frame_of(Problem(Board(4, 5)))
    >>> set_in_words(frame, range(5, 15)), set_in_words(frame, [1, 0])
    ('ranks 2 and 3', 'a1 and b1')
    """
    numbers = sorted(vertices)
    if frame.problem.board is not None and len(numbers) > 3:
        board = list(frame.number)
        for axis, what, name in ((0, "rank", lambda line: str(line + 1)), (1, "file", file_name)):
            lines = Counter(board[vertex][axis] for vertex in numbers)
            if 2 * len(lines) > len(numbers):
                continue  # lines of a single square are better called by its name
            if sum(square[axis] in lines for square in board) == len(numbers):
                names = listed([name(line) for line in sorted(lines)], what)
                return f"{what if len(lines) == 1 else f'{what}s'} {names}"
    return listed([frame.names[vertex] for vertex in numbers])


def describe_node(square: Any) -> str:
    """Name of a square, or the node of a graph, which is a text."""
    return shorten(square) if isinstance(square, str) else describe(square)


# The contradictions of kt_cp.trust.check.state.  There the ends of an open tour are vertices like
# squares; in words they are what they stand for.


def needed_and_excluded(frame: Frame, u: int, v: int) -> str:
    """An edge that must be used and cannot."""
    if _is_end(frame, max(u, v)):
        return f"the tour must have an end at {_name(frame, min(u, v))}, and cannot"
    return f"forced moves both need and exclude {_name(frame, u)}-{_name(frame, v)}"


def too_many_needed(frame: Frame, kept: list[set[int]], vertex: int) -> str:
    """A vertex with three edges that must be used."""
    if _is_end(frame, vertex):
        return "forced moves make more squares ends of the tour than there are ends"
    if any(_is_end(frame, other) for other in kept[vertex]):
        return f"two moves are forced at {_name(frame, vertex)}, an end of the tour"
    return f"three moves are forced at {_name(frame, vertex)}"


def too_few_left(frame: Frame, left: list[set[int]], vertex: int) -> str:
    """A vertex with fewer than two edges that can be used."""
    if _is_end(frame, vertex):
        return "forced moves leave too few squares that can be ends of the tour"
    name = _name(frame, vertex)
    if all(_is_end(frame, other) for other in left[vertex]):
        return f"forced moves leave no move at {name}"
    return f"forced moves leave a single move at {name}" + (
        "" if frame.problem.closed else f", and {name} cannot be an end"
    )


def cannot_be_forced(frame: Frame, kept: list[set[int]], u: int, v: int) -> str:
    """An edge that must be used as well, and is excluded; by which forced edges, if it is seen."""
    for vertex in (u, v):
        if len(kept[vertex]) == 2 and not _is_end(frame, max(u, v)):
            return too_many_needed(frame, kept, vertex)
    walk = [u, *kept[u]][:2]
    while len(walk) > 1 and len(kept[walk[-1]]) == 2:
        (following,) = kept[walk[-1]] - {walk[-2]}
        walk.append(following)
    if len(walk) < 3 or walk[-1] != v or _is_end(frame, max(u, v)):
        return needed_and_excluded(frame, u, v)
    # One by way of an end is a path to the reader.
    what = "finish a path" if any(_is_end(frame, vertex) for vertex in walk) else "close a circle"
    return f"forced moves {what} at {_name(frame, u)}-{_name(frame, v)} and leave squares out"


def too_many_pieces(frame: Frame, removed: set[int], pieces: int, joins: int) -> str:
    """A set of squares, which may be empty, that cannot join the pieces it leaves."""
    into = f"into {counted(pieces, 'piece')}"
    if not removed:
        return f"the squares fall {into} that nothing joins"
    without = set_in_words(frame, removed)
    return f"without {without} the rest falls {into}, and a tour can join {joins:,}"


def _name(frame: Frame, vertex: int) -> str:
    return describe_node(frame.names[vertex])


def _is_end(frame: Frame, vertex: int) -> bool:
    return vertex >= frame.squares
