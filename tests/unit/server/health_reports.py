"""A report of health with a source that is up to date, as `/health` and `/metrics` read it."""

from datetime import UTC, datetime, timedelta

from broker.staff.source_health import HealthReport, LastRead, OutboxStanding, ServedRelease, Source, SourceHealth

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
RATES = SourceHealth(
    source=Source.RATES,
    name="Rates",
    live=True,
    reading=LastRead(read_at=NOW - timedelta(seconds=90)),
    stale=False,
    words="",
    can_refresh=True,
)
REPORT = HealthReport(
    at=NOW,
    live=True,
    sources=(RATES,),
    outbox=OutboxStanding(waiting=2, failed=1, oldest=NOW, problem="", last_sent=None),
    has_mail_server=True,
    release=ServedRelease(name="release-1", built=NOW - timedelta(days=1)),
)
