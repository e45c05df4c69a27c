"""The server as it is started: what it prints, how soon it answers, that nothing is left of it."""

from __future__ import annotations

import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import closing, suppress
from types import SimpleNamespace

import pytest

from tests.support.command_line import (
    PATIENCE,
    alive,
    command_line,
    end,
    environment,
    wait_until,
    workers,
)
from tests.support.command_line import refused as refused_by

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
        self.line.request("GET", f"/api/events?page={name}&token={serving.token}")
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
def test_another_takes_another_port_and_a_wanted_one_must_be_free(serving, kt_cp):
    with Serving() as other:
        assert other.port != serving.port
    refused_by(kt_cp("web", "--no-browser", "--port", serving.port), "address already in use")


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
    refused_by(kt_cp("web"), "pip install 'kt_cp[web]'", "uvicorn")


def test_the_browser_is_opened_unless_told_otherwise(kt_cp, monkeypatch):
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
    ran = kt_cp("web", "--port", 9001)
    wait_until(lambda: opened)
    assert ran.code == 0 and ran.out == f"{opened[0]}\n" == f"{served[0].address}\n"
    assert kt_cp("web", "--no-browser", "--host", "0.0.0.0", "--port", 9001).code == 0
    assert len(opened) == 1 and served[1].host == "0.0.0.0"
    assert served[0].token != served[1].token and len(served[0].token) > 20
    for wrong in (["--port", 0], ["--port", 70000], ["--port", "x"]):
        refused_by(kt_cp("web", *wrong))
