"""The search of this site at the edge: the index that the browser searches in, and the list of everything."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.revision import Revision
from broker.domain.site_search import SearchIndex
from broker.presenters.search_index_file import entry_groups, search_file
from broker.presenters.site_search import SearchPage
from broker.web.serving.exported_site import ExportedFile, data_file
from broker.web.serving.file_answers import file_answer
from broker.web.serving.response import Answer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptIndex:
    """The index as it is served, and the version of its sources."""

    version: int
    page: SearchPage
    file: ExportedFile


class SiteSearch:
    """Serves the index, which is made when it is first asked for, and again once one of its sources is another.

    It is the kind of data pages (`web.serving.data_pages`) of one page: that of the search.
    """

    template = "search"
    shape = ""
    paths = frozenset({routes.SEARCH})

    def __init__(self, index: Callable[[], SearchIndex], sources: Callable[[], tuple[object, ...]]) -> None:
        """`sources` returns the objects that the index is made from; each is replaced when it changes."""
        self._index, self._sources = index, sources
        self._revision = Revision()
        self._kept: KeptIndex | None = None
        self._lock = asyncio.Lock()

    def version(self, _path: str = "", /) -> int:
        """Return a number that rises with each change of the sources."""
        return self._revision.of(*self._sources())

    async def find(self, path: str) -> SearchPage | None:
        """Return what the page of the search lists."""
        return (await self._current()).page if path in self.paths else None

    async def answer(self, scope: Scope) -> Answer:
        """Answer a request for the index."""
        return file_answer((await self._current()).file, Headers(scope=scope))

    async def _current(self) -> KeptIndex:
        async with self._lock:
            version = self.version()
            if self._kept is None or self._kept.version != version:
                # Indexing takes a good part of a second, for which other requests do not wait.
                self._kept = await asyncio.to_thread(self._made, version)
            return self._kept

    def _made(self, version: int) -> KeptIndex:
        try:
            index = self._index()
        except ValueError as error:  # two pages of one path
            if self._kept is None:
                raise
            log.warning("the search of this site cannot be indexed again, the index before stays: %s", error)
            return replace(self._kept, version=version)
        return KeptIndex(
            version=version, page=SearchPage(groups=entry_groups(index)), file=data_file(search_file(index))
        )
