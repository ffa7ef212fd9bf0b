import pytest

from broker.state.rates.search import CompareState
from tests.unit.rates.sources import ListSource, many
from tests.unit.state.tab import StateTab

RATES = "/tools/rates/"


@pytest.fixture
def tab(source: ListSource) -> StateTab[CompareState]:
    source.products = many(6)
    return StateTab(CompareState)


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
    assert (len(tab.state.shown.heads), tab.state.compared) == (len(shown), compared[: len(tab.state.compared)])
    tab.go(RATES)
    await tab.do("open", "")
    assert (tab.state.shown.heads, tab.state.compared) == ((), "")


UNLISTED = {
    "p000,p001": "",
    "p000": "",
    "p000,nothing,p001": "1 of the 3 deals in this address is not on our list now.",
    "p000,nothing,p001,less": "2 of the 4 deals in this address are not on our list now.",
    "p000,nothing": "Only one of the deals in this address is on our list now, so there is nothing to compare.",
    "nothing,less": "None of the deals in this address is on our list now, so there is nothing to compare.",
}


@pytest.mark.parametrize(("compared", "sentence"), UNLISTED.items())
async def test_deals_of_an_address_that_are_not_listed_are_named_in_a_sentence(
    tab: StateTab[CompareState], compared: str, sentence: str
) -> None:
    tab.go(RATES + "?compare=" + compared)
    await tab.do("open", "")
    assert [each for each in tab.state.shown.notes if "in this address" in each] == ([sentence] if sentence else [])


async def test_source_that_is_away_shows_no_comparison(tab: StateTab[CompareState], source: ListSource) -> None:
    source.away = True
    tab.go(RATES + "?compare=p000,p001")
    await tab.do("open", "")
    assert tab.state.shown.heads == ()
