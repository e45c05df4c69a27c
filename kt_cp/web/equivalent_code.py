"""A question as the command line and Python have it, so that what a page shows can be asked there.

What is usual is left out.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.piece import KNIGHT, NAMED
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface


def command_line(verb: str, problem: Problem, *more: object, **options: Any) -> str:
    """The line that asks for the same.

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
    told = problem_document(problem)
    lists = {
        "require": ["-".join(move) for move in told["require"]],
        "forbid": ["-".join(move) for move in told["forbid"]],
        "given": [f"{square}={step}" for square, step in told["given"]],
    }
    plain = {name: told[name] for name in ("start", "end", "symmetry")}
    joined = {name: ",".join(parts) for name, parts in lists.items()}
    for name, value in {**plain, **joined, **options}.items():
        if value is True:
            words += [f"--{name.replace('_', '-')}"]
        elif value:
            number = f"{value:g}" if isinstance(value, float) else str(value)
            words += [f"--{name.replace('_', '-')}", number]
    return shlex.join(words)


def python_call(function: str, problem: Problem, *more: Any, **options: Any) -> str:
    """The call that asks for the same.

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
    """The call that makes the problem.

    Examples
    --------
    >>> problem_call(Problem("2x4", start="a1"))
    "Problem(Board(2, 4), start='a1')"
    """
    board, said = problem.board, _problem_options(problem)
    assert board is not None
    of_board = [
        *_keyword_arguments({name: said.pop(name, None) for name in ("missing", "surface")})
    ]
    made = ", ".join([str(board.rows), str(board.columns), *of_board])
    return f"Problem({', '.join([f'Board({made})', *_keyword_arguments(said)])})"


def _problem_options(problem: Problem) -> dict[str, Any]:
    """What is said of a problem beside the sides of its board."""
    told = problem_document(problem)
    return {
        "closed": problem.closed,
        **_board_options(problem),
        **{name: told[name] for name in ("start", "end", "symmetry")},
        **{name: ["-".join(move) for move in told[name]] for name in ("require", "forbid")},
        "given": dict(told["given"]),
    }


def _keyword_arguments(said: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in said.items() if value]


def _sides(problem: Problem) -> str:
    assert problem.board is not None
    return f"{problem.board.rows}x{problem.board.columns}"


def _board_options(problem: Problem) -> dict[str, str]:
    """What is said of board and piece beside the sides."""
    board, piece, said = problem.board, problem.piece, {}
    assert board is not None
    if board.missing:
        said["missing"] = ",".join(map(square_name, sorted(board.missing)))
    if piece != KNIGHT:
        leaps = "+".join(f"{a},{b}" for a, b in piece.leaps)
        said["piece"] = piece.name if piece.name in NAMED else leaps
    if board.surface is not Surface.PLANE:
        said["surface"] = str(board.surface)
    return said
