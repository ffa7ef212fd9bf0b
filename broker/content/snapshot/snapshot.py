"""Content copied from a content service, as models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from broker import routes
from broker.content.models.front_pages import FrontPage
from broker.content.models.menu import Menus
from broker.content.models.pictures import Picture
from broker.content.snapshot.history import History
from broker.content.store import ContentItems


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """Details of the firm (specification 3, "Footer" and "Review settings"); empty where the service has none.

    `counts`, `review_logos` and `review_stars` are by key of the review site; `shown` is the number of reviews in a
    slider, 0 for the default.
    """

    phone: str = ""
    email: str = ""
    address: tuple[str, ...] = ()
    company_description: str = ""
    copyright: str = ""
    facebook: str = ""
    instagram: str = ""
    whatsapp: str = ""
    slogans: tuple[str, ...] = ("", "", "")
    counts: Mapping[str, int] = field(default_factory=dict)
    review_logos: Mapping[str, Picture] = field(default_factory=dict)
    review_stars: Mapping[str, Picture] = field(default_factory=dict)
    reviews_link: str = ""
    shown: int = 0
    author_photo: Picture | None = None
    logos: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(ContentItems):
    """All content of a service: `source` is the API URL, `read_on` the day in ISO format.

    `history` has the addresses of its pages up to now; `front_pages` are empty in one of an earlier version.
    """

    source: str
    read_on: str
    firm: Firm
    front_pages: Mapping[str, FrontPage] = field(default_factory=dict)
    history: History = field(default_factory=History)

    def paths(self) -> dict[str, frozenset[str]]:
        """Return the paths of the pages by their kind."""
        return {
            "service": frozenset(routes.service(service.slug) for service in self.services),
            "page": frozenset(page.path for page in (*self.pages, *self.deal_pages)),
            "guide": frozenset(routes.guide(guide.url) for guide in self.guides),
            "town": frozenset(routes.town(town.slug) for town in self.towns),
            "lender": frozenset(map(routes.lender, self.lenders)),
        }

    def live_paths(self) -> frozenset[str]:
        return frozenset().union(*self.paths().values())

    def items(self) -> Iterator[tuple[str, str, object]]:
        """Yield each item with its kind and slug, to compare two snapshots."""
        yield "firm", "firm", self.firm
        yield from (("menu", name, getattr(self.menus, name)) for name in Menus.__dataclass_fields__)
        yield from (("service", service.slug, service) for service in self.services)
        yield from (("page", page.path, page) for page in (*self.front_pages.values(), *self.pages, *self.deal_pages))
        yield from (("guide", guide.url, guide) for guide in self.guides)
        yield from (("town", town.slug, town) for town in self.towns)
        yield from (("lender", slug, text) for slug, text in self.lenders.items())
        yield from (("questions", topic, faqs) for topic, faqs in self.faqs.items())
        yield from (("review", f"{review.reviewer}: {review.title}", review) for review in self.reviews)
        yield from (("banner", path, picture) for path, picture in self.banners.items())
        yield from (("look", slug, look) for slug, look in self.looks.items())


class Severity(StrEnum):
    """What an issue means: something filled in, an editor's slip to mend, or a reason to keep the last snapshot."""

    NOTE = "note"
    FAULT = "fault"
    FATAL = "unusable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportIssue:
    """A problem found by an import, for the editors: `item` is its kind and name, such as `guide What is LTV?`.

    `post_id` is WordPress's id of an item with a fault, 0 where it is unknown.
    """

    item: str
    words: str
    severity: Severity = Severity.NOTE
    post_id: int = 0

    def __str__(self) -> str:
        return f"{self.severity}: {self.item}: {self.words}"


def changes(old: Snapshot | None, new: Snapshot) -> tuple[str, ...]:
    """Return the differences of two snapshots, `new: guide what-is-ltv`; without an old one everything is new."""
    before = {f"{kind} {item}": value for kind, item, value in old.items()} if old else {}
    after = {f"{kind} {item}": value for kind, item, value in new.items()}
    added = [f"new: {item}" for item in after if item not in before]
    changed = [f"changed: {item}" for item, value in after.items() if item in before and before[item] != value]
    return (*added, *changed, *(f"gone: {item}" for item in before if item not in after))


def removed_items(old: Snapshot | None, new: Snapshot) -> tuple[str, ...]:
    """Return the items of an old snapshot, `guide what-is-ltv`, that a new one has no more."""
    after = {(kind, item) for kind, item, _ in new.items()}
    before = ((kind, item) for kind, item, _ in old.items()) if old else ()
    return tuple(f"{kind} {item}" for kind, item in before if (kind, item) not in after)
