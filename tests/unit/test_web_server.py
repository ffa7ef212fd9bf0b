"""What the server is started with."""

import pytest

from broker.settings import Settings
from tools.project import ToolError
from tools.server import check_shared
from tools.web_server import server_config


def test_several_workers_need_redis_and_postgresql() -> None:
    redis, database = "redis://localhost:6379/0", "postgresql://site@localhost/site"
    check_shared(Settings())
    check_shared(Settings(workers=3, redis_url=redis, database_url=database))
    for lacking in (Settings(workers=3, redis_url=redis), Settings(workers=3, database_url=database)):
        with pytest.raises(ToolError, match="set REFLEX_REDIS_URL and BROKER_DATABASE_URL, or WORKERS=1"):
            check_shared(lacking)


def test_server_has_the_workers_of_the_settings() -> None:
    assert [server_config(Settings(workers=each), 3000).workers for each in (1, 4)] == [1, 4]
