"""Services, pages, questions and reviews (specification 3)."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from broker.content.models.pictures import Picture
from broker.content.models.safe_html import SafeHtml

TITLE_LIMIT = 60
"""Maximum characters of a meta title."""

DESCRIPTION_LIMIT = 155
"""Maximum characters of a meta description."""


class Theme(StrEnum):
    """Page colours of the design: one for each customer type, and insurance."""

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
    """Purpose of a page, which decides its layout."""

    ABOUT = "about"
    CONTACT = "contact"
    FAQS = "faqs"
    GUIDES = "guides"
    LEGAL = "legal"
    LOCAL = "local"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of a text: level from 2 to 4, id and words."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Faq:
    """A question and its answer; `group` is its heading in a grouped list."""

    question: str
    answer: SafeHtml
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMeta:
    """What lists and search engines show of a page: `title` is its only h1, `updated` the day of its last change."""

    title: str
    meta_title: str
    description: str
    summary: str
    updated: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(PageMeta):
    """A service of the firm and the text of its page (specification 2, "Service page elements")."""

    slug: str
    short_title: str
    theme: Theme
    door: Door
    author: str
    section_1: SafeHtml
    section_2: SafeHtml
    calculators: tuple[str, ...]
    faqs: tuple[Faq, ...]
    footer_disclaimer: SafeHtml
    order: float
    """Sort key among the services, smallest first."""
    heading: str = ""
    """The h1 of its page; empty for its title."""
    customers: tuple[str, ...] = ()
    """Customer types whose deals pages show this service's FAQs, its own first; empty without deals."""
    guides: tuple[str, ...] = ()
    """Urls of the guides of its subject, the main one first."""

    @property
    def customer(self) -> str:
        """Return the customer type of its deals page; empty for the general search."""
        return self.customers[0] if self.customers else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLook:
    """Colours of a service as `#rrggbb`, and its picture; empty for those of the design.

    `color` is for borders, and for text on white and on `ground`, a background tint.
    """

    color: str = ""
    ground: str = ""
    icon: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPage(PageMeta):
    """A page of text: `path` is canonical, `draft` marks text that is not approved yet.

    `author` is empty for the firm itself; `calculators` are the slugs of the calculators on the page.
    """

    path: str
    kind: PageKind
    html: SafeHtml
    headings: tuple[Heading, ...] = ()
    faqs: tuple[Faq, ...] = ()
    draft: bool = False
    author: str = ""
    calculators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPage(PageMeta):
    """Text of a deal page of the sitemap (decision 6): deals for one customer type, whose service has the FAQs.

    `path` is canonical, `summary` the paragraph below the title; `html` has headings of level 2 and 3.
    """

    path: str
    customer: str
    author: str
    html: SafeHtml
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A client's review (specification 3, "Review"); a sample was written by us and must be marked as one.

    `site` is the key of a review site, `url` the review's address there, `portrait` a picture of the reviewer and
    `screenshot` one of the review.
    """

    reviewer: str
    title: str
    text: str
    site: str
    read_on: date
    rating: float | None = None
    url: str = ""
    sample: bool = False
    portrait: Picture | None = None
    screenshot: Picture | None = None
