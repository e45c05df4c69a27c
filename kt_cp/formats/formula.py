"""Formulas in DIMACS for any SAT solver, with comments that explain them, and their readers.

A file begins with comments: fields, ``c kt_cp KEY VALUE``, for programs, and explanations for
people.  The field ``sha256`` is the digest of all other lines, which ``grep -v '^c' FILE |
sha256sum`` compares.  Then the line ``p cnf VARIABLES CLAUSES`` and the clauses follow, one a line.
With a list of tours, whose names are in a field, the formula excludes each of them, so that its
refutation means that there are no others.

A file to read must have this form exactly, and is not trusted.  Numbers are checked against bounds
before they are used, and the digest is compared.  The formula of the problem is built again and
compared clause by clause; the clauses after it are cuts.  Errors name the line.  Literals are
stored in one NumPy array, with eight bytes each; lists of lists take thirty times as much.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from kt_cp.model.problem import Problem
from kt_cp.model.terms import counted
from kt_cp.model.versions import versions_of
from kt_cp.proofs.certificate import rename_nodes
from kt_cp.proofs.complete import distinct_tours, tour_names
from kt_cp.trust.check.certificate import parse_document
from kt_cp.trust.check.formula import edges_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.parsing import problem_of
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.refutation import tours_of

DIGEST = "sha256"
LINES_PER_PIECE = 10_000
"""Lines in a piece of text."""

_FIELD = re.compile(rb"c kt_cp ([a-z0-9]+)(?: (.*))?")
_HEAD = re.compile(rb"p cnf ([0-9]{1,9}) ([0-9]{1,9})")
_NO_CLAUSE = re.compile(rb"^(?!(?:-?[1-9][0-9]{0,8} )*+0$)", re.MULTILINE)


@dataclass(frozen=True)
class ParsedFormula:
    """A formula that was read: the text and line of each field, and its clauses, ended by 0s."""

    fields: Mapping[str, tuple[str, int]]
    variables: int
    clauses: int
    literals: NDArray[np.int64]


def dimacs_pieces(
    variables: int,
    clauses: Collection[Sequence[int]],
    fields: Mapping[str, str],
    comments: Iterable[str],
) -> Iterator[str]:
    r"""Yield the text of a formula; its digest is added to the fields.

    >>> text = "".join(dimacs_pieces(2, [[1, -2], [2]], {"cuts": "0"}, ["1 a1-b3"]))
    >>> [line[:14] for line in text.splitlines()]
    ['c kt_cp cuts 0', 'c kt_cp sha256', 'c 1 a1-b3', 'p cnf 2 2', '1 -2 0', '2 0']
    """
    head = f"p cnf {variables} {len(clauses)}\n"
    hashed = hashlib.sha256(head.encode())
    # The digest precedes the clauses, so their text is stored; it takes a tenth of their memory.
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
    """Join lines to pieces of text."""
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
        actual = quote_line(data[start : start + 50].split(b"\n")[0])
        raise FormulaFileError(f"line {line}: expected 'p cnf VARIABLES CLAUSES', got {actual}")
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
                f"line {number}: expected a comment, 'c …', or 'p cnf …', got {quote_line(line)}"
            )
        match = _FIELD.fullmatch(line)
        if match is None:
            continue
        key = match[1].decode()
        if key in fields:
            raise FormulaFileError(f"line {number}: {shorten(key)!r} occurs twice")
        try:
            fields[key] = (match[2] or b"").decode("utf-8"), number
        except UnicodeDecodeError:
            raise FormulaFileError(f"line {number}: expected UTF-8 text") from None
    return fields


def _check_lines(body: bytes, first: int) -> None:
    """Check that every line is a clause."""
    if not body:
        return
    if not body.endswith(b"\n"):
        last = first + body.count(b"\n")
        raise FormulaFileError(f"line {last}: expected a whole line, reached the end of the file")
    wrong = _NO_CLAUSE.search(body, 0, len(body) - 1)
    if wrong is not None:
        line = body[wrong.start() : wrong.start() + 50].split(b"\n")[0]
        number = first + body.count(b"\n", 0, wrong.start())
        raise FormulaFileError(
            f"line {number}: expected a clause, its literals and 0, got {quote_line(line)}"
        )


def quote_line(line: bytes) -> str:
    """Return the beginning of a line for a message."""
    return repr(shorten(line[:50].decode("ascii", "replace")))


TOURS = "tours"
"""The field of a list of tours."""

FEWEST_SQUARES = 3
"""Fewest squares of a formula; the encodings do not support smaller problems."""


def check_encodable(problem: Problem) -> None:
    """Raise ``ProblemError`` for problems that are too small for an encoding."""
    if problem.size < FEWEST_SQUARES:
        raise ProblemError(
            f"{problem.label}: expected at least {FEWEST_SQUARES} squares, got {problem.size}; "
            "kt-cp solve answers smaller ones at sight"
        )


def encode(encoding: Encoding, problem: Problem) -> Cnf:
    """Encode a problem, unless it is too large for the encoding or too small for any."""
    check_encodable(problem)
    encoding.refuse(problem, exported=True)
    return encoding.encode(problem)


@dataclass(frozen=True)
class EncodedProblem:
    """A problem as a formula, with cuts, which excludes listed tours, given by names of squares.

    It has no empty clauses, which some solvers refuse.
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
        """A description such as ``the lazy encoding with 4 cuts``."""
        cuts = f" with {len(self.cuts):,} cut{'s' * (len(self.cuts) > 1)}" if self.cuts else ""
        return f"the {self.encoding.name} encoding{cuts}"

    @property
    def excluding(self) -> str:
        """A description of the excluded tours."""
        return f"the {counted(len(self.tours), 'tour')} of the list"

    def with_cuts(self, cuts: Iterable[Clause]) -> EncodedProblem:
        return replace(self, cuts=[*self.cuts, *_without_empty(cuts)])


def encode_problem(
    problem: Problem, encoding: str, tours: Iterable[Sequence[Any]] = ()
) -> EncodedProblem:
    """Encode a problem, excluding listed tours."""
    chosen = get_encoding(encoding)
    names = tour_names(problem, distinct_tours(problem, tours))
    if names and chosen.name != FOR_PROOFS:
        raise ProblemError(
            f"expected no tours beside the encoding {encoding}: {FOR_PROOFS} has them"
        )
    return _encode(rename_nodes(problem), chosen, names)


def _encode(problem: Problem, chosen: Encoding, tours: Sequence[Sequence[str]]) -> EncodedProblem:
    """Encode a problem, excluding some of its tours."""
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
    """Return the vertices of listed tours."""
    number = {name: vertex for vertex, name in enumerate(frame.names[: frame.squares])}
    return [[number[name] for name in tour] for tour in tours]


def _without_empty(clauses: Iterable[Clause]) -> list[Clause]:
    return [part for clause in clauses for part in ([clause] if clause else ([1], [-1]))]


def problem_pieces(
    problem: Problem, encoding: str = ENCODING_NAMES[0], tours: Iterable[Sequence[Any]] = ()
) -> Iterator[str]:
    """Return a problem's formula in DIMACS, in pieces; raises the errors of ``encode_problem``."""
    return formula_pieces(encode_problem(problem, encoding, tours))


def formula_pieces(formula: EncodedProblem) -> Iterator[str]:
    """Yield a formula in DIMACS.

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


def opb_pieces(problem: Problem, encoding: str = ENCODING_NAMES[0]) -> Iterator[str]:
    """Yield a problem's formula in OPB, the format of the pseudo-Boolean competitions.

    Each clause is an inequality: at least one of its literals is true, where ¬x is 1 - x.  The
    comments explain the variables as those in DIMACS do.

    Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the
    competitions of pseudo-Boolean solvers", 2012.

    >>> from kt_cp.model.board import Board
    >>> "".join(opb_pieces(Problem(Board(3, 4)), "position")).splitlines()[-1]
    '-1 x72 +1 x18 +1 x36 >= 0 ;'
    """
    formula = encode_problem(problem, encoding)
    clauses = formula.cnf.clauses
    yield f"* #variable= {formula.cnf.variables} #constraint= {len(clauses)}\n"
    yield from join_lines(f"* {line}".rstrip() + "\n" for line in _comments(formula))
    yield from join_lines(
        " ".join(f"+1 x{each}" if each > 0 else f"-1 x{-each}" for each in clause)
        + f" >= {1 - sum(each < 0 for each in clause)} ;\n"
        for clause in clauses
    )


def _comments(formula: EncodedProblem) -> Iterator[str]:
    cnf = formula.cnf
    yield ""
    yield f"{formula.problem.label}, in {formula.label}:"
    yield f"{formula.encoding.summary}."
    yield "kt-cp decode turns a solver's answer into a tour. By hand:"
    yield from explanation(cnf)
    yield "Variables that are not named here help to state it."
    if formula.encoding.two_factors:
        yield "A model may have several cycles, which kt-cp decode --cuts FILE then excludes."
    yield ""
    meanings = (formula.encoding.meaning or meaning)(cnf)
    yield from (f"{variable} {what}" for variable, what in meanings)
    yield ""
    if many := len(formula.tours):
        last = len(cnf.clauses)
        yield f"Clauses from {last - many + 1} to {last} exclude the tours of a list, one each."
    if formula.cuts:
        first = len(cnf.clauses) + 1
        yield f"Clauses from {first} on are cuts: every tour satisfies them."


def read_formula(data: bytes) -> tuple[EncodedProblem, ParsedFormula]:
    """Read a problem's formula that :func:`formula_pieces` wrote.

    >>> from kt_cp.model.board import Board
    >>> text = "".join(formula_pieces(encode_problem(Problem(Board(3, 4)), "lazy")))
    >>> read_formula(text.encode())[0].label
    'the lazy encoding'
    """
    formula = read_dimacs(data)
    text, line = _field(formula, "problem")
    try:
        problem = problem_of(parse_document(text))
    except Refusal as refusal:
        raise FormulaFileError(f"line {line}: {refusal.text}") from None
    name, named = _field(formula, "encoding")
    # Checked before the board is built.  Two clauses state a problem without tours.
    if 2 < formula.clauses < problem.size:
        raise FormulaFileError(
            f"line {line}: {formula.clauses:,} clauses cannot state {problem.label}"
        )
    try:
        tours, tours_line = formula.fields.get(TOURS, ("", 0))
        fields = parse_document(tours) if tours_line else {}
        if tours_line:
            tours_of(frame_of(problem), fields)
        encoded = _encode(problem, get_encoding(name), fields.get(TOURS, ()))
    except EngineNameError as error:
        raise FormulaFileError(f"line {named}: {error}") from None
    except Refusal as refusal:
        raise FormulaFileError(f"line {tours_line}: {refusal.text}") from None
    clauses, literals = encoded.cnf.clauses, formula.literals
    own = np.fromiter(
        chain.from_iterable(chain(clause, (0,)) for clause in clauses),
        dtype=np.int64,
        count=sum(map(len, clauses)) + len(clauses),
    )
    if encoded.cnf.variables != formula.variables or not np.array_equal(own, literals[: len(own)]):
        now, before = versions_of()["kt_cp"], _field(formula, "version")[0]
        raise FormulaFileError(
            f"the formula differs from that of the {name} encoding for {problem.label}"
            + (f": it is from kt_cp {before[:20]}, and this is {now}" if now != before else "")
        )
    rest = literals[len(own) :]
    cuts = [part[:-1].tolist() for part in np.split(rest, np.flatnonzero(rest == 0) + 1)[:-1]]
    return replace(encoded, cuts=cuts), formula


def _field(formula: ParsedFormula, name: str) -> tuple[str, int]:
    if name not in formula.fields:
        raise FormulaFileError(f"expected a line 'c kt_cp {name} …', got none")
    return formula.fields[name]
