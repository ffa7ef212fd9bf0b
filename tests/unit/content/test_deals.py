"""The four deal pages of the sitemap (decision 6), and what is said of each kind of deal (decision 4)."""

import re
from pathlib import Path

import pytest

from broker.content.errors import ContentError, UnknownContentError
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.store import find_rate_type, service_for
from broker.domain.rates.deal_types import DEAL_TYPES
from tests.our_content import CONTENT, STORE
from tests.unit.content.faulty_content import first_fault, not_named
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

PAGES = {page.path: page for page in STORE.deal_pages()}
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


def test_each_fault_is_named_with_its_file(tmp_path: Path) -> None:
    assert not_named(tmp_path, FAULTS) == []


def test_deal_page_shares_no_line_of_search_results(tmp_path: Path) -> None:
    for name in ("meta_title", "description"):
        line = re.compile(rf"^{name}: .*$", re.MULTILINE)
        own = line.search((CONTENT / REMORTGAGES).read_text(encoding="utf-8"))
        for other in ("services/remortgaging.md", "pages/about-us.md", BUYER):
            taken = line.search((CONTENT / other).read_text(encoding="utf-8"))
            assert taken and own
            assert f"duplicate {name}" in first_fault(tmp_path, REMORTGAGES, old=own[0], new=taken[0])


def test_every_kind_of_deal_needs_its_document(copy: Path) -> None:
    (copy / FIX).unlink()
    with pytest.raises(ContentError, match="rate-types: no document of the rate type 2-years-fixed"):
        EmbeddedStore(copy)


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
    assert PAGES[path].customer == customer
    assert service is not None and len(service.faqs) == 6


def test_there_are_four_deal_pages_and_no_other() -> None:
    assert [page.path for page in STORE.deal_pages()] == sorted(FIGURES)


def test_deal_page_has_a_useful_length_in_sections() -> None:
    for page in STORE.deal_pages():
        levels = {heading.level for heading in page.headings}
        assert (450 <= len(words(page.html)) <= 700, levels, len(page.headings) >= 6) == (True, {2}, True), page.path


def test_deal_page_has_the_figures_listed_here_and_no_others() -> None:
    found = {page.path: set(re.findall(FIGURE, page.html)) for page in STORE.deal_pages()}
    assert found == {path: set(figures) for path, figures in FIGURES.items()}


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


def test_every_deal_page_covers_the_topics() -> None:
    texts = {page.path: re.sub(r"</?strong>", "", page.html) for page in STORE.deal_pages()}
    missing = [
        (path, said) for path, text in texts.items() for said in SAID if not re.search(said, text, re.IGNORECASE)
    ]
    assert missing == []


def test_landlords_are_told_what_is_not_regulated_and_what_they_risk() -> None:
    html = PAGES["/buy-to-let-deals/"].html
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
