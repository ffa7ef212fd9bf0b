"""The outbox in the tables: each message is claimed by one sender at a time, for the length of a lease."""

import asyncio
from datetime import timedelta

from broker.domain.staff.source_health import OutboxStanding
from broker.storage.enquiries.outbox import OutboxStore
from tests.unit.storage.stores import LATER, Stores, new, run_with_stores

LEASE = timedelta(minutes=5)


def test_senders_at_once_claim_different_messages(database_url: str) -> None:
    async def block(stores: Stores) -> tuple[set[str], set[str], int]:
        known = {await stores.enquiries.add(new(number)) for number in range(4)}
        senders = [OutboxStore(stores.database, str(number)) for number in range(6)]
        claimed = await asyncio.gather(*(sender.claim(LATER, lease=LEASE) for sender in senders))
        return known, {message.reference for message in claimed if message}, claimed.count(None)

    known, claimed, without = run_with_stores(database_url, block)
    assert (claimed, without) == (known, 2)


def test_claim_ends_with_its_lease_and_then_settles_nothing(database_url: str) -> None:
    async def block(stores: Stores) -> list[object]:
        await stores.enquiries.add(new(1))
        slow, quick = OutboxStore(stores.database, "slow"), OutboxStore(stores.database, "quick")
        first = await slow.claim(LATER, lease=LEASE)
        early = await quick.claim(LATER + LEASE - timedelta(seconds=1), lease=LEASE)
        second = await quick.claim(LATER + LEASE, lease=LEASE)
        assert first
        assert second
        await slow.sent(first, LATER)
        waiting = await slow.waiting()
        await quick.sent(second, LATER)
        return [first.attempts, early, second.attempts, waiting, await slow.waiting()]

    assert run_with_stores(database_url, block) == [1, None, 2, 1, 0]


def test_status_counts_waiting_and_failed_messages(database_url: str) -> None:
    async def block(stores: Stores) -> tuple[OutboxStanding, OutboxStanding]:
        references = [await stores.enquiries.add(new(number)) for number in range(3)]
        outbox = OutboxStore(stores.database, "one")
        empty = await outbox.status()
        for problem in ("451", ""):
            message = await outbox.claim(LATER, lease=LEASE)
            assert message
            await (outbox.reschedule(message, due=LATER, problem=problem) if problem else outbox.sent(message, LATER))
        await stores.enquiries.delete(references[2])
        return empty, await outbox.status()

    before, after = run_with_stores(database_url, block)
    assert (before.waiting, before.failed, before.problem, before.last_sent) == (3, 0, "", None)
    assert (after.waiting, after.failed, after.problem, after.last_sent) == (1, 1, "451", LATER)
    assert after.oldest == new(0).created
