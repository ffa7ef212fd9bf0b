import json
from collections.abc import Coroutine
from functools import partial
from typing import Any

import httpx
import pytest

from broker.content.errors import ContentApiError
from broker.content.wordpress.download import CONNECTIONS, SITE_DATA, listed, lists_of, pages_by_slug
from tests.unit.content.wordpress.answering import RECORDED, body, client, recorded, recording, replied, run

QUERY = "{ services { nodes { slug } } }"

FINE = {
    *("extra_seo_ok", "extra_seo_not_found", "extra_seo_never_saved", "site_data_ok", "lender_page", "faqs"),
    *("category_17_pages", "category_missing", "cross_origin_post", "date_picker", "error_unauthorised_field"),
    *("first_1000_debug", "get_request", "menu_default_first", "menu_first_1000_capped", "menu_nested_children"),
    *("menu_unassigned_location", "page_by_uri", "part_footers", "part_menu_footer_legal", "part_menu_footer_menu"),
    *("part_menu_main_menu", "part_menu_services_menu", "part_menu_sitemap_menu", "part_pages_category_17"),
    *("part_pages_category_19", "part_post_188", "part_reviews", "part_seo_guides_edges", "part_services"),
    *("post_missing", "post_wrong_type"),
}
"""Recorded GraphQL answers that are data; all others are failures."""


def test_recorded_graphql_answer_is_data_or_an_error() -> None:
    names = sorted(path.stem for path in RECORDED.glob("graphql_*.json"))
    assert len(names) > 50
    assert [name for name in names if not is_read_as_recorded(name)] == []


def is_read_as_recorded(name: str) -> bool:
    call = client(lambda _request: recorded(name)).query(QUERY)
    try:
        data = run(call)
    except ContentApiError as error:
        is_named = (str(error), error.source) == ("Failed to fetch API", "graphql")
        return is_named and name.removeprefix("graphql_") not in FINE
    return name.removeprefix("graphql_") in FINE and data == body(name)["data"]


REASONS: dict[str, str] = {
    "rest_maintenance_503_accept_json": "answered 503 (wp_die)",
    "rest_menu_items_unauthorised": "answered 401 (rest_cannot_view)",
    "rest_no_route": "answered 404 (rest_no_route)",
    "rest_pages_pagination_beyond": "answered 400 (rest_post_invalid_page_number)",
    "rest_pages_per_page_too_large": "answered 400 (rest_invalid_param)",
    "rest_post_missing": "answered 404 (rest_post_invalid_id)",
    "rest_wrong_method": "answered 404 (rest_no_route)",
    "query_wp_error": "answered 502 (http_request_failed)",
    "faqs_wp_error": "answered 502 (http_request_failed)",
    "db_down_rest_accept_json": "answered 500 (wp_die)",
}
TREES = ("rest_pages_guide_found", "rest_pages_guide_not_found", "query_ok", "query_empty", "query_null", "faqs_null")


def answer_recorded(name: str, _request: httpx.Request) -> httpx.Response:
    return recorded(name)


def fault_of(call: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(ContentApiError) as raised:
        run(call)
    return raised.value.fault


def test_recorded_rest_answer_is_a_tree_or_a_reason() -> None:
    calls = {name: client(partial(answer_recorded, name)).read("pages", "wp/v2/pages") for name in (*REASONS, *TREES)}
    assert {name: fault_of(calls[name]) for name in REASONS} == REASONS
    for name in TREES:
        assert run(calls[name])[0] == (body(name) if recording(name)["body"] else None)


BODIES: dict[str, tuple[str, Any]] = {
    "data": ('{"data": {"a": 1}}', {"a": 1}),
    "no errors in a list": ('{"errors": [], "data": {"a": 1}}', {"a": 1}),
    "errors null": ('{"errors": null, "data": {"a": 1}}', {"a": 1}),
    "data that is an empty list": ('{"data": []}', {}),
    "a warning before": ('<br />\n<b>Warning</b>: x in y<br />\n{"data": {"a": 1}}', {"a": 1}),
    "encoded twice": (json.dumps('{"data": {"a": 1}}'), {"a": 1}),
    "errors beside data": ('{"errors": [{"message": "Internal"}], "data": {"a": null}}', "Internal"),
    "errors alone": ('{"errors": [{"message": "No &amp; <b>no</b>"}]}', "No & no"),
    "errors of no shape": ('{"errors": "x", "data": {}}', "x"),
    "errors without words": ('{"errors": [{}], "data": {}}', "errors without a message"),
    "no data": ('{"extensions": {}}', "an answer without data"),
    "null": ("null", "an answer that is no object"),
    "nothing": ("", "an answer that is no object"),
    "a page": ("<!DOCTYPE html><p>Hello", "neither JSON nor empty"),
    "half": ('{"data": {', "neither JSON nor empty"),
    "too deep": ("[" * 100_000, "neither JSON nor empty"),
}


@pytest.mark.parametrize(("content", "wanted"), BODIES.values(), ids=BODIES)
def test_graphql_body_gives_data_or_a_reason(content: str, wanted: Any) -> None:
    call = client(lambda _request: replied(content)).query(QUERY)
    assert (run(call) if isinstance(wanted, dict) else fault_of(call)) == wanted


REST: dict[str, tuple[int, str, Any]] = {
    "a list": (200, "[]", []),
    "PHP's null": (200, "", None),
    "false": (200, "false", False),
    "an error with status 200": (200, '{"code": "x", "message": "m", "data": {"status": 500}}', "answered 200 (x)"),
    "no route": (404, '{"code": "gone", "message": "m", "data": {"status": 404}}', "answered 404 (gone)"),
    "a redirect": (302, "", "answered 302"),
    "a gateway": (502, "<html>", "answered 502"),
}


@pytest.mark.parametrize(("status", "content", "wanted"), REST.values(), ids=REST)
def test_rest_answer_gives_a_tree_or_a_reason(status: int, content: str, wanted: Any) -> None:
    headers = {"Location": "https://elsewhere.test/"} if status == 302 else None
    call = client(lambda _request: replied(content, status, headers)).read("pages", "wp/v2/pages")
    assert (fault_of(call) if isinstance(wanted, str) else run(call)[0]) == wanted


def test_call_that_posts_is_retried_too() -> None:
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        if len(paths) == 1:
            raise httpx.ReadError("x")
        return replied('{"data": {}}')

    assert run(client(answer).query(QUERY)) == {}
    assert paths == ["/api/graphql"] * 2


def test_answer_that_does_not_come_or_is_too_long_is_a_reason() -> None:
    def lost(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("x")

    assert fault_of(client(lost).query(QUERY)) == "no answer in time (ReadTimeout)"
    capped = client(lambda _request: replied(" " * 101), max_bytes=100, max_image_bytes=50)
    assert fault_of(capped.read("query", "query/v2/get")) == "a body above 100 bytes"
    assert fault_of(capped.picture("/a.png")) == "a body above 50 bytes"
    assert fault_of(capped.picture("/a\x01.png")) == "the connection failed (InvalidURL)"


def test_image_of_another_host_is_refused() -> None:
    for address in ("https://elsewhere.test/a.png", "file:///etc/passwd", "https://[", "//b.test/a.png"):
        assert fault_of(client(lambda _request: replied(b"x")).picture(address)) == "is on another host"


def numbered(request: httpx.Request) -> httpx.Response:
    query = json.loads(request.content)
    after = int(query["variables"].get("after") or 0)
    rows = [{"slug": f"s{number}"} for number in range(after, min(after + 100, 250))]
    page = {"hasNextPage": after + 100 < 250, "endCursor": str(after + 100)}
    return replied(json.dumps({"data": {"services": {"nodes": rows, "pageInfo": page}}}))


def test_graphql_list_is_read_to_its_end_and_refused_without_one() -> None:
    data = run(lists_of(client(numbered), SITE_DATA, connections=CONNECTIONS))
    assert [row["slug"] for row in data["services"]] == [f"s{number}" for number in range(250)]
    assert data["mainMenu"] == []
    endless = '{"data": {"reviews": {"nodes": [], "pageInfo": {"hasNextPage": true, "endCursor": "x"}}}}'
    stuck = client(lambda _request: replied(endless))
    assert fault_of(lists_of(stuck, SITE_DATA, connections=CONNECTIONS)) == "reviews does not end"


@pytest.mark.parametrize("counted", [True, False])
def test_rest_list_is_read_to_its_end(counted: bool) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        place = int(request.url.params["page"])
        rows = [{"id": number, "slug": str(number)} for number in range((place - 1) * 100, min(place * 100, 107))]
        return replied(json.dumps(rows), headers={"X-WP-TotalPages": "2"} if counted else None)

    assert len(run(listed(client(answer), "pages", path="wp/v2/pages"))) == 107
    rows = json.dumps([{"id": number, "slug": str(number)} for number in range(100)])
    assert len(run(listed(client(lambda _request: replied(rows)), "pages", path="wp/v2/pages"))) == 100


def test_guide_page_of_a_type_is_found_or_not() -> None:
    pages = {"guide_found": ["first-time-buyer-guide"], "guide_not_found": [], "slug_empty": []}
    for name, slugs in pages.items():
        found = run(pages_by_slug(client(partial(answer_recorded, f"rest_pages_{name}")), "first-time-buyer-guide"))
        assert [page["slug"] for page in found] == slugs
