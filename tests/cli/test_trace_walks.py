"""``kt-cp trace``: starts, given walks, and going on past a tour."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.support.command_line import DATA, documents

SVG = "{http://www.w3.org/2000/svg}"

WALK_OF_002 = "a1 c2 d4 b3 c1 a2 b4 d3 b2 d1 c4 d2 b1 a3 b1 c3 a4"


@pytest.mark.parametrize(
    ("source", "at", "start"),
    [("000", "1,3", "b4"), ("001", "2,4", "b4"), ("002", "4,2", "b4"), ("003", "1,3", "c1"),
     ("004", "0,2", "c1")],
)  # fmt: skip
def test_the_start_in_the_documents_coordinates(kt_cp, source, at, start):
    asked = ("trace", "4x5", "--source", source, "--to", 3, "--json")
    ran = kt_cp(*asked, "--at", at)
    assert documents(ran)[0]["path"] == [start]
    assert ran == kt_cp(*asked, "--start", start)


def drawn(text):
    """Boards of a trace in text, row by row from the top."""
    return [
        "\n".join(line.split("│")[1].replace(" ", "").replace("·", ".") for line in lines)
        for lines in (
            [line for line in board.splitlines() if "│" in line] for board in text.split("\n\n")
        )
        if lines
    ]


def test_the_boards_of_document_002_and_on_from_there(kt_cp):
    shown = (DATA / "002-decision-4x4-drawn.txt").read_text().strip().split("\n\n")
    ran = kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--to", 22)
    ours = drawn(ran.out)
    # Its drawing has the knight on b2 still at move 10, with d1 crossed out: the other way round.
    assert shown[9].splitlines()[2:] == ["XKX.", "X.XX"]
    assert ours[9].splitlines()[2:] == ["XXX.", "X.XK"]
    assert [board for number, board in enumerate(ours[:17]) if number != 9] == [
        board for number, board in enumerate(shown) if number != 9
    ]
    lines = ran.out.splitlines()
    assert "Board 11: move 11, d1 to c4, which is no move of a knight" in lines
    assert ran.out.count("no move of") == 1
    # And then its exercise: back to c4, from where a3 was not tried before.
    assert [line for line in lines if line.startswith(("Board 17", "Board 2"))][-2:] == [
        "Board 21: back to move 11, d2 is free again",
        "Board 22: move 12, c4 to a3",
    ]
    assert "The walk that was given has 17 boards. Stopped after board 22" in lines[-1]


def test_a_given_walk_in_json_and_to_its_end(kt_cp):
    *steps, end = documents(kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--json"))
    assert [step["given"] for step in steps[:19]] == [True] * 17 + [False] * 2
    assert [step["board"] for step in steps if not step["legal"]] == [11]
    assert (end["given"], end["tours"], end["ending"]) == (17, 0, "exhausted")
    assert (end["placed"], end["taken_back"], len(steps)) == (2_234, 2_234, 4_468)
    # Read in the other way, d1 is never visited, and every move is one.
    legal = WALK_OF_002.replace(" d1", "").replace(" ", "-")
    *steps, _ = documents(kt_cp("trace", "4x4", "--walk", legal, "--json", "--to", 20))
    assert all(step["legal"] for step in steps)
    assert steps[15]["path"][-1] == "a4"


def test_a_given_walk_is_drawn(kt_cp):
    for shape in ("svg", "animation"):
        ran = kt_cp("trace", "4x4", "--walk", WALK_OF_002, "--to", 22, "--format", shape)
        assert ran.code == 0
        assert "11 · d1–c4, no move" in ran.out
        assert "15 · back from a3" in ran.out
        assert "22 · c4–a3" in ran.out


def test_a_whole_tour_may_be_given(kt_cp):
    names = json.loads(kt_cp("reference", "3x4", "--source", "004", "--json").out.splitlines()[0])
    tour = " ".join(names["tour"])
    ran = kt_cp("trace", "3x4", "--walk", tour, "--source", "002")
    assert ran.out.splitlines()[-1].endswith(
        "ends with a tour at board 12: 12 squares placed, 0 taken back."
    )
    # The walk is drawn to its end in any case, and the search goes on from there.
    ran = kt_cp("trace", "3x4", "--walk", f"{tour} a1", "--source", "002")
    assert ", tour 1\n" in ran.out
    assert "Board 13: back to move 11" in ran.out


def test_004_goes_on_past_its_first_tour(kt_cp):
    *steps, end = documents(kt_cp("trace", "3x4", "--source", "004", "--json"))
    assert (end["ending"], end["tours"]) == ("exhausted", 2)
    assert [step["tour"] for step in steps if step["tour"]] == [1, 2]
    assert all(len(step["path"]) == 12 for step in steps if step["tour"])
    ran = kt_cp("trace", "3x4", "--source", "004", "--from", 120)
    assert ", tour 2\n" in ran.out
    assert ran.out.splitlines()[-1] == (
        "The search ends with 2 tours, everything tried, at board 134: "
        "67 squares placed, 67 taken back."
    )
    at = next(step["board"] for step in steps if step["tour"])
    ran = kt_cp("trace", "3x4", "--source", "004", "--to", at)
    assert f"Stopped after board {at} after 1 tour, and the search goes on" in ran.out
    *_, end = documents(kt_cp("trace", "3x4", "--source", "000", "--json"))
    assert (end["ending"], end["tours"]) == ("tour", 1)


@pytest.mark.parametrize(
    ("source", "top"), [("000", "4"), ("002", "4"), ("003", "1"), ("004", "1")]
)
def test_boards_stand_the_way_up_that_the_document_prints(kt_cp, source, top):
    asked = ("trace", "4x3", "--source", source, "--to", 1, "--missing", "c4", "--format")
    lines = kt_cp(*asked, "text").out.splitlines()
    assert [line[0] for line in lines[1:5]] == (list("1234") if top == "1" else list("4321"))
    assert lines[1 if top == "1" else 4] == "1 │ K · ·"
    for shape in ("svg", "animation"):
        picture = ET.fromstring(kt_cp(*asked, shape).out)
        ranks = next(g for g in picture.iter(f"{SVG}g") if g.get("class") == "ranks")
        heights = {text.text: float(text.get("y")) for text in ranks}
        assert min(heights, key=heights.get) == top
        (hole,) = [each for each in picture.iter() if each.get("class") == "missing"]
        assert (hole.get("x"), hole.get("y")) == ("2", "0" if top == "4" else "3")
        knight = [each for each in picture.iter(f"{SVG}use") if each.get("href") == "#knight"]
        if shape == "svg":
            assert knight[0].get("y") == ("3.5" if top == "4" else "0.5")
