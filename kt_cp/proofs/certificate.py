"""Make certificates from evidence; the checker accepts each of them before it is returned.

The reference recursion is deterministic: it places the same number of squares every time.  So the
search of a report (``"exhausted"`` evidence) can be run again.  A report with other counts is
wrong.  A report with the same counts is reproducible, but that is less than a proof.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain, count
from typing import Any

from kt_cp.model.document import format_json, problem_document
from kt_cp.model.errors import UnsoundEngineError
from kt_cp.model.outcome import EXHAUSTED, Certificate, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.terms import terms
from kt_cp.model.versions import versions_of
from kt_cp.trust import reference
from kt_cp.trust.check import FORMAT, Reason, Refusal, check
from kt_cp.trust.check.certificate import TOURS, digest_of, first_version, parse_document
from kt_cp.trust.check.frame import END
from kt_cp.trust.check.parsing import MOST_NAME, keys_of, number_of, problem_of

SHORT = 1 << 19
"""Least characters of a certificate that is parsed from the text of its file, because that text may
exceed the checker's limits.  Parsing a shorter one from a single line is ten times as fast."""

OLDER = 4
"""The oldest version that is written."""


def build_certificate(
    problem: Problem, evidence: Mapping[str, Any], packages: tuple[str, ...] = ()
) -> Certificate:
    """Return a certificate from evidence that was found with these distributions.

    Raises
    ------
    Refusal
        If the checker does not accept the evidence.
    """
    document = _document(problem, evidence)
    checked = check(document)
    document = _complete_document(document, checked.argument, packages)
    certificate = Certificate(problem, checked.kind, checked.argument, document)
    text = json.dumps(document)
    if parse_document(text if len(text) < SHORT else certificate.to_json()) != document:
        raise AssertionError("the certificate does not come back from its own text")
    return certificate


def as_certificate(
    problem: Problem, evidence: Mapping[str, Any], packages: tuple[str, ...] = ()
) -> Certificate | None:
    """Return the evidence as a certificate, or None if it is too long for the checker.

    Evidence on the undirected form of a directed problem becomes a certificate for the latter.

    Raises
    ------
    UnsoundEngineError
        If the checker refuses the evidence for another reason.
    """
    try:
        return build_certificate(problem._of or problem, evidence, packages)
    except Refusal as refusal:
        if refusal.reason in (Reason.TOO_LARGE, Reason.TOO_DEEP):
            return None
        raise UnsoundEngineError(
            f"evidence of kind {evidence['kind']} on {problem.label} is refused: {refusal}"
        ) from refusal


def try_certificate(problem: Problem, evidence: Mapping[str, Any]) -> Certificate | None:
    """Return the evidence as a certificate, or None if the checker refuses it."""
    with suppress(Refusal):
        return build_certificate(problem._of or problem, evidence)
    return None


def separate_tours(certificate: Certificate) -> tuple[str, str]:
    """Return the texts of two files, a list's certificate and its tours, to be checked together.

    Examples
    --------
    >>> from kt_cp import Enumeration, check
    >>> text, tours = separate_tours(Enumeration("3x4", start="a1").certificate())
    >>> '"c2"' in text, len(check(text, tours).tours)
    (False, 2)
    """
    evidence = certificate.document["evidence"]
    tour_file = {"format": TOURS, "tours": evidence["tours"]}
    reference = {"number": len(evidence["tours"]), "digest": digest_of(tour_file)}
    document = {**certificate.document, "evidence": {**evidence, "tours": reference}}
    document["digest"] = digest_of(document)
    return format_json(document) + "\n", format_json(tour_file) + "\n"


def search_report(problem: Problem, placed: int, taken_back: int) -> Certificate:
    """Return the report of an exhausted search of the reference, which can be repeated.

    No checker accepts it; ``kt-cp check`` runs the search again and compares.
    """
    problem = rename_nodes(problem)
    evidence = {"kind": EXHAUSTED, "placed": placed, "taken_back": taken_back}
    summary = (
        f"the reference recursion tried everything: {placed:,} {terms(problem).square}s placed"
    )
    document = _complete_document(_document(problem, evidence), summary)
    return Certificate(problem, EXHAUSTED, summary, document)


def _document(problem: Problem, evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON object with only those parts that the checker checks."""
    version = max(first_version(evidence), 5 if problem.directed else OLDER)
    return {
        "format": FORMAT,
        "schema_version": version,
        "problem": problem_document(problem),
        "evidence": dict(evidence),
    }


def _complete_document(
    document: dict[str, Any], summary: str, packages: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the document with its argument, the versions of programs, and its digest."""
    document = {**document, "argument": summary, "made_by": versions_of(packages)}
    return {**document, "digest": digest_of(document)}


def _has_fixed_text(node: Any) -> bool:
    """Return whether a node has the same text in every process, unlike a set or an object."""
    if type(node) is tuple:
        return all(map(_has_fixed_text, node))
    return type(node) in (str, int, float, bool)


def rename_nodes(problem: Problem) -> Problem:
    """Return the problem with those nodes renamed that a certificate could not name.

    A certificate names nodes by their texts.  The nodes of a graph may have unprintable texts, or
    equal ones, as the number 1 and the text "1" have.  Such a node is named by its ``repr``, or by
    its number if that is unsuitable too; all others retain their names.  If the text of a node may
    differ in another process, as that of a set does, the texts become the nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> list(rename_nodes(Problem(graph=nx.Graph([(1, "1"), ("1", "end"), ("end", "a")]))).graph)
    ['1', "'1'", "'end'", 'a']
    """
    if problem.board is not None:
        return problem
    longest = MOST_NAME - len("out ") * problem.directed

    def is_suitable(name: str) -> bool:
        return name.isprintable() and len(name) <= longest and name != END

    if all(type(node) is str and is_suitable(node) for node in problem.graph):
        return problem
    names = Counter(map(str, problem.graph))
    unique = {name for name, many in names.items() if many == 1 and is_suitable(name)}
    if len(unique) == problem.size and all(map(_has_fixed_text, problem.graph)):
        return problem
    import networkx as nx

    named = {node: name for node in problem.graph if (name := str(node)) in unique}
    for place, node in enumerate(problem.graph, start=1):
        if node not in named:
            others = chain([repr(node)], (f"node {number}" for number in count(place)))
            named[node] = next(name for name in others if is_suitable(name) and name not in unique)
            unique.add(named[node])
    named = {node: named[node] for node in problem.graph}
    conditions = [each.mapped(named.__getitem__) for each in problem.conditions]
    graph = nx.relabel_nodes(problem.graph, named)
    return Problem(graph=graph, closed=problem.closed, conditions=conditions)


MOST_PLACED = 1_000_000_000
"""Most squares placed by a search that is repeated: about half an hour."""

MOST_SQUARES = 10_000
"""Most squares of a board whose search is repeated: the largest on which it ended in our tests."""


def is_report(document: Mapping[str, Any]) -> bool:
    """Return whether a certificate is the report of a search."""
    evidence = document.get("evidence")
    return isinstance(evidence, Mapping) and evidence.get("kind") == EXHAUSTED


def rerun(document: Mapping[str, Any]) -> Certificate:
    """Repeat the search of a report, and return the report if the counts agree.

    The checker has read its envelope (format, version, digest) already.

    Raises
    ------
    Refusal
        If the search finds a tour or other counts, or is too long to repeat.

    Examples
    --------
    >>> from kt_cp import Board, Problem, prove
    >>> report = prove(Problem(Board(3, 3)), "exhausted").certificate
    >>> rerun(report.document).argument
    'the reference recursion tried everything: 121 squares placed'
    """
    problem = problem_of(document["problem"], document["schema_version"])
    evidence = keys_of(document["evidence"], "kind", "placed", "taken_back")
    placed, taken_back = (
        number_of(evidence[key], 0, MOST_PLACED, key) for key in ("placed", "taken_back")
    )
    squares = f"{terms(problem).square}s"
    if problem.size > MOST_SQUARES:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_SQUARES:,} {squares} to search")
    # A single square more than reported proves that the report is wrong.
    walk = reference.decide(problem, budget=placed)
    if walk.verdict is Verdict.FOUND:
        raise Refusal(Reason.NOT_PROVED, "the search finds a tour")
    if walk.verdict is Verdict.UNKNOWN:
        raise Refusal(Reason.NOT_PROVED, f"the search goes on after {placed:,} {squares} placed")
    if (walk.placed, walk.taken_back) != (placed, taken_back):
        raise Refusal(
            Reason.NOT_PROVED,
            f"the search places {walk.placed:,} {squares} and takes back {walk.taken_back:,}, "
            f"not {placed:,} and {taken_back:,}",
        )
    report = search_report(problem, placed, taken_back)
    if document.get("argument", report.argument) != report.argument:
        raise Refusal(Reason.WRONG_TEXT, f"expected the argument: {report.argument}")
    return report
