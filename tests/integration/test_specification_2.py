"""Every route, redirect, menu and list of specification 2, walked through the edge over the exported site."""

from collections.abc import Iterable

import pytest
from starlette.testclient import TestClient

from broker import routes
from tests.data_pages import entries
from tests.integration.outline import Link, Outline
from tests.integration.specification_2 import (
    CLIENT_LOGIN,
    CUSTOMERS,
    DEAL_PAGES,
    FOOTER,
    FOOTER_SERVICES,
    MAIN_MENU,
    PAGES,
    REDIRECTS,
    SERVICES,
    SITEMAP,
    SUBJECTS,
    TOWNS,
)
from tests.our_content import STORE


@pytest.fixture(scope="module")
def home(web: TestClient) -> Outline:
    return outline(web, "/")


def outline(web: TestClient, path: str) -> Outline:
    answer = web.get(path)
    assert (path, answer.status_code) == (path, 200)
    return Outline(answer.text)


def headings(web: TestClient, paths: Iterable[str]) -> dict[str, str]:
    found = {path: outline(web, path).words("h1") for path in paths}
    assert {path: len(words) for path, words in found.items()} == dict.fromkeys(found, 1)
    return {path: words[0] for path, words in found.items()}


def town_path(name: str) -> str:
    return f"/mortgage-broker-{name.lower().replace(' ', '-')}/"


def test_every_page_of_its_own_answers_under_its_heading(web: TestClient) -> None:
    found = headings(web, PAGES)
    assert {path: heading for path, heading in found.items() if PAGES[path] not in heading} == {}


def test_every_service_has_its_page(web: TestClient) -> None:
    assert {service.slug: service.title for service in STORE.services()} == SERVICES
    assert headings(web, (f"/{slug}/" for slug in SERVICES)) == {
        f"/{service.slug}/": service.heading for service in STORE.services()
    }


def test_every_service_has_its_list_of_guides(web: TestClient) -> None:
    assert headings(web, (f"/{slug}/guides/" for slug in SERVICES)) == {
        f"/{slug}/guides/": f"{title} Guides" for slug, title in SERVICES.items()
    }


def test_every_customer_type_has_its_deals_page(web: TestClient) -> None:
    assert headings(web, (f"/{slug}/rates/" for slug in CUSTOMERS)) == {
        f"/{slug}/rates/": f"{title} Deals" for slug, title in CUSTOMERS.items()
    }


def test_service_without_deals_of_its_own_leads_to_the_general_search(web: TestClient) -> None:
    for slug in SERVICES.keys() - CUSTOMERS.keys():
        answer = web.get(f"/{slug}/rates/")
        assert (slug, answer.status_code, answer.headers["location"]) == (slug, 301, "/tools/rates/")


def test_every_guide_has_its_page(web: TestClient) -> None:
    guides = {routes.guide(guide.url): guide.title for guide in STORE.guides()}
    assert len(guides) >= 32
    assert headings(web, guides) == guides


def test_every_redirect_is_one_301_to_its_page(web: TestClient) -> None:
    for path, target in REDIRECTS.items():
        for address in (path, f"{path}/"):
            answer = web.get(address)
            assert (address, answer.status_code, answer.headers["location"]) == (address, 301, target)
    assert {target for target in REDIRECTS.values() if web.get(target).status_code != 200} == set()


def test_main_menu_has_its_groups_labels_and_targets(web: TestClient, home: Outline) -> None:
    expected = [(group, label, target) for group, label, _, target in MAIN_MENU]
    *links, login = [link for link in home.links("Main") if link.href != routes.SEARCH]
    found = [(link.group, link.label, link.href) for link in links]
    assert [entry for entry in found if entry in expected] == expected
    assert login == Link(group="", label=CLIENT_LOGIN, href=STORE.site().portal_url, new_tab=True)
    assert {path: web.get(path).headers.get("location", path) for _, _, path, _ in MAIN_MENU if path} == {
        path: target for _, _, path, target in MAIN_MENU if path
    }


def test_menu_of_small_screens_has_the_same_links(home: Outline) -> None:
    wide, small = ({(link.label, link.href) for link in home.links(name)} for name in ("Main", "Menu"))
    assert {pair for pair in wide if pair[1] != routes.SEARCH} <= small


def test_every_entry_of_the_sitemap_menu_has_its_page(web: TestClient) -> None:
    assert {path: web.get(path).headers.get("location", path) for path in SITEMAP} == SITEMAP
    headings(web, SITEMAP.values())


def test_every_local_page_of_the_sitemap_is_there_by_name(web: TestClient) -> None:
    found = headings(web, map(town_path, TOWNS))
    assert len(found) == 26
    assert [name for name in TOWNS if name.replace("Guilford", "Guildford") not in found[town_path(name)]] == []


def test_every_subject_and_deal_page_of_the_sitemap_is_there(web: TestClient) -> None:
    headings(web, (*map(routes.guide, SUBJECTS.values()), *DEAL_PAGES))


def test_all_of_the_sitemap_is_listed_for_people_and_for_search_engines(web: TestClient) -> None:
    listed = {
        *SITEMAP.values(),
        *map(town_path, TOWNS),
        *map(routes.guide, SUBJECTS.values()),
        *DEAL_PAGES,
        *map(routes.service, SERVICES),
    }
    written = {entry.path for entry in entries()}
    people = {link.get("href", "") for link in outline(web, routes.SITE_MAP).first("main").iter("a")}
    assert listed - written == set()
    assert listed - people == set()


@pytest.mark.parametrize(("menu", "listed"), [("Company", FOOTER), ("Services", FOOTER_SERVICES)])
def test_footer_has_its_links_without_their_prefix(
    web: TestClient, home: Outline, menu: str, listed: tuple[tuple[str, str, str], ...]
) -> None:
    expected = [(label, target) for label, _, target in listed]
    links = [(link.label, link.href) for link in home.links(menu)]
    assert [entry for entry in links if entry in expected] == expected
    answers = {path: web.get(path) for _, path, _ in listed}
    assert {path: (answer.status_code, answer.headers["location"]) for path, answer in answers.items()} == {
        path: (301, target) for _, path, target in listed
    }


def test_every_page_has_the_same_footer(web: TestClient, home: Outline) -> None:
    for path in ("/contact/", "/remortgaging/", "/tools/rates/", "/mortgage-broker-ealing/", "/lenders/halifax/"):
        page = outline(web, path)
        for menu in ("Company", "Services", "Tools"):
            assert page.links(menu) == home.links(menu)
