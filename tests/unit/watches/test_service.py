import asyncio
import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from broker.mail.mail import MailKind
from broker.storage.database import Database
from broker.watches.consent import CALL_WORDS, VERSION, WORDS
from broker.watches.service import NO_LINK, WatchLimits, WatchRefused, WatchStarted
from broker.watches.watch import Tell, WatchState
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.watches.watching import EMAIL, FORM, Watching, owned, sent, watching


@pytest.fixture
def kept(database: Database, calendar: Calendar) -> Watching:
    return watching(database, calendar)


def refusal(answer: object) -> str:
    assert isinstance(answer, WatchRefused), answer
    return " ".join(problem.reason for problem in answer.problems)


async def test_watch_begins_once_its_owner_has_confirmed_it(kept: Watching) -> None:
    stored = await kept.started()
    assert (stored.state, stored.confirmed_at) == (WatchState.UNCONFIRMED, None)
    assert (stored.consent_text, stored.consent_words, stored.consent_at, stored.consent_page) == (
        *(VERSION, WORDS, BEGINNING, "/plan/remortgaging/watch/"),
    )
    [mail] = await kept.mails()
    assert (mail.kind, mail.recipient, mail.context["delete_on"]) == (MailKind.WATCH_CONFIRM, EMAIL, "7 April 2026")
    link = mail.context["link"]
    assert owned(await kept.service.find(link)).state is WatchState.UNCONFIRMED
    kept.calendar.forward(days=2)
    first = owned(await kept.service.confirm(link))
    assert (first.state, first.confirmed_at) == (WatchState.ACTIVE, BEGINNING + timedelta(days=2))
    assert first.delete_after == datetime(2027, 12, 25, tzinfo=UTC)
    kept.calendar.forward(days=2)
    assert owned(await kept.service.confirm(link)) == first


async def test_form_that_is_sent_again_makes_one_watch_and_one_mail(kept: Watching) -> None:
    answers = await asyncio.gather(*(kept.service.start(sent()) for _ in range(4)))
    assert {type(answer) for answer in answers} == {WatchStarted}
    kept.calendar.forward(minutes=9)
    assert await kept.service.start(sent()) == WatchStarted(email=EMAIL)
    assert (len(await kept.rows()), len(await kept.mails())) == (1, 1)


async def test_sign_ups_for_somebody_elses_address_send_few_mails_and_all_get_the_same_answer(
    database: Database, calendar: Calendar
) -> None:
    kept, mails = watching(database, calendar), 0
    for number in range(200):
        form = sent(address=f"198.51.{number}.7", balance=f"{100_000 + number}")
        assert await kept.service.start(form) == WatchStarted(email=EMAIL)
        mails += len(await kept.mails())
        calendar.forward(minutes=20)
    assert (mails, len(await kept.rows())) == (5, 5)


async def test_network_starts_ten_watches_an_hour(kept: Watching) -> None:
    forms = [sent(email=f"owner{number}@quill.example") for number in range(11)]
    answers = [await kept.service.start(form) for form in forms]
    assert [type(answer) for answer in answers] == [WatchStarted] * 10 + [WatchRefused]
    assert "too many times" in refusal(answers[-1])


async def test_address_gets_three_mails_a_day_whatever_its_case(database: Database, calendar: Calendar) -> None:
    kept = watching(database, calendar, limits=WatchLimits(started=50, unconfirmed=50))
    for number in range(6):
        await kept.service.start(sent(email=EMAIL.upper() if number % 2 else EMAIL, balance=f"{number + 1}"))
    assert len(await kept.mails()) == 3


async def test_watch_that_is_not_confirmed_in_seven_days_is_gone(kept: Watching) -> None:
    await kept.started()
    [link] = await kept.links()
    kept.calendar.forward(days=7)
    for answer in (await kept.service.find(link), await kept.service.confirm(link)):
        assert refusal(answer) == NO_LINK


async def test_link_opens_one_watch_and_a_one_click_address_opens_none(kept: Watching) -> None:
    await kept.started()
    await kept.started(email="ann@quill.example")
    links, stops = await kept.links(), await kept.stops()
    assert [owned(await kept.service.find(link)).email for link in links] == [EMAIL, "ann@quill.example"]
    for wrong in (stops[0], links[0][:-1], "", "x" * 5_000, "\ud800", links[0] + "A"):
        assert refusal(await kept.service.find(wrong)) == NO_LINK
        assert refusal(await kept.service.change(wrong, FORM)) == NO_LINK
        assert await kept.service.stop(wrong) is False
    await kept.service.unsubscribe(links[0])
    await kept.service.unsubscribe("")
    assert len(await kept.rows()) == 2


async def test_owner_changes_figures_and_what_to_tell(kept: Watching) -> None:
    await kept.started()
    [link] = await kept.links()
    await kept.service.confirm(link)
    kept.calendar.forward(days=1)
    form = {**FORM, "end": "2028-02-29", "savingOver": "900", "mayCall": "yes", "telephone": "07700 900123"}
    changed = owned(await kept.service.change(link, {**form, "email": "other@quill.example"}))
    assert (changed.watch.deal_end, changed.watch.saving_over) == (date(2028, 2, 29), 900)
    assert (changed.email, changed.telephone, changed.state) == (EMAIL, "+447700900123", WatchState.ACTIVE)
    assert (changed.consent_words, changed.consent_at) == (f"{WORDS} {CALL_WORDS}", kept.calendar.now)
    assert changed.delete_after == datetime(2029, 2, 28, tzinfo=UTC)
    less = owned(await kept.service.change(link, FORM))
    assert (less.telephone, less.consent_words) == ("", WORDS)
    assert "full stop" in refusal(await kept.service.change(link, {**FORM, "rate": "4,5"}))
    assert owned(await kept.service.find(link)) == less


async def test_owner_pauses_and_resumes(kept: Watching) -> None:
    await kept.started()
    [link] = await kept.links()
    assert owned(await kept.service.pause(link)).state is WatchState.UNCONFIRMED
    assert owned(await kept.service.resume(link)).state is WatchState.UNCONFIRMED
    await kept.service.confirm(link)
    assert owned(await kept.service.pause(link)).state is WatchState.PAUSED
    assert owned(await kept.service.confirm(link)).state is WatchState.PAUSED
    assert owned(await kept.service.resume(link)).state is WatchState.ACTIVE


async def test_export_has_all_that_is_held(kept: Watching) -> None:
    await kept.started(mayCall="yes", telephone="07700 900123")
    [link] = await kept.links()
    found = json.loads(json.dumps(await kept.service.export(link)))
    assert (found["email"], found["telephone"], found["state"]) == (EMAIL, "+447700900123", "unconfirmed")
    assert (found["watch"]["balance"], found["watch"]["deal_end"]) == (187_400, "2026-12-25")
    assert found["watch"]["tells"] == [Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH, Tell.SAVING]
    assert found["consent"]["words"] == f"{WORDS} {CALL_WORDS}"
    assert refusal(await kept.service.export("x")) == NO_LINK


@pytest.mark.parametrize(
    ("fields", "words"), [({"company_website": "x"}, "hidden box"), ({"token": "forged"}, "came from our site")]
)
async def test_form_that_no_person_sent_is_refused(kept: Watching, fields: dict[str, Any], words: str) -> None:
    assert words in refusal(await kept.service.start(sent(**fields)))
    assert await kept.rows() == []


async def test_database_that_is_away_is_a_refusal(database: Database, calendar: Calendar) -> None:
    kept = watching(database, calendar)
    database.problem = "away"
    for answer in (await kept.service.start(sent()), await kept.service.find("x"), await kept.service.stop("x")):
        assert "could not save this" in refusal(answer)
