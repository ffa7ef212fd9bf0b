"""Streets of houses made from a slug, and the houses, one function for each kind.

A house is drawn with its bottom left corner at 0, 0: upwards is negative y. Exactly one front door of a street is lit.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, repeat
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types

from broker.components.drawings.shapes import (
    LAMP,
    LAMP_BAR,
    Seed,
    Shape,
    area,
    box,
    disc,
    document,
    figure,
    line,
    point,
    render,
)
from broker.content.guides import GuideSubject

WALLS = ("#FFF", "#EBCDBB", "#C98B6E", "#E8D6AC", "#D5E2DE", "#F6F2EA")
DOORS = ("#24474D", "#7A2B33", "#3F5458", "#1F6B4A")
TRIM, ROOF, SLATE, PANE, BAR, TREE, GROUND = "#FFF", "#51666A", "#3F5458", "#24474D", "#FFF", "#8FAFA0", "#C9C4B8"

WIDTHS = {"terrace": 104, "georgian": 92, "semi": 164, "gable": 112}

KINDS = (
    *("terrace", "georgian", "terrace", "gable", "semi", "tree", "cottage", "terrace", "flats", "georgian", "tree"),
    "church",
)
"""Kinds of house in a street; one listed twice is twice as likely."""

WIDTH, HEIGHT = 1440, 250

PAVEMENT = 10
"""Height of the pavement that houses stand on."""

_WELCOMING = frozenset({"terrace", "georgian", "gable", "cottage"})

SUBJECTS = Path(__file__).parents[3] / "assets" / "art" / "guides"
"""Folder of the drawings of subjects: each has its foot at the lower edge of its view box, of 56 by 48 units."""

SCENE_WIDTH, SCENE_HEIGHT = 420, 132

_BASE = SCENE_HEIGHT - PAVEMENT

_SUBJECT = {"x": "140", "y": "2", "width": "140", "height": f"{_BASE - 2}", "overflow": "visible"}

_STREET = 0.62  # of a house, so that its chimney is in the picture

_NEIGHBOURS = ("terrace", "cottage", "semi", "gable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A sash window by its top left corner, with its size; it may be lit, and may have an arched head."""

    x: float
    y: float
    width: float
    height: float
    lit: bool = False
    arched: bool = False


def sashes(windows: Iterable[Window]) -> list[Shape]:
    """Draw windows that do not overlap: glass, then bars, then sills."""
    some = tuple(windows)
    glass = sorted((_glass(window) for window in some), key=lambda shape: (not shape.joins, shape.paint))
    bars = sorted((_bars(window) for window in some), key=lambda shape: shape.paint)
    sills = [
        box(window.x - 2, window.y + window.height, width=window.width + 4, height=3, fill=TRIM) for window in some
    ]
    return [*glass, *bars, *sills]


def front_door(x: float, *, width: float, height: float, colour: str, lit: bool) -> list[Shape]:
    half, top = width / 2, -height
    outer, h = figure(half + 3), figure(half)
    spread = figure(half * 0.7)
    frame = f"M{figure(x - 3)} 0V{figure(top)}a{outer} {outer} 0 0 1 {figure(width + 6)} 0V0z"
    middle = point(x + half, top)
    return [
        area(frame, TRIM),
        area(f"M{point(x, top)}a{h} {h} 0 0 1 {figure(width)} 0z", LAMP if lit else PANE),
        line(
            f"M{middle}v-{h}M{middle}l-{spread}-{spread}M{middle}l{spread}-{spread}", LAMP_BAR if lit else BAR, width=1
        ),
        box(x, top + 2, width=width, height=height - 2, fill=colour),
        disc(x + width - 4, -height * 0.45, radius=1.5, fill=LAMP),
        box(x - 5, -4, width=width + 10, height=4, fill=TRIM),
    ]


def chimney(x: float, y: float, *, pots: int) -> list[Shape]:
    """Draw a chimney stack with pots; `y` is the top of the stack."""
    stack = box(x, y, width=pots * 8 + 4, height=26, fill=SLATE)
    cap = box(x - 2, y, width=pots * 8 + 8, height=4, fill=ROOF)
    return [stack, *(box(x + 3 + i * 8, y - 8, width=5, height=8, fill=SLATE) for i in range(pots)), cap]


def _glass(window: Window) -> Shape:
    fill = LAMP if window.lit else PANE
    if not window.arched:
        return box(window.x, window.y, width=window.width, height=window.height, fill=fill)
    half = figure(window.width / 2)
    spring, foot = figure(window.y + window.width / 2), window.y + window.height
    return area(f"M{point(window.x, foot)}V{spring}a{half} {half} 0 0 1 {figure(window.width)} 0V{figure(foot)}z", fill)


def _bars(window: Window) -> Shape:
    rail = f"M{point(window.x, window.y + window.height / 2)}h{figure(window.width)}"
    bar = f"M{point(window.x + window.width / 2, window.y)}v{figure(window.height)}"
    return line(rail + bar, LAMP_BAR if window.lit else BAR, width=1.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The colours of a house, and what is lit: `lamps` yields it for each window; `neighbour` is a second door."""

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
        width, height = size
        return front_door(x, width=width, height=height, colour=self.door, lit=self.door_lit)


def terrace(house: House) -> list[Shape]:
    upper = [house.window(x, -100, size=(22, 36)) for x in (14, 66)]
    glass, bars = (LAMP, LAMP_BAR) if next(house.lamps) else (PANE, BAR)
    return [
        area("M0-118h104l-5-34h-94z", ROOF),
        *chimney(78, -170, pots=3),
        box(0, -118, width=104, height=118, fill=house.wall),
        box(0, -118, width=104, height=5, fill=TRIM),
        *sashes(upper),
        box(6, -58, width=50, height=58, fill=house.wall),
        box(3, -62, width=56, height=7, fill=SLATE),
        *(box(x, -50, width=width, height=36, fill=glass) for x, width in ((9, 10), (22, 18), (43, 10))),
        line("M9-32h10M22-32h18M43-32h10", bars, width=1.4),
        box(4, -13, width=54, height=13, fill=TRIM),
        *house.front_door(68, size=(22, 44)),
    ]


def georgian(house: House) -> list[Shape]:
    rows = [house.window(11 + j * 26, y, size=(17, height)) for y, height in ((-158, 26), (-116, 44)) for j in range(3)]
    ground = [house.window(x, -48, size=(16, 32)) for x in (10, 32)]
    rails = "M0-12h56" + "".join(f"M{2 + i * 6}-14v14" for i in range(10))
    return [
        *chimney(4, -202, pots=4),
        box(0, -176, width=92, height=176, fill=house.wall),
        box(-2, -176, width=96, height=7, fill=TRIM),
        box(0, -58, width=92, height=58, fill=TRIM),
        box(0, -62, width=92, height=4, fill=SLATE),
        *sashes([*rows, *ground]),
        *house.front_door(62, size=(20, 38)),
        line(rails, ROOF, width=1.6),
    ]


def semi(house: House) -> list[Shape]:
    """Draw a pair of semi-detached houses; the left one is the house."""
    shapes = [
        area("M-4-92l26-50h112l26 50z", ROOF),
        *chimney(62, -164, pots=3),
        box(0, -92, width=156, height=92, fill=house.wall),
    ]
    for x in (10, 96):
        windows = [house.window(x + 8, -84, size=(34, 24)), house.window(x + 6, -44, size=(38, 28))]
        shapes += [
            area(f"M{x - 5}-90l30-38l30 38z", SLATE),
            area(f"M{x + 3}-90l22-28l22 28z", TRIM),
            box(x, -92, width=50, height=92, fill=house.wall),
            *sashes(windows),
            box(x, -13, width=50, height=13, fill=TRIM),
        ]
    other = front_door(81, width=12, height=38, colour=house.neighbour, lit=False)
    return [*shapes, *house.front_door(64, size=(12, 38)), *other]


def gable(house: House) -> list[Shape]:
    rows = [
        house.window(12 + j * 34, y, size=(20, 32), arched=arched)
        for y, arched in ((-122, True), (-76, False))
        for j in range(3)
    ]
    ground = [house.window(10, -36, size=(30, 26)), house.window(74, -36, size=(28, 26))]
    return [
        *chimney(8, -172, pots=2),
        area("M0-132h14v-18h14v-16q28-26 56 0v16h14v18h14z", house.wall),
        box(0, -132, width=112, height=132, fill=house.wall),
        disc(56, -150, radius=9, fill=PANE),
        *sashes(rows),
        box(0, -82, width=112, height=3, fill=TRIM),
        *sashes(ground),
        *house.front_door(47, size=(19, 30)),
    ]


def cottage(house: House) -> list[Shape]:
    dormers = [house.window(x, -82, size=(18, 20)) for x in (26, 70)]
    ground = [house.window(x, -46, size=(26, 26)) for x in (12, 80)]
    return [
        *chimney(10, -122, pots=2),
        area("M-6-66l22-42h86l22 42z", ROOF),
        box(0, -66, width=118, height=66, fill=house.wall),
        *(area(f"M{x - 4}-64v-22l13-12l13 12v22z", TRIM) for x in (26, 70)),
        *sashes([*dormers, *ground]),
        *house.front_door(50, size=(18, 34)),
    ]


def flats(house: House) -> list[Shape]:
    """Draw a block of five floors with balconies; its entrance is at the back."""
    places = [(10 + j * 33, -174 + row * 34) for row in range(5) for j in range(3)]
    panes = [box(x, y, width=22, height=20, fill=LAMP if next(house.lamps) else PANE) for x, y in places]
    return [
        box(0, -190, width=108, height=190, fill=house.wall),
        box(-3, -190, width=114, height=6, fill=SLATE),
        box(38, -204, width=32, height=14, fill=SLATE),
        *sorted(panes, key=lambda pane: pane.paint),
        line("".join(f"M{x - 3}{y + 14}h28v8h-28z" for x, y in places), TRIM, width=1.6),
    ]


def church(house: House) -> list[Shape]:
    return [
        area("M12-108l20-96l20 96z", ROOF),
        box(12, -108, width=40, height=108, fill=house.wall),
        box(9, -108, width=46, height=5, fill=TRIM),
        *sashes([house.window(24, -90, size=(16, 36), arched=True)]),
        area("M20 0v-28a12 12 0 0 1 24 0v28z", DOORS[0]),
        box(0, -44, width=12, height=44, fill=house.wall),
        box(52, -44, width=12, height=44, fill=house.wall),
    ]


def tree(_: House) -> list[Shape]:
    return [box(21, -40, width=4, height=40, fill=SLATE), disc(23, -62, radius=22, tall=32, fill=TREE)]


WIDTHS |= {"cottage": 126, "flats": 116, "church": 72, "tree": 54}


"""Width of each kind, including the gap after it."""

DRAWERS: dict[str, Callable[[House], list[Shape]]] = {
    drawn.__name__: drawn for drawn in (terrace, georgian, semi, gable, cottage, flats, church, tree)
}
"""Drawing function of each kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A house by its kind and left edge, and what is lit: the door, and the window of number `lamp`."""

    kind: str
    x: int
    door_lit: bool = False
    lamp: int | None = None


def skyline(slug: str) -> str:
    """Draw the street of a slug by day, as decoration."""
    seed = Seed(slug)
    base = HEIGHT - PAVEMENT
    body = "".join(_draw_plot(plot, base, seed=seed) for plot in plan(seed))
    ground = render([box(0, base, width=WIDTH, height=PAVEMENT, fill=GROUND)])
    return document(
        body + ground, box=f"0 0 {WIDTH} {HEIGHT}", size=f"{WIDTH}x{HEIGHT}", css="skyline", fit="xMidYMax slice"
    )


def plan(seed: Seed) -> tuple[Plot, ...]:
    """Return the houses of a street, with one lit door and at most one lit window."""
    plots = _lay_out(seed)
    door = seed.pick(_doors(plots))
    lamps: dict[int, int] = {}
    for _ in range(3):
        house = seed.below(len(plots))
        if plots[house].kind != "tree" and house != door:
            lamps[house] = seed.below(4)
            break
    return tuple(replace(plot, door_lit=index == door, lamp=lamps.get(index)) for index, plot in enumerate(plots))


def _lay_out(seed: Seed) -> list[Plot]:
    """Fill the width with houses: only terraces repeat side by side, and there is at most one church."""
    plots: list[Plot] = []
    x = -14
    while x < WIDTH + 20:
        kind = seed.pick(KINDS)
        before = plots[-1].kind if plots else ""
        churches = any(plot.kind == "church" for plot in plots)
        if (kind == before and kind != "terrace") or (kind == "church" and churches):
            continue
        plots.append(Plot(kind=kind, x=x))
        x += WIDTHS[kind]
    if _doors(plots):
        return plots
    middle = len(plots) // 2
    return [*plots[:middle], replace(plots[middle], kind="terrace"), *plots[middle + 1 :]]


def _doors(plots: list[Plot]) -> list[int]:
    """Return the indexes of houses that may have the lit door: it is visible, and not at an end of the street."""
    return [
        index for index, plot in enumerate(plots) if plot.kind in _WELCOMING and WIDTH * 0.18 < plot.x < WIDTH * 0.82
    ]


def _draw_plot(plot: Plot, base: int, *, seed: Seed) -> str:
    house = House(
        wall=seed.pick(WALLS),
        door=LAMP if plot.door_lit else seed.pick(DOORS),
        neighbour=seed.pick(DOORS) if plot.kind == "semi" else DOORS[0],
        door_lit=plot.door_lit,
        lamps=(number == plot.lamp for number in count()),
    )
    return f'<g transform="translate({plot.x} {base})">{render(DRAWERS[plot.kind](house))}</g>'


def guide_scene(subject: GuideSubject, slug: str) -> str:
    """Draw a guide's picture as decoration: the same subject has other neighbours with another slug."""
    seed = Seed(slug)
    left = seed.pick(_NEIGHBOURS)
    right = seed.pick(tuple(kind for kind in _NEIGHBOURS if kind != left))
    begin = 140 - WIDTHS[left] * _STREET
    body = [
        _house("tree", begin - WIDTHS["tree"] * _STREET, seed=seed),
        _house(left, begin, seed=seed),
        _house(right, 286, seed=seed),
        _house("tree", 286 + WIDTHS[right] * _STREET, seed=seed),
        render([box(0, _BASE, width=SCENE_WIDTH, height=PAVEMENT, fill=GROUND)]),
        _subject(subject),
    ]
    return document(
        "".join(body), box=f"0 0 {SCENE_WIDTH} {SCENE_HEIGHT}", size=f"{SCENE_WIDTH}x{SCENE_HEIGHT}", css="skyline"
    )


def _subject(subject: GuideSubject) -> str:
    svg = etree.parse(SUBJECTS / f"{subject}.svg").getroot()
    svg.attrib.update(_SUBJECT)
    return etree.tostring(svg, encoding="unicode")


def _house(kind: str, x: float, *, seed: Seed) -> str:
    house = House(
        wall=seed.pick(WALLS), door=seed.pick(DOORS), neighbour=seed.pick(DOORS), door_lit=False, lamps=repeat(False)
    )
    place = f"translate({figure(x)} {_BASE})scale({_STREET})"
    return f'<g transform="{place}">{render(DRAWERS[kind](house))}</g>'
