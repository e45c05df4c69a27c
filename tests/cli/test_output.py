"""``kt-cp solve``: files that are whole or not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kt_cp.cli.output import OutputFile
from kt_cp.model.errors import InputError
from tests.support.command_line import PATIENCE, command_line, environment, refused
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
    ran = kt_cp("solve", "5x5", "--start", "a1", "-o", tmp_path / name)
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_option_outdoes_the_suffix(kt_cp, tmp_path):
    path = tmp_path / "tour.svg"
    assert kt_cp("solve", "5x5", "-o", path, "--format", "csv").code == 0
    assert path.read_text().startswith("step,square")
    assert kt_cp("solve", "5x5", "-o", path, "--json", "--force").code == 0
    assert path.read_text().startswith("{")


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
    ran = kt_cp("solve", "3x3", "--json", "-o", "-")
    assert json.loads(ran.out)["verdict"] == "IMPOSSIBLE"
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
        # Relative paths: the superuser, who may do anything, steps down for a moment, and then
        # could not pass the private directories above.
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
    ran = kt_cp("solve", "5x5", "-o", tour)
    assert (ran.code, ran.out) == (0, "") and tour.read_bytes().startswith(magic)
    ran = kt_cp("prove", "3x3", "-o", why)
    assert ran.code == 0 and why.read_bytes().startswith(magic)
    assert ran.out == "No tour (3x3, open): b2 has no moves at all.\n"
    for command in (("solve", "5x5"), ("prove", "3x3")):
        ran = kt_cp(*command, "--format", suffix[1:])
        assert (ran.code, ran.out) == (2, "")
        assert f"--format {suffix[1:]}: expected -o FILE, got stdout" in ran.err
        ran = kt_cp(*command, "-o", tmp_path / "t.gif")
        assert ran.code == 2 and ".png, .pdf" in ran.err and len(ran.err.splitlines()) == 1
    ran = kt_cp("solve", "1000x1000", "--closed", "-o", tmp_path / f"large{suffix}")
    assert ran.code == 2 and "expected at most 100,000 squares" in ran.err
    assert not [*tmp_path.glob("large*")]
