"""Where results, remarks, progress and exit codes go, and where input comes from.

Results go to stdout or a file, remarks on an outcome to stderr; progress on a terminal only.

Files that are either whole or not there, and that replace others only where that was asked for.

The content goes to a temporary file beside the one that is meant, which gets its name at the end,
so that an interrupt or a full disk leaves whatever was there before.  An existing file is refused
when the new one is opened, before any search; one that comes into being meanwhile, when it would
get its name.  ``os.replace`` would overwrite that one, ``os.link`` does not.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import stat
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from kt_cp.formats.write import describe_checks
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.progress import Progress


class OutputFile:
    """A file to be written, at once or piece by piece: text as UTF-8, or bytes as they are.

    Opening it finds out, before any search, whether it can be written, and an existing one be
    overwritten.  It is used in a ``with``, at whose end what was not finished is cleared away.

    What a link points to is written, not the link; devices and pipes, such as ``/dev/null``, are
    written to as they are.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        self._path = path
        self._force = force
        self._temporary: Path | None = None
        found: os.stat_result | None = None
        try:
            with contextlib.suppress(FileNotFoundError):
                found = path.stat()  # of what is there, or at the end of the link that is
            if found is not None and stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError("it is a directory")
            if found is not None and _is_stdout(found):
                # ``/dev/stdout`` may be a file, with what was written to it before.
                self._file = open(os.dup(1), "wb")  # noqa: SIM115  closed in finish() or __exit__()
                return
            if found is not None and not stat.S_ISREG(found.st_mode):
                self._file = path.open("wb")
                return
            if found is not None and not force:
                raise FileExistsError
            self._target = Path(os.path.realpath(path))
            if found is not None:
                self._target.open("ab").close()
            self._mode = _usual_mode() if found is None else stat.S_IMODE(found.st_mode)
            handle, name = tempfile.mkstemp(
                dir=self._target.parent, prefix=f".{self._target.name[:40]}.", suffix=".part"
            )
            self._temporary = Path(name)
            self._file = open(handle, "wb")  # noqa: SIM115  closed in finish() or __exit__()
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear away what was not finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def write(self, content: str | bytes | memoryview) -> None:
        """Write the whole content and give the file its name."""
        self.add(content)
        self.finish()

    def add(self, piece: str | bytes | memoryview) -> bool:
        """Write a piece of the content; whether somebody reads, as of a pipe may be nobody.

        Large pieces go straight to the file, without a copy.  The buffer of a NumPy array is its
        ``data``, which must be C-contiguous.
        """
        try:
            self._file.write(piece.encode() if isinstance(piece, str) else piece)
        except BrokenPipeError:
            return False
        except OSError as error:
            raise self._refusal(error) from None
        return True

    def finish(self) -> None:
        """Give the file its name, unless one of that name has come into being meanwhile."""
        try:
            self._file.close()
            if self._temporary is not None:
                os.chmod(self._temporary, self._mode)
                if self._force:
                    os.replace(self._temporary, self._target)
                else:
                    _name_anew(self._temporary, self._target)
                self._temporary = None
        except BrokenPipeError:
            return  # who read the pipe has read enough
        except OSError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> InputError:
        path = shorten_path(self._path)
        if isinstance(error, FileExistsError):
            return InputError(f"{path} exists already: expected --force to overwrite it")
        return InputError(f"cannot write {path}: {error_cause(error)}")


def shorten_path(path: Path | str) -> str:
    """A path for a message, the middle of a long one left out."""
    text = str(path)
    return text if len(text) <= 200 else f"{text[:100]}…{text[-99:]}"


def error_cause(error: Exception) -> str:
    """What an error of the operating system says, for the end of a line."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _is_stdout(found: os.stat_result) -> bool:
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:  # it is closed
        return False


def _name_anew(temporary: Path, target: Path) -> None:
    """Give a file a name that no other has: ``FileExistsError`` if one has it by now."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # Not every disk has links. There an empty file takes the name first, as only one can.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(temporary, target)
        except BaseException:
            os.unlink(target)
            raise
    else:
        os.unlink(temporary)


def _usual_mode() -> int:
    """Permissions that a new file has here: temporary ones are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


MOST_BYTES = 1 << 28
"""Longest file that is read: some twenty million squares, far more than any engine takes."""


class StandardOutput:
    """stdout, as a place to write to."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be cleared away."""

    def write(self, text: str | bytes) -> None:
        assert isinstance(text, str)  # other formats go to files
        print_result(text)

    def add(self, text: str) -> bool:
        """Print a piece; whether somebody still reads."""
        return print_result(text)

    def finish(self) -> None:
        """Nothing is left to do."""


def destination(path: Path | None, *, force: bool) -> OutputFile | StandardOutput:
    """The file if one was asked for, otherwise stdout, to be used in a ``with``."""
    return StandardOutput() if path is None else OutputFile(path, force=force)


def print_result(text: str) -> bool:
    """Write a result to stdout; whether somebody still reads it.

    A reader who is gone, such as ``head``, has read enough: the rest is dropped, and the exit code
    stays that of the answer.  A stdout that is closed or full is an ``InputError``.
    """
    if sys.stdout is None:
        raise InputError("cannot write to stdout: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
        return False
    except OSError as error:
        _drop(sys.stdout)
        raise InputError(f"cannot write to stdout: {error_cause(error)}") from None
    return True


def remark(text: str) -> None:
    """A line for the person in front of it, not part of the result; never worth a failure."""
    if sys.stderr is None:  # and print would take stdout in its place
        return
    try:
        print(wrap_text(text) if is_stderr_terminal() else text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def print_text(text: str) -> bool:
    """Show sentences on stdout; on a terminal in lines for which it has room."""
    return print_result(wrap_text(text) if sys.stdout is not None and sys.stdout.isatty() else text)


def wrap_text(text: str, hanging: int = 2) -> str:
    """Sentences in lines as wide as the terminal at most, in which no word or name is broken.

    What follows the first line of a sentence begins so many places to the right of it.
    """
    lines = []
    for line in text.split("\n"):
        lines += textwrap.wrap(
            line,
            terminal_width(),
            subsequent_indent=" " * (len(line) - len(line.lstrip()) + hanging),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


def format_list(told: Sequence[tuple[str, str]]) -> str:
    """Names, and what is to be said of each beside it, as lines."""
    width = max(len(name) for name, _ in told) + 2
    return "".join(wrap_text(f"  {name:<{width}}{text}", width) + "\n" for name, text in told)


def is_stderr_terminal() -> bool:
    """Whether stderr is a terminal, so that progress is worth showing."""
    return sys.stderr is not None and sys.stderr.isatty()


def terminal_width() -> int:
    """Characters in a line: of COLUMNS, else of the terminal, else 80."""
    return shutil.get_terminal_size((80, 24)).columns


def read_bytes(path: Path, what: str = "a tour", most: int | None = None) -> bytes:
    """Contents of a file, or of stdin for ``-``, unless it has more bytes than its kind can."""
    most = most or MOST_BYTES
    try:
        if str(path) != "-":
            with path.open("rb") as file:
                data = file.read(most + 1)
        elif sys.stdin is None:
            raise OSError("it is closed")
        else:
            data = sys.stdin.buffer.read(most + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {shorten_path(path)}: {error_cause(error)}") from None
    if len(data) > most:
        raise InputError(
            f"expected {what} in at most {most >> 20} MB, got more in {shorten_path(path)}"
        )
    return data


def _drop(stream: IO[Any]) -> None:
    """Let what a broken stream still holds, and whatever follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def report_outcome(outcome: Outcome, *, answered: bool, hint: str = "") -> None:
    """What there is to say beside a tour: a "no", and how the answer was checked.

    ``answered`` says whether the outcome stands on stdout already, ``hint`` what to do where it is
    unknown.
    """
    problem = outcome.problem
    if outcome.verdict is Verdict.IMPOSSIBLE and not answered:
        print_text(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown whether there is a tour: {outcome.reason}{hint}")
        return
    took = f" in {outcome.seconds:.3g} s" if outcome.seconds else ""
    said = f"{outcome.verdict.value} by {outcome.engine}{took}; {describe_checks(outcome)}"
    remark(f"{problem.label}: {said}")


@contextmanager
def search_progress(
    label: str, seconds: float | None = None, total: float | None = None, last: bool = True
) -> Iterator[Progress | None]:
    """A line with the work done so far, and the time that it took; None where nobody is watching.

    ``seconds`` is the limit, if there is one; ``total`` how much work of the last kind told there
    is likely to be; ``last`` whether the line is told once more after Ctrl-C.
    """
    if not is_stderr_terminal():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    most = "" if seconds is None else f"of at most {seconds:g} s"
    about = f" of about 10^{math.log10(total):.0f}" if total else ""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, TextColumn(most), console=console, transient=True) as line:
        task = line.add_task(f"{label} …", total=None)
        said = ""

        def show(work: Mapping[str, float | None]) -> None:
            nonlocal said
            told = (
                name if value is None else f"{name} {value:,.0f}" for name, value in work.items()
            )
            said = ", ".join(told)
            line.update(task, description=f"{label} … {said}{about}")

        try:
            yield show
        except KeyboardInterrupt:
            if last and said:
                remark(f"{label}: at the last look: {said}")
            raise


FOUND = 0
NO = 1
USAGE = 2
UNKNOWN = 3
BUG = 70
INTERRUPTED = 130

EXIT_CODES = {Verdict.FOUND: FOUND, Verdict.IMPOSSIBLE: NO, Verdict.UNKNOWN: UNKNOWN}
"""What ``solve`` exits with."""
