import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlmodel
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.mail.mail import LATE, SUPPRESSED, ClaimedMail, MailKind, NewMail, ReportOutcome
from broker.mail.outbox_store import LIFETIME, MailCipher, OutboxStore, add_mail
from broker.storage.encryption import SecretKeys
from broker.storage.tables import MailRow
from tests.databases.fixtures import KEY
from tests.unit.storage.stores import LATER, NOON, Stores, new

LEASE, HOUR = timedelta(minutes=5), timedelta(hours=1)
KEYS = SecretKeys((KEY,))
ADDRESS = "Zebedee@quill.example"


async def test_senders_at_once_claim_different_messages(stores: Stores) -> None:
    known = {await stores.enquiries.add(new(number)) for number in range(4)}
    senders = [OutboxStore(stores.database, KEYS, str(number)) for number in range(6)]
    claimed = await asyncio.gather(*(sender.claim(LATER, lease=LEASE, longest=HOUR) for sender in senders))
    assert {message.context["reference"] for message in claimed if message} == known
    assert claimed.count(None) == 2


async def test_claim_ends_with_its_lease_and_then_settles_nothing(stores: Stores) -> None:
    await stores.enquiries.add(new(1))
    slow, quick = OutboxStore(stores.database, KEYS, "slow"), OutboxStore(stores.database, KEYS, "quick")
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
    outbox = OutboxStore(stores.database, KEYS, "one")
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


async def add(stores: Stores, *, key: str = KEY, created: datetime = NOON, expires: datetime | None = None) -> None:
    context = {"reference": "HG-7K3M-Q2XD"}
    mail = NewMail(kind=MailKind.CONFIRMATION, created=created, recipient=ADDRESS, context=context, expires=expires)
    await stores.database.write(lambda one: add_mail(one, MailCipher(SecretKeys((key,))), mail))


async def claim(outbox: OutboxStore, now: datetime = LATER) -> ClaimedMail | None:
    return await outbox.claim(now, lease=LEASE, longest=HOUR)


async def row(stores: Stores) -> Mapping[str, Any]:
    async def work(connection: AsyncConnection) -> Mapping[str, Any]:
        return (await connection.execute(sqlmodel.select(MailRow))).one()._asdict()

    return await stores.database.read(work)


@pytest.mark.parametrize("ending", ["sent", "given up"])
async def test_mail_is_encrypted_and_forgotten_once_it_is_sent_or_given_up(stores: Stores, ending: str) -> None:
    await add(stores)
    before, outbox = await row(stores), OutboxStore(stores.database, KEYS, "one")
    mail = await claim(outbox)
    assert mail
    assert (mail.recipient, mail.context) == (ADDRESS, {"reference": "HG-7K3M-Q2XD"})
    assert (b"quill" in before["recipient"], b"HG-" in before["context"]) == (False, False)
    await (outbox.mark_sent(mail, LATER) if ending == "sent" else outbox.give_up(mail, LATER, problem="550"))
    after = await row(stores)
    assert (after["recipient"], after["context"], after["key"]) == (None, None, before["key"])
    assert await claim(outbox, LATER + timedelta(days=400)) is None


async def test_mail_that_expires_is_sent_before_and_given_up_then(stores: Stores) -> None:
    expires = NOON + HOUR
    await add(stores, expires=expires)
    await add(stores, expires=expires + HOUR)
    outbox = OutboxStore(stores.database, KEYS, "one")
    mail = await claim(outbox, expires)
    assert mail
    ended = (await outbox.unsent()).given_up
    assert [(each.problem, each.given_up_at) for each in ended] == [(LATE, expires)]


async def test_confirmation_is_given_up_when_it_is_late_news(stores: Stores) -> None:
    await add(stores)
    outbox = OutboxStore(stores.database, KEYS, "one")
    assert await claim(outbox, NOON + LIFETIME) is None
    ended = (await outbox.unsent()).given_up
    assert [(each.kind, each.problem, each.given_up_at) for each in ended] == [
        (MailKind.CONFIRMATION, LATE, NOON + LIFETIME)
    ]


async def test_mail_that_came_back_is_counted_once_and_ends_mail_to_its_address(stores: Stores) -> None:
    await add(stores)
    outbox, returned = OutboxStore(stores.database, KEYS, "one"), []
    mail = await claim(outbox)
    assert mail
    await outbox.mark_sent(mail, LATER)
    for key in (mail.key, mail.key, "unknown"):
        returned.append(await outbox.record_return(key, is_complaint=False, at=LATER))
    assert returned == [ReportOutcome.RECORDED, ReportOutcome.REPEATED, ReportOutcome.UNKNOWN]
    await add(stores, created=LATER)
    assert await claim(outbox) is None
    assert [each.problem for each in (await outbox.unsent()).given_up] == [SUPPRESSED]


async def test_mail_whose_key_is_lost_holds_up_no_other(stores: Stores) -> None:
    await add(stores, key="another key, that is long enough too")
    await stores.enquiries.add(new(1))
    outbox = OutboxStore(stores.database, KEYS, "one")
    mail = await claim(outbox)
    assert mail
    assert mail.kind is MailKind.NOTE
    assert await claim(outbox) is None


async def test_mail_to_visitors_is_bounded_and_notes_are_added_all_the_same(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.mail.outbox_store.MAX_WAITING", 2)
    for _ in range(3):
        await add(stores)
    await stores.enquiries.add(new(1))
    assert (await OutboxStore(stores.database, KEYS, "one").status()).waiting == 3


async def test_records_go_after_their_days_and_waiting_mail_stays(stores: Stores) -> None:
    for _ in range(2):
        await add(stores)
    outbox = OutboxStore(stores.database, KEYS, "one")
    mail = await claim(outbox)
    assert mail
    await outbox.mark_sent(mail, LATER)
    await outbox.delete_old(LATER + timedelta(days=59))
    before = await outbox.status()
    await outbox.delete_old(LATER + timedelta(days=60))
    after = await outbox.status()
    assert (before.waiting, before.last_sent, after.waiting, after.last_sent) == (1, LATER, 1, None)
