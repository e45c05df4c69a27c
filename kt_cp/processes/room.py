"""Whether NumPy has room to be loaded.

The OpenBLAS that NumPy brings reserves memory for every core as it is loaded.  Where it gets none
it ends the process itself, with exit code 1, or raises the signal of Ctrl-C.  Nobody can catch
either, so room is looked for before.
"""

from __future__ import annotations

import mmap
import os

NUMPY_BYTES = 96 << 20
"""Address space that loading NumPy takes for one thread of OpenBLAS: 80 MB, by ``ulimit -v``."""


def room_for_numpy() -> None:
    """Make OpenBLAS content with little, as nothing here uses it, and see that it will get it.

    Raises
    ------
    MemoryError
        If there is no room.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        mmap.mmap(-1, NUMPY_BYTES).close()  # reserved and not touched: this takes no time
    except OSError:
        raise MemoryError("there is no room for NumPy") from None
