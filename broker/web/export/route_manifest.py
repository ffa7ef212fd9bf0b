"""The list of pages that React Router loads with every page: sorted, so that it compresses well, without templates."""

import json
import re
from pathlib import Path

from broker import routes

NAMES = "assets/manifest-*.js"
_SCRIPT = re.compile(r"(window\.__reactRouterManifest=)(\{.*\})(;?\s*)", re.DOTALL)


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


def sort_manifests(folder: Path) -> None:
    """Rewrite the list of pages of an exported site in place."""
    for file in folder.glob(NAMES):
        script = file.read_text(encoding="utf-8")
        if (changed := sorted_manifest(script)) != script:
            file.write_text(changed, encoding="utf-8")
