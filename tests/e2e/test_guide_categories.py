"""Category rules of specification 4 in a browser: filters, the category of the address, and no message to a server."""

from playwright.sync_api import Locator, Page, WebSocket, expect

from broker import routes
from broker.content.guide_pages import FILTERS, service_first
from broker.content.guides import filter_guides
from broker.content.models.pages import Guide
from tests.e2e.pages import visit
from tests.e2e.traffic import await_answer
from tests.our_content import STORE


def shown(page: Page) -> Locator:
    """Return the links of the guides that can be seen, whether they are cards or lines of a list."""
    return page.locator(".guides > :visible").locator("a")


def titles(chosen: str, *, of: tuple[Guide, ...] = STORE.guides()) -> list[str]:
    return [guide.title for guide in filter_guides(of, chosen)]


def expect_guides(page: Page, chosen: str) -> None:
    expect(shown(page)).to_have_text(titles(chosen))


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
    await_answer(page, carried)
    page.wait_for_load_state("networkidle")
    before = len(carried)
    for value, label in FILTERS:
        page.get_by_role("button", name=label, exact=True).click()
        expect_guides(page, value)
    assert carried[before:] == []


def test_address_of_a_service_list_may_have_another_category(page: Page) -> None:
    visit(page, routes.guides("remortgaging"))
    (service,) = (each for each in STORE.services() if each.slug == "remortgaging")
    expect(shown(page)).to_have_text(titles("remortgaging", of=service_first(STORE.guides(), service)))
    for category in ("property", "nonsense"):
        visit(page, f"{routes.guides('remortgaging')}?category={category}")
        expect(shown(page)).to_have_count(len(titles(category)))


def test_category_of_a_link_wins_over_a_button_pressed_before(page: Page) -> None:
    visit(page, routes.GUIDES)
    page.get_by_role("button", name="Property Guides").click()
    expect_guides(page, "property")
    shown(page).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(titles("property")[0])
    page.go_back()
    expect_guides(page, "property")
    shown(page).first.click()
    tag = page.locator("main .tag.theme")
    category = (tag.get_attribute("href") or "").partition("category=")[2]
    tag.click()
    expect(page).to_have_url(f"{routes.GUIDES}?category={category}")
    expect_guides(page, category)
    page.get_by_role("button", name="Mortgage Guides", exact=True).click()
    expect_guides(page, "mortgaging")
