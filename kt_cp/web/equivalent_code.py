"""The command line and the Python code that repeat a request of the page.

Options with their default value are omitted.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from kt_cp.formats.option_line import board_options, move_options
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.problem import Problem


def command_line(verb: str, problem: Problem, *more: object, **options: Any) -> str:
    """Return the equivalent command line.

    Examples
    --------
    >>> problem = Problem("5x6", closed=True, require=["a1-c2"], given={"d4": 3})
    >>> command_line("solve", problem, engine="sat", seed=0, time_limit=2.5)
    'kt-cp solve 5x6 --closed --require a1-c2 --given d4=3 --engine sat --time-limit 2.5'
    """
    words = ["kt-cp", verb, _sides(problem), *map(str, more)]
    words += ["--closed"] if problem.closed else []
    for name, value in _board_options(problem).items():
        words += [f"--{name}", value]
    fields = problem_document(problem)
    plain = {name: fields[name] for name in ("start", "end", "symmetry")}
    given = {"given": ",".join(f"{square}={step}" for square, step in fields["given"])}
    for name, value in {**plain, **move_options(problem), **given, **options}.items():
        if value is True:
            words += [f"--{name.replace('_', '-')}"]
        elif value:
            number = f"{value:g}" if isinstance(value, float) else str(value)
            words += [f"--{name.replace('_', '-')}", number]
    return shlex.join(words)


def python_call(function: str, problem: Problem, *more: Any, **options: Any) -> str:
    """Return the equivalent Python call.

    Examples
    --------
    >>> problem = Problem("5x6", piece="camel", start="a1", given={"d4": 3})
    >>> python_call("solve", problem, engine="sat", seed=0)
    "solve('5x6', piece='camel', start='a1', given={'d4': 3}, engine='sat')"
    """
    words = [
        repr(_sides(problem)),
        *map(repr, more),
        *_keyword_arguments({**_problem_options(problem), **options}),
    ]
    return f"{function}({', '.join(words)})"


def problem_call(problem: Problem) -> str:
    """Return the Python expression of a problem.

    Examples
    --------
    >>> problem_call(Problem("2x4", start="a1"))
    "Problem(Board(2, 4), start='a1')"
    """
    board, keywords = problem.board, _problem_options(problem)
    assert board is not None
    of_board = [
        *_keyword_arguments({name: keywords.pop(name, None) for name in ("missing", "surface")})
    ]
    made = ", ".join([str(board.rows), str(board.columns), *of_board])
    return f"Problem({', '.join([f'Board({made})', *_keyword_arguments(keywords)])})"


def _problem_options(problem: Problem) -> dict[str, Any]:
    """Return the keywords of a problem beside the sides of its board."""
    fields = problem_document(problem)
    return {
        "closed": problem.closed,
        **_board_options(problem),
        **{name: fields[name] for name in ("start", "end", "symmetry")},
        **{name: ["-".join(move) for move in fields[name]] for name in ("require", "forbid")},
        "given": dict(fields["given"]),
    }


def _keyword_arguments(keywords: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in keywords.items() if value]


def _sides(problem: Problem) -> str:
    assert problem.board is not None
    return f"{problem.board.rows}x{problem.board.columns}"


def _board_options(problem: Problem) -> dict[str, str]:
    """Return the keywords of board and piece beside the sides."""
    assert problem.board is not None
    missing = ",".join(map(square_name, sorted(problem.board.missing)))
    return {**({"missing": missing} if missing else {}), **board_options(problem)}
