"""The search of this site at the edge: the index that the browser searches in, and the list of everything."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.revision import Derived
from broker.domain.site_search import SearchIndex
from broker.presenters.search_index_file import entry_groups, search_file
from broker.presenters.site_search import SearchPage
from broker.server.exported_site import ExportedFile, data_file
from broker.server.file_answers import file_answer
from broker.server.response import Answer


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
