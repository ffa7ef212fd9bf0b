import json
from xml.etree import ElementTree

from broker.components.elements import CARDS, card_drawing
from broker.settings import ROOT

FLOW = json.loads((ROOT / "data" / "questionnaire.json").read_text(encoding="utf-8"))


def test_drawings_are_exactly_those_that_the_flow_names() -> None:
    assert {option["img"] for step in FLOW.values() for option in step.get("options", {}).values()} == CARDS


def test_cards_are_small_decoration_in_a_square_of_48_units() -> None:
    files = {name: (ROOT / "assets" / "art" / "questionnaire" / f"{name}.svg").read_bytes() for name in CARDS}
    roots = {name: ElementTree.fromstring(drawing).attrib for name, drawing in files.items()}
    sizes = {(root["viewBox"], root["width"], root["height"], root["aria-hidden"]) for root in roots.values()}
    assert sizes == {("0 0 48 48", "48", "48", "true")}
    assert {name: len(drawing) for name, drawing in files.items() if len(drawing) > 1200} == {}
    assert len(set(files.values())) == len(files), "drawings that nobody can tell apart"


def test_card_is_shown_from_its_file_where_it_has_one() -> None:
    assert '"/art/questionnaire/first-key.svg"' in str(card_drawing("first-key"))
    assert "img" not in str(card_drawing("https://cms.example/moon.png"))
