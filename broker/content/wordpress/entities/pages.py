"""Import of pages from REST (call 7), with or without custom fields, by their path on our site."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date
from typing import Any

from broker import routes
from broker.content.models.pages import (
    DESCRIPTION_LIMIT,
    FRONT_PAGES,
    TAKEN_IDS,
    TITLE_LIMIT,
    FrontPage,
    PageMeta,
    Service,
    deals_heading,
)
from broker.content.models.pictures import Picture, SafeHtml, join_html
from broker.content.store import PageIdentity
from broker.content.text.markdown import Text
from broker.content.text.sanitise import element_ids, first_paragraph, split_lead
from broker.content.wordpress.client import Json
from broker.content.wordpress.fields import TOWN, at, choices, number, plain_letters, raw, rows, text, title
from broker.content.wordpress.images import banner_of
from broker.content.wordpress.import_context import ImportContext, first, shorten
from broker.rates.customers import Customer


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText(PageMeta):
    """A page; fields that WordPress does not have are empty. `whole` is all `parts` as one text.

    `subtext` is the text of its banner, `summary` that or the first paragraph. `order` is WordPress's own
    ("Order" of a page), 0 unless an editor has set it.
    """

    post_id: int
    path: str
    slug: str
    subtext: str
    author: str
    created: date
    whole: Text
    parts: tuple[SafeHtml, ...]
    disclaimer: SafeHtml
    categories: tuple[str, ...]
    calculators: tuple[str, ...]
    banner: Picture | None
    order: float = 0

    @property
    def identity(self) -> PageIdentity:
        return PageIdentity(post_id=self.post_id, slug=self.slug)

    def lead_and_text(self) -> tuple[str, SafeHtml]:
        """Return the banner's text and the whole, or a short first paragraph and the rest."""
        return (self.subtext, self.whole.html) if self.subtext else split_lead(self.whole.html)

    def filled(self, *names: str) -> dict[str, Any]:
        """Return the fields of these names that are not empty."""
        return {name: value for name in names if (value := getattr(self, name))}


def page_texts(context: ImportContext, pages: Iterable[Mapping[str, Json]]) -> dict[str, PageText]:
    """Return the published pages by path, without protected ones and second pages at a path."""
    found: dict[str, PageText] = {}
    published = [page for page in pages if _slug(page) and text(page.get("status")) in ("", "publish")]
    for page in published:  # before any text is read, as it may link to any of them
        _path(context, page)
    for page in published:
        slug = _slug(page)
        if at(page, "content", "protected") is True:
            context.note(f"page {slug}", "is protected by a password, left out")
            context.protected.add(_path(context, page))
            continue
        entry = _page_text(context, page, slug)
        if entry.path in found:
            context.note(f"page {slug}", f"has the path {entry.path} of {found[entry.path].slug}, left out")
        found.setdefault(entry.path, entry)
        context.pages.setdefault(entry.path, entry.identity)
    return found


def page_title(heading: str, own: str) -> str:
    """Return a meta title within the limit: the page's own, else the heading."""
    return shorten(first((own, heading)), TITLE_LIMIT)


def page_description(*texts: str) -> str:
    """Return a meta description within the limit: the first non-empty text."""
    return shorten(first(texts), DESCRIPTION_LIMIT)


def _page_text(context: ImportContext, page: Mapping[str, Json], slug: str) -> PageText:
    acf, heading = page.get("acf"), title(page.get("title"))
    safe = [context.sanitise(section) for section in _sections(page, acf)]
    path, subtext = _path(context, page), text(at(acf, "banner_subtext"))
    services = {routes.service(service.slug) for service in context.fallback.services()}
    is_drawn = path in FRONT_PAGES or path in services or path.startswith(f"/{TOWN}")
    taken = TAKEN_IDS if is_drawn else frozenset[str]()
    whole = context.format(safe, taken=taken)
    created = context.day(f"page {slug}", page.get("date")) or context.today
    return PageText(
        post_id=_post_id_of(page),
        path=path,
        slug=slug,
        title=heading,
        meta_title=page_title(heading, text(at(acf, "meta_title"))),
        description=page_description(text(at(acf, "meta_description")), subtext, first_paragraph(whole.html), heading),
        subtext=subtext,
        summary=first((subtext, shorten(first_paragraph(whole.html), 200))),
        author=first((text(at(acf, "banner_author")), _author(page))),
        created=created,
        updated=context.day(f"page {slug}", page.get("modified")) or created,
        whole=whole,
        parts=_parts(context, safe, taken),
        disclaimer=context.html(raw(at(acf, "footer_disclaimer"))).html,
        categories=choices(at(acf, "guide_category")),
        calculators=context.read_calculators(f"page {slug}", at(acf, "active_calculators")),
        banner=context.picture(banner_of(page), large=True),
        order=number(page.get("menu_order")) or 0,
    )


def _sections(page: Mapping[str, Json], acf: Json) -> tuple[str, ...]:
    return (raw(at(page, "content", "rendered")), *(raw(at(acf, f"content_section_{place}")) for place in (1, 2)))


def _slug(page: Mapping[str, Json]) -> str:
    return plain_letters(text(page.get("slug")))


def _path(context: ImportContext, page: Mapping[str, Json]) -> str:
    return context.place_page(_post_id_of(page), _slug(page), address=raw(page.get("link")))


def _post_id_of(row: Mapping[str, Json]) -> int:
    """Return the id of a REST row; 0 for none."""
    return int(number(row.get("id")) or 0)


def _parts(context: ImportContext, sections: Iterable[SafeHtml], taken: Set[str]) -> tuple[SafeHtml, ...]:
    """Return the sections one by one, each id once in all of them."""
    parts: list[SafeHtml] = []
    for section in sections:
        parts.append(context.format([section], taken={*taken, *element_ids("".join(parts))}).html)
    return tuple(parts)


def _author(page: Mapping[str, Json]) -> str:
    """Return the author's name; an embed that is an error (a deleted user) has none."""
    authors = rows(at(page.get("_embedded"), "author"))
    return text(authors[0].get("name")) if authors and "code" not in authors[0] else ""


_EXPECTED = (routes.HOME, routes.CALCULATORS, routes.RATES)
"""Front pages that a content service must have (specification 2, page ids home, calculators and rates)."""

_NAMES_OF_HOME = {"home", "home page", "homepage", "front page"}
"""Titles of a home page that are a name for editors, and no heading."""


def import_front_pages(
    context: ImportContext, texts: Mapping[str, PageText], *, services: Iterable[Service]
) -> dict[str, FrontPage]:
    """Return the front pages that WordPress has, by path; a missing one of `_EXPECTED` is a fault."""
    for path in _EXPECTED:
        if path not in texts:
            context.fault(f"page {path}", "is missing, so the site shows labels in its place: write it in WordPress")
    headings = {routes.deals(customer): deals_heading(customer, services) for customer in Customer}
    return {
        path: _front_page(context, page, heading=headings.get(path, ""))
        for path in FRONT_PAGES
        if (page := texts.get(path))
    }


def _front_page(context: ImportContext, page: PageText, *, heading: str) -> FrontPage:
    """Return a front page; `heading` is the one that the specification gives it, empty for the page's own title."""
    title = heading or _heading(page.title, page.meta_title) or context.fallback.site().name
    lead, html = page.lead_and_text()
    return FrontPage(
        path=page.path,
        title=title,
        meta_title=shorten(
            first((_heading(page.meta_title if page.meta_title != page.title else ""), title)), TITLE_LIMIT
        ),
        description=page.description,
        summary=lead,
        updated=page.updated,
        html=join_html((html, page.disclaimer)),
        headings=page.whole.headings,
        calculators=page.calculators,
    )


def _heading(*titles: str) -> str:
    """Return the first title that is more than a name for editors; empty for none."""
    return first(title for title in titles if title.casefold() not in _NAMES_OF_HOME)
