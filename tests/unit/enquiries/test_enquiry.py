from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from broker.enquiries.contact_details import (
    CallTime,
    ContactDetails,
    Problem,
    email_problem,
    parse_contact_details,
    single_line,
    uk_telephone,
)
from broker.enquiries.enquiry import (
    Channel,
    Consent,
    Enquiry,
    EnquiryKind,
    page_path,
    parse_consent,
    parse_enquiry,
    wanted_slot,
)
from broker.questionnaire.journey import Journey, replay
from tests.unit.questionnaire.flows import FLOW, reply
from tests.unit.questionnaire.journeys import journeys
from tests.unit.questionnaire.walks import forged_answer

AT = datetime(2026, 11, 21, 9, 12, tzinfo=UTC)
FORM: dict[str, object] = {
    "name": "  Zoë\tO’Brien-Smith ",
    "telephone": "(020) 7946 0123",
    "email": "Zoe.OBrien+home@Example.COM",
    "when": "morning",
    "message": "Two of us.\r\nCall after ten, please.",
    "privacy": "on",
}
ZOE = ContactDetails(
    name="Zoë O’Brien-Smith", telephone="+442079460123", email="Zoe.OBrien+home@example.com", when=CallTime.MORNING
)


def sent(kind: EnquiryKind = EnquiryKind.CALLBACK, journey: Journey | None = None, **fields: object) -> object:
    """Return the result of a valid form with some fields changed; None leaves one out."""
    form = {name: value for name, value in {**FORM, **fields}.items() if value is not None}
    return parse_enquiry(kind, form, text_version="2026-11", at=AT, page="/contact/?name=Zoe", journey=journey)


def journey(**changed: object) -> Journey:
    chosen = journeys(FLOW)["entry q33"]
    answers = {step: reply(FLOW.steps[step], words) for step, words in chosen.replies}
    return replay(FLOW, chosen.entry, {**answers, **changed})


@pytest.mark.parametrize("kind", [EnquiryKind.CALLBACK, EnquiryKind.CONTACT])
def test_form_becomes_an_enquiry(kind: EnquiryKind) -> None:
    assert sent(kind) == Enquiry(
        kind=kind,
        contact=ZOE,
        consent=Consent(marketing=frozenset(), text_version="2026-11", at=AT, page="/contact/"),
        message="Two of us.\nCall after ten, please.",
    )


def test_questionnaire_becomes_an_enquiry_with_its_answers() -> None:
    done = journey()
    found = sent(EnquiryKind.QUESTIONNAIRE, done, message=None)
    assert isinstance(found, Enquiry)
    assert (found.entry, list(found.answers), found.lines) == ("q33", list(done.path), done.lines)
    assert found.answers["q34"] == {"01": 200_000, "02": 60_000}


def test_enquiry_has_only_the_answers_of_its_path_and_kind() -> None:
    found = sent(EnquiryKind.QUESTIONNAIRE, journey(q17={"01": 2}, q1="purchase"))
    assert isinstance(found, Enquiry)
    assert list(found.answers) == list(journeys(FLOW)["entry q33"].steps)
    assert sent(EnquiryKind.CONTACT, journey()) == sent(EnquiryKind.CONTACT)


@pytest.mark.parametrize("unfinished", [None, journey(q44=None), replay(FLOW, "q1", {})])
def test_unfinished_questionnaire_is_no_enquiry(unfinished: Journey | None) -> None:
    unanswered = Problem(field="answers", reason="Answer the questions that are left first")
    assert sent(EnquiryKind.QUESTIONNAIRE, unfinished) == (unanswered,)


NAME, PHONE = "Enter your name", "Enter a UK telephone number, for example 07700 900123"
EMAIL = "Enter an email address like name@example.com, or leave it empty"
PRIVACY = "Tick the box to say that you have read the privacy notice"
NO_EMAIL = "Enter an email address, or do not choose news by email"
LONG_MESSAGE = "Write at most 2,000 characters"

PROBLEMS: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "no name": ({"name": None}, [("name", NAME)]),
    "name of spaces": ({"name": " \t\n"}, [("name", NAME)]),
    "name of marks that cannot be seen": ({"name": "\u200b\u202e\x00\ufeff"}, [("name", NAME)]),
    "name of digits": ({"name": "12345"}, [("name", NAME)]),
    "long name": ({"name": "a" * 101}, [("name", "Enter your name in at most 100 characters")]),
    "name of a megabyte": ({"name": "a" * 1_000_000}, [("name", "Enter your name in at most 100 characters")]),
    "link for a name": ({"name": "Win now http://x.example"}, [("name", "Enter your name, without a link")]),
    "no telephone": ({"telephone": ""}, [("telephone", PHONE)]),
    "bad email": ({"email": "zoe"}, [("email", EMAIL)]),
    "long email": ({"email": f"a@{'b.' * 130}com"}, [("email", "Enter an email address of at most 254 characters")]),
    "unknown time": ({"when": "midnight"}, [("when", "Choose one of the times to call")]),
    "long message": ({"message": "a" * 2_001}, [("message", LONG_MESSAGE)]),
    "privacy notice not read": ({"privacy": None}, [("privacy", PRIVACY)]),
    "privacy notice refused": ({"privacy": "no"}, [("privacy", PRIVACY)]),
    "privacy notice, something else": ({"privacy": 1}, [("privacy", PRIVACY)]),
    "unknown channel": ({"marketing": ["pigeon"]}, [("marketing", "Choose from the ways that are listed")]),
    "news by email to nobody": ({"marketing": "email", "email": None}, [("email", NO_EMAIL)]),
    "everything at once": (
        {"name": 7, "telephone": [], "email": "a@b", "when": {}, "message": "x" * 9_000, "privacy": False},
        [("name", NAME), ("telephone", PHONE), ("email", EMAIL), ("message", LONG_MESSAGE), ("privacy", PRIVACY)],
    ),
}


@pytest.mark.parametrize(("fields", "problems"), PROBLEMS.values(), ids=PROBLEMS)
def test_invalid_field_has_its_sentence(fields: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    assert sent(**fields) == tuple(Problem(field=name, reason=reason) for name, reason in problems)


def test_contact_form_needs_a_message() -> None:
    wanted = (Problem(field="message", reason="Tell us in a few words how we can help"),)
    assert [sent(EnquiryKind.CONTACT, message=each) for each in (None, " \u200f ")] == [wanted, wanted]


TELEPHONES = {
    ("+447700900123", "07700 900123"): (
        *("07700 900123", "07700900123", "+44 7700 900123", "+44 (0)7700 900-123", "0044 7700.900.123"),
        *("447700900123", "44 (0)7700 900123"),
        *("００４４ ７７００ ９００１２３", "\u202a07700 900123\u202c"),
    ),
    ("+442079460123", "020 7946 0123"): ("020 7946 0123",),
    ("+441134960123", "0113 496 0123"): ("(0113) 496 0123",),
    ("+441214960123", "0121 496 0123"): ("0121 496 0123",),
    ("+441632960123", "01632 960123"): ("01632 960123",),
    ("+44169772345", "01697 72345"): ("016977 2345",),
    ("+44800123456", "0800 123 456"): ("0800 123456",),
    ("+448081570123", "0808 157 0123"): ("0808 157 0123",),
    ("+443069990123", "0306 999 0123"): ("0306 999 0123",),
}
WRONG_TELEPHONES = ["", "7700 900123", "07700 90012", "07700 9001234", "0000 000 0000", "0900 123 4567", "call me"]
WRONG_TELEPHONES += ["+1 212 555 1234", "+353 1 234 5678", "07700 900123 x", "0４４", "+44+447700900123"]
WRONG_TELEPHONES += ["0207946 ext 012345", "x5", "447700900"]
WRONG_TELEPHONES += ["07700 900123" + " " * 200]


def test_telephone_is_stored_in_one_form_or_refused() -> None:
    for (stored, shown), texts in TELEPHONES.items():
        assert {text: uk_telephone(text) for text in texts} == dict.fromkeys(texts, (stored, ""))
        assert ContactDetails(name="Zoë", telephone=stored).telephone_shown == shown
    wrong: list[object] = [*WRONG_TELEPHONES, None, 7_700_900_123, ["07700 900123"], b"07700 900123"]
    assert [typed for typed in wrong if uk_telephone(typed) != ("", "")] == []


@pytest.mark.parametrize(
    "ending", ["ext 45", " ext. 45", " Extension: 45", ", x45", "x 45", " (ext 45)", " #45", ";ext=45"]
)
def test_extension_is_kept_beside_the_number(ending: str) -> None:
    assert uk_telephone(f"(020) 7946 0123{ending}") == ("+442079460123", "45")
    contact = parse_contact_details({"name": "Zoë", "telephone": f"(020) 7946 0123{ending}"})
    assert isinstance(contact, ContactDetails)
    assert contact.telephone_shown == "020 7946 0123 ext. 45"


GOOD_EMAILS = ["a@b.co", "zoe.o'brien@example.co.uk", "x+y_z@sub.example.com", "josé@exämple.de", ""]
GOOD_EMAILS += [f"{'a' * 64}@b.uk"]
BAD_EMAILS = ["a", "a@b", "@b.uk", "a@", "a@@b.uk", "a b@c.uk", "a@b..uk", ".a@b.uk", "a.@b.uk", "a..b@c.uk", "a@-b.uk"]
BAD_EMAILS += ["a@b-.uk", "a@b.u", "a@b_c.uk", "a@b.uk, c@d.uk", "<a@b.uk>", f"{'a' * 65}@b.uk", "a@b.uk;", "a@b.uk."]


def test_email_is_judged_without_being_clever() -> None:
    assert [email for email in GOOD_EMAILS if email_problem(email)] == []
    assert [email for email in BAD_EMAILS if not email_problem(email)] == []


LINES = {"a\u202eb\u200fc": "abc", "a\nBcc: x@y.uk": "a Bcc: x@y.uk", "a\u2028b\x85c\td": "a b c d", "名前": "名前"}
LINES |= {"\ud800a\x00\x1b[31m\x7f": "a[31m", "e\u0301": "é"}
PAGES = {"/contact/": "/contact/", "/a/b-c?name=Zoe": "/a/b-c", "/x/#me": "/x/", "/": "/", "": "/", "//evil/": "/"}
PAGES |= {"https://evil.example/": "/", "/a b": "/", "/" + "a" * 200: "/", "/é/": "/", "/a//b": "/"}


def test_invisible_characters_and_paths_of_others_are_removed() -> None:
    assert {typed: single_line(typed, 100) for typed in LINES} == LINES
    assert {page: page_path(page) for page in PAGES} == PAGES


def test_marketing_is_off_until_a_channel_is_chosen() -> None:
    chosen: dict[object, set[Channel]] = {None: set(), "": set(), "text": {Channel.TEXT}, (): set()}
    chosen |= {("email", "telephone"): {Channel.EMAIL, Channel.TELEPHONE}, ("text", "text"): {Channel.TEXT}}
    for marketing, channels in chosen.items():
        found = parse_consent({**FORM, "marketing": marketing}, text_version="1", at=AT, page="/")
        assert found == Consent(marketing=frozenset(channels), text_version="1", at=AT, page="/")


@pytest.mark.parametrize(
    "count", [pytest.param(2_000, id="2000"), pytest.param(100_000, id="100000", marks=pytest.mark.soak)]
)
def test_forged_forms_never_raise(count: int) -> None:
    draw = Random(20_261_124)
    for turn in range(count):
        fields: dict[str, Any] = {name: forged_answer(draw) for name in (*FORM, "marketing") if draw.random() < 0.5}
        found = sent(draw.choice(list(EnquiryKind)), **fields)
        problems = found if isinstance(found, tuple) else ()
        assert isinstance(found, Enquiry) or problems, turn
        assert len({problem.field for problem in problems}) == len(problems), turn


CALL, VIDEO = "20261130T0900Z-20-telephone", "20261130T0900Z-20-video"


@pytest.mark.parametrize(
    ("given", "value"),
    [({}, ""), ({"slot": ""}, ""), ({"slot": CALL}, CALL), ({"slot": VIDEO, "email": "ada@example.com"}, VIDEO)],
)
def test_slot_is_one_of_ours_or_none(given: dict[str, object], value: str) -> None:
    slot = wanted_slot(given)
    assert not isinstance(slot, tuple)
    assert (slot.value if slot else "") == value


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"slot": "20261130T0900Z-30-telephone"}, "slot"),
        ({"slot": "tomorrow"}, "slot"),
        ({"slot": VIDEO}, "email"),
        ({"slot": VIDEO, "email": " \u200b"}, "email"),
    ],
)
def test_slot_is_refused_where_it_is_none_or_a_video_call_has_no_email_address(
    given: dict[str, object], field: str
) -> None:
    refused = wanted_slot(given)
    assert isinstance(refused, tuple)
    assert [each.field for each in refused] == [field]
