"""Links of a text: those that lead somewhere stay, of all others only the words."""

import pytest

from broker.content.models.pages import Faq
from broker.content.models.safe_html import SafeHtml
from broker.content.text.link_repair import LinkRepair

KNOWN = {"/": frozenset({"doors"}), "/contact/": frozenset[str](), "/remortgages/": frozenset({"fees"})}
LINKS = LinkRepair(KNOWN, {"halifax"})


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("/contact/", "/contact/"),
        ("/contact/?from=mail", "/contact/?from=mail"),
        ("/remortgages/#fees", "/remortgages/#fees"),
        ("/remortgages/#gone", "/remortgages/"),
        ("/best-remortgage-deals/#fees", "/remortgages/#fees"),
        ("/home/", "/"),
        ("/promotion/contact/", "/contact/"),
        ("/lenders/halifax/", "/lenders/halifax/"),
        ("/lenders/halifax/2-years-fixed/", "/lenders/halifax/2-years-fixed/"),
        ("/halifax-mortgage-rates/", "/lenders/halifax/2-years-fixed/"),
        ("/lenders/nobody/", ""),
        ("/nowhere/", ""),
        ("#own", "#own"),
        ("#other", ""),
        ("https://example.test/nowhere/", "https://example.test/nowhere/"),
        ("tel:+442079460123", "tel:+442079460123"),
    ],
)
def test_link_leads_to_its_page_in_one_hop_or_nowhere(link: str, target: str) -> None:
    assert LINKS.target(link, {"own"}) == target


def test_any_lender_may_have_a_page_where_lenders_are_not_known() -> None:
    assert LinkRepair(KNOWN).target("/lenders/nobody/") == "/lenders/nobody/"


def test_model_keeps_the_words_of_a_dead_link_and_tells_of_it() -> None:
    told: list[tuple[str, str]] = []
    html = (
        '<h2 id="own">Here</h2><p><a title="a > b" href="/nowhere/" rel="noopener">A &amp; <b>b</b></a>, '
        '<a href="/home/?a=1&amp;b=2" rel="noopener">home</a>, <a href="#own">here</a>, <a>bare</a></p>'
    )
    given = Faq(question="What is <a href=?", answer=SafeHtml(html))
    found = LINKS.model(given, lambda words, link: told.append((words, link)))
    assert found.answer == (
        '<h2 id="own">Here</h2><p>A &amp; <b>b</b>, '
        '<a href="/?a=1&amp;b=2" rel="noopener">home</a>, <a href="#own">here</a>, bare</p>'
    )
    assert found.question == given.question
    assert told == [("A & b", "/nowhere/")]


def test_model_without_links_is_left_as_it_is() -> None:
    given = Faq(question="How?", answer=SafeHtml("<p>So.</p>"))
    assert LINKS.model(given) is given
