"""Sentences on a terminal: in lines that it has room for, no word broken; in pipes whole."""

from __future__ import annotations

import pytest

from kt_cp.cli import output

TOLD = (
    "kt-cp: engine backtrack is limited to 250,000 squares, and 3000x3000, open has 9,000,000: "
    "for so many, on a whole rectangle, use --engine construct"
)


@pytest.mark.parametrize("width", [1, 30, 80, 500])
def test_no_word_is_broken_and_none_is_lost(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = output.wrap_text(TOLD).split("\n")
    assert " ".join(" ".join(lines).split()) == TOLD
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


def test_lines_stay_apart_and_keep_their_indent(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    told = "Not a tour:\n  illegal move from a1 to b2\n"
    assert output.wrap_text(told) == "Not a tour:\n  illegal move from\n    a1 to b2\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_lines_are_for_terminals(monkeypatch, capfd, terminal):
    monkeypatch.setenv("COLUMNS", "50")
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: terminal, raising=False)
    output.remark(TOLD)
    output.print_text(f"{TOLD}\n")
    said = capfd.readouterr()
    assert said.out == said.err
    assert (said.out == f"{TOLD}\n") is not terminal
    assert " ".join(said.out.split()) == TOLD


def test_names_stand_beside_what_is_said_of_them(monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    told = [("lfsr", "a step at each square"), ("sat", "short")]
    assert output.format_list(told).split("\n") == [
        "  lfsr  a step at each",
        "        square",
        "  sat   short",
        "",
    ]
