"""The working of a product's true cost, and the note for when cash and true cost favour different products."""

from broker.lending.money import pounds, pounds_and_pence
from broker.rates.costs import (
    TrueCostWorking,
    balance_at_end,
    break_even,
    cost_terms,
    lower_fixed_cost,
    true_cost_working,
)
from broker.rates.product import RateProduct, Winners
from broker.rates.product_text import duration, product_name, whole_pounds

Lines = tuple[tuple[str, str], ...]


def cost_lines(product: RateProduct) -> Lines:
    """Return the sum of the deal, line by line."""
    work, length = true_cost_working(product), duration(product.initial_months)
    signed = ("− " if work.other < 0 else "") + pounds_and_pence(abs(work.other))
    other = (("Other costs in the lender's own total", signed),) if work.other else ()
    return (
        (f"{work.months} payments of {pounds_and_pence(work.payment)}", pounds_and_pence(work.payments)),
        ("Lender fees", pounds_and_pence(work.fees)),
        *other,
        (f"Total to pay over {length}", pounds_and_pence(work.paid)),
        *(_less_cashback(work, length) if work.cashback else []),
        ("Less what comes off the loan", "− " + pounds_and_pence(work.repaid)),
        (f"True cost over {length}", pounds_and_pence(work.true_cost)),
    )


def _less_cashback(work: TrueCostWorking, length: str) -> Lines:
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
    return f"with what else is in the lender's own total, {payments} + {fees} {other}"


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


def winners_note(winners: Winners) -> str:
    """Return both winners and the break-even loans; empty if one product wins by both, or their figures are equal."""
    cash, true = winners.cash, winners.true
    if cash is None or true is None or cash.product_id == true.product_id:
        return ""
    if whole_pounds(cash.yearly_true_cost) <= whole_pounds(true.yearly_true_cost):
        return ""
    back = ", after cashback" if cash.incentives.cashback or true.incentives.cashback else ""
    because = ", because it leaves you owing less" if balance_at_end(true) < balance_at_end(cash) else ""
    return (
        f"{product_name(cash)} costs least in cash a year{back}, but {product_name(true)} has the lowest true "
        f"cost{because}.{_break_evens(cash, true)}"
    )


def _break_evens(cash: RateProduct, true: RateProduct) -> str:
    """Return below which loans one of two products has the lower costs; empty where none changes the true cost."""
    crossing = break_even(cost_terms(cash), cost_terms(true))
    if not crossing.true:
        return ""
    by_cash = f", and below {pounds(crossing.cash)} it costs less in cash" if crossing.cash else ""
    return f" Below a loan of {pounds(crossing.true)}, {cheaper_below(cash, true)} has the lower true cost{by_cash}."


def cheaper_below(one: RateProduct, other: RateProduct) -> str:
    """Return the name of that of two products which costs less below the loans at which both cost the same."""
    terms = cost_terms(one)
    return product_name(one if lower_fixed_cost(terms, cost_terms(other)) is terms else other)
