"""Content copied from a content service, as models."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum

from broker import routes
from broker.content.menus import MenuItem, Menus
from broker.content.models.pages import FrontPage
from broker.content.models.pictures import Picture
from broker.content.store import NO_HISTORY, ContentItems, History, next_history


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
    """Severity of an issue: something filled in, an editor's mistake, or a reason to keep the last snapshot."""

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
    """Return the items of an old snapshot, `guide what-is-ltv`, that a new one lacks."""
    after = {(kind, item) for kind, item, _ in new.items()}
    before = ((kind, item) for kind, item, _ in old.items()) if old else ()
    return tuple(f"{kind} {item}" for kind, item in before if (kind, item) not in after)


MAX_REMOVED_SHARE = 0.1
"""Share of the pages of a kind that may be removed at once without being accepted."""

ACCEPT = "if that is meant, run it again with --accept-removals (make publish ARGS=--accept-removals)"


def with_history(new: Snapshot, last: Snapshot | None) -> Snapshot:
    """Return a new snapshot with the history of the last one and its own, which has its present pages alone."""
    before = last.live_paths() if last else frozenset[str]()
    history = last.history if last else NO_HISTORY
    return replace(new, history=next_history(history, new.history, live=new.live_paths(), before=before))


def refused_removals(last: Snapshot | None, new: Snapshot) -> tuple[ImportIssue, ...]:
    """Return a fatal issue for each kind that would lose more than a tenth of its pages, and each page of a menu."""
    return tuple(_refused(last, new)) if last else ()


def _refused(last: Snapshot, new: Snapshot) -> Iterator[ImportIssue]:
    stays = new.live_paths() | set(new.history.moved)
    in_menus = set(_paths(last.menus))
    yield from _refused_front_pages(last, new, in_menus)
    for kind, paths in last.paths().items():
        gone = sorted(paths - stays)
        if len(gone) > MAX_REMOVED_SHARE * len(paths):
            words = f"{len(gone)} of {len(paths)} would go ({', '.join(gone)}): {ACCEPT}"
            yield ImportIssue(item=f"{kind} pages", words=words, severity=Severity.FATAL)
        for path in gone:
            if path in in_menus:
                words = f"would go, and is in a menu: {ACCEPT}"
                yield ImportIssue(item=f"{kind} {path}", words=words, severity=Severity.FATAL)


def _refused_front_pages(last: Snapshot, new: Snapshot, in_menus: Set[str]) -> Iterator[ImportIssue]:
    """Yield an issue for each front page in a menu that would lose its words."""
    for path in sorted(in_menus & last.front_pages.keys() - new.front_pages.keys()):
        yield ImportIssue(item=f"page {path}", words=f"would lose its words: {ACCEPT}", severity=Severity.FATAL)


def _paths(menus: Menus) -> Iterator[str]:
    """Yield the paths of all entries of the menus but `sitemap`, which lists every page there is."""
    for name in Menus.__dataclass_fields__:
        if name != "sitemap" and (menu := getattr(menus, name)):
            for item in menu.items:
                yield from _paths_below(item)


def _paths_below(item: MenuItem) -> Iterator[str]:
    yield item.path
    for child in item.children:
        yield from _paths_below(child)
