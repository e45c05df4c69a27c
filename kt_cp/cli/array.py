"""NumPy files of step numbers: what ``check`` says of one, and tours in these or any format."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.files import OutputFile, cause, shown
from kt_cp.cli.judgement import TourJudgement
from kt_cp.cli.output import StandardOutput, search_progress
from kt_cp.formats.table import Format, check_size
from kt_cp.formats.write import content
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.outcome import Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.progress import Progress, doing

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

PIECE_BYTES = 1 << 22
"""Bytes that are written between two looks at the clock."""

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
    deadline: Deadline | None = None,
    output: Path | None = None,
) -> None:
    """Write a tour in pieces; where there is none, JSON alone has a place for it.

    A file gets its name, and stdout its first character, once the deadline is lifted.
    """
    if outcome.tour is None and shape is not Format.JSON:
        return
    deadline = deadline or Deadline(None)
    what = "the answer" if output is None else shown(output)
    try:
        with search_progress(outcome.problem.label, deadline.seconds) as progress:
            if outcome.tour is not None:
                deadline.check()
            doing(progress, f"making {what}")
            if shape is Format.NPY and outcome.tour is not None:
                from kt_cp.formats.array import npy_pieces

                pieces: Iterable[str | bytes | memoryview] = npy_pieces(outcome.tour, dtype)
            else:
                text = content(outcome, shape)
                pieces = [text]
            if isinstance(place, OutputFile):
                _write(place, pieces, f"MB of {what} written", deadline, progress)
    except TimeLimitReachedError as error:
        raise TimeLimitReachedError(f"{error} before {what} was written") from None
    deadline.lift()
    if isinstance(place, OutputFile):
        place.finish()
    else:
        place.write(text)


def _write(
    file: OutputFile,
    pieces: Iterable[str | bytes | memoryview],
    what: str,
    deadline: Deadline,
    progress: Progress | None,
) -> None:
    """Write pieces of some megabytes, and look at the deadline after each."""
    written = 0
    for piece in pieces:
        whole = memoryview(piece.encode() if isinstance(piece, str) else piece).cast("B")
        for begin in range(0, len(whole), PIECE_BYTES):
            part = whole[begin : begin + PIECE_BYTES]
            if not file.add(part):
                return
            written += len(part)
            deadline.check()
            if progress is not None:
                progress({what: written / 1e6})


def _amount(size: int) -> str:
    """A number of bytes in a unit that suits it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} kB"
