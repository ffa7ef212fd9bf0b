"""Import of services, deal pages, and the generic pages of the sitemap menu."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from broker.content.files.validated_record import PATH
from broker.content.menus import MenuItem
from broker.content.models.pages import ContentPage, DealPage, Door, Faq, PageKind, Service, ServiceLook, Theme
from broker.content.models.pictures import NO_HTML, join_html
from broker.content.text.colour_contrast import parse_colour, readable_look
from broker.content.text.links import is_lender_page
from broker.content.text.sanitise import element_ids
from broker.content.wordpress.client import Json
from broker.content.wordpress.download import SECTIONS, Answers
from broker.content.wordpress.entities.pages import PageText
from broker.content.wordpress.fields import CODED_PAGES, at, number, raw, rows, text, title
from broker.content.wordpress.import_context import ImportContext, first

_SERVICE_TYPE = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFaq:
    """A question with the slug by which extra SEO entries refer to it."""

    slug: str
    faq: Faq


def import_faqs(context: ImportContext, tree: Json) -> dict[str, tuple[NamedFaq, ...]]:
    """Return the questions by type: an object of lists, or one list whose entries name their `type`.

    Drafts are left out, and what has no answer is noted.
    """
    found: dict[str, list[NamedFaq]] = {}
    for kind, post in _posts(tree):
        question = text(post.get("post_title"))
        if not question or text(post.get("post_status")) not in ("", "publish") or raw(post.get("post_password")):
            continue
        if not (answer := context.html(raw(post.get("post_content"))).html):
            context.note(f"question {question}", "has no answer, left out")
            continue
        faq = NamedFaq(slug=text(post.get("post_name")), faq=Faq(question=question, answer=answer))
        found.setdefault(kind, []).append(faq)
    return {kind: tuple(faqs) for kind, faqs in found.items()}


def _choose_faqs(every: Sequence[NamedFaq], named: Sequence[str], *, own: Sequence[NamedFaq]) -> tuple[Faq, ...]:
    """Return questions without repetition: those named by slug, in that order, then a type's own."""
    by_slug = {posted.slug: posted.faq for posted in every}
    chosen = [by_slug[slug] for slug in named if slug in by_slug]
    return tuple(dict.fromkeys([*chosen, *(posted.faq for posted in own)]))


def _posts(tree: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    if isinstance(tree, dict) and "post_title" not in tree:
        named = ((kind, post) for kind, posts in tree.items() for post in rows(posts))
    else:
        named = ((text(post.get("type")), post) for post in rows(tree))
    return ((kind, post) for kind, post in named if _SERVICE_TYPE.fullmatch(kind))


_LAST_ORDER = 100.0
"""Sort key of a service that only WordPress has: after ours."""


def import_services(
    context: ImportContext, answers: Answers, *, texts: Mapping[str, PageText], faqs: Mapping[str, Sequence[NamedFaq]]
) -> tuple[Service, ...]:
    """Return the services that WordPress has a page for, each with the drawing and place of ours of the same slug."""
    titles = {text(row.get("slug")): title(row.get("title")) for row in answers.site.get("services") or ()}
    ours = {service.slug: service for service in context.fallback.services()}
    found: list[Service] = []
    for slug in dict.fromkeys([*titles, *ours]):
        page = texts.get(f"/{slug}/")
        if not page or not page.whole.html:
            if slug in titles:
                context.fault(f"service {slug}", "has no page of text, left out")
            continue
        begun, extra = (
            ours.get(slug) or _new_service(context, titles[slug], slug, page=page),
            answers.extra_seo.get(slug),
        )
        heading = titles.get(slug) or page.title
        own = replace(begun, title=heading, short_title=heading, faqs=_faqs(slug, faqs, extra))
        found.append(_with_extra(context, _with_page(own, page), extra))
    return tuple(found)


def _new_service(context: ImportContext, heading: str, slug: str, *, page: PageText) -> Service:
    context.note(f"service {slug}", "is none of ours: it has the usual colours, and no deals of its own")
    return Service(
        slug=slug,
        title=heading,
        short_title=heading,
        meta_title=page.meta_title,
        description=page.description,
        summary=page.summary,
        updated=page.updated,
        theme=Theme.REMORTGAGING,
        door=Door.FAN,
        author=page.author or context.team,
        section_1=NO_HTML,
        section_2=NO_HTML,
        calculators=page.calculators,
        faqs=(),
        footer_disclaimer=NO_HTML,
        order=_LAST_ORDER,
    )


def _with_page(service: Service, page: PageText) -> Service:
    """Return a service with the words and the active calculators of its page, whose texts of regulation may be ours."""
    before, section_1, section_2 = page.parts
    return replace(
        service,
        **page.filled("meta_title", "description", "author", "updated"),
        summary=first((page.summary, page.description)),
        calculators=page.calculators,
        section_1=join_html((before, section_1)) or section_2,
        section_2=section_2 if before or section_1 else NO_HTML,
        footer_disclaimer=page.disclaimer or service.footer_disclaimer,
    )


def _with_extra(context: ImportContext, service: Service, extra: Json) -> Service:
    """Return a service with its extra SEO sections after its second section."""
    taken = element_ids(service.section_1 + service.section_2)
    sections = context.html(*(raw(at(extra, "extraSeoFields", name)) for name in SECTIONS), taken=taken).html
    return replace(service, section_2=join_html((service.section_2, sections))) if sections else service


def _faqs(slug: str, faqs: Mapping[str, Sequence[NamedFaq]], extra: Json) -> tuple[Faq, ...]:
    named = raw(at(extra, "extraSeoFields", "faqSlugs")).replace(",", " ").split()
    every = tuple(chain.from_iterable(faqs.values()))
    return _choose_faqs(every, named, own=faqs.get(slug, ()))


def import_looks(context: ImportContext, answers: Answers) -> dict[str, ServiceLook]:
    """Return the look of each service that WordPress gives a colour or a picture."""
    rows = answers.site.get("services") or ()
    found = {text(row.get("slug")): _look(context, text(row.get("slug")), row.get("serviceSettings")) for row in rows}
    return {slug: look for slug, look in found.items() if look != ServiceLook()}


def _look(context: ImportContext, slug: str, settings: Json) -> ServiceLook:
    """Return a service's look; an invalid or too pale colour is noted."""
    written, opacity = text(at(settings, "themeColor")), number(at(settings, "themeOpacity"))
    look, color = ServiceLook(), parse_colour(written)
    if color:
        look = readable_look(color, 1.0 if opacity is None else min(max(opacity, 0.0), 1.0))
    if written and not color:
        context.note(f"service {slug}", f"themeColor {written!r} is no colour of the form #1b6b54; ours is used")
    elif color != look.color:
        context.note(f"service {slug}", f"themeColor {color} is too pale for words, {look.color} is shown")
    return replace(look, icon=context.picture(at(settings, "serviceIcon")))


def import_deal_pages(context: ImportContext, texts: Mapping[str, PageText]) -> tuple[DealPage, ...]:
    """Return the deal pages that WordPress has, each with the customer type of ours at the same path."""
    pairs = ((page, texts.get(page.path)) for page in context.fallback.deal_pages())
    return tuple(_deal_page(page, own) for page, own in pairs if own)


def _deal_page(ours: DealPage, page: PageText) -> DealPage:
    lead, html = page.lead_and_text()
    return replace(
        ours,
        **page.filled("title", "meta_title", "description", "updated"),
        summary=lead,
        author=page.author,
        html=join_html((html, page.disclaimer)),
        headings=page.whole.headings,
    )


def import_pages(
    context: ImportContext, sitemap: Sequence[MenuItem], *, texts: Mapping[str, PageText], taken: Set[str]
) -> tuple[ContentPage, ...]:
    """Return the generic pages: those in the sitemap menu, and our own (specification 2).

    `taken` are the paths of services, guides and towns. Where the menu or the pages could not be read, one of them may
    not know a page's new address: what the site had stays.
    """
    ours = {page.path: page for page in context.fallback.pages()}
    for path, page in ours.items():
        if page.kind is PageKind.LEGAL and not (path in texts and texts[path].whole.html):
            context.fault(f"page {path}", "is missing, and a firm must have it: write it in WordPress")
    others = CODED_PAGES | taken | {page.path for page in context.fallback.deal_pages()}
    wanted = dict.fromkeys([*_paths(sitemap), *ours, *_last_pages(context, texts)])
    paths = [path for path in wanted if path not in others and PATH.fullmatch(path) and not is_lender_page(path)]
    for path in texts.keys() - set(paths) - others:
        if texts[path].whole.html and not is_lender_page(path):
            context.note(f"page {path}", "is in no menu, so the site does not have it")
    return tuple(
        _page(page, path, ours=ours.get(path)) for path in paths if (page := texts.get(path)) and page.whole.html
    )


def _last_pages(context: ImportContext, texts: Mapping[str, PageText]) -> list[str]:
    """Return where the pages of the last snapshot are now, if the menu or the pages could not be read."""
    if not context.unread & {"pages", "sitemapMenu"}:
        return []
    known = context.history.pages
    ids = {known[path].post_id for path in context.last_paths.get("page", ()) if path in known}
    return [path for path, page in texts.items() if page.post_id in ids]


def _page(page: PageText, path: str, *, ours: ContentPage | None) -> ContentPage:
    return ContentPage(
        path=path,
        title=page.title,
        meta_title=page.meta_title,
        description=page.description,
        kind=ours.kind if ours else PageKind.ABOUT,
        updated=page.updated,
        summary=first((page.summary, page.description)),
        html=join_html((page.whole.html, page.disclaimer)),
        headings=page.whole.headings,
        author=page.author,
        calculators=page.calculators,
    )


def _paths(items: Sequence[MenuItem]) -> list[str]:
    return [path for item in items for path in (item.path, *_paths(item.children)) if path]
