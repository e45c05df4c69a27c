"""What a request asks, by its kind, and what there is to choose from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from kt_cp.model.board import Board
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.piece import NAMED
from kt_cp.model.surface import Surface
from kt_cp.web.values import (
    MOST_SECONDS,
    MOST_SQUARES,
    Body,
    check_size,
    expected,
    problem_of,
    seconds_of,
    sides_of,
    text,
    texts,
    tour_of,
    whole,
)

SECONDS = 60.0
"""Time limit of a search where nothing is said."""

MEGABYTES = 2000.0
"""Memory limit of a search."""

MOST_RUNS = 200
"""Of a comparison."""

PICTURES = ("svg", "png", "pdf", "json", "text", "npy")
"""What is saved of a board and a tour on it."""

PICTURE = "picture"
"""The kind of question that makes a file, and is not asked on the stream."""

MOST_SHOWN = 200
"""Tours of a sample, or classes of a gallery."""

DIGITS = 4_000
"""Of a number of a tour, as the command line takes it."""

GRADES = ("easy", "medium", "hard", "expert")
MOST_SEED = 2**31 - 1

Question = dict[str, Any]


@cache
def choices() -> dict[str, Any]:
    """What there is to choose from; looked up once, as every page asks it first."""
    from kt_cp.engines import engine_names, get_engine
    from kt_cp.model.plugins import load_all
    from kt_cp.sources.registry import SOURCES

    engines, _ = load_all(engine_names(), get_engine)
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


def read(kind: object, body: Body) -> Question:
    """What is asked, every value of which is of its kind and within bounds.

    Raises
    ------
    InputError
        If it is not.

    Examples
    --------
    >>> asked = read("solve", {"problem": {"rows": 3, "columns": 4}, "engine": "sat"})
    >>> asked["problem"].label, asked["engine"], asked["seconds"]
    ('3x4, open', 'sat', 60.0)
    """
    if not isinstance(kind, str) or kind not in _MORE:
        raise expected(f"a kind, one of {', '.join(_MORE)}", kind)
    seconds = seconds_of(body, "time_limit", None)
    asked = {
        "problem": None if kind in ("compare", "check") else problem_of(body.get("problem")),
        "seed": whole(body, "seed", 0, 0, MOST_SEED),
        "time_limit": seconds,
        "seconds": seconds or SECONDS,
        "megabytes": MEGABYTES,
    }
    return asked | _MORE[kind](body, asked)


def _solve(body: Body, _: Question) -> Question:
    return {"engine": text(body, "engine", "auto")}


def _prove(body: Body, _: Question) -> Question:
    return {"evidence": text(body, "evidence", None)}


def _source(body: Body, _: Question) -> Question:
    from kt_cp.sources.registry import find_source

    return {"source": find_source(str(text(body, "source", "002"))).number}


def _puzzle(body: Body, asked: Question) -> Question:
    return {
        "grade": text(body, "grade", None),
        "clues": whole(body, "clues", None, 1, asked["problem"].size),
        "clues_symmetry": text(body, "clues_symmetry", None),
    }


def _hint(body: Body, asked: Question) -> Question:
    entered, most = body.get("entered") or {}, asked["problem"].size
    if not isinstance(entered, Mapping) or len(entered) > most:
        raise expected("what was entered, by squares", entered)
    names = texts({"entered": [*entered]}, "entered", most) if entered else []
    return {"entered": {name: whole(entered, name, None, 1, most) for name in names}}


def _compare(body: Body, _: Question) -> Question:
    boards = [str(each) for each in texts(body, "boards")]
    engines, kinds = texts(body, "engines"), text(body, "kinds", "oc")
    if kinds not in ("oc", "o", "c"):
        raise expected("kinds oc, o or c", kinds)
    for name in boards:
        check_size(*sides_of(Board.parse(name)))
    runs = len(boards) * len(engines) * len(kinds)
    if not 1 <= runs <= MOST_RUNS:
        raise expected(f"1 to {MOST_RUNS} runs: boards, engines and kinds", runs)
    each = seconds_of(body, "time_limit", 10.0)
    assert each is not None
    # Certificates of a "no" are looked for after the runs, and take a run's time at most.
    whole = min(MOST_SECONDS, runs * (each + 2) + len(boards) * 2 * (each + 2))
    return {
        "boards": boards,
        "engines": engines,
        "kinds": kinds,
        "run_seconds": each,
        "seconds": whole,
    }


def _count(body: Body, _: Question) -> Question:
    return {"classes": body.get("classes") is True}


def _unrank(body: Body, _: Question) -> Question:
    number = str(body.get("number", "")).replace(",", "")
    if not re.fullmatch(rf"[0-9]{{1,{DIGITS}}}", number):
        raise expected("the number of a tour, from 0", body.get("number"))
    return {"number": int(number)}


def _rank(body: Body, asked: Question) -> Question:
    return {"tour": tour_of(asked["problem"], body.get("tour"))}


def _many(body: Body, _: Question) -> Question:
    return {"many": whole(body, "many", 12, 1, MOST_SHOWN)}


def _picture(body: Body, asked: Question) -> Question:
    tour, shape = body.get("tour"), text(body, "format", "svg")
    if shape not in PICTURES:
        raise expected(f"a format, one of {', '.join(PICTURES)}", shape)
    named = None if tour is None else tour_of(asked["problem"], tour)
    grade, both = text(body, "grade", None), body.get("both") is True
    if grade is not None and (grade not in GRADES or named is None or shape != "pdf"):
        raise expected(f"a grade, one of {', '.join(GRADES)}, of a puzzle's sheet as pdf", grade)
    return {"tour": named, "format": shape, "grade": grade, "both": both}


def _check(body: Body, _: Question) -> Question:
    certificate = body.get("certificate")
    if not isinstance(certificate, Mapping):
        raise expected("a certificate", certificate)
    return {"certificate": certificate}


_MORE: dict[str, Callable[[Body, Question], Question]] = {
    "solve": _solve,
    "prove": _prove,
    "source": _source,
    "puzzle": _puzzle,
    "hint": _hint,
    "compare": _compare,
    "count": _count,
    "unrank": _unrank,
    "rank": _rank,
    "sample": _many,
    "classes": _many,
    "check": _check,
    PICTURE: _picture,
}
"""What each kind takes beside the problem, a seed and a time limit."""
