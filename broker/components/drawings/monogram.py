"""Monograms in place of lenders' logos: a shape with initials.

The shape and its colour depend on the slug alone, so no logo is copied.
"""

from html import escape

from broker.components.drawings.shapes import Seed, Shape, area, disc, document, figure, render, rounded
from broker.lenders.lender import initial_words

COLOURS = (
    *("#1B3A6B", "#7A2B33", "#0F6178", "#1F6B4A", "#5B4491", "#8C4A14"),
    *("#8A2F52", "#3F5A7A", "#50601C", "#6B3A6E", "#24474D", "#9C3A22"),
)
"""Colours of monograms; each has a contrast of at least 4.5:1 with white."""

_GENERIC = frozenset({"bank", "building", "society", "mortgage", "mortgages", "home", "loans", "finance", "uk"})

_SHAPES = ("arch", "house", "disc", "square", "octagon", "leaf", "shield")

_OUTLINES = {
    "arch": "M2 37V20a16 16 0 0 1 32 0v17z",
    "house": "M2 37V17L18 3l16 14v20z",
    "octagon": "M11 4h14l10 10v14l-10 10h-14l-10-10v-14z",
    "leaf": "M2 37V18A15 15 0 0 1 17 3h17v19a15 15 0 0 1-15 15z",
    "shield": "M2 5l16-3l16 3v17q0 11-16 17q-16-6-16-17z",
}


def initials(name: str) -> str:
    """Return one or two initials from a lender's first word and its distinctive ones: `BS` for Bank of Scotland."""
    words = initial_words(name)
    distinctive = [*words[:1], *(word for word in words[1:] if word.lower() not in _GENERIC)]
    return "".join(word[0].upper() for word in distinctive[:2])


def monogram(name: str, slug: str) -> str:
    """Draw the monogram of a lender, 44 by 48 pixels, with an accessible name; pages write the name beside it."""
    seed = Seed("lender-" + slug)
    colour, shape = seed.pick(COLOURS), seed.pick(_SHAPES)
    letters = initials(name)
    size = 17 if len(letters) == 1 else 13
    text = (
        f'<text x="18" y="{figure(21.5 + size * 0.35)}" font-family="Figtree,Arial,sans-serif" font-size="{size}" '
        f'font-weight="700" fill="#FFFFFF" text-anchor="middle">{escape(letters)}</text>'
    )
    return document(render([_shape(shape, colour)]) + text, box="1 2 34 37", size="44x48", label=name)


def _shape(shape: str, colour: str) -> Shape:
    if shape == "disc":
        return disc(18, 21, radius=17, fill=colour)
    if shape == "square":
        return rounded(2, 5, width=32, height=32, fill=colour, radius=5)
    return area(_OUTLINES[shape], colour)
