import pytest
import reflex as rx

from broker.pages.registry import DuplicateRouteError, Page, joined


def page(route: str) -> Page:
    return Page(route=route, title="A page", description="What it is.", render=rx.fragment)


def test_joined_keeps_every_page_in_order() -> None:
    families = ((page("/"), page("/a/")), (), (page("/b/"),))
    assert [one.route for one in joined(*families)] == ["/", "/a/", "/b/"]
    assert joined() == ()


def test_two_pages_at_one_route_are_refused_by_name() -> None:
    for families in ([(page("/a/"), page("/a/"))], [(page("/a/"),), (page("/b/"), page("/a/"))]):
        with pytest.raises(DuplicateRouteError, match=r"^two pages have the route /a/$"):
            joined(*families)
