from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from broker.cases.case import CloseReason, NoteKind, Outcome, Refused, Service, Stage, WaitingFor
from broker.cases.changes import (
    CLOSED_ALREADY,
    DUE_PAST,
    DUE_TOO_LATE,
    LATEST_DUE,
    NEEDS_REASON,
    NOTHING_NEW,
    CallRecord,
    CaseChange,
    CaseFigures,
    call_recorded,
    closed,
    due_set,
    figures_set,
    merged,
    parse_figures,
    staged,
    taken,
)
from broker.cases.outcomes import REVIEW_ACTION, after_outcome
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from tests.unit.cases.cases import CONTACT, NOW, head

HOUR = timedelta(hours=1)


def called(call: CallRecord, **fields: Any) -> CaseChange | Refused:
    return call_recorded(head(**fields), call, who="ada", now=NOW, week=OFFICE_WEEK)


def made(change: CaseChange | Refused) -> CaseChange:
    assert isinstance(change, CaseChange)
    return change


def test_call_changes_outcome_note_and_next_action_together() -> None:
    change = made(called(CallRecord(outcome=Outcome.REACHED, note="Likes five", due=NOW + HOUR)))
    wanted = {"state": EnquiryState.CALLED, "outcome": Outcome.REACHED, "next_due": NOW + HOUR, "first_call_at": NOW}
    assert {name: change.values[name] for name in wanted} == wanted
    assert change.note
    assert (change.note.text, change.note.kind, change.note.outcome) == ("Likes five", NoteKind.CALL, Outcome.REACHED)
    assert change.detail == "reached"


def test_first_call_counts_and_a_case_stays_with_whom_it_is() -> None:
    later = made(called(CallRecord(outcome=Outcome.NO_ANSWER), first_call_at=NOW - HOUR, assigned="bob", attempts=1))
    assert (later.values["first_call_at"], later.values["assigned"], later.values["attempts"]) == (NOW - HOUR, "bob", 2)
    assert made(called(CallRecord(outcome=Outcome.NO_ANSWER))).values["assigned"] == "ada"


def test_call_that_closes_a_case_needs_its_reason_and_leaves_nothing_due() -> None:
    assert called(CallRecord(outcome=Outcome.NOT_OURS)) == Refused(words=NEEDS_REASON)
    change = made(called(CallRecord(outcome=Outcome.NOT_OURS, reason=CloseReason.ELSEWHERE, due=NOW + HOUR)))
    left = {name: change.values[name] for name in ("state", "close_reason", "next_due", "next_action")}
    assert left == {
        "state": EnquiryState.CLOSED,
        "close_reason": CloseReason.ELSEWHERE,
        "next_due": None,
        "next_action": "",
    }


def test_stage_has_the_time_since_when_only_when_it_changes() -> None:
    assert made(called(CallRecord(outcome=Outcome.OFFER))).values["stage_since"] == NOW
    assert "stage_since" not in made(called(CallRecord(outcome=Outcome.OFFER), stage=Stage.OFFER)).values


def test_due_time_is_ahead_and_no_later_than_a_deal_may_end() -> None:
    for due, words in ((NOW, DUE_PAST), (NOW + LATEST_DUE + HOUR, DUE_TOO_LATE)):
        assert called(CallRecord(outcome=Outcome.REACHED, due=due)) == Refused(words=words)
        assert due_set(head(), due, "", NOW) == Refused(words=words)
    change = made(due_set(head(next_action="Payslips"), NOW + HOUR, "", NOW))
    assert change.values == {"next_due": NOW + HOUR, "next_action": "Payslips"}
    assert change.detail == "3 March 2026 at 13:00"
    again = head(next_action="Payslips", next_due=NOW + HOUR)
    assert due_set(again, NOW + HOUR, "", NOW) == Refused(words=NOTHING_NEW)


def test_case_is_taken_from_nobody_only() -> None:
    assert made(taken(head(), "ada")).values == {"assigned": "ada"}
    assert taken(head(assigned="bob"), "ada") == Refused(words="bob has this case already")
    assert isinstance(taken(head(assigned="ada"), "ada"), Refused)


def test_closed_case_has_a_reason_and_nothing_due() -> None:
    change = made(closed(head(next_due=NOW), CloseReason.SPAM))
    assert (change.values["next_due"], change.detail) == (None, "it is spam")
    spam = head(state=EnquiryState.CLOSED, close_reason=CloseReason.SPAM)
    assert closed(spam, CloseReason.SPAM) == Refused(words=CLOSED_ALREADY)


def test_stage_is_set_with_whom_we_wait_for() -> None:
    change = staged(head(), Stage.OFFER, waiting_for=WaitingFor.SOLICITOR, waiting_note="the deed", now=NOW)
    assert made(change).detail == "offer, waiting for solicitor"
    assert made(change).values["stage_since"] == NOW
    same = staged(head(), Stage.ENQUIRY, waiting_for=WaitingFor.US, waiting_note="", now=NOW)
    assert same == Refused(words=NOTHING_NEW)


def test_merge_keeps_the_address_of_the_other_case_where_there_is_none() -> None:
    without = head(contact=replace(CONTACT, email=""))
    taken_over = {"contact": CONTACT}
    assert {name: merged(without, head())[name] for name in taken_over} == taken_over
    for kept, other in (
        (head(), without),
        (without, without),
        (without, head(contact=None)),
        (head(contact=None), head()),
    ):
        assert "contact" not in merged(kept, other)
    assert "contact" not in merged(head(), head(contact=replace(CONTACT, email="other@example.com")))


def test_figures_of_a_form_are_pounds_and_a_day_or_empty() -> None:
    def parsed(amount: object, day: object, service: object = "moving") -> object:
        found = parse_figures({"service": service, "amount": amount, "deal_ends": day}, NOW.date())
        return found if isinstance(found, CaseFigures) else {problem.field for problem in found}

    known = CaseFigures(service=Service.MOVING, amount=148_000, deal_ends=date(2028, 6, 30))
    assert parsed("£148,000", "2028-06-30") == known
    assert parsed("", "") == CaseFigures(service=Service.MOVING, amount=None, deal_ends=None)
    for service in (None, "", "boat", [], 7):
        assert parsed("", "", service) == {"service"}
    assert parsed("lots", "tomorrow") == {"amount", "deal_ends"}
    assert parsed("0", "2028-02-30") == {"amount", "deal_ends"}
    assert (parsed("1", "2099-01-01"), parsed("1", "0001-01-01")) == ({"deal_ends"}, {"deal_ends"})
    assert parsed(None, []) == {"amount", "deal_ends"}
    assert parsed("9" * 200, "9" * 200) == {"amount", "deal_ends"}


@pytest.mark.parametrize("amount", ["0", "100,000,001", "9" * 300, "lots"])
def test_refused_amount_names_the_largest(amount: str) -> None:
    found = parse_figures({"service": "other", "amount": amount, "deal_ends": ""}, NOW.date())
    assert isinstance(found, tuple)
    assert "from 1 to 100,000,000" in found[0].reason


def test_figures_change_only_where_they_differ_and_their_values_are_not_audited() -> None:
    known = CaseFigures(amount=90_000, deal_ends=date(2028, 6, 30))
    case = head(amount=90_000, deal_ends=date(2028, 6, 30))
    assert figures_set(case, known, now=NOW, week=OFFICE_WEEK) == Refused(words=NOTHING_NEW)
    change = made(figures_set(head(amount=80_000), known, now=NOW, week=OFFICE_WEEK))
    assert (change.values, change.detail) == (
        {"amount": 90_000, "deal_ends": date(2028, 6, 30)},
        "loan, end of the deal",
    )
    about = replace(known, service=Service.LANDLORD)
    moved = made(figures_set(case, about, now=NOW, week=OFFICE_WEEK))
    assert (moved.values, moved.detail) == ({"service": Service.LANDLORD}, "what it is about")
    cleared = made(figures_set(case, CaseFigures(amount=90_000, deal_ends=None), now=NOW, week=OFFICE_WEEK))
    assert (cleared.values, cleared.detail) == ({"deal_ends": None}, "end of the deal")


@pytest.mark.parametrize("years", [2, 10, 40])
def test_proposed_review_of_a_long_deal_is_taken(years: int) -> None:
    """The time that staff press is sent back as it was proposed."""
    end = NOW.date().replace(year=NOW.year + years)
    assert isinstance(
        parse_figures({"service": "other", "amount": "", "deal_ends": end.isoformat()}, NOW.date()), CaseFigures
    )
    review = after_outcome(Outcome.COMPLETED, head(deal_ends=end), NOW, week=OFFICE_WEEK).due[0]
    assert made(called(CallRecord(outcome=Outcome.COMPLETED, due=review), deal_ends=end)).values["next_due"] == review


def test_review_of_a_completed_case_goes_to_before_the_new_end_of_its_deal() -> None:
    fields: dict[str, Any] = {"next_action": REVIEW_ACTION, "next_due": NOW + 500 * 24 * HOUR}

    def due(day: date | None, **more: Any) -> object:
        figures = CaseFigures(amount=90_000, deal_ends=day)
        return made(figures_set(head(**fields | more), figures, now=NOW, week=OFFICE_WEEK)).values.get("next_due")

    assert due(date(2028, 6, 30)) == datetime(2028, 3, 2, 10, 30, tzinfo=UTC)
    assert due(date(2026, 4, 1)) is None  # the time of its review is past, so the next date stays
    assert due(date(2028, 6, 30), next_action="Call again") is None
