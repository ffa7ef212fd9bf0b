"""The remortgage plan: its form, its answer, four ways on, dates and today's deals.

The same functions draw it from browser expressions, and as a template of the edge.
"""

from collections.abc import Sequence

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.calculators.buying.rental_cover import CALCULATOR as RENTAL_COVER
from broker.calculators.calculator import INDICATIVE
from broker.components.calculator import (
    Panel,
    answer_id,
    boxes_form,
    calculator_result,
    choice_box,
    error_summary,
    input_box,
    panel_headline,
    unless_wrong,
)
from broker.components.chart import chart_table, line_chart, ltv_gauge_of
from broker.components.client_scripts import expression
from broker.components.elements import (
    button,
    button_link,
    card_row,
    card_table,
    disclosure,
    fact,
    icon,
    inline_style,
    jump_link,
    note,
    picture,
    scrolling,
    search_link,
    visually_hidden,
)
from broker.components.jinja import Attributes, class_if, foreach, set_attribute, when, when_text
from broker.components.rates.best_deals import best_table
from broker.components.rates.product_card import example, figure_of, lender_logo, rate_and_aprc
from broker.content.models.site import Site
from broker.lending.arithmetic import Text
from broker.plans.own_lender import Scale
from broker.plans.remortgage_plan import LETTER, RemortgageView, Way
from broker.rates.let_deals import LetDeals
from broker.rates.plan_deal import PlanDeal
from broker.rates.remortgage_deals import RemortgageDeals
from broker.watches.form_view import BEGIN, STEP

_LET_DEALS_HEIGHT = "24rem"
"""About the height of three deals, so that the page does not move when they come."""

_WAITING_HEIGHT = "44rem"
"""About the height of a deal, so that the page does not move when one comes."""

_BEST = "The three deals with the lowest true cost"

_LETTER_WORDS = "A lender’s letter, with the new rate, the product fee and the end date marked 1, 2 and 3"

_PAID = (
    "For a new deal from your own lender we are paid too: several lenders pay 0.2% to 0.3% of the loan. That never "
    "decides what we recommend."
)

_LET_TEST = (
    "A new lender will test whether your rent covers the loan. Ask whether your own does for a new deal: some make no "
    "affordability check. "
)


def let_deals_block(deals: LetDeals, site: Site) -> rx.Component:
    waiting = rx.el.div(
        rx.el.p("Press “Work it out” to see them.", class_name="no-script-only"),
        rx.el.span(class_name="sk needs-script", custom_attrs=inline_style({"minHeight": _LET_DEALS_HEIGHT})),
    )
    found = rx.el.div(
        rx.el.p(deals.basis, role="status"),
        rx.el.p(deals.rule, class_name="small"),
        best_table(deals.best, site, caption="The deals with the lowest true cost that pass"),
        rx.el.p(search_link("Compare all deals for this loan", href=deals.search, class_name="btn line")),
        class_name="stack",
    )
    problem = note(deals.problem, rx.el.p(search_link("Search for buy-to-let deals", href=deals.search)), tone="warn")
    return when_text(deals.basis, found, otherwise=when_text(deals.problem, problem, otherwise=waiting))


def plan_deal(deal: PlanDeal, site: Site) -> rx.Component:
    waiting = rx.el.div(
        rx.el.p("Finding the deal with the lowest true cost for these figures", class_name="small mute"),
        rx.el.span(class_name="sk", custom_attrs=inline_style({"minHeight": _WAITING_HEIGHT}), aria_hidden="true"),
        class_name="stack needs-script",
        aria_busy="true",
    )
    problem = note(deal.problem, when_text(deal.search, rx.el.p(search_link("Search for deals", href=deal.search))))
    return when(deal.is_found, _deal(deal, site), otherwise=when_text(deal.problem, problem, otherwise=waiting))


def _deal(deal: PlanDeal, site: Site) -> rx.Component:
    lender = rx.el.div(rx.el.b(deal.headline.lender), rx.el.br(), rx.el.span(deal.name, class_name="small mute"))
    links = rx.el.p(
        search_link("See this deal in full", href=deal.href, class_name="btn line"),
        search_link("Compare all deals for these figures", href=deal.search, class_name="btn line"),
        class_name="row",
    )
    return rx.el.div(
        rx.el.div(lender_logo(deal.headline), lender, class_name="row"),
        rx.el.div(
            rx.el.dl(
                figure_of("You would pay", deal.payment, "a month"),
                figure_of(deal.true_label, deal.true_cost, "interest and fees, less cashback"),
            ),
            rate_and_aprc(deal.headline),
            class_name="deal-figures",
        ),
        links,
        example(deal.example, deal.example_aprc, rx.el.p(site.risk_warning, class_name="risk")),
        disclosure("More figures", rx.el.dl(foreach(deal.lines, _line), class_name="kv")),
        when_text(deal.band, note("The next band of loan to value", rx.el.p(deal.band))),
        rx.el.p(deal.dated, class_name="small mute"),
        class_name="whole-deal plan-deal",
    )


def _line(line: tuple[str, str, str]) -> rx.Component:
    return rx.el.div(rx.el.dt(line[0], rx.el.br(), rx.el.span(line[2], class_name="xs mute")), rx.el.dd(line[1]))


def remortgage_parts(
    panel: Panel, view: RemortgageView, *, deals: RemortgageDeals, site: Site, figures: Sequence[rx.Component] = ()
) -> list[rx.Component]:
    """Draw the parts of the plan, one below the other; `panel` is its form with the answer.

    `figures` is the line of the visitor's figures, which lies on the foot of the form's band.
    """
    return [
        boxes_form(
            panel,
            _band(panel, view, deals, figures),
            # the letter's fields are above the next date, so that a phone has them on its first screen
            rx.el.div(
                _headline(panel, view),
                _letter(panel),
                unless_wrong(panel, _next_date(view)),
                _beat(panel, view),
                class_name="stay-top",
            ),
        ),
        rx.el.div(
            unless_wrong(panel, _ways(panel, view, site), _chart(panel, view)),
            rx.el.div(_dates(panel, view), _advice(view, site), class_name="two7"),
            unless_wrong(panel, _deals(view, deals, site)),
            rx.el.p(INDICATIVE, class_name="xs mute"),
            class_name="wrap stack loose",
        ),
    ]


def _band(panel: Panel, view: RemortgageView, deals: RemortgageDeals, figures: Sequence[rx.Component]) -> rx.Component:
    """Draw the heading beside a line of what was typed, which opens the figures; later they stay as they are."""
    first = f"const [wasOpen] = useState(() => {view.is_open!s})"
    was_open = expression("wasOpen", view.is_open, hooks=(first,), react=("useState",)) if panel.controls else ""
    separator = rx.el.span(" · ", class_name="sep", aria_hidden="true")
    years = rx.el.span(view.term, class_name="nb")
    typed = rx.el.p(rx.el.b(view.loan), ", ", years, separator, rx.el.span(view.deal))
    return rx.el.div(
        rx.el.div(
            rx.el.h1("Stay or switch?", tab_index=-1, class_name="one"),
            rx.el.details(
                rx.el.summary(
                    typed,
                    rx.el.span(icon("filter"), "Change", visually_hidden(" your figures"), class_name="btn line s"),
                    class_name="ask",
                ),
                _figures(panel, view, deals),
                class_name="own-figures",
                custom_attrs=set_attribute("open", view.is_open, otherwise={"open": was_open}),
            ),
            ltv_gauge_of(view.gauge),
            class_name="wrap",
        ),
        *figures,
        class_name="fh",
    )


def _figures(panel: Panel, view: RemortgageView, deals: RemortgageDeals) -> rx.Component:
    handlers: Attributes = {"on_click": panel.controls.fill("followOn", deals.follow_on)} if panel.controls else {}
    offer = button(view.offer, look="line s needs-script", **handlers)
    boxes = (input_box(panel, name) for name in ("balance", "value", "term", "rate", "end", "followOn"))
    choices = (part for name in ("lender", "repay", "home", "charge") for part in choice_box(panel, name))
    return rx.el.div(
        rx.el.h2("Your figures", id=f"{panel.prefix}-title", class_name="vh"),
        error_summary(panel),
        rx.el.div(*boxes, *choices, input_box(panel, "legal"), class_name="boxes"),
        rx.el.div(when_text(view.held, note(view.held, when_text(view.offer, rx.el.p(offer)))), role="status"),
        rx.el.p(
            rx.el.button("Work it out", type="submit", class_name="btn no-script-only"),
            jump_link("See your plan", answer_id(panel), class_name="btn needs-script"),
        ),
        class_name="panel stack",
    )


def _headline(panel: Panel, view: RemortgageView) -> rx.Component:
    sentences = (when_text(sentence, note(sentence, tone="warn")) for sentence in view.sentences)
    return rx.el.div(
        panel_headline(panel), unless_wrong(panel, *sentences), id=answer_id(panel), class_name="headline stack"
    )


def _next_date(view: RemortgageView) -> rx.Component:
    # a link of React Router would look for a page of this address
    address = routes.REMORTGAGE_REMINDER + "?end=" + view.end + "&lender=" + view.lender
    calendar = A.create("Add the date to your calendar", href=address, download=True, class_name="btn lamp s")
    # a button of the plan's form, so that no figure is typed twice or is in an address
    watch = rx.el.button(
        "Watch this for me",
        type="submit",
        name=STEP,
        value=BEGIN,
        form_action=routes.START_WATCH,
        form_method="post",
        class_name="btn line s",
    )
    return rx.el.div(
        rx.el.p(view.next.title, class_name="label"),
        rx.el.h2(view.next.when),
        rx.el.p(view.next.words, class_name="small"),
        when(view.has_date, rx.el.p(calendar)),
        rx.el.p("Or leave it to us: we email you when there is something to do.", class_name="small"),
        rx.el.p(watch),
        class_name="cta stack dark",
    )


def _letter(panel: Panel) -> rx.Component:
    numbers = rx.el.ol(*(rx.el.li(input_box(panel, name)) for name in LETTER))
    drawn = picture("/art/letter.svg", width=210, height=250, alt=_LETTER_WORDS)
    return rx.el.section(
        rx.el.h2("Three numbers from your lender’s letter", id=f"{panel.prefix}-letter", class_name="as-h3"),
        rx.el.p(
            "They are also in your lender’s app, under “new deal”, “switch your rate” or “product transfer”.",
            class_name="small",
        ),
        rx.el.div(numbers, drawn, class_name="copy3"),
        class_name="panel stack",
        aria_labelledby=f"{panel.prefix}-letter",
    )


def _beat(panel: Panel, view: RemortgageView) -> rx.Component:
    found = view.beat
    return rx.el.section(
        rx.el.h2("What your lender’s offer must beat", id=f"{panel.prefix}-beat", class_name="as-h3"),
        unless_wrong(
            panel,
            calculator_result(found.label, found.figure, caption=found.caption),
            when(view.scale.is_drawn, _scale(view.scale)),
            rx.el.p(rx.el.b(found.yours)),
            rx.el.p(found.exact, class_name="small"),
            rx.el.p(found.counted, class_name="small"),
        ),
        class_name="panel stack",
        aria_labelledby=f"{panel.prefix}-beat",
    )


def _scale(scale: Scale) -> rx.Component:
    """Draw the rate to beat, the best switch and the visitor's offer on one line; the sentences below say the same."""
    offer = rx.fragment(
        rx.el.i(class_name="yours", custom_attrs=inline_style({"left": scale.yours_place})),
        rx.el.span(scale.yours, custom_attrs=inline_style({"left": scale.yours_label})),
    )
    best = "clamp(3.75rem, " + scale.best_place + ", 100% - 3.75rem)"
    return rx.el.div(
        rx.el.i(class_name="best", custom_attrs=inline_style({"left": scale.best_place})),
        rx.el.i(class_name="edge"),
        when(scale.has_offer, offer),
        rx.el.span(scale.edge, class_name=scale.edge_look),
        rx.el.span(scale.best, class_name="under", custom_attrs=inline_style({"left": best})),
        rx.el.b("Stay"),
        rx.el.b("Switch", class_name="last"),
        class_name="beat",
        aria_hidden="true",
    )


def _ways(panel: Panel, view: RemortgageView, site: Site) -> rx.Component:
    answer = panel.view.answer
    assert answer.table and answer.note
    caption = rx.el.caption(answer.table.caption, class_name="vh")
    heads = answer.table.heads
    rows = (_way(row, way, heads[1:]) for row, way in zip(answer.table.rows, view.ways, strict=True))
    table = card_table(caption, heads, body=rx.fragment(*rows))
    return rx.el.div(
        rx.el.h2(view.ways_title, class_name="as-h3"),
        rx.el.p(
            "Cost is interest, fees and any charge, from today. Money that pays off the loan is left out.",
            class_name="small",
        ),
        scrolling(table, answer.table.caption),
        rx.el.p(view.verdict),
        rx.el.p(site.risk_warning, class_name="risk"),
        rx.el.dl(*(fact(label, words) for label, words in view.facts), class_name="kv"),
        note(answer.note.title, answer.note.text),
        disclosure("How we worked this out", rx.el.ol(*(rx.el.li(step) for step in answer.steps))),
        class_name="panel stack",
    )


def _way(row: tuple[Text, ...], way: Way, heads: tuple[Text, ...]) -> rx.Component:
    name = (
        rx.el.b(way.name),
        when(way.is_least, rx.el.span("Costs least", class_name="tag lamp")),
        rx.el.span(way.words, class_name="small mute"),
    )
    look = class_if(way.is_least, "way win", otherwise="way")
    return when_text(way.name, card_row(name, row[1:], heads=heads, looks=("n",) * len(heads), class_name=look))


def _chart(panel: Panel, view: RemortgageView) -> rx.Component:
    chart = panel.view.answer.chart
    assert chart
    return rx.el.div(
        rx.el.h2("What you would pay, month by month", class_name="as-h3"),
        line_chart(chart),
        rx.el.dl(*(when_text(way.name, fact(way.name, way.key)) for way in view.ways), class_name="kv"),
        chart_table(chart, on_open=None),
        class_name="panel stack by-month",
    )


def _dates(panel: Panel, view: RemortgageView) -> rx.Component:
    entries = (
        when_text(each.when, rx.el.li(rx.el.b(each.when), rx.el.div(rx.el.strong(each.title), rx.el.p(each.words))))
        for each in view.dates
    )
    return rx.el.section(
        rx.el.h2("Dates to act", id=f"{panel.prefix}-dates", class_name="as-h3"),
        unless_wrong(panel, rx.el.ol(*entries, class_name="dates")),
        class_name="panel stack",
        aria_labelledby=f"{panel.prefix}-dates",
    )


def _advice(view: RemortgageView, site: Site) -> rx.Component:
    landlord_test = rx.el.a("See what your rent supports", href=routes.calculator(RENTAL_COVER.slug))
    return rx.el.section(
        rx.el.h2("Should you ask us?", id="ask-us", class_name="as-h3"),
        rx.el.p(
            "You can take your lender’s new deal by yourself, online and without advice. Then nobody has checked that "
            "it suits you, or what another lender would charge.",
            class_name="small",
        ),
        rx.el.p(
            "We compare both, book the one that suits you, and look again before it starts, in case rates have fallen.",
            class_name="small",
        ),
        rx.el.p(site.how_we_are_paid, " ", _PAID, class_name="small"),
        when(
            view.is_let,
            rx.el.div(
                rx.el.p(_LET_TEST, landlord_test, "."), rx.el.p(site.buy_to_let_sentence), class_name="stack small"
            ),
        ),
        rx.el.p(button_link("Request a callback", routes.CALLBACK, look="full")),
        rx.el.p(button_link("Two years or five?", routes.RATE_HISTORY, look="line full")),
        class_name="panel stack",
        aria_labelledby="ask-us",
    )


def _deals(view: RemortgageView, deals: RemortgageDeals, site: Site) -> rx.Component:
    found = rx.el.div(
        rx.el.p(deals.basis, class_name="small", role="status"),
        when_text(deals.fee, rx.el.p(deals.fee)),
        best_table(deals.best, site, caption=_BEST, is_short=False),
        rx.el.p(button_link("See more deals for this loan", deals.best.href, look="line", arrow=True)),
        class_name="stack",
    )
    missing = rx.el.div(
        note("No deals to show", deals.problem, tone="warn"),
        rx.el.p(rx.el.a("See today’s remortgage deals", href=routes.deals("remortgaging"))),
        class_name="stack",
    )
    return rx.el.div(
        rx.el.h2(view.deals_title, class_name="as-h3"),
        when_text(deals.problem, missing, otherwise=found),
        class_name="stack",
    )
