"""The first drawing of a page: put into it, whatever it holds, and asked for by nothing else any more."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from broker.web.export.first_picture import data_address, with_first_picture

DRAWING = '<svg viewBox="0 0 4 2"><path d="M0-1h4" fill="#14525B"/><text>50% & more</text></svg>\n'
FIRST = '<img alt="" fetchPriority="high" height="2" src="/art/a.svg" width="4"/>'
PAGE = (
    '<head><link rel="preload" as="image" href="/art/a.svg" fetchPriority="high"/></head>'
    f'<img alt="" loading="lazy" src="/art/b.svg"/>{FIRST}'
)


def test_first_drawing_is_in_the_page_and_not_asked_for_besides() -> None:
    page = with_first_picture(PAGE, {"/art/a.svg": DRAWING}.__getitem__)
    assert (page.count("/art/a.svg"), page.count("/art/b.svg"), page.count("rel=")) == (0, 1, 0)
    (address,) = re.findall(r'src="(data:[^"]*)"', page)
    assert address == data_address(DRAWING)
    assert f'height="2" src="{address}" width="4"/>' in page


def test_address_of_a_drawing_says_the_drawing_and_may_stand_in_an_attribute() -> None:
    kind, _, said = data_address(DRAWING).partition(",")
    assert (kind, unquote(said)) == ("data:image/svg+xml", DRAWING.replace('"', "'"))
    assert re.findall(r'["<>#&\n]', said) == []


@pytest.mark.parametrize(
    ("page", "drawing"),
    [
        pytest.param(PAGE, "", id="a drawing that is not there yet"),
        pytest.param(PAGE.replace(".svg", ".png"), DRAWING, id="a photograph"),
        pytest.param(PAGE.replace(FIRST, ""), DRAWING, id="no picture that is first"),
    ],
)
def test_any_other_page_stays_as_it_is(page: str, drawing: str) -> None:
    assert with_first_picture(page, lambda _: drawing) == page
