"""Cards about money: saving, raising and paying it."""

from broker.components.drawings.questionnaire import colours
from broker.components.drawings.questionnaire.parts import coins, door, floor, pen, pound, walls, windows
from broker.components.drawings.shapes import Shape, area, box, disc, line, rounded


def piggy_bank() -> list[Shape]:
    return [
        floor(),
        *coins((21, 9), radius=6),
        pen("M8 26q-5-2-4 4", colours.CLAY, width=2),
        *(box(x, 34, width=6, height=6, fill=colours.CLAY) for x in (12, 26)),
        disc(22, 26, radius=15, tall=11, fill=colours.TAN),
        area("M27 19l1-6 7 4z", colours.CLAY),
        rounded(34, 22, width=9, height=9, fill=colours.CLAY, radius=2),
        pen("M16 18h10", colours.INK, width=2),
        disc(32, 23, radius=1.5, fill=colours.INK),
    ]


def banknotes() -> list[Shape]:
    return [
        floor(),
        box(14, 9, width=30, height=17, fill=colours.TEAL),
        box(13, 14, width=28, height=18, fill=colours.WHITE),
        box(9, 15, width=31, height=17, fill=colours.PETROL),
        box(4, 20, width=33, height=19, fill=colours.WHITE),
        box(4, 21, width=32, height=18, fill=colours.GREEN),
        disc(20, 30, radius=7, fill=colours.GLOW),
        pound(20, 30, stroke=colours.INK),
        pen("M8 25h2M8 35h2M30 25h2M30 35h2", colours.GLOW, width=2),
    ]


def purse() -> list[Shape]:
    return [
        floor(),
        area("M10 22a14 13 0 0 1 28 0z", colours.INK),
        *coins((18, 17), radius=6),
        *coins((29, 15), radius=6),
        area("M9 22h30q7 18-5 18h-20q-12 0-5-18z", colours.PLUM),
        line("M9 22a15 15 0 0 1 30 0", colours.BRASS, width=3),
        pen("M9 23h30", colours.BRASS, width=4),
        *(disc(x, 23, radius=3, fill=colours.BRASS) for x in (21, 27)),
    ]


def coins_on_house() -> list[Shape]:
    """Draw a house with coins on top of it: the fees added to the loan."""
    return [
        floor(),
        area("M7 27l6-9h22l6 9z", colours.ROOF),
        walls(10, 27, width=28, fill=colours.BLUSH),
        *windows((13, 30)),
        *door(26, colour=colours.GREEN, height=10),
        pen("M18 16h12M17 8h12", colours.LAMP, width=4),
        pen("M19 12h12", colours.LAMP_BAR, width=4),
        disc(40, 10, radius=6, fill=colours.PETROL),
        line("M40 7v6M37 10h6", colours.WHITE, width=2),
    ]


def stairs_down() -> list[Shape]:
    """Draw stairs down to the floor, a coin on each step: the loan gets smaller with every payment."""
    return [floor(), *_steps(14, 20, 26, 32)]


def level_path() -> list[Shape]:
    """Draw a level path, a coin on each step, and at its end a sack: the whole loan, still to be paid."""
    return [
        floor(),
        *_steps(20, 20, 20),
        area("M37 20h6q6 12 3 20h-12q-3-8 3-20z", colours.TAN),
        area("M35 14h10l-2 6h-6z", colours.BARK),
        pound(40, 31, stroke=colours.INK, width=2),
    ]


def _steps(*tops: float) -> list[Shape]:
    """Draw steps from left to right, each with a coin on it."""
    places = [(4 + 10 * number, top) for number, top in enumerate(tops)]
    return [
        *(walls(x, top, width=10, fill=colours.PETROL) for x, top in places),
        *(box(x, top, width=10, height=2, fill=colours.LAMP) for x, top in places),
        *coins(*((x + 5, top - 4) for x, top in places), radius=4),
    ]
