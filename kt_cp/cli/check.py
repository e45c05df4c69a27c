"""``kt-cp check``: judge a tour made by anyone, or a certificate that there is none.

NumPy files of step numbers: what ``check`` says of one, and tours in these or any format.

What ``kt-cp check`` says of a tour or of a certificate, for people and for programs.

The tours that a text claims: of which problem, and what is wrong with them.

The files of a refutation that others read, and the options that ask for them.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from kt_cp.cli.options import Force, file_only, separate
from kt_cp.cli.output import (
    BUG,
    FOUND,
    NO,
    UNKNOWN,
    OutputFile,
    error_cause,
    print_result,
    print_text,
    read_bytes,
    shorten_path,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.formats.drawing import read_board
from kt_cp.formats.read import Claim, read_tour, read_tour_lines, read_walk
from kt_cp.formats.write import SCHEMA_VERSION, describe_proof
from kt_cp.model.board import Board, Square
from kt_cp.model.difference import describe_difference
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import (
    BoardError,
    InputError,
    ProblemError,
    TourFileError,
    UnsoundEngineError,
)
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem, changed
from kt_cp.model.terms import claim_of, terms
from kt_cp.processes.checker import ACCEPTING, Word, ask, program_of
from kt_cp.trust.judge import Defect, defects
from kt_cp.trust.judge.rules import is_move

if TYPE_CHECKING:
    pass


_NAMED = re.compile(rb'"format"\s*:\s*"kt_cp certificate"')

OTHER_PROBLEM = "OTHER_PROBLEM"
"""Code of what only this command can find wrong: the certificate is about something else."""


def _report_json(**said: Any) -> str:
    document = {"schema_version": SCHEMA_VERSION, **said}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class TourReport:
    """What is wrong with a claimed tour of so many squares, and if it would be closed as well."""

    problem: Problem
    found: list[Defect]
    squares: int
    first: Square | None
    last: Square | None
    closes: bool

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.found

    def words(self) -> str:
        """All in lines of text."""
        label = self.problem.label
        if self.found:
            count = sum(defect.many for defect in self.found)
            many = f"{count:,} defect{'s' * (count > 1)}"
            return "\n  ".join([f"Not a tour ({label}): {many}", *map(str, self.found)]) + "\n"
        many = f"{self.squares} {terms(self.problem).square}{'s' * (self.squares > 1)}"
        both = self.closes and not self.problem.closed and self.problem.end is None
        return f"A tour ({label}): {many}{', closed as well' * both}\n"

    def to_json(self) -> str:
        """The same as JSON."""
        return _report_json(
            problem=problem_document(self.problem),
            squares=self.squares,
            start=None if self.first is None else node_name(self.problem, self.first),
            end=None if self.last is None else node_name(self.problem, self.last),
            valid=self.valid,
            defects=[
                {
                    "rule": defect.rule.value,
                    "step": defect.step,
                    "text": defect.text,
                    "many": defect.many,
                }
                for defect in self.found
            ],
        )


@dataclass(frozen=True)
class ToursReport:
    """Of several claimed tours: how many were looked at, and the first that is wrong, if any."""

    tours: int
    last: TourReport

    @classmethod
    def of(cls, judgements: Iterable[TourReport]) -> TourReport | ToursReport:
        """What is said of one tour, or of several, up to the first that is wrong."""
        count, each = 1, iter(judgements)
        last = next(each)
        while last.valid and (following := next(each, None)) is not None:
            count, last = count + 1, following
        return last if count == 1 else cls(count, last)

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with any."""
        return self.last.valid

    def words(self) -> str:
        """All in lines of text."""
        if not self.valid:
            return f"Of the tours, number {self.tours}: {self.last.words()}"
        return (
            f"{self.tours:,} tours ({self.last.problem.label}): {self.last.squares} squares each\n"
        )

    def to_json(self) -> str:
        """The same as JSON: of the first wrong tour, or of the last."""
        return _report_json(tours=self.tours, **json.loads(self.last.to_json()))


@dataclass(frozen=True)
class ProofReport:
    """What a certificate says, what of it holds, and if it is wrong, why."""

    problem: Problem | None
    kind: str | None = None
    argument: str | None = None
    reason: str | None = None
    text: str | None = None
    repeated: bool = False
    word: Word | None = None
    tours: int = 0
    file: str = "-"

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.text is None

    def words(self) -> str:
        """One line for a person."""
        if self.reason == OTHER_PROBLEM:
            file = "the certificate" if self.file == "-" else self.file
            return f"{file} is about another question: {self.text}\n"
        if not self.valid:
            return f"Not a proof: {self.text}\n"
        assert self.problem is not None
        label = self.problem.label
        if self.repeated:
            return f"Repeated, not proved ({label}): no tour; {self.argument}.\n"
        proof = describe_proof(self.problem, str(self.kind), str(self.argument), self.tours)
        return f"{proof}\n" if self.word is None else f"{proof}\n{_verdict_line(self.word)}\n"

    def to_json(self) -> str:
        """The same for a program; ``proved`` is false for a search that was only repeated."""
        return _report_json(
            problem=None if self.problem is None else problem_document(self.problem),
            valid=self.valid,
            proved=self.valid and not self.repeated,
            kind=self.kind,
            argument=self.argument,
            claim=claim_of(self.tours) if self.valid else None,
            tours=self.tours,
            reason=self.reason,
            text=self.text,
            **({} if self.word is None else {"with": asdict(self.word)}),
        )


def _verdict_line(word: Word) -> str:
    """What another checker says, in a line."""
    verbs = {True: "accepts it as well", False: "REFUSES it", None: "came to no answer"}
    return f"{word.checker} {verbs[word.accepted]}: {word.said}"


def is_certificate(data: bytes) -> bool:
    """Whether a file means to be a certificate, whole or damaged."""
    return data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_NAMED.search(data))


def judge_certificate(
    data: bytes,
    question: ProblemOptions,
    checker: str | None = None,
    tours: bytes | None = None,
    *,
    file: str = "-",
) -> ProofReport:
    """Judge a certificate by the checker, and compare its problem with the question.

    Without any option of the question, the certificate's own problem counts.  A refutation that is
    accepted is handed to a checker of others, if one is named.

    Raises
    ------
    InputError
        If one is named and the certificate is none of a refutation; or if its tours stand beside
        it, and they are not told, or told without need.
    """
    from kt_cp.proofs.certificate import is_report, rerun
    from kt_cp.trust.check import Refusal, check
    from kt_cp.trust.check.certificate import parsed, whole
    from kt_cp.trust.check.refusal import Reason

    try:
        document = parsed(data)
        try:
            accepted = check(document, tours)
            document = whole(document, tours)
            listed = accepted.tours
            found = ProofReport(
                accepted.problem, accepted.kind, accepted.argument, tours=len(listed)
            )
            _judge_tours(accepted.problem, listed)
        except Refusal as refusal:
            if refusal.reason is not Reason.NOT_A_PROOF or not is_report(document):
                raise
            report = rerun(document)
            found = ProofReport(report.problem, report.kind, report.argument, repeated=True)
    except Refusal as refusal:
        if refusal.reason is Reason.TOURS_ELSEWHERE:
            raise InputError(f"expected --tours TOURS: {refusal.text}") from None
        return ProofReport(None, reason=refusal.reason.name, text=str(refusal))
    assert found.problem is not None
    if difference := _difference(question, found.problem):
        return replace(found, reason=OTHER_PROBLEM, text=difference, file=file)
    return found if checker is None else replace(found, word=_run_checker(checker, found, document))


def _difference(question: ProblemOptions, problem: Problem) -> str:
    """How the problem of a certificate differs from the question, if any is stated."""
    if not question.is_stated:
        return ""
    from kt_cp.proofs.certificate import nameable

    try:
        # Certificates name some nodes otherwise than files do, such as one called "end".
        return describe_difference(nameable(question.beside(problem)), problem)
    except ProblemError as error:
        if question.board is not None:
            raise
        return str(error)  # the certificate's board or graph has no such square, or no such move


def _judge_tours(problem: Problem, tours: Iterable[Sequence[Any]]) -> None:
    """The checker has looked at the tours of a list itself; the judge knows nothing of that."""
    for tour in tours:
        if wrong := defects(problem, tour):
            raise UnsoundEngineError(
                f"the checker accepts a list of tours of {problem.label}, one with {wrong[0]}"
            )


def _run_checker(checker: str, found: ProofReport, document: Mapping[str, Any]) -> Word:
    """What a checker of others says of a refutation that was accepted here."""
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    certificate = _refutation(f"--with {checker}", found, document)
    write = hinted_text if ACCEPTING[checker][0] == "lrat" else proof_text
    return ask(checker, formula_text(certificate), write(certificate))


def refutation_of(
    data: bytes, told: ProofReport, option: str, tours: bytes | None = None
) -> Certificate | None:
    """The refutation that was accepted, for an option that writes it; None where it was not."""
    from kt_cp.trust.check.certificate import parsed, whole

    return _refutation(option, told, whole(parsed(data), tours)) if told.valid else None


def _refutation(option: str, told: ProofReport, document: Mapping[str, Any]) -> Certificate:
    from kt_cp.formats.refutation import REFUTED

    assert told.problem is not None and told.kind is not None
    if told.kind not in REFUTED:
        raise InputError(
            f"{option}: expected a refutation, got evidence of kind {told.kind!r}; "
            "kt-cp prove --evidence refutation makes one"
        )
    return Certificate(told.problem, told.kind, told.argument or "", document)


_MAGIC = b"\x93NUMPY"


def open_array(path: Path) -> BinaryIO | None:
    """A regular file that begins as NumPy's do, open, however long it is."""
    try:
        if str(path) == "-" or not path.is_file():
            return None
        file = path.open("rb")
    except OSError:
        return None  # whoever reads it as text says why
    if file.read(len(_MAGIC)) == _MAGIC:
        return file
    file.close()
    return None


def array_in_memory(data: bytes) -> BinaryIO | None:
    """The same for bytes that have been read, as from a pipe."""
    return io.BytesIO(data) if data.startswith(_MAGIC) else None


def judge_array(file: BinaryIO, problem_on: Callable[[Board], Problem]) -> TourReport:
    """Judge an array band by band, and a small one that is refused once more, exactly.

    ``problem_on`` makes the problem that is asked about from the board of the array's shape.
    """
    from kt_cp.formats.array import ArrayFile
    from kt_cp.trust.judge.array import EXACT_SQUARES, ArrayJudge, array_defects

    try:
        array = ArrayFile(file)
        problem = problem_on(Board(*array.shape))
        board = problem.board
        assert board is not None
        if (board.rows, board.columns) != array.shape:
            raise InputError(f"expected an array of the {board} board, got shape {array.shape}")

        def judge(add: int) -> ArrayJudge:
            judge = ArrayJudge(problem, by_columns=array.by_columns)
            for band in array.bands(add=add):
                judge.add(band)
            return judge

        asked, add = judge(0), 0
        if not board.missing and array.counts_from_0:
            asked, add = judge(1), 1
        found = asked.defects()
        if found and board.rows * board.columns <= EXACT_SQUARES:
            found = array_defects(problem, array.whole(add=add))
    except OSError as error:
        raise InputError(f"cannot read the array: {error_cause(error)}") from None
    squares = board.rows * board.columns - (0 if add else array.zeros)
    return TourReport(problem, found, squares, asked.first, asked.last, asked.closes)


def read_claims(data: bytes, question: ProblemOptions) -> Iterator[Claim]:
    """The tour that a text claims, or one after the other where it holds several."""
    graph = question.graph is not None
    return read_tour_lines(data, graph=graph) or iter(
        [read_walk(data) if graph else _read_claim(data)]
    )


def _read_claim(data: bytes) -> Claim:
    """The tour of a text; where it is a board to be solved, it is told that it has none."""
    try:
        return read_tour(data)
    except TourFileError as error:
        try:
            board, given = read_board(data)
        except InputError:
            raise error from None
        if board.size - len(given) < 2:  # a tour with a fault
            raise
        told = f"expected a tour, got a board with {board.size - len(given)} free squares"
        raise TourFileError(f"{told}: kt-cp solve finds its tours") from None


def claimed_problem(claim: Claim, question: ProblemOptions) -> Problem:
    """The problem of which it is claimed: what was asked, over what the text says of it."""
    if claim.problem is not None:
        return question.over(claim.problem)
    return question.problem(claim.board or (None if question.board else _smallest(claim)))


def _smallest(claim: Claim) -> Board:
    if not claim.squares:
        raise BoardError("expected --board for a tour without squares")
    rows = max(row for row, _ in claim.squares) + 1
    columns = max(column for _, column in claim.squares) + 1
    if rows < 1 or columns < 1:
        raise BoardError(f"expected --board for squares off every board, got {claim.squares[0]}")
    return Board(rows, columns)


def judge_claim(problem: Problem, squares: Sequence[Square], *, alone: bool) -> TourReport:
    """What is wrong with a claimed tour; of one alone, whether it would be closed as well."""
    found = defects(problem, squares)
    first, last = (squares[0], squares[-1]) if squares else (None, None)
    closes = not found and problem.closed
    if alone and not found and not problem.closed and problem.end is None:
        closes = len(squares) > 2 and is_move(problem, last, first)
        if closes and problem.conditions:
            closes = not defects(changed(problem, closed=True), squares)
    return TourReport(problem, found, len(squares), first, last, closes)


Cnf = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The formula of a refutation, in DIMACS")
]
Drat = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Its lemmas as DRAT, for drat-trim and its like"),
]
Lrat = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The same as LRAT, for cake_lpr or lrat-check"),
]


def proof_files(cnf: Path | None, drat: Path | None, lrat: Path | None) -> dict[str, Path | None]:
    """The files by their options."""
    asked = {"cnf": cnf, "drat": drat, "lrat": lrat}
    return {f"--{name}": file_only(path, name) for name, path in asked.items()}


def proof_writers() -> dict[str, Callable[[Certificate], str | bytes]]:
    """What goes into the file of each option."""
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    return {"--cnf": formula_text, "--drat": proof_text, "--lrat": hinted_text}


class ProofFiles:
    """Files that are opened before the work, and written after it, or not at all."""

    def __init__(self, files: Mapping[str, Path | None], *, force: bool) -> None:
        self._stack = ExitStack()
        self._places = {
            name: self._stack.enter_context(OutputFile(path, force=force))
            for name, path in files.items()
            if path is not None
        }

    def __bool__(self) -> bool:
        return bool(self._places)

    def __str__(self) -> str:
        return next(iter(self._places))

    def __enter__(self) -> ProofFiles:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear away what was not written."""
        self._stack.close()

    def write(self, certificate: Certificate) -> None:
        """Write what was asked for."""
        texts = {name: proof_writers()[name](certificate) for name in self._places}
        for name, text in texts.items():
            self._places[name].write(text)


@with_problem_options(
    board=typer.Option(metavar="BOARD", help="Default: the file's", show_default=False),
    closed=typer.Option("--closed/--open", help="Default: as the file says, else open"),
)
def check_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, .npy, a certificate, tours in JSON lines,"
            " or what kt-cp reference prints; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: ProblemOptions,
    json: Annotated[bool, typer.Option("--json", help="For programs")] = False,
    checker: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="CHECKER",
            help="Hand a refutation to cake_lpr, lrat-check or drat-trim as well, if on the PATH",
        ),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(metavar="TOURS", help="The tours of a certificate that has them beside it"),
    ] = None,
    cnf: Cnf = None,
    drat: Drat = None,
    lrat: Lrat = None,
    force: Force = False,
) -> int:
    """Judge a tour, or a certificate that there is none: exits with 0 if it is one, 1 if not.

    With --board the options state the whole question, and an option that is not given means its
    default. Without it they change what the file says of a tour; a list of squares alone is on the
    smallest board that holds them. A certificate is accepted for exactly the question that any
    options state, on its own board where they name none, and for its own question without options.
    Where another checker is asked as well, 70 says that it refuses what is accepted here, 3 that
    it comes to no end.
    """
    if checker is not None:
        program_of(checker)
    files = proof_files(cnf, drat, lrat)
    separate({**files, "--tours": tours})
    if file == tours:
        raise InputError(f"FILE and --tours name one file: {file}")
    with ProofFiles(files, force=force) as places:
        return _check(file, question, json, checker, tours, places)


def _check(
    file: Path,
    question: ProblemOptions,
    json: bool,
    checker: str | None,
    tours: Path | None,
    places: ProofFiles,
) -> int:
    """What it says, and the files that were asked for; the exit code."""
    told: TourReport | ToursReport | ProofReport
    array = open_array(file)
    data = b"" if array else read_bytes(file)
    if array := array or array_in_memory(data):
        with array:
            told = judge_array(array, question.problem_on_board)
    elif is_certificate(data):
        beside = None if tours is None else read_bytes(tours, "tours")
        told = judge_certificate(data, question, checker, beside, file=shorten_path(file))
        if places and (certificate := refutation_of(data, told, str(places), beside)) is not None:
            places.write(certificate)
    else:
        judgements = (
            # Of many, nobody asks whether each would be closed as well.
            judge_claim(claimed_problem(claim, question), claim.squares, alone=number == 0)
            for number, claim in enumerate(read_claims(data, question))
        )
        told = ToursReport.of(judgements)
    if not isinstance(told, ProofReport) and (checker is not None or places or tours):
        option = f"--with {checker}" if checker else str(places) if places else "--tours"
        raise InputError(f"{option}: expected a certificate, got a tour")
    print_result(told.to_json()) if json else print_text(told.words())
    word = told.word if isinstance(told, ProofReport) else None
    if word is not None and not word.accepted:
        return UNKNOWN if word.accepted is None else BUG
    return FOUND if told.valid else NO
