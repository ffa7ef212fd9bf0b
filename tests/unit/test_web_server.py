import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from broker.settings import Settings
from tools import server, web_server
from tools.project import Project
from tools.server import free_port, own_url, start
from tools.web_server import server_config


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (Settings(), "0.0.0.0"),
        (Settings(trusted_proxies=1), "127.0.0.1"),
        (Settings(trusted_proxies=2, bind="0.0.0.0"), "0.0.0.0"),
        (Settings(bind="::1"), "::1"),
    ],
)
def test_server_behind_a_proxy_is_reached_from_this_machine_alone(settings: Settings, address: str) -> None:
    assert server_config(settings, 3000).host == address


def test_application_is_left_out_of_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    application = list[object]()
    served = list[bool]()

    def serve(_config: object) -> SimpleNamespace:
        found = gc.get_objects()
        served.append(gc.isenabled() and not any(each is application for each in found))
        return SimpleNamespace(run=lambda: None, started=True)

    loaded = SimpleNamespace(load=lambda: application.append(object()))
    monkeypatch.setattr(web_server, "server_config", lambda *_: loaded)
    monkeypatch.setattr(web_server, "uvicorn", SimpleNamespace(Server=serve))
    monkeypatch.setattr(sys, "argv", ["web_server", "3000"])
    try:
        web_server.main()
    finally:
        gc.unfreeze()
    assert served == [True]


def test_own_server_is_asked_where_it_listens() -> None:
    found = [own_url(bind, 80) for bind in ("0.0.0.0", "::", "127.0.0.1", "192.0.2.7", "::1")]
    anywhere = "http://localhost:80"
    assert found == [anywhere, anywhere, "http://127.0.0.1:80", "http://192.0.2.7:80", "http://[::1]:80"]


def test_server_ends_with_a_start_that_is_interrupted(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupt(_url: str) -> bool:
        sys.exit(0)  # as tools.serve does at a signal

    def popen(*_: object, **__: object) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["sleep", "60"]))
        return started[0]

    monkeypatch.setattr(server, "current_release", lambda _: SimpleNamespace(folder=tmp_path))
    monkeypatch.setattr(server, "_answers", interrupt)
    monkeypatch.setattr(server, "subprocess", SimpleNamespace(Popen=popen, DEVNULL=None))
    with pytest.raises(SystemExit):
        start(project, free_port())
    assert started[0].poll() is not None
