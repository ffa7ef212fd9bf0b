import asyncio
from typing import Any

import pytest

from broker.rates.rate_details import no_details
from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import Tab

RATES = "/tools/rates/"
HERE = RATES + "?price=300000&sort=fees&feefree=1"

HOSTILE: dict[str, Any] = {
    "nothing": None,
    "a number": 7,
    "a huge number": 1e308,
    "not a number": float("nan"),
    "a list": ["p000"],
    "nested lists": [[[]]],
    "an empty object": {},
    "an object": {"customer": "buy-to-let"},
    "objects in objects": {"price": {"price": {"price": "1"}}},
    "fields of wrong types": {"price": None, "amount": 7, "term": [], "rate": {}, "sort": True},
    "unknown values": {"rate": "neither", "period": "4", "sort": "colour", "for": "sale"},
    "bytes": b"p000",
    "an empty text": "",
    "a name nobody knows": "constructor",
    "a path": "../../etc/passwd",
    "a very long text": "9" * 1_000_000,
    "half a character": "\ud800",
    "a nought character": "\x00",
}


@pytest.fixture
async def opened(tab: Tab) -> Tab:
    """A tab with a list on screen that is not the usual one."""
    await tab.open(HERE)
    assert (tab.state.status, len(tab.state.found.cards)) == ("loaded", 5)
    return tab


async def test_forged_product_has_no_details_and_leaves_the_list(opened: Tab) -> None:
    before, changing = opened.visible(), []
    for name, value in HOSTILE.items():
        opened.state._product = value if isinstance(value, str) else ""
        await opened.show_details()
        found = opened.visible()
        assert found["detail"] in (before["detail"], no_details(opened.state._product)), name
        changing += [name] if found | {"detail": before["detail"]} != before else []
    assert changing == []


async def test_forged_customer_is_the_general_one(opened: Tab, source: ListSource) -> None:
    before, changing = opened.visible(), []
    for name, value in HOSTILE.items():
        await opened.open(HERE, value)
        changing += [name] if (opened.visible(), len(source.asked)) != (before, 1) else []
    assert changing == []


async def test_pressing_everything_without_end_leaves_the_list_bounded(opened: Tab, source: ListSource) -> None:
    for _ in range(500):
        opened.state.try_again()
        await opened.show_details()
    await opened.search()
    assert (len(opened.state.found.cards), len(source.asked)) == (5, 1)


@pytest.mark.parametrize("fails", [False, True], ids=["older answer", "older failure"])
@pytest.mark.parametrize("next_address", [RATES + "?price=400000", RATES], ids=["another search", "the plain page"])
async def test_newer_search_wins_over_an_older_one(
    tab: Tab, source: ListSource, next_address: str, *, fails: bool
) -> None:
    source.waits[300_000] = asyncio.Event()
    tab.go(RATES + "?price=300000")
    tab.state.open("")
    slow = asyncio.create_task(tab.search())
    await asyncio.sleep(0)
    await tab.open(next_address)
    before, source.away = tab.visible(), fails
    source.waits[300_000].set()
    await slow
    assert (source.asked[0].price, tab.visible()) == (300_000, before)
