"""Files that commands write: none is overwritten without ``--force``; devices are written to."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from kt_cp import Board, Problem
from kt_cp.cli import app
from kt_cp.formats.formula import encode_problem, formula_pieces
from kt_cp.proofs.certify import certify
from tests.examples.formulas import competition, solved
from tests.support.command_line import refused, run_cli

POSIX = pytest.mark.skipif(os.name != "posix", reason="links, pipes and limits of POSIX")

# Every command with every option that names a file, and its exit code.
WRITING = [
    ("solve 3x4 -o", 0),
    ("solve 3x3 --certificate", 1),
    ("prove 3x3 -o", 0),
    ("prove 3x8 --closed --cnf", 0),
    ("prove 3x8 --closed --drat", 0),
    ("prove 3x8 --closed --lrat", 0),
    ("check REFUTED.json --cnf", 0),
    ("check REFUTED.json --drat", 0),
    ("check REFUTED.json --lrat", 0),
    ("enumerate 3x4 -o", 0),
    ("enumerate 3x4 --certificate", 0),
    ("enumerate 3x4 --certificate /dev/null --tours", 0),
    ("puzzle 3x4 --seed 1 -o", 0),
    ("puzzle 3x4 --seed 1 --solution", 0),
    ("enumerate 3x4 --count -o", 0),
    ("sample 3x4 --number 2 -o", 0),
    ("unrank 3x4 3 -o", 0),
    ("trace 3x3 -o", 0),
    ("trace 3x3 --format svg -o", 0),
    ("compare --boards 3x3 --engines backtrack --open -o", 0),
    ("compare --boards 3x3 --engines backtrack --open --plot", 0),
    ("export 3x4 -o", 0),
    ("export 3x4 --format cpsat -o", 0),
    ("export 3x4 --format graph6 -o", 0),
    ("export 3x4 --format tsplib -o", 0),
    ("decode TOUR.cnf TOUR.answer -o", 0),
    ("decode CYCLES.cnf CYCLES.answer --cuts", 3),
]
# What would search for minutes, so that only a refusal before the search ends it in time.
ENDLESS = [
    "solve 200x200 --closed --engine reference -o",
    "solve 200x200 --closed --engine reference --certificate",
    "prove 8x8 --missing a1,h2 --evidence exhausted -o",
    "prove 60x60 --missing a1,a2 --evidence refutation --cnf",
    "prove 60x60 --missing a1,a2 --evidence refutation --drat",
    "enumerate 8x8 -o",
    "trace 8x8 --from 1000000000000000 -o",
    "compare --boards 200x200 --engines reference --time-limit 1000 -o",
    "compare --boards 200x200 --engines reference --time-limit 1000 --plot",
]


@pytest.fixture(scope="module", autouse=True)
def answered(tmp_path_factory):
    """The files that the lines above read: formulas, and models of one cycle and of several."""
    here = tmp_path_factory.mktemp("answered")
    for name, board, encoding in (("TOUR", (5, 6), "position"), ("CYCLES", (16, 16), "lazy")):
        formula = encode_problem(Problem(Board(*board), closed=True), encoding)
        (here / f"{name}.cnf").write_text("".join(formula_pieces(formula)))
        (here / f"{name}.answer").write_text(competition(solved(here / f"{name}.cnf")))
    made = certify(Problem(Board(3, 8), closed=True), ["refutation"]).certificate
    (here / "REFUTED.json").write_text(made.to_json())
    return here


@pytest.fixture
def asked(answered):
    """The words of a line, with the names of those files in full."""

    def split(line):
        return [answered / each if each.startswith(("TOUR.", "CYCLES.", "REFUTED.")) else each
                for each in shlex.split(line)]  # fmt: skip

    return split


def words(line):
    return pytest.mark.parametrize("line", line, ids=lambda each: each.replace(" ", "_"))


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code"), WRITING, ids=[line for line, _ in WRITING])
@pytest.mark.usefixtures("beside_none")
def test_what_exists_is_overwritten_by_force_alone(kt_cp, tmp_path, asked, line, code):
    path = tmp_path / f"file{'.svg' * line.endswith('--plot')}"
    words = (*asked(line), path)
    path.write_text("before")
    ran = kt_cp(*words)
    refused(ran)
    assert ran.err == f"kt-cp: {path} exists already: expected --force to overwrite it\n"
    assert path.read_text() == "before"
    assert kt_cp(*words, "--force").code == code
    assert path.read_bytes() not in (b"", b"before")
    assert list(tmp_path.iterdir()) == [path]


@words(ENDLESS)
def test_it_is_refused_before_the_search(kt_cp, tmp_path, line):
    path = tmp_path / ("empty.svg" if "--plot" in line else "empty.json")
    path.touch()
    refused(kt_cp(*shlex.split(line), path), f"{path.name} exists already")
    assert list(tmp_path.iterdir()) == [path]


def test_every_option_that_names_a_file_is_tried_above():
    tried = {(line.split()[0], line.split()[-1]) for line, _ in WRITING}
    for name, command in app().commands.items():
        options = [each for each in command.params if each.param_type_name == "option"]
        files = [each.opts for each in options if each.metavar == "FILE"]
        assert any("--force" in each.opts for each in options) == bool(files), name
        for names in files:
            assert any((name, each) in tried for each in names), names


@pytest.mark.parametrize("there", ["no.json", "f.cnf", "f.drat"])
def test_of_several_files_none_is_written(kt_cp, tmp_path, monkeypatch, there):
    monkeypatch.chdir(tmp_path)
    Path(there).write_text("before")
    asked = ("prove", "3x8", "--closed", "--cnf", "f.cnf", "--drat", "f.drat", "-o", "no.json")
    refused(kt_cp(*asked), f"{there} exists already")
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert kt_cp(*asked, "--force").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.cnf", "f.drat", "no.json"]
    assert Path(there).read_text() != "before"


def test_directories_stay(kt_cp, tmp_path):
    refused(kt_cp("solve", "3x4", "-o", tmp_path, "--force"), "cannot write", "it is a directory")


def test_a_command_that_loses_the_race(kt_cp, fake, tmp_path):
    from tests.support.fakes import false_no

    path = tmp_path / "outcome.json"

    def slow(problem, seed):
        path.write_text("theirs")
        return false_no(problem, seed)

    fake(slow)
    ran = kt_cp("solve", "8x8", "--closed", "--engine", "fake", "-o", path)
    refused(ran, "outcome.json exists already: expected --force")
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


@POSIX
class TestDevices:
    @pytest.mark.slow
    @pytest.mark.usefixtures("beside_none")
    def test_devices_are_written_as_they_are(self, kt_cp, asked):
        for number, (line, code) in enumerate(WRITING):
            force = ("--force",) * (number % 2)
            assert kt_cp(*asked(line), os.devnull, *force).code == code
            assert Path(os.devnull).is_char_device()
        several = ("--cnf", os.devnull, "--drat", os.devnull, "-o", os.devnull)
        assert kt_cp("prove", "3x8", "--closed", *several).code == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
    def test_stdout_by_name(self, kt_cp, tmp_path, name):
        if not Path(name).exists():
            pytest.skip(f"no {name} here")
        usual = kt_cp("solve", "3x4").out
        if name == "/dev/stdout":
            assert run_cli("solve", "3x4", "-o", name).out == usual
        # As of a shell's > and >>: what was written before stays.
        log = tmp_path / "log"
        log.write_text("before\n")
        with log.open("ab") as end:
            assert run_cli("solve", "3x4", "-o", name, stdout=end).code == 0
        assert log.read_text(encoding="utf-8") == f"before\n{usual}"
        assert list(tmp_path.iterdir()) == [log]

    def test_a_link_to_itself(self, kt_cp, tmp_path):
        link = tmp_path / "link"
        link.symlink_to(link)
        for force in ((), ("--force",)):
            refused(kt_cp("solve", "3x4", "-o", link, *force), "too many levels of symbolic links")
        assert link.is_symlink()
