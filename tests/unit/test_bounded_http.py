import gzip
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from broker.bounded_http import (
    BoundedClient,
    HttpError,
    HttpSettings,
    NoAnswerError,
    Reply,
    TooLargeAnswerError,
    UnreadableAnswerError,
)

SETTINGS = HttpSettings(
    api_url="https://example.test", connect_timeout=1, read_timeout=1, total_timeout=2, backoff_seconds=0
)


async def answer(network: Callable[[httpx.Request], httpx.Response], *, is_repeatable: bool = True) -> Reply:
    client = BoundedClient(SETTINGS, transport=httpx.MockTransport(network))
    return await client.send("GET", SETTINGS.api_url, max_bytes=100, is_repeatable=is_repeatable)


def replied(content: bytes, encoding: str) -> httpx.Response:
    return httpx.Response(200, headers={"content-encoding": encoding}, stream=httpx.ByteStream(content))


class Flaky:
    """A network that fails some times before it answers, and counts the requests."""

    def __init__(self, failures: int, error: Callable[[str], Exception]) -> None:
        self.left, self.error, self.requests = failures, error, 0

    def __call__(self, _request: httpx.Request) -> httpx.Response:
        self.requests += 1
        if self.left:
            self.left -= 1
            raise self.error("no luck")
        return replied(b"{}", "identity")


ANY, ONCE = True, False


@pytest.mark.parametrize(
    ("is_repeatable", "failures", "error", "requests", "is_answered"),
    [
        (ANY, 2, httpx.ConnectError, 3, True),
        (ANY, 3, httpx.ConnectError, 3, False),
        (ANY, 1, httpx.ReadError, 2, True),
        (ANY, 1, httpx.RemoteProtocolError, 2, True),
        (ANY, 1, httpx.ReadTimeout, 1, False),
        (ONCE, 2, httpx.ConnectError, 3, True),
        (ONCE, 2, httpx.ConnectTimeout, 3, True),
        (ONCE, 1, httpx.ReadError, 1, False),
        (ONCE, 1, httpx.RemoteProtocolError, 1, False),
        (ONCE, 1, httpx.ReadTimeout, 1, False),
        (ONCE, 1, httpx.PoolTimeout, 1, False),
    ],
)
async def test_only_what_is_safe_is_retried(
    is_repeatable: bool, failures: int, error: Callable[[str], Exception], requests: int, is_answered: bool
) -> None:
    network = Flaky(failures, error)
    if is_answered:
        assert (await answer(network, is_repeatable=is_repeatable)).body == b"{}"
    else:
        with pytest.raises(NoAnswerError):
            await answer(network, is_repeatable=is_repeatable)
    assert network.requests == requests


BODIES: dict[str, tuple[bytes, str, type[HttpError] | None]] = {
    "at the limit": (b" " * 100, "identity", None),
    "too long": (b" " * 101, "identity", TooLargeAnswerError),
    "at the limit once decompressed": (gzip.compress(b" " * 100), "gzip", None),
    "too long once decompressed": (gzip.compress(b" " * 101), "gzip", TooLargeAnswerError),
    "a bomb": (gzip.compress(b" " * 50_000_000), "gzip", TooLargeAnswerError),
    "cut": (gzip.compress(b"{" + b" " * 90 + b"}")[:-9], "gzip", UnreadableAnswerError),
    "no gzip": (b"no gzip", "gzip", UnreadableAnswerError),
    "brotli": (b"{}", "br", UnreadableAnswerError),
}


@pytest.mark.parametrize(("content", "encoding", "error"), BODIES.values(), ids=BODIES)
async def test_body_above_its_limit_or_not_to_be_decompressed_is_refused(
    content: bytes, encoding: str, error: type[HttpError] | None
) -> None:
    if error is None:
        assert (await answer(lambda _: replied(content, encoding))).body == b" " * 100
    else:
        with pytest.raises(error) as raised:
            await answer(lambda _: replied(content, encoding))
        assert type(raised.value) is error


class Endless(httpx.AsyncByteStream):
    """A body that begins with some bytes and never ends; `sent` counts its parts."""

    def __init__(self, begin: bytes, *, more: bytes = b"\0" * 60) -> None:
        self._begin, self._more, self.sent = begin, more, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._begin
        while True:
            self.sent += 1
            yield self._more


async def test_nothing_is_read_after_the_end_of_a_compressed_body() -> None:
    body = Endless(gzip.compress(b'{"a": 1}'))
    reply = await answer(lambda _: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=body))
    assert (reply.body, body.sent) == (b'{"a": 1}', 0)


async def test_compressed_body_whose_header_never_ends_is_limited_too() -> None:
    has_file_name = 0x08
    header = Endless(bytes((0x1F, 0x8B, 8, has_file_name, *[0] * 6)), more=b"n" * 60)
    with pytest.raises(TooLargeAnswerError):
        await answer(lambda _: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=header))
    assert header.sent == 2


async def test_redirect_is_an_answer_and_not_followed() -> None:
    def respond(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"location": "https://elsewhere.test/"}, stream=httpx.ByteStream(b""))

    assert (await answer(respond)).status == 302


@pytest.mark.parametrize("api", ["", "host/api", "ftp://host/api", "https:///api", "https://host:x/api", "file:///etc"])
def test_address_that_no_request_can_be_sent_to_is_refused(api: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        HttpSettings(api_url=api, connect_timeout=1, read_timeout=1, total_timeout=1)


async def test_closing_twice_does_no_harm() -> None:
    client = BoundedClient(SETTINGS)
    await client.aclose()
    await client.aclose()
