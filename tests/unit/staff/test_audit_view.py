from datetime import UTC, datetime
from typing import Any

import pytest

from broker.staff.audit import COMMAND_LINE, UNKNOWN_ACTOR, Act, ActKind, AuditEntry, AuditFilter
from broker.staff.audit_view import KINDS, RecordLine, address_of, filter_in, form_of, record_days, tally, who_choices

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


ASKED = AuditFilter(who="ada", about="lender 42", kind=ActKind.LOGOS, before=120)


def test_address_and_form_ask_for_what_they_were_made_of() -> None:
    assert address_of(ASKED) == "/staff/record/?who=ada&about=lender+42&kind=logos&before=120"
    assert address_of(AuditFilter()) == "/staff/record/"
    assert filter_in({"who": "ada", "about": "lender 42", "kind": "logos", "before": "120"}) == ASKED
    assert form_of(ASKED) == {"who": "ada", "about": "lender 42", "kind": "logos"}
    assert filter_in(form_of(ASKED)).before == 0


SPOILT: dict[str, dict[str, Any]] = {
    "unknown kind": {"kind": "colours"},
    "before what is no number": {"before": "minus one"},
    "before another sort of number": {"before": "٣"},
    "before a number without end": {"before": "9" * 40},
    "other things": {"who": ["ada"], "about": {"a": 1}, "kind": 7, "before": 12},
    "too long": {"who": "a" * 9_000, "about": "b" * 9_000},
    "half a character": {"about": "\ud800"},
}


@pytest.mark.parametrize("parameters", SPOILT.values(), ids=SPOILT)
def test_malformed_parameters_are_ignored(parameters: dict[str, Any]) -> None:
    assert filter_in(parameters) == AuditFilter()


def test_every_kind_and_everybody_may_be_chosen() -> None:
    assert KINDS[0][0] == ""
    assert sorted(value for value, _ in KINDS[1:]) == sorted(ActKind)
    names = ("ada", "command line", "unknown")
    words = ["Anybody", "ada", "The command line", "Somebody unknown"]
    assert [said for _, said in who_choices(names, "")] == words
    assert [said for _, said in who_choices(names, "ada")] == words
    assert who_choices(names, "zed")[-1] == ("zed", "zed")
