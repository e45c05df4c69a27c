"""Puzzles and hints, as a page asks for them."""

from __future__ import annotations

import json
import time

from kt_cp.model.errors import EndedError
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.web.asks import Asked, outcome_event
from kt_cp.web.said import command, python
from kt_cp.web.watch import Emit, Watch


def puzzle(problem: Problem, asked: Asked, emit: Emit) -> None:
    """A puzzle with a single solution, drawn, and the certificate that it is the only one."""
    from kt_cp.formats.table import Format
    from kt_cp.model.limits import Limits
    from kt_cp.proofs.complete import certify_list
    from kt_cp.puzzles import NoPuzzleError, make_puzzle
    from kt_cp.puzzles.output import puzzle_rule, render_puzzles

    began, clock = time.perf_counter(), Limits(asked["seconds"]).clock()
    wanted = {name: asked[name] for name in ("grade", "clues", "seed")}
    motion, watch = asked["clues_symmetry"], Watch(problem, emit)
    try:
        made = make_puzzle(
            problem, symmetry=motion, time_limit=clock.left, progress=watch, **wanted
        )
    except NoPuzzleError as error:
        if error.outcome is not None and error.outcome.verdict is Verdict.IMPOSSIBLE:
            emit(outcome_event(error.outcome, time.perf_counter() - began))
            return
        raise EndedError(str(error)) from None
    wanted["seed"] = made.seed
    told = {
        "puzzle": json.loads(made.to_json()),
        "method": made.grade.method,
        "rule": puzzle_rule(made),
        "clues": made.clues,
        "svg": render_puzzles([made], Format.SVG),
        "solution_svg": render_puzzles([made], Format.SVG, solved=True),
        "command": command("puzzle", problem, clues_symmetry=motion, **wanted),
        "python": python("make_puzzle", problem, symmetry=motion, **wanted),
    }
    emit({"event": "puzzle", **told})  # whoever plays begins before it is certified
    emit({"event": "progress", "text": "certifying that it is the only solution", "fraction": None})
    found = certify_list(made.problem, [made.tour])
    told["certificate"] = None if found is None else found.document
    emit({"event": "outcome", **told, "seconds": round(time.perf_counter() - began, 4)})


def hint(problem: Problem, asked: Asked, emit: Emit) -> None:
    """The next step of a puzzle, and why."""
    from kt_cp.puzzles.hints import hint

    emit({"event": "outcome", "hint": hint(problem, asked["entered"]).document()})
