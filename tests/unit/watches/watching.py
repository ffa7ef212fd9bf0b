"""Visitors who watch a mortgage: what their form sends, and the stores and the service over a database."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import sqlmodel
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.enquiries.service import Forms
from broker.mail.mail import ClaimedMail, MailKind, NewMail
from broker.mail.outbox_store import MailCipher, OutboxStore, add_mail
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.signed_tokens import TokenSigner
from broker.storage.tables import WatchRow
from broker.watches.service import WatchLimits, WatchService, WatchStarted, WatchSubmission
from broker.watches.store import WatchStore
from broker.watches.watch import DealKind, StoredWatch, Tell, Watch, tell_field
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import ADDRESS, Calendar

KEYS = SecretKeys((KEY,))
LEASE = timedelta(minutes=5)
TODAY = date(2026, 3, 31)
EMAIL = "Zebedee@quill.example"

FORM: dict[str, object] = {
    "balance": "187,400",
    "value": "310,000",
    "term": "19",
    "rate": "1.6",
    "end": "2026-12-25",
    "followOn": "7.5",
    "charge": "percent",
    "chargePercent": "1",
    "lender": "9",
    **{tell_field(tell): "yes" for tell in (Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH, Tell.SAVING)},
    "savingOver": "500",
    "email": EMAIL,
}

WATCH = Watch(
    given=TODAY,
    balance=187_400,
    value=310_000,
    years=19,
    rate=1.6,
    deal_end=date(2026, 12, 25),
    follow_on=7.5,
    charge_percent=1,
    lender_id=9,
    tells=frozenset(Tell),
    saving_over=500,
    rate_below=3.75,
    kind=DealKind.TWO_YEARS,
    applied_rate=4.19,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """A service of watches over a database, and the outbox that its mail is in."""

    database: Database
    store: WatchStore
    service: WatchService
    outbox: OutboxStore
    calendar: Calendar

    async def started(self, **fields: Any) -> StoredWatch:
        """Start a watch and return it; its mail stays in the outbox."""
        before = len(await self.rows())
        answer = await self.service.start(sent(**fields))
        assert isinstance(answer, WatchStarted), answer
        links = await self.links()
        assert len(links) == before + 1
        return owned(await self.service.find(links[-1]))

    async def links(self) -> list[str]:
        """Return the links of all watches, the oldest first."""
        return [self.contact(row)["link"] for row in await self.rows()]

    async def stops(self) -> list[str]:
        return [self.contact(row)["stop"] for row in await self.rows()]

    def contact(self, row: Any) -> dict[str, str]:
        return self.store._cipher.contact(row.contact)

    async def rows(self) -> list[Any]:
        async def work(connection: AsyncConnection) -> list[Any]:
            wanted = sqlmodel.select(WatchRow).order_by(sqlmodel.col(WatchRow.id))
            return list((await connection.execute(wanted)).all())

        return await self.database.read(work)

    async def mails(self) -> list[ClaimedMail]:
        """Send what waits, and return it."""
        found = list[ClaimedMail]()
        now = self.calendar()
        while mail := await self.outbox.claim(now, lease=LEASE, longest=LEASE):
            found.append(mail)
            await self.outbox.mark_sent(mail, now)
        return found

    async def come_back(self, address: str) -> None:
        """Have a mail to an address come back."""
        mail = NewMail(kind=MailKind.CASE_REPLY, created=self.calendar(), recipient=address)
        key = await self.database.write(lambda one: add_mail(one, MailCipher(KEYS), mail))
        await self.mails()
        await self.outbox.record_return(key, is_complaint=False, at=self.calendar())


def watching(
    database: Database, calendar: Calendar, *, limits: WatchLimits | None = None, notify: Callable[[], None] = print
) -> Watching:
    store = WatchStore(database, KEYS)
    forms = Forms(TokenSigner(KEYS.cipher_for("form token")), KEYS.derive("watch submission")[0], clock=calendar)
    service = WatchService(store, forms=forms, limits=limits, notify=notify, clock=calendar)
    outbox = OutboxStore(database, KEYS, "sender")
    return Watching(database=database, store=store, service=service, outbox=outbox, calendar=calendar)


def sent(*, address: str = ADDRESS, **fields: Any) -> WatchSubmission:
    given = {name: value for name, value in {**FORM, **fields}.items() if value is not None}
    return WatchSubmission(given=given, page="/plan/remortgaging/watch/", address=address)


def owned(answer: object) -> StoredWatch:
    assert isinstance(answer, StoredWatch), answer
    return answer


def watch(**changes: Any) -> Watch:
    return replace(WATCH, **changes)
