"""Import of guides and towns: listed in GraphQL (call 1), with their texts in REST (call 7)."""

from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import replace
from datetime import date
from html import escape

from broker.content.files.validated_record import SLUG
from broker.content.guides import GuideCategory
from broker.content.models.pages import Guide, Town, in_reading_order
from broker.content.models.pictures import join_html
from broker.content.text.markdown import Text
from broker.content.wordpress.client import Json
from broker.content.wordpress.entities.pages import PageText, page_description, page_title
from broker.content.wordpress.fields import (
    GUIDE,
    NEAR_ME,
    TOWN,
    TYPE_GUIDE,
    at,
    choices,
    guide_url,
    number,
    parse_switch,
    text,
    title,
)
from broker.content.wordpress.import_context import ImportContext, first
from broker.routes import RENAMED_GUIDES

_RELATED = 4
"""Number of related guides."""

_STARTER_ORDER = 1
"""Place of the guide of a service type without one of its own: before the others of its category."""

_MAIN = {"first-time-buyer": GuideCategory.FIRST_TIME_BUYER, "remortgaging": GuideCategory.REMORTGAGING}


def import_guides(
    context: ImportContext, nodes: Iterable[Mapping[str, Json]], *, texts: Mapping[str, PageText]
) -> tuple[Guide, ...]:
    """Return listed guides and those of service types in their reading order; of two with one url the first."""
    found: dict[str, Guide] = {}
    nodes = tuple(nodes)
    ids, own = _listed_ids(nodes), {page.post_id for page in texts.values()}
    if ids & own:  # the guides are pages themselves, so that one without its page has none
        ids |= own
    for node in nodes:
        guide = _listed(context, node, _page_of(node, texts, ids=ids), taken=found)
        if guide:
            found[guide.url] = guide
    for page in texts.values():
        url = page.path.removeprefix(GUIDE).strip("/")
        if page.path.startswith(GUIDE) and page.slug.endswith(TYPE_GUIDE) and url not in found:
            found[url] = _type_guide(context, page, url)
    guides = in_reading_order(found.values())
    return tuple(_with_related(guide, guides) for guide in guides)


def _listed(
    context: ImportContext, node: Mapping[str, Json], page: PageText | None, *, taken: Container[str]
) -> Guide | None:
    """Return the guide of a node with its page; None for one without a url of its own, which is not `taken`."""
    fields, heading = node.get("seoGuides"), title(node.get("title"))
    url = _url(context, node, heading, page=page)
    if url in taken:
        context.fault(f"guide {heading}", f"has the url {url!r} of another guide; left out")
        return None
    if url and page:
        context.pages[f"{GUIDE}{url}/"] = page.identity
    if not url or context.protected & {f"{GUIDE}{url}/", f"/{url}/"} or (not page and _is_half_read(context, url)):
        return None
    described = text(at(fields, "guideDescription"))
    body = _body(context, url, page=page, instead=described or heading)
    created, updated = _days(context, url, page=page, given=at(fields, "createdDate"))
    return Guide(
        url=url,
        title=heading,
        meta_title=page.meta_title if page else page_title(heading, ""),
        description=page_description(described, page.description if page else "", heading),
        summary=first((page.summary if page else "", described, heading)),
        categories=_categories(context, url, choices(at(fields, "guideCategory"))),
        created=created,
        updated=updated,
        author=first((page.author if page else "", context.team)),
        html=body.html,
        headings=body.headings,
        related=(),
        words=body.word_count,
        show_on_homepage=parse_switch(at(fields, "showOnHomepage")),
        **(page.filled("order", "disclaimer") if page else {}),
    )


def _listed_ids(nodes: Iterable[Mapping[str, Json]]) -> frozenset[int]:
    """Return the ids of all listed guides."""
    return frozenset(int(post_id) for node in nodes if (post_id := number(node.get("databaseId"))))


def _page_of(node: Mapping[str, Json], texts: Mapping[str, PageText], *, ids: Set[int]) -> PageText | None:
    """Return the page of a listed guide: that of its id, else at its url, with or without the folder of the guides.

    `ids` are those of other guides, whose pages are never taken, however alike their addresses are.
    """
    post_id, last = number(node.get("databaseId")), guide_url(node)
    by_id = next((page for page in texts.values() if post_id and page.post_id == post_id), None)
    placed = (texts.get(f"{GUIDE}{last}/"), texts.get(f"/{last}/"))
    return by_id or next((page for page in placed if page and page.post_id not in ids), None)


def _is_half_read(context: ImportContext, url: str) -> bool:
    """Return whether a guide without a page is new while pages cannot be read, or gone while the list cannot."""
    path = f"{GUIDE}{url}/"
    is_new = "pages" in context.unread and path not in context.last_paths.get("guide", ())
    is_gone = "seoGuidePages" in context.unread and path in context.history.pages
    if is_new:
        context.note(f"guide {url}", "is new, and its page could not be read: left out")
    return is_new or is_gone


def _url(context: ImportContext, node: Mapping[str, Json], heading: str, *, page: PageText | None) -> str:
    """Return the last part of a guide's path, the new one if it moved; empty with a note for a missing or bad one."""
    url = guide_url(node)
    if not SLUG.fullmatch(url):
        context.note(f"guide {heading}", f"has no url and is not yet a guide, left out: {url!r}")
        return ""
    if page:
        url = context.history.path_of(page.identity, f"{GUIDE}{url}/", folder=GUIDE).strip("/").rpartition("/")[2]
    return RENAMED_GUIDES.get(url, url)


def _body(context: ImportContext, url: str, *, page: PageText | None, instead: str) -> Text:
    """Return a guide's text: that of its page, else its description."""
    if page and page.whole.html:
        return page.whole
    context.note(f"guide {url}", "has no text; its description is used")
    return context.html(escape(instead))


def _days(context: ImportContext, url: str, *, page: PageText | None, given: Json) -> tuple[date, date]:
    """Return the dates of creation and change, today by default."""
    created = context.day(f"guide {url}", given) or (page.created if page else None)
    if not created:
        context.note(f"guide {url}", "has no date; the day of this copy is used")
    created = created or context.today
    return created, page.updated if page else created


def _type_guide(context: ImportContext, page: PageText, url: str) -> Guide:
    """Return the guide of a service type; its category is its own, else that of its type."""
    kind = page.slug.removesuffix(TYPE_GUIDE)
    categories = _categories(context, url, page.categories or (_MAIN.get(kind, GuideCategory.MORTGAGING).value,))
    return Guide(
        url=url,
        title=page.title,
        meta_title=page.meta_title,
        description=page.description,
        summary=page.summary or page.description,
        categories=categories,
        created=page.created,
        updated=page.updated,
        author=page.author or context.team,
        html=page.whole.html,
        headings=page.whole.headings,
        related=(),
        words=page.whole.word_count,
        order=page.order or _STARTER_ORDER,
        disclaimer=page.disclaimer,
    )


def _categories(context: ImportContext, url: str, given: tuple[str, ...]) -> tuple[GuideCategory, ...]:
    known = tuple(GuideCategory(name) for name in given if name in set(GuideCategory))
    if not known:
        context.note(f"guide {url}", "has no category, so that only the list of all guides shows it")
    return known


def _with_related(guide: Guide, guides: tuple[Guide, ...]) -> Guide:
    """Return a guide with its related guides: those that share most categories, newest first."""
    others = [other for other in guides if other.url != guide.url]
    others.sort(key=lambda other: -len(set(other.categories) & set(guide.categories)))
    return replace(guide, related=tuple(other.url for other in others[:_RELATED]))


def import_towns(
    context: ImportContext, nodes: Iterable[Mapping[str, Json]], *, texts: Mapping[str, PageText]
) -> tuple[Town, ...]:
    """Return the towns of categories 17 and 19, and every other page whose slug is a town's, by name."""
    titles = {text(node.get("slug")): title(node.get("title")) for node in nodes}
    titles |= {page.slug: page.title for page in texts.values() if page.slug not in titles}
    wanted = {slug: words for slug, words in titles.items() if slug.startswith(TOWN) and f"/{slug}/" != NEAR_ME}
    found = [_town(context, slug, heading, page=texts.get(f"/{slug}/")) for slug, heading in wanted.items()]
    towns = sorted((town for town in found if town), key=lambda town: town.name)
    slugs = {town.slug for town in towns}
    return tuple(replace(town, near=tuple(slug for slug in town.near if slug in slugs)) for town in towns)


def _town(context: ImportContext, page_slug: str, heading: str, *, page: PageText | None) -> Town | None:
    slug = page_slug.removeprefix(TOWN)
    ours = next((town for town in context.fallback.towns() if town.slug == slug), None)
    name = heading.removeprefix("Mortgage Broker").strip().removeprefix("in ").strip() or slug.replace("-", " ").title()
    if not page or not page.whole.html:
        context.fault(f"town {slug}", "has no text, left out", post_id=page.post_id if page else 0)
        return None
    return Town(
        slug=slug,
        name=name,
        title=heading,
        meta_title=page.meta_title,
        description=page_description(page.description, heading),
        summary=first((page.summary, heading)),
        updated=page.updated,
        near=ours.near if ours else (),
        html=join_html((page.whole.html, page.disclaimer)),
        headings=page.whole.headings,
        faqs=ours.faqs if ours else (),
        centre=ours.centre if ours else None,
    )
