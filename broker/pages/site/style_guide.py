"""The component sheet at `/test/`: every component in every state (decision 8). Not indexed, in no menu."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.calculators import repayment, self_employed
from broker.components.calculator import calculator_result
from broker.components.chart import ltv_gauge
from broker.components.elements import (
    button,
    button_link,
    contents,
    disclosure,
    figures_table,
    inline_style,
    more_link,
    note,
    question,
    skeleton,
    steps,
    toast,
)
from broker.components.forms.fields import Box, Segment, labelled_box, segmented, select, tick
from broker.components.rates.product_card import rate_and_aprc, read_notice, sample_notice
from broker.content.guide_pages import grid_view, guide_card
from broker.content.guides import GuideCategory
from broker.content.page_parts import THEMES, theme_style
from broker.content.reviews import ReviewCard
from broker.pages.articles.guide_cards import guide_grid, guide_slide, guide_slider, guide_tile, more_guides
from broker.pages.calculator import calculator_panel
from broker.pages.layout import cookie_notice, crumb_bar, layout, service_crumbs
from broker.pages.rates.browser_search import search_in_browser
from broker.pages.rates.live_rates import best_rates_panels, best_rates_table, ltv_tables, rates_by_ltv
from broker.pages.rates.rate_details import rate_details_modal
from broker.pages.rates.results import built_list, empty_list, failed_list, loading_list
from broker.pages.rates.search import search_region
from broker.pages.registry import BuildInputs, Page
from broker.pages.site.contact import REMORTGAGE, contact_aside
from broker.pages.site.home import customer_types
from broker.pages.site.reviews import footer_reviews, review_card
from broker.rates.best_deals import AWAY, BestDeals
from broker.rates.customers import Customer
from broker.rates.product_text import Headline
from broker.rates.results import NONE_FOUND, RatesList
from broker.state.rates.search import RatesState

_FEW = 6
"""Number of guides in each list on the sheet."""

_REVIEW = ReviewCard(
    title="A title",
    text="What was written.",
    reviewer="Somebody",
    initial="S",
    stars=5,
    out_of=5,
    source="A review site, 21 November 2026",
    href="",
    sample=True,
)

_NOTHING = rx.noop()


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.TEST,
            counted_as=None,
            title="Component states",
            description="Every component of the site, in every state that it can be in, on one sheet.",
            render=partial(_render, inputs),
            on_load=[RatesState.open(""), RatesState.show_details],
            indexed=False,
        ),
    )


def _rate_blocks(inputs: BuildInputs) -> rx.Component:
    """Draw rate blocks: built in, live, with the feed unavailable, for buy to let, and empty."""
    site, home = inputs.store.site(), inputs.deals("")
    live = replace(home.best, sample="", dated="Rates read at 09:12 on 21 November 2026.")
    let = inputs.deals(Customer.BUY_TO_LET).best
    return rx.el.div(
        _named("A table, as built", best_rates_table(home.best, site)),
        _named("From a live feed", best_rates_table(live, site)),
        _named("The feed is away", best_rates_table(replace(live, away=AWAY), site)),
        _named("Panels, for let property", best_rates_panels(let, site)),
        _named("No deal", best_rates_panels(BestDeals(), site)),
        _named("By loan to value", ltv_tables(inputs.deals(Customer.REMORTGAGING).tables, site, first_head="Deal")),
        rates_by_ltv("", built=inputs.rates_by_ltv(""), site=site),
        class_name="stack loose",
    )


def _notices() -> rx.Component:
    live = RatesList(sample=False, read_at="09:12 on 21 November 2026")
    return rx.el.div(
        *(
            read_notice(rx.Var.create(shown).to(RatesList))
            for shown in (replace(live, sample=True), live, replace(live, stale=True))
        ),
        note("Error: ", "the content could not be read.", tone="bad"),
        skeleton(1),
        class_name="stack",
    )


def _guide_blocks(inputs: BuildInputs) -> rx.Component:
    guides = inputs.store.guides()[:_FEW]
    tile = guide_card(guides[0])
    return rx.el.div(
        rx.el.div(
            guide_tile(tile),
            guide_slide(tile),
            *(guide_tile(replace(tile, tag=category.value, categories=category.value)) for category in GuideCategory),
            class_name="g3",
        ),
        rx.el.div(guide_grid(grid_view(guides), has_buttons=True), more_guides(), class_name="stack loose"),
        class_name="stack loose",
    )


def _review_blocks() -> rx.Component:
    linked = replace(_REVIEW, sample=False, stars=3.5, href="https://reviews.example/")
    return rx.el.div(*map(review_card, (_REVIEW, linked, replace(_REVIEW, sample=False, stars=None))), class_name="g3")


def _sliders(inputs: BuildInputs) -> rx.Component:
    store = inputs.store
    return rx.fragment(guide_slider(store.guides()[:_FEW]), footer_reviews(store.reviews(), store.site().reviews))


def _asides(inputs: BuildInputs) -> rx.Component:
    listed = contents((("What you pay", "main"), ("A heading that takes more than one line of the list", "main")))
    look = inline_style(theme_style("remortgaging"))
    return rx.el.div(
        listed, contact_aside(inputs.store.site(), REMORTGAGE, "A few words."), class_name="g2", custom_attrs=look
    )


def _named(title: str, block: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h3(title), block, class_name="stack")


def _render(inputs: BuildInputs) -> rx.Component:
    sheets: tuple[tuple[str, Callable[[], rx.Component]], ...] = (
        ("Buttons", _buttons),
        ("Messages", _messages),
        ("Number boxes", _boxes),
        ("Choices", _choices),
        ("Loan to value", _dials),
        ("Plates", _plates),
        ("Customer type colours", _colours),
        ("Disclosures and tables", _disclosures),
        ("Connection", _toasts),
    )
    return layout(
        inputs,
        routes.TEST,
        rx.el.div(
            rx.el.h1("Component states", tab_index=-1),
            rx.el.div(*(_panel(title, draw()) for title, draw in sheets), class_name="g2"),
            _panel("Cookie notice", cookie_notice()),
            _panel("Ways on", _ways_on(inputs)),
            _panel(
                "Search form", search_region("first-time-buyer", inputs.lenders, built=inputs.rates("first-time-buyer"))
            ),
            _lists(inputs),
            _panel("Of when rates are, and texts that cannot be read", _notices()),
            _panel("Blocks of rates", _rate_blocks(inputs)),
            _panel("Guides", _guide_blocks(inputs)),
            _panel("Reviews", _review_blocks()),
            _panel("Beside a text", _asides(inputs)),
            rx.el.h2("Calculators"),
            rx.el.div(
                *(calculator_panel(entry, scope="sheet") for entry in (repayment.CALCULATOR, self_employed.CALCULATOR)),
                class_name="g2",
            ),
            class_name="wrap band-s stack loose",
        ),
        _sliders(inputs),
    )


def _panel(title: str, content: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h2(title, class_name="as-h3"), content, class_name="panel stack")


def _buttons() -> rx.Component:
    return rx.el.div(
        button("Primary"),
        button("Call to action", look="lamp"),
        button("Secondary", look="line"),
        button("Disabled", disabled=True),
        button("Working", look="busy", icon_name="loop"),
        button("Small", look="s"),
        button_link("Link", routes.HOME, look="s line", arrow=True),
        more_link("Text link", routes.HOME),
        rx.el.div(
            button("On dark", look="line"),
            button("Lamp on dark", look="lamp"),
            class_name="dark row",
            custom_attrs=inline_style({"padding": "var(--s4)"}),
        ),
        class_name="row",
    )


def _messages() -> rx.Component:
    return rx.el.div(
        note("Information", "Rates were read at 09:12 today."),
        note("Saved", "Your answers are on their way.", tone="good"),
        note(NONE_FOUND, "Try a longer deal or a lower amount.", tone="warn"),
        note("We could not load rates", "Your search is kept.", tone="bad"),
        sample_notice("31 August 2026"),
        class_name="stack",
    )


def _box(identity: str, value: str, problem: str) -> Box:
    return Box(identity=identity, value=value, problem=rx.Var.create(problem), on_change=_NOTHING, prefix="£")


def _boxes() -> rx.Component:
    return rx.el.div(
        labelled_box("At rest", _box("sheet-rest", "200,000", "")),
        labelled_box("With an error", _box("sheet-wrong", "4,5oo", "Enter a number in figures, for example 250,000")),
        labelled_box("With a hint", _box("sheet-hint", "25", ""), hint="1 to 40"),
        class_name="stack",
    )


def _choices() -> rx.Component:
    lengths = [Segment(value=value, label=f"{value} years") for value in ("2", "3", "5")]
    basis = [
        Segment(value="repayment", label="Repayment"),
        Segment(value="interest-only", label="Interest only", disabled=True),
    ]
    return rx.el.div(
        segmented("Deal length", lengths, name="sheet-length", chosen="3", on_choose=lambda _: _NOTHING),
        segmented(
            "Repay by (one not available)", basis, name="sheet-basis", chosen="repayment", on_choose=lambda _: _NOTHING
        ),
        select(
            "Kind of work",
            (("a", "Employed"), ("b", "Contractor")),
            identity="sheet-work",
            chosen="a",
            on_change=_NOTHING,
        ),
        tick("I do not know the value yet", checked=True, on_change=_NOTHING, identity="sheet-tick"),
        class_name="stack",
    )


def _dials() -> rx.Component:
    return rx.el.div(*(ltv_gauge(rx.Var.create(float(ltv))) for ltv in (0, 25, 50, 75, 95)), class_name="stack")


def _plates() -> rx.Component:
    return rx.el.div(
        calculator_result("You would pay each month", "£321.85", caption="£96,554 in all"),
        rate_and_aprc(Headline(rate="4.09%", rate_caption="fixed, 24 months", aprc="7.14%")),
        class_name="stack",
    )


def _colours() -> rx.Component:
    tags = (rx.el.span(name, class_name="tag theme", custom_attrs=inline_style(theme_style(name))) for name in THEMES)
    plain = (rx.el.span(look, class_name=f"tag {look}") for look in ("plain", "lamp", "good", "bad"))
    return rx.el.div(*tags, *plain, class_name="row")


def _disclosures() -> rx.Component:
    rows = rx.el.tr(rx.el.th("1", scope="row"), rx.el.td("£195,725", class_name="n"))
    return rx.el.div(
        question("An open question", rx.el.div("Its answer."), is_open=True),
        question("A closed question", rx.el.div("Its answer.")),
        disclosure("How we worked this out", rx.el.p("The sum.")),
        figures_table("Debt at the end of each year", ("Year", "Left to pay"), body=rows),
    )


def _toasts() -> rx.Component:
    return rx.el.div(
        toast("Connection lost.", "Your figures are kept. Reconnecting.", icon_name="wifi"),
        toast("Back online.", "Everything is up to date.", icon_name="check"),
        class_name="stack",
    )


def _lists(inputs: BuildInputs) -> rx.Component:
    site, shown = inputs.store.site(), search_in_browser("", built=inputs.rates(""))
    return rx.el.div(
        _panel("Loading", loading_list()),
        _panel("Nothing found", empty_list("", site, shown=shown)),
        _panel("Not loaded", failed_list(site, problem=shown.problem)),
        _panel("Deals, and their details", built_list(inputs.rates(""), site)),
        rate_details_modal(site),
        class_name="stack loose",
    )


def _ways_on(inputs: BuildInputs) -> rx.Component:
    crumbs = service_crumbs("First Time Buyer", "first-time-buyer", customer="first-time-buyer")
    return rx.el.div(
        crumb_bar(crumbs, routes.service("first-time-buyer")),
        customer_types(inputs.store.services(), inputs.store.look),
        steps((("Work out the sum", "A step has a title and a sentence."), ("Compare the deals", "And a number."))),
        class_name="stack loose",
    )
