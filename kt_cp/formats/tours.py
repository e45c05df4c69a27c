"""Lists of tours as text: what ``enumerate`` and ``sample`` write, or a tour a line.

Understood are the tours of a certificate in their own file, JSON lines, each with the names of a
``tour`` or just the names, and plain names, a tour a line.  What is said at the end, how many there
were and of which problem, is no tour; whoever judges the tours takes the problem from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kt_cp.formats.printed import MOST_PRINTED
from kt_cp.formats.read import Claim, read_problem, read_tour, read_walk
from kt_cp.formats.text import Lines, names_in, no_utf8
from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError, TooLargeError, TourFileError
from kt_cp.model.problem import Problem


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
    lines = _lines(data)
    if not lines:
        raise TourFileError("expected tours, got an empty file")
    if lines[0][1][0] in "{[":
        found = [tour for number, line in lines for tour in _in_json(line, number)]
    else:
        if lines[-1][1].endswith(")."):
            del lines[-1]
        found = [names_in(line) for _, line in lines]
    if not found:
        raise TourFileError("expected tours, got a list of none")
    return found


def tour_lines(data: bytes, *, graph: bool = False) -> Iterator[Claim] | None:
    r"""The tours of JSON lines, each claimed of the problem that its line or the last one tells.

    Parameters
    ----------
    graph : bool
        Whether squares are names of nodes, whatever the text says.

    Returns
    -------
    iterator of Claim, or None
        None of any other text, and of a single object or list that means a tour by itself.

    Raises
    ------
    TourFileError
        If the data is damaged; the message names the line.  It may come with any tour.
    TooLargeError
        If there are more than ``MOST_PRINTED`` bytes.

    Examples
    --------
    >>> told = b'{"number": 1, "tour": ["a1", "c2"]}\n{"problem": {"rows": 2, "columns": 3}}\n'
    >>> [(list(claim.squares), claim.problem) for claim in tour_lines(told)]
    [([(0, 0), (1, 2)], <Problem: 2x3, open>)]
    >>> tour_lines(b'{"problem": {"rows": 1, "columns": 1}, "tour": ["a1"]}') is None
    True
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return None
    lines = _lines(data)
    try:
        first = json.loads(lines[0][1])
    except (ValueError, RecursionError):
        return None
    alone = isinstance(first, list) or ("problem" in first) is ("tour" in first)
    if alone and len(lines) == 1:
        return None
    if len(data) > MOST_PRINTED:
        raise TooLargeError(
            f"expected at most {MOST_PRINTED >> 20} MB of tours in lines, got {len(data) >> 20}"
        )
    return _claims(lines, graph)


def _claims(lines: list[tuple[int, str]], graph: bool) -> Iterator[Claim]:
    """Line after line; the problem of all stands in the last one."""
    shared, found = read_problem(lines[-1][1].encode()), False
    for number, line in lines:
        value = _value(line, number)
        if isinstance(value, list):
            value = {"tour": value}
        elif "tour" not in value and "problem" in value:  # how many there were
            continue
        found = True
        try:
            yield _claim(value, shared, graph)
        except InputError as error:
            raise TourFileError(f"line {number}: {error}") from None
    if not found:
        raise TourFileError("expected a tour, got none")


def _claim(value: dict[str, Any], shared: Problem | None, graph: bool) -> Claim:
    if value.get("tour") is None:
        raise TourFileError("expected a tour, got none")
    if "problem" in value:
        shared = read_problem(json.dumps({"problem": value["problem"]}).encode())
    on_graph = graph or (shared is not None and shared.board is None)
    read = read_walk if on_graph else read_tour
    return replace(read(json.dumps(value["tour"]).encode()), problem=shared)


def _lines(data: bytes) -> list[tuple[int, str]]:
    """Those that are not blank, with their numbers."""
    try:
        return [(number, line.strip()) for number, line in Lines(data) if line.strip()]
    except UnicodeDecodeError:
        raise TourFileError(no_utf8(data)) from None


def _value(line: str, number: int) -> dict[str, Any] | list[Any]:
    """An object or a list in JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TourFileError(f"line {number}: no JSON: {error}") from None
    if not isinstance(value, dict | list):
        raise TourFileError(f"line {number}: expected a tour, got {shorten(line)}")
    return value


def _in_json(line: str, number: int) -> list[list[str]]:
    """The tours that a line tells."""
    value: Any = _value(line, number)
    if isinstance(value, dict):
        if type(value.get("tours")) is int and "tour" not in value:  # how many there were
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
