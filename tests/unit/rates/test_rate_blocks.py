from dataclasses import replace
from datetime import UTC, datetime

from broker.rates.best_deals import AWAY, BestDeal, BestDeals, best_deals
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED
from broker.rates.lender_tables import rate_blocks, table_by_type
from broker.rates.lowest_rates import LowestRates
from broker.rates.query import RatesQuery
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER, ALDER_HEADLINE, BIRCH, CEDAR, LOGOS, THREE, answer

ONE_LENDER = RatesQuery(lender_id=1)
FIVE_YEARS = DEAL_TYPES[2]
ALDER_ANSWER = answer((ALDER,), ONE_LENDER)
READ = "Rates read at 09:00 on 4 March 2026. "


def lowest(query: RatesQuery) -> LowestRates:
    return LowestRates(
        query=query,
        found={
            (TWO_YEARS_FIXED, 60): priced("two-60", rate=4.2, fees=999, loan=120_000),
            (FIVE_YEARS, 60): priced("five-60", rate=4.4, fees=0.5, months=60, loan=120_000),
            (TWO_YEARS_FIXED, 75): priced("two-75", rate=4.5, fees=999, loan=150_000),
        },
        read_at=datetime(2026, 3, 4, 9, tzinfo=UTC),
        sample=False,
        stale=False,
    )


def test_block_writes_out_its_first_deal_and_what_any_rate_needs() -> None:
    best = best_deals(answer(THREE, ONE_LENDER), logos=LOGOS)
    assert best.deals[0] == BestDeal(
        product_id="alder",
        headline=ALDER_HEADLINE,
        place="Lowest rate",
        whose="",
        summary="2-year fixed, repayment, over 25 years",
        labels="",
        payment="£538.94",
        fees="£1,999",
        true_year="£5,106 a year",
        lines=(
            ("Monthly", "£538.94"),
            ("Then at 7.50% variable", "£725.44"),
            ("Lender fees", "£1,999"),
            ("Total to pay, 2 years", "£14,934"),
            ("True cost, 2 years", "£10,212"),
        ),
        href="/tools/rates/?lender=1&product=alder",
    )
    assert best.example.startswith(
        "A mortgage of £100,000 payable over 25 years, at a fixed rate of 4.20% for 2 years and then at a variable "
        "rate of 7.50% for the remaining 23 years, needs 24 monthly payments of £538.94 and 276 of £725.44. "
    )
    assert best.example_aprc == "The overall cost for comparison is 7.28% APRC representative."
    assert best.dated.startswith("Sample rates as at 4 March 2026, not offers. ")
    others = (best.sample, best.away, best.unregulated, best.href)
    assert others == ("4 March 2026", "", False, "/tools/rates/?lender=1")


def test_block_holds_three_deals_and_says_which_costs_least() -> None:
    deals = best_deals(answer((*THREE, priced("oak", rate=5)), RatesQuery()), logos={}).deals
    assert [(deal.product_id, deal.place, deal.whose) for deal in deals] == [
        ("alder", "Lowest rate", "Alder Bank"),
        ("birch", "Lowest true cost", "Birch Building Society"),
        ("cedar", "Next lowest rate", "Cedar"),
    ]
    assert best_deals(answer((BIRCH, CEDAR), RatesQuery()), logos={}).deals[0].place == "Lowest rate and true cost"


def test_block_without_deals_is_empty() -> None:
    assert best_deals(answer((), RatesQuery(residential=False)), logos={}) == BestDeals(
        dated="Sample rates as at 4 March 2026, not offers. True cost is the interest and fees of the deal, less "
        "cashback; money that pays off the loan is left out. Deals depend on your circumstances.",
        sample="4 March 2026",
        unregulated=True,
        href="/tools/rates/?property=buy-to-let",
    )


def test_block_says_what_a_live_source_states_and_whether_it_is_away() -> None:
    live = replace(ALDER_ANSWER, sample=False)
    shown = best_deals(live, logos={})
    assert (shown.dated[: len(READ)], shown.sample) == (READ, "")
    assert best_deals(replace(live, stale=True), logos={}).away == AWAY
    silent = replace(ALDER, follow_on_rate=None, follow_on_payment=None)
    labels = [label for label, _ in best_deals(answer((silent,), ONE_LENDER), logos={}).deals[0].lines]
    assert labels == ["Monthly", "Lender fees", "Total to pay, 2 years", "True cost, 2 years"]


def test_table_of_a_loan_to_value_has_a_row_a_deal_type() -> None:
    tables = rate_blocks(ALDER_ANSWER, lowest(ONE_LENDER), logos={}).tables
    assert [(table.title, table.basis, table.ltv, len(table.rows)) for table in tables.tables] == [
        ("At 60% loan to value", "Borrowing £120,000 on a £200,000 home, repayment over 25 years", 60, 2),
        ("At 75% loan to value", "Borrowing £150,000 on a £200,000 home, repayment over 25 years", 75, 1),
        ("At 90% loan to value", "Borrowing £180,000 on a £200,000 home, repayment over 25 years", 90, 0),
    ]
    found = "/tools/rates/?amount=120000&period=5&lender=1"
    row = tables.tables[0].rows[1]
    assert (row.label, row.lender, row.rate, row.aprc) == ("5-year fixed", "Alder Bank", "4.40%", "6.33%")
    assert (row.payment, row.fees, row.true_year, row.href) == ("£660.21", "£0.50", "£4,973 a year", found)
    assert tables.example_aprc == "The overall cost for comparison is 7.15% APRC representative."
    assert tables.dated.startswith(READ)
    stale = rate_blocks(ALDER_ANSWER, replace(lowest(ONE_LENDER), stale=True), logos={}).tables
    assert stale.dated.startswith("We cannot reach the rates service. These rates are from ")


def test_table_of_a_deal_type_has_a_row_a_loan_to_value() -> None:
    (table,) = table_by_type(lowest(ONE_LENDER), TWO_YEARS_FIXED).tables
    title, basis = "2-year fixed by loan to value", "A £200,000 home, repayment over 25 years"
    assert (table.title, table.basis, table.ltv) == (title, basis, 0)
    assert [(row.label, row.rate) for row in table.rows] == [("60% (£120,000)", "4.20%"), ("75% (£150,000)", "4.50%")]


def test_table_of_small_deposits_names_the_deposit_the_loan_and_its_lowest_rate() -> None:
    query = RatesQuery(customer="first-time-buyer")
    found = {(TWO_YEARS_FIXED, 90): priced("two-90", rate=4.9, fees=999, loan=180_000)}
    deposits = replace(lowest(query), found=found, sample=True)
    tables = rate_blocks(ALDER_ANSWER, None, deposits=deposits, logos={}).deposits
    (table,) = tables.tables
    assert table.basis == "The lowest 2-year fixed rates for a £200,000 home, repayment over 25 years"
    (row,) = table.rows
    shown = (row.label, row.lender, row.rate, row.aprc, row.href)
    address = "/first-time-buyer/rates/?amount=180000"
    assert shown == ("With a 10% deposit", "Alder Bank, £180,000 loan", "4.90%", "7.27%", address)
    assert tables.example.startswith(
        "A mortgage of £180,000 payable over 25 years, at a fixed rate of 4.90% for 2 years"
    )
    assert tables.dated.startswith("Sample rates as at 4 March 2026, not offers. ")
    assert rate_blocks(ALDER_ANSWER, None, deposits=replace(deposits, found={}), logos={}).deposits.tables == ()


def test_blocks_without_tables_have_no_example_of_one() -> None:
    assert rate_blocks(ALDER_ANSWER, None, logos={}).tables.example == ""
