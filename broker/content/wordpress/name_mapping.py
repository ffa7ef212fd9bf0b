"""Names in WordPress that differ from ours: paths of pages and slugs of calculators."""

from broker import routes
from broker.domain.rates.customers import Customer

PROMOTION = "/promotion"
"""A path prefix that is removed (decision 2), like the path of the API URL."""

CODED_PAGES = {
    *routes.PAGES_IN_CODE,
    *(routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND, routes.UPDATE_LENDERS),
    *(routes.deals(customer) for customer in Customer),
}
"""Pages that are coded; WordPress's text for them is not used."""

GUIDE, TOWN, TYPE_GUIDE = "/mortgage-guides/", "mortgage-broker-", "-guide"
"""Path of the guides, prefix of town slugs, and suffix of the slugs of service type guides."""

NEAR_ME = "/mortgage-broker-near-me/"

CALCULATORS = {
    "monthly": "repayment",
    "monthly-payment": "repayment",
    "mortgage-repayment": "repayment",
    "buy-to-let": "buy-to-let-borrowing",
    "buy-to-let-borrow": "buy-to-let-borrowing",
    "buy-to-let-rental": "buy-to-let-rent",
    "rental": "buy-to-let-rent",
    "contractor-mortgage": "contractor",
}
"""Our calculator slugs by WordPress's names; any other name must be one of our slugs."""

LENDER_ENDINGS = ("-mortgage-rates", "-mortgages", "-rates")
"""Suffixes of lender page slugs after the lender's own slug."""
