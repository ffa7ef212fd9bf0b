"""Pages that are data: a template of the export, filled for the path when it is asked for, and kept while it is fresh.

React draws the same page from the view that the document holds, and reads that of another page as JSON.
"""

import asyncio
import json
import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.rates.search_page import START
from broker.server.exported_site import Export, ExportedFile, data_file, is_notice_closed, page, with_notice_closed
from broker.server.paths import local_address, parameters_of, with_slash
from broker.server.releases import LiveExport
from broker.server.rendered_pages import file_answer
from broker.server.response import Answer, Handler

MAX_KEPT = 256
"""Pages that are kept as they were written last; the least recently used are dropped."""

PAGE, SHAPE = "page", "shape"
"""The name of the view in a template; the parameter that names the fields that scripts know."""

IN_DOCUMENT = "html"
"""The field of a view that scripts read from the element with `data-page-html`, so that a long text is there once."""


class PageKind(Protocol):
    """Pages of one template. `shape` is short, and differs for views of other fields."""

    template: str
    shape: str

    @property
    def paths(self) -> Collection[str]:
        """Return the paths that are known to have a page."""
        ...

    def version(self, path: str, /) -> Hashable:
        """Return what is equal while the view of a path is."""
        ...

    async def find(self, path: str) -> Any:
        """Return the view of the page at a path, None where there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage:
    """A page as it was written for a version of its data and templates; `closed` once it was asked for.

    `closed` is the page without the cookie notice.
    """

    version: Hashable
    html: ExportedFile
    data: ExportedFile
    closed: ExportedFile | None = None


class DataPages:
    """Answers the paths of pages of some kinds."""

    def __init__(self, live: LiveExport, kinds: Sequence[PageKind]) -> None:
        self._live, self._kinds = live, kinds
        self._kept: LRUCache[str, KeptPage] = LRUCache(MAX_KEPT)
        self._templates = live.export.templates

    def __contains__(self, path: Any) -> bool:
        return any(path in kind.paths for kind in self._kinds)

    def paths(self) -> Iterator[str]:
        """Yield the path of every page."""
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
        """Return a page, or what it shows as JSON; None for an unknown path."""
        path = scope["path"]
        own = with_slash(path.removesuffix(routes.PAGE_DATA))
        kind, templates = self._kind(own), self._live.export.templates
        if kind is None or routes.edge_template(kind.template) not in templates or routes.permanent(own):
            return None
        request = Headers(scope=scope)
        found = await self._page(kind, own)
        if found is None:
            return None
        if with_slash(path) == own and path != own:
            location = local_address(own, scope.get("query_string", b"").decode("latin-1"))
            return Answer(status=308, headers={"location": location, "cache-control": "no-cache"})
        if path == own:
            return file_answer(await self._for_visitor(own, found, request), request)
        if parameters_of(scope).get(SHAPE) != kind.shape:
            return Answer(status=409, headers={"cache-control": "no-store"})
        return file_answer(found.data, request)

    def _kind(self, path: str) -> PageKind | None:
        return next((each for each in self._kinds if path in each.paths), None)

    async def _page(self, kind: PageKind, path: str) -> KeptPage | None:
        export = self._live.export
        if export.templates is not self._templates:
            self._templates = export.templates
            self._kept.clear()
        version = kind.version(path)
        kept = self._kept.get(path)
        if kept and kept.version == version:
            return kept
        view = await kind.find(path)
        if view is None:
            return None
        # Rendering and compressing take milliseconds, for which other requests do not wait.
        made = await asyncio.to_thread(_filled, export, kind, view=view, version=version)
        if export.templates is self._templates:
            self._kept[path] = made
        return made

    async def _for_visitor(self, path: str, kept: KeptPage, request: Headers) -> ExportedFile:
        if not is_notice_closed(";".join(request.getlist("cookie"))):
            return kept.html
        if kept.closed:
            return kept.closed
        closed = await asyncio.to_thread(with_notice_closed, kept.html, self._live.export.site_url)
        if self._kept.get(path) is kept:
            self._kept[path] = replace(kept, closed=closed)
        return closed


def _filled(export: Export, kind: PageKind, *, view: Any, version: Hashable) -> KeptPage:
    """Return a page of a release's template, and what it shows as JSON."""
    plain = asdict(view)
    started = {name: value for name, value in plain.items() if name != IN_DOCUMENT}
    values = {PAGE: view, START: _as_script({PAGE: started})}
    html = export.templates.render(routes.edge_template(kind.template), values)
    return KeptPage(version=version, html=page(html, export.site_url), data=data_file(_as_json(plain).encode()))


def data_page_handlers(pages: DataPages) -> dict[str, Handler]:
    """Return the handler of each folder of such pages; `*` stands for one part of a path or more."""
    patterns = (re.sub(r"\[\w+\]", "*", pattern) for pattern in routes.DATA_PAGES.values())
    folders = {f"{pattern.removesuffix('/*')}/*" for pattern in patterns}
    return dict.fromkeys(sorted(folders), pages.answer)


def _as_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _as_script(data: Any) -> str:
    """Return JSON in which nothing can close its script element."""
    return _as_json(data).replace("<", "\\u003c")
