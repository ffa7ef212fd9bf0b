"""The start of a page's scripts after its first frame: `js/deferred_boot.js` with parameters."""

import re
from collections.abc import Sequence
from posixpath import dirname

from lxml.html import HtmlElement

from broker.server.export.critical_css import inlined_stylesheets
from broker.server.inline_script import inline_script

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
    """Load no script, and no stylesheet whose subset the page carries, before its first frame."""
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
