from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from broker.lenders.logos.list_view import FETCHING, FetchView, fetch_view, lender_line, ordered, tally, version_lines
from broker.lenders.logos.logo import LogoKind, LogoSource, LogoVersion
from broker.lenders.logos.reports import LenderRow

AT = datetime(2026, 7, 21, 9, 2, tzinfo=UTC)
PICTURES: dict[str, Any] = {"logo": "/logos/42-0a1b2c3d4e5f.png", "mark": "/art/lender-alder.svg", "file_name": "a.png"}
ROW = LenderRow(
    lender_id=42,
    name="Alder & Vale",
    slug="alder",
    residential=True,
    buy_to_let=True,
    in_feed=False,
    products=12,
    source=LogoSource.STAFF,
    is_hidden=False,
    number=3,
    who="ada",
    at=AT,
    **PICTURES,
)
BARE = replace(ROW, logo="", source=LogoSource.MONOGRAM, number=0, who="", at=None, file_name="")
VERSION = LogoVersion(
    lender_id=42, source=LogoSource.STAFF, number=2, kind=LogoKind.PICTURE, picture="p.png", who="ada", at=AT
)


def test_line_says_who_changed_a_logo_and_when() -> None:
    line = lender_line(ROW)
    assert (line.who, line.at, line.versions) == ("ada", "21 Jul 2026, 10:02", "3")
    assert (line.picture, line.has_logo, line.source, line.href) == (ROW.logo, True, "Staff", "/lenders/alder/")
    assert line.sought == "alder & vale"


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        (BARE, "picture", "/art/lender-alder.svg?0"),
        (replace(BARE, mark=""), "picture", ""),
        (BARE, "initials", "AV"),
        (BARE, "versions", "None"),
        (BARE, "who", "Nobody yet"),
        (replace(ROW, is_hidden=True), "source", "Removed by staff"),
        (replace(ROW, number=14), "versions", "14, the last 10 kept"),
        (ROW, "used", "Residential and buy to let"),
        (replace(ROW, residential=False), "used", "Buy to let"),
        (replace(ROW, residential=False, buy_to_let=False), "used", "Its own pages"),
        (replace(ROW, residential=False, buy_to_let=False, slug=""), "used", "No pages of its own"),
        (replace(ROW, slug=""), "href", ""),
        (replace(ROW, products=1), "deals", "1 deal"),
        (replace(ROW, products=None), "deals", "Not in the feed"),
        (replace(ROW, products=None, in_feed=True), "deals", "In the feed"),
    ],
)
def test_line_of_a_lender_has_words_for_each_case(row: LenderRow, field: str, words: str) -> None:
    assert getattr(lender_line(row), field) == words


@pytest.mark.parametrize(
    ("row", "state", "colour"),
    [
        (replace(ROW, width=64), "good, ours", "green"),
        (replace(ROW, width=63), "63 px wide: blurs", "orange"),
        (replace(ROW, source=LogoSource.FEED, width=100), "from the feed", "gray"),
        (BARE, "No logo", "red"),
        (replace(BARE, is_hidden=True), "Removed by staff", "red"),
    ],
)
def test_badge_says_where_a_logo_is_from_or_what_is_wrong_with_it(row: LenderRow, state: str, colour: str) -> None:
    line = lender_line(row)
    assert (line.state, line.colour, line.is_poor) == (state, colour, colour == "orange")


def test_lenders_without_a_logo_come_first_and_are_counted() -> None:
    lines = ordered(lender_line(row) for row in (ROW, BARE, replace(ROW, width=20), replace(BARE, lender_id=7)))
    assert [line.lender_id for line in lines if not line.has_logo] == [line.lender_id for line in lines[:2]] == [42, 7]
    assert tally(lines) == "4 lenders, 2 without a logo, 1 to look at"
    assert tally(lines[:1]).startswith("1 lender, ")


def test_versions_end_with_what_was_before_staff() -> None:
    versions = [
        replace(VERSION, number=4, kind=LogoKind.UNTOUCHED, picture=""),
        replace(VERSION, number=3, kind=LogoKind.HIDDEN, picture=""),
        replace(VERSION, file_name="a.png"),
        VERSION,
    ]
    lines = version_lines(versions, lambda name: f"/logos/{name}")
    words = ["As before staff", "No logo: the monogram", "a.png", "A picture put back", "Before staff"]
    assert [line.what for line in lines] == words
    assert [line.is_current for line in lines] == [True, False, False, False, False]
    assert (lines[2].picture, lines[-1].number) == ("/logos/p.png", 0)
    assert version_lines((), str) == ()


def test_fetch_has_its_flags_and_names_each_failure() -> None:
    fetch = partial(fetch_view, fetching=False, done=True, at=AT, sentence="", problem="")
    assert fetch(done=False, at=None) == FetchView()
    assert fetch(fetching=True, done=False, at=None) == FETCHING
    done = fetch(sentence="2 logos fetched.", failures=["Alder: damaged."], strangers=[901, 902])
    assert (done.done, done.failed, done.state, done.failures) == (True, False, "Done, with gaps", ("Alder: damaged.",))
    assert "901, 902" in done.strangers
    failed = fetch(sentence="None came.", problem="E42: away")
    assert (failed.failed, failed.state) == (True, "Failed")
    assert failed.sentence.startswith("None came. The first error was: E42: away.")
