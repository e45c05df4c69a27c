"""Runs that are kept in a file, so that a long measurement can be broken off and gone on with."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from benchmarks.case import Case, Run
from benchmarks.ladder import Runner
from kt_cp.model.errors import InputError


class Kept:
    """Runs what is not in the file, and adds it: one line of JSON each.

    Raises
    ------
    InputError
        If the file holds anything else; it says in which line.
    """

    def __init__(self, run: Runner, file: Path) -> None:
        self._run = run
        self._file = file
        self._writing = threading.Lock()
        self._known: dict[str, Run] = {}
        for number, line in enumerate(_lines(file), start=1):
            try:
                key, status, values = json.loads(line)
                self._known[json.dumps(key)] = Run(str(status), dict(values))
            except (ValueError, TypeError):
                raise InputError(f"{file}, line {number}: expected a run that was kept") from None

    def __call__(self, case: Case, seed: int, stop: threading.Event | None = None) -> Run:
        key = [case.row, case.who, list(case.words), case.limit, seed]
        known = self._known.get(json.dumps(key))
        if known is not None:
            return known
        run = self._run(case, seed, stop)
        if stop is None or not stop.is_set():
            with self._writing, self._file.open("a", encoding="utf-8") as opened:
                opened.write(json.dumps([key, run.status, run.values]) + "\n")
        return run


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: expected runs that were kept, got {error}") from None
