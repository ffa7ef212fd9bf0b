"""The client over real HTTP against a small server that is slow, silent, broken or hostile."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from broker.rates.feed.client import FAQS, FeedClient, FeedSettings
from broker.rates.feed.errors import FeedError, FeedUnavailableError
from broker.rates.feed.products import FeedRateSource
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.feeds.answers import answer, row
from tests.unit.feeds.bad_server import Server

QUICK = FeedSettings(api_url="http://localhost", read_timeout=2.0, total_timeout=ANSWER_TIMEOUT, backoff_seconds=0.01)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield running
        running.done.set()
        running.shutdown()
        thread.join()


def at(server: Server) -> FeedSettings:
    return replace(QUICK, api_url=f"http://127.0.0.1:{server.server_address[1]}/api")


def search(settings: FeedSettings) -> RatesAnswer:
    async def ask() -> RatesAnswer:
        client = FeedClient(settings)
        try:
            return await FeedRateSource(client=client).search(RatesQuery())
        finally:
            await client.aclose()

    return asyncio.run(ask())


def test_server_that_speaks_no_http_is_a_failed_connection(server: Server) -> None:
    server.manner = "nonsense"
    with pytest.raises(FeedUnavailableError) as raised:
        search(at(server))
    assert str(raised.value) == "get_rates: the connection failed (RemoteProtocolError)"
    assert server.paths == ["/api/wp-json/get_rates/v1/get"]


def test_answer_that_never_ends_is_given_up_after_the_total_timeout(server: Server) -> None:
    server.manner = "slow"
    with pytest.raises(FeedUnavailableError, match=r"no answer in time \(TimeoutError\)"):
        search(replace(at(server), read_timeout=ANSWER_TIMEOUT, total_timeout=1.0))
    assert server.paths == ["/api/wp-json/get_rates/v1/get"]


def test_feed_is_given_up_within_five_seconds_by_the_settings_as_they_come() -> None:
    assert 4 < FeedSettings(api_url="http://localhost").total_timeout < 5


def test_get_is_tried_again_after_a_lost_connection(server: Server) -> None:
    server.manner = "reset_once"

    async def ask() -> object:
        client = FeedClient(at(server))
        try:
            return await client.read(FAQS)
        finally:
            await client.aclose()

    assert asyncio.run(ask()) == answer(row())
    assert server.paths == ["/api/wp-json/faqs/v1/get"] * 2


def test_nobody_listening_is_away() -> None:
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(FeedUnavailableError, match=r"ConnectError"):
            search(replace(QUICK, api_url=f"http://127.0.0.1:{free.getsockname()[1]}/api"))


def test_client_recovers_once_the_server_does(server: Server) -> None:
    async def ask() -> list[str]:
        source = FeedRateSource(client=FeedClient(at(server)))
        seen: list[str] = []
        for manner in ("silent", "reset", "good", "failing", "good"):
            server.manner = manner
            try:
                await source.search(RatesQuery())
                seen.append("good")
            except FeedError as error:
                seen.append(type(error).__name__)
        await source.client.aclose()
        return seen

    assert asyncio.run(ask()) == ["FeedUnavailableError", "FeedUnavailableError", "good", "FeedStatusError", "good"]
