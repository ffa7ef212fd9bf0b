"""The overview without a browser: what waits for who asks, and sources read anew, once however often that is asked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.staff.enquiry_workflow import Refused
from broker.feeds.endpoints import LENDERS
from broker.services.staff.enquiry_admin import AWAY
from broker.settings import Settings
from broker.state.staff.overview import IDLE, LOADED, OverviewState
from tests.unit.services.enquiring import sent, thanked
from tests.unit.services.watched_site import Site, on_site
from tests.unit.state.staff_tab import ADA, StaffTab
from tests.unit.storage.stores import edit

Work = Callable[[StaffTab, Site], Awaitable[None]]


@pytest.fixture
def with_tab(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """Return what runs some work in a tab of a site with a live feed."""

    def run(work: Work) -> None:
        async def block(site: Site) -> None:
            await work(StaffTab(OverviewState, site, monkeypatch), site)

        on_site(db_settings.changed(api_url="https://broker.example/api"), block)

    return run


def line(tab: StaffTab, key: str) -> Any:
    """Return the line of a source."""
    return next(line for line in tab.state.found.sources if line.key == key)


def test_page_that_opens_tells_everything(with_tab: Callable[[Work], None]) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        assert (tab.state.status, tab.state.counts) == (IDLE, ())
        first = thanked(await site.services.enquiries.submit(sent())).reference
        await site.services.enquiries.submit(sent(EnquiryKind.CONTACT, message="Another"))
        await site.services.enquiry_admin._cases.assign(edit(first), ADA)
        site.calendar.forward(days=30)
        await tab.do("open")
        assert tab.state.status == LOADED
        assert [one.count for one in tab.state.counts] == ["2", "2", "1"]
        assert [line.tag for line in tab.state.found.sources][:2] == ["Not read yet", "Not read yet"]
        assert tab.state.found.outbox.tag == "No mail server"

    with_tab(work)


def test_source_is_read_when_somebody_says_so(with_tab: Callable[[Work], None]) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        await tab.do("open")
        await tab.do("refresh", "lenders")
        assert (tab.state.told, tab.state.reading) == ("Lenders: read at 13:00", [])
        assert (line(tab, "lenders").tag, line(tab, "logos").tag) == ("Up to date", "Not read yet")
        assert [entry.who for entry in await site.services.audit.latest(9)] == [ADA]
        await tab.do("open")
        assert tab.state.told == ""

    with_tab(work)


def test_source_that_fails_says_so(with_tab: Callable[[Work], None], caplog: pytest.LogCaptureFixture) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        await tab.do("open")
        del site.feed.trees[LENDERS]
        await tab.do("refresh", "lenders")
        assert tab.state.told.startswith("Lenders: not read, ")
        assert line(tab, "lenders").tag == "Stale: it fails"

    with caplog.at_level(logging.CRITICAL):
        with_tab(work)


def test_source_is_read_once_for_two_presses_and_others_meanwhile(
    with_tab: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        asked, answered = [], asyncio.Event()
        refresh = site.health.refresh

        async def slow(source: object, *, who: str) -> Any:
            asked.append(source)
            await answered.wait()
            return await refresh(source, who=who)

        monkeypatch.setattr(site.health, "refresh", slow)
        running = [asyncio.create_task(tab.do("refresh", source)) for source in ("lenders", "lenders", "logos")]
        while len(asked) < 2:
            await asyncio.sleep(0)
        assert (tab.state.reading, tab.state.told) == (["lenders", "logos"], "Logos: being read")
        await tab.do("open")
        assert tab.state.reading == ["lenders", "logos"]
        answered.set()
        await asyncio.gather(*running)
        assert (asked, tab.state.reading) == (["lenders", "logos"], [])

    with_tab(work)


def test_source_that_breaks_is_not_read_for_ever(
    with_tab: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        async def broken(source: object, *, who: str) -> None:
            raise LookupError(source, who)

        monkeypatch.setattr(site.health, "refresh", broken)
        with pytest.raises(LookupError):
            await tab.do("refresh", "lenders")
        assert tab.state.reading == []

    with_tab(work)


def test_source_that_cannot_be_read_is_refused_in_a_sentence(with_tab: Callable[[Work], None]) -> None:
    async def work(tab: StaffTab, _: Site) -> None:
        await tab.do("refresh", "content")
        assert tab.state.told == "There is nothing to refresh here."

    with_tab(work)


@pytest.mark.parametrize("given", [None, 7, ["lenders"], {"a": 1}, "", "no such source", "\ud800"], ids=repr)
def test_forged_source_asks_for_nothing(with_tab: Callable[[Work], None], given: object) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        await tab.do("refresh", given)
        assert (tab.state.told, tab.state.reading, await site.services.audit.latest(9)) == ("", [], ())

    with_tab(work)


@pytest.mark.parametrize("away", ["counts", "page"])
def test_sources_are_told_though_the_enquiries_are_away(
    with_tab: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch, away: str
) -> None:
    async def work(tab: StaffTab, site: Site) -> None:
        async def refused(*_: object, **__: object) -> Refused:
            return Refused(words=AWAY)

        with monkeypatch.context() as patch:
            patch.setattr(site.services.enquiry_admin, away, refused)
            await tab.do("open")
        assert (tab.state.status, tab.state.problem, tab.state.counts) == (LOADED, AWAY, ())
        assert len(tab.state.found.sources) == 8
        await tab.do("look_again")
        assert (tab.state.problem, len(tab.state.counts)) == ("", 3)

    with_tab(work)


def test_nothing_is_looked_at_before_the_page_is_open(with_tab: Callable[[Work], None]) -> None:
    async def work(tab: StaffTab, _: Site) -> None:
        await tab.do("look_again")
        assert (tab.state.status, tab.state.found.sources) == (IDLE, ())

    with_tab(work)
