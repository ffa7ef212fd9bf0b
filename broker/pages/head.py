"""The `<head>` of a page: title, canonical link, robots, Open Graph tags and JSON-LD."""

from collections.abc import Collection
from typing import Any

import reflex as rx

from broker import routes
from broker.content.page_head import HEIGHT, WIDTH, HeadView, described, json_ld
from broker.content.structured_data import trail
from broker.jinja_places import Placeholder, markup_variable
from broker.pages.registry import Page

TITLE_LIMIT = 60

PUBLISHED, MODIFIED = "published", "modified"
"""The dates of a head, by their names in it."""


def full_title(page: Page, firm: str) -> str:
    """Return the title with the firm's name appended when both fit in 60 characters and it is not in the title."""
    joined = f"{page.title} | {firm}"
    return joined if len(joined) <= TITLE_LIMIT and firm not in page.title else page.title


def head_view(page: Page, *, site_url: str, firm: str) -> HeadView:
    """Return the head of a page; its structured data is the page's own, and its breadcrumbs."""
    breadcrumbs = [trail((*page.parents, (page.name, page.route)), site_url=site_url)] if has_breadcrumbs(page) else []
    return HeadView(
        title=full_title(page, firm),
        name=page.title,
        description=page.description,
        address=site_url + page.route,
        image=site_url + page.picture,
        image_alt=described(page.picture, firm),
        published=page.published,
        modified=page.lastmod,
        data=tuple(map(json_ld, (*page.json_ld, *breadcrumbs))),
    )


def meta_tags(head: HeadView | Any, *, firm: str, dates: Collection[str], indexed: bool = True) -> list[Any]:
    """Return the meta tags that `App.add_page` does not write itself; `dates` are those of PUBLISHED and MODIFIED.

    A page that is not `indexed` has `robots: noindex` and no canonical link. One that was published is an article.
    """
    graph = {
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
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
    """Return which dates a page has."""
    return (*((PUBLISHED,) if page.published else ()), *((MODIFIED,) if page.lastmod else ()))


def has_breadcrumbs(page: Page) -> bool:
    """Return whether a page has breadcrumbs in its structured data: every indexed page but the home page."""
    return page.indexed and page.route != routes.HOME


def linked_data(text: Any) -> rx.Component:
    """Draw a text of JSON-LD, which may be one of the browser or the place of one in a template."""
    shown = markup_variable(text.name) if isinstance(text, Placeholder) else text
    return rx.el.script(shown, type="application/ld+json")
