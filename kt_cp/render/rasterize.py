"""A still picture of this package as PNG or PDF: its SVG is read, and matplotlib paints it.

So there is one drawing of everything, the SVG, and what is true of it is true of the other two.
What is understood is what the pictures here consist of: lines and filled shapes, words, groups
with translations and scales, and what is defined once and used again.  Anything else is an error
rather than left out, so a picture that moves is refused.

The unit of an SVG is one square.  Matplotlib has points of 1/72 inch: lengths of lines, letters and
dashes are told in these, places in squares.  Letters are those of DejaVu Sans, which comes with
matplotlib, so they are there on every machine.

Shapes of SVG as what a pen does: moves, lines and curves, in absolute places.

Read are the commands that the pictures of this package have, in capitals and in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


def outline(name: str, own: Mapping[str, str], at: Mapping[str, float]) -> str:
    """The path of a rectangle or of a line through points."""
    if name == "rect":
        return f"M{at['x']} {at['y']}h{at['width']}v{at['height']}h{-at['width']}z"
    if name == "path":
        return own["d"]
    return "M" + own["points"].replace(",", " ") + "z" * (name == "polygon")


def path_commands(path: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """What the pen does, as matplotlib's codes (move 1, line 2, curve 4, close 79) and places."""
    tokens = _TOKEN.findall(path)
    x = y = first_x = first_y = 0.0
    command, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        kind, own = command.upper(), command.islower()
        count = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}[kind]
        values = [float(each) for each in tokens[at : at + count]]
        at += count
        if kind == "Z":
            x, y = first_x, first_y
            yield 79, (x, y)
            continue
        if kind == "H":
            values = [values[0], 0.0 if own else y]
        elif kind == "V":
            values = [0.0 if own else x, values[0]]
        if own:
            values = [each + (y if place % 2 else x) for place, each in enumerate(values)]
        x, y = values[-2:]
        if kind == "M":
            first_x, first_y = x, y
            command = "l" if own else "L"  # what more points after it mean
        for place in range(0, len(values), 2):
            code = {"M": 1, "C": 4}.get(kind, 2)
            yield code, (values[place], values[place + 1])


SHARP = 2.0
"""Pixels of a PNG for one of the SVG: readers enlarge pictures."""

MOST_PIXELS = 6_000
"""Longest side of a PNG."""

_INCH = 96.0  # pixels of SVG in an inch, by its definition
_SPACE = "{http://www.w3.org/2000/svg}"
_NO_DATE: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_TRANSFORM = re.compile(r"(translate|scale)\(([^)]*)\)")
_LOOK = {
    "fill": "#000000", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-dasharray": "none", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "font-size": "1", "font-weight": "normal",
    "font-family": "sans-serif", "text-anchor": "start",
}  # fmt: skip
"""What is inherited from group to group, and what it is where nothing is said: SVG's own."""

_PLACES = {
    "rect": {"x", "y", "width", "height"}, "circle": {"cx", "cy", "r"}, "path": {"d"},
    "polyline": {"points"}, "polygon": {"points"}, "text": {"x", "y"}, "g": set(), "defs": set(),
    "use": {"href", "x", "y"}, "svg": {"width", "height", "viewBox", "role"},
}  # fmt: skip


@dataclass(frozen=True)
class _Place:
    """Where an element's own coordinates lie on the picture."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def moved(self, transform: str) -> _Place:
        place = self
        for name, numbers in _TRANSFORM.findall(transform):
            values = [float(each) for each in re.split(r"[ ,]+", numbers.strip())]
            if name == "scale":
                place = _Place(place.scale * values[0], place.x, place.y)
            else:
                x, y = place.at(values[0], values[1])
                place = _Place(place.scale, x, y)
        return place

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x + self.scale * x, self.y + self.scale * y


def convert_svg(svg: str, format: str) -> bytes:
    """A picture of this package in another format.

    Parameters
    ----------
    svg : str
        What another function of this folder has drawn.
    format : str
        ``png`` or ``pdf``.

    Raises
    ------
    ValueError
        If the picture moves, or holds what none of these pictures has.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> from kt_cp.render.tour import tour_svg
    >>> svg = tour_svg(Board(3, 4))
    >>> convert_svg(svg, "png")[1:4], convert_svg(svg, "pdf")[:4]
    (b'PNG', b'%PDF')
    """
    root = ElementTree.fromstring(svg)
    dpi = min(SHARP * _INCH, MOST_PIXELS / max(_inches(root)))
    return save_figure(lambda: _figure(root), root.findtext(f"{_SPACE}title", ""), format, dpi)


def convert_pages(svgs: Sequence[str]) -> bytes:
    """Several pictures as the pages of one PDF."""
    from matplotlib.backends.backend_pdf import PdfPages

    roots = [ElementTree.fromstring(svg) for svg in svgs]
    file = BytesIO()
    with _as_shipped():
        metadata = {"Title": roots[0].findtext(f"{_SPACE}title", ""), **_NO_DATE["pdf"]}
        with PdfPages(file, metadata=metadata) as book:
            for root in roots:
                book.savefig(_figure(root))
    return file.getvalue()


def _inches(root: ElementTree.Element) -> tuple[float, float]:
    return float(root.attrib["width"]) / _INCH, float(root.attrib["height"]) / _INCH


def _figure(root: ElementTree.Element) -> Figure:
    """The picture as a figure of matplotlib."""
    from matplotlib.figure import Figure

    left, top, width, height = map(float, root.attrib["viewBox"].split())
    inches = _inches(root)
    whole = Figure(inches)
    axes = whole.add_axes((0, 0, 1, 1), xlim=(left, left + width), ylim=(top + height, top))
    axes.set_axis_off()
    _Painter(axes, inches[0] * 72 / width, root).paint(root, _Place(), _LOOK)
    return whole


def save_figure(drawn: Any, title: str, format: str, dpi: float = 160) -> bytes:
    """What matplotlib makes of a figure, which ``drawn`` returns, whatever the reader has set.

    The same figure and the same version of matplotlib give the same bytes.
    """
    file = BytesIO()
    with _as_shipped():
        metadata = {"Title": title, **_NO_DATE[format]}
        drawn().savefig(file, format=format, dpi=dpi, metadata=metadata)
    return file.getvalue()


@contextmanager
def _as_shipped() -> Iterator[None]:
    """Matplotlib without what the reader has set."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        # Names of the file's parts not by chance, and words as words, to be searched and read out.
        matplotlib.rc("svg", hashsalt="kt_cp", fonttype="none")
        matplotlib.rc("pdf", fonttype=42)
        matplotlib.rc("text", parse_math=False)
        yield


class _Painter:
    """Elements of an SVG onto axes whose unit is that of the SVG, of so many points."""

    def __init__(self, axes: Axes, points: float, root: ElementTree.Element) -> None:
        self.axes, self.points = axes, points
        self.defined = {f"#{each.get('id')}": each for each in root.iter() if each.get("id")}

    def paint(
        self,
        element: ElementTree.Element,
        place: _Place,
        look: Mapping[str, str],
        used: bool = False,
    ) -> None:
        name, own = element.tag.removeprefix(_SPACE), element.attrib
        if name in ("title", "desc") or (name == "defs" and not used):
            return
        known = _PLACES.get(name, set()) | {*_LOOK, "class", "id", "transform"}
        if name not in _PLACES or not own.keys() <= known:
            strange = sorted(own.keys() - known) if name in _PLACES else name
            raise ValueError(f"expected a still picture of this package, got {strange}")
        place = place.moved(own.get("transform", ""))
        look = {key: own.get(key, inherited) for key, inherited in look.items()}
        numbers = {key: float(own.get(key, 0)) for key in _PLACES[name] & _NUMBERS.keys()}
        if name == "text":
            self._word(element.text or "", *place.at(numbers["x"], numbers["y"]), place, look)
        elif name == "use":
            there = _Place(place.scale, *place.at(numbers["x"], numbers["y"]))
            self.paint(self.defined[own["href"]], there, look, used=True)
        elif name in ("svg", "g"):
            for child in element:
                self.paint(child, place, look)
        else:
            self._shape(name, own, numbers, place, look)

    def _shape(
        self,
        name: str,
        own: Mapping[str, str],
        numbers: Mapping[str, float],
        place: _Place,
        look: Mapping[str, str],
    ) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        if name == "circle":
            middle = place.at(numbers["cx"], numbers["cy"])
            shape = Path.circle(middle, place.scale * numbers["r"])
        else:
            codes, vertices = zip(*path_commands(outline(name, own, numbers)), strict=True)
            shape = Path([place.at(x, y) for x, y in vertices], codes)
        unit = self.points * place.scale
        wide = float(look["stroke-width"])
        dashes: Any = "solid"
        if look["stroke-dasharray"] != "none" and wide:
            parts = [float(each) / wide for each in look["stroke-dasharray"].split()]
            dashes = (0, parts if len(parts) % 2 == 0 else parts * 2)
        self.axes.add_patch(
            PathPatch(
                shape,
                facecolor=_colour(look, "fill"),
                edgecolor=_colour(look, "stroke"),
                linewidth=0 if look["stroke"] == "none" else wide * unit,
                linestyle=dashes,
                capstyle=look["stroke-linecap"] if look["stroke-linecap"] == "round" else "butt",
                joinstyle=look["stroke-linejoin"],
                snap=False,
                zorder=1,  # one above the other in the order in which they come
                clip_on=False,
            )
        )

    def _word(self, text: str, x: float, y: float, place: _Place, look: Mapping[str, str]) -> None:
        sides = {"start": "left", "middle": "center", "end": "right"}
        self.axes.text(
            x, y, text,
            fontsize=float(look["font-size"]) * place.scale * self.points,
            fontweight=look["font-weight"], color=_colour(look, "fill"),
            ha=sides[look["text-anchor"]], va="baseline", zorder=1, clip_on=False,
        )  # fmt: skip


_NUMBERS = dict.fromkeys(("x", "y", "width", "height", "cx", "cy", "r"), 0.0)


def _colour(look: Mapping[str, str], what: str) -> Any:
    return "none" if look[what] == "none" else (look[what], float(look[f"{what}-opacity"]))
