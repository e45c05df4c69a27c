"""Lists of tours as text: what ``enumerate`` writes, or a tour a line.

Understood are the tours of a certificate in their own file, JSON lines, each with the names of a
``tour`` or just the names, and plain names, a tour a line.  What ``enumerate`` says at the end, how
many there were, is passed over.
"""

from __future__ import annotations

import json
from typing import Any

from kt_cp.formats.text import Lines, no_utf8
from kt_cp.model.errors import TourFileError


def read_tours(data: bytes) -> list[list[str]]:
    r"""The tours of a file, each as the names of its squares, which are not looked at.

    Raises
    ------
    TourFileError
        If the data is not UTF-8, or no list of tours; the message names the line.

    Examples
    --------
    >>> read_tours(b'{"number": 1, "tour": ["a1", "c2"]}\n["a1", "b3"]\n{"tours": 2}\n')
    [['a1', 'c2'], ['a1', 'b3']]
    >>> read_tours(b"a1 c2\na1, b3\n2 tours (3x4, open).\n")
    [['a1', 'c2'], ['a1', 'b3']]
    """
    try:
        lines = [(number, line.strip()) for number, line in Lines(data) if line.strip()]
    except UnicodeDecodeError:
        raise TourFileError(no_utf8(data)) from None
    if not lines:
        raise TourFileError("expected tours, got an empty file")
    if lines[0][1][0] in "{[":
        found = [tour for number, line in lines for tour in _in_json(line, number)]
    else:
        if lines[-1][1].endswith(")."):
            del lines[-1]
        found = [[name.strip(",") for name in line.split()] for _, line in lines]
    if not found:
        raise TourFileError("expected tours, got a list of none")
    return found


def _in_json(line: str, number: int) -> list[list[str]]:
    """The tours that a line tells."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TourFileError(f"line {number}: no JSON: {error}") from None
    if isinstance(value, dict):
        if type(value.get("tours")) is int:  # how many there were
            return []
        value = value.get("tours", [value.get("tour")])
    else:
        value = [value]
    if not isinstance(value, list) or not all(map(_is_tour, value)):
        raise TourFileError(
            f"line {number}: expected a tour as a list of names, or an object with a 'tour' or "
            "'tours'"
        )
    return value


def _is_tour(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
