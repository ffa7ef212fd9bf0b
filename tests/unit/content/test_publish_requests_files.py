import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broker.content.publish_requests import CHANGE_FILE, RUN_FILE, PublishingFiles
from broker.content.publishing import ContentChange, PublishResult, PublishRun
from broker.settings import Settings

CHANGED = ContentChange(at=datetime(2026, 11, 24, 12, 0, 0, 123_456, tzinfo=UTC), by="the content service")
FAILED = PublishRun(
    change=CHANGED, started=CHANGED.at, finished=CHANGED.at, result=PublishResult.FAILED, reason="Réason “x”"
)


def test_change_and_run_are_read_as_they_were_written(tmp_path: Path) -> None:
    files = PublishingFiles(Settings(state_dir=tmp_path / "not" / "there"))
    assert (files.change(), files.run()) == (None, None)
    files.write_change(CHANGED)
    for run in (PublishRun(change=CHANGED, started=CHANGED.at), FAILED):
        files.write_run(run)
        assert (files.change(), files.run()) == (CHANGED, run)
    assert {file.name for file in files.folder.iterdir()} == {CHANGE_FILE, RUN_FILE}


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"at":"now","by":"ada"}', '{"at":1}'])
def test_damaged_file_counts_as_none(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    files = PublishingFiles(Settings(state_dir=tmp_path))
    files.folder.mkdir()
    for name in (CHANGE_FILE, RUN_FILE):
        (files.folder / name).write_text(text)
    with caplog.at_level(logging.WARNING):
        assert (files.change(), files.run()) == (None, None)
    assert len(caplog.messages) == 2
