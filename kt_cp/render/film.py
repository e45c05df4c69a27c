"""A tour as a film, in which the piece goes from square to square: GIF, or MP4 with ffmpeg.

Matplotlib paints the empty board from its SVG.  Each frame adds one move and one number to the
picture before it, and the piece on top, which the next frame removes again.  Pillow writes the
frames as GIF with one palette.  If ffmpeg is installed, it converts the GIF to MP4.

Cost: proportional to the squares of all frames, so to the square of the tour's length: a second
for 8×8, a quarter of a minute and 300 MB for 20×20.

When it loses: on long tours.  An animation in SVG (:mod:`kt_cp.render.animation`) is smaller and
sharper, but some programs do not play it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from kt_cp.model.board import Square
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.piece import KNIGHT, Piece
from kt_cp.model.tour import Tour
from kt_cp.render.animation import OUTLINE
from kt_cp.render.board import INK, NUMBERED, PATH, START, centre
from kt_cp.render.moves import Moves
from kt_cp.render.rasterize import default_settings, path_commands, svg_figure
from kt_cp.render.tour import tour_svg

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from PIL.Image import Image

MOST_SQUARES = 400
"""Most squares of a film."""

PIXELS = 480
"""Longest side of a frame."""

COLOURS = 48
"""Colours of the palette; the picture has seven, and mixtures of them at edges."""

SPEED, MOST_SECONDS, REST_SECONDS = 4, 30, 2.5
"""Least frames per second; most seconds of all moves; seconds of the last frame."""

_DISC, _LETTERS = 0.3, 0.3  # radius of a visited square, and height of its number


def film_formats() -> tuple[str, ...]:
    """Return the formats in which this machine can write a film."""
    return ("gif", "mp4") if shutil.which("ffmpeg") else ("gif",)


def tour_film(tour: Tour, format: str) -> bytes:
    """Return the film of a tour on a board, as ``gif`` or ``mp4``.

    Raise InputError if this machine cannot write the format or the tour is one of a graph, and
    TooLargeError if it has more than ``MOST_SQUARES`` squares.

    >>> from kt_cp import solve
    >>> tour_film(solve("3x4").tour, "gif")[:6]
    b'GIF89a'
    """
    if format not in film_formats():
        needs = "; mp4 needs ffmpeg" if format == "mp4" else ""
        raise InputError(f"expected {' or '.join(film_formats())} for a film, got {format}{needs}")
    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    if tour.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES} squares in a film, got {tour.size:,}")
    from PIL.Image import Dither

    with default_settings(""):
        frames = [*_frames(tour)]
    palette = frames[-1].quantize(COLOURS)
    first, *rest = (frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames)
    slot = min(1 / SPEED, MOST_SECONDS / len(frames))
    milliseconds = [*[round(1000 * slot)] * len(rest), round(1000 * REST_SECONDS)]
    file = BytesIO()
    first.save(file, "gif", save_all=True, append_images=rest, duration=milliseconds, loop=0)
    return file.getvalue() if format == "gif" else _convert_to_mp4(file.getvalue())


def _convert_to_mp4(gif: bytes) -> bytes:
    """Convert a GIF with ffmpeg; restore the last pause, which it drops, and make sides even."""
    filters = f"crop=trunc(iw/2)*2:trunc(ih/2)*2,tpad=stop_mode=clone:stop_duration={REST_SECONDS}"
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "tour.gif", Path(folder) / "tour.mp4"
        source.write_bytes(gif)
        line = ["ffmpeg", "-v", "error", "-i", str(source), "-vf", filters]
        line += ["-pix_fmt", "yuv420p", "-movflags", "faststart", str(target)]
        subprocess.run(line, check=True, stdin=subprocess.DEVNULL)
        return target.read_bytes()


def _frames(tour: Tour) -> Iterator[Image]:
    """Yield the pictures of a film."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    board = tour.board
    assert board is not None
    squares: list[Square] = [*tour.squares]
    figure = svg_figure(ElementTree.fromstring(tour_svg(board, piece=tour.piece)))
    figure.set_dpi(PIXELS / max(figure.get_size_inches()))
    axes, moves = figure.axes[0], Moves(board, tour.piece)
    low, high = axes.get_ylim()
    points = 72 * figure.get_size_inches()[1] / abs(low - high)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    numbered = max(board.rows, board.columns) <= NUMBERED
    home = squares[:1] if tour.closed and len(squares) > 1 else []
    before: list[Artist] = []
    for number, (left, to) in enumerate(pairwise([None, *squares, *home]), start=1):
        assert to is not None
        lines = moves.segments(left, to) if left is not None else []
        drawn: list[Artist] = [
            axes.plot(*zip(*line, strict=True), color=PATH, linewidth=1.5)[0] for line in lines
        ]
        step = 1 if number > len(squares) else number
        visited = _square(axes, centre(board, to), step, points if numbered else None)
        for each in [*drawn, *before, *visited]:  # the line lies below the number that it leaves
            each.draw(renderer)
        before = visited
        ground = canvas.copy_from_bbox(figure.bbox)
        for each in _piece(axes, tour.piece, centre(board, to)):
            each.draw(renderer)
        yield Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        canvas.restore_region(ground)


def _square(axes: Axes, at: tuple[float, float], number: int, points: float | None) -> list[Artist]:
    """Return the disc of a visited square, with its number if a square has a size in points."""
    from matplotlib.patches import Circle

    disc = axes.add_patch(Circle(at, _DISC, color=START if number == 1 else PATH))
    if points is None:
        return [disc]
    middle: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": "white"}
    return [disc, axes.text(*at, str(number), fontsize=_LETTERS * points, **middle)]


def _piece(axes: Axes, piece: Piece, at: tuple[float, float]) -> list[Artist]:
    """Return a disc on a square, with a knight on it if the piece is one."""
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.path import Path as Shape
    from matplotlib.transforms import Affine2D

    disc = axes.add_patch(Circle(at, 0.42, facecolor="white", edgecolor=INK))
    if piece != KNIGHT:
        return [disc]
    codes, vertices = zip(*path_commands(OUTLINE), strict=True)
    shape = Shape(vertices, codes).transformed(Affine2D().scale(0.78).translate(*at))
    return [disc, axes.add_patch(PathPatch(shape, color=INK))]
