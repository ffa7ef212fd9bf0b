from typing import Any

import pytest

from broker.content.snapshot.snapshot import Snapshot, with_history
from broker.content.text.sanitise import element_ids
from broker.content.wordpress.broken_links import without_broken_links
from broker.content.wordpress.fields import plain_letters
from tests.our_content import STORE
from tests.unit.content.addresses import every_item
from tests.unit.content.wordpress.answering import API, answers, snapshot
from tests.unit.content.wordpress.test_front_pages import page

ABOUT, CONTACT, LTV_GUIDE, DRAFT = 1003, 1009, 1045, 7_777
"""Ids of recorded pages, and one that no published page has."""


def site_with(*pages: dict[str, Any], **site: Any) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the recorded site with further pages, which replace those at their paths."""
    links = {each["link"] for each in pages}
    others = [each for each in answers().pages if each["link"] not in links]
    found, issues = snapshot(answers(pages=[*pages, *others], site=site))
    live, ends = without_broken_links(found, STORE, lenders={})
    return with_history(live, None), (*issues, *map(str, ends))


def text_of(found: Snapshot, path: str) -> str:
    return next(str(each.html) for each in found.pages if each.path == path)


def test_link_by_id_leads_to_its_page_and_one_to_a_draft_keeps_its_words() -> None:
    links = "".join(
        f'<a href="{address}">{words}</a> '
        for address, words in (
            (f"{API}/?p={CONTACT}", "One"),
            (f"/api/?page_id={CONTACT}&preview=true#callback", "Two"),
            (f"https://example.test/api/index.php?p={LTV_GUIDE}", "Three"),
            (f"/api/?p={LTV_GUIDE}", "Four"),
            (f"/api/?p={DRAFT}", "Five"),
            ("/api/about-us/?p=2", "Six"),
        )
    )
    found, _ = site_with(page("/useful-information/", "Useful", content_section_1=f"<p>{links}</p>"))
    html = text_of(found, "/useful-information/")
    assert [part.split('"')[0] for part in html.split('href="')[1:]] == [
        "/contact/",
        "/contact/#callback",
        "/mortgage-guides/what-is-ltv/",
        "/mortgage-guides/what-is-ltv/",
        "/about-us/?p=2",
    ]
    assert "Five" in html


def entry(label: str, **changes: Any) -> dict[str, Any]:
    return {"key": label, "label": label, "path": "/api/", "url": "/api/", "connectedNode": None} | changes


def test_menu_entry_of_a_draft_goes_and_one_by_id_leads_to_its_page() -> None:
    drafted = [
        entry("Recorded"),
        entry("By url", url=f"https://example.test/api/?page_id={DRAFT}"),
        entry("By path", path=f"/api/?page_id={DRAFT}", url=f"/api/?page_id={DRAFT}"),
        entry("By preview", path=f"/?p={DRAFT}&preview=true"),
    ]
    known = entry("About us", path=f"/api/?page_id={ABOUT}")
    group = entry("Group", path="#", url="#")
    child = entry("Below", path=f"/api/?page_id={DRAFT}", parentId="Group")
    found, _ = site_with(mainMenu=[known, *drafted, group, child])
    assert found.menus.main
    assert [(item.label, item.path) for _, item in every_item(found.menus.main.items)] == [("About us", "/about-us/")]


PLAIN = {
    "caf%c3%a9-mortgages": "cafe-mortgages",
    "kredyty-łódź": "kredyty-lodz",
    "what-is-ltv": "what-is-ltv",
    "%d0%b8%d0%bf%d0%be%d1%82%d0%b5%d0%ba%d0%b0": "ипотека",
}


def test_slug_is_written_in_plain_letters() -> None:
    assert {slug: plain_letters(slug) for slug in PLAIN} == PLAIN


@pytest.mark.parametrize(
    ("slug", "decoded", "path"),
    [
        ("caf%c3%a9-mortgages", "café-mortgages", "/cafe-mortgages/"),
        ("%d0%b8%d0%bf%d0%be%d1%82%d0%b5%d0%ba%d0%b0", "ипотека", "/page-9900/"),
    ],
)
def test_page_of_a_percent_encoded_slug_has_a_path_and_is_found(slug: str, decoded: str, path: str) -> None:
    encoded = page(f"/{slug}/", "A page", content_section_1="<p>Its text.</p>") | {"id": 9_900, "slug": slug}
    links = f'<p><a href="{API}/{slug}/">One</a> <a href="/api/{decoded}/">Two</a> <a href="/api/?p=9900">Three</a></p>'
    useful = page("/useful-information/", "Useful", content_section_1=links)
    in_menu = entry("A page", path=f"/api/{slug}/", connectedNode={"node": {"uri": f"/{slug}/"}})
    found, _ = site_with(useful, encoded, sitemapMenu=[in_menu, entry("Useful", path="/api/useful-information/")])
    assert "Its text." in text_of(found, path)
    assert text_of(found, "/useful-information/").count(f'href="{path}"') == 3
    assert found.menus.sitemap.items[0].path == path
    assert found.history.moved[f"/{decoded}/"] == path


def guide(post_id: int, title: str, url: str) -> dict[str, Any]:
    fields = {"url": url, "guideCategory": ["property"], "guideDescription": f"About {title}.", "createdDate": ""}
    return {"databaseId": post_id, "title": title, "seoGuides": fields}


def test_two_guides_of_one_slug_never_mix() -> None:
    first = page("/mortgage-guides/bridging/", "First", content_section_1="<p>The first.</p>") | {"id": 71}
    second = page("/first-time-buyer/bridging/", "Second", content_section_1="<p>The second.</p>") | {"id": 72}
    rows = [guide(71, "First", "mortgage-guides/bridging"), guide(72, "Second", "bridging")]
    rows.append(guide(LTV_GUIDE, "What is LTV?", "mortgage-guides/what-is-ltv"))
    for pages in ((first, second), (second, first), (first,), (second,)):
        found, issues = site_with(*pages, seoGuidePages=rows)
        shown = [each for each in found.guides if each.url == "bridging"]
        # the oldest, which is listed last, has the url; without its page it has no other's text
        text = "<p>The second.</p>" if second in pages else "<p>About Second.</p>"
        assert [(each.title, each.html) for each in shown] == [("Second", text)]
        assert any("has the url 'bridging' of 'Second'" in issue for issue in issues)


def test_service_has_no_id_twice_and_none_that_its_page_draws() -> None:
    html = '<h2>Reviews</h2><p id="questions">One.</p><h2 id="fees">Fees</h2>'
    given = page("/remortgaging/", "Remortgage", content_section_1=html, content_section_2="<h2>Fees</h2>")
    found, _ = site_with(given)
    (service,) = (each for each in found.services if each.slug == "remortgaging")
    assert element_ids(service.section_1 + service.section_2)[:3] == ("reviews-2", "fees", "fees-2")
