"""Handlers and jobs: answers, equivalent code, progress events, cancellation."""

from __future__ import annotations

import asyncio
import json
import queue
import re
import shlex
import threading
from itertools import chain

import pytest

import kt_cp as package
from kt_cp import Board, Problem, make_puzzle, optimize, prove, solve
from kt_cp.compare import compare
from kt_cp.counting.api import run_plan
from kt_cp.counting.plan import plan_count
from kt_cp.model.errors import EndedError, InputError, UnsoundEngineError
from kt_cp.model.limits import Limits
from kt_cp.model.measures import MEASURES
from kt_cp.model.outcome import Verdict
from kt_cp.model.request import Request
from kt_cp.processes import isolate
from kt_cp.processes.isolate import Ended
from kt_cp.search import meter
from kt_cp.sources.registry import find_source
from kt_cp.sources.run import run_source
from kt_cp.web import handlers, jobs, progress, request_schema
from kt_cp.web.guard import RefusedError
from kt_cp.web.jobs import BEHIND, MOST_JOBS_OF_STREAM, MOST_STREAMS, EventStreams, WorkerPool
from kt_cp.web.request_schema import text_document
from tests.support.asgi import NoPool
from tests.support.command_line import PATIENCE

QUESTION = request_schema.read_request("solve", {"problem": {"rows": 3, "columns": 4}})


@pytest.fixture
def pool(monkeypatch):
    """A pool whose children are functions of this process, by the kind of question."""
    called = []

    def call(target, *args, progress=None, cancelled=None, **_limits):
        called.append((target, threading.current_thread(), *args[:1]))
        if args:
            ANSWERS[args[0]](progress, cancelled)
        return ENDED.get(args[0] if args else "", Ended("done", None, 0.1, 1.0))

    monkeypatch.setattr(jobs, "call", call)
    made = WorkerPool(2)
    made.called = called
    yield made
    made.end()
    assert not any(each.thread.is_alive() for each in made._workers)


def until_cancelled(progress, cancelled):
    progress({"event": "progress", "text": "at work", "fraction": None})
    for _ in range(int(PATIENCE / 0.01)):
        if cancelled():
            raise KeyboardInterrupt
        threading.Event().wait(0.01)
    pytest.fail("nobody ended it")


def wrong(_progress, _cancelled):
    raise InputError("expected a board,\n  got none")


def given_up(_progress, _cancelled):
    raise EndedError("the time limit of 1 s was reached")


def unsound(_progress, _cancelled):
    raise UnsoundEngineError("engine fake: the judge refuses its tour")


def full(_progress, _cancelled):
    raise MemoryError


def broken(_progress, _cancelled):
    raise ZeroDivisionError("by zero")


def quick(progress, _cancelled):
    progress({"event": "outcome", "outcome": {}})


def talks(progress, _cancelled):
    for number in range(3 * BEHIND):
        progress({"event": "cycles", "round": number, "cycles": []})
        progress({"event": "moves", "moves": [["+", "a1"]]})
    progress({"event": "outcome", "outcome": {}})


ANSWERS = {
    "given up": given_up, "unsound": unsound, "full": full, "long": until_cancelled, "ended": quick,
    "wrong": wrong, "broken": broken, "quick": quick, "talks": talks,
}  # fmt: skip
ENDED = {"ended": Ended("crash", None, 0.1, 1.0, "ended by SIGSEGV")}


async def read_events(page, last="end"):
    """Events of a page up to one of a name."""
    events = []
    while not events or events[-1]["event"] != last:
        text = await asyncio.wait_for(page.events.get(), PATIENCE)
        assert text is not None
        events.append(json.loads(text))
    return events


def running(pool, act):
    async def main():
        pages = EventStreams(pool)
        return await act(pages, pages.enter("page-one"))

    return asyncio.run(main())


def test_an_answer_comes_on_the_stream_of_its_page_alone(pool):
    async def act(pages, page):
        other = pages.enter("page-two")
        number = pages.submit("page-one", "quick", QUESTION)
        events = await read_events(page)
        assert [(each["job"], each["event"]) for each in events] == [
            (number, "outcome"), (number, "end"),
        ]  # fmt: skip
        assert other.events.empty() and page.jobs == {}

    running(pool, act)


def test_a_page_may_number_its_jobs(pool):
    async def act(pages, page):
        assert pages.submit("page-one", "quick", QUESTION, 7) == 7
        with pytest.raises(RefusedError, match="expected a new number of a job, got 7"):
            pages.submit("page-one", "quick", QUESTION, 7)
        assert {each["job"] for each in await read_events(page)} == {7}

    running(pool, act)


def test_stop_ends_what_is_at_work_and_nothing_else(pool):
    async def act(pages, page):
        first, second = (pages.submit("page-one", "long", QUESTION) for _ in range(2))
        await read_events(page, "progress")
        pages.stop("page-one", 999)
        pages.stop("page-two", first)
        pages.stop("page-one", first)
        events = [each for each in await read_events(page) if each["event"] != "progress"]
        assert [(each["job"], each["event"]) for each in events] == [
            (first, "stopped"), (first, "end"),
        ]  # fmt: skip
        assert list(page.jobs) == [second]
        pages.stop("page-one", second)
        await read_events(page)

    running(pool, act)


def test_what_waits_in_line_is_never_begun_once_its_page_is_gone(pool):
    async def act(pages, page):
        for _ in range(2):
            pages.submit("page-one", "long", QUESTION)
            await read_events(page, "progress")
        other = pages.enter("page-two")
        pages.submit("page-two", "quick", QUESTION)
        for _ in range(2 * MOST_JOBS_OF_STREAM):  # those that were stopped do not count
            pages.stop("page-two", pages.submit("page-two", "quick", QUESTION))
        assert not [job for job in pool._line if job.stopped.is_set()]
        pages.leave("page-two", other)
        assert not pool._line
        pages.leave("page-one", page)
        while pool._waiting:
            await asyncio.sleep(0.01)
        assert not pages.open

    running(pool, act)
    assert [kind for _, _, *kinds in pool.called for kind in kinds] == ["long", "long"]


def test_a_stream_that_comes_again_takes_the_place_of_the_old(pool):
    async def act(pages, page):
        pages.submit("page-one", "long", QUESTION)
        await read_events(page, "progress")
        again = pages.enter("page-one")
        while (event := await asyncio.wait_for(page.events.get(), PATIENCE)) is not None:
            assert json.loads(event)["event"] in ("stopped", "end")
        pages.leave("page-one", page)  # the old connection closes later
        assert pages.open == {"page-one": again} and again.jobs == {}

    running(pool, act)


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("wrong", {"code": 2, "text": "expected a board, got none"}),
        ("given up", {"code": 3, "text": "unknown: the time limit of 1 s was reached"}),
        ("full", {"code": 3, "text": "unknown: memory ran out"}),
        ("unsound", {"code": 70, "text": "engine fake: the judge refuses its tour"}),
        ("broken", {"code": 70,
                    "text": "a bug, please report it: ZeroDivisionError: by zero"}),
        ("ended", {"code": 3,
                   "text": "unknown: the process of the search was ended by SIGSEGV"}),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_reported_in_one_line(pool, kind, event):
    async def act(pages, page):
        pages.submit("page-one", kind, QUESTION)
        events = await read_events(page)
        assert {"job": 1, "event": "error", **event} in events and events[-1]["event"] == "end"

    running(pool, act)


def test_a_slow_page_misses_states_but_no_steps(pool):
    async def act(pages, page):
        pages.submit("page-one", "talks", QUESTION)
        while page.jobs:  # nothing is taken from the stream meanwhile
            await asyncio.sleep(0.01)
        events = await read_events(page)
        kinds = [each["event"] for each in events]
        assert kinds.count("moves") == 3 * BEHIND and kinds[-2:] == ["outcome", "end"]
        assert 0 < kinds.count("cycles") <= BEHIND

    running(pool, act)


def test_pages_and_their_searches_are_limited():
    async def act(pages, page):
        for number in range(MOST_STREAMS - 1):
            pages.enter(f"page-{number:04}")
        with pytest.raises(RefusedError, match="pages at once"):
            pages.enter("one-more")
        with pytest.raises(RefusedError, match="whose stream is open"):
            pages.submit("one-more", "quick", QUESTION)
        pages.pool.put = lambda _job: None
        for _ in range(MOST_JOBS_OF_STREAM):
            pages.submit("page-one", "quick", QUESTION)
        with pytest.raises(RefusedError, match="of a page"):
            pages.submit("page-one", "quick", QUESTION)
        with pytest.raises(RefusedError, match="searches at once"):
            for number in range(MOST_STREAMS):
                for _ in range(MOST_JOBS_OF_STREAM):
                    pages.submit(f"page-{number:04}", "quick", QUESTION)
        for refused in (asyncio.create_task(pages.once("quick", QUESTION)) for _ in range(2)):
            await asyncio.sleep(0)
            refused.cancel()

    running(NoPool(), act)


def test_a_file_needs_no_stream(pool):
    async def act(pages, _page):
        assert (await pages.once("quick", QUESTION))["event"] == "outcome"
        assert "by zero" in (await pages.once("broken", QUESTION))["text"]
        while pool._waiting:
            await asyncio.sleep(0.01)

    running(pool, act)


def test_an_interrupt_ends_what_waits_and_lets_what_runs_answer(pool, monkeypatch):
    def until_interrupted(progress, _cancelled):
        assert first.interrupted.wait(PATIENCE)
        progress({"event": "outcome", "optimum": {}})

    monkeypatch.setitem(ANSWERS, "best", until_interrupted)

    async def act(pages, page):
        nonlocal first
        number = pages.submit("page-one", "best", QUESTION)
        first = page.jobs[number]
        while len(pool.called) < 1 or pool._line:
            await asyncio.sleep(0.01)
        pages.stop("page-one", number, keep=True)
        assert [each["event"] for each in await read_events(page)] == ["outcome", "end"]
        for _ in range(2):
            pages.submit("page-one", "long", QUESTION)
            await read_events(page, "progress")
        waits = pages.submit("page-one", "best", QUESTION)
        pages.stop("page-one", waits, keep=True)
        kinds = [each["event"] for each in await read_events(page) if each["job"] == waits]
        assert kinds == ["queued", "stopped", "end"]

    first = None
    running(pool, act)


def test_a_job_is_for_the_child_that_has_done_the_last(pool):
    async def act(pages, page):
        while len(pool._idle) < 2:
            await asyncio.sleep(0.01)
        for _ in range(6):
            pages.submit("page-one", "quick", QUESTION)
            await read_events(page)
            while len(pool._idle) < 2:
                await asyncio.sleep(0.01)

    running(pool, act)
    assert len({thread for _, thread, *kinds in pool.called if kinds}) == 1


@pytest.mark.parametrize("signal", [jobs.WAKE, None])
def test_a_job_that_comes_as_the_wait_ends_is_taken_at_once(signal):
    class Inbox(queue.SimpleQueue):
        def get(self, *, timeout=None):
            if timeout is None:
                return super().get()
            empty_pool.put(job)
            if signal is None:
                raise queue.Empty
            return signal

    empty_pool, job = WorkerPool(0), jobs.Job(1, "quick", QUESTION, print)
    worker = jobs.Worker(Inbox(), 0.0)
    assert empty_pool._next(worker, 0.0) is job
    assert worker.inbox.empty() and not empty_pool._idle and not empty_pool._line


def test_children_are_there_again_when_a_page_comes_back(pool):
    async def act(pages, page):
        wait = [0]

        async def ready(more):
            wait[0] += more
            while (
                len([1 for target, *_ in pool.called if target.endswith(":load_libraries")])
                < wait[0]
            ):
                await asyncio.sleep(0.01)

        await ready(jobs.AHEAD)
        pages.leave("page-one", page)
        assert pool.has_recent_page
        pool._until = 0.0  # ten minutes later
        pages.enter("page-one")
        await ready(jobs.AHEAD)  # without anything being asked

    running(pool, act)


def test_children_are_there_ahead_and_no_more_than_are_asked_for(pool, monkeypatch):
    larger = WorkerPool(5)
    larger.start()
    assert len(larger._workers) == jobs.AHEAD
    larger.end()
    larger.start(5)  # after its end there are no more
    assert len(larger._workers) == jobs.AHEAD
    targets = {target for target, *_ in pool.called}
    assert targets <= {"kt_cp.web.handlers:load_libraries", "kt_cp.web.handlers:load_compiled_code"}


NAMES = {name: getattr(package, name) for name in package.__all__}
NAMES |= {"compare": compare, "Limits": Limits, "run_source": run_source}
NAMES |= {"find_source": find_source}


def answered(kind, **body):
    """All events of a question that is answered here and now."""
    events = []
    handlers.answer(kind, request_schema.read_request(kind, body), emit=events.append)
    json.dumps(events, default=bytes.hex)
    return events


def last(kind, **body):
    return answered(kind, **body)[-1]


def board(sides, **more):
    rows, columns = map(int, sides.split("x"))
    return {"rows": rows, "columns": columns, **more}


QUESTIONS = [
    board("3x4"),
    *(
        pytest.param(question, marks=pytest.mark.slow)
        for question in (
            board("5x6", closed=True, require=[["a1", "c2"]], forbid=[["a5", "c4"]], start="c3"),
            board("5x5", missing=["c3"], given=[["e4", 24]], end="a1"),
            board("4x4", piece="camel", surface="torus"),
            board("3x3", piece=[[0, 1], [1, 1]], closed=True),
            board("6x6", closed=True, symmetry="half-turn"),
            board("4x4", closed=True),
        )
    ),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_an_answer_says_how_it_is_asked_elsewhere(question, kt_cp):
    answer = last("solve", problem=question, engine="auto", seed=2)
    result = kt_cp(*shlex.split(answer["command"])[1:], "--json")
    same = json.loads(result.out)
    there, outcome = eval(answer["python"], NAMES), answer["outcome"]
    assert same["problem"] == outcome["problem"]
    assert same["tour"] == outcome["tour"] and same["verdict"] == outcome["verdict"]
    assert outcome["tour"] == (there.tour and there.tour.names)
    assert outcome["verdict"] == there.verdict.value
    checks = ("verified", "replayed") if there.tour else ()
    assert all(outcome[check] is True for check in checks) and answer["backed"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (board("3x3", missing=["d4"]), "3x3 --missing d4"),
        (board("1x2", missing=["a1", "b1"]), "1x2 --missing a1,b1"),
        (board("3x4", closed=True, end="a1"), "3x4 --closed --end a1"),
        (board("3x4", start="b1", end="b1"), "3x4 --start b1 --end b1"),
        (board("3x4", start="z9"), "3x4 --start z9"),
        (board("3x4", end="a"), "3x4 --end a"),
        (board("3x4", require=[["a1", "a2"]]), "3x4 --require a1-a2"),
        (board("3x4", given=[["a1", 2], ["a1", 3]]), "3x4 --given a1=2,a1=3"),
        (board("3x4", given=[["a1", 99]]), "3x4 --given a1=99"),
        (board("3x4", require=[["a1", "c2"]], forbid=[["a1", "c2"]]),
         "3x4 --require a1-c2 --forbid a1-c2"),
        (board("3x4", symmetry="twist"), "3x4 --symmetry twist"),
        (board("3x4", piece="unicorn"), "3x4 --piece unicorn"),
        (board("3x4", piece=[[0, 0]]), "3x4 --piece 0,0"),
        (board("3x4", surface="moon"), "3x4 --surface moon"),
    ],
    ids=str,
)  # fmt: skip
def test_what_the_command_line_refuses_is_refused_in_the_same_words(question, words, kt_cp):
    with pytest.raises(InputError) as refused:
        request_schema.read_request("solve", {"problem": question})
    assert kt_cp("solve", *words.split()).err == f"kt-cp: {refused.value}\n"


@pytest.mark.parametrize(
    "more",
    [{"rows": "3"}, {"rows": 0}, {"rows": True}, {"columns": None}, {"closed": 1},
     {"missing": "a1"}, {"missing": [1]}, {"require": [["a1"]]}, {"given": [["a1", "2"]]},
     {"given": [["a1", True]]},
     {"start": 5}, {"nodes": []}, {"piece": [[1, "2"]]}, {"piece": 7}, {"symmetry": []},
     {"rows": 10**20}, {"rows": 201, "columns": 200}],
    ids=str,
)  # fmt: skip
def test_what_is_not_of_its_kind_is_refused(more):
    with pytest.raises(InputError) as refused:
        request_schema.read_request("solve", {"problem": {**board("3x4"), **more}})
    assert "expected" in str(refused.value) and len(str(refused.value)) < 400


OPTIMA = [
    ("fewest-turns", board("6x6", closed=True)),
    *(
        pytest.param(objective, question, marks=pytest.mark.slow)
        for objective, question in (
            ("most-direction", board("5x6", missing=["c3", "d3"], start="a1")),
            ("fewest-steep", board("5x6", closed=True, symmetry="half-turn")),
            ("fewest-straight", board("4x5", closed=True)),
            ("longest", board("3x8", closed=True, forbid=[["a1", "c2"]])),
            ("path-cover", board("4x4", surface="cylinder")),
            ("longest-uncrossed", board("4x4")),
        )
    ),
]


@pytest.mark.parametrize(("objective", "question"), OPTIMA, ids=str)
def test_a_best_tour_says_how_it_is_asked_elsewhere(objective, question, kt_cp):
    event = last("optimize", problem=question, objective=objective, seed=1)
    optimum = event["optimum"]
    result = kt_cp(*shlex.split(event["command"])[1:], "--json")
    same, there = json.loads(result.out), eval(event["python"], NAMES)
    found = ("problem", "objective", "verdict", "value", "bound", "proved", "tour", "paths")
    assert [same.get(name) for name in found] == [optimum.get(name) for name in found]
    assert (optimum["value"], optimum["bound"]) == (there.value, there.bound)
    assert event["summary"] == there.summary
    assert event["svg"].lstrip().startswith("<")  # of the best tour, or why there is none
    if optimum["certificate"] is not None:
        assert last("check", certificate=optimum["certificate"])["accepted"]
    if optimum["verdict"] == "IMPOSSIBLE":
        assert event["argument"][-1]["text"].startswith("No tour")


def test_value_and_bound_are_sent_as_numbers_and_better_tours_as_cycles():
    question = board("6x6", closed=True)
    events = answered("optimize", problem=question, objective="fewest-turns", seed=1)
    known = [each for each in events if "value" in each]
    assert known and all(each["event"] == "progress" for each in known)
    assert all(each["bound"] <= 32 <= each["value"] for each in known if "bound" in each)
    tours = [each["cycles"] for each in events if each["event"] == "cycles"]
    turns = [Problem("6x6", closed=True).tour(*each).measures()["turns"] for each in tours]
    assert turns and turns == sorted(turns, reverse=True) and {*map(len, tours)} == {1}


def test_value_and_bound_of_several_directions_are_those_of_the_whole():
    problem, reports = Problem("6x6", closed=True), []
    best = optimize(problem, "most-direction", progress=reports.append)
    values = [each["value"] for each in reports if "value" in each]
    bounds = [each["bound"] for each in reports if each.get("bound") is not None]
    assert values == sorted(values) and bounds == sorted(bounds, reverse=True)
    assert values[-1] == best.value and bounds[-1] >= best.bound


@pytest.mark.parametrize(
    ("objective", "more", "words"),
    [
        ("fewest", {}, ""),
        ("", {}, ""),
        ("least-weight", {}, ""),
        ("fewest-turns", {"surface": "torus"}, "--surface torus"),
        ("path-cover", {"closed": True}, "--closed"),
        ("path-cover", {"start": "a1"}, "--start a1"),
        ("longest", {"symmetry": "half-turn"}, "--symmetry half-turn"),
        ("most-crossings", {"given": [["a1", 2]]}, "--given a1=2"),
        ("longest-uncrossed", {"closed": True, "start": "a1"}, "--closed --start a1"),
    ],
)
def test_an_objective_is_refused_in_the_words_of_the_command_line(objective, more, words, kt_cp):
    question = board("5x6", **more)
    with pytest.raises(InputError) as refused:
        request_schema.read_request("optimize", {"problem": question, "objective": objective})
    result = kt_cp("optimize", "5x6", "--objective", objective, *words.split())
    assert result.err == f"kt-cp: {refused.value}\n"
    if objective in package.optimization.OBJECTIVES:
        assert request_schema.refused_objectives(question)[objective] == str(refused.value)


def test_objectives_that_make_sense_are_offered():
    choices = request_schema.list_choices()["objectives"]
    assert [each["name"] for each in choices] == list(package.optimization.OBJECTIVES)
    assert len({each["label"] for each in choices}) == len(choices)
    assert {*request_schema.refused_objectives(board("6x6"))} == {"least-weight"}
    assert len(request_schema.refused_objectives(board("201x100"))) == len(choices)
    assert "got z9" in request_schema.refused_objectives(board("6x6", start="z9"))["longest"]


@pytest.mark.parametrize("closed", [False, True])
def test_a_measure_comes_with_what_it_counts(closed):
    tour = solve("6x6", closed=closed, seed=3).tour
    question = board("6x6", closed=closed)
    for measure in MEASURES:
        event = last("measures", problem=question, tour=tour.names, measure=measure)
        assert event["measures"] == tour.measures()
        (marks,) = event["counted"].values()
        per_count = 6 if measure.startswith("magic") else 1
        assert len(marks) == per_count * tour.measures()[measure], measure
    assert last("measures", problem=question, tour=tour.names)["counted"] == {}
    with pytest.raises(InputError, match="one of turns, straight"):
        last("measures", problem=question, tour=tour.names, measure="beauty")
    with pytest.raises(InputError, match="boards on the plane"):
        last("measures", problem={**question, "surface": "torus"}, tour=tour.names)


@pytest.mark.parametrize("name", ["nope", "sat:nope", "sat:lazy:nope", "cpsat:1"])
def test_so_is_an_engine(name, kt_cp):
    with pytest.raises(InputError) as refused:
        last("solve", problem=board("3x4"), engine=name)
    assert kt_cp("solve", "3x4", "--engine", name).err == f"kt-cp: {refused.value}\n"


@pytest.mark.slow
def test_a_no_comes_with_its_argument_and_its_certificate():
    answer = last("prove", problem=board("4x4", closed=True))
    here = prove("4x4", closed=True)
    assert answer["certificate"] == json.loads(here.certificate.to_json())
    assert answer["backed"] == "backed by: removal, a checked certificate"
    assert [each["text"][:9] for each in answer["argument"]] == [
        "Take away",
        "The rest ",
        "No tour: ",
    ]
    removed = set(answer["argument"][0]["squares"])
    parts = answer["argument"][1]["parts"]
    assert removed.isdisjoint(chain(*parts)) and len(removed) + sum(map(len, parts)) == 16
    assert here.certificate.argument.split(";")[0].split(" and ")[0] in answer["svg"]
    checked = last("check", certificate=answer["certificate"])
    assert checked["accepted"] and here.certificate.argument in checked["text"]
    answer["certificate"]["evidence"]["squares"].pop()
    assert not last("check", certificate=answer["certificate"])["accepted"]


def test_numbers_and_tours_are_each_others():
    problem = board("5x6", closed=True)
    first = last("unrank", problem=problem, number="7")
    (found,) = first["numbered"]
    assert first["tours"] == "8" and found["number"] == "7"
    back = last("rank", problem=problem, tour=found["tour"][::-1])
    assert back["numbered"][0]["number"] == "7" and eval(back["python"], NAMES) == 7
    assert eval(first["python"], NAMES).names == found["tour"]
    drawn = last("sample", problem=problem, many=4, seed=3)
    here = [tour.names for tour in eval(drawn["python"], NAMES)]
    assert [each["tour"] for each in drawn["numbered"]] == here and len(here) == 4
    with pytest.raises(InputError, match="from 0 to 7"):
        last("unrank", problem=problem, number="8")


@pytest.mark.slow
def test_classes_and_counts():
    answer = last("classes", problem=board("3x4"))
    assert sorted(each["size"] for each in answer["classes"]) == [2, 2, 4] and answer["complete"]
    assert len(list(eval(answer["python"], NAMES))) == 3
    few = last("classes", problem=board("3x4"), many=2)
    assert len(few["classes"]) == 2 and not few["complete"]
    counted = last("count", problem=board("3x4"))
    assert counted["tours"] == str(eval(counted["python"], NAMES).tours) == "16"
    assert last("count", problem=board("3x4"), classes=True)["tours"] == "3"


@pytest.mark.slow
def test_a_comparison_is_reported_row_by_row():
    boards, engines = ["3x3", "3x4"], ["backtrack", "warnsdorff"]
    events = answered("compare", boards=boards, engines=engines, kinds="o", time_limit=5)
    rows, answer = events[:-1], events[-1]
    assert [row["done"] for row in rows] == [1, 2, 3, 4] and rows[0]["of"] == 4
    runs = answer["comparison"]["runs"]
    assert [(run["board"], run["engine"]) for run in runs] == [
        (name, engine) for name in boards for engine in engines
    ]
    assert answer["svg"].lstrip().startswith("<")
    assert shlex.split(answer["command"])[:4] == ["kt-cp", "compare", *boards]
    assert "Problem('3x4', closed=False)" in answer["python"]


@pytest.mark.slow
def test_a_puzzle_has_one_solution_and_says_how_it_is_made_again():
    answer = last("puzzle", problem=board("3x4", start="a1"), seed=2)
    made = eval(answer["python"], NAMES)
    assert json.loads(made.to_json()) == answer["puzzle"]
    assert last("check", certificate=answer["certificate"])["accepted"]
    assert answer["svg"] != answer["solution_svg"]
    question = answer["puzzle"]["problem"]
    hint = last("hint", problem=question, entered={})["hint"]
    assert answer["puzzle"]["tour"][hint["step"] - 1] == hint["square"] and hint["text"]
    none = last("puzzle", problem=board("3x3"), seed=1)
    assert none["outcome"]["verdict"] == "IMPOSSIBLE"


PAINTED = [pytest.param(shape, marks=pytest.mark.slow) for shape in ("png", "pdf")]


@pytest.mark.parametrize("shape", ["svg", "json", "text", "npy", *PAINTED])
def test_files_are_those_of_the_package(shape, tmp_path):
    tour = solve("3x4").tour
    content = last("picture", problem=board("3x4"), tour=tour.names, format=shape)["content"]
    suffix = {"text": "txt"}.get(shape, shape)
    solve("3x4").save(tmp_path / f"tour.{suffix}")
    there = (tmp_path / f"tour.{suffix}").read_bytes()
    if shape in ("json", "pdf"):
        assert content[:4] == there[:4]
        assert shape == "pdf" or json.loads(content)["tour"] == tour.names
    else:
        assert content == there
    with pytest.raises(InputError, match="got none"):
        last("picture", problem=board("3x4"), tour=tour.names[:-1], format=shape)


@pytest.mark.slow
def test_a_puzzle_s_pdf_is_its_sheet():
    puzzle = make_puzzle("3x4", seed=2)
    query = {"problem": json.loads(puzzle.to_json())["problem"], "tour": puzzle.tour.names,
             "grade": str(puzzle.grade), "seed": 2, "format": "pdf"}  # fmt: skip
    for both, pages in ((False, 1), (True, 2)):
        content = last("picture", **query, both=both)["content"]
        assert len(re.findall(rb"/Type /Page\b", content)) == pages
    for change in ({"grade": "fiendish"}, {"format": "svg"}, {"tour": None}):
        with pytest.raises(InputError, match="expected a grade"):
            last("picture", **query | change)


def test_a_drawing_and_its_text_are_each_others():
    question = board("3x4", missing=["b2"], given=[["a1", 3]])
    text = last("picture", problem=question, tour=None, format="text")["content"].decode()
    document = text_document(text)
    assert document["problem"]["missing"] == ["b2"] and document["problem"]["given"] == [["a1", 3]]
    saved = last("picture", problem=question, tour=None, format="json")["content"].decode()
    assert text_document(saved) == document
    assert text_document("a1 b3 c1")["tour"] == ["a1", "b3", "c1"]
    for drawing in ("nothing of the kind", '{"problem": {"rows": "\ud800"}}', '{"rows": 5}'):
        with pytest.raises(InputError):
            text_document(drawing)
    with pytest.raises(InputError, match="40,000"):
        text_document("a1 zz999")


CUT = type("Cut", (), {"seconds": 1.0, "detail": "ended by SIGKILL", "how": "timeout"})


@pytest.mark.parametrize("how", ["timeout", "memory", "killed", "crash"])
def test_a_search_that_is_ended_says_why(how):
    ended = CUT()
    ended.how = how
    for kind in ("solve", "count"):
        answer = handlers.limit_event(
            kind, request_schema.read_request(kind, {"problem": board("3x4")}), ended
        )
        if kind == "solve" and how in ("timeout", "memory"):
            assert answer["outcome"]["verdict"] == Verdict.UNKNOWN.value
            assert "limit" in answer["outcome"]["reason"]
        else:
            assert answer["code"] == 3 and answer["text"].startswith("unknown: the ")


@pytest.mark.slow
@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_a_source_shows_every_step(number):
    *steps, answer = answered("source", problem=board("3x4"), source=number)
    walk, walks = [], []
    for event in steps:
        for what, *square in event["moves"]:
            walk = [*walk, *square] if what == "+" else walk[:-1]
            walks.append(walk)
    outcome = answer["outcome"]
    placed = sum(len(now) > len(before) for before, now in zip([[], *walks], walks, strict=False))
    assert (placed, len(walks) - placed) == (
        outcome["statistics"]["placed"], outcome["statistics"]["taken_back"],
    )  # fmt: skip
    assert outcome["tour"] in walks and outcome["verified"] and outcome["replayed"]
    tours = []
    call = answer["python"].replace("lambda tour: True", "lambda tour: not tours.append(tour)")
    account = eval(call, {**NAMES, "tours": tours})
    assert account.placed >= placed - (number == "004") * placed
    assert answer["command"] == f"kt-cp trace 3x4 --start a1 --source {number}"


@pytest.mark.slow
def test_a_long_search_reports_its_walk(monkeypatch):
    monkeypatch.setattr(handlers, "RECORDED", 100)
    monkeypatch.setattr(handlers, "STEPS_IN_EVENT", 30)
    monkeypatch.setattr(handlers, "CHUNK", 400)
    monkeypatch.setattr(handlers, "EVERY_SECONDS", 0.0)
    *steps, answer = answered("source", problem=board("4x4"), source="002")
    assert sum(len(each["moves"]) for each in steps) == 100
    walks = [each["walk"] for each in steps if "walk" in each]
    assert len(walks) > 5 and answer["outcome"]["verdict"] == "IMPOSSIBLE"
    assert answer["outcome"]["agrees"] is True


@pytest.mark.slow
def test_the_sweep_of_the_frontier_is_shown():
    events = []
    watch = handlers._report_sweep(Problem("4x5"), "frontier", events.append)
    (sweep,) = events
    assert sorted(filter(None, sweep["order"])) == sorted(Problem("4x5").tour([*Board(4, 5)]).names)
    request = Request.begin(Problem("4x5"), progress=watch)
    assert run_plan(plan_count(request, "frontier"), request).tours == 164
    fractions = [each["fraction"] for each in events[1:]]
    assert fractions == sorted(fractions) and fractions[-1] <= 1


def test_counts_are_reported_now_and_then_and_beginnings_at_once(monkeypatch):
    monkeypatch.setattr(progress, "EVERY_SECONDS", 3600)
    report = progress.ProgressReporter(Problem("3x4"), events := [])
    for number in range(1000):
        report({"step": number, "steps": 1000})
    report({"the way back": None})
    assert [each["text"] for each in events] == ["step 0 of 1,000", "the way back"]
    for value in (47, 47, 45, 45):
        report({"value": value, "bound": None})
    assert [each["text"] for each in events[2:]] == ["value 47", "value 45"]


@pytest.mark.slow
def test_a_board_that_takes_long_to_lay_out_is_reported_too(monkeypatch):
    monkeypatch.setattr(meter, "POLLS_PER_REPORT", 1)
    monkeypatch.setattr(meter, "STEPS_PER_POLL", 1)
    events = answered("solve", problem=board("5x6"), engine="backtrack")
    assert {"event": "paths", "paths": []} in events  # before anything is chosen


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["backtrack", "sat:lazy"])
def test_what_is_chosen_is_shown(engine, monkeypatch):
    """Paths and cycles are moves of the piece, each square at most once."""
    question = board("8x8", closed=True) if engine == "sat:lazy" else board("5x9", closed=False)
    monkeypatch.setattr(meter, "POLLS_PER_REPORT", 1)
    monkeypatch.setattr(meter, "STEPS_PER_POLL", 5)
    monkeypatch.setattr(isolate, "in_child", lambda: True)  # as where a page's questions run
    events = answered("solve", problem=question, engine=engine)
    pictures = [each for each in events if each["event"] in ("paths", "cycles")]
    problem = request_schema.read_problem(question)
    assert pictures
    for event in pictures:
        walks = event.get("cycles") or event["paths"]
        squares = [package.parse_square(name) for walk in walks for name in walk]
        assert len(set(squares)) == len(squares)
        for walk in walks:
            here = [package.parse_square(name) for name in walk]
            pairs = zip(here, here[1:] + here[: event["event"] == "cycles"], strict=False)
            assert all(problem.is_move(*pair) for pair in pairs)
        if event["event"] == "cycles":
            assert len(squares) == 64 and len(walks) > 1
    assert progress.is_transient(pictures[0])
