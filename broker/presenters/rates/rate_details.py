"""The details of one product, for the modal."""

from dataclasses import dataclass
from datetime import date, datetime

from broker.domain.enquiries.working_time import UK
from broker.domain.immutable import Immutable
from broker.domain.rates.product import RateProduct
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import percent, pounds_and_pence
from broker.presenters.rates.deal_end import NO_DEAL_END, DealEnd, deal_end
from broker.presenters.rates.incentive_text import incentive_lines
from broker.presenters.rates.product_text import (
    NO_HEADLINE,
    NO_SPLIT,
    Headline,
    Split,
    aprc_sentence,
    cost_split,
    deal_name,
    duration,
    early_repayment_sentence,
    example_sentence,
    headline,
    loans_sentence,
    repayment_basis,
)
from broker.presenters.rates.true_cost import cost_lines, true_cost_steps


@dataclass(frozen=True, slots=True, kw_only=True)
class RateDetails(Immutable):
    """One product in full; `title` is its name, `kind` its kind of deal, `notes` and `description` are safe HTML."""

    product_id: str = ""
    title: str = ""
    kind: str = ""
    incentives: tuple[tuple[str, str], ...] = ()
    notes: str = ""
    description: str = ""
    headline: Headline = NO_HEADLINE
    payment: str = ""
    payment_when: str = ""
    later_payment: str = ""
    later_when: str = ""
    initial_share: str = "1fr"
    costs_title: str = ""
    costs: tuple[tuple[str, str], ...] = ()
    split: Split = NO_SPLIT
    steps: tuple[str, ...] = ()
    end: DealEnd = NO_DEAL_END
    small_print: tuple[str, ...] = ()
    example: str = ""
    example_aprc: str = ""
    sample: bool = False
    unregulated: bool = False


NO_DETAILS = RateDetails()


def rate_details(
    product: RateProduct, *, logo: str, unregulated: bool, sample: bool, today: date | None = None
) -> RateDetails:
    """Return the details of a product; `unregulated` for buy to let, `sample` for the embedded market.

    `today` is the day from which the deal is counted, by default the present one in the United Kingdom.
    """
    return RateDetails(
        product_id=product.product_id,
        title=product.title,
        kind=f"{deal_name(product)}, {repayment_basis(product)}, over {duration(product.term_years * 12)}",
        incentives=incentive_lines(product),
        notes=product.notes,
        description=product.description,
        headline=headline(product, logo=logo),
        payment=pounds_and_pence(product.initial_payment),
        payment_when=f"a month for the first {product.initial_months} months",
        later_payment=_later_payment(product),
        later_when=_later_when(product),
        initial_share=f"{max(product.initial_months / product.term_years / 12, 0.2) * 5:.2f}fr",
        costs_title=f"Cost of the first {duration(product.initial_months)}",
        costs=cost_lines(product),
        split=cost_split(product, has_pence=True),
        steps=true_cost_steps(product),
        end=deal_end(product, today=today or datetime.now(UK).date()),
        small_print=_small_print(product),
        example=example_sentence(product),
        example_aprc=aprc_sentence(product),
        sample=sample,
        unregulated=unregulated,
    )


def _later_payment(product: RateProduct) -> str:
    """Return the payment after the deal; empty if there is none, or it is not stated."""
    if not product.follow_on_months or product.follow_on_payment is None:
        return ""
    return pounds_and_pence(product.follow_on_payment)


def _later_when(product: RateProduct) -> str:
    if product.follow_on_rate is None:
        return ""
    rate = percent(product.follow_on_rate)
    return f"a month for the other {product.follow_on_months}, at {rate} variable if nothing changes"


def _small_print(product: RateProduct) -> tuple[str, ...]:
    end = "Interest only: the loan itself is due at the end of the term." if product.interest_only else ""
    lines = (
        f"Up to {ltv_figure(product.most_ltv)}% loan to value.",
        f"Loans from {loans_sentence(product)}." if loans_sentence(product) else "",
        f"Early repayment charge: {early_repayment_sentence(product).rstrip('.')}.",
        end,
    )
    return tuple(line for line in lines if line)
