"""The script that starts a page: put off until the page is painted, and run a step at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from posixpath import dirname

START = re.compile(
    r'import "(?P<manifest>[^"]+)";\s*'
    r'(?P<routes>(?:import \* as route\d+ from "[^"]+";\s*)+)'
    r"window\.__reactRouterRouteModules = (?P<modules>\{[^}]*\});\s*"
    r'import\("(?P<entry>[^"]+)"\);'
)
"""The start script as the renderer writes it."""
ROUTE = re.compile(r'import \* as (route\d+) from "([^"]+)";')

_AT_LEISURE = (
    "const late=[...document.querySelectorAll('main section')]"
    ".filter(one=>getComputedStyle(one).contentVisibility==='auto'),"
    "idle=self.requestIdleCallback||setTimeout,"
    "lay=()=>{const one=late.shift();if(one){one.style.contentVisibility='visible';idle(lay)}};"
    "['scroll','keydown','pointermove'].forEach(use=>addEventListener(use,()=>idle(lay),{once:true}));"
)
"""Lays out what the stylesheet lets wait, a part at a time when there is nothing else to do, once a page is used."""

STYLED = (
    "Promise.all([...document.querySelectorAll('link[disabled]')]"
    ".map(link=>new Promise(go=>{link.onload=link.onerror=go;link.disabled=false})))"
)
"""Asks for what was put off, and waits until it is there or is known not to come."""

_BREATH = "await(self.scheduler?.yield?.()??new Promise(done=>setTimeout(done)))"
"""Lets the browser do what else there is to do."""

SLOWEST = 2_000
"""Milliseconds after which the scripts start even where nothing has been painted (a tab in the background)."""


def deferred_boot(script: str, modules: tuple[str, ...], *, styled: str = STYLED) -> str:
    """Return the start script, put off until after the first frame, with its modules asked for all at once.

    They are run one at a time, so that a visitor who does something meanwhile does not wait for all of them. The
    stylesheets that were put off are asked for first, and the page is not taken over before they are there (`styled`).
    A script of another form than START is returned as it is: the page then works as exported.
    """
    if not (found := START.fullmatch(script.strip())):
        return script
    routes = dict(ROUTE.findall(found["routes"]))
    last = dict.fromkeys([found["manifest"], *routes.values(), found["entry"]])
    shared = [address for address in dict.fromkeys(modules) if address not in last]
    every = [*shared, *last]
    at = {address: f"all[{place}]" for place, address in enumerate(every)}
    names, sources = ",".join(routes), ",".join(f"import({at[source]})" for source in routes.values())
    return (
        f"(()=>{{let begun;const all={_addresses(every)},begin=async()=>{{"
        "if(begun)return;begun=1;"
        f"const styled={styled};"
        "for(const href of all)"
        'document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));'
        f"for(const href of all.slice(0,{len(shared)})){{await import(href);{_BREATH}}}"
        f"await import({at[found['manifest']]});"
        f"const [{names}]=await Promise.all([{sources}]);"
        "await styled;"
        f"window.__reactRouterRouteModules={found['modules']};"
        f"await import({at[found['entry']]});{_AT_LEISURE}"
        "};requestAnimationFrame(()=>setTimeout(begin));"
        f"setTimeout(begin,{SLOWEST})}})()"
    )


def _addresses(every: Sequence[str]) -> str:
    """Return the array of some addresses; the folder that they share is written once."""
    folder = every[0][: every[0].rfind("/") + 1] if len({dirname(address) for address in every}) == 1 else ""
    names = json.dumps([address.removeprefix(folder) for address in every], separators=(",", ":"))
    return f"{names}.map(name=>{json.dumps(folder)}+name)" if folder else names
