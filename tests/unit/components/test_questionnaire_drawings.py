import json
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from broker.components.drawings import write
from broker.components.drawings.palette import LAMP
from broker.components.drawings.questionnaire.cards import CARDS, card
from broker.components.drawings.questionnaire.colours import COLOURS, MIST
from broker.components.elements.picture import card_drawing

SVG = "{http://www.w3.org/2000/svg}"
FLOW = json.loads((write.ROOT / "data" / "questionnaire.json").read_text(encoding="utf-8"))
NAMED = {option["img"] for step in FLOW.values() for option in step.get("options", {}).values()}


def paths(name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(card(name)))


def test_drawings_are_exactly_those_that_the_flow_names() -> None:
    assert set(CARDS) == NAMED
    with pytest.raises(KeyError):
        card("moon")


def test_cards_are_decoration_in_a_square_of_48_units() -> None:
    expected = (f"{SVG}svg", "0 0 48 48", "48", "48", "true")
    roots = {name: ElementTree.fromstring(card(name)) for name in CARDS}
    names = ("viewBox", "width", "height", "aria-hidden")
    found = {name: (root.tag, *(root.attrib[each] for each in names)) for name, root in roots.items()}
    assert {name: each for name, each in found.items() if each != expected} == {}


def test_cards_are_flat_paths_in_several_colours_of_the_site() -> None:
    for name in CARDS:
        painted = {path.attrib[side] for path in paths(name) for side in ("fill", "stroke") if side in path.attrib}
        assert (name, {path.tag for path in paths(name)}, painted - {"none"} - COLOURS) == (name, {f"{SVG}path"}, set())
        assert len({path.attrib["fill"] + path.attrib.get("stroke", "") for path in paths(name)}) >= 4, name


def test_cards_weigh_300_to_1200_bytes() -> None:
    sizes = {name: len(card(name).encode()) for name in CARDS}
    assert {name: size for name, size in sizes.items() if not 300 <= size <= 1200} == {}


def test_cards_start_every_shape_on_their_tile() -> None:
    for name in CARDS:
        drawn = " ".join(path.attrib["d"] for path in paths(name))
        starts = re.findall(r"M(-?[\d.]+) (-?[\d.]+)", drawn)
        assert starts, name
        assert [start for start in starts if not all(-6 <= float(along) <= 48 for along in start)] == [], name


def test_cards_draw_upright_boxes_on_whole_pixels() -> None:
    boxes = [
        (name, corner)
        for name in CARDS
        for path in paths(name)
        if "stroke" not in path.attrib
        for corner in re.findall(r"M(\S+) (\S+?)h([\d.]+)v([\d.]+)h-[\d.]+z", path.attrib["d"])
    ]
    assert [box for box in boxes if not all(float(number).is_integer() for number in box[1])] == []


def test_cards_are_told_apart_by_more_than_colour() -> None:
    drawn = {name: "".join(path.attrib["d"] for path in paths(name)) for name in CARDS}
    assert [pair for pair in combinations(sorted(CARDS), 2) if drawn[pair[0]] == drawn[pair[1]]] == []


@pytest.mark.parametrize(("name", "lit", "dim"), [("calendar-near", 20, 30), ("calendar-later", 30, 20)])
def test_calendar_lights_the_months_that_are_meant(name: str, lit: int, dim: int) -> None:
    rows = {path.attrib["d"].split("h")[0]: path.attrib["fill"] for path in paths(name)}
    assert (rows[f"M10 {lit}"], rows[f"M10 {dim}"]) == (LAMP, MIST)


def test_cards_on_disk_are_what_the_code_draws() -> None:
    drawn = {name: drawing + "\n" for name, drawing in write.card_art().items()}
    assert {path.name: path.read_text(encoding="utf-8") for path in write.CARD_ART.iterdir()} == drawn


def test_card_is_shown_from_its_file_where_it_has_one() -> None:
    shown = str(card_drawing("first-key", side=96, class_name="shown"))
    assert '"/art/questionnaire/first-key.svg"' in shown
    assert (shown.count('"96"'), '"shown"' in shown) == (2, True)
    assert "img" not in str(card_drawing("https://cms.example/moon.png"))
