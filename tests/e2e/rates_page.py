"""A rates page as a visitor handles it, and what the domain says ought to stand on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, WebSocket, expect

from broker import routes
from broker.rates.customers import default_query
from broker.rates.product import RatesAnswer
from broker.rates.ranking import PAGE_SIZE
from broker.rates.search_params import form_of, query_of
from tests.unit.rates.market.searching import search

STATE = "rates_state"

PRICE, AMOUNT, TERM = "Property price", "Mortgage amount", "Term"
"""The labels of the three typed fields."""

CHOICES = {
    "Rate type": ("Fixed", "Variable"),
    "Deal length": ("2 years", "3 years", "5 years"),
    "I want to": ("Buy", "Remortgage"),
    "Repay by": ("Repayment", "Interest only"),
    "Property": ("Residential", "Buy to let"),
    "Sort by": ("Rate", "Fees", "True cost"),
}
"""The rows of options, each with its labels; the first is the general search's own."""


def answer(customer: str = "", **asked: str) -> RatesAnswer:
    """Return what the embedded market answers to a customer type's search with some fields changed."""
    return search(query_of(customer, form_of(default_query(customer)) | asked))


def ids(found: RatesAnswer, count: int = PAGE_SIZE) -> list[str]:
    return [product.product_id for product in found.products[:count]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesPage:
    page: Page
    customer: str = ""

    def open(self, **parameters: str) -> None:
        """Go to the page, at a search's address, and wait until the server knows of it."""
        path = routes.deals(self.customer)
        self.load(lambda: self.page.goto(f"{path}?{urlencode(parameters)}" if parameters else path))

    def load(self, action: Callable[[], object]) -> None:
        """Do what loads the page again, and wait until the server has sent its search."""
        told: list[bool] = []

        def watch(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: told.append(STATE in str(frame)))

        self.page.once("websocket", watch)
        with self.page.expect_websocket() as opened:
            action()
        if not any(told):
            opened.value.wait_for_event("framereceived", lambda frame: STATE in str(frame))

    @property
    def cards(self) -> Locator:
        return self.page.locator("[data-product]")

    @property
    def list(self) -> Locator:
        return self.page.get_by_role("region", name="Deals", exact=True)

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def form(self) -> Locator:
        """Return the search, with its form open as a visitor opens it."""
        closed = self.page.locator(".find-opener:not([open]) > summary")
        if closed.count():
            closed.click()
        return self.page.locator(".find")

    def box(self, label: str) -> Locator:
        """Return one of the three typed fields, by the start of its label."""
        return self.form.get_by_label(label)

    def listed(self, label: str) -> Locator:
        return self.form.get_by_label(label, exact=True)

    def radio(self, legend: str, label: str) -> Locator:
        return self._group(legend).get_by_label(label, exact=True)

    def choose(self, legend: str, label: str) -> None:
        self._group(legend).get_by_text(label, exact=True).click()

    def _group(self, legend: str) -> Locator:
        place = self.list if legend == "Sort by" else self.form
        return place.get_by_role("group", name=legend)

    def expect_chosen(self, legend: str, label: str) -> None:
        for each in CHOICES[legend]:
            expect(self.radio(legend, each)).to_be_checked(checked=each == label)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @property
    def more(self) -> Locator:
        return self.page.get_by_role("link", name="See more deals")

    def update(self) -> None:
        self.form.get_by_role("button", name="Update results").click()

    def expect_cards(self, expected: list[str]) -> None:
        expect(self.cards).to_have_count(len(expected))
        for place, product_id in enumerate(expected):
            expect(self.cards.nth(place)).to_have_attribute("data-product", product_id)

    def expect_search(self, *, amount: str, length: str, cards: list[str]) -> None:
        self.expect_cards(cards)
        expect(self.box(AMOUNT)).to_have_value(re.compile(f"{amount}|{int(amount.replace(',', '')):,}"))
        expect(self.radio("Deal length", length)).to_be_checked()

    def expect_address(self, **parameters: str) -> None:
        path = routes.deals(self.customer)
        expect(self.page).to_have_url(f"{path}?{urlencode(parameters)}" if parameters else path)


def contrast(words: Locator) -> float:
    """Return the contrast of a label's words with the first ground behind them (WCAG formula)."""
    colours = words.evaluate(
        """label => {
            const clear = "rgba(0, 0, 0, 0)", ground = node => {
                const colour = getComputedStyle(node).backgroundColor;
                return colour === clear ? ground(node.parentElement) : colour;
            };
            return [getComputedStyle(label).color, ground(label)];
        }"""
    )
    light, dark = sorted((luminance(colour) for colour in colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
