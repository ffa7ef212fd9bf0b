"""Pages of the development server: compiled at the first request, rendered by Vite, served by the site's edge."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TextIO

import httpx
import reflex as rx
from lxml.html import HtmlElement
from reflex.compiler.compiler import compile_app

from broker import routes
from broker.calculators.registry import CALCULATORS as LISTED
from broker.markup import page_html, parse_page
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.customers import RULES
from broker.server.export.finish import page_passes
from broker.server.export.templates import ALL as SEARCHES
from broker.server.export.templates import (
    CALCULATORS,
    PLAN,
    PLANS,
    SITE_SEARCH,
    add_start_data,
    as_template,
    calculator_template,
    panels,
    plan_template,
    search_template,
    site_search_template,
)
from broker.server.exported_site import Export, ExportedFile, page, read_export
from broker.server.templating import Templates

INDEX = "index"
"""Reflex's name for the route of the home page."""

ALWAYS = ("404", "not-found")

FETCH_TIMEOUT = 60.0
TRY_TIMEOUT = 10.0
"""Seconds of one request to Vite, which may not respond while its sources change."""

NAVIGATION = Path(__file__).with_name("navigation.js").read_text(encoding="utf-8")


class Pages:
    """The pages of an app, compiled on demand."""

    def __init__(self, app: rx.App, *, vite: str, log: TextIO, on_compile: Callable[[str], None]) -> None:
        """`on_compile` is called with the path of each page that is compiled on demand."""
        self._app, self._vite, self._log, self._on_compile = app, vite, log, on_compile
        self._known = dict(app._unevaluated_pages)
        patterns = {pattern.strip("/") for pattern in routes.DATA_PAGES.values()}
        self._dynamic = {name: made for name, made in self._known.items() if name in patterns}
        app._unevaluated_pages = {name: self._known[name] for name in ALWAYS if name in self._known} | self._dynamic

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path.endswith("/") and self._is_page(self._name(path))

    def templates(self) -> list[str]:
        """Return the paths of the pages that are templates of the edge."""
        return [f"/{name}/" for name in self._known if routes.is_edge_template(name)]

    def choose(self, paths: Iterable[str]) -> None:
        """Add pages to the next compilation, except unknown paths."""
        names = [self._name(path) for path in paths if path in self]
        self._app._unevaluated_pages |= {name: self._known[name] for name in names}

    def html(self, path: str) -> str:
        """Return a page as Vite renders it, compiled first if necessary; raises KeyError for an unknown path."""
        if path not in self:
            raise KeyError(path)
        if self._name(path) not in self._app._unevaluated_pages:
            self.choose([path])
            with redirect_stdout(self._log):
                compile_app(self._app, prerender_routes=True, use_rich=False)
            self._on_compile(path)
        return self._fetch(path)

    def navigable(self, path: str) -> str:
        """Return a page with a script that loads uncompiled pages as documents; raises KeyError for an unknown path."""
        root = parse_page(self.html(path))
        compiled = json.dumps([f"/{name}/" if name != INDEX else "/" for name in self._app._unevaluated_pages])
        script = root.makeelement("script", {"data-pages": compiled})
        script.text = NAVIGATION
        root.find("head").insert(0, script)
        return page_html(root)

    def file(self, path: str) -> ExportedFile:
        """Return a page as the edge sends it; raises KeyError for an unknown path."""
        return page(self.navigable(path), self._vite)

    def _is_page(self, name: str) -> bool:
        return name in self._known and name not in self._dynamic

    def _name(self, path: str) -> str:
        return path.strip("/") or INDEX

    def _fetch(self, path: str) -> str:
        """Return Vite's page, which has no title until Vite has loaded a newly compiled one."""
        deadline = time.monotonic() + FETCH_TIMEOUT
        while True:
            try:
                answer = httpx.get(self._vite + path, timeout=TRY_TIMEOUT)
            except httpx.TimeoutException:
                if time.monotonic() > deadline:
                    raise
                continue
            if "<title" in answer.text or time.monotonic() > deadline:
                return answer.text
            time.sleep(0.05)


class Files(dict[str, ExportedFile]):
    """The files of the site by path: those of `assets/`, and the current pages."""

    def __init__(self, assets: dict[str, ExportedFile], pages: Pages) -> None:
        super().__init__({path: replace(file, cache_control="no-cache") for path, file in assets.items()})
        self._pages = pages

    def __contains__(self, path: object) -> bool:
        return super().__contains__(path) or path in self._pages

    def __missing__(self, path: str) -> ExportedFile:
        return self._pages.file(path)

    def get(self, path: str, default: ExportedFile | None = None) -> ExportedFile | None:  # pyright: ignore[reportIncompatibleMethodOverride] - of one type
        return self[path] if path in self else default  # noqa: SIM401 - which would call itself


class TemplateSources(Mapping[str, str]):
    """The templates of the edge by name, as a build makes them from one or two pages."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        slugs = [
            slug for slug in (*(each.slug for each in LISTED), BUYING_PLAN.slug) if routes.calculator(slug) in pages
        ]
        self._drawn: dict[str, Callable[[], HtmlElement]] = {
            **{path.split("/")[-2]: partial(self._page, path) for path in pages.templates()},
            **{routes.calculator_template(slug): partial(self._calculator, slug) for slug in slugs},
            **{routes.search_template(customer): partial(self._search, customer) for customer in RULES},
            PLAN: self._remortgage_plan,
            SITE_SEARCH: self._site_search,
        }

    def __getitem__(self, name: str) -> str:
        return as_template(page_html(self._drawn[name]()), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._drawn)

    def __len__(self) -> int:
        return len(self._drawn)

    def _page(self, path: str) -> HtmlElement:
        html = self._pages.html(path)
        pattern = routes.data_pattern(path)
        page = finished(html.replace(_route(path), _route(pattern)) if pattern else html, path)
        if pattern:
            add_start_data(page)
        return page

    def _read(self, path: str) -> HtmlElement:
        return parse_page(self._pages.html(path))

    def _own(self, path: str) -> HtmlElement:
        return parse_page(self._pages.navigable(path))

    def _calculator(self, slug: str) -> HtmlElement:
        drawn = {source: self._read(f"/{source}/") for source in (CALCULATORS, PLANS)}
        source = next(source for source, page in drawn.items() if slug in panels(page))
        page = self._own(routes.calculator(slug))
        calculator_template(page, drawn[source], slug=slug, source=source)
        return page

    def _search(self, customer: str) -> HtmlElement:
        page = self._own(routes.deals(customer))
        search_template(page, self._read(f"/{SEARCHES}/").get_element_by_id(routes.search_template(customer)))
        return page

    def _remortgage_plan(self) -> HtmlElement:
        page = self._own(routes.REMORTGAGE_PLAN)
        plan_template(page, self._read(f"/{PLAN}/"))
        return page

    def _site_search(self) -> HtmlElement:
        page = self._own(routes.SEARCH)
        site_search_template(page, self._read(f"/{SITE_SEARCH}/"))
        return page


def _route(path: str) -> str:
    """Return the name of a page's or pattern's route in Reflex's files."""
    parts = (f"${part}" if part.startswith("[") else f"[{part}]" for part in path.strip("/").split("/"))
    return f"{'.'.join(parts)}._index"


def export(pages: Pages, assets: Path, *, site_url: str) -> Export:
    return Export(
        files=Files(read_export(assets, site_url).files, pages),
        not_found=page(page_html(finished(pages.html(routes.NOT_FOUND), routes.NOT_FOUND)), site_url),
        site_url=site_url,
        templates=Templates(TemplateSources(pages)),
    )


def finished(html: str, path: str) -> HtmlElement:
    """Return a page after the passes of a build, with Vite's stylesheets."""
    root = parse_page(html)
    for change in page_passes(root, path, sheets={}).values():
        change(root)
    return root
