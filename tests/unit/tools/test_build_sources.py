"""What makes a build stale: sources, settings, and the snapshot that its content comes from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.settings import Settings
from tests.unit.content.wordpress.answering import API, snapshot
from tools.build import key, sources
from tools.project import Project


def test_new_snapshot_makes_another_build(tmp_path: Path) -> None:
    project = Project(root=tmp_path)
    settings = Settings(state_dir=tmp_path / "var", data_dir=tmp_path / "data", api_url=API)
    before = sources(project, settings)
    found = snapshot()[0]
    write_snapshot(snapshot_folder(settings), found, files={})
    first = sources(project, settings)
    write_snapshot(snapshot_folder(settings), replace(found, guides=found.guides[:3]), files={})
    assert list(before) == []
    assert list(first) == ["var/content/current/snapshot.json"]
    assert sources(project, settings) != first
    assert sources(project, settings.changed(api_url="")) == {}


def test_setting_of_the_content_service_makes_another_build() -> None:
    addresses = ("", API, "https://another.test/api")
    assert len({key({}, Settings(api_url=address)) for address in addresses}) == len(addresses)
