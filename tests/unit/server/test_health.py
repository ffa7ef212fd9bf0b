import asyncio
import json
from dataclasses import replace
from datetime import timedelta

from broker import routes
from broker.server.health import LIFETIME, LIVE_PATH, PATH, READY_PATH, REFLEX_PATH, health, health_handlers
from broker.staff.source_health import HealthReport, Source
from broker.storage.errors import StorageError
from tests.unit.server.health_reports import RATES, REPORT

SEVERAL = replace(REPORT, sources=(RATES, replace(RATES, source=Source.CONTENT, live=False)))


def ask(
    report: HealthReport,
    *,
    is_away: bool = False,
    redis: bool | None = None,
    is_key_right: bool = True,
    times: int = 1,
    apart: float = 0,
) -> tuple[int, dict, int]:
    """Return status, body and how often the database was written, for the last of some questions."""
    clock, writes = [0.0], [0]

    async def check_writable() -> None:
        writes[0] += 1
        if is_away:
            raise StorageError("away")

    async def read() -> HealthReport:
        return report

    async def redis_answers() -> bool | None:
        return redis

    async def has_right_key() -> bool:
        return is_key_right

    async def work() -> tuple[int, dict, int]:
        handler = health(check_writable, read, redis=redis_answers, has_right_key=has_right_key, clock=lambda: clock[0])
        answer = await handler({"path": PATH})
        for _ in range(times - 1):
            clock[0] += apart
            answer = await handler({"path": PATH})
        assert answer
        return answer.status, json.loads(answer.body), writes[0]

    return asyncio.run(work())


def test_source_that_was_read_by_a_clock_ahead_has_no_age_below_zero() -> None:
    report = replace(SEVERAL, at=SEVERAL.at - timedelta(hours=1))
    assert ask(report)[1]["sources"] == {"rates": {"stale": False, "age": 0}}


def test_site_that_is_well_says_how_old_its_feed_is() -> None:
    status, tree, _ = ask(SEVERAL)
    assert (status, tree["status"], tree["database"]) == (200, "ok", "writable")
    assert tree["sources"] == {"rates": {"stale": False, "age": 90}}
    assert (tree["release"]["name"], tree["encryption"]) == ("release-1", "right key")


def test_stale_feed_is_said_and_database_or_release_that_is_away_is_503() -> None:
    stale = replace(REPORT, sources=(replace(RATES, stale=True),))
    status, tree, _ = ask(stale)
    assert (status, tree["status"]) == (200, "degraded")
    status, tree, _ = ask(replace(REPORT, outbox=None), is_away=True)
    assert (status, tree["status"], tree["database"], tree["encryption"]) == (503, "unavailable", "unavailable", None)
    status, tree, _ = ask(replace(REPORT, release=None))
    assert (status, tree["status"], tree["release"]) == (503, "unavailable", None)


def test_redis_that_is_away_is_said_and_leaves_the_site_ready() -> None:
    for redis, said in {
        True: (200, "ok", "answers"),
        False: (200, "degraded", "unavailable"),
        None: (200, "ok", None),
    }.items():
        status, tree, _ = ask(REPORT, redis=redis)
        assert (status, tree["status"], tree["redis"]) == said


def test_wrong_or_lost_key_is_said() -> None:
    status, tree, _ = ask(REPORT, is_key_right=False)
    assert (status, tree["status"], tree["encryption"]) == (200, "degraded", "wrong or lost key")


def test_nothing_says_how_much_work_waits() -> None:
    assert set(ask(REPORT)[1]) == {"status", "database", "encryption", "redis", "version", "release", "sources"}


def test_answer_is_used_again_for_seconds() -> None:
    assert ask(REPORT, times=3)[2] == 1
    assert ask(REPORT, times=3, apart=LIFETIME)[2] == 3


async def test_process_is_alive_whatever_is_away_but_not_ready() -> None:
    async def check_writable() -> None:
        raise StorageError("away")

    async def read() -> HealthReport:
        return REPORT

    async def redis_answers() -> bool:
        return True

    handlers = health_handlers(check_writable, read, redis=redis_answers, has_right_key=redis_answers)
    told = {path: await handler({"type": "http", "path": path}) for path, handler in handlers.items()}
    assert {path: answer.status for path, answer in told.items() if answer} == {
        LIVE_PATH: 200,
        routes.PING: 200,
        PATH: 503,
        READY_PATH: 503,
        REFLEX_PATH: 503,
    }
