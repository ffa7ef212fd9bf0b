"""Category rules of specification 4 in a browser: filters, the category of the address, and no message to a server."""

from playwright.sync_api import Page, WebSocket, expect

from broker import routes
from broker.domain.guides import ALL, KNOWN_FILTERS, GuideCategory, guides_shown
from broker.presenters.guides import FILTERS
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.our_content import STORE

LABELS = dict(FILTERS)
SERVICE_LISTS = ("first-time-buyer", "remortgaging", "buy-to-let", "home-mover", "contractor-mortgage")
COMBINATIONS = [
    " ".join(category.value for place, category in enumerate(GuideCategory) if number >> place & 1)
    for number in range(2 ** len(GuideCategory))
]
"""Every combination of categories that a guide may have."""


def shown(page: Page) -> list[str]:
    return page.locator(".guides .card:visible h3").all_inner_texts()


def titles(chosen: str) -> list[str]:
    return [guide.title for guide in guides_shown(STORE.guides(), chosen)]


def expect_guides(page: Page, chosen: str) -> None:
    expect(page.locator(".guides .card:visible h3")).to_have_text(titles(chosen))


def frames(page: Page) -> list[str]:
    """Return a list that grows with what the page's socket carries, its pulse aside."""
    seen: list[str] = []

    def listen(socket: WebSocket) -> None:
        for event in ("framesent", "framereceived"):
            socket.on(event, lambda frame: seen.extend({str(frame)} - {"2", "3"}))

    page.on("websocket", listen)
    return seen


def test_filter_runs_in_the_browser_without_a_message(page: Page) -> None:
    carried = frames(page)
    with page.expect_event("websocket"):
        visit(page, routes.GUIDES)
    expect(page.get_by_role("button", name="All Guides", exact=True)).to_have_attribute("aria-pressed", "true")
    page.wait_for_load_state("networkidle")
    before = len(carried)
    for value, label in FILTERS:
        page.get_by_role("button", name=label, exact=True).click()
        expect_guides(page, value)
    assert carried[before:] == []


def test_category_of_the_address_shows_its_guides(page: Page) -> None:
    for category in (*KNOWN_FILTERS, "nonsense"):
        visit(page, f"{routes.GUIDES}?category={category}")
        expect_guides(page, category)
        pressed = page.locator("button.chip[aria-pressed=true]")
        expect(pressed).to_have_text(
            [LABELS[category]] if category in LABELS else [LABELS[ALL]][: category not in KNOWN_FILTERS]
        )
        expect_rule_for_every_combination(page, category)


def expect_rule_for_every_combination(page: Page, category: str) -> None:
    """Give the cards every combination of categories, and check that those of the rule can be seen."""
    cards = page.locator(".guides .card")
    cards.evaluate_all(
        "(cards, given) => given.forEach((categories, place) => cards[place].dataset.categories = categories)",
        COMBINATIONS,
    )
    seen = cards.evaluate_all(
        "(cards, count) => cards.slice(0, count).map(each => each.checkVisibility())", len(COMBINATIONS)
    )
    wanted = [bool(guides_shown([Listed(one)], category)) for one in COMBINATIONS]
    assert (category, seen) == (category, wanted)


def test_service_list_has_its_filter_unless_the_address_has_one(page: Page) -> None:
    for service in SERVICE_LISTS[::4]:
        visit(page, f"/{service}/guides/")
        expect_guides(page, service)
        visit(page, f"/{service}/guides/?category=property")
        expect_guides(page, "property")


def test_without_scripts_a_service_lists_its_own_guides(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    for service in SERVICE_LISTS:
        page.goto(f"/{service}/guides/")
        assert shown(page) == titles(service)


def test_category_of_a_link_wins_over_a_button_pressed_before(page: Page) -> None:
    visit(page, routes.GUIDES)
    page.get_by_role("button", name="Property Guides").click()
    expect_guides(page, "property")
    page.get_by_role("link", name=titles("property")[0]).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(titles("property")[0])
    page.go_back()
    expect_guides(page, "property")
    page.get_by_role("link", name=titles("property")[0]).click()
    tag = page.locator("main .tag.theme")
    category = (tag.get_attribute("href") or "").partition("category=")[2]
    tag.click()
    expect(page).to_have_url(f"{routes.GUIDES}?category={category}")
    expect_guides(page, category)
    page.get_by_role("button", name="Mortgage Guides", exact=True).click()
    expect_guides(page, "mortgaging")


class Listed:
    def __init__(self, categories: str) -> None:
        self.categories = tuple(categories.split())
