"""What the site says: services, pages, questions and reviews (specification 3). The firm itself is in `site`.

What it says of lenders and kinds of deal is in `lender_texts`.

Every `html` field is safe to draw as it is: stores make it from Markdown without raw HTML, or sanitise it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from broker.content.models.pictures import Picture
from broker.content.models.safe_html import SafeHtml

TITLE_LIMIT = 60
"""Most characters of a meta title."""

DESCRIPTION_LIMIT = 155
"""Most characters of a meta description."""


class Theme(StrEnum):
    """The page colours of the design, one a customer type, and insurance."""

    FIRST_TIME_BUYER = "first-time-buyer"
    HOME_MOVER = "home-mover"
    REMORTGAGING = "remortgaging"
    BUY_TO_LET = "buy-to-let"
    BUY_TO_LET_PURCHASE = "buy-to-let-purchase"
    BUY_TO_LET_REMORTGAGE = "buy-to-let-remortgage"
    INSURANCE = "insurance"


class Door(StrEnum):
    """The front doors that the design draws."""

    FAN = "fan"
    SASH = "sash"
    TWIN = "twin"
    PORCH = "porch"
    AJAR = "ajar"


class PageKind(StrEnum):
    """What a page is for, which decides how it is drawn."""

    ABOUT = "about"
    CONTACT = "contact"
    FAQS = "faqs"
    GUIDES = "guides"
    LEGAL = "legal"
    LOCAL = "local"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of a text: its level from 2 to 4, the id it carries, and its words."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Faq:
    """A question and its answer in html; `group` is the heading it stands under, where a list has groups."""

    question: str
    answer: SafeHtml
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service of the firm and the text of its page (specification 2, "Service page elements")."""

    slug: str
    title: str
    short_title: str
    meta_title: str
    description: str
    theme: Theme
    door: Door
    summary: str
    author: str
    updated: date
    section_1: SafeHtml
    section_2: SafeHtml
    calculators: tuple[str, ...]
    faqs: tuple[Faq, ...]
    footer_disclaimer: SafeHtml
    order: float
    """Its place among the services, smallest first."""
    customers: tuple[str, ...] = ()
    """Customer types whose deals this service answers for, its own first; none where it has no deals."""

    @property
    def customer(self) -> str:
        """Return the customer type of its deals page; empty, which means the general search, where it has none."""
        return self.customers[0] if self.customers else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLook:
    """How the content wants a service to look: two colours as `#rrggbb`, and a picture; empty where it says nothing.

    `color` is for edges, and for words on white and on `ground`; `ground` is the tint that lies behind words.
    """

    color: str = ""
    ground: str = ""
    icon: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPage:
    """A page of text: `path` is canonical, `title` is its one h1, `draft` marks words not yet approved.

    `author` is empty for words of the firm, `calculators` are the slugs of those that the page shows.
    """

    path: str
    title: str
    meta_title: str
    description: str
    kind: PageKind
    updated: date
    summary: str
    html: SafeHtml
    headings: tuple[Heading, ...] = ()
    faqs: tuple[Faq, ...] = ()
    draft: bool = False
    author: str = ""
    calculators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPage:
    """The words of a deal page of the sitemap (decision 6): deals for one customer type, whose service has the FAQs.

    `path` is canonical, `title` is its one h1, `summary` the lead under it; `html` has headings of level 2 and 3.
    """

    path: str
    customer: str
    title: str
    meta_title: str
    description: str
    summary: str
    author: str
    updated: date
    html: SafeHtml
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a client wrote (specification 3, "Review"); a sample was written by us and must be shown as such.

    `site` is the key of a review site, `url` where the review stands there, `portrait` a picture of the reviewer and
    `screenshot` one of the review.
    """

    reviewer: str
    title: str
    text: str
    site: str
    read_on: date
    service: str = ""
    rating: float | None = None
    url: str = ""
    sample: bool = False
    portrait: Picture | None = None
    screenshot: Picture | None = None
