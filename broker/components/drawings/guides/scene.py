"""The picture on a guide's card: its subject on the pavement, between houses chosen from its slug."""

from itertools import repeat

from broker.components.drawings.guides.subjects import BELOW, MOTIFS
from broker.components.drawings.houses import DRAWERS, WIDTHS, House
from broker.components.drawings.palette import DAY
from broker.components.drawings.questionnaire.parts import FLOOR, SIDE, floor
from broker.components.drawings.seeded_choice import Seed
from broker.components.drawings.shapes import box, document, figure, render
from broker.domain.guide_subjects import GuideSubject

WIDTH, HEIGHT = 420, 150
_PAVEMENT = 10
_SCALE = 2.5  # of a motif in its square
_MIDDLE = (WIDTH - SIDE * _SCALE) / 2
_NEIGHBOURS = ("terrace", "cottage", "georgian", "gable")


def guide_scene(subject: GuideSubject, slug: str) -> str:
    """Draw a guide's picture as decoration: the same subject has other neighbours with another slug."""
    seed = Seed(slug)
    left = seed.pick(_NEIGHBOURS)
    right = seed.pick(tuple(kind for kind in _NEIGHBOURS if kind != left))
    base = HEIGHT - _PAVEMENT
    shapes = (shape for shape in MOTIFS[subject]() if shape != floor())
    lift = base - (FLOOR + BELOW.get(subject, 0)) * _SCALE
    body = [
        _house(left, 140 - WIDTHS[left], base=base, seed=seed),
        _house(right, 292, base=base, seed=seed),
        _house("tree", 294 + WIDTHS[right], base=base, seed=seed),
        render([box(0, base, width=WIDTH, height=_PAVEMENT, fill=DAY.ground)]),
        f'<g transform="translate({figure(_MIDDLE)} {figure(lift)})scale({_SCALE})">{render(shapes)}</g>',
    ]
    return document("".join(body), box=f"0 0 {WIDTH} {HEIGHT}", size=f"{WIDTH}x{HEIGHT}", css="skyline")


def _house(kind: str, x: float, *, base: int, seed: Seed) -> str:
    house = House(
        colours=DAY,
        wall=seed.pick(DAY.walls),
        door=seed.pick(DAY.doors),
        neighbour=DAY.doors[0],
        door_lit=False,
        lamps=repeat(False),
    )
    seen = (shape for shape in DRAWERS[kind](house) if shape.foot > -base)
    return f'<g transform="translate({figure(x)} {base})">{render(seen)}</g>'
