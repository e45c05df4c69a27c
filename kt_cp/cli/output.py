"""Results, remarks, progress, exit codes and input files.

Results go to stdout or a file, remarks to stderr, progress to stderr on a terminal only.

Files are written atomically: the content goes to a temporary file in the same folder, which is
renamed at the end, so that an interrupt or a full disk leaves the previous file as it was.  Without
``--force``, an existing file is refused when the output is opened, before any search, and a file
that appears later is refused at the renaming: ``os.link`` does not overwrite it, ``os.replace``
would.
"""

from __future__ import annotations

import contextlib
import math
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from kt_cp.model.errors import InputError
from kt_cp.model.limits import TimeLimitReachedError
from kt_cp.model.versions import versions_of

if TYPE_CHECKING:
    from kt_cp.model.request import Progress


class OutputFile:
    """An output file, used in a ``with``: text is written as UTF-8, bytes as they are.

    Opening it checks, before any search, whether it can be written.  At the end of the ``with`` an
    unfinished file is removed.  A link is followed, not replaced; devices and pipes, such as
    ``/dev/null``, are opened as they are.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        from kt_cp.formats.write import compressed

        self._path = path
        self._force = force
        self._open(path, force)
        self._content = compressed(self._file, path)

    def _open(self, path: Path, force: bool) -> None:
        self._temporary: Path | None = None
        status: os.stat_result | None = None
        try:
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
            if status is not None and stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError("it is a directory")
            if status is not None and _is_stdout(status):
                # ``/dev/stdout`` may be a file that has content already.
                self._file = open(os.dup(1), "wb")  # noqa: SIM115  closed in finish() or __exit__()
                return
            if status is not None and not stat.S_ISREG(status.st_mode):
                self._file = path.open("wb")
                return
            if status is not None and not force:
                raise FileExistsError
            self._target = Path(os.path.realpath(path))
            if status is not None:
                self._target.open("ab").close()
            self._mode = _default_mode() if status is None else stat.S_IMODE(status.st_mode)
            import tempfile

            handle, name = tempfile.mkstemp(
                dir=self._target.parent, prefix=f".{self._target.name[:40]}.", suffix=".part"
            )
            self._temporary = Path(name)
            self._file = open(handle, "wb")  # noqa: SIM115  closed in finish() or __exit__()
        except (OSError, ValueError) as error:
            raise self._input_error(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove an unfinished file."""
        for file in (self._content, self._file):
            with contextlib.suppress(OSError):
                file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def write(self, content: str | bytes | memoryview) -> None:
        """Write the whole content and finish the file."""
        self.add(content)
        self.finish()

    def add(self, piece: str | bytes | memoryview) -> bool:
        """Write a piece of the content; return False if it is a pipe without a reader."""
        try:
            self._content.write(piece.encode() if isinstance(piece, str) else piece)
        except BrokenPipeError:
            return False
        except OSError as error:
            raise self._input_error(error) from None
        return True

    def finish(self) -> None:
        """Rename the file to its target, unless another file has appeared there."""
        try:
            self._content.close()
            self._file.close()
            if self._temporary is not None:
                os.chmod(self._temporary, self._mode)
                if self._force:
                    os.replace(self._temporary, self._target)
                else:
                    _rename_new(self._temporary, self._target)
                self._temporary = None
        except BrokenPipeError:
            return  # the reader of the pipe is gone
        except OSError as error:
            raise self._input_error(error) from None

    def _input_error(self, error: Exception) -> InputError:
        path = shorten_path(self._path)
        if isinstance(error, FileExistsError):
            return InputError(f"{path} exists already: expected --force to overwrite it")
        return InputError(f"cannot write {path}: {error_cause(error)}")


def shorten_path(path: Path | str) -> str:
    """Return a path for a message, without the middle of a long one."""
    text = str(path)
    return text if len(text) <= 200 else f"{text[:100]}…{text[-99:]}"


def error_cause(error: Exception) -> str:
    """Return the text of an operating system error, for the end of a line."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _is_stdout(status: os.stat_result) -> bool:
    try:
        return os.path.samestat(status, os.fstat(1))
    except OSError:  # it is closed
        return False


def _rename_new(temporary: Path, target: Path) -> None:
    """Rename a file to a target that must not exist yet."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links. There, creating an empty file reserves the name.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(temporary, target)
        except BaseException:
            os.unlink(target)
            raise
    else:
        os.unlink(temporary)


def _default_mode() -> int:
    """Return the permissions of a new file: temporary files are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


MOST_BYTES = 1 << 28
"""Longest input file: about twenty million squares, far more than any engine takes."""


class StandardOutput:
    """stdout, with the interface of :class:`OutputFile`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: stdout stays open."""

    def write(self, content: str | bytes) -> None:
        print_result(content)

    def add(self, piece: str) -> bool:
        """Print a piece; return False if the reader is gone."""
        return print_result(piece)

    def finish(self) -> None:
        """Do nothing: every piece is flushed."""


Destination = OutputFile | StandardOutput


def destination(path: Path | None, *, force: bool) -> Destination:
    """Return the output file, or stdout for None, to be used in a ``with``."""
    return StandardOutput() if path is None else OutputFile(path, force=force)


def print_result(content: str | bytes) -> bool:
    """Write a result to stdout, text or a picture; return False if the reader is gone.

    When a reader such as ``head`` closes the pipe, the rest is discarded, and the exit code stays
    that of the answer.  A stdout that is closed or full raises ``InputError``.
    """
    if sys.stdout is None:
        raise InputError("cannot write to stdout: it is closed")
    try:
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
        return False
    except TimeLimitReachedError:
        _discard(sys.stdout)  # the end of Python would wait for a slow reader
        raise
    except OSError as error:
        _discard(sys.stdout)
        raise InputError(f"cannot write to stdout: {error_cause(error)}") from None
    return True


_verbosity = 0
"""-1 with ``--quiet``, 1 with ``--verbose``."""


def set_verbosity(verbosity: int) -> None:
    """Print results and errors alone (-1), remarks as well (0), or also log messages (1)."""
    global _verbosity
    _verbosity = verbosity
    if verbosity > 0:
        import logging

        logging.basicConfig(format="%(name)s: %(message)s", force=True)
        logging.getLogger("kt_cp").setLevel(logging.DEBUG)


def remark(text: str, *, always: bool = False) -> None:
    """Print a line on stderr that is not part of the result; never fail.

    With ``--quiet``, only lines with ``always`` are printed.
    """
    if sys.stderr is None or (_verbosity < 0 and not always):  # print(file=None) would use stdout
        return
    try:
        print(wrap_text(text) if is_stderr_terminal() else text, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def print_text(text: str) -> bool:
    """Print sentences on stdout; on a terminal, break them into lines of its width."""
    return print_result(wrap_text(text) if sys.stdout is not None and sys.stdout.isatty() else text)


def wrap_text(text: str, hanging: int = 2) -> str:
    """Break sentences into lines of the terminal's width, between words only.

    Continuation lines are indented by ``hanging`` further characters.
    """
    import textwrap

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


def format_list(entries: Sequence[tuple[str, str]]) -> str:
    """Format names, each with a description beside it."""
    width = max(len(name) for name, _ in entries) + 2
    return "".join(wrap_text(f"  {name:<{width}}{text}", width) + "\n" for name, text in entries)


def is_stderr_terminal() -> bool:
    """Return whether stderr is a terminal, where progress is shown."""
    return sys.stderr is not None and sys.stderr.isatty()


def terminal_width() -> int:
    """Return the characters of a line: from COLUMNS, the terminal, or 80."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns


def read_bytes(path: Path, what: str = "a tour", most: int | None = None) -> bytes:
    """Read a file, or stdin for ``-``, of at most ``most`` bytes; unpack it if it is gzip."""
    from kt_cp.formats.read import unpack

    most = most or MOST_BYTES
    try:
        if str(path) != "-":
            with path.open("rb") as file:
                data = file.read(most + 1)
        elif sys.stdin is None:
            raise OSError("it is closed")
        else:
            data = sys.stdin.buffer.read(most + 1)
        data = unpack(data, most)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {shorten_path(path)}: {error_cause(error)}") from None
    if len(data) > most:
        raise InputError(
            f"expected {what} in at most {most >> 20} MB, got more in {shorten_path(path)}"
        )
    return data


def _discard(stream: IO[Any]) -> None:
    """Discard the buffer of a broken stream, and all later output."""
    null = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(null, stream.fileno())
    os.close(null)


def print_versions() -> None:
    """Print the versions of this package, of Python and of the solvers."""
    versions = versions_of(("ortools", "python-sat", "networkx"))
    own = versions.pop("kt_cp")
    print_text(f"kt-cp {own} ({', '.join(map(' '.join, versions.items()))})\n")


@contextmanager
def search_progress(
    label: str, seconds: float | None = None, total: float | None = None, last: bool = True
) -> Iterator[Progress | None]:
    """Show a line with the work so far and its time; yield None if stderr is not a terminal.

    ``seconds`` is the time limit, ``total`` the estimated amount of the work that is reported last.
    With ``last``, the line is printed once more after Ctrl-C.
    """
    if not is_stderr_terminal() or _verbosity < 0:
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
        text = ""

        def show(work: Mapping[str, float | None]) -> None:
            nonlocal text
            text = ", ".join(
                name if value is None else f"{name} {value:,.0f}" for name, value in work.items()
            )
            line.update(task, description=f"{label} … {text}{about}")

        try:
            yield show
        except KeyboardInterrupt:
            if last and text:
                remark(f"{label}: last progress: {text}")
            raise


FOUND = 0
NO = 1
USAGE = 2
UNKNOWN = 3
BUG = 70
INTERRUPTED = 130
