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
from tests.unit.calculators.published import PUBLISHED, published

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
