from pathlib import Path

import pytest

from broker.content.snapshot.snapshot_folder import clear_versions, make_current, new_version


@pytest.mark.parametrize("link", ["current", "versions/current"], ids=["above the versions", "beside them"])
def test_current_link_survives_a_move_of_the_folder(tmp_path: Path, link: str) -> None:
    folder = tmp_path / "site"
    for words in ("one", "two"):
        version = new_version(folder / "versions", prefix="a-")
        (version / "words").write_text(words)
        make_current(version, folder / link)
    moved = folder.rename(tmp_path / "moved")
    assert (moved / link / "words").read_text() == "two"
    assert [path.name for path in (moved / "versions").glob("*.link")] == []


def test_version_is_empty_new_and_open_to_readers(tmp_path: Path) -> None:
    first, second = (new_version(tmp_path / "made" / "here", prefix="2026-") for _ in range(2))
    assert (first != second, [*first.iterdir(), *second.iterdir()]) == (True, [])
    assert (first.name.startswith("2026-"), first.stat().st_mode & 0o777) == (True, 0o755)


def test_version_stays_for_its_readers_until_it_is_cleared(tmp_path: Path) -> None:
    old, kept = (new_version(tmp_path, prefix="") for _ in range(2))
    (old / "file").write_text("old")
    make_current(old, tmp_path / "current")
    reading = (tmp_path / "current").resolve()
    make_current(kept, tmp_path / "current")
    assert (reading, (tmp_path / "current").resolve()) == (old, kept)
    assert (reading / "file").read_text() == "old"
    (tmp_path / "stopped.link").symlink_to("nowhere")
    clear_versions(tmp_path, kept=(kept,))
    assert {entry.name for entry in tmp_path.iterdir()} == {"current", kept.name}
