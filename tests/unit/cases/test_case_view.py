from dataclasses import astuple, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from broker import routes
from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.cases.case import (
    CLOSE_REASONS,
    CloseReason,
    EnquirySummary,
    Gone,
    MailState,
    NoteKind,
    Outcome,
    Service,
    StaffNote,
    Stage,
    Undone,
    WaitingFor,
)
from broker.cases.case_view import (
    NOT_USED,
    OUTCOMES,
    ResultPart,
    ResultView,
    case_view,
    changes,
    conflict_view,
    gone_words,
    newest_number,
    plan_view,
    readers_of,
    result_views,
    stamp_in,
    stamp_of,
    twin_of,
    twins_words,
    undone_words,
)
from broker.cases.changes import CallRecord, CaseChange, call_recorded
from broker.cases.outcomes import after_outcome
from broker.documents.document import BarChart, Document, LineChart, Links, Section
from broker.documents.plans import calculator_document
from broker.enquiries.contact_details import CallTime
from broker.enquiries.enquiry import SPOKEN, Attachment, EnquiryKind, EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from broker.mail.mail import ReturnedMail
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.times import due_moment
from tests.unit.cases.cases import CONTACT, NOW, REFERENCE, case, head


def test_case_shows_its_links_its_consent_and_its_record() -> None:
    view = case_view(case(changed_by="ben", changed_at=NOW, page="/x/"), (), who="ada", now=NOW)
    assert (view.tel, view.telephone, view.when) == ("+447700900123", "07700 900123", "Morning")
    assert view.mailto == f"mailto:zoe%26co@quill.example?subject=Your%20enquiry%20{REFERENCE}"
    assert view.agreed == "a call; news by email, telephone and text message"
    assert [(line.label, line.words) for line in view.record] == [
        ("Privacy notice", "Version 2026-03, ticked today at 11:00"),
        ("On the page", "/remortgaging/"),
        ("Received", "Today at 11:00"),
        ("From the page", "/x/"),
        ("Changed last", "Today at 12:00, by ben"),
        ("Kept until", "Wednesday 3 March 2027, then deleted automatically"),
    ]


def test_case_of_which_only_advice_is_kept_says_so_and_until_the_last_day() -> None:
    kept = case(state=EnquiryState.CLOSED, delete_after=datetime(2029, 3, 3, tzinfo=UTC), only_advice_since=NOW)
    view = case_view(kept, (), who="ada", now=NOW)
    assert view.deleted == (
        "Their data was deleted on 3 March 2026. Only the record of advice is kept, until 2 March 2029. "
        "Do not contact them."
    )
    assert view.record[-1].words == "Friday 2 March 2029, then deleted automatically"
    assert case_view(case(state=EnquiryState.CLOSED), (), who="ada", now=NOW).deleted == ""


def appointment_in_an_hour() -> Appointment:
    slot = Slot(start=NOW + timedelta(hours=1), minutes=20, medium=Medium.TELEPHONE)
    return Appointment(
        id=7,
        uid="u",
        sequence=0,
        adviser="ada",
        slot=slot,
        state=AppointmentState.BOOKED,
        reference=REFERENCE,
        created=NOW,
    )


def test_appointment_whose_adviser_is_away_waits_for_another() -> None:
    coming = appointment_in_an_hour()
    waits = ", who is away: it waits for an adviser"
    covered, away = (
        case_view(replace(case(), appointment=coming, is_uncovered=is_uncovered), (), who="ada", now=NOW).appointment
        for is_uncovered in (False, True)
    )
    assert away == f"{covered}{waits}"
    begun = replace(case(), appointment=coming, is_uncovered=True)
    assert waits not in case_view(begun, (), who="ada", now=coming.slot.start).appointment


def test_book_leads_to_the_appointment_to_come_else_to_the_free_times() -> None:
    coming = appointment_in_an_hour()
    cancelled = replace(coming, state=AppointmentState.CANCELLED)
    over = replace(coming, slot=replace(coming.slot, start=NOW - timedelta(hours=1)))
    hrefs = [
        case_view(replace(case(), appointment=each), (), who="ada", now=NOW).book_href
        for each in (coming, None, cancelled, over)
    ]
    assert hrefs == [routes.staff_appointment(7), *[routes.staff_book(REFERENCE)] * 3]


def test_case_says_its_stage_whom_it_waits_for_and_its_figures() -> None:
    fields: dict[str, Any] = {
        "stage": Stage.PRINCIPLE,
        "stage_since": NOW - timedelta(days=2),
        "waiting_for": WaitingFor.LENDER,
        "waiting_note": "the valuation",
        "service": Service.REMORTGAGE,
        "amount": 212_400,
        "deal_ends": date(2026, 6, 3),
        "next_action": "Ask the lender",
        "next_due": NOW + timedelta(minutes=12),
        "state": EnquiryState.CALLED,
    }
    view = case_view(case(**fields), (), who="ada", now=NOW)
    assert [(step.words, step.look) for step in view.stages][1:4] == [
        ("Advice", "d"),
        ("In principle", "h"),
        ("Application", ""),
    ]
    assert (view.stage, view.stage_place, view.since) == ("In principle", ", 3 of 9", " since 1 Mar.")
    assert (view.waiting, view.waiting_note) == ("the lender", ": the valuation")
    assert [(line.label, line.words) for line in view.figures] == [
        ("Loan", "£212,400"),
        ("Deal ends", "3 Jun 2026, 92 days"),
    ]
    last_day = case_view(case(deal_ends=date(2026, 3, 4)), (), who="ada", now=NOW)
    assert last_day.figures[0].words == "4 Mar 2026, 1 day"
    assert (view.service, view.next_action, view.next_due) == ("Remortgage", "Ask the lender", "12:12")
    assert (view.promise, view.promise_tone) == ("next: 12:12, in 12 min", "orange")
    closed = case_view(case(state=EnquiryState.CLOSED, close_reason=CloseReason.SPAM), (), who="ada", now=NOW)
    assert (closed.is_closed, closed.closed, closed.promise) == (True, "closed: it is spam", "")


def test_next_action_of_a_new_case_is_the_promised_call_as_in_the_list() -> None:
    def said(**fields: Any) -> tuple[str, str, str]:
        view = case_view(case(**fields), (), who="ada", now=NOW)
        return view.next_action, view.next_due, view.next_look

    assert said() == ("First call", "13:00", "")
    assert said(call_by=NOW - timedelta(hours=2)) == ("First call", "10:00", "late")
    assert said(next_due=NOW + timedelta(hours=3)) == ("First call", "15:00", "")
    assert said(state=EnquiryState.CLOSED, close_reason=CloseReason.SPAM) == ("", "", "")


def test_mail_that_comes_back_is_said_beside_the_address() -> None:
    def words(**fields: Any) -> str:
        returned = ReturnedMail(**{"count": 1, "last_at": NOW, "is_complaint": False} | fields)
        return case_view(replace(case(), returned=returned), (), who="ada", now=NOW).returned

    assert case_view(case(), (), who="ada", now=NOW).returned == ""
    assert words() == "Mail to this address comes back, so we send none (once, today at 12:00)"
    assert words(count=3).endswith("(3 times, last today at 12:00)")
    assert words(is_complaint=True).startswith("Our mail to this address was reported as spam")


def test_stamp_names_the_version_that_was_on_screen() -> None:
    assert stamp_in(stamp_of(REFERENCE, 4)) == (REFERENCE, 4)
    others = [None, "", ":", "HG", 7, [], {}, "a:b", "a:-1", "a:1:2", "a:٣", "a:" + "9" * 99]
    assert [value for value in others if stamp_in(value) != ("", 0)] == []


def test_deleted_enquiry_names_who_deleted_it_where_known() -> None:
    gone = Gone(by="ben", at=NOW, reason="it is spam")
    title, words = gone_words(REFERENCE, gone, who="ada", now=NOW)
    assert title == f"{REFERENCE} is deleted"
    assert words.startswith("ben deleted it today at 12:00, because it is spam.")
    assert gone_words(REFERENCE, gone, who="ben", now=NOW)[1].startswith("You deleted it")
    by_sender = gone_words(REFERENCE, Gone(by=VISITOR, at=NOW), who="ada", now=NOW)[1]
    assert by_sender.startswith("Its sender deleted it today at 12:00.")
    assert gone_words(REFERENCE, Gone(), who="ada", now=NOW)[0] == f"There is no enquiry {REFERENCE}"
    assert gone_words("", Gone(), who="ada", now=NOW)[0] == "There is no such enquiry"


def entry(number: int, who: str, what: Act, detail: str = "") -> AuditEntry:
    return AuditEntry(at=NOW - timedelta(hours=9 - number), who=who, what=what, detail=detail, number=number)


RECORD = (
    entry(7, "ben", Act.ENQUIRY_ASSIGNED, "to ada"),
    entry(6, "ada", Act.ENQUIRY_NOTE),
    entry(5, "ben", Act.ENQUIRY_READ),
    entry(4, "ben", Act.ENQUIRY_STATE, "new to called"),
    entry(3, "ada", Act.ENQUIRY_READ),
    entry(2, "ada", Act.ENQUIRY_READ),
    entry(1, "ben", Act.ENQUIRY_READ),
)
"""Newest first, as the record gives it."""


def test_timeline_is_newest_first_by_day_with_notes_calls_and_changes() -> None:
    notes = (
        StaffNote(at=NOW - timedelta(days=1), who="ada", text="One"),
        StaffNote(at=NOW, who="ben", text="", kind=NoteKind.CALL, outcome=Outcome.NO_ANSWER),
    )
    found = case_view(case(*notes), RECORD, who="ada", now=NOW).timeline
    assert [(line.day, f"{line.who} {line.did}", line.text) for line in found] == [
        ("Today", "ben called, no answer", ""),
        ("", "Zoë asked for a call from /contact/", "Hello"),
        ("", "ben gave it to ada", ""),
        ("", "ben moved it from new to called", ""),
        ("Yesterday", "You wrote", "One"),
    ]
    assert len({line.key for line in found}) == len(found)


def test_case_entered_by_hand_says_that_they_called_and_were_told_by_telephone() -> None:
    at = NOW - timedelta(hours=1)
    calls = [
        StaffNote(at=at, who="ada", text="Rang us", kind=NoteKind.CALL, outcome=Outcome.REACHED),
        StaffNote(at=NOW, who="ada", text="", kind=NoteKind.CALL, outcome=Outcome.REACHED),
    ]
    found = case(*calls, message="", kind=EnquiryKind.CALL, page="by telephone")
    consent = replace(found.kept.enquiry.consent, text_version=SPOKEN)
    found = replace(found, kept=replace(found.kept, enquiry=replace(found.kept.enquiry, consent=consent)))
    view = case_view(found, (), who="ada", now=NOW)
    assert [f"{line.who} {line.did}" for line in view.timeline] == [
        "You called, reached",
        "You spoke to them",
        "Zoë telephoned",
    ]
    assert [(line.label, line.words) for line in view.record[:3]] == [
        ("Privacy notice", "Told by telephone, today at 11:00"),
        ("Received", "Today at 11:00, by telephone"),
        ("Kept until", "Wednesday 3 March 2027, then deleted automatically"),
    ]
    merged = replace(case(*calls), merged=(found.kept,))
    assert case_view(merged, (), who="ada", now=NOW).timeline[1].did == "spoke to them"


def test_dates_beside_a_booked_one_are_not_called_appointments() -> None:
    found = head(appointment=NOW + timedelta(days=1))
    plan = after_outcome(Outcome.REACHED, found, NOW, week=OFFICE_WEEK)
    view = plan_view(plan, Outcome.REACHED, "", now=NOW, appointment=found.appointment)
    assert (view.label, view.choices[0].words) == ("Next:", "Wed 4, 12:00, booked")
    kept, other = (
        call_recorded(found, CallRecord(outcome=Outcome.REACHED, due=due), who="ada", now=NOW, week=OFFICE_WEEK)
        for due in plan.due[:2]
    )
    assert isinstance(kept, CaseChange)
    assert isinstance(other, CaseChange)
    assert (kept.values["next_action"], other.values["next_action"]) == ("Appointment", "Call again")
    tried = after_outcome(Outcome.NO_ANSWER, found, NOW, week=OFFICE_WEEK)
    view = plan_view(tried, Outcome.NO_ANSWER, "", now=NOW, appointment=found.appointment)
    assert (view.label, view.choices[0].words) == ("Next:", "Wed 4, 12:00, booked")


def test_case_shows_what_was_sent_with_an_enquiry_that_is_merged_into_it() -> None:
    other = case(message="Two flats", answers={"How many?": "Two"}, reference="HG-AAAA-AAAA", page="/landlords/").kept
    other = replace(other, created=NOW, enquiry=replace(other.enquiry, attachment=Attachment()))
    view = case_view(replace(case(), merged=(other,)), (), who="ada", now=NOW)
    assert [(line.did, line.text) for line in view.timeline] == [
        ("asked for a call from /landlords/", "Two flats"),
        ("asked for a call from /contact/", "Hello"),
    ]
    assert [line.label for line in view.lines] == ["What for?", "How many?"]
    assert len(view.results) == 1


def test_timeline_says_what_became_of_the_mail_of_a_reply() -> None:
    def said(state: MailState) -> str:
        sent = StaffNote(at=NOW, who="ada", text="Payslips", kind=NoteKind.REPLY, mail="1", mail_state=state)
        return case_view(case(sent), (), who="ada", now=NOW).timeline[0].did

    assert {state.value: said(state) for state in MailState} == {
        "waiting": "replied by mail, not sent yet",
        "sent": "replied by mail",
        "given-up": "replied by mail, which could not be sent",
        "returned": "replied by mail, which came back",
        "unknown": "replied by mail",
    }


def test_colleague_who_takes_a_case_gives_it_to_nobody() -> None:
    taken = (entry(1, "ada", Act.ENQUIRY_ASSIGNED, "to ada"),)
    assert changes(taken, after=0, who="ben", now=NOW)[0].startswith("ada took it, ")


def test_changes_since_then_are_oldest_first_without_what_was_only_read() -> None:
    assert changes(RECORD, after=2, who="ada", now=NOW) == (
        "ben moved it from new to called, today at 07:00",
        "You, in another window, wrote a note, today at 09:00",
        "ben gave it to ada, today at 10:00",
    )
    assert changes(RECORD, after=4, who="ada", now=NOW, mine=False) == ("ben gave it to ada, today at 10:00",)
    assert changes(RECORD, after=newest_number(RECORD), who="ada", now=NOW) == ()
    assert newest_number(()) == 0


def test_change_of_the_stage_is_in_words() -> None:
    record = (entry(1, "ben", Act.CASE_STAGE, "principle, waiting for lender"),)
    assert changes(record, after=0, who="ada", now=NOW)[0].startswith(
        "ben set its stage: In principle, waiting for the lender,"
    )


def test_conflict_has_both_changes_and_who_made_the_other() -> None:
    changed = head(
        changed_by="ben", changed_at=NOW, outcome=Outcome.REACHED, next_due=NOW + timedelta(hours=2), next_action="Call"
    )
    shown = conflict_view(changed, ("ben did this",), mine="No answer", who="ada", now=NOW)
    assert shown.theirs_by == "ben, 12:00"
    assert shown.theirs == ("ben did this", "Outcome: reached", "Next: Today 14:00")
    assert (shown.mine, shown.leave) == ("No answer", "Leave ben’s, keep my note")
    assert conflict_view(changed, (), mine="", who="ben", now=NOW).theirs_by == "You, in another window, 12:00"


def test_every_outcome_has_choices_the_rule_first_and_reasons_where_one_is_needed() -> None:
    found = head(state=EnquiryState.NEW, contact=replace(CONTACT, when=CallTime.ANY))
    for value, _ in OUTCOMES:
        outcome = Outcome(value)
        plan = after_outcome(outcome, found, NOW, week=OFFICE_WEEK)
        view = plan_view(plan, outcome, "stamp", now=NOW, appointment=None)
        assert (view.outcome, view.stamp, len(view.choices) > 0) == (value, "stamp", True)
        assert view.has_dates == (outcome is not Outcome.NOT_OURS)
        assert view.is_booking == (outcome is Outcome.APPOINTMENT)
        assert all(bool(each.due) != bool(each.reason) for each in view.choices)
        # of days months ahead too
        assert all(":" in each.words for each in view.choices if each.due), outcome
    tried = plan_view(
        after_outcome(Outcome.NO_ANSWER, found, NOW, week=OFFICE_WEEK), Outcome.NO_ANSWER, "", now=NOW, appointment=None
    )
    assert (tried.label, tried.choices[0].words) == ("Second try:", "Today 16:00, by rule")


def test_what_is_not_ours_is_not_proposed_as_completed() -> None:
    plan = after_outcome(Outcome.NOT_OURS, head(), NOW, week=OFFICE_WEEK)
    reasons = [each.reason for each in plan_view(plan, Outcome.NOT_OURS, "", now=NOW, appointment=None).choices]
    assert (reasons[0], len(reasons)) == (CloseReason.NOT_ADVISED, len(CloseReason) - 1)
    assert CloseReason.COMPLETED not in reasons


def test_case_beside_another_says_how_far_it_is_and_what_is_next() -> None:
    def words(**fields: Any) -> tuple[str, str, str]:
        one = head(**fields)
        twin = twin_of(one, one, now=NOW)
        return twin.kind, twin.stage, twin.next_action

    due, closed = NOW + timedelta(days=1), {"state": EnquiryState.CLOSED, "close_reason": CloseReason.COMPLETED}
    offer = {"state": EnquiryState.CALLED, "service": Service.MOVING, "stage": Stage.OFFER}
    moment = due_moment(due, NOW)
    assert words(call_by=due) == ("Not said", "Enquiry", f"First call, {moment}")
    assert words(**offer, next_action="Ask", next_due=due) == ("Moving", "Offer", f"Ask, {moment}")
    assert words(**offer) == ("Moving", "Offer", "none")
    ahead, this = head(**offer), head(stage=Stage.ADVICE)
    marks = [twin_of(one, other, now=NOW).stage_mark for one, other in ((ahead, this), (this, ahead), (ahead, ahead))]
    assert [*marks, twin_of(replace(ahead, state=EnquiryState.CLOSED), this, now=NOW).stage_mark] == [
        NOT_USED,
        "",
        "",
        "",
    ]
    assert words(**{**offer, **closed}) == ("Moving", f"Offer, closed: {CLOSE_REASONS[CloseReason.COMPLETED]}", "none")


def test_case_beside_another_says_what_is_the_same() -> None:
    this, other = head(), head(reference="HG-2222-3333", assigned="ben")

    def marks(one: EnquirySummary, beside: EnquirySummary) -> tuple[str, str]:
        twin = twin_of(one, beside, now=NOW)
        return twin.telephone_mark, twin.email_mark

    assert marks(this, this) == ("", "")
    assert (marks(other, this), twin_of(other, this, now=NOW).who) == (("same", "same"), "ben")
    assert marks(replace(other, contact=None), this) == ("", "")
    moved = replace(CONTACT, telephone="+447700900999", email="other@example.com")
    assert marks(replace(other, contact=moved), this) == ("not used", "not used")
    bare = replace(CONTACT, email="")
    assert marks(other, replace(this, contact=bare)) == ("same", "taken over")
    assert marks(replace(other, contact=bare), this) == ("same", "")
    assert twins_words(()) == ("", "")
    assert [twins_words((other,) * count)[0] for count in (1, 2)] == ["1 other enquiry", "2 other enquiries"]
    assert [(one.initials, one.tone, one.words) for one in readers_of(("ben",))] == [
        ("BE", "a2", "ben is reading this")
    ]
    done = Undone(what=Act.CALL_RECORDED, references=("a",))
    assert (undone_words(done), undone_words(replace(done, references=("a", "b")))) == ("Undone", "Undone for 2 cases")
    assert undone_words(replace(done, to_nobody=("a",))) == ("Undone. Nobody has it: who had it can no longer sign in")
    assert undone_words(replace(done, references=("a", "b", "c"), to_nobody=("a", "b"))) == (
        "Undone for 3 cases. Nobody has 2 of them: who had them can no longer sign in"
    )
    booked = undone_words(replace(done, is_still_booked=True))
    assert booked == "Undone. The appointment stays booked: cancel or move it in the diary"


def texts(value: object) -> set[str]:
    """Return every text in nested values."""
    if isinstance(value, str):
        return {value}
    return set().union(*map(texts, value)) if isinstance(value, tuple | list) else set()


def shown(calculator: Calculator) -> tuple[set[str], ResultView]:
    """Return the texts of the sections of a calculator's document, and the view of it."""
    document = calculator_document(calculator, {})
    assert document is not None
    sections = (Section(parts=document.beside), *document.sections)
    parts = [part for section in sections for part in section.parts if not isinstance(part, LineChart)]
    titles = {section.title for section in document.sections}
    tones = {bar.tone for part in parts if isinstance(part, BarChart) for bar in part.bars}
    kinds = {part.kind for part in parts}
    wanted = titles | {text for part in parts for text in texts(astuple(part))} | texts(document.figures)
    (view,) = result_views(Attachment(document=document), REFERENCE)
    addresses = {address for part in parts if isinstance(part, Links) for _, address, _ in part.links}
    return wanted - tones - kinds - addresses, view


def test_every_text_of_every_calculator_is_shown() -> None:
    for calculator in CALCULATORS:
        wanted, view = shown(calculator)
        assert wanted - texts(astuple(view)) == set(), calculator.slug
        assert view.address == routes.calculator(calculator.slug)
        assert view.pdf == f"/staff/enquiry/result.pdf?reference={REFERENCE}"


def test_links_are_shown_with_what_follows_them() -> None:
    link = ("Stamp Duty Land Tax", "https://www.gov.uk/stamp-duty-land-tax", "Since 1 April 2025.")
    sources = Section(title="Sources", parts=(Links(title="The rules", links=(link,)),))
    document = Document(title="Stamp duty", address="/", file_name="", sections=(sources,))
    (view,) = result_views(Attachment(document=document), REFERENCE)
    assert view.parts == (ResultPart(heading="Sources", title="The rules", rows=((link[0], link[2]),)),)


def test_lost_result_is_explained_and_a_missing_one_has_no_section() -> None:
    assert result_views(None, REFERENCE) == ()
    (lost,) = result_views(Attachment(), REFERENCE)
    assert (lost.title, bool(lost.problem)) == ("", True)
