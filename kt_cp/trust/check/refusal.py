"""Reasons for refusing a certificate: one for each rule, so a test sees which rule refuses."""

from __future__ import annotations

from enum import Enum

from kt_cp.model.errors import KtCpError


class Reason(Enum):
    """The reason why a certificate is refused."""

    NOT_JSON = "not valid JSON"
    DUPLICATE_KEY = "a key stands twice"
    TOO_LARGE = "too large"
    TOO_DEEP = "nested too deeply"
    WRONG_SHAPE = "not as the format says"
    WRONG_VERSION = "another version of the format"
    WRONG_DIGEST = "a digest does not fit"
    WRONG_PROBLEM = "the problem makes no sense"
    WRONG_QUESTION = "this evidence does not answer this question"
    UNKNOWN_KIND = "no such kind of evidence"
    BAD_SQUARE = "not a square of this problem"
    NOT_A_CLUE = "not a clue of this problem, or one twice"
    NOT_A_TOUR = "not a tour of this problem"
    TWICE = "a tour stands twice"
    TOURS_ELSEWHERE = "without its tours"
    OUT_OF_RANGE = "a number out of range"
    EMPTY_SET = "a cut of no squares"
    WHOLE_SET = "a cut of all squares"
    NOT_PROVED = "the evidence does not prove it"
    BAD_LEMMA = "a lemma does not follow"
    NO_EMPTY_CLAUSE = "the proof does not end in the empty clause"
    NOT_A_PROOF = "a report of a search is no proof"
    WRONG_TEXT = "the argument in words is another"


class Refusal(KtCpError):  # noqa: N818  the usual word for a checker's "no"
    """A certificate is not valid; it has one of the reasons and one sentence."""

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.text}"
