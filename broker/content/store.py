"""The content of the site, and lookups in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker import routes
from broker.content.errors import UnknownContentError
from broker.content.models.lenders import LenderKind, LenderText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, FrontPage, Guide, Review, Service, ServiceLook, Town
from broker.content.models.pictures import Picture
from broker.content.models.site import Site
from broker.content.snapshot.history import NO_HISTORY, History
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
class SiteContent(ContentItems):
    """All content of the site; `history` has the former addresses of its pages."""

    site: Site
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
        """Return the words of a front page, of which every store has all."""
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
