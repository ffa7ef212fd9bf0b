from broker import routes
from broker.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.questionnaire.journeys import ANSWERS_UNAVAILABLE, CONFIRM_REPLACE, EXPIRED_LINK
from broker.questionnaire.step_view import DELETED, NOT_DONE
from tests.unit.state.asking import Asked, Asker, Led, broken, led
from tests.unit.state.tab import ORIGIN

SAVED = routes.SAVED_ANSWERS
Q2, Q18 = routes.question("q2"), routes.question("q18")


async def link_of(tab: Asker) -> str:
    await tab.saved.save()
    address, _, held = tab.saved.link.partition("#")
    assert address == f"{ORIGIN}{SAVED}"
    return held


async def follow(tab: Asker, held: str) -> Led | None:
    tab.load(f"{SAVED}#{held}")
    event = await tab.saved.resume()
    tab.exchange()
    return led(event)


async def test_link_leads_another_browser_to_the_answers(tab: Asker) -> None:
    await tab.reply("q1 remortgage, q2 residential")
    held, other = await link_of(tab), Asker()
    assert (tab.saved.made_on, tab.saved.not_done, tab.browser.cookie in held) == (Q18, "", False)
    assert (await follow(other, held), other.browser.cookie) == (Led(path=Q18, replace=True), tab.browser.cookie)
    await other.open(Q18)
    assert other.shown == {"Mortgage for": "Remortgage", "Use of the property": "Residential"}


async def test_expired_link_and_link_to_deleted_answers_say_so(tab: Asker, asked: Asked) -> None:
    await tab.reply("q1 remortgage")
    held, other = await link_of(tab), Asker()
    await tab.saved.forget()
    assert (await follow(other, held), other.state.problem) == (None, ANSWERS_NOT_FOUND)
    asked.calendar.forward(days=30)
    assert (await follow(other, held), other.state.problem) == (None, EXPIRED_LINK)


async def test_browser_with_answers_of_its_own_is_asked_which(tab: Asker) -> None:
    await tab.reply("q1 remortgage, q2 residential")
    held, other = await link_of(tab), Asker()
    await other.reply("q1 purchase")
    own = other.browser.cookie
    assert (await follow(other, held), other.state.notice) == (None, CONFIRM_REPLACE)
    assert (other.state.go_on, other.browser.cookie) == (routes.question("q32"), own)
    assert led(await other.saved.resume_anyway()) == Led(path=Q18, replace=True)
    other.exchange()
    assert other.browser.cookie == tab.browser.cookie


async def test_without_answers_there_is_nothing_to_save(tab: Asker) -> None:
    await tab.saved.save()
    assert (tab.saved.link, tab.saved.not_done) == ("", ANSWERS_NOT_FOUND)


async def test_deleted_answers_are_gone_from_every_tab(tab: Asker) -> None:
    other, start = tab.second_tab(), Led(path=routes.QUESTIONNAIRE, replace=True)
    await tab.reply("q1 remortgage, q2 residential")
    await other.open(Q18)
    assert led(await tab.saved.forget()) == Led(path=SAVED, replace=True)
    tab.exchange()
    assert await follow(tab, "") is None
    assert (tab.browser.cookie, tab.state.notice, tab.state.problem) == ("", DELETED, "")
    assert await other.answer("q18", "save-money") == start
    assert (await other.settle(start.path), other.state.notice) == (start.path, ANSWERS_NOT_FOUND)


async def test_database_that_is_away_is_reported(tab: Asker, asked: Asked) -> None:
    await tab.reply("q1 remortgage")
    held = await link_of(tab)
    async with broken(asked.database):
        await tab.saved.save()
        assert (tab.saved.link, tab.saved.not_done) == ("", NOT_DONE)
        assert await tab.saved.forget() is None
        assert (tab.saved.not_done, len(tab.browser.cookie)) == (NOT_DONE, 43)
        assert (await follow(tab, held), tab.state.problem) == (None, ANSWERS_UNAVAILABLE)
    assert await follow(tab, held) == Led(path=Q2, replace=True)
