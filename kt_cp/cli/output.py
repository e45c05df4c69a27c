"""Where results, remarks, progress and exit codes go, and where input comes from.

Results go to stdout or a file, remarks on an outcome to stderr; progress on a terminal only.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from kt_cp.cli.files import OutputFile, cause, shown
from kt_cp.formats.write import checks_made
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.progress import Progress

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
        show(text)

    def add(self, text: str) -> bool:
        """Print a piece; whether somebody still reads."""
        return show(text)

    def finish(self) -> None:
        """Nothing is left to do."""


def destination(path: Path | None, *, force: bool) -> OutputFile | StandardOutput:
    """The file if one was asked for, otherwise stdout, to be used in a ``with``."""
    return StandardOutput() if path is None else OutputFile(path, force=force)


def show(text: str) -> bool:
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
        raise InputError(f"cannot write to stdout: {cause(error)}") from None
    return True


def remark(text: str) -> None:
    """A line for the person in front of it, not part of the result; never worth a failure."""
    if sys.stderr is None:  # and print would take stdout in its place
        return
    try:
        print(in_lines(text) if watched() else text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def say(text: str) -> bool:
    """Show sentences on stdout; on a terminal in lines for which it has room."""
    return show(in_lines(text) if sys.stdout is not None and sys.stdout.isatty() else text)


def in_lines(text: str, hanging: int = 2) -> str:
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


def listed(told: Sequence[tuple[str, str]]) -> str:
    """Names, and what is to be said of each beside it, as lines."""
    width = max(len(name) for name, _ in told) + 2
    return "".join(in_lines(f"  {name:<{width}}{text}", width) + "\n" for name, text in told)


def watched() -> bool:
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
        raise InputError(f"cannot read {shown(path)}: {cause(error)}") from None
    if len(data) > most:
        raise InputError(f"expected {what} in at most {most >> 20} MB, got more in {shown(path)}")
    return data


def _drop(stream: IO[Any]) -> None:
    """Let what a broken stream still holds, and whatever follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def tell(outcome: Outcome, *, answered: bool, hint: str = "") -> None:
    """What there is to say beside a tour: a "no", and how the answer was checked.

    ``answered`` says whether the outcome stands on stdout already, ``hint`` what to do where it is
    unknown.
    """
    problem = outcome.problem
    if outcome.verdict is Verdict.IMPOSSIBLE and not answered:
        say(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown whether there is a tour: {outcome.reason}{hint}")
        return
    took = f" in {outcome.seconds:.3g} s" if outcome.seconds else ""
    said = f"{outcome.verdict.value} by {outcome.engine}{took}; {checks_made(outcome)}"
    remark(f"{problem.label}: {said}")


@contextmanager
def search_progress(
    label: str, seconds: float | None = None, total: float | None = None, last: bool = True
) -> Iterator[Progress | None]:
    """A line with the work done so far, and the time that it took; None where nobody is watching.

    ``seconds`` is the limit, if there is one; ``total`` how much work of the last kind told there
    is likely to be; ``last`` whether the line is told once more after Ctrl-C.
    """
    if not watched():
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

OF_VERDICT = {Verdict.FOUND: FOUND, Verdict.IMPOSSIBLE: NO, Verdict.UNKNOWN: UNKNOWN}
"""What ``solve`` exits with."""
