from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from broker.storage import rate_limit
from broker.storage.rate_limit import SITE_TIMES, RateLimit, RateLimits, client_network, client_networks
from tests.databases.redis_server import RedisServer
from tests.unit.enquiries.enquiring import ADDRESS, Calendar

HOUR = timedelta(hours=1)
SECRET = b"the secret of an installation"


def forms(most: int, *, clock: Calendar | None = None, window: timedelta = HOUR) -> RateLimit:
    """Return a limit that counts in memory."""
    return RateLimits(clock=clock or Calendar()).limit("forms", most=most, window=window)


async def test_turns_come_back_as_the_window_slides() -> None:
    calendar = Calendar()
    limit = forms(2, clock=calendar)
    taken = []
    for minutes in (0, 30, 1, 29, 1, 29, 60):
        calendar.forward(minutes=minutes)
        taken.append(await limit.take(ADDRESS))
    assert taken == [True, True, False, True, False, True, True]


async def test_clock_set_back_an_hour_makes_nobody_wait_longer() -> None:
    calendar = Calendar()
    limit = forms(1, clock=calendar, window=timedelta(minutes=1))
    assert await limit.take(ADDRESS)
    calendar.forward(hours=-1)
    assert [await limit.take(ADDRESS), await limit.take(ADDRESS)] == [True, False]
    calendar.forward(minutes=1)
    assert await limit.take(ADDRESS)


async def test_addresses_count_by_themselves_and_reached_takes_no_turn() -> None:
    limit = forms(1)
    told = [await limit.reached(ADDRESS), await limit.take(ADDRESS), await limit.reached(ADDRESS)]
    assert [*told, await limit.take("other")] == [False, True, True, True]


async def test_address_is_forgotten_the_next_day() -> None:
    calendar = Calendar()
    limit = forms(1, clock=calendar, window=timedelta(days=3))
    assert await limit.take(ADDRESS)
    calendar.forward(days=1)
    assert await limit.take(ADDRESS)


async def test_only_the_latest_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "_MAX_KEYS", 3)
    limit = forms(1)
    assert [await limit.take(each) for each in "abcda"] == [True] * 5


def test_tries_are_counted_by_the_network_of_a_subscriber() -> None:
    networks = {
        "192.0.2.7": "192.0.2.7",
        "2001:db8::1": "2001:db8::/64",
        "::ffff:192.0.2.7": "192.0.2.7",
        "": "",
        "nonsense": "nonsense",
    }
    assert {address: client_network(address) for address in networks} == networks


async def test_networks_of_one_site_have_a_limit_together() -> None:
    limit = forms(2)
    taken = [await limit.take(f"2001:db8:0:{number}::1") for number in range(6) for _ in range(3)]
    assert taken == [*[True, True, False] * SITE_TIMES, *[False] * 6]
    told = [await limit.reached("2001:db8:0:9::1"), await limit.reached("2001:db8:1::1"), await limit.take("192.0.2.1")]
    assert told == [True, False, True]


def test_client_is_counted_in_its_network_and_its_site() -> None:
    assert client_networks("2001:db8:1:2::3") == {"2001:db8:1:2::/64": 1, "2001:db8:1::/48": SITE_TIMES}
    assert client_networks("::ffff:192.0.2.7") == client_networks("192.0.2.7") == {"192.0.2.7": 1}
    assert client_networks("nonsense") == {"nonsense": 1}


@pytest.fixture
async def two_workers(own_redis: RedisServer) -> AsyncIterator[list[RateLimit]]:
    """Return a limit of two events in an hour as each of two workers has it."""
    workers = [RateLimits(own_redis.url, secret=SECRET) for _ in range(2)]
    yield [each.limit("forms", most=2, window=HOUR) for each in workers]
    for each in workers:
        await each.aclose()


async def test_two_workers_count_together_in_redis(own_redis: RedisServer, two_workers: list[RateLimit]) -> None:
    one, other = two_workers
    assert [await one.take(ADDRESS), await other.take(ADDRESS)] == [True, True]
    assert [await one.take(ADDRESS), await other.reached(ADDRESS), await other.take("other")] == [False, True, True]
    with own_redis.client() as client:
        assert ADDRESS not in repr(client.keys())
    await other.forget(ADDRESS)
    assert await one.take(ADDRESS)


async def test_worker_counts_by_itself_while_redis_is_away(
    own_redis: RedisServer, two_workers: list[RateLimit]
) -> None:
    one, other = two_workers
    own_redis.stop()
    assert [await one.take(ADDRESS) for _ in range(3)] == [True, True, False]
    assert await other.take(ADDRESS)
    own_redis.start()
    assert [await one.take(ADDRESS), await other.take(ADDRESS), await one.reached(ADDRESS)] == [True, True, True]


async def test_redis_is_known_to_answer_or_not(own_redis: RedisServer) -> None:
    limits = RateLimits(own_redis.url, secret=SECRET)
    reported = [await limits.is_redis_available()]
    for change in (own_redis.stop, own_redis.start):
        change()
        reported.append(await limits.is_redis_available())
    await limits.aclose()
    assert [*reported, await RateLimits().is_redis_available()] == [True, False, True, None]
