"""What exported pages tell search engines as data (schema.org): complete, true, and nothing of our own ratings."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from broker import routes
from broker.markup import is_indexed, meta, parse_page
from broker.server.exported_site import Export
from broker.settings import read_settings
from tests.integration.reading import ReadPage, words

Data = dict[str, Any]
Pages = dict[str, ReadPage]

REQUIRED = {
    "FinancialService": {"@id", "name", "description", "url", "telephone", "email", "address", "image", "areaServed"},
    "WebSite": {"name", "url", "inLanguage"},
    "BreadcrumbList": {"itemListElement"},
    "Article": {"headline", "datePublished", "dateModified", "author", "publisher", "image", "mainEntityOfPage"},
    "FAQPage": {"mainEntity"},
    "DefinedTermSet": {"@id", "name", "description", "inLanguage", "hasDefinedTerm"},
}
"""The types that stand by themselves on a page, and what each must have."""

INNER = {
    "ListItem": {"position", "name", "item"},
    "Question": {"name", "acceptedAnswer"},
    "Answer": {"text"},
    "DefinedTerm": {"@id", "name", "description", "inDefinedTermSet"},
    "Organization": {"name", "url"},
    "Person": {"name"},
    "PostalAddress": {"streetAddress", "addressCountry"},
    "ImageObject": {"url", "width", "height"},
    "PropertyValue": {"name", "value"},
    "Country": {"name"},
}
"""The types that stand inside them, and what each must have."""

SEARCH = {"SearchAction", "EntryPoint"}
"""Types of a site's own search: their address is a template."""

ADDRESSES = {"@id", "url", "item", "image", "logo", "mainEntityOfPage"}
RATINGS = {"aggregaterating", "rating", "review", "reviews", "ratingvalue", "reviewcount", "starrating"}

MICRODATA = re.compile(r"<[a-z][^<>]* (?:itemscope|itemprop|itemtype|typeof|vocab)\b")
"""Data written among the attributes of elements, the other way to mark something up."""


def objects(value: Any) -> Iterator[Data]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def of_type(page: ReadPage, kind: str) -> list[Data]:
    return [data for data in page.data if data["@type"] == kind]


def test_every_page_has_structured_data(html: dict[str, str], read: Pages) -> None:
    for path, page in read.items():
        wanted = Counter[str]()
        if is_indexed(parse_page(html[path])):
            wanted["WebSite"] = int(path == routes.HOME)
            wanted["FinancialService"] = int(path in (routes.HOME, routes.CONTACT))
            wanted["BreadcrumbList"] = int(path != routes.HOME)
            wanted["Article"] = int(path.startswith("/mortgage-guides/"))
            wanted["FAQPage"] = int(bool(page.questions))
            wanted["DefinedTermSet"] = int(path == routes.GLOSSARY)
        told = Counter(data["@type"] for data in page.data)
        assert (path, +told) == (path, +wanted)


def test_data_has_what_its_type_must_have(read: Pages) -> None:
    for path, page in read.items():
        assert (path, {data["@context"] for data in page.data}) in ((path, {"https://schema.org"}), (path, set()))
        for data in page.data:
            for each in objects(data):
                kind = each["@type"]
                needed = REQUIRED[kind] if each is data else INNER.get(kind, set())
                assert each is data or kind in INNER or kind in SEARCH or kind == "FinancialService", (path, kind)
                assert (path, {name for name in needed if each.get(name) in (None, "", [], {})}) == (path, set())


def test_addresses_are_whole_and_lead_to_what_the_site_has(export: Export, read: Pages) -> None:
    base, known = read_settings().site_url, {*export.files, *read}
    for path, page in read.items():
        for each in objects(list(page.data)):
            given = {value for name, value in each.items() if name in ADDRESSES and isinstance(value, str)}
            strange = {one for one in given if not one.startswith(f"{base}/") or urlsplit(one).path not in known}
            assert (path, strange) == (path, set())


def test_breadcrumbs_begin_at_home_and_end_at_the_page(read: Pages) -> None:
    base = read_settings().site_url
    for path, page in read.items():
        for trail in of_type(page, "BreadcrumbList"):
            steps = trail["itemListElement"]
            assert [step["position"] for step in steps] == list(range(1, len(steps) + 1))
            assert (steps[0]["item"], steps[-1]["item"]) == (f"{base}/", base + path)
            different = len({step["item"] for step in steps}), len({step["name"] for step in steps})
            assert (path, different, len(steps) >= 2) == (path, (len(steps), len(steps)), True)


def test_guides_are_articles_with_the_dates_and_the_author_of_the_page(html: dict[str, str], read: Pages) -> None:
    for path, page in read.items():
        for article in of_type(page, "Article"):
            modified = date.fromisoformat(article["dateModified"])
            assert date.fromisoformat(article["datePublished"]) <= modified, path
            assert article["dateModified"] == meta(parse_page(html[path]), "article:modified_time")
            assert article["datePublished"] == meta(parse_page(html[path]), "article:published_time")
            assert article["mainEntityOfPage"] == meta(parse_page(html[path]), "og:url")
            assert article["image"]["url"] == meta(parse_page(html[path]), "og:image")
            assert f"{article['author']['name']}." in html[path], path
            assert f"{modified:Updated on %-d %B, %Y}" in html[path], path


def test_questions_are_those_of_the_page_word_for_word(html: dict[str, str], read: Pages) -> None:
    for path, page in read.items():
        told = tuple(
            (words(question["name"]), words(question["acceptedAnswer"]["text"]))
            for answers in of_type(page, "FAQPage")
            for question in answers["mainEntity"]
        )
        assert (path, told) == (path, page.questions if is_indexed(parse_page(html[path])) else ())


def test_firm_says_that_it_is_a_sample_and_is_one_firm_everywhere(read: Pages) -> None:
    firms = [each for page in read.values() for each in of_type(page, "FinancialService")]
    assert len(firms) == 2
    assert firms[0] == firms[1]
    assert "fictional" in firms[0]["description"]
    assert "(sample)" in firms[0]["identifier"]["value"]
    publishers = {article["publisher"]["@id"] for page in read.values() for article in of_type(page, "Article")}
    assert publishers == {firms[0]["@id"]}


def test_no_page_marks_up_a_rating_or_a_review_of_ours(html: dict[str, str], read: Pages) -> None:
    for path, page in read.items():
        names = {str(name).lower() for each in objects(list(page.data)) for name in (*each, each["@type"])}
        assert (path, names & RATINGS) == (path, set())
    assert {path for path, page in html.items() if MICRODATA.search(page)} == set()
