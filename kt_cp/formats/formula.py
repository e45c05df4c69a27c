"""Formulas that go out to any solver, and come back to be read beside its answer.

A file that comes back is not believed.  Its comments say which problem it states and how;
the formula is then built anew, and has to be that of the file, clause by clause.  What follows
after it are cuts that were added since.

With a list of tours the formula excludes each of them, so that its refutation says that there are
no others.  The comments tell them, and they are judged anew as well.

Formulas in DIMACS, written and read, with comments that say what they are about.

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
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, Cnf, Encoding, get_encoding
from kt_cp.encodings.cnf import Clause
from kt_cp.encodings.meaning import explanation, meaning
from kt_cp.model.board import shorten
from kt_cp.model.document import problem_document
from kt_cp.model.errors import EngineNameError, FormulaFileError, NotTakenError, ProblemError
from kt_cp.model.outcome import versions_of
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.proofs.certificate import nameable
from kt_cp.proofs.complete import different, names_of
from kt_cp.trust.check.certificate import parsed
from kt_cp.trust.check.formula import edges_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.shape import problem_of
from kt_cp.trust.check.tours import tours_of

DIGEST = "sha256"
LINES_PER_PIECE = 10_000
"""Lines of one piece of text."""

_FIELD = re.compile(rb"c kt_cp ([a-z0-9]+)(?: (.*))?")
_HEAD = re.compile(rb"p cnf ([0-9]{1,9}) ([0-9]{1,9})")
_NO_CLAUSE = re.compile(rb"^(?!(?:-?[1-9][0-9]{0,8} )*+0$)", re.MULTILINE)


@dataclass(frozen=True)
class ParsedFormula:
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

    >>> text = "".join(dimacs_pieces(2, [[1, -2], [2]], {"cuts": "0"}, ["1 a1-b3"]))
    >>> [line[:14] for line in text.splitlines()]
    ['c kt_cp cuts 0', 'c kt_cp sha256', 'c 1 a1-b3', 'p cnf 2 2', '1 -2 0', '2 0']
    """
    head = f"p cnf {variables} {len(clauses)}\n"
    hashed = hashlib.sha256(head.encode())
    # The digest stands above what it is made from, so that is written before it is handed on: a
    # tenth of the memory that the clauses take themselves.
    body = list(join_lines(f"{' '.join(map(str, clause))} 0\n".lstrip() for clause in clauses))
    for piece in body:
        hashed.update(piece.encode())
    yield "".join(
        f"c kt_cp {key} {value}\n" for key, value in {**fields, DIGEST: hashed.hexdigest()}.items()
    )
    yield from join_lines(f"c {line}".rstrip() + "\n" for line in comments)
    yield head
    yield from body


def join_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines as text, many at once."""
    iterator = iter(lines)
    while piece := "".join(islice(iterator, LINES_PER_PIECE)):
        yield piece


def read_dimacs(data: bytes) -> ParsedFormula:
    r"""Read a formula that :func:`dimacs_pieces` wrote.

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
    return ParsedFormula(fields, variables, clauses, literals)


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


TOURS = "tours"
"""The field that tells the tours of a list."""

FEWEST_SQUARES = 3
"""Smaller problems are answered at sight, and the encodings are not meant for them."""


def check_encodable(problem: Problem) -> None:
    """Refuse problems that are answered at sight, by a ``ProblemError``."""
    if problem.size < FEWEST_SQUARES:
        raise ProblemError(
            f"{problem.label}: expected at least {FEWEST_SQUARES} squares, got {problem.size}; "
            "kt-cp solve answers smaller ones at sight"
        )


def encode(encoding: Encoding, problem: Problem) -> Cnf:
    """Formula of a problem, unless it is too large for this encoding or too small for any."""
    check_encodable(problem)
    encoding.refuse(problem)
    return encoding.encode(problem)


@dataclass(frozen=True)
class EncodedProblem:
    """A problem as a formula, with the cuts that were added to it.

    It excludes the tours that are listed, each told by the names of its squares.  The formula is as
    the encoding makes it, but without empty clauses, which not every solver takes.
    """

    encoding: Encoding
    cnf: Cnf
    cuts: Sequence[Clause] = ()
    tours: Sequence[Sequence[str]] = ()

    @property
    def problem(self) -> Problem:
        return self.cnf.problem

    @property
    def label(self) -> str:
        """The formula in words, such as ``the lazy encoding with 4 cuts``."""
        cuts = f" with {len(self.cuts):,} cut{'s' * (len(self.cuts) > 1)}" if self.cuts else ""
        return f"the {self.encoding.name} encoding{cuts}"

    @property
    def excluding(self) -> str:
        """The tours that it excludes in words."""
        return f"the {counted(len(self.tours), 'tour')} of the list"

    def with_cuts(self, cuts: Iterable[Clause]) -> EncodedProblem:
        return replace(self, cuts=[*self.cuts, *_without_empty(cuts)])


def encode_problem(
    problem: Problem, encoding: str, tours: Iterable[Sequence[Any]] = ()
) -> EncodedProblem:
    """A problem in an encoding, without the tours that are listed."""
    chosen = get_encoding(encoding)
    names = names_of(problem, different(problem, tours))
    if names and chosen.name != FOR_PROOFS:
        told = f"expected no tours beside the encoding {encoding}: {FOR_PROOFS} has them"
        raise ProblemError(told)
    return _stated(nameable(problem), chosen, names)


def _stated(problem: Problem, chosen: Encoding, tours: Sequence[Sequence[str]]) -> EncodedProblem:
    """The same, of a problem and tours that are some of its own."""
    if problem.directed:
        raise NotTakenError(
            f"{problem.label}: expected a board or an undirected graph for a formula; a digraph "
            "goes out as graph6 (digraph6), tsplib or cpsat"
        )
    cnf = encode(chosen, problem)
    clauses = cnf.clauses if all(cnf.clauses) else _without_empty(cnf.clauses)
    if tours:
        frame = frame_of(problem)
        variable = {edge: number for number, edge in enumerate(frame.edges(), start=1)}
        made = [edges_of(frame, tour, variable) for tour in tour_vertices(frame, tours)]
        clauses = [*clauses, *([-each for each in tour] for tour in made)]
    return EncodedProblem(chosen, replace(cnf, clauses=clauses), tours=tours)


def tour_vertices(frame: Frame, tours: Sequence[Sequence[str]]) -> list[list[int]]:
    """The listed tours as vertices of a frame."""
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    return [[number[name] for name in tour] for tour in tours]


def _without_empty(clauses: Iterable[Clause]) -> list[Clause]:
    return [part for clause in clauses for part in ([clause] if clause else ([1], [-1]))]


def problem_pieces(
    problem: Problem, encoding: str = ENCODING_NAMES[0], tours: Iterable[Sequence[Any]] = ()
) -> Iterator[str]:
    """Return a problem's formula in DIMACS, in pieces; :func:`encode_problem` may refuse."""
    return formula_pieces(encode_problem(problem, encoding, tours))


def formula_pieces(formula: EncodedProblem) -> Iterator[str]:
    """Text of a formula in DIMACS, piece by piece.

    >>> from kt_cp.model.board import Board
    >>> text = "".join(formula_pieces(encode_problem(Problem(Board(3, 4)), "position")))
    >>> [line for line in text.splitlines() if line.endswith("at 12")][:2]
    ['c 12 b1 at 12', 'c 24 d1 at 12']
    """
    fields = {
        "problem": json.dumps(problem_document(formula.problem)),
        "encoding": formula.encoding.name,
        "version": versions_of()["kt_cp"],
    }
    if formula.tours:
        fields[TOURS] = json.dumps({TOURS: formula.tours})
    clauses = [*formula.cnf.clauses, *formula.cuts] if formula.cuts else formula.cnf.clauses
    return dimacs_pieces(formula.cnf.variables, clauses, fields, _comments(formula))


def _comments(formula: EncodedProblem) -> Iterator[str]:
    cnf = formula.cnf
    said = (formula.encoding.meaning or meaning)(cnf)
    yield ""
    yield f"{formula.problem.label}, in {formula.label}:"
    yield f"{formula.encoding.summary}."
    yield "kt-cp decode turns a solver's answer into a tour. By hand:"
    yield from explanation(cnf)
    yield "Variables that are not named here help to state it."
    yield ""
    yield from (f"{variable} {what}" for variable, what in said)
    yield ""
    if many := len(formula.tours):
        last = len(cnf.clauses)
        yield f"Clauses from {last - many + 1} to {last} exclude the tours of a list, one each."
    if formula.cuts:
        first = len(cnf.clauses) + 1
        yield f"Clauses from {first} on are cuts: every tour satisfies them."


def read_formula(data: bytes) -> tuple[EncodedProblem, ParsedFormula]:
    """Read a formula that :func:`formula_pieces` wrote: what it states, and its literals.

    >>> from kt_cp.model.board import Board
    >>> text = "".join(formula_pieces(encode_problem(Problem(Board(3, 4)), "lazy")))
    >>> read_formula(text.encode())[0].label
    'the lazy encoding'
    """
    formula = read_dimacs(data)
    text, line = _field(formula, "problem")
    try:
        problem = problem_of(parsed(text))
    except Refusal as refusal:
        raise FormulaFileError(f"line {line}: {refusal.text}") from None
    name, named = _field(formula, "encoding")
    # Before anything is made of its board.  Two clauses state whatever has no tour at sight.
    if 2 < formula.clauses < problem.size:
        raise FormulaFileError(
            f"line {line}: {formula.clauses:,} clauses cannot state {problem.label}"
        )
    try:
        told, listed = formula.fields.get(TOURS, ("", 0))
        fields = parsed(told) if listed else {}
        if listed:
            tours_of(frame_of(problem), fields)
        made = _stated(problem, get_encoding(name), fields.get(TOURS, ()))
    except EngineNameError as error:
        raise FormulaFileError(f"line {named}: {error}") from None
    except Refusal as refusal:
        raise FormulaFileError(f"line {listed}: {refusal.text}") from None
    own = _flat(made.cnf.clauses)
    literals = formula.literals
    if made.cnf.variables != formula.variables or not np.array_equal(own, literals[: len(own)]):
        now, before = versions_of()["kt_cp"], _field(formula, "version")[0]
        raise FormulaFileError(
            f"the formula is not what the {name} encoding makes of {problem.label}"
            + (f": it is from kt_cp {before[:20]}, and this is {now}" if now != before else "")
        )
    rest = literals[len(own) :]
    cuts = [part[:-1].tolist() for part in np.split(rest, np.flatnonzero(rest == 0) + 1)[:-1]]
    return replace(made, cuts=cuts), formula


def _field(formula: ParsedFormula, name: str) -> tuple[str, int]:
    if name not in formula.fields:
        raise FormulaFileError(f"expected a line 'c kt_cp {name} …', got none")
    return formula.fields[name]


def _flat(clauses: Sequence[Clause]) -> NDArray[np.int64]:
    """Literals of all clauses, each closed by a 0."""
    return np.fromiter(
        chain.from_iterable(chain(clause, (0,)) for clause in clauses),
        dtype=np.int64,
        count=sum(map(len, clauses)) + len(clauses),
    )
