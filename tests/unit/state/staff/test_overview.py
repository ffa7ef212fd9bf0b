import asyncio
import logging
from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker.cases.case import Refused
from broker.cases.service import AWAY
from broker.enquiries.enquiry import EnquiryKind
from broker.rates.feed.client import LENDERS
from broker.settings import Settings
from broker.staff.source_health import Source
from broker.state.staff.overview import ASKED_FOR, IDLE, LOADED, NOT_ASKED_FOR, OverviewState
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import sent
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, enquire
from tests.unit.storage.stores import edit, giving


@pytest.fixture
def db_settings(db_settings: Settings) -> Settings:
    return db_settings.changed(api_url="https://broker.example/api", content_hook_secrets=("s" * 32,))


@pytest.fixture
def tab(empty_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    return StaffTab(OverviewState)


def line(tab: StaffTab, key: str) -> Any:
    return next(line for line in tab.state.found.sources if line.key == key)


async def test_page_that_opens_says_everything(tab: StaffTab, empty_site: Site) -> None:
    await tab.do("look_again")
    assert (tab.state.status, tab.state.counts, tab.state.found.sources) == (IDLE, (), ())
    first = await enquire(empty_site)
    await empty_site.services.enquiries.submit(sent(EnquiryKind.CONTACT, message="Another"))
    await empty_site.services.cases._cases.change(edit(first), giving("ada"))
    empty_site.calendar.forward(days=30)
    await tab.do("open")
    assert tab.state.status == LOADED
    assert [one.count for one in tab.state.counts] == ["2", "2", "1"]
    assert [line.tag for line in tab.state.found.sources][:2] == ["Not read yet", "Not read yet"]
    assert tab.state.found.outbox.tag == "No mail server"


async def test_source_is_read_when_staff_ask(tab: StaffTab, empty_site: Site) -> None:
    await tab.do("open")
    await tab.do("refresh", "lenders")
    assert (tab.state.result, tab.state.reading) == ("Lenders: read at 13:00", [])
    assert (line(tab, "lenders").tag, line(tab, "logos").tag) == ("Up to date", "Not read yet")
    assert [entry.who for entry in await empty_site.services.audit.latest(9)] == ["ada"]
    await tab.do("open")
    assert tab.state.result == ""


async def test_source_that_fails_says_so(tab: StaffTab, empty_site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        await tab.do("open")
        del empty_site.feed.trees[LENDERS]
        await tab.do("refresh", "lenders")
        assert tab.state.result.startswith("Lenders: not read, ")
        assert line(tab, "lenders").tag == "Stale: it fails"


async def test_source_is_read_once_for_two_presses_and_others_meanwhile(
    tab: StaffTab, empty_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = [], asyncio.Event()
    refresh = empty_site.health.refresh

    async def slow(source: object, *, who: str) -> Any:
        asked.append(source)
        await answered.wait()
        return await refresh(source, who=who)

    monkeypatch.setattr(empty_site.health, "refresh", slow)
    running = [asyncio.create_task(tab.do("refresh", source)) for source in ("lenders", "lenders", "logos")]
    while len(asked) < 2:
        await asyncio.sleep(0)
    assert (tab.state.reading, tab.state.result) == (["lenders", "logos"], "Logos: being read")
    await tab.do("open")
    assert tab.state.reading == ["lenders", "logos"]
    answered.set()
    await asyncio.gather(*running)
    assert (asked, tab.state.reading) == (["lenders", "logos"], [])


async def test_source_that_breaks_is_not_read_for_ever(
    tab: StaffTab, empty_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(empty_site.health, "refresh", AsyncMock(side_effect=LookupError))
    with pytest.raises(LookupError):
        await tab.do("refresh", "lenders")
    assert tab.state.reading == []


async def test_source_that_cannot_be_read_is_refused_in_a_sentence(tab: StaffTab) -> None:
    await tab.do("refresh", "content")
    assert tab.state.result == "There is nothing to refresh here."


@pytest.mark.parametrize("given", [None, 7, ["lenders"], {"a": 1}, "", "no such source", "\ud800"], ids=repr)
async def test_forged_source_asks_for_nothing(tab: StaffTab, empty_site: Site, given: object) -> None:
    await tab.do("refresh", given)
    assert (tab.state.result, tab.state.reading, await empty_site.services.audit.latest(9)) == ("", [], ())


async def test_sources_are_shown_though_the_enquiries_are_away(tab: StaffTab, empty_site: Site) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(empty_site.services.case_lists, "counts", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("open")
    assert (tab.state.status, tab.state.problem, tab.state.counts) == (LOADED, AWAY, ())
    assert len(tab.state.found.sources) == len(Source)
    await tab.do("look_again")
    assert (tab.state.problem, len(tab.state.counts)) == ("", 3)


async def test_content_is_published_when_staff_ask(tab: StaffTab, empty_site: Site) -> None:
    await tab.do("open")
    before = [tab.state.found.publishing.tag]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(empty_site.services.publishing, "publish_now", AsyncMock(side_effect=StorageError("away")))
        await tab.do("publish_now")
    assert tab.state.publish_result == NOT_ASKED_FOR
    await tab.do("publish_now")
    assert [*before, tab.state.found.publishing.tag] == ["Ready", "Waiting"]
    assert (tab.state.publish_result, tab.state.found.can_publish) == (ASKED_FOR, True)
    assert [entry.who for entry in await empty_site.services.audit.latest(9)] == ["ada"]
