"""Below the list of a rates page: the chart by loan to value, the CSV link, and a line for print."""

from functools import partial

import reflex as rx

from broker.components.client_values import memoized_section
from broker.components.elements.buttons import button
from broker.components.elements.messages import note
from broker.components.elements.text import telephone_link
from broker.components.inline_style import inline_style
from broker.components.rates.rate_chart import rate_chart, rate_chart_table
from broker.components.rates.rate_notices import example, read_notice, warnings
from broker.components.screen_types import Value
from broker.content.models.site import Site
from broker.presenters.rates.rates_by_ltv import ByLtvView
from broker.presenters.rates.results import NONE_FOUND, RatesList
from broker.state.rates.rates_by_ltv import ByLtvState
from broker.state.rates.search import EMPTY, FAILED, LOADED, LOADING, REFUSED, RatesState

_TITLE = "by-ltv"


def rates_by_ltv(customer: str, *, built: ByLtvView, site: Site) -> rx.Component:
    """Draw the chart of the search on the page; `built` is the chart of the page's default search.

    A chart is shown only if it answers the search on the page; otherwise the block offers to load it. That of the
    build has other rates than a search that finds nothing now. A refused search has none (decision 52).
    """
    here = ByLtvState.customer == customer
    answered = here & (ByLtvState.view.key == ByLtvState.searched)
    own = (ByLtvState.searched == built.key) & (RatesState.status != EMPTY)
    # A list of one item, so that the script holds the chart's expression once and not once a figure.
    shown = rx.Var.create([rx.cond(answered, ByLtvState.view, rx.Var.create(built))]).to(list[ByLtvView])
    block = memoized_section(
        rx.el.h2("Rate by loan to value", id=_TITLE, class_name="as-h3", tab_index=-1),
        rx.el.p("The smaller your loan compared with the property price, the lower the rate tends to be."),
        rx.cond(~here | answered | own, rx.foreach(shown, partial(_chart, site))),
        rx.cond(here & ~answered & (~own | ByLtvState.live), _offer(own, site)),
        class_name="panel stack ltv-block",
        aria_labelledby=_TITLE,
    )
    is_refused = (RatesState.customer == customer) & (RatesState.status == REFUSED)
    return rx.cond(is_refused, rx.fragment(), block)


def _chart(site: Site, shown: ByLtvView) -> rx.Component:
    found = rx.fragment(
        rx.el.p(shown.basis, " Each dot is the lowest rate at that loan to value.", class_name="small"),
        read_notice(shown),
        rate_chart(shown),
        rx.cond(shown.missing != "", rx.el.p(shown.missing, class_name="small")),
        warnings(site.risk_warning, shown.unregulated, buy_to_let=site.buy_to_let_sentence),
        example(shown.example, shown.example_aprc),
        rate_chart_table(shown),
    )
    return rx.cond(shown.example != "", found, note(NONE_FOUND, shown.missing, tone="warn"))


def _offer(own: Value, site: Site) -> rx.Component:
    """Draw the button that loads the chart of the search on the page, or that it is loading or failed."""
    ask = rx.el.p(
        button(
            rx.cond(own, "Show it with the latest rates", "Show it for this search"),
            look="line needs-script",
            icon_name="chart",
            on_click=[ByLtvState.find, rx.set_focus(_TITLE)],
        )
    )
    waiting = rx.el.div(
        rx.el.p("Loading rates for each loan size.", class_name="small mute", role="status"),
        rx.el.span(class_name="sk", custom_attrs=inline_style({"height": "260px"}), aria_hidden="true"),
        class_name="stack",
    )
    failed = note(
        "We could not load the chart",
        rx.el.p(ByLtvState.problem),
        rx.el.p(
            button("Try again", look="s line", on_click=[ByLtvState.find, rx.set_focus(_TITLE)]),
            " or call ",
            telephone_link(site.phone, number=site.tel),
            ".",
        ),
        tone="bad",
    )
    return rx.fragment(rx.match(ByLtvState.status, (LOADING, waiting), (FAILED, failed), ask))


def printed_line(customer: str, *, address: str, built: RatesList, site: Site) -> rx.Component:
    """Draw the line that is printed only: the firm, the date of the rates, and the URL.

    `address` is the page's URL without a search, `built` the list that the page was built with.
    """
    here = ByLtvState.customer == customer
    loaded = here & ((RatesState.status == LOADED) | (RatesState.status == EMPTY))
    found = RatesState.found
    return rx.el.p(
        rx.el.b(site.name),
        f", {site.phone}. ",
        rx.cond(rx.cond(loaded, found.sample, built.sample), "Sample figures, not offers, as at ", "Rates read at "),
        rx.cond(loaded, found.read_at, built.read_at),
        ". ",
        rx.cond(here, ByLtvState.page_address, address),
        class_name="print-only",
    )
