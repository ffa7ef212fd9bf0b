"""`make reload`: its result is that of the server."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from broker.settings import Settings
from broker.storage.operation_files import DONE, FAILED, has_reload_failed, reload_file
from tools import reload
from tools.project import ToolError
from tools.serve import process_file

Answer = Callable[[str], None]


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    monkeypatch.setenv("BROKER_STATE_DIR", str(tmp_path))
    return Settings(state_dir=tmp_path)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, state: Settings) -> Answer:
    """Have this process be the server, which ends a reload with a result."""

    def ends(result: str) -> None:
        process_file(state).write_text(str(os.getpid()))

        def kill(process: int, number: int) -> None:
            assert (process, number) == (os.getpid(), signal.SIGUSR1)
            assert not reload_file(state).exists()
            reload_file(state).write_text(result)

        monkeypatch.setattr(os, "kill", kill)

    return ends


def test_reload_ends_well_once_the_workers_are_replaced(answer: Answer, state: Settings) -> None:
    reload_file(state).write_text(FAILED)
    answer(DONE)
    reload.main()
    assert not has_reload_failed(state)


def test_reload_fails_where_the_new_code_does_not_start(answer: Answer, state: Settings) -> None:
    answer(FAILED)
    with pytest.raises(ToolError, match="did not start"):
        reload.main()
    assert has_reload_failed(state)


def test_reload_fails_where_no_result_comes(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reload, "WORKER_SECONDS", 0)
    answer("")
    with pytest.raises(ToolError, match="did not start"):
        reload.main()


def test_reload_without_a_server_says_so(state: Settings) -> None:
    assert not process_file(state).exists()
    with pytest.raises(ToolError, match="No server runs"):
        reload.main()
