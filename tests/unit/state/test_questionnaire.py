from typing import Any
from unittest.mock import patch

import pytest

from broker import routes
from broker.questionnaire.journey import ANSWERS_NOT_FOUND, OFF_PATH
from broker.questionnaire.journeys import ANSWER_NOT_STORED, ANSWERS_UNAVAILABLE
from broker.questionnaire.step_view import FIRST_THE_REST, GO_ON, NEWER, NOT_BEGUN, WELCOME_BACK, Progress
from tests.unit.state.asking import Asked, Asker, Led, broken, led

Q1, Q2, Q18, Q19 = (routes.question(step) for step in ("q1", "q2", "q18", "q19"))
TO_Q19 = "q1 remortgage, q2 residential, q18 save-money"


async def test_first_page_begins_a_journey_and_shows_the_first_question(tab: Asker) -> None:
    assert (await tab.open(routes.QUESTIONNAIRE), len(tab.browser.cookie)) == (None, 43)
    state = tab.state
    assert (state.way.words, state.notice, state.chosen, state.back) == ("Question 1. 9 to 20 left.", "", "", "")


async def test_answer_leads_on_and_is_there_when_the_visitor_comes_back(tab: Asker) -> None:
    await tab.open(Q1)
    assert await tab.answer("q1", "remortgage") == Led(path=Q2)
    await tab.open(Q2)
    assert (tab.shown, tab.state.back, tab.state.chosen) == ({"Mortgage for": "Remortgage"}, Q1, "")
    await tab.open(Q1)
    assert tab.state.chosen == "remortgage"
    await tab.reply(f"{TO_Q19}, q19 400000 120000")
    await tab.open(Q19)
    assert (tab.state.figures, tab.state.chosen) == ({"01": "400000", "02": "120000"}, "")


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
async def test_page_that_is_not_the_visitors_leads_to_theirs_and_says_why(
    tab: Asker, replies: str, address: str, path: str, notice: str
) -> None:
    if replies:
        await tab.reply(replies)
    assert (await tab.settle(address), tab.state.notice) == (path, notice)


async def test_notice_is_gone_on_the_next_page(tab: Asker) -> None:
    await tab.reply("q1 remortgage")
    await tab.settle("/questionnaire/q50/")
    assert tab.state.notice == OFF_PATH
    await tab.reply("q2 residential")
    await tab.open(Q2)
    assert tab.state.notice == ""


async def test_visitor_who_returns_is_offered_where_they_were(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    await tab.open(Q1)
    assert tab.state.notice == ""
    later = tab.second_tab()
    await later.open(Q1)
    assert (later.state.notice, later.state.go_on, later.state.chosen) == (WELCOME_BACK, Q19, "remortgage")


async def test_another_beginning_offers_the_answers_there_are(tab: Asker) -> None:
    await tab.reply("q1 remortgage")
    assert await tab.open(routes.question("q96")) is None
    assert (tab.state.notice, tab.state.go_on, tab.shown) == (GO_ON, Q2, {})
    assert tab.state.way.words == "Question 1. 8 to 12 left."
    assert await tab.answer("q96", "no") == Led(path=routes.question("q89"))
    await tab.open(routes.question("q89"))
    assert tab.shown == {"Property found": "No"}


async def test_change_leads_back_to_where_the_visitor_was(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    await tab.open(f"{Q18}?change=yes")
    assert await tab.answer("q18", "raise-money") == Led(path=Q19)


@pytest.mark.parametrize("cookie", ["x" * 43, "nonsense", "9" * 5_000])
async def test_unknown_token_begins_again_and_says_so(tab: Asker, cookie: str) -> None:
    tab.browser.cookie = cookie
    await tab.open(Q1)
    assert tab.state.notice == ANSWERS_NOT_FOUND
    assert (len(tab.browser.cookie), tab.state.way.words) == (43, "Question 1. 9 to 20 left.")


async def test_cookie_that_the_browser_refused_is_set_at_the_visitors_wish(tab: Asker) -> None:
    await tab.reply("q1 remortgage")
    token, tab.browser.cookie = tab.browser.cookie, ""
    tab.state.renew_cookie()
    tab.exchange()
    assert tab.browser.cookie == token


async def test_answers_are_stored_for_thirty_days_from_the_last(tab: Asker, asked: Asked) -> None:
    await tab.reply("q1 remortgage")
    asked.calendar.forward(days=29)
    await tab.reply("q2 residential")
    asked.calendar.forward(days=29)
    assert await tab.settle(Q18) == Q18
    assert tab.shown == {"Mortgage for": "Remortgage", "Use of the property": "Residential"}
    await tab.reply(TO_Q19)
    asked.calendar.forward(days=30)
    assert await tab.answer("q19", "400000 120000") == Led(path=Q1, replace=True)
    assert (await tab.settle(Q1), tab.state.notice, tab.shown) == (Q1, ANSWERS_NOT_FOUND, {})


async def test_new_journey_says_on_the_next_page_that_old_answers_are_gone(tab: Asker, asked: Asked) -> None:
    await tab.reply(TO_Q19)
    await tab.open(Q2)
    asked.calendar.forward(days=30)
    assert await tab.answer("q2", "residential") == Led(path=Q18)
    await tab.open(Q18)
    assert (tab.state.notice, tab.shown) == (ANSWERS_NOT_FOUND, {"Use of the property": "Residential"})


async def test_dead_database_is_reported_without_another_pages_content(tab: Asker, asked: Asked) -> None:
    await tab.reply("q1 remortgage")
    await tab.open(Q1)
    async with broken(asked.database):
        assert (await tab.answer("q1", "purchase"), tab.state.problem) == (None, ANSWER_NOT_STORED)
        assert await tab.open(Q2) is None
    state = tab.state
    assert (state.notice, state.chosen, state.figures, state.way) == (ANSWERS_UNAVAILABLE, "", {}, Progress())
    assert (tab.shown, state.path) == ({}, Q2)


async def test_deals_are_read_on_the_page_that_shows_them_and_only_there(tab: Asker, asked: Asked) -> None:
    earlier = len(asked.source.asked)
    await tab.reply(TO_Q19)
    assert len(asked.source.asked) == earlier
    await tab.open(Q19)
    assert await tab.answer("q19", "430000 130000") == Led(path=routes.question("q108"))
    await tab.open(routes.question("q108"))
    assert (asked.source.asked[-1].price, asked.source.asked[-1].amount) == (430_000, 130_000)
    assert (tab.state.deals_status, len(tab.state.deals.deals)) == ("loaded", 3)


@pytest.mark.parametrize(
    ("years", "term"), [("19", 19), ("40", 40), ("99", 25), ("", 25), ("-1", 25), (None, 25), ([], 25)]
)
async def test_deals_are_read_again_over_the_visitors_term(tab: Asker, years: Any, term: int) -> None:
    assert tab.state.take_term(years) is None
    await tab.reply(f"{TO_Q19}, q19 430000 130000")
    assert f"over {term} years" in tab.state.basis
    assert tab.state.take_term(years) is None
    assert tab.state.take_term("12") is not None


async def test_answer_sent_again_leads_nowhere_from_the_page_it_led_to(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    fields = tab.form("q19", "430000 130000")
    assert await tab.answer("q19", "430000 130000") == Led(path=routes.question("q108"))
    await tab.open(routes.question("q108"))
    tab.go(Q19, socket=tab.state.router.session.session_id)
    assert (await tab.send(fields), tab.state.path) == (None, routes.question("q108"))


async def test_answer_sent_again_leads_nowhere_once_the_visitor_came_back(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    fields = tab.form("q19", "430000 130000")
    assert led(await tab.send(fields)) == Led(path=routes.question("q108"))
    await tab.open(routes.question("q108"))
    await tab.open(Q19)
    assert (await tab.send(fields), await tab.send(fields), tab.state.path) == (None, None, Q19)
    assert await tab.answer("q19", "430000 130000") == Led(path=routes.question("q108"))


async def test_answer_sent_again_leads_on_where_the_first_did_not(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    fields = tab.form("q19", "430000 130000")
    assert led(await tab.send(fields)) == Led(path=routes.question("q108"))
    await tab.open(Q19)
    assert led(await tab.send(fields)) == Led(path=routes.question("q108"))


async def test_answer_sent_again_on_the_same_socket_leads_nowhere(tab: Asker) -> None:
    await tab.reply(TO_Q19)
    await tab.open(Q19)
    fields, socket = tab.form("q19", "430000 130000"), tab.state.router.session.session_id
    assert led(await tab.send(fields)) == Led(path=routes.question("q108"))
    tab.go(Q19, socket=socket)
    await tab.state.open()  # a server that started again has a tab open its page twice
    assert await tab.send(fields) is None


async def test_deals_read_for_one_socket_are_not_shown_to_another(tab: Asker, asked: Asked) -> None:
    await tab.reply(f"{TO_Q19}, q19 430000 130000")
    tab.load(routes.question("q108"))
    await tab.state.open()
    search = asked.services.rates.search

    async def taken_over(query: Any) -> Any:
        answer = await search(query)
        tab.go(routes.question("q108"), socket="another")
        return answer

    with patch.object(asked.services.rates, "search", taken_over):
        await tab.do("read_deals")
    assert (tab.state.deals_status, tab.state.deals.deals, tab.state.basis) == ("loading", (), "")


@pytest.mark.parametrize(("price", "status"), [(410_000, "failed"), (420_000, "empty")])
async def test_page_of_deals_goes_on_without_any(tab: Asker, asked: Asked, price: int, status: str) -> None:
    asked.source.away, asked.source.products = status == "failed", ()
    await tab.reply(f"{TO_Q19}, q19 {price} 120000")
    assert (tab.state.path, tab.state.deals_status) == (routes.question("q108"), status)
    assert await tab.answer("q108", "seen") == Led(path=routes.question("q20"))


Q32 = routes.question("q32")


async def test_second_press_of_the_button_leads_on_once(tab: Asker) -> None:
    await tab.open(Q1)
    twice = tab.form("q1", "remortgage")
    assert (led(await tab.send(twice)), led(await tab.send(twice))) == (Led(path=Q2), None)
    assert await tab.answer("q1", "remortgage") == Led(path=Q2)
    await tab.open(Q2)
    await tab.open(Q1)
    assert (await tab.answer("q1", "remortgage"), tab.state.version) == (Led(path=Q2), 2)


async def test_answer_that_overtakes_the_opening_of_its_page_leads_on(tab: Asker) -> None:
    await tab.open(Q1)
    assert await tab.answer("q1", "remortgage") == Led(path=Q2)
    tab.go(Q2, socket=tab.state.router.session.session_id)
    onwards = led(await tab.send(tab.form("q2", "residential")))
    assert onwards == Led(path=routes.question("q18"))


async def test_last_of_two_answers_that_waited_in_one_tab_is_stored(tab: Asker) -> None:
    await tab.open(Q1)
    first, second = tab.form("q1", "remortgage"), tab.form("q1", "purchase")
    await tab.send(first)
    assert led(await tab.send(second)) == Led(path=Q32)
    await tab.open(Q32)
    assert tab.shown == {"Mortgage for": "Purchase"}


async def test_answer_sent_again_after_the_page_opened_again_leads_on_once(tab: Asker) -> None:
    await tab.open(Q1)
    waited = tab.form("q1", "remortgage")
    await tab.open(Q1)
    again = tab.form("q1", "remortgage")
    assert (led(await tab.send(waited)), led(await tab.send(again))) == (Led(path=Q2), None)
    assert tab.state.version == 2


async def test_answer_of_another_tab_stays_until_the_visitor_changes_it(tab: Asker) -> None:
    other = tab.second_tab()
    await tab.reply("q1 remortgage")
    await other.open(Q2)
    await tab.reply("q2 residential")
    assert await other.answer("q2", "buy-to-let") is None
    assert (other.state.problem, other.state.chosen) == (NEWER, "residential")
    assert await other.answer("q2", "buy-to-let") == Led(path=routes.question("q3"))
    await tab.open(Q2)
    assert tab.state.chosen == "buy-to-let"


async def test_answer_to_a_step_another_tab_took_off_the_path_leads_back(tab: Asker) -> None:
    other = tab.second_tab()
    await tab.reply("q1 remortgage, q2 residential")
    await other.open(Q18)
    await tab.reply("q1 purchase")
    assert await other.answer("q18", "save-money") == Led(path=Q32, replace=True)
    assert (await other.settle(Q32), other.state.notice) == (Q32, OFF_PATH)


HIGHER = "Enter an amount in whole pounds, from £50,000 to £1,000,000"
LOWER = "Enter an amount in whole pounds, from £21,000 to £1,000,000"
REFUSED: dict[str, tuple[str, dict[str, Any], dict[str, str], str]] = {
    "nothing chosen": ("q1", {}, {"": "Choose one of the answers"}, "remortgage"),
    "no option": ("q1", {"answer": "sell"}, {"": "Choose one of the answers"}, "remortgage"),
    "a figure too high": ("q19", {"01": "1e9", "02": "150000"}, {"01": HIGHER}, "figure-01"),
    "two figures missing": ("q19", {}, {"01": HIGHER, "02": LOWER}, "figure-01"),
    "the second figure wrong": ("q19", {"01": "£250,000.00", "02": "-5"}, {"02": LOWER}, "figure-02"),
}


@pytest.mark.parametrize(("step", "fields", "problems", "focus"), REFUSED.values(), ids=REFUSED)
async def test_refused_answer_is_shown_with_its_reasons_and_takes_the_focus(
    tab: Asker, step: str, fields: dict[str, Any], problems: dict[str, str], focus: str
) -> None:
    await tab.reply("q1 remortgage, q2 residential, q18 save-money")
    await tab.open(routes.question(step))
    before = tab.state.dealt
    event = await tab.send({"step": step, **fields})
    assert event.handler.fn.__qualname__ == "_set_focus"
    assert event.args[0][1]._var_value.removeprefix("ref_").replace("_", "-") == focus
    assert (tab.state.problems, tab.state.dealt != before) == (problems, True)
