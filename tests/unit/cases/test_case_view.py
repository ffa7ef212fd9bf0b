from dataclasses import astuple, replace
from datetime import timedelta
from typing import Any

from broker import routes
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.cases.case import Gone, StaffNote
from broker.cases.case_view import (
    Meanwhile,
    ResultPart,
    ResultView,
    changes,
    enquiry_view,
    gone_words,
    history_lines,
    newest_number,
    refused_meanwhile,
    result_views,
    seen_meanwhile,
    stamp_in,
    stamp_of,
)
from broker.documents.document import BarChart, Document, LineChart, Links, Section
from broker.documents.plans import calculator_document
from broker.enquiries.enquiry import Attachment, EnquiryState
from broker.mail.mail import ReturnedMail
from broker.staff.audit import VISITOR, Act, AuditEntry
from tests.unit.cases.cases import NOW, REFERENCE, case, head


def test_enquiry_shows_its_links_its_consent_its_record_and_its_notes() -> None:
    notes = (StaffNote(at=NOW - timedelta(days=1), who="ada", text="One"), StaffNote(at=NOW, who="ben", text="Two"))
    view = enquiry_view(case(*notes, changed_by="ben", changed_at=NOW, page="/x/"), who="ada", now=NOW)
    assert (view.tel, view.telephone, view.when) == ("+447700900123", "07700 900123", "Morning")
    assert view.mailto == f"mailto:zoe%26co@quill.example?subject=Your%20enquiry%20{REFERENCE}"
    assert [(line.label, line.words) for line in view.consent] == [
        ("Privacy notice", "Ticked as read"),
        ("News and offers", "By email, telephone and text message"),
        ("Given", "Today at 11:00"),
        ("On the page", "/remortgaging/"),
        ("Wording", "Version 2026-03"),
    ]
    assert [(line.label, line.words) for line in view.record] == [
        ("Received", "Today at 11:00"),
        ("From the page", "/x/"),
        ("Changed last", "Today at 12:00, by ben"),
        ("Kept until", "Wednesday 3 March 2027, then deleted automatically"),
    ]
    written = [(note.by, note.text) for note in view.notes]
    assert written == [("ben, today at 12:00", "Two"), ("You, yesterday at 12:00", "One")]


def test_mail_that_comes_back_is_said_beside_the_address() -> None:
    def words(**fields: Any) -> str:
        returned = ReturnedMail(**{"count": 1, "last_at": NOW, "is_complaint": False} | fields)
        return enquiry_view(replace(case(), returned=returned), who="ada", now=NOW).returned

    assert enquiry_view(case(), who="ada", now=NOW).returned == ""
    assert words() == "Mail to this address comes back, so we send none (once, today at 12:00)"
    assert words(count=3).endswith("(3 times, last today at 12:00)")
    assert words(is_complaint=True).startswith("Our mail to this address was reported as spam")


def test_every_state_offers_where_it_may_go() -> None:
    labels = {
        EnquiryState.NEW: ["Mark as called", "Close it"],
        EnquiryState.CALLED: ["Mark as booked", "Back to new", "Close it"],
        EnquiryState.BOOKED: ["Mark as called", "Close it"],
        EnquiryState.CLOSED: ["Open it again", "Mark as called", "Mark as booked"],
    }
    views = {state: enquiry_view(case(state=state), who="ada", now=NOW) for state in labels}
    assert {state: [move.label for move in view.moves] for state, view in views.items()} == labels
    mine = {name: enquiry_view(case(assigned=name), who="ada", now=NOW).is_mine for name in ("ada", "ben", "")}
    assert mine == {"ada": True, "ben": False, "": False}


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


def test_history_is_newest_first_and_reading_again_is_one_line() -> None:
    assert [f"{line.did}: {line.at}" for line in history_lines(RECORD, who="ada", now=NOW)] == [
        "ben gave it to ada: today at 10:00",
        "You wrote a note: today at 09:00",
        "ben read it: today at 08:00",
        "ben moved it from new to called: today at 07:00",
        "You read it 2 times, last: today at 06:00",
        "ben read it: today at 04:00",
    ]


def test_changes_since_then_are_oldest_first_without_what_was_only_read() -> None:
    assert changes(RECORD, after=2, who="ada", now=NOW) == (
        "ben moved it from new to called, today at 07:00",
        "You, in another window, wrote a note, today at 09:00",
        "ben gave it to ada, today at 10:00",
    )
    assert changes(RECORD, after=4, who="ada", now=NOW, mine=False) == ("ben gave it to ada, today at 10:00",)
    assert changes(RECORD, after=newest_number(RECORD), who="ada", now=NOW) == ()
    assert newest_number(()) == 0


def test_refused_change_names_who_changed_the_enquiry_meanwhile() -> None:
    changed = head(changed_by="ben", changed_at=NOW)
    refused = refused_meanwhile(changed, ("ben did this",), who="ada", wanted="State: Closed", now=NOW)
    assert (refused.heading, refused.lines) == ("Nothing was changed: ben changed it meanwhile", ("ben did this",))
    alone = refused_meanwhile(changed, (), who="ben", wanted="State: Closed", now=NOW)
    assert alone.heading == "Nothing was changed: you changed it in another window meanwhile"
    assert alone.lines == ("It was changed today at 12:00",)
    assert seen_meanwhile(()) == Meanwhile()
    assert seen_meanwhile(("ben did this",)).lines == ("ben did this",)


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
