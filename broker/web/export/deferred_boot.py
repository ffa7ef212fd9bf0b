"""The start of a page's scripts after its first frame, or its first touch: `js/deferred_boot.js` with parameters."""

import re
from collections.abc import Sequence
from posixpath import dirname

from broker import routes
from broker.web.export.critical_css import inlined_stylesheets
from broker.web.inline_script import inline_script
from broker.web.markup import Element, all_elements, elements, is_indexed, rewrite

START = re.compile(
    r'import "(?P<manifest>[^"]+)";\s*'
    r'(?P<routes>(?:import \* as route\d+ from "[^"]+";\s*)+)'
    r"window\.__reactRouterRouteModules = (?P<modules>\{[^}]*\});\s*"
    r'import\("(?P<entry>[^"]+)"\);'
)
"""The start script as React Router writes it."""
ROUTE = re.compile(r'import \* as (route\d+) from "([^"]+)";')
MODULE = re.compile(r'"([^"]+)":\s*(route\d+)')

START_TIMEOUT_MS = 2_000
"""Time after which the scripts start even where nothing was painted, as in a background tab."""

IDLE_TIMEOUT_MS = 3_000
"""Time after which the scripts of a page that waits for a touch start without one."""

LIVE_CLASS = "live-rates"
"""Class of a block that the server fills once the page is open."""

CHOSEN = "data-chosen"
"""Attribute of a list that the page's address may filter, which a script reads."""


def can_defer_boot(html: str) -> bool:
    return any(START.fullmatch(script.text.strip()) for script in elements(html, "script"))


def boots_late(html: str, path: str) -> bool:
    """Return whether the page at `path` may wait for a touch: no rates, no list by the address, no form to fill in.

    A page that search engines may not list is one of a visitor's or of staff, filled by the server. A calculator inside
    a text has its figures in the HTML; a page of calculators or a plan is there to be used, and starts at once.
    """
    if path.startswith((routes.CALCULATORS, routes.PLANS)) or not is_indexed(html):
        return False
    return not any(map(_is_live, all_elements(html)))


def _is_live(element: Element) -> bool:
    attributes = element.attributes
    if element.name == "form":
        action = attributes.get("action", "")
        return action != routes.COOKIE_NOTICE and not action.startswith(routes.CALCULATORS)
    return CHOSEN in attributes or LIVE_CLASS in attributes.get("class", "").split()


def defer_boot(html: str, *, waits: bool = False) -> str:
    """Return a page that loads no script, and no stylesheet whose subset it carries, before its first frame.

    One that `waits` loads them at the first touch, key or pointer, or when it was idle.
    """
    modules = tuple(link.attributes["href"] for link in elements(html, "link") if link.has(rel="modulepreload"))
    styles = inlined_stylesheets(html)

    def change(element: Element) -> str:
        if element.name == "link" and element.has(rel="modulepreload"):
            return ""
        if element.name == "link" and element.attributes.get("href") in styles:
            idle = "disabled" if element.has(rel="stylesheet") else 'media="not all"'
            return element.written.replace(" ", f" {idle} ", 1)
        if element.name == "script" and element.has(type="module") and "src" not in element.attributes:
            return element.written.replace(element.text, deferred_boot(element.text, modules, waits=waits))
        return element.written

    return rewrite(html, change)


def deferred_boot(script: str, modules: Sequence[str], *, waits: bool = False) -> str:
    """Return the script that replaces a start script; one of another form than START is returned as it is."""
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
        timeout=IDLE_TIMEOUT_MS if waits else START_TIMEOUT_MS,
        waits=waits,
        folder=folder,
        shared=[name(address) for address in shared],
        manifest=name(manifest),
        routes={identity: name(address) for identity, address in routes.items()},
        entry=name(entry),
    )


def _folder(addresses: Sequence[str]) -> str:
    """Return the folder that all addresses share, with its slash; nothing where there are several."""
    folders = {dirname(address) for address in addresses}
    return f"{folders.pop()}/" if len(folders) == 1 else ""
