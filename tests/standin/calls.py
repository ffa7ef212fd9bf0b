"""The good answer of each call of specification 7, as a tree with unserialised SOAP answers."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from broker.rates.customers import RULES, default_query
from broker.rates.query import QueryError, RatesQuery, SortOrder
from broker.settings import ROOT
from tests.standin.forms import Fields, entries, flag, numbers, php_fields, text
from tests.standin.market import GIF, Market, photograph, row, schemes
from tests.standin.mixed_logos import mixed_logos, more_ids, with_more
from tests.standin.setting import Setting
from tests.standin.soap import Prefixes, Soap
from tests.standin.wire import Answer, Request
from tests.standin.wordpress import (
    PHOTOGRAPH,
    UPLOADS,
    graphql,
    guides_of_types,
    lender_pages,
    listed,
    pages,
    published_pages,
)

LTVS = (50, 60, 75, 80, 85, 90, 95)
"""The keys that saved rates have for a lender, in percent."""

LENDER_PAGES = "/api/wp-json/wp/v2/lender_pages"
SAVED_ROWS, PER_LENDER = 20, 3
OUT_OF_RANGE = "The loan amount is outside the permitted range."

_DAY = "2025-03-08 14:27:26"
_QUESTIONS = (
    ("How much can I borrow?", "It depends on income and outgoings; lenders often lend about 4.5 times income."),
    ("What does it cost?", "We charge no fee.\n\nLenders may charge one: it is shown with every deal."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call: its fields (form body and query string together), and how it is to be answered."""

    market: Market
    fields: Fields
    setting: Setting
    request: Request


class FaultError(Exception):
    """A fault of the service; `str()` is its faultstring."""


def asked(market: Market, request: Request, *, setting: Setting) -> Asked:
    """Read a request; a body that is no form has no fields, as in PHP."""
    form = "form-urlencoded" in request.headers.get("content-type", "")
    body = request.body.decode("utf-8", "replace") if form else ""
    return Asked(market=market, fields=php_fields(request.query) | php_fields(body), setting=setting, request=request)


def query_of(fields: Fields) -> RatesQuery:
    """Return the search of call 5; what is missing has the specification's default. Raises FaultError."""
    bare = RatesQuery()
    lender = text(fields, "lenderId")
    try:
        return RatesQuery(
            lender_id=int(lender) if lender else None,
            term=int(text(fields, "LoanTerm") or bare.term),
            fixed=flag(fields, "mortgageFixed", default=bare.fixed),
            variable=flag(fields, "mortgageVariable", default=bare.variable),
            two_years=flag(fields, "periodUptoTwo", default=bare.two_years),
            three_years=flag(fields, "periodThree", default=bare.three_years),
            five_years=flag(fields, "periodFive", default=bare.five_years),
            purchase=flag(fields, "purchaseLoan", default=bare.purchase),
            repayment=flag(fields, "repayment", default=bare.repayment),
            residential=flag(fields, "residential", default=bare.residential),
            price=int(text(fields, "propertyPrice") or bare.price),
            amount=int(text(fields, "mortgageAmount") or bare.amount),
            sort=SortOrder.FEES if text(fields, "sortBy") == "TotalFees" else SortOrder.RATE,
        )
    except (QueryError, ValueError) as error:
        raise FaultError(OUT_OF_RANGE) from error


def _rates(call: Asked) -> Soap:
    return call.market.schemes(query_of(call.fields), most=call.setting.rows, final=call.setting.final)


def _saved_rates(call: Asked) -> Any:
    wanted = text(call.fields, "type")
    types = [str(customer) for customer in RULES if customer and wanted in ("", customer)]
    most = min(SAVED_ROWS, call.setting.rows)
    final = call.setting.final
    return {each: call.market.schemes(default_query(each), most=most, final=final) for each in types} or []


def _saved_ltv_rates(call: Asked) -> Any:
    wanted, found = text(call.fields, "lenderId"), dict[str, dict[str, Soap]]()
    for ltv in LTVS:
        for lender_id, products in call.market.best(ltv, most=PER_LENDER).items():
            if wanted in ("", str(lender_id)):
                rows = [row(product, final=call.setting.final) for product in products]
                found.setdefault(str(lender_id), {})[str(ltv)] = schemes(rows)
    return found or []


def _service(call: Asked) -> dict[str, Any]:
    received = entries(call.fields)
    return {"received": received, "keys": ["array"] * len(received), "saved": len(received)}


def _lenders(call: Asked) -> Soap:
    listed = with_more(call.market.lender_list(names=dict(call.setting.names)), call.setting.lenders)
    return replace(listed, prefixes=Prefixes.KEPT)


def _logos(call: Asked) -> Soap | Answer:
    if call.setting.named("get_logos") == "logos-mixed":
        everybody = sorted([*call.market.catalogue.lenders, *more_ids(call.setting.lenders)])
        return mixed_logos(numbers(call.fields, "id"), everybody)
    broken = {"logo-gif": b64encode(GIF).decode("ascii"), "logo-bad-base64": "!!! no picture !!!"}
    data = broken.get(call.setting.named("get_logos"))
    return replace(call.market.logos(numbers(call.fields, "id"), data=data), prefixes=Prefixes.KEPT)


def _saved_lenders(call: Asked) -> list[dict[str, str]]:
    updated = call.market.catalogue.read_at.strftime("%Y-%m-%d %H:%M:%S")
    known = sorted(call.market.catalogue.lenders.values(), key=lambda lender: lender.lender_id)
    return [{"id": str(one.lender_id), "name": one.name, "updated": updated} for one in known if one.residential]


def _pages(call: Asked) -> list[dict[str, Any]]:
    found = [*guides_of_types(), *published_pages(call.setting.published), *pages()]
    return listed(found, call.fields, call.request)


@cache
def faqs() -> dict[str, list[dict[str, Any]]]:
    return {
        str(customer): [_post(f"{rules.title}: {question}", answer) for question, answer in _QUESTIONS]
        for customer, rules in RULES.items()
        if customer
    }


@cache
def questionnaire() -> dict[str, Any]:
    """Return the embedded questionnaire as the flow's call has it; an empty one where there is no file."""
    file = ROOT / "data" / "questionnaire.json"
    return {"queries": json.loads(file.read_text(encoding="utf-8")) if file.exists() else []}


def _post(title: str, content: str) -> dict[str, Any]:
    post = {"ID": 267, "post_author": "2", "post_status": "publish", "post_type": "faqs", "filter": "raw"}
    days = {"post_date": _DAY, "post_modified": _DAY}
    return post | days | {"post_title": title, "post_content": content, "post_password": ""}


ROUTES: dict[tuple[str, str], tuple[str, Callable[[Asked], Any]]] = {
    ("POST", "/api/wp-json/get_rates/v1/get"): ("get_rates", _rates),
    ("POST", "/api/wp-json/get_saved_rates/v2/get"): ("get_saved_rates", _saved_rates),
    ("POST", "/api/wp-json/get_saved_ltv_rates/v1/get"): ("get_saved_ltv_rates", _saved_ltv_rates),
    ("POST", "/api/wp-json/get_saved_rates/v2/service"): ("service", _service),
    ("GET", "/api/wp-json/faqs/v1/get"): ("faqs", lambda _call: faqs()),
    ("GET", "/api/wp-json/wp/v2/pages"): ("pages", _pages),
    ("GET", "/api/wp-json/query/v2/get"): ("query", lambda _call: questionnaire()),
    ("POST", "/promotion/wp-json/get_lenders/v1/get"): ("get_lenders", _lenders),
    ("POST", "/promotion/wp-json/get_logos/v1/get"): ("get_logos", _logos),
    ("POST", "/promotion/wp-json/get_saved_lenders/v1/get"): ("get_saved_lenders", _saved_lenders),
    ("POST", "/api/graphql"): ("graphql", lambda call: graphql(call.request, call.setting.published)),
    ("GET", LENDER_PAGES): ("lender_pages", lambda call: listed(lender_pages(), call.fields, call.request)),
    ("GET", PHOTOGRAPH): ("uploads", lambda _call: Answer(body=photograph(2560, 1440), media_type="image/jpeg")),
    **{("GET", path): ("uploads", lambda _call, data=data: data) for path, data in UPLOADS.items()},
}
"""Every route by method and path: the name that counts and switches go by, and what answers it."""
