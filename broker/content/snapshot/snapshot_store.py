"""Content store over a snapshot, with the embedded content as its fallback."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from broker.content.models.guides import Guide, Town
from broker.content.models.lenders import LenderText, RateTypeText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, Review, Service, ServiceLook
from broker.content.models.pictures import Picture
from broker.content.models.site import ReviewCount, ReviewTotals, Site, Social
from broker.content.snapshot.serialisation import map_strings
from broker.content.snapshot.snapshot import Firm, Snapshot
from broker.content.store import ContentStore
from broker.content.text.colour_contrast import check
from broker.content.text.link_repair import LinkRepair, Model
from broker.content.text.page_addresses import PageAnchors, page_anchors


class SnapshotStore:
    """A `ContentStore` that takes each item from the snapshot, else from the fallback.

    Regulatory sentences and rate types are always the fallback's. Guides, towns and reviews are not mixed: the
    snapshot's if it has any.
    """

    def __init__(self, snapshot: Snapshot, fallback: ContentStore) -> None:
        """Merge the two; raises ContentError for colours with too little contrast."""
        self._snapshot, self._fallback = snapshot, fallback
        self._site = _site(fallback.site(), snapshot.firm, read_on=date.fromisoformat(snapshot.read_on))
        services = {service.slug: service for service in (*fallback.services(), *snapshot.services)}
        pages = {page.path: page for page in (*fallback.pages(), *snapshot.pages)}
        deals = {page.path: page for page in (*fallback.deal_pages(), *snapshot.deal_pages)}
        self._services = tuple(sorted(services.values(), key=lambda service: service.order))
        self._pages = tuple(sorted(pages.values(), key=lambda page: page.path))
        self._deal_pages = tuple(sorted(deals.values(), key=lambda page: page.path))
        self._live = LinkRepair(self.page_anchors())
        self._services, self._pages = self._all(self._services), self._all(self._pages)
        self._deal_pages = self._all(self._deal_pages)
        for slug, look in snapshot.looks.items():
            check(slug, look)
        texts = dict(zip(fallback.lender_texts(), self._all(tuple(fallback.lender_texts().values())), strict=True))
        self._lender_texts = MappingProxyType({**texts, **snapshot.lenders})
        self._rate_types = self._all(fallback.rate_types())

    def page_anchors(self) -> PageAnchors:
        """Return the pages of the site, except those of lenders, with the anchors on each."""
        return page_anchors(
            services=self._services,
            pages=self._pages,
            deals=self._deal_pages,
            guides=self.guides(),
            towns=self.towns(),
        )

    def _all(self, models: tuple[Model, ...]) -> tuple[Model, ...]:
        """Return models with dead links removed and the firm's contact details filled in."""
        return tuple(map_strings(self._live.model(model), self._renamed) for model in models)

    def _renamed(self, text: str) -> str:
        """Return a text with the fallback's phone and email replaced by the firm's."""
        for name in ("phone", "tel", "email"):
            text = text.replace(getattr(self._fallback.site(), name), getattr(self._site, name))
        return text

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
        """Return the texts of lender pages: of kinds from the fallback, of single lenders from both."""
        return self._lender_texts

    def rate_types(self) -> tuple[RateTypeText, ...]:
        """Return the text of each kind of deal."""
        return self._rate_types

    def guides(self) -> tuple[Guide, ...]:
        """Return the guides, most recently changed first."""
        return self._snapshot.guides or self._fallback.guides()

    def towns(self) -> tuple[Town, ...]:
        """Return the town pages, by name."""
        return self._snapshot.towns or self._fallback.towns()

    def faqs(self, topic: str) -> tuple[Faq, ...]:
        """Return the questions of a topic."""
        return self._snapshot.faqs.get(topic) or self._all(self._fallback.faqs(topic))

    def reviews(self) -> tuple[Review, ...]:
        """Return the reviews to show, newest first."""
        return self._snapshot.reviews or self._fallback.reviews()

    def banner(self, path: str) -> Picture | None:
        """Return the banner picture of a page, or None."""
        return self._snapshot.banners.get(path)

    def look(self, slug: str) -> ServiceLook | None:
        """Return the colours and picture of a service, None for those of the design."""
        return self._snapshot.looks.get(slug)


def _site(site: Site, firm: Firm, *, read_on: date) -> Site:
    given = {
        name: value
        for name in ("phone", "email", "address", "company_description", "copyright")
        if (value := getattr(firm, name))
    }
    slogans = tuple(new or old for new, old in zip(firm.slogans, site.slogans, strict=True))
    own = Social(facebook=firm.facebook, instagram=firm.instagram, whatsapp=firm.whatsapp)
    return replace(
        site,
        **given,
        slogans=(slogans[0], slogans[1], slogans[2]),
        social=site.social if own == Social() else own,
        reviews=_totals(site.reviews, firm, read_on) if firm.counts else site.reviews,
        logos=firm.logos,
    )


def _totals(totals: ReviewTotals, firm: Firm, read_on: date) -> ReviewTotals:
    known = {entry.site: entry for entry in totals.counts}
    return replace(
        totals,
        counts=tuple(
            replace(
                known.get(site) or ReviewCount(site=site, label=site.title(), count=count),
                count=count,
                logo=firm.review_logos.get(site),
                stars=firm.review_stars.get(site),
            )
            for site, count in firm.counts.items()
        ),
        read_on=read_on,
        sample=False,
        link_title=firm.reviews_link,
        shown=firm.shown,
        author_photo=firm.author_photo,
    )
