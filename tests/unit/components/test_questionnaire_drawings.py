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


def test_every_drawing_that_the_flow_names_is_there() -> None:
    assert NAMED - set(CARDS) == set()


def test_no_drawing_is_left_that_the_flow_does_not_name() -> None:
    assert set(CARDS) - NAMED == set()


def test_unknown_card_is_refused() -> None:
    with pytest.raises(KeyError):
        card("moon")


@pytest.mark.parametrize("name", CARDS)
def test_card_is_a_square_of_48_units_and_decoration(name: str) -> None:
    root = ElementTree.fromstring(card(name))
    assert root.tag == f"{SVG}svg"
    assert (root.attrib["viewBox"], root.attrib["width"], root.attrib["height"]) == ("0 0 48 48", "48", "48")
    assert root.attrib["aria-hidden"] == "true"


@pytest.mark.parametrize("name", CARDS)
def test_card_is_flat_paths_in_the_colours_of_the_site(name: str) -> None:
    assert {path.tag for path in paths(name)} == {f"{SVG}path"}
    painted = {path.attrib[side] for path in paths(name) for side in ("fill", "stroke") if side in path.attrib}
    assert painted - {"none"} <= COLOURS


@pytest.mark.parametrize("name", CARDS)
def test_card_is_a_picture_of_several_colours(name: str) -> None:
    assert len({path.attrib["fill"] + path.attrib.get("stroke", "") for path in paths(name)}) >= 4


@pytest.mark.parametrize("name", CARDS)
def test_card_is_light(name: str) -> None:
    assert 300 <= len(card(name).encode()) <= 1200


@pytest.mark.parametrize("name", CARDS)
def test_card_starts_every_shape_on_its_tile(name: str) -> None:
    starts = [start for path in paths(name) for start in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path.attrib["d"])]
    assert starts
    assert all(-6 <= float(along) <= 48 for start in starts for along in start)


@pytest.mark.parametrize("name", CARDS)
def test_card_draws_upright_boxes_on_whole_pixels(name: str) -> None:
    boxes = [
        corner
        for path in paths(name)
        if "stroke" not in path.attrib
        for corner in re.findall(r"M(\S+) (\S+?)h([\d.]+)v([\d.]+)h-[\d.]+z", path.attrib["d"])
    ]
    assert all(float(number).is_integer() for corner in boxes for number in corner)


def test_cards_are_told_apart_by_more_than_colour() -> None:
    drawn = {name: "".join(path.attrib["d"] for path in paths(name)) for name in CARDS}
    same = {pair for pair in combinations(sorted(CARDS), 2) if drawn[pair[0]] == drawn[pair[1]]}
    assert same == set()


@pytest.mark.parametrize(("name", "lit", "dim"), [("calendar-near", 20, 30), ("calendar-later", 30, 20)])
def test_calendar_lights_the_months_that_are_meant(name: str, lit: int, dim: int) -> None:
    rows = {path.attrib["d"].split("h")[0]: path.attrib["fill"] for path in paths(name)}
    assert (rows[f"M10 {lit}"], rows[f"M10 {dim}"]) == (LAMP, MIST)


def test_cards_on_disk_are_what_the_code_draws() -> None:
    drawn = {name: drawing + "\n" for name, drawing in write.card_art().items()}
    assert {path.name: path.read_text(encoding="utf-8") for path in write.CARD_ART.iterdir()} == drawn


def test_card_is_shown_from_its_file() -> None:
    shown = str(card_drawing("first-key", side=96, class_name="shown"))
    assert '"/art/questionnaire/first-key.svg"' in shown
    assert (shown.count('"96"'), '"shown"' in shown) == (2, True)


def test_card_without_a_drawing_shows_none() -> None:
    assert "img" not in str(card_drawing("https://cms.example/moon.png"))
