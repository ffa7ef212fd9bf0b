import asyncio
from datetime import timedelta

from broker.enquiries.outbox_store import OutboxStore
from tests.unit.storage.stores import LATER, NOON, Stores, new

LEASE, HOUR = timedelta(minutes=5), timedelta(hours=1)


async def test_senders_at_once_claim_different_messages(stores: Stores) -> None:
    known = {await stores.enquiries.add(new(number)) for number in range(4)}
    senders = [OutboxStore(stores.database, str(number)) for number in range(6)]
    claimed = await asyncio.gather(*(sender.claim(LATER, lease=LEASE, longest=HOUR) for sender in senders))
    assert {message.reference for message in claimed if message} == known
    assert claimed.count(None) == 2


async def test_claim_ends_with_its_lease_and_then_settles_nothing(stores: Stores) -> None:
    await stores.enquiries.add(new(1))
    slow, quick = OutboxStore(stores.database, "slow"), OutboxStore(stores.database, "quick")
    first = await slow.claim(LATER, lease=LEASE, longest=HOUR)
    early = await quick.claim(LATER + LEASE - timedelta(seconds=1), lease=LEASE, longest=HOUR)
    second = await quick.claim(LATER + LEASE, lease=LEASE, longest=HOUR)
    assert first
    assert second
    await slow.mark_sent(first, LATER)
    waiting = (await slow.status()).waiting
    await quick.mark_sent(second, LATER)
    assert [first.attempts, early, second.attempts, waiting, (await slow.status()).waiting] == [1, None, 2, 1, 0]


async def test_status_counts_waiting_and_failed_messages(stores: Stores) -> None:
    references = [await stores.enquiries.add(new(number)) for number in range(3)]
    outbox = OutboxStore(stores.database, "one")
    before = await outbox.status()
    for problem in ("451", ""):
        message = await outbox.claim(LATER, lease=LEASE, longest=HOUR)
        assert message
        await (outbox.reschedule(message, due=LATER, problem=problem) if problem else outbox.mark_sent(message, LATER))
    await stores.enquiries.delete(references[2], at=NOON)
    after = await outbox.status()
    assert (before.waiting, before.failed, before.problem, before.last_sent) == (3, 0, "", None)
    assert (after.waiting, after.failed, after.problem, after.last_sent) == (1, 1, "451", LATER)
    assert after.oldest == new(0).created
