from datetime import UTC, datetime

import pytest

from broker.lenders.logos.logo import (
    CleanPicture,
    LenderLogo,
    LogoKind,
    LogoSource,
    LogoVersion,
    by_lender,
    picture_name,
)

NOW = datetime(2026, 3, 31, 12, 0, tzinfo=UTC)


def version(source: LogoSource, kind: LogoKind, *, lender_id: int = 42, number: int = 3) -> LogoVersion:
    picture = f"{source}.png" if kind is LogoKind.PICTURE else ""
    return LogoVersion(lender_id=lender_id, source=source, number=number, kind=kind, picture=picture, who="ann", at=NOW)


KINDS: dict[str, tuple[LogoKind | None, LogoKind | None, LogoSource]] = {
    "neither": (None, None, LogoSource.MONOGRAM),
    "feed's": (None, LogoKind.PICTURE, LogoSource.FEED),
    "staff's": (LogoKind.PICTURE, None, LogoSource.STAFF),
    "both": (LogoKind.PICTURE, LogoKind.PICTURE, LogoSource.STAFF),
    "removed": (LogoKind.HIDDEN, None, LogoSource.MONOGRAM),
    "removed, the feed's too": (LogoKind.HIDDEN, LogoKind.PICTURE, LogoSource.MONOGRAM),
    "as before staff": (LogoKind.UNTOUCHED, LogoKind.PICTURE, LogoSource.FEED),
    "as before staff, none": (LogoKind.UNTOUCHED, None, LogoSource.MONOGRAM),
    "no longer in the feed": (None, LogoKind.UNTOUCHED, LogoSource.MONOGRAM),
}


@pytest.mark.parametrize(("staff", "feed", "source"), KINDS.values(), ids=KINDS)
def test_staffs_choice_counts_before_the_feeds(
    staff: LogoKind | None, feed: LogoKind | None, source: LogoSource
) -> None:
    logo = LenderLogo(
        staff=version(LogoSource.STAFF, staff) if staff else None, feed=version(LogoSource.FEED, feed) if feed else None
    )
    shown = "" if source is LogoSource.MONOGRAM else f"{source}.png"
    assert (logo.source, logo.current.picture if logo.current else "") == (source, shown)
    assert logo.number == (3 if staff else 0)


def test_versions_are_grouped_by_lender_and_pictures_named_by_digest() -> None:
    staff, feed = (version(source, LogoKind.PICTURE) for source in (LogoSource.STAFF, LogoSource.FEED))
    other = version(LogoSource.FEED, LogoKind.PICTURE, lender_id=7)
    found = by_lender({(one.lender_id, one.source): one for one in (staff, feed, other)})
    assert found == {42: LenderLogo(staff=staff, feed=feed), 7: LenderLogo(feed=other)}
    picture = CleanPicture.of(b"a", width=1, height=2)
    assert picture_name(42, picture.digest) == "42-ca978112ca1b.png"
