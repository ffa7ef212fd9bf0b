"""Content store over a snapshot, with the embedded content as its fallback."""

from dataclasses import replace
from datetime import date

from broker.content.models.site import ReviewCount, ReviewTotals, Site, Social
from broker.content.snapshot.serialisation import map_strings
from broker.content.snapshot.snapshot import Firm, Snapshot
from broker.content.store import ContentStore, SiteContent
from broker.content.text.colour_contrast import check
from broker.content.text.link_repair import LinkRepair, Model


class SnapshotStore(ContentStore):
    """The content of a snapshot, and of the fallback where the snapshot has none.

    Regulatory sentences and rate types are always the fallback's. Guides, towns and reviews are not mixed: the
    snapshot's if it has any.
    """

    def __init__(self, snapshot: Snapshot, fallback: ContentStore) -> None:
        """Merge the two; raises ContentError for colours with too little contrast."""
        for slug, look in snapshot.looks.items():
            check(slug, look)
        ours, merged = fallback.content, _merged(snapshot, fallback.content)
        super().__init__(merged)
        self._fallback, self._links = ours.site, LinkRepair(self.page_anchors())
        texts = zip(ours.lenders, self._repaired(tuple(ours.lenders.values())), strict=True)
        faqs = {topic: self._repaired(faqs) for topic, faqs in ours.faqs.items()}
        self.content = replace(
            merged,
            services=self._repaired(merged.services),
            pages=self._repaired(merged.pages),
            deal_pages=self._repaired(merged.deal_pages),
            lenders={**dict(texts), **snapshot.lenders},
            rate_types=self._repaired(ours.rate_types),
            faqs=faqs | {topic: faqs for topic, faqs in snapshot.faqs.items() if faqs},
        )

    def _repaired(self, models: tuple[Model, ...]) -> tuple[Model, ...]:
        """Return models with dead links removed and the firm's contact details filled in."""
        return tuple(map_strings(self._links.model(model), self._renamed) for model in models)

    def _renamed(self, text: str) -> str:
        """Return a text with the fallback's phone and email replaced by the firm's."""
        for name in ("phone", "tel", "email"):
            text = text.replace(getattr(self._fallback, name), getattr(self.content.site, name))
        return text


def _merged(snapshot: Snapshot, ours: SiteContent) -> SiteContent:
    services = {service.slug: service for service in (*ours.services, *snapshot.services)}
    pages = {page.path: page for page in (*ours.pages, *snapshot.pages)}
    deals = {page.path: page for page in (*ours.deal_pages, *snapshot.deal_pages)}
    return replace(
        ours,
        site=_site(ours.site, snapshot.firm, read_on=date.fromisoformat(snapshot.read_on)),
        menus=snapshot.menus,
        services=tuple(sorted(services.values(), key=lambda service: service.order)),
        pages=tuple(sorted(pages.values(), key=lambda page: page.path)),
        deal_pages=tuple(sorted(deals.values(), key=lambda page: page.path)),
        guides=snapshot.guides or ours.guides,
        towns=snapshot.towns or ours.towns,
        reviews=snapshot.reviews or ours.reviews,
        banners=snapshot.banners,
        looks=snapshot.looks,
    )


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
