"""What stands in a page's head: title, description, canonical address, and what other sites show of it."""

from __future__ import annotations

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
    """Return the page's title, with the firm's name after it where both fit in 60 characters and it has none yet."""
    joined = f"{page.title} | {firm}"
    return joined if len(joined) <= TITLE_LIMIT and firm not in page.title else page.title


def meta_tags(page: Page, *, site_url: str, firm: str) -> list[Any]:
    """Return the tags beside title, description and picture.

    A page that is not indexed says so and has no canonical address.
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
    """Return whether search engines are shown the way to a page: it is indexed, and is not where the way begins."""
    return page.indexed and page.route != routes.HOME


def linked_data(data: Mapping[str, Any]) -> rx.Component:
    """Draw data for search engines: in place, for a page that knows it only once it is drawn (else `Page.json_ld`)."""
    return rx.el.script(_in_script(data), type="application/ld+json")


def _in_script(data: Mapping[str, Any]) -> str:
    """Write data so that no text of it can end the script element it stands in."""
    return json.dumps(dict(data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
