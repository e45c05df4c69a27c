"""The command line: the only place that prints, reads arguments or exits."""

from __future__ import annotations

import io
import signal
import sys
import traceback
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from kt_cp.board import shorten
from kt_cp.cli import (
    check,
    compare,
    decode,
    encodings,
    engines,
    export,
    locate,
    prove,
    reference,
    solve,
    trace,
)
from kt_cp.cli import enumerate as enumeration
from kt_cp.cli.exits import BUG, FOUND, INTERRUPTED, UNKNOWN, USAGE
from kt_cp.cli.output import remark
from kt_cp.errors import EngineFailedError, InputError, UnsoundEngineError

app = typer.Typer(
    name="kt-cp",
    help="Knight's tours by constraint programming, SAT and search; every answer checked.",
    epilog="Exit codes: 0 yes, 1 a definite no, 2 bad input, 3 unknown, 70 a bug, 130 interrupted.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("solve")(solve.command)
app.command("prove")(prove.command)
app.command("locate")(locate.command)
app.command("check")(check.command)
app.command("enumerate")(enumeration.command)
app.command("reference", help=reference.HELP)(reference.command)
app.command("trace")(trace.command)
app.command("engines")(engines.command)
app.command("encodings")(encodings.command)
app.command("export")(export.command)
app.command("decode")(decode.command)
app.command("compare")(compare.command)


def main() -> NoReturn:
    """Entry point of ``kt-cp``."""
    signal.signal(signal.SIGTERM, _terminated)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a frame is not worth failing for
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # Typer has turned the exception into its code
            raise KeyboardInterrupt
    except TyperException as error:
        code = _complain(_usage(error))
    except InputError as error:
        code = _complain(str(error))
    except (UnsoundEngineError, EngineFailedError) as error:
        code = _complain(str(error), BUG)
    except (KeyboardInterrupt, typer.Abort):
        code = _complain("interrupted", INTERRUPTED)
    except MemoryError:
        code = _complain("unknown: memory ran out", UNKNOWN)
    except OSError as error:
        code = _complain(str(error))
    except Exception as error:
        # Python's own exit code for this is 1, which here is a definite no.
        traceback.print_exc()
        code = _complain(f"a bug, please report it: {type(error).__name__}: {error}", BUG)
    sys.exit(code if isinstance(code, int) else FOUND)


def _usage(error: TyperException) -> str:
    """What was expected, and what came where Typer knows it but does not say."""
    message = error.format_message()
    if message == "Missing command.":
        *first, last = (command.name for command in app.registered_commands)
        return f"expected a command, {', '.join(map(str, first))} or {last}; see kt-cp --help"
    details = getattr(error.__cause__, "errors", None)
    came = details()[0].get("input") if callable(details) else None
    return f"{message}; got {shorten(came)!r}" if isinstance(came, str) else message


def _complain(message: str, code: int = USAGE) -> int:
    """One line on stderr, whatever the message holds."""
    remark(f"kt-cp: {' '.join(message.split())}")
    return code


def _terminated(_signal: int, _frame: object) -> NoReturn:
    # As an exception, so that child processes and half-written files are cleared away.
    sys.exit(128 + signal.SIGTERM)
