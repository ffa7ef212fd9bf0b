"""Where an enquiry came from and what it is about, as far as its page, its answers and its attached result say so."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qsl, urlsplit

from broker import routes
from broker.cases.case import Service, Source
from broker.enquiries.enquiry import Enquiry, EnquiryKind

MAX_AMOUNT = 100_000_000
"""Pounds; a larger amount is not kept."""

NOT_POUNDS = f"Enter whole pounds from 1 to {MAX_AMOUNT:,}, for example 148,000, or leave it empty"

_SOURCES: Mapping[Source, tuple[str, ...]] = {
    Source.RATES: (routes.RATES, "/rates/"),
    Source.PLANS: (routes.PLANS,),
    Source.GUIDES: (routes.GUIDES, routes.GUIDE_PAGES, "/guides/", routes.FAQS, routes.GLOSSARY),
    Source.TOWNS: ("/mortgage-broker-",),
    Source.CALCULATORS: (routes.CALCULATORS,),
    Source.CONTACT: (routes.CONTACT,),
    Source.QUESTIONNAIRE: (routes.QUESTIONNAIRE,),
}
"""Beginnings and ends of the paths of each source."""

_SERVICES: Mapping[Service, tuple[str, ...]] = {
    Service.LANDLORD: ("buy-to-let", "buy to let", "landlord"),
    Service.FIRST_HOME: ("first-time", "first time", "first home", routes.BUYING_PLAN),
    Service.MOVING: ("home-mover", "moving", "home mover"),
    Service.REMORTGAGE: ("remortgag",),
}
"""Words of each service in paths and answers, the most specific first."""

_LOANS = ("amount", "balance", "loan", "left")
_WHOLES, _DEPOSIT = ("price", "value"), "deposit"
_DEAL_END = "end"
"""Parameters of results: a loan, or a price and a deposit; and the day on which a deal ends."""

_LOAN_ANSWERS, _WHOLE_ANSWERS = ("mortgage left",), ("property value", "home value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an enquiry came from and what it is about; `amount` is the loan in pounds, None if nothing says it."""

    source: Source
    service: Service
    amount: int | None = None
    deal_ends: date | None = None


def origin_of(enquiry: Enquiry, page: str) -> Origin:
    """Return the origin of an enquiry; `page` is the path of the page that it came from."""
    document = enquiry.attachment.document if enquiry.attachment else None
    result = urlsplit(document.address) if document else urlsplit("")
    parameters = dict(parse_qsl(result.query))
    answers = " ".join(line.words for line in enquiry.lines)
    return Origin(
        source=Source.QUESTIONNAIRE if enquiry.kind is EnquiryKind.QUESTIONNAIRE else source_of(page),
        service=next((known for text in (answers, page, result.path) if (known := service_of(text))), Service.OTHER),
        amount=_loan(parameters) or _answered_loan(enquiry),
        deal_ends=day_in(parameters.get(_DEAL_END, "")),
    )


def source_of(page: str) -> Source:
    """Return the source of a page by its path."""
    for source, parts in _SOURCES.items():
        if any(page.startswith(part) or page.endswith(part) for part in parts):
            return source
    return Source.OTHER


def service_of(text: str) -> Service | None:
    """Return the service that a path or answers in words name; None if they name none."""
    known = text.casefold()
    return next((service for service, words in _SERVICES.items() if any(word in known for word in words)), None)


def _loan(figures: Mapping[str, str]) -> int | None:
    """Return the loan of named figures, or the difference of a price and a deposit."""
    if loan := next((found for name in _LOANS if (found := pounds_in(figures.get(name, "")))), None):
        return loan
    whole = next((found for name in _WHOLES if (found := pounds_in(figures.get(name, "")))), None)
    deposit = pounds_in(figures.get(_DEPOSIT, ""))
    return whole - deposit if whole and deposit and whole > deposit else None


def _answered_loan(enquiry: Enquiry) -> int | None:
    """Return the loan of a questionnaire, by the labels of its answers."""
    figures: dict[str, str] = {}
    for line in enquiry.lines:
        label = line.label.casefold()
        if label in _LOAN_ANSWERS:
            figures["loan"] = line.words
        elif label in _WHOLE_ANSWERS:
            figures["price"] = line.words
        elif label == _DEPOSIT:
            figures[_DEPOSIT] = line.words
    return _loan(figures)


def pounds_in(text: str) -> int | None:
    """Return whole pounds: `£148,000`, `148000` or `148000.50`; None for anything else, for 0, and over MAX_AMOUNT."""
    found = re.fullmatch(r"£?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.[0-9]{1,2})?", text.strip())
    amount = int(found[1].replace(",", "")) if found else 0
    return amount if 0 < amount <= MAX_AMOUNT else None


def day_in(text: str) -> date | None:
    """Return the day of an ISO date, None for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
