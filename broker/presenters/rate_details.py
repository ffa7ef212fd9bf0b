"""Everything about one product, as the details modal shows it."""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.money import percent, pounds_and_pence
from broker.domain.rates.example import representative_example
from broker.domain.rates.product import RateProduct
from broker.presenters.product_parts import NO_HEADLINE, NO_SPLIT, Headline, Split, headline, split
from broker.presenters.product_words import (
    aprc_sentence,
    deal_name,
    early_repayment_sentence,
    example_sentence,
    loans_sentence,
    span,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateDetails:
    """One product in full; every figure is written out, and `costs` pairs each line of the sum with its figure."""

    product_id: str = ""
    title: str = ""
    headline: Headline = NO_HEADLINE
    payment: str = ""
    payment_when: str = ""
    later_payment: str = ""
    later_when: str = ""
    initial_share: str = "1fr"
    costs_title: str = ""
    costs: tuple[tuple[str, str], ...] = ()
    split: Split = NO_SPLIT
    small_print: tuple[str, ...] = ()
    example: str = ""
    example_aprc: str = ""
    unregulated: bool = False


def rate_details(product: RateProduct, *, logo: str, unregulated: bool) -> RateDetails:
    """Return the details of a product; `unregulated` where it is a buy-to-let one."""
    length = span(product.initial_months)
    return RateDetails(
        product_id=product.product_id,
        title=f"{product.lender_name}, {deal_name(product)}",
        headline=headline(product, logo=logo),
        payment=pounds_and_pence(product.initial_payment),
        payment_when=f"a month for the first {product.initial_months} months",
        later_payment=_later_payment(product),
        later_when=_later_when(product),
        initial_share=f"{max(product.initial_months / product.term_years / 12, 0.2) * 5:.2f}fr",
        costs_title=f"Cost of the first {length}",
        costs=_costs(product, length),
        split=split(product),
        small_print=_small_print(product),
        example=example_sentence(product),
        example_aprc=aprc_sentence(product),
        unregulated=unregulated,
    )


def _later_payment(product: RateProduct) -> str:
    """Return the payment after the deal; empty where there is none, or none is stated."""
    if not product.follow_on_months or product.follow_on_payment is None:
        return ""
    return pounds_and_pence(product.follow_on_payment)


def _later_when(product: RateProduct) -> str:
    if product.follow_on_rate is None:
        return ""
    rate = percent(product.follow_on_rate)
    return f"a month for the other {product.follow_on_months}, at {rate} variable if nothing changes"


def _costs(product: RateProduct, length: str) -> tuple[tuple[str, str], ...]:
    example = representative_example(product)
    payments = f"{example.initial_payments} payments of {pounds_and_pence(example.initial_payment)}"
    return (
        (payments, pounds_and_pence(product.cash_cost - product.total_fees)),
        ("Lender fees", pounds_and_pence(product.total_fees)),
        (f"Total to pay over {length}", pounds_and_pence(product.cash_cost)),
        ("Less what comes off the loan", "− " + pounds_and_pence(product.capital_repaid)),
        (f"True cost over {length}", pounds_and_pence(product.true_cost)),
    )


def _small_print(product: RateProduct) -> tuple[str, ...]:
    end = "Interest only: the loan itself is due at the end of the term." if product.interest_only else ""
    lines = (
        f"Up to {product.most_ltv:.0f}% loan to value.",
        f"Loans from {loans_sentence(product)}." if loans_sentence(product) else "",
        f"Early repayment charge: {early_repayment_sentence(product).rstrip('.')}.",
        end,
    )
    return tuple(line for line in lines if line)
