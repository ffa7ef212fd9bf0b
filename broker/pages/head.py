"""What stands in a page's head: title, description, canonical address, and what other sites show of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import reflex as rx

from broker.pages.registry import Page

TITLE_LIMIT = 60


def full_title(page: Page, firm: str) -> str:
    """Return the page's title, with the firm's name after it where both fit in 60 characters."""
    joined = f"{page.title} | {firm}"
    return joined if len(joined) <= TITLE_LIMIT else page.title


def meta_tags(page: Page, *, site_url: str, firm: str) -> list[Any]:
    """Return the tags beside title and description; a page that is not indexed says so and has no canonical one."""
    address = site_url + page.route
    graph = {
        "og:type": "website",
        "og:site_name": firm,
        "og:title": page.title,
        "og:description": page.description,
        "og:url": address,
        "og:locale": "en_GB",
    }
    tags: list[Any] = [{"property": name, "content": content} for name, content in graph.items()]
    tags.append({"name": "twitter:card", "content": "summary_large_image"})
    tags.append({"name": "theme-color", "content": "#0C3138"})
    if page.lastmod:
        tags.append({"property": "article:modified_time", "content": page.lastmod})
    if page.indexed:
        tags.append(rx.el.link(rel="canonical", href=address))
    else:
        tags.append({"name": "robots", "content": "noindex"})
    for linked in page.json_ld:
        tags.append(rx.el.script(_in_script(linked), type="application/ld+json"))
    return tags


def _in_script(data: Mapping[str, Any]) -> str:
    """Write data so that no text of it can end the script element it stands in."""
    return json.dumps(dict(data), ensure_ascii=False).replace("<", "\\u003c")
