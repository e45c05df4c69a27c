"""``kt-cp trace``: pictures, still and moving, and files."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kt_cp.render.animation import LONGEST_SIDE, MOST_BOARDS, MOST_STEPS
from tests.support.command_line import refused

SVG = "{http://www.w3.org/2000/svg}"


def test_pictures_stop_by_themselves_and_say_so(kt_cp):
    for shape, many, name in (("svg", 24, "board"), ("animation", 240, "caption")):
        ran = kt_cp("trace", "4x4", "--from", 5, "--format", shape)
        assert ran.code == 0
        assert ran.err == (
            f"kt-cp: the picture stops at board {many + 4}, the search goes on; see --to\n"
        )
        groups = [g.get("class") or "" for g in ET.fromstring(ran.out).iter(f"{SVG}g")]
        assert sum(name in group.split() for group in groups) == many
        asked = ("trace", "4x4", "--from", 5, "--to", many + 4, "--format", shape)
        assert kt_cp(*asked).err == ""
        assert kt_cp("trace", "3x3", "--from", 29, "--format", shape).err == ""


def test_a_walk_back_to_nothing_is_drawn(kt_cp):
    for shape in ("svg", "animation"):
        ran = kt_cp("trace", "3x3", "--from", 30, "--to", 30, "--format", shape)
        assert (ran.code, ran.err) == (0, "")
        assert "30 · back from a1" in ran.out


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.svg", "<svg"),
        ("t.json", '{"board": 1,'),
        ("t.jsonl", '{"board": 1,'),
        ("t.txt", "Board 1:"),
        ("t", "Board 1:"),
    ],
)
def test_the_suffix_says_which_format(kt_cp, tmp_path, name, begins):
    ran = kt_cp("trace", "4x4", "--to", 9, "-o", tmp_path / name)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("name", "begins"), [("t.png", b"\x89PNG"), ("t.pdf", b"%PDF")])
def test_one_board_is_painted(kt_cp, tmp_path, name, begins):
    ran = kt_cp("trace", "3x4", "--from", 9, "--to", 9, "-o", tmp_path / name)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (tmp_path / name).read_bytes().startswith(begins)
    ran = kt_cp("trace", "33x4", "-o", tmp_path / f"large-{name}")
    refused(ran, "sides of at most 32", f"--format {name[2:]}")
    refused(kt_cp("trace", "3x4", "--format", name[2:]), "-o FILE", "stdout")


def test_files_hold_what_stdout_would(kt_cp, tmp_path):
    for shape in ("text", "json", "svg", "animation"):
        asked = ("trace", "4x4", "--to", 30, "--format", shape)
        assert kt_cp(*asked, "-o", tmp_path / "boards", "--force").code == 0
        assert (tmp_path / "boards").read_text(encoding="utf-8") == kt_cp(*asked).out


def test_nothing_half_written_when_writing_fails(kt_cp, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "boards.txt"
    path.write_text("before")
    monkeypatch.setattr(os, "replace", full)
    refused(kt_cp("trace", "3x3", "-o", path, "--force"), "no space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
def test_a_full_disk(kt_cp):
    refused(kt_cp("trace", "5x5", "-o", "/dev/full"), "cannot write /dev/full: no space left")


def test_speed(kt_cp):
    asked = ("trace", "4x4", "--to", 20, "--format", "animation", "--speed")
    lengths = [
        float(re.search(r'dur="([\d.]+)s"', kt_cp(*asked, speed).out)[1]) for speed in (1, 20)
    ]
    assert lengths[0] > 20 > 4 > lengths[1] > 1


def test_solve_writes_moving_pictures(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    asked = ("solve", "6x6", "--closed", "--missing", "c3,d3", "--format", "animation")
    ran = kt_cp(*asked, "-o", path)
    assert (ran.code, ran.out) == (0, "")
    groups = [g.get("class") or "" for g in ET.parse(path).getroot().iter(f"{SVG}g")]
    assert sum("square" in group.split() for group in groups) == 34
    refused(
        kt_cp("solve", "65x65", "--format", "animation", "-o", tmp_path / "large.svg"),
        f"at most {MOST_STEPS} squares", "got 4225", "--format svg",
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == [path]
    assert kt_cp("solve", "3x3", "--format", "animation").code == 1


def test_the_largest_pictures_are_drawn(kt_cp):
    assert kt_cp("trace", "4x4", "--format", "svg", "--to", MOST_BOARDS).code == 0
    assert kt_cp("trace", "4x4", "--format", "animation", "--to", MOST_STEPS).code == 0
    for shape in ("svg", "animation"):
        asked = ("trace", f"{LONGEST_SIDE}x{LONGEST_SIDE}", "--format", shape, "--to", 3)
        assert kt_cp(*asked).code == 0
