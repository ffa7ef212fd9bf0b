"""The search of this site in a browser: the same answers as in Python, the address, the keyboard, and no messages."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.pages import all_pages
from broker.pages.site.search import site_index
from broker.site_search.index import SearchIndex
from broker.site_search.view import MAX_SHOWN
from tests.e2e.axe import violations
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.pages import NARROW, sized, visit
from tests.e2e.traffic import await_answer, traffic_of
from tests.search_reference import marked, search
from tests.unit.pages.whole_site import inputs

INDEX: SearchIndex = site_index(all_pages(inputs()))

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
    *("stampduty", "remorgage", "buytolet", "morgage adviser", "toString", "length", "<b>fee</b>", "fee FEE fees"),
    *("rates rates rates", "complaint", "calculators", "is it"),
)

_TRY_ALL = """
async (queries) => {
    const box = document.getElementById("site-search"), told = [];
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const links = () => [...document.querySelectorAll("#finds li a")];
    for (const query of queries) {
        set.call(box, query);
        box.dispatchEvent(new Event("input", {bubbles: true}));
        await scheduler.postTask(() => undefined);
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


def test_typing_searches_in_the_browser_and_the_address_brings_it_again(page: Page) -> None:
    traffic = traffic_of(page)
    opened(page)
    await_answer(page, traffic)
    before, steps = list(traffic), page.evaluate("history.length")
    expect(page.get_by_role("heading", name="Lenders")).to_be_visible()
    box(page).press_sequentially("stamp duty")
    expect(told(page)).to_have_text(said("stamp duty"))
    expect(page.get_by_role("heading", name="Lenders")).to_have_count(0)
    expect(page).to_have_url(f"{routes.SEARCH}?q=stamp%20duty")
    assert (traffic, page.evaluate("history.length")) == (before, steps)
    page.reload()
    expect(told(page)).to_have_text(said("stamp duty"))
    expect(box(page)).to_have_value("stamp duty")
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
