"""The picture of an answer: a tour, or the argument that there is none.

A tour is drawn over the edges if the nodes have places (:mod:`kt_cp.model.simple_graph`).
Otherwise the nodes are on a circle in the order of the tour.  The tour is then the circle, and
every other edge is a thin chord, as in the LCF notation of cubic Hamiltonian graphs (J. Lederberg
1965).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from html import escape
from math import cos, hypot, pi, sin, sqrt

from kt_cp.model.board import Square, shorten
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.simple_graph import POSITIONS, Position
from kt_cp.model.terms import describe_claim
from kt_cp.model.tour import Tour
from kt_cp.model.views import Picture
from kt_cp.render.board import INK, LETTER, PATH, RIM, end_mark, num, opening_lines, start_mark
from kt_cp.render.highlights import argument_picture, check_picture, claim_svg

MOST_SQUARES = 4_000_000
"""Most squares of a tour in a picture, which takes a few hundred megabytes."""


def outcome_picture(outcome: Outcome) -> Picture:
    """Return SVG of an answer: its tour, or the argument that there is none.

    >>> from kt_cp import solve
    >>> "b2 has no moves at all" in outcome_picture(solve("3x3"))
    True
    """
    problem = outcome.problem
    if outcome.tour is not None:
        return tour_picture(outcome.tour, outcome)
    if problem.board is None or outcome.verdict is not Verdict.IMPOSSIBLE:
        raise InputError(f"expected a tour, or a board without one, to draw; got {outcome}")
    if outcome.certificate is not None:
        return Picture(argument_picture(outcome.certificate))
    check_picture(problem)
    return Picture(claim_svg(problem, describe_claim(0), str(outcome.reason)))


def tour_picture(tour: Tour, outcome: Outcome | None = None) -> Picture:
    """Return SVG of a tour, with the required and forbidden moves of its outcome's problem."""
    from kt_cp.render.tour import tour_svg

    problem = None if outcome is None else outcome.problem
    if tour.board is None:
        check_nodes(tour.size)
        edges = () if problem is None else problem.graph.edges()
        places = None if problem is None else problem.graph.graph.get(POSITIONS)
        return Picture(graph_svg(tour.squares, edges, closed=tour.closed, places=places))
    return Picture(
        tour_svg(
            tour.board,
            _stored_squares(tour),
            piece=tour.piece,
            closed=tour.closed,
            require=() if problem is None else problem.require,
            forbid=() if problem is None else problem.forbid,
            clues=() if problem is None else problem.given,
        )
    )


def tour_animation(
    tour: Tour, speed: float | None = None, outcome: Outcome | None = None
) -> Picture:
    """Return SVG in which the piece moves along its tour, at a number of moves per second."""
    from kt_cp.render.animation import FASTEST, MOST_STEPS, animation_svg, tour_steps
    from kt_cp.render.board import picture_title

    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    if tour.size > MOST_STEPS:
        raise TooLargeError(
            f"expected at most {MOST_STEPS:,} squares for an animation, got {tour.size:,}"
        )
    if speed is not None and not 0 < speed <= FASTEST:
        raise InputError(f"expected a speed above 0, at most {FASTEST:g} moves a second: {speed!r}")
    kind = "closed" if tour.closed else "open"
    return Picture(
        animation_svg(
            tour.board,
            list(tour_steps(_stored_squares(tour))),
            piece=tour.piece,
            closed=tour.closed,
            require=() if outcome is None else outcome.problem.require,
            forbid=() if outcome is None else outcome.problem.forbid,
            speed=speed,
            title=f"{picture_title('tour', tour.board, tour.piece)}, {kind}, step by step",
        )
    )


def _stored_squares(tour: Tour) -> Sequence[Square]:
    """Return the squares of a tour; those of a computed tour are read from an array."""
    if tour.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES:,} squares to draw, got {tour.size:,}")
    if not tour.computed:
        return tour.squares
    from kt_cp.model.arrays import squares_in

    return squares_in(tour.to_array())


MOST_NODES = 1000
"""Most nodes of a graph in a picture; more would overlap."""

NAMED = 100
"""Most nodes that are drawn with their names."""


def check_nodes(number: int) -> None:
    """Raise ``TooLargeError`` if a graph has too many nodes for a picture."""
    if number > MOST_NODES:
        raise TooLargeError(f"expected at most {MOST_NODES:,} nodes to draw, got {number:,}")


_LONGEST = 12  # letters of a name
_SIZE = 0.42  # height of a letter; nodes on a circle are one apart
_SPACING = 1.6  # mean distance of other nodes


def graph_svg(
    nodes: Sequence[Hashable],
    edges: Iterable[tuple[Hashable, Hashable]] = (),
    *,
    closed: bool = False,
    places: Mapping[Hashable, Position] | None = None,
) -> str:
    """Return SVG of a tour of a graph; nodes without places lie on a circle, clockwise.

    >>> picture = graph_svg("abcd", ["ab", "bc", "cd", "ad", "ac"], closed=True)
    >>> picture.count("<line"), picture.count("<text"), "polygon" in picture
    (0, 4, True)
    """
    where = _scaled(nodes, places) if places else _on_a_circle(nodes)
    names = [shorten(str(node), _LONGEST) for node in nodes] if len(nodes) <= NAMED else []
    beside = 0.4 + _SIZE * (1.2 + LETTER * max(map(len, names), default=0))
    right, low = (max(abs(at[axis]) for at in where.values()) + beside for axis in (0, 1))
    scale = max(8.0, min(48.0, 480 / max(right, low)))
    drawn = [*opening_lines((-right, -low, 2 * right, 2 * low), scale, "Tour of a graph")]
    path = [frozenset(pair) for pair in zip(nodes, [*nodes[1:], *nodes[:1]], strict=True)]
    own = set(path if closed else path[:-1])
    chords = "".join(
        f"M{_point(where[u], ' ')}L{_point(where[v], ' ')}"
        for u, v in edges
        if frozenset((u, v)) not in own
    )
    if chords:
        drawn.append(
            f'<path class="edges" d="{chords}" fill="none" stroke="{RIM}" stroke-width=".03"/>'
        )
    shape = "polygon" if closed and len(nodes) > 2 else "polyline"
    points = " ".join(_point(where[node], ",") for node in nodes)
    drawn.append(
        f'<{shape} class="path" points="{points}" fill="none" stroke="{PATH}" stroke-width=".1" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )
    drawn.append(f'<g class="nodes" fill="{INK}">')
    drawn += (f'<circle cx="{num(x)}" cy="{num(y)}" r=".12"/>' for x, y in where.values())
    drawn.append("</g>")
    if not closed and len(nodes) > 1:
        drawn.append(end_mark(*where[nodes[-1]], 0.2))
    if nodes:
        drawn.append(start_mark(*where[nodes[0]], 0.2))
    drawn.append(f'<g class="names" font-size="{_SIZE}" fill="{INK}">')
    for name, node in zip(names, nodes, strict=False):
        drawn.append(_name(name, *where[node], outwards=not places))
    return "\n".join([*drawn, "</g>", "</svg>"]) + "\n"


def _on_a_circle(nodes: Sequence[Hashable]) -> dict[Hashable, Position]:
    radius = max(1.5, len(nodes) / (2 * pi))
    angles = (2 * pi * place / len(nodes) - pi / 2 for place in range(len(nodes)))
    places = ((radius * cos(angle), radius * sin(angle)) for angle in angles)
    return dict(zip(nodes, places, strict=True))


def _scaled(
    nodes: Sequence[Hashable], places: Mapping[Hashable, Position]
) -> dict[Hashable, Position]:
    """Return places around the middle, y downwards, with space for names on average."""
    xs, ys = zip(*(places[node] for node in nodes), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    longer = max(wide, high) or 1.0
    by = _SPACING * max(3.0, sqrt(len(nodes) * longer / max(min(wide, high), longer / 20))) / longer
    x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return {node: (by * (places[node][0] - x), by * (y - places[node][1])) for node in nodes}


def _name(name: str, x: float, y: float, *, outwards: bool) -> str:
    """Draw a node's name beside it, away from the middle or above it to the right."""
    far = hypot(x, y) or 1.0
    right, down = (x / far, y / far) if outwards else (0.5, -0.5)
    side = "middle" if abs(right) < 0.2 else "start" if right > 0 else "end"
    x, y = x + 0.35 * right, y + 0.35 * down + _SIZE * (0.36 + 0.36 * down)
    return (
        f'<text x="{num(x)}" y="{num(y)}" text-anchor="{side}">{escape(name, quote=False)}</text>'
    )


def _point(place: Position, between: str) -> str:
    return between.join(map(num, place))
