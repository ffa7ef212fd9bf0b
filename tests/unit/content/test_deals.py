"""The four deal pages of the sitemap (decision 6)."""

import re

from broker.content.store import service_for
from tests.our_content import STORE
from tests.unit.content.test_writing_rules import FIGURE, words

PAGES = {page.path: page for page in STORE.deal_pages()}
CUSTOMERS = {
    "/buy-to-let-deals/": "buy-to-let",
    "/home-mover-deals/": "home-mover",
    "/mortgages-first-time-buyer/": "first-time-buyer",
    "/remortgages/": "remortgaging",
}
FIGURES = {
    "/buy-to-let-deals/": {"£200,000", "50%", "125%", "145%", "60%", "65%", "75%", "80%", "20%"},
    "/home-mover-deals/": {"£200,000", "50%", "75%", "60%", "80%", "85%", "90%", "£125,000"},
    "/mortgages-first-time-buyer/": {"£200,000", "50%", "90%", "95%", "£300,000", "5%", "£500,000"},
    "/remortgages/": {"£200,000", "£100,000", "50%", "60%", "75%"},
}
"""Every sum and percentage in the words of a page: its example, steps of loan to value, rent tests, and tax.

None of them is a lender's rate. Read them again after a Budget.
"""

TOPICS = (
    *("worth £200,000|valued at £200,000", "50% loan to value", "early repayment charge", "follow-on rate", "APRC"),
    *("true cost", "fees", "What to have ready", "six months", "mistakes"),
)


def test_each_deal_page_is_for_its_customer_whose_service_has_questions() -> None:
    assert {page.path: page.customer for page in STORE.deal_pages()} == CUSTOMERS
    assert list(PAGES) == sorted(PAGES)
    services = [service_for(STORE, customer) for customer in CUSTOMERS.values()]
    assert [len(service.faqs) for service in services if service] == [6] * 4


def test_deal_page_has_a_useful_length_its_figures_and_all_topics() -> None:
    for path, page in PAGES.items():
        levels = {heading.level for heading in page.headings}
        assert (450 <= len(words(page.html)) <= 700, levels, len(page.headings) >= 6) == (True, {2}, True), path
        assert set(re.findall(FIGURE, page.html)) == FIGURES[path], path
        text = re.sub(r"</?strong>", "", page.html)
        assert [topic for topic in TOPICS if not re.search(topic, text, re.IGNORECASE)] == [], path
    html = PAGES["/buy-to-let-deals/"].html
    assert (STORE.site().buy_to_let_sentence in html, "Your property may be repossessed" in html) == (True, True)
