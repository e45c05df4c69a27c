"""``kt-cp`` and ``python -m kt_cp``: what can be interrupted before the command line is loaded.

Nothing is imported here that is not loaded already: until :func:`main` has begun, Ctrl-C is
Python's own, with a traceback.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import NoReturn
else:
    import _signal  # what Python itself starts with; signal takes milliseconds to load


COLLECT_AFTER = 200_000
"""Objects after which Python looks for garbage: more than libraries make, and tens of megabytes."""


def main() -> NoReturn:
    """Entry point of ``kt-cp``.  To load the command line takes a twentieth of a second."""
    began = time.perf_counter()
    import gc

    # A tenth of a short command is the search for garbage in the libraries that it loads.
    gc.set_threshold(COLLECT_AFTER)
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _at_once)
    try:
        from kt_cp.cli import main as command_line

        command_line(began)
    except KeyboardInterrupt:  # of the few steps before and after what the command line catches
        _at_once(_signal.SIGINT, None)
    finally:
        # Python's own end looks for garbage again and again: with a solver and compiled code loaded
        # that took four tenths of a second, and seconds after Ctrl-C on a busy machine.
        gc.freeze()


def _at_once(_number: int, _frame: object) -> NoReturn:
    # For as long as nothing has begun, and once all is done.  An exception could come in the midst
    # of an import, which may swallow it, or of Python's own end, which prints it.
    os.write(2, b"kt-cp: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
