"""Every element that specification 2 wants of a service page, its guides and its deals, read from the export."""

import re
from pathlib import Path

import pytest

from broker.content.models.pages import Service
from broker.domain.calculators.registry import CALCULATORS, calculators_of_page
from broker.web.export.finish import pages
from tests.integration.outline import Outline, addresses, words_of
from tests.integration.specification_2 import CUSTOMERS, SERVICES
from tests.our_content import STORE

BY_SLUG = {service.slug: service for service in STORE.services()}
CONTRACTOR = "contractor-mortgage"

STRIP = {
    # the first four of the services menu: words, address
    "first-time-buyer": ("First Time Buyer Deals", "/first-time-buyer/rates/"),
    "remortgaging": ("Remortgage Deals", "/remortgaging/rates/"),
    "buy-to-let": ("Buy to let Deals", "/buy-to-let/rates/"),
    "home-mover": ("Home Mover Deals", "/home-mover/rates/"),
}
NEXT_STEP = (
    "Next Step: If you are ready for a mortgage, get in touch with our advisers, we will find the best mortgage deal "
    "suitable for you."
)
UPDATED = re.compile(
    r"Updated on [1-9]\d?\ (January|February|March|April|May|June|July|August|September|October|"
    r"November|December), 20\d\d"
)

each_service = pytest.mark.parametrize("service", STORE.services(), ids=lambda service: service.slug)


@pytest.fixture(scope="module")
def outlines(site: Path) -> dict[str, Outline]:
    """The pages that this module looks at, parsed, by path."""
    wanted = (
        "/tools/calculators/",
        "/lenders/halifax/",
        "/lenders/halifax/2-years-fixed/",
        "/tools/rates/",
        *(f"/{slug}{end}" for slug in {**SERVICES, **CUSTOMERS} for end in ("/", "/guides/", "/rates/")),
    )
    files = pages(site)
    return {path: Outline(files[path].read_text("utf-8")) for path in wanted if path in files}


def rates_path(service: Service) -> str:
    """Return the deals page that the bar of a service leads to."""
    return f"/{service.slug}/rates/" if service.slug in CUSTOMERS else "/tools/rates/"


def calculators_of(page: Outline) -> list[str]:
    """Return the calculators that a page shows, by slug; on the contractor page their ids begin with its own name."""
    slugs = [calculator.slug for calculator in CALCULATORS]
    return [slug for slug in slugs if page.identified(slug) or page.identified(f"contractor-page-{slug}")]


@each_service
def test_breadcrumb_bar_is_on_all_three_pages_with_the_one_shown_marked(
    outlines: dict[str, Outline], service: Service
) -> None:
    bar = {service.title: f"/{service.slug}/", "Guides": f"/{service.slug}/guides/", "Rates": rates_path(service)}
    for path in bar.values():
        if path != "/tools/rates/":
            links = outlines[path].links(f"{service.title} section")
            assert {link.label: link.href for link in links} == bar
            assert [link.href for link in links if link.current] == [path]


@each_service
def test_deals_strip_has_the_first_four_services_but_this_one(outlines: dict[str, Outline], service: Service) -> None:
    links = outlines[f"/{service.slug}/"].links("Deals")
    assert [(link.label, link.href) for link in links] == [
        entry for slug, entry in STRIP.items() if slug != service.slug
    ]


@each_service
def test_article_banner_has_heading_author_day_and_subtext(outlines: dict[str, Outline], service: Service) -> None:
    (banner,) = outlines[f"/{service.slug}/"].of_class("banner")
    words = words_of(banner)
    assert words.startswith(f"{service.title} {service.summary} By {service.author}. Updated on ")
    assert UPDATED.search(words)
    assert [image.get("src") for image in banner.iter("img")] == [f"/art/door-{service.slug}.svg"]


@each_service
def test_calls_to_action_are_at_the_side_and_at_the_end(outlines: dict[str, Outline], service: Service) -> None:
    page, site = outlines[f"/{service.slug}/"], STORE.site()
    side, end = page.named("Speak to us"), page.named("next-step")
    for words in (f"Call us on {site.phone}", "Request a callback", "Submit the form"):
        assert words in words_of(side)
        assert words in words_of(end)
    ways = [f"tel:{site.tel}", "/contact/", site.social.whatsapp, "/questionnaire/"]
    assert addresses(side) == ways
    assert set(addresses(end)) == set(ways) - {site.social.whatsapp}
    assert NEXT_STEP in words_of(end)


@pytest.mark.parametrize("path", ["/remortgaging/", "/lenders/halifax/", "/lenders/halifax/2-years-fixed/"])
def test_side_stays_in_view_and_offers_free_remortgage_advice(outlines: dict[str, Outline], path: str) -> None:
    side = outlines[path].named("Speak to us")
    assert "stick" in side.get("class", "").split()
    assert words_of(side).startswith("Free remortgage advice ")


@each_service
def test_lowest_rates_say_what_they_are_based_on(outlines: dict[str, Outline], service: Service) -> None:
    text = outlines[f"/{service.slug}/"].text()
    assert ("Based on value of £200,000 at 50% LTV" in text) == (service.slug in CUSTOMERS)


@each_service
def test_calculators_are_those_that_the_page_lists(outlines: dict[str, Outline], service: Service) -> None:
    page = outlines[f"/{service.slug}/"]
    assert calculators_of(page) == [
        calculator.slug for calculator in calculators_of_page(service.calculators, page=service.slug)
    ]
    assert page.of_class("calcs") == []


def test_contractor_calculator_stands_only_where_it_is_listed(outlines: dict[str, Outline]) -> None:
    shown = {slug for slug in SERVICES if "contractor" in calculators_of(outlines[f"/{slug}/"])}
    assert shown == {slug for slug, service in BY_SLUG.items() if "contractor" in service.calculators} == {CONTRACTOR}


def test_page_of_calculators_has_two_columns_of_them_all(outlines: dict[str, Outline]) -> None:
    (columns,) = outlines["/tools/calculators/"].of_class("calcs")
    assert len(columns) == 2
    assert [
        len([one for one in column.iter() if one.get("id") in {each.slug for each in CALCULATORS}])
        for column in columns
    ] == [4, 3]


@pytest.mark.parametrize(("slug", "kinds"), [(CONTRACTOR, ["Contractor"] * 2), ("self-employed", None)])
def test_contractor_page_has_contractor_picked_for_both_applicants(
    outlines: dict[str, Outline], slug: str, kinds: list[str] | None
) -> None:
    picked = [
        words_of(option) for option in outlines[f"/{slug}/"].first("main").iter("option") if "selected" in option.attrib
    ]
    assert (picked == ["Contractor", "Contractor"]) == (kinds is not None)
    assert len(picked) == 2


@each_service
def test_questions_and_the_disclaimer_stand_at_the_foot(outlines: dict[str, Outline], service: Service) -> None:
    page = outlines[f"/{service.slug}/"]
    asked = [words_of(one) for one in page.named("questions").iter("summary")]
    assert asked == [faq.question for faq in service.faqs]
    assert len(asked) >= 6
    for path in (f"/{service.slug}/", f"/{service.slug}/guides/"):
        assert words_of(Outline(service.footer_disclaimer).first("p")) in outlines[path].text()


@each_service
def test_list_of_guides_says_the_specified_words(outlines: dict[str, Outline], service: Service) -> None:
    page = outlines[f"/{service.slug}/guides/"]
    assert [word for word in page.words("h2") if word == "Not ready yet ?"] == ["Not ready yet ?"]
    assert "Explore our mortgage guides and calculators" in page.text()
    links = {words_of(link): link.get("href") for link in page.first("main").iter("a")}
    assert links["See more guides..."] == "/tools/mortgage-guides/"


@pytest.mark.parametrize("customer", CUSTOMERS)
def test_deals_page_has_its_rates_and_the_questions_of_its_service(outlines: dict[str, Outline], customer: str) -> None:
    page = outlines[f"/{customer}/rates/"]
    service = next(one for one in STORE.services() if customer in one.customers)
    assert [words_of(one) for one in page.named("questions").iter("summary")] == [faq.question for faq in service.faqs]
    assert [link.href for link in page.links(f"{service.title} section") if link.current] == [f"/{customer}/rates/"]
    assert page.of_class("deal")
