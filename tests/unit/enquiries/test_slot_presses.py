"""Presses of one process on slots: how often each tries the database, and what it is told."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

from broker.appointments.appointment import Slot
from broker.enquiries.service import SlotPresses, TakenSlot
from broker.enquiries.store import NewEnquiry
from broker.storage.errors import StorageError
from tests.unit.appointments.booking import NOW, add_adviser, booked, slot, wanting
from tests.unit.storage.stores import Stores

SLOTS = (slot(hour=9), slot(hour=11), slot(hour=13))


class Attempts:
    """Counts the attempts to store an enquiry, by slot; `before` is called at each."""

    def __init__(self, stores: Stores, before: Callable[[], None] = lambda: None) -> None:
        self._store, self._before = stores.enquiries, before
        self.of = Counter[Slot | None]()

    async def add(self, new: NewEnquiry) -> str:
        self.of[new.slot] += 1
        self._before()
        return await self._store.add(new)


def presses_of(stores: Stores) -> SlotPresses:
    return SlotPresses(stores.appointments, clock=lambda: NOW)


async def press_all(presses: SlotPresses, attempts: Attempts, *, each: int) -> list[str | TakenSlot | BaseException]:
    wanted = [SLOTS[number % len(SLOTS)] for number in range(each * len(SLOTS))]
    calls = (presses.store(slot, partial(attempts.add, wanting(number, slot))) for number, slot in enumerate(wanted))
    return await asyncio.gather(*calls, return_exceptions=True)


async def test_one_press_of_each_slot_tries_the_database(stores: Stores) -> None:
    await add_adviser(stores)
    attempts = Attempts(stores)
    found = await press_all(presses_of(stores), attempts, each=5)
    assert attempts.of == dict.fromkeys(SLOTS, 1)
    given = [each for each in found if isinstance(each, str)]
    told = [each for each in found if isinstance(each, TakenSlot)]
    assert (len(set(given)), len(told)) == (3, 12)
    assert all(each.next_free and set(each.holders.values()) <= set(given) for each in told)


async def test_after_one_slot_is_lost_to_another_process_all_whose_slots_are_gone_try_no_more(stores: Stores) -> None:
    await add_adviser(stores)
    attempts, presses = Attempts(stores), presses_of(stores)
    # free when this process last looked
    assert await presses.taken(SLOTS[0]) is None
    for number, wanted in enumerate(SLOTS):
        await booked(stores, wanted, 100 + number)
    found = await press_all(presses, attempts, each=4)
    assert attempts.of == {SLOTS[0]: 1}
    assert all(isinstance(each, TakenSlot) and not set(each.next_free) & set(SLOTS) for each in found)


async def test_slots_that_are_free_are_given_after_another_was_lost(stores: Stores) -> None:
    await add_adviser(stores)
    await booked(stores, SLOTS[0], 100)
    found = await press_all(presses_of(stores), Attempts(stores), each=1)
    assert [isinstance(each, str) for each in found] == [False, True, True]


async def test_press_whose_database_fails_lets_the_next_one_try(stores: Stores) -> None:
    await add_adviser(stores)
    problems = [StorageError("away")]

    def fail_once() -> None:
        if problems:
            raise problems.pop()

    found = await press_all(presses_of(stores), Attempts(stores, fail_once), each=2)
    assert isinstance(found[0], StorageError)
    assert [isinstance(each, str) for each in found[1:]] == [True, True, True, False, False]


async def test_enquiry_without_a_slot_waits_for_none(stores: Stores) -> None:
    presses = presses_of(stores)
    assert isinstance(await presses.store(None, partial(stores.enquiries.add, wanting(1, None))), str)
