"""The colours of the card drawings: those of the site, the street by day and the doors."""

from __future__ import annotations

from broker.components.drawings.palette import BRASS, DAY, GLOW, LAMP, LAMP_BAR

INK, PETROL, TEAL, MIST, TILE = "#0C3138", "#14525B", "#0F6178", "#B9D3D3", "#DCE9E7"
"""Petrol from its darkest to the tile that a drawing stands on."""

WHITE, STONE = DAY.trim, "#CFCAC0"
BLUSH, CLAY, STRAW = DAY.walls[1:4]
SLATE, ROOF, PANE = DAY.slate, DAY.roof, DAY.pane
BARK, TAN = "#A96B50", "#D9A283"
LEAF, GREEN, PLUM, BRICK = "#5E8C74", "#1F6B4A", "#8A2F52", "#9C3A22"

COLOURS = frozenset(
    {INK, PETROL, TEAL, MIST, TILE, WHITE, STONE, BLUSH, CLAY, STRAW, SLATE, ROOF, PANE}
    | {BARK, TAN, LEAF, GREEN, PLUM, BRICK, LAMP, LAMP_BAR, GLOW, BRASS}
)
"""Every colour that a card may be drawn in."""
