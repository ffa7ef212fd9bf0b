import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from broker.components.drawings import monogram, shapes, street
from broker.components.drawings.door import DOORS, door
from broker.components.drawings.shapes import LAMP, Seed, render, rounded
from broker.components.drawings.tiles import tiles
from broker.components.elements import DESK_ICONS, ICONS
from broker.settings import ROOT

SLUGS = (
    *("", "home", "ealing", "remortgaging", "what-is-loan-to-value", "is-a-35-years-mortgage-normal"),
    *("llanfairpwllgwyngyll", "st-mary's & st-john's", "Zürich", *(f"town-{number}" for number in range(60))),
)
NAMES = (
    *("HSBC UK", "Halifax", "Nationwide Building Society", "Hinckley & Rugby Building Society", "Crédit Agricole", "A"),
    *("Newcastle Intermediaries Building Society", "Kent Reliance for Intermediaries", "The Co-operative Bank"),
    *("Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", 'Smith <Sons> "and" Daughters'),
)


def drawings_of(slug: str) -> tuple[str, ...]:
    return street.skyline(slug), tiles(slug), monogram.monogram("Hinckley & Rugby", slug)


def luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_drawings_of_a_slug_are_the_same_well_formed_and_state_their_size() -> None:
    for slug in SLUGS:
        drawings = drawings_of(slug)
        assert drawings == drawings_of(slug)
        for drawing in drawings:
            root = ElementTree.fromstring(drawing)
            *_, width, height = map(float, root.attrib["viewBox"].split())
            stated = float(root.attrib["width"]) / float(root.attrib["height"])
            assert (slug, root.tag) == (slug, "{http://www.w3.org/2000/svg}svg")
            assert abs(stated - width / height) < 0.005, slug


def test_streets_have_exactly_one_lit_door() -> None:
    for slug in SLUGS:
        (lit,) = (plot for plot in street.plan(Seed(slug)) if plot.door_lit)
        assert (slug, street.WIDTH * 0.18 < lit.x < street.WIDTH * 0.82) == (slug, True)
        assert re.search(rf'<path d="[^"]+" fill="{LAMP}"/>', street.skyline(slug)), slug


def test_streets_differ_and_have_one_church_and_one_lit_window_at_most() -> None:
    assert len({street.skyline(slug) for slug in SLUGS}) == len(SLUGS)
    streets = [street.plan(Seed(slug)) for slug in SLUGS]
    assert {[plot.kind for plot in plots].count("church") for plots in streets} == {0, 1}
    assert {sum(plot.lamp is not None for plot in plots) for plots in streets} <= {0, 1}


def test_doors_of_services_are_in_their_colours() -> None:
    drawn = {slug: door(front) for slug, front in DOORS.items()}
    assert [slug for slug in DOORS if f'fill="{DOORS[slug].colour}"' not in drawn[slug]] == []
    assert {ElementTree.fromstring(drawing).tag for drawing in drawn.values()} == {"{http://www.w3.org/2000/svg}svg"}


def test_fanlight_has_nine_bars_and_is_lit_to_its_percentage() -> None:
    shares = {0: "0", 50: "50", 62.5: "62.5", 95: "95", 100: "100", 140: "100", -1: "0"}
    for percent, share in shares.items():
        root = ElementTree.fromstring(shapes.fanlight(percent))
        lit = next(part for part in root if part.attrib.get("class") == "dial-lit")
        assert (lit.attrib["stroke-dasharray"], lit.attrib["pathLength"]) == (f"{share} 100", "100")
    bars = shapes.BARS.split("M")[1:]
    assert (len(bars), bars[4]) == (9, "100 54L100 8")


def test_monogram_has_its_name_and_its_initials() -> None:
    roots = [ElementTree.fromstring(monogram.monogram(name, "slug")) for name in NAMES]
    assert [(root.attrib["role"], root.attrib["aria-label"]) for root in roots] == [("img", name) for name in NAMES]
    initials = {"Hinckley & Rugby Building Society": "HR", "Nationwide Building Society": "N", "first direct": "FD"}
    initials |= {"The Mortgage Works": "MW", "Bank of Ireland UK": "BI", "The Building Society": "B", "HSBC UK": "H"}
    assert {name: monogram.initials(name) for name in initials} == initials


def test_colours_have_enough_contrast_with_white() -> None:
    colours = [*monogram.COLOURS, *(front.colour for front in DOORS.values())]
    assert [colour for colour in colours if 1.05 / (luminance(colour) + 0.05) < 4.5] == []


def test_no_door_is_cut_at_its_left_edge() -> None:
    drawn = {slug: door(front) for slug, front in DOORS.items()}
    left = {slug: min(map(float, re.findall(r"M(-?[0-9.]+)", svg))) for slug, svg in drawn.items()}
    assert {slug: x for slug, x in left.items() if x < -10} == {}


@pytest.mark.parametrize(
    ("icons", "sheet", "row"), [(ICONS, "site.css", "icons.svg"), (DESK_ICONS, "desk.css", "desk-icons.svg")]
)
def test_stylesheet_counts_the_icons_as_they_are_drawn(icons: Sequence[str], sheet: str, row: str) -> None:
    css = (ROOT / "assets" / sheet).read_text(encoding="utf-8")
    counted = {name: int(place) for name, place in re.findall(r"^\.i-(\w+) \{ --icon: (\d+); \}$", css, re.MULTILINE)}
    assert counted == {name: place for place, name in enumerate(icons) if place}
    assert f"var(--icon, 0) / {len(icons) - 1}) 0 / {len(icons)}00% 100%" in css
    drawn = ElementTree.parse(ROOT / "assets" / "art" / row).getroot()
    assert (drawn.attrib["viewBox"], len(drawn[0])) == (f"0 0 {24 * len(icons)} 24", len(icons))


def test_round_boxes_are_never_joined() -> None:
    shape = rounded(0, 0, width=4, height=4, fill="#fff", radius=1)
    assert render([shape, shape]).count("<path") == 2


def test_every_picture_states_its_size_which_safari_needs() -> None:
    roots = {path.name: ElementTree.parse(path).getroot() for path in (ROOT / "assets").rglob("*.svg")}
    assert {name for name, root in roots.items() if not {"width", "height", "viewBox"} <= root.attrib.keys()} == set()
