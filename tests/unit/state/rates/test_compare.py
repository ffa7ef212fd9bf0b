"""What a tab compares: picked by hand, or asked for by the address."""

from typing import Any, cast

import pytest

from broker.state.rates.compare import CompareState
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import StateTab, address

RATES = "/tools/rates/"
HOSTILE: list[Any] = [None, 1, 1e308, [], {}, "", "x" * 100_000]


@pytest.fixture
def tab(source: ListSource) -> StateTab[CompareState]:
    source.products = many(6)
    return StateTab(CompareState)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:20])
def test_forged_picks_go_nowhere(tab: StateTab[CompareState], value: Any) -> None:
    tab.go(RATES)
    assert tab.state.compare("", value) is None
    assert tab.state.compare("", [value, value]) is None
    assert tab.state.compare("", ["p000", value]) is None


def test_comparison_has_an_address_that_keeps_the_search(tab: StateTab[CompareState]) -> None:
    tab.go(RATES + "?price=300000&compare=old&x=1")
    assert tab.state.compare("", ["p000"]) is None
    picked = ["p000", "p002"]
    assert address(tab.state.compare("", picked)) == "/tools/rates/?price=300000&compare=p000%2Cp002"
    assert address(tab.state.compare("home-mover", picked)) == "/home-mover/rates/?price=300000&compare=p000%2Cp002"
    assert address(tab.state.compare(cast(Any, ["//evil"]), picked)) == "/tools/rates/?price=300000&compare=p000%2Cp002"


SHOWN = {
    "p000,p002": ["p000", "p002"],
    "p000,p000,p001": ["p000", "p001"],
    "p000,nothing,p001": ["p000", "p001"],
    "p000,p001,p002,p003,p004": ["p000", "p001", "p002", "p003"],
    **{nothing: [] for nothing in ("p000", "nothing,less", "," * 50, "x" * 10_000)},
}


@pytest.mark.parametrize(("compared", "shown"), SHOWN.items(), ids=[name[:30] for name in SHOWN])
async def test_address_brings_its_comparison(tab: StateTab[CompareState], compared: str, shown: list[str]) -> None:
    tab.go(RATES + "?compare=" + compared)
    await tab.do("open", "")
    assert len(tab.state.shown.heads) == len(shown)
    tab.go(RATES)
    await tab.do("open", "")
    assert tab.state.shown.heads == ()


async def test_source_that_is_away_shows_no_comparison(tab: StateTab[CompareState], source: ListSource) -> None:
    source.away = True
    tab.go(RATES + "?compare=p000,p001")
    await tab.do("open", "")
    assert tab.state.shown.heads == ()
