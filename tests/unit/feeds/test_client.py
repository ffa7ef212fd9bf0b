"""The client against a network that is a function: its errors, requests and addresses."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import httpx
import pytest

from broker.rates.feed.client import FAQS, LENDERS, RATES, Call, FeedSettings, encode_form
from broker.rates.feed.errors import FeedError, FeedParseError, FeedTooLargeError, FeedUnavailableError
from tests.unit.feeds.recorded import SETTINGS, client, replied


class Flaky:
    """A network that fails some times before it answers, and counts the requests."""

    def __init__(self, failures: int, error: Callable[[str], Exception]) -> None:
        self.left, self.error, self.requests = failures, error, 0

    def __call__(self, _request: httpx.Request) -> httpx.Response:
        self.requests += 1
        if self.left:
            self.left -= 1
            raise self.error("no luck")
        return replied(b"{}")


@pytest.mark.parametrize(("call", "requests"), [(FAQS, 2), (RATES, 1)])
def test_get_may_reach_the_service_twice_and_no_post_does(call: Call, requests: int) -> None:
    network = Flaky(1, httpx.ReadError)
    with nullcontext() if requests == 2 else pytest.raises(FeedUnavailableError):
        assert asyncio.run(client(network).read(call)) == {}
    assert network.requests == requests


def test_error_names_the_call_and_nothing_that_was_typed() -> None:
    feed = client(Flaky(9, httpx.ConnectError))
    with pytest.raises(FeedError) as raised:
        asyncio.run(feed.read(RATES, form=encode_form({"propertyPrice": 123_456})))
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
def test_calls_hang_on_the_api_or_on_its_host(api: str, faqs: str, lenders: str) -> None:
    settings = FeedSettings(api_url=api)
    assert (settings.address(FAQS), settings.address(LENDERS)) == (faqs, lenders)


def test_whole_call_takes_less_than_five_seconds() -> None:
    settings = FeedSettings(api_url="https://host/api")
    assert settings.total_timeout < 5
    assert settings.read_timeout < 5


def test_form_writes_true_and_false_in_lower_case() -> None:
    assert encode_form({"a": True, "b": False, "c": 5, "d e": "&="}) == b"a=true&b=false&c=5&d+e=%26%3D"
