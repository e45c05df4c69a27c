"""Certificates as values: a problem, evidence that it has no tour, and the JSON object of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kt_cp.model.outcome import Evidence, EvidenceKind
from kt_cp.model.problem import Problem

EXHAUSTED = "exhausted"
"""The one kind of evidence that is no certificate: a search that can be run again."""


@dataclass(frozen=True)
class Certificate:
    """Evidence that a problem has no tour, which the checker has accepted.

    (Or, of the kind ``"exhausted"``, the report of a search, which no checker accepts.)

    Attributes
    ----------
    problem : Problem
    kind : str
        Of the evidence, such as ``"removal"``.
    argument : str
        The evidence as one sentence, without a full stop.
    document : mapping
        The JSON object that anybody can check.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.proofs.certificate import certified
    >>> made = certified(Problem(Board(3, 3)), {"kind": "degrees", "squares": ["b2"]})
    >>> made.argument, made.document["problem"]["rows"]
    ('b2 has no moves at all', 3)
    """

    problem: Problem
    kind: str
    argument: str
    document: Mapping[str, Any]

    @property
    def evidence(self) -> Evidence:
        """What an outcome says of it."""
        kinds = {EXHAUSTED: EvidenceKind.EXHAUSTED, "refutation": EvidenceKind.REFUTATION}
        kind = kinds.get(self.kind, EvidenceKind.ARGUMENT)
        return Evidence(kind, self.argument, self)

    def to_json(self) -> str:
        """The certificate's text: lists of squares on one line each."""
        return _written(self.document, 0) + "\n"


def _written(value: Any, indent: int) -> str:
    """JSON with an object's keys on lines of their own, and lists of plain values on one."""
    inner = "  " * (indent + 1)
    if isinstance(value, Mapping) and value:
        rows = [f"{json.dumps(key)}: {_written(each, indent + 1)}" for key, each in value.items()]
        return "{\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "}"
    if isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value):
        rows = [_written(each, indent + 1) for each in value]
        return "[\n" + ",\n".join(inner + row for row in rows) + "\n" + "  " * indent + "]"
    return json.dumps(value)
