"""The best-rates block: three products, as panels or as table rows, each rate beside its APRC (decision 17)."""

import reflex as rx

from broker.components.elements import card_row, card_table, fact, note, prominent, scrolling, visually_hidden
from broker.components.jinja import foreach, when, when_text
from broker.components.rates.product_card import example, lender_logo, let_sentences, rate_and_aprc
from broker.content.models.site import Site
from broker.rates.best_deals import BestDeal, BestDeals

_HEADS = ("Lender", "Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def best_panels(best: BestDeals, site: Site) -> rx.Component:
    return _block(best, rx.el.div(foreach(best.deals, _panel), class_name="g3 tight"), site)


def best_table(
    best: BestDeals, site: Site, *, caption: str = "The three lowest rates", is_short: bool = True
) -> rx.Component:
    """Draw the deals as a table with their lenders; a short one has no logos and lengths of deals on a phone."""
    table = card_table(rx.el.caption(caption, class_name="vh"), _HEADS, body=foreach(best.deals, _row))
    frame = scrolling(table, caption, class_name="panel scroll-x" + (" best-table" if is_short else ""))
    return _block(best, frame, site)


def _block(best: BestDeals, deals: rx.Component, site: Site) -> rx.Component:
    """Draw the products with what any rate needs: the example, the warning, and what the rates are, with their date."""
    return rx.el.div(
        when_text(best.away, note(best.away, tone="warn")),
        deals,
        rx.el.div(
            example(best.example, best.example_aprc),
            rx.el.div(
                rx.el.p(site.risk_warning, class_name="risk"),
                when(best.unregulated, let_sentences(site)),
                rx.el.p(best.dated, class_name="small mute"),
                class_name="stack tight-8",
            ),
            class_name="g2",
        ),
        class_name="stack",
    )


def _panel(deal: BestDeal) -> rx.Component:
    return rx.el.article(
        rx.el.div(
            rx.el.h3(deal.place, class_name="as-h4"),
            when_text(deal.whose, rx.el.p(deal.whose, class_name="small mute")),
        ),
        rate_and_aprc(deal.headline),
        rx.el.dl(foreach(deal.lines, lambda line: fact(line[0], line[1])), class_name="kv small"),
        when_text(deal.labels, rx.el.p(deal.labels, class_name="small")),
        rx.el.a(
            "View details",
            visually_hidden(f": {deal.headline.lender} {deal.headline.rate}"),
            href=deal.href,
            class_name="btn line full foot",
        ),
        class_name="panel stack best-deal",
        custom_attrs={"data-product": deal.product_id},
    )


def _row(deal: BestDeal) -> rx.Component:
    lender = rx.el.span(
        lender_logo(deal.headline),
        rx.el.span(
            rx.el.a(deal.headline.lender, href=deal.href),
            rx.el.br(),
            rx.el.span(deal.summary, class_name="xs mute"),
            when_text(deal.labels, rx.el.span(rx.el.br(), deal.labels, class_name="xs")),
        ),
        class_name="row",
    )
    rates = (prominent(figure) for figure in (deal.headline.rate, deal.headline.aprc))
    figures, looks = (*rates, deal.payment, deal.fees, deal.true_year), ("n h", "n h", "n", "n", "n")
    product = {"data-product": deal.product_id}
    return card_row((lender,), figures, heads=_HEADS[1:], looks=looks, custom_attrs=product)
