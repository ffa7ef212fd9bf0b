"""Menu paths become canonical links, and groups of groups become links."""

import pytest

from broker.content.models.menu import MenuItem
from broker.presenters.menus import MenuLink, canonical, menu_links


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/home/", "/"),
        ("/", "/"),
        ("/rates/", "/tools/rates/"),
        ("/calculators/", "/tools/calculators/"),
        ("/mortgage-faqs/", "/tools/mortgage-faqs/"),
        ("/mortgage-guide-home/", "/tools/mortgage-guides/"),
        ("/local-mortgage-broker/", "/mortgage-broker-near-me/"),
        ("/tools/rates/", "/tools/rates/"),
        ("/first-time-buyer/", "/first-time-buyer/"),
        ("/first-time-buyer", "/first-time-buyer/"),
        ("/promotion/rates", "/tools/rates/"),
        ("/promotion/home/", "/"),
        ("/promotion/calculators/", "/tools/calculators/"),
        ("/promotion/contact/", "/contact/"),
        ("/promotion/", "/"),
        ("/api/about-us/", "/about-us/"),
        ("/api/home", "/"),
        ("/api/promotion/rates/", "/tools/rates/"),
        ("/promotions/", "/promotions/"),
        ("/rates/?term=30#list", "/tools/rates/?term=30#list"),
        ("https://portal.hearthgate.example/", "https://portal.hearthgate.example/"),
        ("https://portal.hearthgate.example/rates", "https://portal.hearthgate.example/rates"),
    ],
)
def test_canonical_is_where_a_menu_path_lives(path: str, link: str) -> None:
    assert canonical(path) == canonical(link) == link


def test_menu_links_keep_groups_and_turn_inner_groups_into_links() -> None:
    every = MenuItem(id="all", label="All", path="/mortgage-guide-home/")
    guides = MenuItem(id="guides", label="Guides", parent="tools", children=(every,))
    items = (
        MenuItem(id="tools", label="Tools", children=(MenuItem(id="rates", label="Rates", path="/rates/"), guides)),
        MenuItem(id="login", label="Client Login", path="https://portal.example/", target="_blank"),
    )
    links = (MenuLink(label="Rates", href="/tools/rates/"), MenuLink(label="Guides", href="/tools/mortgage-guides/"))
    assert menu_links(items) == (
        MenuLink(label="Tools", href="", links=links),
        MenuLink(label="Client Login", href="https://portal.example/", new_tab=True),
    )
