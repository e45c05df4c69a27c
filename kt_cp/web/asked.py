"""What a request asks, read and bounded: the problem first, by the reader of outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kt_cp.model.board import shorten
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface
from kt_cp.web import asks

MOST_SQUARES = 40_000
"""Of a board: what a browser can still draw."""

SECONDS, MOST_SECONDS = 60.0, 3600.0
"""Time limit of a search, where nothing is said and at most."""

MOST_SEED = 2**31 - 1
GRADES = ("easy", "medium", "hard", "expert")


def choices() -> dict[str, Any]:
    """What there is to choose from."""
    from kt_cp.engines import engine_names, get_engine
    from kt_cp.model.brought import every
    from kt_cp.sources.registry import SOURCES

    engines, _ = every(engine_names(), get_engine)
    return {
        "pieces": {name: [list(leap) for leap in leaps] for name, leaps in NAMED.items()},
        "surfaces": [{"name": str(each), "words": each.words} for each in Surface],
        "symmetries": list(MOTIONS),
        "engines": [
            {
                "name": each.name.split(":")[0],
                "summary": each.summary,
                "complete": each.complete,
                "capacity": each.capacity,
                "takes": sorted(kind.key for kind in each.takes),
            }
            for each in engines
        ],
        "sources": [
            {"number": each.number, "name": each.name, "summary": each.summary} for each in SOURCES
        ],
        "limits": {"squares": MOST_SQUARES, "seconds": SECONDS, "most_seconds": MOST_SECONDS},
        "grades": list(GRADES),
    }


def read(kind: object, body: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, every value of which is of its kind and within bounds.

    Raises
    ------
    InputError
        If it is not.
    """
    if kind not in asks.KINDS:
        known = ", ".join(asks.KINDS)
        raise InputError(f"expected a kind, one of {known}; got {shorten(repr(kind))}")
    return {
        "problem": problem_of(body.get("problem")),
        "engine": _text(body, "engine", "auto"),
        "seed": _whole(body, "seed", 0, 0, MOST_SEED),
        "time_limit": _time(body.get("time_limit")),
    }


def seconds(question: Mapping[str, Any]) -> float:
    """Most time of a job."""
    return float(question["time_limit"])


def problem_of(value: object) -> Problem:
    """The problem of a JSON object, as outcomes have it; a piece may be told by its name.

    Raises
    ------
    InputError
        If it is none, or larger than is taken.
    """
    from kt_cp.formats.read import problem_in

    if not isinstance(value, Mapping) or "rows" not in value:
        raise InputError("expected a problem with rows and columns")
    told = dict(value)
    sides = [told.get(side) for side in ("rows", "columns")]
    if all(type(side) is int and side > 0 for side in sides):
        rows, columns = sides
        if rows * columns > MOST_SQUARES:  # type: ignore[operator]
            raise TooLargeError(
                f"expected a board of at most {MOST_SQUARES:,} squares, got {rows}x{columns}"
            )
    if isinstance(told.get("piece"), str):
        told["piece"] = [list(leap) for leap in Piece.parse(told["piece"]).leaps]
    return problem_in(told)


def _text(body: Mapping[str, Any], key: str, usual: str) -> str:
    value = body.get(key, usual)
    if not isinstance(value, str) or len(value) > 100:
        raise InputError(f"--{key}: expected a text, got {shorten(repr(value))}")
    return value


def _whole(body: Mapping[str, Any], key: str, usual: int, least: int, most: int) -> int:
    value = body.get(key, usual)
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"--{key}: expected {least} to {most:,}, got {shorten(repr(value))}")
    return value


def _time(value: object) -> float:
    if value is None:
        return SECONDS
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        raise InputError(f"expected a time limit above 0, got {shorten(repr(value))}")
    return min(float(value), MOST_SECONDS)
