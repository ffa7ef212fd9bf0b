"""The copy of a WordPress that answers over real HTTP: whole, kept when it fails, reported item by item."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from broker.content.snapshot.snapshot import Snapshot
from broker.content.snapshot.snapshot_folder import has_snapshot, pictures_folder, read_report, read_snapshot
from broker.content.sync import main, sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from tests.our_content import STORE
from tests.standin import Standin, running

Syncing = Callable[..., tuple[bool, list[str]]]

SHORT = 0.5
"""Seconds for which a service is waited for that will not answer."""


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture
def standin(server: Standin) -> Iterator[Standin]:
    yield server
    server.switch()


@pytest.fixture
def syncing(standin: Standin, tmp_path: Path) -> Syncing:
    """Return what takes a snapshot into the test's folder: whether it was taken, and the report."""

    def take(patience: float = 20.0) -> tuple[bool, list[str]]:
        report: list[str] = []
        settings = WordPressSettings(
            api_url=standin.url, read_timeout=patience, total_timeout=2 * patience, backoff_seconds=0
        )
        return sync(WordPressClient(settings), STORE, to=tmp_path, report=report.append), report

    return take


@pytest.fixture(scope="module")
def first(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of a snapshot of the whole site, and the report."""
    folder, report = tmp_path_factory.mktemp("first"), list[str]()
    settings = WordPressSettings(api_url=server.url, backoff_seconds=0)
    assert sync(WordPressClient(settings), STORE, to=folder, report=report.append), report
    return folder, report


@pytest.fixture
def before(first: tuple[Path, list[str]], tmp_path: Path) -> Snapshot:
    shutil.copytree(first[0], tmp_path, symlinks=True, dirs_exist_ok=True)
    return read_snapshot(tmp_path)


def test_whole_site_is_copied(first: tuple[Path, list[str]], standin: Standin) -> None:
    folder, report = first
    found = read_snapshot(folder)
    assert [item.path for item in found.menus.sitemap.items[-2:]] == ["/extra-page-6/", "/extra-page-7/"]
    assert len(found.towns) == 27
    assert {"what-is-ltv", "home-mover-guide", "conveyancing-basics"} <= {guide.url for guide in found.guides}
    assert {"/about-us/", "/extra-page-7/", "/tools/mortgage-faqs/"} <= {page.path for page in found.pages}
    assert {page.path for page in found.deal_pages} == {page.path for page in STORE.deal_pages()}
    assert not [line for line in report if line.startswith("unusable")]
    assert "new: town slough" in report
    assert standin.url not in found.guides[0].html
    banner = found.banners["/mortgage-broker-camden/"]
    assert (banner.width, banner.height) == (1024, 384)
    assert (pictures_folder(folder) / Path(banner.src).name).is_file()
    guide = next(guide for guide in found.guides if guide.url == "conveyancing-basics")
    assert '" alt="" width="200" height="200" loading="lazy"></p>' in guide.html
    assert '<a href="/contact/" rel="noopener noreferrer">' in guide.html


@pytest.mark.usefixtures("before")
def test_second_copy_of_the_same_changes_nothing(syncing: Syncing) -> None:
    taken, report = syncing()
    assert taken
    assert [line for line in report if line.startswith(("new", "changed", "gone"))] == []


FAILING = ("html-200", "html-502", "false", "empty-list", "empty-body", "redirect", "slow", "silent", "huge", "reset")


@pytest.mark.parametrize("name", FAILING)
def test_failing_service_leaves_the_last_snapshot(
    name: str, before: Snapshot, syncing: Syncing, standin: Standin, tmp_path: Path
) -> None:
    standin.switch(name)
    taken, report = syncing(SHORT)
    assert not taken
    assert report[0].startswith("Failed to fetch API: graphql: ")
    assert report[-1] == "the last snapshot stays"
    assert read_snapshot(tmp_path) == before


@pytest.mark.parametrize("call", ["pages", "graphql"])
def test_service_failing_half_way_changes_nothing(
    call: str, syncing: Syncing, standin: Standin, tmp_path: Path
) -> None:
    standin.switch("reset", only=call)
    taken, report = syncing()
    assert (taken, report[-1], has_snapshot(tmp_path)) == (False, "no snapshot was taken", False)


@pytest.mark.parametrize(
    "name", ["gql-errors-empty", "acf-false", "acf-list", "acf-missing", "php-warning", "double-encoded"]
)
def test_odd_answers_are_read(name: str, syncing: Syncing, standin: Standin, tmp_path: Path) -> None:
    standin.switch(name)
    taken, report = syncing()
    assert taken, report
    found = read_snapshot(tmp_path)
    assert (len(found.towns), len(found.guides)) == (27, 13)
    assert bool(found.lenders) is not name.startswith("acf")


@pytest.mark.parametrize("call", ["faqs", "lender_pages", "uploads"])
def test_call_that_was_never_read_is_only_reported(call: str, syncing: Syncing, standin: Standin) -> None:
    standin.switch("html-502", only=call)
    taken, report = syncing()
    words = "fault: picture http" if call == "uploads" else f"note: call {call}: answered 502; it was never read"
    assert taken
    assert [line for line in report if line.startswith(words)]


def test_report_for_staff_names_what_was_read_and_kept(syncing: Syncing, standin: Standin, tmp_path: Path) -> None:
    assert syncing()[0]
    whole = read_report(tmp_path)
    assert whole
    assert (whole.is_taken, [part for part in whole.parts if part.fault or not part.read_at]) == (True, [])
    standin.switch("html-502", only="faqs")
    assert syncing()[0]
    kept = read_report(tmp_path)
    assert kept
    read_at = {part.name: part.read_at for part in whole.parts}
    assert [(part.name, part.read_at, part.fault) for part in kept.parts if part.fault] == [
        ("faqs", read_at["faqs"], "answered 502")
    ]
    standin.switch("reset")
    assert not syncing()[0]
    refused = read_report(tmp_path)
    assert refused
    assert (refused.is_taken, bool(refused.faults), {part.name for part in refused.parts}) == (False, True, {*read_at})


def test_site_without_a_page_is_refused(syncing: Syncing, standin: Standin, tmp_path: Path) -> None:
    standin.switch("empty-list", only="pages")
    taken, report = syncing()
    assert (taken, has_snapshot(tmp_path)) == (False, False)
    assert "unusable: every page: is missing: no page was answered" in report


def test_command_prints_a_summary(
    standin: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROKER_API_URL", "")
    assert main([]) == 1
    monkeypatch.setenv("BROKER_API_URL", standin.url)
    monkeypatch.setenv("BROKER_STATE_DIR", str(tmp_path))
    assert main([]) == 0
    assert has_snapshot(tmp_path / "content")
    assert main(["--to", str(tmp_path / "elsewhere")]) == 0
    assert has_snapshot(tmp_path / "elsewhere")
    standin.switch("html-502")
    assert main([]) == 1
    assert "Failed to fetch API: graphql: answered 502" in capsys.readouterr().out
