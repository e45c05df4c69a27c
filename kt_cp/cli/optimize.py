"""``kt-cp optimize``: the best tour, path or cover by paths, with a proof that none is better."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kt_cp.cli.deadline import Deadline
from kt_cp.cli.options import (
    Force,
    Json,
    Output,
    Seed,
    TimeLimit,
    Workers,
    check_output_files,
    complete_from,
    format_of,
    format_option,
)
from kt_cp.cli.output import (
    FOUND,
    INTERRUPTED,
    NO,
    UNKNOWN,
    Destination,
    destination,
    print_text,
    read_bytes,
    remark,
    search_progress,
    shorten_path,
)
from kt_cp.cli.problem_options import ProblemOptions, with_problem_options
from kt_cp.cli.tour_output import check_fits, write_outcome
from kt_cp.formats.read import line_of_names
from kt_cp.formats.table import Format, Subject, default_format
from kt_cp.formats.write import SCHEMA_VERSION, convert_picture
from kt_cp.model.errors import InputError
from kt_cp.model.outcome import Checks, Outcome, Verdict
from kt_cp.model.request import Request

if TYPE_CHECKING:
    from typing import Any

    from kt_cp.optimization import Optimum


@with_problem_options()
def optimize_command(
    question: ProblemOptions,
    *,
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="fewest- or most- followed by turns, straight, right-angles, acute-angles,"
            " obtuse-angles, direction, steep, run, crossings, uncrossed-moves, magic-ranks or"
            " magic-files; longest, longest-uncrossed, path-cover or least-weight",
            show_default=False,
            autocompletion=complete_from(lambda: import_module("kt_cp.optimization").OBJECTIVES),
        ),
    ],
    weight: Annotated[
        str, typer.Option(metavar="NAME", help="Attribute of edges that least-weight adds up")
    ] = "weight",
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Solver that searches: cpsat or maxsat")
    ] = "cpsat",
    time_limit: TimeLimit = None,
    workers: Workers = None,
    seed: Seed = 0,
    format: Annotated[
        Format | None, format_option(Subject.TOUR, "Default: grid, or by the suffix of FILE")
    ] = None,
    json: Json = False,
    output: Output = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate of the bound to FILE")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="ANSWER", help="Begin with the tour and the proof of an earlier answer in JSON"
        ),
    ] = None,
    force: Force = False,
) -> int:
    """Find the best tour, path or cover by paths, and prove that none is better.

    turns: squares where the direction changes. straight: squares where it does not. right-angles,
    acute-angles and obtuse-angles: squares where the two moves form such an angle. steep: moves
    that change the rank by more than the file. direction: moves in the most frequent direction,
    forwards or backwards.

    longest: the path, or with --closed the cycle, with the most squares. path-cover: the fewest
    paths that visit every square once. least-weight: the tour of a graph with the least total
    weight.

    Boards of more than 400 squares are searched locally, from tours of long parallel lines.

    crossings: pairs of moves that cross. longest-uncrossed: the path or cycle with the most moves
    that does not cross itself. Two sweeps over the board find these: crossings if its shorter side
    has at most about six squares, uncrossed paths up to 8x8, and uncrossed cycles up to 9x9. On
    larger boards, windows of the board show a bound of crossings. There is no certificate.

    run: moves in the longest straight run. uncrossed-moves: moves that no other crosses.
    magic-ranks and magic-files: ranks and files whose steps add up to the average. CP-SAT claims
    the bound for these and for fewest-direction. There is no certificate.

    A JSON file contains the tour, its value, the bound and a certificate; kt-cp check reads it.

    Exits with 0 if the value and the bound are equal, 1 if there is no tour, 3 if a limit leaves
    a gap. The best tour is written even then. --resume continues from such an answer in JSON, with
    the same board and options.
    """
    from kt_cp.optimization import check_objective, optimize_request

    check_output_files(output, certificate=certificate)
    question = replace(question, weights=True)
    if question.lines is not None:
        raise InputError("optimize is for one board or graph, got a file with several graphs")
    with Deadline(time_limit) as deadline:
        problem = question.problem()
        check_objective(objective, problem)
        earlier = None if resume is None else _read_answer(resume)
        usual = Format.NAMES if objective == "path-cover" else default_format(problem)
        shape = format_of(format, json, output, Subject.TOUR, usual)
        pictures = (Format.SVG, Format.PNG, Format.PDF)
        if objective == "path-cover" and shape not in (Format.NAMES, Format.JSON, *pictures):
            raise InputError(f"path-cover writes names, json or a picture, got {shape}")
        check_fits(problem, shape, output, None)
        with (
            destination(output, force=force) as file,
            destination(certificate, force=force) as certificate_file,
        ):
            with search_progress(f"{problem.label}, {objective}", time_limit) as progress:
                limits = deadline.limits(workers=workers)
                request = Request.begin(problem, limits, seed=seed, progress=progress)
                best = optimize_request(request, objective, weight, engine, earlier)
                deadline.lift()
            if certificate is not None and best.certificate is not None:
                certificate_file.write(best.certificate.to_json())
            _write(file, best, shape, output)
    _report(best, certificate, is_json=shape is Format.JSON and output is None)
    if not best:
        return NO if best.verdict is Verdict.IMPOSSIBLE else UNKNOWN
    if best.limit == "interrupted":
        return INTERRUPTED
    return FOUND if best.has_no_gap else UNKNOWN


def _read_answer(path: Path) -> Any:
    """Return the JSON of an earlier answer."""
    data = read_bytes(path, "an answer")
    try:
        return json_module.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"{shorten_path(path)}: expected an answer of optimize in JSON") from None


def _write(file: Destination, best: Optimum, shape: Format, output: Path | None) -> None:
    if shape is Format.JSON:
        document = {"schema_version": SCHEMA_VERSION, **best.to_dict()}
        file.write(json_module.dumps(document, ensure_ascii=False) + "\n")
    elif best and shape in (Format.SVG, Format.PNG, Format.PDF):
        content = convert_picture(best.picture(), shape)
        file.write(content)
    elif best.paths is not None:
        file.write("".join(line_of_names(path.names) + "\n" for path in best.paths))
    elif best.tour is not None:
        outcome = Outcome(Verdict.FOUND, best.problem, "optimize", best.tour, checks=Checks(True))
        write_outcome(file, outcome, shape, output=output)


def _report(best: Optimum, certificate: Path | None, *, is_json: bool) -> None:
    label = best.problem.label
    if unit := best.statistics.get("weight_unit"):
        remark(f"kt-cp: weights are rounded to multiples of {unit:g}", always=True)
    if not best:
        if best.verdict is Verdict.IMPOSSIBLE and not is_json:
            print_text(f"No tour ({label}): {best.reason}.\n")
        elif best.verdict is not Verdict.IMPOSSIBLE:
            remark(f"kt-cp: unknown whether there is a tour: {best.reason}", always=True)
        return
    seconds = f"{best.statistics.get('seconds', 0.0):.3g} s"
    if runs := best.statistics.get("runs"):
        seconds += f" in {runs:.0f} runs"
    checked = "; the certificate was checked" if best.certificate is not None else ""
    remark(f"{label}: {best.summary}; {seconds}{checked}")
    if best.limit == "memory":
        remark("kt-cp: a sweep of this board needs more than 3 GB", always=True)
    if certificate is not None and best.certificate is None:
        remark(f"kt-cp: nothing was written to {certificate}: no certificate was found")
