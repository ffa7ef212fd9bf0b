"""What buying costs beside the deposit and the tax: typical ranges, what a plan allows for each, and their sources."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A cost in pounds: the plan counts `allowed`; most buyers pay between `low` and `high`."""

    label: str
    allowed: int
    low: int
    high: int


LENDER_FEE = Cost(label="Lender’s fee", allowed=999, low=0, high=1_999)
SURVEY = Cost(label="Survey", allowed=600, low=400, high=1_500)
LEGAL = Cost(label="Legal work", allowed=1_800, low=1_260, high=2_000)

COSTS = (LENDER_FEE, SURVEY, LEGAL)
ALLOWED = sum(cost.allowed for cost in COSTS)

SOURCES = (
    (
        "Which?: The cost of buying a house",
        "https://www.which.co.uk/money/mortgages-and-property/first-time-buyers/buying-a-home/"
        "the-cost-of-buying-a-house-asdg78z63xuq",
    ),
    ("Zoopla: The cost of buying a home explained", "https://www.zoopla.co.uk/discover/buying/buying-costs/"),
)
"""The title and address of each source of the ranges."""
