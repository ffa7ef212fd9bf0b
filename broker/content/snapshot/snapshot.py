"""Content copied from a content service, as models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from broker.content.models.guides import Guide, Town
from broker.content.models.lenders import LenderText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, Review, Service, ServiceLook
from broker.content.models.pictures import Picture


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
class Snapshot:
    """All content of a service: `source` is the API URL, `read_on` the day in ISO format.

    `lenders` are by slug, `banners` by the path of their page, `looks` by the slug of their service.
    """

    source: str
    read_on: str
    firm: Firm
    menus: Menus
    services: tuple[Service, ...]
    pages: tuple[ContentPage, ...]
    deal_pages: tuple[DealPage, ...]
    guides: tuple[Guide, ...]
    towns: tuple[Town, ...]
    lenders: Mapping[str, LenderText]
    faqs: Mapping[str, tuple[Faq, ...]]
    reviews: tuple[Review, ...]
    banners: Mapping[str, Picture]
    looks: Mapping[str, ServiceLook]

    def items(self) -> Iterator[tuple[str, str, object]]:
        """Yield each item with its kind and slug, to compare two snapshots."""
        yield "firm", "firm", self.firm
        yield from (("menu", name, getattr(self.menus, name)) for name in Menus.__dataclass_fields__)
        yield from (("service", service.slug, service) for service in self.services)
        yield from (("page", page.path, page) for page in (*self.pages, *self.deal_pages))
        yield from (("guide", guide.url, guide) for guide in self.guides)
        yield from (("town", town.slug, town) for town in self.towns)
        yield from (("lender", slug, text) for slug, text in self.lenders.items())
        yield from (("questions", topic, faqs) for topic, faqs in self.faqs.items())
        yield from (("review", f"{review.reviewer}: {review.title}", review) for review in self.reviews)
        yield from (("banner", path, picture) for path, picture in self.banners.items())
        yield from (("look", slug, look) for slug, look in self.looks.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportIssue:
    """A problem found by an import, for the editors: `item` is its kind and name, such as `guide what-is-ltv`.

    A fatal issue makes the import unusable; any other names what was left out or filled in.
    """

    item: str
    words: str
    is_fatal: bool = False

    def __str__(self) -> str:
        """Return the line to print."""
        return f"{'unusable' if self.is_fatal else 'note'}: {self.item}: {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A difference to the previous snapshot: `what` is new, changed or gone."""

    what: str
    kind: str
    item: str


def changes(old: Snapshot | None, new: Snapshot) -> tuple[Change, ...]:
    """Return the differences of two snapshots by kind and slug; without an old one everything is new."""
    before = {(kind, item): value for kind, item, value in old.items()} if old else {}
    after = {(kind, item): value for kind, item, value in new.items()}
    came = [Change(what="new", kind=kind, item=item) for kind, item in after if (kind, item) not in before]
    differ = [key for key, value in after.items() if key in before and before[key] != value]
    went = [Change(what="gone", kind=kind, item=item) for kind, item in before if (kind, item) not in after]
    return (*came, *(Change(what="changed", kind=kind, item=item) for kind, item in differ), *went)
