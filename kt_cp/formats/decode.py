"""Answers and proofs of other SAT solvers, and the outcomes and certificates that follow from them.

An answer may be the output of the SAT competitions (``s SATISFIABLE``, then ``v`` lines up to a 0),
the file of MiniSat (``SAT`` and the literals, ``UNSAT`` or ``INDET``), or a list of literals, with
or without brackets and commas.  A model must satisfy the formula, decode to a tour, and pass the
judge and the replay, like the tour of any engine.  "Unsatisfiable" remains a claim, which only the
reference may contradict on small boards, unless a proof is given.

A proof may be DRAT as text, which includes DRUP; LRAT as text, whose hints are ignored; or binary
DRAT, the default of CaDiCaL and Kissat (M. Heule, "The DRAT format and drat-trim checker",
arXiv:1610.06229).  Every clause of the binary format ends with a byte 0, which texts do not have.

To become a certificate, a proof must refute a formula of the encoding ``certificate``: the clauses
that the checker derives itself, those that exclude the tours of a list, and cuts.  Each cut is
converted back to the set of squares that it leaves.  :mod:`kt_cp.proofs.trim` traverses the proof
backwards, retains the clauses that the empty clause needs, and finds the hints; the checker then
verifies the certificate.  Proofs over other encodings have variables that no certificate has.  RAT
steps preserve satisfiability, but not tours, so they are refused.

Cost: that of trimming.  When it loses: if the proof is longer than a certificate may be.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings import FOR_PROOFS
from kt_cp.encodings.cnf import Clause, Cuts
from kt_cp.engines.engine import found, impossible, unknown
from kt_cp.engines.engine import proved as engine_proved
from kt_cp.formats.formula import EncodedProblem, ParsedFormula, quote_line, tour_vertices
from kt_cp.model.board import shorten
from kt_cp.model.errors import EndedError, EngineFailedError, FormulaFileError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate, EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.processes import isolate
from kt_cp.proofs.backward_check import Step
from kt_cp.proofs.certificate import as_certificate
from kt_cp.proofs.cuts import Claim
from kt_cp.proofs.refutation import trim_proof
from kt_cp.proofs.trimming import BadProofError
from kt_cp.trust.check.formula import given_clues, leaving
from kt_cp.trust.check.frame import Frame, frame_of, pieces_without
from kt_cp.trust.crosscheck import cross_check

MOST_BYTES = 1 << 24
"""Most bytes of a proof, which take a gigabyte of memory and a few minutes to trim."""

LONGEST = 5
"""Bytes of a binary number, seven bits each."""

_NUMBER = re.compile(rb"-?[0-9]{1,10}")


def read_proof(data: bytes, variables: int) -> list[Step]:
    r"""Return the steps of a proof: a flag for deletions, and the literals of each.

    >>> read_proof(b"c by hand\n1 -2 0\nd 3 0\n0\n", 3)
    [(False, [1, -2]), (True, [3]), (False, [])]
    >>> read_proof(b"9 1 -2 0 4 5 0\n10 d 4 0\n11 0 9 6 0\n", 3)
    [(False, [1, -2]), (False, [])]
    >>> read_proof(b"a\x02\x05\x00d\x06\x00a\x00", 3)
    [(False, [1, -2]), (True, [3]), (False, [])]
    """
    return (
        _read_binary_proof(data, variables) if b"\0" in data else _read_text_proof(data, variables)
    )


def _read_text_proof(data: bytes, variables: int) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(data.splitlines(), start=1):
        words = line.split()
        if not words or words[0] == b"c" or words[1:2] == [b"d"]:  # the last deletes in LRAT
            continue
        deletes = words[0] == b"d"
        are_numbers = all(map(_NUMBER.fullmatch, words[deletes:]))
        numbers = [*map(int, words[deletes:])] if are_numbers else []
        if numbers.count(0) == 2 and not deletes and numbers[-1] == 0:
            numbers = numbers[1 : numbers.index(0) + 1]  # LRAT: number, literals, 0, hints, 0
        if numbers.count(0) != 1 or numbers[-1] != 0:
            raise FormulaFileError(
                f"line {number}: expected literals and 0, got {quote_line(line)}"
            )
        if max(numbers) > variables or -min(numbers) > variables:
            raise FormulaFileError(f"line {number}: {_beyond(max(map(abs, numbers)), variables)}")
        steps.append((deletes, numbers[:-1]))
    return steps


def _read_binary_proof(data: bytes, variables: int) -> list[Step]:
    """Read steps that consist of a letter, a or d, the literals, and 0.

    Numbers have seven bits a byte, low bits first: 2 v is the literal v, and 2 v + 1 is -v.
    """
    raw = np.frombuffer(data, dtype=np.uint8)
    last = np.flatnonzero(raw == 0)
    first = np.concatenate([[0], last[:-1] + 1])
    wrong = np.flatnonzero((raw[first] != ord("a")) & (raw[first] != ord("d")))
    if len(wrong):
        at = int(first[wrong[0]])
        raise FormulaFileError(
            f"byte {at + 1}: expected a step of binary DRAT, a or d, got {data[at : at + 1]!r} "
            "(LRAT is read as text alone)"
        )
    if last[-1] != len(raw) - 1:
        raise FormulaFileError(
            f"byte {len(raw)}: expected 0 after the last step, reached the end of the file"
        )
    inside = np.ones(len(raw), dtype=bool)
    inside[first] = False
    places = np.flatnonzero(inside)
    bits = raw[places].astype(np.int64)
    ends = np.flatnonzero(bits < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts + 1
    if lengths.max() > LONGEST:
        at = int(places[starts[lengths.argmax()]])
        raise FormulaFileError(f"byte {at + 1}: expected a number of at most {LONGEST} bytes")
    padded = np.flatnonzero((lengths > 1) & (bits[ends] == 0))  # this 0 ends no step
    if len(padded):
        at = int(places[starts[padded[0]]])
        raise FormulaFileError(f"byte {at + 1}: expected a number that ends with a byte above 0")
    shifts = 7 * (np.arange(len(bits)) - np.repeat(starts, lengths))
    coded = np.add.reduceat((bits & 127) << shifts, starts)
    literals = np.where(coded & 1, -(coded >> 1), coded >> 1)
    if (coded == 1).any():
        at = int(places[starts[np.flatnonzero(coded == 1)[0]]])
        raise FormulaFileError(f"byte {at + 1}: expected a literal, got 0 and its opposite")
    largest = np.abs(literals).argmax()
    if abs(literals[largest]) > variables:
        at = int(places[starts[largest]])
        raise FormulaFileError(f"byte {at + 1}: {_beyond(abs(int(literals[largest])), variables)}")
    numbers, begin, steps = literals.tolist(), 0, []
    for letter, end in zip(raw[first].tolist(), np.flatnonzero(coded == 0).tolist(), strict=True):
        steps.append((letter == ord("d"), numbers[begin:end]))
        begin = end + 1
    return steps


def _beyond(variable: int, variables: int) -> str:
    return (
        f"expected variables up to {variables:,}, got {variable:,}: it is a proof of another "
        "formula, or its solver added variables (CaDiCaL and Kissat: use --plain)"
    )


SMALL = 1 << 16
"""Bytes up to which a proof is trimmed in this process, because another one starts more slowly."""


@dataclass(frozen=True)
class ProofResult:
    """The certificate of a proof, or the limit that was reached: time or memory."""

    certificate: Certificate | None
    limit: str | None = None


def check_provable(formula: EncodedProblem) -> None:
    """Raise ``FormulaFileError`` if proofs of a formula cannot become certificates."""
    name = formula.encoding.name
    if name != FOR_PROOFS:
        raise FormulaFileError(
            f"a proof over the {name} encoding is none of a certificate, which has other "
            f"variables: expected a formula of kt-cp export --encoding {FOR_PROOFS}"
        )
    _cuts(frame_of(formula.problem), formula)


def certify_proof(formula: EncodedProblem, proof: bytes, limits: Limits) -> ProofResult:
    """Make a certificate of a proof, in another process if there are limits."""
    check_provable(formula)
    if limits.seconds is None and limits.megabytes is None and len(proof) <= SMALL:
        return ProofResult(build_certificate(formula, proof))
    ended = isolate.call(f"{__name__}:build_certificate", formula, proof, limits=limits)
    if ended.how == "done":
        return ProofResult(ended.value)
    if ended.how in ("timeout", "memory"):
        return ProofResult(None, "time" if ended.how == "timeout" else "memory")
    if ended.how == "killed":
        raise EndedError(f"the process that checks the proof was {ended.detail} from outside")
    raise EngineFailedError(f"the check of the proof crashed: {ended.detail}")


def build_certificate(formula: EncodedProblem, proof: bytes, **_progress: object) -> Certificate:
    """Make a certificate of a proof in this process.

    >>> from kt_cp import Board, Problem
    >>> from kt_cp.formats.formula import encode_problem
    >>> formula = encode_problem(Problem(Board(3, 6), closed=True), "certificate")
    >>> build_certificate(formula, b"0").kind
    'refutation'
    """
    frame = frame_of(formula.problem)
    cuts = _cuts(frame, formula)
    claim = Claim(frame, None, given_clues(frame), tour_vertices(frame, formula.tours))
    try:
        steps = read_proof(proof, formula.cnf.variables)
        evidence = trim_proof(claim, cuts, claim.formula(cuts)[1], steps).evidence(claim, [])
    except BadProofError as error:
        raise FormulaFileError(
            f"{shorten(str(error), 90)}: it is a proof of another formula, is cut short, or has "
            "steps by RAT, which a certificate cannot have (CaDiCaL and Kissat: use --plain)"
        ) from None
    certificate = as_certificate(formula.problem, evidence)
    if certificate is None:
        raise TooLargeError("the proof is right, and longer than a certificate may be")
    return certificate


def _cuts(frame: Frame, formula: EncodedProblem) -> list[set[int]]:
    """Return the squares of each cut."""
    if [-1] in formula.cuts:  # an empty cut, around a component
        pieces = pieces_without(frame.neighbours, set())
        components = [
            set(piece) for piece in pieces if len(pieces) > 1 and piece[-1] < frame.squares
        ]
        if components:
            return components[:1]
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
    """Return the two sides between which exactly these edges lead, if there are any."""
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


_STATUS = {
    b"SATISFIABLE": True,
    b"SAT": True,
    b"UNSATISFIABLE": False,
    b"UNSAT": False,
    b"UNKNOWN": None,
    b"INDET": None,
    b"INDETERMINATE": None,
}
_STATUS_NAMES = {True: "satisfiable", False: "unsatisfiable", None: "unknown"}
_LITERAL = re.compile(rb"(-?)x?([0-9]{1,10})")  # with x, as pseudo-Boolean solvers write it
_BRACKETS = bytes.maketrans(b"[],", b"   ")


@dataclass(frozen=True)
class Answer:
    """A solver's answer; each variable is 1 (true), -1 (false) or 0 (open), index 0 is unused."""

    satisfiable: bool | None
    values: NDArray[np.int8]


def read_answer(data: bytes, variables: int) -> Answer:
    r"""Read a solver's answer to a formula with a number of variables.

    >>> read_answer(b"c by hand\ns SATISFIABLE\nv 1 -3 0\n", 3).values.tolist()
    [0, 1, 0, -1]
    >>> read_answer(b"s SATISFIABLE\nv x1 -x3\n", 3).values.tolist()
    [0, 1, 0, -1]
    >>> read_answer(b"UNSAT\n", 3).satisfiable
    False
    """
    values = [0] * (variables + 1)
    statuses: dict[bool | None, int] = {}  # by line
    named = closed = formal = unknown = pseudo_boolean = False
    number = 0
    for number, line in _lines(data):
        if line == b"c UNKNOWN":  # CaDiCaL, out of time
            unknown = True
        elif (word := line.removeprefix(b"s ").strip()) in _STATUS:
            statuses.setdefault(_STATUS[word], number)
            formal = True
        elif line.split()[0] in (b"c", b"s"):
            if line.startswith(b"s"):
                raise FormulaFileError(f"line {number}: expected a status, got {quote_line(line)}")
        else:
            formal = formal or line.startswith(b"v")
            pseudo_boolean = pseudo_boolean or b"x" in line  # then no 0 ends the model
            for literal in _literals(line, number):
                if closed:
                    raise FormulaFileError(
                        f"line {number}: expected one model, and it ended before with 0"
                    )
                closed, named = literal == 0, True
                if not closed:
                    _set(values, literal, number)
    if len(statuses) > 1:
        (first, line_before), (second, number) = list(statuses.items())[:2]
        raise FormulaFileError(
            f"line {number}: {_STATUS_NAMES[second]}, "
            f"and {_STATUS_NAMES[first]} in line {line_before}"
        )
    status = next(iter(statuses)) if statuses else True if named else None
    if not statuses and not named and not unknown:
        raise FormulaFileError("expected a solver's answer, got neither a status nor literals")
    if named and not status:
        raise FormulaFileError(f"{_STATUS_NAMES[status]}, yet there are literals")
    if status and not named:
        raise FormulaFileError(
            "satisfiable, yet there are no literals: let the solver print its model"
        )
    if status and formal and not closed and not pseudo_boolean:
        raise FormulaFileError(f"line {number}: expected 0 at the end of the model")
    return Answer(status, np.array(values, dtype=np.int8))


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(map(bytes.strip, data.splitlines()), start=1):
        if line:
            yield number, line


def _literals(line: bytes, number: int) -> Iterator[int]:
    if line.split()[0] == b"v":
        line = line[1:]
    for word in line.translate(_BRACKETS).split():
        literal = _LITERAL.fullmatch(word)
        if literal is None:
            raise FormulaFileError(
                f"line {number}: expected a solver's literals, got {quote_line(word)}"
            )
        yield int(literal[1] + literal[2])


def _set(values: list[int], literal: int, number: int) -> None:
    variable, value = abs(literal), 1 if literal > 0 else -1
    if variable >= len(values):
        raise FormulaFileError(
            f"line {number}: expected literals up to {len(values) - 1}, got {literal}"
        )
    if values[variable] == -value:
        raise FormulaFileError(f"line {number}: {literal}, and {-literal} before")
    values[variable] = value


@dataclass(frozen=True)
class DecodedAnswer:
    """A cross-checked outcome, and the cuts that exclude a model that is not a tour."""

    outcome: Outcome
    cuts: list[Clause] = field(default_factory=list)


def decode_answer(
    formula: EncodedProblem,
    literals: ParsedFormula,
    answer: Answer,
    proof: ProofResult | None = None,
) -> DecodedAnswer:
    """Return the outcome of a solver's answer, and of a proof that it is unsatisfiable.

    >>> from kt_cp import Board, Problem
    >>> from kt_cp.formats.formula import encode_problem, formula_pieces, read_formula
    >>> text = "".join(formula_pieces(encode_problem(Problem(Board(3, 8), closed=True), "lazy")))
    >>> formula, literals = read_formula(text.encode())
    >>> answer = read_answer(b"s UNSATISFIABLE", literals.variables)
    >>> decode_answer(formula, literals, answer).outcome.reason
    'claimed by the solver on the lazy encoding'
    """
    problem, name = formula.problem, f"decode:{formula.encoding.name}"
    statistics = {"variables": literals.variables, "clauses": literals.clauses}
    if formula.cuts:
        statistics["cuts"] = len(formula.cuts)
    if answer.satisfiable is None:
        outcome = unknown(name, problem, "the solver did not decide it", statistics, 0)
        return DecodedAnswer(cross_check(outcome))
    if proof is not None and not answer.satisfiable:
        return DecodedAnswer(cross_check(_proved(name, problem, proof, statistics)))
    if not answer.satisfiable and formula.tours:
        text = f"{formula.excluding} are all, claims the solver: its proof would show it"
        return DecodedAnswer(cross_check(unknown(name, problem, text, statistics, 0)))
    if not answer.satisfiable:
        text = f"claimed by the solver on {formula.label}"
        outcome = impossible(name, problem, EvidenceKind.CLAIMED, text, statistics, 0)
        return DecodedAnswer(cross_check(outcome))
    _check_model(literals, answer)
    model = formula.encoding.decode(formula.cnf, (answer.values > 0).tolist())
    if not isinstance(model, Cuts):
        return DecodedAnswer(cross_check(found(name, problem, model, statistics, 0)))
    many = "several" if model.cycles is None else f"{model.cycles}"
    cuts = len(model.clauses)
    reason = (
        f"the model has {many} cycles instead of one, "
        f"which {cuts} cut{'s keep' if cuts > 1 else ' keeps'} out"
    )
    return DecodedAnswer(cross_check(unknown(name, problem, reason, statistics, 0)), model.clauses)


def _proved(
    name: str, problem: Problem, proof: ProofResult, statistics: Mapping[str, float]
) -> Outcome:
    """Return the outcome of a certificate, or of the limit that was reached."""
    if proof.certificate is None:
        reason = f"the {proof.limit} limit was reached in the check of the proof"
        return replace(unknown(name, problem, reason, statistics, 0), limit=proof.limit)
    return engine_proved(name, problem, proof.certificate.evidence, statistics, 0)


def _check_model(formula: ParsedFormula, answer: Answer) -> None:
    """Check that every clause has a true literal; open variables count as false."""
    true = answer.values > 0
    literals = formula.literals
    holds = np.where(literals > 0, true[literals], ~true[-literals])
    ends = np.flatnonzero(literals == 0)
    holds[ends] = False
    upto = np.concatenate([[0], np.cumsum(holds)[ends]])
    broken = np.flatnonzero(np.diff(upto) == 0)
    if not len(broken):
        return
    which = f"clause {broken[0] + 1} of the formula"
    left = int(np.count_nonzero(answer.values[1:] == 0))
    if left:
        raise FormulaFileError(
            f"the model leaves {left:,} variables open, and with them false {which} is not "
            "satisfied: expected a whole model"
        )
    raise EngineFailedError(
        f"the model does not satisfy {which}: the solver errs, or answers another formula"
    )
