"""How often an address may do something: a window that slides, and nothing kept that tells the address."""

from datetime import timedelta

import pytest

from broker.services import rate_limit
from broker.services.rate_limit import RateLimit, client_network
from tests.unit.services.enquiring import ADDRESS, Calendar


def test_turns_come_back_as_the_window_slides() -> None:
    calendar = Calendar()
    limit = RateLimit(2, timedelta(hours=1), clock=calendar)
    taken = []
    for minutes in (0, 30, 1, 29, 1, 29, 60):
        calendar.forward(minutes=minutes)
        taken.append(limit.take(ADDRESS))
    assert taken == [True, True, False, True, False, True, True]


def test_addresses_count_by_themselves_and_reached_takes_no_turn() -> None:
    limit = RateLimit(1, timedelta(hours=1), clock=Calendar())
    assert (limit.reached(ADDRESS), limit.take(ADDRESS), limit.reached(ADDRESS), limit.take("other")) == (
        False,
        True,
        True,
        True,
    )


def test_address_is_forgotten_the_next_day_and_never_kept() -> None:
    calendar = Calendar()
    limit = RateLimit(1, timedelta(days=3), clock=calendar)
    assert limit.take(ADDRESS)
    assert ADDRESS not in repr(vars(limit))
    calendar.forward(days=1)
    assert limit.take(ADDRESS)


def test_only_the_latest_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_KNOWN", 3)
    limit = RateLimit(1, timedelta(hours=1), clock=Calendar())
    assert [limit.take(each) for each in "abcda"] == [True] * 5


def test_tries_are_counted_by_the_network_of_a_subscriber() -> None:
    networks = {
        "192.0.2.7": "192.0.2.7",
        "2001:db8::1": "2001:db8::/64",
        "::ffff:192.0.2.7": "192.0.2.7",
        "": "",
        "nonsense": "nonsense",
    }
    assert {address: client_network(address) for address in networks} == networks
