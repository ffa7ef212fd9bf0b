"""A visitor who goes on to another search before the first has ended sees the newer one, and nothing of the older."""

import asyncio
from typing import Any

import pytest

from broker.state.rates.search import RatesState
from tests.unit.services.sources import ListSource
from tests.unit.state.tab import Tab

RATES = "/tools/rates/"


async def overtaken(tab: Tab, source: ListSource, *, next_address: str, fails: bool) -> dict[str, Any]:
    """Return what is seen once a slow search ends after the visitor went on to another address."""
    source.waits[300_000] = asyncio.Event()
    tab.go(RATES + "?price=300000")
    tab.state.open("")
    slow = asyncio.create_task(tab.search())
    await asyncio.sleep(0)
    await tab.open(next_address)
    before, source.away = tab.visible(), fails
    source.waits[300_000].set()
    await slow
    assert source.asked[0].price == 300_000
    return {name: (before[name], now) for name, now in tab.visible().items() if now != before[name]}


@pytest.mark.parametrize("fails", [False, True], ids=["older answer", "older failure"])
@pytest.mark.parametrize("next_address", [RATES + "?price=400000", RATES], ids=["another search", "the plain page"])
def test_newer_search_wins_over_an_older_one(tab: Tab, source: ListSource, next_address: str, *, fails: bool) -> None:
    assert asyncio.run(overtaken(tab, source, next_address=next_address, fails=fails)) == {}


def test_background_search_gives_place_to_a_newer_one() -> None:
    handler = RatesState.event_handlers["find"]
    assert (handler.is_background, handler.supersedes) == (True, True)
