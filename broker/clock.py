"""The time now, and the time zone in which the firm and its visitors live."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

UK = ZoneInfo("Europe/London")


def utc_now() -> datetime:
    return datetime.now(UTC)


def uk_date(moment: datetime) -> date:
    """Return the day of a moment in the UK."""
    return moment.astimezone(UK).date()
