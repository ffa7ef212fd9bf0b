"""The list of pages that every page's scripts load, packed: a site of hundreds of pages sends it with each of them.

React Router writes an entry a page: the scripts that links could load ahead (ours do not), a line for everything that a
page does not have, and three spellings of one path. What follows from the path is left out and put back by the browser.
"""

from __future__ import annotations

import json
import re
from typing import Any

_START, _END = "window.__reactRouterManifest=", ";"
_UNUSED = "imports"

_UNPACK = (
    "(m=>{const of=p=>p.split('/').map(s=>'['+s+']').join('.')+'._index';"
    "for(const p in m.packed){const i=of(p);m.routes['routes/'+i]={id:'routes/'+i,parentId:'root',path:p,index:true,"
    "hasDefaultExport:true,module:'/assets/'+i.replace(/[[\\]]/g,'_')+'-'+m.packed[p]+'.js'}}"
    "delete m.packed;return m})"
)
"""Puts back what `_entry` says of a path and the hash of its script."""

_HASH = re.compile(r"-([A-Za-z0-9_-]{8})\.js$")


class ManifestError(ValueError):
    """The file does not look as React Router writes it."""


def packed(script: str) -> str:
    """Return the script with its pages sorted and packed; a packed one as it is. Raises ManifestError."""
    body = script.strip()
    if body.startswith(_START + _UNPACK):
        return body
    if not (body.startswith(_START) and body.endswith(_END)):
        raise ManifestError("the list of pages does not begin and end as React Router writes it")
    try:
        manifest = json.loads(body[len(_START) : -len(_END)])
        routes = {name: _needed(route) for name, route in sorted(manifest["routes"].items())}
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ManifestError("the list of pages is not the object that React Router writes") from error
    short = {route["path"]: found for route in routes.values() if (found := _hash(route))}
    kept = {name: route for name, route in routes.items() if not _hash(route)}
    written = json.dumps(manifest | {"routes": kept, "packed": short}, separators=(",", ":"))
    return f"{_START}{_UNPACK}({written}){_END}"


def _hash(route: dict[str, Any]) -> str:
    """Return the hash of a page's script where everything else of its entry follows from its path; else nothing."""
    found = _HASH.search(str(route.get("module", "")))
    return found[1] if found and route == _entry(str(route.get("path", "")), found[1]) else ""


def _entry(path: str, digest: str) -> dict[str, Any]:
    name = ".".join(f"[{part}]" for part in path.split("/")) + "._index"
    return {
        "id": f"routes/{name}",
        "parentId": "root",
        "path": path,
        "index": True,
        "hasDefaultExport": True,
        "module": f"/assets/{re.sub(r'[][]', '_', name)}-{digest}.js",
    }


def _needed(route: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in route.items() if name != _UNUSED and value not in (False, [])}
