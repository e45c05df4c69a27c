"""From a solver's answer to an outcome: the model read, held against the formula, judged.

The answer of a stranger is worth as much as what can be checked of it.  A model has to satisfy the
formula, decode to a tour, and pass the judge and the replay as any engine's tour does.  That there
is no model can not be checked here: it stays a claim, which only the reference, on small boards,
may contradict.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kt_cp.crosscheck import cross_check
from kt_cp.encodings.cnf import Clause, Cuts
from kt_cp.engines.engine import found, impossible, unknown
from kt_cp.errors import EngineFailedError, FormulaFileError
from kt_cp.exchange.formula import Stated
from kt_cp.formats.dimacs import Formula
from kt_cp.formats.model import Answer
from kt_cp.outcome import EvidenceKind, Outcome


@dataclass(frozen=True)
class Decoded:
    """An outcome, cross-checked, and the cuts that are missing where a model is no tour yet."""

    outcome: Outcome
    cuts: list[Clause] = field(default_factory=list)


def decoded(formula: Stated, literals: Formula, answer: Answer) -> Decoded:
    """What a solver's answer says of the problem.

    Parameters
    ----------
    formula, literals
        Both parts of what :func:`kt_cp.exchange.formula.read_formula` gives.

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
    >>> from kt_cp.exchange.formula import formula_pieces, read_formula, stated
    >>> from kt_cp.formats.model import read_answer
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
        return Decoded(
            cross_check(unknown(name, problem, "the solver did not decide it", statistics, 0))
        )
    if not answer.satisfiable:
        text = f"claimed by the solver on {formula.label}"
        return Decoded(
            cross_check(impossible(name, problem, EvidenceKind.CLAIMED, text, statistics, 0))
        )
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
