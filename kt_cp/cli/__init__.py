"""The command line, the only folder that prints, reads arguments, or exits."""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import CodeType, TracebackType
from typing import Any, NoReturn

from kt_cp.cli.deadline import start_clock
from kt_cp.cli.output import (
    BUG,
    FOUND,
    INTERRUPTED,
    NO,
    UNKNOWN,
    USAGE,
    error_cause,
    print_versions,
    remark,
    set_verbosity,
    shorten_path,
)
from kt_cp.model.errors import EndedError, EngineFailedError, InputError, UnsoundEngineError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.processes.memory import is_out_of_memory, require_memory_for_numpy

COMMANDS = {
    "solve": "solve",
    "optimize": "optimize",
    "prove": "prove",
    "locate": "solve",
    "check": "check",
    "enumerate": "enumerate",
    "count": "count",
    "sample": "count",
    "rank": "count",
    "unrank": "count",
    "reference": "reference",
    "trace": "reference",
    "engines": "engines",
    "encodings": "engines",
    "export": "export",
    "decode": "export",
    "compare": "compare",
    "puzzle": "puzzle",
    "web": "web",
}
"""The file of each command; its function is ``NAME_command``."""


@cache
def app(first: str = "") -> Callable[..., Any]:
    """Return the command of this name with its options, or the group of all commands.

    The group loads the file of a command when the command is run: loading all takes longer than a
    tour.
    """
    import typer

    from kt_cp.cli.parameters import Command, CommandGroup, global_options, unwrap_paragraphs

    class DeferredCommand(Command):
        """A command that imports its module when it runs."""

        def make_context(self, *arguments: Any, **options: Any) -> Any:
            return command_of(str(self.name)).make_context(*arguments, **options)

    group = typer.Typer(
        name="kt-cp",
        help="Find, prove, count and check knight's tours by constraint programming and SAT.",
        epilog="Exit codes: 0 yes, 1 a definite no, 2 bad input, 3 unknown, 70 a bug, "
        "130 interrupted.",
        cls=CommandGroup,
        add_completion=first not in COMMANDS,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.callback()(global_options)  # without a callback, a single command has no name
    if first in COMMANDS:
        command = getattr(import_module(f"kt_cp.cli.{COMMANDS[first]}"), f"{first}_command")
        group.command(first, cls=Command, help=unwrap_paragraphs(command.__doc__))(command)
    else:
        for name in COMMANDS:
            text = unwrap_paragraphs(docstring_of(name))
            group.command(name, cls=DeferredCommand, help=text)(lambda: None)
    return typer.main.get_command(group)


def command_of(name: str) -> Any:
    """Return a command with its options."""
    group: Any = app(name)
    return group.commands[name]


def docstring_of(name: str) -> str | None:
    """Return the docstring of a command without importing its file, which takes too long."""
    if sys.flags.optimize > 1:  # -OO removes docstrings
        return None
    from importlib.util import find_spec

    spec = find_spec(f"kt_cp.cli.{COMMANDS[name]}")
    assert spec is not None
    loader: Any = spec.loader
    for each in loader.get_code(spec.name).co_consts:
        if isinstance(each, CodeType) and each.co_name == f"{name}_command":
            return str(each.co_consts[0])
    raise AssertionError(f"{spec.name} does not define {name}_command")


_VERBOSITIES = {"--quiet": -1, "-q": -1, "--verbose": 1, "-v": 1}


def take_verbosity(arguments: list[str]) -> tuple[list[str], int]:
    """Return the arguments without --quiet and --verbose, which may stand anywhere, and -1 or 1.

    >>> take_verbosity(["solve", "8x8", "-q"])
    (['solve', '8x8'], -1)
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    found = {_VERBOSITIES[each] for each in arguments[:end] if each in _VERBOSITIES}
    if len(found) > 1:
        raise InputError("expected --quiet or --verbose, got both")
    rest = [each for each in arguments[:end] if each not in _VERBOSITIES]
    return rest + arguments[end:], sum(found)


_ASCII = {
    mark: plain
    for marks, plain in (
        ("│┃", "|"), ("─━–—", "-"), ("┌┐└┘├┤┬┴┼", "+"), ("·", "."), ("×", "x"),
        ("…", "..."), ("→", "->"), ("≤", "<="), ("≥", ">="), ("“”", '"'), ("’", "'"),
    )
    for mark in marks
}  # fmt: skip
"""Characters of frames and sentences, for terminals that have only ASCII."""


def to_ascii(error: UnicodeError) -> tuple[str, int]:
    r"""Return a replacement for text that stdout cannot encode.

    It is the nearest ASCII character, or else an escape sequence as in JSON.

    >>> to_ascii(UnicodeEncodeError("ascii", "· é", 0, 1, ""))
    ('.', 1)
    >>> to_ascii(UnicodeEncodeError("ascii", "· é", 2, 3, ""))
    ('\\u00e9', 3)
    """
    import json

    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(_ASCII.get(each) or json.dumps(each)[1:-1] for each in text), error.end


_received: list[int] = []
"""Signals received: importing a library may turn their exception into one of its own."""


def main(started: float | None = None) -> NoReturn:
    """Run the command line; time limits count from ``started``, by default from now.

    Ctrl-C raises an exception while a command works, so that child processes and half-written
    files are removed.  Before and after, its handler is the one from before this call.
    """
    _received.clear()
    start_clock(started)
    sys.unraisablehook = _resend_unraisable
    sys.excepthook = _print_uncaught
    handler = signal.getsignal(signal.SIGINT) or signal.SIG_DFL
    signal.signal(signal.SIGTERM, _terminate)
    raw = isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase)
    if raw:
        # As with PYTHONUNBUFFERED: a raw stream may silently write only a part of a text.
        sys.stdout = open(  # noqa: SIM115  open until the process ends
            sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False
        )
    codecs.register_error("kt_cp.ascii", to_ascii)  # a table's frame is not worth a failure
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="kt_cp.ascii")
    try:
        set_verbosity(0)
        arguments, verbosity = take_verbosity(sys.argv[1:])
        set_verbosity(verbosity)
        if arguments[:1] == ["help"]:
            arguments = [*arguments[1:], "--help"]
        arguments = arguments or ["--help"]
        if arguments in (["--version"], ["-V"]):  # without Typer, which takes longer to load
            print_versions()
            sys.exit(FOUND)
        if "numpy" not in sys.modules:
            require_memory_for_numpy()
        command = app(arguments[0])
        if handler is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _interrupt)
        code = command(arguments, prog_name="kt-cp", standalone_mode=False)
        if code == INTERRUPTED:  # Typer turns the exception into its exit code
            raise KeyboardInterrupt
        if code == NO and arguments[0].endswith("-completion"):  # Typer has printed the reason
            code = USAGE
    except SystemExit as error:
        if error.code != 1:
            raise
        code = FOUND  # Typer's code where the reader of its help has closed the pipe
    except TimeLimitReachedError as error:
        code = _print_error(f"unknown: {error}", UNKNOWN)
    except KeyboardInterrupt:
        code = _print_error("interrupted", INTERRUPTED)
    except Exception as error:
        code = _report_error(error)
    finally:
        signal.signal(signal.SIGINT, handler)
    sys.exit(code if isinstance(code, int) else FOUND)


def _report_error(error: Exception) -> int:
    """Print an exception in one line; return the exit code."""
    if signal.SIGINT in _received:
        return _print_error("interrupted", INTERRUPTED)
    if _received:
        return 128 + _received[0]
    if isinstance(error, InputError):
        return _print_error(str(error))
    if isinstance(error, UnsoundEngineError):
        return _print_error(str(error), BUG)
    if is_out_of_memory(error):
        return _print_error("unknown: memory ran out", UNKNOWN)
    if isinstance(error, EndedError):
        return _print_error(f"unknown: {error}", UNKNOWN)
    if isinstance(error, OSError):
        source = shorten_path(error.filename) if error.filename else "operating system error"
        return _print_error(f"{source}: {error_cause(error)}")
    if isinstance(error, EngineFailedError):
        return _print_error(str(error), BUG)
    from typer import Abort
    from typer.exceptions import TyperException

    if isinstance(error, Abort):
        return _print_error("interrupted", INTERRUPTED)
    if isinstance(error, TyperException):
        return _print_error(error.format_message())
    # Python's own exit code would be 1, which is a definite no here.
    import traceback

    traceback.print_exception(error)
    return _print_error(f"a bug, please report it: {type(error).__name__}: {error}", BUG)


def _print_error(message: str, code: int = USAGE) -> int:
    """Print a message in one line on stderr; return the exit code."""
    remark(f"kt-cp: {' '.join(message.split())}", always=True)
    return code


def _terminate(number: int, _frame: object) -> NoReturn:
    # An exception, so that child processes and half-written files are removed.
    _received.append(number)
    sys.exit(128 + number)


def _interrupt(number: int, _frame: object) -> NoReturn:
    _received.append(number)
    raise KeyboardInterrupt


def _print_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print an exception, unless it comes from a signal and the importing code raises its own."""
    if not (_received and issubclass(kind, KeyboardInterrupt | SystemExit)):
        sys.__excepthook__(kind, error, trace)


def _resend_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Resend the signal of an exception that a callback or a finalizer has dropped."""
    interrupted = signal.SIGINT in _received and issubclass(unraisable.exc_type, KeyboardInterrupt)
    if not interrupted and not issubclass(unraisable.exc_type, TimeLimitReachedError):
        sys.__unraisablehook__(unraisable)
        return
    number = signal.SIGINT if interrupted else signal.SIGALRM
    returned = threading.Event()

    def resend() -> None:
        # An exception raised before the hook has returned would be dropped for good.
        returned.wait()
        time.sleep(0.01)
        os.kill(os.getpid(), number)

    threading.Thread(target=resend, daemon=True).start()
    returned.set()
