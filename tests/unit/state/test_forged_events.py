"""Forged calls of the public handlers: nothing raises, and nothing on screen changes."""

import asyncio
from typing import Any

import pytest

from broker.state.rates.search import RatesState
from tests.unit.services.sources import ListSource
from tests.unit.state.tab import Tab

HERE = "/tools/rates/?price=300000&sort=fees&feefree=1"

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
def opened(tab: Tab) -> Tab:
    """Return a tab with a list on screen that is not the usual one."""
    asyncio.run(tab.open(HERE))
    assert (tab.state.status, len(tab.state.found.cards)) == ("loaded", 5)
    return tab


def test_handlers_are_these_and_no_others() -> None:
    # `setvar` is Reflex's own, and can only call set_ methods, of which there are none.
    assert set(RatesState.event_handlers) - {"setvar"} == {
        "open",
        "find",
        "see_more",
        "try_again",
        "show_details",
    }
    assert [name for name in vars(RatesState) if name.startswith("set_")] == []


def test_forged_product_opens_nothing(opened: Tab) -> None:
    before, opening = opened.visible(), []
    for name, value in HOSTILE.items():
        opened.state._product = value if isinstance(value, str) else ""
        asyncio.run(opened.state.show_details())
        opening += [name] if opened.visible() != before else []
    assert opening == []


def test_forged_customer_is_the_general_one(opened: Tab, source: ListSource) -> None:
    before, changing = opened.visible(), []
    for name, value in HOSTILE.items():
        asyncio.run(opened.open(HERE, value))
        changing += [name] if (opened.visible(), len(source.asked)) != (before, 1) else []
    assert changing == []


def test_pressing_everything_without_end_keeps_the_list_bounded(opened: Tab, source: ListSource) -> None:
    for _ in range(500):
        opened.state.see_more()
        asyncio.run(opened.state.show_details())
    asyncio.run(opened.search())
    assert (len(opened.state.found.cards), len(source.asked)) == (12, 1)
