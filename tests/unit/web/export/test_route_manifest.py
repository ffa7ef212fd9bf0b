"""The scripts' list of pages, packed."""

from __future__ import annotations

import json

import pytest

from broker.web.export.route_manifest import ManifestError, packed

PLAIN = {
    "id": "routes/[lenders].[a-bank]._index",
    "parentId": "root",
    "path": "lenders/a-bank",
    "index": True,
    "hasLoader": False,
    "hasDefaultExport": True,
    "module": "/assets/_lenders_._a-bank_._index-a1B2-c_3.js",
    "imports": ["/assets/a.js"],
    "css": [],
}
ROOT = {"id": "root", "path": "", "hasDefaultExport": True, "module": "/assets/root-1.js", "css": []}
STYLED = PLAIN | {"id": "routes/[b]._index", "path": "b", "css": ["/assets/b.css"]}


def script(routes: dict[str, object]) -> str:
    """Return a list of pages as React Router writes it."""
    manifest = {"entry": {"module": "/assets/entry.js"}, "routes": routes, "version": "1"}
    return f"window.__reactRouterManifest={json.dumps(manifest, separators=(',', ':'))};"


def written(text: str) -> dict[str, object]:
    """Return the object that the browser is given to unpack."""
    return json.loads(text[text.rindex("return m})(") + len("return m})(") : -len(");")])


def test_a_page_whose_entry_follows_from_its_path_is_its_path_and_hash() -> None:
    held = written(packed(script({"routes/[lenders].[a-bank]._index": PLAIN, "root": ROOT})))
    assert held["packed"] == {"lenders/a-bank": "a1B2-c_3"}
    assert held["routes"] == {"root": {name: value for name, value in ROOT.items() if name != "css"}}
    assert held["entry"] == {"module": "/assets/entry.js"}


def test_a_page_with_anything_of_its_own_is_kept_whole() -> None:
    held = written(packed(script({"routes/[b]._index": STYLED})))
    assert held["packed"] == {}
    assert held["routes"] == {
        "routes/[b]._index": {name: STYLED[name] for name in STYLED if name not in ("hasLoader", "imports")}
    }


def test_packing_again_changes_nothing() -> None:
    once = packed(script({"routes/[lenders].[a-bank]._index": PLAIN}))
    assert packed(once) == once


@pytest.mark.parametrize(
    "text",
    ["", "window.other={};", "window.__reactRouterManifest={;", "window.__reactRouterManifest=[];"],
    ids=["nothing", "another script", "half", "a list"],
)
def test_another_script_is_refused(text: str) -> None:
    with pytest.raises(ManifestError, match="list of pages"):
        packed(text)
