"""The list of pages that every page's scripts load, cut down to what a browser needs of it.

React Router writes an entry a page, in the order of its own files, with the scripts that links could load ahead (ours
do not) and a line for everything that a page does not have. Sorted and without those it packs a quarter smaller.
"""

from __future__ import annotations

import json

_START, _END = "window.__reactRouterManifest=", ";"
_UNUSED = "imports"


class ManifestError(ValueError):
    """The file does not look as React Router writes it."""


def trimmed(script: str) -> str:
    """Return the script with its pages sorted and without what no page has; raises ManifestError."""
    body = script.strip()
    if not (body.startswith(_START) and body.endswith(_END)):
        raise ManifestError("the list of pages does not begin and end as React Router writes it")
    try:
        manifest = json.loads(body[len(_START) : -len(_END)])
        routes = {name: _needed(route) for name, route in sorted(manifest["routes"].items())}
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ManifestError("the list of pages is not the object that React Router writes") from error
    return _START + json.dumps(manifest | {"routes": routes}, separators=(",", ":")) + _END


def _needed(route: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in route.items() if name != _UNUSED and value not in (False, [])}
