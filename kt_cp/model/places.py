"""What a graph's copy keeps of its attributes: where its nodes are drawn, and its file's name."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

FILE, PLACES = "file", "places"
"""Attributes of a copy: the name of the file that it was read from, and where its nodes lie."""

Place = tuple[float, float]


def attributes_kept(graph: Any) -> dict[str, Any]:
    """The attributes that a copy of a graph has: what is known of these two.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_node("a", pos=(1, 2))
    >>> graph.add_node("b", x="3", y="4")
    >>> attributes_kept(graph)
    {'places': {'a': (1.0, 2.0), 'b': (3.0, 4.0)}}
    """
    found = {key: graph.graph[key] for key in (FILE, PLACES) if key in graph.graph}
    places = _places(graph)
    return found | ({PLACES: places} if places else {})


def _places(graph: Any) -> dict[Any, Place] | None:
    """Where each node is, if all of them say so; y grows upwards, as where networkx draws."""
    found = {}
    for node, said in graph.nodes(data=True):
        place = _place(said)
        if place is None:
            return None
        found[node] = place
    return found


def _place(said: Mapping[str, Any]) -> Place | None:
    """``pos``, a pair or Graphviz's text "x,y"; ``x`` and ``y``; or those of GML's ``graphics``."""
    value: Any = said.get("pos")
    down = 1
    if isinstance(value, str):
        value = value.rstrip("!").split(",")
    if value is None and "x" in said and "y" in said:
        value = said["x"], said["y"]
    graphics = said.get("graphics")
    if value is None and isinstance(graphics, Mapping):
        value, down = (graphics.get("x"), graphics.get("y")), -1  # places on a screen
    try:
        x, y = (float(each) for each in value)
    except (TypeError, ValueError):
        return None
    return (x, down * y) if isfinite(x) and isfinite(y) else None
