"""``kt-cp puzzle``: boards with given numbers that exactly one tour has."""

from __future__ import annotations

import secrets
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    SEEDS,
    Executor,
    Force,
    Json,
    Output,
    TimeLimit,
    check_output_files,
    complete_from,
    expect_processes,
    format_of,
    format_option,
)
from kt_cp.cli.output import FOUND, NO, UNKNOWN, destination, remark, search_progress
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import report_outcome
from kt_cp.formats.table import Format, Subject
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import InputError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Verdict
from kt_cp.model.terms import counted
from kt_cp.processes.memory import NUMBA_BYTES, require_memory

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem
    from kt_cp.puzzles import NoPuzzleError, Puzzle

GRADES = ("easy", "medium", "hard", "expert")
"""Listed here so that the help does not load the generator."""


@with_problem_options(but="symmetry")
def puzzle_command(
    question: ProblemOptions,
    *,
    seed: Annotated[
        int | None,
        typer.Option(
            **SEEDS,
            help="The same seed gives the same puzzle. Default: a new seed, which is printed",
            show_default=False,
        ),
    ] = None,
    clues: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="How many numbers to give; by default, as few as a single solution needs",
        ),
    ] = None,
    clues_symmetry: Annotated[
        str | None,
        typer.Option(
            metavar="MOTION",
            help=f"Symmetry of the places of the numbers: {', '.join(MOTIONS)}",
            autocompletion=complete_from(lambda: MOTIONS),
        ),
    ] = None,
    grade: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Grade: {', '.join(GRADES[:-1])} or {GRADES[-1]}; seeds are tried in turn",
            autocompletion=complete_from(lambda: GRADES),
        ),
    ] = None,
    number: Annotated[
        int,
        typer.Option(metavar="K", min=1, max=1000, help="How many puzzles, with consecutive seeds"),
    ] = 1,
    time_limit: TimeLimit = None,
    executor: Executor = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for the result of each seed: the same command, started again, reuses them."
            " Needs --seed, and runs in processes unless --executor names something else",
        ),
    ] = None,
    format: Annotated[
        Format | None, format_option(Subject.PUZZLE, "Default: txt, or by the suffix of FILE")
    ] = None,
    json: Json = False,
    output: Output = None,
    solution: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the solutions to FILE")
    ] = None,
    force: Force = False,
) -> int:
    """Make puzzles: boards with given numbers that exactly one tour has.

    No number can be left out unless you request more. kt-cp solve reads the output. Easy puzzles
    need single forced moves, medium ones narrowing, hard ones looking ahead, and expert ones a
    search; easy and medium ones have the extra numbers that this requires. A picture of several
    puzzles has sheets to print, with the solutions at the end or in their own file.

    Exits with 0 for puzzles, 1 if there is no tour, 3 if none was made within the limits.
    """
    check_output_files(output, solution=solution)
    shape = format_of(format, json, output, Subject.PUZZLE, Format.DRAWING)
    solved = format_of(None, False, solution, Subject.PUZZLE, Format.DRAWING)
    if solved is Format.JSON:
        raise InputError(
            "--solution: expected .txt or a picture: the JSON of a puzzle has its tour"
        )
    expect_processes(executor)
    if store is not None and seed is None:
        raise InputError("--store: expected a --seed as well, from which its seeds are counted")
    executor = executor or (None if store is None else "processes")
    problem = question.problem_on_board()
    first = secrets.randbelow(10**6) if seed is None else seed
    require_memory(NUMBA_BYTES, "Numba")
    from kt_cp.processes.executors import open_executor
    from kt_cp.puzzles import NoPuzzleError
    from kt_cp.puzzles.output import render_puzzles

    with (
        Deadline(time_limit),
        destination(output, force=force) as place,
        destination(solution, force=force) as solution_file,
    ):
        made: list[Puzzle] = []
        clock = Limits(time_limit).clock()
        requirements: dict[str, Any] = {"clues": clues, "symmetry": clues_symmetry, "grade": grade}
        try:
            # No process is started before it has work, which small boards never have.
            with (
                open_executor(executor or "processes") as pool,
                search_progress(problem.label, time_limit) as progress,
            ):
                from kt_cp.puzzles.generator import make_puzzle, make_puzzles
                from kt_cp.puzzles.generator import open_store as kept_in

                if executor is not None and pool is not None:
                    options = {"time_limit": time_limit, **requirements}
                    with (
                        kept_in(store, problem, first, **requirements) as seeds,
                        closing(
                            make_puzzles(pool, problem, seed=first, store=seeds, **options)
                        ) as each,
                    ):
                        for puzzle in islice(each, number):
                            made.append(puzzle)  # one by one: the next may fail
                while len(made) < number:
                    if clock.expired():
                        raise NoPuzzleError(f"the time limit of {time_limit:g} s was reached")
                    seed = made[-1].seed + 1 if made else first
                    made.append(
                        make_puzzle(
                            problem,
                            seed=seed,
                            time_limit=clock.left,
                            progress=progress,
                            executor=pool,
                            **requirements,
                        )
                    )
        except NoPuzzleError as error:
            return _report_failure(error, problem, shape, made, number, first)
        text = render_puzzles(made, shape, both=solution is None and len(made) > 1)
        place.write(text)
        if solution is not None:
            solution_file.write(render_puzzles(made, solved, solved=True))
    needed = ""
    if clues is None:
        which = "no clue" if clues_symmetry is None else "no clue with its images"
        harder = " without making it harder" if grade in GRADES[:2] else ""
        needed = f", and {which} can be left out{harder}"
    for puzzle in made:
        remark(_describe(puzzle, needed))
    return FOUND


def _report_failure(
    error: NoPuzzleError,
    problem: Problem,
    shape: Format,
    made: list[Puzzle],
    number: int,
    first: int,
) -> int:
    """Report why there is no puzzle."""
    outcome = error.outcome
    if outcome is not None and outcome.verdict is Verdict.IMPOSSIBLE:
        if shape is Format.JSON:
            from kt_cp.cli.output import print_result
            from kt_cp.formats.write import outcome_json

            print_result(outcome_json(outcome) + "\n")
        report_outcome(outcome, answered=shape is Format.JSON)
        return NO
    so_far = f", {len(made)} of {number} puzzles made" if made else ""
    remark(f"kt-cp: no puzzle ({problem.label}, from seed {first}): {error}{so_far}", always=True)
    return UNKNOWN


def _describe(puzzle: Puzzle, needed: str) -> str:
    """Describe a puzzle in a line."""
    summary = f"{puzzle.base_problem.label}: {counted(puzzle.clues, 'clue')}, {puzzle.grade}"
    summary += f" ({puzzle.grade.method}), seed {puzzle.seed}; one solution"
    if puzzle.needless:
        many = counted(len(puzzle.needless), "clue")
        return f"{summary}, and of {many} it was not found out whether they are needed"
    return summary + needed
