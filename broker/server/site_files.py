"""Files made from the current pages: the search index, the sitemap, robots.txt and security.txt."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.clock import utc_now
from broker.derived import Derived
from broker.server.exported_site import ExportedFile, data_file, made_file
from broker.server.rendered_pages import file_answer
from broker.server.response import Answer, Handler, plain_text
from broker.server.templating import OWN_TEMPLATES
from broker.site_search.index import SearchIndex
from broker.site_search.view import SearchPage, entry_groups, search_file

SECURITY_TXT = "/.well-known/security.txt"
SITEMAP, ROBOTS = "/sitemap.xml", "/robots.txt"

SECURITY_TXT_LIFETIME = timedelta(days=180)
"""Time from a request to the expiry of security.txt; RFC 9116 asks for less than a year."""

_HOUR = "public, max-age=3600"


def security_txt(site_url: str, email: Callable[[], str], *, clock: Callable[[], datetime] = utc_now) -> Handler:
    """Return the handler of security.txt; `email` returns the firm's current address."""

    async def answer(_scope: Scope) -> Answer:
        expires = (clock() + SECURITY_TXT_LIFETIME).replace(hour=0, minute=0, second=0, microsecond=0)
        lines = (
            f"Contact: mailto:{email()}",
            f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
            "Preferred-Languages: en",
            f"Canonical: {site_url}{SECURITY_TXT}",
        )
        return plain_text(200, "".join(f"{line}\n" for line in lines))

    return answer


class SiteSearch:
    """Serves the search index and, as a `server.data_pages.PageKind`, the search page; derived from its sources."""

    template = "search"
    shape = ""
    paths = frozenset({routes.SEARCH})

    def __init__(self, index: Callable[[], SearchIndex], sources: Callable[[], tuple[object, ...]]) -> None:
        """`sources` returns the objects that the index is made from; they are replaced, never changed."""
        self._index = index
        self._served = Derived(self._made, sources)

    def version(self, _path: str = "", /) -> int:
        return self._served.version

    async def find(self, path: str) -> SearchPage | None:
        """Return the view of the search page."""
        return (await self._current())[0] if path in self.paths else None

    async def answer(self, scope: Scope) -> Answer:
        """Return the index as JSON."""
        return file_answer((await self._current())[1], Headers(scope=scope))

    async def _current(self) -> tuple[SearchPage, ExportedFile]:
        """Return the page and the file of the index; making them takes most of a second, in a thread."""
        return self._served.current() if self._served.is_current else await asyncio.to_thread(self._served.current)

    def _made(self) -> tuple[SearchPage, ExportedFile]:
        index = self._index()
        return SearchPage(groups=entry_groups(index)), data_file(search_file(index))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A page in the sitemap: its path, and the day of its last change, such as `2026-03-04`, if known."""

    path: str
    changed: str = ""


class Sitemap:
    """Serves the sitemap, derived from its sources."""

    def __init__(
        self, site_url: str, entries: Callable[[], Iterable[Entry]], *, sources: Callable[[], tuple[object, ...]]
    ) -> None:
        """`entries` returns the pages to list; `sources` the objects they are made from."""
        self._site_url, self._entries = site_url, entries
        self._file = Derived(self._made, sources)

    async def answer(self, scope: Scope) -> Answer:
        """Return the sitemap, made in a thread."""
        file = self._file.current() if self._file.is_current else await asyncio.to_thread(self._file.current)
        return file_answer(file, Headers(scope=scope))

    def _made(self) -> ExportedFile:
        text = sitemap_text(self._site_url, self._entries())
        return made_file(text.encode(), "application/xml", cache_control=_HOUR)


def sitemap_handlers(
    site_url: str, entries: Callable[[], Iterable[Entry]], *, sources: Callable[[], tuple[object, ...]]
) -> dict[str, Handler]:
    """Return the handlers of sitemap.xml and robots.txt; `entries` and `sources` are those of Sitemap."""
    # robots.txt allows everything: pages have their own `noindex`
    text = f"User-agent: *\nDisallow:\n\nSitemap: {site_url}{SITEMAP}\n"
    file = made_file(text.encode(), "text/plain; charset=utf-8", cache_control=_HOUR)

    async def robots(scope: Scope) -> Answer:
        return file_answer(file, Headers(scope=scope))

    return {SITEMAP: Sitemap(site_url, entries, sources=sources).answer, ROBOTS: robots}


def sitemap_text(site_url: str, entries: Iterable[Entry]) -> str:
    """Return the text of sitemap.xml, sorted by address."""
    pages = [{"address": site_url + entry.path, "changed": entry.changed} for entry in entries]
    return OWN_TEMPLATES.render("sitemap.xml", {"pages": sorted(pages, key=lambda page: page["address"])}) + "\n"
