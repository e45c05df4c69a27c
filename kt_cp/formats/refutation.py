"""A refutation in the files that others read: its formula in DIMACS, its lemmas as DRAT or LRAT.

Any checker of DRAT proofs, such as drat-trim, takes the two, and then needs to trust only that the
formula says what a tour is.  So the formula's file tells, in comments above its first line, which
move every variable stands for and what every clause is there for.  The clauses are those of
:mod:`kt_cp.trust.check.formula` with the cuts of the certificate; the lemmas are the certificate's
without their hints, as a DRAT line names the literals alone; LRAT has the hints as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from kt_cp.model.outcome import Certificate
from kt_cp.trust.check.forced import tightened
from kt_cp.trust.check.formula import DIRECT, Clause, formula_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.refutation import dimacs, unpacked


def formula_text(certificate: Certificate) -> str:
    """The formula that a refutation refutes, in DIMACS with comments.

    Raises
    ------
    ValueError
        If the certificate is no refutation.

    Examples
    --------
    >>> from kt_cp import Board, Problem, prove
    >>> certificate = prove(Problem(Board(3, 4), closed=True), "refutation").certificate
    >>> [line for line in formula_text(certificate).splitlines() if " 1 " in line][:2]
    ['c 1 a1-c2', 'c 1 to 32: every square has two moves, square by square']
    """
    frame, cuts, sections = _laid_out(certificate)
    variables, clauses = sections[-1]
    comments = [f"c {line}" for line in _comments(certificate, frame, cuts, sections)]
    return "\n".join([*comments, dimacs(variables, clauses)])


def proof_text(certificate: Certificate) -> str:
    """The lemmas of a refutation as DRAT: literals and 0, a lemma a line, the empty one last."""
    _require(certificate)
    lines = unpacked(certificate.document["evidence"]["proof"]).splitlines()
    lemmas = (line.split()[: line.split().index("0") + 1] for line in lines)
    return "".join(f"{' '.join(lemma)}\n" for lemma in lemmas)


def hinted_text(certificate: Certificate) -> str:
    """The same as LRAT: each lemma with its number before it and its hints, the clauses it needs.

    The formula's clauses are numbered from 1 in the order of :func:`formula_text`.

    Examples
    --------
    >>> from kt_cp import prove
    >>> text = hinted_text(prove("3x4", "refutation", closed=True).certificate)
    >>> text.splitlines()[-1].split()[1]  # the empty clause
    '0'
    """
    _, _, sections = _laid_out(certificate)
    lines = unpacked(certificate.document["evidence"]["proof"]).splitlines()
    return "".join(
        f"{number} {line}\n" for number, line in enumerate(lines, len(sections[-1][1]) + 1)
    )


def _laid_out(
    certificate: Certificate,
) -> tuple[Frame, list[set[int]], list[tuple[int, list[Clause]]]]:
    """The frame, the cuts, and the formula as it grows: plain, with tight sets, with cuts."""
    _require(certificate)
    evidence = certificate.document["evidence"]
    frame = frame_of(certificate.problem)
    vertex = {name: number for number, name in enumerate(frame.names[: frame.squares])}
    sets, cuts = (
        [{vertex[name] for name in names} for names in evidence[key]] for key in ("tight", "cuts")
    )
    known = tightened(frame, sets, []) if sets else None
    growing = [(None, []), (known, []), (known, cuts)]
    return frame, cuts, [formula_of(frame, *part) for part in growing]


def _require(certificate: Certificate) -> None:
    if certificate.kind != "refutation":
        raise ValueError(f"expected a refutation, got a certificate of kind {certificate.kind!r}")


def _comments(
    certificate: Certificate,
    frame: Frame,
    cuts: list[set[int]],
    sections: list[tuple[int, list[Clause]]],
) -> Iterator[str]:
    names = [_name(frame, vertex) for vertex in range(len(frame))]
    edges = frame.edges()
    problem = certificate.problem
    yield f"{problem.label}: a tour would be a model of this formula, and it has none"
    yield "-"
    yield "Variables: true if the tour uses the move."
    if problem.forbid:
        yield "Forbidden moves have none."
    if frame.ends:
        yield "A move to 'end' says that the tour begins or ends there; so it is a cycle."
    for number, (u, v) in enumerate(edges, start=1):
        yield f"{number} {names[u]}-{names[v]}"
    if sections[-1][0] > len(edges):
        top = sections[-1][0]
        yield f"{len(edges) + 1} to {top} count the moves where they are more than {DIRECT}:"
        yield "at least one of the first i is used, for every i, then at least two of them"
    yield "-"
    yield "Clauses, counted from 1:"
    plain, with_sets, _ = (len(clauses) for _, clauses in sections)
    vertices = plain - len(frame.must)
    required = vertices + len(problem.require)
    yield from _range(0, vertices, "every square has two moves, square by square")
    yield from _range(vertices, required, "required moves")
    yield from _range(required, plain, "moves that every tour must use, for its ends")
    yield from _range(plain, with_sets, "moves that every tour must use, or none can: tight sets")
    for number, cut in enumerate(cuts, start=with_sets + 1):
        yield f"{number}: a move leaves {' '.join(names[vertex] for vertex in sorted(cut))}"


def _range(first: int, last: int, what: str) -> Iterator[str]:
    if last > first:
        yield f"{first + 1}{f' to {last}' if last > first + 1 else ''}: {what}"


def _name(frame: Frame, vertex: int) -> str:
    """Name of a square; that of a graph's node in quotation marks, whatever it holds."""
    name = frame.names[vertex]
    on_board = frame.problem.board is not None or vertex >= frame.squares
    return name if on_board else json.dumps(name)
