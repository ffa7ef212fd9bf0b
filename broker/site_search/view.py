"""Search words of pages and their questions, and the views of the search page and the site map."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby, pairwise
from textwrap import shorten
from typing import Any

from broker.calculators.calculator import Calculator
from broker.content.models.pages import ContentPage, DealPage, Faq, FrontPage, Guide, Heading, Service, Town
from broker.content.page_head import HeadView
from broker.content.structured_data import html_text
from broker.lenders.lender import KnownLender
from broker.lending.immutable import Immutable
from broker.rates.deal_types import DEAL_TYPES
from broker.site_search.index import STEP, Entry, Kind, SearchIndex, raw_words

QUERY = "q"  # query parameter of the search page
MAX_SHOWN = 30  # results that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWords:
    """Search words of a page.

    - `kind`: the heading that it is listed under.
    - `title`, `description`: what a result shows; the page's own by default.
    - `keywords`: other names and headings. `html`: the text of the page.
    - `faqs`: questions on the page, each a result of its own.
    """

    kind: Kind = Kind.PAGE
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    html: str = ""
    faqs: tuple[Faq, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a title; `marked` if it is a word of the query."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    kind: str
    href: str
    description: str
    pieces: list[Piece]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLink(Immutable):
    title: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryGroup(Immutable):
    kind: str
    heading: str
    links: tuple[EntryLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(Immutable):
    groups: tuple[EntryGroup, ...]


KINDS = {
    Kind.SERVICE: "Services",
    Kind.CALCULATOR: "Calculators",
    Kind.GUIDE: "Guides",
    Kind.RATES: "Rates",
    Kind.PAGE: "Pages",
    Kind.TOWN: "Towns",
    Kind.LENDER: "Lenders",
    Kind.QUESTION: "Questions",
}
"""The heading over the entries of each kind."""

_LENDERS = {"bank": "A bank", "building-society": "A building society", "specialist": "A specialist lender"}

_MAX_ANSWER_LENGTH = 140  # characters of an answer in a result


def question_anchor(question: str) -> str:
    """Return the id of a question on its page, made of its words."""
    return "-".join(raw_words(question))


def page_entries(words: SearchWords, *, route: str, name: str, description: str) -> Iterator[Entry]:
    """Yield the entries of a page by its search words: itself and its questions."""
    yield Entry(
        kind=words.kind,
        title=words.title or name,
        href=route,
        description=words.description or description,
        keywords=words.keywords,
        text=partial(html_text, words.html),
    )
    for faq in words.faqs:
        yield Entry(
            kind=Kind.QUESTION,
            title=faq.question,
            href=f"{route}#{question_anchor(faq.question)}",
            description=shorten(html_text(faq.answer), _MAX_ANSWER_LENGTH, placeholder="…"),
            keywords=(faq.group,),
            text=partial(html_text, faq.answer),
        )


def service_words(service: Service) -> SearchWords:
    return SearchWords(
        kind=Kind.SERVICE,
        keywords=(service.short_title, service.meta_title, service.summary),
        html=service.section_1 + service.section_2,
        faqs=service.faqs,
    )


def service_guides_words(service: Service) -> SearchWords:
    return SearchWords(description=f"What to read about {service.short_title.lower()}, in one list.")


def guide_words(guide: Guide) -> SearchWords:
    return SearchWords(
        kind=Kind.GUIDE, keywords=(guide.meta_title, guide.url, *_headings(guide.headings)), html=guide.html
    )


def town_words(town: Town) -> SearchWords:
    return SearchWords(
        kind=Kind.TOWN,
        keywords=("mortgage broker", town.title, *_headings(town.headings), *(faq.question for faq in town.faqs)),
        html=town.html,
    )


def text_page_words(page: ContentPage) -> SearchWords:
    return SearchWords(
        keywords=(page.meta_title, page.summary, *_headings(page.headings)), html=page.html, faqs=page.faqs
    )


def deal_page_words(deal: DealPage) -> SearchWords:
    return SearchWords(
        kind=Kind.RATES, keywords=(deal.meta_title, "mortgage rates deals", *_headings(deal.headings)), html=deal.html
    )


def rates_words(page: FrontPage) -> SearchWords:
    keywords = ("compare best mortgage rates deals search lowest", page.meta_title, *_headings(page.headings))
    return SearchWords(kind=Kind.RATES, keywords=keywords, html=page.html)


def lender_words(lender: KnownLender) -> SearchWords:
    kind, deals = _LENDERS.get(lender.kind, "A lender"), " ".join(deal.words for deal in DEAL_TYPES)
    return SearchWords(
        kind=Kind.LENDER,
        description=f"{kind}: its mortgage rates, and what each deal really costs.",
        keywords=(f"mortgage rates {deals}", *(() if lender.residential else ("buy to let",))),
    )


def calculator_words(calculator: Calculator) -> SearchWords:
    return SearchWords(
        kind=Kind.CALCULATOR,
        title=calculator.title,
        description=f"{calculator.subtitle}.",
        keywords=("calculator work out", *(field.label for field in calculator.fields), *calculator.keywords),
    )


def _headings(headings: Iterable[Heading]) -> tuple[str, ...]:
    return tuple(heading.text for heading in headings)


def entry_groups(index: SearchIndex) -> tuple[EntryGroup, ...]:
    return tuple(
        EntryGroup(
            kind=kind,
            heading=KINDS[kind],
            links=tuple(EntryLink(title=entry.title, href=entry.href) for entry in listed),
        )
        for kind, listed in groupby(index.entries, key=lambda entry: entry.kind)
    )


def search_file(index: SearchIndex) -> bytes:
    """Return the links by kind, the description of each, and the words with the postings of each, as JSON.

    A posting counts the place of its entry from that of the posting before.
    """
    tables = {
        "groups": [asdict(group) for group in entry_groups(index)],
        "about": [entry.description for entry in index.entries],
        "words": " ".join(index.postings),
    }
    # one word at a time: the encoder would hold millions of postings at once as texts
    postings = b",".join(_json(_distances(each)) for each in index.postings.values())
    return b"".join((_json(tables).removesuffix(b"}"), b',"postings":[', postings, b"]}"))


def _distances(postings: Sequence[int]) -> list[int]:
    return [each - before // STEP * STEP for before, each in pairwise((0, *postings))]


def _json(tree: Any) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup(Immutable):
    heading: str
    links: tuple[EntryLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteMapPage(Immutable):
    head: HeadView
    groups: tuple[PageGroup, ...]
