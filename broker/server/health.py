"""`/health` and the addresses below it, for load balancers and monitoring.

The status is 503 if enquiries cannot be stored or no pages are served, else 200: with a failed feed pages keep their
last rates, without Redis pages and forms work, and with another encryption key new data can be read.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic

from starlette.types import Scope

from broker import __version__, routes
from broker.background import SingleFlight
from broker.server.response import Answer, Handler, plain_text
from broker.staff.source_health import HealthReport, SourceHealth
from broker.storage.errors import StorageError

PATH, LIVE_PATH, READY_PATH = "/health", "/health/live", "/health/ready"
"""The report; liveness and readiness for orchestrators."""

PATHS = frozenset({PATH, LIVE_PATH, READY_PATH})

REFLEX_PATH = "/_health"
"""Reflex's own address, which would report Redis only."""

REDIS: Mapping[bool | None, str | None] = {True: "answers", False: "unavailable", None: None}

RIGHT_KEY, WRONG_KEY = "right key", "wrong or lost key"

LIFETIME = 5.0
"""Seconds for which a report is cached, so that frequent requests do not reach the database."""

log = logging.getLogger(__name__)


def health(
    check_writable: Callable[[], Awaitable[None]],
    report: Callable[[], Awaitable[HealthReport]],
    *,
    redis: Callable[[], Awaitable[bool | None]],
    has_right_key: Callable[[], Awaitable[bool]],
    clock: Callable[[], float] = monotonic,
) -> Handler:
    """Return the handler of the report; `check_writable` raises StorageError if nothing can be stored.

    `redis` returns whether it responds, None without Redis; `has_right_key` whether stored data can be decrypted, and
    raises StorageError.
    """
    flights: SingleFlight[str, Answer] = SingleFlight()
    last: list[tuple[float, Answer]] = []

    async def read() -> Answer:
        is_writable = await _is_writable(check_writable)
        key = await _encryption(has_right_key) if is_writable else None
        found = _answer(await report(), is_writable=is_writable, redis_answers=await redis(), encryption=key)
        last[:] = [(clock() + LIFETIME, found)]
        return found

    async def answer(_scope: Scope) -> Answer:
        if last and clock() < last[0][0]:
            return last[0][1]
        return await flights.joined(PATH, read)

    return answer


def health_handlers(
    check_writable: Callable[[], Awaitable[None]],
    report: Callable[[], Awaitable[HealthReport]],
    *,
    redis: Callable[[], Awaitable[bool | None]],
    has_right_key: Callable[[], Awaitable[bool]],
) -> dict[str, Handler]:
    """Return the handlers of all health addresses."""
    ready = health(check_writable, report, redis=redis, has_right_key=has_right_key)
    return {**dict.fromkeys((LIVE_PATH, routes.PING), _alive), **dict.fromkeys((PATH, READY_PATH, REFLEX_PATH), ready)}


async def _alive(_scope: Scope) -> Answer:
    return plain_text(200, "ok")


def _answer(report: HealthReport, *, is_writable: bool, redis_answers: bool | None, encryption: str | None) -> Answer:
    release = report.release
    is_degraded = redis_answers is False or encryption == WRONG_KEY or any(source.stale for source in report.sources)
    is_well = is_writable and release is not None
    tree = {
        "status": "unavailable" if not is_well else "degraded" if is_degraded else "ok",
        "database": "writable" if is_writable else "unavailable",
        "encryption": encryption,
        "redis": REDIS[redis_answers],
        "version": __version__,
        "release": {"name": release.name, "built": release.built.isoformat()} if release else None,
        "sources": {source.source.value: _source(source, report) for source in report.sources if source.live},
    }
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    return Answer(status=200 if is_well else 503, headers=headers, body=json.dumps(tree).encode())


def _source(source: SourceHealth, report: HealthReport) -> dict[str, object]:
    """Return whether a source is stale, and the seconds since it was read."""
    age = report.age_of(source)
    return {"stale": source.stale, "age": None if age is None else round(age)}


async def _is_writable(check_writable: Callable[[], Awaitable[None]]) -> bool:
    try:
        await check_writable()
    except StorageError as error:
        log.error("nothing can be stored: %s", error)
        return False
    return True


async def _encryption(has_right_key: Callable[[], Awaitable[bool]]) -> str | None:
    try:
        return RIGHT_KEY if await has_right_key() else WRONG_KEY
    except StorageError:
        return None
