from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from broker.server.releases import LiveExport
from broker.server.response import SECURITY
from broker.settings import Settings, read_settings
from tests.unit.server.site import SITE, client_of, put_release

OURS = "broker.example"


@pytest.fixture
def site(tmp_path: Path) -> TestClient:
    put_release(tmp_path)
    hosts = read_settings({"BROKER_HOSTS": f"{OURS}, WWW.{OURS}"}).hosts
    return client_of(LiveExport(tmp_path, SITE), settings=Settings(site_url=SITE, hosts=hosts))


@pytest.mark.parametrize("host", [OURS, f"www.{OURS}", f"{OURS}:8080", OURS.upper()])
def test_our_hosts_are_answered(site: TestClient, host: str) -> None:
    assert site.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", f"{OURS}.evil.example", f"evil.example:{OURS}", ""])
def test_another_host_is_refused_with_our_headers(site: TestClient, host: str) -> None:
    answer = site.get("/", headers={"host": host})
    assert (answer.status_code, answer.text) == (421, "This host is not served here.")
    assert SECURITY.items() <= answer.headers.items()
    with pytest.raises(WebSocketDisconnect), site.websocket_connect("/_event", headers={"host": host}):
        pass


def test_health_is_asked_by_address(site: TestClient) -> None:
    assert site.get("/health", headers={"host": "10.0.0.7:8080"}).status_code == 404
