"""`search_form.js` writes the query string that the server reads, run by Node without a browser."""

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from broker.rates.customers import RULES, default_query
from broker.rates.search_params import form_of, parameters_of
from tests.unit.javascript.test_javascript import node
from tests.unit.rates.test_search_params import drawn_query

SCRIPT = Path(__file__).with_name("changed_queries.mjs")


def changed_queries(calls: list[tuple[str, str, dict[str, str]]]) -> list[str]:
    defaults = {customer: plain(form_of(default_query(customer))) for customer in RULES}
    given: list[Any] = [(defaults[customer], query, changes) for customer, query, changes in calls]
    return json.loads(node(str(SCRIPT), text=json.dumps(given)))


def plain(form: dict[str, str]) -> dict[str, str]:
    return {name: value.replace(",", "") for name, value in form.items()}


def test_query_string_of_any_form_is_the_one_that_the_server_writes() -> None:
    queries = [drawn_query(random.Random(seed)) for seed in range(500)]
    written = changed_queries([(query.customer, "", form_of(query)) for query in queries])
    assert written == [urlencode(parameters_of(query)) for query in queries]


def test_figures_are_written_plainly_and_the_rest_of_the_search_stays() -> None:
    opening = form_of(default_query(""))
    cases = [
        ("", {**opening, "price": "£300,000"}, "price=300000"),
        ("", {**opening, "amount": " 0150,000", "term": "30"}, "amount=150000&term=30"),
        ("", {**opening, "price": "£250k", "amount": "0.125m"}, "price=250000&amount=125000"),
        ("", {**opening, "price": "310000.00", "amount": "250 000.50"}, "price=310000&amount=250001"),
        (
            "",
            {**opening, "price": "200.000", "amount": "150,50", "term": "2,5"},
            "price=200.000&amount=150,50&term=2,5",
        ),
        ("", {**opening, "price": "３１００００", "term": "３０.0"}, "price=310000&term=30"),
        ("", {**opening, "rate": "variable", "period": "5"}, "rate=variable&period=5"),
        ("", {**opening, "period": "5", "for": "remortgage"}, "period=5&for=remortgage"),
        ("?price=300000&sort=fees", {"sort": "true-cost"}, "price=300000&sort=true-cost"),
        ("?price=300000&sort=fees", {"sort": "rate"}, "price=300000"),
        ("?price=300000&sort=fees", {"fees": "any"}, "price=300000&sort=fees&fees=any"),
        ("?fees=any", {"fees": ""}, ""),
        ("?feefree=1", {"sort": "fees"}, "sort=fees&fees=any"),
        ("?feefree=1&fees=500", {"sort": "fees"}, "sort=fees&fees=500"),
        ("?feefree=1", {"fees": ""}, ""),
        ("", {**opening, "fees": "1500", "lender": "1"}, "fees=1500&lender=1"),
        ("?fees=1000&lender=1&product=p000", {"sort": "fees"}, "sort=fees&fees=1000&lender=1"),
        ("?sort=fees&fees=any", {"term": "30"}, "term=30&sort=fees&fees=any"),
        ("?price=200%2C000&compare=a%2Cb&product=c&nobody=knows", {"term": "30"}, "term=30"),
    ]
    written = changed_queries([("", query, changes) for query, changes, _ in cases])
    assert [dict(parse_qsl(text)) for text in written] == [dict(parse_qsl(expected)) for *_, expected in cases]
