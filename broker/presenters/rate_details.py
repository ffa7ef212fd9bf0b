"""Everything about one product, as the details modal shows it."""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.money import percent, pounds, pounds_and_pence
from broker.domain.rates.example import rate_word, representative_example
from broker.domain.rates.product import RateProduct
from broker.presenters.product_words import aprc_sentence, deal_name, example_sentence, initials, span, tidy_pounds


@dataclass(frozen=True, slots=True, kw_only=True)
class RateDetails:
    """One product in full; every figure is written out, and `costs` pairs each line of the sum with its figure."""

    product_id: str = ""
    title: str = ""
    lender: str = ""
    initials: str = ""
    logo: str = ""
    rate: str = ""
    rate_caption: str = ""
    aprc: str = ""
    payment: str = ""
    payment_when: str = ""
    later_payment: str = ""
    later_when: str = ""
    initial_share: str = "1fr"
    costs_title: str = ""
    costs: tuple[tuple[str, str], ...] = ()
    capital: str = ""
    interest: str = ""
    fees: str = ""
    capital_share: str = "0%"
    interest_share: str = "0%"
    fees_share: str = "0%"
    small_print: tuple[str, ...] = ()
    example: str = ""
    example_aprc: str = ""
    unregulated: bool = False


def rate_details(product: RateProduct, *, logo: str, unregulated: bool) -> RateDetails:
    """Return the details of a product; `unregulated` where it is a buy-to-let one."""
    length, whole = span(product.initial_months), product.cash_cost or 1
    later = product.follow_on_months
    return RateDetails(
        product_id=product.product_id,
        title=f"{product.lender_name}, {deal_name(product)}",
        lender=product.lender_name,
        initials=initials(product.lender_name),
        logo=logo,
        rate=percent(product.initial_rate),
        rate_caption=f"{rate_word(product)}, {product.initial_months} months",
        aprc=percent(product.aprc),
        payment=pounds_and_pence(product.initial_payment),
        payment_when=f"a month for the first {product.initial_months} months",
        later_payment=pounds_and_pence(product.follow_on_payment) if later else "",
        later_when=f"a month for the other {later}, at {percent(product.follow_on_rate)} variable if nothing changes",
        initial_share=f"{max(product.initial_months / product.term_years / 12, 0.2) * 5:.2f}fr",
        costs_title=f"Cost of the first {length}",
        costs=_costs(product, length),
        capital=pounds(product.capital_repaid),
        interest=pounds(product.initial_interest),
        fees=tidy_pounds(product.total_fees),
        capital_share=f"{product.capital_repaid / whole * 100:.1f}%",
        interest_share=f"{product.initial_interest / whole * 100:.1f}%",
        fees_share=f"{product.total_fees / whole * 100:.1f}%",
        small_print=_small_print(product),
        example=example_sentence(product),
        example_aprc=aprc_sentence(product),
        unregulated=unregulated,
    )


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
        f"Up to {product.most_ltv:.0f}% loan to value. "
        f"Loans from {pounds(product.least_loan)} to {pounds(product.most_loan)}.",
        f"Early repayment charge: {product.early_repayment_charge}",
        end,
    )
    return tuple(line for line in lines if line)
