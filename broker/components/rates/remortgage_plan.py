"""The remortgage plan: its form, its answer, three ways on and today's deals.

The same functions draw it from browser expressions, and as a template of the edge.
"""

from dataclasses import dataclass

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.calculators.calculator import INDICATIVE
from broker.calculators.view import RowView
from broker.components.calculator import error_summary, panel_form, panel_plate, unless_wrong
from broker.components.calculator_panel import Panel
from broker.components.chart import chart_table, line_chart
from broker.components.elements.buttons import button, button_link
from broker.components.elements.lists import fact
from broker.components.elements.messages import disclosure, note
from broker.components.elements.tables import card_row, card_table, scrolling
from broker.components.jinja import when, when_text
from broker.components.rates.best_deals import best_table
from broker.components.screen_types import Attributes
from broker.plans.remortgage_plan import TABLE_HEADS
from broker.plans.remortgage_view import RemortgageView
from broker.presenters.rates.search.remortgage_deals import RemortgageDeals

BEST = "The three deals with the lowest true cost"

_LOOKS = ("n",) * (len(TABLE_HEADS) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTexts:
    """The site's sentences: the warning of any rate, and that on letting."""

    risk: str
    buy_to_let: str


def remortgage_parts(
    panel: Panel, view: RemortgageView, *, deals: RemortgageDeals, texts: PlanTexts
) -> list[rx.Component]:
    """Draw the parts of the plan, one below the other; `panel` is its form with the answer."""
    return [
        rx.el.div(_form(panel, view, deals), _answer(panel, view, texts), class_name="g2"),
        unless_wrong(panel, _ways(panel), _deals(deals, texts)),
        rx.el.p(INDICATIVE, class_name="xs mute"),
    ]


def _form(panel: Panel, view: RemortgageView, deals: RemortgageDeals) -> rx.Component:
    handlers: Attributes = {"on_click": panel.controls.fill("followOn", deals.follow_on)} if panel.controls else {}
    offer = button(view.offer, look="line s needs-script", **handlers)
    return rx.el.div(
        rx.el.h2("Your figures", id=f"{panel.prefix}-title", class_name="as-h3"),
        error_summary(panel),
        panel_form(panel, has_pdf=True),
        rx.el.div(when_text(view.held, note(view.held, when_text(view.offer, rx.el.p(offer)))), role="status"),
        class_name="panel stack",
    )


def _answer(panel: Panel, view: RemortgageView, texts: PlanTexts) -> rx.Component:
    # a link of React Router would look for a page of this address
    address = routes.REMORTGAGE_REMINDER + "?end=" + view.end
    calendar = A.create("Add the date to your calendar", href=address, download=True, class_name="btn line s")
    return rx.el.div(
        rx.el.h2("Your plan", class_name="as-h3"),
        unless_wrong(panel, *(when_text(sentence, note(sentence, tone="warn")) for sentence in view.sentences)),
        panel_plate(panel),
        unless_wrong(
            panel,
            rx.el.p(view.verdict),
            rx.el.dl(*(fact(label, words) for label, words in view.facts), class_name="kv"),
            when(view.has_date, rx.el.p(calendar)),
            rx.el.p(texts.risk, class_name="risk"),
        ),
        class_name="panel stack",
    )


def _ways(panel: Panel) -> rx.Component:
    answer = panel.view.answer
    assert answer.table and answer.chart and answer.note
    caption = rx.el.caption(answer.table.caption, class_name="vh")
    rows = rx.fragment(*(_way(row) for row in answer.table.rows))
    table = card_table(caption, TABLE_HEADS, body=rows)
    return rx.el.div(
        rx.el.h2("Three ways on", class_name="as-h3"),
        rx.el.p("Cost is interest, fees and charge. Money that pays off the loan is left out.", class_name="small"),
        scrolling(table, answer.table.caption),
        line_chart(answer.chart),
        note(answer.note.title, answer.note.text),
        rx.el.div(
            disclosure("How we worked this out", rx.el.ol(*(rx.el.li(step) for step in answer.steps))),
            chart_table(answer.chart, on_open=None),
        ),
        class_name="panel stack",
    )


def _way(row: RowView) -> rx.Component:
    return card_row(row.cells[:1], row.cells[1:], heads=TABLE_HEADS[1:], looks=_LOOKS)


def _deals(deals: RemortgageDeals, texts: PlanTexts) -> rx.Component:
    found = rx.el.div(
        rx.el.p(deals.basis, class_name="small", role="status"),
        when_text(deals.fee, rx.el.p(deals.fee)),
        best_table(deals.best, risk=texts.risk, buy_to_let=texts.buy_to_let, caption=BEST, is_short=False),
        rx.el.p(button_link("See more deals for this loan", deals.best.href, look="line", arrow=True)),
        class_name="stack",
    )
    missing = rx.el.div(
        note("No deals to show", deals.problem, tone="warn"),
        rx.el.p(rx.el.a("See today’s remortgage deals", href=routes.deals("remortgaging"))),
        class_name="stack",
    )
    return rx.el.div(
        rx.el.h2("Today’s deals for the day your deal ends", class_name="as-h3"),
        when_text(deals.problem, missing, otherwise=found),
        class_name="stack",
    )
