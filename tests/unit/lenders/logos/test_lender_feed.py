from typing import Any

import pytest

from broker.lenders.logos import refresh
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.logo import CleanPicture, LogoSource
from broker.lenders.logos.upload import clean_picture
from broker.rates.feed.client import LENDERS, LOGOS
from broker.rates.feed.errors import FeedError
from tests.unit.lenders.logos.logo_testbed import (
    ALDER,
    CEDAR,
    CODE_17,
    LENDER_LIST,
    MARKS,
    ROWAN,
    audit_sentences,
    logos,
    running,
)
from tests.unit.lenders.logos.sent_pictures import picture, plain
from tests.unit.rates.feed.changing_feed import Feed

PNG, GIF, JPEG = picture(), picture("GIF"), picture("JPEG")
FEED = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: PNG})}


@pytest.fixture
async def admin(fed_admin: LogoAdmin) -> LogoAdmin:
    return fed_admin


def sources(admin: LogoAdmin) -> dict[int, LogoSource]:
    return {lender_id: admin.logo_cache.logo(lender_id).source for lender_id in admin.logo_cache.directory.ids}


async def test_feeds_logo_takes_the_place_of_the_drawn_mark(admin: LogoAdmin, feed: Feed, database_url: str) -> None:
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: GIF, ROWAN: JPEG})}
    await admin.refresh()
    found = admin.logo_cache.directory
    assert sources(admin) == {CEDAR: LogoSource.FEED, ROWAN: LogoSource.FEED, ALDER: LogoSource.MONOGRAM}
    for lender_id in (CEDAR, ROWAN):
        address = found.logos()[lender_id]
        assert address.startswith(f"/logos/{lender_id}-")
        file = await admin.logo_cache.file(address.removeprefix("/logos/"))
        assert file
        assert file.data.startswith(b"\x89PNG")
    assert found.logos()[ALDER] == MARKS[ALDER]
    assert [found.name(lender_id) for lender_id in (CEDAR, ROWAN, 1)] == ["Cedar Bank", "Rowan", ""]
    assert await audit_sentences(database_url) == []


async def test_logo_of_the_feed_outlives_the_server(admin: LogoAdmin, feed: Feed, database_url: str) -> None:
    feed.trees = FEED
    await admin.refresh()
    async with running(database_url) as restarted:
        assert restarted.logo_cache.address(CEDAR).startswith("/logos/7-")


async def test_staffs_logo_and_removal_count_before_the_feeds(admin: LogoAdmin, feed: Feed) -> None:
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: PNG, ALDER: PNG})}
    await admin.refresh()
    await admin.upload(CEDAR, plain(), file_name="a.png", who="ann", made_to=0)
    await admin.remove(ALDER, who="ann", made_to=0)
    wanted = {CEDAR: LogoSource.STAFF, ALDER: LogoSource.MONOGRAM, ROWAN: LogoSource.MONOGRAM}
    assert sources(admin) == wanted
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: GIF, ALDER: GIF})}
    await admin.refresh()
    assert sources(admin) == wanted
    for lender_id in (CEDAR, ALDER):
        await admin.undo(lender_id, to=0, who="ann", made_to=1)
    assert sources(admin) == {**wanted, CEDAR: LogoSource.FEED, ALDER: LogoSource.FEED}


async def test_logo_that_is_gone_goes_and_one_that_is_damaged_stays_as_it_was(
    admin: LogoAdmin, feed: Feed, database_url: str
) -> None:
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: PNG, ALDER: PNG, ROWAN: PNG})}
    await admin.refresh()
    before = admin.logo_cache.address(CEDAR)
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({CEDAR: PNG[:60], ROWAN: b"<svg/>"})}
    found = await admin.refresh_logos(who="ann")
    assert [failure.sentence for failure in found.failures] == [
        "Cedar Bank: What the feed sent is damaged or not complete.",
        "Rowan: What the feed sent is no PNG, JPEG or GIF.",
        "Alder: The feed has no logo for it.",
    ]
    assert (found.found, found.changed, found.gone) == (0, 0, 1)
    assert sources(admin) == {CEDAR: LogoSource.FEED, ROWAN: LogoSource.FEED, ALDER: LogoSource.MONOGRAM}
    assert admin.logo_cache.address(CEDAR) == before
    assert await audit_sentences(database_url) == ["ann read the logos again (0 fetched, 0 new, 1 gone, 3 without)"]


async def test_answer_without_any_logo_removes_none(admin: LogoAdmin, feed: Feed) -> None:
    feed.trees = FEED
    await admin.refresh()
    for answer in ({}, logos({})):
        feed.trees = {LENDERS: LENDER_LIST, LOGOS: answer}
        found = await admin.refresh_logos(who="ann")
        assert (found.gone, len(found.failures), sources(admin)[CEDAR]) == (0, 3, LogoSource.FEED)


async def test_logos_are_read_after_a_refused_list_but_not_from_a_dead_feed(admin: LogoAdmin, feed: Feed) -> None:
    feed.trees = {LENDERS: CODE_17, LOGOS: logos({CEDAR: PNG})}
    with pytest.raises(FeedError, match="code 17"):
        await admin.refresh()
    assert sources(admin)[CEDAR] is LogoSource.FEED
    assert feed.counted() == {"get_lenders": 1, "get_logos": 1}


async def test_bad_batch_does_not_cost_the_others_theirs(
    admin: LogoAdmin, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "_BATCH_LENDERS", 1)

    def answer(form: dict[str, str]) -> Any:
        return None if form["id"] == "7" else logos({int(form["id"]): GIF})

    feed.trees = FEED
    await admin.refresh()
    before = admin.logo_cache.address(CEDAR)
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: answer}
    with pytest.raises(FeedError, match="502"):
        await admin.refresh()
    assert set(sources(admin).values()) == {LogoSource.FEED}
    assert admin.logo_cache.address(CEDAR) == before
    assert admin.refreshed.logos.problem == "get_logos: answered 502"
    assert [failure.sentence for failure in admin.refreshed.logos.failures] == [
        "Cedar Bank: The feed did not answer for it (get_logos: answered 502)."
    ]


async def test_logos_of_other_lenders_are_named_and_left_out(admin: LogoAdmin, feed: Feed) -> None:
    feed.trees = {LENDERS: LENDER_LIST, LOGOS: logos({8: PNG, CEDAR: PNG})}
    found = await admin.refresh_logos(who="ann")
    assert (found.strangers, found.found) == ((8,), 1)
    assert admin.logo_cache.directory.logos().keys() == MARKS.keys()


async def test_batches_hold_twenty_lenders(admin: LogoAdmin, feed: Feed) -> None:
    feed.trees = {LENDERS: {}, LOGOS: logos({})}
    admin.logo_cache.directory.learn_names({one: str(one) for one in range(100, 143)})
    await admin.refresh_logos(who="ann")
    assert [len(form["id"].split(",")) for form in feed.forms] == [20, 20, 5]


async def test_logos_are_bounded_in_all(admin: LogoAdmin, feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    clean = clean_picture(plain(), "a.png")
    assert isinstance(clean, CleanPicture)
    monkeypatch.setattr(refresh, "_MAX_PICTURE_BYTES", len(clean.png) + 1)
    feed.trees = {LOGOS: logos({CEDAR: plain(), ALDER: plain((8, 8, 8))})}
    found = await admin.refresh_logos(who="ann")
    assert found.found == 1
    assert [one.sentence for one in found.failures] == ["Alder: The logos before it took all the room there is."]
