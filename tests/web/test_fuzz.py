"""Requests of all shapes: none breaks the server, reads a file or leaves a process."""

from __future__ import annotations

import asyncio
import json
import random

import psutil
import pytest

from kt_cp.model.errors import KtCpError
from kt_cp.web import app as app_module
from kt_cp.web import handlers, request_schema
from kt_cp.web.app import application
from kt_cp.web.jobs import EventStreams
from tests.support.asgi import HERE, PAGE, PLACE, NoPool
from tests.support.asgi import asked as answer_of
from tests.support.command_line import ROOT
from tests.support.exhaustive import SEED

BOARD = {"rows": 3, "columns": 4, "closed": False, "missing": ["b2"], "start": "a1"}
BODIES = [
    {"kind": "solve", "problem": BOARD, "engine": "backtrack", "seed": 1, "time_limit": 1},
    {"kind": "prove", "problem": BOARD, "evidence": "removal"},
    {"kind": "source", "problem": BOARD, "source": "002"},
    {
        "kind": "puzzle",
        "problem": BOARD,
        "grade": "easy",
        "clues": 3,
        "clues_symmetry": "half-turn",
    },
    {"kind": "hint", "problem": {**BOARD, "given": [["c1", 3]]}, "entered": {"a3": 2}},
    {"kind": "compare", "boards": ["3x3"], "engines": ["backtrack"], "kinds": "o"},
    {"kind": "count", "problem": BOARD, "classes": True},
    {"kind": "unrank", "problem": BOARD, "number": "1"},
    {"kind": "rank", "problem": BOARD, "tour": ["a1", "b3", "c1"]},
    {"kind": "sample", "problem": BOARD, "many": 2, "seed": 3},
    {"kind": "classes", "problem": BOARD, "many": 4},
    {"kind": "check", "certificate": {"format": "kt_cp certificate", "problem": BOARD}},
    {"text": "1 . .\n. # .\n"},
    {"problem": BOARD, "tour": ["a1", "b3"], "format": "svg"},
    {"job": 3},
]
VALUES = [
    None, True, False, 0, -1, 1, 7, 10**6, 10**30, 1.5, float("nan"), float("inf"), "", "a1", "8x8",
    "zz99", "../../etc/passwd", "/etc/passwd", "\x00", "\ud800", "é\n", "torus", "camel", "1,4",
    "half-turn", "sat:lazy", "x" * 3000, [], {}, [["a1", "c2"]], [["a1", 2]], [[]], {"a1": 1},
    {"rows": 5, "columns": 5}, ["a1"] * 50, [None], "9" * 5000,
]  # fmt: skip
PATHS = [
    "/", "/static/page.js", "/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd",
    "/api/choices", "/api/ask", "/api/stop", "/api/text", "/api/picture", "/api/events",
    "/api/events?page=page-one", "/api", "/\x00", "/é", "//evil.example/", "/static/", "/" * 500,
]  # fmt: skip
METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "X"]  # fmt: skip
SECRETS = (b"root:", b"from __future__", b"Traceback")


def changed(rng, value, depth=0):
    """The same value, somewhere else than before."""
    if rng.random() < 0.3 or depth > 4 or not isinstance(value, dict | list) or not value:
        return rng.choice(VALUES)
    if isinstance(value, list):
        at = rng.randrange(len(value))
        return [*value[:at], changed(rng, value[at], depth + 1), *value[at + 1 :]]
    key = rng.choice([*value])
    if rng.random() < 0.1:
        return {name: each for name, each in value.items() if name != key}
    if rng.random() < 0.1:
        return {**value, str(rng.choice(VALUES))[:50]: rng.choice(VALUES)}
    return {**value, key: changed(rng, value[key], depth + 1)}


def body_of(rng):
    body = {"page": PAGE, **rng.choice(BODIES)}
    for _ in range(rng.randrange(3)):
        body = changed(rng, body)
    text = json.dumps(body).encode()
    if rng.random() < 0.1:
        at = rng.randrange(len(text))
        text = text[:at] + bytes(rng.randrange(256) for _ in range(3)) + text[at + 1 :]
    return text


def request_of(rng):
    headers = [*HERE.items(), ("x-token", PLACE.token)]
    if rng.random() < 0.2:
        name = rng.choice(["host", "origin", "x-token", "content-length", "content-type", "cookie"])
        headers.append((name, str(rng.choice(VALUES))[:200].encode("utf-8", "replace")))
    if rng.random() < 0.7:
        return "POST", rng.choice(PATHS[6:10]), headers, [body_of(rng)]
    path = rng.choice(PATHS)
    return rng.choice(METHODS), path, headers, [body_of(rng)] * rng.randrange(3)


@pytest.mark.slow
def test_ten_thousand_requests(monkeypatch):
    async def here(function, *arguments):  # a thread for each would take as long as the rest
        return function(*arguments)

    monkeypatch.setattr(app_module, "run_in_threadpool", here)
    rng = random.Random(SEED)
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    sources = {path.read_bytes() for path in (ROOT / "kt_cp" / "web").glob("*.py")}
    statuses: dict[int, int] = {}

    async def main():
        pages = EventStreams(NoPool())
        app = application(PLACE, pages)
        page = pages.enter(PAGE)
        for number in range(10_000):
            request = request_of(rng)
            async with asyncio.timeout(30):
                answer = await answer_of(app, *request)
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            told = f"SEED={SEED}, request {number}"
            assert 200 <= answer.status < 500, (told, request)
            assert answer.body not in sources, (told, request)
            assert not any(s in answer.body for s in SECRETS), (told, request)
            if answer.status in (400, 403, 413) and answer.body:  # nobody waits for the others
                error = answer.json()["error"]
                assert "\n" not in error and len(error) < 700, (told, request)
            while not page.events.empty():
                page.events.get_nowait()
            page.jobs.clear()

    asyncio.run(main())
    assert {200, 400, 403, 404, 405} <= set(statuses), statuses
    assert statuses[200] > 500, statuses
    assert {each.pid for each in psutil.Process().children(recursive=True)} <= before


@pytest.mark.slow
def test_what_is_taken_is_answered_or_refused_in_one_line():
    """In the child: whatever was read as a question ends with an answer, or with one line."""
    rng = random.Random(SEED)
    answered = refused = 0
    kinds = [body for body in BODIES if body.get("kind") not in (None, "compare")]
    while answered < 150:
        body = rng.choice(kinds)
        for _ in range(rng.randrange(3)):
            key = rng.choice([name for name in body if name != "kind"])
            body = {**body, key: changed(rng, body[key])}
        note = f"SEED={SEED}, {body!r}"[:2000]
        try:
            question = request_schema.read_request(body["kind"], {**body, "time_limit": 2})
        except KtCpError:
            refused += 1
            continue
        if question["problem"] is not None and question["problem"].size > 30:
            continue
        events = []
        try:
            handlers.answer(body["kind"], question, emit=events.append)
        except KtCpError as error:
            assert len(str(error)) < 700, note
        else:
            assert events[-1]["event"] in ("outcome", "checked"), note
        answered += 1
    assert refused > 50
