"""Lenders and logos fetched when staff say so: flags, what they are told, and what is recorded."""

import logging
from typing import Any

import pytest

from broker.feeds.endpoints import LENDERS, LOGOS
from broker.services.staff.logos.admin import LogoAdmin
from broker.services.staff.logos.refresh import NO_FEED
from tests.unit.services.feed import Feed
from tests.unit.services.logo_keeping import CEDAR, CODE_17, ROWAN, TOLD, logos, recorded, with_desk
from tests.unit.services.sent_pictures import picture

PNG = picture()


def test_lenders_and_logos_have_flags_of_their_own(database_url: str) -> None:
    seen: list[tuple[bool, bool, bool, bool]] = []
    feed = Feed({})

    async def work(admin: LogoAdmin) -> None:
        def look(tree: dict[str, Any]) -> Any:
            def answer(_form: dict[str, str]) -> dict[str, Any]:
                both = (admin.lenders_fetch, admin.logos_fetch)
                seen.append((both[0].fetching, both[0].done, both[1].fetching, both[1].done))
                return tree

            return answer

        feed.trees = {LENDERS: look(TOLD), LOGOS: look(logos({CEDAR: PNG}))}
        fetch, rows = await admin.refresh_lenders(who="ann")
        assert (fetch.found, fetch.sentence, len(rows)) == (2, "The feed lists 2 lenders.", 3)
        logos_fetch = await admin.refresh_logos(who="ann")
        assert logos_fetch.sentence == "1 logo fetched, 1 of them new; 2 lenders without."
        assert (admin.lenders_fetch, admin.logos_fetch) == (fetch, logos_fetch)
        both = (fetch, logos_fetch)
        seen.append((both[0].fetching, both[0].done, both[1].fetching, both[1].done))

    with_desk(database_url, work, feed.client)
    assert seen == [(True, False, False, False), (False, True, True, False), (False, True, False, True)]
    assert recorded(database_url) == [
        "ann fetched the list of lenders anew (2 lenders)",
        "ann fetched the logos anew (1 fetched, 1 new, 0 gone, 2 without)",
    ]


def test_failed_list_is_logged_with_its_code_and_is_empty(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed({LENDERS: TOLD, LOGOS: logos({})})

    async def work(admin: LogoAdmin) -> None:
        await admin.refresh()
        feed.trees = {LENDERS: CODE_17}
        fetch, rows = await admin.refresh_lenders(who="ann")
        assert (fetch.done, fetch.fetching, fetch.found, rows) == (True, False, 0, ())
        code = "get_lenders: fault: The service answered with code 17."
        assert fetch.sentence == f"The list of lenders could not be read ({code}), and is empty until it can be."
        assert f"the list of lenders is empty: {code}" in caplog.messages
        assert admin.logo_cache.directory.name(ROWAN) == "Rowan"

    with caplog.at_level(logging.WARNING):
        with_desk(database_url, work, feed.client)
    assert recorded(database_url) == [
        "ann fetched the list of lenders anew (failed: get_lenders: fault: The service answered with code 17.)"
    ]


def test_without_a_feed_both_say_so(database_url: str) -> None:
    async def work(admin: LogoAdmin) -> None:
        fetch, rows = await admin.refresh_lenders(who="ann")
        logos_fetch = await admin.refresh_logos(who="ann")
        assert ([fetch.sentence, logos_fetch.sentence], len(rows)) == ([NO_FEED] * 2, 2)

    with_desk(database_url, work)


def test_same_logos_again_are_no_change(database_url: str) -> None:
    feed = Feed({LENDERS: TOLD, LOGOS: logos({CEDAR: PNG})})

    async def work(admin: LogoAdmin) -> list[tuple[int, int]]:
        both = [await admin.refresh_logos(who="ann") for _ in range(2)]
        return [(one.found, one.changed) for one in both]

    assert with_desk(database_url, work, feed.client) == [(1, 1), (1, 0)]
