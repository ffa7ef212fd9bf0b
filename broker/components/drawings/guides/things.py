"""Subjects of guides that are things, each in a square of 48 units as the questionnaire's cards are.

They stand on the floor, 40 units down, or hang above it.
"""

from math import cos, pi, sin

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import coins, pen
from broker.components.drawings.shapes import Shape, area, box, disc, line, point, ring


def balance() -> list[Shape]:
    """Draw a balance with a house in one pan and coins in the other."""
    return [
        pen("M24 8v30", colours.INK, width=3),
        pen("M14 39h20", colours.INK, width=3),
        pen("M6 14l36-4", colours.INK, width=3),
        disc(24, 9, radius=3, fill=colours.BRASS),
        line("M8 14l-6 14M8 14l6 14M40 10l-6 14M40 10l6 14", colours.SLATE, width=1),
        area("M3 21l5-5 5 5z", colours.BRICK),
        box(4, 21, width=8, height=7, fill=colours.WHITE),
        box(7, 23, width=3, height=5, fill=colours.GREEN),
        *coins((37, 21), (43, 21), (40, 17), radius=3),
        area("M0 28h16a8 6 0 0 1-16 0zM32 24h16a8 6 0 0 1-16 0z", colours.TEAL),
    ]


def gift() -> list[Shape]:
    """Draw a parcel with a bow, and a coin beside it."""
    return [
        box(7, 20, width=28, height=20, fill=colours.PLUM),
        box(5, 14, width=32, height=7, fill=colours.BRICK),
        box(18, 14, width=6, height=26, fill=colours.LAMP),
        area("M21 14q-12-1-11-7t11 5q10-11 11-5t-11 7z", colours.LAMP),
        disc(21, 13, radius=2.5, fill=colours.LAMP_BAR),
        *coins((41, 34), radius=6),
    ]


def leaf() -> list[Shape]:
    """Draw the bars of an energy rating, the best the shortest, and a leaf."""
    bars = ((colours.GREEN, 14), (colours.LEAF, 20), (colours.LAMP, 26), (colours.BRICK, 32))
    return [
        *(area(f"M2 {4 + 9 * row}h{width}l4 3.5-4 3.5h-{width}z", fill) for row, (fill, width) in enumerate(bars)),
        area("M46 2q2 18-9 20q-9-1-7-10q3-9 16-10z", colours.GREEN),
        pen("M42 7q-8 6-11 17", colours.WHITE, width=1.6),
    ]


def lifebuoy() -> list[Shape]:
    turns = [(cos(pi * (0.25 + i / 2)), sin(pi * (0.25 + i / 2))) for i in range(4)]
    bands = "".join(f"M{point(24 + 9 * x, 20 + 9 * y)}L{point(24 + 19 * x, 20 + 19 * y)}" for x, y in turns)
    return [
        ring(24, 20, radius=14, stroke=colours.WHITE, width=10),
        line(bands, colours.BRICK, width=9),
        ring(24, 20, radius=19.5, stroke=colours.SLATE, width=1.6),
    ]


def umbrella() -> list[Shape]:
    """Draw an umbrella over a small house."""
    scallops = "q-3.8-4-7.7 0q-3.8-4-7.7 0"
    return [
        pen("M24-1v24", colours.SLATE, width=2),
        area("M12 28l12-8 12 8z", colours.ROOF),
        box(15, 28, width=18, height=12, fill=colours.WHITE),
        box(17, 31, width=5, height=5, fill=colours.LAMP),
        box(25, 31, width=5, height=9, fill=colours.GREEN),
        area(f"M1 19a23 20 0 0 1 46 0{scallops * 3}z", colours.PLUM),
        area(f"M16.3 19q0-14 7.7-19q7.7 5 7.7 19{scallops}z", colours.BRICK),
    ]
