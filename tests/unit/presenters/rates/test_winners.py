"""The sentence for when cash and true cost name different winners (decision 14)."""

from dataclasses import replace

import pytest

from broker.domain.rates.product import RateProduct
from broker.presenters.rates.true_cost import winners_note
from tests.unit.domain.rates.products import priced

LOAN = 600_000
WITH_FEE = priced("fee", rate=4.5, fees=1_999, loan=LOAN)
NO_FEE = priced("free", rate=4.7, fees=0, loan=LOAN, lender_name="Birch")


def test_worked_case_names_both_winners_and_both_loans() -> None:
    assert winners_note(NO_FEE, WITH_FEE) == (
        "Birch at 4.70% costs least in cash over the deal, but Alder Bank at 4.50% has the lowest true cost, because "
        "it leaves you owing less. By true cost the two change places at a loan of £503,469, by cash at £729,810."
    )


@pytest.mark.parametrize(
    ("cash", "true"),
    [(None, None), (NO_FEE, None), (None, NO_FEE), (NO_FEE, NO_FEE), (NO_FEE, replace(NO_FEE, title="Same deal"))],
)
def test_one_winner_or_none_needs_no_sentence(cash: RateProduct | None, true: RateProduct | None) -> None:
    assert winners_note(cash, true) == ""


def test_fee_that_grows_with_the_loan_is_counted_as_such() -> None:
    # £999 and a tenth of a per cent: £1,599 at this loan, and another sum at the loan where they change places.
    grows = priced("grows", rate=4.5, fees=999 + LOAN / 1_000, loan=LOAN, fee_percent=0.1)
    assert winners_note(NO_FEE, grows).endswith(
        "By true cost the two change places at a loan of £336,312, by cash at £574,445."
    )


def test_deals_that_never_change_places_name_no_loan() -> None:
    dearer = priced("dearer", rate=4.9, fees=1_999, loan=LOAN, lender_name="Cedar")
    assert winners_note(NO_FEE, dearer) == (
        "Birch at 4.70% costs least in cash over the deal, but Cedar at 4.90% has the lowest true cost, because it "
        "leaves you owing less."
    )
