"""What the search of this site looks through: every page, calculator and question, as entries; and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import shorten

from broker import routes
from broker.content.models.guides import Guide, Town
from broker.content.models.pages import ContentPage, DealPage, Faq, Heading, Service
from broker.domain.calculators.calculator import Calculator
from broker.domain.rates.customers import RULES
from broker.domain.rates.deal_types import DEAL_TYPES
from broker.domain.rates.lenders import KnownLender
from broker.domain.site_search import Entry, Kind, Piece, raw_words
from broker.presenters.structured_data import plain

QUERY = "q"
"""The parameter of the address that holds what is searched for."""

MAX_SHOWN = 30
"""Most finds that are listed; another word narrows a longer list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A find as it is drawn."""

    kind: str
    href: str
    description: str
    pieces: list[Piece]


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

LINE = 140
"""Most characters of an answer that a result shows."""


def question_anchor(question: str) -> str:
    """Return the name of a question's place on its page, made of its words."""
    return "-".join(raw_words(question))


def service_entries(services: Iterable[Service]) -> Iterator[Entry]:
    """Yield every service, the list of its guides, and its questions."""
    for service in services:
        page = routes.service(service.slug)
        yield Entry(
            kind=Kind.SERVICE,
            title=service.title,
            href=page,
            description=service.description,
            keywords=(service.short_title, service.meta_title, service.summary),
            text=plain(service.section_1 + service.section_2),
        )
        yield Entry(
            kind=Kind.PAGE,
            title=f"{service.title} guides",
            href=routes.guides(service.slug),
            description=f"What to read about {service.short_title.lower()}, in one list.",
        )
        yield from question_entries(service.faqs, page)


def question_entries(faqs: Iterable[Faq], page: str) -> Iterator[Entry]:
    """Yield the questions of a page."""
    for faq in faqs:
        answer = plain(faq.answer)
        yield Entry(
            kind=Kind.QUESTION,
            title=faq.question,
            href=f"{page}#{question_anchor(faq.question)}",
            description=shorten(answer, LINE, placeholder="…"),
            keywords=(faq.group,),
            text=answer,
        )


def guide_entries(guides: Iterable[Guide]) -> Iterator[Entry]:
    """Yield every guide, by title."""
    for guide in sorted(guides, key=lambda guide: guide.title):
        yield Entry(
            kind=Kind.GUIDE,
            title=guide.title,
            href=routes.guide(guide.url),
            description=guide.description,
            keywords=(guide.meta_title, guide.url, *_headings(guide.headings)),
            text=plain(guide.html),
        )


def town_entries(towns: Iterable[Town]) -> Iterator[Entry]:
    """Yield every town."""
    for town in towns:
        yield Entry(
            kind=Kind.TOWN,
            title=town.name,
            href=routes.town(town.slug),
            description=town.description,
            keywords=("mortgage broker", town.title, *_headings(town.headings), *(faq.question for faq in town.faqs)),
            text=plain(town.html),
        )


def page_entries(pages: Iterable[ContentPage]) -> Iterator[Entry]:
    """Yield every page of text, and its questions."""
    for page in pages:
        yield Entry(
            kind=Kind.PAGE,
            title=page.title,
            href=page.path,
            description=page.description,
            keywords=(page.meta_title, page.summary, *_headings(page.headings)),
            text=plain(page.html),
        )
        yield from question_entries(page.faqs, page.path)


def deal_entries(deals: Iterable[DealPage]) -> Iterator[Entry]:
    """Yield every deal page, and the rates search of every customer type."""
    for deal in deals:
        yield Entry(
            kind=Kind.RATES,
            title=deal.title,
            href=deal.path,
            description=deal.description,
            keywords=(deal.meta_title, "mortgage rates deals", *_headings(deal.headings)),
            text=plain(deal.html),
        )
    for customer, rules in RULES.items():
        name = rules.title.lower() if customer else "mortgage"
        yield Entry(
            kind=Kind.RATES,
            title=f"{rules.title} Deals" if customer else "Mortgage rates",
            href=routes.deals(customer),
            description=f"Search {name} rates for your own loan, with APRC, fees and true cost.",
            keywords=("compare best mortgage rates deals search lowest",),
        )


def lender_entries(lenders: Iterable[KnownLender]) -> Iterator[Entry]:
    """Yield the list of lenders, and every lender."""
    yield Entry(
        kind=Kind.PAGE,
        title="Mortgage lenders, A to Z",
        href=routes.LENDERS,
        description="Every lender whose rates we show: banks, building societies and specialists.",
    )
    deals = " ".join(deal.words for deal in DEAL_TYPES)
    for lender in sorted(lenders, key=lambda lender: lender.name.casefold()):
        kind = _LENDERS.get(lender.kind, "A lender")
        yield Entry(
            kind=Kind.LENDER,
            title=lender.name,
            href=routes.lender(lender.slug),
            description=f"{kind}: its mortgage rates, and what each deal really costs.",
            keywords=(f"mortgage rates {deals}", *(() if lender.residential else ("buy to let",))),
        )


def calculator_entries(calculators: Iterable[Calculator]) -> Iterator[Entry]:
    """Yield the page of calculators, and every calculator at its place there."""
    yield Entry(
        kind=Kind.CALCULATOR,
        title="Mortgage calculators",
        href=routes.CALCULATORS,
        description="What you could borrow, what a mortgage costs a month and what a remortgage saves.",
    )
    for calculator in calculators:
        yield Entry(
            kind=Kind.CALCULATOR,
            title=calculator.title,
            href=f"{routes.CALCULATORS}#{calculator.slug}",
            description=f"{calculator.subtitle}.",
            keywords=("calculator work out", *(field.label for field in calculator.fields)),
        )


def _headings(headings: Iterable[Heading]) -> tuple[str, ...]:
    return tuple(heading.text for heading in headings)
