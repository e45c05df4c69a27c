"""A tour as a film: its frames, its limits, and the formats that this machine can write."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from kt_cp import Board, Problem, solve
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.render import film
from kt_cp.render.film import MOST_SQUARES, PIXELS, REST_SECONDS, film_formats, tour_film


def frames(data):
    """The pictures of a GIF as arrays, and the milliseconds of each."""
    picture = Image.open(BytesIO(data))
    found, times = [], []
    for number in range(picture.n_frames):
        picture.seek(number)
        found.append(np.asarray(picture.convert("RGB")))
        times.append(picture.info["duration"])
    return found, times


@pytest.mark.parametrize(
    ("board", "closed", "count"),
    [(Board(3, 4), False, 12), (Board(5, 6), True, 31), (Board(5, 5, surface="torus"), True, 26)],
)
def test_a_frame_for_each_step(board, closed, count):
    found, times = frames(tour_film(solve(Problem(board, closed=closed)).tour, "gif"))
    assert len(found) == count
    assert max(found[0].shape) == PIXELS
    assert times[-1] == 1000 * REST_SECONDS and set(times[:-1]) == {250}
    assert all((one != other).any() for one, other in pairwise(found))


def test_a_visited_square_stays():
    found, _ = frames(tour_film(solve("3x4").tour, "gif"))
    dark = [int((each.sum(axis=2) < 300).sum()) for each in found]  # lines, discs, and the knight
    assert dark == sorted(dark)


def test_another_piece_has_a_disc_alone():
    problem = Problem("4x4", piece="king")
    assert len(frames(tour_film(solve(problem).tour, "gif"))[0]) == 16


def test_what_is_no_film_is_refused(monkeypatch):
    monkeypatch.setattr(film.shutil, "which", lambda name: None)
    assert film_formats() == ("gif",)
    with pytest.raises(InputError, match="expected gif for a film, got mp4; mp4 needs ffmpeg"):
        tour_film(solve("3x4").tour, "mp4")
    with pytest.raises(TooLargeError, match=f"expected at most {MOST_SQUARES} squares in a film"):
        tour_film(solve("20x21").tour, "gif")


def test_ffmpeg_converts_the_gif(monkeypatch, tmp_path):
    """A program of that name stands for ffmpeg, and gets the GIF."""
    program = tmp_path / "ffmpeg"
    program.write_text('#!/bin/sh\ncp "$4" "$(eval echo \\${$#})"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert film_formats() == ("gif", "mp4")
    tour = solve("3x4").tour
    assert tour_film(tour, "mp4") == tour_film(tour, "gif")
