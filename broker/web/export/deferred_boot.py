"""The start of a page's scripts after its first frame: `js/deferred_boot.js` with parameters."""

import re
from collections.abc import Sequence
from posixpath import dirname

from broker.web.export.critical_css import inlined_stylesheets
from broker.web.inline_script import inline_script
from broker.web.markup import Element, elements, rewrite

START = re.compile(
    r'import "(?P<manifest>[^"]+)";\s*'
    r'(?P<routes>(?:import \* as route\d+ from "[^"]+";\s*)+)'
    r"window\.__reactRouterRouteModules = (?P<modules>\{[^}]*\});\s*"
    r'import\("(?P<entry>[^"]+)"\);'
)
"""The start script as React Router writes it."""
ROUTE = re.compile(r'import \* as (route\d+) from "([^"]+)";')
MODULE = re.compile(r'"([^"]+)":\s*(route\d+)')


def can_defer_boot(html: str) -> bool:
    return any(START.fullmatch(script.text.strip()) for script in elements(html, "script"))


def defer_boot(html: str) -> str:
    """Return a page that loads no script, and no stylesheet whose subset it carries, before its first frame."""
    modules = tuple(link.attributes["href"] for link in elements(html, "link") if link.has(rel="modulepreload"))
    styles = inlined_stylesheets(html)

    def change(element: Element) -> str:
        if element.name == "link" and element.has(rel="modulepreload"):
            return ""
        if element.name == "link" and element.attributes.get("href") in styles:
            unused = "disabled" if element.has(rel="stylesheet") else 'media="not all"'
            return element.written.replace(" ", f" {unused} ", 1)
        if element.name == "script" and element.has(type="module") and "src" not in element.attributes:
            return element.written.replace(element.text, deferred_boot(element.text, modules))
        return element.written

    return rewrite(html, change)


def deferred_boot(script: str, modules: Sequence[str]) -> str:
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
