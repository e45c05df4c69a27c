"""Puzzles as text and pictures, and ``kt-cp puzzle``."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from xml.etree import ElementTree

import networkx as nx
import pytest
from pysat.solvers import Solver

from kt_cp import Enumeration, make_puzzle
from kt_cp.cli.puzzle import GRADES
from kt_cp.formats.drawing import draw_board, read_board
from kt_cp.formats.table import Format
from kt_cp.model.board import Board
from kt_cp.model.errors import InputError
from kt_cp.processes import executors
from kt_cp.puzzles import Grade, second_tours
from kt_cp.puzzles.output import puzzle_rule, render_puzzles
from kt_cp.render.sheet import HIGH
from tests.support.command_line import environment

SVG = "{http://www.w3.org/2000/svg}"
RING = Board(5, 5, missing={(2, 2), (0, 4)})


def words(element):
    return [each.text for each in element.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("board", "given"),
    [
        (Board(1, 1), {}),
        (Board(1, 4), {(0, 3): 4}),
        (Board(3, 4), {(0, 0): 12, (2, 3): 1}),
        (RING, {(0, 0): 23}),
        (Board(12, 12, missing={(11, 11)}), {(3, 4): 101, (0, 0): 1}),
    ],
)
def test_a_drawing_is_read_back(board, given) -> None:
    assert read_board(draw_board(board, given)) == (board, given)


def test_text_is_read_back_and_solved(kt_cp, tmp_path) -> None:
    file, solution = tmp_path / "puzzle.txt", tmp_path / "solution.txt"
    options = ("--piece", "king", "--missing", "c3")
    result = kt_cp("puzzle", "4x4", *options, "--seed", 5, "-o", file, "--solution", solution)
    assert result.code == 0 and not result.out
    assert result.err.startswith("4x4 without c3, king, open: ")
    assert result.err.endswith(", seed 5; one solution, and no clue can be left out\n")
    printed = kt_cp("puzzle", "4x4", *options, "--seed", 5)
    assert printed.out == file.read_text()
    solved = kt_cp("solve", file, "--piece", "king", "--engine", "windows")
    assert solved.code == 0 and solved.out == solution.read_text()
    assert len(list(Enumeration(read_board(file.read_text())[0], piece="king",
                                given=read_board(file.read_text())[1]))) == 1  # fmt: skip


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("6x6", "--closed"), "--closed"),
        (("5x5", "--piece", "1,3", "--surface", "torus"), "--piece camel --surface torus"),
        (("5x5", "--piece", "0,1+1,2", "--forbid", "a1-b1"), "--piece 0,1+1,2 --forbid a1-b1"),
        (("4x4", "--closed", "--surface", "torus", "--require", "a1-b3,c1-b3"),
         "--closed --surface torus --require a1-b3,c1-b3"),
    ],
)  # fmt: skip
def test_text_states_what_a_drawing_does_not_show(kt_cp, tmp_path, options, line) -> None:
    text, document = tmp_path / "puzzle.txt", tmp_path / "puzzle.json"
    for file in (text, document):
        assert kt_cp("puzzle", *options, "--seed", 3, "-o", file).code == 0
    assert text.read_text().startswith(f"Options: {line}\n")
    found = [json.loads(kt_cp("solve", file, "--json").out) for file in (text, document)]
    assert found[0]["problem"] == found[1]["problem"] and found[0]["tour"] == found[1]["tour"]
    assert kt_cp("count", text).out == kt_cp("count", document).out


def test_options_of_the_command_line_replace_those_of_the_text(kt_cp, tmp_path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text("Options: --closed --forbid a1-b3 --piece camel\n. . . .\n. . . .\n. . . .\n")
    result = kt_cp("solve", file, "--open", "--piece", "knight", "--forbid", "a1-c2")
    assert result.code == 1 and result.out.startswith(
        "No tour (3x4, open, without a1-c2, without a1-b3): "
    )


def test_a_filled_in_drawing_is_checked_under_its_options(kt_cp, tmp_path) -> None:
    file = tmp_path / "filled.txt"
    file.write_text("Options: --closed\n1 4 7 10\n12 9 2 5\n3 6 11 8\n")
    result = kt_cp("check", file)
    assert result.code == 1 and result.out.startswith("Not a tour (3x4, closed): 1 defect\n")
    assert kt_cp("check", file, "--open").code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Options: --pice camel\n. .\n", "line 1: expected options such as --closed or --piece"),
        ("Options: --piece\n. .\n", "line 1: expected options such as --closed or --piece camel"),
        ("Options: --piece dragon\n. .\n", "line 1: expected a piece"),
        ("Options: --surface 'torus\n. .\n", "line 1: expected options"),
        ("\nOptions: --closed\n\n", "expected a board drawn below its options, got none"),
        ("1 .\n. .\n\n. 1\n. .\n", "line 3: expected one drawing, got another one below it"),
        ("1 .\n. .\nOptions: --closed\n. 1\n. .\n", "line 3: expected one drawing, got another"),
    ],
)
def test_wrong_options_of_a_text_are_refused(kt_cp, tmp_path, text, message) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(text)
    result = kt_cp("solve", file)
    assert result.code == 2 and message in result.err


def test_json_has_it_all(kt_cp) -> None:
    result = kt_cp("puzzle", "6x6", "--closed", "--seed", 3, "--json")
    document, puzzle = json.loads(result.out), make_puzzle("6x6", closed=True, seed=3)
    assert document["grade"] == puzzle.grade and document["seed"] == 3
    assert document["tour"] == puzzle.tour.names and document["needless"] == []
    given = dict(document["problem"]["given"])
    assert all(document["tour"][step - 1] == name for name, step in given.items())
    assert len(given) == puzzle.clues
    several = kt_cp("puzzle", "6x6", "--closed", "--seed", 3, "--number", 2, "--json")
    lines = [json.loads(line) for line in several.out.splitlines()]
    assert [line["seed"] for line in lines] == [3, 4] and lines[0] == document


def test_one_picture() -> None:
    puzzle = make_puzzle(RING, closed=False, piece="king", seed=2, require=["a1-a2"])
    empty = ElementTree.fromstring(render_puzzles([puzzle], Format.SVG))
    *numbers, caption = words(empty)
    assert sorted(map(int, numbers)) == sorted(puzzle.numbers.values())
    assert caption == f"{puzzle.base_problem.label}: {puzzle.grade}, seed 2"
    assert len([each for each in empty.iter() if each.get("class") == "missing"]) == 2
    assert [each for each in empty.iter() if each.get("class") == "required"]
    full = ElementTree.fromstring(render_puzzles([puzzle], Format.SVG, solved=True))
    assert sorted(map(int, words(full)[:-1])) == list(range(1, 24))
    bold = {each.text for each in full.iter(f"{SVG}text") if each.get("font-weight")}
    assert bold == set(map(str, puzzle.numbers.values()))
    assert render_puzzles([puzzle], Format.PNG)[1:4] == b"PNG"
    assert render_puzzles([puzzle], Format.PDF)[:4] == b"%PDF"
    sheet = ElementTree.fromstring(render_puzzles([puzzle], Format.SVG, sheet=True, both=True))
    first, second = ([*words(each)] for each in sheet if each.get("class") == "page")
    assert first[:2] == ["Puzzles", puzzle_rule(puzzle)] and first[-1] == caption == second[-1]


def test_sheets_have_the_solutions_after_the_puzzles() -> None:
    puzzles = [make_puzzle("4x4", piece="wazir", seed=seed) for seed in range(8)]
    sheet = ElementTree.fromstring(render_puzzles(puzzles, Format.SVG, both=True))
    pages = [each for each in sheet if each.get("class") == "page"]
    assert [words(page)[0] for page in pages] == ["Puzzles", "Puzzles", "Solutions"]
    assert sheet.get("viewBox").split()[2:] == ["210", str(int(3 * HIGH))]
    captions = [each for page in pages for each in words(page) if ". " in each and "seed" in each]
    assert [each.split(".")[0] for each in captions] == [*map(str, range(1, 9))] * 2
    assert (
        words(pages[0])[1]
        == "Write 1 to 16 into the squares: from each to the next a wazir's move."
    )
    alone = ElementTree.fromstring(render_puzzles(puzzles, Format.SVG, solved=True))
    assert [words(each)[0] for each in alone if each.get("class") == "page"] == ["Solutions"]
    for letter in alone.iter(f"{SVG}text"):
        assert float(letter.get("font-size", 1)) > 0


@pytest.mark.slow
def test_a_pdf_has_pages() -> None:
    puzzles = [make_puzzle("3x3", piece="king", seed=seed, clues=9) for seed in range(7)]
    book = render_puzzles(puzzles, Format.PDF, both=True)
    assert len(re.findall(rb"/Type /Page\b", book)) == 3
    assert book == render_puzzles(puzzles, Format.PDF, both=True)


def test_graphs_are_not_drawn() -> None:
    puzzle = make_puzzle(nx.cycle_graph(5), closed=True)
    for shape in (Format.DRAWING, Format.SVG):
        with pytest.raises(InputError, match="expected a puzzle on a board"):
            render_puzzles([puzzle], shape)
    assert json.loads(render_puzzles([puzzle], Format.JSON))["grade"] == puzzle.grade


def test_files_by_their_names(kt_cp, tmp_path) -> None:
    files = [tmp_path / f"puzzle.{end}" for end in ("svg", "png", "pdf", "json")]
    for file in files:
        solution = tmp_path / f"of-{file.suffix[1:]}.svg"
        result = kt_cp("puzzle", "3x4", "--seed", 1, "-o", file, "--solution", solution)
        assert result.code == 0 and solution.read_text().startswith("<svg")
    assert [file.read_bytes()[:4] for file in files] == [b"<svg", b"\x89PNG", b"%PDF", b"{\n  "]
    again = kt_cp("puzzle", "3x4", "--seed", 1, "-o", files[0])
    assert again.code == 2 and "exists already: expected --force" in again.err
    assert kt_cp("puzzle", "3x4", "--seed", 1, "-o", files[0], "--force").code == 0


def test_a_drawn_seed_is_printed(kt_cp) -> None:
    result = kt_cp("puzzle", "3x4")
    seed = re.search(r"seed (\d+);", result.err)[1]
    again = kt_cp("puzzle", "3x4", "--seed", seed)
    assert (again.out, again.err) == (result.out, result.err)


def test_remarks_about_clues(kt_cp) -> None:
    def remark(*options):
        result = kt_cp("puzzle", "6x6", "--closed", "--seed", 2, *options)
        assert result.code == 0
        return result.err

    assert remark("--clues", 20).rstrip().endswith("one solution")
    assert "20 clues, " in remark("--clues", 20)
    assert "no clue with its images can be left out\n" in remark("--clues-symmetry", "half-turn")
    assert remark("--grade", "easy").endswith("no clue can be left out without making it harder\n")


def test_a_spent_budget_is_reported(kt_cp, monkeypatch) -> None:
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    monkeypatch.setattr(second_tours, "CONFLICTS", 0)
    monkeypatch.setattr(
        executors, "open_executor", lambda *_: nullcontext()
    )  # children would have both
    result = kt_cp("puzzle", "6x6", "--closed", "--seed", 2)
    assert re.search(r"and of \d+ clues it was not found out whether they are needed\n", result.err)


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("4x4", 1, "4x4, open: IMPOSSIBLE by "),
        ("5x5 --given a1=1,b1=2", 1, "IMPOSSIBLE by windows"),
        ("41x41", 2, "expected at most 1,600 squares of a puzzle, got 1,681"),
        ("5x5 --grade fiendish", 2, "expected a grade, one of easy, medium, hard, expert"),
        ("5x5 --clues 26", 2, "expected from 1 to 25 clues, got 26"),
        ("5x5 --clues 0", 2, "--clues: expected a whole number, 1 or more, got '0'"),
        ("6x6 --clues 5 --clues-symmetry half-turn", 2, "can be symmetric, got 5"),
        ("5x6 --clues-symmetry quarter-turn", 2, "the quarter-turn carries to itself, got 5x6"),
        ("5x5 --clues-symmetry whirl", 2, "got 'whirl'"),
        ("5x5 --symmetry half-turn", 2, "--symmetry"),
        ("5x5 --number 0", 2, "--number: expected a whole number from 1 to 1000, got '0'"),
        ("5x5 --seed -1", 2, "--seed"),
        ("5x5 --format grid", 2, "expected json, svg, png, pdf or txt, got 'grid'"),
        ("5x5 --solution -", 2, "expected the name of a file, got '-'"),
        ("5x5 --solution x.json", 2, "the JSON of a puzzle has its tour"),
        ("5x5 --solution x.csv", 2, "expected a name that ends with"),
        ("5x5 --time-limit 1e-9", 3, "the time limit of 1e-09 s was reached"),
        ("3x4 --seed 1 --clues 1", 3, "none needs so few clues as 1; the fewest: "),
    ],
)
def test_what_is_not_made(kt_cp, tmp_path, monkeypatch, line, code, message) -> None:
    monkeypatch.chdir(tmp_path)
    words = line.split()
    if "-o" not in words:
        words += ["-o", "puzzle.txt"]
    result = kt_cp("puzzle", *words)
    assert result.code == code and message in result.err, result.err
    assert "Traceback" not in result.err and len(result.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_no_says_why(kt_cp) -> None:
    result = kt_cp("puzzle", "3x3")
    assert result.code == 1 and result.out.startswith(
        "No tour (3x3, open): b2 has no moves at all."
    )
    as_json = kt_cp("puzzle", "3x3", "--json")
    assert as_json.code == 1 and json.loads(as_json.out)["verdict"] == "IMPOSSIBLE"


def test_an_interrupt_leaves_no_file(kt_cp, tmp_path, monkeypatch) -> None:
    def interrupted(*_, **__):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("kt_cp.puzzles.generator.grade_of", interrupted)
    result = kt_cp("puzzle", "3x4", "-o", tmp_path / "p.svg", "--solution", tmp_path / "s.svg")
    assert result.code == 130 and not list(tmp_path.iterdir())


AT_ITS_FORMULAS = """
from pysat.solvers import Solver
from kt_cp.cli import main
from kt_cp.puzzles import second_tours

solve_limited, second_tours.DECISIONS = Solver.solve_limited, 0

def announced(self, **options):
    print("asked", flush=True)
    return solve_limited(self, **options)

Solver.solve_limited = announced
main()
"""


@pytest.mark.slow
def test_an_interrupt_of_the_solver_leaves_no_file(tmp_path) -> None:
    arguments = ["puzzle", "20x20", "--closed", "--seed", "2", "-o", str(tmp_path / "p.svg")]
    words = [sys.executable, "-P", "-c", AT_ITS_FORMULAS, *arguments]
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as running:  # fmt: skip
        assert running.stdout.readline() == "asked\n"
        running.send_signal(signal.SIGINT)
        stderr = running.communicate(timeout=60)[1]
    assert (running.returncode, stderr) == (130, "kt-cp: interrupted\n")
    assert not list(tmp_path.iterdir())


def test_the_solver_leaves_ctrl_c_to_python(monkeypatch) -> None:
    monkeypatch.setattr(second_tours, "DECISIONS", 0)
    values = []
    solve_limited = Solver.solve_limited

    def noted(self, **options):
        values.append(options.get("expect_interrupt"))
        return solve_limited(self, **options)

    monkeypatch.setattr(Solver, "solve_limited", noted)
    make_puzzle("5x6", closed=True, seed=1)
    assert values and all(values)


def test_the_grades_of_the_help(kt_cp) -> None:
    assert tuple(Grade) == GRADES
    assert "easy, medium, hard or expert" in " ".join(kt_cp("puzzle", "--help").out.split())
