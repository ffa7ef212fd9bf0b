"""What buying costs beside the deposit and the tax: typical ranges, what a plan allows for each, and their sources."""

from dataclasses import dataclass

from broker.lending.lending_rules import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A cost in pounds: the plan counts `allowed`; the typical range, from `low` to `high`, is that of `named`."""

    label: str
    allowed: int
    low: int
    high: int
    named: str


LENDER_FEE = Cost(label="Lender’s fee", allowed=999, low=0, high=1_999, named="Which?")
SURVEY = Cost(label="Survey", allowed=600, low=400, high=1_500, named="Zoopla")
LEGAL = Cost(label="Legal work", allowed=1_800, low=1_260, high=2_000, named="from Which?, 2021; to Zoopla")

COSTS = (LENDER_FEE, SURVEY, LEGAL)
ALLOWED = sum(cost.allowed for cost in COSTS)

SOURCES = (
    Source(
        title="Which?: The cost of buying a house",
        address="https://www.which.co.uk/money/mortgages-and-property/first-time-buyers/buying-a-home/"
        "the-cost-of-buying-a-house-asdg78z63xuq",
        since="averages of October 2021",
    ),
    Source(
        title="Zoopla: The cost of buying a home explained",
        address="https://www.zoopla.co.uk/discover/buying/buying-costs/",
        since="undated",
    ),
)
"""Of the ranges."""
