"""The scripts' list of pages, cut down."""

from __future__ import annotations

import pytest

from broker.web.route_manifest import ManifestError, trimmed

WRITTEN = (
    'window.__reactRouterManifest={"entry":{"module":"/assets/entry.js","imports":["/assets/a.js"],"css":[]},'
    '"routes":{"routes/b":{"id":"routes/b","path":"b","index":true,"hasLoader":false,"module":"/assets/b.js",'
    '"imports":["/assets/a.js"],"css":[]},"root":{"id":"root","path":"","hasDefaultExport":true,"css":[]}},'
    '"url":"/assets/manifest-1.js","version":"1"};'
)
TRIMMED = (
    'window.__reactRouterManifest={"entry":{"module":"/assets/entry.js","imports":["/assets/a.js"],"css":[]},'
    '"routes":{"root":{"id":"root","path":"","hasDefaultExport":true},"routes/b":{"id":"routes/b","path":"b",'
    '"index":true,"module":"/assets/b.js"}},"url":"/assets/manifest-1.js","version":"1"};'
)


def test_routes_are_sorted_and_keep_what_they_have() -> None:
    assert trimmed(WRITTEN) == TRIMMED


def test_trimming_again_changes_nothing() -> None:
    assert trimmed(TRIMMED) == TRIMMED


@pytest.mark.parametrize(
    "script",
    ["", "window.other={};", "window.__reactRouterManifest={;", "window.__reactRouterManifest=[];"],
    ids=["nothing", "another script", "half", "a list"],
)
def test_another_script_is_refused(script: str) -> None:
    with pytest.raises(ManifestError, match="list of pages"):
        trimmed(script)
