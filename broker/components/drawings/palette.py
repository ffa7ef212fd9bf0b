"""Colours of streets, at dusk and by day."""

from dataclasses import dataclass

LAMP = "#FFBD3F"  # the accent colour of the site: a lit pane, a lit door
LAMP_BAR = "#B87A10"  # glazing bars in front of a lit pane
GLOW = "#FFE2A6"  # light from the hall behind an open door
BRASS = "#E9B44C"  # knobs, letter boxes, knockers and bells


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a street; each house takes one of `walls` and one of `doors`."""

    walls: tuple[str, ...]
    doors: tuple[str, ...]
    trim: str
    roof: str
    slate: str
    pane: str
    bar: str
    tree: str
    ground: str
    lit: str = LAMP
    accent: str = LAMP


DUSK = Palette(
    walls=("#1C5F68", "#18535C", "#236A73", "#154C54"),
    doors=("#0A2A30", "#0B3036"),
    trim="#33808A",
    roof="#0A2C33",
    slate="#0B2F36",
    pane="#0C3138",
    bar="#33808A",
    tree="#0A2D33",
    ground="#08242A",
)

DAY = Palette(
    walls=("#FFF", "#EBCDBB", "#C98B6E", "#E8D6AC", "#D5E2DE", "#F6F2EA"),
    doors=("#24474D", "#7A2B33", "#3F5458", "#1F6B4A"),
    trim="#FFF",
    roof="#51666A",
    slate="#3F5458",
    pane="#24474D",
    bar="#FFF",
    tree="#8FAFA0",
    ground="#C9C4B8",
)
