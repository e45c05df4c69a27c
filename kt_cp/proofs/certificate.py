"""Certificates as values: made from evidence, and checked before anyone gets them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kt_cp.board import describe
from kt_cp.outcome import Evidence, EvidenceKind
from kt_cp.problem import Problem
from kt_cp.proofs.check import FORMAT, SCHEMA_VERSION, check
from kt_cp.proofs.check.certificate import digest_of, parsed
from kt_cp.proofs.check.frame import END
from kt_cp.proofs.check.shape import MOST_NAME
from kt_cp.versions import versions_of

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
    >>> from kt_cp.board import Board
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


def certified(
    problem: Problem, evidence: Mapping[str, Any], packages: tuple[str, ...] = ()
) -> Certificate:
    """Certificate from evidence that the checker accepts.

    Parameters
    ----------
    packages : tuple of str
        Distributions that had a part in finding the evidence.

    Raises
    ------
    Refusal
        If the evidence does not prove it.
    """
    checked = check(_document(problem, evidence))
    document = {**_document(problem, evidence), "argument": checked.argument}
    document["made_by"] = versions_of(packages)
    document["digest"] = digest_of(document)
    made = Certificate(problem, checked.kind, checked.argument, document)
    if parsed(made.to_json()) != document:
        raise AssertionError("the certificate does not come back from its own text")
    return made


def search_report(problem: Problem, placed: int, taken_back: int) -> Certificate:
    """What an exhausted search of the reference comes to: a second opinion that can be repeated.

    No checker accepts it; ``kt-cp check`` runs the search again and compares.
    """
    problem = nameable(problem)
    evidence = {"kind": EXHAUSTED, "placed": placed, "taken_back": taken_back}
    said = f"the reference recursion tried everything: {placed:,} squares placed"
    document = {**_document(problem, evidence), "argument": said, "made_by": versions_of()}
    return Certificate(problem, EXHAUSTED, said, {**document, "digest": digest_of(document)})


def _document(problem: Problem, evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(problem),
        "evidence": dict(evidence),
    }


def nameable(problem: Problem) -> Problem:
    """The problem, with nodes numbered 1, 2, 3 … where its graph's own cannot be told by name.

    A certificate tells nodes by their texts.  Those of a graph may be anything: the number 1 beside
    the text "1", or texts that nobody can print.

    Examples
    --------
    >>> import networkx as nx
    >>> list(nameable(Problem(graph=nx.Graph([(1, "1")]))).graph)
    ['1', '2']
    """
    if problem.board is not None:
        return problem
    names = [str(node) for node in problem.graph]
    fine = all(name.isprintable() and len(name) <= MOST_NAME and name != END for name in names)
    if fine and len(set(names)) == len(names):
        return problem
    import networkx as nx

    number = {node: str(place) for place, node in enumerate(problem.graph, start=1)}
    return Problem(
        graph=nx.relabel_nodes(problem.graph, number),
        closed=problem.closed,
        start=number.get(problem.start),
        end=number.get(problem.end),
    )


def problem_document(problem: Problem) -> dict[str, Any]:
    """A problem in full, as a certificate holds it."""
    board = problem.board
    conditions = {
        "closed": problem.closed,
        "start": None if problem.start is None else node_name(problem, problem.start),
        "end": None if problem.end is None else node_name(problem, problem.end),
    }
    if board is not None:
        missing = [describe(square) for square in sorted(board.missing)]
        return {"rows": board.rows, "columns": board.columns, "missing": missing, **conditions}
    names = [str(node) for node in problem.graph]
    edges = [[str(u), str(v)] for u, v in problem.graph.edges()]
    return {"nodes": names, "edges": edges, **conditions}


def node_name(problem: Problem, node: Any) -> str:
    """Name of a square, or a graph's node as text."""
    return str(node) if problem.board is None else describe(node)


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
