"""The product card: what a deal costs in pounds, and its rate and APRC as equals (decision 17)."""

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.elements import fact, icon, inline_style, note, picture, visually_hidden
from broker.components.jinja import Content, Handler, Text, Value, class_if, when, when_text
from broker.components.share import adviser_link, pdf_link, share_link
from broker.content.models.site import Site
from broker.rates.let_deals import OWN_NAME
from broker.rates.product_text import Headline, Split
from broker.rates.rates_by_ltv import ByLtvView
from broker.rates.results import RateCard, RatesList
from broker.rates.search_page import ShownSearch


def rate_and_aprc(headline: Headline) -> rx.Component:
    """Draw a rate and its APRC side by side at one size (MCOB 3A.5.1R: at least as prominent)."""
    cells = (
        ("Initial rate", headline.rate, headline.rate_caption),
        ("Overall cost", headline.aprc, "APRC representative"),
    )
    return rx.el.div(
        *(
            rx.el.div(
                rx.el.span(label, class_name="cap"),
                rx.el.b(figure, class_name="fig"),
                rx.el.span(caption, class_name="cap"),
            )
            for label, figure, caption in cells
        ),
        class_name="plate two",
    )


def example(sentence: Text, aprc: Text, *more: rx.Component) -> rx.Component:
    """Draw the representative example of a rate, and `more` in its box."""
    words = rx.el.p(rx.el.strong("Representative example. "), sentence, " ", rx.el.b(aprc))
    return rx.el.div(words, *more, class_name="example")


def sample_notice(read_at: Text) -> rx.Component:
    return note(
        "Sample data", "These are sample rates, based on published averages as at ", read_at, ". They are not offers."
    )


def read_notice(found: RatesList | ByLtvView) -> rx.Component:
    """Draw when a list's rates were read: samples, live rates, or the last ones while the service is away."""
    live = rx.el.p("Rates read at ", found.read_at, ".", class_name="small mute")
    return when(found.sample, sample_notice(found.read_at), otherwise=when(found.stale, _away(found), otherwise=live))


def away_notice(found: RatesList) -> rx.Component:
    """Draw that a list has the last rates of a service that is away; nothing while it answers."""
    return when(found.stale, _away(found))


def _away(found: RatesList | ByLtvView) -> rx.Component:
    return note(
        "We cannot reach the rates service",
        "These rates are from ",
        found.read_at,
        " and may have changed since.",
        tone="warn",
    )


def warnings(site: Site, unregulated: Value) -> rx.Component:
    return rx.fragment(
        rx.el.p(site.risk_warning, class_name="risk"),
        when(unregulated, rx.el.p(site.buy_to_let_sentence, class_name="small")),
    )


def let_sentences(site: Site) -> rx.Component:
    """Draw what a landlord has to know of a list of deals: regulation, and that they are not for companies."""
    return rx.el.p(site.buy_to_let_sentence, " ", OWN_NAME, class_name="small")


def to_take_away(customer: str, shown: ShownSearch) -> rx.Component:
    """Draw the links to the list as a PDF, for an adviser and as a CSV where anything was found, and "Copy link"."""
    pdf, look = routes.deals(customer) + routes.RESULT_PDF, "btn line s"
    links = rx.fragment(
        pdf_link("this list", shown.pdf, look=look),
        adviser_link("this list", pdf, look=look, address=shown.adviser),
        A.create("Download this list (CSV)", href=shown.download, download=True, class_name=look),
    )
    return rx.el.div(when(shown.is_listed, links), share_link("this search"), class_name="row")


def lender_logo(headline: Headline) -> rx.Component:
    """Draw a lender's logo, monogram or initials; the lender's name is drawn next to it."""
    return when_text(
        headline.logo,
        rx.el.span(picture(headline.logo, width=118, height=48), class_name="logo"),
        otherwise=rx.el.span(headline.initials, class_name="logo none", aria_hidden="true"),
    )


def product_card(
    card: RateCard, on_open: Handler, *, pick: rx.Component | None = None, plain: rx.Component | None = None
) -> rx.Component:
    """Draw a card; `on_open` handles View details, and `plain` replaces it without scripts.

    `pick` selects the product for a comparison.
    """
    return rx.el.article(
        _head(card),
        rx.el.dl(
            figure_of("Monthly payment", card.payment, card.payment_caption),
            figure_of(card.true_label, card.true_cost, card.true_year),
        ),
        rate_and_aprc(card.headline),
        rx.el.dl(figure_of("Lender fees", card.fees, "paid up front"), class_name="deal-fee"),
        rx.el.div(
            rx.el.p(card.why, class_name="why"),
            _more_figures(card),
            rx.el.div(
                *([pick] if pick else []),
                _details_button(card, on_open),
                *([rx.el.noscript(plain)] if plain else []),
                class_name="deal-act",
            ),
            class_name="deal-foot",
        ),
        class_name=class_if(card.best, "deal best", otherwise="deal"),
        custom_attrs={"data-product": card.product_id},
    )


def _head(card: RateCard) -> rx.Component:
    tag = rx.el.span(card.tag, class_name=class_if(card.best, "tag lamp", otherwise="tag"))
    kind = rx.el.p(card.kind, when_text(card.tag, rx.fragment(" ", tag)))
    return rx.el.div(lender_logo(card.headline), rx.el.div(rx.el.h3(card.headline.lender), kind), class_name="deal-who")


def figure_of(term: Content, figure: Content, caption: Content) -> rx.Component:
    """Draw a figure of a list of definitions under its name, with a caption below it."""
    return rx.el.div(rx.el.dt(term), rx.el.dd(rx.el.b(figure), caption))


def _more_figures(card: RateCard) -> rx.Component:
    total = rx.fragment(card.total, ", ", card.total_caption, ". ", card.repaid, " of it comes off the loan.")
    facts = (
        ("The lender calls it", card.name),
        (card.total_label, total),
        ("Then", card.follow_on),
        ("Loan to value", card.ltv),
        ("Early repayment charge", card.early_repayment),
        ("Overpayments", card.overpayments),
        ("If you move home", card.portability),
        ("Comes with it", card.comes_with),
    )
    named = visually_hidden(f": {card.headline.lender} {card.headline.rate}")
    return rx.el.details(
        rx.el.summary(icon("down"), "More figures", named),
        rx.el.dl(*(fact(term, words) for term, words in facts)),
        class_name="more-figures",
    )


def _details_button(card: RateCard, on_open: Handler) -> rx.Component:
    return rx.el.button(
        "View details",
        visually_hidden(f": {card.headline.lender} {card.headline.rate}"),
        type="button",
        on_click=on_open,
        class_name="btn line s needs-script",
    )


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
