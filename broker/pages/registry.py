"""Pages as values: what a page declares, its head, and what pages are made from."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.published_figures import PublishedFigure
from broker.components.jinja import Handler, Shown, Text
from broker.content.models.pages import ContentPage, Faq, Heading, PageKind
from broker.content.models.pictures import SafeHtml
from broker.content.page_head import IMAGE_HEIGHT, IMAGE_WIDTH, TEXTS, HeadView, image_alt, image_path, json_ld
from broker.content.store import ContentStore
from broker.content.structured_data import breadcrumb_data
from broker.jinja_places import Placeholder, markup_variable
from broker.lenders.lender import KnownLender
from broker.questionnaire.flow import Flow
from broker.rates.lender_tables import RateBlocks
from broker.rates.rates_by_ltv import ByLtvView
from broker.rates.results import RatesList
from broker.site_search.view import SearchWords, text_page_words

TITLE_LIMIT = 60

PUBLISHED, MODIFIED = "published", "modified"
"""The dates of a head, by their names in it."""

_COUNTED_AS = {PageKind.CONTACT: Counted.CONTACT, PageKind.GUIDES: Counted.GUIDE, PageKind.LOCAL: Counted.TOWN}


class Section(StrEnum):
    """A section of the sitemap page; the value is its heading, the order is that of the page."""

    SERVICES = "Services"
    TOOLS = "Tools"
    DEALS = "Deals"
    GUIDES = "Guides"
    TOWNS = "Local brokers"
    LENDERS = "Lenders"
    FIRM = "About us and this site"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page, declared once: the router, the head, breadcrumbs, sitemap page and site search derive from it.

    - `route`: canonical path, with a slash at its end.
    - `title`, `description`: `<title>` and description for search engines.
    - `label`: the page's name in breadcrumbs, the sitemap page and the site search; `title` by default.
    - `render`: draws the page; pure, may run more than once.
    - `template`: of a page of data, the name of its `DataPage`, which draws it; no build does.
    - `view`: of a page that lists what the content has, makes what its `DataPage` draws, with the head.
    - `parents`: label and path of each page between the home page and this one, for the breadcrumbs in JSON-LD.
    - `section`: where the sitemap page lists it; None leaves it out.
    - `search`: how the site search finds it; None leaves it out.
    - `json_ld`: structured data beside the breadcrumbs.
    - `published`, `lastmod`: dates such as `2026-03-04`; a page with `published` is an article.
    - `picture`: path of the image for social sites.
    - `family`: pages of one family share one script; for pages that are many and alike.
    - `counted_as`: the kind that its views are counted as; None for a page that is not for visitors.
    """

    route: str
    title: str
    description: str
    render: Callable[[], rx.Component] = rx.fragment
    template: str = ""
    view: Callable[[HeadView], Any] | None = None
    label: str = ""
    parents: tuple[tuple[str, str], ...] = ()
    section: Section | None = None
    search: SearchWords | None = None
    on_load: Handler | None = None
    indexed: bool = True
    json_ld: tuple[Mapping[str, object], ...] = ()
    published: str = ""
    lastmod: str = ""
    picture: str = image_path(TEXTS)
    family: str = ""
    counted_as: Counted | None = Counted.OTHER

    @property
    def name(self) -> str:
        return self.label or self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPage:
    """Pages of one kind that are data: the edge fills one template with a view of the page that is asked for.

    In the browser one route, whose address has `pattern`, draws them all of the same views.

    - `name`: of the template, and the key of the pattern in `routes.DATA_PAGES`.
    - `view`: the type of a view, which has a `head`.
    - `draw`, `bar`: draw the content of `main`, and the breadcrumb bar, of a view of the browser or of a template.
    - `colours`: CSS variables of a view, for the whole page.
    - `dates`: those that the head of a page has, of `head.PUBLISHED` and `head.MODIFIED`.
    - `is_list`: whether its pages list what the content has, and so are a `Page.view`.
    """

    name: str
    view: type[Any]
    draw: Callable[[Any], rx.Component]
    bar: Callable[[Any], rx.Component] | None = None
    colours: Callable[[Any], Mapping[str, Any]] | None = None
    dates: tuple[str, ...] = ()
    is_list: bool = False

    @property
    def pattern(self) -> str:
        return routes.DATA_PAGES[self.name]

    @property
    def path(self) -> str:
        """Return the path of a kind that has one page alone; empty for any other."""
        return "" if "[" in self.pattern else f"{self.pattern}/"


def edge_template_page(name: str, *, title: str, description: str, render: Callable[[], rx.Component]) -> Page:
    """Return a page that is exported as a template for the edge: no URL leads to it, and it is not indexed."""
    route = f"/{routes.edge_template(name)}/"
    return Page(route=route, title=title, description=description, render=render, indexed=False)


def content_page(page: ContentPage, render: Callable[[], rx.Component] = rx.fragment, *, picture: str) -> Page:
    return Page(
        route=page.path,
        title=page.meta_title,
        label=page.title,
        section=Section.FIRM,
        search=text_page_words(page),
        description=page.description,
        render=render,
        lastmod=page.updated.isoformat(),
        picture=picture,
        counted_as=_COUNTED_AS.get(page.kind, Counted.OTHER),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How the site calculates: the text with its headings, and the published figures that ours are checked against."""

    html: SafeHtml
    headings: tuple[Heading, ...]
    figures: tuple[PublishedFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildInputs:
    """What pages are made from: the content, the lenders, and the rates known at build.

    `rates` gives a customer type's opening list, `deals` the blocks of its deal page, `rates_by_ltv` the chart of its
    opening search, `faqs` the questions of a topic: the feed's where it has some, else the store's.
    Only drawing a page may ask for rates: a server knows the pages of its build without asking. `site_url` is the base
    of every address, `flow` the questionnaire, `method` how the site calculates.
    """

    store: ContentStore
    rates: Callable[[str], RatesList]
    deals: Callable[[str], RateBlocks]
    faqs: Callable[[str], tuple[Faq, ...]]
    rates_by_ltv: Callable[[str], ByLtvView]
    site_url: str
    flow: Flow
    method: Method
    lenders: tuple[KnownLender, ...] = ()


class DuplicateRouteError(ValueError):
    """Two pages claim one route."""


def joined(*families: tuple[Page, ...]) -> tuple[Page, ...]:
    """Return the pages of all families; raises DuplicateRouteError naming the route."""
    pages = tuple(page for family in families for page in family)
    seen: set[str] = set()
    for page in pages:
        if page.route in seen:
            raise DuplicateRouteError(f"two pages have the route {page.route}")
        seen.add(page.route)
    return pages


def full_title(page: Page, firm: str) -> str:
    """Return the title with the firm's name appended when both fit in 60 characters and it is not in the title."""
    joined = f"{page.title} | {firm}"
    return joined if len(joined) <= TITLE_LIMIT and firm not in page.title else page.title


def head_view(page: Page, *, site_url: str, firm: str) -> HeadView:
    """Return the head of a page; its structured data is the page's own, and its breadcrumbs."""
    breadcrumbs = (
        [breadcrumb_data((*page.parents, (page.name, page.route)), site_url=site_url)] if _has_breadcrumbs(page) else []
    )
    return HeadView(
        title=full_title(page, firm),
        name=page.title,
        description=page.description,
        address=site_url + page.route,
        image=site_url + page.picture,
        image_alt=image_alt(page.picture, firm),
        published=page.published,
        modified=page.lastmod,
        data=tuple(map(json_ld, (*page.json_ld, *breadcrumbs))),
    )


def meta_tags(head: Shown[HeadView], *, firm: str, dates: Collection[str], indexed: bool = True) -> list[Any]:
    """Return the meta tags that `App.add_page` does not write itself; `dates` are those of PUBLISHED and MODIFIED.

    A page that is not `indexed` has `robots: noindex` and no canonical link. One that was published is an article.
    """
    graph = {
        "og:image:width": str(IMAGE_WIDTH),
        "og:image:height": str(IMAGE_HEIGHT),
        "og:image:alt": head.image_alt,
        "og:type": "article" if PUBLISHED in dates else "website",
        "og:site_name": firm,
        "og:title": head.name,
        "og:description": head.description,
        "og:url": head.address,
        "og:locale": "en_GB",
    }
    tags: list[Any] = [{"property": name, "content": content} for name, content in graph.items()]
    tags.append({"name": "twitter:card", "content": "summary_large_image"})
    tags.append({"name": "theme-color", "content": "#0C3138"})
    tags.extend({"property": f"article:{name}_time", "content": getattr(head, name)} for name in dates)
    if indexed:
        tags.append(rx.el.link(rel="canonical", href=head.address))
    else:
        tags.append({"name": "robots", "content": "noindex"})
    return tags


def dates_of(page: Page) -> tuple[str, ...]:
    return (*((PUBLISHED,) if page.published else ()), *((MODIFIED,) if page.lastmod else ()))


def _has_breadcrumbs(page: Page) -> bool:
    """Return whether a page has breadcrumbs in its structured data: every indexed page but the home page."""
    return page.indexed and page.route != routes.HOME


def linked_data(text: Text) -> rx.Component:
    """Draw a text of JSON-LD, which may be one of the browser or the place of one in a template."""
    shown = markup_variable(text.name) if isinstance(text, Placeholder) else text
    return rx.el.script(shown, type="application/ld+json")
