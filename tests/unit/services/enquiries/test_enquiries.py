"""Enquiries: stored once whatever is pressed, shown and deleted for who sent them, on each kind of database."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.domain.enquiries.contact_details import CallTime, ContactDetails
from broker.domain.enquiries.enquiry import Channel, Consent, Enquiry, EnquiryKind
from broker.domain.enquiries.stored_records import EnquiryState, StoredEnquiry
from broker.domain.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.services.enquiries.enquiries import NOT_FOUND, EnquiryCredentials, EnquiryRefused, months_after
from broker.services.journeys import VisitorJourney
from broker.settings import Settings
from tests.unit.services.enquiring import (
    ADDRESS,
    BEGINNING,
    BUILT,
    Calendar,
    answered,
    questionnaire,
    running,
    sent,
    thanked,
    with_ticket,
)

DIGITS = "0123"


def test_enquiry_is_kept_as_it_was_sent(db_settings: Settings) -> None:
    async def block() -> StoredEnquiry | EnquiryRefused:
        async with running(db_settings) as services:
            form = replace(sent(EnquiryKind.CONTACT), came_from="/remortgaging/?x=1")
            thanks = thanked(await services.enquiries.submit(form))
            found = await services.enquiries.find(
                EnquiryCredentials(address=ADDRESS, reference=thanks.reference, digits=DIGITS)
            )
            assert isinstance(found, StoredEnquiry)
            assert found.reference == thanks.reference
            return replace(found, reference="")

    assert asyncio.run(block()) == StoredEnquiry(
        reference="",
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


def test_same_form_is_one_enquiry_however_often_it_comes(db_settings: Settings) -> None:
    async def block() -> tuple[int, int, int]:
        calendar = Calendar()
        async with running(db_settings, calendar) as services:
            form = await with_ticket(services, calendar, sent())
            at_once = await asyncio.gather(*(services.enquiries.submit(form) for _ in range(8)))
            again = [
                await services.enquiries.submit(await with_ticket(services, calendar, sent())),
                await services.enquiries.submit(sent()),
            ]
            other = replace(form, given={**form.given, "name": "Somebody Else"})
            others = thanked(await services.enquiries.submit(other)).reference
            first = {thanked(each).reference for each in (*at_once, *again)}
            return len(first), len({*first, others}), len(at_once)

    assert asyncio.run(block()) == (1, 2, 8)


def test_same_words_are_one_enquiry_for_ten_minutes(db_settings: Settings) -> None:
    async def block() -> list[int]:
        calendar = Calendar()
        calendar.forward(minutes=9)
        async with running(db_settings, calendar) as services:
            seen = [thanked(await services.enquiries.submit(sent())).reference]
            for minutes in (0, 2, 30):
                calendar.forward(minutes=minutes)
                seen.append(thanked(await services.enquiries.submit(sent())).reference)
            return [seen.index(each) for each in seen]

    assert asyncio.run(block()) == [0, 0, 0, 3]


def test_questionnaire_is_stored_with_its_answers_and_its_journey_goes(db_settings: Settings) -> None:
    async def block() -> tuple[object, ...]:
        async with running(db_settings) as services:
            held = await answered(services)
            both = await asyncio.gather(*(services.enquiries.submit(questionnaire(held)) for _ in range(4)))
            thanks = {thanked(each).reference for each in both}
            found = await services.enquiries.find(
                EnquiryCredentials(address=ADDRESS, reference=thanks.pop(), digits=DIGITS)
            )
            assert isinstance(found, StoredEnquiry)
            asked = found.enquiry
            words = [(line.label, line.words) for line in asked.lines]
            return len(thanks), asked.entry, dict(asked.answers), words, await services.journeys.find(held.token)

    words = [("Buy or stay?", "Stay"), ("Year", "1985")]
    assert asyncio.run(block()) == (0, "q1", {"q1": "stay", "q4": BUILT}, words, None)


def test_questionnaire_that_is_not_finished_or_not_there_is_refused(db_settings: Settings) -> None:
    async def block() -> list[object]:
        async with running(db_settings) as services:
            held = await services.journeys.begin()
            unknown = VisitorJourney(token="x" * 43, version=1, journey=held.journey)
            refused = [await services.enquiries.submit(questionnaire(each)) for each in (held, unknown)]
            return [each.problems[0].reason for each in refused if isinstance(each, EnquiryRefused)]

    assert asyncio.run(block()) == ["Answer the questions that are left first", ANSWERS_NOT_FOUND]


def test_answer_that_comes_while_the_journey_is_sent_is_in_it_or_kept(db_settings: Settings) -> None:
    async def block() -> None:
        async with running(db_settings) as services:
            held = await answered(services)
            thanks, late = await asyncio.gather(
                services.enquiries.submit(questionnaire(held)),
                services.journeys.answer(held.token, "q4", answer={"01": 1_999}),
            )
            proof = EnquiryCredentials(address=ADDRESS, reference=thanked(thanks).reference, digits=DIGITS)
            found = await services.enquiries.find(proof)
            assert isinstance(found, StoredEnquiry)
            assert found.enquiry.answers["q4"] == ({"01": 1_999} if isinstance(late, VisitorJourney) else BUILT)

    asyncio.run(block())


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


@pytest.mark.parametrize(("reference", "digits", "shown"), PROOFS.values(), ids=PROOFS)
def test_reference_and_the_last_digits_show_an_enquiry(
    db_settings: Settings, reference: str, digits: str, shown: bool
) -> None:
    async def block() -> object:
        async with running(db_settings) as services:
            known = thanked(await services.enquiries.submit(sent())).reference
            typed = reference.format(known, lower=known.lower().replace("-", " "))
            return await services.enquiries.find(EnquiryCredentials(address=ADDRESS, reference=typed, digits=digits))

    found = asyncio.run(block())
    assert isinstance(found, StoredEnquiry) if shown else found == EnquiryRefused.saying(NOT_FOUND)


def test_visitor_deletes_what_is_kept_by_either_proof(db_settings: Settings) -> None:
    async def block() -> list[object]:
        async with running(db_settings) as services:
            admin, done = services.enquiries, []
            for name in ("Ann", "Bob"):
                thanks = thanked(await admin.submit(sent(name=name)))
                by_digits = EnquiryCredentials(address=ADDRESS, reference=thanks.reference, digits=DIGITS)
                by_link = EnquiryCredentials(address=ADDRESS, link=thanks.link)
                first = by_digits if name == "Ann" else by_link
                done += [await admin.delete(first), isinstance(await admin.find(by_link), EnquiryRefused)]
                done.append(await admin.delete(by_digits) == EnquiryRefused.saying(NOT_FOUND))
            return done

    assert asyncio.run(block()) == [True] * 6


MONTHS = {
    "a year": (datetime(2026, 11, 21, 9, tzinfo=UTC), 12, datetime(2027, 11, 21, 9, tzinfo=UTC)),
    "a shorter month": (datetime(2026, 8, 31, tzinfo=UTC), 6, datetime(2027, 2, 28, tzinfo=UTC)),
    "a leap day": (datetime(2028, 2, 29, tzinfo=UTC), 12, datetime(2029, 2, 28, tzinfo=UTC)),
    "over the end of the year": (datetime(2026, 12, 1, tzinfo=UTC), 1, datetime(2027, 1, 1, tzinfo=UTC)),
}


@pytest.mark.parametrize(("moment", "months", "later"), MONTHS.values(), ids=MONTHS)
def test_months_end_on_the_same_day_or_the_last(moment: datetime, months: int, later: datetime) -> None:
    assert months_after(moment, months) == later
    assert later - moment <= timedelta(days=31 * months)
