"""Monograms in place of lenders' logos: a shape with initials, and the name in up to three lines.

The shape and its colour depend on the slug alone, so no logo is copied.
"""

from dataclasses import dataclass
from html import escape
from itertools import combinations, pairwise

from broker.components.drawings.shapes import Seed, Shape, area, disc, document, figure, render, rounded
from broker.lenders.lender import initial_words

COLOURS = (
    *("#1B3A6B", "#7A2B33", "#0F6178", "#1F6B4A", "#5B4491", "#8C4A14"),
    *("#8A2F52", "#3F5A7A", "#50601C", "#6B3A6E", "#24474D", "#9C3A22"),
)
"""Colours of monograms; each has a contrast of at least 4.5:1 with white."""

NAME_WIDTH = 76  # of the longest line, in units
_NAME_LEFT = 40
_LARGEST = {1: 14.0, 2: 12.0, 3: 9.5}
_SMALLEST = 6.5
SHAPE = "shape"
"""The name of the view of a monogram that is its shape without the lender's name: the fragment of its address."""

_GENERIC = frozenset({"bank", "building", "society", "mortgage", "mortgages", "home", "loans", "finance", "uk"})
_WIDTHS = {
    **dict.fromkeys("il.,-/ \u00a0jI", 278),
    **dict.fromkeys("ft()", 333),
    **dict.fromkeys("r", 389),
    **dict.fromkeys("acekvxysJ0123456789z", 556),
    **dict.fromkeys("bdghnopquLTFZ", 611),
    **dict.fromkeys("EPSVXY", 667),
    **dict.fromkeys("ABCDHKNRU&", 722),
    **dict.fromkeys("GOQw", 778),
    **dict.fromkeys("Mm", 889),
}
_WIDEST = 1000

_SHAPES = ("arch", "house", "disc", "square", "octagon", "leaf", "shield")

_OUTLINES = {
    "arch": "M2 37V20a16 16 0 0 1 32 0v17z",
    "house": "M2 37V17L18 3l16 14v20z",
    "octagon": "M11 4h14l10 10v14l-10 10h-14l-10-10v-14z",
    "leaf": "M2 37V18A15 15 0 0 1 17 3h17v19a15 15 0 0 1-15 15z",
    "shield": "M2 5l16-3l16 3v17q0 11-16 17q-16-6-16-17z",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lettering:
    lines: tuple[str, ...]
    size: float


def text_width(text: str, size: float) -> float:
    """Estimate the width of a bold text in units; an unknown letter counts as the widest."""
    return sum(_WIDTHS.get(letter, _WIDEST) for letter in text) / 1000 * size


def initials(name: str) -> str:
    """Return one or two initials from a lender's first word and its distinctive ones: `BS` for Bank of Scotland."""
    words = initial_words(name)
    distinctive = [*words[:1], *(word for word in words[1:] if word.lower() not in _GENERIC)]
    return "".join(word[0].upper() for word in distinctive[:2])


def lettering(name: str) -> _Lettering:
    """Return the lines that allow the largest font size, none wider than `NAME_WIDTH`; the fewest lines win a tie."""
    words = name.replace("Building Society", "Building\u00a0Society").split(" ")
    settings = [_set(lines) for count in range(1, min(len(words), 3) + 1) for lines in _splits(words, count)]
    best = max(settings, key=lambda setting: (setting.size, -len(setting.lines)))
    return _Lettering(lines=tuple(_cut(line, best.size) for line in best.lines), size=best.size)


def monogram(name: str, slug: str) -> str:
    """Draw the monogram of a lender, 118 by 40 units, with an accessible name; its view `SHAPE` is 36 by 40."""
    seed = Seed("lender-" + slug)
    colour, shape = seed.pick(COLOURS), seed.pick(_SHAPES)
    set_name = lettering(name)
    leading = set_name.size * 1.12
    top = 20 - leading * (len(set_name.lines) - 1) / 2 + set_name.size * 0.35
    lines = "".join(_line(line, top + i * leading, size=set_name.size) for i, line in enumerate(set_name.lines))
    letters = initials(name)
    size = 17 if len(letters) == 1 else 13
    inside = f'<text x="18" y="{figure(21.5 + size * 0.35)}" font-size="{size}" fill="#FFFFFF" text-anchor="middle">'
    text = f'{inside}{escape(letters)}</text><g fill="{colour}">{lines}</g>'
    font = '<g font-family="Figtree,Arial,sans-serif" font-weight="700">'
    view = f'<style>view:target~g>g{{display:none}}</style><view id="{SHAPE}" viewBox="0 0 36 40"/>'
    body = f"{view}{render([_shape(shape, colour)])}{font}{text}</g>"
    return document(body, box="0 0 118 40", label=name)


def _splits(words: list[str], count: int) -> list[tuple[str, ...]]:
    ends = combinations(range(1, len(words)), count - 1)
    cuts = [(0, *inner, len(words)) for inner in ends]
    return [tuple(" ".join(words[a:b]) for a, b in pairwise(cut)) for cut in cuts]


def _set(lines: tuple[str, ...]) -> _Lettering:
    widest = max(text_width(line, 1) for line in lines) or 1
    fitting = int(NAME_WIDTH / widest * 4) / 4
    return _Lettering(lines=lines, size=max(min(fitting, _LARGEST[len(lines)]), _SMALLEST))


def _cut(line: str, size: float) -> str:
    if text_width(line, size) <= NAME_WIDTH:
        return line
    short = line
    while short and text_width(short + "…", size) > NAME_WIDTH:
        short = short[:-1]
    return short.rstrip() + "…"


def _line(text: str, y: float, *, size: float) -> str:
    """Return one line of the name with a fixed length, so that no other font overflows the box."""
    length = f'textLength="{figure(text_width(text, size))}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{_NAME_LEFT}" y="{figure(y)}" font-size="{figure(size)}" {length}>{escape(text)}</text>'


def _shape(shape: str, colour: str) -> Shape:
    if shape == "disc":
        return disc(18, 21, radius=17, fill=colour)
    if shape == "square":
        return rounded(2, 5, width=32, height=32, fill=colour, radius=5)
    return area(_OUTLINES[shape], colour)
