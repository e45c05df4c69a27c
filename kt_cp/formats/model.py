"""Answers of SAT solvers, in whichever form they come.

Understood are the output of the SAT competitions (``s SATISFIABLE``, then ``v`` lines up to a 0),
the file that MiniSat writes (``SAT``, then the literals, or ``UNSAT``, ``INDET``), and a bare list
of literals, with or without brackets and commas.  Comments and empty lines are passed over.

Whether the model satisfies anything is for those who know the formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kt_cp.board import shorten
from kt_cp.errors import FormulaFileError

_STATUS = {
    b"SATISFIABLE": True,
    b"SAT": True,
    b"UNSATISFIABLE": False,
    b"UNSAT": False,
    b"UNKNOWN": None,
    b"INDET": None,
    b"INDETERMINATE": None,
}
_WORDS = {True: "satisfiable", False: "unsatisfiable", None: "unknown"}
_LITERAL = re.compile(rb"-?[0-9]{1,10}")
_BRACKETS = bytes.maketrans(b"[],", b"   ")


@dataclass(frozen=True)
class Answer:
    """What a solver said.

    Attributes
    ----------
    satisfiable : bool or None
    values : int8 array of shape (variables + 1,)
        1 for true, -1 for false, 0 for what the model leaves open; index 0 is not used.
    """

    satisfiable: bool | None
    values: NDArray[np.int8]


def read_answer(data: bytes, variables: int) -> Answer:
    r"""Read a solver's answer to a formula of so many variables.

    Raises
    ------
    FormulaFileError
        If it is none, contradicts itself, or names a variable that the formula does not have.

    Examples
    --------
    >>> read_answer(b"c by hand\ns SATISFIABLE\nv 1 -3 0\n", 3).values.tolist()
    [0, 1, 0, -1]
    >>> read_answer(b"UNSAT\n", 3).satisfiable
    False
    """
    values = [0] * (variables + 1)
    said: dict[bool | None, int] = {}
    named = closed = formal = unknown = False
    number = 0
    for number, line in _lines(data):
        if line == b"c UNKNOWN":  # CaDiCaL's word where it ran out of time
            unknown = True
        elif (word := line.removeprefix(b"s ").strip()) in _STATUS:
            said.setdefault(_STATUS[word], number)
            formal = True
        elif line.split()[0] in (b"c", b"s"):
            if line.startswith(b"s"):
                raise FormulaFileError(f"line {number}: expected a status, got {_shown(line)}")
        else:
            formal = formal or line.startswith(b"v")
            for literal in _literals(line, number):
                if closed:
                    raise FormulaFileError(
                        f"line {number}: expected one model, and it ended before with 0"
                    )
                closed, named = literal == 0, True
                if not closed:
                    _set(values, literal, number)
    if len(said) > 1:
        first, second = list(said)[:2]
        raise FormulaFileError(
            f"line {said[second]}: {_WORDS[second]}, and {_WORDS[first]} in line {said[first]}"
        )
    status = next(iter(said)) if said else True if named else None
    if not said and not named and not unknown:
        raise FormulaFileError("expected a solver's answer, got neither a status nor literals")
    if named and not status:
        raise FormulaFileError(f"{_WORDS[status]}, yet there are literals")
    if status and not named:
        raise FormulaFileError(
            "satisfiable, yet there are no literals: let the solver print its model"
        )
    if status and formal and not closed:
        raise FormulaFileError(f"line {number}: expected 0 at the end of the model")
    return Answer(status, np.array(values, dtype=np.int8))


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(data.splitlines(), start=1):
        line = line.strip()
        if line:
            yield number, line


def _literals(line: bytes, number: int) -> Iterator[int]:
    if line.split()[0] == b"v":
        line = line[1:]
    for word in line.translate(_BRACKETS).split():
        if not _LITERAL.fullmatch(word):
            came = _shown(word)
            raise FormulaFileError(f"line {number}: expected a solver's literals, got {came}")
        yield int(word)


def _set(values: list[int], literal: int, number: int) -> None:
    variable, value = abs(literal), 1 if literal > 0 else -1
    if variable >= len(values):
        raise FormulaFileError(
            f"line {number}: expected literals up to {len(values) - 1}, got {literal}"
        )
    if values[variable] == -value:
        raise FormulaFileError(f"line {number}: {literal}, and {-literal} before")
    values[variable] = value


def _shown(text: bytes) -> str:
    return repr(shorten(text[:50].decode("ascii", "replace")))
