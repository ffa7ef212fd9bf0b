import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from broker.lending.money import pounds
from broker.mail.mail import ClaimedMail, MailKind
from broker.storage.database import Database
from broker.watches.checking import Checked, WatchChecks
from broker.watches.figures import plan_figures, search_of, watch_plan
from broker.watches.store import WatchStore
from broker.watches.watch import Tell, WatchState, tell_field
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.watches.market import MovingMarket
from tests.unit.watches.watching import EMAIL, KEYS, TODAY, Watching, owned, watching

PERIOD = timedelta(minutes=10)
DEAR: dict[str, Any] = {"rate": "6.4", "followOn": "8.2"}
"""Rates at which switching now is worth its charge."""

NO_TELLS = dict.fromkeys(map(tell_field, Tell), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """Watches of a database with their checks, which tests make a period apart."""

    kept: Watching
    market: MovingMarket
    checks: WatchChecks
    calendar: Calendar

    async def check(self, *, after: timedelta = PERIOD) -> list[ClaimedMail]:
        """Let time pass, check, and return the mails that were added."""
        self.calendar.now += after
        assert await self.checks.check()
        return await self.kept.mails()

    async def confirmed(self, **fields: Any) -> str:
        """Start and confirm a watch, and return its link."""
        await self.kept.started(**fields)
        link = (await self.kept.links())[-1]
        owned(await self.kept.service.confirm(link))
        await self.kept.mails()
        return link


def checks_of(store: WatchStore, market: MovingMarket, calendar: Calendar, *, is_live: bool = True) -> WatchChecks:
    return WatchChecks(store, search=market.search, is_live=is_live, every=PERIOD, clock=calendar)


@pytest.fixture
def checking(database: Database, calendar: Calendar) -> Checking:
    kept, market = watching(database, calendar), MovingMarket(calendar)
    return Checking(kept=kept, market=market, checks=checks_of(kept.store, market, calendar), calendar=calendar)


def only(tell: Tell, **fields: Any) -> dict[str, Any]:
    return {**NO_TELLS, tell_field(tell): "yes", **fields}


async def test_saving_is_told_once_with_the_figure_of_the_plan(checking: Checking) -> None:
    link = await checking.confirmed(**DEAR, **only(Tell.SAVING))
    assert await checking.check() == []
    [mail] = await checking.check()
    assert (mail.kind, mail.recipient) == (MailKind.WATCH_NEWS, "Zebedee@quill.example")
    planned = watch_plan(owned(await checking.kept.service.find(link)).watch, today=TODAY)
    found = plan_figures(planned, checking.market.answer(search_of(planned)))
    assert found.prices
    assert found.prices.saving
    assert found.prices.saving >= 500
    assert f"Switching now costs {pounds(found.prices.saving)} less" in mail.context["news"]
    assert mail.context["verdict"] == found.plan.verdict
    assert [await checking.check(after=timedelta(days=20)) for _ in range(9)] == [[]] * 9


async def test_news_to_an_address_that_mail_comes_back_from_is_told_once_that_is_lifted(checking: Checking) -> None:
    link = await checking.confirmed(**DEAR, **only(Tell.SAVING))
    kept = checking.kept
    await kept.come_back(EMAIL)
    assert [await checking.check() for _ in range(3)] == [[], [], []]
    assert owned(await kept.service.find(link)).told == ()
    assert await kept.outbox.lift(EMAIL)
    [mail] = await checking.check()
    assert (mail.kind, mail.recipient) == (MailKind.WATCH_NEWS, EMAIL)


async def test_each_check_is_logged_by_its_counts(checking: Checking, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await checking.confirmed(**DEAR, **only(Tell.SAVING))
    for _ in range(3):
        await checking.check()
    assert [record.getMessage() for record in caplog.records if record.name == "broker.watches.checking"] == [
        "watches checked: 1, findings: 1, mails added: 0",
        "watches checked: 1, findings: 0, mails added: 1",
        "watches checked: 1, findings: 0, mails added: 0",
    ]


@pytest.mark.parametrize("tell", [Tell.RATE, Tell.FELL])
async def test_threshold_of_a_landlord_fires_when_the_feed_changes(checking: Checking, tell: Tell) -> None:
    fields = {"home": "let", "repay": "interest-only", "value": "410,000", "rateBelow": "3.9", "appliedRate": "3.9"}
    await checking.confirmed(**only(tell, **fields))
    assert [await checking.check() for _ in range(3)] == [[], [], []]
    checking.market.shift = -2
    assert await checking.check() == []
    [mail] = await checking.check()
    words = "You asked to hear of" if tell is Tell.RATE else "You applied for 3.90%"
    assert words in mail.context["news"]
    assert mail.context["let"] == "yes"
    assert [await checking.check() for _ in range(3)] == [[], [], []]


async def test_dates_are_told_whatever_the_market_does(checking: Checking) -> None:
    await checking.confirmed()
    checking.market.away = True
    mails = [(checking.calendar.now.date(), await checking.check(after=timedelta(days=1))) for _ in range(270)]
    told = {(day + timedelta(days=1)).isoformat(): mail.context for day, found in mails for mail in found}
    assert list(told) == ["2026-08-25", "2026-09-25", "2026-11-25"]
    first = told["2026-08-25"]
    assert "From 25 August 2026 your lender should let you book" in first["news"]
    assert (first["switch"], first["examples"], first["dated"]) == ("", "", "")
    assert first["ways"].startswith("Do nothing\t")
    assert "\n" not in first["ways"]
    assert first["verdict"] == "Today’s deals are in your plan."


Trouble = Callable[[MovingMarket], None]


def away(market: MovingMarket) -> None:
    market.away = True


def stale(market: MovingMarket) -> None:
    market.stale = True


def empty(market: MovingMarket) -> None:
    market.empty = True


def sample(market: MovingMarket) -> None:
    market.sample = True


@pytest.mark.parametrize("trouble", [away, stale, empty, sample])
async def test_market_in_trouble_tells_no_price_and_forgets_none(checking: Checking, trouble: Trouble) -> None:
    await checking.confirmed(**DEAR, **only(Tell.SAVING))
    trouble(checking.market)
    assert [await checking.check() for _ in range(4)] == [[], [], [], []]
    checking.market.away = checking.market.stale = checking.market.empty = checking.market.sample = False
    assert await checking.check() == []
    trouble(checking.market)
    assert [await checking.check() for _ in range(4)] == [[], [], [], []]
    checking.market.away = checking.market.stale = checking.market.empty = checking.market.sample = False
    assert len(await checking.check()) == 1


async def test_sample_market_is_not_even_read(checking: Checking) -> None:
    checks = checks_of(checking.kept.store, checking.market, checking.calendar, is_live=False)
    await checking.confirmed(**DEAR)
    for _ in range(3):
        checking.calendar.forward(hours=1)
        assert await checks.check() == Checked(watches=1)
    assert checking.market.searches == 0


async def test_rate_that_is_wrong_in_one_refresh_is_told_to_nobody(checking: Checking) -> None:
    await checking.confirmed(**only(Tell.RATE, rateBelow="3"))
    await checking.confirmed(email="ann@quill.example", rate="3.9", **only(Tell.SAVING))
    for _ in range(5):
        for shift in (0, -3.5):
            checking.market.shift = shift
            assert await checking.check() == []
    assert len(await checking.check()) == 2


async def test_what_the_plan_does_not_confirm_is_not_told_and_forgotten(
    checking: Checking, monkeypatch: pytest.MonkeyPatch
) -> None:
    await checking.confirmed(**only(Tell.RATE, rateBelow="3"))
    checking.market.shift = -3
    assert await checking.check() == []

    async def usual(planned: Any) -> Any:
        checking.market.shift = 0
        found = checking.market.answer(search_of(planned))
        checking.market.shift = -3
        return found

    monkeypatch.setattr(checking.checks, "_own_answer", usual)
    assert [await checking.check(), await checking.check(), await checking.check()] == [[], [], []]


async def test_plan_that_cannot_be_read_now_is_told_at_the_next_check(
    checking: Checking, monkeypatch: pytest.MonkeyPatch
) -> None:
    await checking.confirmed(**DEAR, **only(Tell.SAVING))
    await checking.check()

    async def nothing(_: object) -> None:
        return None

    with monkeypatch.context() as patched:
        patched.setattr(checking.checks, "_own_answer", nothing)
        assert await checking.check() == []
    assert len(await checking.check()) == 1


async def test_paused_and_unconfirmed_watches_are_told_nothing(checking: Checking) -> None:
    link = await checking.confirmed(**DEAR)
    assert owned(await checking.kept.service.pause(link)).state is WatchState.PAUSED
    await checking.kept.started(email="ann@quill.example", **DEAR)
    await checking.kept.mails()
    assert [await checking.check() for _ in range(3)] == [[], [], []]
    owned(await checking.kept.service.resume(link))
    assert [len(await checking.check()) for _ in range(2)] == [0, 1]


async def test_several_processes_send_once(database: Database, calendar: Calendar) -> None:
    kept, market = watching(database, calendar), MovingMarket(calendar)
    first = Checking(kept=kept, market=market, checks=checks_of(kept.store, market, calendar), calendar=calendar)
    for name in ("a", "b", "c"):
        await first.confirmed(email=f"{name}@quill.example", **DEAR, **only(Tell.SAVING))
    others = [checks_of(WatchStore(database, KEYS), market, calendar) for _ in range(3)]
    mails = 0
    for _ in range(4):
        calendar.now += PERIOD
        done = await asyncio.gather(*(each.check() for each in (first.checks, *others)))
        assert sum(each is not None for each in done) == 1
        mails += len(await kept.mails())
    assert mails == 3


async def test_all_watches_of_a_band_share_one_search(checking: Checking) -> None:
    for number in range(6):
        await checking.confirmed(
            email=f"{number}@quill.example", address=f"192.0.2.{number}", balance=f"{120_000 + number}"
        )
    await checking.confirmed(
        email="let@quill.example", home="let", **only(Tell.RATE, rateBelow="1"), address="192.0.2.9"
    )
    await checking.check()
    assert checking.market.searches == 2


async def test_unconfirmed_watch_gets_one_reminder_and_is_deleted_after_seven_days(checking: Checking) -> None:
    await checking.kept.started()
    await checking.kept.mails()
    found = [await checking.check(after=timedelta(hours=12)) for _ in range(13)]
    assert [[mail.kind for mail in mails] for mails in found if mails] == [[MailKind.WATCH_REMINDER]]
    assert len(await checking.kept.rows()) == 1
    assert await checking.check(after=timedelta(hours=12)) == []
    assert await checking.kept.rows() == []


async def test_periodic_checks_go_on_after_a_failure(checking: Checking, caplog: pytest.LogCaptureFixture) -> None:
    waits = list[float]()

    class EnoughError(Exception):
        """Ends what would go on for ever."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        checking.kept.database.problem = "" if len(waits) > 1 else "away"
        checking.calendar.forward(seconds=seconds)
        if len(waits) == 4:
            raise EnoughError

    with pytest.raises(EnoughError):
        await checking.checks.check_periodically(sleep)
    assert waits == [600, 5, 600, 600]
    assert "watches not refreshed, tried again in 5 s" in caplog.text


async def test_check_searches_for_so_many_plans_and_the_next_goes_on_with_the_oldest(
    checking: Checking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.watches.checking.MAX_SEARCHES", 2)
    for name in ("a", "b", "c"):
        await checking.confirmed(email=f"{name}@quill.example", **DEAR, **only(Tell.SAVING))
    found = [await checking.check() for _ in range(4)]
    told = [{mail.recipient[0] for mail in mails} for mails in found]
    assert [len(each) for each in told] == [0, 2, 1, 0]
    assert set.union(*told) == {"a", "b", "c"}
