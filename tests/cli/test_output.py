"""Files, pipes and terminals: complete or absent, never overwritten by accident."""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kt_cp import Board, Problem
from kt_cp.cli import COMMANDS, command_of, output
from kt_cp.cli.output import OutputFile
from kt_cp.formats.formula import encode_problem, formula_pieces
from kt_cp.model.errors import InputError
from kt_cp.model.request import Request
from kt_cp.proofs.certify import certify
from tests.examples.formulas import competition, solved
from tests.support.command_line import (
    PATIENCE,
    at_most,
    command_line,
    environment,
    interrupts,
    leaves_nothing,
    refused,
    run_cli,
)
from tests.support.fakes import crash


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.svg", "<svg"),
        ("t.SVG", "<svg"),
        ("t.json", "{"),
        ("t.csv", "step,square,row,column\n"),
        ("t.names", "a1 "),
        ("t.txt", "5 │"),
        ("t", "5 │"),
    ],
)
def test_the_suffix_says_which_format(kt_cp, tmp_path, name, begins):
    result = kt_cp("solve", "5x5", "--start", "a1", "-o", tmp_path / name)
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_files_are_replaced_whole(kt_cp, tmp_path):
    path = tmp_path / "tour.txt"
    path.write_text("what was there before " * 1000)
    path.chmod(0o640)
    assert kt_cp("solve", "3x3", "-o", path, "--force").code == 1
    assert path.read_text().startswith("what was there before")
    assert kt_cp("solve", "3x4", "-o", path, "--force").code == 0
    assert len(path.read_text().splitlines()) == 5
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["tour.txt"]


def test_a_new_file_has_the_usual_permissions(kt_cp, tmp_path):
    (tmp_path / "usual").write_text("")
    assert kt_cp("solve", "3x4", "-o", tmp_path / "tour").code == 0
    assert (tmp_path / "tour").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_dash_is_stdout(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = kt_cp("solve", "3x3", "--json", "-o", "-")
    assert json.loads(result.out)["verdict"] == "IMPOSSIBLE"
    assert kt_cp("solve", "3x4", "-o", "-").out == kt_cp("solve", "3x4").out
    assert list(tmp_path.iterdir()) == []


def test_relative_paths_and_awkward_names(kt_cp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("tour.svg", "a b.json", "knight’s tour ♞.txt", "-x.csv", "♞" * 60):
        assert kt_cp("solve", "3x4", f"--output={name}").code == 0
        assert (tmp_path / name).stat().st_size > 0


@pytest.mark.skipif(os.name != "posix", reason="links, devices and pipes of POSIX")
class TestPosixFiles:
    def test_a_link_stays_a_link(self, kt_cp, tmp_path):
        link, target = tmp_path / "link.svg", tmp_path / "there.svg"
        link.symlink_to(target)
        for force in ((), ("--force",)):  # it points to nothing, then to a file
            assert kt_cp("solve", "3x4", "-o", link, *force).code == 0
            assert link.is_symlink()
            assert target.read_text().startswith("<svg")

    def test_devices(self, kt_cp):
        assert kt_cp("solve", "3x4", "-o", os.devnull).code == 0
        assert Path(os.devnull).is_char_device()  # written to, not replaced

    @pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
    def test_a_full_disk(self, kt_cp):
        refused(kt_cp("solve", "3x4", "-o", "/dev/full"), "cannot write /dev/full: no space left")

    def test_a_named_pipe_is_opened_once(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(
            command_line("solve", "3x4", "-o", pipe), stderr=subprocess.PIPE, env=environment()
        ) as running:
            text = pipe.read_text(encoding="utf-8")
            assert running.wait(PATIENCE) == 0
        assert text.startswith("3 │")
        assert pipe.is_fifo()

    def test_a_place_without_permission(self, tmp_path, monkeypatch):
        # Relative paths: a test as root drops its privileges for a moment, and then cannot pass the
        # private directories above.
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mine").mkdir(mode=0o555)
        read_only = tmp_path / "read_only.svg"
        read_only.write_text("before")
        read_only.chmod(0o444)
        tmp_path.chmod(0o777)
        superuser = os.geteuid() == 0
        if superuser:
            os.seteuid(65534)
        try:
            for name in ("mine/tour.svg", "read_only.svg"):
                with pytest.raises(InputError, match=f"cannot write {name}: permission denied"):
                    OutputFile(Path(name), force=True)
        finally:
            if superuser:
                os.seteuid(0)
        assert read_only.read_text() == "before"
        assert list((tmp_path / "mine").iterdir()) == []


def test_unwritable_places(kt_cp, tmp_path):
    (tmp_path / "file").write_text("")
    refused(kt_cp("solve", "3x4", "-o", tmp_path), "cannot write", "it is a directory")
    for path in (
        tmp_path / "no" / "tour.svg",
        tmp_path / "file" / "tour.svg",
        tmp_path / ("x" * 300),
    ):
        refused(kt_cp("solve", "3x4", "-o", path), "cannot write")
    refused(kt_cp("solve", "3x4", "-o", ""), "cannot write")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_unwritable_places_are_found_out_before_the_search(kt_cp, fake, tmp_path):
    fake(crash)
    refused(kt_cp("solve", "5x5", "--engine", "fake", "-o", tmp_path / "no" / "tour.svg"))


def test_nothing_half_written_when_writing_fails(kt_cp, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "tour.svg"
    path.write_text("before")
    monkeypatch.setattr(os, "replace", full)
    refused(kt_cp("solve", "3x4", "-o", path, "--force"), "no space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_file_that_is_a_pipe_with_a_reader_who_has_enough(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with OutputFile(pipe, force=False) as place:
        assert place.add("a1 b3")
        os.close(reader)
        assert not place.add("x" * 100_000)
        place.finish()


def test_a_long_path_is_not_echoed_whole(kt_cp, tmp_path):
    long = tmp_path / ("x" * 3_000)
    for command in (["check", long], ["solve", "3x4", "-o", long], ["decode", long, "-"]):
        refused(kt_cp(*command), "file name too long", "xxx…xxx")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_pictures_are_painted(kt_cp, tmp_path, suffix):
    magic = {".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix]
    tour, why = tmp_path / f"t{suffix}", tmp_path / f"no{suffix}"
    result = kt_cp("solve", "5x5", "-o", tour)
    assert (result.code, result.out) == (0, "") and tour.read_bytes().startswith(magic)
    result = kt_cp("prove", "3x3", "-o", why)
    assert result.code == 0 and why.read_bytes().startswith(magic)
    assert result.out == "No tour (3x3, open): b2 has no moves at all.\n"
    for command in (("solve", "5x5"), ("prove", "3x3")):
        result = kt_cp(*command, "-o", tmp_path / "t.gif")
        assert result.code == 2 and ".png, .pdf" in result.err and len(result.err.splitlines()) == 1
    result = kt_cp("solve", "1000x1000", "--closed", "-o", tmp_path / f"large{suffix}")
    assert result.code == 2 and "expected at most 100,000 squares" in result.err
    assert not [*tmp_path.glob("large*")]


POSIX = pytest.mark.skipif(os.name != "posix", reason="links, pipes and limits of POSIX")

# Every command with every option that names a file, and its exit code.
WRITING = [
    ("solve 3x4 -o", 0),
    ("solve 3x3 --certificate", 1),
    ("prove 3x3 -o", 0),
    ("optimize 3x4 --objective fewest-turns -o", 0),
    ("optimize 3x4 --objective fewest-turns --certificate", 0),
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
# Searches of minutes, which only a refusal before the search can end in time.
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


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """Write the files that the lines above read: formulas, and models of one cycle and more."""
    here = tmp_path_factory.mktemp("answered")
    for name, board, encoding in (("TOUR", (5, 6), "position"), ("CYCLES", (16, 16), "lazy")):
        formula = encode_problem(Problem(Board(*board), closed=True), encoding)
        (here / f"{name}.cnf").write_text("".join(formula_pieces(formula)))
        (here / f"{name}.answer").write_text(competition(solved(here / f"{name}.cnf")))
    made = certify(Request.begin(Problem(Board(3, 8), closed=True)), ["refutation"]).certificate
    (here / "REFUTED.json").write_text(made.to_json())
    return here


@pytest.fixture
def split_line(answered):
    """Return the words of a line, with the full names of those files."""

    def split(line):
        return [answered / each if each.startswith(("TOUR.", "CYCLES.", "REFUTED.")) else each
                for each in shlex.split(line)]  # fmt: skip

    return split


def words(line):
    return pytest.mark.parametrize("line", line, ids=lambda each: each.replace(" ", "_"))


@pytest.mark.usefixtures("answered")
@pytest.mark.slow
@pytest.mark.parametrize(("line", "code"), WRITING, ids=[line for line, _ in WRITING])
@pytest.mark.usefixtures("beside_none")
def test_what_exists_is_overwritten_by_force_alone(kt_cp, tmp_path, split_line, line, code):
    path = tmp_path / f"file{'.svg' * line.endswith('--plot')}"
    words = (*split_line(line), path)
    path.write_text("before")
    result = kt_cp(*words)
    refused(result)
    assert result.err == f"kt-cp: {path} exists already: expected --force to overwrite it\n"
    assert path.read_text() == "before"
    assert kt_cp(*words, "--force").code == code
    assert path.read_bytes() not in (b"", b"before")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("answered")
@words(ENDLESS)
def test_it_is_refused_before_the_search(kt_cp, tmp_path, line):
    path = tmp_path / ("empty.svg" if "--plot" in line else "empty.json")
    path.touch()
    refused(kt_cp(*shlex.split(line), path), f"{path.name} exists already")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("answered")
def test_every_option_that_names_a_file_is_tried_above():
    tried = {(line.split()[0], line.split()[-1]) for line, _ in WRITING}
    for name in COMMANDS:
        options = [each for each in command_of(name).params if each.param_type_name == "option"]
        files = [each.opts for each in options if each.metavar == "FILE"]
        assert any("--force" in each.opts for each in options) == bool(files), name
        for names in files:
            assert any((name, each) in tried for each in names), names


@pytest.mark.usefixtures("answered")
@pytest.mark.parametrize("there", ["no.json", "f.cnf", "f.drat"])
def test_of_several_files_none_is_written(kt_cp, tmp_path, monkeypatch, there):
    monkeypatch.chdir(tmp_path)
    Path(there).write_text("before")
    arguments = ("prove", "3x8", "--closed", "--cnf", "f.cnf", "--drat", "f.drat", "-o", "no.json")
    refused(kt_cp(*arguments), f"{there} exists already")
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert kt_cp(*arguments, "--force").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.cnf", "f.drat", "no.json"]
    assert Path(there).read_text() != "before"


@pytest.mark.usefixtures("answered")
def test_directories_stay(kt_cp, tmp_path):
    refused(kt_cp("solve", "3x4", "-o", tmp_path, "--force"), "cannot write", "it is a directory")


@pytest.mark.usefixtures("answered")
def test_a_command_that_loses_the_race(kt_cp, fake, tmp_path):
    from tests.support.fakes import false_no

    path = tmp_path / "outcome.json"

    def slow(problem, seed):
        path.write_text("theirs")
        return false_no(problem, seed)

    fake(slow)
    result = kt_cp("solve", "8x8", "--closed", "--engine", "fake", "-o", path)
    refused(result, "outcome.json exists already: expected --force")
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


@POSIX
class TestDevices:
    @pytest.mark.slow
    @pytest.mark.usefixtures("beside_none")
    def test_devices_are_written_as_they_are(self, kt_cp, split_line):
        for number, (line, code) in enumerate(WRITING):
            force = ("--force",) * (number % 2)
            assert kt_cp(*split_line(line), os.devnull, *force).code == code
            assert Path(os.devnull).is_char_device()
        several = ("--cnf", os.devnull, "--drat", os.devnull, "-o", os.devnull)
        assert kt_cp("prove", "3x8", "--closed", *several).code == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
    def test_stdout_by_name(self, kt_cp, tmp_path, name):
        text = kt_cp("solve", "3x4").out
        if name == "/dev/stdout":
            assert run_cli("solve", "3x4", "-o", name).out == text
        # With a shell's > and >>, earlier output stays.
        log = tmp_path / "log"
        log.write_text("before\n")
        with log.open("ab") as end:
            assert run_cli("solve", "3x4", "-o", name, stdout=end).code == 0
        assert log.read_text(encoding="utf-8") == f"before\n{text}"
        assert list(tmp_path.iterdir()) == [log]

    def test_a_link_to_itself(self, kt_cp, tmp_path):
        link = tmp_path / "link"
        link.symlink_to(link)
        for force in ((), ("--force",)):
            refused(kt_cp("solve", "3x4", "-o", link, *force), "too many levels of symbolic links")
        assert link.is_symlink()


def no_links(*_, **__):
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.fixture(params=["with links", "without links"])
def links(request, monkeypatch):
    """Run a test on disks with and without hard links."""
    if request.param == "without links":
        monkeypatch.setattr(os, "link", no_links)


@pytest.mark.usefixtures("links")
class TestNames:
    def test_a_file_that_comes_into_being_meanwhile_stays(self, tmp_path):
        path = tmp_path / "file"
        with OutputFile(path, force=False) as file:
            file.add("ours")
            path.write_text("theirs")
            with pytest.raises(InputError, match="file exists already: expected --force to"):
                file.finish()
        assert path.read_text() == "theirs"
        assert list(tmp_path.iterdir()) == [path]

    def test_by_force_it_goes(self, tmp_path):
        path = tmp_path / "file"
        with OutputFile(path, force=True) as file:
            path.write_text("theirs")
            file.write("ours")
        assert path.read_text() == "ours"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_new_file_is_whole_and_has_the_usual_permissions(self, tmp_path):
        ordinary, path = tmp_path / "usual", tmp_path / "file"
        ordinary.write_text("")
        with OutputFile(path, force=False) as file:
            file.write("ours")
        assert path.read_text() == "ours"
        assert path.stat().st_mode == ordinary.stat().st_mode
        assert path.stat().st_nlink == 1
        assert set(tmp_path.iterdir()) == {ordinary, path}

    @POSIX
    def test_a_dangling_link_is_no_file_until_it_points_to_one(self, tmp_path):
        link, target = tmp_path / "link", tmp_path / "target"
        link.symlink_to(target)
        with OutputFile(link, force=False) as file:
            file.write("ours")
        assert link.is_symlink()
        assert target.read_text() == "ours"
        with pytest.raises(InputError, match="link exists already"):
            OutputFile(link, force=False)


def test_a_name_that_was_taken_for_nothing_is_given_back(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "replace", full)
    with OutputFile(tmp_path / "file", force=False) as file, pytest.raises(InputError):
        file.write("ours")
    assert list(tmp_path.iterdir()) == []


def test_bytes_are_written_as_they_are(tmp_path):
    table = np.arange(3 << 18, dtype=np.int64).reshape(-1, 64)  # 6 MB
    pieces = [
        b"\x93NUMPY\r\n\xff",
        table.data,
        b"",
        memoryview(b"\n"),
        np.empty((0, 4)).data,
        "é\n",
    ]
    path = tmp_path / "tours.npy"
    with OutputFile(path, force=False) as file:
        for piece in pieces:
            assert file.add(piece)
        assert not path.exists()
        file.finish()
    assert path.read_bytes() == b"\x93NUMPY\r\n\xff" + table.tobytes() + b"\n" + "é\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_large_piece_is_written_at_once(tmp_path):
    with OutputFile(tmp_path / "file", force=False) as file:
        file.add(bytes(1 << 20))
        (part,) = tmp_path.iterdir()
        assert part.stat().st_size == 1 << 20
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_contiguous_is_a_mistake(tmp_path):
    columns = np.arange(12).reshape(3, 4).T
    with (
        pytest.raises(BufferError, match="not C-contiguous"),
        OutputFile(tmp_path / "file", force=False) as file,
    ):
        file.add(columns.data)
    assert list(tmp_path.iterdir()) == []


@POSIX
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("content", "room"),
    [(bytes(1 << 21), 1 << 20), (b"as long as this", 10), ("as long as this", 10)],
    ids=["while it is written", "when it is closed", "text"],
)
def test_no_room(tmp_path, content, room, force):
    path = tmp_path / "file"
    if force:
        path.write_text("before")
    refusal = pytest.raises(InputError, match=r"cannot write .*file: file too large")
    with at_most(room), OutputFile(path, force=force) as file, refusal:
        for _ in range(3):
            file.add(content)
        file.finish()
    assert list(tmp_path.iterdir()) == [path] * force
    assert not force or path.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
@pytest.mark.parametrize("size", [10, 1 << 21])
def test_a_full_disk(size):
    full = pytest.raises(InputError, match="cannot write /dev/full: no space left on device")
    with OutputFile(Path("/dev/full"), force=False) as file, full:
        file.write(bytes(size))


STREAM = """
import sys
from pathlib import Path
from kt_cp import cli
from kt_cp.cli.output import OutputFile
def stream():
    with OutputFile(Path(sys.argv[1]), force="--force" in sys.argv) as file:
        for _ in range(100):
            file.add(bytes(1 << 20))
        while True:
            file.add(b"")
cli.app = lambda first: lambda words, **options: stream()
cli.main()
"""


@POSIX
@interrupts
@pytest.mark.parametrize("forced", [False, True])
def test_an_interrupt_leaves_nothing(tmp_path, number, code, stderr, forced):
    leaves_nothing(tmp_path / "tours.npy", STREAM, number, code, stderr, forced=forced)


ESCAPE = "\x1b"


def test_no_escape_codes_in_pipes(kt_cp):
    for arguments in (["--help"], ["solve", "--help"], ["engines"], ["solve", "3x4"], ["nonsense"]):
        result = kt_cp(*arguments)
        assert ESCAPE not in result.out + result.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("arguments", [["solve", "5x5"], ["--help"]])
def test_no_colours_on_a_terminal_that_wants_none(arguments):
    out = _on_a_terminal(arguments, NO_COLOR="1", TERM="xterm-256color")
    assert len(out) > 100
    assert not re.search(rb"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7])[0-9;]*m", out)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_help_has_bold_names_on_a_terminal():
    assert b"\x1b[1m  solve\x1b[0m  " in _on_a_terminal(["--help"], TERM="xterm")
    assert b"\x1b[" not in _on_a_terminal(["--help"], TERM="dumb")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_progress_on_a_terminal():
    arguments = ["solve", "6x6", "--closed", "--engine", "sat:position"]
    out = _on_a_terminal(arguments, TERM="xterm-256color")
    assert b"6x6, closed" in out
    assert out.endswith(b"verified, replayed\r\n")


def _on_a_terminal(arguments, **changes):
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        command_line(*arguments), stdin=slave, stdout=slave, stderr=slave,
        env=environment(**changes),
    ) as running:  # fmt: skip
        os.close(slave)
        output = b""
        try:
            while piece := os.read(master, 65536):
                output += piece
        except OSError:
            pass  # the error of Linux when the other side is closed
        assert running.wait(PATIENCE) == 0
    os.close(master)
    return output


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("arguments", "code", "both"),
    [
        (["solve", "100x100", "--format", "csv"], 0, True),
        (["solve", "3x3"], 1, True),
        (["engines"], 0, False),
    ],
)
def test_a_reader_who_has_enough(arguments, code, both):
    """As in ``kt-cp … | head -1``, it is quiet, and its exit code is that of the answer."""
    reader, writer = os.pipe()
    with subprocess.Popen(
        command_line(*arguments), stdout=writer, stderr=writer if both else subprocess.PIPE,
        env=environment(),
    ) as running:  # fmt: skip
        os.close(writer)
        if arguments[1:] == ["100x100", "--format", "csv"]:
            assert b"step,square" in os.read(reader, 60)
        os.close(reader)
        stderr = b"" if both else running.stderr.read()
        assert running.wait(PATIENCE) == code
    assert b"Traceback" not in stderr
    assert b"Broken" not in stderr


@pytest.mark.skipif(os.name != "posix", reason="closed streams of POSIX")
def test_closed_streams():
    def closing(*streams):
        return {"preexec_fn": lambda: [os.close(stream) for stream in streams]}

    refused(run_cli("solve", "3x4", **closing(1)), "cannot write to stdout: it is closed")
    refused(run_cli("check", "-", **closing(0)), "cannot read -: it is closed")
    result = run_cli("solve", "3x3", **closing(2))
    assert (result.code, result.out) == (1, "No tour (3x3, open): b2 has no moves at all.\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
@pytest.mark.parametrize("arguments", [["solve", "3x4"], ["engines"]])
def test_stdout_on_a_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        result = run_cli(*arguments, stdout=full)
    assert result.code == 2
    assert "Traceback" not in result.err
    assert result.err.lower().count("no space left on device") == 1


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_disk_that_fills_in_the_middle_of_a_text(tmp_path, unbuffered):
    """An unbuffered stream may write a part without an error: that is no success."""
    import resource

    arguments = ["solve", "20x20", "--closed", "--format", "csv"]
    path = tmp_path / "tour.csv"
    for most, code in ((1_500, 2), (1 << 20, 0))[: 1 if unbuffered else 2]:
        with path.open("wb") as file:
            result = run_cli(
                *arguments,
                stdout=file,
                env=environment(PYTHONUNBUFFERED=unbuffered),
                preexec_fn=lambda most=most: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (most, most)
                ),
            )
        assert result.code == code, result.err
        assert ("cannot write to stdout: file too large" in result.err) == (code == 2)
        assert path.read_bytes().count(b"\n") == 401 or code == 2


def test_a_terminal_that_knows_no_frames():
    result = run_cli("solve", "3x4", env=environment(PYTHONIOENCODING="ascii"))
    assert result.code == 0
    assert result.out.startswith("3 |")


LONG_LINE = (
    "kt-cp: engine backtrack is limited to 250,000 squares, and 3000x3000, open has 9,000,000: "
    "on a whole rectangle, use engine construct"
)


@pytest.mark.parametrize("width", [1, 30, 80, 500])
def test_no_word_is_broken_and_none_is_lost(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = output.wrap_text(LONG_LINE).split("\n")
    assert " ".join(" ".join(lines).split()) == LONG_LINE
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


def test_lines_stay_apart_and_keep_their_indent(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    text = "Not a tour:\n  illegal move from a1 to b2\n"
    assert output.wrap_text(text) == "Not a tour:\n  illegal move from\n    a1 to b2\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_lines_are_for_terminals(monkeypatch, capfd, terminal):
    monkeypatch.setenv("COLUMNS", "50")
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: terminal, raising=False)
    output.remark(LONG_LINE)
    output.print_text(f"{LONG_LINE}\n")
    captured = capfd.readouterr()
    assert captured.out == captured.err
    assert (captured.out == f"{LONG_LINE}\n") is not terminal
    assert " ".join(captured.out.split()) == LONG_LINE


def test_names_stand_beside_their_descriptions(monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    pairs = [("lfsr", "a step at each square"), ("sat", "short")]
    assert output.format_list(pairs).split("\n") == [
        "  lfsr  a step at each",
        "        square",
        "  sat   short",
        "",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "solve 3x4 --format svg -o a.png",
        "solve 3x4 --format animation -o a.gif",
        "solve 3x4 --format grid -o a.json",
        "solve 3x4 --json -o a.csv",
        "trace 3x4 --format text -o a.jpg",
        "prove 3x3 --format text -o a.pdf",
        "export 3x4 --format tsplib -o a.cnf",
    ],
)
def test_a_format_that_contradicts_the_name_is_refused(kt_cp, tmp_path, monkeypatch, words) -> None:
    monkeypatch.chdir(tmp_path)
    result = kt_cp(*words.split())
    assert result.code == 2 and "contradict each other: expected a name that fits" in result.err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", ["solve 3x4 --format animation -o a.svg", "solve 3x4 --format csv -o a.txt",
              "solve 3x4 --format names -o a", "solve 3x4 --format grid -o a.tour"]
)  # fmt: skip
def test_a_format_may_have_a_name_of_no_format(kt_cp, tmp_path, monkeypatch, words) -> None:
    monkeypatch.chdir(tmp_path)
    assert kt_cp(*words.split()).code == 0 and len([*tmp_path.iterdir()]) == 1


def test_formats_are_suggested(kt_cp) -> None:
    assert "got 'grd' (did you mean grid?)" in kt_cp("solve", "3x4", "--format", "grd").err


# --- pictures on stdout, and compressed files -----------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("words", ["solve 5x5", "prove 3x3", "puzzle 4x5", "trace 3x4 --start a1"])
def test_pictures_go_to_a_pipe(words) -> None:
    result = subprocess.run(
        command_line(*words.split(), "--format", "png"), capture_output=True, env=environment()
    )
    picture = result.stdout
    assert result.returncode == 0, result.stderr
    assert picture.startswith(b"\x89PNG") and picture.endswith(b"IEND\xaeB`\x82")


def test_no_picture_goes_to_a_terminal() -> None:
    import pty

    master, slave = pty.openpty()
    result = run_cli("solve", "5x5", "--format", "png", stdout=slave)
    os.close(slave)
    os.close(master)
    assert (
        result.code == 2
        and result.err == "kt-cp: --format png: expected -o FILE, got the terminal\n"
    )


@pytest.mark.parametrize("name", ["t.json.gz", "t.names.gz", "t.csv.gz", "t.txt.gz", "T.JSON.GZ"])
def test_a_compressed_tour_is_written_and_read(kt_cp, tmp_path, name) -> None:
    path = tmp_path / name
    assert kt_cp("solve", "5x6", "--closed", "-o", path).code == 0
    code = kt_cp("solve", "5x6", "--closed", "-o", tmp_path / name.lower()[:-3]).code
    assert code == 0
    first = path.read_bytes()
    text = gzip.decompress(first)
    if "json" not in name.lower():  # JSON states the seconds
        assert text == (tmp_path / name.lower()[:-3]).read_bytes()
        assert kt_cp("solve", "5x6", "--closed", "-o", path, "--force").code == 0
        assert path.read_bytes() == first  # no time in its header
    assert kt_cp("check", path, "--closed").out == "A valid tour (5x6, closed): 30 squares\n"


def test_a_compressed_graph_is_read(kt_cp, tmp_path) -> None:
    path = tmp_path / "g.edges.gz"
    path.write_bytes(gzip.compress(b"a b\nb c\nc a\n"))
    assert kt_cp("solve", path, "--closed").code == 0
    path.write_bytes(gzip.compress(b"a b\nb c\n"))
    assert kt_cp("solve", path, "--closed").code == 1
    other = tmp_path / "graph.gz"
    path.rename(other)
    assert kt_cp("solve", other, "--format-in", "edges").code == 0


def test_damaged_and_unsuitable_compression_is_refused(kt_cp, tmp_path) -> None:
    path = tmp_path / "t.txt.gz"
    intact = gzip.compress(b"1 2 3\n" * 100)
    damaged = (intact[:-9], intact[:30], b"\x1f\x8b", intact[:20] + b"\0" * 9 + intact[29:])
    for data in damaged:
        path.write_bytes(data)
        refused(kt_cp("check", path), f"cannot read {path}: ")
    for name in ("t.npy.gz", "t.png.gz"):
        refused(kt_cp("solve", "5x5", "-o", tmp_path / name), "expected a name without .gz")
    refused(kt_cp("solve", "5x5", "-o", tmp_path / "t.gif.gz"), "expected a name that ends with")
    assert {*tmp_path.iterdir()} == {path}


def test_compressed_input_is_bounded(kt_cp, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("kt_cp.cli.output.MOST_BYTES", 1 << 20)
    path = tmp_path / "t.txt.gz"
    path.write_bytes(gzip.compress(b" " * (2 << 20)))
    refused(kt_cp("check", path), "in at most 1 MB, got more")


# --- number puzzles -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        ("5x5 --given a1=1,c3=25", "Other tours have these steps as well."),
        ("3x4 --given a1=1,d3=12", "It is the only tour with these steps."),
    ],
)
def test_a_puzzle_says_whether_its_solution_is_unique(kt_cp, words, remark) -> None:
    tours = kt_cp("enumerate", *words.split(), "--count").out
    assert remark.startswith("It is") == tours.startswith("1 tour ")
    result = kt_cp("solve", *words.split())
    assert result.code == 0 and result.err.splitlines()[-1] == remark
    assert remark not in kt_cp("solve", "5x5", "--given", "a1=1").err


def test_uniqueness_keeps_the_time_limit(kt_cp, monkeypatch) -> None:
    monkeypatch.setattr("kt_cp.cli.solve.UNIQUE_SECONDS", 0.0)
    result = kt_cp("solve", "5x5", "--given", "a1=1,c3=25")
    assert result.code == 0
    assert result.err.splitlines()[-1] == "Whether other tours have these steps is unknown."


def test_clues_are_marked(kt_cp, tmp_path) -> None:
    words = ["solve", "3x4", "--given", "a1=1,b1=4,d2=5"]
    picture = tmp_path / "t.svg"
    assert kt_cp(*words, "-o", picture).code == 0
    clues = re.search(r'<g class="clues".*?</g>', picture.read_text(), re.DOTALL)
    assert clues is not None and clues[0].count("<rect ") == 3
    colourless = _on_a_terminal(words, TERM="xterm", NO_COLOR="1")
    assert b"\x1b[1m" not in colourless
    coloured = _on_a_terminal(words, TERM="xterm")
    assert re.findall(rb"\x1b\[1m([0-9]+)\x1b\[0m", coloured) == [b"5", b"1", b"4"]


# --- narrow terminals, and those without frames ---------------------------------------------------

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.slow
@pytest.mark.parametrize("words", ["solve 4x4 --missing a1", "enumerate 3x4", "solve 9x9 --closed"])
def test_a_grid_in_ascii_is_read_back(tmp_path, words) -> None:
    result = run_cli(*words.split(), env=environment(**ASCII))
    assert result.out.isascii() and result.err.isascii() and "?" not in result.out
    path = tmp_path / "grid.txt"
    path.write_text(result.out.split("\n\n")[0].removeprefix("Tour 1\n") + "\n")
    if result.code == 0:
        assert run_cli("check", path, *words.split()[2:]).code == 0


@pytest.mark.slow
def test_names_in_ascii_are_those_of_json(tmp_path) -> None:
    path = tmp_path / "g.edges"
    path.write_text("é 中\n中 ·\n· é\n", "utf-8")
    result = run_cli("solve", path, "--closed", "--json", env=environment(**ASCII))
    assert result.out.isascii() and {*json.loads(result.out)["tour"]} >= {"é", "中"}


@pytest.mark.parametrize("width", [40, 60, 72, 80])
@pytest.mark.parametrize("words", ["engines", "encodings 5x5", "--help", "solve --help"])
def test_no_name_is_cut_off(kt_cp, monkeypatch, width, words) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    result = kt_cp(*words.split())
    assert result.code == 0
    names = {
        "engines": ["construct", "warnsdorff", "backtrack", "propagator", "reference"],
        "encodings 5x5": ["channel", "position", "remainder-short", "elimination", "corridor"],
        "--help": ["--version", "enumerate", "reference", "encodings"],
        "solve --help": ["--closed", "--certificate", "--memory-limit", "--format-in"],
    }
    assert not [name for name in names[words] if name not in result.out]
    assert max(map(len, result.out.splitlines())) <= width and "…" not in result.out
