"""The page of a plan with its figures and its deal in the HTML, worked out as in the browser."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.calculators.view import CalculatorView, calculator_view, read_values
from broker.domain.documents import Document
from broker.lending.arithmetic import Amount
from broker.plans.buying_deal import plan_key
from broker.plans.buying_fields import BUYING_PLAN
from broker.plans.months import THIS_MONTH, month_number
from broker.presenters.documents.buying_plan import buying_plan_document
from broker.presenters.rates.plan_deal import PlanDeal, deal_of_plan, values_of_deal
from broker.presenters.rates.search.search_page import START
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import public_answer, unindexed
from broker.server.response import Answer, Handler
from broker.services import current
from broker.services.rates.plan_deals import find_plan_deal


def buying_plan_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of the plan to buy by its path: it answers without figures too, for the deal of the day."""
    name = routes.calculator_template(BUYING_PLAN.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if name not in export.templates:
            return None
        found = await public_answer(export, name, values=await _values(given), request=Headers(scope=scope))
        return unindexed(found) if given else found

    return {routes.BUYING_PLAN: answer}


async def buying_plan_pdf(given: Mapping[str, str]) -> Document | None:
    """Return the plan of an address as a document; None while a figure is wrong."""
    values = read_values(BUYING_PLAN, given)
    deal = await _deal(values)
    return buying_plan_document(values, view=_view(given, month=_month(), deal=deal), deal=deal)


async def _values(given: Mapping[str, str]) -> dict[str, object]:
    """Return the values of the template: the plan, its deal, and what the scripts start from."""
    month = _month()
    deal = await _deal(read_values(BUYING_PLAN, given))
    start = {"deal": asdict(deal), "month": month}
    return {
        "panel": _view(given, month=month, deal=deal),
        "deal": deal,
        START: json.dumps(start, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }


def _month() -> int:
    return month_number(datetime.now(UTC).date())


def _view(given: Mapping[str, str], *, month: int, deal: PlanDeal) -> CalculatorView:
    return calculator_view(BUYING_PLAN, given, more={THIS_MONTH: month, **values_of_deal(deal)})


async def _deal(values: Mapping[str, Amount]) -> PlanDeal:
    services = current()
    found = await find_plan_deal(services.rates.search, values)
    return deal_of_plan(plan_key(values), found, logos=services.lenders.logos())
