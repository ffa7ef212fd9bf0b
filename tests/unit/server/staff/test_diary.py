"""The staff pages of the diary: views, hours, absences, changes of appointments, and the feed of a calendar."""

import asyncio
import html
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import html5lib
import pytest
from icalendar import Calendar as CalendarFile
from sqlalchemy import update
from sqlmodel import col

from broker.appointments.appointment import Medium, Slot
from broker.appointments.store import AppointmentStore
from broker.cases.case import ONLY_ADVICE, Stage
from broker.cases.change_store import EnquiryChangeStore
from broker.enquiries.store import EnquiryStore
from broker.mail.mail import MAIL_RETURNED, MailKind, NewMail
from broker.mail.outbox_store import MailCipher, OutboxStore, add_mail
from broker.storage.encryption import SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import EnquiryRow
from tests.databases.fixtures import KEY
from tests.unit.appointments.booking import mails
from tests.unit.server.staff_web import Browser, heading, staff_web
from tests.unit.staff.staff_testbed import OTHER
from tests.unit.storage.stores import edit, giving, new

DIARY, HOURS, ABSENCES, APPOINTMENT = (
    "/staff/diary/",
    "/staff/diary/hours/",
    "/staff/diary/absences/",
    "/staff/diary/appointment/",
)
BOOK, FEED = "/staff/diary/book/", "/staff/diary/feed/"
KEYS = SecretKeys((KEY,))
FORMS = [
    f"/staff/diary/{name}"
    for name in ("hours", "absences", "hand-over", "find", "book", "move", "cancel", "outcome", "feed")
]

WEEK = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), "9:00 to 12:00, 13:00 to 17:00")
NO_HOURS = ";" * 6
"""The stamp of a form that began without hours."""

SENTENCE = "Sorry, I am ill. Is this good for you?"


@pytest.fixture(autouse=True)
def signed_in(browser: Browser) -> None:
    browser.do(browser.testbed.accounts.add, "ben", OTHER)
    browser.sign_in()


def give_hours(browser: Browser, *names: str) -> None:
    for name in names or ("ada", "ben"):
        answer = browser.post("/staff/diary/hours", adviser=name, stamp=NO_HOURS, **WEEK)
        assert answer.status_code == 303, answer.text


def book(
    browser: Browser, hour: int = 10, *, email: str = "zoe@visitor.example", number: int = 1, days: int = 1
) -> int:
    """Book an appointment of 40 minutes at an hour of Wednesday 1 April in UK time, and return its number."""
    start = datetime(2026, 3, 31, hour - 1, tzinfo=UTC) + timedelta(days=days)
    base, now = new(number), browser.testbed.calendar()
    contact = replace(base.enquiry.contact, name="Zebedee Quillfeather", email=email)
    enquiry = replace(
        base,
        enquiry=replace(base.enquiry, contact=contact),
        created=now,
        delete_after=now + timedelta(days=99),
        slot=Slot(start=start, minutes=40, medium=Medium.VIDEO),
    )
    reference = browser.do(EnquiryStore(browser.testbed.database, KEYS).add, enquiry)
    found = browser.do(AppointmentStore(browser.testbed.database, KEYS).of_enquiry, reference)
    return found.id


def page(browser: Browser, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.headers
    html5lib.HTMLParser(strict=True).parse(answer.text)
    return html.unescape(answer.text)


def appointment(browser: Browser, number: int) -> str:
    return page(browser, f"{APPOINTMENT}?number={number}")


def slots(text: str) -> list[str]:
    return re.findall(r'name="slot" value="([^"]+)"', text)


def sequence(text: str) -> str:
    found = re.search(r'name="sequence" value="(\d+)"', text)
    assert found
    return found[1]


def errors(text: str) -> list[str]:
    return re.findall(r'<p class="err"[^>]*><i[^>]*></i>(.*?)</p>', html.unescape(text))


def last_mail(browser: Browser) -> tuple[MailKind, dict[str, str]]:
    kind, _, context = browser.do(mails, browser.testbed.database)[-1]
    return kind, context


def events(text: str) -> list[Any]:
    return CalendarFile.from_ical(text).walk("VEVENT")


def sentences(browser: Browser) -> list[str]:
    return browser.do(browser.testbed.audit_sentences)


def test_diary_without_advisers_leads_to_the_hours(browser: Browser) -> None:
    text = page(browser, DIARY)
    assert "Nobody has working hours yet" in text
    assert "/staff/diary/hours/?adviser=ada" in text


def test_week_and_day_show_appointments_free_hours_and_today(browser: Browser) -> None:
    give_hours(browser)
    number = book(browser)
    week = page(browser, DIARY)
    assert heading(week) == "Diary"
    for words in ("30 March to 3 April 2026", "Zebedee Quillfeather", "40 min, video, HG-", "Free until 10:00"):
        assert words in week, words
    assert re.search(r'<th scope="col" class="today" aria-current="date"><a href="[^"]*">Tue 31</a>', week)
    assert f"{APPOINTMENT}?number={number}" in week
    assert re.search(r'href="/staff/enquiry/\?reference=HG-', week)
    assert "Good Friday" not in week
    assert "Bank holiday" in week  # Good Friday, 3 April
    everybody = page(browser, f"{DIARY}?day=2026-04-01")
    assert [words in everybody for words in ("Wednesday 1 April 2026", ">ada</a>", ">ben</a>", "1 booked")] == [
        True
    ] * 4
    one = page(browser, f"{DIARY}?day=2026-04-01&adviser=ben")
    assert "Zebedee" not in one


@pytest.mark.parametrize(
    "query", ["week=soon", "day=", "week=9999-12-31", "day=0001-01-01", "week=2026-02-30&day=x", "adviser=ada&week=1"]
)
def test_nonsense_in_the_address_of_the_diary_shows_today(browser: Browser, query: str) -> None:
    give_hours(browser)
    assert "31" in page(browser, f"{DIARY}?{query}")


@pytest.mark.parametrize("path", [f"{DIARY}?adviser=zoe", f"{HOURS}?adviser=zoe", f"{ABSENCES}?adviser=%22"])
def test_unknown_adviser_is_a_page_with_the_way_back(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, "There is no such adviser" in answer.text) == (404, True)


@pytest.mark.parametrize("number", ["", "x", "0", "99", "9" * 40, "-1"])
def test_unknown_appointment_is_a_page_with_the_way_back(browser: Browser, number: str) -> None:
    for answer in (
        browser.get(f"{APPOINTMENT}?number={number}"),
        *(browser.post(f"/staff/diary/{form}", number=number) for form in ("move", "cancel", "outcome")),
    ):
        assert (answer.status_code, "There is no such appointment" in answer.text) == (404, True)


def test_hours_are_stored_shown_and_recorded(browser: Browser) -> None:
    give_hours(browser, "ben")
    text = page(browser, f"{HOURS}?adviser=ben&done")
    assert "The hours are saved" in text
    assert text.count('value="09:00 to 12:00, 13:00 to 17:00"') == 5
    assert sentences(browser)[-1] == "ada changed the hours of ben"


def test_nonsense_in_hours_keeps_what_was_typed(browser: Browser) -> None:
    answer = browser.post("/staff/diary/hours", adviser="ada", stamp=NO_HOURS, monday='9 to "5"', tuesday="9 to 17")
    assert answer.status_code == 422
    assert errors(answer.text) == [
        "Write it like 9:00 to 12:30, 13:30 to 17:00, the earlier time first; or leave it empty"
    ]
    assert 'href="#monday"' in answer.text
    assert ('value="9 to &#34;5&#34;"' in answer.text, 'value="9 to 17"' in answer.text) == (True, True)
    assert "Nobody has working hours yet" in page(browser, DIARY)


def test_second_to_change_hours_is_told_and_loses_nothing(browser: Browser) -> None:
    give_hours(browser, "ada")
    answer = browser.post("/staff/diary/hours", adviser="ada", stamp=NO_HOURS, monday="10:00 to 11:00")
    assert (answer.status_code, "Somebody else has changed these hours meanwhile" in answer.text) == (422, True)
    assert 'value="10:00 to 11:00"' in answer.text
    assert "Held now: 09:00 to 12:00, 13:00 to 17:00" in answer.text
    stamp = re.search(r'name="stamp" value="([^"]*)"', answer.text)
    assert stamp
    assert browser.post("/staff/diary/hours", adviser="ada", stamp=stamp[1], monday="10 to 11").status_code == 303


def test_absence_passes_on_what_colleagues_can_take_and_lists_the_rest(browser: Browser) -> None:
    give_hours(browser)
    first, second = book(browser, number=1), book(browser, number=2)
    assert first != second
    third = book(browser, 14, number=3)
    answer = browser.post("/staff/diary/absences", adviser="ada", **{"from": "2026-04-01", "to": "2026-04-01"})
    assert answer.status_code == 303
    text = page(browser, answer.headers["location"])
    assert "1 appointment is passed on to colleagues who are free then; 1 left to move or cancel." in text
    assert f"{APPOINTMENT}?number={first}" in text
    assert f"{APPOINTMENT}?number={third}" not in text
    assert "Adviser away" in page(browser, f"{DIARY}?adviser=ada")
    assert "ada: 1" in page(browser, f"{DIARY}?adviser=ben")
    assert any("added an absence of ada" in each for each in sentences(browser))


def test_one_press_offers_what_is_left_again(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser)
    answer = browser.post("/staff/diary/absences", adviser="ada", **{"from": "2026-04-01", "to": "2026-04-01"})
    assert answer.headers["location"].endswith("taken=0&left=1")
    give_hours(browser, "ben")
    answer = browser.post("/staff/diary/hand-over", adviser="ada")
    assert answer.headers["location"].endswith("done=handed&taken=1&left=0")
    assert "<dd>ben</dd>" in appointment(browser, number)


def test_appointments_of_a_disabled_account_are_handed_over(browser: Browser) -> None:
    give_hours(browser, "ben")
    number = book(browser)
    browser.do(browser.testbed.disable, "ben")
    assert "ben: 1" in page(browser, f"{DIARY}?adviser=ben")
    assert "This account is disabled" in page(browser, f"{ABSENCES}?adviser=ben")
    give_hours(browser, "ada")
    assert browser.post("/staff/diary/hand-over", adviser="ben").headers["location"].endswith("taken=1&left=0")
    assert "<dd>ada</dd>" in appointment(browser, number)


def test_absence_is_removed_once(browser: Browser) -> None:
    given = {"from": "2026-04-01", "from-time": "13:20", "to": "2026-04-01", "to-time": "17:00"}
    browser.post("/staff/diary/absences", adviser="ada", **given)
    text = page(browser, f"{ABSENCES}?adviser=ada")
    assert "Tomorrow, 13:20 to 17:00" in text
    number = re.search(r'name="remove" value="(\d+)"', text)
    assert number
    assert browser.post("/staff/diary/absences", adviser="ada", remove=number[1]).status_code == 303
    again = browser.post("/staff/diary/absences", adviser="ada", remove=number[1])
    assert (again.status_code, "This absence is removed already" in again.text) == (422, True)


def test_nonsense_in_an_absence_keeps_what_was_typed(browser: Browser) -> None:
    given = {"from": "soon", "from-time": "noon", "to": "2026-04-01", "to-time": ""}
    answer = browser.post("/staff/diary/absences", adviser="ada", **given)
    assert answer.status_code == 422
    assert errors(answer.text) == [
        "Enter a day, like 27/11/2026",
        "Enter a time like 13:20, or leave it empty for the whole day",
    ]
    for value in ("soon", "noon", "2026-04-01"):
        assert f'value="{value}"' in answer.text


def test_appointment_is_moved_with_a_sentence_to_the_visitor(browser: Browser) -> None:
    give_hours(browser)
    number = book(browser)
    text = appointment(browser, number)
    slot = slots(text)[0]
    answer = browser.post(
        "/staff/diary/move",
        number=str(number),
        sequence=sequence(text),
        slot=slot,
        sentence=SENTENCE,
        **{"with": "ada"},
    )
    assert answer.status_code == 303
    moved = page(browser, answer.headers["location"])
    assert "It is moved" in moved
    assert "The visitor is told by email." in moved
    kind, context = last_mail(browser)
    assert (kind, context["sentence"], context["slot"]) == (MailKind.APPOINTMENT_MOVED, SENTENCE, slot)
    assert re.fullmatch("ada moved the appointment of enquiry HG-.*", sentences(browser)[-1])


def test_appointment_is_passed_on_to_a_colleague_at_the_same_time_without_mail(browser: Browser) -> None:
    give_hours(browser)
    number = book(browser)
    before = len(browser.do(mails, browser.testbed.database))
    text = page(browser, f"{APPOINTMENT}?number={number}&with=ben")
    same = "20260401T0900Z-40-video"
    assert same in slots(text)
    given = {"number": str(number), "sequence": sequence(text), "slot": same, "with": "ben"}
    answer = browser.post("/staff/diary/move", **given)
    assert "It is passed on, and the time stays" in page(browser, answer.headers["location"])
    assert len(browser.do(mails, browser.testbed.database)) == before
    assert "<dd>ben</dd>" in appointment(browser, number)


def test_slot_that_was_taken_meanwhile_is_said_and_the_sentence_stays(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser, 10)
    text = appointment(browser, number)
    book(browser, 15, number=2)
    given = {"number": str(number), "sequence": sequence(text), "slot": "20260401T1400Z-40-video", "sentence": SENTENCE}
    answer = browser.post("/staff/diary/move", **given)
    assert answer.status_code == 422
    assert "The adviser has another appointment at this time" in answer.text
    assert SENTENCE in answer.text
    assert "20260401T1400Z-40-video" not in slots(answer.text)


@pytest.mark.parametrize("slot", ["", "tomorrow", "20260401T0800Z-60-video", "20260331T0800Z-40-video"])
def test_nonsense_as_a_slot_is_said_and_nothing_is_lost(browser: Browser, slot: str) -> None:
    give_hours(browser, "ada")
    number = book(browser)
    given = {"number": str(number), "sequence": "0", "slot": slot, "sentence": SENTENCE}
    answer = browser.post("/staff/diary/move", **given)
    assert (answer.status_code, SENTENCE in answer.text) == (422, True)
    assert "Choose one of the free times" in answer.text or "Choose a time to come" in answer.text
    assert "Tomorrow, 10:00 to 10:40" in appointment(browser, number)


def test_second_to_change_an_appointment_is_told_by_whom_and_what_is_now(browser: Browser) -> None:
    give_hours(browser)
    number = book(browser)
    text = appointment(browser, number)
    given = {"number": str(number), "sequence": sequence(text), "with": "ada"}
    browser.post("/staff/diary/move", **given, slot=slots(text)[0])
    late = browser.post("/staff/diary/cancel", **given, sentence=SENTENCE, sure="yes")
    assert late.status_code == 422
    assert "Somebody else changed this appointment first, so nothing was done" in late.text
    assert "You changed it today at 13:00. Booked: " in late.text
    assert SENTENCE in late.text
    again = browser.post(
        "/staff/diary/cancel", **{**given, "sequence": sequence(late.text)}, sentence=SENTENCE, sure="yes"
    )
    assert again.status_code == 303


def test_appointment_is_cancelled_with_a_sentence(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser)
    text = appointment(browser, number)
    assert "A sentence to the visitor (optional)" in text
    assert "A sentence to the visitor (needed)" in text
    assert "A mail goes out at once. It cannot be undone." in text
    needed = re.findall('<textarea[^>]* id="([a-z-]+)"[^>]* aria-required="true"', text)
    assert needed == ["cancel-sentence"]
    assert ('href="#cancel"' in text, text.count('id="cancel"')) == (True, 1)  # below every free time, on a phone
    given = {"number": str(number), "sequence": "0"}
    empty = browser.post("/staff/diary/cancel", **given, sentence=" ", sure="yes")
    assert (empty.status_code, errors(empty.text)) == (422, ["Write a sentence to the visitor"])
    long = browser.post("/staff/diary/cancel", **given, sentence="x" * 301, sure="yes")
    assert (errors(long.text), "x" * 301 in long.text) == (["Use 300 characters or fewer"], True)
    asked = browser.post("/staff/diary/cancel", **given, sentence=SENTENCE)
    assert (asked.status_code, errors(asked.text)) == (422, ["Tick that you mean to cancel it"])
    assert re.findall('<div[^>]* role="alert" tabindex="-1" autofocus>', asked.text) != []  # the focus is there
    assert SENTENCE in asked.text
    assert "Tomorrow, 10:00 to 10:40" in appointment(browser, number)
    answer = browser.post("/staff/diary/cancel", **given, sentence=SENTENCE, sure="yes")
    text = page(browser, answer.headers["location"])
    assert "It is cancelled" in text
    assert "Move it" not in text
    kind, context = last_mail(browser)
    assert (kind, context["sentence"]) == (MailKind.APPOINTMENT_CANCELLED, SENTENCE)
    assert "Cancelled" in page(browser, DIARY)


def test_visitor_without_an_address_is_to_be_telephoned(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser, email="")
    text = appointment(browser, number)
    assert "None given: please tell changes by telephone" in text
    assert "Nobody is told, as there is no address" in text
    asked = browser.post("/staff/diary/cancel", number=str(number), sequence="0")
    assert errors(asked.text) == ["Tick that you mean to cancel it"]
    answer = browser.post("/staff/diary/cancel", number=str(number), sequence="0", sure="yes")
    assert "Please tell the visitor by telephone." in page(browser, answer.headers["location"])


def come_back(browser: Browser, address: str) -> None:
    """Have a mail to an address come back."""
    now = browser.testbed.calendar()
    mail = NewMail(kind=MailKind.CASE_REPLY, created=now, recipient=address)

    async def returned() -> None:
        database = browser.testbed.database
        key = await database.write(lambda one: add_mail(one, MailCipher(KEYS), mail))
        await OutboxStore(database, KEYS, "one").record_return(key, is_complaint=False, at=now)

    browser.do(returned)


@pytest.mark.parametrize("act", ["move", "cancel"])
def test_mail_to_an_address_that_it_comes_back_from_is_not_promised(browser: Browser, act: str) -> None:
    give_hours(browser, "ada")
    number = book(browser)
    come_back(browser, "zoe@visitor.example")
    text = appointment(browser, number)
    assert "Given. Mail to this address comes back, so we send none. Please tell changes by telephone" in text
    assert f"{MAIL_RETURNED} Please tell them by telephone." in text
    assert [words in text for words in ("and tell the visitor", "goes out at once", "A sentence to")] == [False] * 3
    given = {"number": str(number), "sequence": "0", "sure": "yes", "slot": slots(text)[0]}
    answer = browser.post(f"/staff/diary/{act}", **given)
    text = page(browser, answer.headers["location"])
    assert f"{MAIL_RETURNED} Please tell the visitor by telephone." in text
    assert "told by email" not in text


def test_booking_promises_no_mail_to_an_address_that_it_comes_back_from(browser: Browser) -> None:
    give_hours(browser, "ada")
    reference = ask(browser, email="zoe@visitor.example")
    come_back(browser, "zoe@visitor.example")
    text = page(browser, f"{BOOK}?reference={reference}")
    assert f"Given. {MAIL_RETURNED} Please tell the time yourself" in text
    assert "and tell the visitor" not in text
    answer = browser.post("/staff/diary/book", reference=reference, slot=slots(text)[0])
    assert f"{MAIL_RETURNED} Please tell the visitor by telephone." in page(browser, answer.headers["location"])


def test_mail_that_waits_for_a_server_is_not_promised(tmp_path: Path) -> None:
    with staff_web(tmp_path / "silent", smtp_url="") as silent:
        silent.sign_in()
        give_hours(silent, "ada")
        number = book(silent)
        waits = "The mail to the visitor waits: no mail server is set up. Please tell "
        text = appointment(silent, number)
        assert (waits in text, "and tell the visitor" in text, "goes out at once" in text) == (True, False, False)
        given = {"number": str(number), "sequence": "0", "sentence": SENTENCE, "sure": "yes"}
        answer = silent.post("/staff/diary/cancel", **given)
        text = page(silent, answer.headers["location"])
        assert (f"{waits}the visitor by telephone." in text, "told by email" in text) == (True, False)


def test_outcome_is_recorded_once_the_time_has_come(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser, 15)
    given = {"number": str(number), "sequence": "0"}
    early = browser.post("/staff/diary/outcome", **given, outcome="held")
    assert (early.status_code, "This appointment has not begun yet" in early.text) == (422, True)
    browser.testbed.calendar.forward(hours=27)
    browser.sign_in()
    for outcome in ("", "cancelled", "late"):
        assert browser.post("/staff/diary/outcome", **given, outcome=outcome).status_code == 422
    answer = browser.post("/staff/diary/outcome", **given, outcome="missed")
    assert "Recorded: the visitor did not come" in page(browser, answer.headers["location"])
    assert "Did not come" in page(browser, DIARY)
    assert "recorded the outcome" in sentences(browser)[-1]


def test_feed_is_shown_once_readable_without_a_session_and_ends(browser: Browser) -> None:
    give_hours(browser, "ada")
    book(browser)
    shown = browser.post("/staff/diary/feed", act="make").text
    html5lib.HTMLParser(strict=True).parse(shown)
    address = re.search(rf'value="(http://[^"]+{FEED}[\w-]+\.ics)"', shown)
    assert address
    assert address[1] not in page(browser, FEED)
    cookies = dict(browser.client.cookies)
    browser.client.cookies.clear()
    answer = browser.get(address[1])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert answer.headers["cache-control"] == "no-store"
    assert ("REFRESH-INTERVAL" in answer.text, "X-PUBLISHED-TTL" in answer.text) == (True, True)
    (event,) = events(answer.text)
    assert event["dtstart"].dt == datetime(2026, 4, 1, 9, tzinfo=UTC)
    assert ("Zebedee" in answer.text, "HG-" in event["summary"]) == (False, True)
    browser.client.cookies.update(cookies)
    assert browser.post("/staff/diary/feed", act="end").headers["location"] == f"{FEED}?done=ended"
    assert browser.get(address[1]).status_code == 404
    assert [each.split("ada ")[1] for each in sentences(browser)[-2:]] == [
        "made a calendar feed for ada",
        "ended the calendar feed of ada",
    ]


def test_new_feed_ends_the_one_before_and_keeps_cancelled_events(browser: Browser) -> None:
    give_hours(browser, "ada")
    number = book(browser)
    old, fresh = (
        re.findall(rf"{FEED}[\w-]+\.ics", browser.post("/staff/diary/feed", act="make").text)[0] for _ in range(2)
    )
    browser.post("/staff/diary/cancel", number=str(number), sequence="0", sentence=SENTENCE, sure="yes")
    assert browser.get(old).status_code == 404
    (event,) = events(browser.get(fresh).text)
    assert event["status"] == "CANCELLED"


@pytest.mark.parametrize("name", ["x.ics", "x" * 43 + ".ics", "x" * 500 + ".ics", "a/b.ics", "%00.ics"])
def test_forged_feed_is_not_found_and_asks_for_no_session(browser: Browser, name: str) -> None:
    browser.client.cookies.clear()
    assert browser.get(f"{FEED}{name}").status_code == 404


def test_feed_of_a_disabled_account_ends(browser: Browser) -> None:
    browser.do(browser.testbed.accounts.enable, "ada")
    address = re.findall(rf"{FEED}[\w-]+\.ics", browser.post("/staff/diary/feed", act="make").text)[0]
    assert browser.get(address).status_code == 200
    browser.do(browser.testbed.disable, "ada")
    assert browser.get(address).status_code == 404


def ask(browser: Browser, *, email: str = "zoe@visitor.example", number: int = 1) -> str:
    """Add an enquiry without an appointment, and return its reference."""
    base, now = new(number), browser.testbed.calendar()
    contact = replace(base.enquiry.contact, name="Zebedee Quillfeather", email=email)
    enquiry = replace(
        base, enquiry=replace(base.enquiry, contact=contact), created=now, delete_after=now + timedelta(days=99)
    )
    return browser.do(EnquiryStore(browser.testbed.database, KEYS).add, enquiry)


def test_free_time_is_booked_for_a_case_once(browser: Browser) -> None:
    give_hours(browser)
    reference = ask(browser)
    address = f"{BOOK}?reference={reference}"
    text = page(browser, address)
    assert ("Zebedee Quillfeather" in text, reference in text, ">Anybody</a>" in text) == (True, True, True)
    assert set(re.findall(r'class="time-choice"><input[^>]*>([0-9]+)(:|[ap]m)', text)) >= {("09", ":"), ("14", ":")}
    assert slots(page(browser, f"{address}&minutes=40&by=video&with=ben"))[0].endswith("-40-video")
    given = {"reference": reference, "with": "ben", "slot": slots(text)[3]}
    answer = browser.post("/staff/diary/book", **given)
    assert answer.status_code == 303, answer.text
    assert browser.post("/staff/diary/book", **given).headers["location"] == answer.headers["location"]
    made = page(browser, answer.headers["location"])
    for words in ("It is booked", "The visitor is told by email.", "<dd>ben</dd>"):
        assert words in made
    kind, context = last_mail(browser)
    assert (kind, context["slot"]) == (MailKind.APPOINTMENT_BOOKED, given["slot"])
    assert re.fullmatch("ada booked an appointment for enquiry HG-.*", sentences(browser)[-1])
    assert "Open the appointment" in page(browser, address)
    other = browser.post("/staff/diary/book", **{**given, "slot": slots(text)[8]})
    assert (other.status_code, "has an appointment already" in other.text) == (422, True)


def test_times_are_first_those_of_the_cases_adviser_if_there_are_any(browser: Browser) -> None:
    browser.do(browser.testbed.accounts.add, "grace", OTHER)
    give_hours(browser, "grace", "ben")
    references = [ask(browser, number=number) for number in (1, 2)]
    changes = EnquiryChangeStore(browser.testbed.database, KEYS)
    for reference, name in zip(references, ("ben", "ada"), strict=True):
        browser.do(changes.change, edit(reference), giving(name))

    def listed(reference: str, query: str = "") -> str:
        text = page(browser, f"{BOOK}?reference={reference}{query}")
        assert slots(text) != []
        return re.findall("Free times of (all advisers|[a-z]+)", text)[0]

    # ada has no hours
    assert [listed(reference) for reference in references] == ["ben", "all advisers"]
    assert [listed(references[0], f"&with={name}") for name in ("", "grace")] == ["all advisers", "grace"]
    browser.post("/staff/diary/absences", adviser="ben", **{"from": "2026-03-31", "to": "2026-06-30"})
    assert listed(references[0]) == "all advisers"


def test_appointment_is_booked_from_the_diary_for_a_case_that_is_looked_for(browser: Browser) -> None:
    give_hours(browser)
    base, now = new(7), browser.testbed.calendar()
    contact = replace(base.enquiry.contact, name="Zoë <Quillfeather>")
    enquiry = replace(base.enquiry, contact=contact)
    case = replace(base, enquiry=enquiry, created=now, delete_after=now + timedelta(days=99))
    reference = browser.do(EnquiryStore(browser.testbed.database, KEYS).add, case)
    found = re.search(r'<a class="btn" href="([^"]+)">', page(browser, f"{DIARY}?day=2026-04-02&adviser=ben"))
    assert found
    assert found[1] == f"{BOOK}?with=ben&day=2026-04-02"
    assert heading(page(browser, found[1])) == "Book an appointment"
    begun = {"with": "ben", "day": "2026-04-02"}
    answer = browser.post("/staff/diary/find", find="zoe quill", **begun)
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert ("1 found" in answer.text, "Zoë &lt;Quillfeather&gt;" in answer.text) == (True, True)
    to = f"{BOOK}?reference={reference}&with=ben&from=2026-04-02&day=2026-04-02"
    assert to in html.unescape(answer.text)
    booking = page(browser, to)
    assert min(slots(booking))[:8] == "20260402"
    assert ("Free times of ben" in booking, 'value="2026-04-02"' in booking) == (True, True)
    assert "&from=2026-04-02&day=2026-04-02#" in booking


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [("", 422, "Enter a name"), (" ", 422, "Enter a name"), ('<b>"', 200, "No open case has this")],
)
def test_case_that_is_not_found_keeps_the_words_and_leads_to_a_caller(
    browser: Browser, words: str, status: int, said: str
) -> None:
    answer = browser.post("/staff/diary/find", find=words, day="soon", **{"with": "zoe"})
    html5lib.HTMLParser(strict=True).parse(answer.text)
    text = html.unescape(answer.text)
    assert (answer.status_code, said in text, f'value="{words}"' in text) == (status, True, True)
    assert 'href="/staff/?caller=1"' in text


def test_past_day_of_the_diary_books_from_today(browser: Browser) -> None:
    give_hours(browser)
    for query in ("week=2026-03-02", "day=2026-03-02", "week=2026-03-30"):
        assert "&day=2026-03-31" in page(browser, f"{DIARY}?{query}&adviser=ada"), query


def test_time_that_is_taken_meanwhile_is_said_with_the_next_ones_and_what_was_typed(browser: Browser) -> None:
    give_hours(browser, "ada")
    book(browser)
    given = {"reference": ask(browser, number=2), "with": "ada", "minutes": "40", "by": "video"}
    for when in ({"day": "2026-04-01", "time": "10:20"}, {"slot": "20260401T0900Z-40-video"}):
        answer = browser.post("/staff/diary/book", **given, **when)
        html5lib.HTMLParser(strict=True).parse(answer.text)
        assert (answer.status_code, "This time has just gone" in answer.text) == (422, True)
        # 10:00 to 10:40 in UK time, and ten minutes
        assert slots(answer.text)[0] == "20260401T1000Z-40-video"
        if "day" in when:
            assert all(f'value="{value}"' in answer.text for value in when.values())


def test_time_by_hand_may_be_outside_hours_and_warns_of_an_absence(browser: Browser) -> None:
    give_hours(browser, "ada")
    browser.post("/staff/diary/absences", adviser="ada", **{"from": "2026-04-01", "to": "2026-04-01"})
    given = {"reference": ask(browser), "with": "ada", "minutes": "20", "by": "telephone", "time": "19:05"}
    answer = browser.post("/staff/diary/book", **given, day="2026-04-01")
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert (answer.status_code, "ada is away then" in answer.text) == (422, True)
    found = re.search(r'name="sure" value="([^"]+)"', answer.text)
    assert found
    # another time is asked about anew
    again = browser.post("/staff/diary/book", **{**given, "time": "19:10"}, day="2026-04-01", sure=found[1])
    assert again.status_code == 422
    done = browser.post("/staff/diary/book", **given, day="2026-04-01", sure=found[1])
    assert done.status_code == 303
    assert "19:05 to 19:25" in page(browser, done.headers["location"])


def test_visitor_without_an_address_is_booked_by_telephone_alone(browser: Browser) -> None:
    give_hours(browser, "ada")
    reference = ask(browser, email="")
    text = page(browser, f"{BOOK}?reference={reference}&by=video")
    assert slots(text)[0].endswith("-20-telephone")
    video = browser.post("/staff/diary/book", reference=reference, slot="20260401T0900Z-20-video")
    assert errors(video.text) == ["A video call needs an email address, for its link. Book it by telephone"]
    answer = browser.post("/staff/diary/book", reference=reference, slot="20260401T0900Z-20-telephone")
    assert "Please tell the visitor by telephone." in page(browser, answer.headers["location"])


def test_case_of_which_only_advice_is_kept_is_not_booked(browser: Browser) -> None:
    give_hours(browser, "ada")
    reference = ask(browser)
    advised = update(EnquiryRow).where(col(EnquiryRow.reference) == reference).values(stage=Stage.OFFER.value)
    browser.do(browser.testbed.database.write, lambda connection: connection.execute(advised))
    browser.do(partial(EnquiryStore(browser.testbed.database, KEYS).delete, at=browser.testbed.calendar()), reference)
    shown = browser.get(f"{BOOK}?reference={reference}")
    sent = browser.post("/staff/diary/book", reference=reference, slot="20260401T0900Z-20-telephone")
    for answer in (shown, sent):
        text = html.unescape(answer.text)
        assert (answer.status_code, slots(text), 'name="day"' in text) == (409, [], False)
        assert ONLY_ADVICE in text


def test_nonsense_in_a_booking_is_said_by_field(browser: Browser) -> None:
    give_hours(browser, "ada")
    reference = ask(browser)
    answer = browser.post("/staff/diary/book", reference=reference, slot="soon")
    assert (answer.status_code, errors(answer.text)) == (422, ["Choose one of the free times"])
    given = {"with": "zoe", "day": "soon", "time": "10:03", "minutes": "3", "by": "post"}
    answer = browser.post("/staff/diary/book", reference=reference, **given)
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert errors(answer.text) == [
        "Choose an adviser",
        "Enter a day, like 27/11/2026",
        "Enter a time in steps of five minutes, like 13:20",
        "Choose how long it is",
        "Choose telephone or video",
    ]
    for unknown in ("", "HG-0000-0000"):
        assert browser.get(f"{BOOK}?reference={unknown}").status_code == 404
        assert browser.post("/staff/diary/book", reference=unknown).status_code == 404


@pytest.mark.parametrize("path", [DIARY, HOURS, ABSENCES, APPOINTMENT, BOOK, FEED])
def test_pages_need_a_session(browser: Browser, path: str) -> None:
    browser.client.cookies.clear()
    answer = browser.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/staff/sign-in/?to={path}")


@pytest.mark.parametrize("form", FORMS)
def test_forms_need_a_session_and_this_site(browser: Browser, form: str) -> None:
    assert browser.post(form, origin="https://evil.example").status_code == 403
    browser.client.cookies.clear()
    assert browser.post(form).status_code == 403


def test_database_that_is_away_keeps_what_was_typed(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object, **__: object) -> None:
        await asyncio.sleep(0)
        raise StorageError("away")

    monkeypatch.setattr(AppointmentStore, "get", away)
    answer = browser.post("/staff/diary/cancel", number="1", sequence="0", sentence=SENTENCE, sure="yes")
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert (answer.status_code, answer.text.count(SENTENCE)) == (503, 2)
    assert 'action="/staff/diary/cancel"' in answer.text
