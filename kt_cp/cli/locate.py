"""``kt-cp locate``: one square or one step of a tour of a board of any size."""

from __future__ import annotations

import json as jsonlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.options import Json, Seed
from kt_cp.cli.output import OF_VERDICT, remark, say, show
from kt_cp.cli.parts import OnBoard, read
from kt_cp.cli.question import Question, asks
from kt_cp.formats.write import SCHEMA_VERSION
from kt_cp.model.board import Square, square_name
from kt_cp.model.conditions import ENDS
from kt_cp.model.document import problem_document
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.outcome import Outcome, Verdict

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem

JUDGED = "judged at this step and its neighbours"


@asks()
def command(
    question: Question,
    *,
    step: Annotated[
        int | None, typer.Option(metavar="N", help="Which square is visited at step N, from 1")
    ] = None,
    square: Annotated[
        str | None,
        typer.Option(metavar="SQUARE", help="At which step this one is, such as c7 or 7,3"),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Say where one step of a constructed tour leads, or when a square is visited.

    The tour is that of kt-cp solve --engine construct, of the same seed. None of it is laid out,
    so the board may be of any size. Exits with 0 for an answer, 1 if there is no tour, 3 if none is
    constructed.
    """
    from kt_cp.trust.crosscheck import judge_places

    if (step is None) == (square is None):
        came = "neither" if step is None else "both"
        raise InputError(f"expected either --step N or --square SQUARE, got {came}")
    problem = question.problem_on_board()
    asked = read(OnBoard().square, square, "square")
    if asked is not None and not problem.has_square(asked):
        raise InputError(f"--square: expected a square of the {problem.board} board, got {square}")
    if step is not None and not 1 <= step <= problem.size:
        raise InputError(f"--step: expected a step from 1 to {problem.size}, got {step}")
    outcome = _outcome(problem, seed)
    found = None
    if outcome.tour is not None:
        place = outcome.tour.step(asked) if step is None else step
        found = place, outcome.tour.square(place)
        judge_places(outcome, [place])
    if json:
        show(jsonlib.dumps(_document(outcome, found), indent=2) + "\n")
    elif found is not None:
        place, here = found
        show(f"step {place} of {problem.size}: {_both(here)}\n")
        remark(f"{problem.label}: FOUND by {outcome.engine}; {JUDGED}")
    elif outcome.verdict is Verdict.IMPOSSIBLE:
        say(f"No tour ({problem.label}): {outcome.reason}.\n")
    if outcome.verdict is Verdict.UNKNOWN:
        remark(f"kt-cp: unknown where it is: {outcome.reason}")
    return OF_VERDICT[outcome.verdict]


def _outcome(problem: Problem, seed: int) -> Outcome:
    """A constructed tour, or whatever the other engines say where nothing is constructed."""
    from kt_cp.engines import construct, solve
    from kt_cp.engines.engine import proved
    from kt_cp.engines.run import run
    from kt_cp.model.limits import MOST_SQUARES, Limits
    from kt_cp.proofs.obstructions import obstruction

    small = problem.size <= MOST_SQUARES
    others = sorted({each.words for each in problem.conditions if type(each) not in ENDS})
    if others and not small:
        raise NotTakenError(
            f"{problem.label}: expected no {' and no '.join(others)} on a board of more than "
            f"{MOST_SQUARES:,} squares"
        )
    if not others:
        outcome = run(construct.NAME, problem, limits=Limits(), seed=seed)
        if outcome.verdict is not Verdict.UNKNOWN:
            return outcome
        why = obstruction(problem)
        if why is not None:
            return proved("auto", problem, why, {}, seed)
    return solve(problem, seed=seed) if small else outcome


def _document(outcome: Outcome, found: tuple[int, Square] | None) -> dict[str, Any]:
    step, square = found or (None, None)
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": problem_document(outcome.problem),
        "verdict": outcome.verdict.value,
        "reason": outcome.reason,
        "step": step,
        "steps": outcome.problem.size,
        "square": None if square is None else square_name(square),
        "rank_file": None if square is None else [square[0] + 1, square[1] + 1],
        "engine": outcome.engine,
        "remarks": {} if found is None else {"verified": JUDGED},
    }


def _both(square: Square) -> str:
    """A square by its name and by numbers, which enormous boards are easier to read by."""
    row, column = square
    return f"{square_name(square)} (rank {row + 1}, file {column + 1})"
