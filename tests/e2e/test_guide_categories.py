"""Category rules of specification 4 in a browser: filters, the category of the address, and no message to a server."""

from playwright.sync_api import Locator, Page, WebSocket, expect

from broker import routes
from broker.content.guide_pages import FILTERS, service_first
from broker.content.guides import ALL, KNOWN_FILTERS, guides_shown
from broker.content.models.pages import Guide
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.e2e.traffic import await_answer
from tests.our_content import STORE

LABELS = dict(FILTERS)
SERVICE_LISTS = ("first-time-buyer", "remortgaging", "buy-to-let", "home-mover", "contractor-mortgage")


def shown(page: Page) -> Locator:
    """Return the links of the guides that can be seen, whether they are cards or lines of a list."""
    return page.locator(".guides > :visible").locator("a")


def titles(chosen: str, *, of: tuple[Guide, ...] = STORE.guides()) -> list[str]:
    return [guide.title for guide in guides_shown(of, chosen)]


def expect_guides(page: Page, chosen: str) -> None:
    expect(shown(page)).to_have_text(titles(chosen))


def expect_guides_of_service(page: Page, slug: str) -> None:
    """Expect the guides that a service's filter lists, its own ones first."""
    (service,) = (each for each in STORE.services() if each.slug == slug)
    expect(shown(page)).to_have_text(titles(slug, of=service_first(STORE.guides(), service)))


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


def test_category_of_the_address_shows_its_guides(page: Page) -> None:
    for category in (*KNOWN_FILTERS, "nonsense"):
        visit(page, f"{routes.GUIDES}?category={category}")
        expect_guides(page, category)
        pressed = page.locator("button.chip[aria-pressed=true]")
        expect(pressed).to_have_text(
            [LABELS[category]] if category in LABELS else [LABELS[ALL]][: category not in KNOWN_FILTERS]
        )


def test_service_list_has_its_filter_unless_the_address_has_one(page: Page) -> None:
    for service in SERVICE_LISTS[::4]:
        visit(page, f"/{service}/guides/")
        expect_guides_of_service(page, service)
        visit(page, f"/{service}/guides/?category=property")
        expect(shown(page)).to_have_count(len(titles("property")))


def test_without_scripts_a_service_lists_its_own_guides(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    for service in SERVICE_LISTS:
        page.goto(f"/{service}/guides/")
        expect_guides_of_service(page, service)


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
