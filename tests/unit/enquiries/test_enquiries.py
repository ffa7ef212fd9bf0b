import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime

from broker.cases.case import Case, Changed, Outcome
from broker.cases.changes import CallRecord
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import AdviceKept, Channel, Consent, Enquiry, EnquiryKind, EnquiryState, StoredEnquiry
from broker.enquiries.service import NO_LINK, NOT_FOUND, EnquiryCredentials, EnquiryRefused, months_after
from broker.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.questionnaire.journeys import VisitorJourney
from broker.services import Services
from broker.staff.audit import VISITOR, Act
from tests.unit.enquiries.enquiring import (
    ADDRESS,
    BEGINNING,
    BUILT,
    FORM,
    Calendar,
    answered,
    questionnaire,
    sent,
    thanked,
    with_token,
)


async def found_by(services: Services, reference: str, digits: str = "0123") -> StoredEnquiry | EnquiryRefused:
    return await services.enquiries.find(EnquiryCredentials(address=ADDRESS, reference=reference, digits=digits))


async def test_enquiry_is_stored_as_it_was_sent(services: Services) -> None:
    form = replace(sent(EnquiryKind.CONTACT), came_from="/remortgaging/?x=1")
    reference = thanked(await services.enquiries.submit(form)).reference
    assert await found_by(services, reference) == StoredEnquiry(
        reference=reference,
        state=EnquiryState.NEW,
        version=1,
        created=BEGINNING,
        delete_after=datetime(2027, 3, 31, 12, 0, tzinfo=UTC),
        page="/remortgaging/",
        enquiry=Enquiry(
            kind=EnquiryKind.CONTACT,
            contact=ContactDetails(
                name="Zebedee Quillfeather",
                telephone="+447700900123",
                email="zebedee@quill.example",
                when=CallTime.MORNING,
            ),
            consent=Consent(
                marketing=frozenset({Channel.EMAIL}), text_version="2026-03", at=BEGINNING, page="/contact/"
            ),
            message="About the cottage at Nether Wallop",
        ),
    )


async def test_same_form_is_one_enquiry_however_often_it_comes(services: Services, calendar: Calendar) -> None:
    form = await with_token(services, calendar, sent())
    at_once = await asyncio.gather(*(services.enquiries.submit(form) for _ in range(8)))
    again = [await services.enquiries.submit(each) for each in (await with_token(services, calendar, sent()), sent())]
    other = replace(form, given={**form.given, "name": "Somebody Else"})
    first = {thanked(each).reference for each in (*at_once, *again)}
    assert len(first) == 1
    assert thanked(await services.enquiries.submit(other)).reference not in first


async def test_same_words_are_one_enquiry_for_ten_minutes(services: Services, calendar: Calendar) -> None:
    seen = []
    for minutes in (9, 0, 2, 30):
        calendar.forward(minutes=minutes)
        seen.append(thanked(await services.enquiries.submit(sent())).reference)
    assert [seen.index(each) for each in seen] == [0, 0, 0, 3]


async def test_questionnaire_is_stored_with_its_answers_and_its_journey_goes(services: Services) -> None:
    journey = await answered(services)
    receipts = await asyncio.gather(*(services.enquiries.submit(questionnaire(journey)) for _ in range(4)))
    (reference,) = {thanked(each).reference for each in receipts}
    found = await found_by(services, reference)
    assert isinstance(found, StoredEnquiry)
    assert (found.enquiry.entry, dict(found.enquiry.answers)) == ("q1", {"q1": "stay", "q4": BUILT})
    assert [(line.label, line.words) for line in found.enquiry.lines] == [("Buy or stay?", "Stay"), ("Year", "1985")]
    assert await services.journeys.find(journey.token) is None


async def test_questionnaire_that_is_not_finished_or_not_there_is_refused(services: Services) -> None:
    held = await services.journeys.begin()
    unknown = VisitorJourney(token="x" * 43, version=1, journey=held.journey)
    refused = [await services.enquiries.submit(questionnaire(each)) for each in (held, unknown)]
    assert [each.problems[0].reason for each in refused if isinstance(each, EnquiryRefused)] == [
        "Answer the questions that are left first",
        ANSWERS_NOT_FOUND,
    ]


async def test_answer_that_comes_while_the_journey_is_sent_is_in_it_or_kept(services: Services) -> None:
    held = await answered(services)
    thanks, late = await asyncio.gather(
        services.enquiries.submit(questionnaire(held)), services.journeys.answer(held.token, "q4", answer={"01": 1_999})
    )
    found = await found_by(services, thanked(thanks).reference)
    assert isinstance(found, StoredEnquiry)
    assert found.enquiry.answers["q4"] == ({"01": 1_999} if isinstance(late, VisitorJourney) else BUILT)


PROOFS = {
    "as it was shown": ("{}", "0123", True),
    "small letters, no dashes": ("{lower}", " 01 23", True),
    "the whole number": ("{}", "07700 900123", True),
    "wrong digits": ("{}", "0124", False),
    "no digits": ("{}", "", False),
    "three of them": ("{}", "123", False),
    "another reference": ("HG-2222-2222", "0123", False),
    "no reference": ("nonsense", "----", False),
}


async def test_reference_and_the_last_digits_show_an_enquiry(services: Services) -> None:
    known = thanked(await services.enquiries.submit(sent())).reference
    for name, (reference, digits, is_shown) in PROOFS.items():
        found = await found_by(services, reference.format(known, lower=known.lower().replace("-", " ")), digits)
        assert isinstance(found, StoredEnquiry) if is_shown else found == EnquiryRefused.saying(NOT_FOUND), name


async def test_visitor_deletes_an_enquiry_and_the_record_says_so(services: Services) -> None:
    thanks = thanked(await services.enquiries.submit(sent()))
    proof = EnquiryCredentials(address=ADDRESS, reference=thanks.reference, digits="0123")
    assert await services.enquiries.delete(proof) is True
    assert await services.enquiries.thanked(thanks.link) == EnquiryRefused.saying(NO_LINK)
    assert await services.enquiries.delete(proof) == EnquiryRefused.saying(NOT_FOUND)
    (entry,) = await services.audit.latest(5)
    assert (entry.who, entry.what, entry.about) == (VISITOR, Act.ENQUIRY_DELETED, thanks.reference)


async def advised(services: Services, reference: str) -> None:
    record = CallRecord(outcome=Outcome.ADVICE_GIVEN, note="Needs and reasons")
    assert isinstance(await services.cases.record(reference, record, version=1, who="ada"), Changed)


async def test_visitor_deletes_all_but_the_record_of_advice_until_its_time(
    services: Services, calendar: Calendar
) -> None:
    form = sent(needs_words="Large print", needs_agreed="on")
    reference = thanked(await services.enquiries.submit(form)).reference
    proof = EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123")
    assert isinstance(await services.cases.add_note(reference, "Likes tea", who="ada"), Changed)
    await advised(services, reference)
    shown = await services.enquiries.find(proof)
    assert isinstance(shown, StoredEnquiry)
    kept = AdviceKept(until=date(2029, 3, 31))
    assert (shown.advice_until, shown.delete_after.date()) == (kept.until, date(2029, 4, 1))
    assert [await services.enquiries.delete(proof) for _ in range(2)] == [kept, kept]
    case = await services.cases.open(reference, who="ada")
    assert isinstance(case, Case)
    assert ([note.text for note in case.notes], case.needs) == (["Needs and reasons"], "")
    assert (case.head.state, case.head.next_action, case.head.next_due) == (EnquiryState.CLOSED, "", None)
    assert (case.kept.enquiry.contact.name, case.kept.enquiry.consent.marketing) == (FORM["name"], frozenset())
    entries = [each for each in await services.audit.latest(20) if each.who == VISITOR]
    assert {(each.what, each.about, each.detail) for each in entries} == {
        (Act.ADVICE_KEPT, reference, "advice kept until 31 March 2029")
    }
    calendar.forward(days=3 * 366)
    assert await services.enquiries.delete(proof) is True


async def test_visitor_deletes_what_was_merged_into_a_case_with_advice_and_the_case_stays(services: Services) -> None:
    reference = thanked(await services.enquiries.submit(sent())).reference
    other = thanked(await services.enquiries.submit(sent(message="Another"))).reference
    await advised(services, reference)
    assert isinstance(await services.cases.merge(other, reference, who="ada"), Changed)
    proof = EnquiryCredentials(address=ADDRESS, reference=other, digits="0123")
    assert await services.enquiries.delete(proof) == AdviceKept(until=date(2029, 3, 31))
    assert await found_by(services, other) == EnquiryRefused.saying(NOT_FOUND)
    assert isinstance(await found_by(services, reference), StoredEnquiry)
    done = [(each.what, each.about) for each in await services.audit.latest(20) if each.who == VISITOR]
    assert done == [(Act.ADVICE_KEPT, reference), (Act.ENQUIRY_DELETED, other)]


async def test_merged_enquiry_is_shown_with_the_deletion_of_its_case(services: Services, calendar: Calendar) -> None:
    reference = thanked(await services.enquiries.submit(sent())).reference
    calendar.forward(days=30)
    later = thanked(await services.enquiries.submit(sent(message="Another"))).reference
    assert isinstance(await services.cases.merge(reference, later, who="ada"), Changed)
    shown = [await found_by(services, each) for each in (reference, later)]
    assert {each.delete_after.date() for each in shown if isinstance(each, StoredEnquiry)} == {date(2027, 4, 30)}


async def test_link_of_thanks_ends_after_a_day(services: Services, calendar: Calendar) -> None:
    link = thanked(await services.enquiries.submit(sent())).link
    assert isinstance(await services.enquiries.thanked(link), StoredEnquiry)
    calendar.forward(days=1)
    assert await services.enquiries.thanked(link) == EnquiryRefused.saying(NO_LINK)


MONTHS = {
    "a year": (datetime(2026, 11, 21, 9, tzinfo=UTC), 12, datetime(2027, 11, 21, 9, tzinfo=UTC)),
    "a shorter month": (datetime(2026, 8, 31, tzinfo=UTC), 6, datetime(2027, 2, 28, tzinfo=UTC)),
    "a leap day": (datetime(2028, 2, 29, tzinfo=UTC), 12, datetime(2029, 2, 28, tzinfo=UTC)),
    "over the end of the year": (datetime(2026, 12, 1, tzinfo=UTC), 1, datetime(2027, 1, 1, tzinfo=UTC)),
}


def test_months_end_on_the_same_day_or_the_last() -> None:
    for name, (moment, months, later) in MONTHS.items():
        assert months_after(moment, months) == later, name
