"""Every published figure against ours, and how many there are, of what and of when."""

import json
from collections import Counter

import pytest

from broker.calculators.published_figures import (
    MEASURES,
    PublishedFigure,
    PublishedFiguresError,
    check_figures,
    read_published_figures,
)
from broker.lending.property_tax_rates import RATES
from tests.unit.domain.published import PUBLISHED, published

MIN_FIGURES = 60


def name(figure: PublishedFigure) -> str:
    return f"{figure.measure} {figure.asked}"


@pytest.mark.parametrize("figure", PUBLISHED, ids=name)
def test_ours_differs_by_no_more_than_the_source_or_a_reason_explains(figure: PublishedFigure) -> None:
    assert figure.agrees, (figure.figure, figure.ours)


def test_there_are_enough_figures_of_every_measure_and_none_twice() -> None:
    assert len(PUBLISHED) >= MIN_FIGURES
    assert {figure.measure for figure in PUBLISHED} == set(MEASURES)
    counts = Counter((name(figure), figure.source) for figure in PUBLISHED)
    assert [asked for asked, count in counts.items() if count > 1] == []


def test_tax_has_a_figure_of_every_rule_since_2021() -> None:
    checked = {(one.asked["nation"], one.asked["since"]) for one in (*published("tax"), *published("tax_saved"))}
    rules = {(nation.value, rates.since.isoformat()) for (nation, _), listed in RATES.items() for rates in listed}
    assert rules - checked == set()


MONEYHELPERS_TESTS = {
    ("england", "first", 300_019): 0,
    ("england", "next", 300_019): 5_001,
    ("england", "next", 400_012): 10_000,
    ("england", "additional", 300_019): 20_002,
    ("england", "additional", 988_882): 92_082,
    ("scotland", "next", 300_019): 4_601,
    ("scotland", "additional", 300_521): 28_668,
    ("scotland", "additional", 800_505): 118_451,
    ("wales", "next", 333_333): 6_499.9794,
    ("wales", "next", 467_895): 15_592.12365,
    ("wales", "additional", 185_000): 9_424.99915,
    ("wales", "additional", 2_100_000): 288_199.9937,
}
"""What the tests of MoneyHelper's calculators expect, in version d69a628."""


def test_tax_of_moneyhelper_is_what_its_own_tests_expect() -> None:
    taxes = [one for one in published("tax") if one.source.version == "d69a628"]
    given = {(one.asked["nation"], one.asked["buyer"], one.asked["price"]): one.figure for one in taxes}
    assert {asked: given[asked] for asked in MONEYHELPERS_TESTS} == MONEYHELPERS_TESTS


def test_figure_beyond_the_rounding_of_its_source_says_why() -> None:
    wider = [one for one in PUBLISHED if one.within > one.rounding / 2]
    assert {one.measure for one in wider} == {"balance", "total_payable", "tax"}
    assert max(one.within for one in wider) == 2.1
    assert all(one.why.endswith(".") for one in wider)


def test_source_has_the_day_it_was_read_and_a_repository_its_version() -> None:
    sources = {one.source for one in PUBLISHED}
    assert [one.title for one in sources if "github.com" in one.url and not one.version] == []
    assert {one.read.year for one in sources} == {2026}


SOURCE = {"maker": {"publisher": "A maker", "title": "A text", "read": "2026-11-26"}}
LOAN = {"loan": 100, "rate": 0, "years": 1}
ASKED = {"measure": "payment", "asked": LOAN, "figure": 8.33, "rounding": 0.01, "source": "maker"}


def read(**changes: object) -> tuple[PublishedFigure, ...]:
    return read_published_figures(json.dumps({"sources": SOURCE, "reasons": {}, "figures": [{**ASKED, **changes}]}))


@pytest.mark.parametrize("wrong", [{"measure": "luck"}, {"asked": {"loan": 100}}], ids=str)
def test_question_without_an_answer_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PublishedFiguresError, match="cannot be worked out"):
        check_figures(read(**wrong))


@pytest.mark.parametrize("wrong", [{"source": "nobody"}, {"places": 2}, {"rounding": None}, {"within": 1}], ids=str)
def test_figure_without_a_source_or_with_unknown_parts_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PublishedFiguresError, match="a published figure is wrong"):
        read(**wrong)


def test_figure_beyond_its_rounding_stops_the_build() -> None:
    check_figures(read())
    with pytest.raises(PublishedFiguresError, match=r"is 8.34 at A maker, ours 8.333"):
        check_figures(read(figure=8.34))
