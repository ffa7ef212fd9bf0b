"""One call of the content service fails, or an editor slips: nothing that is live goes, and all else is published."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from broker.content.snapshot.snapshot import Snapshot
from broker.content.snapshot.snapshot_folder import pictures_folder, read_snapshot
from broker.content.sync import sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from tests.our_content import STORE
from tests.standin import Published, Standin, running

CALLS = ("graphql", "pages", "lender_pages", "faqs", "uploads")
WAYS = ("html-502", "null", "false", "empty-list")
"""A failure that the client sees, and three that look like an answer of nothing."""
GRAPHQL_WAYS = (*WAYS, "status-500", "html-200", "php-warning-500", "reset", "gql-errors", "gql-partial")


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """A content service, and the folder into which it is copied."""

    standin: Standin
    folder: Path

    def sync(self, *, accept_removals: bool = False) -> tuple[bool, list[str]]:
        """Copy the content; return whether a snapshot was taken, and the report."""
        report: list[str] = []
        client = WordPressClient(WordPressSettings(api_url=self.standin.url, backoff_seconds=0))
        return sync(client, STORE, to=self.folder, report=report.append, accept_removals=accept_removals), report

    def snapshot(self) -> Snapshot:
        return read_snapshot(self.folder)

    def pictures(self) -> set[str]:
        return {file.name for file in pictures_folder(self.folder).iterdir()}


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture(scope="module")
def first(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> Path:
    editor = Editor(standin=server, folder=tmp_path_factory.mktemp("first"))
    taken, report = editor.sync()
    assert taken, report
    return editor.folder


@pytest.fixture
def editor(server: Standin, first: Path, tmp_path: Path) -> Iterator[Editor]:
    shutil.copytree(first, tmp_path, symlinks=True, dirs_exist_ok=True)
    yield Editor(standin=server, folder=tmp_path)
    server.switch()
    server.publish()
    server.edit()


def test_no_call_that_fails_alone_removes_anything(editor: Editor) -> None:
    before, pictures, lost = editor.snapshot(), editor.pictures(), list[str]()
    for call in CALLS:
        for way in GRAPHQL_WAYS if call == "graphql" else WAYS:
            editor.standin.switch(way, only=call)
            _, report = editor.sync()
            if editor.snapshot() != before or editor.pictures() != pictures:
                lost.append(f"{call} {way}: {[line for line in report if line.startswith(('gone', 'changed'))]}")
            if not any(call in line or line.startswith("fault: picture") for line in report) and call != "graphql":
                lost.append(f"{call} {way}: no report")
    assert lost == []


def test_part_that_keeps_failing_stays_and_the_others_move_on(editor: Editor) -> None:
    lenders = editor.snapshot().lenders
    editor.standin.publish(Published(slug="bridging-loans-explained"))
    editor.standin.switch("html-502", only="lender_pages")
    for _ in range(2):
        taken, report = editor.sync()
        assert taken, report
        assert [line for line in report if line.startswith("note: call lender_pages: answered 502; what was read on")]
    assert editor.snapshot().lenders == lenders
    assert "bridging-loans-explained" in {guide.url for guide in editor.snapshot().guides}


def rewrite(call: str, select: Callable[[Any], bool], change: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    """Return the edit that changes each selected object of a call's answer; one changed to None is left out."""

    def walk(tree: Any) -> Any:
        if isinstance(tree, list):
            return [kept for each in tree if (kept := walk(each)) is not None]
        if isinstance(tree, dict):
            return change(tree) if select(tree) else {name: walk(value) for name, value in tree.items()}
        return tree

    return lambda name, tree: walk(tree) if name == call else tree


def has_guide(url: str) -> Callable[[Any], bool]:
    """Return whether an object is the row of a guide's url."""
    return lambda tree: isinstance(tree, dict) and (tree.get("seoGuides") or {}).get("url") == f"mortgage-guides/{url}"


def guide_fields(url: str, /, **fields: Any) -> Callable[[str, Any], Any]:
    """Return the edit that gives the guide of a url other fields."""
    return rewrite(
        "graphql",
        lambda tree: has_guide(url)(tree.get("node", {})),
        lambda tree: {"node": tree["node"] | {"seoGuides": tree["node"]["seoGuides"] | fields}},
    )


def page_fields(path: str, /, **fields: Any) -> Callable[[str, Any], Any]:
    """Return the edit that gives the page of a path other fields."""
    return rewrite("pages", has_path(path), lambda tree: tree | fields)


def page_slug(path: str, slug: str) -> Callable[[str, Any], Any]:
    """Return the edit that gives the page of a path another slug."""

    def renamed(page: dict[str, Any]) -> dict[str, Any]:
        return page | {"slug": slug, "link": page["link"].replace(f"/{slug_of(page)}/", f"/{slug}/")}

    return rewrite("pages", has_path(path), renamed)


def has_path(path: str) -> Callable[[Any], bool]:
    return lambda tree: tree.get("link", "").endswith(f"/api{path}")


def slug_of(tree: Any) -> str:
    return str(tree.get("slug"))


def both(*edits: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """Return the edit that makes several, one after another."""
    return lambda call, tree: reduce(lambda changed, edit: edit(call, changed), edits, tree)


def without(call: str, select: Callable[[Any], bool]) -> Callable[[str, Any], Any]:
    return rewrite(call, select, lambda _tree: None)


SLIPS = {
    "a date in words": guide_fields("what-is-ltv", createdDate="last week"),
    "an unknown category": guide_fields("what-is-ltv", guideCategory=["fishing"]),
    "a url with capitals": guide_fields("what-is-ltv", url="mortgage-guides/What-Is-LTV"),
    "a url with a query": guide_fields("what-is-ltv", url="mortgage-guides/what-is-ltv?utm=1"),
    "a url of another guide": guide_fields("what-is-ltv", url="mortgage-guides/leasehold-explained"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_slip_of_an_editor_stops_only_its_own_item(slip: str, editor: Editor) -> None:
    before = editor.snapshot()
    editor.standin.publish(Published(slug="bridging-loans-explained"))
    editor.standin.edit(SLIPS[slip])
    for _ in range(2):
        taken, report = editor.sync()
        assert taken, report
        fault = [line for line in report if line.startswith("fault: guide What’s “LTV”?: ")]
        assert len(fault) == 1
        assert fault[0].endswith("; its last version stays")
    guides = {guide.url: guide for guide in editor.snapshot().guides}
    assert set(guides) == {guide.url for guide in before.guides} | {"bridging-loans-explained"}
    assert guides["leasehold-explained"].title == "Leasehold & freehold explained"


def test_date_is_read_as_people_write_it(editor: Editor) -> None:
    editor.standin.edit(guide_fields("what-is-ltv", createdDate="20 November 2026"))
    taken, report = editor.sync()
    assert taken
    assert [line for line in report if line.startswith("fault: guide")] == []
    guide = next(guide for guide in editor.snapshot().guides if guide.url == "what-is-ltv")
    assert guide.created == date(2026, 11, 20)


def test_removed_page_is_gone_and_a_renamed_one_moved(editor: Editor) -> None:
    harrow, ealing, renamed = "mortgage-broker-harrow", "mortgage-broker-ealing", "mortgage-broker-west-ealing"
    editor.standin.edit(both(*(without(call, lambda tree: slug_of(tree) == harrow) for call in ("pages", "graphql"))))
    taken, report = editor.sync()
    assert taken, report
    assert editor.snapshot().history.removed == (f"/{harrow}/",)
    assert "gone: town harrow" in report
    editor.standin.edit()
    assert editor.sync()[0]
    assert editor.snapshot().history.removed == ()
    town = rewrite("graphql", lambda tree: slug_of(tree) == ealing, lambda tree: tree | {"slug": renamed})
    editor.standin.edit(both(town, page_slug(f"/{ealing}/", renamed)))
    taken, report = editor.sync()
    assert taken, report
    assert editor.snapshot().history.moved == {f"/{ealing}/": f"/{renamed}/"}


def test_guide_whose_slug_changed_without_its_url_moves_and_goes_on_moving(editor: Editor) -> None:
    paths = ["/mortgage-guides/what-is-ltv/"]
    for slug in ("ltv-explained", "loan-to-value"):
        editor.standin.edit(page_slug("/mortgage-guides/what-is-ltv/", slug))
        for _ in range(2):
            taken, report = editor.sync()
            assert taken, report
            assert slug in {guide.url for guide in editor.snapshot().guides}
        assert editor.snapshot().history.moved == dict.fromkeys(paths, f"/mortgage-guides/{slug}/")
        paths.append(f"/mortgage-guides/{slug}/")


def test_page_behind_a_password_has_no_page(editor: Editor) -> None:
    editor.standin.edit(
        page_fields("/mortgage-guides/what-is-ltv/", content={"rendered": "", "protected": True}, acf=[])
    )
    taken, report = editor.sync()
    assert taken, report
    assert "what-is-ltv" not in {guide.url for guide in editor.snapshot().guides}
    assert "/mortgage-guides/what-is-ltv/" in editor.snapshot().history.removed


def test_many_removals_are_asked_for(editor: Editor) -> None:
    before = editor.snapshot()
    editor.standin.edit(without("graphql", lambda tree: has_guide("leasehold-explained")(tree.get("node", {}))))
    assert editor.sync()[0], "one guide of thirteen may go"
    editor.standin.edit(without("pages", lambda tree: slug_of(tree).startswith("mortgage-broker-h")))
    taken, report = editor.sync()
    assert not taken
    assert [line for line in report if line.startswith("unusable: town pages: ") and "--accept-removals" in line]
    assert editor.snapshot().towns == before.towns
    assert editor.sync(accept_removals=True)[0]
    assert len(editor.snapshot().towns) < len(before.towns)


def test_removal_of_a_page_of_a_menu_is_asked_for(editor: Editor) -> None:
    editor.standin.edit(without("pages", lambda tree: slug_of(tree) == "about-us"))
    taken, report = editor.sync()
    assert not taken
    assert [line for line in report if line.startswith("unusable: page /about-us/: would go, and is in a menu")]
    assert editor.sync(accept_removals=True)[0]
    assert "/about-us/" in editor.snapshot().history.removed


EDITED_CALLS, EDITED_WAYS = ("pages", "graphql"), ("html-502", "false")
PAGE, MOVED = "extra-page-1", "extra-page-one"
NEW = "bridging-loans-explained"


def entry(tree: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the menu that leads to the page's new address."""
    uri = {"node": tree["connectedNode"]["node"] | {"uri": f"/{MOVED}/"}}
    return tree | {"path": f"/api/{MOVED}/", "connectedNode": uri}


@pytest.mark.parametrize("call", EDITED_CALLS)
def test_page_renamed_while_one_of_its_calls_fails_has_an_address(call: str, editor: Editor) -> None:
    menu = rewrite("graphql", lambda tree: tree.get("path") == f"/api/{PAGE}/", entry)
    editor.standin.edit(both(page_slug(f"/{PAGE}/", MOVED), menu))
    for way in EDITED_WAYS:
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
