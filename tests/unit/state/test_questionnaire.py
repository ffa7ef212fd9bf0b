"""The questionnaire as a tab sees it: what each page shows, where each answer leads, and what is said on the way."""

from typing import Any

import pytest

from broker import routes
from broker.domain.questionnaire.journey import ANSWERS_NOT_FOUND, OFF_PATH
from broker.presenters.questionnaire import FIRST_THE_REST, GO_ON, NOT_BEGUN, WELCOME_BACK, Way
from broker.services.journeys import ANSWER_NOT_STORED, ANSWERS_UNAVAILABLE
from tests.unit.state.asking import Asked, Asker, Led, Tell, broken

Q1, Q2, Q4, Q18, Q19, Q32 = (routes.question(step) for step in ("q1", "q2", "q4", "q18", "q19", "q32"))
TO_Q19 = "q1 remortgage, q2 residential, q18 save-money"


def test_first_page_begins_a_journey_and_shows_the_first_question(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        onwards = await tab.open(routes.QUESTIONNAIRE)
        state = tab.state
        return onwards, len(tab.browser.cookie), state.way.words, state.notice, state.chosen, state.back

    assert tell(story) == (None, 43, "Question 1. 9 to 20 left.", "", "", "")


def test_answer_leads_on_and_stands_there_when_the_visitor_comes_back(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.open(Q1)
        onwards = await tab.answer("q1", "remortgage")
        await tab.open(Q2)
        seen = (dict(tab.shown), tab.state.back, tab.state.chosen)
        await tab.open(Q1)
        return onwards, seen, tab.state.chosen

    assert tell(story) == (Led(path=Q2), ({"Mortgage for": "Remortgage"}, Q1, ""), "remortgage")


def test_figures_stand_there_when_the_visitor_comes_back(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply(f"{TO_Q19}, q19 400000 120000")
        await tab.open(Q19)
        return tab.state.figures, tab.state.chosen

    assert tell(story) == ({"01": "400000", "02": "120000"}, "")


LEADS = {
    "a question not begun": ("", "/questionnaire/q18/", Q1, NOT_BEGUN),
    "the check not begun": ("", routes.CHECK_ANSWERS, Q1, NOT_BEGUN),
    "a question off the path": ("q1 remortgage", "/questionnaire/q50/", Q2, OFF_PATH),
    "a question ahead": ("q1 remortgage", Q19, Q2, OFF_PATH),
    "no question of ours": ("q1 remortgage", "/questionnaire/q999/", Q2, OFF_PATH),
    "the check before the end": ("q1 remortgage", routes.CHECK_ANSWERS, Q2, FIRST_THE_REST),
    "a question of the path": (TO_Q19, Q2, Q2, ""),
    "without the slash": (TO_Q19, Q2.rstrip("/"), Q2, ""),
    "with a parameter": (TO_Q19, f"{Q2}?change=yes", Q2, ""),
}


@pytest.mark.parametrize(("replies", "address", "path", "notice"), LEADS.values(), ids=LEADS)
def test_page_that_is_not_the_visitors_leads_to_theirs_and_says_why(
    tell: Tell, replies: str, address: str, path: str, notice: str
) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        if replies:
            await tab.reply(replies)
        return await tab.settle(address), tab.state.notice

    assert tell(story) == (path, notice)


def test_what_was_said_is_over_on_the_next_page(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage")
        await tab.settle("/questionnaire/q50/")
        said = tab.state.notice
        await tab.reply("q2 residential")
        await tab.open(Q2)
        return said, tab.state.notice

    assert tell(story) == (OFF_PATH, "")


def test_visitor_who_returns_is_offered_where_they_were(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply(TO_Q19)
        await tab.open(Q1)
        same_tab = tab.state.notice
        later = tab.browser.tab()
        await later.open(Q1)
        return same_tab, later.state.notice, later.state.go_on, later.state.chosen

    assert tell(story) == ("", WELCOME_BACK, Q19, "remortgage")


def test_another_beginning_offers_the_answers_there_are(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage")
        onwards = await tab.open(routes.question("q96"))
        offered = (onwards, tab.state.notice, tab.state.go_on, dict(tab.shown), tab.state.way.words)
        after = await tab.answer("q96", "no")
        await tab.open(routes.question("q89"))
        return offered, after, dict(tab.shown)

    asked = (None, GO_ON, Q2, {}, "Question 1. 8 to 12 left.")
    assert tell(story) == (asked, Led(path=routes.question("q89")), {"Property found": "No"})


def test_change_leads_back_to_where_the_visitor_was(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply(TO_Q19)
        await tab.open(f"{Q18}?change=yes")
        return await tab.answer("q18", "raise-money")

    assert tell(story) == Led(path=Q19)


@pytest.mark.parametrize("cookie", ["x" * 43, "nonsense", "9" * 5_000, "\ud800", None, ["a"], {"a": 1}])
def test_unknown_token_begins_anew_and_says_so(tell: Tell, cookie: Any) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        tab.browser.cookie = cookie
        await tab.open(Q1)
        return tab.state.notice, len(tab.browser.cookie), tab.state.way.words

    assert tell(story) == (ANSWERS_NOT_FOUND if isinstance(cookie, str) else "", 43, "Question 1. 9 to 20 left.")


def test_answers_whose_time_is_over_are_told_to_be_gone(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply(TO_Q19)
        asked.calendar.forward(days=30)
        answered = await tab.answer("q19", "400000 120000")
        return answered, await tab.settle(Q1), tab.state.notice, dict(tab.shown)

    assert tell(story) == (Led(path=Q1, replace=True), Q1, ANSWERS_NOT_FOUND, {})


def test_new_journey_says_on_the_next_page_that_old_answers_are_gone(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply(TO_Q19)
        await tab.open(Q2)
        asked.calendar.forward(days=30)
        answered = await tab.answer("q2", "residential")
        await tab.open(Q18)
        return answered, tab.state.notice, dict(tab.shown)

    assert tell(story) == (Led(path=Q18), ANSWERS_NOT_FOUND, {"Use of the property": "Residential"})


def test_answers_are_kept_for_thirty_days_from_the_last(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply("q1 remortgage")
        asked.calendar.forward(days=29)
        await tab.reply("q2 residential")
        asked.calendar.forward(days=29)
        return await tab.settle(Q18), tab.shown

    wanted = {"Mortgage for": "Remortgage", "Use of the property": "Residential"}
    assert tell(story) == (Q18, wanted)


def test_dead_database_is_reported_without_another_pages_content(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply("q1 remortgage")
        await tab.open(Q1)
        with broken(asked.database):
            kept = await tab.answer("q1", "purchase")
            told = (kept, tab.state.problem)
            onwards = await tab.open(Q2)
        state = tab.state
        return told, onwards, (state.notice, state.chosen, state.figures, state.way, dict(tab.shown), state.path)

    assert tell(story) == ((None, ANSWER_NOT_STORED), None, (ANSWERS_UNAVAILABLE, "", {}, Way(), {}, Q2))


def test_deals_are_read_on_the_page_that_shows_them_and_only_there(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        earlier = list(asked.source.asked)
        await tab.reply(TO_Q19)
        before = len(asked.source.asked) - len(earlier)
        await tab.open(Q19)
        onwards = await tab.answer("q19", "430000 130000")
        assert onwards
        await tab.open(onwards.path)
        query = asked.source.asked[-1]
        return before, onwards.path, (query.price, query.amount), tab.state.deals_status, len(tab.state.deals.deals)

    assert tell(story) == (0, routes.question("q108"), (430_000, 130_000), "loaded", 3)


@pytest.mark.parametrize(("price", "status"), [(410_000, "failed"), (420_000, "empty")])
def test_page_of_deals_goes_on_without_any(tell: Tell, price: int, status: str) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        asked.source.away, asked.source.products = status == "failed", ()
        await tab.reply(f"{TO_Q19}, q19 {price} 120000")
        return tab.state.path, tab.state.deals_status, await tab.answer("q108", "seen")

    rates = routes.question("q108")
    assert tell(story) == (rates, status, Led(path=routes.question("q20")))
