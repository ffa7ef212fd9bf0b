"""Colours of the card drawings: those of the site, the street by day and the doors."""

from broker.components.drawings.palette import BRASS, DAY, GLOW, LAMP, LAMP_BAR

INK, PETROL, TEAL, MIST, TILE = "#0C3138", "#14525B", "#0F6178", "#B9D3D3", "#DCE9E7"
"""Petrol, from the darkest to the tile behind a drawing."""

WHITE, STONE = DAY.trim, "#CFCAC0"
BLUSH, CLAY, STRAW = DAY.walls[1:4]
SLATE, ROOF, PANE = DAY.slate, DAY.roof, DAY.pane
BARK, TAN = "#A96B50", "#D9A283"
LEAF, GREEN, PLUM, BRICK = "#5E8C74", "#1F6B4A", "#8A2F52", "#9C3A22"

COLOURS = frozenset(
    {INK, PETROL, TEAL, MIST, TILE, WHITE, STONE, BLUSH, CLAY, STRAW, SLATE, ROOF, PANE}
    | {BARK, TAN, LEAF, GREEN, PLUM, BRICK, LAMP, LAMP_BAR, GLOW, BRASS}
)
"""Every colour of the card drawings."""
