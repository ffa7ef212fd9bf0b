"""The plans to buy and to remortgage for the parameters of their address, and the reminder as a calendar file."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.calculators.calculator import Form
from broker.calculators.view import CalculatorView, calculator_view, read_values, typed_fields
from broker.clock import utc_now
from broker.documents.document import Document
from broker.documents.plans import buying_plan_document, remortgage_plan_document
from broker.lending.arithmetic import Amount
from broker.lending.days import day_number, is_day, month_of
from broker.lending.transfer_window import USUAL_WINDOW
from broker.plans.buying import THIS_MONTH
from broker.plans.buying_deal import plan_key
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.reminder import reminder
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import SLUG, RemortgageView, remortgage_form, remortgage_view
from broker.plans.remortgage_search import question
from broker.rates.plan_deal import PlanDeal, deal_of_plan, values_of_deal
from broker.rates.plan_searches import find_plan_deal, find_remortgage_deals
from broker.rates.remortgage_deals import NO_DEALS, RemortgageDeals, remortgage_deals, values_of_deals
from broker.rates.search_page import CHOSEN, START, ChosenOptions, option_name
from broker.rates.search_params import LENDER, offered_lenders
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import public_answer, unindexed
from broker.server.response import Answer, Handler, plain_text
from broker.services import current


def buying_plan_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of the plan to buy by path; without figures it shows the deal of the day."""
    name = routes.calculator_template(BUYING_PLAN.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if name not in export.templates:
            return None
        found = await public_answer(export, name, values=await _buying_values(given), request=Headers(scope=scope))
        return unindexed(found) if given else found

    return {routes.BUYING_PLAN: answer}


async def buying_plan_pdf(given: Mapping[str, str]) -> Document | None:
    """Return the plan to buy as a document; None for an invalid figure."""
    values = read_values(BUYING_PLAN, given)
    deal = await _deal(values)
    return buying_plan_document(values, view=_view(given, month=_month(), deal=deal), deal=deal)


async def _buying_values(given: Mapping[str, str]) -> dict[str, object]:
    """Return the template's values: the plan, its deal, and the start data of the scripts."""
    month = _month()
    deal = await _deal(read_values(BUYING_PLAN, given))
    start = {"deal": asdict(deal), "month": month}
    return {
        "panel": _view(given, month=month, deal=deal),
        "deal": deal,
        START: json.dumps(start, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }


def _month() -> int:
    return month_of(day_number(utc_now().date()))


def _view(given: Mapping[str, str], *, month: int, deal: PlanDeal) -> CalculatorView:
    return calculator_view(BUYING_PLAN, given, more={THIS_MONTH: month, **values_of_deal(deal)})


async def _deal(values: Mapping[str, Amount]) -> PlanDeal:
    services = current()
    found = await find_plan_deal(services.rates.search, values)
    return deal_of_plan(plan_key(values), found, logos=services.lenders.logos())


_REMORTGAGE_TEMPLATE = routes.edge_template(f"plan-{SLUG}")

NO_DAY = "There is no date in this address. Go back to your remortgage plan and enter the date your deal ends.\n"


def remortgage_plan_handlers(live: LiveExport, *, firm: str) -> dict[str, Handler]:
    """Return the handlers of the plan to remortgage and of its reminder, by path."""

    async def plan(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if _REMORTGAGE_TEMPLATE not in export.templates:
            return None
        found = await public_answer(
            export, _REMORTGAGE_TEMPLATE, values=await _remortgage_values(given), request=Headers(scope=scope)
        )
        return unindexed(found) if given else found

    async def calendar(scope: Scope) -> Answer | None:
        return _calendar(parameters_of(scope), site_url=live.export.site_url, firm=firm)

    return {routes.REMORTGAGE_PLAN: plan, routes.REMORTGAGE_REMINDER: calendar}


async def remortgage_plan_pdf(given: Mapping[str, str]) -> Document | None:
    """Return the plan to remortgage as a document; None for an invalid figure."""
    found = await remortgage_plan_at(given)
    return remortgage_plan_document(found.form, found.values, view=found.view, deals=found.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgagePlanAnswer:
    """A plan to remortgage: its form and values, its view, and its deals."""

    form: Form
    values: Mapping[str, Amount]
    view: RemortgageView
    deals: RemortgageDeals


async def remortgage_plan_at(given: Mapping[str, str]) -> RemortgagePlanAnswer:
    services = current()
    form = remortgage_form(offered_lenders("", services.lenders.lenders))
    values = read_values(form, given)
    fields = typed_fields(form, given, values=values)
    values["today"] = day_number(utc_now().date())
    values["unknownLender"] = given.get(LENDER, "") != values["lender"]
    asked = question(remortgage(values | values_of_deals(NO_DEALS)), values)
    deals = remortgage_deals(
        await find_remortgage_deals(services.rates.search, asked),
        logos=services.lenders.logos(),
        window=services.lenders.window(int(values["lender"] or 0)),
    )
    view = remortgage_view(form, values | values_of_deals(deals), fields=fields)
    return RemortgagePlanAnswer(form=form, values=values, view=view, deals=deals)


async def _remortgage_values(given: Mapping[str, str]) -> dict[str, object]:
    """Return the template's values for the plan to remortgage."""
    found = await remortgage_plan_at(given)
    chosen = {option_name(choice.name, found.values[choice.name]): True for choice in found.form.choices}
    start = {name: found.values[name] for name in ("today", "unknownLender")} | {"deals": asdict(found.deals)}
    return {
        "plan": found.view,
        "deals": found.deals,
        CHOSEN: ChosenOptions(chosen),
        START: json.dumps(start, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }


def _calendar(given: Mapping[str, str], *, site_url: str, firm: str) -> Answer:
    """Return the reminder for the last day of a deal of a lender; 404 for an invalid date."""
    try:
        end = date.fromisoformat(given.get("end", ""))
    except ValueError:
        return plain_text(404, NO_DAY)
    if not is_day(day_number(end)):
        return plain_text(404, NO_DAY)
    parameters, window = {"end": end.isoformat()}, USUAL_WINDOW
    lender = given.get(LENDER, "")
    if lender and lender in map(str, current().lenders.ids):
        parameters, window = parameters | {LENDER: lender}, current().lenders.window(int(lender))
    address = f"{site_url}{routes.with_query(routes.REMORTGAGE_PLAN, parameters)}"
    body = reminder(end, now=utc_now(), address=address, firm=firm, window=window)
    headers = {
        "content-type": "text/calendar; charset=utf-8",
        "content-disposition": 'attachment; filename="remortgage-reminder.ics"',
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
    }
    return Answer(status=200, headers=headers, body=body.encode())
