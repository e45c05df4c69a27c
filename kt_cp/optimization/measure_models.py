"""Models of CP-SAT for measures that are not sums over squares.

``direction``, the fewest
    A number that is at least the number of moves in each direction.

``run``
    A literal for each length, true if a run has it.  A run is a line of moves on the board that are
    all used.

``uncrossed-moves``
    A literal for each move, true if it is used and no move that crosses it is.

``magic-ranks``, ``magic-files``
    A step for each square, which increases along the arcs of the tour, and a literal for each line,
    true if its steps have the sum of an average line.

Source: this package.  Cost: one constraint for each move, or each line of moves.  There is no
certificate: CP-SAT claims the bound.  When it loses: steps give weak bounds, so magic lines are for
small boards only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import gcd
from typing import TYPE_CHECKING, Any

from kt_cp.model.errors import TooLargeError
from kt_cp.model.measures import crosses

if TYPE_CHECKING:
    from kt_cp.trust.check.frame import Frame

Edge = tuple[int, int]

NAMES = ("run", "uncrossed-moves", "magic-ranks", "magic-files")

MODELLED = (
    "fewest-direction",
    *(f"{sense}-{name}" for name in NAMES for sense in ("fewest", "most")),
)
"""Objectives of this file."""

MOST_LINES = 200_000
"""Most lines of moves, or pairs of moves that cross."""


def measure_cost(
    model: Any,
    frame: Frame,
    objective: str,
    arcs: dict[Edge, Any],
    used: dict[Edge, Any],
    steps: list[Any] | None,
) -> Any:
    """Return an expression for a measure, or for its negative if the most is the best.

    ``steps`` has a variable for the step of each square, if the model has them already.
    """
    sense, _, name = objective.partition("-")
    is_fewest = sense == "fewest"
    moves = {edge: model.new_bool_var("") for edge in used if edge[1] < frame.squares}
    for edge, literal in moves.items():
        model.add(literal == used[edge])
    if name == "direction":
        return _most_in_a_direction(model, frame, moves)
    if name == "run":
        literals = _runs(model, frame, moves, is_fewest=is_fewest)
        return 1 + sum(literals) if is_fewest else -1 - sum(literals)
    if name == "uncrossed-moves":
        literals = _uncrossed(model, frame, moves, is_fewest=is_fewest)
    else:
        steps = steps or add_steps(model, frame, arcs)
        literals = _magic_lines(model, frame, steps, name, is_fewest=is_fewest)
    return sum(literals) if is_fewest else -sum(literals)


def add_steps(model: Any, frame: Frame, arcs: dict[Edge, Any]) -> list[Any]:
    """Add a step for each square, which increases along arcs, except to the first square."""
    steps = [model.new_int_var(1, frame.squares, "") for _ in range(frame.squares)]
    firsts = [model.new_bool_var("") for _ in range(frame.squares)]
    model.add_exactly_one(firsts)
    for vertex, first in enumerate(firsts):
        model.add(steps[vertex] == 1).only_enforce_if(first)
    for (u, v), literal in arcs.items():
        if v < frame.squares <= u:
            model.add_implication(literal, firsts[v])
        elif max(u, v) < frame.squares:
            model.add(steps[v] == steps[u] + 1).only_enforce_if(literal, firsts[v].negated())
    return steps


def _direction(frame: Frame, here: int, there: int) -> tuple[int, int]:
    """Return the direction of a move, without its length."""
    nodes = frame.problem.nodes
    up, right = (b - a for a, b in zip(nodes[here], nodes[there], strict=True))
    return up // gcd(up, right), right // gcd(up, right)


def _most_in_a_direction(model: Any, frame: Frame, moves: dict[Edge, Any]) -> Any:
    lines = defaultdict(list)
    for (u, v), literal in moves.items():
        up, right = _direction(frame, u, v)
        lines[max((up, right), (-up, -right))].append(literal)
    count = frame.squares - (not frame.problem.closed)
    most = model.new_int_var(-(-count // max(len(lines), 1)), count, "")
    for literals in lines.values():
        model.add(most >= sum(literals))
    return most


def _runs(model: Any, frame: Frame, moves: dict[Edge, Any], *, is_fewest: bool) -> list[Any]:
    """Return for each length from 2 a literal that a run has it."""
    lengths: dict[int, list[list[Any]]] = defaultdict(list)
    for total, edges in enumerate(_lines(frame, moves)):
        if total >= MOST_LINES:
            raise TooLargeError(f"expected at most {MOST_LINES:,} lines of moves on the board")
        lengths[len(edges)].append([moves[edge] for edge in edges])
    found: list[Any] = []
    for length in range(2, max(lengths, default=1) + 1):
        literal = model.new_bool_var("")
        if is_fewest:
            for line in lengths[length]:
                model.add_bool_or([literal, *(each.negated() for each in line)])
        else:
            whole = [model.new_bool_var("") for _ in lengths[length]]
            for each, line in zip(whole, lengths[length], strict=True):
                model.add_bool_and(line).only_enforce_if(each)
            model.add_bool_or([literal.negated(), *whole])
        if found:
            model.add_implication(literal, found[-1])
        found.append(literal)
    return found


def _lines(frame: Frame, moves: dict[Edge, Any]) -> Iterator[list[Edge]]:
    """Yield each sequence of at least two moves in one direction."""
    onward: dict[tuple[int, tuple[int, int]], list[int]] = defaultdict(list)
    for u, v in moves:
        onward[u, _direction(frame, u, v)].append(v)  # vertices are in reading order
    stack = [([(u, v)], _direction(frame, u, v)) for u, v in moves]
    while stack:
        line, direction = stack.pop()
        if len(line) > 1:
            yield line
        end = line[-1][1]
        stack += [([*line, (end, after)], direction) for after in onward[end, direction]]


def _uncrossed(model: Any, frame: Frame, moves: dict[Edge, Any], *, is_fewest: bool) -> list[Any]:
    """Return for each move a literal that it is used and not crossed."""
    nodes = frame.problem.nodes
    crossing: dict[Edge, list[Any]] = defaultdict(list)
    for one, other in _near(frame, moves):
        segments = [(nodes[u], nodes[v]) for u, v in (one, other)]
        if crosses(*segments):
            crossing[one].append(moves[other])
            crossing[other].append(moves[one])
    found = []
    for edge, literal in moves.items():
        is_uncrossed = model.new_bool_var("")
        if is_fewest:
            model.add_bool_or([is_uncrossed, literal.negated(), *crossing[edge]])
        else:
            model.add_implication(is_uncrossed, literal)
            for other in crossing[edge]:
                model.add_implication(is_uncrossed, other.negated())
        found.append(is_uncrossed)
    return found


def _near(frame: Frame, moves: dict[Edge, Any]) -> Iterator[tuple[Edge, Edge]]:
    """Yield each pair of moves that are near enough to cross."""
    nodes = frame.problem.nodes
    reach = max(max(abs(a), abs(b)) for a, b in frame.problem.piece.leaps)
    places = defaultdict(list)
    for edge in moves:
        row, column = nodes[edge[0]]
        places[row // (2 * reach), column // (2 * reach)].append(edge)
    total = 0
    for (row, column), here in places.items():
        around = [(row, column + 1), *((row + 1, column + shift) for shift in (-1, 0, 1))]
        others = [edge for place in around for edge in places.get(place, ())]
        total += len(here) * (len(here) + len(others))
        if total > 50 * MOST_LINES:
            raise TooLargeError("expected a smaller board: too many pairs of moves are near")
        yield from combinations(here, 2)
        yield from ((one, other) for one in here for other in others)


def _magic_lines(
    model: Any, frame: Frame, steps: list[Any], name: str, *, is_fewest: bool
) -> list[Any]:
    """Return for each line a literal that its steps have the average sum."""
    board = frame.problem.board
    assert board is not None
    axis, lines = (0, board.rows) if name == "magic-ranks" else (1, board.columns)
    total = frame.squares * (frame.squares + 1) // 2
    sums = [
        sum(steps[vertex] for vertex, node in enumerate(frame.problem.nodes) if node[axis] == line)
        for line in range(lines)
    ]
    found = []
    for each in sums:
        literal = model.new_bool_var("")
        found.append(literal)
        if is_fewest:
            below, above = model.new_bool_var(""), model.new_bool_var("")
            model.add_bool_or([literal, below, above])
            model.add(lines * each < total).only_enforce_if(below)
            model.add(lines * each > total).only_enforce_if(above)
        else:
            model.add(lines * each == total).only_enforce_if(literal)
    return found
