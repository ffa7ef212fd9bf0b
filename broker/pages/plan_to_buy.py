"""The plan to buy on its page: computed in the browser, with a deal that the server finds once the figures rest."""

import json
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.affordability import CALCULATOR as AFFORDABILITY
from broker.calculators.calculator import INDICATIVE, Table
from broker.calculators.view import FIXED_FIELDS, calculator_view
from broker.clock import utc_now
from broker.components.calculator import (
    Panel,
    answer_id,
    error_summary,
    panel_plate,
    plan_form,
    source_links,
    unless_wrong,
)
from broker.components.chart import bar_chart, chart_table, line_chart
from broker.components.client_scripts import ask_at_rest, expression, script_function
from broker.components.client_values import memoized_section
from broker.components.elements import disclosure, figures_table, note, terms_line
from broker.components.jinja import when_text
from broker.components.rates.plan_deals import plan_deal
from broker.components.share import TALK_WORDS, share_link
from broker.components.url_params import edge_answer
from broker.content.models.site import Site
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import image_path
from broker.jinja_places import as_template, template_of
from broker.lending.arithmetic import shared
from broker.lending.days import day_number, month_of
from broker.pages.calculator import CalculatorValues
from broker.pages.calculators import FIGURES, method_link, rate_history_link, rental_cover_template
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.plans.buying import SOURCES, THIS_MONTH, buying_plan
from broker.plans.buying_deal import plan_key
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.plan_deal import NO_LOAN, PlanDeal, values_of_deal
from broker.site_search.view import calculator_words
from broker.state.rates.plan_deals import PlanDealState

_WAITING = PlanDeal(key="?")
"""Shown until the server has found a deal."""

DESCRIPTION = (
    "What you could buy, the cash to have ready on the day, the monthly payment and the deal for it, from your income, "
    "outgoings and savings."
)

_GUIDES = (
    "buying-your-first-home-step-by-step",
    "lifetime-isa-guide",
    "stamp-duty-explained",
    "mortgage-fees-explained",
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.BUYING_PLAN,
            counted_as=Counted.PLAN,
            title="Plan to buy a home: price, cash and deal",
            description=DESCRIPTION,
            label=BUYING_PLAN.title,
            render=partial(_render, inputs),
            section=Section.TOOLS,
            search=calculator_words(BUYING_PLAN),
            picture=image_path(PICTURE),
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the plan and the rental cover calculator, which have deals, as templates for their own pages."""
    return (
        edge_template_page(
            "plans",
            title=BUYING_PLAN.title,
            description=DESCRIPTION,
            render=lambda: rx.fragment(
                _buying_plan_template(inputs.store.site()), rental_cover_template(inputs.store.site(), title=FIGURES)
            ),
        ),
    )


def _buying_plan_section(site: Site) -> rx.Component:
    values = CalculatorValues(BUYING_PLAN, "", path=routes.BUYING_PLAN)
    given = values.numbers
    key = shared(plan_key(given))
    found = _deal_in_browser(key)
    plan = buying_plan({**given, **values_of_deal(found)})
    deal = shared(rx.cond(plan.loan > 0, found, rx.Var.create(NO_LOAN)).to(PlanDeal))
    panel = values.panel({THIS_MONTH: _month(), **values_of_deal(found)})
    wanted = rx.cond(plan.loan > 0, key, "")
    effects = (values.address_effect(), ask_at_rest(wanted, found.key, PlanDealState.find(wanted)))
    drawn = plan_deal(deal, site)
    return memoized_section(
        values.values.state,
        values.seen.state,
        *values.figures({"price": plan.price, "deposit": plan.deposit}),
        *_content(panel, drawn),
        id=values.prefix,
        class_name="panel stack loose",
        aria_labelledby=expression(json.dumps(values.heading_id), *effects).to(str),
    )


def _buying_plan_template(site: Site) -> rx.Component:
    """Draw the plan as a template: the edge fills it with a `calculator_view`, `panel`, and a `PlanDeal`, `deal`."""
    shown = calculator_view(BUYING_PLAN, {}, more={THIS_MONTH: 0})
    panel = Panel(form=BUYING_PLAN, view=as_template(shown, "panel", fixed=FIXED_FIELDS), prefix=BUYING_PLAN.slug)
    deal = plan_deal(template_of(PlanDeal, "deal"), site)
    return rx.el.section(
        *_content(panel, deal), id=panel.prefix, class_name="panel stack loose", aria_labelledby=f"{panel.prefix}-title"
    )


def _deal_in_browser(key: rx.Var) -> PlanDeal:
    own, answered = PlanDealState.deal, edge_answer()
    edge = expression(f"{answered!s}?.deal", answered).to(PlanDeal)
    is_edges = expression(f"({answered!s}?.deal?.key === {key!s})", answered).to(bool)
    found = rx.cond(own.key == key, own, rx.cond(is_edges, edge, rx.Var.create(_WAITING)))
    return shared(found.to(PlanDeal))


def _month() -> rx.Var:
    """Return this month in the browser; at first that of the HTML, which React expects."""
    built = month_of(day_number(utc_now().date()))
    now, edge = script_function("plan", "monthNow"), edge_answer()
    line = f"const thisMonth = useSyncExternalStore(() => () => {{}}, {now!s}, () => {edge!s}?.month ?? {built})"
    return expression("thisMonth", edge, now, hooks=(line,), react=("useSyncExternalStore",)).to(int)


def _content(panel: Panel, deal: rx.Component) -> list[rx.Component]:
    identity = f"{panel.prefix}-title"
    form = rx.el.div(rx.el.h2("Your figures", id=identity, class_name="as-h3"), plan_form(panel), class_name="stack")
    titled_deal = rx.el.div(rx.el.h2("The deal for this plan", class_name="as-h3"), deal, class_name="stack")
    answer = unless_wrong(panel, *_warnings(panel), titled_deal)
    return [
        error_summary(panel),
        rx.el.div(
            form,
            rx.el.div(panel_plate(panel), answer, id=answer_id(panel), class_name="stack loose"),
            class_name="side wide",
        ),
        unless_wrong(
            panel, rx.el.div(*_limits_and_cash(panel), class_name="g2"), rx.el.div(*_saving(panel), class_name="g2")
        ),
        rx.el.p(INDICATIVE, class_name="xs mute"),
    ]


def _warnings(panel: Panel) -> list[rx.Component]:
    warnings = panel.view.answer.warnings
    return [when_text(each.title, note(each.title, rx.el.p(each.text), tone="warn")) for each in warnings]


def _limits_and_cash(panel: Panel) -> list[rx.Component]:
    answer = panel.view.answer
    return [
        rx.el.div(
            rx.el.h2("The highest price by each limit", class_name="as-h3"),
            bar_chart(answer.bars),
            disclosure("How we worked this out", rx.el.ol(*(rx.el.li(step) for step in answer.steps)), _sources()),
            class_name="stack",
        ),
        *([_cash_table(answer.table)] if answer.table else []),
    ]


def _cash_table(table: Table) -> rx.Component:
    rows = (
        rx.el.tr(rx.el.th(label, rx.el.div(words, class_name="xs mute"), scope="row"), rx.el.td(figure, class_name="n"))
        for label, figure, words in table.rows
    )
    return figures_table(table.caption, table.heads, body=rx.fragment(*rows))


def _saving(panel: Panel) -> list[rx.Component]:
    chart, controls = panel.view.answer.chart, panel.controls
    if chart is None:
        return []
    return [
        rx.el.div(
            rx.el.h2("What saving more brings", class_name="as-h3"),
            rx.el.p(chart.title),
            chart_table(chart, on_open=controls.open_table() if controls else None),
            class_name="stack",
        ),
        line_chart(chart),
    ]


def _sources() -> rx.Component:
    range_link = rx.el.a("affordability calculator", href=routes.calculator(AFFORDABILITY.slug))
    return rx.el.div(
        rx.el.p(
            "Income and budget together are the upper end of a range. For its careful end, see the ", range_link, "."
        ),
        source_links("Where the rules of the budget come from", AFFORDABILITY.sources),
        source_links("Where the typical costs come from", SOURCES),
        class_name="small",
    )


def _render(inputs: BuildInputs) -> rx.Component:
    return layout(
        inputs,
        routes.BUYING_PLAN,
        banner(BUYING_PLAN.title, "What you could buy, the cash for the day, and the deal. It changes as you type."),
        rx.el.div(
            _buying_plan_section(inputs.store.site()),
            share_link("this plan", pdf=routes.BUYING_PLAN + routes.RESULT_PDF, adviser_words=TALK_WORDS),
            *_guides(inputs),
            terms_line("aprc", "ltv", "product-fee"),
            rate_history_link(),
            method_link(),
            class_name="wrap band-s stack",
        ),
    )


def _guides(inputs: BuildInputs) -> list[rx.Component]:
    listed = [guide for guide in inputs.store.guides() if guide.url in _GUIDES]
    links = (rx.el.li(rx.el.a(guide.title, href=routes.guide(guide.url))) for guide in listed)
    return [rx.el.p("Read more:"), rx.el.ul(*links)] if listed else []
