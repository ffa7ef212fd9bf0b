"""What a tab compares: picked by hand, or asked for by the address."""

from typing import Any, cast

import pytest

from broker.state.rates.compare import CompareState
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import Tab, address

RATES = "/tools/rates/"
HOSTILE: list[Any] = [None, 1, 1e308, [], {}, "", "x" * 100_000]


@pytest.fixture
def compare(tab: Tab, source: ListSource) -> CompareState:
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


SHOWN = {
    "p000,p002": ["p000", "p002"],
    "p000,p000,p001": ["p000", "p001"],
    "p000,nothing,p001": ["p000", "p001"],
    "p000,p001,p002,p003,p004": ["p000", "p001", "p002", "p003"],
    **{nothing: [] for nothing in ("p000", "nothing,less", "," * 50, "x" * 10_000)},
}


@pytest.mark.parametrize(("compared", "shown"), SHOWN.items(), ids=[name[:30] for name in SHOWN])
async def test_address_brings_its_comparison(tab: Tab, compare: CompareState, compared: str, shown: list[str]) -> None:
    tab.go(RATES + "?compare=" + compared)
    await compare.open("")
    assert len(compare.shown.heads) == len(shown)
    tab.go(RATES)
    await compare.open("")
    assert compare.shown.heads == ()


async def test_source_that_is_away_shows_no_comparison(tab: Tab, compare: CompareState, source: ListSource) -> None:
    source.away = True
    tab.go(RATES + "?compare=p000,p001")
    await compare.open("")
    assert compare.shown.heads == ()
