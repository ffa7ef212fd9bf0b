"""The embedded market in the feed's own form: what the broker's API would answer if it had those products."""

from typing import Any
from urllib.parse import parse_qsl

import httpx

from broker.rates.feed.products import FeedRateSource
from broker.rates.query import RatesQuery, SortOrder
from tests.standin.market import row
from tests.unit.feeds.answers import answer, body
from tests.unit.feeds.recorded import AT, client, replied
from tests.unit.market.searching import search


def feed_source() -> FeedRateSource:
    """Return a feed that answers with the market's products, as texts and in the order of texts."""
    return FeedRateSource(client=client(respond), clock=lambda: AT)


def respond(request: httpx.Request) -> httpx.Response:
    given = dict(parse_qsl(request.content.decode(), keep_blank_values=True))
    found = [row(product) for product in search(asked(given)).products]
    found.sort(key=lambda fields: str(fields[given["sortBy"]]))
    return replied(body(answer(found)))


def asked(given: dict[str, str]) -> RatesQuery:
    flags = {
        "fixed": "mortgageFixed",
        "variable": "mortgageVariable",
        "two_years": "periodUptoTwo",
        "three_years": "periodThree",
        "five_years": "periodFive",
        "purchase": "purchaseLoan",
        "repayment": "repayment",
        "residential": "residential",
    }
    values: dict[str, Any] = {name: given[field] == "true" for name, field in flags.items()}
    return RatesQuery(
        lender_id=int(given["lenderId"]) if "lenderId" in given else None,
        term=int(given["LoanTerm"]),
        price=int(given["propertyPrice"]),
        amount=int(given["mortgageAmount"]),
        sort=SortOrder.RATE,
        with_fee_free=True,
        **values,
    )
