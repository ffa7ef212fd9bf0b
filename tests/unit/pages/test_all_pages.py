import sys
from pathlib import Path

import pytest

import broker.pages
from broker import routes
from broker.analytics.counted import Counted
from broker.content.menus import MenuItem, MenuLink, menu_links
from broker.pages import all_pages
from broker.pages.layout import tools_group
from broker.pages.registry import Section
from broker.pages.site.search import site_index
from tests.unit.pages.whole_site import inputs

NEW_PAGE = """
import reflex as rx
from broker.site_search.index import Kind
from broker.pages.registry import Page, Section
from broker.site_search.view import SearchWords

def pages(inputs):
    return (
        Page(
            route="/our-promise/",
            title="What we promise",
            description="What we promise everybody who asks us.",
            render=rx.fragment,
            section=Section.FIRM,
            search=SearchWords(keywords=("pledge",)),
        ),
    )
"""


def test_a_page_is_added_by_a_module_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "our_promise.py").write_text(NEW_PAGE)
    monkeypatch.setattr(broker.pages, "__path__", [*broker.pages.__path__, str(tmp_path)])
    pages = all_pages(inputs())
    monkeypatch.delitem(sys.modules, "broker.pages.our_promise")
    (added,) = [page for page in pages if page.route == "/our-promise/"]
    assert (added.name, added.section, added.counted_as) == ("What we promise", Section.FIRM, Counted.OTHER)
    found = [entry for entry in site_index(pages).entries if entry.href == added.route]
    assert [(entry.title, entry.keywords) for entry in found] == [("What we promise", ("pledge",))]


def test_every_indexed_page_is_on_the_sitemap_page_or_has_a_parent_there() -> None:
    pages = all_pages(inputs())
    listed = {page.route for page in pages if page.section}
    unlisted = [page.route for page in pages if page.indexed and page.route not in listed]
    lone = [one for one in unlisted if not one.startswith(routes.LENDERS)]
    assert set(lone) == {routes.HOME, routes.QUESTIONNAIRE, routes.SITE_MAP}


def test_every_page_for_visitors_is_counted_as_one_kind_and_no_other_page_is() -> None:
    pages = all_pages(inputs())
    uncounted = {page.route for page in pages if page.counted_as is None}
    assert uncounted == {page.route for page in pages if page.route.startswith(routes.STAFF)} | {
        *(routes.UPDATE_LENDERS, routes.TEST, routes.NOT_FOUND)
    }
    kinds = {page.counted_as for page in pages} - {None}
    assert kinds == {kind for kind in Counted if kind.startswith("page: ")}
    by_route = {page.route: page.counted_as for page in pages}
    assert (by_route[routes.CONTACT], by_route[routes.ABOUT]) == (Counted.CONTACT, Counted.OTHER)


def test_footer_finds_the_tools_whatever_their_heading() -> None:
    rates = MenuItem(id="7", label="Rates", path="/rates/")
    links = menu_links(
        (MenuItem(id="1", label="Work it out", children=(rates,)), MenuItem(id="2", label="Home", path="/"))
    )
    group = tools_group(links)
    assert group == MenuLink(label="Work it out", href="", links=(MenuLink(label="Rates", href=routes.RATES),))
    assert tools_group(links[1:]) is None
