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


LABELLED = {"value": "a", "label": "A"}
READ: list[tuple[Callable[[Any], Any], Any, tuple[Any, ...]]] = [
    # the reader, what it returns, and what it is called with
    (fields.day, date(2024, 3, 5), ("05/03/2024", "20240305")),
    (fields.day, date(2025, 3, 4), ("2025-03-04T03:33:33", "2025-03-04", "2025-03-04T00:00:00+00:00")),
    (fields.day, date(2025, 3, 8), ("2025-03-08 14:27:26",)),
    (fields.day, None, ("", None, False, "0000-00-00 00:00:00")),
    (fields.choices, ("property", "mortgaging"), (["property", "mortgaging"], ["property", "mortgaging", "property"])),
    (fields.choices, ("a", "b"), ([LABELLED, {"value": "b", "label": "B"}],)),
    (fields.choices, ("a",), (LABELLED, "a")),
    (fields.choices, (), ("", None, False, [])),
    (fields.choice, "a", (["a", "b"], LABELLED, "a")),
    (fields.choice, "", ("", None, False, [])),
    (
        large_image,
        PICTURE,
        ({"node": {"sourceUrl": PICTURE}}, {"sourceUrl": PICTURE}, [{"source_url": PICTURE}], PICTURE),
    ),
    (large_image, "https://e.test/a-1024.jpg", (SIZED,)),
    (large_image, "", ({"node": None}, 4, "4", False, None, [])),
    (fields.image_alt, "A & B", (SIZED, {"node": {"altText": "A & B"}})),
    (fields.image_alt, "", (4,)),
    (fields.number, 3.0, ("3", 3)),
    (fields.number, 0.85, ("0.85",)),
    (fields.number, None, ("", None, True, "1e9")),
    (fields.title, "APRC < the &amp; print", ("APRC < the &amp; print",)),
    (fields.title, "what’s & how", ({"rendered": "what&#8217;s &#038; <em>how</em>"},)),
    (row_count, 1, ({"nodes": [{}, None, 1]}, {"edges": [{"node": {}}, {"node": None}]})),
    (row_count, 2, ({"0": {}, "2": {}},)),
    (row_count, 0, ([],)),
    (fields.parse_switch, False, (False, [], None, "", {})),
]


@pytest.mark.parametrize(("reader", "wanted", "written"), READ)
def test_field_is_read_in_every_form(reader: Callable[[Any], Any], wanted: Any, written: tuple[Any, ...]) -> None:
    for each in written:
        found = reader(each)
        assert (found, type(found)) == (wanted, type(wanted)), each


def test_day_of_no_form_is_an_error_and_missing_fields_are_none() -> None:
    for written in ("31/02/2025", "5 March", "2025-13-01", "03/05/24/1"):
        with pytest.raises(fields.DateError):
            fields.day(written)
    for acf in (False, [], None, "", {}):
        assert fields.at({"acf": acf}, "acf", "lender_pages_section", "content") is None
