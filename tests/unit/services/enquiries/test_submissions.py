"""Forms that are refused, each with its sentence, and nothing stored."""

import asyncio
import logging
from dataclasses import replace

import pytest

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import HIDDEN, TICKET, StorageError
from broker.services.enquiries.enquiries import AWAY, TOO_MANY_TRIES, EnquiryCredentials, EnquiryRefused, Limits
from broker.services.enquiries.submissions import HIDDEN_FILLED, NOT_OURS, TOO_FAST, Submission
from broker.settings import Settings
from tests.unit.services.enquiring import ADDRESS, Calendar, running, sent, thanked, with_ticket

MEGABYTE = "a" * 1_000_000

REFUSED = {
    "a robot's": (sent(**{HIDDEN: "Acme"}), "", HIDDEN_FILLED),
    "a forged ticket": (sent(**{TICKET: "x" * 120}), "", NOT_OURS),
    "a long ticket": (sent(**{TICKET: MEGABYTE}), "", NOT_OURS),
    "a ticket of another kind": (sent(**{TICKET: ["a"]}), "", NOT_OURS),
    "no name": (sent(name=""), "name", "Enter your name"),
    "no number": (sent(telephone="020"), "telephone", "Enter a UK telephone number, for example 07700 900123"),
    "no message": (sent(EnquiryKind.CONTACT, message=""), "message", "Tell us in a few words how we can help"),
    "a long message": (sent(message=MEGABYTE), "message", "Write at most 2,000 characters"),
    "a long name": (sent(name=MEGABYTE), "name", "Enter your name in at most 100 characters"),
    "no tick": (sent(privacy=""), "privacy", "Tick the box to say that you have read the privacy notice"),
}


def refusals(settings: Settings, forms: list[Submission], limits: Limits | None = None) -> list[tuple[str, str]]:
    """Return the field and the sentence of each refusal."""

    async def block() -> list[tuple[str, str]]:
        async with running(settings, limits=limits) as services:
            answers = [await services.enquiries.submit(form) for form in forms]
        problems = [each.problems for each in answers if isinstance(each, EnquiryRefused)]
        return [(problem.field, problem.reason) for group in problems for problem in group]

    return asyncio.run(block())


@pytest.mark.parametrize(("form", "field", "reason"), REFUSED.values(), ids=REFUSED)
def test_form_is_refused_with_its_sentence(db_settings: Settings, form: Submission, field: str, reason: str) -> None:
    assert refusals(db_settings, [form]) == [(field, reason)]


@pytest.mark.parametrize(("seconds", "taken"), [(0, False), (1.9, False), (2, True), (3_000_000, True)])
def test_form_is_taken_no_sooner_than_a_person_can_send_it(db_settings: Settings, seconds: float, taken: bool) -> None:
    async def block() -> object:
        calendar = Calendar()
        async with running(db_settings, calendar) as services:
            form = sent(**{TICKET: services.enquiries.forms.ticket()})
            calendar.forward(seconds=seconds)
            return await services.enquiries.submit(form)

    answer = asyncio.run(block())
    assert (answer == EnquiryRefused.saying(TOO_FAST)) is not taken


def test_ticket_of_another_purpose_or_cut_short_is_not_ours(db_settings: Settings) -> None:
    async def block() -> list[object]:
        calendar = Calendar()
        async with running(db_settings, calendar) as services:
            form = await with_ticket(services, calendar, sent())
            link = thanked(await services.enquiries.submit(form)).link
            cut = str(form.given[TICKET])[:-5]
            return [await services.enquiries.submit(sent(**{TICKET: each})) for each in (link, cut)]

    assert asyncio.run(block()) == [EnquiryRefused.saying(NOT_OURS)] * 2


def test_address_that_sends_too_often_is_told_to_wait_and_others_are_not(db_settings: Settings) -> None:
    limits = Limits(sent=10, sent_without_ticket=3)
    forms = [sent(name=f"Name {letter}") for letter in "ABCDE"]
    assert refusals(db_settings, forms, limits) == [("", TOO_MANY_TRIES)] * 2
    elsewhere = [replace(form, address=f"198.51.100.{place}") for place, form in enumerate(forms)]
    assert refusals(db_settings, elsewhere, limits) == []


def test_refused_forms_take_no_turn(db_settings: Settings) -> None:
    forms = [*(sent(name="") for _ in range(5)), sent()]
    assert refusals(db_settings, forms, Limits(sent_without_ticket=1)) == [("name", "Enter your name")] * 5


def test_guesses_end_after_a_few_whoever_guesses_and_the_link_still_shows(db_settings: Settings) -> None:
    async def block() -> tuple[list[str], bool]:
        async with running(db_settings, limits=Limits(wrong=3)) as services:
            thanks = thanked(await services.enquiries.submit(sent()))
            said = []
            for guess in ("0000", "1111", "2222", "0123"):
                proof = EnquiryCredentials(address=f"192.0.2.{guess[0]}", reference=thanks.reference, digits=guess)
                found = await services.enquiries.find(proof)
                said.append(found.problems[0].reason if isinstance(found, EnquiryRefused) else "shown")
            by_link = await services.enquiries.find(EnquiryCredentials(address=ADDRESS, link=thanks.link))
            return said, isinstance(by_link, EnquiryRefused)

    said, refused = asyncio.run(block())
    assert (said[-1], len(set(said[:-1])), refused) == (TOO_MANY_TRIES, 1, False)


def test_database_that_is_away_is_told_to_the_visitor_and_to_the_log(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: object) -> None:
        raise StorageError("the database cannot be used: ConnectionRefusedError")

    async def block() -> object:
        async with running(db_settings) as services:
            monkeypatch.setattr("broker.storage.database.Database.write", away)
            return await services.enquiries.submit(sent())

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(block()) == EnquiryRefused.saying(AWAY)
    assert [record.getMessage() for record in caplog.records] == [
        "enquiries: the database cannot be used: ConnectionRefusedError"
    ]
