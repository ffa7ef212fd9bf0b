"""The search of this site in a browser: the same answers as in Python, the address, the keyboard, and no messages."""

from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from broker import routes
from broker.pages import all_pages
from broker.pages.site.search import site_index
from broker.site_search.index import SearchIndex, marked, search
from broker.site_search.view import MAX_SHOWN
from tests.e2e.axe import violations
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.pages import NARROW, Problems, sized, visit
from tests.e2e.traffic import await_answer, traffic_of
from tests.our_content import STORE
from tests.unit.pages.whole_site import inputs

INDEX: SearchIndex = site_index(all_pages(inputs()))
SITE = STORE.site()

QUERIES = (
    *("leasehold", "BTL", "aip", "DIP", "erc", "ltv", "SDLT", "svr", "LISA", "ftb", "epc", "aprc", "sa302", "io"),
    *("stamp duty", "ground rent", "buy to let", "first time buyer", "self-employed", "fixed or variable", "credit"),
    *("how much can I borrow?", "what is loan to value", "do I need a deposit", "when should I remortgage", "to"),
    *("mortgage", "mortgages", "rate", "rates", "fee", "fees", "tax", "taxes", "property", "properties", "companies"),
    *("l", "le", "lea", "leas", "lease", "leaseh", "convey", "overpay", "shared own", "mort fees", "fees mort", "a"),
    *("ealing", "East Ham", "east", "Kingston upon", "halifax", "nationwide", "building society", "bank", "mortgage w"),
    *("£200,000", "200,000", "1,000", "95%", "95% mortgage", "2-year fixed", "5 year", "35 year", "4.75", "2025"),
    *("LEASEHOLD", "Leàsehôld", "lender's", "lender’s", "buyers'", "don't", "e.g.", "q&a", "50/50", "x-y-z", "naïve"),
    *("xyzzy", "xyzzy mortgage", "unheard rates ealing", "deposit from parents", "bad credit", "cannot pay", "divorce"),
    *(" ", "?!", "…", "“”", "🏠", "🏠 insurance", "ﬁxed", "ＬＴＶ", "İ", "ß", "x" * 79, "constructor", "__proto__"),
    *(
        "stampduty",
        "remorgage",
        "buytolet",
        "morgage adviser",
        "toString",
        "length",
        "<b>fee</b>",
        "rates rates rates",
        "fee FEE fees",
        "complaint",
        "calculators",
        "is it",
    ),
)

_TRY_ALL = """
async (queries) => {
    const box = document.getElementById("site-search"), told = [];
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const links = () => [...document.querySelectorAll("#finds li a")];
    for (const query of queries) {
        set.call(box, query);
        box.dispatchEvent(new Event("input", {bubbles: true}));
        await new Promise(done => setTimeout(done));
        told.push({
            said: document.querySelector("#finds [role=status]").textContent,
            hrefs: links().map(link => link.getAttribute("href")),
            titles: links().map(link => link.innerHTML.replaceAll("<!-- -->", "")),
        });
    }
    return told;
}
"""


def said(query: str) -> str:
    answer = search(INDEX, query)
    count = len(answer.entries)
    if not query.strip():
        return ""
    if not count:
        return f"Nothing found for “{query}”."
    most = f". These are the best {MAX_SHOWN}: add a word to see fewer." if count > MAX_SHOWN else "."
    how = "for" if answer.whole else "with some of the words of"
    typed = f" (you typed “{query}”)" if answer.instead else ""
    return f"{count} result{'' if count == 1 else 's'} {how} “{answer.instead or query}”{typed}{most}"


def title(text: str, query: str) -> str:
    escaped = [(piece.text.replace("&", "&amp;"), piece.marked) for piece in marked(text, query)]
    return "".join(f"<mark>{words}</mark>" if wanted else words for words, wanted in escaped)


def expected(query: str) -> dict[str, Any]:
    answer = search(INDEX, query)
    shown = answer.entries[:MAX_SHOWN] if query.strip() else ()
    return {
        "said": said(query),
        "hrefs": [entry.href for entry in shown],
        "titles": [title(entry.title, answer.instead or query) for entry in shown],
    }


def box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search this site")


def told(page: Page) -> Locator:
    return page.locator("#finds [role=status]")


def opened(page: Page, query: str = "") -> Page:
    with page.expect_response(f"**{routes.SEARCH_INDEX}"):
        visit(page, f"{routes.SEARCH}?q={query}" if query else routes.SEARCH)
    return page


def test_hundred_queries_have_the_same_finds_in_python_and_browser(page: Page) -> None:
    assert len(QUERIES) >= 100
    opened(page, "leasehold")
    expect(told(page)).to_have_text(said("leasehold"))
    found = page.evaluate(_TRY_ALL, list(QUERIES))
    together = zip(QUERIES, found, map(expected, QUERIES), strict=True)
    assert [one for one in together if one[1] != one[2]] == []


def test_typing_searches_and_stands_in_the_address(page: Page) -> None:
    opened(page)
    expect(page.get_by_role("heading", name="Lenders")).to_be_visible()
    length = page.evaluate("history.length")
    box(page).press_sequentially("stamp duty")
    expect(told(page)).to_have_text(said("stamp duty"))
    expect(page.get_by_role("heading", name="Lenders")).to_have_count(0)
    expect(page).to_have_url(f"{routes.SEARCH}?q=stamp%20duty")
    assert page.evaluate("history.length") == length
    box(page).fill("")
    expect(page).to_have_url(routes.SEARCH)
    expect(page.get_by_role("heading", name="Lenders")).to_be_visible()


def test_reload_and_back_bring_the_search_again(page: Page) -> None:
    opened(page)
    box(page).fill("leasehold")
    page.reload()
    expect(told(page)).to_have_text(said("leasehold"))
    expect(box(page)).to_have_value("leasehold")
    box(page).fill("ealing")
    page.locator("#finds").get_by_role("link", name="Ealing").click()
    expect(page).to_have_url(routes.town("ealing"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(box(page)).to_have_value("ealing")
    expect(told(page)).to_have_text(said("ealing"))
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search this site").click()
    expect(page).to_have_url(routes.SEARCH)
    expect(box(page)).to_have_value("")


def test_keyboard_leads_from_the_box_to_the_finds(page: Page) -> None:
    opened(page)
    box(page).focus()
    page.keyboard.type("halifax")
    expect(told(page)).to_have_text(said("halifax"))
    page.keyboard.press("Enter")
    expect(page.locator("#finds")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Halifax")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(routes.lender("halifax"))


def test_question_is_opened_at_its_place(page: Page) -> None:
    opened(page, "what+is+an+early+repayment+charge")
    page.locator("#finds").get_by_role("link", name="What is an early repayment charge?").click()
    expect(page).to_have_url(f"{routes.FAQS}#what-is-an-early-repayment-charge")
    question = page.locator("#what-is-an-early-repayment-charge")
    expect(question).to_have_attribute("open", "")
    expect(question.locator("summary")).to_be_in_viewport()


def test_nothing_found_says_what_to_do(page: Page) -> None:
    opened(page, "xyzzy")
    expect(told(page)).to_have_text("Nothing found for “xyzzy”.")
    finds = page.locator("#finds")
    expect(finds.get_by_role("link", name=SITE.phone)).to_have_attribute("href", f"tel:{SITE.tel}")
    expect(finds.get_by_role("link", name="all our guides")).to_have_attribute("href", routes.GUIDES)


def test_typing_sends_nothing_to_the_server(page: Page) -> None:
    traffic = traffic_of(page)
    opened(page)
    await_answer(page, traffic)
    before = list(traffic)
    box(page).press_sequentially("leasehold flats")
    expect(told(page)).to_have_text(said("leasehold flats"))
    assert traffic == before


def test_tables_that_do_not_come_are_asked_for_again(page: Page, problems: Problems) -> None:
    problems.expect("ERR_FAILED")
    cut: list[bool] = [True]

    def answer(route: Route) -> None:
        if cut.pop() if cut else False:
            route.abort()
        else:
            route.continue_()

    page.route(f"**{routes.SEARCH_INDEX}", answer)
    visit(page, routes.SEARCH)
    expect(page.get_by_role("heading", name="Lenders")).to_be_visible()
    box(page).fill("leasehold")
    expect(told(page)).to_have_text(said("leasehold"))


def test_search_that_does_not_come_leads_to_the_list_of_every_page(page: Page, problems: Problems) -> None:
    problems.expect("ERR_FAILED")
    page.route(f"**{routes.SEARCH_INDEX}", lambda route: route.abort())
    visit(page, routes.CONTACT)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search this site").click()
    expect(page).to_have_url(routes.SEARCH)
    expect(page.get_by_role("link", name="See every page on this site")).to_have_attribute("href", routes.SITE_MAP)
    page.unroute(f"**{routes.SEARCH_INDEX}")
    box(page).fill("leasehold")
    expect(told(page)).to_have_text(said("leasehold"))
    expect(page.get_by_role("link", name="See every page on this site")).to_have_count(0)


def test_without_scripts_everything_is_listed_and_the_form_answers(open_page: OpenPage, problems: Problems) -> None:
    problems.expect("status of 404")
    page = open_page(scripts=False)
    page.goto("/nope/")
    box(page).fill("leasehold")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page).to_have_url(f"{routes.SEARCH}?q=leasehold")
    expect(page.get_by_text("Search needs JavaScript")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="What does leasehold mean")).to_be_visible()


def test_drawer_of_small_screens_leads_to_the_search(phone: Page) -> None:
    visit(phone, routes.HOME)
    phone.locator("summary", has_text="Menu").click()
    phone.get_by_role("navigation", name="Menu").get_by_role("link", name="Search").click()
    expect(phone).to_have_url(routes.SEARCH)


def test_results_fit_320_pixels_and_wcag(page: Page) -> None:
    visit(page, routes.SEARCH)
    for query in ("xyzzy", "x" * 80, "", "mortgage"):
        box(page).fill(query)
        expect(told(page)).to_have_text(said(query))
        for size in (NARROW, PHONE, DESKTOP):
            assert sized(page, size).evaluate("document.documentElement.scrollWidth") <= size[0], query
        assert (query, violations(sized(page, PHONE))) == (query, [])
    assert violations(sized(page, DESKTOP)) == []


def test_header_keeps_to_one_line(page: Page) -> None:
    opened(page)
    header = page.locator(".nav > *, .top .wrap > .btn")
    for width in (1110, 1180, 1280):
        sized(page, (width, 800))
        heights = header.evaluate_all("all => all.map(each => each.offsetHeight)")
        assert (width, [height for height in heights if height > 48]) == (width, [])
