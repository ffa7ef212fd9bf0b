"""What the feed tells of lenders: names, logos, and what a failure leaves."""

from __future__ import annotations

import asyncio
import base64
import logging
from typing import Any

import pytest

from broker.feeds.calls import LENDERS, LOGOS, Call
from broker.feeds.errors import FeedError
from broker.services import lender_feed
from broker.services.lender_feed import LenderFeed
from broker.services.lenders import KnownLender, LenderDirectory
from broker.services.logo_files import LogoFile, logo_file
from tests.unit.feeds.pictures import GIF, PNG, png
from tests.unit.services.feed import Feed

TOLD = {
    "GetLenderListResponse": {"Lenders": {"MBLender": [{"ID": "7", "Name": "CEDAR"}, {"ID": "9", "Name": "Rowan"}]}}
}


def logos(pictures: dict[int, bytes]) -> dict[str, Any]:
    """Return an answer of call 10."""
    rows = [{"LenderID": str(key), "Data": base64.b64encode(data).decode()} for key, data in pictures.items()]
    return {"GetLenderLogosResponse": {"Logos": {"MBLenderLogo": rows}}}


def directory() -> LenderDirectory:
    """Return a directory of two lenders."""
    known = ((7, "Cedar Bank", "cedar-bank"), (42, "Alder", "alder"))
    return LenderDirectory(KnownLender(lender_id=one, name=name, slug=slug) for one, name, slug in known)


def refreshed(*trees: dict[Call, Any], held: LenderDirectory | None = None) -> LenderDirectory:
    """Return a directory after a refresh from each of some answers in turn; failures are passed over."""
    found, feed = held or directory(), Feed({})

    async def refresh() -> None:
        for feed.trees in trees:
            await asyncio.gather(LenderFeed(feed.client, found).refresh(), return_exceptions=True)

    asyncio.run(refresh())
    return found


def test_feeds_logo_takes_the_place_of_the_drawn_mark() -> None:
    found = refreshed({LENDERS: TOLD, LOGOS: logos({7: PNG, 9: GIF})})
    cedar, rowan = logo_file(7, "image/png", data=PNG), logo_file(9, "image/gif", data=GIF)
    assert found.logos() == {7: cedar.address, 42: "/art/lender-alder.svg", 9: rowan.address}
    assert (found.logo(cedar.name), found.logo(rowan.name)) == (cedar, rowan)
    assert found.logo("42-000000000000.png") is None


def test_lender_that_only_the_feed_knows_has_its_name_and_no_picture() -> None:
    found = refreshed({LENDERS: TOLD, LOGOS: logos({})})
    assert [found.name(lender_id) for lender_id in (7, 9, 1)] == ["Cedar Bank", "Rowan", ""]
    assert found.ids == (7, 9, 42)
    assert 9 not in found.logos()


def test_logos_of_lenders_nobody_asked_for_are_left_out() -> None:
    found = refreshed({LENDERS: TOLD, LOGOS: logos({8: PNG})})
    assert found.logos() == directory().logos()


def test_logo_that_is_gone_gives_way_to_the_drawn_mark() -> None:
    found = refreshed({LENDERS: TOLD, LOGOS: logos({7: PNG})}, {LENDERS: TOLD, LOGOS: logos({9: PNG})})
    assert found.logos()[7] == "/art/lender-cedar-bank.svg"
    assert found.logo(logo_file(7, "image/png", data=PNG).name) is None


def test_failed_list_is_logged_with_its_code_and_leaves_names_and_new_logos(
    caplog: pytest.LogCaptureFixture,
) -> None:
    code = {"GetLenderListResponse": {"GetLenderListResult": "17", "Lenders": {}}}
    found = refreshed({LENDERS: TOLD, LOGOS: logos({})})
    feed = Feed({LENDERS: code, LOGOS: logos({9: PNG})})
    with caplog.at_level(logging.WARNING), pytest.raises(FeedError, match="The service answered with code 17"):
        asyncio.run(LenderFeed(feed.client, found).refresh())
    assert (found.name(9), found.logos()[9]) == ("Rowan", logo_file(9, "image/png", data=PNG).address)


def test_bad_batch_does_not_cost_the_others_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lender_feed, "BATCH", 1)

    def answer(form: dict[str, str]) -> Any:
        return None if form["id"] == "7" else logos({int(form["id"]): PNG})

    held = refreshed({LENDERS: TOLD, LOGOS: logos({7: GIF})})
    found = refreshed({LENDERS: TOLD, LOGOS: answer}, held=held)
    assert {key: path.rpartition(".")[2] for key, path in found.logos().items()} == {7: "gif", 9: "png", 42: "png"}


def test_batches_hold_twenty_lenders() -> None:
    known = [KnownLender(lender_id=one, name=str(one), slug=str(one)) for one in range(1, 46)]
    feed = Feed({LENDERS: {}, LOGOS: logos({})})
    asyncio.run(LenderFeed(feed.client, LenderDirectory(known)).refresh())
    assert [len(form["id"].split(",")) for form in feed.forms[1:]] == [20, 20, 5]


def test_logos_are_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lender_feed, "MOST_BYTES", len(PNG) * 2)
    monkeypatch.setattr(lender_feed, "BATCH", 1)
    pictures = {7: PNG, 9: png(10, 10), 42: png(20, 20)}
    found = refreshed({LENDERS: TOLD, LOGOS: lambda _form: logos(pictures)})
    assert [path.startswith("/logos/") for _, path in sorted(found.logos().items())] == [True, True, False]


def test_file_is_named_by_lender_picture_and_kind() -> None:
    jpeg = logo_file(3, "image/jpeg", data=b"a")
    assert jpeg == LogoFile(name="3-ca978112ca1b.jpg", media_type="image/jpeg", data=b"a")
    assert jpeg.address == "/logos/3-ca978112ca1b.jpg"
