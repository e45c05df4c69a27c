"""A solver's proof of an exported formula, made into a certificate.

The claim "unsatisfiable" of a stranger is worth nothing, and its proof is worth what can be
followed of it.  The formula has to be of the encoding ``certificate``: its clauses are those that
the checker makes by itself, after them those that exclude the tours of a list, if there is one, and
then cuts.  Each cut is read back as the set of squares
that it leaves; a clause that is none is refused.  :mod:`kt_cp.proofs.trim` goes through the proof
backwards, keeps what the empty clause needs, and finds the hints.  The checker then accepts the
certificate, or nobody sees it.

A proof over another encoding refutes another formula: it speaks of variables that no certificate
has, so there is no way from it to one.  Steps that follow by RAT and not by unit propagation say
something of satisfiability and nothing of tours; the checker does not take them.

Cost: that of trimming.  When it loses: where the proof is longer than a certificate may be.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from kt_cp.encodings import FOR_PROOFS
from kt_cp.formats.formula import Stated, excluded
from kt_cp.formats.proof import read_proof
from kt_cp.model.board import shorten
from kt_cp.model.errors import EndedError, EngineFailedError, FormulaFileError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate
from kt_cp.processes import isolate
from kt_cp.proofs.certificate import accepted
from kt_cp.proofs.cuts import Claim
from kt_cp.proofs.refutation import trimmed
from kt_cp.proofs.trimming import BadProofError
from kt_cp.trust.check.formula import given_clues, leaving
from kt_cp.trust.check.frame import Frame, frame_of, pieces_without

SMALL = 1 << 16
"""Bytes of a proof that is gone through in this process, in less time than another one takes to
start."""


@dataclass(frozen=True)
class Proved:
    """The certificate, or the limit that was reached before: time or memory."""

    certificate: Certificate | None
    limit: str | None = None


def check_provable(formula: Stated) -> None:
    """Refuse, before a proof is read, a formula whose refutation is none of a certificate.

    Raises
    ------
    FormulaFileError
    """
    name = formula.encoding.name
    if name != FOR_PROOFS:
        raise FormulaFileError(
            f"a proof over the {name} encoding is none of a certificate, which has other "
            f"variables: expected a formula of kt-cp export --encoding {FOR_PROOFS}"
        )
    _cuts(frame_of(formula.problem), formula)


def proved_by(formula: Stated, proof: bytes, limits: Limits) -> Proved:
    """Certificate from a proof; the limits, if any, are kept from outside.

    Raises
    ------
    FormulaFileError
        If the proof is damaged, needs a step that does not follow, or comes to no end.
    TooLargeError
        If it is right, and longer than the checker reads.
    EngineFailedError
        If the process that goes through it crashes.
    """
    check_provable(formula)
    if limits.seconds is None and limits.megabytes is None and len(proof) <= SMALL:
        return Proved(certificate_from(formula, proof))
    ended = isolate.call(f"{__name__}:certificate_from", formula, proof, limits=limits)
    if ended.how == "done":
        return Proved(ended.value)
    if ended.how in ("timeout", "memory"):
        return Proved(None, "time" if ended.how == "timeout" else "memory")
    if ended.how == "killed":
        raise EndedError(f"the process that checks the proof was {ended.detail} from outside")
    raise EngineFailedError(f"the check of the proof crashed: {ended.detail}")


def certificate_from(formula: Stated, proof: bytes, **_progress: object) -> Certificate:
    """The work itself, here and now; of its progress it tells nothing.

    Examples
    --------
    >>> from kt_cp import Board, Problem
    >>> from kt_cp.formats.formula import stated
    >>> formula = stated(Problem(Board(3, 6), closed=True), "certificate")
    >>> certificate_from(formula, b"0").kind
    'refutation'
    """
    frame = frame_of(formula.problem)
    cuts = _cuts(frame, formula)
    claim = Claim(frame, None, given_clues(frame), excluded(frame, formula.tours))
    try:
        steps = read_proof(proof, formula.cnf.variables)
        evidence = trimmed(claim, cuts, claim.formula(cuts)[1], steps).evidence(claim, [])
    except BadProofError as error:
        raise FormulaFileError(
            f"{shorten(str(error), 90)}: it is a proof of another formula, is cut short, or has "
            "steps by RAT, of which a certificate has none (CaDiCaL and Kissat: use --plain)"
        ) from None
    certificate = accepted(formula.problem, evidence)
    if certificate is None:
        raise TooLargeError("the proof is right, and longer than a certificate may be")
    return certificate


def _cuts(frame: Frame, formula: Stated) -> list[set[int]]:
    """The squares of each cut."""
    if [-1] in formula.cuts:  # an empty cut, as it is written: this piece hangs on no other
        pieces = pieces_without(frame.neighbours, set())
        apart = [set(piece) for piece in pieces if len(pieces) > 1 and piece[-1] < frame.squares]
        if apart:
            return apart[:1]
    edges = frame.edges()
    variable = {edge: place for place, edge in enumerate(edges, start=1)}
    cuts = []
    for number, clause in enumerate(formula.cuts, start=len(formula.cnf.clauses) + 1):
        crossing = {edges[literal - 1] for literal in clause if 0 < literal <= len(edges)}
        sides = _sides(frame, crossing) if crossing else []
        for squares in sides:
            within = squares and max(squares) < frame.squares
            if within and leaving(frame, squares, variable) == sorted(clause):
                cuts.append(squares)
                break
        else:
            raise FormulaFileError(f"clause {number} of the formula is no cut of a certificate")
    return cuts


def _sides(frame: Frame, crossing: set[tuple[int, int]]) -> list[set[int]]:
    """The two sides, if there are any, between which these edges lead and no others do."""
    first = min(crossing)[0]
    side = {first: 0}
    waiting = deque(side)
    while waiting:
        vertex = waiting.popleft()
        for other in frame.neighbours[vertex]:
            if other not in side:
                side[other] = side[vertex] ^ ((min(vertex, other), max(vertex, other)) in crossing)
                waiting.append(other)
    return [{vertex for vertex in side if side[vertex] == which} for which in (0, 1)]
