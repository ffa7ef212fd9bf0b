"""Parts of the card drawings: the floor, houses with windows and doors, coins and agents' boards."""

from broker.components.drawings.palette import LAMP, LAMP_BAR
from broker.components.drawings.questionnaire.colours import INK, MIST, PANE, WHITE
from broker.components.drawings.shapes import Shape, area, box, disc, figure, line, point

SIDE = 48
"""Side of a card's drawing, in units."""

FLOOR = 40
"""Top edge of the floor, on which everything stands."""


def pen(path: str, stroke: str, *, width: float) -> Shape:
    """Return a path drawn as a line of `width` units with round ends and corners."""
    ends = ' stroke-linecap="round" stroke-linejoin="round"'
    return Shape(paint=line("", stroke, width=width).paint + ends, path=path, joins=True)


def floor(colour: str = MIST) -> Shape:
    """Draw the floor: the lower edge of the tile, with its round corners."""
    return area(f"M0 {FLOOR}h48a8 8 0 0 1-8 8h-32a8 8 0 0 1-8-8z", colour)


def walls(x: float, y: float, *, width: float, fill: str) -> Shape:
    """Draw the front of a house from its top left corner down to the floor."""
    return box(x, y, width=width, height=FLOOR - y, fill=fill)


def pitched(x: float, y: float, *, width: float, rise: float, fill: str) -> Shape:
    """Draw a pitched roof, three units wider at each side than the `width` of the walls whose top left is given."""
    half, up = figure(width / 2 + 3), figure(rise)
    return area(f"M{point(x - 3, y)}l{half}-{up}l{half} {up}z", fill)


def windows(*corners: tuple[float, float], side: float = 7, lit: bool = False) -> list[Shape]:
    """Draw square windows from their top left corners; an odd `side` has sharp bars."""
    half, whole = side / 2, figure(side)
    bars = "".join(f"M{point(x + half, y)}v{whole}M{point(x, y + half)}h{whole}" for x, y in corners)
    glass = [box(x, y, width=side, height=side, fill=LAMP if lit else PANE) for x, y in corners]
    return [*glass, line(bars, LAMP_BAR if lit else WHITE, width=1)]


def door(x: float, *, colour: str, width: float = 8, height: float = 12) -> list[Shape]:
    top = FLOOR - height
    return [
        box(x, top, width=width, height=height, fill=colour),
        disc(x + width - 2, top + height / 2, radius=1, fill=LAMP),
    ]


def coins(*centres: tuple[float, float], radius: float) -> list[Shape]:
    """Draw coins from their front, as dots of the pen: the shortest SVG."""
    dots = "".join(f"M{point(x, y)}h0" for x, y in centres)
    return [pen(dots, LAMP_BAR, width=2 * radius), pen(dots, LAMP, width=2 * radius - 3)]


def pound(x: float, y: float, *, stroke: str, width: float = 1.5) -> Shape:
    """Draw a pound sign seven units high round its centre."""
    start = point(x + 2.5, y - 2)
    return pen(f"M{start}a2.3 2.3 0 0 0-4.5.5c0 2 1 2.5 0 5h5M{point(x - 3, y + 0.5)}h4", stroke, width=width)


def board(*, colour: str) -> list[Shape]:
    """Draw an agent's board on its post at the right, 20 by 15 units from 25, 8; what is on is drawn after."""
    return [
        box(34, 23, width=3, height=17, fill=INK),
        box(24, 7, width=22, height=17, fill=WHITE),
        box(25, 8, width=20, height=15, fill=colour),
    ]
