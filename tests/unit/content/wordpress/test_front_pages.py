"""Front pages from WordPress: their words, and what replaces missing ones (decision 41)."""

from copy import deepcopy
from typing import Any

import pytest

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.models.pages import FRONT_PAGES
from broker.content.snapshot.serialisation import strings_in, to_plain
from broker.content.snapshot.snapshot_store import SnapshotStore
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import API, answers, body, snapshot

TEXTS = {
    "content_section_1": "<p>Advice for <br>homes.</p><p>Second.</p>",
    "content_section_2": '<h2>More</h2><p><a href="/api/calculators/#contractor">Sums</a></p>',
    "footer_disclaimer": "<p>Your home may be repossessed.</p>",
}


def page(path: str, title: str, **acf: Any) -> dict[str, Any]:
    """Return a page of WordPress at a path, with the given fields and no text of its own."""
    made = deepcopy(body("rest_pages_guide_found")[0])
    made |= {"id": 9_000 + len(path), "slug": path.strip("/").rpartition("/")[2], "link": f"{API}{path}"}
    made |= {"title": {"rendered": title}, "content": {"rendered": "", "protected": False}}
    empty = dict.fromkeys(("meta_title", "meta_description", "content_section_1", "content_section_2"), "")
    made["acf"] |= {**empty, "footer_disclaimer": "", **acf}
    return made


def imported(*pages: dict[str, Any]) -> tuple[SnapshotStore, list[str]]:
    """Return a site with nothing but these front pages, and the faults of their import."""
    others = [each for each in answers().pages if each["slug"] not in ("home", "calculators", "rates")]
    found, issues = snapshot(answers(pages=[*others, *pages]))
    return SnapshotStore(found, STORE), [issue for issue in issues if issue.startswith("fault: page /")]


def test_front_pages_have_the_words_of_their_pages() -> None:
    store, _ = imported(
        page("/home/", "Homes &#038; loans", meta_title="Loans", meta_description="About loans.", **TEXTS),
        page("/calculators/", "Sums", banner_subtext="Do a sum.", **TEXTS),
        page("/first-time-buyer/rates/", "Rates", meta_description="First rates.", **TEXTS),
    )
    home, sums, first = (
        store.front_page(path) for path in (routes.HOME, routes.CALCULATORS, "/first-time-buyer/rates/")
    )
    assert (home.title, home.meta_title, home.description) == ("Homes & loans", "Loans", "About loans.")
    assert (home.summary, home.points, home.sections) == ("", (), {})
    assert home.html.startswith("<p>Advice for <br>homes.</p><p>Second.</p>")
    assert home.html.endswith("<p>Your home may be repossessed.</p>")
    assert [heading.text for heading in home.headings] == ["More"]
    assert (sums.title, sums.meta_title, sums.summary) == ("Sums", "Sums", "Do a sum.")
    heading = "First Time Buyer Mortgage Deals"
    assert (first.title, first.meta_title, first.description) == (heading, heading, "First rates.")


@pytest.mark.parametrize(
    ("title", "meta", "shown"),
    [
        ("Home", "Loans", ("Loans", "Loans")),
        ("Home", "", (STORE.site().name, STORE.site().name)),
        ("Home page", "Home", (STORE.site().name, STORE.site().name)),
        ("A good loan. No fee.", "", ("A good loan. No fee.", "A good loan. No fee.")),
    ],
)
def test_home_page_named_for_editors_alone_has_another_heading(title: str, meta: str, shown: tuple[str, str]) -> None:
    home = imported(page("/home/", title, meta_title=meta))[0].front_page(routes.HOME)
    assert (home.title, home.meta_title) == shown


@pytest.mark.parametrize(
    ("section", "lead", "rest"),
    [
        ("<p>One &amp; two.</p><p>Three.</p>", "One & two.", "<p>Three.</p>"),
        ("<p>Ask <a href='/api/contact/'>us</a>.</p>", "", '<p>Ask <a href="/contact/"'),
        ("<h2>First</h2><p>One.</p>", "", '<h2 id="first">First</h2><p>One.</p>'),
        (f"<p>{'long ' * 100}</p>", "", "<p>long long"),
        ("", "", ""),
    ],
)
def test_lead_is_a_short_first_paragraph_which_is_not_repeated(section: str, lead: str, rest: str) -> None:
    home = imported(page("/home/", "Loans", content_section_1=section))[0].front_page(routes.HOME)
    assert home.summary == lead
    assert home.html.startswith(rest)


@pytest.mark.parametrize(
    ("active", "shown"),
    [(["contractor-mortgage", "monthly", "borrow"], ("contractor", "repayment", "borrow")), ([], ())],
)
def test_active_calculators_of_their_page_are_those_it_lists(active: list[str], shown: tuple[str, ...]) -> None:
    store, _ = imported(page("/calculators/", "Sums", active_calculators=active))
    found = store.front_page(routes.CALCULATORS).calculators
    assert found == shown
    unlisted = {calculator.slug for calculator in CALCULATORS} - {"contractor"}
    assert store.page_anchors()[routes.CALCULATORS] == (set(shown) or unlisted)


def test_heading_of_a_text_has_no_id_that_the_page_draws() -> None:
    store, _ = imported(page("/rates/", "Rates", content_section_1="<h2>Questions</h2><p>One.</p><h2>More</h2>"))
    rates = store.front_page(routes.RATES)
    assert [heading.anchor for heading in rates.headings] == ["questions-2", "more"]


def test_no_words_of_ours_stand_in_for_a_missing_page() -> None:
    store, faults = imported()
    assert [fault.split(" is missing")[0] for fault in faults if "labels" in fault] == [
        *("fault: page /:", "fault: page /tools/calculators/:", "fault: page /tools/rates/:")
    ]
    ours = STORE.content
    sentences = {
        text
        for entry in (*ours.front_pages.values(), *ours.deal_pages, *ours.faqs.values())
        for text in strings_in(to_plain(entry))
        if len(text.split()) > 5
    }
    found = store.front_page(routes.RATES)
    assert (found.title, found.summary, found.html) == ("Mortgage rates", "", "")
    assert tuple(store.content.front_pages) == FRONT_PAGES
    entries = (*store.content.front_pages.values(), *store.content.faqs.values())
    assert {text for entry in entries for text in strings_in(to_plain(entry))} & sentences == set()


def test_deal_page_that_is_missing_has_labels_alone() -> None:
    others = [each for each in answers().pages if each["slug"] != "remortgages"]
    found, _ = snapshot(answers(pages=others))
    deals = {deal.path: deal for deal in SnapshotStore(found, STORE).deal_pages()}
    lost = deals["/remortgages/"]
    assert (lost.title, lost.summary, lost.author, lost.html) == ("Remortgage deals by loan to value", "", "", "")
    assert deals["/home-mover-deals/"].summary == "Sample text about Home Mover Deals."
    assert "Sample text about" not in deals["/home-mover-deals/"].html


def test_services_have_the_active_calculators_of_their_page_alone() -> None:
    pages = [deepcopy(each) for each in answers().pages]
    for each in pages:
        if each["slug"] == "remortgaging":
            each["acf"]["active_calculators"] = ["contractor-mortgage", "remortgage"]
    services = {service.slug: service for service in snapshot(answers(pages=pages))[0].services}
    assert services["remortgaging"].calculators == ("contractor", "remortgage")
    assert services["first-time-buyer"].calculators == ()
    assert services["remortgaging"].short_title == services["remortgaging"].title
