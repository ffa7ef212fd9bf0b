import asyncio

import pytest

from broker.background import SingleFlight


async def test_concurrent_callers_share_one_call_and_the_next_calls_again() -> None:
    asked: list[str] = []

    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def ask() -> int:
        asked.append("asked")
        await gate.wait()
        return len(asked)

    waiting = [flights.joined("a", ask) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    assert [*(await asyncio.gather(*waiting)), await flights.joined("a", ask)] == [1, 1, 1, 2]


async def test_different_keys_run_concurrently() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    met = asyncio.Barrier(2)

    async def ask(name: str) -> str:
        await met.wait()
        return name

    assert await asyncio.gather(*(flights.joined(name, lambda name=name: ask(name)) for name in "ab")) == ["a", "b"]


async def test_cancelled_caller_does_not_cancel_the_others() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def ask() -> int:
        await gate.wait()
        return 7

    leaving, staying = flights.joined("a", ask), flights.joined("a", ask)
    leaving.cancel()
    gate.set()
    assert await staying == 7


async def test_failure_reaches_every_waiting_caller_and_no_later_one() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    problems = [ValueError("no")]

    async def ask() -> int:
        if problems:
            raise problems.pop()
        return 1

    found = await asyncio.gather(*(flights.joined("a", ask) for _ in range(2)), return_exceptions=True)
    assert ([str(each) for each in found], await flights.joined("a", ask)) == (["no", "no"], 1)


async def test_failure_without_a_caller_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    flights: SingleFlight[str, int] = SingleFlight()

    async def ask() -> int:
        raise ValueError("no")

    flights.joined("a", ask).cancel()
    await asyncio.sleep(0)
    assert caplog.records == []
