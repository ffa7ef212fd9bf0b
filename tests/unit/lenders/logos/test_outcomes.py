import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.lenders.logos.logo import LogoKind, LogoSource, LogoVersion
from broker.lenders.logos.outcomes import (
    MAX_LENGTH,
    MAX_REPORTS,
    UNDO_TIME,
    last_undoable,
    logo_report,
    merged,
    not_sent,
    read_reports,
    told,
    write_reports,
)
from broker.lenders.logos.reports import NOTHING_TO_UNDO, LogoReport, LogoResult

AT = datetime(2026, 11, 21, 9, 2, tzinfo=UTC)
VERSION = LogoVersion(
    lender_id=42,
    source=LogoSource.STAFF,
    number=3,
    kind=LogoKind.PICTURE,
    picture="42-0a1b2c3d4e5f.png",
    who="ben",
    at=AT,
    file_name="new.png",
)


def report(
    result: LogoResult, *, newest: LogoVersion | None = VERSION, name: str = "a.png", lender_id: int = 42
) -> LogoReport:
    return logo_report(result, f"{name}: so.", lender_id=lender_id, file_name=name, newest=newest)


ADDED, RESTORED = report(LogoResult.ADDED), report(LogoResult.RESTORED, newest=replace(VERSION, number=4), name="")
REFUSED = report(LogoResult.REFUSED, newest=None, name="b.png", lender_id=0)


@pytest.mark.parametrize("result", list(LogoResult))
def test_report_can_be_undone_where_something_was_changed(result: LogoResult) -> None:
    found = report(result)
    assert found.what
    assert found.sentence == "a.png: so."
    assert (found.undo_to, found.number) == ((2, 3) if found.is_changed else (NOTHING_TO_UNDO, 3))


@pytest.mark.parametrize(
    ("newest", "now", "picture"),
    [
        (VERSION, "new.png, by ben, 21 Nov 2026, 09:02.", "/logos/42-0a1b2c3d4e5f.png"),
        (replace(VERSION, file_name=""), "a picture, by ben, 21 Nov", "/logos/42-0a1b2c3d4e5f.png"),
        (replace(VERSION, kind=LogoKind.HIDDEN, picture=""), "no logo, by ben, 21 Nov", ""),
        (replace(VERSION, kind=LogoKind.UNTOUCHED, picture=""), "what the feed has, by ben, 21 Nov", ""),
        (None, "what was there before staff changed anything.", ""),
    ],
)
def test_conflict_says_what_is_there_now(newest: LogoVersion | None, now: str, picture: str) -> None:
    found = report(LogoResult.CONFLICT, newest=newest)
    assert found.now.startswith(f"There now: {now}")
    assert found.picture == picture


def test_refused_files_come_first_and_earlier_reports_stay_with_their_undo() -> None:
    found = merged([ADDED], [report(LogoResult.SAME, name="c.png", lender_id=7), REFUSED])
    assert [one.file_name for one in found] == ["b.png", "c.png", "a.png"]
    assert found[2] == ADDED
    assert told(found) == "3 results: 1 stored, 1 the same as before, 1 not taken."
    assert (told([ADDED]), told([])) == ("1 result: 1 stored, 0 the same as before, 0 not taken.", "")
    assert len(merged([REFUSED] * MAX_REPORTS, [ADDED])) == MAX_REPORTS


def test_undone_file_can_be_done_again_and_stays_in_its_place() -> None:
    (file, other) = merged([ADDED, REFUSED], [RESTORED])
    assert (file.what, file.file_name, file.undo_to, file.number) == ("Put back", "a.png", 3, 4)
    assert other == REFUSED
    assert merged([ADDED], [replace(RESTORED, lender_id=7)]) == (replace(RESTORED, lender_id=7), ADDED)


def test_change_after_another_of_the_lender_alone_can_be_undone() -> None:
    later = report(LogoResult.REPLACED, newest=replace(VERSION, number=4), name="c.png")
    assert [one.undo_to for one in merged([ADDED], [later])] == [3, NOTHING_TO_UNDO]
    assert [one.undo_to for one in merged([ADDED], [report(LogoResult.CONFLICT)])] == [NOTHING_TO_UNDO, 2]


def test_key_undoes_the_newest_change_of_ten_minutes() -> None:
    assert last_undoable([REFUSED, ADDED], AT + UNDO_TIME) == ADDED
    assert last_undoable([REFUSED, ADDED], AT + UNDO_TIME + timedelta(seconds=1)) is None
    assert last_undoable([REFUSED], AT) is None


def test_reports_come_back_as_they_were_written() -> None:
    reports = (report(LogoResult.CONFLICT), ADDED, report(LogoResult.REFUSED, name="“é”.png"))
    assert read_reports(write_reports(reports)) == reports


KNOWN = json.loads(write_reports([ADDED]))[0]
BAD: tuple[dict[str, object], ...] = ({"lender_id": "42"}, {"number": True}, {"result": "x"}, {"at": "x"})


@pytest.mark.parametrize(
    "text",
    [
        *("", "no JSON", "[]", "7", "null", "{}", "[7]", "[{}]"),
        *(
            json.dumps([{**KNOWN, **bad}])
            for bad in ({"lender_id": "42"}, {"number": True}, {"result": "x"}, {"at": "x"})
        ),
        "[" * 100_000,
        write_reports([replace(ADDED, sentence="x" * MAX_LENGTH)]),
    ],
    ids=lambda text: text[:20],
)
def test_malformed_reports_are_refused(text: str) -> None:
    assert read_reports(text) == ()


@pytest.mark.parametrize("problem", ["nowhere", "several", "nothing", "lost", "refused", "unknown", "never heard of"])
def test_failed_upload_is_explained(problem: str) -> None:
    found = not_sent(problem, name="{text}.png", text="Too large.")
    assert (found.tone, found.undo_to) == ("bad", NOTHING_TO_UNDO)
    assert found.sentence.endswith(".")
    if problem == "refused":
        assert found.sentence == "{text}.png was not taken. Too large."
