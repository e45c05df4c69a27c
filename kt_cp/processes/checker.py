"""Proof checkers of others, run on the files that they read.

drat-trim (N. Wetzler, M. Heule and W. Hunt, SAT 2014) takes DRAT and looks for the clauses that
each lemma needs.  lrat-check (L. Cruz-Filipe et al., CADE 2017) and cake_lpr, which is verified
down to its machine code (Y. Tan, M. Heule and M. Myreen, TACAS 2021), take LRAT, which names them.
None of them is installed with this package: whoever wants a second word has them on the PATH.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError

ACCEPTING = {
    "cake_lpr": ("lrat", "s VERIFIED UNSAT"),
    "lrat-check": ("lrat", "c VERIFIED"),
    "drat-trim": ("drat", "s VERIFIED"),
}
"""The proof that each takes, and the line by which it accepts; exit codes differ by version."""

_REFUSING = ("NOT VERIFIED", "failed", "FAILED", "not derived")
"""What refusing lines hold; the last is cake_lpr's of a proof that is cut short.  It exits with 0
all the same."""


@dataclass(frozen=True)
class CheckerVerdict:
    """What a checker said: whether it accepts, None if it came to no end, and its own line."""

    checker: str
    accepted: bool | None
    message: str

    def document(self) -> dict[str, str | bool | None]:
        """Return the fields of the JSON object."""
        return {"checker": self.checker, "accepted": self.accepted, "said": self.message}


def program_of(checker: str) -> str:
    """Where a checker is.

    Raises
    ------
    InputError
        If none is known by that name, or it is not on the PATH.
    """
    if checker not in ACCEPTING:
        *others, last = ACCEPTING
        known = f"{', '.join(others)} or {last}"
        raise InputError(f"--with: expected {known}, got {shorten(checker)!r}")
    found = shutil.which(checker)
    if found is None:
        raise InputError(f"--with {checker}: expected it on the PATH, where it is not")
    return found


def run_checker(checker: str, formula: str, proof: str) -> CheckerVerdict:
    """What a checker says of a formula in DIMACS and a proof in the format that it takes."""
    ending, accepting = ACCEPTING[checker]
    with tempfile.TemporaryDirectory(prefix="kt-cp-") as folder:
        files = [Path(folder, f"formula.{end}") for end in ("cnf", ending)]
        for file, text in zip(files, (formula, proof), strict=True):
            file.write_text(text, encoding="utf-8")
        try:
            ran = subprocess.run(
                [program_of(checker), *map(str, files)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        except OSError as error:
            return CheckerVerdict(
                checker, None, f"it does not run: {(error.strerror or str(error)).lower()}"
            )
    lines = [line.strip() for line in f"{ran.stdout}\n{ran.stderr}".splitlines() if line.strip()]
    if accepting in lines:
        return CheckerVerdict(checker, True, accepting)
    for line in lines:
        if any(word in line for word in _REFUSING):
            return CheckerVerdict(checker, False, shorten(line, 80))
    message = shorten(lines[-1], 80) if lines else "nothing"
    return CheckerVerdict(checker, None, f"{message} (exit code {ran.returncode})")
