from dataclasses import replace
from datetime import date, timedelta

import pytest

from broker.duties.complaint import (
    Complainant,
    Complaint,
    ComplaintOutcome,
    ComplaintState,
    Ending,
    HalfYear,
    Letter,
    LetterKind,
    NewComplaint,
    RootCause,
    Subject,
    complaint_label,
    half_year,
    half_year_counts,
    kept_until,
    parse_complaint,
    parse_ending,
    parse_letter,
)
from broker.enquiries.contact_details import Problem

RECEIVED, TODAY = date(2026, 11, 25), date(2026, 11, 26)
FORM = {
    "name": "A. Example",
    "telephone": "07700 900123",
    "email": "a@example.com",
    "subject": "service",
    "cause": "delay",
    "received": "2026-11-25",
    "about": "Valuation booked late",
}


def complaint(
    received: date = RECEIVED,
    subject: Subject = Subject.SERVICE,
    *letters: tuple[LetterKind, date],
    closed: date | None = None,
    cause: RootCause = RootCause.DELAY,
) -> Complaint:
    person = Complainant(name="A. Example")
    return Complaint(
        number=1,
        version=1,
        record=NewComplaint(subject=subject, cause=cause, received=received, person=person, about="Late"),
        keep_until=kept_until(received, 3),
        letters=tuple(Letter(kind=kind, sent=sent, who="ada") for kind, sent in letters),
        ending=Ending(outcome=ComplaintOutcome.UPHELD, closed=closed) if closed else None,
    )


@pytest.mark.parametrize(
    ("received", "ends"),
    [
        pytest.param(date(2026, 11, 25), date(2026, 11, 30), id="over a weekend"),
        pytest.param(date(2026, 11, 28), date(2026, 12, 2), id="received on a Saturday"),
        pytest.param(date(2026, 4, 2), date(2026, 4, 9), id="over Easter"),
        pytest.param(date(2026, 12, 24), date(2026, 12, 31), id="over Christmas with its day instead"),
    ],
)
def test_summary_is_due_on_the_third_business_day_after_receipt(received: date, ends: date) -> None:
    clock = complaint(received).summary_clock
    assert clock
    assert (clock.ends, clock.day(ends), clock.is_late(ends)) == (ends, 3, False)
    assert clock.is_late(ends + timedelta(days=1))


def test_first_business_day_is_the_one_after_receipt() -> None:
    clock = complaint().summary_clock
    assert clock
    assert [clock.day(RECEIVED + timedelta(days=passed)) for passed in range(7)] == [0, 1, 2, 2, 2, 3, 3]


def test_final_response_is_due_after_eight_weeks() -> None:
    clock = complaint().final_clock
    assert clock
    assert clock.ends == date(2027, 1, 20)
    assert (clock.day(TODAY), clock.total) == (1, 56)


def test_data_complaint_is_acknowledged_within_thirty_days_from_the_next_day() -> None:
    found = complaint(date(2026, 11, 6), Subject.DATA)
    assert found.summary_clock is None
    assert found.final_clock is None
    clock = found.data_clock
    assert clock
    assert (clock.ends, clock.day(TODAY)) == (date(2026, 12, 6), 20)


def test_one_mail_may_start_both_clocks() -> None:
    found = complaint(RECEIVED, Subject.BOTH)
    assert [clock.total for clock in found.clocks] == [56, 30]
    assert found.due() == date(2026, 12, 25)
    acknowledged = complaint(RECEIVED, Subject.BOTH, (LetterKind.ACKNOWLEDGEMENT, TODAY))
    assert acknowledged.due() == date(2027, 1, 20)


def test_acknowledgement_and_holding_letter_leave_the_eight_weeks_running() -> None:
    letters = ((LetterKind.ACKNOWLEDGEMENT, TODAY), (LetterKind.HOLDING, date(2027, 1, 20)))
    found = complaint(RECEIVED, Subject.SERVICE, *letters)
    assert found.state(date(2027, 1, 20)) is ComplaintState.DUE
    assert found.state(date(2027, 1, 21)) is ComplaintState.LATE


def test_final_response_on_the_last_day_is_in_time() -> None:
    last = date(2027, 1, 20)
    assert not complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, last)).is_late(last + timedelta(days=9))
    assert complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, last + timedelta(days=1))).is_late(last)


@pytest.mark.parametrize(
    ("sent", "closed", "state"),
    [
        (date(2026, 11, 30), date(2026, 11, 30), ComplaintState.SETTLED),
        (date(2026, 11, 30), date(2026, 12, 1), ComplaintState.CLOSED),
        (date(2026, 12, 1), date(2026, 12, 1), ComplaintState.CLOSED),
    ],
)
def test_settled_is_accepted_and_written_within_three_business_days(
    sent: date, closed: date, state: ComplaintState
) -> None:
    assert complaint(RECEIVED, Subject.SERVICE, (LetterKind.SUMMARY, sent), closed=closed).state(closed) is state


def test_complaint_is_due_a_week_before_its_end() -> None:
    found = complaint()
    assert found.state(date(2027, 1, 12)) is ComplaintState.OPEN
    assert found.state(date(2027, 1, 13)) is ComplaintState.DUE


def test_complaint_is_kept_three_years_from_receipt() -> None:
    assert kept_until(date(2026, 11, 6), 3) == date(2029, 11, 6)
    assert kept_until(date(2028, 2, 29), 3) == date(2031, 2, 28)


def test_half_years_meet() -> None:
    second = HalfYear(first=date(2026, 7, 1), last=date(2026, 12, 31))
    assert half_year(date(2026, 7, 1)) == half_year(date(2026, 12, 31)) == second
    assert half_year(date(2026, 6, 30)) == second.before == HalfYear(first=date(2026, 1, 1), last=date(2026, 6, 30))


def test_half_year_table_counts_each_complaint_once() -> None:
    period, today = half_year(RECEIVED), date(2027, 2, 1)
    summary = (LetterKind.SUMMARY, date(2026, 11, 26))
    in_time, late = date(2027, 1, 20), date(2027, 1, 21)
    found = [
        complaint(RECEIVED, Subject.SERVICE, summary, closed=date(2026, 11, 26)),
        complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, in_time), closed=in_time),
        complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, late), closed=late),
        complaint(RECEIVED),
        complaint(date(2026, 12, 31)),
        complaint(date(2026, 6, 30)),
        complaint(date(2027, 1, 1)),
        complaint(RECEIVED, Subject.DATA, cause=RootCause.DATA),
    ]
    counts = {each.cause: each for each in half_year_counts(found, period, today)}
    delay, data = counts[RootCause.DELAY], counts[RootCause.DATA]
    assert (delay.total, delay.in_three_days, delay.in_eight_weeks, delay.late) == (5, 1, 1, 2)
    assert (data.total, data.late) == (1, 1)
    assert counts[RootCause.MANNER].total == 0


def test_nil_return_has_every_cause() -> None:
    counts = half_year_counts([], half_year(RECEIVED), TODAY)
    assert [each.cause for each in counts] == list(RootCause)
    assert {each.total for each in counts} == {0}


def test_numbers_are_written_with_four_digits() -> None:
    assert [complaint_label(number) for number in (1, 31, 12_345)] == ["C-0001", "C-0031", "C-12345"]


def test_form_becomes_a_complaint() -> None:
    found = parse_complaint({**FORM, "vulnerable": "on", "reference": "hg 7k3m q2xd"}, today=TODAY)
    assert isinstance(found, NewComplaint)
    assert (found.person.telephone, found.person.vulnerable) == ("+447700900123", True)
    assert (found.reference, found.received, found.cause) == ("HG-7K3M-Q2XD", RECEIVED, RootCause.DELAY)


def test_spoken_complaint_needs_a_name_alone() -> None:
    found = parse_complaint({**FORM, "telephone": "", "email": ""}, today=TODAY)
    assert isinstance(found, NewComplaint)
    assert not found.person.telephone


@pytest.mark.parametrize("name", ["ن" * 200, "א. דוגמה", "=1+1"])
def test_long_and_right_to_left_names_are_kept(name: str) -> None:
    found = parse_complaint({**FORM, "name": name}, today=TODAY)
    assert isinstance(found, NewComplaint)
    assert found.person.name == name


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "A" * 201),
        ("telephone", "12"),
        ("email", "nobody"),
        ("subject", "weather"),
        ("cause", None),
        ("received", "2026-11-27"),
        ("received", "25/11/2026"),
        ("about", " "),
        ("matter", "a" * 4_001),
        ("reference", "C-0001"),
    ],
)
def test_invalid_field_is_refused(field: str, value: object) -> None:
    found = parse_complaint({**FORM, field: value}, today=TODAY)
    assert [each.field for each in found if isinstance(each, Problem)] == [field] if isinstance(found, tuple) else False


def test_letter_has_a_day_between_receipt_and_today() -> None:
    form = {"letter": "acknowledgement", "sent": "2026-11-26"}
    assert parse_letter(form, complaint=complaint(), who="ada", today=TODAY) == Letter(
        kind=LetterKind.ACKNOWLEDGEMENT, sent=TODAY, who="ada"
    )
    for sent in ("2026-11-24", "2026-11-27", ""):
        assert isinstance(parse_letter({**form, "sent": sent}, complaint=complaint(), who="ada", today=TODAY), tuple)


def test_complaint_is_closed_with_its_letter() -> None:
    form = {"outcome": "upheld", "closed": "2026-11-26", "redress": "£1,250", "remedy": "Fee refunded"}
    refused = parse_ending(form, complaint=complaint(), today=TODAY)
    assert isinstance(refused, tuple)
    assert [each.field for each in refused] == ["letter"]
    answered = complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, TODAY))
    assert parse_ending(form, complaint=answered, today=TODAY) == Ending(
        outcome=ComplaintOutcome.UPHELD, closed=TODAY, redress=1_250, remedy="Fee refunded"
    )
    assert isinstance(parse_ending({**form, "outcome": "withdrawn"}, complaint=complaint(), today=TODAY), Ending)


@pytest.mark.parametrize("redress", ["1.5", "-1", "10,000,001", "9" * 300, "lots"])
def test_refused_redress_names_the_largest(redress: str) -> None:
    form = {"outcome": "upheld", "closed": "2026-11-26", "redress": redress}
    answered = complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, TODAY))
    refused = parse_ending(form, complaint=answered, today=TODAY)
    assert isinstance(refused, tuple)
    assert [each.field for each in refused] == ["redress"]
    assert "up to 10,000,000" in refused[0].reason


def test_vulnerable_complainants_are_counted() -> None:
    found = complaint()
    person = replace(found.record.person, vulnerable=True)
    counts = half_year_counts([replace(found, record=replace(found.record, person=person))], half_year(RECEIVED), TODAY)
    assert sum(each.vulnerable for each in counts) == 1
