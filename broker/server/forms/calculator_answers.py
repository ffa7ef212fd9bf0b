"""The page of a calculator at an address with inputs: their answer in its HTML, worked out as in the browser."""

import json
from collections.abc import Mapping
from dataclasses import asdict

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.calculators.buying.landlord_test import CALCULATOR as LANDLORD_TEST
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.calculators.view import calculator_view, read_values
from broker.domain.rates.let_deals import asked_lets, lets_key
from broker.presenters.rates.search.let_deals import ABOVE_VALUE, let_deals
from broker.presenters.rates.search.search_page import START
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import public_answer, unindexed
from broker.server.response import Answer, Handler
from broker.services import current
from broker.services.rates.let_deals import find_lets


def calculator_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each calculator's page by its path."""
    return {routes.calculator(each.slug): calculator_handler(each, live) for each in CALCULATORS}


def calculator_handler(calculator: Calculator, live: LiveExport) -> Handler:
    """Return the handler of a calculator's page: an address without parameters is left to the exported page."""
    name = routes.calculator_template(calculator.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if not given or name not in export.templates:
            return None
        deals = await _deals(given) if calculator == LANDLORD_TEST else {}
        values = {"panel": calculator_view(calculator, given), **deals}
        return unindexed(await public_answer(export, name, values=values, request=Headers(scope=scope)))

    return answer


async def _deals(given: Mapping[str, str]) -> dict[str, object]:
    """Return the deals that the rent passes, and what the scripts start from."""
    asked, services = asked_lets(lets_key(read_values(LANDLORD_TEST, given))), current()
    deals = ABOVE_VALUE
    if asked:
        deals = let_deals(await find_lets(services.rates.search, asked), logos=services.lenders.logos())
    start = json.dumps({"deals": asdict(deals)}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return {"deals": deals, START: start}
