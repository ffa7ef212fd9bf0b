import asyncio
import logging
from typing import cast

import pytest

from broker.lenders.logos.logo import LogoKind, LogoSource, LogoVersion
from broker.lenders.logos.logo_cache import POLL_SECONDS, LogoCache
from broker.lenders.logos.store import LogoStore
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.lenders.logos.logo_testbed import ALDER, CEDAR, MARKS, directory

NAMES = [f"42-00000000000{number}.png" for number in range(4)]


class Store:
    """Versions and pictures in memory, counted as they are asked for."""

    def __init__(self) -> None:
        self.found: list[LogoVersion] = []
        self.asked: list[str] = []
        self.away = False

    def show(self, lender_id: int, picture: str) -> None:
        kind = LogoKind.PICTURE if picture else LogoKind.HIDDEN
        number = len(self.found) + 1
        version = LogoVersion(
            lender_id=lender_id,
            source=LogoSource.STAFF,
            number=number,
            kind=kind,
            picture=picture,
            who="ann",
            at=BEGINNING,
        )
        self.found.append(version)

    async def stamp(self) -> int:
        self.asked.append("stamp")
        if self.away:
            raise StorageError("away")
        return len(self.found)

    async def newest(self) -> tuple[LogoVersion, ...]:
        self.asked.append("newest")
        return tuple({one.lender_id: one for one in self.found}.values())

    async def png(self, name: str) -> bytes | None:
        self.asked.append(name)
        return b"x" * 10 if name in NAMES else None


def logo_cache(store: Store) -> LogoCache:
    made = LogoCache(directory())
    made.open(cast(LogoStore, store))
    return made


async def test_addresses_follow_the_newest_versions() -> None:
    store = Store()
    found = logo_cache(store)
    store.show(ALDER, NAMES[0])
    await found.learn()
    assert found.directory.logos() == {**MARKS, ALDER: f"/logos/{NAMES[0]}"}
    store.show(ALDER, "")
    store.show(9, NAMES[1])
    await found.learn()
    assert found.directory.logos() == {**MARKS, 9: f"/logos/{NAMES[1]}"}
    assert (found.address(ALDER), found.address(CEDAR), found.logo(CEDAR).number) == ("", "", 0)


async def test_nothing_is_read_again_until_something_changed() -> None:
    store = Store()
    found = logo_cache(store)
    store.show(ALDER, NAMES[0])
    for _ in range(3):
        await found.learn()
    assert store.asked == ["stamp", "newest", "stamp", "stamp"]


STRANGE = ("", "42-00.png", "42-000000000000.svg", "../42-000000000000.png", "x" * 5_000, "٤٢-000000000000.png")


async def test_database_is_not_asked_for_names_that_no_picture_has() -> None:
    store = Store()
    found = logo_cache(store)
    assert ([await found.file(name) for name in (*STRANGE, "7-0123456789ab.png")], store.asked) == (
        [None] * 7,
        ["7-0123456789ab.png"],
    )


async def test_learning_goes_on_while_the_database_is_away_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    store, waits = Store(), list[float]()
    found = logo_cache(store)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        store.away = len(waits) in (1, 2)
        if len(waits) == 2:
            store.show(ALDER, NAMES[0])
        if len(waits) == 4:
            raise asyncio.CancelledError

    with caplog.at_level(logging.WARNING), pytest.raises(asyncio.CancelledError):
        await found.refresh_periodically(sleep)
    assert (waits, caplog.messages) == ([POLL_SECONDS] * 4, ["logos cannot be read, and are served from memory: away"])
    assert found.address(ALDER) == f"/logos/{NAMES[0]}"


async def test_cache_that_is_closed_shows_what_it_learnt() -> None:
    store = Store()
    found = logo_cache(store)
    store.show(ALDER, NAMES[0])
    await found.learn()
    found.close()
    await found.learn()
    assert (found.address(ALDER), await found.file(NAMES[1])) == (f"/logos/{NAMES[0]}", None)
