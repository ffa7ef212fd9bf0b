"""The time now, and the time zone in which the firm and its visitors live."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

UK = ZoneInfo("Europe/London")


def utc_now() -> datetime:
    return datetime.now(UTC)
