"""The server: start, guards, random requests, static files."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import queue
import random
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import closing, suppress
from importlib.resources import files
from types import SimpleNamespace

import psutil
import pytest

from kt_cp import Board, Piece, solve
from kt_cp.model.board import square_name
from kt_cp.model.errors import KtCpError
from kt_cp.model.piece import moves_from
from kt_cp.model.surface import JOINS, Join, Surface
from kt_cp.render.animation import OUTLINE
from kt_cp.web import app as app_module
from kt_cp.web import handlers, request_schema
from kt_cp.web.app import MOST_HEADER, TOKEN, application
from kt_cp.web.guard import HEADERS, MOST_BODY, ServerAddress
from kt_cp.web.jobs import EventStreams
from tests.support.asgi import HERE, PAGE, PLACE, NoPool, post, request
from tests.support.asgi import send_request as answer_of
from tests.support.command_line import (
    PATIENCE,
    ROOT,
    alive,
    command_line,
    end,
    environment,
    wait_until,
    workers,
)
from tests.support.command_line import refused as refused_by
from tests.support.exhaustive import SEED

EIGHT = {"rows": 8, "columns": 8, "closed": True}
LONG = {"kind": "solve", "engine": "sat", "problem": {"rows": 7, "columns": 7, "closed": True}}
"""Counting over the whole board refutes it, which no solver does in a minute."""


class Serving:
    """A server in a process of its own."""

    def __init__(self, *options: object) -> None:
        self.process = subprocess.Popen(
            command_line("web", "--no-browser", *options), env=environment(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.line = self.process.stdout.readline().decode()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]+)\n", self.line)
        assert match, self.line
        self.port, self.token = int(match[1]), match[2]
        self.streams: list[Stream] = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            assert end(self.process, signal.SIGTERM)[0] == 128 + signal.SIGTERM
        for stream in self.streams:
            stream.close()
        self.process.stdout.close()
        self.process.stderr.close()

    def request(self, method, path, body=None, **headers):
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            text = None if body is None else json.dumps(body)
            line.request(method, path, text, {"X-Token": self.token, **headers})
            answer = line.getresponse()
            return answer.status, answer.read()

    def page(self, name="page-one"):
        self.streams.append(Stream(self, name))
        return self.streams[-1]

    def children(self):
        return workers(self.process.pid)


class Stream:
    """A page that listens."""

    def __init__(self, serving: Serving, name: str) -> None:
        self.serving, self.name = serving, name
        self.line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)
        self.line.request("GET", f"/api/events?page={name}", headers={"X-Token": serving.token})
        self.answer = self.line.getresponse()
        assert self.answer.status == 200
        self.events: queue.SimpleQueue = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        try:
            for line in self.answer:
                if line.startswith(b"data: "):
                    self.events.put(json.loads(line[6:]))
        except (OSError, ValueError, AttributeError):
            pass  # it was closed
        self.events.put({"event": "closed"})

    def ask(self, **body):
        body = {"kind": "solve", "problem": EIGHT, "page": self.name, **body}
        status, text = self.serving.request("POST", "/api/ask", body)
        assert status == 200, text
        return json.loads(text)["job"]

    def until(self, name):
        seen = []
        while not seen or seen[-1]["event"] != name:
            seen.append(self.events.get(timeout=PATIENCE))
            assert seen[-1]["event"] != "closed"
        return seen

    def close(self):
        with suppress(OSError, AttributeError):  # it is closed
            self.line.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.answer.close()
        self.line.close()


@pytest.fixture(scope="module")
def serving():
    """One for all tests here; the last of them kills it."""
    with Serving() as made:
        yield made


@pytest.mark.slow
@pytest.mark.clock
def test_it_answers_at_once_and_ends_at_once():
    with Serving() as serving:
        answers_and_ends(serving)


def answers_and_ends(serving):
    page = serving.page()
    wait_until(lambda: len(serving.children()) == 2)
    page.ask()
    page.until("end")
    taken = []
    for seed in range(5):
        began = time.perf_counter()
        page.ask(seed=seed)
        (outcome,) = (each for each in page.until("end") if each["event"] == "outcome")
        taken.append(time.perf_counter() - began)
        assert outcome["outcome"]["verified"] and outcome["outcome"]["replayed"]
    assert min(taken) < 0.3, taken  # whatever else the machine does

    job = page.ask(**LONG)
    page.until("progress")
    before = {each.pid for each in serving.children()}
    began = time.perf_counter()
    assert serving.request("POST", "/api/stop", {"page": page.name, "job": job})[0] == 200
    kinds = [each["event"] for each in page.until("end")]
    assert "stopped" in kinds and time.perf_counter() - began < 1
    assert before - {each.pid for each in serving.children()}  # it was killed, not asked

    page.ask(**LONG)
    page.until("progress")
    busy = serving.children()
    page.close()
    began = time.perf_counter()
    wait_until(lambda: not all(map(alive, busy)))
    assert time.perf_counter() - began < 1

    other = serving.page("page-two")
    other.ask(**LONG)
    other.until("progress")
    left = serving.children()
    assert left
    code, out, err = end(serving.process, signal.SIGINT)  # within two seconds
    assert (code, out) == (130, b"") and err.endswith(b"kt-cp: interrupted\n")
    wait_until(lambda: not any(map(alive, left)), 1)


@pytest.mark.slow
def test_a_search_for_the_best_tour_is_stopped_and_keeps_it(serving):
    page = serving.page("page-best")
    problem = {"rows": 12, "columns": 12, "closed": True}
    job = page.ask(kind="optimize", problem=problem, objective="fewest-turns", time_limit=600)
    while "value" not in page.until("progress")[-1]:
        pass
    stop = {"page": page.name, "job": job, "keep": True}
    assert serving.request("POST", "/api/stop", stop)[0] == 200
    *_, event, end = page.until("end")
    optimum = event["optimum"]
    assert optimum["limit"] == "interrupted" and len(optimum["tour"]) == 144
    assert optimum["measures"]["turns"] == optimum["value"] > optimum["bound"] > 0
    assert f"than {optimum['bound']}" in event["summary"] and end["seconds"] < 60
    # Its child is ready for the next search.
    page.ask(problem={"rows": 5, "columns": 6})
    assert page.until("end")[-2]["event"] == "outcome"
    page.close()


@pytest.mark.slow
def test_measures_and_objectives_are_answered_outside_the_stream(serving):
    query = {"problem": {"rows": 3, "columns": 4}}
    names = solve("3x4").tour.names
    status, text = serving.request("POST", "/api/measures", {**query, "tour": names})
    assert status == 200 and json.loads(text)["measures"] == solve("3x4").tour.measures()
    status, text = serving.request("POST", "/api/measures", {**query, "tour": ["a1", "z9"]})
    assert status == 400 and "z9" in json.loads(text)["error"]
    status, text = serving.request("POST", "/api/objectives", query)
    assert status == 200 and [*json.loads(text)["refused"]] == ["least-weight"]
    body = {"kind": "measures", "page": "page-none", **query, "tour": names}
    status, text = serving.request("POST", "/api/ask", body)
    assert (status, json.loads(text)["error"]) == (400, "expected /api/measures for measures")


@pytest.mark.slow
def test_fifty_pages_at_once(serving):
    pages = [serving.page(f"page-{number:04}") for number in range(50)]
    for number, page in enumerate(pages):
        page.ask(seed=number)
    for page in pages:
        kinds = [each["event"] for each in page.until("end")]
        assert kinds[-2:] == ["outcome", "end"] and "error" not in kinds
    for page in pages:
        page.close()


@pytest.mark.slow
def test_what_is_no_request_is_survived(serving):
    for bytes_ in (b"\x00" * 100, b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01" * 30,
                   b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n",
                   b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000):  # fmt: skip
        with closing(socket.create_connection(("127.0.0.1", serving.port), 5)) as line:
            try:
                line.sendall(bytes_)
                line.shutdown(socket.SHUT_WR)
                line.settimeout(10)
                answer = line.recv(1 << 16)
            except OSError:
                continue
            assert not answer or re.match(rb"HTTP/1.1 4\d\d", answer), answer
    assert serving.request("GET", "/")[0] == 200
    assert serving.request("GET", "/", Host="evil.example")[0] == 403


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_a_connection_without_a_request_is_closed(serving, sent):
    with socket.create_connection(("127.0.0.1", serving.port), timeout=PATIENCE) as line:
        line.sendall(sent)
        assert line.recv(100) == b""
    assert serving.request("GET", "/")[0] == 200


def test_a_connection_is_used_again_and_long_heads_are_refused(serving):
    with closing(http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)) as line:
        for _ in range(3):
            line.request("GET", "/")
            answer = line.getresponse()
            answer.read()
            assert answer.status == 200
    with socket.create_connection(("127.0.0.1", serving.port), timeout=PATIENCE) as line:
        line.sendall(b"GET /" + b"a" * MOST_HEADER)  # and no end of it
        assert line.recv(100).startswith(b"HTTP/1.1 400 ")


def test_another_takes_another_port_and_a_wanted_one_must_be_free(serving, kt_cp):
    with Serving() as other:
        assert other.port != serving.port
    wanted = kt_cp("web", "--no-browser", "--port", serving.port)
    refused_by(wanted, f"--port: {serving.port} is in use; --port 0 takes any free one")
    with Serving("--port", 0) as another:
        assert another.port not in (0, serving.port)


def test_a_port_is_taken_at_once_and_not_when_the_server_has_begun():
    """Two that are started together would both have it, and the second would end."""
    from kt_cp.web import app

    with app.listen("127.0.0.1", 0) as first, pytest.raises(OSError, match="in use"):
        app.listen(*first.getsockname())


@pytest.mark.slow
def test_a_server_that_is_killed_leaves_no_child(serving):
    page = serving.page()
    page.ask(**LONG)
    page.until("progress")
    left = serving.children()
    os.kill(serving.process.pid, signal.SIGKILL)
    serving.process.wait()
    wait_until(lambda: not any(map(alive, left)))


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "2001:db8::1", "a..b"])
def test_an_address_of_another_machine_is_no_place_to_listen(host, kt_cp):
    refused_by(kt_cp("web", "--host", host), "--host: expected an address of this machine", host)


def test_without_the_extra_it_says_what_to_install(kt_cp, monkeypatch):
    import sys

    for name in [each for each in sys.modules if each.startswith("kt_cp.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    refused_by(kt_cp("web"), "pip install '.[web]'", "uvicorn")


def test_the_browser_is_opened_unless_an_option_forbids_it(kt_cp, monkeypatch):
    import webbrowser

    from kt_cp.web import app

    opened, served = [], []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(app, "listen", lambda host, port: SimpleNamespace(
        getsockname=lambda: (host, port or 5), close=lambda: None))  # fmt: skip

    def serve(place, at, begun):
        begun()
        served.append(place)

    monkeypatch.setattr(app, "serve", serve)
    result = kt_cp("web", "--port", 9001)
    wait_until(lambda: opened)
    assert result.code == 0 and result.out == f"{opened[0]}\n" == f"{served[0].address}\n"
    assert kt_cp("web", "--no-browser", "--host", "0.0.0.0", "--port", 9001).code == 0
    assert len(opened) == 1 and served[1].host == "0.0.0.0"
    assert served[0].token != served[1].token and len(served[0].token) > 20
    for wrong in (["--port", -1], ["--port", 70000], ["--port", "x"]):
        refused_by(kt_cp("web", *wrong))


WITH_TOKEN = {"x-token": PLACE.token}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "evil.example"},
        {"host": "evil.example:8064"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:8065"},
        {"host": "127.0.0.1:8064.evil.example"},
        {"host": "evil.example:80:8064"},
        {"host": ""},
        {"host": b"\xff\xfe:8064"},
        [("host", "127.0.0.1:8064"), ("host", "evil.example")],
        {**HERE, "origin": "http://evil.example"},
        {**HERE, "origin": "null"},
        {**HERE, "origin": "https://127.0.0.1:8064"},
        {**HERE, "origin": "http://127.0.0.1:8064.evil.example"},
        [*HERE.items(), ("origin", "http://127.0.0.1:8064"), ("origin", "http://evil.example")],
    ],
    ids=str,
)
@pytest.mark.parametrize("request_line", ["GET /", "POST /api/ask"])
def test_strangers_are_refused(headers, request_line):
    method, path = request_line.split()
    pairs = [*(headers.items() if isinstance(headers, dict) else headers), *WITH_TOKEN.items()]
    answer = request(method, path, pairs)
    assert answer.status == 403 and answer.json()["error"].startswith("expected a request")


@pytest.mark.parametrize(
    "headers",
    [HERE, {"host": "localhost:8064"}, {"host": "[::1]:8064"}, {"host": "LOCALHOST:8064"},
     {**HERE, "origin": "http://localhost:8064"}],
    ids=str,
)  # fmt: skip
def test_this_machine_is_served(headers):
    assert request("GET", "/", headers).status == 200


@pytest.mark.parametrize("token", [None, "", "wrong", PLACE.token + "x", b"\xe9\xff", "a-toke"])
def test_nothing_is_started_without_the_token(token):
    headers = {**HERE, **({} if token is None else {"x-token": token})}
    answer = request("POST", "/api/ask", headers, b"{}")
    assert (answer.status, answer.json()) == (
        403, {"error": "expected the token of the printed address"},
    )  # fmt: skip
    assert request("GET", "/api/events?page=page-one", headers).status == 403


def test_a_stream_takes_no_token_from_the_address():
    pages = EventStreams(NoPool())
    path = f"/api/events?page={PAGE}&token={PLACE.token}"
    assert request("GET", path, pages=pages).status == 403
    assert request("GET", path, {**HERE, "cookie": f"token={PLACE.token}"}).status == 403
    assert not pages.open
    answer = request("GET", f"/api/events?page={PAGE}", {**HERE, **WITH_TOKEN}, pages=pages)
    assert answer.status == 200 and answer.header("content-type").startswith("text/event-stream")


def test_the_page_has_the_token_of_its_address_alone():
    assert PLACE.token.encode() in request("GET", f"/?token={PLACE.token}").body
    for path in ("/", "/?token=wrong", "/?token="):
        page = request("GET", path)
        assert page.status == 200 and PLACE.token.encode() not in page.body


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"content-length": str(MOST_BODY + 1)}, b"", 413),
        ({"content-length": "9" * 30}, b"", 400),
        ({"content-length": "-1"}, b"", 400),
        ({"content-length": "x"}, b"", 400),
        ({}, [b"[" * (MOST_BODY // 2)] * 3, 413),  # in chunks, without a length
    ],
    ids=["long", "longer", "negative", "no-number", "chunks"],
)
def test_long_bodies_are_not_read(headers, body, status):
    answer = request("POST", "/api/ask", {**HERE, **WITH_TOKEN, **headers}, body)
    assert answer.status == status and "expected" in answer.json()["error"]


@pytest.mark.parametrize(
    "request_line",
    ["GET /", "GET /static/page.js", "GET /nothing", "POST /", "GET /api/choices", "PUT /api/ask",
     "GET /static/none.js", "POST /api/ask"],
)  # fmt: skip
def test_every_answer_is_strict(request_line):
    method, path = request_line.split()
    answer = request(method, path, {**HERE, **WITH_TOKEN}, b"[]")
    assert answer.status in (200, 400, 404, 405)
    assert {name: answer.header(name) for name in HEADERS} == HEADERS
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy


@pytest.mark.parametrize(
    "name",
    ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "....//app.py", "..\\app.py",
     "index.html/../../app.py", "%00", "page.js%00.html", "__init__.py", ".", "..", "C:/x", "~",
     "page.JS", "x" * 5000],
)  # fmt: skip
def test_no_path_comes_from_a_request(name):
    answer = request("GET", f"/static/{name}")
    assert answer.status == 404
    assert b"import" not in answer.body and b"root:" not in answer.body


@pytest.mark.parametrize(
    ("host", "header", "here"),
    [
        ("0.0.0.0", "192.168.1.7:8064", True),
        ("0.0.0.0", "localhost:8064", True),
        ("0.0.0.0", "rebound.example:8064", False),
        ("::", "[fe80::1]:8064", True),
        ("board.local", "board.local:8064", True),
        ("board.local", "localhost:8064", False),
        ("192.168.1.7", "127.0.0.1:8064", False),
    ],
)
def test_a_name_that_could_be_anybodys_is_refused(host, header, here):
    assert ServerAddress(host, 8064, "t").is_here(header) is here


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}"]
)
def test_what_is_no_object_is_refused(body):
    answer = post("/api/ask", body)
    assert answer.status == 400 and answer.json()["error"].startswith("expected")


def test_a_page_needs_its_stream_first():
    body = {"page": "page-one", "kind": "solve", "problem": {"rows": 5, "columns": 5}}
    answer = post("/api/ask", body)
    assert answer.status == 400 and "stream" in answer.json()["error"]
    assert post("/api/ask", {**body, "page": "../.."}).status == 400
    assert post("/api/stop", {"page": "page-one", "job": 7}).status == 200


BOARD = {"rows": 3, "columns": 4, "closed": False, "missing": ["b2"], "start": "a1"}
BODIES = [
    {"kind": "solve", "problem": BOARD, "engine": "backtrack", "seed": 1, "time_limit": 1},
    {"kind": "prove", "problem": BOARD, "evidence": "removal"},
    {"kind": "optimize", "problem": BOARD, "objective": "fewest-turns", "time_limit": 1},
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
    {"problem": BOARD, "tour": ["a1", "b3"], "measure": "turns"},
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
    "/api/choices", "/api/ask", "/api/stop", "/api/text", "/api/picture", "/api/measures",
    "/api/objectives", "/api/events",
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
        return "POST", rng.choice(PATHS[6:12]), headers, [body_of(rng)]
    path = rng.choice(PATHS)
    return rng.choice(METHODS), path, headers, [body_of(rng)] * rng.randrange(3)


@pytest.mark.slow
def test_ten_thousand_requests(monkeypatch):
    async def here(function, *arguments):  # a thread for each would take as long as the rest
        return function(*arguments)

    monkeypatch.setattr(app_module, "run_in_threadpool", here)
    rng = random.Random(SEED)
    before = {each.pid for each in psutil.Process().children()}
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
            context = f"SEED={SEED}, request {number}"
            assert 200 <= answer.status < 500, (context, request)
            assert answer.body not in sources, (context, request)
            assert not any(s in answer.body for s in SECRETS), (context, request)
            if answer.status in (400, 403, 413) and answer.body:  # nobody waits for the others
                error = answer.json()["error"]
                assert "\n" not in error and len(error) < 700, (context, request)
            while not page.events.empty():
                page.events.get_nowait()
            page.jobs.clear()

    asyncio.run(main())
    assert {200, 400, 403, 404, 405} <= set(statuses), statuses
    assert statuses[200] > 500, statuses
    # Only what this process has started: a browser of other tests starts processes when it likes.
    assert {each.pid for each in psutil.Process().children()} <= before


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


STATIC = {
    each.name: each.read_text("utf-8") for each in files("kt_cp.web").joinpath("static").iterdir()
}
SCRIPTS = sorted(name for name in STATIC if name.endswith(".js"))
NAMED = re.compile(r"/static/([a-z]+\.[a-z]+)")


def test_the_knight_is_the_one_of_the_pictures():
    drawn = re.sub(r'" \+\s+"', "", STATIC["drawing.js"])
    assert OUTLINE in drawn and OUTLINE in STATIC["icon.svg"]


def test_surfaces_join_what_they_join():
    words = {Join.OPEN: "", Join.PLAIN: "plain", Join.REVERSED: "reversed"}
    found = dict(re.findall(r'(\w+): (\["\w*", "\w*"\])', STATIC["squares.js"]))
    assert found == {
        str(surface): f'["{words[files]}", "{words[ranks]}"]'
        for surface, (_, files, ranks) in JOINS.items()
    }


def test_the_page_names_files_that_are_there_and_holds_no_script_or_style():
    page = STATIC["index.html"]
    assert {*NAMED.findall(page)} <= {*STATIC}
    assert page.encode().count(TOKEN) == 1
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_imports_its_neighbours_and_takes_text_as_text(name):
    text = STATIC[name]
    assert text.startswith("// "), "what it is"
    for names, where in re.findall(r'(?m)^import \{ (.+) \} from "\./(\w+\.js)";$', text):
        for each in names.split(", "):
            taken = each.split(" as ")[0]
            assert re.search(
                rf"export (?:async )?(?:function|class|const) {taken}\b", STATIC[where]
            )
    assert len(re.findall(r"(?m)^import ", text)) == len(re.findall(r'(?m)^import .* "\./', text))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|document\.write", text)
    assert not re.search(r"https?://(?!www\.w3\.org/)", text), "nothing from other hosts"


@pytest.mark.slow
def test_moves_are_the_package_s_on_every_surface(page):
    page.open()
    pieces = [Piece.parse(each) for each in ("knight", "camel", "king", "1,4+0,2")]
    boards = [Board(r, c, [(1, 1)], s) for s in Surface for r, c in ((2, 5), (4, 3), (5, 6))]
    script = """
    const [problems, done] = arguments;
    import("/static/squares.js").then(({ nameOf, movesFrom }) => done(problems.map((problem) => {
      const found = {};
      for (let row = 0; row < problem.rows; row += 1)
        for (let column = 0; column < problem.columns; column += 1) {
          const name = nameOf(row, column);
          found[name] = movesFrom(problem, name).map((move) => move.name).sort();
        }
      return found;
    })));
    """
    cases = [(board, piece) for board in boards for piece in pieces]
    found = page.driver.execute_async_script(
        script,
        [
            {
                "rows": board.rows, "columns": board.columns, "surface": str(board.surface),
                "missing": [*map(square_name, board.missing)], "piece": piece.leaps,
            }
            for board, piece in cases
        ],
    )  # fmt: skip
    for (board, piece), moves in zip(cases, found, strict=True):
        for row in range(board.rows):
            for column in range(board.columns):
                right = sorted(map(square_name, moves_from(board, piece, (row, column))))
                assert moves[square_name((row, column))] == right, (board.label, piece)
