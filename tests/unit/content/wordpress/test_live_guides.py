"""Guides of a living WordPress one at a time: what it lists, and each read as a copy of the whole would read it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import httpx
import pytest

from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.content.wordpress import live_guides
from broker.content.wordpress.live_guides import PICTURE_LIMITS, ListedGuide, LiveGuide, LiveGuides
from broker.domain.guides import GuideCategory
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import Answering, body, client, recorded, replied, run
from tests.unit.pictures import picture

PAGE: Mapping[str, Any] = body("rest_pages_guide_found")[0]
TEXT = '<h2>Cost</h2><p onclick="x()">Dear.</p><script>alert(1)</script><img src="https://example.test/a.png">'
BANNER = "/api/wp-content/uploads/sample-banner-1024x384.jpg"
IN_TEXT, OTHER = "/api/wp-content/uploads/street.jpg", "/api/wp-content/uploads/other.jpg"
ROW = {
    "title": "Bridging & its cost",
    "seoGuides": {
        "url": "mortgage-guides/bridging-loans",
        "guideCategory": ["property"],
        "guideDescription": "What bridging costs.",
        "createdDate": "20/11/2026",
    },
}


def page(slug: str, **changes: Any) -> dict[str, Any]:
    content = {"rendered": TEXT, "protected": False}
    acf = {**PAGE["acf"], "content_section_1": "", "content_section_2": "", "banner_subtext": ""}
    link = f"https://example.test/api/mortgage-guides/{slug}/"
    return {**PAGE, "slug": slug, "link": link, "content": content, "acf": acf, "status": "publish"} | changes


def site(*rows: Mapping[str, Any], services: tuple[str, ...] = (), more: bool = False) -> str:
    guides = {"edges": [{"node": row} for row in rows], "pageInfo": {"hasNextPage": more, "endCursor": "x"}}
    kinds = {"nodes": [{"slug": slug, "title": slug} for slug in services], "pageInfo": {"hasNextPage": False}}
    return json.dumps({"data": {"seoGuidePages": guides, "services": kinds}})


def answering(listing: str, *pages: Mapping[str, Any], with_pictures: bool = False) -> Answering:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/graphql"):
            return replied(listing)
        if request.url.path in (BANNER, IN_TEXT):
            return replied(picture("JPEG", 600, 300)) if with_pictures else replied("", 502)
        if request.url.path == OTHER:
            return replied(picture("JPEG", 500, 500))
        if "slug" not in request.url.params:
            names = ("id", "slug", "modified")
            return replied(json.dumps([{name: each.get(name) for name in names} for each in pages]))
        wanted = request.url.params["slug"]
        return replied(json.dumps([each for each in pages if each["slug"] == wanted]))

    return answer


def listing_alone(answer: Callable[[], httpx.Response]) -> Answering:
    """Return what answers queries, and no page."""
    return lambda request: answer() if request.url.path.endswith("/graphql") else replied("[]")


def listed(answer: Answering) -> Mapping[str, ListedGuide]:
    return run(LiveGuides(client(answer), STORE).listed())


def read_whole(answer: Answering, entry: ListedGuide) -> LiveGuide | None:
    return run(LiveGuides(client(answer), STORE).read(entry))


def read(answer: Answering, entry: ListedGuide) -> Guide | None:
    found = read_whole(answer, entry)
    return found.guide if found else None


def test_guides_of_every_page_of_the_list_are_listed_by_their_slug() -> None:
    found = listed(listing_alone(lambda: recorded("graphql_site_data_ok")))
    types = {slug for slug, entry in found.items() if not entry.row}
    assert {"what-is-ltv", "conveyancing-basics"} <= set(found)
    assert {"first-time-buyer-guide", "buy-to-let-guide"} <= types
    assert all(entry.slug == slug for slug, entry in found.items())
    empty = {"title": "Draft", "seoGuides": {"url": None, "guideCategory": None}}
    assert set(listed(answering(site(ROW, empty, services=("insurance",))))) == {"bridging-loans", "insurance-guide"}
    pages = iter([site(ROW, more=True), site({**ROW, "seoGuides": {**ROW["seoGuides"], "url": "b"}})])
    assert set(listed(listing_alone(lambda: replied(next(pages))))) == {"bridging-loans", "b"}


def test_list_says_when_each_guide_was_saved_last() -> None:
    own, other = (
        page("bridging-loans", id=7, modified="2026-11-21T10:30:00"),
        page("insurance-guide", id=9, modified="b"),
    )
    found = listed(answering(site({**ROW, "databaseId": 7}, services=("insurance", "other")), own, other))
    saved = {slug: entry.modified for slug, entry in found.items()}
    assert saved == {"bridging-loans": "2026-11-21T10:30:00", "insurance-guide": "b", "other-guide": ""}
    for entry in (found["bridging-loans"], found["insurance-guide"]):
        assert (guide := read(answering(site(ROW), own, other), entry))
        assert guide.modified == entry.modified


def test_guide_has_the_words_of_the_list_and_the_safe_text_of_any_page() -> None:
    answer = answering(site(ROW), page("bridging-loans", modified="2026-11-21T10:30:00"))
    assert (guide := read(answer, ListedGuide(slug="bridging-loans", row=ROW)))
    words = ("bridging-loans", "Bridging & its cost", "What bridging costs.")
    assert (guide.url, guide.title, guide.description) == words
    assert (guide.created, guide.updated) == (date(2026, 11, 20), date(2026, 11, 21))
    assert guide.categories == (GuideCategory.PROPERTY,)
    assert guide.html == '<h2 id="cost">Cost</h2><p>Dear.</p>'
    elsewhere = page("bridging-loans", link="https://example.test/api/other/bridging-loans/")
    for pages in ((), (elsewhere,)):
        assert (guide := read(answering(site(ROW), *pages), ListedGuide(slug="bridging-loans", row=ROW)))
        assert guide.html == "<p>What bridging costs.</p>"


def test_guide_has_no_text_of_another_one_with_its_slug() -> None:
    others = {**ROW, "databaseId": 8, "seoGuides": {**ROW["seoGuides"], "url": "other"}}
    answer = answering(site({**ROW, "databaseId": 7}, others), page("bridging-loans", id=8))
    assert (guide := read(answer, listed(answer)["bridging-loans"]))
    assert guide.html == "<p>What bridging costs.</p>"
    own = answering(site({**ROW, "databaseId": 7}, others), page("bridging-loans", id=8), page("bridging-loans", id=7))
    assert (guide := read(own, listed(own)["bridging-loans"]))
    assert guide.html == '<h2 id="cost">Cost</h2><p>Dear.</p>'


PICTURED = f'<p>Dear.</p><p><img src="https://example.test{IN_TEXT}"><img src="https://evil.test/a.jpg" alt="b"></p>'


def test_guide_has_its_pictures_from_an_address_of_ours() -> None:
    pages = page("bridging-loans", content={"rendered": PICTURED, "protected": False})
    namesake = pages | {"id": 1, "link": "https://example.test/api/bridging-loans/"}
    namesake["content"] = {"rendered": f'<img src="https://example.test{OTHER}">', "protected": False}
    entry = ListedGuide(slug="bridging-loans", row=ROW | {"databaseId": pages["id"]})
    found = read_whole(answering(site(ROW), namesake, pages, with_pictures=True), entry)
    assert found
    assert found.banner
    assert found.banner.alt == "A row of houses (sample)"
    assert (found.banner.width, found.banner.height) == (600, 300)
    files = [file.src for file in found.banner.files]
    assert [f"/guide-pictures/bridging-loans/{name}" for name in found.files] == files
    assert found.guide.html.count("<img ") == 1
    assert set(re.findall(r"/guide-pictures/[^ \"]+", found.guide.html)) <= set(files)
    assert "evil.test" not in found.guide.html


def test_guide_whose_pictures_fail_is_there_without_them() -> None:
    pages = page("bridging-loans", content={"rendered": PICTURED, "protected": False})
    found = read_whole(answering(site(ROW), pages), ListedGuide(slug="bridging-loans", row=ROW))
    assert found
    assert (found.guide.html, found.banner, found.files) == ("<p>Dear.</p>", None, {})
    assert not found.is_late


def test_guide_whose_pictures_come_too_late_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_guides, "PICTURE_LIMITS", replace(PICTURE_LIMITS, seconds=0.0))
    pages = page("bridging-loans", content={"rendered": PICTURED, "protected": False})
    found = read_whole(answering(site(ROW), pages, with_pictures=True), ListedGuide(slug="bridging-loans", row=ROW))
    assert found
    assert (found.banner, found.files, found.is_late) == (None, {}, True)


def test_guide_of_a_service_type_is_its_page() -> None:
    kind = ListedGuide(slug="insurance-guide")
    assert (found := read(answering(site(), page("insurance-guide")), kind))
    assert (found.url, found.html) == ("insurance-guide", '<h2 id="cost">Cost</h2><p>Dear.</p>')
    assert read(answering(site()), kind) is None


@pytest.mark.parametrize("name", ["graphql_error_internal_debug", "graphql_error_syntax", "graphql_maintenance_503"])
def test_failing_service_is_an_error_and_not_an_empty_one(name: str) -> None:
    with pytest.raises(ContentApiError, match="Failed to fetch API"):
        listed(lambda _request: recorded(name))
