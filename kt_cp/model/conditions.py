"""Conditions that a tour must satisfy in addition to visiting every square once.

Each condition is one small value.  This module defines its text and its key in JSON.  The judge has
a rule for it (``trust/judge/conditions.py``), and so has the frame of the certificate checker
(``trust/check/frame.py``).  A condition on edges is expressed by two sets: every tour uses the
*forced* edges, and no tour uses the *removed* ones.  The numbered graph (``Problem.indexed``) and
the cycle form (``cycle_form``) already include both.  Each engine declares the kinds that it
supports.

To add a condition, write a class here, list it in ``KINDS``, and add a rule to the judge and a case
to the checker's frame.  ``Problem(..., conditions=[...])`` and JSON then accept it.  If it is a
condition on edges, so does every engine that works on the graph and the cycle form.

The module also converts keywords of a problem to conditions and checks that they are consistent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from kt_cp.model.board import describe, shorten
from kt_cp.model.errors import ProblemError, suggestion
from kt_cp.model.terms import ProblemLike, terms

Name = Callable[[Any], str]
Move = tuple[Any, Any]
Place = Callable[[Any], Any]


@dataclass(frozen=True)
class Condition:
    """Base class of conditions, which are values that refer to squares (or nodes).

    Attributes
    ----------
    key : str
        Key in JSON, and keyword of ``Problem``.
    words : str
        Its name in the message of an engine that does not support it.
    parts : tuple of str
        Types of its values, in the order of JSON: each a ``"square"``, ``"step"`` or ``"text"``.
    many : bool
        Whether a problem may have several.  If so, JSON has a list, otherwise one value or null.
    """

    key: ClassVar[str]
    words: ClassVar[str]
    parts: ClassVar[tuple[str, ...]] = ("square",)
    many: ClassVar[bool] = True

    @classmethod
    def of(cls, *values: Any) -> Self:
        """Return the condition with these values, one for each part."""
        return cls(*values)

    @classmethod
    def directed(cls, *values: Any) -> Self:
        """Return the same for a directed graph, where a move goes from the first to the second."""
        return cls.of(*values)

    def values(self, place: Place | None = None) -> tuple[Any, ...]:  # noqa: ARG002
        """Return the value of each part; squares of an undirected move are sorted by ``place``."""
        return tuple(getattr(self, each.name) for each in fields(self))

    def squares(self) -> tuple[Any, ...]:
        """Return the squares to which the condition refers."""
        pairs = zip(self.values(), self.parts, strict=True)
        return tuple(value for value, part in pairs if part == "square")

    def mapped(self, image: Callable[[Any], Any]) -> Self:
        """Return the same condition with every square replaced by its image."""
        pairs = zip(self.values(), self.parts, strict=True)
        return self.of(*(image(value) if part == "square" else value for value, part in pairs))

    def label(self, name: Name) -> str:  # noqa: ARG002
        """Return a short description of the condition; ``name`` converts a square to text."""
        return self.words

    def check(self, problem: ProblemLike) -> None:
        """Raise :class:`ProblemError` if the condition makes no sense for the problem."""
        for square in self.squares():
            if not problem.has_square(square):
                raise ProblemError(_stranger(problem, square, self.words))

    def forced(self) -> tuple[Move, ...]:
        """Return the edges that every tour uses."""
        return ()

    def removed(self) -> tuple[Move, ...]:
        """Return the edges that no tour uses."""
        return ()


@dataclass(frozen=True)
class Start(Condition):
    """The tour begins at this square; a closed tour is written from it."""

    square: Hashable
    key: ClassVar[str] = "start"
    words: ClassVar[str] = "start"
    many: ClassVar[bool] = False

    def label(self, name: Name) -> str:
        return f"from {name(self.square)}"


@dataclass(frozen=True)
class End(Start):
    """An open tour ends at this square."""

    key: ClassVar[str] = "end"
    words: ClassVar[str] = "end"

    def label(self, name: Name) -> str:
        return f"to {name(self.square)}"


@dataclass(frozen=True)
class Required(Condition):
    """The tour makes this move in either direction; a pair is an arc with its own direction."""

    move: frozenset[Any] | Move
    key: ClassVar[str] = "require"
    words: ClassVar[str] = "required moves"
    parts: ClassVar[tuple[str, ...]] = ("square", "square")

    @classmethod
    def of(cls, *values: Any) -> Self:
        """Return the condition for a move between two different squares."""
        if len(set(values)) != 2:
            text = f"{describe(values[0])} twice"
            raise ProblemError(f"expected a {cls.words[:-1]} between two squares, got {text}")
        return cls(frozenset(values))

    @classmethod
    def directed(cls, *values: Any) -> Self:
        """Return the condition for an arc from the first square to the second."""
        cls.of(*values)
        return cls((values[0], values[1]))

    def mapped(self, image: Callable[[Any], Any]) -> Self:
        made = self.directed if isinstance(self.move, tuple) else self.of
        return made(*map(image, self.move))

    def values(self, place: Place | None = None) -> tuple[Any, ...]:
        free = place and isinstance(self.move, frozenset)
        return tuple(sorted(self.move, key=place) if free else self.move)

    def move_text(self, name: Name) -> str:
        """Return the move as the names of its squares."""
        if isinstance(self.move, tuple):
            return "->".join(map(name, self.move))
        return "-".join(sorted(map(name, self.move)))

    def label(self, name: Name) -> str:
        return f"with {self.move_text(name)}"

    def check(self, problem: ProblemLike) -> None:
        super().check(problem)
        names, text = terms(problem), self.move_text(describe)
        words = self.words.replace("move", names.move)
        if isinstance(self.move, tuple) != problem.directed:
            way = "pairs, from tail to head" if problem.directed else f"{names.move}s, not arcs"
            raise ProblemError(f"expected {words} as {way}, got {text}")
        if not problem.is_move(*self.move):
            of_graph = f"{names.move}s of the {names.whole}"
            moves = of_graph if problem.board is None else f"a {problem.piece}'s moves"
            raise ProblemError(f"expected {words} to be {moves}, got {text}")

    def forced(self) -> tuple[Move, ...]:
        one, other = self.move
        return ((one, other),)


@dataclass(frozen=True)
class Forbidden(Required):
    """The tour does not make this move in either direction."""

    key: ClassVar[str] = "forbid"
    words: ClassVar[str] = "forbidden moves"

    def label(self, name: Name) -> str:
        return f"without {self.move_text(name)}"

    def forced(self) -> tuple[Move, ...]:
        return ()

    def removed(self) -> tuple[Move, ...]:
        return super().forced()


@dataclass(frozen=True)
class Given(Condition):
    """The tour visits the square at this step, counted from 1."""

    square: Hashable
    step: int
    key: ClassVar[str] = "given"
    words: ClassVar[str] = "given steps"
    parts: ClassVar[tuple[str, ...]] = ("square", "step")

    def label(self, name: Name) -> str:
        return f"{name(self.square)} at {self.step}"

    def check(self, problem: ProblemLike) -> None:
        super().check(problem)
        if type(self.step) is not int or not 1 <= self.step <= problem.size:
            text = f"{self.step!r} at {describe(self.square)}"
            raise ProblemError(f"expected steps from 1 to {problem.size}, got {text}")


MOTIONS = ("half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal")


@dataclass(frozen=True)
class Symmetry(Condition):
    """The motion of the board maps the tour's set of moves to itself."""

    motion: str
    key: ClassVar[str] = "symmetry"
    words: ClassVar[str] = "symmetry"
    parts: ClassVar[tuple[str, ...]] = ("text",)
    many: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.motion not in MOTIONS:
            raise ProblemError(
                f"expected a symmetry, one of {', '.join(MOTIONS)}; got {self.motion!r:.60}"
                f"{suggestion(self.motion, MOTIONS)}"
            )

    def check(self, problem: ProblemLike) -> None:
        if problem.board is None:
            raise ProblemError("expected a symmetry of a board: a graph has no motions")

    def label(self, name: Name) -> str:  # noqa: ARG002
        return f"symmetric under the {self.motion}"


KINDS: tuple[type[Condition], ...] = (Start, End, Required, Forbidden, Given, Symmetry)
"""All kinds of conditions, in the order in which problems store and describe them."""

ALWAYS = ("start", "end", "require", "forbid", "given", "symmetry")
"""Keys that the JSON of every problem has.  Kinds added later are written only if they are used."""

_NEITHER = (Condition.forced, Condition.removed)

ENDS: frozenset[type[Condition]] = frozenset({Start, End})
EDGES = ENDS | {kind for kind in KINDS if (kind.forced, kind.removed) != _NEITHER}
"""Conditions supported by an engine that handles ends only, and by one on the cycle form."""


def _stranger(problem: ProblemLike, square: Any, what: str) -> str:
    """Return an error message for a square that is not part of the problem."""
    board = problem.board
    what = what.replace("move", terms(problem).move)
    if board is not None and board.on_rectangle(square):
        return f"expected {what} on a square that is not missing, got {describe(square)}"
    where = "in the graph" if board is None else f"on the {board} board"
    return f"expected {what} to be {where}, got {describe(square)}"


def conditions_of(
    keywords: Mapping[str, Any], on_board: bool = False, directed: bool = False
) -> list[Condition]:
    """Return the conditions of a problem's keywords without repetition; squares are not checked.

    With ``on_board``, a text such as ``"a1-c2"`` is split into its parts.  With ``directed``, a
    pair is an arc.
    """
    one: list[Condition] = []
    found: dict[Condition, None] = {}
    for kind in KINDS:
        value = keywords.get(kind.key, () if kind.many else None)
        if not kind.many:
            one += [] if value is None else [kind.of(value)]
            continue
        try:
            # A networkx edge view is a mapping too, but only its keys count here.
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
    """Raise ProblemError if conditions make no sense; unsatisfiable conditions are not an error."""
    for condition in conditions:
        condition.check(problem)
    kinds = Counter(type(each) for each in conditions if not each.many)
    for kind, count in kinds.items():
        if count > 1:
            raise ProblemError(f"expected one {kind.words}, got {count}")
    begins = [each for each in conditions if isinstance(each, Start)]
    last = next((each for each in begins if type(each) is End), None)
    if problem.closed and last is not None:
        text = describe(last.square)
        raise ProblemError(f"a closed tour returns to its start: expected no end, got {text}")
    if problem.size > 1 and len(begins) == 2 and begins[0].square == begins[1].square:
        text = describe(begins[0].square)
        raise ProblemError(f"expected start and end to differ, got {text} for both")
    names = terms(problem)
    required = [each for each in conditions if type(each) is Required]
    forbidden = {each.move for each in conditions if type(each) is Forbidden}
    for each in required:
        if each.move in forbidden:
            text = each.move_text(describe)
            raise ProblemError(f"expected {text} to be required or forbidden, got both")
    one, other = ([each.values()[part] for each in required] for part in (0, 1))
    if problem.directed:
        crowds = [(1, "one required arc from", one), (1, "one required arc to", other)]
    else:
        crowds = [(2, f"two required {names.move}s at", [*one, *other])]
    for most, what, ends in crowds:
        for square, count in Counter(ends).items():
            if count > most:
                actual = f"{count} {what.rpartition(' ')[2]} {describe(square)}"
                raise ProblemError(f"expected at most {what} a {names.square}, got {actual}")
    at: dict[Any, Given] = {}
    on: dict[int, Given] = {}
    for new in (each for each in conditions if isinstance(each, Given)):
        old = at.setdefault(new.square, new)
        if old is not new:
            actual = f"{old.step} and {new.step}"
            text = describe(new.square)
            raise ProblemError(f"expected one step for {text}, got {actual}")
        old = on.setdefault(new.step, new)
        if old is not new:
            actual = f"{describe(old.square)} and {describe(new.square)}"
            raise ProblemError(f"expected one {names.square} at step {new.step}, got {actual}")
