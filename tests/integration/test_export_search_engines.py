"""What every exported page says of itself to search engines and to other sites, read from the files themselves."""

import re
from collections import Counter
from datetime import date
from html import unescape
from pathlib import Path

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT
from broker.content.page_head import IMAGE_HEIGHT, IMAGE_WIDTH, IMAGES, image_path
from broker.images import ImageFormat, ImageSize, image_format, image_size
from broker.markup import canonical, is_indexed, meta, parse_page
from broker.server.site_files import sitemap_text
from broker.settings import read_settings
from tests.data_pages import entries

MIN_TITLE_LENGTH, MIN_DESCRIPTION_LENGTH = 15, 50
HIDDEN = {routes.UPDATE_LENDERS, routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND, routes.SEARCH}
HIDDEN |= {
    routes.YOUR_ENQUIRY,
    routes.YOUR_APPOINTMENT,
    routes.STAFF,
    routes.STAFF_HEALTH,
    routes.STAFF_ENQUIRIES,
    routes.STAFF_ENQUIRY,
    routes.STAFF_RECORD,
    routes.STAFF_DUTIES,
    routes.STAFF_PROMOTIONS,
    routes.STAFF_FIGURES,
    routes.STAFF_ACCOUNTS,
}
HIDDEN |= {routes.MY_WATCH, routes.WATCH_SENT}
"""Pages that no search engine lists (decision 8), and what the search finds."""

UNDATED = {routes.HOME, routes.CALCULATORS, routes.RATES, routes.SITE_MAP, routes.QUESTIONNAIRE}
UNDATED |= {routes.BUYING_PLAN, routes.REMORTGAGE_PLAN, routes.START_WATCH}
UNDATED |= {routes.RATE_HISTORY, routes.HOW_WE_CALCULATE}
UNDATED |= {routes.calculator(calculator.slug) for calculator in CALCULATORS}
"""Pages whose content has no date, beside the rates of each customer type: they are as new as the rates."""

_FILLERS = {"mortgage", "mortgages", "the", "a", "an", "and", "of", "to", "in", "for", "by", "with", "your"}
"""Words that do not tell two titles apart."""

Texts = dict[str, str]


def title(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    return unescape(found[1]).strip() if found else ""


def is_step(path: str) -> bool:
    """Tell whether a page is one of the questionnaire after the first: no search engine lists it.

    A question that several journeys ask has the same title and description in each; its address tells them apart.
    """
    return path.startswith(routes.QUESTIONNAIRE) and path != routes.QUESTIONNAIRE


def told_apart_by(words: str) -> frozenset[str]:
    """Return the words that tell a title apart from others."""
    return frozenset(re.findall(r"\w+", words.lower().partition(" | ")[0])) - _FILLERS


def repeated(texts: Texts) -> dict[str, list[str]]:
    """Return the texts that several pages have, capitals apart, with those pages; steps may."""
    texts = {path: text for path, text in texts.items() if not is_step(path)}
    counts = Counter(text.lower() for text in texts.values())
    return {text: [path for path in texts if texts[path].lower() == text] for text in counts if counts[text] > 1}


def indexed(html: Texts) -> Texts:
    return {path: page for path, page in html.items() if is_indexed(parse_page(page))}


def test_every_title_fits_is_unique_and_names_the_firm_once_at_most(html: Texts) -> None:
    titles, firm = {path: title(page) for path, page in html.items()}, meta(parse_page(html["/"]), "og:site_name") or ""
    wrong = {path: text for path, text in titles.items() if not MIN_TITLE_LENGTH <= len(text) <= TITLE_LIMIT}
    assert (wrong, repeated(titles)) == ({}, {})
    assert firm
    assert {path: text for path, text in titles.items() if text.count(firm) > 1} == {}
    alike: dict[frozenset[str], list[str]] = {}
    for path, text in titles.items():
        if not is_step(path):
            alike.setdefault(told_apart_by(text), []).append(text)
    assert [texts for texts in alike.values() if len(texts) > 1] == []


def test_every_description_is_a_unique_sentence_that_fits(html: Texts) -> None:
    given = {path: meta(parse_page(page), "description") or "" for path, page in html.items()}
    wrong = {path: text for path, text in given.items() if not MIN_DESCRIPTION_LENGTH <= len(text) <= DESCRIPTION_LIMIT}
    assert (wrong, repeated(given)) == ({}, {})
    unlike = {path: text for path, text in given.items() if not re.fullmatch(r"[A-Z].* .*[.?]", text)}
    assert unlike == {}


def test_links_of_the_sitemap_page_can_be_told_apart(html: Texts) -> None:
    main = html[routes.SITE_MAP].partition("<main")[2].partition("</main>")[0]
    links = dict(re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', main))
    assert len(links) > 100
    words = Counter(frozenset(re.findall(r"\w+", unescape(text).lower())) - _FILLERS for text in links.values())
    assert [sorted(each) for each, count in words.items() if count > 1] == []


def test_every_indexed_page_is_canonical_at_its_own_address(html: Texts) -> None:
    base = read_settings().site_url
    given = {path: canonical(parse_page(page)) for path, page in indexed(html).items()}
    assert given == {path: base + path for path in given}
    assert {path: meta(parse_page(html[path]), "og:url") for path in given} == given


def test_only_the_listed_pages_are_not_indexed(html: Texts) -> None:
    hidden = {path for path in html if path in HIDDEN or is_step(path)}
    assert {path for path in html if not is_indexed(parse_page(html[path]))} == hidden
    assert routes.NOT_FOUND in html


def test_every_page_has_a_social_image_with_size_and_alt_text(site: Path, html: Texts) -> None:
    base = read_settings().site_url
    given = {meta(parse_page(page), "og:image") or "" for page in html.values()}
    assert given == {base + image_path(name) for name in IMAGES}
    for picture in given:
        data = (site / picture.removeprefix(f"{base}/")).read_bytes()
        assert (picture, image_format(data)) == (picture, ImageFormat.PNG)
        assert (picture, image_size(data)) == (picture, ImageSize(width=IMAGE_WIDTH, height=IMAGE_HEIGHT))
    stated = {
        (meta(parse_page(page), "og:image:width"), meta(parse_page(page), "og:image:height")) for page in html.values()
    }
    assert stated == {("1200", "630")}
    words = {
        (meta(parse_page(page), "og:image"), meta(parse_page(page), "og:image:alt") or "") for page in html.values()
    }
    assert len(words) == len(given)
    assert [alt for _, alt in words if "Drawing: " not in alt] == []


def test_every_page_can_be_shared_and_only_guides_are_articles(html: Texts) -> None:
    wanted = {"og:title", "og:description", "og:url", "og:site_name", "og:locale", "twitter:card"}
    assert {(path, name) for path, page in html.items() for name in wanted if not meta(parse_page(page), name)} == set()
    kinds = {path: meta(parse_page(page), "og:type") for path, page in html.items()}
    guides = {path for path in html if path.startswith("/mortgage-guides/")}
    assert {path for path, kind in kinds.items() if kind == "article"} == guides


def test_sitemap_lists_exactly_the_indexed_pages_with_their_dates(html: Texts) -> None:
    base = read_settings().site_url
    text = sitemap_text(base, entries())
    listed = dict(re.findall(r"<url><loc>(.*?)</loc>(?:<lastmod>(.*?)</lastmod>)?</url>", text))
    assert list(listed) == sorted(base + path for path in indexed(html))
    assert listed == {
        base + path: meta(parse_page(page), "article:modified_time") or "" for path, page in indexed(html).items()
    }
    undated = {address.removeprefix(base) for address, day in listed.items() if not day}
    assert {path for path in undated if not path.endswith("/rates/")} <= UNDATED
    assert all(date.fromisoformat(day) for day in listed.values() if day)
