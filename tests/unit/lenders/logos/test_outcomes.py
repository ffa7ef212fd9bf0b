import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.lenders.logos import outcomes
from broker.lenders.logos.logo import LogoKind, LogoSource, LogoVersion
from broker.lenders.logos.outcomes import NOTHING_TO_UNDO, Outcome, ZipOutcome, outcome, read_outcome, write_outcome
from broker.lenders.logos.reports import LogoReport, LogoResult, ZipReport

VERSION = LogoVersion(
    lender_id=42,
    source=LogoSource.STAFF,
    number=3,
    kind=LogoKind.PICTURE,
    picture="42-0a1b2c3d4e5f.png",
    who="ben",
    at=datetime(2026, 11, 21, 9, 2, tzinfo=UTC),
    file_name="new.png",
)


def address(name: str) -> str:
    return f"/logos/{name}"


def report(result: LogoResult, *, newest: LogoVersion | None = VERSION, name: str = "a.png") -> LogoReport:
    return LogoReport(result=result, sentence=f"{name}: so.", lender_id=42, file_name=name, newest=newest)


@pytest.mark.parametrize("result", list(LogoResult))
def test_outcome_can_be_undone_where_something_was_changed(result: LogoResult) -> None:
    found = outcome(report(result), address)
    assert found.what
    assert found.sentence == "a.png: so."
    assert (found.undo_to, found.number) == ((2, 3) if report(result).is_changed else (NOTHING_TO_UNDO, 3))


@pytest.mark.parametrize(
    ("newest", "now", "picture"),
    [
        (VERSION, "new.png, by ben, at 9:02am on Saturday 21 November 2026.", "/logos/42-0a1b2c3d4e5f.png"),
        (replace(VERSION, file_name=""), "a picture, by ben, at", "/logos/42-0a1b2c3d4e5f.png"),
        (replace(VERSION, kind=LogoKind.HIDDEN, picture=""), "no logo, by ben, at", ""),
        (replace(VERSION, kind=LogoKind.UNTOUCHED, picture=""), "what the feed has, by ben, at", ""),
        (None, "what was there before staff changed anything.", ""),
    ],
)
def test_conflict_says_what_is_there_now(newest: LogoVersion | None, now: str, picture: str) -> None:
    found = outcome(report(LogoResult.CONFLICT, newest=newest), address)
    assert found.now.startswith(f"There now: {now}")
    assert found.picture == picture


@pytest.mark.parametrize(
    ("results", "tone", "order"),
    [
        ((LogoResult.ADDED, LogoResult.SAME), "good", ["0.png", "1.png"]),
        ((LogoResult.ADDED, LogoResult.REFUSED, LogoResult.SAME), "warn", ["1.png", "0.png", "2.png"]),
        ((), "bad", []),
    ],
)
def test_zip_file_lists_refused_files_first(results: tuple[LogoResult, ...], tone: str, order: list[str]) -> None:
    reports = tuple(report(result, name=f"{place}.png") for place, result in enumerate(results))
    found = outcomes.zip_outcome(ZipReport(sentence="All of it.", files=reports), address)
    assert (found.tone, [file.file_name for file in found.files]) == (tone, order)


def test_undone_file_of_a_zip_can_be_done_again() -> None:
    before = outcomes.zip_outcome(ZipReport(sentence="Two.", files=(report(LogoResult.ADDED),)), address)
    undone = outcome(report(LogoResult.RESTORED, newest=replace(VERSION, number=4), name=""), address)
    (file,) = outcomes.updated_zip(before, undone).files
    assert (file.what, file.file_name, file.undo_to, file.number) == ("Put back", "a.png", 3, 4)
    assert outcomes.updated_zip(before, replace(undone, lender_id=7)) == before
    assert outcomes.updated_zip(before, outcome(report(LogoResult.CONFLICT), address)) == before


@pytest.mark.parametrize(
    "done",
    [
        outcome(report(LogoResult.CONFLICT), address),
        outcomes.zip_outcome(ZipReport(sentence="Two “files”.", files=(report(LogoResult.ADDED),) * 2), address),
        ZipOutcome(sentence="No zip file.", tone="bad"),
    ],
)
def test_outcome_comes_back_as_it_was_written(done: Outcome | ZipOutcome) -> None:
    assert read_outcome(write_outcome(done)) == done


@pytest.mark.parametrize(
    "text",
    [
        *("", "no JSON", "[]", "7", "null", "{}", '{"files": 7}', '{"files": [7]}', '{"files": []}'),
        json.dumps({**json.loads(write_outcome(Outcome())), "lender_id": "42"}),
        json.dumps({**json.loads(write_outcome(Outcome())), "number": True}),
        "[" * 100_000,
        write_outcome(Outcome(sentence="x" * outcomes.MAX_LENGTH)),
    ],
    ids=lambda text: text[:20],
)
def test_malformed_outcome_is_refused(text: str) -> None:
    assert read_outcome(text) is None


@pytest.mark.parametrize("problem", ["nowhere", "several", "nothing", "lost", "refused", "unknown", "never heard of"])
def test_failed_upload_is_explained(problem: str) -> None:
    found = outcomes.not_sent(problem, name="{text}.png", text="Too large.")
    assert found.tone == "bad"
    assert found.undo_to == NOTHING_TO_UNDO
    assert found.sentence.endswith(".")
    if problem == "refused":
        assert found.sentence == "{text}.png was not taken. Too large."
