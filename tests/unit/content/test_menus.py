import pytest

from broker.content.menus import MenuItem, MenuLink, canonical, class_names, deal_links, menu_links
from broker.pages.layout import menu_anchor
from tests.our_content import STORE
from tests.unit.content.addresses import addresses, every_item


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/home/", "/"),
        ("/", "/"),
        ("/rates/", "/tools/rates/"),
        ("/first-time-buyer/", "/first-time-buyer/"),
        ("/promotion/rates", "/tools/rates/"),
        ("/promotion/home/", "/"),
        ("/promotion/", "/"),
        ("/api/home", "/"),
        ("/promotions/", "/promotions/"),
        ("/rates/?term=30#list", "/tools/rates/?term=30#list"),
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
        MenuItem(id="login", label="Client Login", path="https://portal.example/", target="_blank", css_classes="btn"),
    )
    links = (MenuLink(label="Rates", href="/tools/rates/"), MenuLink(label="Guides", href="/tools/mortgage-guides/"))
    assert menu_links(items) == (
        MenuLink(label="Tools", href="", links=links),
        MenuLink(label="Client Login", href="https://portal.example/", new_tab=True, css_classes="btn"),
    )


def test_deal_pages_rates_of_landlords_and_lenders_are_linked() -> None:
    links = {link.href: link.label for link in deal_links(STORE.deal_pages())}
    assert links == {
        "/buy-to-let-deals/": "Buy to Let Deals",
        "/home-mover-deals/": "Home Mover Deals",
        "/mortgages-first-time-buyer/": "First Time Buyer Deals",
        "/remortgages/": "Remortgage Deals",
        "/buy-to-let-purchase/rates/": "Buy to Let Purchase Rates",
        "/buy-to-let-remortgage/rates/": "Buy to Let Remortgage Rates",
        "/lenders/": "Mortgage Lenders",
    }


def test_link_has_the_classes_of_its_entry_and_no_others() -> None:
    named = {"btn": "btn", "two of them": "", 'x" onclick="y': "", "-wide": "-wide", "9th": "", "": ""}
    assert {name: class_names([name]) for name in named} == named
    assert class_names(["btn", None, 7, "client-login"]) == "btn client-login"
    assert class_names(["btn", "9th"], prefix="cms-") == "cms-btn"
    login = MenuLink(label="Login", href="/login/", css_classes="btn client-login")
    assert 'className:"btn client-login"' in str(menu_anchor(login)).replace(" :", ":").replace(": ", ":")
    assert "className" not in str(menu_anchor(MenuLink(label="Login", href="/login/")))


def test_every_entry_of_every_menu_has_a_page() -> None:
    menus = STORE.menus()
    assert menus.main
    for menu in (menus.main, menus.services, menus.footer, menus.promotion_services, menus.sitemap):
        paths = [item.path for _, item in every_item(menu.items) if item.path.startswith("/")]
        assert paths
        assert [path for path in paths if canonical(path) not in addresses(STORE)] == []


def test_children_name_the_group_they_stand_in() -> None:
    assert (main := STORE.menus().main)
    assert {child.parent for item in main.items for child in item.children} == {"services", "tools", "more"}
