"""Cards about people: work, other income, the first home."""

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import door, floor, pen, walls
from broker.components.drawings.shapes import Shape, area, box, disc, line, ring, rounded


def key() -> list[Shape]:
    """Draw a door key on a ring, with a house for a tag."""
    return [
        ring(20, 14, radius=6, stroke=colours.PETROL, width=5),
        line("M24 18L40 34M33 27l-5 5M38 32l-5 5", colours.PETROL, width=5),
        ring(15, 22, radius=6, stroke=colours.SLATE, width=2),
        area("M4 33l9-8 9 8v10h-18z", colours.LAMP),
        box(10, 35, width=6, height=8, fill=colours.INK),
    ]


def first_key() -> list[Shape]:
    """Draw a front door and its key in a bow: of a first home."""
    return [
        floor(),
        walls(4, 6, width=23, fill=colours.WHITE),
        walls(7, 9, width=17, fill=colours.GREEN),
        *(box(x, y, width=5, height=9, fill=colours.LEAF) for y in (12, 25) for x in (10, 16)),
        disc(21, 23, radius=1.5, fill=colours.LAMP),
        ring(36, 11, radius=5, stroke=colours.PETROL, width=4),
        line("M36 15v23M36 31h6M36 36h6", colours.PETROL, width=4),
        area("M36 21l-7-4v9zM36 21l7-4v9z", colours.PLUM),
    ]


def briefcase() -> list[Shape]:
    return [
        floor(),
        box(29, 5, width=12, height=14, fill=colours.WHITE),
        line("M32 9h6M32 13h6", colours.STONE, width=2),
        line("M17 17v-6h10v6", colours.INK, width=3),
        rounded(4, 16, width=40, height=24, fill=colours.BARK, radius=3),
        rounded(4, 16, width=40, height=12, fill=colours.BRICK, radius=3),
        *(box(x, 25, width=5, height=6, fill=colours.BRASS) for x in (11, 32)),
    ]


def shop() -> list[Shape]:
    green = "".join(f"M{x} 10h8v9a4 4 0 0 1-8 0z" for x in (4, 20, 36))
    white = "".join(f"M{x} 10h8v9a4 4 0 0 1-8 0z" for x in (12, 28))
    return [
        floor(),
        walls(7, 8, width=34, fill=colours.STRAW),
        box(5, 6, width=38, height=4, fill=colours.SLATE),
        box(10, 25, width=15, height=10, fill=colours.LAMP),
        *door(29, colour=colours.PETROL, width=9, height=16),
        area(green, colours.GREEN),
        area(white, colours.WHITE),
    ]


def toolbox() -> list[Shape]:
    """Draw a toolbox with a hammer and a screwdriver in it."""
    return [
        floor(),
        pen("M12 24V10", colours.TAN, width=4),
        box(6, 6, width=13, height=6, fill=colours.SLATE),
        line("M37 24v-8", colours.SLATE, width=2),
        pen("M37 15V9", colours.LAMP, width=5),
        pen("M18 25v-6h12v6", colours.INK, width=3),
        rounded(4, 23, width=40, height=17, fill=colours.BRICK, radius=2),
        box(4, 28, width=40, height=2, fill=colours.INK),
        box(21, 26, width=6, height=6, fill=colours.BRASS),
    ]


def two_hats() -> list[Shape]:
    """Draw a builder's hat and a bowler on their stands: two jobs."""
    return [
        floor(),
        area("M12 24h2v14h5v2h-12v-2h5zM35 18h2v20h5v2h-12v-2h5z", colours.BARK),
        area("M4 24a9 10 0 0 1 18 0z", colours.LAMP),
        box(11, 12, width=4, height=12, fill=colours.LAMP_BAR),
        pen("M4 25h19", colours.LAMP_BAR, width=3),
        area("M27 17v-4a9 9 0 0 1 18 0v4z", colours.INK),
        box(27, 12, width=18, height=4, fill=colours.BRICK),
        pen("M26 18h20", colours.INK, width=3),
    ]


def teddy_bear() -> list[Shape]:
    return [
        floor(),
        *(disc(x, 8, radius=5, fill=colours.BARK) for x in (14, 34)),
        pen("M16 31l-6 3M32 31l6 3", colours.BARK, width=7),
        disc(24, 34, radius=10, tall=9, fill=colours.BARK),
        *(disc(x, 40, radius=4.5, fill=colours.CLAY) for x in (15, 33)),
        disc(24, 15, radius=13, tall=11, fill=colours.BARK),
        disc(24, 19, radius=6, tall=4.5, fill=colours.TAN),
        *(disc(x, 13, radius=1.5, fill=colours.INK) for x in (18, 30)),
        disc(24, 17, radius=2, tall=1.5, fill=colours.INK),
        area("M24 28l-7-4v8zM24 28l7-4v8z", colours.PLUM),
    ]
