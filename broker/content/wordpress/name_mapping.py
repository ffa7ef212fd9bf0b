"""Names of WordPress's that ours differ from: where its pages live here, and what its calculators are called here."""

from __future__ import annotations

from broker import routes
from broker.domain.rates.customers import Customer

PROMOTION = "/promotion"
"""The other prefix that no page of ours keeps (decision 2); the first is the path of the API's own address."""

CODED_PAGES = {
    *(routes.HOME, routes.RATES, routes.CALCULATORS, routes.LENDERS, routes.SITE_MAP, routes.THANK_YOU, routes.TEST),
    *(routes.HOME2, routes.NOT_FOUND, routes.QUESTIONNAIRE, routes.UPDATE_LENDERS),
    *(routes.deals(customer) for customer in Customer),
}
"""Pages that are made of more than text; what WordPress says there is not drawn."""

GUIDE, TOWN, TYPE_GUIDE = "/mortgage-guides/", "mortgage-broker-", "-guide"
"""Where guides live, what a town's slug begins with, and what the slug of a service type's guide ends in."""

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
"""Our slugs of calculators that WordPress calls otherwise; any other name must be a slug of ours."""

LENDER_ENDINGS = ("-mortgage-rates", "-mortgages", "-rates")
"""What the slug of a lender page may end in behind the lender's own."""
