"""``kt-cp web``: the page, served to a browser on this machine."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Annotated

import typer

from kt_cp.cli.output import FOUND, print_result, remark
from kt_cp.model.errors import InputError

if TYPE_CHECKING:
    import socket

PORT = 8064
"""The default port; if it is in use, any free one."""


def web_command(
    *,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port to listen on; 0 takes any free port",
            show_default=f"{PORT}, if free",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Address to listen on; others admit other machines"),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open the page")
    ] = True,
) -> int:
    """Serve the page to a browser on this machine: draw boards, watch searches, play puzzles.

    Prints its address, and ends with Ctrl-C.
    """
    try:
        from kt_cp.web.app import serve
        from kt_cp.web.guard import ServerAddress
    except ImportError as error:
        raise InputError(
            f"expected Starlette and uvicorn, got {error}; in the folder of kt_cp, "
            "pip install '.[web]' installs them"
        ) from None
    at = _listen(host, port)
    place = ServerAddress(host, at.getsockname()[1])

    def begun() -> None:
        print_result(f"{place.address}\n")
        remark("kt-cp: the page is served until Ctrl-C")
        if browser:
            import threading
            import webbrowser

            # A browser that is started may not come back before it is closed.
            threading.Thread(target=webbrowser.open, args=(place.address,), daemon=True).start()

    serve(place, at, begun)
    return FOUND


def _listen(host: str, port: int | None) -> socket.socket:
    from kt_cp.web.app import listen

    if port is not None:
        try:
            return listen(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise InputError(f"--port: {port} is in use; --port 0 takes any free one") from None
    try:
        return listen(host, PORT)
    except OSError:
        return listen(host, 0)
