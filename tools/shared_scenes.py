"""What stands on each picture that other sites show: its words at the left, its drawing at the right or below.

A scene is a page of 1200 by 630 pixels over the site's own stylesheet; addresses are those of the site.
"""

from collections.abc import Callable, Mapping

from markupsafe import Markup

from broker.components.drawings.fanlight import fanlight
from broker.components.drawings.guides.subjects import BELOW, MOTIFS
from broker.components.drawings.questionnaire.parts import FLOOR, SIDE, floor
from broker.components.drawings.shapes import document, render
from broker.domain.guide_subjects import GuideSubject
from broker.presenters.social_images import (
    CALCULATORS,
    DEALS,
    GUIDE_SUBJECTS,
    GUIDES,
    HEIGHT,
    HOME,
    LENDERS,
    PICTURES,
    RATES,
    REVIEWS,
    TEXTS,
    TOWNS,
    WIDTH,
)

THEMES = {
    "first-time-buyer": "ftb",
    "home-mover": "mover",
    "remortgaging": "remo",
    "buy-to-let": "btl",
    "protection-needs": "prot",
    "contractor-mortgage": "btlp",
    "self-employed": "btlr",
}
"""The colours of a service, as the stylesheet names them."""

DOORS = ("first-time-buyer", "home-mover", "remortgaging", "buy-to-let", "self-employed")
"""The doors beside each other on the picture of deals."""

CARDS = (
    ("card-lease-leasehold-explained", "Leasehold explained"),
    ("card-fanlight-what-is-ltv", "What is LTV?"),
    ("card-fees-remortgage-costs", "Remortgage costs"),
)
"""The guides on the picture of guides, the last half out of it."""

PLATES = (
    "barclays",
    "coventry-building-society",
    "halifax",
    "leeds-building-society",
    "nationwide",
    "natwest",
    "paragon-bank",
    "santander",
    "skipton-building-society",
    "virgin-money",
)
"""The lenders on the picture of lenders."""

_STYLE = f"""
body {{ position: relative; width: {WIDTH}px; height: {HEIGHT}px; overflow: hidden; }}
.dark {{ background: var(--petrol-800); }}
.dusk {{ background: var(--petrol-900); }}
.themed {{ background: var(--theme); }}
.dark, .dusk, .themed {{ --say: #fff; --lit: var(--lamp); --under: #fff; }}
.day {{ background: var(--petrol-50); }}
.stone {{ background: var(--stone-100); }}
.white {{ background: var(--white); }}
.day, .stone, .white {{ --say: var(--ink); --lit: var(--petrol-600); --under: var(--ink-2); }}
.lamp {{ background: var(--lamp); --say: var(--lamp-ink); --lit: var(--petrol-700); --under: var(--lamp-ink); }}
.firm, h1, .under, .scene {{ position: absolute; margin: 0; }}
.firm {{
  left: 72px; top: 52px; display: flex; gap: 18px; align-items: center;
  color: var(--say); font: 600 38px/1 var(--font-head); letter-spacing: -.02em;
}}
.firm img {{ width: 50px; height: 56px; }}
h1 {{ left: 70px; top: 190px; font: 600 100px/1.08 var(--font-head); letter-spacing: -.022em; color: var(--say); }}
h1 {{ white-space: nowrap; }}
.above h1 {{ top: 144px; }}
h1 em {{ display: block; font-style: normal; color: var(--lit); }}
.under {{ left: 74px; top: 436px; font: 600 38px/1.2 var(--font-body); color: var(--under); }}
img.scene, .scene img, .scene svg {{ display: block; max-width: none; }}
.street {{ left: -120px; bottom: 0; width: 1440px; }}
.street.raised {{ left: 0; bottom: 66px; width: {WIDTH}px; }}
.path {{ left: 0; right: 0; bottom: 0; height: 66px; background-size: 132px 66px; }}
.arch {{
  right: 72px; bottom: 0; width: 352px; height: 530px; border-radius: var(--arch);
  background: var(--theme-bg); overflow: hidden;
}}
.arch img {{ position: absolute; bottom: 0; left: 16px; width: 320px; height: 427px; }}
.stone .arch {{ background: var(--petrol-200); }}
.paved svg {{ position: absolute; bottom: 66px; left: 0; overflow: visible; }}
.paved::after {{ content: ""; position: absolute; inset: auto 0 0; height: 66px; background: var(--stone-300); }}
.lamp .arch {{ background: var(--lamp-100); }}
.row-of-doors {{ left: 72px; right: 72px; bottom: 0; display: flex; gap: 18px; }}
.row-of-doors > div {{ flex: 1; border-radius: var(--arch); background: var(--theme-bg); padding: 34px 22px 0; }}
.row-of-doors img {{ width: 100%; height: auto; }}
.window {{ right: 72px; top: 186px; width: 408px; display: grid; gap: 18px; }}
.window svg {{ width: 100%; height: auto; }}
.plate {{
  border-width: 4px; border-radius: 18px; color: var(--ink); text-align: center;
  box-shadow: inset 0 0 0 6px #fff, inset 0 0 0 8px var(--petrol-200);
}}
.window .plate {{ padding: 14px; font: 600 38px/1.2 var(--font-head); white-space: nowrap; }}
.keys {{ right: 72px; top: 125px; display: grid; grid-template-columns: 190px 190px; gap: 20px; }}
.keys .plate {{ padding: 0; height: 190px; font: 600 140px/176px var(--font-head); }}
.keys .plate:last-child {{
  background: var(--lamp); box-shadow: inset 0 0 0 6px var(--lamp), inset 0 0 0 8px var(--lamp-ink);
}}
.cards img {{ width: 380px; height: 136px; }}
.cards div {{
  position: absolute; right: 60px; width: 380px; border-radius: 18px; overflow: hidden; background: #fff;
  box-shadow: 0 0 0 2px var(--stone-300); font: 600 31px/1.2 var(--font-head);
}}
.cards p {{ padding: 16px 22px 20px; white-space: nowrap; }}
.cards div:nth-child(1) {{ top: 48px; }}
.cards div:nth-child(2) {{ top: 282px; }}
.cards div:nth-child(3) {{ top: 516px; }}
.cards {{ inset: 0; }}
.lenders {{ right: 72px; top: 27px; display: grid; grid-template-columns: repeat(2, 236px); gap: 14px; }}
.lenders span {{ padding: 16px; border-radius: 14px; background: #fff; }}
.lenders img {{ width: 204px; height: 72px; }}
.mark {{ right: 72px; bottom: 66px; }}
.mark img {{ width: 288px; height: 320px; }}
"""

LIGHT = ("day", "stone", "white", "lamp")
"""Grounds that the dark mark stands on."""

Drawn = tuple[str, Markup]
"""The ground of a scene, classes of the style above with the colour first, and its drawing as html."""


def scene(name: str, firm: str) -> str:
    """Return the page that a picture is taken of; raises KeyError for a name that no picture has."""
    picture = PICTURES[name]
    ground, drawing = _drawn(name)
    theme = THEMES.get(name, "")
    themed = Markup(' style="--theme: var(--{0}); --theme-bg: var(--{0}-bg)"').format(theme) if theme else ""
    mark = "mark" if ground.split()[0] in LIGHT else "mark-on-dark"
    return Markup(
        '<!doctype html><html lang="en-GB" data-moved><meta charset="utf-8"><link rel="stylesheet" href="/site.css">'
        '<style>{}</style><body class="{}"{}><p class="firm"><img src="/art/{}.svg" alt="">{}</p>{}'
        '<h1>{}<em>{}</em></h1><p class="under">{}</p>'
    ).format(Markup(_STYLE), ground, themed, mark, firm, drawing, picture.first, picture.second, picture.under)


def _drawn(name: str) -> Drawn:
    if name in GUIDE_SUBJECTS:
        return _guide(GUIDE_SUBJECTS[name])
    return _door(name) if name in THEMES else SCENES[name]()


def _scene(kind: str, *parts: Markup) -> Markup:
    return Markup('<div class="scene {}">{}</div>').format(kind, Markup("").join(parts))


def _art(name: str) -> Markup:
    return Markup('<img src="/art/{}.svg" alt="">').format(name)


def _plate(words: str) -> Markup:
    return Markup('<div class="plate">{}</div>').format(words)


def _path(name: str) -> Markup:
    return Markup('<div class="scene path" style="background-image: url(/art/tiles-{}.svg)"></div>').format(name)


def _door(service: str) -> Drawn:
    return "themed", _scene("arch", _art(f"door-{service}"))


def _guide(subject: GuideSubject) -> Drawn:
    """Return the subject of a guide on the pavement under an arch."""
    shapes = (shape for shape in MOTIFS[subject]() if shape != floor())
    top = BELOW.get(subject, 0) - SIDE + FLOOR
    drawing = document(render(shapes), box=f"-4 {top} {SIDE + 8} {SIDE}", size="352x302")
    return "stone", _scene("arch paved", Markup(drawing))


def _home() -> Drawn:
    return "dark above", Markup('<img class="scene street" src="/art/street-home-dusk.svg" alt="">')


def _towns() -> Drawn:
    street = Markup('<img class="scene street raised" src="/art/street-ealing.svg" alt="">')
    return "day above", street + _path("ealing")


def _rates() -> Drawn:
    return "dark", _scene("window", Markup(fanlight(50)), _plate("50% loan to value"))


def _calculators() -> Drawn:
    return "day", _scene("keys", *map(_plate, "+−×="))


def _guides() -> Drawn:
    card = Markup("<div>{}<p>{}</p></div>")
    return "stone", _scene("cards", *(card.format(_art(art), title) for art, title in CARDS))


def _lenders() -> Drawn:
    return "dusk", _scene("lenders", *(Markup("<span>{}</span>").format(_art(f"lender-{slug}")) for slug in PLATES))


def _deals() -> Drawn:
    door = Markup('<div style="--theme-bg: var(--{}-bg)">{}</div>')
    return "white above", _scene("row-of-doors", *(door.format(THEMES[each], _art(f"door-{each}")) for each in DOORS))


def _reviews() -> Drawn:
    return "lamp", _scene("arch", _art("door-thankyou"))


def _texts() -> Drawn:
    return "day", _scene("mark", _art("mark")) + _path("home")


SCENES: Mapping[str, Callable[[], Drawn]] = {
    HOME: _home,
    RATES: _rates,
    CALCULATORS: _calculators,
    GUIDES: _guides,
    TOWNS: _towns,
    LENDERS: _lenders,
    DEALS: _deals,
    REVIEWS: _reviews,
    TEXTS: _texts,
}
"""The scene of every family that is neither a service's nor a guide's: those show its door, or its subject."""
