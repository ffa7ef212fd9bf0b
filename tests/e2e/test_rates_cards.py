"""What stands on a list of deals and in the details of one: figures, warnings, focus (decisions 10 to 17)."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from broker.rates.results import RateCard, rates_list
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.rates_page import RatesPage, answer, ids


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def test_filters_are_links_that_say_how_many_deals_they_leave(rates: RatesPage) -> None:
    rates.open()
    found = answer(cashback="1")
    rates.list.get_by_role("link", name=f"Cashback {len(found.products):,} deals").press("Enter")
    rates.expect_address(cashback="1")
    rates.expect_cards(ids(found))
    active = rates.list.get_by_role("link", name=f"Cashback {len(found.products):,} deals, on: Remove")
    expect(active).to_be_focused()
    active.press("Enter")
    rates.expect_address()
    rates.expect_cards(ids(answer()))


def test_the_rest_of_a_card_is_one_press_away(open_page: OpenPage) -> None:
    page = open_page(PHONE, scripts=False)
    page.goto("/tools/rates/")
    card = page.locator(".deal").first
    for words in ("of it comes off the loan", "this deal allows up to", "Early repayment charge"):
        expect(card.get_by_text(words)).to_be_hidden()
    card.get_by_text("More figures").click()
    for words in ("of it comes off the loan", "this deal allows up to", "Early repayment charge"):
        expect(card.get_by_text(words)).to_be_visible()


def test_list_has_the_figures_warnings_and_winners_of_its_own_records(rates: RatesPage) -> None:
    rates.open(period="3")
    built = rates_list(answer(period="3"), 1, logos={})
    rates.expect_cards(ids(answer(period="3")))
    expect(rates.list.locator(".example > p").first).to_have_text(
        f"Representative example. {built.example} {built.example_aprc}", use_inner_text=False
    )
    look = "each => { const s = getComputedStyle(each); return [s.fontSize, s.fontWeight, s.color, s.fontFamily] }"
    for place, card in enumerate(built.cards):
        shown = rates.cards.nth(place)
        for text in texts_of(card):
            expect(shown).to_contain_text(text)
        rate, aprc = (figure.evaluate(look) for figure in shown.locator(".plate.two .fig").all())
        assert rate == aprc
    assert built.winners
    first, second, third, fourth = (top(rates.cards.nth(place)) for place in range(4))
    assert top(rates.list.get_by_text(built.source)) < first
    for words in ("Representative example", "Your home may be repossessed"):
        assert first < top(rates.list.get_by_text(words).first) < second
    assert third < top(rates.list.get_by_text(built.winners)) < fourth


def top(block: Locator) -> float:
    expect(block).to_be_visible()
    return block.evaluate("each => each.getBoundingClientRect().top")


def texts_of(card: RateCard) -> tuple[str, ...]:
    """Return what a card says of a deal in figures, and why it is where it is."""
    told = card.headline
    return told.lender, told.rate, told.aprc, card.payment, card.fees, card.total, card.true_cost, card.why


def test_details_open_and_give_the_focus_back(rates: RatesPage) -> None:
    rates.open()
    product = answer().products[1]
    card = rates.cards.nth(1)
    opener = card.get_by_role("button", name="View details")
    for open_details in (
        lambda: card.click(position={"x": 40, "y": 40}),
        opener.click,
        lambda: opener.press("Enter"),
        lambda: opener.press("Space"),
    ):
        open_details()
        title = rates.dialog.get_by_role("heading", level=2)
        expect(title).to_have_text(product.lender_name)
        expect(title).to_be_focused()
        expect(rates.dialog).to_have_accessible_name(re.compile(re.escape(product.lender_name)))
        for _ in range(8):
            rates.page.keyboard.press("Tab")
            assert rates.dialog.evaluate("dialog => dialog.contains(document.activeElement)")
        rates.page.keyboard.press("Escape")
        expect(rates.dialog).to_have_count(0)
        expect(opener).to_be_focused()
