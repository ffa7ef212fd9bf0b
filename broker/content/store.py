"""Port to the content, and lookups over any store."""

from collections.abc import Mapping
from typing import Protocol

from broker.content.errors import UnknownContentError
from broker.content.models.guides import Guide, Town
from broker.content.models.lenders import LenderKind, LenderText, RateTypeText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, Review, Service, ServiceLook
from broker.content.models.pictures import Picture
from broker.content.models.site import Site

HOME_FAQS = "home"
"""Topic of the questions on the home page."""


class ContentStore(Protocol):
    """Source of the content. It is read and checked when the store is made, so that no method fails."""

    def site(self) -> Site:
        """Return the firm."""
        ...

    def menus(self) -> Menus:
        """Return all menus."""
        ...

    def services(self) -> tuple[Service, ...]:
        """Return the services in the order that pages list them."""
        ...

    def pages(self) -> tuple[ContentPage, ...]:
        """Return the pages of text, by path."""
        ...

    def deal_pages(self) -> tuple[DealPage, ...]:
        """Return the deal pages of the sitemap, by path."""
        ...

    def lender_texts(self) -> Mapping[str, LenderText]:
        """Return the texts of lender pages by `LenderKind`, and by slug for lenders with a text of their own."""
        ...

    def rate_types(self) -> tuple[RateTypeText, ...]:
        """Return the text of each kind of deal, in the order of `DEAL_TYPES`."""
        ...

    def guides(self) -> tuple[Guide, ...]:
        """Return the guides, most recently changed first."""
        ...

    def towns(self) -> tuple[Town, ...]:
        """Return the town pages, by name."""
        ...

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a service's slug, a page's path or `HOME_FAQS`; none for an unknown topic."""
        ...

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews to show, in order."""
        ...

    def banner(self, path: str) -> Picture | None:
        """Return the banner picture of a page; None for the site's own drawing."""
        ...

    def look(self, slug: str) -> ServiceLook | None:
        """Return the colours and the picture of a service; None for those of the design."""
        ...


def find_service(store: ContentStore, slug: str) -> Service:
    """Return the service of a slug; raises UnknownContentError."""
    for service in store.services():
        if service.slug == slug:
            return service
    raise UnknownContentError(slug, "no such service")


def find_page(store: ContentStore, path: str) -> ContentPage:
    """Return the page of a canonical path; raises UnknownContentError."""
    for page in store.pages():
        if page.path == path:
            return page
    raise UnknownContentError(path, "no such page")


def service_for(store: ContentStore, customer: str) -> Service | None:
    """Return the service whose FAQs and title a customer type's deals page shows, or None."""
    return next((service for service in store.services() if customer in service.customers), None)


def find_deal_page(store: ContentStore, path: str) -> DealPage:
    """Return the deal page of a canonical path; raises UnknownContentError."""
    for page in store.deal_pages():
        if page.path == path:
            return page
    raise UnknownContentError(path, "no such deal page")


def find_rate_type(store: ContentStore, slug: str) -> RateTypeText:
    """Return the text of a kind of deal; raises UnknownContentError."""
    for text in store.rate_types():
        if text.slug == slug:
            return text
    raise UnknownContentError(slug, "no such rate type")


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
