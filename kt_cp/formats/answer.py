"""Answers of SAT solvers, in whichever form they come, and the outcomes that they give.

Understood are the output of the SAT competitions (``s SATISFIABLE``, then ``v`` lines up to a 0),
the file that MiniSat writes (``SAT``, then the literals, or ``UNSAT``, ``INDET``), and a bare list
of literals, with or without brackets and commas.  Comments and empty lines are passed over.

The answer of a stranger is worth as much as what can be checked of it.  A model has to satisfy the
formula, decode to a tour, and pass the judge and the replay as any engine's tour does.  That there
is no model stays a claim, which only the reference, on small boards, may contradict; unless the
solver's proof comes with it, and becomes a certificate (:mod:`kt_cp.formats.certify`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings.cnf import Clause, Cuts
from kt_cp.engines.engine import found, impossible, unknown
from kt_cp.engines.engine import proved as engine_proved
from kt_cp.formats.certify import Proved
from kt_cp.formats.dimacs import Formula
from kt_cp.formats.formula import Stated
from kt_cp.model.board import shorten
from kt_cp.model.errors import EngineFailedError, FormulaFileError
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.trust.crosscheck import cross_check

_STATUS = {
    b"SATISFIABLE": True,
    b"SAT": True,
    b"UNSATISFIABLE": False,
    b"UNSAT": False,
    b"UNKNOWN": None,
    b"INDET": None,
    b"INDETERMINATE": None,
}
_WORDS = {True: "satisfiable", False: "unsatisfiable", None: "unknown"}
_LITERAL = re.compile(rb"-?[0-9]{1,10}")
_BRACKETS = bytes.maketrans(b"[],", b"   ")


@dataclass(frozen=True)
class Answer:
    """What a solver said: by variable 1 for true, -1 for false, 0 for open; index 0 is not used."""

    satisfiable: bool | None
    values: NDArray[np.int8]


def read_answer(data: bytes, variables: int) -> Answer:
    r"""Read a solver's answer to a formula of so many variables.

    Raises
    ------
    FormulaFileError
        If it is none, contradicts itself, or names a variable that the formula does not have.

    Examples
    --------
    >>> read_answer(b"c by hand\ns SATISFIABLE\nv 1 -3 0\n", 3).values.tolist()
    [0, 1, 0, -1]
    >>> read_answer(b"UNSAT\n", 3).satisfiable
    False
    """
    values = [0] * (variables + 1)
    said: dict[bool | None, int] = {}
    named = closed = formal = unknown = False
    number = 0
    for number, line in _lines(data):
        if line == b"c UNKNOWN":  # CaDiCaL's word where it ran out of time
            unknown = True
        elif (word := line.removeprefix(b"s ").strip()) in _STATUS:
            said.setdefault(_STATUS[word], number)
            formal = True
        elif line.split()[0] in (b"c", b"s"):
            if line.startswith(b"s"):
                raise FormulaFileError(f"line {number}: expected a status, got {_shown(line)}")
        else:
            formal = formal or line.startswith(b"v")
            for literal in _literals(line, number):
                if closed:
                    raise FormulaFileError(
                        f"line {number}: expected one model, and it ended before with 0"
                    )
                closed, named = literal == 0, True
                if not closed:
                    _set(values, literal, number)
    if len(said) > 1:
        first, second = list(said)[:2]
        raise FormulaFileError(
            f"line {said[second]}: {_WORDS[second]}, and {_WORDS[first]} in line {said[first]}"
        )
    status = next(iter(said)) if said else True if named else None
    if not said and not named and not unknown:
        raise FormulaFileError("expected a solver's answer, got neither a status nor literals")
    if named and not status:
        raise FormulaFileError(f"{_WORDS[status]}, yet there are literals")
    if status and not named:
        raise FormulaFileError(
            "satisfiable, yet there are no literals: let the solver print its model"
        )
    if status and formal and not closed:
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
        if not _LITERAL.fullmatch(word):
            came = _shown(word)
            raise FormulaFileError(f"line {number}: expected a solver's literals, got {came}")
        yield int(word)


def _set(values: list[int], literal: int, number: int) -> None:
    variable, value = abs(literal), 1 if literal > 0 else -1
    if variable >= len(values):
        raise FormulaFileError(
            f"line {number}: expected literals up to {len(values) - 1}, got {literal}"
        )
    if values[variable] == -value:
        raise FormulaFileError(f"line {number}: {literal}, and {-literal} before")
    values[variable] = value


def _shown(text: bytes) -> str:
    return repr(shorten(text[:50].decode("ascii", "replace")))


@dataclass(frozen=True)
class Decoded:
    """An outcome, cross-checked, and the cuts that are missing where a model is no tour yet."""

    outcome: Outcome
    cuts: list[Clause] = field(default_factory=list)


def decoded(
    formula: Stated, literals: Formula, answer: Answer, proved: Proved | None = None
) -> Decoded:
    """What a solver's answer says of the problem that :func:`read_formula` has read.

    ``proved`` is what became of the proof that came with the answer "unsatisfiable".

    Raises
    ------
    FormulaFileError
        If the model leaves variables open, and does not satisfy the formula with them false.
    EngineFailedError
        If a whole model does not satisfy the formula, or is no model of the encoding.
    UnsoundEngineError
        If the judge or the reference disagrees.

    Examples
    --------
    >>> from kt_cp import Board, Problem
    >>> from kt_cp.formats.formula import formula_pieces, read_formula, stated
    >>> text = "".join(formula_pieces(stated(Problem(Board(3, 8), closed=True), "lazy")))
    >>> formula, literals = read_formula(text.encode())
    >>> answer = read_answer(b"s UNSATISFIABLE", literals.variables)
    >>> decoded(formula, literals, answer).outcome.reason
    'claimed by the solver on the lazy encoding'
    """
    problem, name = formula.problem, f"decode:{formula.encoding.name}"
    statistics = {"variables": literals.variables, "clauses": literals.clauses}
    if formula.cuts:
        statistics["cuts"] = len(formula.cuts)
    if answer.satisfiable is None:
        outcome = unknown(name, problem, "the solver did not decide it", statistics, 0)
        return Decoded(cross_check(outcome))
    if proved is not None and not answer.satisfiable:
        return Decoded(cross_check(_proved(name, problem, proved, statistics)))
    if not answer.satisfiable and formula.tours:
        text = f"{formula.excluding} are all, claims the solver: its proof would show it"
        return Decoded(cross_check(unknown(name, problem, text, statistics, 0)))
    if not answer.satisfiable:
        text = f"claimed by the solver on {formula.label}"
        outcome = impossible(name, problem, EvidenceKind.CLAIMED, text, statistics, 0)
        return Decoded(cross_check(outcome))
    _check_model(literals, answer)
    model = formula.encoding.decode(formula.cnf, (answer.values > 0).tolist())
    if not isinstance(model, Cuts):
        return Decoded(cross_check(found(name, problem, model, statistics, 0)))
    many = "several" if model.cycles is None else f"{model.cycles}"
    cuts = len(model.clauses)
    reason = (
        f"the model has {many} cycles instead of one, "
        f"which {cuts} cut{'s keep' if cuts > 1 else ' keeps'} out"
    )
    return Decoded(cross_check(unknown(name, problem, reason, statistics, 0)), model.clauses)


def _proved(
    name: str, problem: Problem, proved: Proved, statistics: Mapping[str, float]
) -> Outcome:
    """The certificate's answer, or none where a limit came before it."""
    if proved.certificate is None:
        reason = f"the {proved.limit} limit was reached in the check of the proof"
        return replace(unknown(name, problem, reason, statistics, 0), limit=proved.limit)
    return engine_proved(name, problem, proved.certificate.evidence, statistics, 0)


def _check_model(formula: Formula, answer: Answer) -> None:
    """See that every clause has a literal that is true; what is left open counts as false."""
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
