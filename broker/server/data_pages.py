"""Data pages: templates of the export, rendered at request time and cached while their data is unchanged."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.rates.search_page import START
from broker.server.exported_site import Export, ExportedFile, data_file, is_notice_closed, page, with_notice_closed
from broker.server.paths import local_address, parameters_of, with_slash
from broker.server.releases import LiveExport
from broker.server.rendered_pages import file_answer, unindexed
from broker.server.response import Answer, Handler

MAX_CACHED = 256
"""Pages in the cache; the least recently used are dropped."""

PAGE, SHAPE = "page", "shape"
"""Name of the view in a template; parameter with the shape of the view that the page's scripts know."""

IN_DOCUMENT = "html"
"""Field of a view that scripts read from the element with `data-page-html`, so that the page has it once."""


FindByFigures: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Any]]

NO_FIGURES: Mapping[str, FindByFigures] = MappingProxyType({})


class PageKind(Protocol):
    """The pages of one template; `shape` identifies the fields of their view."""

    template: str
    shape: str

    @property
    def paths(self) -> Collection[str]:
        """The paths of all pages."""
        ...

    def version(self, path: str, /) -> Hashable:
        """Return a value that changes with the view of a path."""
        ...

    async def find(self, path: str, /) -> Any:
        """Return the view of a page, None for no page."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPage:
    """A rendered page for a version of its data; `closed` is the page without the cookie notice, once requested."""

    version: Hashable
    html: ExportedFile
    data: ExportedFile
    closed: ExportedFile | None = None


class DataPages:
    """Serves pages as HTML, and their views as JSON for the scripts of other pages."""

    def __init__(
        self, live: LiveExport, kinds: Sequence[PageKind], *, by_figures: Mapping[str, FindByFigures] = NO_FIGURES
    ) -> None:
        """`by_figures` find the views of pages, by path, for the parameters of their address; none are cached."""
        self._live, self._kinds, self._by_figures = live, kinds, by_figures
        self._cache: LRUCache[str, CachedPage] = LRUCache(MAX_CACHED)
        self._templates = live.export.templates

    def __contains__(self, path: Any) -> bool:
        return any(path in kind.paths for kind in self._kinds)

    def paths(self) -> Iterator[str]:
        for kind in self._kinds:
            yield from kind.paths

    async def html(self, path: str) -> str:
        """Return the HTML of a page; raises KeyError for an unknown path."""
        kind = self._kind(path)
        found = await self._page(kind, path) if kind else None
        if found is None:
            raise KeyError(path)
        return found.html.plain().decode()

    async def answer(self, scope: Scope) -> Answer | None:
        """Return a page or its view as JSON, 409 for a view of another shape, None for an unknown path."""
        path = scope["path"]
        own = with_slash(path.removesuffix(routes.PAGE_DATA))
        kind, templates = self._kind(own), self._live.export.templates
        if kind is None or routes.edge_template(kind.template) not in templates or routes.permanent(own):
            return None
        request, given = Headers(scope=scope), parameters_of(scope)
        figures = {name: text for name, text in given.items() if name != SHAPE} if own in self._by_figures else {}
        found = await (self._page_of_figures(kind, own, figures) if figures else self._page(kind, own))
        if found is None:
            return None
        if with_slash(path) == own and path != own:
            location = local_address(own, scope.get("query_string", b"").decode("latin-1"))
            return Answer(status=308, headers={"location": location, "cache-control": "no-cache"})
        if path == own:
            answer = file_answer(await self._for_visitor(own, found, request), request)
            return unindexed(answer) if figures else answer
        if given.get(SHAPE) != kind.shape:
            return Answer(status=409, headers={"cache-control": "no-store"})
        return file_answer(found.data, request)

    def _kind(self, path: str) -> PageKind | None:
        return next((each for each in self._kinds if path in each.paths), None)

    async def _page(self, kind: PageKind, path: str) -> CachedPage | None:
        export = self._live.export
        if export.templates is not self._templates:
            self._templates = export.templates
            self._cache.clear()
        version = kind.version(path)
        cached = self._cache.get(path)
        if cached and cached.version == version:
            return cached
        view = await kind.find(path)
        if view is None:
            return None
        made = await asyncio.to_thread(_rendered, export, kind, view=view, version=version)
        if export.templates is self._templates:
            self._cache[path] = made
        return made

    async def _page_of_figures(self, kind: PageKind, path: str, figures: Mapping[str, str]) -> CachedPage:
        view = await self._by_figures[path](figures)
        return await asyncio.to_thread(_rendered, self._live.export, kind, view=view, version=None)

    async def _for_visitor(self, path: str, cached: CachedPage, request: Headers) -> ExportedFile:
        if not is_notice_closed(";".join(request.getlist("cookie"))):
            return cached.html
        if cached.closed:
            return cached.closed
        closed = await asyncio.to_thread(with_notice_closed, cached.html, self._live.export.site_url)
        if self._cache.get(path) is cached:
            self._cache[path] = replace(cached, closed=closed)
        return closed


def _rendered(export: Export, kind: PageKind, *, view: Any, version: Hashable) -> CachedPage:
    """Render a page of the export's template, and its view as JSON."""
    plain = asdict(view)
    started = {name: value for name, value in plain.items() if name != IN_DOCUMENT}
    values = {PAGE: view, START: _as_script({PAGE: started})}
    html = export.templates.render(routes.edge_template(kind.template), values)
    return CachedPage(version=version, html=page(html, export.site_url), data=data_file(_as_json(plain).encode()))


def data_page_handlers(pages: DataPages) -> dict[str, Handler]:
    """Return the handler of each folder of data pages; `*` matches one or more parts of a path."""
    patterns = (re.sub(r"\[\w+\]", "*", pattern) for pattern in routes.DATA_PAGES.values())
    folders = {f"{pattern.removesuffix('/*')}/*" for pattern in patterns}
    return dict.fromkeys(sorted(folders), pages.answer)


def _as_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _as_script(data: Any) -> str:
    """Return JSON that cannot close its script element."""
    return _as_json(data).replace("<", "\\u003c")
