"""One product in full: its headline, the working of its true cost, and what happens when the deal ends."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime

from broker.clock import UK
from broker.lending.immutable import Immutable
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import percent, pounds, pounds_and_pence
from broker.plans.remortgage import MONTHS_AHEAD
from broker.rates.costs import TrueCostWorking, balance_at_end, payment_change, true_cost_working
from broker.rates.product import RateProduct
from broker.rates.product_text import (
    NO_HEADLINE,
    NO_SPLIT,
    Headline,
    Split,
    aprc_sentence,
    cost_split,
    deal_basis,
    duration,
    early_repayment_sentence,
    example_sentence,
    headline,
    incentive_lines,
    loans_sentence,
)

_Lines = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEnd:
    """`figures` pairs each line with its figure; `sentences` say what they mean and what can be done."""

    title: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    sentences: tuple[str, ...] = ()


NO_DEAL_END = DealEnd()


@dataclass(frozen=True, slots=True, kw_only=True)
class RateDetails(Immutable):
    """One product in full; `title` is its name, `kind` its kind of deal, `notes` and `description` are safe HTML.

    `terms` are the names and words of its incentives and limits. With a `problem` there is nothing but a heading.
    """

    product_id: str = ""
    title: str = ""
    kind: str = ""
    terms: tuple[tuple[str, str], ...] = ()
    notes: str = ""
    description: str = ""
    headline: Headline = NO_HEADLINE
    payment: str = ""
    payment_caption: str = ""
    payment_when: str = ""
    later_payment: str = ""
    later_when: str = ""
    true_label: str = ""
    true_cost: str = ""
    true_year: str = ""
    costs_title: str = ""
    costs: tuple[tuple[str, str], ...] = ()
    split: Split = NO_SPLIT
    steps: tuple[str, ...] = ()
    end: DealEnd = NO_DEAL_END
    example: str = ""
    example_aprc: str = ""
    sample: bool = False
    unregulated: bool = False
    problem: str = ""


NO_DETAILS = RateDetails()

NOT_FOUND = "It may have been withdrawn, or it is outside this search."


def no_details(product_id: str, problem: str = NOT_FOUND) -> RateDetails:
    """Return why the product of an address cannot be shown."""
    heading = replace(NO_HEADLINE, lender="We cannot show this deal")
    return RateDetails(product_id=product_id, headline=heading, problem=problem)


def rate_details(
    product: RateProduct, *, logo: str, unregulated: bool, sample: bool, today: date | None = None
) -> RateDetails:
    """Return the details of a product; `unregulated` for buy to let, `sample` for the embedded market.

    `today` is the day from which the deal is counted, by default the present one in the United Kingdom.
    """
    return RateDetails(
        product_id=product.product_id,
        title=product.title,
        kind=deal_basis(product),
        terms=(*incentive_lines(product), *_limits(product)),
        notes=product.notes,
        description=product.description,
        headline=headline(product, logo=logo),
        payment=pounds_and_pence(product.initial_payment),
        payment_caption=f"for {product.initial_months} months",
        payment_when=f"a month for the first {product.initial_months} months",
        later_payment=_later_payment(product),
        later_when=_later_when(product),
        true_label=f"True cost, {duration(product.initial_months)}",
        true_cost=pounds(product.true_cost),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        costs_title=f"Cost of the first {duration(product.initial_months)}",
        costs=cost_lines(product),
        split=cost_split(product),
        steps=true_cost_steps(product),
        end=deal_end(product, today=today or datetime.now(UK).date()),
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


def _limits(product: RateProduct) -> _Lines:
    lines = (
        ("Loan", loans_sentence(product)),
        ("Loan to value", f"Up to {ltv_figure(product.most_ltv)}%"),
        ("At the end of the term", "The loan itself is due" if product.interest_only else ""),
        ("Early repayment charge", early_repayment_sentence(product)),
    )
    return tuple((name, words) for name, words in lines if words)


def deal_end(product: RateProduct, *, today: date) -> DealEnd:
    """Return what happens when a product's deal ends, if the mortgage starts `today`."""
    sentences = (_follow_on(product), _next_deal(product))
    return DealEnd(
        title=_title(product, today),
        figures=_figures(product),
        sentences=tuple(sentence for sentence in sentences if sentence),
    )


_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b"
    r"|\b(?:until|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,7} 20\d\d\b",
    re.IGNORECASE,
)


def _figures(product: RateProduct) -> tuple[tuple[str, str], ...]:
    change = payment_change(product)
    lines = [("Still owed then", pounds_and_pence(balance_at_end(product)))]
    if change is not None:
        later = product.initial_payment + change.monthly
        lines.append(("Payment if you do nothing", f"{pounds_and_pence(later)} a month"))
        by = f"{pounds_and_pence(abs(change.monthly))} a month, {pounds_and_pence(abs(change.yearly))} a year"
        lines.append(("Rise" if change.monthly >= 0 else "Fall", by if change.monthly else "none"))
    return tuple(lines)


def _title(product: RateProduct, today: date) -> str:
    """Return the heading, with the month in which the deal ends unless its name has a date of its own."""
    if _DATE.search(product.title):
        return "When the deal ends"
    years, month = divmod(today.month - 1 + product.initial_months, 12)
    return f"When the deal ends, {date(today.year + years, month + 1, 1):%B %Y} if it starts today"


def _follow_on(product: RateProduct) -> str:
    if not product.follow_on_months:
        return (
            "The deal lasts the whole term. The payments are of interest only, so the loan itself falls due then."
            if product.interest_only
            else "The deal lasts the whole term, so the mortgage is paid off then."
        )
    if product.follow_on_rate is None or product.follow_on_payment is None:
        return (
            "If you do nothing, you move to the lender’s variable rate. We do not have that figure, so ask us what "
            "your payment would be."
        )
    return (
        f"If you do nothing, you move to the lender’s follow-on rate: {percent(product.follow_on_rate)} today. "
        "It is variable, so it may be higher or lower by then."
    )


def _next_deal(product: RateProduct) -> str:
    """Return when to look for the next deal; empty if none is needed."""
    if not product.follow_on_months:
        return ""
    paid = product.initial_months - MONTHS_AHEAD
    when = f", once you have made {paid} payments" if paid > 1 else ""
    return (
        "You do not have to wait until then. Most lenders let you arrange your next deal some months before this one "
        f"ends. Ask us from six months before{when}."
    )


def cost_lines(product: RateProduct) -> _Lines:
    """Return the sum from payments to true cost, line by line."""
    work, length = true_cost_working(product), duration(product.initial_months)
    signed = ("− " if work.other < 0 else "") + pounds_and_pence(abs(work.other))
    other = (("Other costs in the lender’s own total", signed),) if work.other else ()
    return (
        (f"{work.months} payments of {pounds_and_pence(work.payment)}", pounds_and_pence(work.payments)),
        ("Lender fees", pounds_and_pence(work.fees)),
        *other,
        (f"Total to pay over {length}", pounds_and_pence(work.paid)),
        *(_less_cashback(work, length) if work.cashback else []),
        ("Less what comes off the loan", "− " + pounds_and_pence(work.repaid)),
        (f"True cost over {length}", pounds_and_pence(work.true_cost)),
    )


def _less_cashback(work: TrueCostWorking, length: str) -> _Lines:
    return (
        ("Less cashback", "− " + pounds_and_pence(work.cashback)),
        (f"Total over {length}, after cashback", pounds_and_pence(work.paid - work.cashback)),
    )


def true_cost_steps(product: RateProduct) -> tuple[str, ...]:
    """Return the working in sentences."""
    work = true_cost_working(product)
    payments, fees, paid = (pounds_and_pence(each) for each in (work.payments, work.fees, work.paid))
    repaid, true = pounds_and_pence(work.repaid), pounds_and_pence(work.true_cost)
    back = f" − {pounds_and_pence(work.cashback)}" if work.cashback else ""
    less, both = (" less the cashback", "both") if work.cashback else ("", "that")
    return (
        f"{work.months} payments of {pounds_and_pence(work.payment)} come to {payments}.",
        f"Add the lender fees of {fees}: {_sum(work, payments, fees)} = {paid}.",
        *_stated(product, work),
        *([_paid_back(product, work, paid)] if work.cashback else []),
        _owed(product, work, repaid),
        f"Take {both} from what you pay: {paid}{back} − {repaid} = {true}. This is the true cost.",
        f"It is the interest and the fees{less}: {pounds_and_pence(work.interest)} + {fees}{back} = {true}.",
        f"Spread over the deal, that is {pounds_and_pence(product.yearly_true_cost)} a year.",
    )


def _paid_back(product: RateProduct, work: TrueCostWorking, paid: str) -> str:
    back, left = pounds_and_pence(work.cashback), work.paid - work.cashback
    yearly = pounds_and_pence(left / product.initial_months * 12)
    return (
        f"The lender pays you {back} of cashback: {paid} − {back} = {pounds_and_pence(left)}, which is {yearly} a year."
    )


def _sum(work: TrueCostWorking, payments: str, fees: str) -> str:
    if not work.other:
        return f"{payments} + {fees}"
    other = f"{'+' if work.other > 0 else '−'} {pounds_and_pence(abs(work.other))}"
    return f"with what else is in the lender’s own total, {payments} + {fees} {other}"


def _stated(product: RateProduct, work: TrueCostWorking) -> tuple[str, ...]:
    """Return a note if the lender's total differs from the payments and fees."""
    if round(product.cash_cost, 2) == work.paid:
        return ()
    stated = pounds_and_pence(product.cash_cost)
    return (f"The lender gives a total of {stated}. That differs from these figures, so we use the payments and fees.",)


def _owed(product: RateProduct, work: TrueCostWorking, repaid: str) -> str:
    start, end = pounds_and_pence(work.owed_at_start), pounds_and_pence(work.owed_at_end)
    if product.interest_only:
        return f"The payments are of interest only: you owe {start} at the start and at the end, so {repaid} comes off."
    return f"You owe {start} at the start and {end} at the end, so {start} − {end} = {repaid} came off the loan."
