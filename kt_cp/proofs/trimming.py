"""Trim a proof of a SAT solver to what it needs, with hints for each step.

A solver's log (DRUP) lists the clauses that it learned and deleted: thousands of them, mostly
useless.  Each follows from those before by unit propagation: if all its literals are false, some
clause has no literal left.  Most of the work of a checker is to find the clauses that take part.
Here that work is done once.  The result is the part of the formula that is needed, the lemmas that
are needed, and the hints of each lemma: the clauses that become unit, in order, up to the one in
conflict.  With hints a checker needs no search, and can be a few simple lines (the idea of LRAT: L.
Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann and
P. Schneider-Kamp, "Efficient certified RAT verification", CADE 2017).

The method is backward checking, core first (N. Wetzler, M. Heule and W. Hunt, "DRAT-trim", SAT
2014).  All lemmas are added unchecked until there is a conflict.  Then they are removed from the
last to the first, and only those that a later step has used are checked.  Propagation visits needed
clauses before others.  The analysis of a conflict leaves out every clause that did not lead to it,
so nothing in the result is superfluous.  This is repeated ``ROUNDS`` times, each time on the last
result, without the literals that no derivation used.

Deletions are applied, since that is faster for large proofs.  But solvers delete clauses that unit
propagation still needs, because they store the consequences.  So a clause that is the reason of a
literal on the trail is not deleted, and if the proof still fails it is tried again without any
deletion.  Steps that are only RAT (resolution asymmetric tautologies) are refused: none of PySAT's
solvers logs such steps in the modes used here.

Cost: seconds to tens of seconds for some megabytes (``benchmarks/MEASURED.md``).  Memory is fixed
before it begins, except for the hints.  When it loses: where most lemmas are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.proofs.backward_check import NOT_IMPLIED, UNREFUTED, Clause, Step, as_task, run

ROUNDS = 2
"""A third round gains little (``benchmarks/MEASURED.md``)."""

SMALL = 10_000
"""Literals of a proof that plain Python checks in about the time that it takes to load Numba."""


class BadProofError(ValueError):
    """A step that is needed does not follow by unit propagation, or the steps refute nothing."""


@dataclass(frozen=True)
class TrimmedProof:
    """A refutation with nothing superfluous.

    Attributes
    ----------
    used : list of int
        Clauses of the formula that the refutation needs, from 0, in order.
    lemmas : list of (list of int, list of int)
        Lemmas in order, the last one empty, each with its hints: numbers of clauses in the order
        of unit propagation, from 1 the formula, then the lemmas.
    """

    used: list[int]
    lemmas: list[tuple[Clause, list[int]]]

    @property
    def size(self) -> int:
        """Return the number of literals and hints of all lemmas."""
        return sum(len(lemma) + len(hints) for lemma, hints in self.lemmas)


def parse_drup(lines: Iterable[str]) -> list[Step]:
    """Return the steps of a proof from text: a flag for deletions, and the literals.

    Raises
    ------
    BadProofError
        If a line is not one of DRUP.

    Examples
    --------
    >>> parse_drup(["2 -3 0", "d 1 2 0", "0"])
    [(False, [2, -3]), (True, [1, 2]), (False, [])]
    """
    steps: list[Step] = []
    for number, line in enumerate(lines, start=1):
        words = line.split()
        deletes = words[:1] == ["d"]
        try:
            literals = list(map(int, words[1:] if deletes else words))
        except ValueError:
            literals = []
        if literals.count(0) != 1 or literals[-1] != 0:
            raise BadProofError(
                f"line {number} of the proof: expected literals and then 0, got {line.strip()!r}"
            )
        steps.append((deletes, literals[:-1]))
    return steps


def trim(
    clauses: Sequence[Sequence[int]],
    steps: Iterable[Step],
    *,
    rounds: int = ROUNDS,
    compiled: bool | None = None,
) -> TrimmedProof:
    """Trim a DRUP proof.

    The empty clause need not be among the steps, if it follows by unit propagation from them.
    Steps that nothing needs are not checked.

    Parameters
    ----------
    clauses : sequence of sequences of int
        The formula: any clauses, be they empty, tautologies or there twice.
    steps : iterable of (bool, list of int)
        The proof, as :func:`parse_drup` gives it.
    rounds : int
        The number of rounds; each trims the result of the last one.
    compiled : bool, optional
        Whether to compile the check; by default, the faster way is chosen.

    Raises
    ------
    BadProofError
        If a needed lemma or the contradiction does not follow.

    Examples
    --------
    >>> proof = trim([[1, 2], [3, -1], [1, -2], [-1, 2], [-1, -2]], [(False, [1]), (False, [])])
    >>> proof.used, proof.lemmas
    ([0, 2, 3, 4], [([1], [3, 1]), ([], [6, 5, 4])])
    """
    formula = [list(dict.fromkeys(clause)) for clause in clauses]
    proof = [(deletes, list(dict.fromkeys(literals))) for deletes, literals in steps]
    if compiled is None:
        compiled = sum(len(literals) for _, literals in proof) > SMALL
    best: TrimmedProof | None = None
    used = list(range(len(formula)))
    for _ in range(max(1, rounds)):
        trimmed, proof = _trim_once(formula, used, proof, compiled)
        if best is not None and trimmed.size >= best.size:
            break
        best, used = trimmed, trimmed.used
    assert best is not None
    return best


def _trim_once(
    formula: list[Clause], used: list[int], steps: list[Step], compiled: bool
) -> tuple[TrimmedProof, list[Step]]:
    """Trim once; return the proof, and its lemmas without unnecessary literals."""
    given = [formula[i] for i in used]
    task, origin = as_task(given, steps, deleting=True)
    result = run(task, compiled=compiled)
    if result.status in (UNREFUTED, NOT_IMPLIED) and any(deletes for deletes, _ in steps):
        task, origin = as_task(given, steps, deleting=False)
        result = run(task, compiled=compiled)
    if result.status == UNREFUTED:
        raise BadProofError(f"after all {len(steps)} steps of the proof nothing is refuted")
    if result.status == NOT_IMPLIED:
        at = origin[result.failed - len(given)]
        raise BadProofError(
            f"step {at + 1} of the proof does not follow by unit propagation: {steps[at][1]}"
        )
    number = {place: i + 1 for place, i in enumerate(used)}
    lemmas: list[tuple[Clause, list[int]]] = []
    shrunk: list[Step] = []
    for clause in sorted(result.hints):
        lemma = steps[origin[clause - len(given)]][1]
        lemmas.append((lemma, [number[hint] for hint in result.hints[clause]]))
        number[clause] = len(formula) + len(lemmas)
        codes = zip(lemma, task.clauses[clause], strict=True)
        shrunk.append((False, [name for name, code in codes if code in result.touched[clause]]))
    lemmas.append(([], [number[hint] for hint in result.final]))
    needed = {hint for _, hints in lemmas for hint in hints if hint <= len(formula)}
    return TrimmedProof(sorted(hint - 1 for hint in needed), lemmas), shrunk
