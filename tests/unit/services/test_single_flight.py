"""One asking at a time for one thing."""

import asyncio

import pytest

from broker.background import SingleFlight


async def test_those_who_want_the_same_share_one_asking_and_the_next_asks_again() -> None:
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


async def test_different_things_are_asked_for_beside_each_other() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    met = asyncio.Barrier(2)

    async def ask(name: str) -> str:
        await met.wait()
        return name

    assert await asyncio.gather(*(flights.joined(name, lambda name=name: ask(name)) for name in "ab")) == ["a", "b"]


async def test_who_goes_away_does_not_take_the_answer_from_the_others() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def ask() -> int:
        await gate.wait()
        return 7

    leaving, staying = flights.joined("a", ask), flights.joined("a", ask)
    leaving.cancel()
    gate.set()
    assert await staying == 7


async def test_failure_is_everybodys_who_waited_and_nobody_elses() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    problems = [ValueError("no")]

    async def ask() -> int:
        if problems:
            raise problems.pop()
        return 1

    found = await asyncio.gather(*(flights.joined("a", ask) for _ in range(2)), return_exceptions=True)
    assert ([str(each) for each in found], await flights.joined("a", ask)) == (["no", "no"], 1)


async def test_failure_that_nobody_waits_for_is_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    flights: SingleFlight[str, int] = SingleFlight()

    async def ask() -> int:
        raise ValueError("no")

    flights.joined("a", ask).cancel()
    await asyncio.sleep(0)
    assert caplog.records == []
