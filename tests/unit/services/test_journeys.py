"""Journeys: kept from answer to answer, in several tabs at once, and found again by a link."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from broker.domain.questionnaire import journey as journey_module
from broker.domain.questionnaire.flow import Flow
from broker.domain.questionnaire.journey import ANSWERS_NOT_FOUND, OFF_PATH, Journey, Refused, replay
from broker.services import Services
from broker.services import journeys as journeys_module
from broker.services.journeys import (
    EXPIRED_LINK,
    INVALID_LINK,
    JourneyNotFound,
    JourneyService,
    TwoJourneys,
    VersionConflict,
    VisitorJourney,
)
from broker.settings import Settings
from tests.unit.services.enquiring import BUILT, Calendar, answered, running, sent, thanked

Told = Callable[[Services, Calendar], Coroutine[Any, Any, object]]
PRICE = {"01": 200_000, "02": 25_000, "04": "free"}


def told(settings: Settings, story: Told) -> object:
    """Return what a story ends with."""

    async def block() -> object:
        calendar = Calendar()
        async with running(settings, calendar) as services:
            return await story(services, calendar)

    return asyncio.run(block())


async def held(journeys: JourneyService, token: str) -> VisitorJourney:
    """Return a journey that must be there."""
    found = await journeys.find(token)
    assert found
    return found


def test_answers_are_there_after_a_restart(db_settings: Settings) -> None:
    async def first(services: Services, _: Calendar) -> object:
        return (await answered(services)).token

    token = str(told(db_settings, first))

    async def second(services: Services, _: Calendar) -> object:
        found = await services.journeys.find(token)
        assert found
        return found.token == token, found.version, found.journey.answers, found.journey.is_complete

    assert told(db_settings, second) == (True, 3, {"q1": "stay", "q4": BUILT}, True)


@pytest.mark.parametrize("token", ["", "short", "x" * 43, "x" * 1_000_000, "'; DROP TABLE journeys", "\0" * 43])
def test_unknown_token_finds_nothing_and_an_entry_begins_a_journey(db_settings: Settings, token: str) -> None:
    async def story(services: Services, _: Calendar) -> object:
        journeys = services.journeys
        nothing = [await journeys.find(token), *[await journeys.open(token, step) for step in ("q4", "q999", "")]]
        lost = await journeys.answer(token, "q4", answer=BUILT)
        begun = await journeys.open(token, "q1")
        assert begun
        again = {each.token for step in ("q1", "q4", "") if (each := await journeys.open(begun.token, step))}
        return nothing, lost, begun.token != token, len(begun.token), begun.journey.path, again == {begun.token}

    assert told(db_settings, story) == ([None] * 4, JourneyNotFound(), True, 43, ("q1",), True)


@pytest.mark.parametrize("token", ["", "x" * 43, "nonsense"])
def test_answer_to_an_entry_begins_a_journey(db_settings: Settings, token: str) -> None:
    async def story(services: Services, _: Calendar) -> object:
        stored = await services.journeys.answer(token, "q1", answer="stay", seen=7)
        assert isinstance(stored, VisitorJourney)
        refused = await services.journeys.answer(token, "q1", answer="sell")
        assert isinstance(refused, Refused)
        same = await held(services.journeys, stored.token) == stored
        return stored.token != token, same, stored.journey.answers, refused.invalid[0].reason, refused.off_path

    assert told(db_settings, story) == (True, True, {"q1": "stay"}, "Choose one of the answers", False)


def test_journey_is_replayed_once_a_request(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(services: Services, _: Calendar) -> object:
        journeys, done = services.journeys, await answered(services)
        calls = {
            "open": lambda: journeys.open(done.token, "q1"),
            "answer": lambda: journeys.answer(done.token, "q1", answer="buy"),
            "invalid": lambda: journeys.answer(done.token, "q1", answer="sell"),
            "off the path": lambda: journeys.answer(done.token, "q6", answer="seen"),
            "late": lambda: journeys.answer(done.token, "q1", answer="stay", seen=1),
            "begin with an answer": lambda: journeys.answer("", "q1", answer="buy"),
        }
        counts = {}
        for name, call in calls.items():
            replays.clear()
            await call()
            counts[name] = len(replays)
        return {name: count for name, count in counts.items() if count != 1}

    replays: list[str] = []

    def counted(flow: Flow, entry: str, answers: object) -> Journey:
        replays.append(entry)
        return replay(flow, entry, answers)

    for module in (journey_module, journeys_module):
        monkeypatch.setattr(module, "replay", counted)
    assert told(db_settings, story) == {}


BAD = {
    "off the path": ("q4", BUILT, OFF_PATH),
    "no step of ours": ("q999", "buy", OFF_PATH),
    "no step at all": (None, "buy", OFF_PATH),
    "a number for a step": (7, BUILT, OFF_PATH),
    "an empty step": ("", BUILT, OFF_PATH),
    "a list for a step": (["q1"], BUILT, OFF_PATH),
    "a mapping for a step": ({"q1": 1}, BUILT, OFF_PATH),
    "no option": ("q1", "sell", "Choose one of the answers"),
    "a megabyte": ("q1", "a" * 1_000_000, "Choose one of the answers"),
    "a megabyte of keys": ("q1", {str(key): key for key in range(100_000)}, "Choose one of the answers"),
}


def test_bad_answer_is_refused_and_changes_nothing(db_settings: Settings) -> None:
    async def story(services: Services, _: Calendar) -> object:
        begun = await services.journeys.begin()
        faults = []
        for name, (step, answer, reason) in BAD.items():
            for seen in (None, 1):
                refused = await services.journeys.answer(begun.token, step, answer=answer, seen=seen)
                if not isinstance(refused, Refused) or refused.invalid[0].reason != reason:
                    faults.append((name, refused))
        return faults, await held(services.journeys, begun.token) == begun

    assert told(db_settings, story) == ([], True)


def test_tabs_that_answer_at_once_lose_nothing(db_settings: Settings) -> None:
    async def story(services: Services, _: Calendar) -> object:
        journeys = services.journeys
        token = (await journeys.begin()).token
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


def test_late_answer_never_replaces_a_newer_one(db_settings: Settings) -> None:
    async def story(services: Services, _: Calendar) -> object:
        journeys = services.journeys
        begun = await journeys.begin()
        newer = await journeys.answer(begun.token, "q1", answer="buy")
        assert isinstance(newer, VisitorJourney)
        late = await journeys.answer(begun.token, "q1", answer="stay", seen=begun.version)
        same = await journeys.answer(begun.token, "q1", answer="buy", seen=begun.version)
        stored = await held(journeys, begun.token)
        fresh = await journeys.answer(begun.token, "q1", answer="stay", seen=newer.version)
        assert isinstance(fresh, VisitorJourney)
        plain = await journeys.answer(begun.token, "q1", answer="buy")
        assert isinstance(plain, VisitorJourney)
        unchanged = (late, same, stored) == (VersionConflict(stored=newer), newer, newer)
        return unchanged, fresh.journey.answers, plain.journey.answers

    assert told(db_settings, story) == (True, {"q1": "stay"}, {"q1": "buy"})


def test_link_leads_another_browser_to_the_journey_and_nothing_else(db_settings: Settings) -> None:
    async def story(services: Services, calendar: Calendar) -> object:
        done = await answered(services)
        calendar.forward(days=29)
        link = str(await services.journeys.link(done.token))
        calendar.forward(days=29)
        found = await services.journeys.resume(link)
        assert isinstance(found, VisitorJourney)
        enquiry = thanked(await services.enquiries.submit(sent())).link
        ticket = services.enquiries.forms.ticket()
        refused = [await services.journeys.resume(each) for each in (enquiry, ticket)]
        return found.token == done.token, found.journey.answers, done.token in link, refused

    kept = {"q1": "stay", "q4": BUILT}
    assert told(db_settings, story) == (True, kept, False, [JourneyNotFound(message=INVALID_LINK)] * 2)


def test_browser_with_answers_of_its_own_is_asked_first(db_settings: Settings) -> None:
    async def story(services: Services, _: Calendar) -> object:
        saved, own, empty = await answered(services), await answered(services), await services.journeys.begin()
        link = str(await services.journeys.link(saved.token))
        asked = await services.journeys.resume(link, own=own.token)
        assert isinstance(asked, TwoJourneys)
        chosen = await services.journeys.resume(link, own=own.token, replace=True)
        others = [await services.journeys.resume(link, own=each) for each in (empty.token, saved.token, "nonsense")]
        tokens = {each.token for each in (asked.saved, chosen, *others) if isinstance(each, VisitorJourney)}
        return asked.own == own, tokens == {saved.token}, len(others)

    assert told(db_settings, story) == (True, True, 3)


def test_invalid_and_expired_links_are_refused_each_with_its_sentence(db_settings: Settings) -> None:
    async def story(services: Services, calendar: Calendar) -> object:
        journeys = services.journeys
        done = await answered(services)
        link = str(await journeys.link(done.token))
        forged = ("", None, "x", link[:-1], link[:-8] + "AAAAAAA=", link.lower(), "é" * 90, "a" * 1_000_000)
        words = {each.message for text in forged if isinstance(each := await journeys.resume(text), JourneyNotFound)}
        await journeys.forget(done.token)
        gone = await journeys.resume(link)
        calendar.forward(days=30)
        late = await journeys.resume(link)
        assert isinstance(gone, JourneyNotFound)
        assert isinstance(late, JourneyNotFound)
        return words, gone.message, late.message, await journeys.link(done.token)

    assert told(db_settings, story) == ({INVALID_LINK}, ANSWERS_NOT_FOUND, EXPIRED_LINK, JourneyNotFound())
