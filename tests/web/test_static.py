"""The files of the page: what they say twice is the same as in the package; nothing is inline."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from kt_cp import Board, Piece
from kt_cp.model.board import square_name
from kt_cp.model.piece import moves_from
from kt_cp.model.surface import JOINS, Join, Surface
from kt_cp.render.animation import OUTLINE
from kt_cp.web.app import TOKEN

STATIC = {
    each.name: each.read_text("utf-8") for each in files("kt_cp.web").joinpath("static").iterdir()
}
SCRIPTS = sorted(name for name in STATIC if name.endswith(".js"))
NAMED = re.compile(r"/static/([a-z]+\.[a-z]+)")


def test_the_knight_is_the_one_of_the_pictures():
    drawn = re.sub(r'" \+\s+"', "", STATIC["drawing.js"])
    assert OUTLINE in drawn and OUTLINE in STATIC["icon.svg"]


def test_surfaces_join_what_they_join():
    words = {Join.OPEN: "", Join.PLAIN: "plain", Join.REVERSED: "reversed"}
    told = dict(re.findall(r'(\w+): (\["\w*", "\w*"\])', STATIC["squares.js"]))
    assert told == {
        str(surface): f'["{words[files]}", "{words[ranks]}"]'
        for surface, (_, files, ranks) in JOINS.items()
    }


def test_the_page_names_files_that_are_there_and_holds_no_script_or_style():
    page = STATIC["index.html"]
    assert {*NAMED.findall(page)} <= {*STATIC}
    assert page.encode().count(TOKEN) == 1
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_imports_its_neighbours_and_takes_text_as_text(name):
    text = STATIC[name]
    assert text.startswith("// "), "what it is"
    for names, where in re.findall(r'(?m)^import \{ (.+) \} from "\./(\w+\.js)";$', text):
        for each in names.split(", "):
            taken = each.split(" as ")[0]
            assert re.search(
                rf"export (?:async )?(?:function|class|const) {taken}\b", STATIC[where]
            )
    assert len(re.findall(r"(?m)^import ", text)) == len(re.findall(r'(?m)^import .* "\./', text))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|document\.write", text)
    assert not re.search(r"https?://(?!www\.w3\.org/)", text), "nothing from other hosts"


@pytest.mark.slow
def test_moves_are_the_package_s_on_every_surface(page):
    page.open()
    pieces = [Piece.parse(each) for each in ("knight", "camel", "king", "1,4+0,2")]
    boards = [Board(r, c, [(1, 1)], s) for s in Surface for r, c in ((2, 5), (4, 3), (5, 6))]
    script = """
    const [problems, done] = arguments;
    import("/static/squares.js").then(({ nameOf, movesFrom }) => done(problems.map((problem) => {
      const found = {};
      for (let row = 0; row < problem.rows; row += 1)
        for (let column = 0; column < problem.columns; column += 1) {
          const name = nameOf(row, column);
          found[name] = movesFrom(problem, name).map((move) => move.name).sort();
        }
      return found;
    })));
    """
    asked = [(board, piece) for board in boards for piece in pieces]
    told = page.driver.execute_async_script(
        script,
        [
            {
                "rows": board.rows, "columns": board.columns, "surface": str(board.surface),
                "missing": [*map(square_name, board.missing)], "piece": piece.leaps,
            }
            for board, piece in asked
        ],
    )  # fmt: skip
    for (board, piece), moves in zip(asked, told, strict=True):
        for row in range(board.rows):
            for column in range(board.columns):
                right = sorted(map(square_name, moves_from(board, piece, (row, column))))
                assert moves[square_name((row, column))] == right, (board.label, piece)
