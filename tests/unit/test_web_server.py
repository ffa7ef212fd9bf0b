"""What the server is started with."""

import pytest

from broker.settings import Settings
from tools.server import own_url
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


def test_own_server_is_asked_where_it_listens() -> None:
    found = [own_url(bind, 80) for bind in ("0.0.0.0", "::", "127.0.0.1", "192.0.2.7", "::1")]
    anywhere = "http://localhost:80"
    assert found == [anywhere, anywhere, "http://127.0.0.1:80", "http://192.0.2.7:80", "http://[::1]:80"]
