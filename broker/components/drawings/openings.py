"""Sash windows, front doors and chimneys of houses, whose bottom left corner is at 0, 0: upwards is negative y."""

from collections.abc import Iterable
from dataclasses import dataclass

from broker.components.drawings.palette import LAMP_BAR, Palette
from broker.components.drawings.shapes import Shape, area, box, disc, figure, line, point


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A sash window by its top left corner, with its size; it may be lit, and may have an arched head."""

    x: float
    y: float
    width: float
    height: float
    lit: bool = False
    arched: bool = False


def sashes(windows: Iterable[Window], colours: Palette) -> list[Shape]:
    """Draw windows that do not overlap: glass, then bars, then sills."""
    some = tuple(windows)
    glass = sorted((_glass(window, colours) for window in some), key=lambda shape: (not shape.joins, shape.paint))
    bars = sorted((_bars(window, colours) for window in some), key=lambda shape: shape.paint)
    sills = [
        box(window.x - 2, window.y + window.height, width=window.width + 4, height=3, fill=colours.trim)
        for window in some
    ]
    return [*glass, *bars, *sills]


def front_door(x: float, *, width: float, height: float, colour: str, lit: bool, colours: Palette) -> list[Shape]:
    """Draw a front door with its fanlight and step."""
    half, top = width / 2, -height
    outer, h = figure(half + 3), figure(half)
    spread = figure(half * 0.7)
    frame = f"M{figure(x - 3)} 0V{figure(top)}a{outer} {outer} 0 0 1 {figure(width + 6)} 0V0z"
    middle = point(x + half, top)
    return [
        area(frame, colours.trim),
        area(f"M{point(x, top)}a{h} {h} 0 0 1 {figure(width)} 0z", colours.lit if lit else colours.pane),
        line(
            f"M{middle}v-{h}M{middle}l-{spread}-{spread}M{middle}l{spread}-{spread}",
            LAMP_BAR if lit else colours.bar,
            width=1,
        ),
        box(x, top + 2, width=width, height=height - 2, fill=colour),
        disc(x + width - 4, -height * 0.45, radius=1.5, fill=colours.lit),
        box(x - 5, -4, width=width + 10, height=4, fill=colours.trim),
    ]


def chimney(x: float, y: float, *, pots: int, colours: Palette) -> list[Shape]:
    """Draw a chimney stack with pots; `y` is the top of the stack."""
    stack = box(x, y, width=pots * 8 + 4, height=26, fill=colours.slate)
    cap = box(x - 2, y, width=pots * 8 + 8, height=4, fill=colours.roof)
    return [stack, *(box(x + 3 + i * 8, y - 8, width=5, height=8, fill=colours.slate) for i in range(pots)), cap]


def _glass(window: Window, colours: Palette) -> Shape:
    fill = colours.lit if window.lit else colours.pane
    if not window.arched:
        return box(window.x, window.y, width=window.width, height=window.height, fill=fill)
    half = figure(window.width / 2)
    spring, foot = figure(window.y + window.width / 2), window.y + window.height
    return area(f"M{point(window.x, foot)}V{spring}a{half} {half} 0 0 1 {figure(window.width)} 0V{figure(foot)}z", fill)


def _bars(window: Window, colours: Palette) -> Shape:
    rail = f"M{point(window.x, window.y + window.height / 2)}h{figure(window.width)}"
    bar = f"M{point(window.x + window.width / 2, window.y)}v{figure(window.height)}"
    return line(rail + bar, LAMP_BAR if window.lit else colours.bar, width=1.4)
