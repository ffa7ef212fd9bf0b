"""Tolerant reading of fields: dates in three forms, choices, images, numbers, titles."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from broker.content.wordpress import fields

SIZED = {"url": "https://e.test/a.jpg", "alt": "A &amp; B", "sizes": {"large": "https://e.test/a-1024.jpg"}}
PICTURE = "https://e.test/a.jpg"


def large_image(tree: Any) -> str:
    return fields.image_address(tree, large=True)


def row_count(tree: Any) -> int:
    return len(fields.rows(tree))


READ: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (fields.day, "05/03/2024", date(2024, 3, 5)),
    (fields.day, "20240305", date(2024, 3, 5)),
    (fields.day, "2025-06-04T00:00:00+00:00", date(2025, 6, 4)),
    (fields.day, "2025-03-04T03:33:33", date(2025, 3, 4)),
    (fields.day, "2025-03-04", date(2025, 3, 4)),
    (fields.day, "2025-03-08 14:27:26", date(2025, 3, 8)),
    *((fields.day, nothing, None) for nothing in ("", None, False, "0000-00-00 00:00:00")),
    (fields.choices, ["property", "mortgaging"], ("property", "mortgaging")),
    (fields.choices, ["property", "property"], ("property",)),
    (fields.choices, [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}], ("a", "b")),
    (fields.choices, {"value": "a", "label": "A"}, ("a",)),
    (fields.choices, "radio", ("radio",)),
    *((fields.choices, nothing, ()) for nothing in ("", None, False, [])),
    (fields.choice, ["property", "mortgaging"], "property"),
    (fields.choice, {"value": "a", "label": "A"}, "a"),
    (fields.choice, "radio", "radio"),
    *((fields.choice, nothing, "") for nothing in ("", None, False, [])),
    (large_image, {"node": {"sourceUrl": PICTURE}}, PICTURE),
    (large_image, {"sourceUrl": PICTURE}, PICTURE),
    (large_image, SIZED, "https://e.test/a-1024.jpg"),
    (large_image, [{"source_url": PICTURE}], PICTURE),
    (large_image, PICTURE, PICTURE),
    *((large_image, nothing, "") for nothing in ({"node": None}, 4, "4", False, None, [])),
    (fields.image_alt, SIZED, "A & B"),
    (fields.image_alt, {"node": {"altText": "x"}}, "x"),
    (fields.image_alt, 4, ""),
    *((fields.number, given, value) for given, value in (("1", 1.0), ("0.85", 0.85), (3, 3.0))),
    *((fields.number, nothing, None) for nothing in ("", None, True, "1e9")),
    (fields.title, "APRC < the &amp; print", "APRC < the &amp; print"),
    (fields.title, {"rendered": "what&#8217;s &#038; <em>how</em>"}, "what’s & how"),
    (row_count, {"nodes": [{}, None, 1]}, 1),
    (row_count, {"edges": [{"node": {}}, {"node": None}]}, 1),
    (row_count, {"0": {}, "2": {}}, 2),
    (row_count, [], 0),
    *((fields.parse_switch, nothing, False) for nothing in (False, [], None, "", {})),
]


@pytest.mark.parametrize(("reader", "given", "wanted"), READ)
def test_field_is_read_in_every_form(reader: Callable[[Any], Any], given: Any, wanted: Any) -> None:
    found = reader(given)
    assert (found, type(found)) == (wanted, type(wanted))


@pytest.mark.parametrize("written", ["31/02/2025", "5 March", "2025-13-01", "03/05/24/1"])
def test_day_of_no_form_is_an_error(written: str) -> None:
    with pytest.raises(fields.DateError):
        fields.day(written)


def test_missing_fields_are_none() -> None:
    for acf in (False, [], None, "", {}):
        assert fields.at({"acf": acf}, "acf", "lender_pages_section", "content") is None
