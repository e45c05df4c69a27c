"""Convert still pictures from SVG to PNG and PDF with matplotlib.

So every picture is drawn once, as SVG.  Only the elements of this package's pictures are supported:
lines and filled shapes, words, groups with translations and scales, and definitions that are used.
Anything else, such as an animation, is an error.

The unit of an SVG is one square.  Matplotlib measures widths of lines, letters and dashes in points
of 1/72 inch, and places in squares.  The font is DejaVu Sans, which is part of matplotlib.  For
other letters in names of nodes, the fonts of the machine are searched.  A letter that no font has
is drawn as a box.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path
    from matplotlib.transforms import Transform


_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


def path_commands(path: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield matplotlib's codes (move 1, line 2, curve 4, close 79) and points of an SVG path."""
    tokens = _TOKEN.findall(path)
    x = y = first_x = first_y = 0.0
    command, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        kind, relative = command.upper(), command.islower()
        count = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}[kind]
        values = [float(each) for each in tokens[at : at + count]]
        at += count
        if kind == "Z":
            x, y = first_x, first_y
            yield 79, (x, y)
            continue
        if kind == "H":
            values = [values[0], 0.0 if relative else y]
        elif kind == "V":
            values = [0.0 if relative else x, values[0]]
        if relative:
            values = [each + (y if place % 2 else x) for place, each in enumerate(values)]
        x, y = values[-2:]
        if kind == "M":
            first_x, first_y = x, y
            command = "l" if relative else "L"  # for further points
        for place in range(0, len(values), 2):
            code = {"M": 1, "C": 4}.get(kind, 2)
            yield code, (values[place], values[place + 1])


SHARP = 2.0
"""Pixels of a PNG for each pixel of the SVG, because readers enlarge pictures."""

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
_STYLE = {
    "fill": "#000000", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-dasharray": "none", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "font-size": "1", "font-weight": "normal",
    "font-family": "sans-serif", "text-anchor": "start",
}  # fmt: skip
"""Inherited attributes with their defaults in SVG."""

_ATTRIBUTES = {
    "rect": {"x", "y", "width", "height"}, "circle": {"cx", "cy", "r"}, "path": {"d"},
    "polyline": {"points"}, "polygon": {"points"}, "text": {"x", "y"}, "g": set(), "defs": set(),
    "use": {"href", "x", "y"}, "svg": {"width", "height", "viewBox", "role"},
}  # fmt: skip
_NUMBERS = frozenset({"x", "y", "width", "height", "cx", "cy", "r"})


def convert_svg(svg: str, format: str) -> bytes:
    """Convert an SVG of this package to ``png`` or ``pdf``; raise ``ValueError`` for any other.

    >>> from kt_cp.model.board import Board
    >>> from kt_cp.render.tour import tour_svg
    >>> svg = tour_svg(Board(3, 4))
    >>> convert_svg(svg, "png")[1:4], convert_svg(svg, "pdf")[:4]
    (b'PNG', b'%PDF')
    """
    root = ElementTree.fromstring(svg)
    dpi = min(SHARP * _INCH, MOST_PIXELS / max(_inches(root)))
    title, text = root.findtext(f"{_SPACE}title", ""), "".join(root.itertext())
    return save_figure(lambda: svg_figure(root), title, format, dpi, text)


def convert_pages(svgs: Sequence[str]) -> bytes:
    """Convert several SVGs to the pages of one PDF."""
    from matplotlib.backends.backend_pdf import PdfPages

    roots = [ElementTree.fromstring(svg) for svg in svgs]
    file = BytesIO()
    with default_settings("".join(text for root in roots for text in root.itertext())):
        metadata = {"Title": roots[0].findtext(f"{_SPACE}title", ""), **_NO_DATE["pdf"]}
        with PdfPages(file, metadata=metadata) as book:
            for root in roots:
                book.savefig(svg_figure(root))
    return file.getvalue()


def save_figure(
    draw: Callable[[], Figure], title: str, format: str, dpi: float = 160, text: str = ""
) -> bytes:
    """Return the file of a figure, which depends only on it and on matplotlib's version.

    The exception is ``text`` with letters that matplotlib's own fonts lack.
    """
    file = BytesIO()
    with default_settings(text):
        metadata = {"Title": title, **_NO_DATE[format]}
        draw().savefig(file, format=format, dpi=dpi, metadata=metadata)
    return file.getvalue()


@contextmanager
def default_settings(text: str) -> Iterator[None]:
    """Use matplotlib's default settings instead of the user's, with fonts for a text."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        matplotlib.rcdefaults()
        if len(families := font_families(text)) > 1:
            matplotlib.rc("font", family=families)
        # Ids that are not random, and words as text that can be searched and read aloud.
        matplotlib.rc("svg", hashsalt="kt_cp", fonttype="none")
        matplotlib.rc("pdf", fonttype=42)
        matplotlib.rc("text", parse_math=False)
        yield


def font_families(text: str) -> list[str]:
    """Return DejaVu Sans, and TrueType fonts of this machine for the letters that it lacks.

    >>> font_families("Zürich")
    ['DejaVu Sans']
    """
    from matplotlib import font_manager

    families = ["DejaVu Sans"]
    lacking = set(map(ord, text)) - {10, *_characters(font_manager.findfont(families[0]))}
    for font in sorted(font_manager.fontManager.ttflist, key=lambda font: font.fname):
        if not lacking:
            break
        # Last Resort has a picture for each script and none of its letters.
        if font.fname.endswith(".ttf") and not font.name.startswith("Last Resort"):
            found = lacking & _characters(font.fname)
            families += [font.name] * bool(found)
            lacking -= found
    return families


@cache
def _characters(font: str) -> frozenset[int]:
    """Return the code points of a font file."""
    from matplotlib import font_manager

    try:
        return frozenset(font_manager.get_font(font).get_charmap())
    except (OSError, RuntimeError):  # no font, or one of a kind that matplotlib does not read
        return frozenset()


def _inches(root: ElementTree.Element) -> tuple[float, float]:
    return float(root.attrib["width"]) / _INCH, float(root.attrib["height"]) / _INCH


def svg_figure(root: ElementTree.Element) -> Figure:
    """Return a figure with one pair of axes, in the unit of the SVG, that shows it."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    left, top, width, height = map(float, root.attrib["viewBox"].split())
    inches = _inches(root)
    figure = Figure(inches)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, left + width), ylim=(top + height, top))
    axes.set_axis_off()
    _Painter(axes, inches[0] * 72 / width, root).paint(root, Affine2D(), _STYLE)
    return figure


class _Painter:
    """A painter of SVG elements on axes in the unit of the SVG, which is ``points`` long."""

    def __init__(self, axes: Axes, points: float, root: ElementTree.Element) -> None:
        self.axes, self.points = axes, points
        self.defined = {f"#{each.get('id')}": each for each in root.iter() if each.get("id")}

    def paint(
        self,
        element: ElementTree.Element,
        transform: Transform,
        style: Mapping[str, str],
        used: bool = False,
    ) -> None:
        """Paint an element with its children; definitions only if they are used."""
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        name, own = element.tag.removeprefix(_SPACE), element.attrib
        if name in ("title", "desc") or (name == "defs" and not used):
            return
        known = _ATTRIBUTES.get(name, set()) | {*_STYLE, "class", "id", "transform"}
        if name not in _ATTRIBUTES or not own.keys() <= known:
            unknown = sorted(own.keys() - known) if name in _ATTRIBUTES else name
            raise ValueError(f"expected a still picture of this package, got {unknown}")
        for kind, numbers in _TRANSFORM.findall(own.get("transform", "")):
            values = [float(each) for each in re.split(r"[ ,]+", numbers.strip())]
            transform = getattr(Affine2D(), kind)(*values) + transform
        style = {key: own.get(key, inherited) for key, inherited in style.items()}
        at = {key: float(own.get(key, 0)) for key in _ATTRIBUTES[name] & _NUMBERS}
        unit = self.points * transform.get_matrix()[0, 0]
        if name == "text":
            x, y = transform.transform((at["x"], at["y"]))
            self._text(element.text or "", x, y, unit, style)
        elif name == "use":
            placed = Affine2D().translate(at["x"], at["y"]) + transform
            self.paint(self.defined[own["href"]], placed, style, used=True)
        elif name in ("svg", "g"):
            for child in element:
                self.paint(child, transform, style)
        else:
            if name == "circle":
                shape = Path.circle((at["cx"], at["cy"]), at["r"])
            else:
                if name == "rect":
                    d = f"M{at['x']} {at['y']}h{at['width']}v{at['height']}h{-at['width']}z"
                elif name == "path":
                    d = own["d"]
                else:
                    d = "M" + own["points"].replace(",", " ") + "z" * (name == "polygon")
                codes, vertices = zip(*path_commands(d), strict=True)
                shape = Path(vertices, codes)
            self._shape(shape.transformed(transform), unit, style)

    def _shape(self, shape: Path, unit: float, style: Mapping[str, str]) -> None:
        from matplotlib.patches import PathPatch

        width = float(style["stroke-width"])
        dashes: Any = "solid"
        if style["stroke-dasharray"] != "none" and width:
            parts = [float(each) / width for each in style["stroke-dasharray"].split()]
            dashes = (0, parts if len(parts) % 2 == 0 else parts * 2)
        self.axes.add_patch(
            PathPatch(
                shape,
                facecolor=_colour(style, "fill"),
                edgecolor=_colour(style, "stroke"),
                linewidth=0 if style["stroke"] == "none" else width * unit,
                linestyle=dashes,
                capstyle="round" if style["stroke-linecap"] == "round" else "butt",
                joinstyle=style["stroke-linejoin"],
                snap=False,
                zorder=1,  # later elements above earlier ones
                clip_on=False,
            )
        )

    def _text(self, text: str, x: float, y: float, unit: float, style: Mapping[str, str]) -> None:
        sides = {"start": "left", "middle": "center", "end": "right"}
        self.axes.text(
            x, y, text,
            fontsize=float(style["font-size"]) * unit, fontweight=style["font-weight"],
            color=_colour(style, "fill"), ha=sides[style["text-anchor"]], va="baseline",
            zorder=1, clip_on=False,
        )  # fmt: skip


def _colour(style: Mapping[str, str], what: str) -> Any:
    return "none" if style[what] == "none" else (style[what], float(style[f"{what}-opacity"]))
