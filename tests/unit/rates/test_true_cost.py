"""The working of a true cost in words, and the note where cash and true cost name different winners (decision 14)."""

from dataclasses import replace

import pytest

from broker.rates.product import Incentives, RateProduct, Winners
from broker.rates.product_text import cheaper_below
from broker.rates.rate_details import cost_lines, true_cost_steps
from broker.rates.results import winners_note
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER

LOAN = 600_000
WITH_FEE = priced("fee", rate=4.5, fees=1_999, loan=LOAN)
NO_FEE = priced("free", rate=4.7, fees=0, loan=LOAN, lender_name="Birch")


def test_steps_lead_from_payments_to_the_true_cost() -> None:
    assert true_cost_steps(ALDER) == (
        "24 payments of £538.94 come to £12,934.56.",
        "Add the lender fees of £1,999.00: £12,934.56 + £1,999.00 = £14,933.56.",
        "You owe £100,000.00 at the start and £95,278.09 at the end, so £100,000.00 − £95,278.09 = £4,721.91 came off "
        "the loan.",
        "Take that from what you pay: £14,933.56 − £4,721.91 = £10,211.65. This is the true cost.",
        "It is the interest and the fees: £8,212.65 + £1,999.00 = £10,211.65.",
        "Spread over the deal, that is £5,105.83 a year.",
    )


def test_interest_only_owes_as_much_at_the_end() -> None:
    assert true_cost_steps(priced("a", rate=6, fees=999, interest_only=True))[2] == (
        "The payments are of interest only: you owe £100,000.00 at the start and at the end, so £0.00 comes off."
    )


def test_lenders_own_total_is_followed_where_the_figures_bear_it_out() -> None:
    stated = replace(ALDER, cash_cost=15_000.56, true_cost=10_278.65)
    assert true_cost_steps(stated)[1] == (
        "Add the lender fees of £1,999.00: with what else is in the lender’s own total, "
        "£12,934.56 + £1,999.00 + £67.00 = £15,000.56."
    )
    assert cost_lines(stated)[2:4] == (
        ("Other costs in the lender’s own total", "£67.00"),
        ("Total to pay over 2 years", "£15,000.56"),
    )
    lines = cost_lines(replace(ALDER, cash_cost=14_900.56, true_cost=10_178.65))
    assert lines[2] == ("Other costs in the lender’s own total", "− £33.00")
    assert true_cost_steps(replace(ALDER, cash_cost=99_999))[2] == (
        "The lender gives a total of £99,999.00. That differs from these figures, so we use the payments and fees."
    )


def test_note_names_both_winners_and_the_loans_where_they_change_places() -> None:
    assert winners_note(Winners(cash=NO_FEE, true=WITH_FEE)) == (
        "Birch at 4.70% costs least in cash a year, but Alder Bank at 4.50% has the lowest true cost, because "
        "it leaves you owing less. Below a loan of £503,469, Birch at 4.70% has the lower true cost, and below "
        "£729,810 it costs less in cash."
    )
    # £999 and a tenth of a per cent: £1,599 at this loan, and another sum at the loan where both cost the same.
    grows = priced("grows", rate=4.5, fees=999 + LOAN / 1_000, loan=LOAN, fee_percent=0.1)
    assert winners_note(Winners(cash=NO_FEE, true=grows)).endswith(
        "Below a loan of £336,312, Birch at 4.70% has the lower true cost, and below £574,445 it costs less in cash."
    )


def test_note_gives_the_reason_only_where_it_is_so() -> None:
    longer, shorter = (priced(f"{months}", rate=4.5, months=months, lender_name=f"L{months}") for months in (26, 25))
    note = winners_note(Winners(cash=longer, true=replace(shorter, true_cost=1)))
    assert note.startswith("L26 at 4.50% costs least in cash a year, but L25 at 4.50% has the lowest true cost.")
    same = replace(NO_FEE, lender_name="Cedar", true_cost=1)
    assert "owing less" not in winners_note(Winners(cash=NO_FEE, true=replace(same, product_id="same")))


def test_deal_that_pays_its_larger_fee_back_wins_at_small_loans() -> None:
    small, large = priced("small", rate=4.5, fees=300), priced("large", rate=4.6, fees=999, lender_name="Birch")
    large = replace(large, true_cost=large.true_cost - 1_000, incentives=Incentives(cashback=1_000))
    assert cheaper_below(small, large) == cheaper_below(large, small) == "Birch at 4.60%"
    shown = winners_note(Winners(cash=large, true=replace(small, true_cost=1)))
    assert shown.startswith("Birch at 4.60% costs least in cash a year, after cashback, but Alder Bank at 4.50%")
    assert "Birch at 4.60% has the lower true cost" in shown


def test_products_with_the_same_true_cost_as_shown_need_no_note() -> None:
    dearer = priced("dearer", rate=4.9, fees=1_999, loan=LOAN, lender_name="Cedar")
    assert winners_note(Winners(cash=NO_FEE, true=dearer)) == ""


@pytest.mark.parametrize(
    ("cash", "true"),
    [(None, None), (NO_FEE, None), (None, NO_FEE), (NO_FEE, NO_FEE), (NO_FEE, replace(NO_FEE, title="Same deal"))],
)
def test_one_winner_or_none_needs_no_note(cash: RateProduct | None, true: RateProduct | None) -> None:
    assert winners_note(Winners(cash=cash, true=true)) == ""
