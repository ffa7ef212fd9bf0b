"""What a requested path means: where it has moved, and how to say so without ever leaving the host."""

from __future__ import annotations

from collections.abc import Container
from posixpath import splitext
from urllib.parse import quote, unquote, urlsplit

from broker import routes

LONGEST = 1_000
"""Characters of the longest path looked at; a longer one is unknown."""

CALLS = ("/wp-json/", "/graphql/")
"""Paths of the content service's calls: no page has them, so its prefixes are not taken from them (decision 2)."""

PATH_SAFE = "/:@!$&'()*+,;=~-._"
QUERY_SAFE = PATH_SAFE + "?%[]"


def local_address(path: str, query: str = "") -> str:
    """Return a relative address on this host: one slash in front, and nothing that a browser reads as another host."""
    address = "/" + quote(path.lstrip("/\\"), safe=PATH_SAFE, errors="replace")
    return f"{address}?{quote(query, safe=QUERY_SAFE, errors='replace')}" if query else address


def moved(path: str, pages: Container[str]) -> tuple[int, str] | None:
    """Return the status and the path of a redirect, or None: 301 where a page has moved, 308 for a missing slash."""
    if len(path) > LONGEST or splitext(path)[1]:
        return None
    target = routes.permanent(path)
    if target and not target.startswith(CALLS):
        return 301, target
    slashed = f"{path}/"
    return (308, slashed) if slashed in pages else None


def template_file(slug: str) -> str:
    """Return the name of the exported file of a template."""
    return f"__{slug}.html"


def template_slug(name: str) -> str:
    """Return the slug of a template's file name; empty for any other file."""
    slug = name.removeprefix("__").removesuffix(".html")
    return slug if name == template_file(slug) and routes.is_edge_template(slug) else ""


def back_to(referer: str, hosts: Container[str]) -> str:
    """Return the local address of the page a form was sent from; the home page where it is of another host."""
    try:
        page = urlsplit(referer)
    except ValueError:
        return routes.HOME
    if page.scheme not in {"http", "https"} or page.netloc not in hosts:
        return routes.HOME
    return local_address(unquote(page.path), page.query)
