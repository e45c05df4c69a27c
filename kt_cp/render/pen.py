"""Shapes of SVG as what a pen does: moves, lines and curves, in absolute places.

Read are the commands that the pictures of this package have, in capitals and in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


def outline(name: str, own: Mapping[str, str], at: Mapping[str, float]) -> str:
    """The path of a rectangle or of a line through points."""
    if name == "rect":
        return f"M{at['x']} {at['y']}h{at['width']}v{at['height']}h{-at['width']}z"
    if name == "path":
        return own["d"]
    return "M" + own["points"].replace(",", " ") + "z" * (name == "polygon")


def pen(path: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """What the pen does, as matplotlib's codes (move 1, line 2, curve 4, close 79) and places."""
    tokens = _TOKEN.findall(path)
    x = y = first_x = first_y = 0.0
    command, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        kind, own = command.upper(), command.islower()
        count = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}[kind]
        values = [float(each) for each in tokens[at : at + count]]
        at += count
        if kind == "Z":
            x, y = first_x, first_y
            yield 79, (x, y)
            continue
        if kind == "H":
            values = [values[0], 0.0 if own else y]
        elif kind == "V":
            values = [0.0 if own else x, values[0]]
        if own:
            values = [each + (y if place % 2 else x) for place, each in enumerate(values)]
        x, y = values[-2:]
        if kind == "M":
            first_x, first_y = x, y
            command = "l" if own else "L"  # what more points after it mean
        for place in range(0, len(values), 2):
            code = {"M": 1, "C": 4}.get(kind, 2)
            yield code, (values[place], values[place + 1])
