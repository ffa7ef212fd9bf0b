"""The plan to buy as a calculator: the fields that a visitor fills in, and the plan in words."""

from collections.abc import Mapping
from dataclasses import replace

from broker.calculators.buying.deposit import LISA, bonus_rule, savings_chart
from broker.calculators.buying.purchase import MARKET_RATE
from broker.calculators.buying.stamp_duty import BUYER_OPTIONS, FIRST_HOME_RULE, NATION_OPTIONS, tax_name
from broker.calculators.calculator import (
    LEFT_OUT,
    MAX_AGE,
    MIN_POUNDS,
    Bar,
    Calculator,
    Choice,
    Field,
    Group,
    LineChart,
    Note,
    Table,
    Tone,
    Unit,
    Working,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, minimum, shared
from broker.lending.days import month_text
from broker.lending.lending_rules import (
    AGES,
    DEBT_SHARE,
    HIGH_LENDING,
    HIGH_MULTIPLE,
    LEAST_RISE,
    LISA_PRICE,
    may_pay_in,
)
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import (
    decimals,
    exact_pounds,
    halves,
    percent,
    pounds,
    pounds_and_pence,
    years,
    years_and_months,
)
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax_rates import ADDITIONAL_FROM, Buyer, Nation
from broker.plans.buying import (
    ALLOWED_FEE,
    COSTS,
    HAS_DEAL,
    LENDER_FEE,
    MAX_LTV,
    MAX_MONTHS,
    MOST,
    NEW_LISA,
    NO_LISA,
    OPEN_LISA,
    PRICE,
    TESTED_RATE,
    THIS_MONTH,
    BuyingPlan,
    Cost,
    Goal,
    Limits,
    buying_plan,
    costs,
)

_MAX_END_AGE = 75
"""The age by which many lenders want the loan paid off."""

_NO_ROOM = (
    f"The plan keeps them and the mortgage within {DEBT_SHARE}% of your income before tax. Check the figure, and leave "
    "out what stops when you move, such as rent."
)
_NO_BONUS_AT_AGE = f"{AGES}. The plan adds no bonus."
_YOUNGER = " If it is the younger of you who saves in one, enter that age instead."
_NO_BONUS = (
    f"It is for a first home of up to {pounds(LISA_PRICE)}. Spent on another, it loses 25% of what you take out. The "
    "plan adds no bonus, but takes your savings as you typed them."
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    plan = buying_plan(values)
    return Working(
        label="You could buy for up to",
        figure=pounds(plan.limits.price),
        caption=choose(values["goal"] == PRICE, lambda: _reach(plan, values), lambda: _limit(plan.limits)),
        steps=(*_limit_steps(plan.limits, values), _loan_step(plan), _saving_step(plan.goal, values)),
        bars=_bars(plan.limits),
        table=_cash(plan, values),
        chart=_saving_chart(plan.goal, values),
        warnings=(*_warnings(plan, values), _age(values)),
    )


def _bars(found: Limits) -> tuple[Bar, ...]:
    """Return the price of each limit; the one that binds alone has a colour, the first of equals."""
    prices = (
        ("Your income allows", found.by_income),
        ("Your monthly budget allows", found.by_budget),
        ("Your deposit allows", found.by_deposit),
    )
    binding = _binding(found)
    tones = (choose(binding == place, lambda: Tone.OWN, lambda: Tone.NOW) for place in range(len(prices)))
    return tuple(
        Bar(label=label, figure=pounds(price), size=price, tone=tone)
        for (label, price), tone in zip(prices, tones, strict=True)
    )


def _binding(found: Limits) -> Amount:
    """Return the place of the lowest limit among income, budget and deposit, counted from 0."""
    by_income = (found.by_income <= found.by_budget) & (found.by_income <= found.by_deposit)
    lowest = choose(by_income, lambda: 0, lambda: choose(found.by_budget <= found.by_deposit, lambda: 1, lambda: 2))
    return shared(lowest)


def _limit(found: Limits) -> Text:
    """Say which limit is the lowest, with its rule."""
    binding = _binding(found)
    return choose(
        binding == 0,
        lambda: f"Your income sets the limit: a loan of {HIGH_MULTIPLE} times it is " + pounds(found.income_loan),
        lambda: choose(
            binding == 1,
            lambda: (
                "Your monthly budget sets the limit: it has room for "
                + pounds(found.room)
                + f" a month, at a test rate of {percent(TESTED_RATE)}"
            ),
            lambda: f"Your savings set the limit: lenders want a deposit of {100 - MAX_LTV}% or more",
        ),
    )


def _reach(plan: BuyingPlan, values: Mapping[str, Amount]) -> Text:
    price = pounds(plan.price)
    return choose(
        plan.short > 0,
        lambda: price + " takes " + exact_pounds(plan.short) + " more than you have. " + _ready_by(plan.goal, values),
        lambda: price + " is within reach: it takes " + exact_pounds(plan.needed) + " of your " + pounds(plan.savings),
    )


def _limit_steps(found: Limits, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    income = values["income"] + values["income2"]
    return (
        "Income: "
        + exact_pounds(income)
        + f" x {HIGH_MULTIPLE} = "
        + exact_pounds(found.income_loan)
        + f" of loan. {HIGH_LENDING}",
        _budget_step(found, income, values),
        "Deposit: "
        + pounds(values["savings"] // 1)
        + " of savings, less "
        + _allowed(values)
        + f" for fees, has to pay {100 - MAX_LTV}% of the price and the tax.",
        "The lowest of the three prices is the limit: "
        + pounds(found.by_income)
        + " by income, "
        + pounds(found.by_budget)
        + " by budget, "
        + pounds(found.by_deposit)
        + " by deposit. Each is rounded down, and has the tax taken into account.",
    )


def _allowed(values: Mapping[str, Amount]) -> Text:
    return pounds(costs(values.get(ALLOWED_FEE, LENDER_FEE.allowed)))


def _budget_step(found: Limits, income: Amount, values: Mapping[str, Amount]) -> Text:
    return (
        f"Monthly budget: {DEBT_SHARE}% of "
        + pounds_and_pence(income / MONTHS)
        + " before tax, less "
        + exact_pounds(values["outgoings"])
        + " of outgoings, leaves "
        + pounds_and_pence(found.room)
        + f". At {percent(TESTED_RATE)}, {LEAST_RISE} point above an example {percent(MARKET_RATE)}, that pays for "
        + pounds(found.budget_loan)
        + " over "
        + years(values["term"])
        + "."
    )


def _loan_step(plan: BuyingPlan) -> Text:
    return (
        "Loan: "
        + pounds(plan.price)
        + " − "
        + pounds(plan.deposit)
        + " = "
        + pounds(plan.loan)
        + ", which is "
        + ltv_text(plan.loan, plan.price)
        + " of the price."
    )


def _cash(plan: BuyingPlan, values: Mapping[str, Amount]) -> Table:
    left = plan.savings - plan.cash
    return Table(
        caption="Cash to have ready on the day",
        heads=("What it is for", "Amount"),
        rows=(
            ("Deposit", pounds(plan.deposit), _deposit(plan)),
            (tax_name(values["nation"]), pounds(plan.tax), _tax(plan, values["buyer"])),
            *(_cost(cost) if cost is not LENDER_FEE else _fee(plan, values) for cost in COSTS),
            ("In all", exact_pounds(plan.cash), "The price itself: " + pounds(plan.price)),
            (
                choose(left < 0, lambda: "Still to save", lambda: "Left of your savings"),
                choose(left < 0, lambda: exact_pounds(0 - left), lambda: exact_pounds(left)),
                "You have " + pounds(plan.savings),
            ),
            ("The least cash for this price", exact_pounds(plan.needed), _least(plan)),
        ),
    )


def _deposit(plan: BuyingPlan) -> Text:
    borrowed = ". You would borrow " + pounds(plan.loan) + ", " + ltv_text(plan.loan, plan.price) + " of the price"
    left = plan.savings - plan.cash
    kept = choose(left > 0, lambda: ", with " + exact_pounds(left) + " kept for a larger lender’s fee", lambda: "")
    least = choose(
        plan.short > 0,
        lambda: "The least that this price takes",
        lambda: "What your savings leave after the costs below" + kept,
    )
    none = choose(
        plan.price > 0,
        lambda: "The whole price: you need no loan",
        lambda: "No price is within reach with these savings",
    )
    return choose(plan.loan > 0, lambda: least + borrowed, lambda: none)


def _fee(plan: BuyingPlan, values: Mapping[str, Amount]) -> tuple[Text, Text, Text]:
    """Return the row of the lender's fee: the deal's, or our allowance until a deal is found."""
    label, allowed, words = _cost(LENDER_FEE)
    has_deal = values.get(HAS_DEAL, False)
    return (
        label,
        choose(has_deal, lambda: exact_pounds(plan.fee), lambda: allowed),
        choose(has_deal, lambda: "Of the deal for this plan", lambda: words),
    )


def _least(plan: BuyingPlan) -> Text:
    smallest = "With a deposit of " + pounds(plan.least) + ", the smallest that this price takes"
    left = plan.savings - plan.needed
    return choose(
        left < 0,
        lambda: smallest + ". You have " + exact_pounds(0 - left) + " less",
        lambda: smallest + ". It would leave you " + exact_pounds(left),
    )


def _tax(plan: BuyingPlan, buyer: Text) -> Text:
    limit = plan.charge.limit
    relief = choose(
        plan.price > limit,
        lambda: "No first-time relief above " + pounds(limit),
        lambda: choose(
            plan.relief > 0,
            lambda: "First-time relief counted: it saves you " + pounds(plan.relief),
            lambda: "First-time relief makes no difference here",
        ),
    )
    additional = choose(
        plan.price < ADDITIONAL_FROM,
        lambda: f"No tax on an additional home below {pounds(ADDITIONAL_FROM)}",
        lambda: "At the rates for an additional home",
    )
    other = choose(buyer == Buyer.ADDITIONAL.value, lambda: additional, lambda: "At the rates for moving home")
    return choose(buyer == Buyer.FIRST.value, lambda: relief, lambda: other)


def _cost(cost: Cost) -> tuple[str, str, str]:
    least = pounds(cost.low) if cost.low else "nothing"
    return cost.label, pounds(cost.allowed), f"Our allowance. Typical: {least} to {pounds(cost.high)} ({cost.named})"


def _warnings(plan: BuyingPlan, values: Mapping[str, Amount]) -> tuple[Note, ...]:
    income, limits = values["income"] + values["income2"], plan.limits
    return (
        _when(income == 0, "Type your income", "Without one there is no loan, and the plan has your savings alone."),
        _when((income > 0) & (limits.room == 0), "Your outgoings leave no room for a mortgage", _NO_ROOM),
        _when(
            limits.spendable <= 0,
            "Save for the fees first",
            "Survey, legal work and the lender’s fee take about " + _allowed(values) + " before any deposit.",
        ),
        _when(
            (values["goal"] == PRICE) & (plan.loan == 0) & (plan.short == 0),
            "Your savings cover the whole price",
            "You need no mortgage at this price. Try a higher one, or keep some savings back.",
        ),
        _lisa(plan, values),
    )


def _lisa(plan: BuyingPlan, values: Mapping[str, Amount]) -> Note:
    """Return why a Lifetime ISA does not count; the note has no title where it counts or where there is none."""
    title = "Your Lifetime ISA does not count here"
    is_another = (values["buyer"] != Buyer.FIRST.value) | (plan.price > LISA_PRICE)
    is_of_age = may_pay_in(values["age"], is_open=values[LISA] == OPEN_LISA)
    in_vain = choose(is_another, lambda: title, lambda: choose(is_of_age, lambda: "", lambda: title))
    younger = choose(values["income2"] == 0, lambda: "", lambda: _YOUNGER)
    return Note(
        title=choose(values[LISA] == NO_LISA, lambda: "", lambda: in_vain),
        text=choose(is_another, lambda: _NO_BONUS, lambda: _NO_BONUS_AT_AGE + younger),
    )


def _age(values: Mapping[str, Amount]) -> Note:
    end = values["age"] + values["term"]
    return Note(
        title=choose(
            (values["age"] > 0) & (end > _MAX_END_AGE),
            lambda: "Your mortgage would run until you are " + halves(end),
            lambda: "",
        ),
        text=f"Many lenders want it paid off by {_MAX_END_AGE}, or proof of income in retirement. Others go further: "
        "ask us, or try a shorter term.",
    )


def _when(condition: Amount, title: str, text: Text) -> Note:
    return Note(title=choose(condition, lambda: title, lambda: ""), text=text)


def _ready_by(goal: Goal, values: Mapping[str, Amount]) -> Text:
    """Say when the savings reach the goal, without a full stop."""
    pace = "At " + exact_pounds(goal.saving.paid) + " a month"
    bonus = choose(goal.has_bonus, lambda: " and the Lifetime ISA bonus", lambda: "")
    day = month_text(values[THIS_MONTH] + minimum(goal.months, MAX_MONTHS))
    return choose(
        goal.months > MAX_MONTHS,
        lambda: pace + f" that takes more than {years_and_months(MAX_MONTHS)}: try a larger amount",
        lambda: pace + bonus + ", you have it by " + day + ", in " + years_and_months(goal.months),
    )


def _saving_words(goal: Goal, values: Mapping[str, Amount]) -> Text:
    more = "Save " + exact_pounds(goal.target - goal.saving.saved) + " more and you "
    return choose(
        goal.target > goal.saving.saved,
        lambda: (
            more
            + choose(
                goal.band > 0,
                lambda: "reach " + decimals(goal.band, 0) + "% loan to value, the next band of rates. ",
                lambda: "have the cash for this plan. ",
            )
            + _ready_by(goal, values)
            + "."
        ),
        lambda: "You have the cash for this plan, and a larger deposit reaches no lower band of rates.",
    )


def _saving_step(goal: Goal, values: Mapping[str, Amount]) -> Text:
    saved, paid = goal.saving.saved, exact_pounds(goal.saving.paid)
    left = exact_pounds(goal.target) + " − " + pounds(saved) + " = " + exact_pounds(goal.target - saved)
    rule = bonus_rule(goal.saving, values["age"])
    bonus = choose(goal.has_bonus, lambda: " and " + exact_pounds(goal.saving.bonus) + " of bonus" + rule, lambda: "")
    return "Saving: " + left + " to save, at " + paid + " a month" + bonus + ". No interest is counted."


def _saving_chart(goal: Goal, values: Mapping[str, Amount]) -> LineChart:
    months = minimum(goal.months, MAX_MONTHS)
    return replace(
        savings_chart(goal.saving, goal.target, months=months, label="Goal"),
        title=_saving_words(goal, values),
        month_name=lambda months: month_text(values[THIS_MONTH] + months),
    )


_FIELDS = (
    Field(name="income", label="Your income", default=35_000, high=170_000, step=500, hint="A year, before tax"),
    Field(name="income2", label="Second income", default=27_000, high=170_000, step=500, hint="0 if you buy alone"),
    Field(
        name="outgoings", label="Monthly outgoings", default=300, high=3_000, step=10, hint="Debts, childcare, travel"
    ),
    Field(name="savings", label="Savings", default=28_000, high=200_000, step=500, hint="For this home"),
    Field(name="monthly", label="Saved each month", default=500, high=3_000, step=10, hint="For this home"),
    replace(term_field(40), default=30, hint="Of the mortgage"),
    Field(name="age", label="Age of the older", default=0, unit=Unit.YEARS, high=80, max_value=MAX_AGE, hint=LEFT_OUT),
    Field(
        name="price",
        label="Price",
        default=300_000,
        low=50_000,
        high=1_000_000,
        step=5_000,
        min_value=MIN_POUNDS,
        only_for=f"goal={PRICE}",
    ),
)

_CHOICES = (
    Choice(
        name="goal",
        group="Question",
        label="What would you like to know?",
        default=MOST,
        options=((MOST, "What could we buy?"), (PRICE, "Can we buy at a price?")),
    ),
    Choice(
        name="buyer",
        group="Buyer",
        label="What are you buying?",
        default=Buyer.FIRST,
        options=BUYER_OPTIONS,
        hint=FIRST_HOME_RULE,
    ),
    Choice(name="nation", group="Place", label="Where is the home?", default=Nation.ENGLAND, options=NATION_OPTIONS),
    Choice(
        name=LISA,
        group="Saving",
        label="Do you save in a Lifetime ISA?",
        default=NO_LISA,
        options=(
            (NO_LISA, "No"),
            (OPEN_LISA, "Yes, opened 12 months ago or more"),
            (NEW_LISA, "Yes, newer, or I will open one"),
        ),
    ),
)

BUYING_PLAN = Calculator(
    slug="buying-plan",
    title="Your buying plan",
    subtitle="What you could buy, the cash for the day, the payment and the deal",
    group=Group.BUYING,
    calculate=_calculate,
    fields=_FIELDS,
    choices=_CHOICES,
    keywords=("afford", "first home", "deposit", "stamp duty", "Lifetime ISA", "budget", "what could we buy"),
    guide="buying-your-first-home-step-by-step",
)
