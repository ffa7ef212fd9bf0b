"""Cards with a house on them: buying, letting, moving, and what kind of home it is."""

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import board, door, floor, pen, pitched, walls, windows
from broker.components.drawings.shapes import Shape, area, box, disc, line, ring


def home() -> list[Shape]:
    """Draw a home with somebody in: lamps in the windows, smoke from the chimney, a tree by the door."""
    return [
        floor(),
        disc(37, 6, radius=2, fill=colours.WHITE),
        disc(41, 3, radius=2.5, fill=colours.WHITE),
        box(32, 9, width=5, height=12, fill=colours.SLATE),
        pitched(11, 22, width=28, rise=15, fill=colours.PLUM),
        walls(11, 22, width=28, fill=colours.BLUSH),
        *windows((13, 25), (30, 25), lit=True),
        *door(21, colour=colours.GREEN, height=14),
        disc(6, 31, radius=4, tall=6, fill=colours.LEAF),
        box(4, 36, width=4, height=4, fill=colours.SLATE),
    ]


def house() -> list[Shape]:
    """Draw a detached house of two floors behind its hedge."""
    return [
        floor(),
        *(box(x, 3, width=5, height=10, fill=colours.SLATE) for x in (12, 31)),
        area("M4 16l7-9h26l7 9z", colours.ROOF),
        walls(7, 16, width=34, fill=colours.BLUSH),
        *windows((11, 18), (30, 18), (11, 28)),
        *door(29, colour=colours.GREEN, height=12, width=9),
        pen("M5 38h19", colours.LEAF, width=4),
    ]


def flat() -> list[Shape]:
    dark = [(x, y) for y in (10, 18, 26) for x in (12, 21, 30) if (x, y) != (30, 18)]
    return [
        floor(),
        box(20, 2, width=9, height=4, fill=colours.SLATE),
        box(7, 5, width=35, height=3, fill=colours.SLATE),
        walls(9, 8, width=31, fill=colours.CLAY),
        *(box(x, y, width=7, height=5, fill=colours.SLATE) for x, y in dark),
        box(29, 17, width=9, height=7, fill=colours.WHITE),
        box(30, 18, width=7, height=5, fill=colours.LAMP),
        *door(20, colour=colours.PETROL, height=7, width=9),
    ]


def new_build() -> list[Shape]:
    """Draw a new house with its scaffold still up at one side."""
    return [
        floor(),
        pitched(14, 22, width=26, rise=15, fill=colours.TEAL),
        walls(14, 22, width=26, fill=colours.WHITE),
        *windows((30, 25)),
        *door(19, colour=colours.PETROL, height=12),
        line("M5 8v32M16 8v32M4 15h14M4 27h14M5 27L16 15M5 40L16 27", colours.LAMP, width=2),
    ]


def old_house() -> list[Shape]:
    """Draw a half-timbered house with a tall chimney."""
    return [
        floor(),
        box(31, 3, width=6, height=14, fill=colours.BRICK),
        box(30, 3, width=8, height=2, fill=colours.SLATE),
        pitched(10, 20, width=28, rise=15, fill=colours.BARK),
        walls(10, 20, width=28, fill=colours.WHITE),
        line("M11 20v20M37 20v20M10 21h28M10 29h28M18 21v8M30 21v8M11 29L18 21M37 29L30 21", colours.SLATE, width=2),
        *windows((21, 22), side=5, lit=True),
        *door(20, colour=colours.BRICK, height=10),
    ]


def for_sale() -> list[Shape]:
    """Draw a house with an agent's board, ticked, because it has been found."""
    return [
        floor(),
        pitched(5, 25, width=22, rise=13, fill=colours.ROOF),
        walls(5, 25, width=22, fill=colours.STRAW),
        *windows((8, 28)),
        *door(17, colour=colours.TEAL, width=7),
        *board(colour=colours.GREEN),
        pen("M30 16l4 4 7-8", colours.WHITE, width=3),
    ]


def to_let() -> list[Shape]:
    """Draw a house with two front doors and an agent's board with a key on it, for a tenant."""
    return [
        floor(),
        pitched(5, 25, width=22, rise=13, fill=colours.BRICK),
        walls(5, 25, width=22, fill=colours.BLUSH),
        *door(8, colour=colours.TEAL, width=7),
        *door(17, colour=colours.PLUM, width=7),
        *board(colour=colours.INK),
        ring(31, 15, radius=3, stroke=colours.LAMP, width=2),
        line("M34 15h8v4M38 15v4", colours.LAMP, width=2),
    ]


def loop_house() -> list[Shape]:
    """Draw a house with two arrows that go round it: the same home, another mortgage."""
    return [
        line("M6.8 21A17.5 17.5 0 0 1 39.2 15.250M41.2 27A17.5 17.5 0 0 1 8.8 32.750", colours.PLUM, width=3),
        area("M44 13l-3 8-7-5zM4 35l3-8 7 5z", colours.PLUM),
        area("M12 24l12-11 12 11z", colours.ROOF),
        box(15, 23, width=18, height=12, fill=colours.WHITE),
        box(20, 26, width=8, height=9, fill=colours.LAMP),
    ]


def garden_plot() -> list[Shape]:
    """Draw a house and the land under it, down to the soil, between its boundary posts."""
    pickets = "".join(f"M{x} 31v7" for x in (4, 8, 12, 36, 40, 44))
    return [
        floor(colours.BARK),
        pitched(15, 20, width=18, rise=11, fill=colours.ROOF),
        walls(15, 20, width=18, fill=colours.BLUSH),
        *windows((17, 23), side=5),
        *door(24, colour=colours.PLUM, height=14, width=7),
        disc(40, 22, radius=5, tall=7, fill=colours.LEAF),
        line("M40 26v12", colours.SLATE, width=2),
        line(f"M2 33h12M34 33h12{pickets}", colours.WHITE, width=2),
        box(0, 37, width=48, height=4, fill=colours.GREEN),
    ]


def magnifier() -> list[Shape]:
    """Draw a magnifying glass over one house of a row."""
    row = (-1, 12, 25, 38)
    return [
        floor(),
        *(pitched(x + 2, 34, width=7, rise=6, fill=colours.ROOF) for x in row),
        *(walls(x, 34, width=11, fill=colours.WHITE) for x in row),
        disc(20, 17, radius=13, fill=colours.TILE),
        area("M9 17l11-10 11 10z", colours.BRICK),
        box(12, 17, width=16, height=9, fill=colours.BLUSH),
        box(17, 19, width=6, height=7, fill=colours.GREEN),
        ring(20, 17, radius=13, stroke=colours.PETROL, width=3),
        pen("M30 27l11 11", colours.INK, width=5),
    ]


def removal_van() -> list[Shape]:
    return [
        floor(),
        area("M30 17h8l7 10v10h-15z", colours.INK),
        area("M34 20h3l5 7h-8z", colours.MIST),
        box(4, 9, width=27, height=28, fill=colours.TEAL),
        area("M8 21l9-8 9 8v10h-18z", colours.WHITE),
        box(14, 23, width=6, height=8, fill=colours.LAMP),
        *(disc(x, 37, radius=5, fill=colours.SLATE) for x in (12, 37)),
        *(disc(x, 37, radius=2, fill=colours.MIST) for x in (12, 37)),
    ]
