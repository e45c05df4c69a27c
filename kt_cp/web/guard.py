"""Checks of host, origin, token and size before a request is read, and headers of every response.

Every page in the browser can reach a server on this machine.  It can send requests here, though it
cannot read the responses; with a name that it points at this machine (DNS rebinding) it can read
them too.  So a request must name this server as its host; if it has an origin, that must be this
server's page; and to start something it must have a token.  Other users of the machine do not have
the token either.

Source: the checks are those of Jupyter's server; C. Jackson, A. Barth, A. Bortz, W. Shao and
D. Boneh, "Protecting browsers from DNS rebinding attacks", CCS 2007.  Cost: negligible.
When it loses: a program that can read this user's processes can read the token.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kt_cp.model.board import shorten

MOST_BODY = 2_000_000
"""Most bytes of a request: a tour of the most squares, by names, takes half of it."""

EVENTS = "/api/events"
"""Path of the event streams.  Browsers send a token only in a header, because addresses are seen,
copied and logged."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every response: scripts and styles come from this server, and no page may frame it."""


def one_line(text: str) -> str:
    """Return a message as one line of limited length."""
    return shorten(" ".join(text.split()), 600)


class RefusedError(Exception):
    """A request that is refused, with the HTTP status and a message of one line."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status

    def response(self) -> JSONResponse:
        """Return the response to the request."""
        return JSONResponse({"error": one_line(str(self))}, self.status)


@dataclass(frozen=True)
class ServerAddress:
    """The address of the server, and the token that requests need.

    Attributes
    ----------
    host : str
        Name or address on which it listens.
    port : int
    token : str
        Required of requests that start something.

    Examples
    --------
    >>> place = ServerAddress("127.0.0.1", 8064, "secret")
    >>> place.address
    'http://127.0.0.1:8064/?token=secret'
    >>> place.is_here("localhost:8064"), place.is_here("evil.example:8064"), place.is_here(None)
    (True, False, False)
    """

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    @property
    def address(self) -> str:
        """The URL of the page on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}/?token={self.token}"

    def is_here(self, host: str | None) -> bool:
        """Return whether a ``Host`` header names this server."""
        if host is None:
            return False
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:
            name, port = port, ""
        if (port or "80") != str(self.port):
            return False
        name = name.strip("[]").lower()
        if self.host in ("0.0.0.0", "::"):
            # An address or this machine's own name cannot be a rebound domain.
            with suppress(ValueError):
                ipaddress.ip_address(name)
                return True
            return name in ("localhost", socket.gethostname().lower())
        loopback = ("127.0.0.1", "localhost", "::1")
        return name == self.host.lower() or (self.host in loopback and name in loopback)

    def is_ours(self, origin: str | None) -> bool:
        """Return whether an ``Origin`` header is missing or that of this server's page."""
        return origin is None or (
            origin.startswith("http://") and self.is_here(origin.removeprefix("http://"))
        )

    def trusts(self, token: str | None) -> bool:
        """Return whether the token matches."""
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())


class RequestGuard:
    """ASGI middleware that checks every request and adds headers to every response."""

    def __init__(self, app: ASGIApp, place: ServerAddress) -> None:
        self._app, self._place = app, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            self._look_at(scope)
        except RefusedError as refused:
            await refused.response()(scope, receive, answer)
            return
        await self._app(scope, limit_body(receive), answer)

    def _look_at(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._place.is_here(hosts[0]):
            raise RefusedError(403, "expected a request to this server's own address")
        if not all(map(self._place.is_ours, headers.getlist("origin"))):
            raise RefusedError(403, "expected a request of this server's own page")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 18:
            raise RefusedError(400, "expected the length of a body as a number")
        if int(length) > MOST_BODY:
            raise RefusedError(413, f"expected a body of at most {MOST_BODY:,} bytes, got {length}")
        needs_token = scope["method"] == "POST" or scope["path"] == EVENTS
        if needs_token and not self._place.trusts(headers.get("x-token")):
            raise RefusedError(403, "expected the token of the printed address")


def limit_body(receive: Receive) -> Receive:
    """Return the receiver of a request, which raises an error if the body is too large."""
    received = 0

    async def part() -> Any:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BODY:
            raise RefusedError(413, f"expected a body of at most {MOST_BODY:,} bytes, got more")
        return message

    return part
