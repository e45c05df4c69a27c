"""What ``kt-cp check`` says of an array of step numbers in a NumPy file."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from kt_cp.board import Board, describe
from kt_cp.cli.judgement import Judgement
from kt_cp.errors import InputError
from kt_cp.problem import Problem

_MAGIC = b"\x93NUMPY"


def opened(path: Path) -> BinaryIO | None:
    """A regular file that begins as NumPy's do, open, however long it is."""
    if str(path) == "-" or not path.is_file():
        return None
    try:
        file = path.open("rb")
    except OSError:
        return None  # whoever reads it as text says why
    if file.read(len(_MAGIC)) == _MAGIC:
        return file
    file.close()
    return None


def in_memory(data: bytes) -> BinaryIO | None:
    """The same for bytes that have been read, as from a pipe."""
    return io.BytesIO(data) if data.startswith(_MAGIC) else None


def judged(file: BinaryIO, problem_on: Callable[[Board], Problem]) -> Judgement:
    """Judge an array band by band, and a small one that is refused once more, exactly.

    Parameters
    ----------
    problem_on : callable
        The problem that is asked about, given the board of the array's shape.

    Raises
    ------
    InputError
        If the file cannot be read, holds no array of whole numbers, or one of another shape.
    """
    from kt_cp.formats.array import ArrayFile
    from kt_cp.verify.array import EXACT_SQUARES, ArrayJudge, array_defects

    try:
        array = ArrayFile(file)
        problem = problem_on(Board(*array.shape))
        board = problem.board
        assert board is not None
        if (board.rows, board.columns) != array.shape:
            raise InputError(f"expected an array of the {board} board, got shape {array.shape}")

        def judge(add: int) -> ArrayJudge:
            judge = ArrayJudge(problem, by_columns=array.by_columns)
            for band in array.bands(add=add):
                judge.add(band)
            return judge

        asked, add = judge(0), 0
        if not board.missing and array.counts_from_0:
            asked, add = judge(1), 1
        found = asked.defects()
        if found and board.rows * board.columns <= EXACT_SQUARES:
            found = array_defects(problem, array.whole(add=add))
    except OSError as error:
        raise InputError(
            f"cannot read the array: {(error.strerror or str(error)).lower()}"
        ) from None
    return Judgement(
        problem,
        found,
        squares=board.rows * board.columns - (0 if add else array.zeros),
        start=None if asked.first is None else describe(asked.first),
        end=None if asked.last is None else describe(asked.last),
        closes=asked.closes,
    )
