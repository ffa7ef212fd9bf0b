"""The picture on a guide's card: its subject on the pavement, between two houses chosen from its slug."""

from itertools import repeat

from broker.components.drawings.guides.subjects import BELOW, MOTIFS
from broker.components.drawings.houses import DRAWERS, WIDTHS, House
from broker.components.drawings.palette import DAY
from broker.components.drawings.questionnaire.parts import FLOOR, SIDE, floor
from broker.components.drawings.seeded_choice import Seed
from broker.components.drawings.shapes import box, document, figure, render
from broker.domain.guide_subjects import GuideSubject

WIDTH, HEIGHT = 420, 132
_PAVEMENT = 10
_SCALE = 2.5  # of a motif in its square
_MIDDLE = (WIDTH - SIDE * _SCALE) / 2
_STREET = 0.62  # of a house, so that its chimney is in the picture
_NEIGHBOURS = ("terrace", "cottage", "semi", "gable")


def guide_scene(subject: GuideSubject, slug: str) -> str:
    """Draw a guide's picture as decoration: the same subject has other neighbours with another slug."""
    seed = Seed(slug)
    left = seed.pick(_NEIGHBOURS)
    right = seed.pick(tuple(kind for kind in _NEIGHBOURS if kind != left))
    shapes = (shape for shape in MOTIFS[subject]() if shape != floor())
    base = HEIGHT - _PAVEMENT
    lift = base - (FLOOR + BELOW.get(subject, 0)) * _SCALE
    begin = 140 - WIDTHS[left] * _STREET
    body = [
        _house("tree", begin - WIDTHS["tree"] * _STREET, base=base, seed=seed),
        _house(left, begin, base=base, seed=seed),
        _house(right, 286, base=base, seed=seed),
        _house("tree", 286 + WIDTHS[right] * _STREET, base=base, seed=seed),
        render([box(0, base, width=WIDTH, height=_PAVEMENT, fill=DAY.ground)]),
        f'<g transform="translate({figure(_MIDDLE)} {figure(lift)})scale({_SCALE})">{render(shapes)}</g>',
    ]
    return document("".join(body), box=f"0 0 {WIDTH} {HEIGHT}", size=f"{WIDTH}x{HEIGHT}", css="skyline")


def _house(kind: str, x: float, *, base: int, seed: Seed) -> str:
    house = House(
        colours=DAY,
        wall=seed.pick(DAY.walls),
        door=seed.pick(DAY.doors),
        neighbour=seed.pick(DAY.doors),
        door_lit=False,
        lamps=repeat(False),
    )
    place = f"translate({figure(x)} {base})scale({_STREET})"
    return f'<g transform="{place}">{render(DRAWERS[kind](house))}</g>'
