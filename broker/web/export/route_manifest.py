"""The list of pages that React Router loads with every page: sorted, so that it compresses well, without templates."""

import json
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from broker import routes
from broker.web.export.search_templates import start_data
from broker.web.markup import elements

NAMES = "assets/manifest-*.js"
_PRELOAD = Markup('<link rel="modulepreload" href="{}"/>')
_PARAMETER = re.compile(r"\[(\w+)\]")
_SCRIPT = re.compile(r"(window\.__reactRouterManifest=)(\{.*\})(;?\s*)", re.DOTALL)


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the list of pages of an exported site."""
    script = next(folder.glob(NAMES)).read_text(encoding="utf-8")
    found = _SCRIPT.fullmatch(script)
    return json.loads(found[2]) if found else {"routes": {}}


def sorted_manifest(script: str) -> str:
    """Return the script of the list with its pages in order; one of another form is returned as it is.

    A template has no address of its own, so that no script goes there.
    """
    found = _SCRIPT.fullmatch(script)
    if not found:
        return script
    manifest = json.loads(found[2])
    pages = sorted(manifest["routes"].items())
    manifest["routes"] = {name: page for name, page in pages if not routes.is_edge_template(page.get("path", ""))}
    return found[1] + json.dumps(manifest, ensure_ascii=False, separators=(",", ":")) + found[3]


def at_pattern(html: str, path: str, *, folder: Path) -> str:
    """Return the page of a template of data pages as the start of the route that draws them in the browser.

    The template is a page of its own only while it is exported: React Router looks for the route of the address, which
    is that of the pattern, and takes its module from the page's start script.
    """
    pattern = _PARAMETER.sub(r":\1", routes.data_pattern(path)).strip("/")
    if not pattern:
        return html
    pages = {page.get("path"): page for page in _manifest(folder)["routes"].values()}
    own, shown = pages[path.strip("/")], pages[pattern]
    html = html.replace(f'"{own["id"]}"', f'"{shown["id"]}"').replace(own["module"], shown["module"])
    loaded = {each.attributes["href"] for each in elements(html, "link") if each.has(rel="modulepreload")}
    preloads = (_PRELOAD.format(each) for each in shown["imports"] if each not in loaded)
    head, end, body = html.partition("</head>")
    return "".join((head, start_data(), *preloads, end, body))


def sort_manifests(folder: Path) -> None:
    """Rewrite the list of pages of an exported site in place."""
    for file in folder.glob(NAMES):
        script = file.read_text(encoding="utf-8")
        if (changed := sorted_manifest(script)) != script:
            file.write_text(changed, encoding="utf-8")
