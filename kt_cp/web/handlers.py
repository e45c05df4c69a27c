"""Handlers of the page's requests, one for each kind; each runs in a child process.

A handler takes the problem, the rest of the request, and a callable that receives events.  Its last
event is ``outcome``, or it raises the error of the Python function.

Numbers of tours are sent as text: they are too large for a browser's floating-point numbers.
Arguments of certificates are sent step by step, each with its squares.  The recursion of a source
program is sent step by step at first; after ``RECORDED`` steps it runs at full speed, and its
current walk is sent a few times a second.  Source 004 lists all tours; the first one is its answer
here.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from kt_cp.formats.table import Format, check_size
from kt_cp.formats.write import SCHEMA_VERSION, describe_checks, describe_proof, outcome_document
from kt_cp.model.board import square_name
from kt_cp.model.document import problem_document
from kt_cp.model.errors import EndedError, InputError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate, Checks, EvidenceKind, Outcome, Verdict
from kt_cp.model.problem import Problem, changed
from kt_cp.model.request import Request
from kt_cp.model.terms import counted
from kt_cp.processes.worker import interruptible
from kt_cp.web.equivalent_code import command_line, problem_call, python_call
from kt_cp.web.progress import (
    EVERY_SECONDS,
    STEPS_IN_EVENT,
    Emit,
    Event,
    ProgressReporter,
    steps_event,
)
from kt_cp.web.request_schema import FILMS, MOST_SEED

if TYPE_CHECKING:
    from kt_cp.compare.run import Run as ComparedRun
    from kt_cp.counting.tour_numbering import Numbering
    from kt_cp.model.tour import Tour
    from kt_cp.processes.isolate import Ended
    from kt_cp.trust.reference import Run


Question = Mapping[str, Any]

DRAWN = 2_500
"""Squares of a board whose argument is drawn step by step."""


def load_libraries(emit: object) -> None:  # noqa: ARG001
    """Load the libraries that most requests need."""
    import kt_cp.proofs.certify
    import kt_cp.render.highlights  # noqa: F401
    from kt_cp.engines import solve

    solve(Problem("4x4", closed=True))


def load_compiled_code(emit: object) -> None:  # noqa: ARG001
    """Load compiled code as well, which takes as long again."""
    from kt_cp.trust.reference import Run

    Run(Problem("3x3"), (0, 0)).advance(1)


def answer(kind: str, request: Question, *, emit: Emit) -> None:
    """Answer a request, and emit events on the way."""
    HANDLERS[kind](request["problem"], request, emit)


def handle_solve(problem: Problem, request: Question, emit: Emit) -> None:
    """Run an engine."""
    from kt_cp.engines import solve

    _run_engine(solve, problem, {"engine": request["engine"]}, request, emit)


def handle_prove(problem: Problem, request: Question, emit: Emit) -> None:
    """Search for a certificate that there is no tour."""
    from kt_cp.engines.prove import prove

    _run_engine(prove, problem, {"evidence": request["evidence"]}, request, emit)


def _run_engine(
    function: Callable[..., Outcome], problem: Problem, how: Question, request: Question, emit: Emit
) -> None:
    began = time.perf_counter()
    how = {**how, "seed": request["seed"]}
    outcome = function(
        problem, **how, time_limit=request["seconds"], progress=ProgressReporter(problem, emit)
    )
    options = {name: value for name, value in how.items() if value != "auto"}
    options["time_limit"] = request["time_limit"]
    name = function.__name__
    code = {
        "command": command_line(name, problem, **options),
        "python": python_call(name, problem, **options),
    }
    emit(outcome_event(outcome, time.perf_counter() - began, **code))


def handle_optimize(problem: Problem, request: Question, emit: Emit) -> None:
    """Find the best tour; an interrupt ends the search with the best so far."""
    with interruptible():
        from kt_cp.optimization import optimize_request
        from kt_cp.optimization.crossings import SWEPT

        began = time.perf_counter()
        megabytes = request["megabytes"] if request["objective"] in SWEPT else None
        search = Request.begin(
            problem,
            Limits(request["seconds"], megabytes),
            seed=request["seed"],
            progress=ProgressReporter(problem, emit),
        )
        best = optimize_request(search, request["objective"])
    objective, certificate = best.objective, best.certificate
    options = {name: request[name] for name in ("seed", "time_limit")}
    drawn = _draw_argument(None if best else certificate, problem.size)
    if best and problem.size <= DRAWN:
        drawn["svg"] = best.picture()
    emit(
        {
            "event": "outcome",
            "optimum": {"schema_version": SCHEMA_VERSION, **best.to_dict()},
            "summary": best.summary,
            "seconds": round(time.perf_counter() - began, 4),
            "command": command_line("optimize", problem, objective=objective, **options),
            "python": python_call("optimize", problem, objective, **options),
            **drawn,
        }
    )


def handle_measures(problem: Problem, request: Question, emit: Emit) -> None:
    """Measure a tour, and return the items that one of its measures counts."""
    tour, measure = problem.tour(request["tour"]), request["measure"]
    counted = {} if measure is None or tour.size > DRAWN else _counted(tour, measure)
    emit({"event": "measures", "measures": tour.measures(), "counted": counted})


def _counted(tour: Tour, measure: str) -> dict[str, Any]:
    """Return the items of a measure: squares, moves, or points from the top left corner."""
    from kt_cp.model.measures import MOVES, SQUARES, counted_moves, counted_squares
    from kt_cp.render.optimum import crossing_points

    if measure in SQUARES:
        return {"squares": [*map(square_name, counted_squares(tour, measure))]}
    if measure in MOVES:
        moves = counted_moves(tour, measure)
        return {"moves": [[square_name(u), square_name(v)] for u, v in moves]}
    if measure == "crossings" and tour.board is not None:
        return {"points": [*crossing_points(tour, tour.board)]}
    return {}


def handle_check(problem: None, request: Question, emit: Emit) -> None:  # noqa: ARG001
    """Check a certificate."""
    from kt_cp.trust.check import Refusal, check

    try:
        checked = check(json.dumps(request["certificate"]))
    except Refusal as refusal:
        verdict = {"accepted": False, "text": f"Not a proof: {refusal.text}"}
    else:
        text = describe_proof(checked.problem, checked.kind, checked.argument, checked.claim)
        verdict = {"accepted": True, "text": text}
    emit({"event": "checked", **verdict, "command": "kt-cp check certificate.json"})


def outcome_event(outcome: Outcome, seconds: float, **more: Any) -> Event:
    """Return an answer as an event."""
    certificate = outcome.certificate
    document = outcome_document(outcome)
    if outcome.tour is not None:
        document["tour"] = outcome.tour.names
    return {
        "event": "outcome",
        "outcome": document,
        "backed": None if outcome.verdict is Verdict.UNKNOWN else describe_checks(outcome),
        "seconds": round(seconds, 4),
        "command": more.pop("command", None),
        "python": more.pop("python", None),
        "certificate": None if certificate is None else dict(certificate.document),
        **_draw_argument(certificate, outcome.problem.size),
        **more,
    }


def _draw_argument(certificate: Certificate | None, squares: int) -> dict[str, Any]:
    """Return the steps of an argument, and its picture, unless the board is too large."""
    if certificate is None or squares > DRAWN:
        return {"argument": None, "svg": None}
    from kt_cp.render.argument_steps import argument_steps
    from kt_cp.render.highlights import argument_picture

    return {"argument": argument_steps(certificate), "svg": argument_picture(certificate)}


def searched_outcome(
    problem: Problem, engine: str, tour: Any, text: str, work: Question
) -> Outcome:
    """Return the checked outcome of a search that is not an engine."""
    from kt_cp.engines.engine import found, impossible
    from kt_cp.trust.crosscheck import cross_check

    if tour is not None:
        return cross_check(found(engine, problem, problem.tour(tour), work, 0))
    return cross_check(impossible(engine, problem, EvidenceKind.EXHAUSTED, text, work, 0))


def limit_event(kind: str, request: Question, ended: Ended) -> Event:
    """Return the event for a child process that a limit or a signal ended."""
    from kt_cp.engines.engine import out_of_memory, out_of_time

    if kind in ("solve", "prove") and ended.how in ("timeout", "memory"):
        limits = Limits(request["seconds"], request["megabytes"])
        over = out_of_time if ended.how == "timeout" else out_of_memory
        name = request["engine"] if kind == "solve" else kind
        outcome = over(name, request["problem"], limits, {}, request["seed"])
        return outcome_event(outcome, ended.seconds)
    why = {
        "timeout": f"the time limit of {request['seconds']:g} s was reached",
        "memory": f"the memory limit of {request['megabytes']:g} MB was reached",
    }.get(ended.how, f"the process of the search was {ended.detail or ended.how}")
    return {"event": "error", "text": f"unknown: {why}", "code": 3}


def handle_count(problem: Problem, request: Question, emit: Emit) -> None:
    """Count tours, or classes of tours; a frontier search shows its progress."""
    from kt_cp.counting.api import run_plan
    from kt_cp.counting.plan import plan_count

    began = time.perf_counter()
    search = Request.begin(problem, Limits(request["seconds"]))
    made = plan_count(search, unique=request["classes"])
    watch = _report_sweep(problem, made.method, emit)
    found = run_plan(made, replace(search, progress=watch))
    options = {"classes": request["classes"]}
    emit(
        {
            "event": "outcome",
            "tours": str(found.tours),
            "counted": found.counted,
            "method": found.method,
            "reason": found.reason,
            "seconds": round(time.perf_counter() - began, 4),
            "command": command_line("count", problem, **options),
            "python": python_call("count", problem, unique=request["classes"]),
        }
    )


def _report_sweep(problem: Problem, method: str, emit: Emit) -> ProgressReporter:
    """Report the order of the squares first, if a frontier search counts on a board."""
    if method == "frontier":
        from kt_cp.counting.frontier.frontier import graph_form

        nodes: Any = problem.indexed.nodes
        order = [step.vertex for step in graph_form(problem).cycles.plan.steps]
        # A vertex that is not a square makes an open tour a cycle.
        names = [square_name(nodes[each]) if each < len(nodes) else "" for each in order]
        emit({"event": "sweep", "order": names})
    return ProgressReporter(problem, emit)


def handle_unrank(problem: Problem, request: Question, emit: Emit) -> None:
    """Return the tour of a number."""
    began = time.perf_counter()
    tours = _number_tours(problem, request, emit)
    number = request["number"]
    tour = tours[number]
    code = python_call("Numbering", problem) + f"[{number}]"
    _emit_tours(tours, began, emit, command_line("unrank", problem, number), code, [(number, tour)])


def handle_rank(problem: Problem, request: Question, emit: Emit) -> None:
    """Return the number of a tour."""
    began = time.perf_counter()
    tours = _number_tours(problem, request, emit)
    names = request["tour"]
    number = tours.index(names)
    code = python_call("Numbering", problem) + f".index({' '.join(names)!r}.split())"
    line = command_line("rank", problem).split(" ", 3)
    rest = f" {line[3]}" if len(line) > 3 else ""
    line_for_shell = f"echo '{' '.join(names)}' | kt-cp rank - --board {line[2]}{rest}"
    _emit_tours(tours, began, emit, line_for_shell, code, [(number, problem.tour(names))])


def handle_sample(problem: Problem, request: Question, emit: Emit) -> None:
    """Draw tours uniformly at random."""
    from kt_cp.counting.tour_numbering import draw_numbers

    began = time.perf_counter()
    tours = _number_tours(problem, request, emit)
    many, seed = request["many"], request["seed"]
    numbers = draw_numbers(tours, many, seed) if tours.size else []
    code = python_call("sample", problem, many, seed=seed)
    line = command_line("sample", problem, number=many, seed=seed)
    _emit_tours(tours, began, emit, line, code, [(each, tours[each]) for each in numbers])


def handle_classes(problem: Problem, request: Question, emit: Emit) -> None:
    """List one tour of each symmetry class, up to a limit, and whether these are all."""
    from kt_cp.enumeration import Enumeration

    began, clock = time.perf_counter(), Limits(request["seconds"]).clock()
    everything = Enumeration(problem, unique=True)
    found: list[Event] = []
    for tour in islice(everything.tours(clock.expired), request["many"]):
        found.append({"tour": tour.names, "size": tour.class_size})
        if len(found) % 20 == 0:
            emit({"event": "progress", "text": f"classes {len(found)}", "fraction": None})
    emit(
        {
            "event": "outcome",
            "classes": found,
            "complete": everything.complete,
            "counted": everything.counted,
            "reason": None if everything.reason is None else everything.reason.text,
            "seconds": round(time.perf_counter() - began, 4),
            "command": command_line("enumerate", problem, unique=True, limit=request["many"]),
            "python": python_call("Enumeration", problem, unique=True),
        }
    )


def _number_tours(problem: Problem, request: Question, emit: Emit) -> Numbering:
    from kt_cp.counting.tour_numbering import Numbering
    from kt_cp.model.errors import EndedError

    clock, watch = Limits(request["seconds"]).clock(), ProgressReporter(problem, emit)

    def report(work: Mapping[str, float | None]) -> None:
        watch(work)
        if clock.expired():
            raise EndedError(f"the time limit of {request['seconds']:g} s was reached")

    return Numbering(problem, progress=report, memory_limit=request["megabytes"])


def _emit_tours(
    tours: Numbering, began: float, emit: Emit, line: str, code: str, found: list[tuple[int, Tour]]
) -> None:
    """Emit tours with their numbers, and the number of all tours."""
    emit(
        {
            "event": "outcome",
            "numbered": [{"number": str(number), "tour": tour.names} for number, tour in found],
            "tours": str(tours.size),
            "method": tours.method,
            "reason": tours.reason,
            "seconds": round(time.perf_counter() - began, 4),
            "command": line,
            "python": code,
        }
    )


def handle_compare(problem: Problem | None, request: Question, emit: Emit) -> None:  # noqa: ARG001
    """Run every engine on every board, each in a process of its own."""
    from kt_cp.compare import compare
    from kt_cp.compare.report import comparison_json, comparison_plot, run_document
    from kt_cp.compare.run import questions

    began = time.perf_counter()
    boards, engines, kinds = request["boards"], request["engines"], request["kinds"]

    def note(row: ComparedRun, done: int, total: int) -> None:
        emit({"event": "row", "row": run_document(row), "done": done, "of": total})

    comparison = compare(
        questions(boards=[(name, "oc") for name in boards], kinds=kinds),
        engines,
        limits=Limits(request["run_seconds"], request["megabytes"]),
        seed=request["seed"],
        progress=note,
    )
    kind = {"o": ["--open"], "c": ["--closed"]}.get(kinds, [])
    seconds = request["run_seconds"]
    words = ["kt-cp", "compare", *boards, "--engines", ",".join(engines), *kind]
    words += ["--time-limit", f"{seconds:g}"]
    listed = ", ".join(f"Problem({name!r}, closed={k == 'c'})" for name in boards for k in kinds)
    emit(
        {
            "event": "outcome",
            "comparison": json.loads(comparison_json(comparison)),
            "svg": comparison_plot(comparison).decode(),
            "seconds": round(time.perf_counter() - began, 4),
            "command": shlex.join(words),
            "python": f"compare([{listed}], {engines!r}, limits=Limits({seconds:g}))",
        }
    )


SLOW_SECONDS = 2.0
"""Time of one seed after which that seed alone determines the likely grade."""


def handle_puzzle(problem: Problem, request: Question, emit: Emit) -> None:
    """Make a puzzle, draw it, and certify that its solution is the only one."""
    from kt_cp.proofs.complete import certify_list
    from kt_cp.puzzles import NoPuzzleError, Puzzle, make_puzzle
    from kt_cp.puzzles.generator import GRADE_SAMPLE, GradeCounts
    from kt_cp.puzzles.output import puzzle_document

    began, clock = time.perf_counter(), Limits(request["seconds"]).clock()
    options = {name: request[name] for name in ("grade", "clues", "seed")}
    motion, watch = request["clues_symmetry"], ProgressReporter(problem, emit)
    counts = GradeCounts(request["grade"])

    def report(other: Puzzle) -> None:
        counts.add(other)
        fraction = clock.elapsed / request["seconds"]
        emit({"event": "progress", "text": counts.text, "fraction": fraction})
        if counts.tried == GRADE_SAMPLE or (counts.tried == 1 and clock.elapsed > SLOW_SECONDS):
            emit({"event": "estimate", "grade": counts.likeliest, "seed": counts.first_seed})

    try:
        made = make_puzzle(
            problem,
            symmetry=motion,
            time_limit=clock.left,
            tries=MOST_SEED,
            progress=lambda work: None if counts.tried else watch(work),
            other_grade=report,
            **options,
        )
    except NoPuzzleError as error:
        if error.outcome is not None and error.outcome.verdict is Verdict.IMPOSSIBLE:
            emit(outcome_event(error.outcome, time.perf_counter() - began))
            return
        raise EndedError(str(error)) from None
    options["seed"] = made.seed
    event = {
        **puzzle_document(made),
        "command": command_line("puzzle", problem, clues_symmetry=motion, **options),
        "python": python_call("make_puzzle", problem, symmetry=motion, **options),
    }
    emit({"event": "puzzle", **event})  # the player may begin before it is certified
    emit({"event": "progress", "text": "certifying that it is the only solution", "fraction": None})
    found = certify_list(made.problem, [made.tour])
    event["certificate"] = None if found is None else found.document
    emit({"event": "outcome", **event, "seconds": round(time.perf_counter() - began, 4)})


def handle_hint(problem: Problem, request: Question, emit: Emit) -> None:
    """Give the next step of a puzzle, and its reason."""
    from kt_cp.puzzles.hints import hint

    emit({"event": "outcome", "hint": asdict(hint(problem, request["entered"]))})


def handle_picture(problem: Problem, request: Question, emit: Emit) -> None:
    """Write a file of a format; the judge checks a tour first."""
    from kt_cp.render.film import tour_film
    from kt_cp.trust.judge import defects

    name = request["format"]
    tour = None if request["tour"] is None else problem.tour(request["tour"])
    if tour is not None and (wrong := defects(problem, tour.squares)):
        raise InputError(f"expected a tour of {problem.label}, got none: {wrong[0]}")
    content: str | bytes
    if tour is None:
        content = _board_file(problem, name)
    elif name in FILMS:
        content = tour_film(tour, name)
    elif request["grade"]:
        content = _puzzle_sheet(problem, tour, request)
    else:
        content = _tour_file(problem, tour, _format(name))
    emit({"event": "file", "content": content.encode() if isinstance(content, str) else content})


def _format(name: str) -> Format:
    return Format.GRID if name == "text" else Format(name)


def _tour_file(problem: Problem, tour: Tour, shape: Format) -> str | bytes:
    from kt_cp.formats.write import outcome_content

    check_size(problem, shape)
    if shape is Format.NPY:
        from kt_cp.formats.array import npy_pieces

        return b"".join(map(bytes, npy_pieces(tour)))
    outcome = Outcome(Verdict.FOUND, problem, "page", tour=tour, checks=Checks(verified=True))
    return outcome_content(outcome, shape)


def _puzzle_sheet(problem: Problem, tour: Tour, request: Question) -> str | bytes:
    from kt_cp.puzzles import Grade, Puzzle
    from kt_cp.puzzles.output import render_puzzles

    puzzle = Puzzle(problem, tour, Grade(request["grade"]), request["seed"])
    return render_puzzles([puzzle], Format.PDF, both=request["both"], sheet=True)


def _board_file(problem: Problem, name: str) -> str | bytes:
    from kt_cp.formats.drawing import draw_problem
    from kt_cp.formats.write import convert_picture
    from kt_cp.render.sheet import Drawing, puzzle_svg
    from kt_cp.search.step_domains import given_vertices

    board, piece = problem.board, problem.piece
    assert board is not None
    nodes = problem.indexed.nodes
    given: dict[Any, int] = {nodes[v]: step + 1 for step, v in given_vertices(problem)}
    if name in (Format.NPY, *FILMS):
        raise InputError(f"expected a tour to write as {name}")
    shape = _format(name)
    if shape is Format.JSON:
        return json.dumps({"problem": problem_document(problem)}, indent=2) + "\n"
    if shape is Format.GRID:
        return draw_problem(problem, given)
    moves = problem.require, problem.forbid
    made = Drawing(board, piece, problem.closed, given, (), problem.label, *moves)
    return convert_picture(puzzle_svg(made), shape)


RECORDED = 20_000
"""Steps that are sent one by one."""

CHUNK = 500_000
"""Steps between two checks of the clock: a few hundredths of a second."""


def handle_source(problem: Problem, request: Question, emit: Emit) -> None:
    """Run a source program, and emit its steps and the tour that it finds."""
    from kt_cp.sources.registry import EVERY_TOUR, find_source
    from kt_cp.trust.reference import Pause, Run

    began = time.perf_counter()
    order = find_source(request["source"])
    problem = problem if problem.start is not None else changed(problem, start=(0, 0))
    run = Run(problem, problem.start, order.candidates(problem))
    every, first, tours, due = order.number == EVERY_TOUR, None, 0, 0.0
    pause = Pause.STEPS
    while pause is Pause.STEPS:
        done = run.placed + run.taken_back
        if done < RECORDED:
            steps, pause = run.steps(min(STEPS_IN_EVENT, RECORDED - done))
            emit(steps_event(steps, run.placed, run.taken_back))
        else:
            pause = run.advance(CHUNK)
        if pause is Pause.TOUR:
            tours += 1
            first = first or run.squares
            pause = Pause.STEPS if every else pause
        now = time.perf_counter()
        if run.placed + run.taken_back > RECORDED and now >= due:
            due = now + EVERY_SECONDS
            emit(_walk_event(run, tours if every else 0))
    if first is not None and not every and run.placed + run.taken_back > RECORDED:
        emit(_walk_event(run, 0))
    work: dict[str, Any] = {"placed": run.placed, "taken_back": run.taken_back}
    work |= {"tours": tours} if every else {}
    text = f"source {order.number} tried everything: {counted(run.placed, 'square')} placed"
    outcome = searched_outcome(problem, f"source:{order.number}", first, text, work)
    program = f"find_source({order.number!r})"
    code = {
        "command": command_line("trace", problem, source=order.number),
        "python": f"run_source({program}, {problem_call(problem)}, lambda tour: True)",
    }
    emit(outcome_event(outcome, time.perf_counter() - began, **code))


def _walk_event(run: Run, tours: int) -> dict[str, Any]:
    """Return the event that shows the current walk."""
    counts = {"placed": run.placed, "taken_back": run.taken_back}
    more = {"tours": tours} if tours else {}
    walk = [square_name(square) for square in run.squares]
    return {"event": "moves", "moves": [], "walk": walk, **counts, **more}


HANDLERS: dict[str, Callable[..., None]] = {
    "solve": handle_solve,
    "optimize": handle_optimize,
    "prove": handle_prove,
    "check": handle_check,
    "source": handle_source,
    "puzzle": handle_puzzle,
    "hint": handle_hint,
    "compare": handle_compare,
    "count": handle_count,
    "rank": handle_rank,
    "unrank": handle_unrank,
    "sample": handle_sample,
    "classes": handle_classes,
    "picture": handle_picture,
    "measures": handle_measures,
}
"""The handler of each kind of request."""
