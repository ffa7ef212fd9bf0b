"""Front doors, one for each service: its colour, its style and a prop beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin

from broker.components.drawings.palette import BRASS, GLOW, LAMP, LAMP_BAR
from broker.components.drawings.props import PROPS, knocker
from broker.components.drawings.shapes import Shape, area, box, disc, document, line, point, render, rounded

_SHADE = "rgba(0,0,0,.22)"
_WHITE = "#FFFFFF"
_SECOND_DOOR = "#24474D"


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A front door: `style` is fan, sash, twin, porch or ajar; `prop` names an object beside it, if any."""

    colour: str
    style: str = "fan"
    prop: str = ""
    knocker: bool = False


DOORS: dict[str, Door] = {
    "first-time-buyer": Door(colour="#1F6B4A", style="ajar", prop="tree"),
    "home-mover": Door(colour="#0F6178", style="sash", prop="boxes"),
    "remortgaging": Door(colour="#8A2F52", knocker=True),
    "buy-to-let": Door(colour="#8C4A14", style="twin", prop="bells"),
    "buy-to-let-purchase": Door(colour="#9C3A22", style="twin", prop="bells"),
    "buy-to-let-remortgage": Door(colour="#5B4491", style="twin", prop="bells"),
    "protection-needs": Door(colour="#3F5A7A", style="porch", prop="umbrella"),
    "contractor-mortgage": Door(colour="#9C3A22", style="sash", prop="toolbag"),
    "self-employed": Door(colour="#5B4491", prop="sign"),
    "thankyou": Door(colour="#14525B", style="ajar", prop="tree"),
}
"""The door of each service in its theme colour, and the open door of the thank-you page."""


def door(front: Door) -> str:
    """Draw a front door with its step; raises KeyError for an unknown style or prop."""
    top = 58 if front.style == "porch" else 68
    shapes = [
        *_surround(front.style),
        *_LEAVES[front.style](front.colour, top),
        box(0, 178, width=120, height=6, fill="#D9D4C8"),
        box(-6, 184, width=132, height=8, fill="#BFB9AB"),
        *PROPS[front.prop](),
        *(knocker(top) if front.knocker else ()),
    ]
    return document(render(shapes), box="-10 -6 150 200", size="150x200", css="door")


def _surround(style: str) -> list[Shape]:
    if style == "porch":
        return [
            box(6, 22, width=108, height=160, fill=_WHITE),
            area("M0 24L60-4L120 24z", "#51666A"),
            box(16, 30, width=88, height=24, fill=LAMP),
            line("M38 30v24M60 30v24M82 30v24", LAMP_BAR, width=2),
        ]
    rays = (point(60 + 45 * cos(pi * i / 6), 64 - 45 * sin(pi * i / 6)) for i in range(1, 6))
    return [
        area("M6 182V66a54 54 0 0 1 108 0v116z", _WHITE),
        area("M15 64a45 45 0 0 1 90 0z", LAMP),
        line("".join(f"M60 64L{end}" for end in rays), LAMP_BAR, width=2),
        area("M44 64a16 16 0 0 1 32 0z", GLOW),
    ]


def _panelled(colour: str, top: int) -> list[Shape]:
    panels = [_panel(x, top + y, height=height) for x in (26, 64) for y, height in ((10, 34), (54, 48))]
    return [_leaf(colour, top), *panels, _letter_box(top + 47), disc(97, top + 58, radius=3.6, fill=BRASS)]


def _glazed(colour: str, top: int) -> list[Shape]:
    panes = [rounded(x, top + 10, width=30, height=50, fill=LAMP, radius=2) for x in (26, 64)]
    bars = f"M41 {top + 10}v50M26 {top + 35}h30M79 {top + 10}v50M64 {top + 35}h30"
    foot = rounded(26, top + 70, width=68, height=32, fill=_SHADE, radius=2)
    knob = disc(97, top + 58, radius=3.6, fill=BRASS)
    return [_leaf(colour, top), *panes, line(bars, LAMP_BAR, width=2), foot, _letter_box(top + 64), knob]


def _twin(colour: str, top: int) -> list[Shape]:
    leaves = [box(x, top, width=42, height=178 - top, fill=fill) for x, fill in ((16, colour), (62, _SECOND_DOOR))]
    panels = [_panel(x, top + y, height=height) for x in (22, 68) for y, height in ((8, 38), (54, 46))]
    knobs = [disc(x, top + 58, radius=3, fill=BRASS) for x in (53, 67)]
    return [*leaves, *panels, *knobs]


def _ajar(colour: str, top: int) -> list[Shape]:
    return [
        box(16, top, width=88, height=178 - top, fill=GLOW),
        area(f"M16 {top}L78 {top + 8}V184L16 178z", colour),
        area(f"M26 {top + 12}l42 5v36l-42-2z", _SHADE),
        area(f"M26 {top + 60}l42 3v40l-42-3z", _SHADE),
        disc(71, top + 60, radius=3.4, fill=BRASS),
    ]


def _leaf(colour: str, top: int) -> Shape:
    return box(16, top, width=88, height=178 - top, fill=colour)


def _panel(x: float, y: float, *, height: float) -> Shape:
    return rounded(x, y, width=30, height=height, fill=_SHADE, radius=2)


def _letter_box(y: float) -> Shape:
    return rounded(48, y, width=24, height=5, fill=BRASS, radius=1)


_LEAVES: dict[str, Callable[[str, int], list[Shape]]] = {
    "fan": _panelled,
    "porch": _panelled,
    "sash": _glazed,
    "twin": _twin,
    "ajar": _ajar,
}
