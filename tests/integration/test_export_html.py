"""What every exported page holds, read from the files themselves."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from broker import routes
from broker.settings import read_settings
from broker.web.export import finish, pages
from broker.web.exported import read_export
from broker.web.markup import canonical, elements, is_indexed, meta
from broker.web.paths import moved

LONGEST_TITLE = 70
LONGEST_DESCRIPTION = 170


@pytest.fixture(scope="module")
def html(site: Path) -> dict[str, str]:
    """The text of every page, by path."""
    return {path: file.read_text("utf-8") for path, file in pages(site).items()}


def title(page: str) -> str:
    """Return the title of a page."""
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    return found[1].strip() if found else ""


def links(page: str) -> set[str]:
    """Return the paths of this site that a page links to, without query and fragment."""
    targets = (link.attributes.get("href", "") for link in elements(page, "a"))
    return {urlsplit(target).path for target in targets if target.startswith("/")}


def test_every_page_has_one_heading_of_the_first_level(html: dict[str, str]) -> None:
    counts = {path: len(list(elements(page, "h1"))) for path, page in html.items()}
    assert {path: count for path, count in counts.items() if count != 1} == {}


def test_every_page_has_a_title_and_a_description_of_its_own(html: dict[str, str]) -> None:
    indexed = {path: page for path, page in html.items() if is_indexed(page)}
    titles = {path: title(page) for path, page in html.items()}
    descriptions = {path: meta(page, "description") or "" for path, page in html.items()}
    assert {path: text for path, text in titles.items() if not 0 < len(text) <= LONGEST_TITLE} == {}
    assert {path: text for path, text in descriptions.items() if not 0 < len(text) <= LONGEST_DESCRIPTION} == {}
    for texts in (titles, descriptions):
        repeated = Counter(texts[path] for path in indexed)
        assert {text: count for text, count in repeated.items() if count > 1} == {}


def test_every_indexed_page_is_canonical_at_its_own_address(html: dict[str, str]) -> None:
    base = read_settings().site_url
    given = {path: canonical(page) for path, page in html.items() if is_indexed(page)}
    assert given == {path: base + path for path in given}


def test_every_indexed_page_can_be_shared(html: dict[str, str]) -> None:
    wanted = ("og:title", "og:type", "og:image", "og:url")
    given = {path: [name for name in wanted if not meta(page, name)] for path, page in html.items() if is_indexed(page)}
    assert {path: missing for path, missing in given.items() if missing} == {}


def test_pages_of_decision_8_are_not_indexed(html: dict[str, str]) -> None:
    hidden = {routes.UPDATE_LENDERS, routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND} & set(html)
    assert {path for path in hidden if is_indexed(html[path])} == set()
    assert routes.NOT_FOUND in html


def test_every_link_leads_to_a_page_in_one_hop(site: Path, html: dict[str, str]) -> None:
    known = {*read_export(site, read_settings().site_url).files, routes.RATES_CSV}  # the edge makes that file itself
    dead = {
        path: sorted(target for target in links(page) if target not in known and not moved(target, known))
        for path, page in html.items()
    }
    assert {path: targets for path, targets in dead.items() if targets} == {}


def test_no_page_links_through_a_redirect(html: dict[str, str]) -> None:
    assert {target for page in html.values() for target in links(page) if routes.permanent(target)} == set()


def test_links_of_the_menu_lead_elsewhere(html: dict[str, str]) -> None:
    assert {path for path, page in html.items() if path != "/" and links(page) <= {path}} == set()


def test_links_to_other_hosts_in_a_new_tab_keep_this_page_to_themselves(html: dict[str, str]) -> None:
    open_tabs = {
        (path, link.attributes.get("href"))
        for path, page in html.items()
        for link in elements(page, "a")
        if link.has(target="_blank") and "noopener" not in link.attributes.get("rel", "")
    }
    assert open_tabs == set()


def test_nothing_is_fetched_from_another_origin(html: dict[str, str]) -> None:
    fetched = {
        address
        for page in html.values()
        for name, attribute in (("script", "src"), ("img", "src"), ("link", "href"))
        for element in elements(page, name)
        if not element.has(rel="canonical")
        if (address := element.attributes.get(attribute))
    }
    assert {
        address for address in fetched if not address.startswith(("/", "data:")) or address.startswith("//")
    } == set()


def test_every_image_has_its_words_and_its_size(html: dict[str, str]) -> None:
    lacking = {
        (path, image.attributes.get("src", ""))
        for path, page in html.items()
        for image in elements(page, "img")
        if not {"alt", "width", "height"} <= set(image.attributes)
    }
    assert lacking == set()


def test_structured_data_can_be_read(html: dict[str, str]) -> None:
    for page in html.values():
        for script in elements(page, "script"):
            if script.has(type="application/ld+json"):
                assert "@context" in json.loads(script.text)


def test_no_identifier_is_given_twice_on_a_page(html: dict[str, str]) -> None:
    for path, page in html.items():
        given = re.findall(r'<[a-z][^>]*? id="([^"]+)"', re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL))
        assert (path, [name for name, count in Counter(given).items() if count > 1]) == (path, [])


def test_nothing_holds_back_the_first_paint(html: dict[str, str]) -> None:
    for path, page in html.items():
        held = [link.written for link in elements(page, "link") if link.has(rel="modulepreload")]
        held += [
            link.written
            for link in elements(page, "link")
            if link.has(rel="stylesheet") and "disabled" not in link.attributes
        ]
        assert (path, held) == (path, [])
        assert page.count("<script data-head>") == page.count("<style data-from=") == 1


def test_the_sitemap_lists_exactly_the_indexed_pages(site: Path, html: dict[str, str]) -> None:
    base = read_settings().site_url
    listed = re.findall(r"<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8"))
    assert listed == sorted(base + path for path, page in html.items() if is_indexed(page))
    assert (site / "robots.txt").read_text("utf-8").endswith(f"Sitemap: {base}/sitemap.xml\n")


def test_finishing_the_export_again_changes_nothing(site: Path) -> None:
    files = {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()}
    finish(site, read_settings().site_url)
    assert {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()} == files
