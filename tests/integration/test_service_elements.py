"""Every element that specification 2 wants of a service page, its guides and its deals, read from the export."""

import re

import pytest
from lxml.html import fromstring

from broker import routes
from broker.calculators.calculator import GROUP_TITLES
from broker.calculators.registry import CALCULATORS, active_calculators, calculators_of_page
from broker.content.models.pages import Service
from broker.content.reviews import IN_BODY, totals_sentence
from broker.rates.let_deals import OWN_NAME
from tests.integration.outline import Outline, addresses, words_of
from tests.integration.specification_2 import CUSTOMERS, SERVICES
from tests.our_content import STORE

Outlines = dict[str, Outline]

BY_SLUG = {service.slug: service for service in STORE.services()}
CONTRACTOR = "contractor-mortgage"

STRIP = {
    # the first four of the services menu: words, address
    "first-time-buyer": ("First Time Buyer Deals", "/first-time-buyer/rates/"),
    "remortgaging": ("Remortgage Deals", "/remortgaging/rates/"),
    "buy-to-let": ("Buy to let Deals", "/buy-to-let/rates/"),
    "home-mover": ("Home Mover Deals", "/home-mover/rates/"),
}
PLANS = {
    "first-time-buyer": "/plan/buying/",
    "home-mover": "/plan/buying/?buyer=next",
    "remortgaging": "/plan/remortgaging/",
    "buy-to-let": "/tools/calculators/landlord-test/",
    "contractor-mortgage": "/tools/calculators/contractor/",
    "self-employed": "/tools/calculators/self-employed/",
}
NEXT_STEP = (
    "Next Step: If you are ready for a mortgage, get in touch with our advisers, we will find the best mortgage deal "
    "suitable for you."
)
UPDATED = re.compile(
    r"Updated on [1-9]\d?\ (January|February|March|April|May|June|July|August|September|October|"
    r"November|December), 20\d\d"
)


@pytest.fixture(scope="module")
def outlines(html: dict[str, str]) -> Outlines:
    wanted = {"/tools/calculators/", "/lenders/halifax/", "/lenders/halifax/2-years-fixed/", "/tools/rates/", "/"}
    wanted |= {"/mortgage-broker-ealing/", "/about-us/", "/remortgages/", "/mortgages-first-time-buyer/"}
    wanted |= {f"/{slug}{end}" for slug in {**SERVICES, **CUSTOMERS} for end in ("/", "/guides/", "/rates/")}
    return {path: Outline(html[path]) for path in wanted & html.keys()}


def rates_path(service: Service) -> str:
    return f"/{service.slug}/rates/" if service.slug in CUSTOMERS else "/tools/rates/"


def calculators_of(page: Outline) -> list[str]:
    """Return the calculators that a page shows, by slug; on the contractor page their ids begin with its own name."""
    slugs = [calculator.slug for calculator in CALCULATORS]
    return [slug for slug in slugs if page.identified(slug) or page.identified(f"contractor-page-{slug}")]


def test_opening_hours_stand_beside_every_button_that_calls(html: dict[str, str]) -> None:
    without = []
    for path, page in html.items():
        for button in fromstring(page).xpath("//a[starts-with(@href, 'tel:') and contains(@class, 'btn')]"):
            beside = button.xpath("ancestor::*[position() <= 2]/*[contains(@class, 'hours')]")
            without += [] if beside else [path]
    assert without == []


def test_service_and_town_pages_show_six_reviews_and_their_rating(html: dict[str, str]) -> None:
    for path in (*(f"/{slug}/" for slug in SERVICES), "/mortgage-broker-ealing/", "/about-us/"):
        _, found, shown = html[path].partition('aria-labelledby="reviews"')
        assert found, path
        assert shown.partition("</section>")[0].count("panel quote") == IN_BODY, path
        assert totals_sentence(STORE.site().reviews) in shown, path


def test_breadcrumb_bar_is_on_all_three_pages_with_the_one_shown_marked(outlines: Outlines) -> None:
    for service in STORE.services():
        bar = {service.title: f"/{service.slug}/", "Guides": f"/{service.slug}/guides/", "Rates": rates_path(service)}
        for path in set(bar.values()) - {"/tools/rates/"}:
            links = outlines[path].links(f"{service.title} section")
            assert {link.label: link.href for link in links} == bar
            assert [link.href for link in links if link.current] == [path]


def test_deals_strip_has_the_first_four_services_but_this_one(outlines: Outlines) -> None:
    for slug in BY_SLUG:
        links = [(link.label, link.href) for link in outlines[f"/{slug}/"].links("Deals")]
        assert (slug, links) == (slug, [entry for each, entry in STRIP.items() if each != slug])


def test_article_banner_has_heading_author_day_and_subtext(outlines: Outlines) -> None:
    for service in STORE.services():
        (banner,) = outlines[f"/{service.slug}/"].of_class("banner")
        words = words_of(banner)
        assert words.startswith(f"{service.heading} {service.summary} By {service.author}. Updated on ")
        assert UPDATED.search(words)
        assert [image.get("src") for image in banner.iter("img")] == [f"/art/door-{service.slug}.svg"]


def test_second_button_of_a_banner_is_the_plan_of_its_service(outlines: Outlines, html: dict[str, str]) -> None:
    shown = {}
    for slug in BY_SLUG:
        (banner,) = outlines[f"/{slug}/"].of_class("banner")
        buttons = [link.get("href", "") for link in banner.iter("a") if "btn" in link.get("class", "").split()]
        shown[slug] = buttons[1:]
    with_link = PLANS.keys() - {"buy-to-let"}  # its banner has the form of the plan
    assert shown == {slug: [PLANS[slug]] if slug in with_link else [] for slug in BY_SLUG}
    assert {href.partition("?")[0] for href in PLANS.values()} <= html.keys()


def test_landlords_page_leads_with_the_test_of_the_rent(outlines: Outlines) -> None:
    (banner,) = outlines["/buy-to-let/"].of_class("banner")
    (form,) = banner.iter("form")
    assert (form.get("action"), form.get("method")) == (f"{PLANS['buy-to-let']}#landlord-test-answer", "get")
    assert [box.get("name") for box in form.iter("input")] == ["rent", "value", "loan"]


def test_landlord_reads_that_deals_are_for_their_own_name(outlines: Outlines) -> None:
    for path in ("/buy-to-let/", "/buy-to-let/rates/", "/buy-to-let-purchase/rates/", "/buy-to-let-remortgage/rates/"):
        assert (path, outlines[path].text().count(OWN_NAME)) == (path, 1)
    assert "borrowing in your own name;" not in outlines["/first-time-buyer/rates/"].text()


def test_first_time_buyers_see_what_a_small_deposit_costs(outlines: Outlines) -> None:
    for path in ("/first-time-buyer/", "/mortgages-first-time-buyer/"):
        (table,) = [one for one in outlines[path].first("main").iter("table") if "smaller deposit" in words_of(one)]
        rows = table.findall(".//tbody/tr")
        assert [words_of(row).partition(" deposit")[0] for row in rows] == ["With a 10%", "With a 5%"]
        assert [len(row.findall(".//*[@class='rt']")) for row in rows] == [2, 2], path
    assert outlines["/first-time-buyer/"].text().count("Representative example.") == 1
    assert "smaller deposit" not in outlines["/home-mover/"].text()


def test_calls_to_action_are_once_a_page(outlines: Outlines) -> None:
    site = STORE.site()
    ways = [f"tel:{site.tel}", "/contact/", site.social.whatsapp, "/questionnaire/"]
    for path in (*(f"/{slug}/" for slug in BY_SLUG), "/mortgage-broker-ealing/", "/about-us/", "/remortgages/"):
        side = outlines[path].named("Speak to us")
        for words in (f"Call us on {site.phone}", "Request a callback", "Submit the form"):
            assert (path, words in words_of(side)) == (path, True)
        assert (path, addresses(side)) == (path, ways)
        assert (path, outlines[path].of_class("callband")) == (path, [])
    for path in ("/", "/tools/rates/", "/tools/calculators/"):
        end = outlines[path].named("next-step")
        assert (path, set(addresses(end))) == (path, set(ways) - {site.social.whatsapp})
        assert NEXT_STEP in words_of(end), path


def test_side_stays_in_view_and_offers_free_remortgage_advice(outlines: Outlines) -> None:
    for path in ("/remortgaging/", "/lenders/halifax/", "/lenders/halifax/2-years-fixed/"):
        side = outlines[path].named("Speak to us")
        assert "stick" in side.get("class", "").split(), path
        assert words_of(side).startswith("Free remortgage advice "), path


def test_lowest_rates_say_what_they_are_based_on(outlines: Outlines) -> None:
    words = "Based on value of £200,000 at 50% LTV"
    with_rates = {slug for slug in BY_SLUG if words in outlines[f"/{slug}/"].text()}
    assert (with_rates, words in outlines["/"].text()) == (BY_SLUG.keys() & CUSTOMERS.keys(), True)
    for path in ("/", *(f"/{slug}/" for slug in with_rates)):
        shown = [one for one in outlines[path].first("main").iter() if "data-product" in one.attrib]
        assert (path, len(shown)) == (path, 3)


def test_calculators_are_those_that_the_page_lists(outlines: Outlines) -> None:
    for slug, service in BY_SLUG.items():
        listed = [calculator.slug for calculator in calculators_of_page(service.calculators, page=slug)]
        assert (slug, calculators_of(outlines[f"/{slug}/"])) == (slug, listed)
    shown = {slug for slug in SERVICES if "contractor" in calculators_of(outlines[f"/{slug}/"])}
    assert shown == {slug for slug, service in BY_SLUG.items() if "contractor" in service.calculators} == {CONTRACTOR}


def test_page_of_calculators_lists_each_once_in_four_titled_groups_with_a_drawing(outlines: Outlines) -> None:
    groups = outlines["/tools/calculators/"].of_class("grp")
    assert [words_of(next(group.iter("h2"))) for group in groups] == list(GROUP_TITLES.values())
    assert [len(list(group.iter("img"))) for group in groups] == [1] * len(groups)
    listed = [link.get("href") for group in groups for link in group.iter("a")]
    assert listed == [routes.calculator(each.slug) for each in active_calculators(())]
    assert outlines["/tools/calculators/"].of_class("calc") == []


def test_contractor_page_has_contractor_picked_for_both_applicants(outlines: Outlines) -> None:
    for slug in (CONTRACTOR, "self-employed"):
        options = outlines[f"/{slug}/"].first("main").iter("option")
        picked = [words_of(option) for option in options if "selected" in option.attrib]
        assert (slug, picked == ["Contractor", "Contractor"], len(picked)) == (slug, slug == CONTRACTOR, 2)


def test_questions_and_the_disclaimer_stand_at_the_foot(outlines: Outlines) -> None:
    for slug, service in BY_SLUG.items():
        questions = [words_of(one) for one in outlines[f"/{slug}/"].named("questions").iter("summary")]
        assert (slug, questions) == (slug, [faq.question for faq in service.faqs])
        assert len(questions) >= 6, slug
        for path in (f"/{slug}/", f"/{slug}/guides/"):
            warning = service.footer_disclaimer and words_of(Outline(service.footer_disclaimer).first("p"))
            assert warning in outlines[path].text(), path


def test_service_links_to_its_main_guide_and_shows_six_of_its_own(outlines: Outlines) -> None:
    for slug, service in BY_SLUG.items():
        links = addresses(outlines[f"/{slug}/"].first("main"))
        assert (slug, f"/mortgage-guides/{slug}-guide/" in links) == (slug, True)
        (slides,) = outlines[f"/{slug}/"].identified("guides-slides")
        assert (slug, addresses(slides)) == (slug, [f"/mortgage-guides/{url}/" for url in service.guides])


def test_list_of_guides_says_the_specified_words(outlines: Outlines) -> None:
    for slug in BY_SLUG:
        page = outlines[f"/{slug}/guides/"]
        assert page.words("h2").count("Not ready yet ?") == 1, slug
        assert "Explore our mortgage guides and calculators" in page.text(), slug
        links = {words_of(link): link.get("href") for link in page.first("main").iter("a")}
        assert (slug, links["See more guides..."]) == (slug, "/tools/mortgage-guides/")


def test_deals_page_has_its_rates_and_the_questions_of_its_service(outlines: Outlines) -> None:
    for customer in CUSTOMERS:
        page, path = outlines[f"/{customer}/rates/"], f"/{customer}/rates/"
        service = next(one for one in STORE.services() if customer in one.customers)
        questions = [words_of(one) for one in page.named("questions").iter("summary")]
        assert (path, questions) == (path, [faq.question for faq in service.faqs])
        assert [link.href for link in page.links(f"{service.title} section") if link.current] == [path]
        assert page.of_class("deal"), path
