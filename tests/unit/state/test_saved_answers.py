"""Answers saved for later: the link, what it opens in another browser, and what it does not."""

from collections.abc import Callable

import pytest

from broker import routes
from broker.domain.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.presenters.questionnaire import DELETED, NOT_DONE
from broker.services.journeys import ANSWERS_UNAVAILABLE, CONFIRM_REPLACE, EXPIRED_LINK, INVALID_LINK
from tests.unit.state.asking import ORIGIN, Asked, Asker, Browser, Led, Tell, broken, led

SAVED = routes.SAVED_ANSWERS
Q2, Q18 = routes.question("q2"), routes.question("q18")


async def link_of(tab: Asker) -> str:
    """Return what stands behind the # of a link that a tab makes."""
    await tab.saved.save()
    address, _, held = tab.saved.link.partition("#")
    assert address == f"{ORIGIN}{SAVED}"
    return held


async def follow(tab: Asker, held: str) -> Led | None:
    """Open the page of a saved link, and return where it leads."""
    tab.go(f"{SAVED}#{held}")
    tab.state.journey = tab.browser.cookie
    event = await tab.saved.resume()
    tab.browser.cookie = tab.state.journey
    return led(event)


def test_link_leads_another_browser_to_the_answers(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage, q2 residential")
        held = await link_of(tab)
        other = Browser().tab()
        onwards = await follow(other, held)
        await other.open(Q18)
        return onwards, other.browser.cookie == tab.browser.cookie, dict(other.shown), tab.browser.cookie in held

    shown = {"Mortgage for": "Remortgage", "Use of the property": "Residential"}
    assert tell(story) == (Led(path=Q18, replace=True), True, shown, False)


@pytest.mark.parametrize("spoil", [lambda held: held[:-1], lambda held: held.lower(), lambda _: "", lambda _: "é" * 90])
def test_link_that_is_forged_or_cut_short_opens_nothing(tell: Tell, spoil: Callable[[str], str]) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage")
        held = await link_of(tab)
        other = Browser().tab()
        return await follow(other, spoil(held)), other.state.problem, other.browser.cookie

    assert tell(story) == (None, INVALID_LINK, "")


def test_link_that_is_over_and_link_to_deleted_answers_say_so(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply("q1 remortgage")
        held, other = await link_of(tab), Browser().tab()
        await tab.saved.forget()
        gone = (await follow(other, held), other.state.problem)
        asked.calendar.forward(days=30)
        return gone, (await follow(other, held), other.state.problem)

    assert tell(story) == ((None, ANSWERS_NOT_FOUND), (None, EXPIRED_LINK))


def test_browser_with_answers_of_its_own_is_asked_which(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage, q2 residential")
        held, other = await link_of(tab), Browser().tab()
        await other.reply("q1 purchase")
        own = other.browser.cookie
        asked = (await follow(other, held), other.state.notice, other.state.go_on, other.browser.cookie == own)
        onwards = led(await other.saved.resume_anyway())
        return asked, onwards, other.state.journey == tab.browser.cookie

    asked = (None, CONFIRM_REPLACE, routes.question("q32"), True)
    assert tell(story) == (asked, Led(path=Q18, replace=True), True)


def test_link_is_shown_on_the_page_that_it_was_made_on(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply("q1 remortgage")
        await link_of(tab)
        return tab.saved.made_on, tab.saved.not_done

    assert tell(story) == (Q2, "")


def test_nothing_to_save_is_told(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.saved.save()
        return tab.saved.link, tab.saved.not_done

    assert tell(story) == ("", ANSWERS_NOT_FOUND)


def test_deleted_answers_are_gone_from_every_tab(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        other = tab.browser.tab()
        await tab.reply("q1 remortgage, q2 residential")
        await other.open(Q18)
        onwards = led(await tab.saved.forget())
        tab.browser.cookie = tab.state.journey
        assert await follow(tab, "") is None
        said = tab.browser.cookie, tab.state.notice, tab.state.problem
        late = await other.answer("q18", "save-money")
        return onwards, said, late, await other.settle(routes.QUESTIONNAIRE), other.state.notice

    there, start = Led(path=SAVED, replace=True), Led(path=routes.QUESTIONNAIRE, replace=True)
    assert tell(story) == (there, ("", DELETED, ""), start, routes.QUESTIONNAIRE, ANSWERS_NOT_FOUND)


def test_database_that_is_away_is_told(tell: Tell) -> None:
    async def story(tab: Asker, asked: Asked) -> object:
        await tab.reply("q1 remortgage")
        held = await link_of(tab)
        with broken(asked.database):
            await tab.saved.save()
            saved = tab.saved.link, tab.saved.not_done
            forgotten = await tab.saved.forget(), tab.saved.not_done, len(tab.state.journey)
            followed = await follow(tab, held), tab.state.problem
        return saved, forgotten, followed, await follow(tab, held)

    wanted = (("", NOT_DONE), (None, NOT_DONE, 43), (None, ANSWERS_UNAVAILABLE), Led(path=Q2, replace=True))
    assert tell(story) == wanted
