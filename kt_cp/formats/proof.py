"""Proofs of SAT solvers that are not ours, in the forms in which they come.

Understood are DRAT as text, which DRUP is a part of; LRAT as text, whose hints are passed over; and
binary DRAT, which CaDiCaL and Kissat write where nothing else is asked for (M. Heule, "The DRAT
format and drat-trim checker", arXiv:1610.06229).  Every clause of the binary form ends with a byte
0, which no text holds: so the two are told apart.

Nothing in a proof is believed.  Numbers are bounded here, and what the steps come to is another's
work: :mod:`kt_cp.formats.certify`.
"""

from __future__ import annotations

import re

import numpy as np

from kt_cp.model.board import shorten
from kt_cp.model.errors import FormulaFileError
from kt_cp.proofs.trimming import Step

MOST_BYTES = 1 << 24
"""Of a proof: a gigabyte of memory, and some minutes to trim."""

LONGEST = 5
"""Bytes of a binary number: seven bits of it in each."""

_NUMBER = re.compile(rb"-?[0-9]{1,10}")


def read_proof(data: bytes, variables: int) -> list[Step]:
    r"""Steps of a proof over so many variables: is it a deletion, and the literals.

    Raises
    ------
    FormulaFileError
        If it is none, is cut short within a step, or names a variable that the formula has not.

    Examples
    --------
    >>> read_proof(b"c by hand\n1 -2 0\nd 3 0\n0\n", 3)
    [(False, [1, -2]), (True, [3]), (False, [])]
    >>> read_proof(b"9 1 -2 0 4 5 0\n10 d 4 0\n11 0 9 6 0\n", 3)
    [(False, [1, -2]), (False, [])]
    >>> read_proof(b"a\x02\x05\x00d\x06\x00a\x00", 3)
    [(False, [1, -2]), (True, [3]), (False, [])]
    """
    return _binary(data, variables) if b"\0" in data else _text(data, variables)


def _text(data: bytes, variables: int) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(data.splitlines(), start=1):
        words = line.split()
        if not words or words[0] == b"c" or words[1:2] == [b"d"]:  # the last deletes in LRAT
            continue
        deletes = words[0] == b"d"
        if not all(map(_NUMBER.fullmatch, words[deletes:])):
            raise FormulaFileError(f"line {number}: expected literals and 0, got {_shown(line)}")
        numbers = [*map(int, words[deletes:])]
        zeros = numbers.count(0)
        if zeros == 2 and not deletes and numbers[-1] == 0:  # LRAT: number, literals, 0, hints, 0
            numbers = numbers[1 : numbers.index(0) + 1]
            zeros = numbers.count(0)
        if zeros != 1 or numbers[-1] != 0:
            raise FormulaFileError(f"line {number}: expected literals and 0, got {_shown(line)}")
        if max(numbers) > variables or -min(numbers) > variables:
            raise FormulaFileError(f"line {number}: {_beyond(max(map(abs, numbers)), variables)}")
        steps.append((deletes, numbers[:-1]))
    return steps


def _binary(data: bytes, variables: int) -> list[Step]:
    """A step is a letter, a or d, its literals and 0: numbers of seven bits a byte, low ones first.

    A literal v is told by 2 v, its opposite by 2 v + 1.
    """
    raw = np.frombuffer(data, dtype=np.uint8)
    last = np.flatnonzero(raw == 0)
    first = np.concatenate([[0], last[:-1] + 1])
    wrong = np.flatnonzero((raw[first] != ord("a")) & (raw[first] != ord("d")))
    if len(wrong):
        at = int(first[wrong[0]])
        raise FormulaFileError(
            f"byte {at + 1}: expected a step of binary DRAT, a or d, got {data[at : at + 1]!r} "
            "(LRAT is read as text alone)"
        )
    if last[-1] != len(raw) - 1:
        raise FormulaFileError(f"byte {len(raw)}: expected 0 after the last step, got the end")
    inside = np.ones(len(raw), dtype=bool)
    inside[first] = False
    places = np.flatnonzero(inside)
    bits = raw[places].astype(np.int64)
    ends = np.flatnonzero(bits < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts + 1
    if lengths.max() > LONGEST:
        at = int(places[starts[lengths.argmax()]])
        raise FormulaFileError(f"byte {at + 1}: expected a number of at most {LONGEST} bytes")
    padded = np.flatnonzero((lengths > 1) & (bits[ends] == 0))  # or this 0 would end no step
    if len(padded):
        at = int(places[starts[padded[0]]])
        raise FormulaFileError(f"byte {at + 1}: expected a number that ends with a byte above 0")
    shifts = 7 * (np.arange(len(bits)) - np.repeat(starts, lengths))
    coded = np.add.reduceat((bits & 127) << shifts, starts)
    literals = np.where(coded & 1, -(coded >> 1), coded >> 1)
    if (coded == 1).any():
        at = int(places[starts[np.flatnonzero(coded == 1)[0]]])
        raise FormulaFileError(f"byte {at + 1}: expected a literal, got 0 and its opposite")
    largest = np.abs(literals).argmax()
    if abs(literals[largest]) > variables:
        at = int(places[starts[largest]])
        raise FormulaFileError(f"byte {at + 1}: {_beyond(abs(int(literals[largest])), variables)}")
    numbers, begin, steps = literals.tolist(), 0, []
    for letter, end in zip(raw[first].tolist(), np.flatnonzero(coded == 0).tolist(), strict=True):
        steps.append((letter == ord("d"), numbers[begin:end]))
        begin = end + 1
    return steps


def _beyond(variable: int, variables: int) -> str:
    return (
        f"expected variables up to {variables:,}, got {variable:,}: it is a proof of another "
        "formula, or its solver added variables (CaDiCaL and Kissat: use --plain)"
    )


def _shown(line: bytes) -> str:
    return repr(shorten(line[:50].decode("ascii", "replace")))
