"""The fields of each kind of request, their bounds, and the choices that the page offers.

A value of the wrong type or out of bounds raises an :class:`InputError` of one line.  A problem
that makes no sense raises the error of the model, which is also the message of the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from kt_cp.model.board import Board, describe, shorten
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.document import parse_problem, problem_document
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.measures import MEASURES as MEASURES_OF_TOURS
from kt_cp.model.piece import NAMED
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface
from kt_cp.model.terms import describe_value

T = TypeVar("T")

KEYS = ("rows", "columns", "missing", "piece", "surface", "closed", "start", "end", "require",
        "forbid", "given", "symmetry")  # fmt: skip
"""Keys of a problem on a board."""

MOST_SQUARES = 40_000
"""Most squares of a board that a browser can still draw."""

MOST_SECONDS = 3600.0
"""Longest time limit of a search."""

MOST_NAMES = 200
"""Most items of a list other than a tour."""

Body = Mapping[str, Any]


def read_problem(value: object) -> Problem:
    """Return the problem of a JSON object as in outcomes; omitted keys mean their defaults.

    Raises
    ------
    InputError
        If it is not a problem, or too large; with the message of the command line.

    Examples
    --------
    >>> read_problem({"rows": 5, "columns": 6, "missing": ["a1", "b1"], "piece": "camel"}).label
    '5x6 without a1, b1, camel, open'
    """
    if not isinstance(value, Mapping) or "rows" not in value:
        raise expected("a problem with rows and columns", value)
    if strange := [key for key in value if key not in KEYS]:
        raise expected(f"of a problem {', '.join(KEYS)}", strange[0])
    rows, columns = value["rows"], value.get("columns")
    if type(rows) is int and type(columns) is int and min(rows, columns) > 0:
        check_size(rows, columns)
    return parse_problem(value, prefix="--")


def text_document(text: object) -> dict[str, Any]:
    r"""Read a pasted text: a drawn board, a tour and its board, or a board in JSON.

    Raises
    ------
    InputError
        If it is none of these.

    Examples
    --------
    >>> document = text_document("1 . .\n. # .\n. . .")
    >>> document["problem"]["missing"], document["problem"]["given"], document["tour"]
    (['b2'], [['a3', 1]], None)
    """
    from kt_cp.formats.drawing import read_drawing
    from kt_cp.formats.read import Claim, read_tour
    from kt_cp.formats.read import read_problem as read_problem_file

    if not isinstance(text, str):
        raise expected("a text", text)
    try:
        board, given, options, _ = read_drawing(text)
        check_size(*sides_of(board))
        return {"problem": problem_document(Problem(board, given=given, **options)), "tour": None}
    except InputError as wrong:
        try:
            claim = read_tour(text)
        except InputError:
            request = read_problem_file(text.encode("utf-8", "surrogatepass"))
            if request is None:
                raise wrong from None
            claim = Claim((), problem=request)
    squares = list(claim.squares)
    request = claim.problem
    if request is None:
        rows, columns = (1 + max(square[side] for square in squares) for side in (0, 1))
        request = Problem(claim.board or Board(rows, columns))
    check_size(*sides_of(request.board))
    named = [describe(each) for each in squares] or None
    return {"problem": problem_document(request), "tour": named}


def tour_of(problem: Problem, value: object) -> list[str]:
    """Return a claimed tour: at most as many names as the problem has squares."""
    if not isinstance(value, list) or len(value) > problem.size:
        raise expected(f"a tour of at most {problem.size:,} squares", value)
    return [text({"tour": name}, "tour", "") or "" for name in value]


def sides_of(board: Board | None) -> tuple[int, int]:
    """Return the rows and columns of a board; raise for a graph."""
    if board is None:
        raise InputError("expected a board, got a graph")
    return board.rows, board.columns


def check_size(rows: int, columns: int) -> None:
    """Raise for a board that is too large for the page."""
    if rows * columns > MOST_SQUARES:
        raise TooLargeError(
            f"expected a board of at most {MOST_SQUARES:,} squares, got {rows}x{columns}"
        )


def texts(body: Body, key: str, most: int = MOST_NAMES) -> list[str]:
    """Return a list of names."""
    values = body.get(key)
    if not isinstance(values, list) or not 1 <= len(values) <= most:
        raise expected(f"{key}: a list of names", values)
    return [str(text({key: value}, key, "")) for value in values]


def text(body: Body, key: str, usual: str | None) -> str | None:
    """Return a short text, or its default."""
    value = body.get(key)
    if value is None:
        return usual
    if not isinstance(value, str) or len(value) > 100 or not value.isprintable():
        raise expected(f"{key} as a text", value)
    return value


def whole(body: Body, key: str, usual: int | None, least: int, most: int) -> int | None:
    """Return a whole number within bounds, or its default."""
    value = body.get(key)
    if value is None:
        return usual
    if type(value) is not int or not least <= value <= most:
        raise expected(f"{key} from {least} to {most:,}", value)
    return value


def seconds_of(body: Body, key: str, usual: float | None) -> float | None:
    """Return a time limit, cut to the longest one."""
    value = body.get(key)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise expected("a time limit above 0", value)
    return min(float(value), MOST_SECONDS)


def expected(what: str, actual: object) -> InputError:
    """Return the error for an unexpected value."""
    return InputError(f"expected {what}, got {shorten(repr(actual)[:200])}")


SECONDS = 60.0
"""Default time limit of a search."""

MEGABYTES = 2000.0
"""Memory limit of a search."""

MOST_RUNS = 200
"""Most runs of a comparison."""

FILMS = ("gif", "mp4")
"""Formats in which a tour is saved as an animation."""

PICTURES = ("svg", "png", "pdf", "json", "text", "npy", *FILMS)
"""Formats in which a board and a tour on it are saved."""

PICTURE, MEASURES = "picture", "measures"
"""The kinds of requests that are answered at once, outside the stream."""

MOST_SHOWN = 200
"""Most tours of a sample, or classes of a gallery."""

DIGITS = 4_000
"""Most digits of a tour's number, as on the command line."""

GRADES = ("easy", "medium", "hard", "expert")
MOST_SEED = 2**31 - 1

Question = dict[str, Any]


@cache
def list_choices() -> dict[str, Any]:
    """Return the choices of the page; cached, as every page requests them first."""
    from kt_cp.engines import engine_names, get_engine
    from kt_cp.model.plugins import load_all
    from kt_cp.optimization import OBJECTIVES
    from kt_cp.render.film import film_formats
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
        "films": list(film_formats()),
        "objectives": [{"name": name, "label": objective_label(name)} for name in OBJECTIVES],
    }


_LABELS = {
    "longest": "longest path or cycle",
    "longest-uncrossed": "longest path or cycle without crossings",
    "path-cover": "fewest paths that visit every square",
}


def objective_label(objective: str) -> str:
    """Return an objective in words.

    Examples
    --------
    >>> objective_label("fewest-straight"), objective_label("least-weight")
    ('fewest squares without a turn', 'least weight')
    """
    sense, _, measure = objective.partition("-")
    if sense in ("fewest", "most"):
        return f"{sense} {describe_value(objective, 2).removeprefix('2 ')}"
    return _LABELS.get(objective, f"{sense} {measure}")


def refused_objectives(value: object) -> dict[str, str]:
    """Return the objectives that do not fit a problem in JSON, with the reasons.

    Examples
    --------
    >>> refused_objectives({"rows": 6, "columns": 6, "closed": True})["path-cover"]
    'path-cover is for open paths: expected no --closed'
    """
    from kt_cp.optimization import OBJECTIVES, check_objective

    refused = {}
    try:
        problem = read_problem(value)
    except InputError as error:
        return dict.fromkeys(OBJECTIVES, str(error))
    for name in OBJECTIVES:
        try:
            check_objective(name, problem)
        except InputError as error:
            refused[name] = str(error)
    return refused


def read_request(kind: object, body: Body) -> Question:
    """Return the fields of a request, each of its type and within bounds.

    Raises
    ------
    InputError
        If a value has another type, or is out of bounds.

    Examples
    --------
    >>> values = read_request("solve", {"problem": {"rows": 3, "columns": 4}, "engine": "sat"})
    >>> values["problem"].label, values["engine"], values["seconds"]
    ('3x4, open', 'sat', 60.0)
    """
    if not isinstance(kind, str) or kind not in _MORE:
        raise expected(f"a kind, one of {', '.join(_MORE)}", kind)
    seconds = seconds_of(body, "time_limit", None)
    request = {
        "problem": None if kind in ("compare", "check") else read_problem(body.get("problem")),
        "seed": whole(body, "seed", 0, 0, MOST_SEED),
        "time_limit": seconds,
        "seconds": seconds or SECONDS,
        "megabytes": MEGABYTES,
    }
    return request | _MORE[kind](body, request)


def _optimize(body: Body, request: Question) -> Question:
    from kt_cp.optimization import check_objective

    objective = text(body, "objective", "fewest-turns")
    check_objective(objective, request["problem"])
    return {"objective": objective}


def _source(body: Body, _: Question) -> Question:
    from kt_cp.sources.registry import find_source

    return {"source": find_source(str(text(body, "source", "002"))).number}


def _puzzle(body: Body, request: Question) -> Question:
    return {
        "grade": text(body, "grade", None),
        "clues": whole(body, "clues", None, 1, request["problem"].size),
        "clues_symmetry": text(body, "clues_symmetry", None),
    }


def _hint(body: Body, request: Question) -> Question:
    entered, most = body.get("entered") or {}, request["problem"].size
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
    # Certificates of a "no" are searched for after the runs, and take a run's time at most.
    whole = min(MOST_SECONDS, runs * (each + 2) + len(boards) * 2 * (each + 2))
    return {
        "boards": boards,
        "engines": engines,
        "kinds": kinds,
        "run_seconds": each,
        "seconds": whole,
    }


def _unrank(body: Body, _: Question) -> Question:
    number = str(body.get("number", "")).replace(",", "")
    if not re.fullmatch(rf"[0-9]{{1,{DIGITS}}}", number):
        raise expected("the number of a tour, from 0", body.get("number"))
    return {"number": int(number)}


def _picture(body: Body, request: Question) -> Question:
    tour, shape = body.get("tour"), text(body, "format", "svg")
    if shape not in PICTURES:
        raise expected(f"a format, one of {', '.join(PICTURES)}", shape)
    named = None if tour is None else tour_of(request["problem"], tour)
    grade, both = text(body, "grade", None), body.get("both") is True
    if grade is not None and (grade not in GRADES or named is None or shape != "pdf"):
        raise expected(f"a grade, one of {', '.join(GRADES)}, of a puzzle's sheet as pdf", grade)
    return {"tour": named, "format": shape, "grade": grade, "both": both}


def _measures(body: Body, request: Question) -> Question:
    measure = text(body, "measure", None)
    if measure is not None and measure not in MEASURES_OF_TOURS:
        raise expected(f"a measure, one of {', '.join(MEASURES_OF_TOURS)}", measure)
    return {"tour": tour_of(request["problem"], body.get("tour")), "measure": measure}


def _check(body: Body, _: Question) -> Question:
    certificate = body.get("certificate")
    if not isinstance(certificate, Mapping):
        raise expected("a certificate", certificate)
    return {"certificate": certificate}


def _many(body: Body, _: Question) -> Question:
    return {"many": whole(body, "many", 12, 1, MOST_SHOWN)}


_MORE: dict[str, Callable[[Body, Question], Question]] = {
    "solve": lambda body, _: {"engine": text(body, "engine", "auto")},
    "optimize": _optimize,
    "prove": lambda body, _: {"evidence": text(body, "evidence", None)},
    "source": _source,
    "puzzle": _puzzle,
    "hint": _hint,
    "compare": _compare,
    "count": lambda body, _: {"classes": body.get("classes") is True},
    "unrank": _unrank,
    "rank": lambda body, request: {"tour": tour_of(request["problem"], body.get("tour"))},
    "sample": _many,
    "classes": _many,
    "check": _check,
    PICTURE: _picture,
    MEASURES: _measures,
}
"""The fields of each kind beside the problem, a seed and a time limit."""
