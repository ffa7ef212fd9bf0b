"""The four deal pages of the sitemap (decision 6), and what is said of each kind of deal (decision 4)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from broker.content.errors import UnknownContentError
from broker.content.models.pages import DealPage
from broker.content.store import find_deal_page, find_rate_type, service_for
from broker.domain.rates.deal_types import DEAL_TYPES
from tests.our_content import STORE
from tests.unit.content.spoiling import fault_in, fault_of
from tests.unit.content.test_writing_rules import FIGURE, words

FIGURES = {
    "/buy-to-let-deals/": ("£200,000", "50%", "125%", "145%", "60%", "65%", "75%", "80%", "20%"),
    "/home-mover-deals/": ("£200,000", "50%", "75%", "60%", "80%", "85%", "90%", "£125,000"),
    "/mortgages-first-time-buyer/": ("£200,000", "50%", "90%", "95%", "£300,000", "5%", "£500,000"),
    "/remortgages/": ("£200,000", "£100,000", "50%", "60%", "75%"),
}
"""Every sum and percentage in the words of a page: its example, steps of loan to value, rent tests, and tax.

None is a rate that somebody charges. Read them again after a Budget.
"""

REMORTGAGES = "deals/remortgages.md"
BUYER = "deals/mortgages-first-time-buyer.md"
FIX = "rate-types/2-years-fixed.md"
FAULTS = [
    (REMORTGAGES, "path: /remortgages/", "path: remortgages", "bad path 'remortgages'"),
    (REMORTGAGES, "path: /remortgages/", "path: /remortgaging/", "duplicate path '/remortgaging/'"),
    (REMORTGAGES, "path: /remortgages/", "path: /about-us/", "duplicate path '/about-us/'"),
    (REMORTGAGES, "path: /remortgages/", "path: /home-mover-deals/", "duplicate path '/home-mover-deals/'"),
    (REMORTGAGES, "customer: remortgaging", "customer: squatter", "unknown customer 'squatter'"),
    (REMORTGAGES, "customer: remortgaging", "customer: home-mover", "duplicate customer type 'home-mover'"),
    (REMORTGAGES, "summary: ", "lead: ", "unknown field lead"),
    (REMORTGAGES, "author: the {{ firm }} advice team\n", "", "missing author"),
    (REMORTGAGES, "{{ debt_warning }}", "{{ debt_waning }}", "unknown placeholder {{ debt_waning }}"),
    (REMORTGAGES, "## How to judge", "# How to judge", "a heading of level 1"),
    (BUYER, "updated: 2026-11-21", "updated: today", "updated must be a date"),
    (BUYER, "meta_title: ", "meta_title: " + "a" * 60, "meta_title has "),
    (BUYER, "description: ", "description: " + "a" * 155, "description has "),
    (FIX, "slug: 2-years-fixed", "slug: 4-years-fixed", "unknown slug '4-years-fixed'; known are 2-years-fixed,"),
    ("rate-types/3-years-fixed.md", "slug: 3-years-fixed", "slug: 2-years-fixed", "duplicate slug '2-years-fixed'"),
    (FIX, "# text", "# words", "unknown part words"),
    (FIX, "# faqs\n", "# faqs\n\n### Why two?\n\nBecause.\n", "2 questions; a kind of deal has one"),
    (FIX, "title: 2-year fixed\n", "", "missing title"),
]


@pytest.mark.parametrize(("file", "old", "new", "fault"), FAULTS)
def test_store_names_the_file_and_the_fault(copy: Path, file: str, old: str, new: str, fault: str) -> None:
    assert fault in fault_of(copy, file, old=old, new=new)


@pytest.mark.parametrize("name", ["meta_title", "description"])
@pytest.mark.parametrize("other", ["services/remortgaging.md", "pages/about-us.md", BUYER])
def test_deal_page_shares_no_line_of_search_results(copy: Path, name: str, other: str) -> None:
    line = re.compile(rf"^{name}: .*$", re.MULTILINE)
    taken = line.search((copy / other).read_text(encoding="utf-8"))
    own = line.search((copy / REMORTGAGES).read_text(encoding="utf-8"))
    assert taken and own
    assert f"duplicate {name}" in fault_of(copy, REMORTGAGES, old=own[0], new=taken[0])


def test_every_kind_of_deal_needs_its_document(copy: Path) -> None:
    (copy / FIX).unlink()
    assert fault_in(copy, copy / "rate-types") == "no document of the rate type 2-years-fixed"


@pytest.mark.parametrize(
    ("path", "customer"),
    [
        ("/mortgages-first-time-buyer/", "first-time-buyer"),
        ("/home-mover-deals/", "home-mover"),
        ("/remortgages/", "remortgaging"),
        ("/buy-to-let-deals/", "buy-to-let"),
    ],
)
def test_each_deal_page_is_for_its_customer_whose_service_has_questions(path: str, customer: str) -> None:
    service = service_for(STORE, customer)
    assert find_deal_page(STORE, path).customer == customer
    assert service is not None and len(service.faqs) == 6


def test_there_are_four_deal_pages_and_no_other() -> None:
    assert [page.path for page in STORE.deal_pages()] == sorted(FIGURES)
    with pytest.raises(UnknownContentError):
        find_deal_page(STORE, "/squatter-deals/")


@pytest.mark.parametrize("page", STORE.deal_pages(), ids=lambda page: page.path)
def test_deal_page_has_a_useful_length_in_sections(page: DealPage) -> None:
    levels = {heading.level for heading in page.headings}
    assert (450 <= len(words(page.html)) <= 700, levels, len(page.headings) >= 6) == (True, {2}, True)


@pytest.mark.parametrize("page", STORE.deal_pages(), ids=lambda page: page.path)
def test_deal_page_has_the_figures_listed_here_and_no_others(page: DealPage) -> None:
    assert set(re.findall(FIGURE, page.html)) == set(FIGURES[page.path])


SAID = (
    "worth £200,000|valued at £200,000",
    "50% loan to value",
    "early repayment charge",
    "follow-on rate",
    "APRC",
    "true cost",
    "fees",
    "What to have ready",
    "six months",
    "mistakes",
)


@pytest.mark.parametrize("page", STORE.deal_pages(), ids=lambda page: page.path)
@pytest.mark.parametrize("said", SAID)
def test_every_deal_page_says(page: DealPage, said: str) -> None:
    assert re.search(said, re.sub(r"</?strong>", "", page.html), re.IGNORECASE)


def test_landlords_are_told_what_is_not_regulated_and_what_they_risk() -> None:
    html = find_deal_page(STORE, "/buy-to-let-deals/").html
    assert (STORE.site().buy_to_let_sentence in html, "Your property may be repossessed" in html) == (True, True)


def test_rate_types_are_those_of_the_deals_in_order() -> None:
    texts = STORE.rate_types()
    assert [(text.slug, text.title) for text in texts] == [(kind.slug, kind.words) for kind in DEAL_TYPES]
    assert find_rate_type(STORE, "5-years-fixed") == texts[2]
    with pytest.raises(UnknownContentError):
        find_rate_type(STORE, "4-years-fixed")


def test_rate_types_are_short_and_fit_homes_and_let_property_alike() -> None:
    for text in STORE.rate_types():
        shown = f"{text.html} {text.faq.answer}"
        assert (60 <= len(words(text.html)) <= 110, len(words(text.faq.answer)) <= 80) == (True, True), text.slug
        assert (text.faq.question[-1], "your home" in shown.lower(), "risk" in shown) == ("?", False, True), text.slug
