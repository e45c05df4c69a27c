"""``OutputFile``: a file gets its name at the end, or nothing is left of it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from kt_cp.cli.output import OutputFile
from kt_cp.model.errors import InputError
from tests.support.command_line import at_most, interrupts, leaves_nothing

POSIX = pytest.mark.skipif(os.name != "posix", reason="links, pipes and limits of POSIX")


def no_links(*_, **__):
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.fixture(params=["with links", "without links"])
def links(request, monkeypatch):
    """Disks that know links, and those that do not."""
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
        usual, path = tmp_path / "usual", tmp_path / "file"
        usual.write_text("")
        with OutputFile(path, force=False) as file:
            file.write("ours")
        assert path.read_text() == "ours"
        assert path.stat().st_mode == usual.stat().st_mode
        assert path.stat().st_nlink == 1
        assert set(tmp_path.iterdir()) == {usual, path}

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


def test_a_large_piece_is_not_kept_back(tmp_path):
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
    said = pytest.raises(InputError, match=r"cannot write .*file: file too large")
    with at_most(room), OutputFile(path, force=force) as file, said:
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
def test_an_interrupt_leaves_nothing(tmp_path, number, code, said, forced):
    leaves_nothing(tmp_path / "tours.npy", STREAM, number, code, said, forced=forced)
