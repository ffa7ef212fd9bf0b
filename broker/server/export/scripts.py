"""Inline scripts of exported pages: the head script, and the deferred boot (`js/deferred_boot.js`)."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from posixpath import dirname
from typing import Any

from lxml.html import HtmlElement

from broker.markup import add_styles_and_scripts
from broker.routes import CALL_TIMES, COOKIE_NOTICE
from broker.server.export.css import inlined_stylesheets
from broker.server.exported_site import NOTICE_ACCEPTED, NOTICE_ATTRIBUTE, notice_cookie
from broker.settings import ROOT

FOLDER = Path(__file__).parents[1] / "js"

SHARED = ROOT / "broker" / "components" / "js"
"""Folder of the scripts of React's pages, of which those without imports may be inline too."""

_NOT_NEEDED = re.compile(r"^\s*(//.*|/\*\*(?:(?!\*/)[\s\S])*\*/)?$\n|^\s+|^export ", re.MULTILINE)
"""Blank lines, comments on their own lines, indentation, and `export`, which an inline script cannot have."""


def inline_script(name: str, function: str, **parameters: Any) -> str:
    """Return the script that calls a function of `js/{name}.js` with JSON parameters, escaped for a script element."""
    values = json.dumps(parameters, separators=(",", ":")).replace("<", "\\u003c")
    return f"(()=>{{{_source(name)}{function}({values})}})()"


@cache
def _source(name: str) -> str:
    files = (FOLDER / f"{name}.js", SHARED / f"{name}.js")
    file = next(file for file in files if file.exists())
    return _NOT_NEEDED.sub("", file.read_text(encoding="utf-8"))


MARKER = "data-head"
"""Attribute of the head script."""

MOVED_ATTRIBUTE = "data-moved"
"""Attribute of the root element after a navigation within the site: all fonts are loaded by then."""

STORAGE_ATTRIBUTE = "data-storage"
"""Attribute of the root element of a visit's first page where the browser stores nothing."""

HEAD_SCRIPT = inline_script(
    "head",
    "prepareDocument",
    notice={
        "action": COOKIE_NOTICE,
        "attribute": NOTICE_ATTRIBUTE,
        "accepted": NOTICE_ACCEPTED,
        "cookie": notice_cookie(secure=False),
    },
    moved=MOVED_ATTRIBUTE,
    storage=STORAGE_ATTRIBUTE,
)


TIMES_SCRIPT = inline_script("call_times", "followTimes", address=CALL_TIMES)
"""Script of pages with free times that React does not draw."""


def has_head_script(page: HtmlElement) -> bool:
    """Return whether a page is rewritten already."""
    return bool(page.xpath(f"head/script[@{MARKER}]"))


def add_head_script(page: HtmlElement, *more: str) -> None:
    """Add the head script, and `more`, before the first stylesheet of a page, or at the end of its head."""
    scripts = [page.makeelement("script", {MARKER: ""}) for _ in (HEAD_SCRIPT, *more)]
    for script, text in zip(scripts, (HEAD_SCRIPT, *more), strict=True):
        script.text = text
    add_styles_and_scripts(page, scripts)


def remove_scripts(page: HtmlElement) -> None:
    """Remove all scripts but the head script and data, so that the page can be served at any address."""
    styles = inlined_stylesheets(page)
    for script in page.xpath("//script[not(@type='application/ld+json')]"):
        if MARKER not in script.attrib:
            script.drop_tree()
    for link in page.xpath("//link"):
        if link.get("rel") == "modulepreload" or link.get("href") in styles:
            link.drop_tree()


START = re.compile(
    r'import "(?P<manifest>[^"]+)";\s*'
    r'(?P<routes>(?:import \* as route\d+ from "[^"]+";\s*)+)'
    r"window\.__reactRouterRouteModules = (?P<modules>\{[^}]*\});\s*"
    r'import\("(?P<entry>[^"]+)"\);'
)
"""The start script as React Router writes it."""
ROUTE = re.compile(r'import \* as (route\d+) from "([^"]+)";')
MODULE = re.compile(r'"([^"]+)":\s*(route\d+)')


def can_defer_boot(page: HtmlElement) -> bool:
    return any(START.fullmatch((script.text or "").strip()) for script in page.iter("script"))


def defer_boot(page: HtmlElement) -> None:
    """Load scripts, and stylesheets whose subset the page has, after the first frame."""
    preloads = page.xpath("//link[@rel='modulepreload']")
    modules = tuple(link.get("href") for link in preloads)
    for link in preloads:
        link.drop_tree()
    styles = inlined_stylesheets(page)
    for link in (each for each in page.iter("link") if each.get("href") in styles):
        link.set(*(("disabled", "") if link.get("rel") == "stylesheet" else ("media", "not all")))
    for script in page.xpath("//script[@type='module'][not(@src)]"):
        script.text = deferred_boot(script.text or "", modules)


def deferred_boot(script: str, modules: Sequence[str]) -> str:
    """Return the script that replaces a start script; one that does not match START is returned unchanged."""
    if not (found := START.fullmatch(script.strip())):
        return script
    addresses = dict(ROUTE.findall(found["routes"]))
    routes = {identity: addresses[name] for identity, name in MODULE.findall(found["modules"])}
    manifest, entry = found["manifest"], found["entry"]
    own = (manifest, *routes.values(), entry)
    shared = [address for address in dict.fromkeys(modules) if address not in own]
    folder = _folder([*shared, *own])

    def name(address: str) -> str:
        return address.removeprefix(folder)

    return inline_script(
        "deferred_boot",
        "deferBoot",
        folder=folder,
        shared=[name(address) for address in shared],
        manifest=name(manifest),
        routes={identity: name(address) for identity, address in routes.items()},
        entry=name(entry),
    )


def _folder(addresses: Sequence[str]) -> str:
    """Return the common folder of the addresses with its slash, empty for several folders."""
    folders = {dirname(address) for address in addresses}
    return f"{folders.pop()}/" if len(folders) == 1 else ""
