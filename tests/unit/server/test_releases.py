import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from broker.content.snapshot.snapshot_folder import make_current
from broker.server.releases import CURRENT, LiveExport, current_release, releases
from tests.unit.server.site import SITE, html, put_release
from tools.release import MAX_RELEASES, tidy

SCRIPT = "/assets/root-1.js"


def look(live: LiveExport) -> bool:
    return asyncio.run(live.check())


def heading(live: LiveExport) -> str:
    return live.export.files["/"].plain().decode().partition("<h1>")[2].partition("</h1>")[0]


@pytest.fixture
def live(tmp_path: Path) -> LiveExport:
    put_release(tmp_path)
    live = LiveExport(tmp_path, SITE)
    live.open()
    return live


def new_home(folder: Path, title: str, *, code: str = "1") -> Path:
    return put_release(folder, code=code, **{"index.html": html(title, path="/")}).folder


def test_only_a_new_release_takes_the_place_of_the_one_before(live: LiveExport, tmp_path: Path) -> None:
    before = live.export
    assert b"<h1>Home</h1>" in before.closed(before.files["/"]).plain()
    assert (look(live), live.export is before) == (False, True)
    new_home(tmp_path, "Welcome")
    assert (heading(live), look(live), heading(live), look(live)) == ("Home", True, "Welcome", False)
    assert b"<h1>Welcome</h1>" in live.export.closed(live.export.files["/"]).plain()


def test_content_is_copied_again_with_each_release_but_the_first(tmp_path: Path) -> None:
    taken: list[str] = []

    async def take() -> None:
        taken.append(heading(live))

    put_release(tmp_path)
    live = LiveExport(tmp_path, SITE, on_change=take)
    live.open()
    look(live)
    new_home(tmp_path, "Welcome")
    assert (look(live), look(live), taken) == (True, False, ["Home"])


def test_scripts_of_the_releases_before_stay_and_pages_go(live: LiveExport, tmp_path: Path) -> None:
    folder = new_home(tmp_path, "Welcome")
    for file in (folder / "build" / "client" / "assets").glob("root-1.js*"):
        file.rename(file.with_name(file.name.replace("root-1", "root-2")))
    look(live)
    assert live.export.files.keys() >= {SCRIPT, "/assets/root-2.js"}
    assert LiveExport(tmp_path, SITE).open().files.keys() >= {SCRIPT, "/assets/root-2.js"}
    put_release(tmp_path, **{"tools/old.txt": "old"})
    look(live)
    assert "/tools/old.txt" in live.export.files
    new_home(tmp_path, "Welcome")
    look(live)
    assert "/tools/old.txt" not in live.export.files


def test_a_release_of_another_program_waits_for_a_restart(
    live: LiveExport, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = new_home(tmp_path, "Welcome", code="2")
    assert (look(live), look(live), heading(live)) == (False, False, "Home")
    assert caplog.messages == [
        f"release {folder.name} belongs to another version of the program or questionnaire: restart to serve it"
    ]
    restarted = LiveExport(tmp_path, SITE)
    restarted.open()
    assert heading(restarted) == "Welcome"


def test_what_is_served_has_its_name_and_when_it_was_built(live: LiveExport, tmp_path: Path) -> None:
    first, served = (tmp_path / CURRENT).resolve(), live.served()
    assert served
    assert served.name == first.name
    assert served.built.timestamp() == pytest.approx((first / "release.json").stat().st_mtime)
    other = new_home(tmp_path, "Welcome", code="2")
    look(live)
    assert live.served() == replace(served, waiting=other.name)
    new_home(tmp_path, "Welcome back")
    look(live)
    assert (again := live.served())
    assert (again.name == first.name, again.waiting) == (False, "")
    assert LiveExport(tmp_path / "nowhere", SITE).served() is None


@pytest.mark.parametrize("spoilt", ["release.json", "build/client/index.html"])
def test_half_a_release_is_none(live: LiveExport, tmp_path: Path, spoilt: str) -> None:
    folder = new_home(tmp_path, "Welcome")
    (folder / spoilt).unlink()
    assert (look(live), heading(live), current_release(tmp_path)) == (False, "Home", None)


def test_a_link_that_leads_nowhere_changes_nothing(live: LiveExport, tmp_path: Path) -> None:
    shutil.rmtree((tmp_path / CURRENT).resolve())
    assert (look(live), heading(live)) == (False, "Home")
    (empty := tmp_path / "empty").mkdir()
    export = LiveExport(empty, SITE).open()
    assert (export.files, b"<h1>Page not found</h1>" in export.not_found.plain()) == ({}, True)


def test_the_last_releases_are_kept_and_leftovers_cleared(tmp_path: Path) -> None:
    (tmp_path / "release-stopped").mkdir()
    made = [new_home(tmp_path, f"Home {number}") for number in range(MAX_RELEASES + 2)]
    assert [release.folder for release in releases(tmp_path)] == made[: -MAX_RELEASES - 1 : -1]
    assert {path.name for path in tmp_path.iterdir()} == {CURRENT, *(path.name for path in made[-MAX_RELEASES:])}
    assert (tmp_path / CURRENT).resolve() == made[-1]


def test_release_that_was_gone_back_to_is_kept_beside_newer_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [new_home(tmp_path, f"Home {number}") for number in range(MAX_RELEASES)]
    make_current(made[0], tmp_path / CURRENT)
    unpacked = tmp_path / "release-unpacked"
    shutil.copytree(made[-1], unpacked)
    monkeypatch.chdir(tmp_path)  # a folder may be named from here
    assert tidy(Path()) == MAX_RELEASES + 1
    assert {path.name for path in tmp_path.iterdir()} == {CURRENT, unpacked.name, *(path.name for path in made)}
    make_current(made[-1], tmp_path / CURRENT)
    assert tidy(Path()) == MAX_RELEASES
    assert {path.name for path in tmp_path.iterdir()} == {CURRENT, unpacked.name, *(path.name for path in made[1:])}
