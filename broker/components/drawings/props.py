"""Objects beside a front door, and its knocker."""

from collections.abc import Callable

from broker.components.drawings.palette import BRASS
from broker.components.drawings.shapes import Shape, area, box, disc, line, ring, rounded

_LEAD = "#51666A"
_LEAF = "#5E8C74"
_TAPE = "#E8D6AC"


def knocker(top: int) -> list[Shape]:
    """Draw a ring knocker on a door whose top edge is at `top`."""
    return [ring(60, top + 26, radius=7, stroke=BRASS, width=3.4), disc(60, top + 17, radius=3.6, fill=BRASS)]


def boxes() -> list[Shape]:
    return [
        box(88, 152, width=40, height=32, fill="#C98B6E"),
        box(88, 152, width=40, height=6, fill="#A96B50"),
        box(104, 152, width=8, height=32, fill=_TAPE),
        box(94, 130, width=28, height=22, fill="#D9A283"),
        box(105, 130, width=6, height=22, fill=_TAPE),
    ]


def tree() -> list[Shape]:
    return [
        rounded(0, 160, width=22, height=24, fill=_LEAD, radius=2),
        disc(11, 140, radius=20, fill=_LEAF),
        disc(11, 112, radius=14, fill=_LEAF),
    ]


def umbrella() -> list[Shape]:
    return [
        area("M92 128a24 24 0 0 1 48 0q-8-6-12 0q-6-6-12 0q-6-6-12 0q-4-6-12 0z", "#7A2B33"),
        line("M116 128v50a5 5 0 0 1-10 0", "#3F5458", width=3),
    ]


def bells() -> list[Shape]:
    plate = rounded(108, 104, width=9, height=30, fill=BRASS, radius=2)
    return [plate, *(disc(112.5, 110 + i * 9, radius=2.4, fill=_LEAD) for i in range(3))]


def toolbag() -> list[Shape]:
    return [
        box(90, 148, width=7, height=20, fill=BRASS),
        line("M98 160a14 14 0 0 1 28 0", "#3F5458", width=3.4),
        rounded(86, 158, width=50, height=26, fill="#A96B50", radius=4),
        box(86, 166, width=50, height=4, fill="#7A4A33"),
        rounded(106, 163, width=10, height=10, fill=BRASS, radius=2),
    ]


def sign() -> list[Shape]:
    return [
        line("M114 82h24M121 82v8M133 82v8", "#3F5458", width=2.4),
        rounded(115, 90, width=24, height=28, fill="#3F5458", radius=3),
        rounded(118, 93, width=18, height=22, fill=_TAPE, radius=2),
        line("M121 99h12M121 104h12M121 109h7", "#7A4A33", width=2),
    ]


PROPS: dict[str, Callable[[], list[Shape]]] = {
    "": list,
    **{drawn.__name__: drawn for drawn in (boxes, tree, umbrella, bells, toolbag, sign)},
}
"""Drawing function of each prop; the empty name draws nothing."""
