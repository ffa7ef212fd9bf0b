"""The list of pages that React Router loads: sorted, without the pages that only the edge draws."""

from pathlib import Path

from broker.web.export.route_manifest import sort_manifests, sorted_manifest

PAGES = {
    "routes/b": {"path": "b", "index": True},
    "routes/[edge-template-check]": {"path": "edge-template-check"},
    "root": {"path": ""},
    "routes/_index": {"index": True},
    "routes/a": {"path": "mortgage-guides/edge-template-guide"},
}


def script(pages: str) -> str:
    return f'window.__reactRouterManifest={{"entry":{{"module":"/é.js"}},"routes":{pages},"version":"1"}};'


def test_pages_are_in_order_without_templates() -> None:
    given = script(str(PAGES).replace("'", '"').replace("True", "true"))
    sorted_pages = script('{"root":{"path":""},"routes/_index":{"index":true},"routes/b":{"path":"b","index":true}}')
    assert sorted_manifest(given) == sorted_pages
    assert sorted_manifest(sorted_pages) == sorted_pages


def test_script_of_another_form_stays(tmp_path: Path) -> None:
    file = tmp_path / "assets" / "manifest-1.js"
    file.parent.mkdir()
    file.write_text("other()", encoding="utf-8")
    sort_manifests(tmp_path)
    assert file.read_text(encoding="utf-8") == "other()"
