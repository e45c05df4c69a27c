"""Tours as each of the five documents shows them: in its coordinates, its way up.

A square that is missing from the board, which no document knows, is shown as a full stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kt_cp.model.board import Board, Square, square_name
from kt_cp.sources.registry import COORDINATES, Source

HOLE = "."
"""Stands where a square is missing."""

_A_LINE = 10  # pairs of text 003


def tour_text(source: Source, board: Board, squares: Sequence[Square]) -> str:
    """One tour and nothing else, without a newline at the end.

    A matrix of step numbers as in 001, 003 and 004; the path in reverse as in 000; names of
    squares for 002, which shows its walk on a board with letters and prints no tour.

    Examples
    --------
    >>> from kt_cp.sources.registry import find_source
    >>> tour = [(0, 0), (2, 1), (0, 2)]
    >>> print(tour_text(find_source("004"), Board(3, 3, {(1, 1)}), tour))
    1 0 3
    0 . 0
    0 2 0
    >>> print(tour_text(find_source("000"), Board(3, 3), tour))
    2, 0
    1, 2
    0, 0
    """
    return _TOURS[source.number](board, squares)


def answer_text(
    source: Source, board: Board, start: Square, squares: Sequence[Square] | None
) -> str:
    r"""All that a document's program prints for one tour, or for none; lines with their ends.

    Parameters
    ----------
    start : square
        Where the program was asked to start.
    squares : sequence of squares or None
        The tour, or None where everything was tried in vain.

    Examples
    --------
    >>> from kt_cp.sources.registry import find_source
    >>> answer_text(find_source("decision"), Board(3, 3), (0, 0), None)
    'FALSE\n'
    """
    return _ANSWERS[source.number](board, start, squares)


def _matrix(board: Board, squares: Sequence[Square], rows: Iterable[int]) -> list[list[str]]:
    """Step numbers row by row; 0 for what was not visited, as in all three documents."""
    steps = {square: str(step) for step, square in enumerate(squares, start=1)}
    steps.update((square, HOLE) for square in board.missing)
    return [[steps.get((row, column), "0") for column in range(board.columns)] for row in rows]


# 000: pairs as the recursion returns, so the last square comes first.


def _reversed_path(_board: Board, squares: Sequence[Square]) -> str:
    numbers = COORDINATES["000"].of
    return "\n".join("{}, {}".format(*numbers(square)) for square in reversed(squares))


def _answer_000(board: Board, _start: Square, squares: Sequence[Square] | None) -> str:
    if squares is None:
        return "No tour.\n"
    return f"A tour, its last square first:\n{_reversed_path(board, squares)}\n"


# 001: y upwards, five columns a number, a blank line after every row.


def _upward_matrix(board: Board, squares: Sequence[Square]) -> str:
    rows = _matrix(board, squares, reversed(range(board.rows)))
    return "\n\n".join("".join(cell.rjust(5) for cell in row) for row in rows)


def _answer_001(board: Board, start: Square, squares: Sequence[Square] | None) -> str:
    x, y = COORDINATES["001"].of(start)
    asked = f"Start at x = {x}\n\nStart at y = {y}\n\n"
    if squares is None:
        return f"{asked}no path found\n"
    return f"{asked}{_upward_matrix(board, squares)}\n\npath found!\n"


# 002: a yes or no.


def _names(_board: Board, squares: Sequence[Square]) -> str:
    return " ".join(map(square_name, squares))


def _answer_002(_board: Board, _start: Square, squares: Sequence[Square] | None) -> str:
    return "FALSE\n" if squares is None else "TRUE\n"


# 003: the four things that its Tour object holds; rank 1 on top.


def _aligned_matrix(board: Board, squares: Sequence[Square]) -> str:
    width = len(str(len(squares)))
    rows = _matrix(board, squares, range(board.rows))
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)


def _answer_003(board: Board, _start: Square, squares: Sequence[Square] | None) -> str:
    if squares is None:
        return "Solved: False\nSteps: 0\n"
    numbers = COORDINATES["003"].of
    pairs = ["{},{}".format(*numbers(square)) for square in squares]
    path = "\n".join(" ".join(pairs[i : i + _A_LINE]) for i in range(0, len(pairs), _A_LINE))
    return (
        f"Board:\n{_aligned_matrix(board, squares)}\nPath:\n{path}\n"
        f"Solved: True\nSteps: {len(squares)}\n"
    )


# 004: row 0 on top, single blanks, a blank line after every matrix, nothing where there is none.


def _plain_matrix(board: Board, squares: Sequence[Square]) -> str:
    return "\n".join(" ".join(row) for row in _matrix(board, squares, range(board.rows)))


def _answer_004(board: Board, _start: Square, squares: Sequence[Square] | None) -> str:
    return "" if squares is None else f"{_plain_matrix(board, squares)}\n\n"


_TOURS: dict[str, Callable[[Board, Sequence[Square]], str]] = {
    "000": _reversed_path,
    "001": _upward_matrix,
    "002": _names,
    "003": _aligned_matrix,
    "004": _plain_matrix,
}
_ANSWERS: dict[str, Callable[[Board, Square, Sequence[Square] | None], str]] = {
    "000": _answer_000,
    "001": _answer_001,
    "002": _answer_002,
    "003": _answer_003,
    "004": _answer_004,
}
