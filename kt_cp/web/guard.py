"""What is refused before a request is read, and what every answer says to the browser.

A server on this machine is within reach of every page that is open in the browser.  Such a page can
send requests here, though it may not read what comes back, and by a name that it points at this
machine (DNS rebinding) it may even read that.  So a request must name this server as its host, must
come from this server's own page where it says where it comes from, and must show a token wherever
it starts something.  Other users of the machine have no token either.

Source: the checks are those of Jupyter's server; C. Jackson, A. Barth, A. Bortz, W. Shao and
D. Boneh, "Protecting browsers from DNS rebinding attacks", CCS 2007.  Cost: none to speak of.
When it loses: whoever can read this user's processes can read the token.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kt_cp.model.board import shorten

MOST_BODY = 2_000_000
"""Bytes of a request: a tour of the most squares, by their names, has half of it."""

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
"""Of every answer: scripts and styles are files of this server, and no page may frame it."""


def one_line(text: str) -> str:
    """A message in one line, however long what it shows is."""
    return shorten(" ".join(text.split()), 600)


class RefusedError(Exception):
    """What a request asks for is not given; the status says why, the text to whom it may concern.

    Its text is a line as the command line says it.
    """

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status

    def response(self) -> JSONResponse:
        """The answer to the request."""
        return JSONResponse({"error": one_line(str(self))}, self.status)


@dataclass(frozen=True)
class ServerAddress:
    """Where the server listens, and who may ask.

    Attributes
    ----------
    host : str
        Name or address that it listens on.
    port : int
    token : str
        What a request must show that starts something.

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
        """What to type into a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}/?token={self.token}"

    def is_here(self, host: str | None) -> bool:
        """Whether a ``Host`` header names this server."""
        if host is None:
            return False
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:
            name, port = port, ""
        if (port or "80") != str(self.port):
            return False
        name = name.strip("[]").lower()
        if self.host in ("0.0.0.0", "::"):
            # By an address or this machine's own name nobody is led astray.
            with suppress(ValueError):
                ipaddress.ip_address(name)
                return True
            return name in ("localhost", socket.gethostname().lower())
        loopback = ("127.0.0.1", "localhost", "::1")
        return name == self.host.lower() or (self.host in loopback and name in loopback)

    def is_ours(self, origin: str | None) -> bool:
        """Whether an ``Origin`` header, if there is one, is that of this server's page."""
        return origin is None or (
            origin.startswith("http://") and self.is_here(origin.removeprefix("http://"))
        )

    def trusts(self, token: str | None) -> bool:
        """Whether it is the token."""
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())


class RequestGuard:
    """Every request passes here, and every answer."""

    def __init__(self, app: ASGIApp, place: ServerAddress, but: Collection[str] = ()) -> None:
        self._app, self._place, self._but = app, place, but

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it, as ASGI has it."""
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
        if scope["method"] == "POST" and not self._place.trusts(headers.get("x-token")):
            raise RefusedError(403, "expected the token of the printed address")


def limit_body(receive: Receive) -> Receive:
    """The same, but for a body that goes on beyond what it may be."""
    came = 0

    async def part() -> Any:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > MOST_BODY:
            raise RefusedError(413, f"expected a body of at most {MOST_BODY:,} bytes, got more")
        return message

    return part
