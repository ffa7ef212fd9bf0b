import pytest

from broker.web.serving.socket_limits import WindowCounter
from tests.unit.services.clock import Clock


def test_names_that_are_quiet_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broker.web.serving.socket_limits.MAX_TABS", 3)
    clock = Clock()
    allowance = WindowCounter(1, 1.0, clock=clock)
    assert [allowance.allows(name) for name in "abc"] == [True] * 3
    clock.now += 1
    assert allowance.allows("d")
    assert allowance.allows("d") is False


def test_client_is_counted_under_its_network_and_under_the_site_around_it() -> None:
    allowance = WindowCounter(2, 60.0, clock=Clock())
    networks = [allowance.allows_client(f"2001:db8:0:{number}::1") for number in range(9) for _ in range(3)]
    assert networks == [*[True, True, False] * 4, *[False] * 15]
    assert allowance.allows_client("2001:db8:1::1")
    assert [allowance.allows_client("192.0.2.1") for _ in range(3)] == [True, True, False]
