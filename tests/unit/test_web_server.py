"""What the server is started with."""

import pytest

from broker.settings import Settings
from tools.project import ToolError
from tools.server import check_shared, free_port, own_url
from tools.web_server import bound_listener, server_config


def test_several_workers_need_redis_and_postgresql() -> None:
    redis, database = "redis://localhost:6379/0", "postgresql://site@localhost/site"
    check_shared(Settings())
    check_shared(Settings(workers=3, redis_url=redis, database_url=database))
    for lacking in (Settings(workers=3, redis_url=redis), Settings(workers=3, database_url=database)):
        with pytest.raises(ToolError, match="set REFLEX_REDIS_URL and BROKER_DATABASE_URL, or WORKERS=1"):
            check_shared(lacking)


def test_server_has_the_workers_of_the_settings() -> None:
    assert [server_config(Settings(workers=each), 3000).workers for each in (1, 4)] == [1, 4]


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
    with bound_listener(settings, port := free_port()) as listener:
        assert listener.getsockname()[:2] == (address, port)
    assert server_config(settings, port).host == address


def test_own_server_is_asked_where_it_listens() -> None:
    found = [own_url(bind, 80) for bind in ("0.0.0.0", "::", "127.0.0.1", "192.0.2.7", "::1")]
    anywhere = "http://localhost:80"
    assert found == [anywhere, anywhere, "http://127.0.0.1:80", "http://192.0.2.7:80", "http://[::1]:80"]
