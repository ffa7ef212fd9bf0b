"""A small exported site, and an application inside the edge that answers as Reflex does."""

from collections.abc import Container, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Scope

from broker.content.store import NO_HISTORY, History
from broker.server.edge import NO_HANDLERS, api_transformer
from broker.server.export.finish import finish
from broker.server.middleware import AmbiguousRequests
from broker.server.releases import CLIENT, LiveExport, Release
from broker.server.response import Answer, Handler
from broker.settings import Settings
from tools.release import put

SITE = "http://testserver"
STYLE = "/assets/style-0a1b2c3d.css"
CSS = '@font-face{font-family:A;src:url("../fonts/a.woff2")}h1{color:#123}'
THEME = "<script>\ndocument.documentElement.className='light'\n</script>"
START = (
    'import "/assets/manifest-1.js";\nimport * as route0 from "/assets/root-1.js";\n'
    'import * as route1 from "/assets/page-1.js";\n  \n'
    '  window.__reactRouterRouteModules = {"root":route0,"routes/page":route1};\n\nimport("/assets/entry-1.js");'
)
NOTICE = '<form class="cookie-notice" action="/cookie-notice/accept" method="post"><button>Accept</button></form>'


def html(title: str, *, path: str | None = None, robots: str = "", changed: str = "") -> str:
    """Return a page as the export writes it; without a path it has no canonical address."""
    head = [
        '<meta charSet="utf-8"/>',
        f'<link as="style" href="{STYLE}" rel="preload"/><title>{title}</title>',
        f'<meta content="{title}, described" name="description"/>',
        f'<meta content="{robots}" name="robots"/>' if robots else "",
        f'<meta content="{changed}" property="article:modified_time"/>' if changed else "",
        f'<link href="{SITE}{path}" rel="canonical"/>' if path else "",
        '<link rel="modulepreload" href="/assets/root-1.js"/>',
        THEME,
        f'<link href="{STYLE}" rel="stylesheet" type="text/css"/>',
    ]
    return (
        f'<!DOCTYPE html><html lang="en-GB"><head>{"".join(head)}</head><body>{NOTICE}<h1>{title}</h1>'
        '<script type="application/ld+json">{"@type": "WebPage"}</script>'
        f'<script type="module" async="">{START}</script></body></html>'
    )


def write_export(folder: Path, **more: str) -> Path:
    files = {
        "index.html": html("Home", path="/", changed="2026-03-04T05:06:07Z"),
        "about-us/index.html": html("About", path="/about-us/"),
        "about-us.html": html("About", path="/about-us/"),
        "tools/rates/index.html": html("Rates", path="/tools/rates/"),
        "home2/index.html": html("Home again", path="/", robots="noindex"),
        "updateLenders/index.html": html("Lenders", robots="noindex"),
        "not-found/index.html": html("Page not found", robots="noindex"),
        "404.html": "shell",
        "__spa-fallback.html": "shell",
        STYLE: CSS,
        "assets/root-1.js": "export const a = 1;",
        "fonts/a.woff2": "font",
        "images/logo.svg": "<svg></svg>",
        "old.txt.gz": "stale",
    }
    for name, text in (files | more).items():
        file = folder / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def put_release(folder: Path, *, code: str = "1", **more: str) -> Release:
    web = folder / "web"
    write_export(web / CLIENT, **more)
    finish(web / CLIENT)
    return put(web, folder, key="", code=code)


def _answer(request: Request) -> Response:
    return JSONResponse({"path": request.url.path})


async def _list(scope: Scope) -> Answer | None:
    known = scope["path"] == "/lists/a.csv"
    return Answer(status=200, headers={"content-security-policy": "sandbox"}, body=b"a,b") if known else None


def client(folder: Path, *, site_url: str = SITE, handlers: Mapping[str, Handler] = NO_HANDLERS) -> TestClient:
    put_release(folder)
    return client_of(LiveExport(folder, site_url), site_url=site_url, handlers=handlers)


def client_of(
    live: LiveExport,
    *,
    site_url: str = SITE,
    handlers: Mapping[str, Handler] = NO_HANDLERS,
    data_pages: Container[str] = (),
    history: History = NO_HISTORY,
    settings: Settings | None = None,
) -> TestClient:
    app = Starlette(routes=[Route("/{path:path}", _answer)])
    used = settings or Settings(site_url=site_url)
    edge = api_transformer(used, live, handlers=handlers, data_pages=data_pages, history=lambda: history)(app)
    return TestClient(
        AmbiguousRequests(edge, {}), base_url=site_url, follow_redirects=False, headers={"accept-encoding": "identity"}
    )


LISTS: Mapping[str, Handler] = {"/lists/*": _list}
"""A part of the site that answers for addresses of its own."""
