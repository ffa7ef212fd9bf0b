"""What stands on a list of deals and in the details of one: figures, warnings, focus (decisions 10 to 17)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker.rates.rate_details import rate_details
from broker.rates.results import RateCard, rates_list
from tests.e2e.rates_page import RatesPage, answer, ids


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def test_fee_free_deals_are_counted_and_shown_by_a_link(rates: RatesPage) -> None:
    rates.open()
    left_out = answer().fee_free
    expect(rates.list.get_by_text(f"{left_out} deals with no lender fee are left out of this list.")).to_be_visible()
    rates.list.get_by_role("link", name="Show them too").click()
    rates.expect_address(fees="any")
    expect(rates.list.get_by_text(f"{left_out} deals with no lender fee are in this list.")).to_be_visible()
    expect(rates.list.get_by_role("heading", level=2).last).to_have_text(
        f"{len(answer().products) + left_out:,} mortgage deals"
    )
    rates.choose("Sort by", "Fees")
    rates.expect_cards(ids(answer(fees="any", sort="fees")))
    expect(rates.cards.first.get_by_text("£0")).not_to_have_count(0)


def test_filters_are_links_that_say_how_many_deals_they_leave(rates: RatesPage) -> None:
    rates.open()
    for label, changed in (("No lender fee", {"fees": "none"}), ("Cashback", {"cashback": "1"})):
        found = answer(**changed)
        rates.list.get_by_role("link", name=f"{label} ({len(found.products):,}) deals").click()
        rates.expect_address(**changed)
        rates.expect_cards(ids(found))
        rates.list.get_by_role("link", name=f"{label} ({len(found.products):,}) deals, on: Remove").click()
        rates.expect_address()
        rates.expect_cards(ids(answer()))


@pytest.mark.parametrize(("size", "count", "most"), [((390, 844), 3, 2_400), ((1280, 900), 5, 1_500)])
def test_cards_are_short_with_the_rest_one_press_away(
    open_page: Callable[..., Page], size: tuple[int, int], *, count: int, most: int
) -> None:
    for scripts in (True, False):
        page = open_page(size, scripts=scripts)
        page.goto("/tools/rates/")
        boxes = [page.locator(".deal").nth(place).bounding_box() for place in (0, count - 1)]
        assert boxes[0] is not None
        assert boxes[1] is not None
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


def test_lines_of_the_details_add_up_to_the_penny(rates: RatesPage) -> None:
    rates.open(period="5", amount="123456")
    rates.expect_cards(ids(answer(period="5", amount="123456")))
    for place in range(2):
        rates.cards.nth(place).get_by_role("button", name="View details").click()
        expect(rates.dialog.locator(".costs dd").nth(4)).to_be_visible()
        payments, fees, total, *back, repaid, true = (
            pennies(text) for text in rates.dialog.locator(".costs dd").all_inner_texts()
        )
        left = total + sum(back[:1])
        assert (payments + fees, back[1:], left + repaid) == (total, [left] * bool(back), true)
        count, payment = re.findall(r"[\d,.]+", rates.dialog.locator(".costs dt").first.inner_text())
        assert int(count) * pennies(payment) == payments
        warning = rates.dialog.get_by_text("Your home may be repossessed").first.bounding_box()
        assert warning is not None
        assert warning["y"] < (rates.dialog.get_by_text("What you pay, and when").bounding_box() or warning)["y"]
        rates.dialog.get_by_role("button", name="Close details").click()
        expect(rates.dialog).to_have_count(0)


def pennies(text: str) -> int:
    return round(float(re.sub(r"[£,\s]", "", text).replace("−", "-")) * 100)
