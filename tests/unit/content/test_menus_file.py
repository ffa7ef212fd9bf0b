"""The menus of the content, line by line, beside the lists of specification 2."""

import pytest

from broker.content.models.menu import Menu, MenuItem
from broker.presenters.menus import canonical
from tests.our_content import STORE
from tests.unit.content.addresses import addresses

MAIN = """
Home /home/
Services
- First Time Buyer /first-time-buyer/
- Remortgage /remortgaging/
- Buy to let /buy-to-let/
- Home Mover /home-mover/
- Insurance /protection-needs/
Tools
- Mortgage Rates /rates/
- Mortgage Calculators /calculators/
- Mortgage Guides
-- All Mortgage Guides /mortgage-guide-home/
- Mortgage FAQs /mortgage-faqs/
- My Local Mortgage Broker /local-mortgage-broker/
More
- About Us /about-us/
- Contact Us /contact/
- Client Feedback /client-reviews/
- Join Us /join-us/
Client Login https://portal.hearthgate.example/ _blank
"""
SERVICES = """
First Time Buyer /first-time-buyer/
Remortgage /remortgaging/
Buy to let /buy-to-let/
Home Mover /home-mover/
Insurance /protection-needs/
Contractor Mortgage /contractor-mortgage/
Self-employed /self-employed/
"""
FOOTER = """
Home /promotion/home/
Calculators /promotion/calculators/
Contact /promotion/contact/
Terms Of Business /promotion/terms-of-business/
Privacy Notice /promotion/privacy-notice/
Cookie Policy /promotion/cookie-policy/
Complaints Procedure /promotion/complaints-procedure/
Accessibility /promotion/accessibility/
"""
PROMOTION_SERVICES = """
First Time Buyer /promotion/first-time-buyer/
Remortgage /promotion/remortgaging/
Buy to let /promotion/buy-to-let/
Home Mover /promotion/home-mover/
"""
SITEMAP = """
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
"""


def lines(items: tuple[MenuItem, ...], depth: int = 0) -> list[str]:
    """Write a menu as the lists above: dashes for depth, label, path, target."""
    found: list[str] = []
    for item in items:
        words = ("-" * depth, item.label, item.path, item.target)
        found.append(" ".join(word for word in words if word))
        found.extend(lines(item.children, depth + 1))
    return found


def every_item(items: tuple[MenuItem, ...]) -> list[MenuItem]:
    """List a menu's entries and those inside them."""
    return [found for item in items for found in (item, *every_item(item.children))]


@pytest.mark.parametrize(
    ("menu", "expected"),
    [
        (STORE.menus().main, MAIN),
        (STORE.menus().services, SERVICES),
        (STORE.menus().footer, FOOTER),
        (STORE.menus().promotion_services, PROMOTION_SERVICES),
        (STORE.menus().sitemap, SITEMAP),
    ],
    ids=["main", "services", "footer", "promotion services", "sitemap"],
)
def test_menu_is_the_specified_list(menu: Menu, expected: str) -> None:
    assert lines(menu.items) == expected.strip().splitlines()


def test_children_name_the_group_they_stand_in() -> None:
    main = STORE.menus().main
    assert main is not None
    parents = {child.parent for item in main.items for child in item.children}
    assert parents == {"services", "tools", "more"}


def test_every_link_of_every_menu_has_a_page() -> None:
    menus = STORE.menus()
    assert menus.main is not None
    shown = (menus.main, menus.services, menus.footer, menus.promotion_services, menus.sitemap)
    paths = [item.path for menu in shown for item in every_item(menu.items) if item.path.startswith("/")]
    assert [path for path in paths if canonical(path) not in addresses(STORE)] == []
