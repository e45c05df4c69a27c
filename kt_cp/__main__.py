"""``kt-cp`` and ``python -m kt_cp``: what can be interrupted before the command line is loaded."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def main() -> NoReturn:
    """Entry point of ``kt-cp``.  To load the command line takes a tenth of a second."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    from kt_cp.cli import main as command_line

    signal.signal(signal.SIGINT, before)
    command_line()


def _interrupted(_signal: int, _frame: object) -> NoReturn:
    # Nothing has begun.  An exception could come in the midst of an import, which may swallow it.
    os.write(2, b"kt-cp: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
