"""The picture on a guide's card: its subject on the pavement, between two houses chosen from its slug."""

from itertools import repeat
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types

from broker.components.drawings.shapes import Seed, box, document, figure, render
from broker.components.drawings.street import DOORS, DRAWERS, GROUND, PAVEMENT, WALLS, WIDTHS, House
from broker.domain.guide_subjects import GuideSubject

SUBJECTS = Path(__file__).parents[3] / "assets" / "art" / "guides"
"""Folder of the drawings of subjects: each has its foot at the lower edge of its view box, of 56 by 48 units."""

WIDTH, HEIGHT = 420, 132
_BASE = HEIGHT - PAVEMENT
_SUBJECT = {"x": "140", "y": "2", "width": "140", "height": f"{_BASE - 2}", "overflow": "visible"}
_STREET = 0.62  # of a house, so that its chimney is in the picture
_NEIGHBOURS = ("terrace", "cottage", "semi", "gable")


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
        render([box(0, _BASE, width=WIDTH, height=PAVEMENT, fill=GROUND)]),
        _subject(subject),
    ]
    return document("".join(body), box=f"0 0 {WIDTH} {HEIGHT}", size=f"{WIDTH}x{HEIGHT}", css="skyline")


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
