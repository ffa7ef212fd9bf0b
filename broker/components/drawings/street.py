"""A street of houses made from a slug, in which exactly one front door is lit."""

from dataclasses import dataclass, replace
from itertools import count

from broker.components.drawings.houses import DRAWERS, WIDTHS, House
from broker.components.drawings.palette import DAY, DUSK, Palette
from broker.components.drawings.seeded_choice import Seed
from broker.components.drawings.shapes import box, document, render

KINDS = ("terrace", "georgian", "terrace", "gable", "semi", "tree", "cottage", "terrace", "flats", "georgian", "tree")
"""Kinds of house in a street; one listed twice is twice as likely."""

TOWN_KINDS = (*KINDS, "church")
"""Kinds of house in the street of a town."""

_WELCOMING = frozenset({"terrace", "georgian", "gable", "cottage"})
_PAVEMENT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A house by its kind and left edge, and what is lit: the door, and the window of number `lamp`."""

    kind: str
    x: int
    door_lit: bool = False
    lamp: int | None = None


def skyline(
    slug: str,
    *,
    width: int = 1440,
    height: int = 250,
    dusk: bool = False,
    accent: str = "",
    lights: int = 1,
    label: str = "",
    kinds: tuple[str, ...] = KINDS,
) -> str:
    """Draw the street of a slug; `accent` colours the lit door, and without a `label` the street is decoration."""
    palette = DUSK if dusk else DAY
    colours = replace(palette, accent=accent) if accent else palette
    seed = Seed(slug)
    plots = plan(seed, width=width, lights=lights, kinds=kinds)
    base = height - _PAVEMENT
    body = "".join(_drawn(plot, base, seed=seed, colours=colours) for plot in plots)
    ground = render([box(0, base, width=width, height=_PAVEMENT, fill=colours.ground)])
    return document(
        body + ground,
        box=f"0 0 {width} {height}",
        size=f"{width}x{height}",
        label=label,
        css="skyline",
        fit="xMidYMax slice",
    )


def plan(seed: Seed, *, width: int = 1440, lights: int = 1, kinds: tuple[str, ...] = KINDS) -> tuple[Plot, ...]:
    """Return the houses of a street, with one lit door and up to `lights` lit windows."""
    plots = _laid_out(seed, width, kinds=kinds)
    door = seed.pick(_doors(plots, width))
    lamps: dict[int, int] = {}
    for _ in range(lights * 3):
        if len(lamps) == lights:
            break
        house = seed.below(len(plots))
        if plots[house].kind != "tree" and house != door and house not in lamps:
            lamps[house] = seed.below(4)
    return tuple(replace(plot, door_lit=index == door, lamp=lamps.get(index)) for index, plot in enumerate(plots))


def _laid_out(seed: Seed, width: int, *, kinds: tuple[str, ...]) -> list[Plot]:
    """Fill the width with houses: only terraces repeat side by side, and there is at most one church."""
    plots: list[Plot] = []
    x = -14
    while x < width + 20:
        kind = seed.pick(kinds)
        before = plots[-1].kind if plots else ""
        churches = any(plot.kind == "church" for plot in plots)
        if (kind == before and kind != "terrace") or (kind == "church" and churches):
            continue
        plots.append(Plot(kind=kind, x=x))
        x += WIDTHS[kind]
    if _doors(plots, width):
        return plots
    middle = len(plots) // 2
    return [*plots[:middle], replace(plots[middle], kind="terrace"), *plots[middle + 1 :]]


def _doors(plots: list[Plot], width: int) -> list[int]:
    """Return the indexes of houses that may have the lit door: it is visible, and not at an end of the street."""
    return [
        index for index, plot in enumerate(plots) if plot.kind in _WELCOMING and width * 0.18 < plot.x < width * 0.82
    ]


def _drawn(plot: Plot, base: int, *, seed: Seed, colours: Palette) -> str:
    house = House(
        colours=colours,
        wall=seed.pick(colours.walls),
        door=colours.accent if plot.door_lit else seed.pick(colours.doors),
        neighbour=seed.pick(colours.doors) if plot.kind == "semi" else colours.doors[0],
        door_lit=plot.door_lit,
        lamps=(number == plot.lamp for number in count()),
    )
    # a low frame cuts the roofs off
    seen = (shape for shape in DRAWERS[plot.kind](house) if shape.foot > -base)
    return f'<g transform="translate({plot.x} {base})">{render(seen)}</g>'
