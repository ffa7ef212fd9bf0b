import logging
from typing import Any

import pytest

from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.refresh import NO_FEED
from broker.rates.feed.client import LENDERS, LOGOS
from tests.unit.lenders.logos.logo_testbed import CEDAR, CODE_17, LENDER_LIST, ROWAN, audit_sentences, logos
from tests.unit.lenders.logos.sent_pictures import picture
from tests.unit.rates.feed.changing_feed import Feed

PNG = picture()


async def test_lenders_and_logos_have_flags_of_their_own(fed_admin: LogoAdmin, feed: Feed, database_url: str) -> None:
    seen: list[tuple[bool, bool, bool, bool]] = []

    def observe(tree: dict[str, Any] | None = None) -> Any:
        lenders_fetch, logos_fetch = fed_admin.refreshed.lenders, fed_admin.refreshed.logos
        seen.append((lenders_fetch.fetching, lenders_fetch.done, logos_fetch.fetching, logos_fetch.done))
        return tree

    feed.trees = {LENDERS: lambda _: observe(LENDER_LIST), LOGOS: lambda _: observe(logos({CEDAR: PNG}))}
    fetch, rows = await fed_admin.refresh_lenders(who="ann")
    assert (fetch.found, fetch.sentence, len(rows)) == (2, "The feed lists 2 lenders.", 3)
    logos_fetch = await fed_admin.refresh_logos(who="ann")
    assert logos_fetch.sentence == "1 logo fetched, 1 of them new; 2 lenders without."
    assert (fed_admin.refreshed.lenders, fed_admin.refreshed.logos) == (fetch, logos_fetch)
    observe()
    assert seen == [(True, False, False, False), (False, True, True, False), (False, True, False, True)]
    again = await fed_admin.refresh_logos(who="ann")
    assert (logos_fetch.found, logos_fetch.changed, again.found, again.changed) == (1, 1, 1, 0)
    assert await audit_sentences(database_url) == [
        "ann read the list of lenders again (2 lenders)",
        "ann read the logos again (1 fetched, 1 new, 0 gone, 2 without)",
        "ann read the logos again (1 fetched, 0 new, 0 gone, 2 without)",
    ]


async def test_failed_list_is_logged_with_its_code_and_is_empty(
    fed_admin: LogoAdmin, feed: Feed, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({})}
    with caplog.at_level(logging.WARNING):
        await fed_admin.refresh()
        feed.trees = {LENDERS: CODE_17}
        fetch, rows = await fed_admin.refresh_lenders(who="ann")
        assert (fetch.done, fetch.fetching, fetch.found, rows) == (True, False, 0, ())
        code = "get_lenders: fault: The service answered with code 17."
        assert fetch.sentence == f"The list of lenders could not be read ({code}), and is empty until it can be."
        assert f"the list of lenders is empty: {code}" in caplog.messages
        assert fed_admin.logo_cache.directory.name(ROWAN) == "Rowan"
    assert await audit_sentences(database_url) == [
        "ann read the list of lenders again (failed: get_lenders: fault: The service answered with code 17.)"
    ]


async def test_without_a_feed_both_say_so(admin: LogoAdmin) -> None:
    fetch, rows = await admin.refresh_lenders(who="ann")
    logos_fetch = await admin.refresh_logos(who="ann")
    assert (fetch.sentence, logos_fetch.sentence, len(rows)) == (NO_FEED, NO_FEED, 2)
