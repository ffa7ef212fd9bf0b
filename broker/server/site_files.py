"""The sitemap and robots.txt, of the pages that the site has at the moment."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.derived import Derived
from broker.server.exported_site import ExportedFile, data_file, made_file
from broker.server.rendered_pages import file_answer
from broker.server.response import Answer, Handler, plain_text
from broker.server.templating import OWN_TEMPLATES
from broker.site_search.index import SearchIndex
from broker.site_search.view import SearchPage, entry_groups, search_file
from broker.storage.signed_tokens import utc_now

PATH = "/.well-known/security.txt"

LIFETIME = timedelta(days=180)
"""How long the file is good from the day it is read; RFC 9116 asks for less than a year."""


def security_txt(site_url: str, email: Callable[[], str], *, clock: Callable[[], datetime] = utc_now) -> Handler:
    """Return the handler of the file, with the firm's address of the moment."""

    async def answer(_scope: Scope) -> Answer:
        expires = (clock() + LIFETIME).replace(hour=0, minute=0, second=0, microsecond=0)
        lines = (
            f"Contact: mailto:{email()}",
            f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
            "Preferred-Languages: en",
            f"Canonical: {site_url}{PATH}",
        )
        return plain_text(200, "".join(f"{line}\n" for line in lines))

    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedIndex:
    """The index as it is served."""

    page: SearchPage
    file: ExportedFile


class SiteSearch:
    """Serves the index, which is made when it is first asked for, and again once one of its sources is another.

    It is the kind of data pages (`server.data_pages`) of one page: that of the search.
    """

    template = "search"
    shape = ""
    paths = frozenset({routes.SEARCH})

    def __init__(self, index: Callable[[], SearchIndex], sources: Callable[[], tuple[object, ...]]) -> None:
        """`sources` returns the objects that the index is made from; each is replaced when it changes."""
        self._index = index
        self._served = Derived(self._made, sources)

    def version(self, _path: str = "", /) -> int:
        """Return a number that rises with each change of the sources."""
        return self._served.version

    async def find(self, path: str) -> SearchPage | None:
        """Return what the page of the search lists."""
        return (await self._current()).page if path in self.paths else None

    async def answer(self, scope: Scope) -> Answer:
        """Answer a request for the index."""
        return file_answer((await self._current()).file, Headers(scope=scope))

    async def _current(self) -> ServedIndex:
        """Return the index; to make one takes a good part of a second, for which other requests do not wait."""
        return self._served.current() if self._served.is_current else await asyncio.to_thread(self._served.current)

    def _made(self) -> ServedIndex:
        index = self._index()
        return ServedIndex(page=SearchPage(groups=entry_groups(index)), file=data_file(search_file(index)))


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
