"""Path tiles: a repeating strip made from a slug."""

from dataclasses import dataclass

from broker.components.drawings.shapes import Seed, Shape, area, box, document, figure, point, render

_SIDE, _ROWS = 22, 2  # of the tiles of a strip, in units
_DARK, _LIGHT = "#0C3138", "#F1EFEA"
_ACCENTS = ("#C9853A", "#7A2B33", "#51666A")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Glaze:
    ground: str
    pattern: str
    middle: str


def _diamond(x: float, y: float, *, glaze: _Glaze) -> list[Shape]:
    h = figure(_SIDE / 2)
    inner = _SIDE * 0.28
    return [
        box(x, y, width=_SIDE, height=_SIDE, fill=glaze.ground),
        area(f"M{point(x + _SIDE / 2, y)}l{h} {h}l-{h} {h}l-{h}-{h}z", glaze.pattern),
        box(x + _SIDE * 0.36, y + _SIDE * 0.36, width=inner, height=inner, fill=glaze.middle),
    ]


def _hourglass(x: float, y: float, *, glaze: _Glaze) -> list[Shape]:
    h = figure(_SIDE / 2)
    left, right = point(x, y), point(x + _SIDE, y)
    return [
        box(x, y, width=_SIDE, height=_SIDE, fill=glaze.ground),
        area(f"M{left}l{h} {h}l-{h} {h}zM{right}l-{h} {h}l{h} {h}z", glaze.pattern),
        area(f"M{left}h{figure(_SIDE)}l-{h} {h}z", glaze.middle),
    ]


def _octagon(x: float, y: float, *, glaze: _Glaze) -> list[Shape]:
    cut, edge = _SIDE * 0.29, figure(_SIDE * 0.42)
    q, d = figure(cut), figure(cut * 0.8)
    start = point(x + cut, y)
    return [
        box(x, y, width=_SIDE, height=_SIDE, fill=glaze.ground),
        area(f"M{start}h{edge}l{q} {q}v{edge}l-{q} {q}h-{edge}l-{q}-{q}v-{edge}z", glaze.pattern),
        area(f"M{point(x + _SIDE / 2, y + _SIDE / 2 - cut * 0.8)}l{d} {d}l-{d} {d}l-{d}-{d}z", glaze.middle),
    ]


_PAIRS = (
    *((_diamond, _diamond), (_diamond, _octagon), (_octagon, _diamond), (_octagon, _octagon)),
    *((_hourglass, _diamond), (_diamond, _hourglass), (_hourglass, _hourglass)),
)


def tiles(slug: str) -> str:
    """Draw the repeating part of a path, four tiles wide, for a background."""
    seed = Seed("t" + slug)
    pair = seed.pick(_PAIRS)
    accent = seed.pick(_ACCENTS)
    glazes = (_Glaze(ground=_LIGHT, pattern=_DARK, middle=accent), _Glaze(ground=_DARK, pattern=_LIGHT, middle=accent))
    shapes: list[Shape] = []
    for row in range(_ROWS):
        for column in range(4):
            odd = (row + column) % 2
            shapes += pair[odd](column * _SIDE, row * _SIDE, glaze=glazes[odd])
    width, height = 4 * _SIDE, _ROWS * _SIDE
    return document(render(shapes), box=f"0 0 {width} {height}", size=f"{width}x{height}", css="tiles")
