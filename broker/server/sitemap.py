"""The sitemap and robots.txt, of the pages that the site has at the moment."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.domain.revision import Derived
from broker.server.exported_site import ExportedFile, made_file
from broker.server.file_answers import file_answer
from broker.server.response import Answer, Handler
from broker.server.templating import OWN_TEMPLATES

SITEMAP, ROBOTS = "/sitemap.xml", "/robots.txt"

HOUR = "public, max-age=3600"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A page in the sitemap: its path, and the day of its last change, such as `2026-03-04`, if known."""

    path: str
    changed: str = ""


class Sitemap:
    """Serves the sitemap, which is made when it is first asked for, and again once one of its sources is another."""

    def __init__(
        self, site_url: str, entries: Callable[[], Iterable[Entry]], *, sources: Callable[[], tuple[object, ...]]
    ) -> None:
        """`entries` returns the pages to list; `sources` the objects they are made from, replaced when they change."""
        self._site_url, self._entries = site_url, entries
        self._file = Derived(self._made, sources)

    async def answer(self, scope: Scope) -> Answer:
        """Answer a request for the sitemap; to list every page takes a while, for which other requests do not wait."""
        file = self._file.current() if self._file.is_current else await asyncio.to_thread(self._file.current)
        return file_answer(file, Headers(scope=scope))

    def _made(self) -> ExportedFile:
        text = sitemap_text(self._site_url, self._entries())
        return made_file(text.encode(), "application/xml", cache_control=HOUR)


def sitemap_handlers(
    site_url: str, entries: Callable[[], Iterable[Entry]], *, sources: Callable[[], tuple[object, ...]]
) -> dict[str, Handler]:
    """Return the handlers of both files: `entries` and `sources` are those of a Sitemap."""
    # it allows everything: pages that must not be listed say so themselves
    text = f"User-agent: *\nDisallow:\n\nSitemap: {site_url}{SITEMAP}\n"
    file = made_file(text.encode(), "text/plain; charset=utf-8", cache_control=HOUR)

    async def robots(scope: Scope) -> Answer:
        return file_answer(file, Headers(scope=scope))

    return {SITEMAP: Sitemap(site_url, entries, sources=sources).answer, ROBOTS: robots}


def sitemap_text(site_url: str, entries: Iterable[Entry]) -> str:
    """Return the text of sitemap.xml, sorted by address."""
    pages = [{"address": site_url + entry.path, "changed": entry.changed} for entry in entries]
    return OWN_TEMPLATES.render("sitemap.xml", {"pages": sorted(pages, key=lambda page: page["address"])}) + "\n"
