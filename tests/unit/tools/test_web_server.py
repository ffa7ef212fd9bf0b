"""What the supervisor knows of its workers: that one is ready, late or dead."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn

from tests.timeouts import ANSWER_TIMEOUT
from tools.web_server import Worker


@pytest.fixture
def worker() -> Worker:
    return Worker(uvicorn.Config("tests.nothing", log_config=None), [])


def test_new_worker_may_take_longer_to_start_than_one_may_to_answer(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker.process, "is_alive", lambda: True)
    monkeypatch.setattr(worker, "is_ready", lambda timeout: timeout > 0)
    assert worker.wait_until_ready(0)


def test_death_of_a_worker_ends_a_ping_under_way(worker: Worker) -> None:
    worker.start()
    assert worker.pid
    os.kill(worker.pid, signal.SIGSTOP)
    with ThreadPoolExecutor() as pool:
        pinged = pool.submit(worker.ping, 2 * ANSWER_TIMEOUT)
        os.kill(worker.pid, signal.SIGKILL)
        assert not pinged.result(ANSWER_TIMEOUT)
    worker.join()
