"""The route of data pages in React Router's list of routes, as which their template starts in the browser."""

import json
import re
from pathlib import Path
from typing import Any

from broker import routes
from broker.markup import page_html, parse_page
from broker.server.export.search_templates import add_start_data

_PARAMETER = re.compile(r"\[(\w+)\]")


def _routes_by_path(folder: Path) -> dict[str, Any]:
    """Return the routes of an exported site by path."""
    script = next(folder.glob("assets/manifest-*.js")).read_text(encoding="utf-8")
    manifest = json.loads(script.partition("=")[2].strip().removesuffix(";"))
    return {route.get("path"): route for route in manifest["routes"].values()}


def at_pattern(html: str, path: str, *, folder: Path) -> str:
    """Return the page of a template of data pages as the start of the route that draws them in the browser.

    The template is a page of its own only while it is exported: React Router looks for the route of the address, which
    is that of the pattern, and takes its module from the page's start script.
    """
    pattern = _PARAMETER.sub(r":\1", routes.data_pattern(path)).strip("/")
    if not pattern:
        return html
    known = _routes_by_path(folder)
    own, shown = known[path.strip("/")], known[pattern]
    page = parse_page(html.replace(f'"{own["id"]}"', f'"{shown["id"]}"').replace(own["module"], shown["module"]))
    loaded = page.xpath("//link[@rel='modulepreload']/@href")
    add_start_data(page)
    for address in (each for each in shown["imports"] if each not in loaded):
        page.find("head").append(page.makeelement("link", {"rel": "modulepreload", "href": address}))
    return page_html(page)
