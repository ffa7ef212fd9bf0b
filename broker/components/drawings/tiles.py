"""Path tiles: a repeating strip made from a slug, and the tiles that show progress through the questionnaire."""

from dataclasses import dataclass

from broker.components.drawings.seeded_choice import Seed
from broker.components.drawings.shapes import Shape, area, box, document, figure, point, render

SIDE = 22  # of a tile in a strip, in units
_DARK, _LIGHT = "#0C3138", "#F1EFEA"
_ACCENTS = ("#C9853A", "#7A2B33", "#51666A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Glaze:
    """The three colours of a tile: background, pattern and centre."""

    ground: str
    pattern: str
    middle: str


STAGES: dict[str, Glaze] = {
    "done": Glaze(ground=_DARK, pattern=_LIGHT, middle="#C9853A"),
    "here": Glaze(ground="#FFBD3F", pattern="#33220A", middle="#FFBD3F"),
    "ahead": Glaze(ground="#E4E1D9", pattern="#F8F7F4", middle="#E4E1D9"),
}
"""Colours of a progress tile: answered, current, still to come."""


def diamond(x: float, y: float, *, side: float, glaze: Glaze) -> list[Shape]:
    h = figure(side / 2)
    inner = side * 0.28
    return [
        box(x, y, width=side, height=side, fill=glaze.ground),
        area(f"M{point(x + side / 2, y)}l{h} {h}l-{h} {h}l-{h}-{h}z", glaze.pattern),
        box(x + side * 0.36, y + side * 0.36, width=inner, height=inner, fill=glaze.middle),
    ]


def hourglass(x: float, y: float, *, side: float, glaze: Glaze) -> list[Shape]:
    h = figure(side / 2)
    left, right = point(x, y), point(x + side, y)
    return [
        box(x, y, width=side, height=side, fill=glaze.ground),
        area(f"M{left}l{h} {h}l-{h} {h}zM{right}l-{h} {h}l{h} {h}z", glaze.pattern),
        area(f"M{left}h{figure(side)}l-{h} {h}z", glaze.middle),
    ]


def octagon(x: float, y: float, *, side: float, glaze: Glaze) -> list[Shape]:
    """Draw a tile with an octagon and a diamond in it."""
    cut, edge = side * 0.29, figure(side * 0.42)
    q, d = figure(cut), figure(cut * 0.8)
    start = point(x + cut, y)
    return [
        box(x, y, width=side, height=side, fill=glaze.ground),
        area(f"M{start}h{edge}l{q} {q}v{edge}l-{q} {q}h-{edge}l-{q}-{q}v-{edge}z", glaze.pattern),
        area(f"M{point(x + side / 2, y + side / 2 - cut * 0.8)}l{d} {d}l-{d} {d}l-{d}-{d}z", glaze.middle),
    ]


_PAIRS = (
    *((diamond, diamond), (diamond, octagon), (octagon, diamond), (octagon, octagon)),
    *((hourglass, diamond), (diamond, hourglass), (hourglass, hourglass)),
)


def tiles(slug: str, *, rows: int = 2) -> str:
    """Draw the repeating part of a path, four tiles wide, for a background."""
    seed = Seed("t" + slug)
    pair = seed.pick(_PAIRS)
    accent = seed.pick(_ACCENTS)
    glazes = (Glaze(ground=_LIGHT, pattern=_DARK, middle=accent), Glaze(ground=_DARK, pattern=_LIGHT, middle=accent))
    shapes: list[Shape] = []
    for row in range(rows):
        for column in range(4):
            odd = (row + column) % 2
            shapes += pair[odd](column * SIDE, row * SIDE, side=SIDE, glaze=glazes[odd])
    width, height = 4 * SIDE, rows * SIDE
    return document(render(shapes), box=f"0 0 {width} {height}", size=f"{width}x{height}", css="tiles")


def path_tile(stage: str) -> str:
    """Draw a progress tile; the stage is done, here or ahead, others raise KeyError."""
    return document(render(diamond(0, 0, side=40, glaze=STAGES[stage])), box="0 0 40 40", size="40x40")
