"""NumPy files of step numbers: what ``check`` says of one, and tours in these or any format."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kt_cp.cli.files import OutputFile, cause
from kt_cp.cli.judgement import TourJudgement
from kt_cp.cli.output import StandardOutput
from kt_cp.formats.room import check_size
from kt_cp.formats.save import content
from kt_cp.formats.table import Format
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

_MAGIC = b"\x93NUMPY"


def opened(path: Path) -> BinaryIO | None:
    """A regular file that begins as NumPy's do, open, however long it is."""
    try:
        if str(path) == "-" or not path.is_file():
            return None
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


def judged(file: BinaryIO, problem_on: Callable[[Board], Problem]) -> TourJudgement:
    """Judge an array band by band, and a small one that is refused once more, exactly.

    ``problem_on`` makes the problem that is asked about from the board of the array's shape.
    """
    from kt_cp.formats.array import ArrayFile
    from kt_cp.trust.judge.array import EXACT_SQUARES, ArrayJudge, array_defects

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
        raise InputError(f"cannot read the array: {cause(error)}") from None
    squares = board.rows * board.columns - (0 if add else array.zeros)
    return TourJudgement(problem, found, squares, asked.first, asked.last, asked.closes)


def check_fits(
    problem: Problem, shape: Format, output: Path | None, dtype: DTypeLike | None = None
) -> None:
    """Refuse, before the search, what cannot be written: for its format, type, file or disk."""
    if shape is not Format.NPY or problem.board is None:
        check_size(problem, shape)
        return
    from kt_cp.formats.array import npy_size
    from kt_cp.model.arrays import step_type

    assert output is not None  # format_of has seen to it
    kind = step_type(problem.size, dtype)
    size = npy_size(problem.board.rows, problem.board.columns, kind)
    try:
        free = shutil.disk_usage(output.absolute().parent).free
    except OSError:  # opening the file will say why
        return
    if size > free and (output.is_file() or not output.exists()):
        raise TooLargeError(
            f"{output} takes {_amount(size)}, and {_amount(free)} are free: use a larger disk, or "
            "kt-cp locate for single squares"
        )


def write_outcome(
    place: OutputFile | StandardOutput,
    outcome: Outcome,
    shape: Format,
    dtype: DTypeLike | None = None,
) -> None:
    """Write a tour, an array piece by piece; where there is none, JSON alone has a place for it."""
    if shape is Format.NPY and outcome.tour is not None:
        from kt_cp.formats.array import npy_pieces

        assert isinstance(place, OutputFile)  # check_fits has seen to it
        for piece in npy_pieces(outcome.tour, dtype):
            place.add(piece)
        place.finish()
    elif shape is Format.JSON or outcome.verdict is Verdict.FOUND:
        place.write(content(outcome, shape))


def _amount(size: int) -> str:
    """A number of bytes in a unit that suits it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} kB"
