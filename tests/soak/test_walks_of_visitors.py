"""Walks of visitors at 390 pixels with their mails: `.build/walks/visitors/NAME-scripts|plain/NN-step.png`.

Each page and mail fits its window, and each page with scripts has no barrier that axe finds.
"""

import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.clock import UK
from broker.enquiries.working_time import bank_holidays
from broker.lending.mortgage import interest_only_payment, monthly_payment
from broker.watches.watch import Tell, tell_field
from tests.integration.adviser_hours import add_adviser
from tests.soak.visitor_walk import (
    BALANCE,
    EMAIL,
    NAME,
    TELEPHONE,
    VisitorWalk,
    calendar_event,
    sequence,
    unsubscribing,
    visitor_walk,
)
from tests.standin import Standin
from tests.standin.soap import Soap
from tools.project import Project

STEP, STEPS = timedelta(days=14), 14
"""Time between two looks of the remortgager, and how many there are."""

DEAL_LEFT = timedelta(days=210)
"""Time to the end of the remortgager's deal: longer than any lender's window, and a month more than all looks."""

NEWS = {
    "saving": "You asked to hear of £500",
    "window": "your lender should let you book its next deal",
    "three-months": "Your deal ends within three months",
    "one-month": "Your deal ends within a month",
}
"""What the remortgager's mails say, in their order."""

FALL = 1.9
"""Percent by which the feed's rates fall for the landlord."""

REMINDER = "A reminder of your appointment"
DAY_BEFORE, HOURS_BEFORE = timedelta(hours=23, minutes=58), timedelta(hours=1, minutes=58)


def at(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time_of_day(hour, minute), tzinfo=UK)


def three_working_days(after: date) -> tuple[date, date, date]:
    """Return the first three days in a row that are no bank holidays, at least two days after a day."""
    days = tuple(after + timedelta(days=ahead) for ahead in (2, 3, 4))
    is_free = not any(day in bank_holidays(day.year) for day in days)
    return (days[0], days[1], days[2]) if is_free else three_working_days(after + timedelta(days=1))


def time_on(page: Page, day: date, words: str) -> Locator:
    """Return the label of a time, on a day that is opened."""
    times = page.locator("#call-times details").filter(has_text=f"{day:%A} {day.day} {day:%B}")
    if times.get_attribute("open") is None:
        times.locator("summary").click()
    return times.locator("label").filter(has_text=re.compile(f"^{words}$"))


def contractor(walk: VisitorWalk, _feed: Standin) -> None:
    """Book tomorrow 10:40, be reminded, move it, be reminded twice, cancel it, and hear nothing more."""
    page = walk.page
    add_adviser(walk.site.state_dir, "grace")
    today, tomorrow, later = three_working_days(walk.now.date())
    walk.move_clock(at(today, 9))
    walk.go(routes.CONTACT)
    walk.look("contact", page.get_by_role("heading", level=1).inner_text(), f"{tomorrow:%A} {tomorrow.day}")
    others = time_on(page, later, "4pm").locator("input").get_attribute("value") or ""
    time_on(page, tomorrow, "10:40am").click()
    page.get_by_label("I have read the privacy notice.").check()
    walk.fill(name=NAME, telephone=TELEPHONE, email=EMAIL, message="I am a contractor, paid by the day.")
    walk.stand("filled-in")
    walk.submit()
    walk.look("booked", "Thank you. Your time is booked.", "10:40am", f"{tomorrow:%A} {tomorrow.day}", "UK time")
    booked = walk.mail("booked", r"Your appointment, and your enquiry HG-\S+", "10:40am", "UK time")
    method, first = calendar_event(booked)
    assert (method, first.start, sequence(first)) == ("REQUEST", at(tomorrow, 10, 40), 0)
    walk.other_sends(when=others)

    walk.move_clock(at(tomorrow, 10, 40) - DAY_BEFORE)
    walk.mail("reminder-day-before", REMINDER, "10:40am", "UK time")
    walk.move_clock(at(tomorrow, 10, 40) - HOURS_BEFORE)
    reminder = walk.mail("reminder-hours-before", REMINDER, "10:40am", "UK time")
    walk.open(reminder, routes.YOUR_APPOINTMENT)
    walk.look("appointment", "Your appointment", "10:40am")
    time_on(page, later, "2pm").click()
    walk.stand("another-time")
    walk.press_button("Move it to this time")
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text("We have moved your appointment")
    walk.look("moved", "Your appointment", "2pm")
    moved = walk.mail("moved", "Your appointment has moved", "2pm", "UK time")
    method, second = calendar_event(moved)
    assert (method, second["UID"], second.start) == ("REQUEST", first["UID"], at(later, 14))
    assert sequence(second) > sequence(first)

    walk.move_clock(at(later, 14) - DAY_BEFORE)
    link = walk.open(walk.mail("reminder-of-the-moved", REMINDER, "2pm"), routes.YOUR_APPOINTMENT)
    walk.press_button("Cancel my appointment")
    expect(page.get_by_role("heading", name="Cancel this time?")).to_be_visible()
    walk.stand("ask-to-cancel")
    walk.press_button("Yes, cancel it")
    walk.look("cancelled", "Your appointment is cancelled")
    method, third = calendar_event(walk.mail("cancelled", "Your appointment is cancelled", "2pm"))
    assert (method, third["STATUS"], third["UID"]) == ("CANCEL", "CANCELLED", first["UID"])
    assert sequence(third) > sequence(second)
    walk.move_clock(at(later, 14) - HOURS_BEFORE)
    assert walk.mails_before(REMINDER) == []
    assert walk.mails_until_now() == []
    page.goto(link)
    walk.look("link-after", "Your appointment is cancelled")


def start_watch(walk: VisitorWalk) -> None:
    """Send the form of a watch that is filled in, and confirm it by its mail."""
    walk.fill(email=EMAIL)
    walk.look("watch-form", "Let us watch your mortgage")
    walk.submit()
    walk.look("look-in-your-mail", "Please open the email we sent")
    confirm = walk.mail("confirm", "Confirm your watch", "send nothing until you confirm")
    assert unsubscribing(confirm) == []
    walk.open(confirm, routes.MY_WATCH)
    walk.look("confirm", "Confirm your watch", "£191,919")
    walk.press_button("Yes, watch my mortgage")
    walk.look("watch-is-on", "Your watch is on", "£191,919")


def news_after(walk: VisitorWalk, gap: timedelta) -> list[Message]:
    """Return the visitor's mails of the check that is made once the clock is so much later."""
    walk.move_clock(walk.now + gap)
    walk.wait_for_check()
    return walk.mails_until_now()


def remortgager(walk: VisitorWalk, _feed: Standin) -> None:
    """Start a watch from the plan, be told of a saving, the window, three months and one month, and stop."""
    page, end = walk.page, (walk.now + DEAL_LEFT).date()
    walk.go(f"{routes.REMORTGAGE_PLAN}?{urlencode({'end': end.isoformat(), 'rate': '7.5'})}")
    page.locator(".own-figures summary").click()
    page.locator("[name=balance]").fill(BALANCE)
    walk.stand("plan")
    walk.press_button("Watch this for me")
    expect(page.locator(".watched")).to_contain_text("£191,919")
    page.locator(f"#enquiry-{tell_field(Tell.SAVING)}").check()
    page.locator("#enquiry-savingOver").fill("500")
    start_watch(walk)
    told = list[Message]()
    for _ in range(STEPS):
        for mail in news_after(walk, STEP):
            name, words = list(NEWS.items())[len(told)]
            walk.read_news(mail, name, words)
            told.append(mail)
    assert len(told) == len(NEWS)
    link = walk.open(told[-1], routes.MY_WATCH)
    walk.look("my-watch", "Your watch is on", "Sent on")
    walk.press_button("Stop and delete it")
    expect(page.get_by_role("heading", name="Stop it, and delete all of it?")).to_be_visible()
    walk.stand("ask-to-stop")
    walk.press_button("Yes, stop it")
    walk.look("stopped", "Your watch has stopped")
    assert walk.kept()["watches"] == []
    walk.move_clock(walk.now + timedelta(days=7))
    assert walk.mails_until_now() == []
    page.goto(link)
    walk.look("link-after", "There is no watch here")


def cheaper(call: str, answer: Any) -> Any:
    """Return the answer to a search with lower rates, and others as they are."""
    if call != "get_rates":
        return answer
    assert isinstance(answer, Soap)
    return replace(answer, rows=[_cheaper_row(row) for row in answer.rows])


def _cheaper_row(row: Mapping[str, Any]) -> dict[str, Any]:
    rate, loan, years = float(row["InitialRate"]) - FALL, float(row["LoanAmount"]), float(row["Term"])
    is_interest_only = row["RepaymentBasis"] == "INTEREST_ONLY"
    payment = interest_only_payment(loan, rate) if is_interest_only else monthly_payment(loan, rate, years)
    return {**row, "InitialRate": f"{rate:.4f}", "InitialMonthlyPayment": f"{payment:.2f}"}


def landlord(walk: VisitorWalk, feed: Standin) -> None:
    """Watch for a rate, hear nothing while rates stay or the feed fails, and once when they fall; stop by one click."""
    page, end = walk.page, (walk.now + timedelta(days=500)).date()
    walk.go(routes.START_WATCH)
    page.locator("#enquiry-home").select_option("let")
    page.locator("#enquiry-repay").select_option("interest-only")
    page.locator(f"#enquiry-{tell_field(Tell.RATE)}").check()
    figures = {"balance": BALANCE, "value": "320000", "term": "20", "rate": "5.1", "end": end.isoformat()}
    walk.fill(**figures, rateBelow="3.4")
    start_watch(walk)
    day = timedelta(days=1)
    for _ in range(2):
        assert news_after(walk, day) == []
    feed.switch("status-500")
    assert news_after(walk, day) == []
    feed.switch()
    feed.edit(cheaper)
    assert news_after(walk, day) == []  # a first reading may be wrong: the second one counts
    (mail,) = news_after(walk, day)
    walk.read_news(mail, "threshold", "at 3.40% or below")
    for gap in (day, 40 * day):
        assert news_after(walk, gap) == []
    walk.open(mail, routes.MY_WATCH)
    walk.look("my-watch", "Your watch is on", "£191,919")
    (address,) = unsubscribing(mail)
    with walk.site.client() as mailbox:
        assert mailbox.post(address, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    page.reload()
    walk.look("stopped", "There is no watch here")
    assert walk.kept()["watches"] == []
    walk.move_clock(walk.now + timedelta(days=7))
    assert walk.mails_until_now() == []


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
@pytest.mark.parametrize("go", [contractor, remortgager, landlord], ids=lambda each: each.__name__)
def test_walk_of_a_visitor_and_the_mails_that_come(
    site: Path,
    project: Project,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    go: Callable[[VisitorWalk, Standin], None],
    scripts: bool,
) -> None:
    del site
    began = time.monotonic()
    with visitor_walk(project, tmp_path, go.__name__, scripts=scripts) as (walk, feed):
        go(walk, feed)
    with capsys.disabled():
        sys.stdout.write(f"\n{go.__name__}, {'scripts' if scripts else 'plain'}: {time.monotonic() - began:.0f} s\n")
