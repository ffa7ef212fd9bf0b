"""What every exported page holds, read from the files themselves."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from broker import routes
from broker.settings import read_settings
from broker.web.export.finish import finish
from broker.web.markup import elements


def links(page: str) -> set[str]:
    """Return the paths of this site that a page links to, without query and fragment."""
    targets = (link.attributes.get("href", "") for link in elements(page, "a"))
    return {urlsplit(target).path for target in targets if target.startswith("/")}


def test_no_page_links_through_a_redirect(html: dict[str, str]) -> None:
    assert {target for page in html.values() for target in links(page) if routes.permanent(target)} == set()


def test_menu_links_do_not_point_at_their_own_page(html: dict[str, str]) -> None:
    assert {path for path, page in html.items() if path != "/" and links(page) <= {path}} == set()


def test_external_links_in_new_tabs_have_noopener(html: dict[str, str]) -> None:
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


def test_finishing_the_export_again_changes_nothing(site: Path) -> None:
    files = {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()}
    finish(site, read_settings().site_url)
    assert {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()} == files
