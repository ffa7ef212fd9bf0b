"""Figures of this process for Prometheus, at `/metrics` behind a token. None holds personal data."""

import secrets
from collections.abc import Awaitable, Callable

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from starlette.datastructures import Headers
from starlette.types import Scope

from broker.server.response import Answer, Handler, plain_text
from broker.staff.source_health import HealthReport

PATH = "/metrics"

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of times, in seconds."""

REQUESTS = Counter("broker_http_requests", "Requests by route", ["route", "method", "status"])
REQUEST_SECONDS = Histogram("broker_http_request_seconds", "Time to answer", ["route"], buckets=BUCKETS)
SOCKETS = Gauge("broker_open_sockets", "Open sockets, one a tab")
EVENTS = Counter("broker_socket_events", "Events of tabs", ["outcome"])
SEARCH_SECONDS = Histogram(
    "broker_rates_search_seconds", "Time of a rates search, by what answered it", ["answered_by"], buckets=BUCKETS
)
ENQUIRIES = Counter("broker_enquiries", "Enquiries stored, by kind", ["kind"])
FEED_AGE = Gauge("broker_source_age_seconds", "Age of a source's data", ["source"])
FEED_STALE = Gauge("broker_source_stale", "1 where a source is stale", ["source"])
OUTBOX = Gauge(
    "broker_outbox_notes", "Mail that waits, that of it which failed, and that which was given up", ["state"]
)
DATABASE = Gauge("broker_database_answers", "1 where the database answers")
REDIS = Gauge("broker_redis_answers", "1 where Redis answers, or there is none")
FREE = Gauge("broker_free_bytes", "Bytes free for BROKER_STATE_DIR")
BACKUP = Gauge("broker_last_backup_seconds", "Time of the last backup, 0 for none")
RELEASE = Gauge("broker_release_built_seconds", "Time the pages were built")

UNAUTHORISED = plain_text(401, "Send the token of BROKER_METRICS_TOKEN: Authorization: Bearer TOKEN")


def searched(answered_by: str, seconds: float) -> None:
    """Count a rates search; `answered_by` is `cache`, `source` or `stale`."""
    SEARCH_SECONDS.labels(answered_by).observe(seconds)


def metrics(
    report: Callable[[], Awaitable[HealthReport]],
    *,
    redis: Callable[[], Awaitable[bool | None]],
    tokens: tuple[str, ...],
) -> dict[str, Handler]:
    """Return the handler of `/metrics`; none without a token, and the address does not exist.

    `redis` returns whether it answers, None where there is no Redis.
    """

    async def answer(scope: Scope) -> Answer:
        given = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ").encode()
        if not any(secrets.compare_digest(given, token.encode()) for token in tokens):
            return UNAUTHORISED
        _take(await report())
        REDIS.set(await redis() is not False)
        headers = {"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Answer(status=200, headers=headers, body=generate_latest())

    return {PATH: answer} if tokens else {}


def _take(report: HealthReport) -> None:
    """Set the figures that are read rather than counted."""
    for source in report.sources:
        age = report.age_of(source)
        if source.live and age is not None:
            FEED_AGE.labels(source.source).set(age)
        FEED_STALE.labels(source.source).set(source.stale)
    DATABASE.set(report.outbox is not None)
    if report.outbox:
        OUTBOX.labels("waiting").set(report.outbox.waiting)
        OUTBOX.labels("failed").set(report.outbox.failed)
        OUTBOX.labels("given_up").set(report.outbox.given_up)
    if report.machine:
        FREE.set(report.machine.free_bytes)
        BACKUP.set(report.machine.last_backup.timestamp() if report.machine.last_backup else 0)
    if report.release:
        RELEASE.set(report.release.built.timestamp())
