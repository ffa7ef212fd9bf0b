"""Content store over a folder of JSON files and Markdown documents with front matter.

Everything is read and checked when the store is made: a fault stops the build and names its file.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from broker.content.files.consistency import find_faults
from broker.content.files.content_reader import Content, read_content
from broker.content.models.guides import Guide, Town
from broker.content.models.lenders import LenderText, RateTypeText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, Review, Service, ServiceLook
from broker.content.models.pictures import Picture
from broker.content.models.site import Site
from broker.domain.rates.deal_types import DEAL_TYPES


class EmbeddedStore:
    """A `ContentStore` over a folder; making one raises ContentError at the first fault."""

    def __init__(self, folder: Path) -> None:
        content = read_content(folder)
        if fault := next(find_faults(content), None):
            raise fault
        self._site, self._menus, self._reviews = content.site, content.menus, content.reviews
        self._services = tuple(sorted(content.services.values(), key=lambda service: service.order))
        self._pages = tuple(sorted(content.pages.values(), key=lambda page: page.path))
        self._deal_pages = tuple(sorted(content.deals.values(), key=lambda page: page.path))
        self._guides = tuple(
            sorted(content.guides.values(), key=lambda guide: (guide.updated, guide.created, guide.url), reverse=True)
        )
        self._towns = tuple(sorted(content.towns.values(), key=lambda town: town.name))
        self._lender_texts = MappingProxyType(dict(content.lenders.values()))
        types = {text.slug: text for text in content.rate_types.values()}
        self._rate_types = tuple(types[kind.slug] for kind in DEAL_TYPES)
        self._faqs = _faqs(content)

    def site(self) -> Site:
        """Return the firm."""
        return self._site

    def menus(self) -> Menus:
        """Return all menus."""
        return self._menus

    def services(self) -> tuple[Service, ...]:
        """Return the services in the order of their front matter."""
        return self._services

    def pages(self) -> tuple[ContentPage, ...]:
        """Return the pages of text, by path."""
        return self._pages

    def deal_pages(self) -> tuple[DealPage, ...]:
        """Return the deal pages, by path."""
        return self._deal_pages

    def guides(self) -> tuple[Guide, ...]:
        """Return the guides, most recently changed first."""
        return self._guides

    def towns(self) -> tuple[Town, ...]:
        """Return the town pages, by name."""
        return self._towns

    def lender_texts(self) -> Mapping[str, LenderText]:
        """Return the texts of lender pages, by kind of lender, and by slug for lenders with a file of their own."""
        return self._lender_texts

    def rate_types(self) -> tuple[RateTypeText, ...]:
        """Return the text of each kind of deal, in the order of `DEAL_TYPES`."""
        return self._rate_types

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a service's slug, a page's path or a file of `faqs/`; none for an unknown topic."""
        return self._faqs.get(topic, ())

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews in the order of the file."""
        return self._reviews

    def banner(self, path: str) -> Picture | None:
        """Return None: pages have the site's own drawings."""

    def look(self, slug: str) -> ServiceLook | None:
        """Return None: services have the colours of the design."""


def _faqs(content: Content) -> dict[str, tuple[Faq, ...]]:
    topics = {path.stem: faqs for path, faqs in content.faqs.items()}
    topics |= {service.slug: service.faqs for service in content.services.values()}
    return topics | {page.path: page.faqs for page in content.pages.values() if page.faqs}
