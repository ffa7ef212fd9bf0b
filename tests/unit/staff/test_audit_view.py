from datetime import UTC, datetime

import pytest

from broker.staff.audit import COMMAND_LINE, UNKNOWN_ACTOR, Act, AuditEntry
from broker.staff.audit_view import RecordLine, record_days, tally

NOW = datetime(2026, 7, 2, 9, 0, tzinfo=UTC)
THERE = "HG-7K3M-Q2XD"


def entry(at: datetime, what: Act, *, who: str = "ada", about: str = "", detail: str = "") -> AuditEntry:
    return AuditEntry(at=at, who=who, what=what, about=about, detail=detail, number=7)


def line(made: AuditEntry) -> RecordLine:
    return record_days((made,), existing={THERE}, now=NOW)[0].lines[0]


def text(one: RecordLine) -> str:
    return f"{one.who} {one.before}{one.reference}{one.after}"


def test_days_are_those_of_uk_time() -> None:
    evening = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)  # half past midnight in London
    moments = (NOW, evening, evening.replace(hour=22), datetime(2025, 12, 31, 9, 0, tzinfo=UTC))
    days = record_days([entry(at, Act.SIGNED_IN) for at in moments], existing=(), now=NOW)
    assert [(day.title, [one.at for one in day.lines]) for day in days] == [
        ("Today", ["10:00"]),
        ("Yesterday", ["00:30"]),
        ("Tuesday 30 June", ["23:30"]),
        ("Wednesday 31 December 2025", ["09:00"]),
    ]
    assert days[1].lines[0].moment == "2026-06-30T23:30:00+00:00"


SENTENCES = {
    "The command line added the account bob": entry(NOW, Act.ACCOUNT_ADDED, who=COMMAND_LINE, about="bob"),
    "Somebody unknown failed to sign in": entry(NOW, Act.SIGN_IN_FAILED, who=UNKNOWN_ACTOR),
    "ada replaced the logo of lender 42 (Alder, a.png)": entry(
        NOW, Act.LOGO_REPLACED, about="lender 42", detail="Alder, a.png"
    ),
    "ada removed the logo of {about} ({detail})": entry(NOW, Act.LOGO_REMOVED, about="{about}", detail="{detail}"),
}


@pytest.mark.parametrize(("sentence", "made"), SENTENCES.items(), ids=SENTENCES)
def test_act_is_a_sentence_without_a_link(sentence: str, made: AuditEntry) -> None:
    assert (text(line(made)), line(made).href) == (sentence, "")


def test_reference_leads_to_its_enquiry_while_that_is_there() -> None:
    moved = entry(NOW, Act.ENQUIRY_STATE, about=THERE, detail="new to called")
    one = line(moved)
    assert (one.before, one.reference, one.after) == ("moved enquiry ", THERE, " on (new to called)")
    assert one.href == f"/staff/enquiry/?reference={THERE}"
    gone = line(entry(NOW, Act.ENQUIRY_DELETED, about="HG-2222-2222", detail="it is spam"))
    assert (gone.href, text(gone)) == ("", "ada deleted enquiry HG-2222-2222 (it is spam)")


def test_tally_says_whether_that_is_all() -> None:
    assert record_days((), existing=(), now=NOW) == ()
    tallies = {
        (0, False, False): "Nothing is in the record yet",
        (0, False, True): "Nothing in the record fits",
        (1, False, True): "1 line, and none older",
        (1_000, True, False): "1,000 lines, and there are older ones",
    }
    for (shown, has_more, is_narrowed), sentence in tallies.items():
        assert tally(shown, has_more=has_more, is_narrowed=is_narrowed) == sentence
