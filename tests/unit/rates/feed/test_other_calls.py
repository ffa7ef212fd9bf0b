import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from broker.rates.feed.client import LENDERS, LOGOS, SAVED_LENDERS, SAVED_LTV_RATES, SAVED_RATES, FeedClient
from broker.rates.feed.errors import FeedFaultError, FeedParseError
from broker.rates.feed.lenders import MAX_LOGO_BYTES, Logo, LogoFault, fetch_lenders, fetch_logos, parse_logo
from broker.rates.feed.response_tree import Tree
from broker.rates.feed.saved_rates import (
    SavedRatesRequest,
    fetch_saved_lenders,
    fetch_saved_ltv_rates,
    fetch_saved_rates,
    parse_saved_ltv_rates,
    parse_saved_rates,
    request_saved_rates,
)
from broker.rates.feed.site_content import fetch_faqs, parse_faqs
from tests.unit.pictures import GIF, JPEG, PNG, WEBP, picture, png_header
from tests.unit.rates.feed.answers import answer, body, fault, row
from tests.unit.rates.feed.recorded import AT, client, read_as, recorded, replied

ORDERS = (
    SavedRatesRequest(lender_id=101, value="first-time-buyer", ltv=50, count=3),
    SavedRatesRequest(lender_id=102, value="remortgaging", ltv=75, count=3),
)
API, PROMOTION = "https://feed.example/api/wp-json", "https://feed.example/promotion/wp-json"

SENT: dict[str, tuple[Callable[[FeedClient], Awaitable[Any]], tuple[str, str, str]]] = {
    "2 FAQs": (fetch_faqs, ("GET", f"{API}/faqs/v1/get", "")),
    "3 saved rates": (fetch_saved_rates, ("POST", f"{API}/get_saved_rates/v2/get", "")),
    "4 saved rates by LTV": (fetch_saved_ltv_rates, ("POST", f"{API}/get_saved_ltv_rates/v1/get", "")),
    "4 saved rates by LTV of a lender": (
        lambda feed: fetch_saved_ltv_rates(feed, lender_id=103),
        ("POST", f"{API}/get_saved_ltv_rates/v1/get", recorded("get_saved_ltv_rates_lender").request["body"]),
    ),
    "6 an order": (
        lambda feed: request_saved_rates(feed, ORDERS),
        ("POST", f"{API}/get_saved_rates/v2/service", recorded("saved_rates_service_indexed").request["body"]),
    ),
    "9 lenders": (fetch_lenders, ("POST", f"{PROMOTION}/get_lenders/v1/get", "")),
    "10 logos": (
        lambda feed: fetch_logos(feed, (101, 102, 107)),
        ("POST", "https://feed.example" + recorded("get_logos_ok").request["path"], ""),
    ),
    "11 saved lenders": (fetch_saved_lenders, ("POST", f"{PROMOTION}/get_saved_lenders/v1/get", "")),
}


@pytest.mark.parametrize(("make", "wanted"), SENT.values(), ids=SENT)
def test_call_is_sent_as_specified(make: Callable[[FeedClient], Awaitable[Any]], wanted: tuple[str, str, str]) -> None:
    sent: list[tuple[str, str, str]] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append((request.method, str(request.url), request.content.decode()))
        return replied(b"")

    async def run() -> None:
        await make(client(respond))

    asyncio.run(run())
    assert sent == [wanted]


def test_saved_rates_keep_the_types_that_can_be_read() -> None:
    tree = {
        "first-time-buyer": answer([row()]),
        "home-mover": answer(row()),
        "remortgaging": fault("Invalid LTV"),
        "buy-to-let": False,
        "remortgage": {},
        "Bad <b>": answer([row()]),
        "buy-to-let-purchase": {"x": "y"},
    }
    saved = read_as(SAVED_RATES, 200, body=body(tree))
    assert {kind: len(reading.products) for kind, reading in saved.by_type.items()} == {
        "first-time-buyer": 1,
        "home-mover": 1,
        "remortgage": 0,
    }
    assert saved.problems == {
        "remortgaging": "get_saved_rates: fault: Invalid LTV",
        "buy-to-let": "get_saved_rates: answered false",
        "buy-to-let-purchase": "get_saved_rates: an answer without GetSchemesExResponse",
    }

    trees: list[Tree] = [["a"], "a", {"A B": {}}]
    for tree in trees:
        with pytest.raises(FeedParseError):
            parse_saved_rates(tree, read_at=AT)


FIRST, SECOND = row(Note="first"), row(Note="second", InitialRate="4.50")
LTV_SHAPES: dict[str, Any] = {
    "by lender, then LTV": {"103": {"50": answer([FIRST, SECOND])}},
    "by LTV": {"50": answer([FIRST, SECOND])},
    "by LTV, plain lists": {"50": [FIRST, SECOND]},
    "by LTV, lists with gaps": {"50": {"0": FIRST, "4": SECOND}},
    "by lender, plain lists": {"103": {"50": [FIRST, SECOND]}},
    "under a name": {"rates": {"50": [FIRST, SECOND]}},
    "entries with ltv": [{"ltv": "50", "rates": [FIRST, SECOND]}, {"ltv": "75", "rates": []}],
    "entries with ltv and an answer": [{"lenderId": "103", "ltv": 50, "data": answer([FIRST, SECOND])}],
    "rows with ltv": [{"ltv": "50", **FIRST}, {"ltv": "50", **SECOND}],
}


def test_saved_ltv_rates_are_read_in_every_shape() -> None:
    saved = {name: read_as(SAVED_LTV_RATES, 200, body=body(tree)) for name, tree in LTV_SHAPES.items()}
    titles = {name: [product.title for product in rates.by_lender[103][50]] for name, rates in saved.items()}
    assert titles == {name: ["first", "second"] for name in LTV_SHAPES}


def test_lists_of_call_4_are_in_rate_order_and_faults_are_counted() -> None:
    rows = [row(Note=str(place), InitialRate=f"4.{place}") for place in range(5, 0, -1)]
    saved = parse_saved_ltv_rates({"103": {"50": answer(rows)}}, read_at=AT)
    assert [product.title for product in saved.by_lender[103][50]] == ["1", "2", "3", "4", "5"]
    assert parse_saved_ltv_rates({"50": answer([FIRST]), "75": fault("x")}, read_at=AT).faults == 1
    with pytest.raises(FeedFaultError):
        parse_saved_ltv_rates({"50": fault("x"), "75": fault("x")}, read_at=AT)
    with pytest.raises(FeedParseError):
        parse_saved_ltv_rates("soon", read_at=AT)


def test_lenders_come_as_xml_too_and_an_error_code_is_a_fault() -> None:
    xml = (
        '<s:Envelope xmlns:s="http://x/s"><s:Body><GetLenderListResponse xmlns="http://x/m">'
        '<Lenders xmlns:a="http://x/a"><a:MBLender><a:ID>0042</a:ID><a:Name>Tom &amp; Co</a:Name></a:MBLender>'
        "<a:MBLender><a:ID>7</a:ID><a:Name/></a:MBLender></Lenders></GetLenderListResponse></s:Body></s:Envelope>"
    )
    (lender,) = read_as(LENDERS, 200, body=xml.encode())
    assert (lender.lender_id, lender.name, lender.short_name) == (42, "Tom & Co", "")

    tree = {"Body": {"GetLenderListResponse": {"GetLenderListResult": "13", "Lenders": ""}}}
    with pytest.raises(FeedFaultError, match=r"code 13\.$"):
        read_as(LENDERS, 200, body=body(tree))
    with pytest.raises(FeedParseError):
        read_as(LOGOS, 200, body=body(tree))


def test_saved_lenders_without_names_are_left_out() -> None:
    found = read_as(SAVED_LENDERS, 200, body=body([{"id": "1", "name": "A &amp; B"}, {"id": "2"}, "x", None]))
    assert [(lender.lender_id, lender.name) for lender in found] == [(1, "A & B")]
    with pytest.raises(FeedParseError):
        read_as(SAVED_LENDERS, 200, body=b'"soon"')


PICTURES: dict[str, tuple[str | None, str | LogoFault]] = {
    "PNG": (base64.b64encode(PNG).decode(), "image/png"),
    "GIF": (base64.b64encode(GIF).decode(), "image/gif"),
    "JPEG": (base64.b64encode(JPEG).decode(), "image/jpeg"),
    "line wraps": (base64.encodebytes(PNG).decode(), "image/png"),
    "SVG": (base64.b64encode(b"<svg onload='x()'/>").decode(), LogoFault.OTHER_KIND),
    "WebP": (base64.b64encode(WEBP).decode(), LogoFault.OTHER_KIND),
    "HTML": (base64.b64encode(b"<html>").decode(), LogoFault.OTHER_KIND),
    "no base64": ("%%%%", LogoFault.BROKEN_BASE64),
    "letters that are none": ("é" * 8, LogoFault.BROKEN_BASE64),
    "broken off": (base64.b64encode(PNG).decode()[:-3], LogoFault.BROKEN_BASE64),
    "nothing": (None, LogoFault.NO_DATA),
    "an empty text": ("", LogoFault.NO_DATA),
    "too large": (base64.b64encode(PNG + b"x" * MAX_LOGO_BYTES).decode(), LogoFault.TOO_LARGE),
    "as wide as may be": (base64.b64encode(png_header(2_000, 2_000)).decode(), "image/png"),
    "too wide": (base64.b64encode(png_header(2_001, 40)).decode(), LogoFault.TOO_MANY_PIXELS),
    "too high": (base64.b64encode(picture("GIF", 100, 2_001)).decode(), LogoFault.TOO_MANY_PIXELS),
    "without a side": (base64.b64encode(png_header(0, 40)).decode(), LogoFault.DAMAGED),
    "without a size": (base64.b64encode(PNG[:20]).decode(), LogoFault.DAMAGED),
    "far too large": ("A" * MAX_LOGO_BYTES * 2, LogoFault.TOO_LARGE),
}


def test_logo_is_what_its_bytes_say() -> None:
    logos = {name: parse_logo(1, encoded) for name, (encoded, _) in PICTURES.items()}
    found = {name: logo.media_type if isinstance(logo, Logo) else logo for name, logo in logos.items()}
    assert found == {name: wanted for name, (_, wanted) in PICTURES.items()}


FAQ_SHAPES: dict[str, tuple[Any, dict[str, list[tuple[str, str]]]]] = {
    "a list that names its types": (
        [{"type": "home-mover", "post_title": "Why?", "post_content": "So."}],
        {"home-mover": [("Why?", "<p>So.</p>")]},
    ),
    "paragraphs": (
        {"a": [{"post_title": "Why?", "post_content": "One.\r\n\r\nTwo."}]},
        {"a": [("Why?", "<p>One.</p><p>Two.</p>")]},
    ),
    "blocks": (
        {"a": [{"post_title": "Why?", "post_content": "<!-- wp:paragraph --><p>One.</p><!-- /wp:paragraph -->"}]},
        {"a": [("Why?", "<p>One.</p>")]},
    ),
    "a title with markup": (
        {"a": {"0": {"post_title": "Fees &amp; <i>more</i>?", "post_content": "<script>x</script>"}}},
        {"a": [("Fees & more?", "<p></p>")]},
    ),
    "drafts, passwords and no words": (
        {
            "a": [
                {"post_title": "Draft", "post_status": "draft"},
                {"post_title": "Locked", "post_password": "x"},
                {"post_title": ""},
                "x",
            ]
        },
        {},
    ),
    "types that are no slugs": ({"../x": [{"post_title": "Why?"}]}, {}),
}


def test_faqs_are_read_and_text_is_refused() -> None:
    for case, (tree, wanted) in FAQ_SHAPES.items():
        found = {kind: [(faq.question, faq.answer) for faq in faqs] for kind, faqs in parse_faqs(tree).items()}
        assert found == wanted, case
    with pytest.raises(FeedParseError):
        parse_faqs("soon")
