from html import escape

import pytest

from broker.jinja_places import variable
from broker.markup import page_html, parse_page
from broker.rates.search_page import DESCRIPTION, TITLE
from broker.server.export.templates import MissingPlaceError, search_template

REGIONS = '<section id="search-region">new <section></section></section><section id="deals">list</section>'
BODY = '<section id="search-region">old</section><section id="deals">old</section>'
WORDS, MORE = 'Buy & let: the firm\'s "deals"', "What it's worth & more"


def page(title: str = WORDS, description: str = MORE) -> str:
    named = (
        f'<meta name="description" content="{escape(description)}"><meta property="og:title" content="{escape(title)}">'
    )
    return f"<html><head><title>{escape(title)}</title>{named}</head><body>{BODY}</body></html>"


def test_head_has_places_for_title_and_description() -> None:
    root = parse_page(page())
    search_template(root, parse_page(REGIONS))
    made = page_html(root)
    assert f"<title>{variable(TITLE)}</title>" in made
    assert f'content="{variable(TITLE)}"' in made
    assert f'content="{variable(DESCRIPTION)}"' in made
    assert made.count("new <section></section></section>") == made.count("list</section>") == 1
    assert "old" not in made


@pytest.mark.parametrize("lost", ["<title>", 'id="deals"', 'name="description"'])
def test_page_without_a_part_is_refused(lost: str) -> None:
    with pytest.raises(MissingPlaceError):
        search_template(parse_page(page().replace(lost, "<b>")), parse_page(REGIONS))
