"""Conditions: what a tour must satisfy beside visiting every square once.

One small value a condition.  A condition has its words and its place in a problem's JSON here, one
rule in the judge (``trust/judge/conditions.py``) and one in the frame of the certificate checker
(``trust/check/frame.py``).  A condition of edges is lowered to them here: *forced* edges are those
that every tour uses, *removed* ones those that none uses; code that takes the numbered graph
(``Problem.indexed``) and the cycle form (``cycle_form``) has taken these two.  An engine says which
kinds it takes.

To add a condition: a class here and in ``KINDS``, a rule in the judge, and a case in the checker's
frame.  ``Problem(..., conditions=[...])`` and JSON then take it; so does every engine that works on
the graph and the cycle form, if it is one of edges.

Conditions of a problem: from keywords to values, whether they fit together, and back.
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
    """What every condition is: a value that speaks of squares (or nodes).

    Attributes
    ----------
    key : str
        Its key in JSON, and the keyword of ``Problem``.
    words : str
        How messages name it where an engine does not take it.
    parts : tuple of str
        What it consists of, in the order of JSON: each a ``"square"``, ``"step"`` or ``"text"``.
    many : bool
        Whether a problem may have several: then JSON has a list of them, otherwise one or null.
    """

    key: ClassVar[str]
    words: ClassVar[str]
    parts: ClassVar[tuple[str, ...]] = ("square",)
    many: ClassVar[bool] = True

    @classmethod
    def of(cls, *values: Any) -> Self:
        """The condition of these values, one for each part."""
        return cls(*values)

    @classmethod
    def directed(cls, *values: Any) -> Self:
        """The same in a directed graph, where a move leads from its first part to its second."""
        return cls.of(*values)

    def values(self, place: Place | None = None) -> tuple[Any, ...]:  # noqa: ARG002
        """The value of each part; squares whose order says nothing stand in the order of place."""
        return tuple(getattr(self, each.name) for each in fields(self))

    def squares(self) -> tuple[Any, ...]:
        """The squares it speaks of."""
        pairs = zip(self.values(), self.parts, strict=True)
        return tuple(value for value, part in pairs if part == "square")

    def mapped(self, image: Callable[[Any], Any]) -> Self:
        """The same condition with every square under another name."""
        pairs = zip(self.values(), self.parts, strict=True)
        return self.of(*(image(value) if part == "square" else value for value, part in pairs))

    def label(self, name: Name) -> str:  # noqa: ARG002
        """The condition in a few words; ``name`` turns a square into text."""
        return self.words

    def check(self, problem: ProblemLike) -> None:
        """Raise :class:`ProblemError` where it makes no sense for the problem."""
        for square in self.squares():
            if not problem.has_square(square):
                raise ProblemError(_stranger(problem, square, self.words))

    def forced(self) -> tuple[Move, ...]:
        """Edges that every tour uses."""
        return ()

    def removed(self) -> tuple[Move, ...]:
        """Edges that no tour uses."""
        return ()


@dataclass(frozen=True)
class Start(Condition):
    """The tour begins there; a closed one is written from there."""

    square: Hashable
    key: ClassVar[str] = "start"
    words: ClassVar[str] = "start"
    many: ClassVar[bool] = False

    def label(self, name: Name) -> str:
        return f"from {name(self.square)}"


@dataclass(frozen=True)
class End(Start):
    """An open tour ends there."""

    key: ClassVar[str] = "end"
    words: ClassVar[str] = "end"

    def label(self, name: Name) -> str:
        return f"to {name(self.square)}"


@dataclass(frozen=True)
class Required(Condition):
    """The tour makes this move, in one direction or the other; an arc is a pair, in its own."""

    move: frozenset[Any] | Move
    key: ClassVar[str] = "require"
    words: ClassVar[str] = "required moves"
    parts: ClassVar[tuple[str, ...]] = ("square", "square")

    @classmethod
    def of(cls, *values: Any) -> Self:
        """The condition of a move's two squares, which differ."""
        if len(set(values)) != 2:
            text = f"{describe(values[0])} twice"
            raise ProblemError(f"expected a {cls.words[:-1]} between two squares, got {text}")
        return cls(frozenset(values))

    @classmethod
    def directed(cls, *values: Any) -> Self:
        """The condition of an arc, from the first square to the second."""
        cls.of(*values)
        return cls((values[0], values[1]))

    def mapped(self, image: Callable[[Any], Any]) -> Self:
        made = self.directed if isinstance(self.move, tuple) else self.of
        return made(*map(image, self.move))

    def values(self, place: Place | None = None) -> tuple[Any, ...]:
        free = place and isinstance(self.move, frozenset)
        return tuple(sorted(self.move, key=place) if free else self.move)

    def move_text(self, name: Name) -> str:
        """The move by the names of its squares."""
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
    """The tour does not make this move, in neither direction."""

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
    """The motion of the board carries the tour's set of moves to itself."""

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
"""Every kind of condition, in the order in which problems store and describe them."""

ALWAYS = ("start", "end", "require", "forbid", "given", "symmetry")
"""Keys that every JSON of a problem has.  Later kinds are written only where they are used, so that
older files are still read."""

_NEITHER = (Condition.forced, Condition.removed)

ENDS: frozenset[type[Condition]] = frozenset({Start, End})
EDGES = ENDS | {kind for kind in KINDS if (kind.forced, kind.removed) != _NEITHER}
"""What an engine takes that knows nothing but ends, and one that works on the cycle form."""


def _stranger(problem: ProblemLike, square: Any, what: str) -> str:
    """Return what is wrong with a square that is not part of the problem."""
    board = problem.board
    what = what.replace("move", terms(problem).move)
    if board is not None and board.on_rectangle(square):
        return f"expected {what} on a square that is not missing, got {describe(square)}"
    where = "in the graph" if board is None else f"on the {board} board"
    return f"expected {what} to be {where}, got {describe(square)}"


def conditions_of(
    keywords: Mapping[str, Any], on_board: bool = False, directed: bool = False
) -> list[Condition]:
    """Conditions from the keywords of a problem, each once; squares are not looked at.

    On a board a text such as ``"a1-c2"`` stands for its parts; directed, a pair is an arc.
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
    """Raise ProblemError if conditions make no sense; ones that no tour satisfies are no error."""
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
            raise ProblemError(f"expected one step of {text} to be given, got {actual}")
        old = on.setdefault(new.step, new)
        if old is not new:
            actual = f"{describe(old.square)} and {describe(new.square)}"
            raise ProblemError(f"expected one {names.square} at step {new.step}, got {actual}")
