"""From WordPress's answers to a snapshot: every entity read, every doubt remarked on."""

from __future__ import annotations

from datetime import date

from broker.content.models.pictures import Picture
from broker.content.snapshot.snapshot import Remark, Snapshot
from broker.content.store import ContentStore
from broker.content.wordpress.download import Answers
from broker.content.wordpress.entities.faqs import faqs_of
from broker.content.wordpress.entities.guides import guides_of, towns_of
from broker.content.wordpress.entities.lenders import banners_of, lenders_of
from broker.content.wordpress.entities.menus import menus_of
from broker.content.wordpress.entities.page_texts import PageText, page_texts
from broker.content.wordpress.entities.services import deal_pages_of, looks_of, pages_of, services_of
from broker.content.wordpress.entities.site import firm_of, reviews_of
from broker.content.wordpress.fields import at, text
from broker.content.wordpress.image_download import Copies
from broker.content.wordpress.import_context import Reading
from broker.content.wordpress.name_mapping import GUIDE, TOWN
from broker.content.wordpress.responses import Json


def snapshot_of(
    answers: Answers, *, source: str, rest: ContentStore, copies: Copies, today: date
) -> tuple[Snapshot, tuple[Remark, ...]]:
    """Return what the answers say as models, and all remarks; a grave one says that the snapshot cannot be used."""
    reading = Reading(source, rest, pictures=copies.pictures, today=today)
    for call, reason in answers.missing.items():
        reading.note(f"call {call}", f"{reason}; ours stands in")
    for address, reason in copies.failures.items():
        reading.note(f"picture {address}", f"{reason}, left out")
    texts = page_texts(reading, answers.pages)
    if not texts:
        reading.refuse("every page", "is missing: no page was answered")
    snapshot = _snapshot(reading, answers, source=source, texts=texts)
    return snapshot, tuple(reading.remarks)


def _snapshot(reading: Reading, answers: Answers, *, source: str, texts: dict[str, PageText]) -> Snapshot:
    menus, faqs, site = menus_of(reading, answers), faqs_of(reading, answers.faqs), answers.site
    branches = [*(site.get("localPages") or ()), *(site.get("additionalBranchPages") or ())]
    services = services_of(reading, answers, texts=texts, faqs=faqs)
    guides = guides_of(reading, site.get("seoGuidePages") or (), texts=texts)
    towns = towns_of(reading, branches, texts=texts)
    taken = {f"{GUIDE}{guide.url}/" for guide in guides} | {f"/{TOWN}{town.slug}/" for town in towns}
    taken |= {f"/{service.slug}/" for service in (*reading.rest.services(), *services)}
    return Snapshot(
        source=source,
        read_on=reading.today.isoformat(),
        firm=firm_of(reading, site.get("footers") or (), post=site.get("post")),
        menus=menus,
        services=services,
        pages=pages_of(reading, menus.sitemap.items, texts=texts, taken=taken),
        deal_pages=deal_pages_of(reading, texts),
        guides=guides,
        towns=towns,
        lenders=lenders_of(reading, answers.lender_pages),
        faqs={kind: tuple(posted.faq for posted in posts) for kind, posts in faqs.items()},
        reviews=reviews_of(reading, site.get("reviews") or ()),
        banners=_banners(reading, texts, branches) | banners_of(reading, answers.lender_pages),
        looks=looks_of(reading, answers),
    )


def _banners(reading: Reading, texts: dict[str, PageText], branches: list[dict[str, Json]]) -> dict[str, Picture]:
    found: dict[str, Picture] = {}
    for branch in branches:
        if picture := reading.picture(at(branch.get("branchPage"), "bannerImage")):
            found[f"/{text(branch.get('slug'))}/"] = picture
    return found | {path: page.banner for path, page in texts.items() if page.banner}
