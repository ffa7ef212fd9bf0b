"""A whole site from a snapshot: WordPress answers over real HTTP and is copied, every page is drawn from the copy."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from broker import routes
from broker.content.snapshot.snapshot_folder import pictures_folder, snapshot_folder
from broker.content.source import content_store
from broker.content.store import ContentStore
from broker.content.sync import LENDERS, read_lender_slugs, sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.images import image_size
from broker.lenders.directory import known_lenders
from broker.server.pictures import content_drawings, draw
from broker.settings import ROOT, Settings
from tests.integration.drawn_site import HALIFAX, Drawn, drawn_site
from tests.our_content import STORE
from tests.standin import running
from tests.standin.market import photograph

Site = dict[str, Drawn]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, list[str]]]:
    """Yield the settings of a site whose content was copied, and what the copying said."""
    said: list[str] = []
    with running() as standin:
        settings = Settings(state_dir=tmp_path_factory.mktemp("state"), api_url=standin.url)
        client, lenders = (
            WordPressClient(WordPressSettings(api_url=standin.url)),
            read_lender_slugs(settings.data_dir / LENDERS),
        )
        assert sync(client, STORE, to=snapshot_folder(settings), report=said.append, lenders=lenders)
    yield settings, said


@pytest.fixture(scope="module")
def store(copied: tuple[Settings, list[str]]) -> ContentStore:
    return content_store(copied[0])


@pytest.fixture(scope="module")
def drawn(store: ContentStore) -> tuple[Site, set[str]]:
    return drawn_site(store)


@pytest.fixture(scope="module")
def site(drawn: tuple[Site, set[str]]) -> Site:
    return drawn[0]


def _page(link: str) -> str:
    """Return the path of the page that a link leads to, or whose PDF it is."""
    return urlsplit(link).path.removesuffix(routes.RESULT_PDF).removesuffix(routes.COMPARISON_PDF)


def test_every_link_leads_to_a_page_of_the_site(drawn: tuple[Site, set[str]]) -> None:
    site, paths = drawn
    links = {(link, route) for route, page in site.items() for link in page.links if link.startswith("/")}
    staff = {routes.STAFF_ACCOUNT, routes.STAFF_WINDOWS, routes.STAFF_MAIL, routes.STAFF_DIARY, routes.STAFF_WATCHES}
    staff |= {routes.STAFF_LOGOS_FILE}
    paths = paths | staff | {"/desk.css"} | {routes.RATE_HISTORY, routes.RATE_HISTORY_CSV}
    pages = {(_page(link), route) for link, route in links}
    assert {(path, route) for path, route in pages if path not in paths} == set()
    assert len(site) > 100


def test_every_link_to_a_place_on_a_page_finds_it(site: Site) -> None:
    def page_anchors(page: Drawn) -> set[str]:
        return {*page.values("id"), *re.findall(r'<h[1-6] id="([^"]*)"', page.html)}

    lost = {
        (link, route)
        for route, page in site.items()
        for link in page.links
        if link.startswith(("/", "#"))
        and (found := urlsplit(link)).fragment
        and found.fragment not in page_anchors(site[found.path or route])
    }
    assert lost == set()


def test_every_picture_is_a_file_or_drawn(site: Site, store: ContentStore, copied: tuple[Settings, list[str]]) -> None:
    drawn = content_drawings(store, known_lenders([HALIFAX], store.lender_texts(), names={}))
    art = {each for page in site.values() for each in page.pictures if each.startswith("/art/")}
    assert {each for each in art if each not in drawn and not (ROOT / "assets" / each.strip("/")).is_file()} == set()
    new = ("street-luton", "tiles-luton", "lender-alder-mutual", "lender-birch-and-stone")
    assert {f"/art/{name}.svg" for name in (*new, "card-fanlight-only-wordpress-has-this")} <= art
    assert "#887000" in draw(drawn["/art/door-bridging-loans.svg"])
    shown = {each for page in site.values() for each in page.pictures if each.startswith("/content-pictures/")}
    files = {file.name for file in pictures_folder(snapshot_folder(copied[0])).iterdir()}
    assert {Path(each).name for each in shown} - files == set()
    assert len({Path(each).name.partition("-")[0] for each in shown}) == 6


def test_photograph_is_served_in_the_widths_of_its_places(site: Site, copied: tuple[Settings, list[str]]) -> None:
    pictures = {file.name: file for file in pictures_folder(snapshot_folder(copied[0])).iterdir()}
    for route in ("/first-time-buyer/", "/mortgage-broker-harrow/", "/mortgage-guides/what-is-ltv/"):
        page = site[route]
        in_banner = next(each for each in page.values("srcSet") if each.endswith(" 700w"))
        in_text = re.findall(r'<img [^>]*\bsrcset="([^"]*)"[^>]* alt="A street"', page.html)
        for srcset, widths in ((in_banner, [248, 350, 495, 700]), (in_text[0], [350, 495, 700, 990])):
            listed = dict(each.split(" ") for each in srcset.split(", "))
            assert [f"{width}w" for width in widths] == list(listed.values()), route
            for address, width in listed.items():
                size = image_size(pictures[address.removeprefix("/content-pictures/")].read_bytes())
                assert size
                assert f"{size.width}w" == width
    assert max(file.stat().st_size for file in pictures.values()) < len(photograph(2560, 1440)) / 3


def test_pictures_of_the_content_have_their_size(site: Site) -> None:
    for route, page in site.items():
        for tag in re.findall(r"<img [^>]*>", page.html):
            assert re.search(r' width="\d+" height="\d+"', tag), (route, tag)
        assert len(page.values("src")) == len(page.values("width")) == len(page.values("height")), route


def test_menus_keep_their_groups_and_lead_to_canonical_pages(site: Site, store: ContentStore) -> None:
    main = store.menus().main
    assert main
    groups = {item.label: [(child.label, child.path) for child in item.children] for item in main.items}
    assert list(groups) == ["Home", "Services", "Tools", "More", "Client Login"]
    assert groups["Services"] == [
        ("First Time Buyer", "/first-time-buyer/"),
        ("Remortgage", "/remortgaging/"),
        ("Buy to let", "/buy-to-let/"),
        ("Home Mover", "/home-mover/"),
        ("Insurance", "/protection-needs/"),
    ]
    assert [item.path for item in store.menus().footer.items][:3] == ["/", "/tools/calculators/", "/contact/"]
    assert {"First Time Buyer", "Insurance", "Client Login", "Terms Of Business"} <= set(site["/about-us/"].words)
    assert not [link for page in site.values() for link in page.links if link.startswith(("/api/", "/promotion/"))]


def test_client_login_opens_a_new_tab(site: Site) -> None:
    props = site["/about-us/"].props
    login = [index for index, prop in enumerate(props) if prop[1] == "https://portal.example.com/login"]
    assert login
    for index in login:
        assert {("target", "_blank"), ("rel", "noopener")} <= set(props[max(index - 5, 0) : index + 6])


def test_sync_reports_each_menu_entry_without_a_page(copied: tuple[Settings, list[str]]) -> None:
    said = [line for line in copied[1] if line.startswith("note: menu sitemap")]
    assert "note: menu sitemap: 'Rates page 1' leads to /rates-page-1/, where there is no page, left out" in said
    assert "note: menu sitemap: 'Deleted page' leads nowhere, left out" in said
    assert len(said) == 44


@pytest.mark.parametrize(("slug", "art"), [("harrow", "banner-pic"), ("camden", "banner-pic"), ("luton", "skyline")])
def test_town_of_either_category_has_its_page_and_its_picture(slug: str, art: str, site: Site) -> None:
    page = site[f"/mortgage-broker-{slug}/"]
    assert page.words[1] == f"Mortgage Broker {slug.title()}"
    assert art in page.values("className")
    assert f"/mortgage-broker-{slug}/" in site["/mortgage-broker-near-me/"].links


def test_service_has_the_colours_and_the_icon_of_the_content(site: Site, copied: tuple[Settings, list[str]]) -> None:
    assert '["--theme"] : "#1b6b54"' in str(site["/first-time-buyer/"].values("style"))
    assert '["--theme"] : "#887000"' in str(site["/bridging-loans/"].values("style"))
    assert '["--theme"] : "var(--mover)"' in str(site["/home-mover/"].values("style"))
    assert "note: service bridging-loans: themeColor #ffd400 is too pale for words, #887000 is shown" in copied[1]
    assert "service-icon" in site["/first-time-buyer/"].values("className")
    for route in ("/first-time-buyer/rates/", "/mortgages-first-time-buyer/"):
        assert '["--theme"] : "#1b6b54"' in str(site[route].values("style")), route


def test_service_without_questions_has_no_heading_for_them(site: Site) -> None:
    assert "Questions people ask" in site["/first-time-buyer/"].words
    assert "Questions people ask" not in site["/bridging-loans/"].words


def test_lender_pages_show_what_their_fields_choose(site: Site) -> None:
    top, buttons = site["/lenders/alder-mutual/"], site["/lenders/birch-and-stone/"]
    assert "Its three best " in top.words
    assert "Its three best " not in buttons.words
    links = ["/first-time-buyer/rates/?lender=102", "/remortgaging/rates/?lender=102"]
    for page, lender, expected in ((top, 101, []), (buttons, 102, links)):
        searches = [
            link for link in page.links if link.endswith(f"/?lender={lender}") and not link.startswith("/tools/")
        ]
        assert searches == expected
        assert {"At 60%", "Get this rate", "About", "Call us"} <= set(page.words)
        assert {"How much could I borrow?", "Monthly repayment"} <= set(page.words)
        assert "<p>Sticky text</p>" in page.html
        assert "banner-pic" in page.values("className")
    assert "Birch & Stone mortgage rates" in buttons.words
    assert {"/lenders/alder-mutual/", "/lenders/birch-and-stone/"} <= set(site["/lenders/"].links)


def test_reviews_are_those_of_the_content(site: Site, store: ContentStore) -> None:
    page = site["/client-reviews/"]
    shown = " ".join(page.words)
    assert [review.reviewer for review in store.reviews() if review.reviewer not in shown] == []
    assert {"https://reviews.example.test/facebook", "https://reviews.example.test/trustpilot"} <= set(page.links)
    assert not store.site().reviews.sample


def test_guides_carry_the_words_of_the_content(site: Site) -> None:
    guide = site["/mortgage-guides/what-is-ltv/"]
    assert "What’s “LTV”?" in guide.words
    assert "APRC < the small print" in site["/tools/mortgage-guides/"].words
    assert "Your home may be repossessed." in site["/first-time-buyer/guides/"].html
    assert "Your home may be repossessed." in site["/mortgage-guides/first-time-buyer-guide/"].html


def test_entities_are_decoded_once(site: Site) -> None:
    for route, page in site.items():
        assert not [text for text in page.words if re.search(r"&(amp|#\d+|lt|gt|quot|nbsp);", text)], route
        assert not re.search(r"&amp;(amp|#\d+|lt|gt);", page.html), route


def test_hostile_html_is_harmless(site: Site) -> None:
    page = site["/extra-page-6/"]
    assert "<p>Kept words.</p><p>Run Nowhere</p>" in page.html
    for route, each in site.items():
        assert not re.search(r"<(script|svg|iframe|form|style|object)|\son\w+=|javascript:", each.html, re.I), route
        assert not [link for link in each.links if link.lower().startswith(("javascript:", "data:"))], route


def test_data_for_search_engines_is_whole(site: Site) -> None:
    for route, page in site.items():
        assert json.loads(json.dumps(page.page.json_ld)) is not None, route
        assert page.page.title, route
        assert 0 < len(page.page.description) <= 155, route
