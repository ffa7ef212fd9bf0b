"""Subjects of guides that are doors and windows, each in a square of 48 units as the questionnaire's cards are.

They stand on the floor, 40 units down, or hang above it.
"""

from math import cos, pi, sin

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import pen
from broker.components.drawings.shapes import Shape, area, box, disc, point, ring, rounded


def doors() -> list[Shape]:
    """Draw two front doors under one roof: two people, one mortgage."""
    leaves = ((8, colours.GREEN), (26, colours.PLUM))
    lights = "".join(f"M{x} 17a7 7 0 0 1 14 0z" for x, _ in leaves)
    corners = [(x + across, y) for x, _ in leaves for y in (21, 30) for across in (2, 8)]
    return [
        area("M1 9L24-4L47 9z", colours.ROOF),
        box(4, 8, width=40, height=32, fill=colours.WHITE),
        area(lights, colours.LAMP),
        *(box(x, 18, width=14, height=22, fill=fill) for x, fill in leaves),
        *(box(x, y, width=4, height=7, fill=colours.BLUSH) for x, y in corners),
        *(disc(x, 29, radius=1.2, fill=colours.BRASS) for x in (20, 28)),
    ]


def fanlight() -> list[Shape]:
    """Draw a half-round window of ten panes, the first seven lit: a loan to value."""
    return [*_frame(), *_panes(lit=7), area("M18 34a6 6 0 0 1 12 0z", colours.PETROL)]


def percent() -> list[Shape]:
    """Draw the same window lit all over, with the sign of a rate in it."""
    return [
        *_frame(),
        *_panes(lit=10),
        *(ring(x, y, radius=2, stroke=colours.LAMP, width=2) for x, y in ((20, 28), (28, 33))),
        pen("M28 26l-8 9", colours.LAMP, width=2),
    ]


def _frame() -> list[Shape]:
    ledge = rounded(-4, 37, width=56, height=3, fill=colours.WHITE, radius=1)
    return [area("M-2 37v-3a26 26 0 0 1 52 0v3z", colours.INK), ledge]


def _panes(*, lit: int) -> list[Shape]:
    """Draw ten panes in a half ring from the left, of which so many are lit."""
    panes = [_pane(number) for number in range(10)]
    bright, dark = area("".join(panes[:lit]), colours.LAMP), area("".join(panes[lit:]), colours.PETROL)
    return [bright] if lit == len(panes) else [bright, dark]


def _pane(number: int) -> str:
    edges = ((number + 0.08, 11), (number + 0.08, 23), (number + 0.92, 23), (number + 0.92, 11))
    turned = ((pi * (1 - share / 10), radius) for share, radius in edges)
    return f"M{'L'.join(point(24 + radius * cos(angle), 34 - radius * sin(angle)) for angle, radius in turned)}z"
