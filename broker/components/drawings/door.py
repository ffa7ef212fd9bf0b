"""Front doors, one for each service: its colour, its style and an object beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin

from broker.components.drawings.shapes import (
    LAMP,
    LAMP_BAR,
    Shape,
    area,
    box,
    disc,
    document,
    line,
    point,
    render,
    ring,
    rounded,
)

_GLOW = "#FFE2A6"  # light from the hall behind an open door
_BRASS = "#E9B44C"  # knobs, letter boxes, knockers and bells
_LEAD = "#51666A"
_LEAF = "#5E8C74"
_TAPE = "#E8D6AC"

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
        *_PROPS[front.prop](),
        *(_knocker(top) if front.knocker else ()),
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
        area("M44 64a16 16 0 0 1 32 0z", _GLOW),
    ]


def _panelled(colour: str, top: int) -> list[Shape]:
    panels = [_panel(x, top + y, height=height) for x in (26, 64) for y, height in ((10, 34), (54, 48))]
    return [_leaf(colour, top), *panels, _letter_box(top + 47), disc(97, top + 58, radius=3.6, fill=_BRASS)]


def _glazed(colour: str, top: int) -> list[Shape]:
    panes = [rounded(x, top + 10, width=30, height=50, fill=LAMP, radius=2) for x in (26, 64)]
    bars = f"M41 {top + 10}v50M26 {top + 35}h30M79 {top + 10}v50M64 {top + 35}h30"
    foot = rounded(26, top + 70, width=68, height=32, fill=_SHADE, radius=2)
    knob = disc(97, top + 58, radius=3.6, fill=_BRASS)
    return [_leaf(colour, top), *panes, line(bars, LAMP_BAR, width=2), foot, _letter_box(top + 64), knob]


def _twin(colour: str, top: int) -> list[Shape]:
    leaves = [box(x, top, width=42, height=178 - top, fill=fill) for x, fill in ((16, colour), (62, _SECOND_DOOR))]
    panels = [_panel(x, top + y, height=height) for x in (22, 68) for y, height in ((8, 38), (54, 46))]
    knobs = [disc(x, top + 58, radius=3, fill=_BRASS) for x in (53, 67)]
    return [*leaves, *panels, *knobs]


def _ajar(colour: str, top: int) -> list[Shape]:
    return [
        box(16, top, width=88, height=178 - top, fill=_GLOW),
        area(f"M16 {top}L78 {top + 8}V184L16 178z", colour),
        area(f"M26 {top + 12}l42 5v36l-42-2z", _SHADE),
        area(f"M26 {top + 60}l42 3v40l-42-3z", _SHADE),
        disc(71, top + 60, radius=3.4, fill=_BRASS),
    ]


def _leaf(colour: str, top: int) -> Shape:
    return box(16, top, width=88, height=178 - top, fill=colour)


def _panel(x: float, y: float, *, height: float) -> Shape:
    return rounded(x, y, width=30, height=height, fill=_SHADE, radius=2)


def _letter_box(y: float) -> Shape:
    return rounded(48, y, width=24, height=5, fill=_BRASS, radius=1)


_LEAVES: dict[str, Callable[[str, int], list[Shape]]] = {
    "fan": _panelled,
    "porch": _panelled,
    "sash": _glazed,
    "twin": _twin,
    "ajar": _ajar,
}


def _knocker(top: int) -> list[Shape]:
    return [ring(60, top + 26, radius=7, stroke=_BRASS, width=3.4), disc(60, top + 17, radius=3.6, fill=_BRASS)]


def _boxes() -> list[Shape]:
    return [
        box(88, 152, width=40, height=32, fill="#C98B6E"),
        box(88, 152, width=40, height=6, fill="#A96B50"),
        box(104, 152, width=8, height=32, fill=_TAPE),
        box(94, 130, width=28, height=22, fill="#D9A283"),
        box(105, 130, width=6, height=22, fill=_TAPE),
    ]


def _tree() -> list[Shape]:
    return [
        rounded(0, 160, width=22, height=24, fill=_LEAD, radius=2),
        disc(11, 140, radius=20, fill=_LEAF),
        disc(11, 112, radius=14, fill=_LEAF),
    ]


def _umbrella() -> list[Shape]:
    return [
        area("M92 128a24 24 0 0 1 48 0q-8-6-12 0q-6-6-12 0q-6-6-12 0q-4-6-12 0z", "#7A2B33"),
        line("M116 128v50a5 5 0 0 1-10 0", "#3F5458", width=3),
    ]


def _bells() -> list[Shape]:
    plate = rounded(108, 104, width=9, height=30, fill=_BRASS, radius=2)
    return [plate, *(disc(112.5, 110 + i * 9, radius=2.4, fill=_LEAD) for i in range(3))]


def _toolbag() -> list[Shape]:
    return [
        box(90, 148, width=7, height=20, fill=_BRASS),
        line("M98 160a14 14 0 0 1 28 0", "#3F5458", width=3.4),
        rounded(86, 158, width=50, height=26, fill="#A96B50", radius=4),
        box(86, 166, width=50, height=4, fill="#7A4A33"),
        rounded(106, 163, width=10, height=10, fill=_BRASS, radius=2),
    ]


def _sign() -> list[Shape]:
    return [
        line("M114 82h24M121 82v8M133 82v8", "#3F5458", width=2.4),
        rounded(115, 90, width=24, height=28, fill="#3F5458", radius=3),
        rounded(118, 93, width=18, height=22, fill=_TAPE, radius=2),
        line("M121 99h12M121 104h12M121 109h7", "#7A4A33", width=2),
    ]


_PROPS: dict[str, Callable[[], list[Shape]]] = {
    "": list,
    "boxes": _boxes,
    "tree": _tree,
    "umbrella": _umbrella,
    "bells": _bells,
    "toolbag": _toolbag,
    "sign": _sign,
}
