"""The queue and the gate of a socket do what those of asyncio do."""

import asyncio

import pytest

from broker.web.small_queue import Gate, SmallQueue
from tests.timeouts import ANSWER_TIMEOUT

QUICK = 0.01


async def test_items_come_in_order_to_a_reader_early_or_late() -> None:
    queue = SmallQueue()
    reader = asyncio.ensure_future(queue.get())
    for item in (1, 2, 3):
        queue.put_nowait(item)
    assert [await reader, await queue.get(), queue.get_nowait()] == [1, 2, 3]
    assert queue.empty()
    with pytest.raises(asyncio.QueueEmpty):
        queue.get_nowait()


async def test_item_after_a_wait_that_ended_is_kept_for_the_next() -> None:
    queue = SmallQueue()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(queue.get(), QUICK)
    await queue.put(1)
    assert await asyncio.wait_for(queue.get(), ANSWER_TIMEOUT) == 1


async def test_join_waits_until_all_items_are_done_with() -> None:
    queue = SmallQueue()
    await asyncio.wait_for(queue.join(), ANSWER_TIMEOUT)
    queue.put_nowait(1)
    joined = asyncio.create_task(queue.join())
    await asyncio.sleep(0)
    assert await queue.get() == 1
    assert not joined.done()
    queue.task_done()
    await asyncio.wait_for(joined, ANSWER_TIMEOUT)


async def test_gate_holds_who_waits_between_clear_and_set() -> None:
    gate = Gate()
    await asyncio.wait_for(gate.wait(), ANSWER_TIMEOUT)
    gate.clear()
    gate.clear()
    waiting = asyncio.create_task(gate.wait())
    await asyncio.sleep(0)
    assert (gate.is_set(), waiting.done()) == (False, False)
    gate.set()
    await asyncio.wait_for(waiting, ANSWER_TIMEOUT)
    assert gate.is_set()
