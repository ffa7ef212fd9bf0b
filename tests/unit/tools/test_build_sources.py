"""What makes a build stale: sources, settings, and the snapshot that its content comes from."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.settings import Settings
from broker.web.serving.releases import LiveExport
from tests.unit.content.wordpress.answering import API, snapshot
from tests.unit.web.site import SITE, put_release
from tools.build import key, program_key, sources
from tools.project import Project


def test_new_snapshot_or_content_service_makes_another_build(tmp_path: Path) -> None:
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
    addresses = ("", API, "https://another.test/api")
    assert len({key({}, Settings(api_url=address)) for address in addresses}) == len(addresses)


@pytest.mark.parametrize("folder", ["data", "elsewhere"])
def test_server_leaves_a_release_with_another_questionnaire(
    tmp_path: Path, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="broker")
    project, served = Project(root=tmp_path / "checkout"), tmp_path / "served"
    data = project.root / folder if folder == "data" else tmp_path / folder
    settings, live = Settings(data_dir=data, state_dir=tmp_path / "var"), LiveExport(served, SITE)
    texts = {"questionnaire.json": '{"start": "q1"}', "content/site.json": "{}", "content/questionnaire.json": "{}"}

    def publish(**changed: str) -> str:
        for name, text in (texts | changed).items():
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_text(text)
        code = program_key(project, sources(project, settings), settings=settings)
        return put_release(served, code=code).folder.name

    publish()
    live.open()
    publish(**{"content/site.json": '{"name": "Another"}', "content/questionnaire.json": "[]"})
    assert asyncio.run(live.look())
    before = live.export
    name = publish(**{"questionnaire.json": '{"start": "q2"}'})
    assert (asyncio.run(live.look()), live.export is before) == (False, True)
    assert caplog.messages == [
        f"release {name} belongs to another version of the program or questionnaire: restart to serve it"
    ]
