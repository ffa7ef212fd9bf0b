"""Path tiles: a repeating strip made from a slug."""

from dataclasses import dataclass

from broker.components.drawings.shapes import Seed, Shape, area, box, document, figure, point, render

SIDE, ROWS = 22, 2  # of the tiles of a strip, in units
_DARK, _LIGHT = "#0C3138", "#F1EFEA"
_ACCENTS = ("#C9853A", "#7A2B33", "#51666A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Glaze:
    """The three colours of a tile: background, pattern and centre."""

    ground: str
    pattern: str
    middle: str


def diamond(x: float, y: float, *, glaze: Glaze) -> list[Shape]:
    h = figure(SIDE / 2)
    inner = SIDE * 0.28
    return [
        box(x, y, width=SIDE, height=SIDE, fill=glaze.ground),
        area(f"M{point(x + SIDE / 2, y)}l{h} {h}l-{h} {h}l-{h}-{h}z", glaze.pattern),
        box(x + SIDE * 0.36, y + SIDE * 0.36, width=inner, height=inner, fill=glaze.middle),
    ]


def hourglass(x: float, y: float, *, glaze: Glaze) -> list[Shape]:
    h = figure(SIDE / 2)
    left, right = point(x, y), point(x + SIDE, y)
    return [
        box(x, y, width=SIDE, height=SIDE, fill=glaze.ground),
        area(f"M{left}l{h} {h}l-{h} {h}zM{right}l-{h} {h}l{h} {h}z", glaze.pattern),
        area(f"M{left}h{figure(SIDE)}l-{h} {h}z", glaze.middle),
    ]


def octagon(x: float, y: float, *, glaze: Glaze) -> list[Shape]:
    """Draw a tile with an octagon and a diamond in it."""
    cut, edge = SIDE * 0.29, figure(SIDE * 0.42)
    q, d = figure(cut), figure(cut * 0.8)
    start = point(x + cut, y)
    return [
        box(x, y, width=SIDE, height=SIDE, fill=glaze.ground),
        area(f"M{start}h{edge}l{q} {q}v{edge}l-{q} {q}h-{edge}l-{q}-{q}v-{edge}z", glaze.pattern),
        area(f"M{point(x + SIDE / 2, y + SIDE / 2 - cut * 0.8)}l{d} {d}l-{d} {d}l-{d}-{d}z", glaze.middle),
    ]


_PAIRS = (
    *((diamond, diamond), (diamond, octagon), (octagon, diamond), (octagon, octagon)),
    *((hourglass, diamond), (diamond, hourglass), (hourglass, hourglass)),
)


def tiles(slug: str) -> str:
    """Draw the repeating part of a path, four tiles wide, for a background."""
    seed = Seed("t" + slug)
    pair = seed.pick(_PAIRS)
    accent = seed.pick(_ACCENTS)
    glazes = (Glaze(ground=_LIGHT, pattern=_DARK, middle=accent), Glaze(ground=_DARK, pattern=_LIGHT, middle=accent))
    shapes: list[Shape] = []
    for row in range(ROWS):
        for column in range(4):
            odd = (row + column) % 2
            shapes += pair[odd](column * SIDE, row * SIDE, glaze=glazes[odd])
    width, height = 4 * SIDE, ROWS * SIDE
    return document(render(shapes), box=f"0 0 {width} {height}", size=f"{width}x{height}", css="tiles")
