"""The search of this site in the export: what it finds is there, it is light, and it weighs on no other page."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from broker import routes
from broker.markup import is_indexed, parse_page
from broker.pages import all_pages
from broker.pages.site.search import site_index
from broker.server.exported_site import data_file, read_export
from broker.site_search.view import SearchPage, entry_groups, search_file
from tests.unit.pages.whole_site import inputs

MAX_HTML = 62_000
MAX_INDEX = 70_000
"""Most bytes of the page without its styles, and of the compressed index that it fetches."""

INDEX = site_index(all_pages(inputs()))
ENTRIES = INDEX.entries


@pytest.fixture(scope="module")
def search(site: Path) -> str:
    export = read_export(site, "https://www.example.co.uk")
    return export.templates.render(routes.edge_template("search"), {"page": SearchPage(groups=entry_groups(INDEX))})


def listed(page: str) -> set[str]:
    main = page[page.index("<main") : page.index("</main")]
    return {unescape(link.get("href", "")) for link in parse_page(main).iter("a")}


def test_everything_that_can_be_found_is_listed_without_scripts(search: str) -> None:
    assert {entry.href for entry in ENTRIES} <= listed(search)
    assert re.search(r'<form[^>]* action="/search/"', search)
    assert re.search(r'<input[^>]* name="q"', search)


def test_everything_that_can_be_found_has_its_place_on_a_page(html: dict[str, str]) -> None:
    lost = []
    for entry in ENTRIES:
        address = urlsplit(entry.href)
        place = f' id="{address.fragment}"' if address.fragment else "<main"
        if place not in html.get(address.path, ""):
            lost.append(entry.href)
    assert lost == []


def test_page_is_light_and_not_indexed(search: str) -> None:
    assert len(re.sub(r"<style.*?</style>", "", search, flags=re.DOTALL).encode()) <= MAX_HTML
    assert not is_indexed(parse_page(search))


def test_index_is_light_and_only_this_page_knows_of_it(site: Path) -> None:
    assert len(data_file(search_file(INDEX)).body) <= MAX_INDEX
    knowing = [file.name for file in (site / "assets").glob("*.js") if routes.SEARCH_INDEX in file.read_text("utf-8")]
    assert len(knowing) == 1
    assert "search" in knowing[0]


APART = (routes.QUESTIONNAIRE, routes.STAFF, routes.UPDATE_LENDERS)
"""Where nothing leads away from what is being done: the questions, and the staff area."""


def test_every_page_leads_to_the_search(html: dict[str, str]) -> None:
    whole = {path: page for path, page in html.items() if not path.startswith(APART)}
    assert [path for path, page in whole.items() if f'href="{routes.SEARCH}"' not in page] == []
    assert re.search(r'<form[^>]* action="/search/"', html[routes.NOT_FOUND])
