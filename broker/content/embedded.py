"""The content that lies in the project: `site.json`, `menus.json`, `reviews.json` and Markdown with front matter.

Everything is read and checked when the store is made, so that a fault stops the build with its file named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from broker.content.deal_documents import deal_page_in, rate_type_in
from broker.content.documents import faqs_in, page_in, service_in
from broker.content.errors import ContentError
from broker.content.firm import facts_of, reviews_in, site_in
from broker.content.lender_documents import lender_text_in
from broker.content.lender_texts import LenderKind, LenderText, RateTypeText
from broker.content.menu import Menus
from broker.content.menu_file import menus_in
from broker.content.model import ContentPage, DealPage, Faq, Review, Service
from broker.content.record import read_document, read_json
from broker.content.site import Site
from broker.domain.rates.deal_types import DEAL_TYPES


class EmbeddedStore:
    """A `ContentStore` over a folder; making one raises ContentError at the first fault."""

    def __init__(self, folder: Path) -> None:
        """Read and check the whole folder."""
        self._site = site_in(read_json(folder / "site.json", {}))
        facts = facts_of(self._site)
        self._menus = menus_in(read_json(folder / "menus.json", facts))
        self._reviews = reviews_in(read_json(folder / "reviews.json", facts))
        services = {path: service_in(*read_document(path, facts)) for path in _documents(folder / "services")}
        pages = {path: page_in(*read_document(path, facts)) for path in _documents(folder / "pages")}
        deals = {path: deal_page_in(*read_document(path, facts)) for path in _documents(folder / "deals")}
        _refuse_repeats(services, pages, deals)
        self._services = tuple(sorted(services.values(), key=lambda service: service.order))
        self._pages = tuple(sorted(pages.values(), key=lambda page: page.path))
        self._deal_pages = tuple(sorted(deals.values(), key=lambda page: page.path))
        self._lender_texts = _lender_texts(folder / "lenders", facts)
        self._rate_types = _rate_types(folder / "rate-types", facts)
        self._faqs = _faqs(folder / "faqs", facts, services=self._services, pages=self._pages)

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

    def lender_texts(self) -> Mapping[str, LenderText]:
        """Return what lender pages say, by kind of lender, and by slug for lenders with a file of their own."""
        return self._lender_texts

    def rate_types(self) -> tuple[RateTypeText, ...]:
        """Return what is said of each kind of deal, in the order of `DEAL_TYPES`."""
        return self._rate_types

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a service's slug, a page's path or a file of `faqs/`; none for an unknown topic."""
        return self._faqs.get(topic, ())

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews in the order of the file."""
        return self._reviews


def _documents(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise ContentError(folder, "no such folder")
    return iter(sorted(folder.glob("*.md")))


def _faqs(
    folder: Path, facts: Mapping[str, str], *, services: Iterable[Service], pages: Iterable[ContentPage]
) -> dict[str, tuple[Faq, ...]]:
    topics = {path.stem: faqs_in(*read_document(path, facts)) for path in _documents(folder)}
    topics |= {service.slug: service.faqs for service in services}
    return topics | {page.path: page.faqs for page in pages if page.faqs}


def _lender_texts(folder: Path, facts: Mapping[str, str]) -> Mapping[str, LenderText]:
    found = {path: lender_text_in(*read_document(path, facts)) for path in _documents(folder)}
    _refuse_repeat("kind or slug", ((path, key) for path, (key, _) in found.items()))
    texts = dict(found.values())
    if missing := [kind for kind in LenderKind if kind not in texts]:
        raise ContentError(folder, f"no document of the kind {', '.join(missing)}")
    return MappingProxyType(texts)


def _rate_types(folder: Path, facts: Mapping[str, str]) -> tuple[RateTypeText, ...]:
    found = {path: rate_type_in(*read_document(path, facts)) for path in _documents(folder)}
    _refuse_repeat("slug", ((path, text.slug) for path, text in found.items()))
    texts = {text.slug: text for text in found.values()}
    if missing := [kind.slug for kind in DEAL_TYPES if kind.slug not in texts]:
        raise ContentError(folder, f"no document of the rate type {', '.join(missing)}")
    return tuple(texts[kind.slug] for kind in DEAL_TYPES)


def _refuse_repeats(
    services: Mapping[Path, Service], pages: Mapping[Path, ContentPage], deals: Mapping[Path, DealPage]
) -> None:
    _refuse_repeat("slug", ((path, service.slug) for path, service in services.items()))
    addresses = [(path, f"/{service.slug}/") for path, service in services.items()]
    addresses += [(path, page.path) for path, page in (*pages.items(), *deals.items())]
    _refuse_repeat("path", addresses)
    every = {**services, **pages, **deals}
    _refuse_repeat("meta_title", ((path, entry.meta_title) for path, entry in every.items()))
    _refuse_repeat("description", ((path, entry.description) for path, entry in every.items()))
    owners = ((path, customer) for path, service in services.items() for customer in service.customers)
    _refuse_repeat("customer type", owners)
    _refuse_repeat("customer type", ((path, deal.customer) for path, deal in deals.items()))


def _refuse_repeat(what: str, named: Iterable[tuple[Path, str]]) -> None:
    seen: dict[str, Path] = {}
    for path, value in named:
        if value in seen:
            raise ContentError(path, f"duplicate {what} {value!r}, already in {seen[value].name}")
        seen[value] = path
