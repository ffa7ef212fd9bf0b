"""200 lenders with logos from the stand-in, half of them failing in different ways: issue's case, end to end."""

import asyncio
import logging
from collections import Counter

import pytest

from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.logo import LogoSource
from broker.lenders.logos.refresh import DAMAGED, FAULTS, NOT_THERE, Fetch
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.lenders import LogoFault
from broker.storage.database import Database, database_address
from tests.standin import Standin, running
from tests.standin.market import market
from tests.standin.mixed_logos import STRANGER, Fate, fate_of, more_ids

COUNT = 200
OWN = sorted(market().catalogue.lenders)
EVERYBODY = [*OWN, *more_ids(COUNT - len(OWN))]
WAYS = {lender_id: fate_of(place) for place, lender_id in enumerate(EVERYBODY)}
BATCH = 20
BATCHES = [EVERYBODY[start : start + BATCH] for start in range(0, COUNT, BATCH)]
LOST = {one for batch in BATCHES if any(WAYS[each] is Fate.BATCH_FAILS for each in batch) for one in batch}

WORDS = {
    Fate.BROKEN_BASE64: FAULTS[LogoFault.BROKEN_BASE64],
    Fate.NO_PICTURE: FAULTS[LogoFault.OTHER_KIND],
    Fate.TOO_LARGE: FAULTS[LogoFault.TOO_LARGE],
    Fate.CUT_OFF: DAMAGED,
    Fate.MISSING: NOT_THERE,
    Fate.WRONG_NUMBER: NOT_THERE,
}
FAILED = "The feed did not answer for it (get_logos: answered 502)."


async def refreshed(standin: Standin, url: str) -> tuple[LogoAdmin, Fetch]:
    database, client = Database(database_address(url)), FeedClient(FeedSettings(api_url=standin.url, backoff_seconds=0))
    admin = LogoAdmin(LenderDirectory(()), client)
    async with admin.running(database):
        fetch, rows = await admin.refresh_lenders(who="ann")
        assert (fetch.found, len(rows)) == (COUNT, COUNT)
        found = await admin.refresh_logos(who="ann")
        for address in admin.logo_cache.directory.logos().values():
            file = await admin.logo_cache.file(address.removeprefix("/logos/"))
            assert file
            assert file.data.endswith(b"IEND\xaeB`\x82")
    await client.aclose()
    await database.close()
    return admin, found


def test_half_of_the_logos_fail_and_the_rest_are_in(database_url: str) -> None:
    with running() as standin:
        standin.switch("logos-mixed", only="get_logos", lenders=COUNT - len(OWN))
        admin, found = asyncio.run(refreshed(standin, database_url))
    fine = {one for one in EVERYBODY if WAYS[one] is Fate.FINE and one not in LOST}
    assert Counter(WAYS.values())[Fate.FINE] == COUNT // 2
    assert {one for one in EVERYBODY if admin.logo_cache.logo(one).source is LogoSource.FEED} == fine
    assert (found.found, found.changed, found.done, found.fetching) == (len(fine), len(fine), True, False)
    told = {failure.lender_id: failure.sentence for failure in found.failures}
    assert told == {
        one: f"{admin.logo_cache.directory.name(one)}: {FAILED if one in LOST else WORDS[WAYS[one]]}"
        for one in EVERYBODY
        if one not in fine
    }
    wrong = (one + STRANGER for one in EVERYBODY if WAYS[one] is Fate.WRONG_NUMBER and one not in LOST)
    assert found.strangers == tuple(sorted(wrong))
    assert (len(LOST), len(found.errors)) == (2 * BATCH, 2)


def test_next_refresh_brings_the_others_in_and_leaves_those_that_are_there(database_url: str) -> None:
    with running() as standin:
        standin.switch("logos-mixed", only="get_logos", lenders=COUNT - len(OWN))
        admin, first = asyncio.run(refreshed(standin, database_url))
        before = dict(admin.logo_cache.directory.logos())
        standin.switch("ok", lenders=0)
        database, client = Database(database_address(database_url)), FeedClient(FeedSettings(api_url=standin.url))

        async def again() -> tuple[LogoAdmin, Fetch]:
            second = LogoAdmin(LenderDirectory(()), client)
            async with second.running(database):
                await second.refresh_lenders(who="ann")
                found = await second.refresh_logos(who="ann")
            await client.aclose()
            await database.close()
            return second, found

        after, found = asyncio.run(again())
    assert (found.found, found.failures, found.problem) == (len(OWN), (), "")
    assert found.changed == len(OWN) - len([one for one in OWN if one in before])
    assert {one: after.logo_cache.directory.logos()[one] for one in before} == before
    assert first.changed == len(before)


@pytest.mark.parametrize(("name", "code"), [("status-500", "answered 500"), ("status-not-ok", "code Failed")])
def test_failed_list_of_lenders_is_empty_and_its_code_is_logged(
    name: str, code: str, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def asked(standin: Standin) -> None:
        database, client = Database(database_address(database_url)), FeedClient(FeedSettings(api_url=standin.url))
        admin = LogoAdmin(LenderDirectory(()), client)
        async with admin.running(database):
            fetch, rows = await admin.refresh_lenders(who="ann")
            assert (rows, fetch.done) == ((), True)
            assert code in fetch.sentence
            assert admin.refreshed.logos == Fetch()
        await client.aclose()
        await database.close()

    with running() as standin, caplog.at_level(logging.WARNING):
        standin.switch(name, only="get_lenders")
        asyncio.run(asked(standin))
    assert [line for line in caplog.messages if code in line]
