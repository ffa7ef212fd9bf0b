"""What a tab compares: picked by hand, or asked for by the address."""

import asyncio
from typing import Any, cast

import pytest

from broker.state.rates.compare import CompareState
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import Tab, address

RATES = "/tools/rates/"
HOSTILE: list[Any] = [None, 1, 1e308, [], {}, "", "x" * 100_000]


@pytest.fixture
def compare(tab: Tab, source: ListSource) -> CompareState:
    """Return the tab's comparison, over a source of six products."""
    source.products = many(6)
    return cast(CompareState, tab.root.get_substate(CompareState.get_full_name().split(".")))


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:20])
def test_forged_picks_go_nowhere(tab: Tab, compare: CompareState, value: Any) -> None:
    tab.go(RATES)
    assert compare.compare("", value) is None
    assert compare.compare("", [value, value]) is None
    assert compare.compare("", ["p000", value]) is None


def test_comparison_has_an_address_that_keeps_the_search(tab: Tab, compare: CompareState) -> None:
    tab.go(RATES + "?price=300000&compare=old&x=1")
    assert compare.compare("", ["p000"]) is None
    picked = ["p000", "p002"]
    assert address(compare.compare("", picked)) == "/tools/rates/?price=300000&compare=p000%2Cp002"
    assert address(compare.compare("home-mover", picked)) == "/home-mover/rates/?price=300000&compare=p000%2Cp002"
    assert address(compare.compare(cast(Any, ["//evil"]), picked)) == "/tools/rates/?price=300000&compare=p000%2Cp002"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("p000,p002", ["p000", "p002"]),
        ("p000,p000,p001", ["p000", "p001"]),
        ("p000,nothing,p001", ["p000", "p001"]),
        ("p000,p001,p002,p003,p004", ["p000", "p001", "p002", "p003"]),
        ("p000", []),
        ("nothing,less", []),
        ("," * 50, []),
        ("x" * 10_000, []),
    ],
)
def test_address_brings_its_comparison(tab: Tab, compare: CompareState, asked: str, shown: list[str]) -> None:
    tab.go(RATES + "?compare=" + asked)
    asyncio.run(compare.open(""))
    assert len(compare.shown.heads) == len(shown)


def test_address_without_a_comparison_closes_it(tab: Tab, compare: CompareState) -> None:
    tab.go(RATES + "?compare=p000,p001")
    asyncio.run(compare.open(""))
    tab.go(RATES)
    asyncio.run(compare.open(""))
    assert compare.shown.heads == ()


def test_source_that_is_away_shows_no_comparison(tab: Tab, compare: CompareState, source: ListSource) -> None:
    source.away = True
    tab.go(RATES + "?compare=p000,p001")
    asyncio.run(compare.open(""))
    assert compare.shown.heads == ()
