"""What stands on a list of deals and in the details of one: figures, warnings, focus (decisions 10 to 17)."""

import re

import pytest
from playwright.sync_api import Page, expect

from broker.rates.rate_details import rate_details
from broker.rates.results import RateCard, rates_list
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.pages import sized
from tests.e2e.rates_page import RatesPage, answer, ids


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def test_filters_are_links_that_say_how_many_deals_they_leave(rates: RatesPage) -> None:
    rates.open()
    found = answer(cashback="1")
    rates.list.get_by_role("link", name=f"Cashback ({len(found.products):,}) deals").click()
    rates.expect_address(cashback="1")
    rates.expect_cards(ids(found))
    rates.list.get_by_role("link", name=f"Cashback ({len(found.products):,}) deals, on: Remove").click()
    rates.expect_address()
    rates.expect_cards(ids(answer()))


def test_cards_are_short_with_the_rest_one_press_away(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto("/tools/rates/")
    for size, count, most in ((DESKTOP, 5, 1_500), (PHONE, 3, 2_400)):
        boxes = [sized(page, size).locator(".deal").nth(place).bounding_box() for place in (0, count - 1)]
        assert boxes[0] and boxes[1]
        assert boxes[1]["y"] + boxes[1]["height"] - boxes[0]["y"] <= most
    card = page.locator(".deal").first
    expect(card.get_by_text("Pays off the loan")).to_be_hidden()
    card.get_by_text("More figures").click()
    expect(card.get_by_text("Pays off the loan")).to_be_visible()
    expect(card.get_by_text("this deal allows up to")).to_be_visible()


def test_list_has_the_figures_warnings_and_winners_of_its_own_records(rates: RatesPage) -> None:
    rates.open(period="3")
    built = rates_list(answer(period="3"), 1, logos={})
    rates.expect_cards(ids(answer(period="3")))
    expect(rates.list.locator(".example")).to_have_text(
        f"Representative example{built.example} {built.example_aprc}", use_inner_text=False
    )
    look = "each => { const s = getComputedStyle(each); return [s.fontSize, s.fontWeight, s.color, s.fontFamily] }"
    for place, card in enumerate(built.cards):
        shown = rates.cards.nth(place)
        for text in texts_of(card):
            expect(shown).to_contain_text(text)
        rate, aprc = (figure.evaluate(look) for figure in shown.locator(".plate.two .fig").all())
        assert rate == aprc
    first = rates.cards.first.bounding_box()
    assert first is not None
    assert built.winners
    for words in ("Your home may be repossessed", "Representative example", "not offers", built.winners):
        block = rates.list.get_by_text(words).first
        expect(block).to_be_visible()
        assert (block.bounding_box() or first)["y"] < first["y"]


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
        expect(title).to_have_text(rate_details(product, logo="", unregulated=False, sample=True).title)
        expect(title).to_be_focused()
        expect(rates.dialog).to_have_accessible_name(re.compile(re.escape(product.lender_name)))
        for _ in range(8):
            rates.page.keyboard.press("Tab")
            assert rates.dialog.evaluate("dialog => dialog.contains(document.activeElement)")
        rates.page.keyboard.press("Escape")
        expect(rates.dialog).to_have_count(0)
        expect(opener).to_be_focused()
