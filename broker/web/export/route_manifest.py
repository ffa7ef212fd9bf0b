"""The route of data pages in React Router's list of routes, as which their template starts in the browser."""

import json
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from broker import routes
from broker.web.export.search_templates import start_data
from broker.web.markup import elements

_PRELOAD = Markup('<link rel="modulepreload" href="{}"/>')
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
    html = html.replace(f'"{own["id"]}"', f'"{shown["id"]}"').replace(own["module"], shown["module"])
    loaded = {each.attributes["href"] for each in elements(html, "link") if each.has(rel="modulepreload")}
    preloads = (_PRELOAD.format(each) for each in shown["imports"] if each not in loaded)
    head, end, body = html.partition("</head>")
    return "".join((head, start_data(), *preloads, end, body))
