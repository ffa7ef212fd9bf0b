"""The sitemap and robots.txt, of the pages that the site has at the moment."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from starlette.types import Scope

from broker.web.serving.response import Answer, Handler
from broker.web.templating import OWN_TEMPLATES

SITEMAP, ROBOTS = "/sitemap.xml", "/robots.txt"

HOUR = "public, max-age=3600"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A page in the sitemap: its path, and the day of its last change, such as `2026-03-04`, if known."""

    path: str
    changed: str = ""


def sitemap_handlers(site_url: str, entries: Callable[[], Iterable[Entry]]) -> dict[str, Handler]:
    """Return the handlers of both files; `entries` are the pages that search engines may list."""

    async def sitemap(_scope: Scope) -> Answer:
        return _file(sitemap_text(site_url, entries()), "application/xml")

    async def robots(_scope: Scope) -> Answer:
        # it allows everything: pages that must not be listed say so themselves
        return _file(f"User-agent: *\nDisallow:\n\nSitemap: {site_url}{SITEMAP}\n", "text/plain; charset=utf-8")

    return {SITEMAP: sitemap, ROBOTS: robots}


def sitemap_text(site_url: str, entries: Iterable[Entry]) -> str:
    """Return the text of sitemap.xml, sorted by address."""
    pages = [{"address": site_url + entry.path, "changed": entry.changed} for entry in entries]
    return OWN_TEMPLATES.render("sitemap.xml", {"pages": sorted(pages, key=lambda page: page["address"])}) + "\n"


def _file(text: str, media_type: str) -> Answer:
    return Answer(status=200, headers={"content-type": media_type, "cache-control": HOUR}, body=text.encode())
