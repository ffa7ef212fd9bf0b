"""Services, pages, guides, towns, questions and reviews (specification 3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.guides import GuideCategory, GuideSubject
from broker.content.models.pictures import NO_HTML, Picture, SafeHtml
from broker.rates.customers import RULES, Customer

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


FRONT_PAGES = (routes.HOME, routes.CALCULATORS, routes.RATES, *(routes.deals(customer) for customer in Customer))
"""Paths of the front pages: home, calculators, the rates search and that of each customer type."""

SECTIONS: Mapping[str, tuple[str, ...]] = {routes.HOME: ("customers", "rates", "steps", "calculators", "questions")}
"""Names of the sections of a front page that have words of their own; a page that is not here has none."""

TAKEN_IDS = frozenset(
    (
        *("main", "menu", "doors", "rates", "how", "calculators", "questions", "deals", "checks", "near"),
        *("guides", "guides-slides", "reviews", "reviews-slides", *(each.slug for each in CALCULATORS)),
    )
)
"""Ids of elements that front pages, services and towns draw; no element of their texts may have one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWords:
    heading: str
    lead: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPage(PageMeta):
    """Words of a front page: `title` is its h1, `summary` the paragraph below it, which may be empty.

    `html` is a text for the end of the page, `points` short claims beside the h1, `calculators` the slugs of the
    active calculators in their order; none on the page of calculators means all. `sections` are by their names in
    `SECTIONS`.
    """

    path: str
    html: SafeHtml = NO_HTML
    headings: tuple[Heading, ...] = ()
    points: tuple[str, ...] = ()
    calculators: tuple[str, ...] = ()
    sections: Mapping[str, SectionWords] = field(default_factory=dict)

    def section(self, name: str, *, heading: str) -> SectionWords:
        """Return the words of a section; without words of its own it has a `heading` alone."""
        return self.sections.get(name) or SectionWords(heading=heading)


def deals_heading(customer: str, services: Iterable[Service]) -> str:
    """Return the heading of a customer type's rates search: `{service title} Deals` (specification 2)."""
    titles = {service.slug: service.title for service in services}
    return f"{titles.get(customer) or RULES[customer].title} Deals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide(PageMeta):
    """A guide: `url` is the last part of its address, `description` what lists and search engines show.

    `categories` has the main one first and is empty for a guide for all readers; `categories_complete` is whether
    it names all of them (decision 43). `order` is the place in the reading order, 0 for none. `related` are the urls of
    guides to read next; `disclaimer` ends its page; `subject` is that of its picture, None for the usual one of its
    category.
    """

    url: str
    categories: tuple[GuideCategory, ...]
    created: date
    author: str
    html: SafeHtml
    headings: tuple[Heading, ...]
    related: tuple[str, ...]
    words: int
    order: float = 0
    categories_complete: bool = False
    show_on_homepage: bool = False
    subject: GuideSubject | None = None
    disclaimer: SafeHtml = NO_HTML

    @property
    def minutes(self) -> int:
        """Return the reading time in minutes, at 220 words a minute."""
        return max(round(self.words / 220), 1)


def in_reading_order(guides: Iterable[Guide]) -> tuple[Guide, ...]:
    """Return guides by their place in the reading order, then those without one, most recently changed first."""
    latest = sorted(guides, key=lambda guide: (guide.updated, guide.created, guide.url), reverse=True)
    return tuple(sorted(latest, key=lambda guide: (not guide.order, guide.order)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Town(PageMeta):
    """A town page: `near` are the slugs of nearby towns; `centre` is its latitude and longitude, None for a county.

    `checks` are what to check before an offer on a home there, each in a sentence.
    """

    slug: str
    name: str
    near: tuple[str, ...]
    html: SafeHtml
    headings: tuple[Heading, ...]
    faqs: tuple[Faq, ...]
    checks: tuple[str, ...] = ()
    centre: tuple[float, float] | None = None
