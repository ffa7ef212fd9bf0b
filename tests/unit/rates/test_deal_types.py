from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, ltvs, narrowed, table_ltvs
from broker.rates.query import RatesQuery


def test_narrowed_search_asks_for_one_deal_type_at_one_loan_to_value() -> None:
    wide = RatesQuery(lender_id=42, three_years=True, term=30)
    assert narrowed(wide, TWO_YEARS_FIXED) == RatesQuery(lender_id=42, term=30)
    assert narrowed(wide, DEAL_TYPES[2], ltv=90) == RatesQuery(
        lender_id=42, term=30, two_years=False, five_years=True, amount=180_000
    )
    assert narrowed(wide, DEAL_TYPES[3], ltv=75) == RatesQuery(
        lender_id=42, term=30, fixed=False, variable=True, amount=150_000
    )


def test_loans_to_value_end_sooner_for_let_property() -> None:
    home, let = RatesQuery(), RatesQuery(residential=False)
    assert (ltvs(home), table_ltvs(home)) == ((60, 75, 80, 85, 90, 95), (60, 75, 90))
    assert (ltvs(let), table_ltvs(let)) == ((60, 65, 75, 80), (60, 75, 80))
