"""The lenders of a live feed, as pages are built with them: over real HTTP."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from broker import routes
from broker.content.source import lender_list_file, read_lender_list
from broker.content.store import ContentStore
from broker.lenders.directory import known_lenders, market_lenders, read_lenders
from broker.lenders.lender import KnownLender
from broker.lenders.page_view import WITHOUT_RATES
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.settings import Settings
from tests.integration.drawn_site import HALIFAX, drawn_site
from tests.our_content import STORE
from tests.standin import running
from tests.standin.server import Standin
from tests.unit.content.wordpress.answering import snapshot
from tests.unit.rates.market.searching import catalogue

OURS = market_lenders(catalogue())
TEXT = replace(snapshot()[0].lenders["alder-mutual"], lender_id=0)
TIPTON = next(lender for lender in OURS if lender.lender_id == 105)


@pytest.fixture
def standin() -> Iterator[Standin]:
    with running() as standin:
        yield standin


def read(settings: Settings, *, accept_removals: bool = False) -> str:
    async def work() -> str:
        client = FeedClient(FeedSettings(api_url=settings.api_url, backoff_seconds=0))
        try:
            return await read_lenders(settings, client, accept_removals=accept_removals)
        finally:
            await client.aclose()

    return asyncio.run(work())


def test_lender_whose_id_is_anothers_in_the_feed_lends_it_nothing(standin: Standin, tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path, api_url=standin.url)
    assert (TIPTON.name, read_lender_list(settings)) == ("Tipton & Coseley Building Society", {})
    standin.rename({105: "Elm Tree Home Loans"})
    assert read(settings) == ""
    found = known_lenders(OURS, {}, names=read_lender_list(settings))
    assert TIPTON.slug not in {lender.slug for lender in found}
    assert [(lender.name, lender.slug) for lender in found if lender.lender_id == 105] == [("Elm Tree Home Loans", "")]
    assert {lender for lender in found if lender.lender_id != 105} == set(OURS) - {TIPTON}


@pytest.mark.parametrize("failure", ["status-500", "html-200", "fault", "null", "empty-list", "reset"])
def test_list_that_cannot_be_read_leaves_the_last_one(standin: Standin, tmp_path: Path, failure: str) -> None:
    settings = Settings(state_dir=tmp_path, api_url=standin.url)
    assert read(settings) == ""
    before = read_lender_list(settings)
    standin.switch(failure, only="get_lenders")
    assert read(settings) != ""
    assert (read_lender_list(settings), len(before)) == (before, len(OURS))
    assert read_lender_list(settings.changed(api_url="https://another.test/api")) == {}
    lender_list_file(settings).write_text("[broken")
    assert read_lender_list(settings) == {}


def test_many_lenders_go_only_where_that_is_accepted(standin: Standin, tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path, api_url=standin.url)
    standin.switch(lenders=20)
    assert read(settings) == ""
    standin.switch(lenders=0)
    assert read(settings) == (
        f"the feed lists {len(OURS)} lenders, and {len(OURS) + 20} before: if that is meant, run it again with "
        "--accept-removals (make publish ARGS=--accept-removals)"
    )
    assert len(read_lender_list(settings)) == len(OURS) + 20
    assert read(settings, accept_removals=True) == ""
    assert len(read_lender_list(settings)) == len(OURS)


def test_page_without_rates_says_so_and_the_list_counts_those_with_rates() -> None:
    known = KnownLender(lender_id=0, name="Alder Mutual", slug="alder-mutual", kind="")
    of_feed_alone = KnownLender(lender_id=900, name="Rowan Bank", slug="", kind="")
    store = ContentStore(replace(STORE.content, lenders={**STORE.lender_texts(), "alder-mutual": TEXT}))
    site, paths = drawn_site(store, lenders=(HALIFAX, known, of_feed_alone))
    assert WITHOUT_RATES in site["/lenders/alder-mutual/"].words
    assert {path for path in paths if path.startswith("/lenders/alder-mutual/")} == {"/lenders/alder-mutual/"}
    listed = site[routes.LENDERS]
    assert (
        "Rates from 2 lenders. Choose one to see its deals, with the APRC, fees and true cost of each." in listed.words
    )
    assert {"/lenders/alder-mutual/", "/tools/rates/?lender=900"} <= set(listed.links)
