"""A refutation in files for other checkers: its formula in DIMACS, its lemmas as DRAT or LRAT.

With both files, any checker of DRAT proofs, such as drat-trim, needs to trust only that the formula
describes a tour.  So comments above its first line explain the move of every variable and the
meaning of every clause.  The clauses are those of :mod:`kt_cp.trust.check.formula` with the cuts of
the certificate.  DRAT has the literals of each lemma only; LRAT has its hints too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from kt_cp.model.outcome import Certificate
from kt_cp.trust.check.forced import apply_counts
from kt_cp.trust.check.formula import DIRECT, end_clues, sections_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import as_instance, undirected_instance
from kt_cp.trust.check.refutation import dimacs, unpack_proof
from kt_cp.trust.check.steps import Clause, Clue, windows_of

REFUTED = ("refutation", "list")
"""Kinds of evidence that are refutations."""


def formula_text(certificate: Certificate) -> str:
    """Return the formula of a refutation, in DIMACS with comments.

    >>> from kt_cp import Board, Problem, prove
    >>> certificate = prove(Problem(Board(3, 4), closed=True), "refutation").certificate
    >>> [line for line in formula_text(certificate).splitlines() if " 1 " in line][:2]
    ['c 1 a1-c2', 'c 1 to 32: every square has two moves, square by square']
    """
    frame, cuts, clues, variables, sections = _read_evidence(certificate)
    comments = [f"c {line}" for line in _comments(certificate, frame, cuts, clues, sections)]
    return "\n".join([*comments, dimacs(variables, [*chain.from_iterable(sections.values())])])


def proof_text(certificate: Certificate) -> str:
    """Return the lemmas of a refutation as DRAT; the empty clause is the last one."""
    _check_kind(certificate)
    lines = unpack_proof(certificate.document["evidence"]["proof"]).splitlines()
    lemmas = (line.split()[: line.split().index("0") + 1] for line in lines)
    return "".join(f"{' '.join(lemma)}\n" for lemma in lemmas)


def hinted_text(certificate: Certificate) -> str:
    """Return the lemmas as LRAT; clauses are numbered as in :func:`formula_text`.

    >>> from kt_cp import prove
    >>> text = hinted_text(prove("3x4", "refutation", closed=True).certificate)
    >>> text.splitlines()[-1].split()[1]  # the empty clause
    '0'
    """
    *_, clauses = _read_evidence(certificate)
    lines = unpack_proof(certificate.document["evidence"]["proof"]).splitlines()
    base = sum(map(len, clauses.values()))
    return "".join(f"{number} {line}\n" for number, line in enumerate(lines, base + 1))


def _read_evidence(
    certificate: Certificate,
) -> tuple[Frame, list[set[int]], list[Clue], int, dict[str, list[Clause]]]:
    """Return the frame, cuts, clues, number of variables, and clauses by sections."""
    _check_kind(certificate)
    evidence = certificate.document["evidence"]
    instance = as_instance(certificate.problem)
    frame = frame_of(undirected_instance(instance) if instance.directed else instance)
    vertex = {name: number for number, name in enumerate(frame.names[: frame.squares])}
    sets, cuts = (
        [{vertex[name] for name in names} for names in evidence[key]] for key in ("tight", "cuts")
    )
    known = apply_counts(frame, sets, []) if sets else None
    clues = [(vertex[name], step) for name, step in evidence.get("clues", ())]
    tours = [[vertex[name] for name in names] for names in evidence.get("tours", ())]
    order = [vertex[name] for name in evidence.get("order", ())]
    return frame, cuts, clues, *sections_of(frame, known, cuts, clues, tours, order)


def _check_kind(certificate: Certificate) -> None:
    if certificate.kind not in REFUTED:
        raise ValueError(f"expected a refutation, got a certificate of kind {certificate.kind!r}")


def _comments(
    certificate: Certificate,
    frame: Frame,
    cuts: list[set[int]],
    clues: list[Clue],
    sections: dict[str, list[Clause]],
) -> Iterator[str]:
    names = [_name(frame, vertex) for vertex in range(len(frame))]
    edges = frame.edges()
    problem = certificate.problem
    other = "another" if sections["tours"] else "a"
    yield f"{problem.label}: {other} tour would be a model of this formula, and it has none"
    yield "-"
    if problem.directed:
        yield "Each node stands for three: a tour comes in, is at it, and goes out."
    yield "Variables: true if the tour uses the move."
    if problem.forbid:
        yield "Forbidden moves have none."
    if frame.ends:
        yield "A move to 'end' says that the tour begins or ends there; so it is a cycle."
    for number, (u, v) in enumerate(edges, start=1):
        yield f"{number} {names[u]}-{names[v]}"
    top = len(edges) + sum(2 * len(row) for row in frame.neighbours if len(row) > DIRECT)
    if top > len(edges):
        yield f"{len(edges) + 1} to {top} count the moves where they are more than {DIRECT}:"
        yield "at least one of the first i is used, for every i, then at least two of them"
    if clues:
        yield "Then, true if the square is visited at that step; the next ones are for counting."
        for step, window in enumerate(windows_of(frame, [*clues, *end_clues(frame)]), start=1):
            yield from (f"{top + i} {names[v]} at {step}" for i, v in enumerate(window, start=1))
            top += len(window)
    if sections["elimination"]:
        yield "Then two for each move: its second square follows its first, or the other way."
        yield "The others: true if one square follows another after some are taken out."
    yield "-"
    yield "Clauses, counted from 1:"
    required = len(problem.require)
    parts = {
        "every square has two moves, square by square": sections["vertices"],
        "required moves": sections["must"][:required],
        "moves that every tour must use, for its ends": sections["must"][required:],
        "moves that every tour must use, or none can: tight sets": sections["tight"],
        "steps have squares, squares steps, and moves lead from step to step": sections["steps"],
        "squares are taken out, one after the other: the successors form one cycle": sections[
            "elimination"
        ],
        "with each move its image under the symmetry": sections["symmetry"],
        "one of the moves of each listed tour is not made": sections["tours"],
    }
    place = 0
    for what, clauses in parts.items():
        yield from _range(place, place + len(clauses), what)
        place += len(clauses)
    for number, cut in enumerate(cuts, start=place + 1):
        yield f"{number}: a move leaves {' '.join(names[vertex] for vertex in sorted(cut))}"


def _range(first: int, last: int, what: str) -> Iterator[str]:
    if last > first:
        yield f"{first + 1}{f' to {last}' if last > first + 1 else ''}: {what}"


def _name(frame: Frame, vertex: int) -> str:
    """Return the name of a square, or of a graph's node in quotation marks."""
    name = frame.names[vertex]
    on_board = frame.problem.board is not None or vertex >= frame.squares
    return name if on_board else json.dumps(name)
