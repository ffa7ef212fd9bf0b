"""The menus of the content, line by line: the lists of specification 2, and entries of ours."""

import pytest

from broker.content.menus import canonical
from broker.content.models.menu import Menu, MenuItem
from tests.our_content import STORE
from tests.unit.content.addresses import addresses

SPECIFIED = {
    "main": """
        Home /home/
        Services
        - First Time Buyer /first-time-buyer/
        - Remortgage /remortgaging/
        - Buy to let /buy-to-let/
        - Home Mover /home-mover/
        - Insurance /protection-needs/
        - Contractor /contractor-mortgage/
        - Self-employed /self-employed/
        Tools
        - Mortgage Rates /rates/
        - Mortgage Calculators /calculators/
        - Buying Plan /plan/buying/
        - Remortgage Plan /plan/remortgaging/
        - Mortgage Guides
        -- All Mortgage Guides /mortgage-guide-home/
        - Mortgage Lenders /lenders/
        - Mortgage FAQs /mortgage-faqs/
        - My Local Mortgage Broker /local-mortgage-broker/
        More
        - About Us /about-us/
        - Contact Us /contact/
        - Client Feedback /client-reviews/
        - Join Us /join-us/
        Client Login https://portal.hearthgate.example/ _blank
    """,
    "services": """
        First Time Buyer /first-time-buyer/
        Remortgage /remortgaging/
        Buy to let /buy-to-let/
        Home Mover /home-mover/
        Insurance /protection-needs/
        Contractor Mortgage /contractor-mortgage/
        Self-employed /self-employed/
    """,
    "footer": """
        Home /promotion/home/
        Calculators /promotion/calculators/
        Contact /promotion/contact/
        Terms Of Business /promotion/terms-of-business/
        Privacy Notice /promotion/privacy-notice/
        Cookie Policy /promotion/cookie-policy/
        Complaints Procedure /promotion/complaints-procedure/
        Accessibility /promotion/accessibility/
    """,
    "promotion_services": """
        First Time Buyer /promotion/first-time-buyer/
        Remortgage /promotion/remortgaging/
        Buy to let /promotion/buy-to-let/
        Home Mover /promotion/home-mover/
    """,
    "sitemap": """
        Mortgage Rates /rates/
        Mortgage Calculators /calculators/
        About Us /about-us/
        Useful Information /useful-information/
        Privacy Notice /privacy-notice/
        Cookie Policy /cookie-policy/
        Complaints Procedure /complaints-procedure/
        Terms Of Business /terms-of-business/
        Contact Us /contact/
        Client Feedback /client-reviews/
        Join Us /join-us/
        Mortgage Guides /mortgage-guide-home/
        Mortgage FAQs /mortgage-faqs/
    """,
}
"""Entries of each menu: dashes for depth, label, path, target."""


def every_item(items: tuple[MenuItem, ...], depth: int = 0) -> list[tuple[int, MenuItem]]:
    return [found for item in items for found in ((depth, item), *every_item(item.children, depth + 1))]


@pytest.mark.parametrize("name", SPECIFIED)
def test_menu_is_the_specified_list_of_links_that_have_a_page(name: str) -> None:
    menu: Menu = getattr(STORE.menus(), name)
    items = every_item(menu.items)
    lines = [" ".join(filter(None, ("-" * depth, item.label, item.path, item.target))) for depth, item in items]
    assert lines == [line.strip() for line in SPECIFIED[name].strip().splitlines()]
    paths = [item.path for _, item in items if item.path.startswith("/")]
    assert [path for path in paths if canonical(path) not in addresses(STORE)] == []


def test_children_name_the_group_they_stand_in() -> None:
    assert (main := STORE.menus().main)
    assert {child.parent for item in main.items for child in item.children} == {"services", "tools", "more"}
