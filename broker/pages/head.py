"""The `<head>` of a page: title, canonical link, robots, Open Graph tags and JSON-LD."""

import json
from collections.abc import Mapping
from typing import Any

import reflex as rx

from broker import routes
from broker.pages.registry import Page
from broker.presenters.social_images import HEIGHT, WIDTH, described
from broker.presenters.structured_data import trail

TITLE_LIMIT = 60


def full_title(page: Page, firm: str) -> str:
    """Return the title with the firm's name appended when both fit in 60 characters and it is not in the title."""
    joined = f"{page.title} | {firm}"
    return joined if len(joined) <= TITLE_LIMIT and firm not in page.title else page.title


def meta_tags(page: Page, *, site_url: str, firm: str) -> list[Any]:
    """Return the meta tags that `App.add_page` does not write itself.

    A page that is not indexed has `robots: noindex` and no canonical link.
    """
    address = site_url + page.route
    graph = {
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": described(page.picture, firm),
        "og:type": "article" if page.published else "website",
        "og:site_name": firm,
        "og:title": page.title,
        "og:description": page.description,
        "og:url": address,
        "og:locale": "en_GB",
    }
    tags: list[Any] = [{"property": name, "content": content} for name, content in graph.items()]
    tags.append({"name": "twitter:card", "content": "summary_large_image"})
    tags.append({"name": "theme-color", "content": "#0C3138"})
    dates = {"article:published_time": page.published, "article:modified_time": page.lastmod}
    tags.extend({"property": name, "content": day} for name, day in dates.items() if day)
    if page.indexed:
        tags.append(rx.el.link(rel="canonical", href=address))
    else:
        tags.append({"name": "robots", "content": "noindex"})
    breadcrumbs = [trail((*page.parents, (page.name, page.route)), site_url=site_url)] if has_breadcrumbs(page) else []
    tags.extend(linked_data(data) for data in (*page.json_ld, *breadcrumbs))
    return tags


def has_breadcrumbs(page: Page) -> bool:
    """Return whether a page has breadcrumbs in its structured data: every indexed page but the home page."""
    return page.indexed and page.route != routes.HOME


def linked_data(data: Mapping[str, Any]) -> rx.Component:
    """Draw JSON-LD in the body, for data known only when the page is drawn; otherwise use `Page.json_ld`."""
    text = json.dumps(dict(data), ensure_ascii=False, separators=(",", ":"))
    # no text can close the script element
    return rx.el.script(text.replace("<", "\\u003c"), type="application/ld+json")
