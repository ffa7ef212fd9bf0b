"""Content store over a snapshot, with the embedded content as its fallback."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from statistics import fmean

from broker import routes
from broker.content.models.pages import (
    DESCRIPTION_LIMIT,
    FRONT_PAGES,
    TITLE_LIMIT,
    ContentPage,
    DealPage,
    Faq,
    FrontPage,
    PageKind,
    deals_heading,
)
from broker.content.models.pictures import NO_HTML
from broker.content.models.site import ReviewCount, ReviewTotals, Site, Social
from broker.content.snapshot.serialisation import map_strings
from broker.content.snapshot.snapshot import Snapshot
from broker.content.store import HOME_FAQS, ContentStore, SiteContent
from broker.content.text.colour_contrast import check_contrast
from broker.content.text.links import LinkRepair, Model
from broker.rates.customers import RULES, Customer


def _all_front_pages(snapshot: Snapshot, site: Site) -> dict[str, FrontPage]:
    """Return the front pages of a snapshot, with neutral ones for those that it lacks."""
    day = date.fromisoformat(snapshot.read_on)
    titles = {
        routes.HOME: site.name,
        routes.CALCULATORS: "Mortgage calculators",
        routes.RATES: "Mortgage rates",
        **{routes.deals(customer): deals_heading(customer, snapshot.services) for customer in Customer},
    }
    return {
        path: snapshot.front_pages.get(path) or _front_page(path, titles[path], site=site, day=day)
        for path in FRONT_PAGES
    }


def _front_page(path: str, title: str, *, site: Site, day: date) -> FrontPage:
    is_home = path == routes.HOME
    return FrontPage(
        path=path,
        title=title,
        meta_title=title[:TITLE_LIMIT],
        description=(site.company_description if is_home else f"{title} at {site.name}.")[:DESCRIPTION_LIMIT],
        summary="",
        updated=day,
    )


def _neutral_deal_page(ours: DealPage, snapshot: Snapshot, *, site: Site) -> DealPage:
    """Return a deal page with the path and customer type of ours, and labels for words."""
    title = f"{RULES[ours.customer].title} deals by loan to value"
    return replace(
        ours,
        title=title,
        meta_title=title[:TITLE_LIMIT],
        description=f"{title} at {site.name}."[:DESCRIPTION_LIMIT],
        summary="",
        author="",
        updated=date.fromisoformat(snapshot.read_on),
        html=NO_HTML,
        headings=(),
    )


PROGRAM_KINDS = frozenset({PageKind.FAQS, PageKind.GUIDES, PageKind.LOCAL, PageKind.CONTACT, PageKind.REVIEWS})
"""Kinds of pages that the program fills with lists and forms."""


class SnapshotStore(ContentStore):
    """The content of a snapshot, with the fallback's where the service can have none of its own.

    Every page with words of the firm is the snapshot's, and so are all questions: the fallback never replaces a page
    of the service. Front pages and deal pages that it lacks have neutral labels. The fallback's regulatory
    sentences, texts for lenders of a kind, and the pages whose lists are the program's (`PROGRAM_KINDS`) are used,
    unless the service had such a page and removed it.
    """

    def __init__(self, snapshot: Snapshot, fallback: ContentStore) -> None:
        """Merge the two; raises ContentError for colours with too little contrast."""
        for slug, look in snapshot.looks.items():
            check_contrast(slug, look)
        ours, merged = fallback.content, _merged(snapshot, fallback.content)
        super().__init__(merged)
        links = LinkRepair(self.page_anchors())

        def renamed(text: str) -> str:
            """Return a text with the fallback's phone and email replaced by the firm's."""
            for name in ("phone", "tel", "email"):
                text = text.replace(getattr(ours.site, name), getattr(merged.site, name))
            return text

        def repaired(models: tuple[Model, ...]) -> tuple[Model, ...]:
            """Return models with dead links removed and the firm's contact details filled in."""
            return tuple(map_strings(links.model(model), renamed) for model in models)

        texts = zip(ours.lenders, repaired(tuple(ours.lenders.values())), strict=True)
        self.content = replace(
            merged,
            services=repaired(merged.services),
            pages=repaired(merged.pages),
            deal_pages=repaired(merged.deal_pages),
            lenders={**dict(texts), **snapshot.lenders},
        )


def _merged(snapshot: Snapshot, ours: SiteContent) -> SiteContent:
    gone = {*snapshot.history.removed, *snapshot.history.moved}
    lists = [page for page in ours.pages if page.kind in PROGRAM_KINDS and page.path not in gone]
    pages = {page.path: _with_questions(page, snapshot) for page in (*lists, *snapshot.pages)}
    site = _site(ours.site, snapshot)
    neutral = (_neutral_deal_page(page, snapshot, site=site) for page in ours.deal_pages)
    deals = {page.path: page for page in (*neutral, *snapshot.deal_pages) if page.path not in gone}
    return replace(
        ours,
        site=site,
        history=snapshot.history,
        menus=snapshot.menus,
        services=tuple(sorted(snapshot.services, key=lambda service: service.order)),
        front_pages=_all_front_pages(snapshot, site),
        pages=tuple(sorted(pages.values(), key=lambda page: page.path)),
        deal_pages=tuple(sorted(deals.values(), key=lambda page: page.path)),
        guides=snapshot.guides,
        towns=snapshot.towns,
        faqs=_questions(snapshot, pages.values()),
        reviews=snapshot.reviews,
        banners=snapshot.banners,
        looks=snapshot.looks,
    )


def _with_questions(page: ContentPage, snapshot: Snapshot) -> ContentPage:
    """Return the page of all questions with those of the snapshot, each once, under the title of its service."""
    if page.kind is not PageKind.FAQS:
        return page
    titles = {service.slug: service.short_title for service in snapshot.services}
    found: dict[str, Faq] = {}
    for topic, faqs in snapshot.faqs.items():
        group = titles.get(topic) or topic.replace("-", " ").capitalize()
        for faq in faqs:
            found.setdefault(faq.question, replace(faq, group=group))
    return replace(page, faqs=tuple(found.values()))


def _questions(snapshot: Snapshot, pages: Iterable[ContentPage]) -> dict[str, tuple[Faq, ...]]:
    """Return the questions of a snapshot by topic; the home page has the first of each topic if it has none itself."""
    topics = {topic: faqs for topic, faqs in snapshot.faqs.items() if faqs}
    firsts = tuple(dict.fromkeys(faqs[0] for faqs in topics.values()))
    return {HOME_FAQS: firsts} | {page.path: page.faqs for page in pages if page.faqs} | topics


def _site(site: Site, snapshot: Snapshot) -> Site:
    firm = snapshot.firm
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
        reviews=_totals(site.reviews, snapshot),
        logos=firm.logos,
    )


def _totals(totals: ReviewTotals, snapshot: Snapshot) -> ReviewTotals:
    """Return the totals of a snapshot: its counts, and the average of its own reviews."""
    firm, ratings = snapshot.firm, [review.rating for review in snapshot.reviews if review.rating is not None]
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
        rating=fmean(ratings) if ratings else None,
        rated=len(ratings),
        read_on=date.fromisoformat(snapshot.read_on),
        sample=False,
        link_title=firm.reviews_link,
        shown=firm.shown,
        author_photo=firm.author_photo,
    )
