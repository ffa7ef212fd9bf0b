import asyncio
from datetime import timedelta

import pytest

from broker.questionnaire.forms import question_digest
from broker.questionnaire.journey import ANSWERS_NOT_FOUND, OFF_PATH, Refused
from broker.questionnaire.journeys import (
    EXPIRED_LINK,
    INVALID_LINK,
    MAX_BEGUN,
    JourneyNotFound,
    JourneyService,
    QuestionChanged,
    TwoJourneys,
    VersionConflict,
    VisitorJourney,
)
from broker.services import Services
from broker.settings import Settings
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BUILT, Calendar, answered, running, sent, thanked
from tests.unit.questionnaire.edited_flow import Editor, ask_new_question, edited, edited_flows, reword

PRICE = {"01": 200_000, "02": 25_000, "04": "free"}


async def held(journeys: JourneyService, token: str) -> VisitorJourney:
    found = await journeys.find(token)
    assert found
    return found


async def test_one_network_begins_so_many_questionnaires_in_an_hour(services: Services) -> None:
    journeys, (most, window) = services.journeys, MAX_BEGUN
    for number in range(most // 2):
        await journeys.open("", "q1", address=f"2001:db8:1:2::{number:x}")
        await journeys.answer("", "q1", answer="stay", address=f"2001:db8:1:2:1::{number:x}")
    begun = await journeys.begin()
    for ask in (journeys.open("", "q1", address="2001:db8:1:2::"), journeys.begin(address="2001:db8:1:2::1")):
        with pytest.raises(StorageError, match="one network begins too many questionnaires"):
            await ask
    assert await journeys.open(begun.token, "q1", address="2001:db8:1:2::") == begun
    assert await journeys.open("", "q1", address="2001:db8:1:3::")
    assert window == timedelta(hours=1)


async def test_answers_are_there_after_a_restart(services: Services, db_settings: Settings) -> None:
    token = (await answered(services)).token
    async with running(db_settings) as restarted:
        found = await held(restarted.journeys, token)
        assert (found.token, found.version, found.journey.is_complete) == (token, 3, True)
        assert found.journey.answers == {"q1": "stay", "q4": BUILT}


@pytest.mark.parametrize("token", ["", "short", "x" * 43, "x" * 1_000_000, "'; DROP TABLE journeys", "\0" * 43])
async def test_unknown_token_finds_nothing_and_an_entry_begins_a_journey(services: Services, token: str) -> None:
    journeys = services.journeys
    assert await journeys.find(token) is None
    assert [await journeys.open(token, step) for step in ("q4", "q999", "")] == [None] * 3
    assert await journeys.answer(token, "q4", answer=BUILT) == JourneyNotFound()
    begun = await journeys.open(token, "q1")
    assert begun
    assert (begun.token != token, len(begun.token), begun.journey.path) == (True, 43, ("q1",))
    for step in ("q1", "q4", ""):
        assert getattr(await journeys.open(begun.token, step), "token", "") == begun.token


@pytest.mark.parametrize("token", ["", "x" * 43, "nonsense"])
async def test_answer_to_an_entry_begins_a_journey(services: Services, token: str) -> None:
    stored = await services.journeys.answer(token, "q1", answer="stay", seen=7)
    assert isinstance(stored, VisitorJourney)
    assert (stored.token != token, stored.journey.answers) == (True, {"q1": "stay"})
    assert await held(services.journeys, stored.token) == stored
    refused = await services.journeys.answer(token, "q1", answer="sell")
    assert isinstance(refused, Refused)
    assert (refused.invalid[0].reason, refused.off_path) == ("Choose one of the answers", False)


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


async def test_bad_answer_is_refused_and_changes_nothing(services: Services) -> None:
    begun = await services.journeys.begin()
    for name, (step, answer, reason) in BAD.items():
        for seen in (None, 1):
            refused = await services.journeys.answer(begun.token, step, answer=answer, seen=seen)
            assert isinstance(refused, Refused), name
            assert refused.invalid[0].reason == reason, name
    assert await held(services.journeys, begun.token) == begun


async def test_tabs_that_answer_at_once_lose_nothing(services: Services) -> None:
    journeys, price = services.journeys, {**PRICE, "02": 30_000}
    token = (await journeys.begin()).token
    await journeys.answer(token, "q1", answer="buy")
    await journeys.answer(token, "q5", answer=PRICE)
    years = [{"01": year} for year in range(1_900, 1_908)]
    await journeys.answer(token, "q6", answer="seen")
    await asyncio.gather(
        *(journeys.answer(token, "q4", answer=year) for year in years), journeys.answer(token, "q5", answer=price)
    )
    after = await held(journeys, token)
    assert (after.version, after.journey.answers["q5"]) == (13, price)
    assert after.journey.path == ("q1", "q5", "q6", "q4")


async def test_late_answer_never_replaces_a_newer_one(services: Services) -> None:
    journeys = services.journeys
    begun = await journeys.begin()
    newer = await journeys.answer(begun.token, "q1", answer="buy")
    assert isinstance(newer, VisitorJourney)
    late = await journeys.answer(begun.token, "q1", answer="stay", seen=begun.version)
    assert late == VersionConflict(stored=newer)
    assert await journeys.answer(begun.token, "q1", answer="buy", seen=begun.version) == newer
    assert await held(journeys, begun.token) == newer
    for answer, seen in (("stay", newer.version), ("buy", None)):
        stored = await journeys.answer(begun.token, "q1", answer=answer, seen=seen)
        assert isinstance(stored, VisitorJourney)
        assert stored.journey.answers == {"q1": answer}


async def test_link_leads_another_browser_to_the_journey_and_nothing_else(
    services: Services, calendar: Calendar
) -> None:
    done = await answered(services)
    calendar.forward(days=29)
    link = str(await services.journeys.link(done.token))
    assert done.token not in link
    calendar.forward(days=29)
    found = await services.journeys.resume(link)
    assert isinstance(found, VisitorJourney)
    assert (found.token, found.journey.answers) == (done.token, {"q1": "stay", "q4": BUILT})
    enquiry = thanked(await services.enquiries.submit(sent())).link
    for other in (enquiry, services.enquiries.forms.token()):
        assert await services.journeys.resume(other) == JourneyNotFound(message=INVALID_LINK)


async def test_browser_with_answers_of_its_own_has_to_choose(services: Services) -> None:
    saved, own, empty = await answered(services), await answered(services), await services.journeys.begin()
    link = str(await services.journeys.link(saved.token))
    both = await services.journeys.resume(link, own=own.token)
    assert isinstance(both, TwoJourneys)
    assert (both.own, both.saved.token) == (own, saved.token)
    resumed = [await services.journeys.resume(link, own=own.token, replace=True)]
    resumed += [await services.journeys.resume(link, own=each) for each in (empty.token, saved.token, "nonsense")]
    assert [getattr(each, "token", "") for each in resumed] == [saved.token] * 4


async def test_invalid_and_expired_links_are_refused_each_with_its_sentence(
    services: Services, calendar: Calendar
) -> None:
    journeys = services.journeys
    done = await answered(services)
    link = str(await journeys.link(done.token))
    for forged in ("", None, "x", link[:-1], link[:-8] + "AAAAAAA=", link.lower(), "é" * 90, "a" * 1_000_000):
        assert await journeys.resume(forged) == JourneyNotFound(message=INVALID_LINK)
    await journeys.forget(done.token)
    assert await journeys.resume(link) == JourneyNotFound(message=ANSWERS_NOT_FOUND)
    calendar.forward(days=30)
    assert await journeys.resume(link) == JourneyNotFound(message=EXPIRED_LINK)
    assert await journeys.link(done.token) == JourneyNotFound()


async def test_journey_goes_on_with_the_flow_that_it_began_with(db_settings: Settings) -> None:
    editor = Editor()
    flows = edited_flows(editor, db_settings.state_dir)
    async with running(db_settings, flows=flows) as services:
        begun, empty = await services.journeys.begin(), await services.journeys.begin()
        await services.journeys.answer(begun.token, "q1", answer="remortgage")
        editor.text = edited(ask_new_question, reword("q1", "What now?"))
        await flows.refreshing.now()
        went_on = await services.journeys.answer(begun.token, "q2", answer="residential")
        assert isinstance(went_on, VisitorJourney)
        assert (went_on.journey.flow, went_on.journey.path) == (flows.built, ("q1", "q2", "q18"))
        assert went_on.journey.lines[0].label == "Mortgage for"
        assert (await held(services.journeys, empty.token)).journey.flow is flows.current
    flows = edited_flows(editor, db_settings.state_dir)
    await flows.refreshing.now()
    async with running(db_settings, flows=flows) as services:
        found = await held(services.journeys, begun.token)
        assert (found.journey.flow, found.journey.path) == (flows.built, ("q1", "q2", "q18"))
        linked = await services.journeys.link(begun.token)
        assert isinstance(linked, str)
        assert (await held(services.journeys, begun.token)).journey.flow is flows.built
        new = await services.journeys.answer("", "q1", answer="remortgage")
        assert isinstance(new, VisitorJourney)
        new = await services.journeys.answer(new.token, "q2", answer="residential")
        assert isinstance(new, VisitorJourney)
        assert (new.journey.flow, new.journey.path) == (flows.current, ("q1", "q2", "q200"))


async def test_first_answer_is_judged_by_the_question_that_it_was_given_to(db_settings: Settings) -> None:
    editor = Editor()
    flows = edited_flows(editor)
    async with running(db_settings, flows=flows) as services:
        opened, digest = await services.journeys.begin(), question_digest(flows.built.steps["q1"])
        editor.text = edited(reword("q1", "What now?"))
        await flows.refreshing.now()
        for token in (opened.token, ""):
            taken = await services.journeys.answer(token, "q1", answer="purchase", digest=digest)
            assert isinstance(taken, VisitorJourney)
            assert taken.journey.flow is flows.built
        changed = await services.journeys.answer(taken.token, "q1", answer="purchase", digest="0" * 12)
        assert isinstance(changed, QuestionChanged)
        assert (changed.step, changed.journey.flow) == (flows.built.steps["q1"], flows.built)
        unknown = await services.journeys.answer("", "q1", answer="purchase", digest="0" * 12)
        assert isinstance(unknown, QuestionChanged)
        assert unknown.step.question == "What now?"
