"""Refutations of the formula: lemmas, each with the clauses from which it follows.

A lemma is a clause that follows by unit propagation (RUP: E. Goldberg and Y. Novikov, "Verification
of proofs of unsatisfiability for CNF formulas", DATE 2003): suppose that all its literals are
false; then clauses with a single literal left make that literal true, one after the other, until
a clause is left with none.  A line of the proof names the lemma's literals, 0, then the clauses in
the order in which they are used, 0, as LRAT does (L. Cruz-Filipe et al., "Efficient certified RAT
verification", CADE 2017).  The formula's clauses are numbered from 1, and then the lemmas.  The
last lemma is the empty clause.  Lemmas by RAT, which only keep a formula satisfiable, are not
accepted.  The check does not search: it reads the named clauses once each.

A list of tours is complete if the formula that excludes each of them has no model.  Before that,
each tour is checked as it is written, from its first square on.  No two may be the same: two lists
of squares with the same moves are one tour.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kt_cp.model.conditions import Given, Symmetry
from kt_cp.model.terms import counted
from kt_cp.trust.check.clash import describe_clues, known_clues
from kt_cp.trust.check.forced import apply_counts, sets_of
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import Frame, frame_of
from kt_cp.trust.check.instance import Budget, Instance
from kt_cp.trust.check.moves import moved_square
from kt_cp.trust.check.parsing import keys_of, list_of, squares_of, text_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.state import Contradiction
from kt_cp.trust.check.steps import Clause, clues_of

MOST_TOURS = 10_000
"""Tours of a list; a refutation excludes them one by one."""

Edges = frozenset[tuple[int, int]]


def tours_of(frame: Frame, evidence: object) -> list[list[int]]:
    """Return the tours of a list as vertices; check that they are tours, no two the same."""
    value = evidence.get("tours") if isinstance(evidence, Mapping) else None
    lists = list_of(value, "tours")
    if not lists:
        raise Refusal(Reason.EMPTY_SET, "expected at least one tour: no tours need no list")
    if len(lists) > MOST_TOURS:
        raise Refusal(Reason.TOO_LARGE, f"expected at most {MOST_TOURS:,} tours")
    tours: list[list[int]] = []
    place: dict[Edges, int] = {}
    for number, names in enumerate(lists, start=1):
        tour = [frame.number[square] for square in squares_of(frame.problem, names)]
        wrong = fault(frame, tour)
        if wrong is not None:
            raise Refusal(Reason.NOT_A_TOUR, f"tour {number:,}: {wrong}")
        first = place.setdefault(moves_of(tour, frame.problem.closed), number)
        if first < number:
            raise Refusal(Reason.TWICE, f"tours {first:,} and {number:,} make the same moves")
        tours.append(tour)
    return tours


def moves_of(tour: list[int], closed: bool) -> Edges:
    """Return the moves of a tour, without direction."""
    following = [*tour[1:], tour[0]] if closed else tour[1:]
    return frozenset((min(u, v), max(u, v)) for u, v in zip(tour, following, strict=False))


def fault(frame: Frame, tour: list[int]) -> str | None:
    """Return the reason why different squares are not a tour of the problem, or None."""
    problem, names = frame.problem, frame.names
    if len(tour) < frame.squares:
        return f"it has {len(tour):,} of {frame.squares:,} squares"
    moves = moves_of(tour, problem.closed)
    if wrong := fault_of_moves(frame, moves):
        return wrong
    for square, step in clues_of(problem):
        vertex = frame.number[square]
        if tour[step - 1] != vertex:
            return f"{names[vertex]} is not at step {step:,}"
    return _asymmetric_move(problem, frame, moves)


def fault_of_moves(frame: Frame, moves: Edges) -> str | None:
    """Describe a move that the problem does not have, or a required move that is not made."""
    names = frame.names
    for u, v in sorted(moves):
        if v not in frame.neighbours[u]:
            return f"{names[u]}-{names[v]} is no move, or a forbidden one"
    for u, v in frame.must:
        if v < frame.squares and (u, v) not in moves:
            return f"the required {names[u]}-{names[v]} is not made"
    return None


def _asymmetric_move(problem: Instance, frame: Frame, moves: Edges) -> str | None:
    """Describe a move if its image under the symmetry is not made."""
    motion = next((each.motion for each in problem.conditions if type(each) is Symmetry), None)
    if motion is None or problem.board is None:
        return None
    image = [
        frame.number.get(moved_square(problem.board, motion, each), -1) for each in frame.number
    ]
    for u, v in sorted(moves):
        if (min(image[u], image[v]), max(image[u], image[v])) not in moves:
            return f"{frame.names[u]}-{frame.names[v]} is made, and not its image"
    return None


MOST_TEXT = 1 << 26
"""Characters of a proof, unpacked; its lemmas take up to ten times as much."""

MOST_LINE = 1 << 22
"""Characters of one line."""

MOST_LISTED_LINE = 10_000
"""Characters of a line in a list."""

_NUMBERS = re.compile("[-0-9 ]*")


def refutation(problem: Instance, evidence: object) -> str:
    """Check a proof that the problem's formula, with cuts, has no model."""
    proved = _check_proof(frame_of(problem), evidence, [])
    if not proved.clues:
        return proved.text
    return f"with {describe_clues(proved.clues)}, {proved.text}"


def complete(problem: Instance, evidence: object) -> str:
    """Check tours, and a proof that there are no others."""
    frame = frame_of(problem)
    tours = tours_of(frame, evidence)
    proved = _check_proof(frame, evidence, tours)
    what = "the only tour" if len(tours) == 1 else f"all {len(tours):,} tours"
    return f"with {what} excluded, in both directions, {proved.text}"


@dataclass(frozen=True)
class _Proved:
    clues: list[Any]
    text: str


def _check_proof(frame: Frame, evidence: object, tours: list[list[int]]) -> _Proved:
    """Check the proof; return the clues that it uses and a description."""
    stepwise = any(type(each) is Given for each in frame.problem.conditions)
    keys = ("tight", "cuts", *["clues"] * stepwise, *["tours"] * bool(tours), "proof", "digests")
    found = keys_of(evidence, "kind", *keys, optional=("order",))
    sets = sets_of(frame, found["tight"])
    frame.problem.budget.spend("loads of the frame", len(sets) * frame.load)
    try:
        known = apply_counts(frame, sets, []) if sets else None
    except Contradiction:
        raise Refusal(
            Reason.WRONG_SHAPE, "the tight sets need no refutation: the evidence is 'tight'"
        ) from None
    cuts = sets_of(frame, found["cuts"])
    clues = known_clues(frame.problem, found.get("clues", []))
    steps = [(frame.number[square], step) for square, step in clues]
    order = [frame.number[square] for square in squares_of(frame.problem, found.get("order", []))]
    variables, clauses = formula_of(frame, known, cuts, steps, tours, order)
    frame.problem.budget.spend("literals", sum(map(len, clauses)))
    proof = unpack_proof(found["proof"])
    digests = keys_of(found["digests"], "formula", "proof")
    for what, text in (("formula", dimacs(variables, clauses)), ("proof", proof)):
        if digests[what] != digest(text):
            raise Refusal(Reason.WRONG_DIGEST, f"the {what} is not the one that was refuted")
    base = len(clauses)
    lemmas = check_lemmas(variables, clauses, _lines(proof), frame.problem.budget)
    several = f" with {counted(len(cuts), 'cut')}" if cuts else ""
    return _Proved(
        clues,
        f"the formula of {counted(base - len(cuts), 'clause')}{several} has no model: "
        f"the empty clause follows in {counted(lemmas, 'step')}",
    )


def check_lemmas(
    variables: int, clauses: Sequence[Clause], lines: Iterable[str], budget: Budget | None = None
) -> int:
    """Check a proof line by line, and return the number of its lemmas.

    >>> check_lemmas(2, [[1, 2], [-1, 2], [1, -2], [-1, -2]], ["2 0 1 2 0", "0 5 3 4 0"])
    2
    """
    known = list(clauses)
    false = bytearray(2 * variables + 1)  # negative literals count from the end
    budget = budget or Budget()
    last: Clause | None = None
    for number, line in enumerate(lines, start=1):
        lemma, hints = _line(line, number, variables, len(known))
        made = []
        for literal in lemma:
            if false[-literal]:
                raise Refusal(Reason.BAD_LEMMA, f"lemma {number} holds a literal and its opposite")
            false[literal] = 1
            made.append(literal)
        conflict, examined = False, 0
        for hint in hints:
            if conflict:
                raise Refusal(Reason.BAD_LEMMA, f"lemma {number} goes on after its conflict")
            clause = known[hint - 1]
            examined += len(clause)
            left = [literal for literal in clause if not false[literal]]
            if not left:
                conflict = True
            elif len(left) > 1 or false[-left[0]]:
                raise Refusal(
                    Reason.BAD_LEMMA, f"lemma {number}: clause {hint} leaves more than one literal"
                )
            else:
                false[-left[0]] = 1
                made.append(-left[0])
        if not conflict:
            raise Refusal(Reason.BAD_LEMMA, f"lemma {number} comes to no conflict")
        budget.spend("literals examined", examined)
        for literal in made:
            false[literal] = 0
        known.append(lemma)
        last = lemma
    if last != []:
        raise Refusal(Reason.NO_EMPTY_CLAUSE, "the last lemma is not the empty clause")
    return len(known) - len(clauses)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines one by one; a list of them takes ten times the memory of the text."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        if stop - start > MOST_LINE:
            raise Refusal(Reason.TOO_LARGE, f"expected lines of at most {MOST_LINE:,} characters")
        yield text[start:stop]
        start = stop + 1


def _line(line: str, number: int, variables: int, known: int) -> tuple[Clause, list[int]]:
    """Return a lemma and its hints; check that every number is in its range."""
    if not _NUMBERS.fullmatch(line):  # int() also accepts 1_000 and Arabic digits
        raise Refusal(Reason.WRONG_SHAPE, f"lemma {number}: expected numbers and blanks")
    try:
        numbers = [*map(int, line.split())]
    except ValueError:
        raise Refusal(Reason.WRONG_SHAPE, f"lemma {number}: expected whole numbers") from None
    if numbers.count(0) != 2 or numbers[-1] != 0:
        raise Refusal(Reason.WRONG_SHAPE, f"lemma {number}: expected literals, 0, clauses, 0")
    middle = numbers.index(0)
    lemma, hints = numbers[:middle], numbers[middle + 1 : -1]
    if lemma and not -variables <= min(lemma) <= max(lemma) <= variables:
        raise Refusal(Reason.OUT_OF_RANGE, f"lemma {number}: there are {variables:,} variables")
    if hints and not 1 <= min(hints) <= max(hints) <= known:
        raise Refusal(Reason.OUT_OF_RANGE, f"lemma {number}: there are {known:,} clauses before it")
    return lemma, hints


def dimacs(variables: int, clauses: Sequence[Clause]) -> str:
    """Return the formula in DIMACS as its digest requires: no comments, one clause on each line."""
    lines = [f"p cnf {variables} {len(clauses)}"]
    lines += (" ".join(map(str, [*clause, 0])) for clause in clauses)
    return "\n".join([*lines, ""])


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def unpack_proof(value: object) -> str:
    """Return the text of a proof, from a list of lines or from base64 over zlib."""
    if isinstance(value, list):
        return "".join(f"{text_of(line, 'a line', MOST_LISTED_LINE)}\n" for line in value)
    packed = text_of(value, "a proof", MOST_TEXT)
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(base64.b64decode(packed, validate=True), MOST_TEXT)
        text = data.decode("ascii")
    except (binascii.Error, zlib.error, ValueError):
        raise Refusal(Reason.WRONG_SHAPE, "the proof does not unpack") from None
    if not unpacker.eof or unpacker.unused_data:
        if len(data) >= MOST_TEXT:
            raise Refusal(Reason.TOO_LARGE, f"expected a proof of at most {MOST_TEXT:,} characters")
        raise Refusal(Reason.WRONG_SHAPE, "the packed proof is cut short or has more behind it")
    if text and not text.endswith("\n"):
        raise Refusal(Reason.WRONG_SHAPE, "expected a line feed after the last line of the proof")
    return text
