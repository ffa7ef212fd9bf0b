"""Import of guides and towns: listed in GraphQL (call 1), with their texts in REST (call 7)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from html import escape

from broker.content.files.field_checks import SLUG
from broker.content.files.guide_documents import count_words
from broker.content.models.guides import Guide, Town, latest_first
from broker.content.models.safe_html import NO_HTML, join_html
from broker.content.text.markdown import Text
from broker.content.wordpress.entities.page_texts import PageText, page_description, page_title
from broker.content.wordpress.fields import at, choices, parse_switch, text, title
from broker.content.wordpress.import_context import ImportContext, first
from broker.content.wordpress.name_mapping import GUIDE, NEAR_ME, TOWN, TYPE_GUIDE
from broker.content.wordpress.responses import Json
from broker.domain.guides import GuideCategory
from broker.routes import RENAMED_GUIDES

RELATED = 4
"""Number of related guides."""

_MAIN = {"first-time-buyer": GuideCategory.FIRST_TIME_BUYER, "remortgaging": GuideCategory.REMORTGAGING}


def import_guides(
    context: ImportContext, nodes: Iterable[Mapping[str, Json]], *, texts: Mapping[str, PageText]
) -> tuple[Guide, ...]:
    """Return listed guides and those of service types, most recently changed first; a repeated url is a fatal issue."""
    found: dict[str, Guide] = {}
    for node in nodes:
        if not (guide := _listed(context, node, texts)):
            continue
        if guide.url in found:
            context.refuse(f"guide {guide.url}", f"is there twice: {found[guide.url].title!r} and {guide.title!r}")
        found[guide.url] = guide
    for page in texts.values():
        url = page.path.removeprefix(GUIDE).strip("/")
        if page.path.startswith(GUIDE) and page.slug.endswith(TYPE_GUIDE) and url not in found:
            found[url] = _type_guide(context, page, url)
    for guide in context.fallback.guides():
        is_of_type = guide.url.endswith(TYPE_GUIDE) and context.link(f"/{guide.url}/") != f"/{guide.url}/"
        if is_of_type and guide.url not in found:
            context.note(f"guide {guide.url}", "is not there; ours is used")
            found[guide.url] = guide
    guides = latest_first(found.values())
    return tuple(_with_related(guide, guides) for guide in guides)


def _listed(context: ImportContext, node: Mapping[str, Json], texts: Mapping[str, PageText]) -> Guide | None:
    fields, heading = node.get("seoGuides"), title(node.get("title"))
    if not (url := _url(context, fields, heading)):
        return None
    page, described = texts.get(f"{GUIDE}{url}/"), text(at(fields, "guideDescription"))
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
        words=count_words(body),
        show_on_homepage=parse_switch(at(fields, "showOnHomepage")),
        disclaimer=page.disclaimer if page else NO_HTML,
    )


def _url(context: ImportContext, fields: Json, heading: str) -> str:
    """Return the last part of a guide's path, the new one if it moved; empty with an issue for a missing or bad one."""
    url = text(at(fields, "url")).strip("/").rpartition("/")[2]
    if not url:
        context.note(f"guide {heading}", "has no url and is not yet a guide, left out")
    elif not SLUG.fullmatch(url):
        context.refuse(f"guide {heading}", f"the url {url!r} is none; small letters, digits and hyphens make one")
        return ""
    return RENAMED_GUIDES.get(url, url)


def _body(context: ImportContext, url: str, *, page: PageText | None, instead: str) -> Text:
    """Return a guide's text: that of its page, else of our guide with the same url, else a short one."""
    if page and page.whole.html:
        return page.whole
    if ours := next((guide for guide in context.fallback.guides() if guide.url == url), None):
        context.note(f"guide {url}", "has no text; ours is used")
        return Text(html=ours.html, headings=ours.headings)
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
        words=count_words(page.whole),
        disclaimer=page.disclaimer,
    )


def _categories(context: ImportContext, url: str, given: tuple[str, ...]) -> tuple[GuideCategory, ...]:
    known = tuple(GuideCategory(name) for name in given if name in set(GuideCategory))
    if unknown := sorted(set(given) - set(GuideCategory)):
        context.refuse(f"guide {url}", f"unknown category {', '.join(unknown)}; known are {', '.join(GuideCategory)}")
    elif not known:
        context.note(f"guide {url}", "has no category, so that only the list of all guides shows it")
    return known


def _with_related(guide: Guide, guides: tuple[Guide, ...]) -> Guide:
    """Return a guide with its related guides: those that share most categories, newest first."""
    others = [other for other in guides if other.url != guide.url]
    others.sort(key=lambda other: -len(set(other.categories) & set(guide.categories)))
    return replace(guide, related=tuple(other.url for other in others[:RELATED]))


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
    body = page.whole if page and page.whole.html else None
    if not body:
        context.note(f"town {slug}", "has no text; ours is used" if ours else "has no text, left out")
    if not body and not ours:
        return None
    return Town(
        slug=slug,
        name=name,
        title=heading,
        meta_title=page.meta_title if page else page_title(heading, ""),
        description=page_description(
            page.description if body and page else "", ours.description if ours else "", heading
        ),
        summary=first((page.summary if page else "", ours.summary if ours else "", heading)),
        updated=page.updated if page else (ours.updated if ours else context.today),
        near=ours.near if ours else (),
        html=join_html((body.html, page.disclaimer)) if body and page else (ours.html if ours else NO_HTML),
        headings=body.headings if body else (ours.headings if ours else ()),
        faqs=ours.faqs if ours else (),
        centre=ours.centre if ours else None,
    )
