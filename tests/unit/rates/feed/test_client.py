import asyncio
from contextlib import nullcontext
from dataclasses import replace

import httpx
import pytest

from broker.rates.feed.client import FAQS, LENDERS, RATES, Call, FeedSettings, encode_form
from broker.rates.feed.errors import FeedError, FeedParseError, FeedTooLargeError, FeedUnavailableError
from tests.unit.rates.feed.recorded import SETTINGS, client, replied


@pytest.mark.parametrize(("call", "requests"), [(FAQS, 2), (RATES, 1)])
def test_get_is_repeated_once_the_connection_breaks_and_no_post_is(call: Call, requests: int) -> None:
    sent: list[httpx.Request] = []

    def break_once(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if len(sent) == 1:
            raise httpx.ReadError("no luck")
        return replied(b"{}")

    with nullcontext() if requests == 2 else pytest.raises(FeedUnavailableError):
        assert asyncio.run(client(break_once).read(call)) == {}
    assert len(sent) == requests


def test_error_names_the_call_and_nothing_that_was_typed() -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no luck")

    with pytest.raises(FeedError) as raised:
        asyncio.run(client(refuse).read(RATES, form=encode_form({"propertyPrice": 123_456})))
    assert str(raised.value) == "get_rates: the connection failed (ConnectError)"


BODIES: list[tuple[bytes, str, type[FeedError]]] = [
    (b" " * 101, "identity", FeedTooLargeError),
    (b"no gzip", "gzip", FeedParseError),
]


@pytest.mark.parametrize(("content", "encoding", "error"), BODIES)
def test_body_that_cannot_be_read_is_an_error_of_the_feed(
    content: bytes, encoding: str, error: type[FeedError]
) -> None:
    feed = client(lambda _: replied(content, {"content-encoding": encoding}))
    with pytest.raises(error):
        asyncio.run(feed.read(replace(FAQS, max_bytes=100)))


def test_requests_say_who_asks_and_ask_for_json() -> None:
    sent: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return replied(b"")

    feed = client(respond, replace(SETTINGS, user_agent="hearthgate/1"))
    asyncio.run(feed.read(FAQS))
    assert sent[0].headers["user-agent"] == "hearthgate/1"
    assert sent[0].headers["accept"].startswith("application/json")
    assert "content-type" not in sent[0].headers
    assert sent[0].content == b""


ADDRESSES = [
    ("https://host/api", "https://host/api/wp-json/faqs/v1/get", "https://host/promotion/wp-json/get_lenders/v1/get"),
    ("https://host/api/", "https://host/api/wp-json/faqs/v1/get", "https://host/promotion/wp-json/get_lenders/v1/get"),
    (
        "http://127.0.0.1:9000/x/api",
        "http://127.0.0.1:9000/x/api/wp-json/faqs/v1/get",
        "http://127.0.0.1:9000/promotion/wp-json/get_lenders/v1/get",
    ),
]


@pytest.mark.parametrize(("api", "faqs", "lenders"), ADDRESSES)
def test_calls_are_addressed_below_the_api_or_its_host(api: str, faqs: str, lenders: str) -> None:
    settings = FeedSettings(api_url=api)
    assert (settings.address(FAQS), settings.address(LENDERS)) == (faqs, lenders)


def test_form_writes_true_and_false_in_lower_case() -> None:
    assert encode_form({"a": True, "b": False, "c": 5, "d e": "&="}) == b"a=true&b=false&c=5&d+e=%26%3D"
