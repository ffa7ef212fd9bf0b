"""The product card: rate and APRC as equals, then what the deal costs in pounds (decision 17, DESIGN 3)."""

from collections.abc import Iterable

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.elements.lists import fact
from broker.components.elements.picture import picture
from broker.components.elements.text import visually_hidden
from broker.components.foreach import foreach
from broker.components.inline_style import inline_style
from broker.components.jinja import class_if, when_text
from broker.components.rates.rate_and_aprc import rate_and_aprc
from broker.components.screen_types import Content, Handler, Text
from broker.presenters.rates.product_text import Headline, Split
from broker.presenters.rates.results import RateCard


def lender_logo(headline: Headline) -> rx.Component:
    """Draw a lender's logo, or its initials; the lender's name is drawn next to it."""
    return when_text(
        headline.logo,
        rx.el.span(picture(headline.logo, width=118, height=48), class_name="logo"),
        otherwise=rx.el.span(headline.initials, class_name="logo none", aria_hidden="true"),
    )


def product_card(
    card: RateCard, on_open: Handler, *, pick: rx.Component | None = None, plain: rx.Component | None = None
) -> rx.Component:
    """Draw the card of a RateCard; `on_open` handles View details, for which `plain` stands without scripts.

    `pick` selects the product for a comparison.
    """
    return rx.el.article(
        _head(card, pick),
        rx.el.div(
            rate_and_aprc(card.headline),
            rx.el.dl(
                _fact("Monthly payment", card.payment, card.payment_caption),
                _fact("Lender fees", card.fees, "paid up front"),
                _fact(card.total_label, card.total, card.total_caption),
            ),
            class_name="nums",
        ),
        rx.el.div(
            rx.el.p(
                rx.el.span(card.true_label, class_name="label"),
                rx.el.b(card.true_cost, class_name="fig"),
                rx.el.span(card.true_year, class_name="xs mute"),
            ),
            rx.el.p(card.why, class_name="why"),
            class_name="true",
        ),
        _foot(card, on_open, plain),
        class_name=class_if(card.best, "deal best", otherwise="deal"),
        custom_attrs={"data-product": card.product_id},
    )


def labels_list(labels: Iterable[str]) -> rx.Component:
    """Draw the incentives of a product as short labels."""
    return rx.el.ul(foreach(labels, lambda label: rx.el.li(label, class_name="tag plain")), class_name="labels")


def _head(card: RateCard, pick: rx.Component | None) -> rx.Component:
    tag = rx.el.span(card.tag, class_name=class_if(card.best, "tag lamp", otherwise="tag"))
    return rx.el.div(
        lender_logo(card.headline),
        rx.el.div(
            rx.el.h3(card.headline.lender), when_text(card.tag, tag), labels_list(card.labels), class_name="tags"
        ),
        rx.el.p(rx.el.b(card.name), ", ", rx.el.span(card.summary, class_name="mute"), class_name="small named"),
        *([pick] if pick else []),
        class_name="deal-head",
    )


def _fact(term: Content, figure: Content, caption: Content) -> rx.Component:
    return rx.el.div(rx.el.dt(term), rx.el.dd(rx.el.b(figure), caption))


def split_bar(parts: Split) -> rx.Component:
    """Draw the shares of capital, interest and fees in the cash paid, and the cashback after them, with a key."""
    keys = (
        ("k1", "Pays off the loan ", parts.capital, parts.capital_share),
        ("k2", "Interest ", parts.interest, parts.interest_share),
        ("k3", "Lender fees ", parts.fees, parts.fees_share),
    )
    back = rx.el.li(rx.el.i(class_name="k4"), "Cashback, paid to you ", rx.el.b(parts.cashback))
    return rx.el.div(
        rx.el.div(
            *(_share(key, share) for key, _, _, share in keys),
            when_text(parts.cashback, _share("k4", parts.cashback_share)),
            class_name="split",
            aria_hidden="true",
        ),
        rx.el.ul(
            *(rx.el.li(rx.el.i(class_name=key), words, rx.el.b(figure)) for key, words, figure, _ in keys),
            when_text(parts.cashback, back),
            class_name="keys",
        ),
    )


def _share(key: str, width: Text) -> rx.Component:
    return rx.el.i(class_name=key, custom_attrs=inline_style({"width": width}))


def _foot(card: RateCard, on_open: Handler, plain: rx.Component | None) -> rx.Component:
    """Draw what leaving early costs, the disclosure of the other figures, and the button that opens the details."""
    limits = (("Early repayment charge", card.early_repayment), ("Overpayments", card.overpayments))
    more = (("Then", card.follow_on), ("Loan to value", card.ltv))
    return rx.el.div(
        rx.el.dl(*(fact(term, text) for term, text in limits), class_name="limits"),
        rx.el.details(
            rx.el.summary(icon("down"), "More figures", visually_hidden(f": {card.headline.lender}")),
            split_bar(card.split),
            rx.el.dl(*(fact(term, text) for term, text in more), class_name="facts"),
            class_name="more-figures",
        ),
        rx.el.button(
            "View details",
            visually_hidden(f": {card.headline.lender} {card.headline.rate}"),
            type="button",
            on_click=on_open,
            class_name="btn line needs-script",
        ),
        *([rx.el.noscript(plain)] if plain else []),
        class_name="deal-foot",
    )
