"""What ``kt-cp check`` says of a tour or of a certificate, for people and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from kt_cp.cli.question import Question
from kt_cp.formats.write import SCHEMA_VERSION, proof_words
from kt_cp.model.board import Square
from kt_cp.model.difference import describe_difference
from kt_cp.model.document import node_name, problem_document
from kt_cp.model.errors import InputError, ProblemError, UnsoundEngineError
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem
from kt_cp.model.terms import claim_of, terms
from kt_cp.processes.checker import ACCEPTING, Word, ask
from kt_cp.trust.judge import Defect, defects

_NAMED = re.compile(rb'"format"\s*:\s*"kt_cp certificate"')

OTHER_PROBLEM = "OTHER_PROBLEM"
"""Code of what only this command can find wrong: the certificate is about something else."""


def _json(**said: Any) -> str:
    document = {"schema_version": SCHEMA_VERSION, **said}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class TourJudgement:
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
        return _json(
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
class ToursJudgement:
    """Of several claimed tours: how many were looked at, and the first that is wrong, if any."""

    tours: int
    last: TourJudgement

    @classmethod
    def of(cls, judgements: Iterable[TourJudgement]) -> TourJudgement | ToursJudgement:
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
        return _json(tours=self.tours, **json.loads(self.last.to_json()))


@dataclass(frozen=True)
class ProofJudgement:
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
        proof = proof_words(self.problem, str(self.kind), str(self.argument), self.tours)
        return f"{proof}\n" if self.word is None else f"{proof}\n{_told(self.word)}\n"

    def to_json(self) -> str:
        """The same for a program; ``proved`` is false for a search that was only repeated."""
        return _json(
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


def _told(word: Word) -> str:
    """What another checker says, in a line."""
    verbs = {True: "accepts it as well", False: "REFUSES it", None: "came to no answer"}
    return f"{word.checker} {verbs[word.accepted]}: {word.said}"


def is_certificate(data: bytes) -> bool:
    """Whether a file means to be a certificate, whole or damaged."""
    return data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_NAMED.search(data))


def judged(
    data: bytes,
    question: Question,
    checker: str | None = None,
    tours: bytes | None = None,
    *,
    file: str = "-",
) -> ProofJudgement:
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
            found = ProofJudgement(
                accepted.problem, accepted.kind, accepted.argument, tours=len(listed)
            )
            _judge_too(accepted.problem, listed)
        except Refusal as refusal:
            if refusal.reason is not Reason.NOT_A_PROOF or not is_report(document):
                raise
            report = rerun(document)
            found = ProofJudgement(report.problem, report.kind, report.argument, repeated=True)
    except Refusal as refusal:
        if refusal.reason is Reason.TOURS_ELSEWHERE:
            raise InputError(f"expected --tours TOURS: {refusal.text}") from None
        return ProofJudgement(None, reason=refusal.reason.name, text=str(refusal))
    assert found.problem is not None
    if difference := _difference(question, found.problem):
        return replace(found, reason=OTHER_PROBLEM, text=difference, file=file)
    return found if checker is None else replace(found, word=_asked(checker, found, document))


def _difference(question: Question, problem: Problem) -> str:
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


def _judge_too(problem: Problem, tours: Iterable[Sequence[Any]]) -> None:
    """The checker has looked at the tours of a list itself; the judge knows nothing of that."""
    for tour in tours:
        if wrong := defects(problem, tour):
            raise UnsoundEngineError(
                f"the checker accepts a list of tours of {problem.label}, one with {wrong[0]}"
            )


def _asked(checker: str, found: ProofJudgement, document: Mapping[str, Any]) -> Word:
    """What a checker of others says of a refutation that was accepted here."""
    from kt_cp.formats.refutation import formula_text, hinted_text, proof_text

    certificate = _refuting(f"--with {checker}", found, document)
    write = hinted_text if ACCEPTING[checker][0] == "lrat" else proof_text
    return ask(checker, formula_text(certificate), write(certificate))


def certificate_of(
    data: bytes, told: ProofJudgement, option: str, tours: bytes | None = None
) -> Certificate | None:
    """The refutation that was accepted, for an option that writes it; None where it was not."""
    from kt_cp.trust.check.certificate import parsed, whole

    return _refuting(option, told, whole(parsed(data), tours)) if told.valid else None


def _refuting(option: str, told: ProofJudgement, document: Mapping[str, Any]) -> Certificate:
    from kt_cp.formats.refutation import REFUTED

    assert told.problem is not None and told.kind is not None
    if told.kind not in REFUTED:
        raise InputError(
            f"{option}: expected a refutation, got evidence of kind {told.kind!r}; "
            "kt-cp prove --evidence refutation makes one"
        )
    return Certificate(told.problem, told.kind, told.argument or "", document)
