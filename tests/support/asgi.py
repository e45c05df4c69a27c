"""Requests to the server without a socket: they call the application as a server does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from kt_cp.web.app import application
from kt_cp.web.guard import ServerAddress
from kt_cp.web.jobs import EventStreams, WorkerPool

PLACE = ServerAddress("127.0.0.1", 8064, "a-token")
HERE = {"host": "127.0.0.1:8064"}
PAGE = "page-one"


class NoPool(WorkerPool):
    """A pool that starts no children."""

    def __init__(self) -> None:
        super().__init__()
        self.put_in: list[Any] = []

    def put(self, job):
        self.put_in.append(job)
        job.send_event({"event": "error", "text": "nobody works here", "code": 3})
        job.send_event({"event": "end"})

    def start(self, many=0):
        pass

    def done(self):
        pass


@dataclass
class Answer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key.lower() == name.encode()]
        return found[0].decode() if found else None

    def json(self) -> Any:
        return json.loads(self.body)


async def send_request(app, method, path, headers=(), chunks=(b"",), query=b"") -> Answer:
    """Send a request; ``headers`` are pairs of bytes or texts."""
    pairs = headers.items() if isinstance(headers, dict) else headers
    raw = [(_bytes(name).lower(), _bytes(value)) for name, value in pairs]
    path, _, text = path.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": method, "scheme": "http", "path": path, "root_path": "", "headers": raw,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": text.encode("utf-8", "replace") or query,
        "client": ("127.0.0.1", 4000), "server": ("127.0.0.1", 8064),
    }  # fmt: skip
    left, answer = list(chunks), Answer(0, [], b"")

    async def receive():
        if left:
            chunk = left.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(left)}
        return {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status, answer.headers = message["status"], list(message["headers"])
        else:
            answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1", "replace")


def request(method, path, headers=None, body=b"", *, place=PLACE, pages=None) -> Answer:
    """Send a request to a new server."""
    chunks = body if isinstance(body, list) else [body]

    async def once():
        app = application(place, pages or EventStreams(NoPool()))
        return await send_request(app, method, path, HERE if headers is None else headers, chunks)

    return asyncio.run(once())


def post(path, body, **changes) -> Answer:
    """Send a request as the page itself does."""
    headers = {**HERE, "x-token": PLACE.token, "origin": "http://127.0.0.1:8064"}
    data = body if isinstance(body, bytes | list) else json.dumps(body).encode()
    return request("POST", path, headers, data, **changes)
