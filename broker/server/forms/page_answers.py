"""Pages rendered for the parameters of their address: rates searches, calculators, plans, and the contact page."""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.calculators.buying.rental_cover import CALCULATOR as RENTAL_COVER
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.calculators.view import calculator_view, read_values
from broker.rates.customers import RULES, default_query
from broker.rates.let_deals import ABOVE_VALUE, asked_lets, let_deals, lets_key
from broker.rates.plan_searches import find_details, find_lets
from broker.rates.product import RatesError
from broker.rates.query import QueryError
from broker.rates.rate_details import NO_DETAILS
from broker.rates.search import search_with_band
from broker.rates.search_page import (
    AWAY,
    START,
    failed_search,
    refusal_words,
    refused_search,
    search_page_values,
    shown_search,
)
from broker.rates.search_params import (
    known_lender,
    lender_note,
    offered_lenders,
    page_in,
    product_in,
    query_in,
    typed_form,
)
from broker.server.forms.call_times import CallTimes
from broker.server.forms.plan_answers import buying_plan_handlers, remortgage_plan_handlers
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import public_answer, unindexed
from broker.server.response import Answer, Handler
from broker.server.result_pdfs import contact_page
from broker.services import current

RETRY_SECONDS = 30

log = logging.getLogger(__name__)


def calculator_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each calculator's page by its path."""
    return {routes.calculator(each.slug): calculator_handler(each, live) for each in CALCULATORS}


def calculator_handler(calculator: Calculator, live: LiveExport) -> Handler:
    """Return the handler of a calculator's page; without parameters the exported page is the answer."""
    name = routes.calculator_template(calculator.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if not given or name not in export.templates:
            return None
        deals = await _deals(given) if calculator == RENTAL_COVER else {}
        values = {"panel": calculator_view(calculator, given), **deals}
        return unindexed(await public_answer(export, name, values=values, request=Headers(scope=scope)))

    return answer


async def _deals(given: Mapping[str, str]) -> dict[str, object]:
    """Return the deals that the rent covers, and the start data of the scripts."""
    asked, services = asked_lets(lets_key(read_values(RENTAL_COVER, given))), current()
    deals = ABOVE_VALUE
    if asked:
        deals = let_deals(await find_lets(services.rates.search, asked), logos=services.lenders.logos())
    start = json.dumps({"deals": asdict(deals)}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return {"deals": deals, START: start}


def search_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each rates page, by its path."""
    return {routes.deals(customer): search_handler(customer, live) for customer in RULES}


def search_handler(customer: str, live: LiveExport) -> Handler:
    """Return the handler of a rates page; without parameters the exported page is the answer."""
    name = routes.search_template(customer)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if not given or name not in export.templates:
            return None
        values, has_failed = await _search_values(customer, given)
        status = 503 if has_failed else 200
        found = await public_answer(export, name, values=values, request=Headers(scope=scope), status=status)
        more = {"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"} if has_failed else {}
        return unindexed(replace(found, headers={**found.headers, **more}))

    return answer


async def _search_values(customer: str, parameters: Mapping[str, object]) -> tuple[dict[str, object], bool]:
    """Return the template's values for a search, and whether the source failed."""
    services = current()
    names = offered_lenders(customer, services.lenders.lenders)
    given = known_lender(parameters, names)
    form = typed_form(default_query(customer), given)
    try:
        query = query_in(customer, given)
    except QueryError as error:
        usual = default_query(customer)
        shown = refused_search(usual, problem=refusal_words(error), names=names)
        return search_page_values(form, shown, query=usual), False
    try:
        answer, band = await search_with_band(services.rates.search, query)
    except RatesError as error:
        log.warning("rates search failed: %s", error)
        shown = failed_search(query, problem=error.words or AWAY, names=names)
        return search_page_values(form, shown, query=query), True
    logos, product_id, detail = services.lenders.logos(), product_in(given), NO_DETAILS
    shown = shown_search(answer, page_in(given), names=names, logos=logos, band=band)
    source = lender_note(parameters, given) + shown.source
    shown = replace(shown, source=source, found=replace(shown.found, source=source))
    if product_id:
        detail = await find_details(services.rates, query, product_id, logos=logos)
    return search_page_values(form, shown, query=query, page=page_in(given), detail=detail), False


def page_handlers(live: LiveExport, times: CallTimes, *, firm: str) -> dict[str, Handler]:
    """Return the handlers by path; `firm` is named in the calendar file of a plan."""
    plans = buying_plan_handlers(live) | remortgage_plan_handlers(live, firm=firm)
    forms = {routes.CONTACT: contact_page(live, times), **times.handlers()}
    return search_handlers(live) | calculator_handlers(live) | plans | forms
