"""Journeys: kept from answer to answer, in several tabs at once, and found again by a link."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from broker.domain.questionnaire.journey import OFF_PATH, Refused
from broker.services.casework import Casework
from broker.services.journeys import EXPIRED, FORGED, GONE, Gone, Held, JourneyService, TwoJourneys
from broker.settings import Settings
from tests.unit.services.enquiring import BUILT, Calendar, answered, running, sent, thanked

Told = Callable[[Casework, Calendar], Coroutine[Any, Any, object]]
PRICE = {"01": 200_000, "02": 25_000, "04": "free"}


def told(settings: Settings, story: Told) -> object:
    """Return what a story ends with."""

    async def block() -> object:
        calendar = Calendar()
        async with running(settings, calendar) as casework:
            return await story(casework, calendar)

    return asyncio.run(block())


async def held(journeys: JourneyService, token: str) -> Held:
    """Return a journey that must be there."""
    found = await journeys.find(token)
    assert found
    return found


def test_answers_are_there_after_a_restart(db_settings: Settings) -> None:
    async def first(casework: Casework, _: Calendar) -> object:
        return (await answered(casework)).token

    token = str(told(db_settings, first))

    async def second(casework: Casework, _: Calendar) -> object:
        found = await casework.journeys.open(token)
        return found.token == token, found.version, found.journey.answers, found.journey.is_complete

    assert told(db_settings, second) == (True, 3, {"q1": "stay", "q4": BUILT}, True)


@pytest.mark.parametrize("token", ["", "short", "x" * 43, "x" * 1_000_000, "'; DROP TABLE journeys", "\0" * 43])
def test_unknown_token_opens_a_new_journey_under_a_new_token(db_settings: Settings, token: str) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        nothing = await casework.journeys.find(token)
        gone = await casework.journeys.answer(token, "q1", answer="buy")
        begun = await casework.journeys.open(token)
        return nothing, gone, begun.token != token, len(begun.token), begun.journey.path

    assert told(db_settings, story) == (None, Gone(), True, 43, ("q1",))


def test_another_entry_leads_through_the_same_answers(db_settings: Settings) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        first = await casework.journeys.open("", "q2")
        again = await casework.journeys.open(first.token, "q1")
        return again.token == first.token, again.version, again.journey.entry

    assert told(db_settings, story) == (True, 1, "q1")


BAD = {
    "off the path": ("q4", BUILT, OFF_PATH),
    "no step of ours": ("q999", "buy", OFF_PATH),
    "no step at all": (None, "buy", OFF_PATH),
    "no option": ("q1", "sell", "Choose one of the answers"),
    "a megabyte": ("q1", "a" * 1_000_000, "Choose one of the answers"),
    "a megabyte of keys": ("q1", {str(key): key for key in range(100_000)}, "Choose one of the answers"),
}


@pytest.mark.parametrize(("step", "answer", "reason"), BAD.values(), ids=BAD)
def test_bad_answer_is_refused_and_changes_nothing(
    db_settings: Settings, step: object, answer: object, reason: str
) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        begun = await casework.journeys.open("")
        refused = await casework.journeys.answer(begun.token, step, answer=answer)
        assert isinstance(refused, Refused)
        return refused.invalid[0].reason, await held(casework.journeys, begun.token) == begun

    assert told(db_settings, story) == (reason, True)


def test_tabs_that_answer_at_once_lose_nothing(db_settings: Settings) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        journeys = casework.journeys
        token = (await journeys.open("")).token
        await journeys.answer(token, "q1", answer="buy")
        await journeys.answer(token, "q5", answer=PRICE)
        years = [{"01": year} for year in range(1_900, 1_908)]
        await journeys.answer(token, "q6", answer="seen")
        await asyncio.gather(
            *(journeys.answer(token, "q4", answer=year) for year in years),
            journeys.answer(token, "q5", answer={**PRICE, "02": 30_000}),
        )
        after = await held(journeys, token)
        return after.version, after.journey.answers["q5"], after.journey.path

    wanted = (13, {**PRICE, "02": 30_000}, ("q1", "q5", "q6", "q4"))
    assert told(db_settings, story) == wanted


def test_answer_that_waited_never_takes_the_place_of_a_newer_one(db_settings: Settings) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        journeys = casework.journeys
        begun = await journeys.open("")
        await journeys.answer(begun.token, "q1", answer="buy")
        waited = await journeys.answer(begun.token, "q1", answer="stay", seen=begun.version)
        newer = await held(journeys, begun.token)
        assert waited == newer
        fresh = await journeys.answer(begun.token, "q1", answer="stay", seen=newer.version)
        assert isinstance(fresh, Held)
        return newer.journey.answers, fresh.journey.answers

    assert told(db_settings, story) == ({"q1": "buy"}, {"q1": "stay"})


def test_link_leads_another_browser_to_the_journey_and_nothing_else(db_settings: Settings) -> None:
    async def story(casework: Casework, calendar: Calendar) -> object:
        done = await answered(casework)
        calendar.forward(days=29)
        link = str(await casework.journeys.link(done.token))
        calendar.forward(days=29)
        found = await casework.journeys.resume(link)
        assert isinstance(found, Held)
        enquiry = thanked(await casework.enquiries.submit(sent())).link
        ticket = casework.enquiries.forms.ticket()
        refused = [await casework.journeys.resume(each) for each in (enquiry, ticket)]
        return found.token == done.token, found.journey.answers, done.token in link, refused

    kept = {"q1": "stay", "q4": BUILT}
    assert told(db_settings, story) == (True, kept, False, [Gone(words=FORGED)] * 2)


def test_browser_with_answers_of_its_own_is_asked_first(db_settings: Settings) -> None:
    async def story(casework: Casework, _: Calendar) -> object:
        saved, own, empty = await answered(casework), await answered(casework), await casework.journeys.open("")
        link = str(await casework.journeys.link(saved.token))
        asked = await casework.journeys.resume(link, own=own.token)
        assert isinstance(asked, TwoJourneys)
        chosen = await casework.journeys.resume(link, own=own.token, replace=True)
        others = [await casework.journeys.resume(link, own=each) for each in (empty.token, saved.token, "nonsense")]
        tokens = {each.token for each in (asked.saved, chosen, *others) if isinstance(each, Held)}
        return asked.own == own, tokens == {saved.token}, len(others)

    assert told(db_settings, story) == (True, True, 3)


def test_forged_expired_and_useless_links_are_refused_each_with_its_sentence(db_settings: Settings) -> None:
    async def story(casework: Casework, calendar: Calendar) -> object:
        journeys = casework.journeys
        done = await answered(casework)
        link = str(await journeys.link(done.token))
        forged = ("", None, "x", link[:-1], link[:-8] + "AAAAAAA=", link.lower(), "é" * 90, "a" * 1_000_000)
        words = {each.words for text in forged if isinstance(each := await journeys.resume(text), Gone)}
        await journeys.forget(done.token)
        gone = await journeys.resume(link)
        calendar.forward(days=30)
        late = await journeys.resume(link)
        assert isinstance(gone, Gone)
        assert isinstance(late, Gone)
        return words, gone.words, late.words, await journeys.link(done.token)

    assert told(db_settings, story) == ({FORGED}, GONE, EXPIRED, Gone())
