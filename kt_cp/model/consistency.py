"""Conditions of a problem: from keywords to values, whether they fit together, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kt_cp.model.board import describe, shorten
from kt_cp.model.conditions import KINDS, Condition, End, Forbidden, Given, Required, Start
from kt_cp.model.errors import ProblemError
from kt_cp.model.terms import ProblemLike, terms


def conditions_of(
    keywords: Mapping[str, Any], on_board: bool = False, directed: bool = False
) -> list[Condition]:
    """Conditions from the keywords of a problem, each once; squares are not looked at.

    On a board a text such as ``"a1-c2"`` stands for its parts; directed, a pair is an arc.

    Raises
    ------
    ProblemError
        If one does not have the parts of its kind.
    """
    one: list[Condition] = []
    found: dict[Condition, None] = {}
    for kind in KINDS:
        value = keywords.get(kind.key, () if kind.many else None)
        if not kind.many:
            one += [] if value is None else [kind.of(value)]
            continue
        try:
            # networkx's edges are a mapping too, and mean its keys
            steps = isinstance(value, Mapping) and "step" in kind.parts
            for each in value.items() if steps else value:
                named = on_board and isinstance(each, str) and kind.parts == ("square", "square")
                whole = each.split("-") if named else each
                parts = [tuple(part) if isinstance(part, list) else part for part in whole]
                if isinstance(whole, str) or len(parts) != len(kind.parts):
                    raise TypeError
                found[kind.directed(*parts) if directed else kind.of(*parts)] = None
        except TypeError:
            what = " and a ".join(kind.parts)
            raise ProblemError(
                f"expected {kind.words} each as a {what}, got {shorten(repr(value), 60)}"
            ) from None
    return [*one, *found]


def check(problem: ProblemLike, conditions: Sequence[Condition]) -> None:
    """Hold conditions against a problem and against each other.

    Raises
    ------
    ProblemError
        If they make no sense.  What makes sense and cannot be satisfied is no error.
    """
    for condition in conditions:
        condition.check(problem)
    kinds = Counter(type(each) for each in conditions if not each.many)
    for kind, count in kinds.items():
        if count > 1:
            raise ProblemError(f"expected one {kind.words}, got {count}")
    begins = [each for each in conditions if isinstance(each, Start)]
    last = next((each for each in begins if type(each) is End), None)
    if problem.closed and last is not None:
        told = describe(last.square)
        raise ProblemError(f"a closed tour ends beside its start: expected no end, got {told}")
    if problem.size > 1 and len(begins) == 2 and begins[0].square == begins[1].square:
        told = describe(begins[0].square)
        raise ProblemError(f"expected start and end to differ, got {told} for both")
    said = terms(problem)
    required = [each for each in conditions if type(each) is Required]
    forbidden = {each.move for each in conditions if type(each) is Forbidden}
    for each in required:
        if each.move in forbidden:
            told = each.told(describe)
            raise ProblemError(f"expected {told} to be required or forbidden, got both")
    one, other = ([each.values()[part] for each in required] for part in (0, 1))
    if problem.directed:
        crowds = [(1, "one required arc from", one), (1, "one required arc to", other)]
    else:
        crowds = [(2, f"two required {said.move}s at", [*one, *other])]
    for most, what, ends in crowds:
        for square, count in Counter(ends).items():
            if count > most:
                came = f"{count} {what.rpartition(' ')[2]} {describe(square)}"
                raise ProblemError(f"expected at most {what} a {said.square}, got {came}")
    at: dict[Any, Given] = {}
    on: dict[int, Given] = {}
    for new in (each for each in conditions if isinstance(each, Given)):
        old = at.setdefault(new.square, new)
        if old is not new:
            came = f"{old.step} and {new.step}"
            told = describe(new.square)
            raise ProblemError(f"expected one step of {told} to be given, got {came}")
        old = on.setdefault(new.step, new)
        if old is not new:
            came = f"{describe(old.square)} and {describe(new.square)}"
            raise ProblemError(f"expected one {said.square} at step {new.step}, got {came}")
