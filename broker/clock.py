"""The time now, and the time zone in which the firm and its visitors live."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

UK = ZoneInfo("Europe/London")


def utc_now() -> datetime:
    return datetime.now(UTC)


def uk_date(moment: datetime) -> date:
    """Return the day of a moment in the UK."""
    return moment.astimezone(UK).date()


def uk_midnight(day: date) -> datetime:
    """Return the first moment of a day in the UK."""
    return datetime.combine(day, time(), tzinfo=UK)
