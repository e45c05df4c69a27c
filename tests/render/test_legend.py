"""Words below a picture: escaped, broken into lines that fit, one below the other."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from kt_cp import Board
from kt_cp.render.argument import Entry, argument_svg, legend_rows, wrap_text
from kt_cp.render.board import LETTER

SVG = "{http://www.w3.org/2000/svg}"
CAPTION = 'Where a < b & "c", nothing is left: <svg> is no tag here.'
SENTENCE = "Take away these squares: more pieces are left than a tour joins. "
SIZES = [(1, 1), (3, 3), (8, 8), (3, 100), (100, 3), (40, 40), (101, 101)]


def drawn(board, title="No tour", **options):
    return ET.fromstring(argument_svg(board, title=title, **options))


def group(picture, name):
    return picture.find(f"{SVG}g[@class='{name}']")


def words(picture, name):
    return [text.text for text in group(picture, name).findall(f"{SVG}text")]


def test_captions_and_titles_are_escaped():
    picture = drawn(Board(5, 5), caption=CAPTION, title="1 < 2 & 3")
    assert " ".join(words(picture, "caption")) == CAPTION
    assert picture.find(f"{SVG}desc").text == CAPTION
    assert picture.find(f"{SVG}title").text == "1 < 2 & 3"


def test_no_caption_is_no_line():
    for caption in ("", " \n"):
        picture = drawn(Board(5, 5), caption=caption)
        assert group(picture, "caption") is None
        assert picture.find(f"{SVG}desc") is None


@pytest.mark.parametrize("sides", SIZES, ids="{0[0]}x{0[1]}".format)
def test_no_line_is_wider_than_the_picture(sides):
    caption = SENTENCE * 4 + "x" * 300
    board, a1 = Board(*sides), (0, 0)
    picture = drawn(
        board, caption=caption, marked=[a1], components=[[a1]], start=a1, end=a1, colours=True
    )
    left, top, across, down = map(float, picture.get("viewBox").split())
    assert left <= 0
    assert left + across >= board.columns
    lowest = board.rows
    for name in ("caption", "legend"):
        texts = group(picture, name)
        size = float(texts.get("font-size"))
        for text in texts.findall(f"{SVG}text"):
            x, y = float(text.get("x")), float(text.get("y"))
            assert left < x
            assert x + LETTER * size * len(text.text) < left + across
            assert lowest <= y < top + down
            lowest = y
    # All of it is there; only the word that no line can hold is cut.
    assert "".join(words(picture, "caption")).replace(" ", "") == caption.replace(" ", "")
    assert " ".join(words(picture, "caption")).startswith(SENTENCE)


def test_words_are_not_cut_where_they_fit():
    lines = wrap_text(SENTENCE * 3, 10, 0.5)
    assert " ".join(lines) == (SENTENCE * 3).strip()
    assert all(len(line) * LETTER * 0.5 <= 10 for line in lines)
    assert wrap_text("abc", 0.1, 1) == ["a", "b", "c"]


def test_a_legend_row_takes_what_fits_and_at_least_one():
    entries = [Entry("a" * 10, ""), Entry("b" * 10, ""), Entry("c", "")]
    assert legend_rows(entries, 100, 0.5) == [entries]
    assert legend_rows(entries, 1, 0.5) == [[entry] for entry in entries]
    assert legend_rows([], 1, 0.5) == []
