from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from broker.lending.transfer_window import TransferWindow
from broker.plans.reminder import act_on, reminder

MAX_LINE = 75
"""Bytes of a line without its end (RFC 5545, 3.1)."""

NOW = datetime(2026, 11, 25, 9, 30, tzinfo=UTC)
ADDRESS = "https://www.example.co.uk/plan/remortgaging/?end=2027-10-31"


def read(text: str) -> list[tuple[str, str]]:
    """Return the properties of a calendar file in their order, its folded lines put together."""
    assert text.endswith("\r\n")
    lines = text[:-2].replace("\r\n ", "").split("\r\n")
    return [(name, value) for name, _, value in (line.partition(":") for line in lines)]


def test_file_has_one_event_of_a_whole_day_six_months_before() -> None:
    found = read(reminder(date(2027, 10, 31), now=NOW, address=ADDRESS, firm="Sample; Firm"))
    assert found[0] == ("BEGIN", "VCALENDAR")
    assert found[-1] == ("END", "VCALENDAR")
    assert dict(found[1:-1]) == {
        "VERSION": "2.0",
        "PRODID": "-//Sample\\; Firm//Remortgage plan//EN",
        "BEGIN": "VEVENT",
        "UID": "deal-ends-2027-10-31@www.example.co.uk",
        "DTSTAMP": "20261125T093000Z",
        "DTSTART;VALUE=DATE": "20270430",
        "DTEND;VALUE=DATE": "20270501",
        "SUMMARY": "Arrange your next mortgage deal",
        "DESCRIPTION": "Your mortgage deal ends on 31 October 2027. Most lenders let you arrange the next one from six "
        f"months before. Work out your plan: {ADDRESS}",
        "URL": ADDRESS,
        "TRANSP": "TRANSPARENT",
        "END": "VEVENT",
    }


@given(
    st.text(st.characters(blacklist_categories=("Cc", "Cs")), max_size=200),
    st.dates(date(2026, 1, 1), date(2099, 12, 31)),
)
def test_no_line_is_longer_than_a_calendar_reads(firm: str, end: date) -> None:
    text = reminder(end, now=NOW, address=ADDRESS, firm=firm)
    assert max(len(line.encode()) for line in text.split("\r\n")) <= MAX_LINE


def test_day_to_act_that_has_passed_is_today() -> None:
    assert act_on(date(2027, 3, 25), today=NOW.date()) == NOW.date()
    assert act_on(date(2027, 5, 26), today=NOW.date()) == date(2026, 11, 26)


def test_day_to_act_is_that_of_the_first_window_that_has_not_opened() -> None:
    assert act_on(date(2027, 5, 20), today=NOW.date()) == date(2027, 1, 20)
    early = TransferWindow(months=0, days=190)
    assert act_on(date(2027, 12, 31), today=NOW.date(), window=early) == date(2027, 6, 24)


def test_deal_that_is_over_ended_and_the_next_one_can_be_arranged_now() -> None:
    found = dict(read(reminder(date(2026, 6, 30), now=NOW, address=ADDRESS, firm="Firm")))
    assert found["DESCRIPTION"].startswith(
        "Your mortgage deal ended on 30 June 2026. You can arrange the next one now. Work out your plan: "
    )
