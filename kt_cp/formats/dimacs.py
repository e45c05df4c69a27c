"""Formulas in DIMACS, written and read, with comments that say what they are about.

A file begins with comments: fields, ``c kt_cp KEY VALUE``, for programs, and lines for people.  The
field ``sha256`` is the digest of all lines that are no comments, which anybody can compare:
``grep -v '^c' FILE | sha256sum``.  Then follow the line ``p cnf VARIABLES CLAUSES`` and the
clauses, one a line.

What is read back has to have this very shape.  Nothing in it is believed: numbers are bounded
before anything is made of them, the digest is compared, and every complaint names its line.  The
literals come as one NumPy array, eight bytes each, since a list of lists takes thirty times that.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import shorten
from kt_cp.model.errors import FormulaFileError

DIGEST = "sha256"
AT_ONCE = 10_000
"""Lines of one piece of text."""

_FIELD = re.compile(rb"c kt_cp ([a-z0-9]+)(?: (.*))?")
_HEAD = re.compile(rb"p cnf ([0-9]{1,9}) ([0-9]{1,9})")
_NO_CLAUSE = re.compile(rb"^(?!(?:-?[1-9][0-9]{0,8} )*+0$)", re.MULTILINE)


@dataclass(frozen=True)
class Formula:
    """A formula as it was read: the text and line of each field, and its clauses, closed by 0s."""

    fields: Mapping[str, tuple[str, int]]
    variables: int
    clauses: int
    literals: NDArray[np.int64]


def dimacs_pieces(
    variables: int,
    clauses: Sequence[Sequence[int]],
    fields: Mapping[str, str],
    comments: Iterable[str],
) -> Iterator[str]:
    r"""Text of a formula, piece by piece; the digest is added to the fields.

    Examples
    --------
    >>> text = "".join(dimacs_pieces(2, [[1, -2], [2]], {"cuts": "0"}, ["1 a1-b3"]))
    >>> [line[:14] for line in text.splitlines()]
    ['c kt_cp cuts 0', 'c kt_cp sha256', 'c 1 a1-b3', 'p cnf 2 2', '1 -2 0', '2 0']
    """
    head = f"p cnf {variables} {len(clauses)}\n"
    hashed = hashlib.sha256(head.encode())
    # The digest stands above what it is made from, so that is written before it is handed on: a
    # tenth of the memory that the clauses take themselves.
    body = list(in_pieces(f"{' '.join(map(str, clause))} 0\n".lstrip() for clause in clauses))
    for piece in body:
        hashed.update(piece.encode())
    yield "".join(
        f"c kt_cp {key} {value}\n" for key, value in {**fields, DIGEST: hashed.hexdigest()}.items()
    )
    yield from in_pieces(f"c {line}".rstrip() + "\n" for line in comments)
    yield head
    yield from body


def in_pieces(lines: Iterable[str]) -> Iterator[str]:
    """Lines as text, many at once."""
    iterator = iter(lines)
    while piece := "".join(islice(iterator, AT_ONCE)):
        yield piece


def read_dimacs(data: bytes) -> Formula:
    r"""Read a formula that :func:`dimacs_pieces` wrote.

    Raises
    ------
    FormulaFileError
        If it is none, or its clauses are not those that the digest was made from.

    Examples
    --------
    >>> text = "".join(dimacs_pieces(2, [[1, -2], [2]], {"cuts": "0"}, []))
    >>> read_dimacs(text.encode()).literals.tolist()
    [1, -2, 0, 2, 0]
    """
    data = data.replace(b"\r\n", b"\n")
    start = 0 if data.startswith(b"p") else data.find(b"\np") + 1
    if not start and not data.startswith(b"p"):
        raise FormulaFileError("expected a formula in DIMACS, got no line 'p cnf …'")
    fields = _fields(data[:start])
    line = data.count(b"\n", 0, start) + 1
    end = data.find(b"\n", start)
    head = _HEAD.fullmatch(data[start:end])
    if end < 0 or head is None:
        came = _shown(data[start : start + 50].split(b"\n")[0])
        raise FormulaFileError(f"line {line}: expected 'p cnf VARIABLES CLAUSES', got {came}")
    variables, clauses = int(head[1]), int(head[2])
    if DIGEST not in fields:
        raise FormulaFileError(
            "expected a formula that kt-cp export has written: there is no line 'c kt_cp …'"
        )
    body = data[end + 1 :]
    _check_lines(body, line + 1)
    if hashlib.sha256(data[start:]).hexdigest() != fields[DIGEST][0]:
        raise FormulaFileError(
            f"line {fields[DIGEST][1]}: the digest does not fit, so the formula was changed after "
            "kt-cp export"
        )
    literals = np.fromstring(body.decode("ascii"), dtype=np.int64, sep=" ")
    if np.count_nonzero(literals == 0) != clauses:
        raise FormulaFileError(
            f"line {line}: expected {clauses} clauses, got {np.count_nonzero(literals == 0)}"
        )
    out = np.flatnonzero(np.abs(literals) > variables)
    if len(out):
        where = line + 1 + int(np.count_nonzero(literals[: out[0]] == 0))
        raise FormulaFileError(
            f"line {where}: expected literals up to {variables}, got {literals[out[0]]}"
        )
    return Formula(fields, variables, clauses, literals)


def _fields(comments: bytes) -> dict[str, tuple[str, int]]:
    fields: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(comments.splitlines(), start=1):
        if not line.startswith(b"c"):
            raise FormulaFileError(
                f"line {number}: expected a comment, 'c …', or 'p cnf …', got {_shown(line)}"
            )
        match = _FIELD.fullmatch(line)
        if match is None:
            continue
        key = match[1].decode()
        if key in fields:
            raise FormulaFileError(f"line {number}: {shorten(key)!r} is said twice")
        try:
            fields[key] = (match[2] or b"").decode("utf-8"), number
        except UnicodeDecodeError:
            raise FormulaFileError(f"line {number}: expected UTF-8 text") from None
    return fields


def _check_lines(body: bytes, first: int) -> None:
    """See that every line is a clause."""
    if not body:
        return
    if not body.endswith(b"\n"):
        last = first + body.count(b"\n")
        raise FormulaFileError(f"line {last}: expected a whole line, and the file ends in it")
    wrong = _NO_CLAUSE.search(body, 0, len(body) - 1)
    if wrong is not None:
        line = body[wrong.start() : wrong.start() + 50].split(b"\n")[0]
        number = first + body.count(b"\n", 0, wrong.start())
        raise FormulaFileError(
            f"line {number}: expected a clause, its literals and 0, got {_shown(line)}"
        )


def _shown(line: bytes) -> str:
    return repr(shorten(line.decode("ascii", "replace")))
