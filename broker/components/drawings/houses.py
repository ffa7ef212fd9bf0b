"""The houses of a street, one function for each kind, drawn with the bottom left corner at 0, 0."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from broker.components.drawings.openings import Window, chimney, front_door, sashes
from broker.components.drawings.palette import LAMP_BAR, Palette
from broker.components.drawings.shapes import Shape, area, box, disc, line


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The colours of a house, and what is lit: `lamps` yields it for each window; `neighbour` is a second door."""

    colours: Palette
    wall: str
    door: str
    neighbour: str
    door_lit: bool
    lamps: Iterator[bool]

    def window(self, x: float, y: float, *, size: tuple[float, float], arched: bool = False) -> Window:
        """Return the next window of the house, of this width and height, lit as `lamps` says."""
        width, height = size
        return Window(x=x, y=y, width=width, height=height, lit=next(self.lamps), arched=arched)

    def front_door(self, x: float, *, size: tuple[float, float]) -> list[Shape]:
        """Draw the front door of the house, of this width and height."""
        width, height = size
        return front_door(x, width=width, height=height, colour=self.door, lit=self.door_lit, colours=self.colours)


def terrace(house: House) -> list[Shape]:
    """Draw a bay-fronted terraced house."""
    c = house.colours
    upper = [house.window(x, -100, size=(22, 36)) for x in (14, 66)]
    glass, bars = (c.lit, LAMP_BAR) if next(house.lamps) else (c.pane, c.bar)
    return [
        area("M0-118h104l-5-34h-94z", c.roof),
        *chimney(78, -170, pots=3, colours=c),
        box(0, -118, width=104, height=118, fill=house.wall),
        box(0, -118, width=104, height=5, fill=c.trim),
        *sashes(upper, c),
        box(6, -58, width=50, height=58, fill=house.wall),
        box(3, -62, width=56, height=7, fill=c.slate),
        *(box(x, -50, width=width, height=36, fill=glass) for x, width in ((9, 10), (22, 18), (43, 10))),
        line("M9-32h10M22-32h18M43-32h10", bars, width=1.4),
        box(4, -13, width=54, height=13, fill=c.trim),
        *house.front_door(68, size=(22, 44)),
    ]


def georgian(house: House) -> list[Shape]:
    """Draw a tall Georgian house behind its area railings."""
    c = house.colours
    rows = [house.window(11 + j * 26, y, size=(17, height)) for y, height in ((-158, 26), (-116, 44)) for j in range(3)]
    ground = [house.window(x, -48, size=(16, 32)) for x in (10, 32)]
    rails = "M0-12h56" + "".join(f"M{2 + i * 6}-14v14" for i in range(10))
    return [
        *chimney(4, -202, pots=4, colours=c),
        box(0, -176, width=92, height=176, fill=house.wall),
        box(-2, -176, width=96, height=7, fill=c.trim),
        box(0, -58, width=92, height=58, fill=c.trim),
        box(0, -62, width=92, height=4, fill=c.slate),
        *sashes([*rows, *ground], c),
        *house.front_door(62, size=(20, 38)),
        line(rails, c.roof, width=1.6),
    ]


def semi(house: House) -> list[Shape]:
    """Draw a pair of semi-detached houses; the left one is the house."""
    c = house.colours
    shapes = [
        area("M-4-92l26-50h112l26 50z", c.roof),
        *chimney(62, -164, pots=3, colours=c),
        box(0, -92, width=156, height=92, fill=house.wall),
    ]
    for x in (10, 96):
        windows = [house.window(x + 8, -84, size=(34, 24)), house.window(x + 6, -44, size=(38, 28))]
        shapes += [
            area(f"M{x - 5}-90l30-38l30 38z", c.slate),
            area(f"M{x + 3}-90l22-28l22 28z", c.trim),
            box(x, -92, width=50, height=92, fill=house.wall),
            *sashes(windows, c),
            box(x, -13, width=50, height=13, fill=c.trim),
        ]
    other = front_door(81, width=12, height=38, colour=house.neighbour, lit=False, colours=c)
    return [*shapes, *house.front_door(64, size=(12, 38)), *other]


def gable(house: House) -> list[Shape]:
    """Draw a house with a Dutch gable and a round window in it."""
    c = house.colours
    rows = [
        house.window(12 + j * 34, y, size=(20, 32), arched=arched)
        for y, arched in ((-122, True), (-76, False))
        for j in range(3)
    ]
    ground = [house.window(10, -36, size=(30, 26)), house.window(74, -36, size=(28, 26))]
    return [
        *chimney(8, -172, pots=2, colours=c),
        area("M0-132h14v-18h14v-16q28-26 56 0v16h14v18h14z", house.wall),
        box(0, -132, width=112, height=132, fill=house.wall),
        disc(56, -150, radius=9, fill=c.pane),
        *sashes(rows, c),
        box(0, -82, width=112, height=3, fill=c.trim),
        *sashes(ground, c),
        *house.front_door(47, size=(19, 30)),
    ]


def cottage(house: House) -> list[Shape]:
    """Draw a low cottage with two dormers."""
    c = house.colours
    dormers = [house.window(x, -82, size=(18, 20)) for x in (26, 70)]
    ground = [house.window(x, -46, size=(26, 26)) for x in (12, 80)]
    return [
        *chimney(10, -122, pots=2, colours=c),
        area("M-6-66l22-42h86l22 42z", c.roof),
        box(0, -66, width=118, height=66, fill=house.wall),
        *(area(f"M{x - 4}-64v-22l13-12l13 12v22z", c.trim) for x in (26, 70)),
        *sashes([*dormers, *ground], c),
        *house.front_door(50, size=(18, 34)),
    ]


def flats(house: House) -> list[Shape]:
    """Draw a block of five floors with balconies; its entrance is at the back."""
    c = house.colours
    places = [(10 + j * 33, -174 + row * 34) for row in range(5) for j in range(3)]
    panes = [box(x, y, width=22, height=20, fill=c.lit if next(house.lamps) else c.pane) for x, y in places]
    return [
        box(0, -190, width=108, height=190, fill=house.wall),
        box(-3, -190, width=114, height=6, fill=c.slate),
        box(38, -204, width=32, height=14, fill=c.slate),
        *sorted(panes, key=lambda pane: pane.paint),
        line("".join(f"M{x - 3}{y + 14}h28v8h-28z" for x, y in places), c.trim, width=1.6),
    ]


def church(house: House) -> list[Shape]:
    c = house.colours
    return [
        area("M12-108l20-96l20 96z", c.roof),
        box(12, -108, width=40, height=108, fill=house.wall),
        box(9, -108, width=46, height=5, fill=c.trim),
        *sashes([house.window(24, -90, size=(16, 36), arched=True)], c),
        area("M20 0v-28a12 12 0 0 1 24 0v28z", c.doors[0]),
        box(0, -44, width=12, height=44, fill=house.wall),
        box(52, -44, width=12, height=44, fill=house.wall),
    ]


def tree(house: House) -> list[Shape]:
    c = house.colours
    return [box(21, -40, width=4, height=40, fill=c.slate), disc(23, -62, radius=22, tall=32, fill=c.tree)]


WIDTHS = {"terrace": 104, "georgian": 92, "semi": 164, "gable": 112}
WIDTHS |= {"cottage": 126, "flats": 116, "church": 72, "tree": 54}
"""Width of each kind, including the gap after it."""

DRAWERS: dict[str, Callable[[House], list[Shape]]] = {
    drawn.__name__: drawn for drawn in (terrace, georgian, semi, gable, cottage, flats, church, tree)
}
"""Drawing function of each kind."""
