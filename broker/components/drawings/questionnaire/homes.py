"""Cards with a house on them: buying, letting, moving, and what kind of home it is."""

from broker.components.drawings.palette import LAMP
from broker.components.drawings.questionnaire.colours import (
    BARK,
    BLUSH,
    BRICK,
    CLAY,
    GREEN,
    INK,
    LEAF,
    MIST,
    PETROL,
    PLUM,
    ROOF,
    SLATE,
    STRAW,
    TEAL,
    TILE,
    WHITE,
)
from broker.components.drawings.questionnaire.parts import board, door, floor, pen, pitched, walls, windows
from broker.components.drawings.shapes import Shape, area, box, disc, line, ring


def home() -> list[Shape]:
    """Draw a home with somebody in: lamps in the windows, smoke from the chimney, a tree by the door."""
    return [
        floor(),
        disc(37, 6, radius=2, fill=WHITE),
        disc(41, 3, radius=2.5, fill=WHITE),
        box(32, 9, width=5, height=12, fill=SLATE),
        pitched(11, 22, width=28, rise=15, fill=PLUM),
        walls(11, 22, width=28, fill=BLUSH),
        *windows((13, 25), (30, 25), lit=True),
        *door(21, colour=GREEN, height=14),
        disc(6, 31, radius=4, tall=6, fill=LEAF),
        box(4, 36, width=4, height=4, fill=SLATE),
    ]


def house() -> list[Shape]:
    """Draw a detached house of two floors behind its hedge."""
    return [
        floor(),
        *(box(x, 3, width=5, height=10, fill=SLATE) for x in (12, 31)),
        area("M4 16l7-9h26l7 9z", ROOF),
        walls(7, 16, width=34, fill=BLUSH),
        *windows((11, 18), (30, 18), (11, 28)),
        *door(29, colour=GREEN, height=12, width=9),
        pen("M5 38h19", LEAF, width=4),
    ]


def flat() -> list[Shape]:
    """Draw a block of flats in which one is lit."""
    dark = [(x, y) for y in (10, 18, 26) for x in (12, 21, 30) if (x, y) != (30, 18)]
    return [
        floor(),
        box(20, 2, width=9, height=4, fill=SLATE),
        box(7, 5, width=35, height=3, fill=SLATE),
        walls(9, 8, width=31, fill=CLAY),
        *(box(x, y, width=7, height=5, fill=SLATE) for x, y in dark),
        box(29, 17, width=9, height=7, fill=WHITE),
        box(30, 18, width=7, height=5, fill=LAMP),
        *door(20, colour=PETROL, height=7, width=9),
    ]


def new_build() -> list[Shape]:
    """Draw a new house with its scaffold still up at one side."""
    return [
        floor(),
        pitched(14, 22, width=26, rise=15, fill=TEAL),
        walls(14, 22, width=26, fill=WHITE),
        *windows((30, 25)),
        *door(19, colour=PETROL, height=12),
        line("M5 8v32M16 8v32M4 15h14M4 27h14M5 27L16 15M5 40L16 27", LAMP, width=2),
    ]


def old_house() -> list[Shape]:
    """Draw a half-timbered house with a tall chimney."""
    return [
        floor(),
        box(31, 3, width=6, height=14, fill=BRICK),
        box(30, 3, width=8, height=2, fill=SLATE),
        pitched(10, 20, width=28, rise=15, fill=BARK),
        walls(10, 20, width=28, fill=WHITE),
        line("M11 20v20M37 20v20M10 21h28M10 29h28M18 21v8M30 21v8M11 29L18 21M37 29L30 21", SLATE, width=2),
        *windows((21, 22), side=5, lit=True),
        *door(20, colour=BRICK, height=10),
    ]


def for_sale() -> list[Shape]:
    """Draw a house with an agent's board, ticked, because it has been found."""
    return [
        floor(),
        pitched(5, 25, width=22, rise=13, fill=ROOF),
        walls(5, 25, width=22, fill=STRAW),
        *windows((8, 28)),
        *door(17, colour=TEAL, width=7),
        *board(colour=GREEN),
        pen("M30 16l4 4 7-8", WHITE, width=3),
    ]


def to_let() -> list[Shape]:
    """Draw a house with two front doors and an agent's board with a key on it, for a tenant."""
    return [
        floor(),
        pitched(5, 25, width=22, rise=13, fill=BRICK),
        walls(5, 25, width=22, fill=BLUSH),
        *door(8, colour=TEAL, width=7),
        *door(17, colour=PLUM, width=7),
        *board(colour=INK),
        ring(31, 15, radius=3, stroke=LAMP, width=2),
        line("M34 15h8v4M38 15v4", LAMP, width=2),
    ]


def loop_house() -> list[Shape]:
    """Draw a house with two arrows that go round it: the same home, another mortgage."""
    return [
        line("M6.8 21A17.5 17.5 0 0 1 39.2 15.250M41.2 27A17.5 17.5 0 0 1 8.8 32.750", PLUM, width=3),
        area("M44 13l-3 8-7-5zM4 35l3-8 7 5z", PLUM),
        area("M12 24l12-11 12 11z", ROOF),
        box(15, 23, width=18, height=12, fill=WHITE),
        box(20, 26, width=8, height=9, fill=LAMP),
    ]


def garden_plot() -> list[Shape]:
    """Draw a house and the land under it, down to the soil, between its boundary posts."""
    pickets = "".join(f"M{x} 31v7" for x in (4, 8, 12, 36, 40, 44))
    return [
        floor(BARK),
        pitched(15, 20, width=18, rise=11, fill=ROOF),
        walls(15, 20, width=18, fill=BLUSH),
        *windows((17, 23), side=5),
        *door(24, colour=PLUM, height=14, width=7),
        disc(40, 22, radius=5, tall=7, fill=LEAF),
        line("M40 26v12", SLATE, width=2),
        line(f"M2 33h12M34 33h12{pickets}", WHITE, width=2),
        box(0, 37, width=48, height=4, fill=GREEN),
    ]


def magnifier() -> list[Shape]:
    """Draw a magnifying glass over one house of a row."""
    row = (-1, 12, 25, 38)
    return [
        floor(),
        *(pitched(x + 2, 34, width=7, rise=6, fill=ROOF) for x in row),
        *(walls(x, 34, width=11, fill=WHITE) for x in row),
        disc(20, 17, radius=13, fill=TILE),
        area("M9 17l11-10 11 10z", BRICK),
        box(12, 17, width=16, height=9, fill=BLUSH),
        box(17, 19, width=6, height=7, fill=GREEN),
        ring(20, 17, radius=13, stroke=PETROL, width=3),
        pen("M30 27l11 11", INK, width=5),
    ]


def removal_van() -> list[Shape]:
    """Draw a removal van with a house on its side."""
    return [
        floor(),
        area("M30 17h8l7 10v10h-15z", INK),
        area("M34 20h3l5 7h-8z", MIST),
        box(4, 9, width=27, height=28, fill=TEAL),
        area("M8 21l9-8 9 8v10h-18z", WHITE),
        box(14, 23, width=6, height=8, fill=LAMP),
        *(disc(x, 37, radius=5, fill=SLATE) for x in (12, 37)),
        *(disc(x, 37, radius=2, fill=MIST) for x in (12, 37)),
    ]
