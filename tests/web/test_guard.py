"""What is refused before anything is read, and what every answer says to the browser."""

from __future__ import annotations

import pytest

from kt_cp.web.guard import HEADERS, MOST_BODY, ServerAddress
from tests.support.asgi import HERE, PLACE, post, request

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
@pytest.mark.parametrize("asked", ["GET /", "POST /api/ask"])
def test_strangers_are_refused(headers, asked):
    method, path = asked.split()
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
    stream = request("GET", "/api/events?page=page-one&token=" + str(token or ""))
    assert stream.status == 403


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
        ({}, [b"[" * (MOST_BODY // 2)] * 3, 413),  # in chunks, and nobody said how many
    ],
    ids=["long", "longer", "negative", "no-number", "chunks"],
)
def test_long_bodies_are_not_read(headers, body, status):
    answer = request("POST", "/api/ask", {**HERE, **WITH_TOKEN, **headers}, body)
    assert answer.status == status and "expected" in answer.json()["error"]


@pytest.mark.parametrize(
    "asked",
    ["GET /", "GET /static/page.js", "GET /nothing", "POST /", "GET /api/choices", "PUT /api/ask",
     "GET /static/none.js", "POST /api/ask"],
)  # fmt: skip
def test_every_answer_is_strict(asked):
    method, path = asked.split()
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
    asked = {"page": "page-one", "kind": "solve", "problem": {"rows": 5, "columns": 5}}
    answer = post("/api/ask", asked)
    assert answer.status == 400 and "stream" in answer.json()["error"]
    assert post("/api/ask", {**asked, "page": "../.."}).status == 400
    assert post("/api/stop", {"page": "page-one", "job": 7}).status == 200
