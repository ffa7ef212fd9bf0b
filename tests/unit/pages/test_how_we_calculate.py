import re
from dataclasses import replace
from html import unescape

import pytest

from broker import routes
from broker.calculators.buying.purchase import MARKET_RATE
from broker.calculators.buying.rental_cover import MAX_LTV as MAX_LET_LTV
from broker.calculators.changes.offset import TAX
from broker.calculators.published_figures import PublishedFiguresError
from broker.calculators.registry import CALCULATORS
from broker.lending.lending_rules import CAREFUL_RISE, DEBT_SHARE, HIGH_MULTIPLE, LEAST_RISE, LISA_LIMIT, LISA_MONTHS
from broker.lending.money import pounds, pounds_and_pence
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax_rates import ADDITIONAL_FROM
from broker.markup import parse_page
from broker.pages import how_we_calculate
from broker.pages.registry import BuildInputs
from broker.plans.buying import COSTS, MAX_LTV, MAX_MONTHS, SOURCES, TESTED_RATE
from broker.plans.remortgage import HORIZON, MONTHS_AHEAD, TWO_YEARS
from broker.rates.deal_types import HOME_LTVS
from broker.rates.market.benchmark_rates import TRACKER_MARGINS
from tests.unit.pages.whole_site import inputs
from tests.unit.rates.market.searching import BENCHMARKS

NAMES = {2: "Two", 3: "Three", 5: "Five"}


def drawn(given: BuildInputs) -> str:
    (page,) = how_we_calculate.pages(given)
    return str(page.render().render())


def test_text_explains_and_links_every_calculator() -> None:
    html = inputs().method.html
    assert [one.slug for one in CALCULATORS if f'href="{routes.calculator(one.slug)}"' not in html] == []


def test_text_states_the_rules_and_costs_that_plans_and_calculators_count() -> None:
    html = inputs().method.html
    words = " ".join(unescape(re.sub("<[^>]+>", "", html)).split())
    costs = [f"{pounds(cost.allowed)} for" for cost in COSTS] + [f"to {pounds(cost.high)}." for cost in COSTS]
    taxed = [f"{rate}% of what is above {pounds(free)}" for rate, free in (TAX["basic"], TAX["higher"])]
    rules = (
        f"{HIGH_MULTIPLE} × both incomes",
        f"{DEBT_SHARE}% of the income before tax / 12",
        f"{TESTED_RATE:.2f}% over your term",
        f"{MARKET_RATE:.2f}%, and one point on top",
        f"pay {100 - MAX_LTV}% of the price and the tax",
        f"{', '.join(f'{ltv}%' for ltv in HOME_LTVS[:-1])} or {HOME_LTVS[-1]}%",
        f"wait for {LISA_MONTHS} months",
        f"{TAX['additional'][0]}% of all of it",
        f"That too starts at a price of {pounds(ADDITIONAL_FROM)}",
        f"at most {MAX_LET_LTV}% of the value",
        f"{pounds_and_pence(LISA_LIMIT / MONTHS)} a month",
        "from 18 to 39, and pay in until you are 50",
        "fixed for five years or more is taken as it is",
        "leave out deals without a lender’s fee",
        "rounded down",
    )
    assert [one for one in (*rules, *costs, *taxed) if one not in words] == []
    assert (LEAST_RISE, CAREFUL_RISE, MONTHS_AHEAD, TWO_YEARS, HORIZON, MAX_MONTHS) == (1, 3, 6, 24, 60, 120)
    links = (routes.BUYING_PLAN, routes.REMORTGAGE_PLAN, *(source.address for source in SOURCES))
    assert [link for link in links if f'href="{link}"' not in html] == []


def test_text_states_the_averages_behind_the_sample_rates() -> None:
    html, given = inputs().method.html, BENCHMARKS
    rows = [[cell.text_content() for cell in row] for row in parse_page(html).iterfind(".//tr")]
    month = f"{given.as_of:%B %Y}"
    level = [(f"{NAMES[years]} years fixed, 75% loan to value", given.fixed[years, 75]) for years in NAMES]
    level.append(("Rate after the deal", given.reversion))
    stated = [["Average", month], *([name, f"{rate:.2f}%"] for name, rate in level)]
    ltvs = (60, 85, 90, 95)
    stated.append(["Deal", *(f"{ltv}%" for ltv in ltvs)])
    for years in (2, 5):
        points = (given.residential(years, ltv) - given.fixed[years, 75] for ltv in ltvs)
        stated.append(
            [f"{NAMES[years]} years fixed, points from 75%", *(f"{each:+.2f}".replace("-", "−") for each in points)]
        )
    assert [row for row in stated if row not in rows] == []
    since = given.bank_rate_since
    margins = f"{min(TRACKER_MARGINS.values())} to {max(TRACKER_MARGINS.values())} points are added"
    words = (f"{given.bank_rate:.2f}%, since {since.day} {since:%B %Y}", margins, f"at 75% loan to value in {month}")
    assert [each for each in words if each not in html] == []


def test_page_shows_every_figure_under_a_heading_of_its_contents() -> None:
    page, method = drawn(inputs()), inputs().method
    assert [one.text for one in method.headings if f"#{one.anchor}" not in page] == []
    assert [figure.source.publisher for figure in method.figures if figure.source.publisher not in page] == []
    assert page.count('"Same"') >= 200
    assert "version d69a628, read 26 November 2026" in page
    assert "overlap by 99p" in page


def test_page_with_a_differing_published_figure_is_not_rendered() -> None:
    given = inputs()
    wrong = replace(given.method.figures[0], figure=1)
    with pytest.raises(PublishedFiguresError, match="is 1 at"):
        drawn(replace(given, method=replace(given.method, figures=(wrong,))))
