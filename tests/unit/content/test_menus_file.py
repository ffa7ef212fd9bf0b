from broker.content.menus import MenuItem, canonical
from tests.our_content import STORE
from tests.unit.content.addresses import addresses


def every_item(items: tuple[MenuItem, ...], depth: int = 0) -> list[tuple[int, MenuItem]]:
    return [found for item in items for found in ((depth, item), *every_item(item.children, depth + 1))]


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
