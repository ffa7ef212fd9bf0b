"""What every drawing is made of: shapes and their SVG, colours, and choices that depend on a slug.

Neighbouring shapes of the same paint become one path where that cannot change the picture, which halves a street.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import cos, pi, sin
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")

LAMP = "#FFBD3F"  # the accent colour of the site: a lit pane, a lit door
LAMP_BAR = "#B87A10"  # glazing bars in front of a lit pane


class Seed:
    __slots__ = ("_number",)

    def __init__(self, slug: str) -> None:
        self._number = crc32(slug.encode()) or 1

    def below(self, limit: int) -> int:
        """Return the next integer from 0 to `limit` - 1; `limit` is at least 1."""
        self._number = (self._number * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._number >> 8) % limit

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A path, its paint as SVG attributes, and whether it may join a neighbour of the same paint.

    Boxes may join as all of them are drawn clockwise, and lines as they are not filled.
    """

    paint: str
    path: str
    joins: bool = False


def figure(value: float) -> str:
    """Return a coordinate with up to two decimal places."""
    return f"{round(value, 2) + 0.0:g}"


def point(x: float, y: float) -> str:
    return f"{figure(x)} {figure(y)}".replace(" -", "-")


def box(x: float, y: float, *, width: float, height: float, fill: str) -> Shape:
    w = figure(width)
    path = f"M{point(x, y)}h{w}v{figure(height)}h-{w}"  # which a fill closes
    return Shape(paint=f'fill="{fill}"', path=path, joins=True)


def rounded(x: float, y: float, *, width: float, height: float, fill: str, radius: float) -> Shape:
    """Return a rectangle with round corners; the radius is at most half of the shorter side."""
    r, w, h = figure(radius), figure(width - 2 * radius), figure(height - 2 * radius)
    path = f"M{point(x + radius, y)}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1-{r} {r}"
    return Shape(paint=f'fill="{fill}"', path=f"{path}h-{w}a{r} {r} 0 0 1-{r}-{r}v-{h}a{r} {r} 0 0 1 {r}-{r}z")


def area(path: str, fill: str) -> Shape:
    return Shape(paint=f'fill="{fill}"', path=path)


def line(path: str, stroke: str, *, width: float) -> Shape:
    return Shape(paint=f'fill="none" stroke="{stroke}" stroke-width="{figure(width)}"', path=path, joins=True)


def disc(x: float, y: float, *, radius: float, fill: str, tall: float = 0) -> Shape:
    """Return a filled circle round its centre; an ellipse where `tall`, its vertical radius, is given."""
    return area(_round(x, y, across=radius, up=tall or radius), fill)


def ring(x: float, y: float, *, radius: float, stroke: str, width: float) -> Shape:
    return line(_round(x, y, across=radius, up=radius), stroke, width=width)


def render(shapes: Iterable[Shape]) -> str:
    """Return the shapes as SVG paths, in order, with neighbours joined where they may be."""
    runs = groupby(enumerate(shapes), key=lambda item: (item[1].paint, -1 if item[1].joins else item[0]))
    return "".join(f'<path d="{"".join(shape.path for _, shape in members)}" {paint}/>' for (paint, _), members in runs)


def document(body: str, *, box: str, size: str = "", label: str = "", css: str = "", fit: str = "") -> str:
    """Return an SVG document, for a file or inline.

    `box` is the view box, `size` a width and height such as `120x190`, `label` the accessible name, without which the
    drawing is decoration, `css` a class, and `fit` the `preserveAspectRatio`.
    """
    width, _, height = size.partition("x")
    values = {
        "class": css,
        "viewBox": box,
        "width": width,
        "height": height,
        "preserveAspectRatio": fit,
        "role": "img" if label else "",
        "aria-label": escape(label),
        "aria-hidden": "" if label else "true",
    }
    attributes = "".join(f' {name}="{value}"' for name, value in values.items() if value)
    return f'<svg xmlns="http://www.w3.org/2000/svg"{attributes}>{body}</svg>'


def _round(x: float, y: float, *, across: float, up: float) -> str:
    a, u, whole = figure(across), figure(up), figure(2 * across)
    return f"M{point(x - across, y)}a{a} {u} 0 1 1 {whole} 0a{a} {u} 0 1 1-{whole} 0z"


# The lit panes are one wide stroke along the middle of the ring, whose `pathLength` is 100. A percentage sets how
# much of it is drawn: as a `stroke-dasharray`, or by the CSS property `--ltv`.

VIEW_BOX = "0 0 200 104"
FRAME = "M0 104V100a100 100 0 0 1 200 0v4z"  # the dark surround (class `dial-ground`)
RING = "M31 100a69 69 0 0 1 138 0"  # middle of the panes, left to right (classes `dial-unlit` and `dial-lit`)
RING_LENGTH = 100


def _spoke(share: float) -> str:
    across, up = cos(pi * (1 - share)), sin(pi * (1 - share))
    return f"M{point(100 + 46 * across, 100 - 46 * up)}L{point(100 + 92 * across, 100 - 92 * up)}"


BARS = "".join(_spoke(i / 10) for i in range(1, 10))
"""Path of the nine glazing bars between the panes (class `dial-bars`)."""


def fanlight(percent: float) -> str:
    """Draw the window lit up to a percentage, clamped to 0 to 100."""
    # 46 wide, the ring reaches from 46 to 92 units from the centre
    ring = f'd="{RING}" fill="none" stroke-width="46" pathLength="{RING_LENGTH}"'
    dash = f"{figure(min(max(percent, 0), 100))} {RING_LENGTH}"
    body = (
        f'<path class="dial-ground" d="{FRAME}" fill="#0C3138"/><path class="dial-unlit" {ring} stroke="#2B5A61"/>'
        f'<path class="dial-lit" {ring} stroke="#FFBD3F" stroke-dasharray="{dash}"/>'
        f'<path class="dial-bars" d="{BARS}" fill="none" stroke="#0C3138" stroke-width="3.4"/>'
    )
    return document(body, box=VIEW_BOX, size="200x104", css="fanlight")
