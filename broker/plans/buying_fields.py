"""The plan to buy as a calculator: the fields that a visitor fills in, and its answer."""

from dataclasses import replace

from broker.calculators.buying.deposit import LISA
from broker.calculators.buying.stamp_duty import BUYER_OPTIONS, FIRST_HOME_RULE, NATION_OPTIONS
from broker.calculators.calculator import (
    LEFT_OUT,
    MAX_AGE,
    MIN_POUNDS,
    Calculator,
    Choice,
    Field,
    Group,
    Unit,
    term_field,
)
from broker.lending.property_tax_rates import Buyer, Nation
from broker.plans.buying import MOST, NEW_LISA, NO_LISA, OPEN_LISA, PRICE
from broker.plans.buying_answer import buying_answer

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
    calculate=buying_answer,
    fields=_FIELDS,
    choices=_CHOICES,
    keywords=("afford", "first home", "deposit", "stamp duty", "Lifetime ISA", "budget", "what could we buy"),
    guide="buying-your-first-home-step-by-step",
)
