"""The command line: the only place that prints, reads arguments or exits."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from kt_cp.cli import check, compare, engines, solve
from kt_cp.cli.exits import BUG, FOUND, INTERRUPTED, USAGE
from kt_cp.errors import EngineFailedError, InputError, UnsoundEngineError

app = typer.Typer(
    name="kt-cp",
    help="Knight's tours by constraint programming, SAT and search; every answer checked.",
    epilog="Exit codes: 0 yes, 1 a definite no, 2 bad input, 3 unknown, 70 a bug, 130 interrupted.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("solve")(solve.command)
app.command("check")(check.command)
app.command("engines")(engines.command)
app.command("compare")(compare.command)


def main() -> NoReturn:
    """Entry point of ``kt-cp``."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # Typer has turned the exception into its code
            raise KeyboardInterrupt
    except TyperException as error:
        code = _complain(error.format_message() or "expected a command, see kt-cp --help")
    except InputError as error:
        code = _complain(str(error))
    except (UnsoundEngineError, EngineFailedError) as error:
        code = _complain(str(error), BUG)
    except (KeyboardInterrupt, typer.Abort):
        code = _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has enough.  What Python still holds must not be flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = FOUND
    sys.exit(code if isinstance(code, int) else FOUND)


def _complain(message: str, code: int = USAGE) -> int:
    """One line on stderr, whatever the message holds."""
    print(f"kt-cp: {' '.join(message.split())}", file=sys.stderr)
    return code


def _terminated(_signal: int, _frame: object) -> NoReturn:
    # As an exception, so that child processes and half-written files are cleared away.
    sys.exit(128 + signal.SIGTERM)
