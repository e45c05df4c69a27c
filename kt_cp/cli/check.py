"""``kt-cp check``: judge tours in any format, and check certificates.

A file is a NumPy array of step numbers, a certificate, or a text with one or several tours.  Each
kind leads to a report, which is printed as text or as JSON.  A checked refutation can be written as
DIMACS, DRAT or LRAT for other checkers, and passed to one.

``--with`` runs an external proof checker.  drat-trim (N. Wetzler, M. Heule and W. Hunt, SAT 2014)
reads DRAT and searches for the clauses that each lemma needs.  lrat-check (L. Cruz-Filipe et al.,
CADE 2017) and cake_lpr, which is verified down to its machine code (Y. Tan, M. Heule and M. Myreen,
TACAS 2021), read LRAT, which names them.  This package installs none of them: they must be on the
PATH.
"""

from __future__ import annotations

import io
import json as json_module
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from kt_cp.cli.options import (
    Cnf,
    Drat,
    Force,
    Lrat,
    proof_files,
    proof_writers,
    require_distinct_files,
)
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
from kt_cp.model.board import Board, Square, shorten
from kt_cp.model.difference import describe_difference
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import (
    BoardError,
    InputError,
    ProblemError,
    SquareError,
    TourFileError,
    UnsoundEngineError,
)
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem, changed
from kt_cp.model.terms import describe_value, terms
from kt_cp.trust.check.bound import PATH_COVER, bound_of, fault_of_paths, value_of_example
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.instance import as_instance
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.judge import Defect, defects
from kt_cp.trust.judge.rules import is_move

_CERTIFICATE = re.compile(rb'"format"\s*:\s*"kt_cp certificate"')

_SAT_FILES = (".cnf", ".drat", ".lrat", ".frat", ".wcnf", ".opb", ".pbp")
"""Endings of formulas and proofs; some of their lines could be read as steps or squares."""

UNCROSSED = "longest-uncrossed"

OTHER_PROBLEM = "OTHER_PROBLEM"
"""Code of a certificate that is valid, but about another question."""

WRONG_OPTIMUM = "WRONG_OPTIMUM"
"""Code of an optimum whose certificate is valid, but not for its tour and its values."""


ACCEPTING = {
    "cake_lpr": ("lrat", "s VERIFIED UNSAT"),
    "lrat-check": ("lrat", "c VERIFIED"),
    "drat-trim": ("drat", "s VERIFIED"),
}
"""The proof that each reads, and the line by which it accepts; exit codes differ by version."""

_REFUSING = ("NOT VERIFIED", "failed", "FAILED", "not derived")
"""Words in lines that reject a proof.  The last is cake_lpr's for a truncated proof, after which it
still exits with 0."""


@dataclass(frozen=True)
class CheckerVerdict:
    """A checker's answer: whether it accepts, None if it did not finish, and its own line."""

    checker: str
    accepted: bool | None
    message: str


def program_of(checker: str) -> str:
    """Return the path of a checker.

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
    """Run a checker on a formula in DIMACS and a proof in the format that it takes."""
    ending, accepting = ACCEPTING[checker]
    with tempfile.TemporaryDirectory(prefix="kt-cp-") as folder:
        files = [Path(folder, f"formula.{end}") for end in ("cnf", ending)]
        for file, text in zip(files, (formula, proof), strict=True):
            file.write_text(text, encoding="utf-8")
        try:
            completed = subprocess.run(
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
    text = f"{completed.stdout}\n{completed.stderr}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if accepting in lines:
        return CheckerVerdict(checker, True, accepting)
    for line in lines:
        if any(word in line for word in _REFUSING):
            return CheckerVerdict(checker, False, shorten(line, 80))
    message = shorten(lines[-1], 80) if lines else "nothing"
    return CheckerVerdict(checker, None, f"{message} (exit code {completed.returncode})")


@dataclass(frozen=True)
class TourReport:
    """The defects of a claimed tour, and whether an open tour is closed as well."""

    problem: Problem
    found: list[Defect]
    squares: int
    first: Square | None
    last: Square | None
    closes: bool

    @property
    def valid(self) -> bool:
        """Whether there are no defects."""
        return not self.found

    def text(self) -> str:
        """Format the report for a person."""
        label = self.problem.label
        if self.found:
            number = sum(defect.many for defect in self.found)
            first = f"Not a tour ({label}): {number:,} defect{'s' * (number > 1)}"
            return "\n  ".join([first, *map(str, self.found)]) + "\n"
        size = f"{self.squares} {terms(self.problem).square}{'s' * (self.squares > 1)}"
        both = self.closes and not self.problem.closed and self.problem.end is None
        return f"A valid tour ({label}): {size}{', closed as well' * both}\n"

    def document(self) -> dict[str, Any]:
        """Return the fields of the JSON object."""
        problem, first, last = self.problem, self.first, self.last
        return {
            "problem": problem_document(problem),
            "squares": self.squares,
            "start": None if first is None else node_name(problem, first),
            "end": None if last is None else node_name(problem, last),
            "valid": self.valid,
            "defects": [
                {"rule": each.rule.value, "step": each.step, "text": each.text, "many": each.many}
                for each in self.found
            ],
        }


@dataclass(frozen=True)
class ToursReport:
    """The number of tours that were judged, up to the first wrong one, and the last report."""

    tours: int
    last: TourReport

    @property
    def valid(self) -> bool:
        """Whether all tours are valid."""
        return self.last.valid

    def text(self) -> str:
        """Format the report for a person."""
        if not self.valid:
            return f"Of the tours, number {self.tours}: {self.last.text()}"
        return (
            f"{self.tours:,} tours ({self.last.problem.label}): {self.last.squares} squares each\n"
        )

    def document(self) -> dict[str, Any]:
        """Return the fields of the JSON object, of the first wrong tour or the last one."""
        return {"tours": self.tours, **self.last.document()}


@dataclass(frozen=True)
class ProofReport:
    """The claim of a certificate, and the reason if it is not accepted."""

    problem: Problem | None
    kind: str | None = None
    argument: str | None = None
    reason: str | None = None
    error: str | None = None
    repeated: bool = False
    verdict: CheckerVerdict | None = None
    tours: int = 0
    claim: str = "no tour"
    file: str = "-"

    @property
    def valid(self) -> bool:
        """Whether the certificate is accepted."""
        return self.error is None

    def text(self) -> str:
        """Format the report for a person."""
        if self.reason == OTHER_PROBLEM:
            file = "the certificate" if self.file == "-" else self.file
            return f"{file} is about another question: {self.error}\n"
        if not self.valid:
            return f"Not a proof: {self.error}\n"
        assert self.problem is not None
        label = self.problem.label
        if self.repeated:
            return f"Repeated, not proved ({label}): no tour; {self.argument}.\n"
        proof = describe_proof(self.problem, str(self.kind), str(self.argument), self.claim)
        if self.verdict is None:
            return f"{proof}\n"
        verbs = {True: "accepts it as well", False: "REFUSES it", None: "gave no verdict"}
        verdict = self.verdict
        return f"{proof}\n{verdict.checker} {verbs[verdict.accepted]}: {verdict.message}\n"

    def document(self) -> dict[str, Any]:
        """Return the fields of the JSON object; a repeated search is not ``proved``."""
        return {
            "problem": None if self.problem is None else problem_document(self.problem),
            "valid": self.valid,
            "proved": self.valid and not self.repeated,
            "kind": self.kind,
            "argument": self.argument,
            "claim": self.claim if self.valid else None,
            "tours": self.tours,
            "reason": self.reason,
            "text": self.error,
            **({} if self.verdict is None else {"with": asdict(self.verdict)}),
        }


@dataclass(frozen=True)
class ValueReport:
    """The value of a tour or path whose bound has no certificate, or its fault."""

    problem: Problem
    objective: str
    value: int | None
    fault: str | None

    @property
    def valid(self) -> bool:
        """Whether the tour or path has the stated value."""
        return self.fault is None

    def text(self) -> str:
        """Format the report for a person."""
        label = self.problem.label
        if self.value is None or not self.valid:
            return f"Not valid ({label}): {self.fault}\n"
        value = describe_value(self.objective, self.value)
        return f"Valid ({label}): {value}. The bound has no certificate and was not checked.\n"

    def document(self) -> dict[str, Any]:
        """Return the fields of the JSON object."""
        return {
            "problem": problem_document(self.problem),
            "objective": self.objective,
            "valid": self.valid,
            "value": self.value,
            "fault": self.fault,
        }


Report = TourReport | ToursReport | ProofReport | ValueReport


def print_report(report: Report, *, json: bool) -> None:
    """Print a report as text or as JSON."""
    if json:
        document = {"schema_version": SCHEMA_VERSION, **report.document()}
        print_result(json_module.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        print_text(report.text())


def is_certificate(data: bytes) -> bool:
    """Return whether a file is meant as a certificate, valid or damaged."""
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and bool(_CERTIFICATE.search(data))


def judge_certificate(
    data: bytes,
    question: ProblemOptions,
    checker: str | None = None,
    tours: bytes | None = None,
    *,
    file: str = "-",
) -> ProofReport:
    """Check a certificate, and compare its problem with the question, if one is stated.

    An accepted refutation is passed to another checker, if one is named.
    """
    from kt_cp.proofs.certificate import is_report, rerun
    from kt_cp.trust.check import Refusal, check
    from kt_cp.trust.check.certificate import insert_tours, parse_document
    from kt_cp.trust.check.refusal import Reason

    try:
        document = parse_document(data)
        try:
            accepted = check(document, tours)
            document = insert_tours(document, tours)
            found = ProofReport(
                accepted.problem,
                accepted.kind,
                accepted.argument,
                tours=len(accepted.tours),
                claim=accepted.claim,
            )
            # The checker has checked these tours itself; the judge is independent of it.
            for tour in accepted.tours:
                if wrong := defects(accepted.problem, tour):
                    raise UnsoundEngineError(
                        f"the checker accepts a list of tours of {accepted.problem.label}, one "
                        f"with {wrong[0]}"
                    )
        except Refusal as refusal:
            if refusal.reason is not Reason.NOT_A_PROOF or not is_report(document):
                raise
            report = rerun(document)
            found = ProofReport(report.problem, report.kind, report.argument, repeated=True)
    except Refusal as refusal:
        if refusal.reason is Reason.TOURS_ELSEWHERE:
            raise InputError(f"expected --tours TOURS: {refusal.text}") from None
        return ProofReport(None, reason=refusal.reason.name, error=str(refusal))
    assert found.problem is not None
    if difference := _difference(question, found.problem):
        return replace(found, reason=OTHER_PROBLEM, error=difference, file=file)
    if checker is None:
        return found
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    refutation = _refutation(f"--with {checker}", found, document)
    write = hinted_text if ACCEPTING[checker][0] == "lrat" else proof_text
    return replace(found, verdict=run_checker(checker, formula_text(refutation), write(refutation)))


def read_optimum(data: bytes) -> dict[str, Any] | None:
    """Return the object that ``optimize`` has written as JSON; None for any other file."""
    if b'"objective"' not in data:
        return None
    try:
        document = json_module.loads(data)
    except (ValueError, RecursionError):
        return None  # the checker reports the defect
    if not isinstance(document, dict) or "format" in document:
        return None
    is_measured = document.get("objective") == UNCROSSED or _measure(document) is not None
    has_tour = is_measured and document.get("tour") is not None
    return document if has_tour or isinstance(document.get("certificate"), dict) else None


def _measure(optimum: Mapping[str, Any]) -> str | None:
    """Return the measure of an objective, or None."""
    from kt_cp.model.measures import MEASURES  # needs NumPy

    sense, _, measure = str(optimum.get("objective")).partition("-")
    return measure if sense in ("fewest", "most") and measure in MEASURES else None


def judge_value(optimum: Mapping[str, Any], data: bytes, question: ProblemOptions) -> ValueReport:
    """Judge the tour or path of an optimum without a certificate, and its value."""
    from kt_cp.model.measures import path_crossings

    claim = _read_claim(data)
    problem, squares, objective = claimed_problem(claim, question), claim.squares, UNCROSSED
    value, fault = None, None
    if (measure := _measure(optimum)) is not None:
        objective = str(optimum["objective"])
        fault = next(iter(map(str, defects(problem, squares))), None)
        if fault is None:
            value = problem.tour(squares).measures()[measure]
    else:
        frame = frame_of(problem, partial=True)
        path = [frame.number.get(square, -1) for square in squares]
        fault = "it leaves the board" if -1 in path else fault_of_paths(frame, [path], cover=False)
        if fault is None and path_crossings(problem.tour(squares)):
            fault = "it crosses itself"
        if fault is None:
            value = len(path) - (not problem.closed)
    if fault is None and value != optimum.get("value"):
        fault = f"it has {describe_value(objective, value or 0)}"
    return ValueReport(problem, objective, value, fault)


def judge_optimum(
    optimum: Mapping[str, Any], question: ProblemOptions, *, file: str = "-"
) -> ProofReport:
    """Check the certificate of an optimum, then the tour and the value beside it."""
    certificate = optimum["certificate"]
    report = judge_certificate(json_module.dumps(certificate).encode(), question, file=file)
    if not report.valid:
        return report
    if fault := _fault_of_optimum(optimum, report):
        return replace(report, reason=WRONG_OPTIMUM, error=fault)
    if report.kind == "bound" and optimum["value"] != optimum["bound"]:
        value = describe_value(optimum["objective"], optimum["value"])
        return replace(report, claim=f"{value}, and {report.claim}")
    return report


def _fault_of_optimum(optimum: Mapping[str, Any], report: ProofReport) -> str | None:
    """Return how the parts of an optimum contradict its accepted certificate."""
    certificate, problem = optimum["certificate"], report.problem
    evidence = certificate["evidence"]
    assert problem is not None
    if optimum.get("problem") != certificate["problem"]:
        return "its certificate is about another problem"
    if report.kind != "bound":
        return None if optimum.get("tour") is None else "it has a tour, and proves that none exists"
    objective = evidence["objective"]
    for key, stated in (("objective", objective), ("bound", bound_of(evidence))):
        if optimum.get(key) != stated:
            return f"its {key} is not that of its certificate"
    is_cover = objective == PATH_COVER
    lists = optimum.get("paths") if is_cover else [optimum.get("tour")]
    if not isinstance(lists, list) or not all(isinstance(names, list) for names in lists):
        return "it has no paths" if is_cover else "it has no tour"
    instance = as_instance(problem)
    try:
        value = value_of_example(instance, evidence, lists if is_cover else lists[0])
    except Refusal as refusal:
        return f"its {'paths' if is_cover else 'tour'}: {refusal.text}"
    if optimum.get("value") != value:
        return f"its {'cover' if is_cover else 'tour'} has {describe_value(objective, value)}"
    return None


def _difference(question: ProblemOptions, problem: Problem) -> str:
    """Describe how the problem of a certificate differs from the question, if one is stated."""
    if not question.is_stated:
        return ""
    from kt_cp.proofs.certificate import nameable

    try:
        # Certificates rename some nodes of files, such as one called "end".
        return describe_difference(nameable(question.stated_for(problem)), problem)
    except ProblemError as error:
        if question.board is not None:
            raise
        return str(error)  # the certificate's board or graph lacks a square or a move


def _refutation(option: str, report: ProofReport, document: Mapping[str, Any]) -> Certificate:
    """Return the certificate of an accepted refutation, for an option that requires one."""
    from kt_cp.formats.refutation import REFUTED

    assert report.problem is not None and report.kind is not None
    if report.kind not in REFUTED:
        raise InputError(
            f"{option}: expected a refutation, got evidence of kind {report.kind!r}; "
            "kt-cp prove --evidence refutation makes one"
        )
    return Certificate(report.problem, report.kind, report.argument or "", document)


_MAGIC = b"\x93NUMPY"


def open_array(path: Path) -> BinaryIO | None:
    """Open a regular file if it is a NumPy array, of any length."""
    try:
        if str(path) == "-" or not path.is_file():
            return None
        file = path.open("rb")
    except OSError:
        return None  # reading it as text reports the error
    if file.read(len(_MAGIC)) == _MAGIC:
        return file
    file.close()
    return None


def judge_array(file: BinaryIO, problem_on: Callable[[Board], Problem]) -> TourReport:
    """Judge an array band by band; find the exact defects of a small one.

    ``problem_on`` returns the problem on the board of the array's shape.
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

        def judge_from(add: int) -> ArrayJudge:
            judge = ArrayJudge(problem, by_columns=array.by_columns)
            for band in array.bands(add=add):
                judge.add(band)
            return judge

        judge, add = judge_from(0), 0
        if not board.missing and array.counts_from_0:
            judge, add = judge_from(1), 1
        found = judge.defects()
        if found and board.rows * board.columns <= EXACT_SQUARES:
            found = array_defects(problem, array.whole(add=add))
    except OSError as error:
        raise InputError(f"cannot read the array: {error_cause(error)}") from None
    squares = board.rows * board.columns - (0 if add else array.zeros)
    return TourReport(problem, found, squares, judge.first, judge.last, judge.closes)


def read_claims(data: bytes, question: ProblemOptions) -> Iterator[Claim]:
    """Read the tour of a text, or several tours one by one."""
    graph = question.graph is not None
    return read_tour_lines(data, graph=graph) or iter(
        [read_walk(data) if graph else _read_claim(data)]
    )


def _read_claim(data: bytes) -> Claim:
    """Read the tour of a text; explain that a board to be solved is not a tour."""
    try:
        return read_tour(data)
    except TourFileError as error:
        try:
            board, given = read_board(data)
        except InputError:
            raise error from None
        if board.size - len(given) < 2:  # a tour with a defect
            raise
        raise TourFileError(
            f"expected a tour, got a board with {board.size - len(given)} free squares: "
            "kt-cp solve finds its tours"
        ) from None


def claimed_problem(claim: Claim, question: ProblemOptions) -> Problem:
    """Return the problem of a claimed tour: the options override what the text states."""
    if claim.problem is not None:
        return question.modify(claim.problem)
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
    """Judge a claimed tour; if it is ``alone``, find whether it is closed as well."""
    found = defects(problem, squares)
    first, last = (squares[0], squares[-1]) if squares else (None, None)
    closes = not found and problem.closed
    if alone and not found and not problem.closed and problem.end is None:
        closes = len(squares) > 2 and is_move(problem, last, first)
        if closes and problem.conditions:
            closes = not defects(changed(problem, closed=True), squares)
    return TourReport(problem, found, len(squares), first, last, closes)


@with_problem_options(
    board=typer.Option(metavar="BOARD", help="Board. Default: the file's", show_default=False),
    closed=typer.Option("--closed/--open", help="Kind of tour. Default: the file's, or open"),
)
def check_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="An outcome (JSON), names, CSV, a grid, .npy, a certificate, tours in JSON lines,"
            " or the output of kt-cp reference; - for stdin",
            metavar="FILE",
        ),
    ],
    *,
    question: ProblemOptions,
    json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False,
    checker: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="CHECKER",
            help="Check a refutation with cake_lpr, lrat-check or drat-trim as well (from PATH)",
        ),
    ] = None,
    tours: Annotated[
        Path | None,
        typer.Option(metavar="TOURS", help="Tours of a certificate that does not contain them"),
    ] = None,
    cnf: Cnf = None,
    drat: Drat = None,
    lrat: Lrat = None,
    force: Force = False,
) -> int:
    """Judge a tour, or check a certificate.

    With --board, the options state the whole problem: an option that is not given has its
    default. Without --board, the options override what the file states; a list of squares
    alone is judged on the smallest board that holds them. A certificate is accepted only for the
    problem that the options state, on its own board unless they name one; without options, for
    its own problem.

    Exits with 0 if the tour or certificate is valid, 1 if it is not. With another checker: 70 if
    that one refuses what is accepted here, 3 if it gives no verdict.
    """
    from kt_cp.trust.check.certificate import insert_tours, parse_document

    if checker is not None:
        program_of(checker)
    if file.name.lower().removesuffix(".gz").endswith(_SAT_FILES):
        raise InputError(
            f"{shorten_path(file)}: expected a tour or a certificate, got a file of a SAT solver: "
            "checkers such as drat-trim read it; kt-cp prove -o FILE.json writes a certificate"
        )
    files = proof_files(cnf, drat, lrat)
    require_distinct_files({**files, "--tours": tours})
    if file == tours:
        raise InputError(f"FILE and --tours name the same file: {file}")
    with ExitStack() as opened:
        outputs = {
            option: opened.enter_context(OutputFile(path, force=force))
            for option, path in files.items()
            if path is not None
        }
        array = open_array(file)
        data = b"" if array else read_bytes(file)
        report: Report
        if array := array or (io.BytesIO(data) if data.startswith(_MAGIC) else None):
            with array:
                report = judge_array(array, question.problem_on_board)
        elif optimum := read_optimum(data):
            if checker is not None or outputs or tours:
                option = f"--with {checker}" if checker else next(iter(outputs), "--tours")
                raise InputError(f"{option}: expected a certificate, got the JSON of an optimum")
            if isinstance(optimum.get("certificate"), dict):
                report = judge_optimum(optimum, question, file=shorten_path(file))
            else:
                report = judge_value(optimum, data, question)
        elif is_certificate(data):
            tours_data = None if tours is None else read_bytes(tours, "tours")
            report = judge_certificate(data, question, checker, tours_data, file=shorten_path(file))
            if outputs and report.valid:
                document = insert_tours(parse_document(data), tours_data)
                refutation = _refutation(next(iter(outputs)), report, document)
                texts = {option: proof_writers()[option](refutation) for option in outputs}
                for option, text in texts.items():
                    outputs[option].write(text)
        else:
            try:
                report = _judge_claims(data, question)
            except (SquareError, TourFileError) as error:
                raise type(error)(f"{shorten_path(file)}: {error}") from None
        if not isinstance(report, ProofReport | ValueReport) and (
            checker is not None or outputs or tours
        ):
            option = f"--with {checker}" if checker else next(iter(outputs), "--tours")
            raise InputError(f"{option}: expected a certificate, got a tour")
    print_report(report, json=json)
    verdict = report.verdict if isinstance(report, ProofReport) else None
    if verdict is not None and not verdict.accepted:
        return UNKNOWN if verdict.accepted is None else BUG
    return FOUND if report.valid else NO


def _judge_claims(data: bytes, question: ProblemOptions) -> TourReport | ToursReport:
    """Judge the tours of a text, up to the first wrong one."""
    for number, claim in enumerate(read_claims(data, question), start=1):
        report = judge_claim(claimed_problem(claim, question), claim.squares, alone=number == 1)
        if not report.valid:
            break
    return report if number == 1 else ToursReport(number, report)
