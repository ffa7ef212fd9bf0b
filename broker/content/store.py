"""The content of the site, lookups in it, and the history of its addresses."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date

from broker import routes
from broker.content.errors import UnknownContentError
from broker.content.menus import Menus
from broker.content.models.glossary import Glossary
from broker.content.models.lenders import LenderKind, LenderText, RateDisplay
from broker.content.models.pages import ContentPage, DealPage, Faq, FrontPage, Guide, Review, Service, ServiceLook, Town
from broker.content.models.pictures import NO_HTML, Picture
from broker.content.models.site import Site
from broker.content.text.links import PageAnchors, page_anchors

HOME_FAQS = "home"
"""Topic of the questions on the home page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentItems:
    """Content that a folder or a snapshot holds: services in the order of their lists, pages by path, towns by name.

    `front_pages` are by path, `lenders` are texts by slug, and by `LenderKind`; `faqs` are by topic: a service's slug,
    a page's path or `HOME_FAQS`; `banners` by the path of their page, `looks` by the slug of their service.
    """

    menus: Menus
    services: tuple[Service, ...]
    front_pages: Mapping[str, FrontPage]
    pages: tuple[ContentPage, ...]
    deal_pages: tuple[DealPage, ...]
    guides: tuple[Guide, ...]
    towns: tuple[Town, ...]
    lenders: Mapping[str, LenderText]
    faqs: Mapping[str, tuple[Faq, ...]]
    reviews: tuple[Review, ...]
    banners: Mapping[str, Picture]
    looks: Mapping[str, ServiceLook]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageIdentity:
    """Identity of a page at the content service: a changed slug or url is a move while the id is the same."""

    post_id: int
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Addresses of a content service's pages up to one snapshot: `pages` is the identity of each page by its path.

    `moved` is the present path of a page by each former one; `removed` are paths that had a page, and have none now.
    """

    pages: Mapping[str, PageIdentity] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    def path_of(self, page: PageIdentity, stated: str, *, folder: str) -> str:
        """Return the path of a page that states one itself, below `folder`.

        The stated path counts, unless the slug changed since and the stated path did not: then the page moved too.
        """
        before = next((path for path, known in self.pages.items() if known.post_id == page.post_id), "")
        if not before or stated not in (before, *(old for old, new in self.moved.items() if new == before)):
            return stated
        return before if self.pages[before].slug == page.slug else f"{folder}{page.slug}/"


NO_HISTORY = History()


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteContent(ContentItems):
    """All content of the site; `glossary` is always ours, `history` has the former addresses of its pages."""

    site: Site
    glossary: Glossary
    history: History = NO_HISTORY


class ContentStore:
    """The content, read and checked when the store is made, so that no method fails."""

    def __init__(self, content: SiteContent) -> None:
        self.content = content

    def site(self) -> Site:
        return self.content.site

    def menus(self) -> Menus:
        return self.content.menus

    def services(self) -> tuple[Service, ...]:
        return self.content.services

    def front_page(self, path: str) -> FrontPage:
        """Return the words of a front page; every store has all front pages."""
        return self.content.front_pages[path]

    def pages(self) -> tuple[ContentPage, ...]:
        return self.content.pages

    def deal_pages(self) -> tuple[DealPage, ...]:
        return self.content.deal_pages

    def lender_texts(self) -> Mapping[str, LenderText]:
        """Return the texts of lender pages by `LenderKind`, and by slug for lenders with a text of their own."""
        return self.content.lenders

    def guides(self) -> tuple[Guide, ...]:
        """Return the guides in their reading order."""
        return self.content.guides

    def glossary(self) -> Glossary:
        return self.content.glossary

    def towns(self) -> tuple[Town, ...]:
        return self.content.towns

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a service's slug, a page's path or `HOME_FAQS`; none for an unknown topic."""
        return self.content.faqs.get(topic, ())

    def reviews(self) -> tuple[Review, ...]:
        return self.content.reviews

    def banner(self, path: str) -> Picture | None:
        """Return the banner picture of a page; None for the site's own drawing."""
        return self.content.banners.get(path)

    def guide_banner(self, slug: str) -> Picture | None:
        """Return the banner picture of a guide."""
        return self.banner(routes.guide(slug))

    def look(self, slug: str) -> ServiceLook | None:
        """Return the colours and the picture of a service; None for those of the design."""
        return self.content.looks.get(slug)

    def page_anchors(self) -> PageAnchors:
        """Return the pages of the site, except those of lenders, with the anchors on each."""
        content = self.content
        return page_anchors(
            services=content.services,
            front_pages=content.front_pages.values(),
            pages=(*content.pages, *content.deal_pages),
            guides=content.guides,
            towns=content.towns,
            terms=content.glossary.terms,
        )


def find_page(store: ContentStore, path: str) -> ContentPage:
    """Return the page of a canonical path; raises UnknownContentError."""
    for page in store.pages():
        if page.path == path:
            return page
    raise UnknownContentError(path, "no such page")


def service_for(store: ContentStore, customer: str) -> Service | None:
    """Return the service whose FAQs and title a customer type's deals page shows, or None."""
    return next((service for service in store.services() if customer in service.customers), None)


def lender_text(store: ContentStore, *, slug: str, name: str, kind: str, residential: bool) -> LenderText:
    """Return the text of a lender's page with its name filled in: its own, or that of its kind.

    `residential` is whether it lends on homes to live in. Raises UnknownContentError for an unknown kind.
    """
    texts = store.lender_texts()
    key = kind if residential else LenderKind.BUY_TO_LET
    text = texts.get(slug) or texts.get(key)
    if not text:
        raise UnknownContentError(slug, f"no text for lenders of the kind {key!r}")
    return text.named(name)


def next_history(last: History, new: History, *, live: Set[str], before: Set[str]) -> History:
    """Return the history with a new snapshot, whose paths are `live`; `before` are those of the last one.

    `new` has its pages, and in `moved` their addresses at the content service with letters that ours do not have.
    """
    pages = new.pages
    by_id = {page.post_id: path for path, page in pages.items() if path in live}
    moves = {path: by_id[page.post_id] for path, page in last.pages.items() if page.post_id in by_id}
    targets = {old: moves.get(path, path) for old, path in last.moved.items()} | moves | {**new.moved}
    moved = {old: path for old, path in targets.items() if old not in live and path in live}
    ended = {*before, *last.moved, *last.removed} - live - set(moved)
    known = {path: page for path, page in pages.items() if path in live}
    return History(pages=known, moved=moved, removed=tuple(sorted(ended)))


def compiled_content(content: SiteContent) -> SiteContent:
    """Return the part of the content that compiled pages show: a build is needed where it changed, and only there.

    Pages of guides and of lenders are data: of a guide, compiled pages have its card alone, and of a lender its name.
    """
    paths = (*(routes.guide(guide.url) for guide in content.guides), *map(routes.lender, content.lenders))
    return replace(
        content,
        guides=tuple(map(_without_text, content.guides)),
        lenders={slug: _name_only(text) for slug, text in content.lenders.items()},
        banners={path: picture for path, picture in content.banners.items() if path not in (*paths, routes.GUIDES)},
        history=NO_HISTORY,
    )


def _without_text(guide: Guide) -> Guide:
    return replace(
        guide,
        meta_title="",
        summary="",
        updated=date.min,
        created=date.min,
        author="",
        html=NO_HTML,
        headings=(),
        related=(),
        words=0,
        order=0,
        disclaimer=NO_HTML,
    )


def _name_only(text: LenderText) -> LenderText:
    return LenderText(
        name=text.name,
        lender_id=text.lender_id,
        updated=date.min,
        banner_content=NO_HTML,
        small_desc="",
        rate_display_preference=RateDisplay.TOP_3,
        calculators=(),
        fixed_section_content=NO_HTML,
        details=(),
        rates_tables=(),
        view_all_link="",
    )
