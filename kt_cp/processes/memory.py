"""Memory checks: for enough memory to load NumPy, and for errors due to lack of memory.

NumPy's OpenBLAS reserves memory for every core when it is loaded.  If that fails, it ends the
process with exit code 1, or raises the signal of Ctrl-C.  A program cannot catch either, so these
functions check the memory first.
"""

from __future__ import annotations

import contextlib
import mmap
import os

NO_MEMORY = ("cannot allocate memory", "failed to map segment", "can't start new thread")
"""Messages of the system and its loader if the address space is too small."""

NUMPY_BYTES = 96 << 20
"""Address space to load NumPy with one thread of OpenBLAS, which needs 80 MB by ``ulimit -v``."""

NUMBA_BYTES = 224 << 20
"""Address space for Numba and the compiled search on windows, which may abort with less."""


def require_memory_for_numpy() -> None:
    """Limit OpenBLAS to one thread, as nothing here uses it, and check the memory to load it.

    Raises
    ------
    MemoryError
        If there is not enough address space.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require_memory(NUMPY_BYTES, "NumPy")


def require_memory(size: int, what: str) -> None:
    """Raise MemoryError unless ``size`` bytes of address space are available."""
    try:
        mmap.mmap(-1, size).close()  # reserved but not touched, so this takes no time
    except OSError:
        raise MemoryError(f"there is no room for {what}") from None


def is_address_space_bounded() -> bool:
    """Return whether the address space of this process is limited, for example by ``ulimit -v``."""
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return False


def is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or one of its causes, means that memory ran out.

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
        ):  # Python itself raises it without memory
            return True
        error = error.__cause__ or error.__context__
    return False
