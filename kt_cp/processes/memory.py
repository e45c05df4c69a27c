"""Memory: whether NumPy has enough to be loaded, and whether an error is due to lack of it.

NumPy's OpenBLAS reserves memory for every core as it is loaded.  Where it gets none
it ends the process itself, with exit code 1, or raises the signal of Ctrl-C.  No program can catch
either, so room is looked for before.
"""

from __future__ import annotations

import contextlib
import mmap
import os

NO_MEMORY = ("cannot allocate memory", "failed to map segment", "can't start new thread")
"""What the system and its loader say where an address space is too small."""

NUMPY_BYTES = 96 << 20
"""Address space that loading NumPy takes for one thread of OpenBLAS: 80 MB, by ``ulimit -v``."""

NUMBA_BYTES = 224 << 20
"""The same for Numba and the compiled search on windows, which may abort where they get less."""


def require_memory_for_numpy() -> None:
    """Make OpenBLAS content with little, as nothing here uses it, and see that it will get it.

    Raises
    ------
    MemoryError
        If there is no room.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require_memory(NUMPY_BYTES, "NumPy")


def require_memory(size: int, what: str) -> None:
    """See that there is so much address space, in bytes.

    Raises
    ------
    MemoryError
        If there is not.
    """
    try:
        mmap.mmap(-1, size).close()  # reserved and not touched: this takes no time
    except OSError:
        raise MemoryError(f"there is no room for {what}") from None


def is_address_space_bounded() -> bool:
    """Whether the address space of this process is limited, as by ``ulimit -v``."""
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return False


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, in the words of whichever library met its end.

    Examples
    --------
    >>> is_out_of_memory(RuntimeError("can't start new thread"))
    True
    """
    while error is not None:
        if isinstance(error, MemoryError) or any(word in str(error).lower() for word in NO_MEMORY):
            return True
        if (
            isinstance(error, SystemError) and is_address_space_bounded()
        ):  # Python's own, where it had no room
            return True
        error = error.__cause__ or error.__context__
    return False
