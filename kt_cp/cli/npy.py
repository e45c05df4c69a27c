"""What ``solve`` does where a NumPy file is asked for: see that it fits, and stream it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from kt_cp.cli.files import OutputFile
from kt_cp.cli.output import StandardOutput
from kt_cp.errors import InputError, TooLargeError
from kt_cp.problem import Problem
from kt_cp.tour import Tour

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def check_npy(problem: Problem, dtype: DTypeLike | None, output: Path | None) -> None:
    """Refuse, before the search, what cannot be written.

    Raises
    ------
    InputError
        If there is no file to write to, or the type is none of integers.
    TooLargeError
        If the type cannot hold the steps, or the file would not fit on its disk.
    """
    from kt_cp.arrays import step_type
    from kt_cp.formats.npy import npy_size

    if output is None:
        raise InputError("--format npy: expected -o FILE, got stdout")
    kind = step_type(problem.size, dtype)
    assert problem.board is not None  # of the command line's problems
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


def write_npy(place: OutputFile | StandardOutput, tour: Tour, dtype: DTypeLike | None) -> None:
    """Stream a tour into a file."""
    from kt_cp.formats.npy import npy_pieces

    assert isinstance(place, OutputFile)  # check_npy has seen to it
    for piece in npy_pieces(tour, dtype):
        place.add(piece)
    place.finish()


def _amount(size: int) -> str:
    """A number of bytes in a unit that suits it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} kB"
