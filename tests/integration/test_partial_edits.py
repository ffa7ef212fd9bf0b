"""What an editor changes stands in two calls of the content service, and one of the two fails: no page is lost."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_partial_failures import Editor, both, has_guide, page_slug, rewrite, slug_of, without
from tests.standin import Published, Standin, running

CALLS, WAYS = ("pages", "graphql"), ("html-502", "false")
PAGE, MOVED = "extra-page-1", "extra-page-one"
NEW = "bridging-loans-explained"


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture(scope="module")
def first(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> Path:
    editor = Editor(standin=server, folder=tmp_path_factory.mktemp("first"))
    assert editor.sync()[0]
    return editor.folder


@pytest.fixture
def editor(server: Standin, first: Path, tmp_path: Path) -> Iterator[Editor]:
    shutil.copytree(first, tmp_path, symlinks=True, dirs_exist_ok=True)
    yield Editor(standin=server, folder=tmp_path)
    server.switch()
    server.publish()
    server.edit()


def entry(tree: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the menu that leads to the page's new address."""
    uri = {"node": tree["connectedNode"]["node"] | {"uri": f"/{MOVED}/"}}
    return tree | {"path": f"/api/{MOVED}/", "connectedNode": uri}


@pytest.mark.parametrize("call", CALLS)
def test_page_renamed_while_one_of_its_calls_fails_has_an_address(call: str, editor: Editor) -> None:
    menu = rewrite("graphql", lambda tree: tree.get("path") == f"/api/{PAGE}/", entry)
    editor.standin.edit(both(page_slug(f"/{PAGE}/", MOVED), menu))
    for way in WAYS:
        editor.standin.switch(way, only=call)
        assert editor.sync()[0]
        history, live = editor.snapshot().history, editor.snapshot().paths()["page"]
        assert len({f"/{PAGE}/", f"/{MOVED}/"} & live) == 1
        assert f"/{PAGE}/" in live | set(history.moved)
    editor.standin.switch()
    assert editor.sync()[0]
    assert editor.snapshot().history.moved == {f"/{PAGE}/": f"/{MOVED}/"}
    assert f"/{MOVED}/" in editor.snapshot().paths()["page"]


def test_new_guide_whose_page_cannot_be_read_waits_for_it(editor: Editor) -> None:
    editor.standin.publish(Published(slug=NEW))
    editor.standin.switch("html-502", only="pages")
    taken, report = editor.sync()
    assert taken
    assert NEW not in {guide.url for guide in editor.snapshot().guides}
    assert f"note: guide {NEW}: is new, and its page could not be read: left out" in report
    editor.standin.switch()
    assert editor.sync()[0]
    assert "secured on a home" in next(guide.html for guide in editor.snapshot().guides if guide.url == NEW)


def test_guide_that_is_removed_while_the_list_cannot_be_read_is_gone(editor: Editor) -> None:
    removed = without("pages", lambda tree: slug_of(tree) == "what-is-ltv")
    listed = without("graphql", lambda tree: has_guide("what-is-ltv")(tree.get("node", {})))
    editor.standin.edit(both(removed, listed))
    editor.standin.switch("html-502", only="graphql")
    assert editor.sync()[0]
    assert "/mortgage-guides/what-is-ltv/" in editor.snapshot().history.removed
