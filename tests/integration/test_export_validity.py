"""Every exported page is valid: a strict parser finds no fault, and what it names and links to is there."""

from collections import Counter
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.calculators.registry import CALCULATORS
from tests.integration.reading import ReadPage, read_page

Pages = dict[str, ReadPage]

MADE_BY_THE_EDGE = {routes.RATES_CSV, routes.RATE_HISTORY_CSV}
MADE_BY_THE_EDGE |= {routes.STAFF_ACCOUNT, routes.STAFF_WINDOWS, routes.STAFF_MAIL, routes.STAFF_DIARY}
MADE_BY_THE_EDGE |= {routes.STAFF_LOGOS_FILE}
"""What the edge makes itself, from services that these tests do without."""

IN_HEAD = ("title", "description", "viewport", "og:image", "og:image:width", "og:image:height", "og:image:alt")


def faults(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {path: each[:3] for path, each in found.items() if each}


def test_parser_finds_no_error_in_any_page(read: Pages) -> None:
    assert faults({path: list(page.errors) for path, page in read.items()}) == {}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p><div>a block in a paragraph</div></p>", "unexpected-end-tag"),
        ('<a href="/"><a href="/b/">a link in a link</a></a>', "unexpected-start-tag-implies-end-tag"),
        ('<p id="a" id="b">twice</p>', "duplicate-attribute"),
        ("<table><p>words in a table</p></table>", "unexpected-start-tag-implies-table-voodoo"),
        ("<section>not closed", "expected-one-end-tag-but-got-another"),
    ],
)
def test_parser_would_find_a_planted_error(body: str, fault: str) -> None:
    page = read_page(f"<!doctype html><html><head><title>A page</title></head><body>{body}</body></html>")
    assert fault in " ".join(page.errors)


def test_headings_begin_with_the_one_of_the_first_level_and_skip_none(read: Pages) -> None:
    counts = {path: Counter(page.headings)[1] for path, page in read.items()}
    assert {path: count for path, count in counts.items() if count != 1} == {}
    assert {path: page.headings for path, page in read.items() if page.headings[0] != 1} == {}
    skipped = {
        path: [f"{level} after {before}" for before, level in pairwise(page.headings) if level > before + 1]
        for path, page in read.items()
    }
    assert faults(skipped) == {}


def test_head_has_title_description_and_canonical_once(read: Pages) -> None:
    counts = {path: Counter(page.head) for path, page in read.items()}
    assert faults({path: [name for name in IN_HEAD if count[name] != 1] for path, count in counts.items()}) == {}
    either = {path: count["canonical"] + count["robots"] for path, count in counts.items()}
    assert {path: count for path, count in either.items() if count != 1} == {}


def test_every_identifier_that_a_page_refers_to_is_on_it(read: Pages) -> None:
    assert faults({path: sorted(page.references - {*page.ids}) for path, page in read.items()}) == {}


def test_every_link_within_the_site_answers_at_once(read: Pages, web: TestClient) -> None:
    shapes: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for link in {link.partition("#")[0] for page in read.values() for link in page.links if link.startswith("/")}:
        path, query = urlsplit(link).path, urlsplit(link).query
        if path not in MADE_BY_THE_EDGE and not path.endswith(routes.RESULT_PDF):
            shapes.setdefault((path, tuple(parse_qs(query))), set()).add(link)
    dead = {link for links in shapes.values() if web.get(min(links)).status_code != 200 for link in links}
    found_on = {
        path: sorted(link for link in page.links if link.partition("#")[0] in dead) for path, page in read.items()
    }
    assert faults(found_on) == {}


def test_every_fragment_that_a_link_names_is_on_its_page(read: Pages) -> None:
    lost: dict[str, list[str]] = {}
    for path, page in read.items():
        for link in sorted(page.links):
            target, _, fragment = link.partition("#")
            to = read.get(urlsplit(target).path or path)
            if fragment and to and not link.startswith(("http", "tel:", "mailto:")) and unquote(fragment) not in to.ids:
                lost.setdefault(path, []).append(link)
    assert faults(lost) == {}


def test_links_within_the_site_are_written_from_its_root(read: Pages) -> None:
    schemes = ("/", "#", "https://", "tel:", "mailto:")
    others = {path: [link for link in page.links if not link.startswith(schemes)] for path, page in read.items()}
    assert faults(others) == {}


def test_every_file_that_a_page_fetches_is_there(read: Pages, web: TestClient) -> None:
    fetched = {urlsplit(address).path for page in read.values() for address in page.fetched if address.startswith("/")}
    assert {address for address in fetched if web.get(address).status_code != 200} == set()


def test_nothing_is_fetched_from_another_origin(read: Pages) -> None:
    fetched = {address for page in read.values() for address in page.fetched}
    own = {address for address in fetched if address.startswith(("/", "#", "data:")) and not address.startswith("//")}
    assert fetched - own == set()


def test_menu_links_do_not_redirect_or_point_at_their_own_page(read: Pages) -> None:
    targets = {
        path: {urlsplit(link).path for link in page.links if link.startswith("/")} for path, page in read.items()
    }
    assert {target for found in targets.values() for target in found if routes.permanent(target)} == set()
    assert {path for path, found in targets.items() if path != "/" and found <= {path}} == set()


def test_tabs_images_and_identifiers_are_safe_sized_and_unique(read: Pages) -> None:
    assert faults({path: list(page.unsafe) for path, page in read.items()}) == {}
    assert faults({path: list(page.unsized) for path, page in read.items()}) == {}
    counts = {path: Counter(page.ids) for path, page in read.items()}
    assert faults({path: [name for name in count if count[name] > 1] for path, count in counts.items()}) == {}


def test_nothing_holds_back_the_first_paint(read: Pages, html: dict[str, str]) -> None:
    assert faults({path: list(page.blocking) for path, page in read.items()}) == {}
    for path, page in html.items():
        sheets = 2 if path.startswith((routes.STAFF, routes.UPDATE_LENDERS)) else 1  # the desk has one of its own
        assert (path, page.count("<script data-head"), page.count("<style data-from=")) == (path, 1, sheets)


def test_footer_calculators_and_rates_link_to_how_we_calculate(html: dict[str, str]) -> None:
    link = f'href="{routes.HOW_WE_CALCULATE}"'
    footers = {path: page.partition('<footer class="foot dark">')[2] for path, page in html.items()}
    assert [path for path, footer in footers.items() if footer and link not in footer] == []
    assert footers[routes.HOME]
    explaining = [routes.CALCULATORS, routes.RATES, routes.BUYING_PLAN, routes.REMORTGAGE_PLAN]
    explaining += [routes.calculator(one.slug) for one in CALCULATORS]
    mains = {path: html[path].partition("<main")[2].partition("</main>")[0] for path in explaining}
    assert [path for path, main in mains.items() if link not in main] == []
