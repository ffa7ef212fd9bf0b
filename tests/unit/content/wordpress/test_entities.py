from datetime import date
from typing import Any

import pytest

from broker.content.guides import GuideCategory
from broker.content.models.lenders import LtvText, RateDisplay
from tests.unit.content.addresses import every_item
from tests.unit.content.wordpress.answering import answers, body, context, snapshot

FOUND, ISSUES = snapshot()
MAIN_MENU = """
Home /
Services
- First Time Buyer /first-time-buyer/
- Remortgage /remortgaging/
- Buy to let /buy-to-let/
- Home Mover /home-mover/
- Insurance /protection-needs/
Tools
- Mortgage Rates /tools/rates/
- Mortgage Calculators /tools/calculators/
- Mortgage Guides
-- First-Time Buyer’s Guide & tips /mortgage-guides/first-time-buyer-guide/
-- Remortgage Guide /mortgage-guides/remortgaging-guide/
- Mortgage FAQs /tools/mortgage-faqs/
- My Local Mortgage Broker /mortgage-broker-near-me/
More
- About Us /about-us/
- Contact Us /contact/
- Client Feedback /client-reviews/
- Join Us /join-us/
Client Login https://portal.example.com/login
"""
LEGAL = ("/terms-of-business/", "/privacy-notice/", "/cookie-policy/", "/complaints-procedure/")


def test_menus_have_their_groups_without_unpublished_pages() -> None:
    items = every_item(FOUND.menus.main.items)
    lines = [" ".join(filter(None, ("-" * depth, item.label, item.path))) for depth, item in items]
    assert lines == MAIN_MENU.strip().splitlines()
    assert tuple(item.path for item in FOUND.menus.footer.items) == ("/", "/tools/calculators/", "/contact/", *LEGAL)
    assert "note: menu sitemap: 'Deleted page' leads nowhere, left out" in ISSUES
    assert [(item.label, item.css_classes) for _, item in items if item.css_classes] == [
        ("Client Login", "cms-btn cms-client-login")
    ]


def test_guides_are_read_from_the_list_and_those_of_types_from_their_page() -> None:
    guides = {guide.url: guide for guide in FOUND.guides}
    score, empty = guides["improve-your-credit-score"], guides["conveyancing-basics"]
    assert score.title == "Improve your credit score – 5 steps"
    assert score.categories == (GuideCategory.MORTGAGING, GuideCategory.FIRST_TIME_BUYER)
    assert (score.created, guides["leasehold-explained"].show_on_homepage) == (date(2024, 6, 9), True)
    assert (empty.categories, guides["what-is-aprc"].title) == ((), "APRC < the small print")
    assert empty.description.startswith("Sample description of “Conveyancing & searches: what’s involved” in our own")
    assert "guide EPC ratings (draft content)" not in guides
    guide = guides["first-time-buyer-guide"]
    assert guide.title == "First-Time Buyer Guide – what’s involved & how long it takes"
    assert (guide.author, guide.updated) == ("Sam Sample", date(2025, 3, 4))
    assert guide.categories == (GuideCategory.FIRST_TIME_BUYER,)
    assert guide.html == (
        "<p>Sample guide text. Fees &amp; charges don’t apply.</p>\n\n"
        '<h2 id="step-one">Step one</h2>\n<p>Save a deposit.</p>\n<p>Then get an <em>agreement in principle</em>.</p>'
        "\n\n<ul>\n<li>One</li>\n<li>Two</li>\n</ul>"
    )


def test_guides_go_by_the_order_of_their_pages_after_the_guide_of_a_type() -> None:
    assert [(guide.url, guide.order) for guide in FOUND.guides][:2] == [
        ("first-time-buyer-guide", 1),
        ("conveyancing-basics", 0),
    ]
    places = {"what-is-ltv": 3, "first-time-buyer-guide": 4, "leasehold-explained": 2}
    rows = [{**page, "menu_order": places.get(page["slug"], 0)} for page in answers().pages]
    found, _ = snapshot(answers(pages=rows))
    assert [guide.url for guide in found.guides][:3] == ["leasehold-explained", "what-is-ltv", "first-time-buyer-guide"]


def test_towns_of_both_categories_are_read() -> None:
    towns = {town.slug: town for town in FOUND.towns}
    assert {"brent", "camden", "ealing", "east-ham", "hammersmith", "harrow", "kingston", "london"} <= set(towns)
    assert list(towns) == sorted(towns)
    assert (towns["east-ham"].name, towns["east-ham"].title) == ("East Ham", "Mortgage Broker East Ham")
    assert all(set(town.near) <= set(towns) for town in towns.values())


def test_lender_page_is_read_with_values_of_its_choices() -> None:
    text = FOUND.lenders["alder-mutual"]
    assert list(FOUND.lenders) == ["alder-mutual"]
    assert "note: lender cedar-bank: was never filled in, left out" in ISSUES
    assert text.banner_content == "<p>Sample lender – it isn’t real.</p>"
    assert (text.rate_display_preference, text.calculators) == (RateDisplay.TOP_3, ("borrow", "repayment"))
    assert text.customers == ("first-time-buyer", "remortgaging")
    assert (text.label("first-time-buyer"), text.label("home-mover")) == ("First Time Buyer", "")
    assert (text.name, text.lender_id) == ("Alder Mutual", 101)
    calls = [("More about Alder", "Request a callback"), ("About", "Call us"), ("", "Request a callback")]
    assert [(part.heading, part.cta_text) for part in text.named("Alder").details] == calls
    assert text.rates_tables == (LtvText(ltv=60, description="At 60%", cta_text="Get this rate"),)
    assert text.view_all_link == "/tools/rates/"


def test_services_have_their_own_questions_alone_and_extra_sections() -> None:
    services = {service.slug: service for service in FOUND.services}
    first = services["first-time-buyer"]
    assert first.title == "First Time Buyer Mortgage"
    assert [faq.question for faq in first.faqs] == ["What deposit do I need?", "How long does it take & what’s first?"]
    assert first.faqs[1].answer == "<p>Sample answer.</p><p>Second paragraph.</p>"
    assert '<h3 id="how-much-deposit">' not in first.section_2
    assert first.section_2.endswith("<p>Line one</p>\n<p>Line two &amp; “quotes”</p>")
    faq = services["remortgaging"].faqs[1]
    words = ("Fees & charges: what’s included?", "<p>Sample answer &amp; more.</p>")
    assert (faq.question, faq.answer) == words
    for faqs in (None, [], False, {}, body("faqs_empty")):
        services = {service.slug: service for service in snapshot(answers(faqs=faqs))[0].services}
        assert services["home-mover"].faqs == ()


def test_firm_is_read_from_the_footer_and_the_settings() -> None:
    firm = FOUND.firm
    assert firm.phone == "020 7946 0000"
    assert firm.address == ("1 Sample Street", "London W5 0AA")
    assert firm.company_description == "Sample Mortgage Broker Ltd is a made-up firm. FCA number 000000 & so on."
    assert (firm.whatsapp, firm.instagram) == ("https://wa.me/447700900000", "")
    assert firm.counts == {"google": 85, "trustpilot": 181, "reviewsio": 78}
    assert (firm.slogans, firm.shown) == (("No broker fees", "Whole of market", ""), 6)


def test_reviews_are_newest_first_and_one_without_a_date_is_left_out() -> None:
    found = [(review.reviewer, review.site, review.rating) for review in FOUND.reviews]
    first = [("E. Sample", "facebook", 4.0), ("D. Sample", "reviewsio", 5.0), ("C. Sample", "trustpilot", 4.5)]
    assert found == [*first, ("B. Sample", "google", 5.0), ("A. Sample", "google", 5.0)]
    assert "note: review Sample review 6: has no words, no name or no date, left out" in ISSUES


def seo(**changes: Any) -> list[dict[str, Any]]:
    fields = {"url": "mortgage-guides/a-guide", "guideCategory": ["property"], "createdDate": "05/03/2024"}
    return [{"title": "A guide", "seoGuides": fields | {"guideDescription": "Words"} | changes}]


FATAL: dict[str, tuple[dict[str, Any], str]] = {
    "no main menu": ({"site": {"mainMenu": []}}, "menu main: is empty or missing; without it no page is drawn"),
    "no pages": ({"pages": []}, "every page: is missing: no page was answered"),
}


@pytest.mark.parametrize(("changes", "wanted"), FATAL.values(), ids=FATAL)
def test_fatal_issue_names_its_item_and_recorded_answers_have_none(changes: dict[str, Any], wanted: str) -> None:
    assert [line for line in ISSUES if line.startswith("unusable")] == []
    _, issues = snapshot(answers(**changes))
    assert [line for line in issues if line.startswith("unusable")] == [f"unusable: {wanted}"]


SLIPS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "a category of another trade": (
        seo(guideCategory=["fishing"]),
        "guide A guide: unknown category fishing; known are property, first-time-buyer, remortgaging, mortgaging",
    ),
    "a date of no form": (seo(createdDate="5 March"), "guide A guide: '5 March' is no date; write dd/mm/yyyy"),
    "a url of no form": (
        seo(url="mortgage-guides/A Guide"),
        "guide A guide: the url 'A Guide' is none; small letters, digits and hyphens make one",
    ),
    "a guide twice": (seo() + seo(), "guide A guide: has the url 'a-guide' of 'A guide'"),
}


@pytest.mark.parametrize(("rows", "wanted"), SLIPS.values(), ids=SLIPS)
def test_row_with_a_slip_is_left_out_with_a_sentence(rows: list[dict[str, Any]], wanted: str) -> None:
    _, issues = snapshot(answers(site={"seoGuidePages": rows}))
    assert [line for line in issues if line.startswith("fault: guide")] == [f"fault: {wanted}; left out"]


def test_second_page_of_a_lender_is_left_out() -> None:
    _, issues = snapshot(answers(lender_pages=body("rest_lender_page_full") * 2))
    assert "note: lender alder-mutual-mortgage-rates: is the second page of alder-mutual, left out" in issues


LINKS = {
    **{link: link for link in ("https://www.gov.uk/a", "#part", "tel:+44", "mailto:a@b.test")},
    **dict.fromkeys(("javascript:alert(1)", "data:text/html,x", "https://["), ""),
    "https://example.test/api/contact": "/contact/",
    "/api/mortgage-guides/what-is-ltv?a=1#b": "/mortgage-guides/what-is-ltv/?a=1#b",
    "/promotion/home/": "/",
    "/promotion/api/x": "/x/",
    "/terms-of-business": "/terms-of-business/",
    "/remortgaging-guide/": "/mortgage-guides/remortgaging-guide/",
    "//evil.test/x": "https://evil.test/x",
    "/api/wp-content/uploads/a.pdf": "https://example.test/api/wp-content/uploads/a.pdf",
}


def test_link_leads_to_its_place_on_our_site() -> None:
    assert {address: context().link(address) for address in LINKS} == LINKS


@pytest.mark.parametrize("acf", [False, [], None, "missing"])
def test_pages_without_fields_keep_their_text(acf: Any) -> None:
    page = body("rest_pages_guide_found")[0] | {"acf": acf}
    if acf == "missing":
        del page["acf"]
    found, issues = snapshot(answers(pages=[page]))
    guide = next(guide for guide in found.guides if guide.url == "first-time-buyer-guide")
    assert guide.html == "<p>Sample guide text. Fees &amp; charges don’t apply.</p>"
    assert guide.meta_title == "First-Time Buyer Guide – what’s involved & how long it takes"
    assert [line for line in issues if line.startswith("unusable")] == []
