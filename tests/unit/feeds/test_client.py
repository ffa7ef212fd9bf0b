"""The client against a network that is a function: retries, caps, packing, addresses."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import httpx
import pytest

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import FAQS, LENDERS, RATES, Call, FeedSettings
from broker.feeds.errors import FeedError, FeedParseError, FeedTooLargeError, FeedUnavailableError
from broker.feeds.form_encoding import encode_form
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


TURNS: list[tuple[Call, int, Callable[[str], Exception], int, bool]] = [
    (FAQS, 2, httpx.ConnectError, 3, True),
    (FAQS, 3, httpx.ConnectError, 3, False),
    (FAQS, 1, httpx.ReadError, 2, True),
    (FAQS, 1, httpx.RemoteProtocolError, 2, True),
    (FAQS, 1, httpx.ReadTimeout, 1, False),
    (RATES, 2, httpx.ConnectError, 3, True),
    (RATES, 2, httpx.ConnectTimeout, 3, True),
    (RATES, 1, httpx.ReadError, 1, False),
    (RATES, 1, httpx.RemoteProtocolError, 1, False),
    (LENDERS, 1, httpx.ReadTimeout, 1, False),
    (LENDERS, 1, httpx.PoolTimeout, 1, False),
]


@pytest.mark.parametrize(("call", "failures", "error", "requests", "answered"), TURNS)
def test_only_what_is_safe_is_tried_again(
    call: Call, failures: int, error: Callable[[str], Exception], requests: int, answered: bool
) -> None:
    network = Flaky(failures, error)
    feed = client(network)
    if answered:
        assert asyncio.run(feed.read(call)) == {}
    else:
        with pytest.raises(FeedUnavailableError):
            asyncio.run(feed.read(call))
    assert network.requests == requests


def test_error_names_the_call_and_nothing_that_was_typed() -> None:
    feed = client(Flaky(9, httpx.ConnectError))
    with pytest.raises(FeedError) as raised:
        asyncio.run(feed.read(RATES, form=encode_form({"propertyPrice": 123_456})))
    assert str(raised.value) == "get_rates: the connection failed (ConnectError)"


SMALL = replace(FAQS, max_bytes=100)
PACKED = {"content-encoding": "gzip"}
BODIES: list[tuple[bytes, dict[str, str], type[FeedError] | None]] = [
    (b" " * 100, {}, None),
    (b" " * 101, {}, FeedTooLargeError),
    (gzip.compress(b" " * 100, mtime=0), PACKED, None),
    (gzip.compress(b" " * 101, mtime=0), PACKED, FeedTooLargeError),
    (gzip.compress(b" " * 50_000_000, mtime=0), PACKED, FeedTooLargeError),
    (gzip.compress(b"{" + b" " * 100 + b"}", mtime=0)[:-9], PACKED, FeedParseError),
    (b"no gzip", PACKED, FeedParseError),
    (b"{}", {"content-encoding": "br"}, FeedParseError),
]


@pytest.mark.parametrize(("content", "headers", "error"), BODIES)
def test_body_is_capped_once_unpacked(content: bytes, headers: dict[str, str], error: type[FeedError] | None) -> None:
    feed = client(lambda _: replied(content, headers))
    if error is None:
        assert asyncio.run(feed.read(SMALL)) is None
    else:
        with pytest.raises(error):
            asyncio.run(feed.read(SMALL))


class Endless(httpx.AsyncByteStream):
    """A body that begins with some bytes and never ends; `sent` counts its parts."""

    def __init__(self, begin: bytes, *, more: bytes = b"\0" * 60) -> None:
        self._begin, self._more, self.sent = begin, more, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._begin
        while True:
            self.sent += 1
            yield self._more


def test_nothing_is_read_after_the_end_of_a_compressed_body() -> None:
    body = Endless(gzip.compress(b'{"a": 1}', mtime=0))
    feed = client(lambda _: httpx.Response(200, headers=PACKED, stream=body))
    assert asyncio.run(feed.read(SMALL)) == {"a": "1"}
    assert body.sent == 0


def test_compressed_body_whose_header_never_ends_is_capped_too() -> None:
    has_file_name = 0x08
    header = Endless(bytes((0x1F, 0x8B, 8, has_file_name, *[0] * 6)), more=b"n" * 60)
    feed = client(lambda _: httpx.Response(200, headers=PACKED, stream=header))
    with pytest.raises(FeedTooLargeError):
        asyncio.run(feed.read(SMALL))
    assert header.sent == 2


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


def test_closing_twice_does_no_harm() -> None:
    async def close() -> None:
        feed = FeedClient(SETTINGS)
        await feed.aclose()
        await feed.aclose()

    asyncio.run(close())


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


@pytest.mark.parametrize("api", ["", "host/api", "ftp://host/api", "https:///api", "https://host:x/api", "file:///etc"])
def test_address_that_no_call_can_be_made_to_is_refused(api: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        FeedSettings(api_url=api)


def test_whole_call_takes_less_than_five_seconds() -> None:
    settings = FeedSettings(api_url="https://host/api")
    assert settings.total_timeout < 5
    assert settings.read_timeout < 5


def test_form_writes_true_and_false_in_lower_case() -> None:
    assert encode_form({"a": True, "b": False, "c": 5, "d e": "&="}) == b"a=true&b=false&c=5&d+e=%26%3D"
