"""A naive oracle of whole questions: moves over piece and surface, conditions, every tour.

It imports nothing of the package and computes moves in another way: it walks a step square by
square, first along the ranks and then along the files, and a step over a joined side enters from
the other side.  It tries every walk, and compares every condition with whole walks, as
``kt_cp/trust/check/FORMAT.md`` words it.

A question consists of plain values, from the JSON of a problem or from its attributes.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any

Node = Hashable
Walk = tuple[Any, ...]

JOINED = {  # files, ranks; "turned" reverses the order of the ranks
    "plane": ("", ""),
    "cylinder": ("plain", ""),
    "torus": ("plain", "plain"),
    "moebius": ("turned", ""),
    "klein": ("turned", "plain"),
}


def neighbours(rows, columns, missing, surface, leaps):
    """Return the moves of a board, as a mapping from squares to sets of squares."""
    files, ranks = JOINED[surface]
    steps = {
        (s * up, t * right)
        for a, b in leaps
        for up, right in ((a, b), (b, a))
        for s in (1, -1)
        for t in (1, -1)
    }

    def walked(row, column, up, right):
        for _ in range(abs(up)):
            row += 1 if up > 0 else -1
            if not 0 <= row < rows:
                if not ranks:
                    return None
                row = 0 if row == rows else rows - 1
        for _ in range(abs(right)):
            column += 1 if right > 0 else -1
            if not 0 <= column < columns:
                if not files:
                    return None
                column = 0 if column == columns else columns - 1
                if files == "turned":
                    row = rows - 1 - row
        return row, column

    squares = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in missing]
    found = {square: {walked(*square, *step) for step in steps} for square in squares}
    return {square: found[square] & set(squares) - {square} for square in squares}


@dataclass(frozen=True, eq=False)
class Question:
    """The moves of each node, the conditions on a tour, and the sides of the board if there is one.

    A move is a pair; in an undirected graph its order does not matter.
    """

    onward: Mapping[Node, set[Any]]
    closed: bool = False
    directed: bool = False
    start: Node | None = None
    end: Node | None = None
    require: tuple[tuple[Node, Node], ...] = ()
    forbid: tuple[tuple[Node, Node], ...] = ()
    given: tuple[tuple[Node, int], ...] = ()
    symmetry: str | None = None
    sides: tuple[int, int] | None = None
    most: int | None = None
    """Limit of placed squares, beyond which ``walks`` raises OverflowError."""

    @cached_property
    def allowed(self) -> dict[Node, set[Any]]:
        """The nodes that the allowed moves from each node lead to."""
        made = {node: set(others) for node, others in self.onward.items()}
        for one, other in self.forbid:
            made[one].discard(other)
            if not self.directed:
                made[other].discard(one)
        return made

    def move(self, one: Node, other: Node) -> Any:
        """Return a move as a value: an arc, or an edge in either direction."""
        return (one, other) if self.directed else frozenset((one, other))

    def moves(self, walk: Iterable[Node]) -> frozenset[Any]:
        """Return the moves of a tour."""
        walk = [*walk]
        pairs = pairwise([*walk, walk[0]] if self.closed and len(walk) > 1 else walk)
        return frozenset(self.move(*pair) for pair in pairs)

    @cached_property
    def image(self) -> dict[Node, Node] | None:
        """The image of each square by the symmetry, or None; images may be off the board."""
        return None if self.symmetry is None else motion(self.onward, *self.sides, self.symmetry)

    @cached_property
    def walks(self) -> list[Walk]:
        """Every tour, by plain recursion; an open tour in every direction that the ends allow.

        A closed tour occurs once in each direction.  It begins so that given steps are right, or at
        its start, or at the first square.
        """
        nodes, onward, placed = sorted(self.onward), self.allowed, 0
        required = {self.move(*each) for each in self.require}
        found: list[Walk] = []

        def longer(walk: Walk, visited: frozenset[Node]) -> None:
            nonlocal placed
            placed += 1
            if self.most is not None and placed > self.most:
                raise OverflowError
            if len(walk) < len(nodes):
                for other in sorted(onward[walk[-1]] - visited):
                    longer((*walk, other), visited | {other})
            elif written := self._written(walk):
                moves = self.moves(walk)
                if required <= moves and (self.image is None or self._carried(moves)):
                    found.append(written)

        starts = nodes if self.start is None else [self.start]
        for first in starts[:1] if self.closed else starts:
            longer((first,), frozenset([first]))
        return found

    def _written(self, walk: Walk) -> Walk | None:
        """Return a walk over all squares with the required ends and steps, or None."""
        if self.closed:
            if len(walk) < (2 if self.directed else 3) or walk[0] not in self.allowed[walk[-1]]:
                return None
            if self.given and self.start is None:  # it determines the first square
                node, step = self.given[0]
                turn = (walk.index(node) - (step - 1)) % len(walk)
                walk = walk[turn:] + walk[:turn]
        elif self.end not in (None, walk[-1]):
            return None
        return walk if all(walk[step - 1] == node for node, step in self.given) else None

    def _carried(self, moves: frozenset[Any]) -> bool:
        """Return whether the symmetry maps the moves of a tour to themselves."""
        return all(frozenset(map(self.image.get, move)) in moves for move in moves)

    def key(self, walk: Iterable[Node], *, directed: bool = True) -> Walk:
        """Return a tour in a unique form, also for its reverse unless ``directed``."""
        ways = [tuple(walk)]
        ways += [] if directed else [ways[0][::-1]]
        if self.closed:
            turns = [way.index(min(way)) for way in ways]
            ways = [way[turn:] + way[:turn] for way, turn in zip(ways, turns, strict=True)]
        return min(ways)

    def keys(self, *, directed: bool) -> set[Walk]:
        """Return the keys of all tours; on a digraph a reverse is always another tour."""
        return {self.key(walk, directed=directed or self.directed) for walk in self.walks}

    @cached_property
    def _directed_keys(self) -> set[Walk]:
        return self.keys(directed=True)

    def has(self, walk: Iterable[Node]) -> bool:
        """Return whether a walk is a tour with the required ends and steps."""
        walk = tuple(walk)
        if sorted(walk) != sorted(self.onward) or self.start not in (None, walk[0]):
            return False
        if any(walk[step - 1] != node for node, step in self.given):
            return False
        return self.key(walk) in self._directed_keys

    @cached_property
    def motions(self) -> list[dict[Node, Node]]:
        """Motions of the board that preserve its squares, moves and conditions on moves."""
        if self.sides is None:
            return [{node: node for node in self.onward}]
        (rows, columns), found = self.sides, []
        for swap, down, across in product([False, True], repeat=3):
            made = {}
            for square in self.onward:
                row, column = square[::-1] if swap else square
                made[square] = (
                    rows - 1 - row if down else row,
                    columns - 1 - column if across else column,
                )
            if (not swap or rows == columns) and self._keeps(made):
                found.append(made)
        return found

    def _keeps(self, made: dict[Node, Node]) -> bool:
        """Return whether a motion preserves the question, except for its ends and given steps."""
        if set(made.values()) != set(made):
            return False
        if any({made[v] for v in self.allowed[u]} != self.allowed[made[u]] for u in made):
            return False
        carried = self.image
        if carried is not None and set(carried.values()) == set(carried):
            turned = {(made[u], made[v]) for u, v in carried.items()}
            if turned not in (set(carried.items()), {(v, u) for u, v in carried.items()}):
                return False
        required = {frozenset(move) for move in self.require}
        return {frozenset(map(made.get, move)) for move in required} == required

    def classes(self, *, directed: bool) -> list[int]:
        """Return the sizes of the classes of tours that motions map to each other, ascending."""
        listed, found = self.keys(directed=directed), set()
        for tour in listed:
            images = (map(made.get, tour) for made in self.motions)
            found.add(
                frozenset(
                    listed
                    & {self.key(image, directed=directed or self.directed) for image in images}
                )
            )
        return sorted(map(len, found))


def motion(squares, rows, columns, name):
    """Return the image of each square by a symmetry, as at most two reflections and a swap."""
    over, across, swapped = {
        "half-turn": (True, True, False),
        "quarter-turn": (True, False, True),
        "left-right": (False, True, False),
        "top-bottom": (True, False, False),
        "diagonal": (False, False, True),
    }[name]
    found = {}
    for square in squares:
        row, column = reversed(square) if swapped else square
        found[square] = (
            rows - 1 - row if over else row,
            columns - 1 - column if across else column,
        )
    return found


def place(name):
    """Return the square with a name of one letter and a number."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def question_of(document: Mapping[str, Any], most: int | None = None) -> Question:
    """Return the question of a problem's JSON."""
    sides = None
    if "nodes" in document:
        node: Any = str
        onward: dict[Any, set[Any]] = {name: set() for name in document["nodes"]}
        for one, other in document["edges"]:
            onward[one].add(other)
            if not document.get("directed"):
                onward[other].add(one)
    else:
        node, sides = place, (document["rows"], document["columns"])
        leaps = [tuple(leap) for leap in document["piece"]]
        onward = neighbours(*sides, {*map(place, document["missing"])}, document["surface"], leaps)
    return Question(
        onward,
        closed=document["closed"],
        directed=document.get("directed", False),
        **{key: None if document[key] is None else node(document[key]) for key in ("start", "end")},
        **{
            key: tuple(tuple(map(node, move)) for move in document[key])
            for key in ("require", "forbid")
        },
        given=tuple((node(name), step) for name, step in document["given"]),
        symmetry=document["symmetry"],
        sides=sides,
        most=most,
    )


@cache
def question_in(text: str) -> Question:
    """Return the question of a problem's JSON as a text; its tours are found once."""
    return question_of(json.loads(text))


def is_true(document):
    """Return whether the tours that a certificate lists, or none, are all tours of its problem."""
    question = question_in(json.dumps(document["problem"], sort_keys=True))
    tours = {question.moves(walk) for walk in question.walks}
    node = str if question.sides is None else place
    listed = document["evidence"].get("tours", [])
    walks = map(along, listed) if question.directed else listed
    claimed = {question.moves(map(node, walk)) for walk in walks}
    return claimed == tours and len(claimed) == len(listed)


def along(walk):
    """Return the nodes on a tour of a digraph, from "in a", "at a", "out a" for each of them."""
    inner = [name for name in walk if name not in ("source", "target")]
    at = next(number for number, name in enumerate(inner) if name.startswith("at "))
    if inner[(at + 1) % len(inner)].startswith("in "):
        inner.reverse()
    return [name.removeprefix("at ") for name in inner if name.startswith("at ")]


# From the attributes of a problem


def beside(problem):
    """Return the moves of a problem on a board, without its conditions."""
    board = problem.board
    sides = board.rows, board.columns, board.missing
    return neighbours(*sides, str(board.surface), problem.piece.leaps)


def with_conditions(problem, most=None):
    """Return the question of a problem on a board, with its conditions."""
    by_key = {each.key: each for each in problem.conditions}
    return Question(
        beside(problem),
        problem.closed,
        start=problem.start,
        end=problem.end,
        require=problem.require,
        forbid=problem.forbid,
        given=tuple((c.square, c.step) for c in problem.conditions if c.key == "given"),
        symmetry=by_key["symmetry"].motion if "symmetry" in by_key else None,
        sides=(problem.board.rows, problem.board.columns),
        most=most,
    )


def tours(problem, most=None):
    """Return every directed tour of a problem on a board, or None after ``most`` placed squares.

    A closed tour begins at its start or at the first square.
    """
    try:
        return with_conditions(problem, most).walks
    except OverflowError:
        return None


def cycles(beside):
    """Return the number of undirected Hamiltonian cycles of a graph, by Held and Karp's table."""
    number = {node: bit for bit, node in enumerate(sorted(beside))}
    near = [sum(1 << number[other] for other in beside[node]) for node in sorted(beside)]
    layer = {(1, 0): 1}  # visited set and last node -> walks
    for _ in range(len(near) - 1):
        following = {}
        for (visited, last), walks in layer.items():
            for other in range(1, len(near)):
                if near[last] >> other & 1 and not visited >> other & 1:
                    key = visited | 1 << other, other
                    following[key] = following.get(key, 0) + walks
        layer = following
    return sum(walks for (_, last), walks in layer.items() if near[last] & 1) // 2
