"""Front pages: the words of pages whose forms, lists and calculators are the program's."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.models.pages import Heading, PageMeta, Service
from broker.content.models.safe_html import NO_HTML, SafeHtml
from broker.domain.rates.customers import RULES, Customer

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
    """A numbered step of a section: its title and a sentence."""

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWords:
    """Heading of a section, the paragraph below it, and its steps."""

    heading: str
    lead: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPage(PageMeta):
    """Words of a front page: `title` is its h1, `summary` the paragraph below it, which may be empty.

    `html` is a text for the end of the page, `points` short claims beside the h1, `calculators` the slugs of the
    active calculators in their order; none on the page of calculators stands for all. `sections` are by their names in
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
