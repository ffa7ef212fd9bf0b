from dataclasses import replace

import pytest

from broker.enquiries.enquiry import HIDDEN, TOKEN, EnquiryKind, StoredEnquiry
from broker.enquiries.service import (
    HIDDEN_FILLED,
    NOT_FOUND,
    NOT_OURS,
    TOO_FAST,
    TOO_MANY_TRIES,
    EnquiryCredentials,
    EnquiryRefused,
    Limits,
    Submission,
)
from broker.services import Services
from broker.settings import Settings
from tests.unit.enquiries.enquiring import Calendar, running, sent, thanked, with_token

MEGABYTE = "a" * 1_000_000

REFUSED = {
    "a robot's": (sent(**{HIDDEN: "Acme"}), "", HIDDEN_FILLED),
    "a forged token": (sent(**{TOKEN: "x" * 120}), "", NOT_OURS),
    "a long token": (sent(**{TOKEN: MEGABYTE}), "", NOT_OURS),
    "a token of another kind": (sent(**{TOKEN: ["a"]}), "", NOT_OURS),
    "no name": (sent(name=""), "name", "Enter your name"),
    "no number": (sent(telephone="020"), "telephone", "Enter a UK telephone number, for example 07700 900123"),
    "no message": (sent(EnquiryKind.CONTACT, message=""), "message", "Tell us in a few words how we can help"),
    "a long message": (sent(message=MEGABYTE), "message", "Write at most 2,000 characters"),
    "a long name": (sent(name=MEGABYTE), "name", "Enter your name in at most 100 characters"),
    "no tick": (sent(privacy=""), "privacy", "Tick the box to say that you have read the privacy notice"),
}


async def refusals(services: Services, forms: list[Submission]) -> list[tuple[str, str]]:
    answers = [await services.enquiries.submit(form) for form in forms]
    problems = [each.problems for each in answers if isinstance(each, EnquiryRefused)]
    return [(problem.field, problem.reason) for group in problems for problem in group]


async def test_form_is_refused_with_its_sentence(services: Services) -> None:
    for name, (form, field, reason) in REFUSED.items():
        assert await refusals(services, [form]) == [(field, reason)], name


@pytest.mark.parametrize(("seconds", "taken"), [(0, False), (1.9, False), (2, True), (3_000_000, True), (-3_600, True)])
async def test_form_is_taken_no_sooner_than_a_person_can_send_it(
    services: Services, calendar: Calendar, seconds: float, taken: bool
) -> None:
    form = sent(**{TOKEN: services.enquiries.forms.token()})
    calendar.forward(seconds=seconds)
    answer = await services.enquiries.submit(form)
    assert (answer == EnquiryRefused.saying(TOO_FAST)) is not taken


async def test_token_of_another_purpose_or_cut_short_is_not_ours(services: Services, calendar: Calendar) -> None:
    form = await with_token(services, calendar, sent())
    link = thanked(await services.enquiries.submit(form)).link
    cut = str(form.given[TOKEN])[:-5]
    assert await refusals(services, [sent(**{TOKEN: each}) for each in (link, cut)]) == [("", NOT_OURS)] * 2


async def test_address_that_sends_too_often_has_to_wait_and_others_do_not(db_settings: Settings) -> None:
    forms = [sent(name=f"Name {letter}") for letter in "ABCDE"]
    elsewhere = [replace(form, address=f"198.51.100.{place}") for place, form in enumerate(forms)]
    async with running(db_settings, limits=Limits(sent=10, sent_without_token=3)) as services:
        assert await refusals(services, forms) == [("", TOO_MANY_TRIES)] * 2
        assert await refusals(services, elsewhere) == []


async def test_refused_forms_are_not_counted(db_settings: Settings) -> None:
    forms = [*(sent(name="") for _ in range(5)), sent()]
    async with running(db_settings, limits=Limits(sent_without_token=1)) as services:
        assert await refusals(services, forms) == [("name", "Enter your name")] * 5


async def test_wrong_digits_are_limited_over_all_networks_and_the_link_still_works(db_settings: Settings) -> None:
    async with running(db_settings, limits=Limits(wrong=3)) as services:
        thanks, reasons = thanked(await services.enquiries.submit(sent())), []
        for guess in ("0000", "1111", "2222", "0123"):
            proof = EnquiryCredentials(address=f"192.0.2.{guess[0]}", reference=thanks.reference, digits=guess)
            found = await services.enquiries.find(proof)
            assert isinstance(found, EnquiryRefused)
            reasons.append(found.problems[0].reason)
        assert reasons == [NOT_FOUND] * 3 + [TOO_MANY_TRIES]
        by_link = await services.enquiries.thanked(thanks.link)
        assert isinstance(by_link, StoredEnquiry)
