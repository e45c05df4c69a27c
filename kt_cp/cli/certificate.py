"""What ``kt-cp check`` says of a certificate."""

from __future__ import annotations

import json as json_module
import re
from dataclasses import dataclass, replace

from kt_cp.cli.question import Question
from kt_cp.model.problem import Problem

_NAMED = re.compile(rb'"format"\s*:\s*"kt_cp certificate"')

OTHER_PROBLEM = "OTHER_PROBLEM"
"""Code of what only this command can find wrong: the certificate is about something else."""


@dataclass(frozen=True)
class Judged:
    """The judgement: what the file says, what holds, and if it is wrong, why."""

    problem: Problem | None
    kind: str | None = None
    argument: str | None = None
    reason: str | None = None
    text: str | None = None
    repeated: bool = False

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.text is None

    def words(self) -> str:
        """One line for a person."""
        if not self.valid:
            what = " of that" if self.reason == OTHER_PROBLEM else ""
            return f"Not a proof{what}: {self.text}\n"
        assert self.problem is not None
        label = self.problem.label
        if self.repeated:
            return f"Repeated, not proved ({label}): no tour; {self.argument}.\n"
        return f"A proof ({label}): no tour, by {self.kind}: {self.argument}.\n"

    def to_json(self) -> str:
        """The same for a program; ``proved`` is false for a search that was only repeated."""
        from kt_cp.formats.json import SCHEMA_VERSION, problem_document

        document = {
            "schema_version": SCHEMA_VERSION,
            "problem": None if self.problem is None else problem_document(self.problem),
            "valid": self.valid,
            "proved": self.valid and not self.repeated,
            "kind": self.kind,
            "argument": self.argument,
            "reason": self.reason,
            "text": self.text,
        }
        return json_module.dumps(document, indent=2, ensure_ascii=False) + "\n"


def is_certificate(data: bytes) -> bool:
    """Whether a file means to be a certificate, whole or damaged."""
    return data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_NAMED.search(data))


def judged(data: bytes, question: Question) -> Judged:
    """Judge a certificate by the checker, and hold it against what was asked for.

    Raises
    ------
    InputError
        If what was asked for makes no sense.
    """
    from kt_cp.proofs.certificate import is_report, rerun
    from kt_cp.trust.check import Refusal, check
    from kt_cp.trust.check.certificate import parsed
    from kt_cp.trust.check.refusal import Reason

    try:
        document = parsed(data)
        try:
            accepted = check(document)
            found = Judged(accepted.problem, accepted.kind, accepted.argument)
        except Refusal as refusal:
            if refusal.reason is not Reason.NOT_A_PROOF or not is_report(document):
                raise
            report = rerun(document)
            found = Judged(report.problem, report.kind, report.argument, repeated=True)
    except Refusal as refusal:
        return Judged(None, reason=refusal.reason.name, text=str(refusal))
    assert found.problem is not None
    if question.fits(found.problem):
        return found
    return replace(found, reason=OTHER_PROBLEM, text=f"it is about {found.problem.label}")
