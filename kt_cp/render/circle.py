"""A tour of a graph as a picture: its nodes on a circle, in the order of the tour.

A graph has no places of its own.  In this order the tour is the circle, and every other edge is a
thin chord, as in the LCF notation of cubic Hamiltonian graphs (J. Lederberg 1965).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import cos, pi, sin
from xml.sax.saxutils import escape

from kt_cp.model.board import shorten
from kt_cp.model.errors import TooLargeError
from kt_cp.render.board import INK, LETTER, PATH, RIM, end_mark, num, opening_lines, start_mark

MOST_NODES = 1000
"""Of a graph that is drawn: more lie on each other."""

NAMED = 100
"""Most nodes that have their names beside them."""


def check_nodes(number: int) -> None:
    """Refuse to draw a graph with more nodes, by a ``TooLargeError``."""
    if number > MOST_NODES:
        raise TooLargeError(f"expected at most {MOST_NODES:,} nodes to draw, got {number:,}")


_LONGEST = 12  # letters of a name
_SIZE = 0.42  # height of a letter; nodes are one apart


def circle_svg(
    nodes: Sequence[Hashable],
    edges: Iterable[tuple[Hashable, Hashable]] = (),
    *,
    closed: bool = False,
    title: str = "Tour of a graph",
) -> str:
    """SVG of a tour of a graph, clockwise from the top.

    Parameters
    ----------
    nodes : sequence of nodes
        The tour.
    edges : iterable of pairs of nodes
        Those of the graph; the tour's own among them are not drawn twice.

    Examples
    --------
    >>> picture = circle_svg("abcd", ["ab", "bc", "cd", "ad", "ac"], closed=True)
    >>> picture.count("<line"), picture.count("<text"), "polygon" in picture
    (0, 4, True)
    """
    many = len(nodes)
    radius = max(1.5, many / (2 * pi))
    angles = [2 * pi * place / many - pi / 2 for place in range(many)]
    where = {
        node: (radius * cos(angle), radius * sin(angle))
        for node, angle in zip(nodes, angles, strict=True)
    }
    names = [shorten(str(node), _LONGEST) for node in nodes] if many <= NAMED else []
    beside = _SIZE * (1.2 + LETTER * max(map(len, names), default=0))
    far = radius + 0.4 + beside
    drawn = [*opening_lines((-far, -far, 2 * far, 2 * far), max(8.0, min(48.0, 480 / far)), title)]
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
    shape = "polygon" if closed and many > 2 else "polyline"
    points = " ".join(_point(where[node], ",") for node in nodes)
    drawn.append(
        f'<{shape} class="path" points="{points}" fill="none" stroke="{PATH}" stroke-width=".1" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )
    drawn.append(f'<g class="nodes" fill="{INK}">')
    drawn += (f'<circle cx="{num(x)}" cy="{num(y)}" r=".12"/>' for x, y in where.values())
    drawn.append("</g>")
    if not closed and many > 1:
        drawn.append(end_mark(*where[nodes[-1]], 0.2))
    if many:
        drawn.append(start_mark(*where[nodes[0]], 0.2))
    drawn.append(f'<g class="names" font-size="{_SIZE}" fill="{INK}">')
    for name, angle in zip(names, angles, strict=False):
        x, y = (radius + 0.35) * cos(angle), (radius + 0.35) * sin(angle)
        side = "middle" if abs(cos(angle)) < 0.2 else "start" if cos(angle) > 0 else "end"
        y += _SIZE * (0.36 + 0.36 * sin(angle))
        drawn.append(f'<text x="{num(x)}" y="{num(y)}" text-anchor="{side}">{escape(name)}</text>')
    return "\n".join([*drawn, "</g>", "</svg>"]) + "\n"


def _point(place: tuple[float, float], between: str) -> str:
    return between.join(map(num, place))
