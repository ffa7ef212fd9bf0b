from datetime import timedelta

from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import VISITOR
from broker.staff.enquiry_view import enquiry_view, gone_words, stamp_in, stamp_of
from broker.staff.enquiry_workflow import Gone, StaffNote
from tests.unit.staff.staff_cases import NOW, REFERENCE, case


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
