from dataclasses import replace
from datetime import UTC, datetime

from broker.lenders.lender import KnownLender
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED
from broker.rates.lender_tables import LOWEST, LenderCell, lender_table
from broker.rates.lowest_rates import LenderListing, LowestRates
from broker.rates.product import FIRST_TIME_BUYERS_ONLY, Incentives, RateProduct
from broker.rates.query import RatesQuery
from tests.unit.rates.products import priced

FIVE_YEARS = DEAL_TYPES[2]
ALDER = KnownLender(lender_id=1, name="Alder Bank", slug="alder-bank")
CHARGE = "2% of the balance in year 1, then 1% in year 2, then none"


def found(products: dict[tuple[int, int], RateProduct], lender_id: int | None) -> LowestRates:
    kinds = {2: TWO_YEARS_FIXED, 5: FIVE_YEARS}
    return LowestRates(
        query=RatesQuery(lender_id=lender_id),
        found={(kinds[years], ltv): product for (years, ltv), product in products.items()},
        read_at=datetime(2026, 3, 4, 9, tzinfo=UTC),
        sample=True,
        stale=False,
    )


def listing(*products: RateProduct, lender: KnownLender = ALDER) -> LenderListing:
    own = {(2, 60): priced("two", rate=4.204), (5, 60): priced("five", rate=4.4), (2, 75): priced("high", rate=4.5)}
    market = own | {(2, 60): priced("low", rate=4.056), (5, 60): priced("same", rate=4.4004)}
    return LenderListing(
        lender=lender, lowest=found(own, 1), market=found(market, None), products=products, interest_only=True
    )


def test_each_cell_has_its_aprc_and_the_difference_of_figures_shown() -> None:
    table = lender_table(listing())
    assert table.basis == "A £200,000 home, repayment over 25 years"
    assert [(row.ltv, row.loan) for row in table.rows] == [("60%", "£120,000"), ("75%", "£150,000")]
    two, three, five, variable = table.rows[0].cells
    assert (two.kind, two.rate, two.standing) == ("2-year fixed", "4.20%", "+0.14 points")
    assert two.aprc.endswith("%")
    assert two.href == "/tools/rates/?amount=120000&lender=1"
    assert (five.rate, five.standing) == ("4.40%", LOWEST)
    assert three == LenderCell(kind="3-year fixed")
    assert variable.rate == ""


def test_rate_below_the_markets_is_lowest_and_an_unread_market_is_silent() -> None:
    one = listing()
    dearer = found({(2, 75): priced("dear", rate=4.9)}, None)
    two_at_60, two_at_75 = (row.cells[0] for row in lender_table(replace(one, market=dearer)).rows)
    assert (two_at_60.standing, two_at_75.standing) == ("", LOWEST)


def test_facts_are_those_that_the_products_state() -> None:
    plain = replace(
        priced("plain", rate=4),
        early_repayment_charge=CHARGE,
        least_loan=25_000.0,
        most_loan=1_000_000.0,
        incentives=Incentives(free_valuation=True, overpayment_percent=10, is_portable=True),
    )
    rich = replace(
        plain,
        early_repayment_charge="None",
        follow_on_rate=7.24,
        most_loan=2_000_000.0,
        incentives=Incentives(cashback=250, free_legal_work=True, eligibility=FIRST_TIME_BUYERS_ONLY),
    )
    facts = dict(lender_table(listing(plain, plain, rich)).facts)
    assert facts == {
        "Kind of lender": "Bank",
        "Lends on": "Homes to live in and let property",
        "Deals compared here": "3",
        "Highest loan to value here": "75%",
        "Loans": "£25,000 to £2,000,000",
        "Rate after the deal": "7.24% to 7.50%",
        "Interest-only": "On some of its deals",
        "Usual early repayment charge, 2-year fixed": CHARGE,
        "No early repayment charge": "On 1 of 3 deals",
        "Overpayments": "Up to 10% of the balance a year",
        "Cashback": "£250, on 1 of 3 deals",
        "Free valuation": "On 2 of 3 deals",
        "Free legal work": "On 1 of 3 deals",
        "Can move home with you": "On 2 of 3 deals",
        "For first-time buyers only": "On 1 of 3 deals",
    }


def test_what_a_source_does_not_state_is_left_out() -> None:
    silent = replace(
        priced("silent", rate=4), follow_on_rate=None, early_repayment_charge="", least_loan=None, most_loan=None
    )
    lender = replace(ALDER, kind="", residential=False)
    assert [label for label, _ in lender_table(listing(silent, lender=lender)).facts] == [
        *("Lends on", "Deals compared here", "Highest loan to value here", "Interest-only")
    ]
