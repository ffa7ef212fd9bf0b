"""Line icons on a square of 24 units, drawn as strokes; a page shows them in the colour of its text."""

from broker.components.drawings.shapes import document

ICON: dict[str, str] = {
    "phone": (
        "M5 4h4l1.5 5-2 1.5a12 12 0 0 0 5 5l1.5-2 5 1.5v4a1.5 1.5 0 0 1-1.6 1.5A16.4 16.4 0 0 1"
        " 3.5 5.6 1.5 1.5 0 0 1 5 4z"
    ),
    "call": "M7 3v3M17 3v3M4 8h16M5 5h14v15H5zM9 14l2.2 2.2L15.5 12",
    "arrow": "M4 12h15M13 6l6 6-6 6",
    "back": "M20 12H5M11 6l-6 6 6 6",
    "check": "M4.5 12.5l5 5 10-11",
    "down": "M5 9l7 7 7-7",
    "right": "M9 5l7 7-7 7",
    "left": "M15 5l-7 7 7 7",
    "info": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.4v.2",
    "alert": "M12 3.5L2.5 20h19zM12 10v5M12 17.4v.2",
    "close": "M6 6l12 12M18 6L6 18",
    "plus": "M12 5v14M5 12h14",
    "menu": "M3 7h18M3 12h18M3 17h18",
    "home": "M4 11l8-7 8 7v9H4zM10 20v-6h4v6",
    "key": "M15 9a4 4 0 1 0-3.5 4L13 14.5h2V17h2.5v2.5H21V17l-6.3-6.3A4 4 0 0 0 15 9zM10.5 8.5v.1",
    "loop": "M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5",
    "search": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
    "percent": ("M5 19L19 5M7.5 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM16.5 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z"),
    "upload": "M12 16V5M7 9l5-5 5 5M4 16v4h16v-4",
    "pound": "M17 7.5A4.5 4.5 0 0 0 8.5 9c0 3 1.5 4.5 0 8.5-.4 1-1 1.5-1.5 1.5h11M6.5 13H14",
    "filter": "M3 6h18M6.5 12h11M10 18h4",
    "chart": "M4 20V10M10 20V4M16 20v-8M21 20H3",
    "keyhole": "M12 4a4.5 4.5 0 0 0-2 8.5L8.5 20h7L14 12.5A4.5 4.5 0 0 0 12 4z",
    "wifi": "M3 9.5a13 13 0 0 1 18 0M6.5 13a8 8 0 0 1 11 0M10 16.5a3 3 0 0 1 4 0M4 20L20 4",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    "pen": "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
    "print": "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
    "shield": "M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6z",
    "star": "M10 1.5l2.6 5.6 6 .7-4.4 4.2 1.2 6L10 15l-5.4 3 1.2-6L1.4 7.8l6-.7z",
}
"""Path of each icon by name, with a stroke of 1.9 units and round ends; `star` is filled, on a square of 20 units."""

STAR = "star"
IN_A_ROW = tuple(name for name in ICON if name != STAR)
"""The icons that `row` draws, in order: `.i-phone` and the like in the stylesheet rely on their positions."""

_PAINT = 'fill="none" stroke="#000" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"'


def star() -> str:
    return document(f'<path d="{ICON[STAR]}"/>', box="0 0 20 20")


def row() -> str:
    """Draw every line icon in one row, for the stylesheet to mask one out."""
    paths = (f'<path transform="translate({24 * place})" d="{ICON[name]}"/>' for place, name in enumerate(IN_A_ROW))
    width = 24 * len(IN_A_ROW)
    return document(f"<g {_PAINT}>{''.join(paths)}</g>", box=f"0 0 {width} 24", size=f"{width}x24")
