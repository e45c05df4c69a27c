"""The routes of the page, and the server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import re
import socket
from collections.abc import AsyncIterator, Callable
from functools import cache
from importlib.resources import files
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from kt_cp.model.errors import InputError
from kt_cp.web.guard import EVENTS, RefusedError, RequestGuard, ServerAddress
from kt_cp.web.jobs import EventStream, EventStreams
from kt_cp.web.request_schema import (
    MEASURES,
    MOST_SEED,
    PICTURE,
    list_choices,
    read_request,
    refused_objectives,
    text_document,
    whole,
)

HEARTBEAT_SECONDS = 15.0
"""Seconds between two comments on an idle stream, which keep the connection open."""

TOKEN = b'<meta name="token" content="">'
"""Placeholder in the page for the token, filled in if the request has it."""

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

FILES = {
    "svg": ("image/svg+xml", "svg"),
    "png": ("image/png", "png"),
    "pdf": ("application/pdf", "pdf"),
    "json": ("application/json", "json"),
    "text": ("text/plain", "txt"),
    "npy": ("application/octet-stream", "npy"),
    "gif": ("image/gif", "gif"),
    "mp4": ("video/mp4", "mp4"),
}
"""Media type and suffix of each format that is saved."""

_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")


def application(place: ServerAddress, pages: EventStreams | None = None) -> RequestGuard:
    """Return the ASGI application."""
    known = static_files()
    every = pages or EventStreams()

    async def index(request: Request) -> Response:
        page = known["index.html"]
        if place.trusts(request.query_params.get("token")):
            page = page.replace(TOKEN, TOKEN.replace(b'""', f'"{place.token}"'.encode()))
        return Response(page, media_type="text/html")

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in known:
            raise HTTPException(404)
        return Response(known[name], media_type=TYPES[name.rpartition(".")[2]])

    async def get_choices(request: Request) -> Response:
        if place.trusts(request.headers.get("x-token")):
            every.pool.start()  # a question is likely to follow
        return JSONResponse(list_choices())

    async def events(request: Request) -> Response:
        name = _stream_name(request.query_params.get("page"))
        return EventStreamResponse(every, name, every.enter(name))

    async def ask(request: Request) -> Response:
        body = await _json_body(request)
        name, kind = _stream_name(body.get("page")), body.get("kind")
        question = await run_in_threadpool(read_request, kind, body)
        if kind in (PICTURE, MEASURES):
            raise RefusedError(400, f"expected /api/{kind} for {kind}")
        number = whole(body, "job", None, 1, MOST_SEED)
        return JSONResponse({"job": every.submit(name, str(kind), question, number)})

    async def stop(request: Request) -> Response:
        body = await _json_body(request)
        number = body.get("job")
        keep = body.get("keep") is True
        every.stop(_stream_name(body.get("page")), number if type(number) is int else 0, keep=keep)
        return JSONResponse({})

    async def text(request: Request) -> Response:
        body = await _json_body(request)
        return JSONResponse(await run_in_threadpool(text_document, body.get("text")))

    async def objectives(request: Request) -> Response:
        body = await _json_body(request)
        refused = await run_in_threadpool(refused_objectives, body.get("problem"))
        return JSONResponse({"refused": refused})

    async def answer_at_once(kind: str, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
        question = await run_in_threadpool(read_request, kind, await _json_body(request))
        event = await every.once(kind, question)
        if event["event"] not in ("file", "measures"):
            raise RefusedError(400, event.get("text", "stopped"))
        return question, event

    async def measures(request: Request) -> Response:
        _, event = await answer_at_once(MEASURES, request)
        return JSONResponse(event)

    async def picture(request: Request) -> Response:
        question, event = await answer_at_once(PICTURE, request)
        media, suffix = FILES[question["format"]]
        named = {"content-disposition": f'attachment; filename="tour.{suffix}"'}
        return Response(event["content"], media_type=media, headers=named)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        every.end()
        every.pool.end()

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/static/{name}", static),
            Route("/api/choices", get_choices),
            Route(EVENTS, events),
            Route("/api/ask", ask, methods=["POST"]),
            Route("/api/stop", stop, methods=["POST"]),
            Route("/api/text", text, methods=["POST"]),
            Route("/api/objectives", objectives, methods=["POST"]),
            Route("/api/measures", measures, methods=["POST"]),
            Route("/api/picture", picture, methods=["POST"]),
        ],
        exception_handlers=dict.fromkeys(
            (HTTPException, RefusedError, InputError, ClientDisconnect), _refuse
        ),
        lifespan=lifespan,
    )
    return RequestGuard(app, place)


@cache
def static_files() -> dict[str, bytes]:
    """Return a static file by name."""
    return {
        each.name: each.read_bytes()
        for each in files("kt_cp.web").joinpath("static").iterdir()
        if each.name.rpartition(".")[2] in TYPES
    }


class EventStreamResponse(StreamingResponse):
    """A response with the events of a page, until the page closes it."""

    def __init__(self, pages: EventStreams, name: str, page: EventStream) -> None:
        self._leave: Callable[[], None] = lambda: pages.leave(name, page)
        super().__init__(_lines(page), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, and close the stream at the end."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


async def _lines(page: EventStream) -> AsyncIterator[str]:
    yield ": open\n\n"
    while True:
        try:
            event = await asyncio.wait_for(page.events.get(), HEARTBEAT_SECONDS)
        except TimeoutError:
            yield ": still here\n\n"
            continue
        if event is None:
            return
        yield f"data: {event}\n\n"


async def _json_body(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request."""
    try:
        document = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise RefusedError(400, "expected JSON") from None
    if not isinstance(document, dict):
        raise RefusedError(400, "expected a JSON object")
    return document


def _stream_name(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RefusedError(400, "expected the name of a page: 8 to 64 letters and digits")
    return name


async def _refuse(_: Request, error: Exception) -> Response:
    """Return the response to a request that is refused or lost."""
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)
    if isinstance(error, HTTPException):
        error = RefusedError(error.status_code, error.detail)
    refusal = error if isinstance(error, RefusedError) else RefusedError(400, str(error))
    return refusal.response()


HEADER_SECONDS = 5.0
"""Time for the head of a request, from its first byte, or from the start of a connection."""

MOST_HEADER = 16_384
"""Bytes of the head of a request, with its address."""


class PunctualProtocol(H11Protocol):
    """The protocol of a connection that is closed if no request arrives in time.

    uvicorn has a time-out between two requests, but none before the first and none within one.  So
    a program that opens connections and sends nothing could occupy all connections of the server.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Start the timeout for the rest of a request, unless it has arrived."""
        super().data_received(data)
        self._wait()

    def _wait(self) -> None:
        waits = self.cycle is None or self.cycle.response_complete
        if waits and self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self._close, self.cycle)

    def _close(self, cycle: object) -> None:
        self._timer = None
        if self.cycle is cycle and not self.transport.is_closing():
            self.transport.close()


class Server(uvicorn.Server):
    """A server that ends within a second of Ctrl-C, even if streams are open."""

    def __init__(
        self, config: uvicorn.Config, pages: EventStreams, begun: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._pages, self._begun = pages, begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, and report it."""
        await super().startup(sockets)
        self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first, because the server waits for open ones."""
        self._pages.end()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises
    ------
    InputError
        If the host is not an address of this machine.
    OSError
        If the port is taken or privileged.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen()  # two that start at once may both bind the port, but only one listens
    except BaseException as error:
        made.close()
        nowhere = isinstance(error, socket.gaierror | UnicodeError)
        if nowhere or getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
            raise InputError(
                f"--host: expected an address of this machine, such as 127.0.0.1, got {host!r}"
            ) from None
        raise
    return made


def serve(place: ServerAddress, at: socket.socket, begun: Callable[[], None]) -> None:
    """Serve until interrupted."""
    pages = EventStreams()
    pages.pool.start()  # while the browser starts, so that the first request need not wait
    config = uvicorn.Config(
        application(place, pages), log_config=None, access_log=False, http=PunctualProtocol,
        ws="none", h11_max_incomplete_event_size=MOST_HEADER,
        loop="asyncio", server_header=False, timeout_graceful_shutdown=1, limit_concurrency=512,
        proxy_headers=False,
    )  # fmt: skip
    Server(config, pages, begun).run([at])
