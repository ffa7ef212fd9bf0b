"""The port to the content: two stores, one interface (architecture, "Content"), and finders over either."""

from __future__ import annotations

from typing import Protocol

from broker.content.errors import UnknownContentError
from broker.content.menu import Menus
from broker.content.model import ContentPage, Faq, Review, Service
from broker.content.site import Site

HOME_FAQS = "home"
"""The topic of the questions on the home page."""


class ContentStore(Protocol):
    """Where the content comes from. It is read and checked whole when the store is made, so no method fails."""

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

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a service's slug, a page's path or `HOME_FAQS`; none for an unknown topic."""
        ...

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews to show, in order."""
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
    """Return the service that answers for a customer type, or None: its FAQs and title stand on the deals page."""
    return next((service for service in store.services() if customer in service.customers), None)
