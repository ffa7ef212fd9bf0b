"""The content of a snapshot, with what the content service does not hold from another store (the embedded one)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from broker.content.guides import Guide, Town
from broker.content.lender_texts import LenderText, RateTypeText
from broker.content.menu import Menus
from broker.content.model import ContentPage, DealPage, Faq, Review, Service
from broker.content.pictures import Picture
from broker.content.site import ReviewCount, ReviewTotals, Site
from broker.content.snapshot import Firm, ServiceLook, Snapshot
from broker.content.store import ContentStore


class SnapshotStore:
    """A `ContentStore`: what the snapshot holds wins, item by item; sentences of law and rate types are the other's.

    Guides, towns and reviews are the snapshot's alone where it has any: those of another firm have no place beside.
    """

    def __init__(self, snapshot: Snapshot, rest: ContentStore) -> None:
        """Join the two."""
        self._snapshot, self._rest = snapshot, rest
        self._site = _site(rest.site(), snapshot.firm, read_on=date.fromisoformat(snapshot.read_on))
        services = {service.slug: service for service in (*rest.services(), *snapshot.services)}
        pages = {page.path: page for page in (*rest.pages(), *snapshot.pages)}
        deals = {page.path: page for page in (*rest.deal_pages(), *snapshot.deal_pages)}
        self._services = tuple(sorted(services.values(), key=lambda service: service.order))
        self._pages = tuple(sorted(pages.values(), key=lambda page: page.path))
        self._deal_pages = tuple(sorted(deals.values(), key=lambda page: page.path))
        self._lender_texts = MappingProxyType({**rest.lender_texts(), **snapshot.lenders})

    def site(self) -> Site:
        """Return the firm."""
        return self._site

    def menus(self) -> Menus:
        """Return all menus."""
        return self._snapshot.menus

    def services(self) -> tuple[Service, ...]:
        """Return the services, in order."""
        return self._services

    def pages(self) -> tuple[ContentPage, ...]:
        """Return the pages of text, by path."""
        return self._pages

    def deal_pages(self) -> tuple[DealPage, ...]:
        """Return the deal pages, by path."""
        return self._deal_pages

    def lender_texts(self) -> Mapping[str, LenderText]:
        """Return what lender pages say: kinds of lender from the other store, lenders of their own from both."""
        return self._lender_texts

    def rate_types(self) -> tuple[RateTypeText, ...]:
        """Return what is said of each kind of deal."""
        return self._rest.rate_types()

    def guides(self) -> tuple[Guide, ...]:
        """Return the guides, those changed last first."""
        return self._snapshot.guides or self._rest.guides()

    def towns(self) -> tuple[Town, ...]:
        """Return the town pages, by name."""
        return self._snapshot.towns or self._rest.towns()

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a topic."""
        return self._snapshot.faqs.get(topic) or self._rest.faqs(topic)

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews to show, newest first."""
        return self._snapshot.reviews or self._rest.reviews()

    def banner(self, path: str) -> Picture | None:
        """Return the banner picture of a page, None where it has none."""
        return self._snapshot.banners.get(path)

    def look(self, slug: str) -> ServiceLook | None:
        """Return the colour and picture that the content service wants for a service, None where it says nothing."""
        return self._snapshot.looks.get(slug)


def _site(site: Site, firm: Firm, *, read_on: date) -> Site:
    given = {
        name: value
        for name in ("phone", "tel", "email", "address", "company_description", "copyright")
        if (value := getattr(firm, name))
    }
    slogans = tuple(new or old for new, old in zip(firm.slogans, site.slogans, strict=True))
    socials = {name: value for name in ("facebook", "instagram", "whatsapp") if (value := getattr(firm, name))}
    return replace(
        site,
        **given,
        slogans=(slogans[0], slogans[1], slogans[2]),
        social=replace(site.social, **socials),
        reviews=_totals(site.reviews, firm.counts, read_on) if firm.counts else site.reviews,
    )


def _totals(totals: ReviewTotals, counts: Mapping[str, int], read_on: date) -> ReviewTotals:
    known = {entry.site: entry for entry in totals.counts}
    return replace(
        totals,
        counts=tuple(
            replace(known[site], count=count)
            if site in known
            else ReviewCount(site=site, label=site.title(), count=count)
            for site, count in counts.items()
        ),
        read_on=read_on,
        sample=False,
    )
