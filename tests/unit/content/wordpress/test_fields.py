"""The tolerant way through answers: dates in three forms, choices, images, numbers, titles."""

from datetime import date
from typing import Any

import pytest

from broker.content.wordpress.fields import (
    DateError,
    at,
    choice,
    choices,
    day,
    image_address,
    image_alt,
    number,
    parse_switch,
    rows,
    title,
)

DAYS: list[tuple[Any, date | None]] = [
    ("05/03/2024", date(2024, 3, 5)),
    ("20240305", date(2024, 3, 5)),
    ("2025-06-04T00:00:00+00:00", date(2025, 6, 4)),
    ("2025-03-04T03:33:33", date(2025, 3, 4)),
    ("2025-03-04", date(2025, 3, 4)),
    ("2025-03-08 14:27:26", date(2025, 3, 8)),
    ("", None),
    (None, None),
    (False, None),
    ("0000-00-00 00:00:00", None),
]


@pytest.mark.parametrize(("written", "wanted"), DAYS)
def test_day_is_read_in_every_form(written: Any, wanted: date | None) -> None:
    assert day(written) == wanted


@pytest.mark.parametrize("written", ["31/02/2025", "5 March", "2025-13-01", "03/05/24/1"])
def test_day_of_no_form_is_an_error(written: str) -> None:
    with pytest.raises(DateError):
        day(written)


CHOICES: list[tuple[Any, tuple[str, ...]]] = [
    (["property", "mortgaging"], ("property", "mortgaging")),
    (["property", "property"], ("property",)),
    ([{"value": "a", "label": "A"}, {"value": "b", "label": "B"}], ("a", "b")),
    ({"value": "a", "label": "A"}, ("a",)),
    ("radio", ("radio",)),
    ("", ()),
    (None, ()),
    (False, ()),
    ([], ()),
]


@pytest.mark.parametrize(("given", "wanted"), CHOICES)
def test_choices_are_read_in_every_form(given: Any, wanted: tuple[str, ...]) -> None:
    assert choices(given) == wanted
    assert choice(given) == (wanted[0] if wanted else "")


SIZED = {"url": "https://e.test/a.jpg", "alt": "A &amp; B", "sizes": {"large": "https://e.test/a-1024.jpg"}}
IMAGES: list[tuple[Any, str]] = [
    ({"node": {"sourceUrl": "https://e.test/a.jpg"}}, "https://e.test/a.jpg"),
    ({"sourceUrl": "https://e.test/a.jpg"}, "https://e.test/a.jpg"),
    (SIZED, "https://e.test/a-1024.jpg"),
    ([{"source_url": "https://e.test/a.jpg"}], "https://e.test/a.jpg"),
    ("https://e.test/a.jpg", "https://e.test/a.jpg"),
    ({"node": None}, ""),
    (4, ""),
    ("4", ""),
    (False, ""),
    (None, ""),
    ([], ""),
]


@pytest.mark.parametrize(("given", "wanted"), IMAGES)
def test_image_is_an_object_an_id_or_nothing(given: Any, wanted: str) -> None:
    assert image_address(given, large=True) == wanted


def test_words_of_an_image_are_decoded() -> None:
    assert (image_alt(SIZED), image_alt({"node": {"altText": "x"}}), image_alt(4)) == ("A & B", "x", "")


@pytest.mark.parametrize(
    ("given", "wanted"), [("1", 1.0), ("0.85", 0.85), (3, 3.0), ("", None), (None, None), (True, None), ("1e9", None)]
)
def test_number_is_a_number_or_its_text(given: Any, wanted: float | None) -> None:
    assert number(given) == wanted


def test_titles_are_decoded_once() -> None:
    assert title("APRC < the &amp; print") == "APRC < the &amp; print"
    assert title({"rendered": "what&#8217;s &#038; <em>how</em>"}) == "what’s & how"


@pytest.mark.parametrize(
    ("given", "count"),
    [({"nodes": [{}, None, 1]}, 1), ({"edges": [{"node": {}}, {"node": None}]}, 1), ({"0": {}, "2": {}}, 2), ([], 0)],
)
def test_rows_are_read_in_every_form(given: Any, count: int) -> None:
    assert len(rows(given)) == count


@pytest.mark.parametrize("acf", [False, [], None, "", {}])
def test_missing_fields_are_no_surprise(acf: Any) -> None:
    assert at({"acf": acf}, "acf", "lender_pages_section", "content") is None
    assert parse_switch(acf) is False
