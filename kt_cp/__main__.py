"""``kt-cp`` and ``python -m kt_cp``, with Ctrl-C handled before the command line is loaded.

This file imports only modules that Python has already loaded.  Until :func:`main` starts, Ctrl-C
prints Python's own traceback.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import NoReturn
else:
    import _signal  # loaded by Python itself; signal takes milliseconds to load


COLLECT_AFTER = 200_000
"""Objects between two garbage collections: more than libraries create, and tens of megabytes."""


def main() -> NoReturn:
    """Run ``kt-cp``.  Loading the command line takes about 50 ms."""
    began = time.perf_counter()
    import gc

    # Otherwise a short command spends a tenth of its time on collections while libraries load.
    gc.set_threshold(COLLECT_AFTER)
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _at_once)
    try:
        from kt_cp.cli import main as command_line

        command_line(began)
    except KeyboardInterrupt:  # of the few steps before and after what the command line catches
        _at_once(_signal.SIGINT, None)
    finally:
        # Python collects garbage repeatedly at exit.  With a solver and compiled code loaded, this
        # takes 0.4 s, and seconds after Ctrl-C on a busy machine.
        gc.freeze()


def _at_once(_number: int, _frame: object) -> NoReturn:
    # Before the command starts and after it has ended.  An exception could be raised during an
    # import, which may swallow it, or during Python's exit, which prints it.
    os.write(2, b"kt-cp: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
