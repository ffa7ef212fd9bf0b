"""What accompanies every rate: the representative example, the warning, the sample notice (decisions 10, 17)."""

import reflex as rx

from broker.components.elements.messages import note
from broker.components.jinja import when
from broker.components.screen_types import Text, Value
from broker.presenters.rates.rates_by_ltv import ByLtvView
from broker.presenters.rates.results import RatesList


def example(sentence: Text, aprc: Text) -> rx.Component:
    """Draw a representative example: the sentence, then its APRC in bold."""
    return rx.el.div(rx.el.strong("Representative example"), sentence, " ", rx.el.b(aprc), class_name="example")


def sample_notice(read_at: Text) -> rx.Component:
    """Draw the notice that the figures are samples, with their date."""
    return note(
        "Sample data", "These are sample rates, based on published averages as at ", read_at, ". They are not offers."
    )


def read_notice(found: RatesList | ByLtvView) -> rx.Component:
    """Draw when a list's rates were read: samples, live rates, or the last ones while the service is away."""
    away = note(
        "We cannot reach the rates service",
        "These rates are from ",
        found.read_at,
        " and may have changed since.",
        tone="warn",
    )
    live = rx.el.p("Rates read at ", found.read_at, ".", class_name="small mute")
    return when(found.sample, sample_notice(found.read_at), otherwise=when(found.stale, away, otherwise=live))


def warnings(risk: str, unregulated: Value, *, buy_to_let: str) -> rx.Component:
    """Draw the risk warning, and for buy to let the sentence on regulation."""
    return rx.fragment(rx.el.p(risk, class_name="risk"), when(unregulated, rx.el.p(buy_to_let, class_name="small")))
