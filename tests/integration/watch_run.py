"""Many watches against a new catalogue, and six months of a few of them with a mail server that fails one in five."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qs, urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.mail.outbox import Outbox
from broker.mail.outbox_store import OutboxStore
from broker.mail.smtp import mailer_for
from broker.rates.market.rate_source import MarketRateSource
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.tables import WatchRow
from broker.watches.checking import Checked, WatchChecks
from broker.watches.checks import WINDOW
from broker.watches.store import NewWatch, WatchCipher, WatchStore
from broker.watches.watch import DealKind, StoredWatch, Tell, Watch, WatchContact, WatchState
from tests.integration.mail_run import FlakyServer
from tests.unit.enquiries.enquiring import BEGINNING, FIRM, Calendar
from tests.unit.mail.mails import SENDER, STAFF
from tests.unit.rates.market.searching import catalogue
from tests.unit.watches.market import MovingMarket
from tests.unit.watches.watching import KEYS

PERIOD = timedelta(minutes=10)
_MAX_ROUNDS = 40
"""Rounds of sending what is left at the end."""

ROUND = timedelta(hours=6)
"""Time between two checks of six months."""


class WholeMarket:
    """A live market that lists all products of the sample market; each reading is a new catalogue.

    `processor` is how many seconds of the processor its answers have taken.
    """

    def __init__(self, calendar: Calendar) -> None:
        self._calendar, self._source = calendar, MarketRateSource(catalogue=catalogue())
        self.processor = 0.0

    async def search(self, query: RatesQuery) -> RatesAnswer:
        begun, answer = time.process_time(), self._source.answer(query)
        products = tuple(answer.products)  # decoded, as those of a live source are
        self.processor += time.process_time() - begun
        return replace(answer, products=products, read_at=self._calendar(), sample=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A check, with the seconds of the clock that it took, and those of the processor without the market's own."""

    checked: Checked
    processor: float
    wall: float


def check_many(settings: Settings, count: int) -> tuple[Timed, Timed]:
    """Store watches, and check them against a new catalogue twice: the second adds the mails."""
    return asyncio.run(_check_many(settings, count))


async def _check_many(settings: Settings, count: int) -> tuple[Timed, Timed]:
    calendar, database = Calendar(), database_for(settings)
    store, chance = WatchStore(database, KEYS), random.Random(1)
    await fill(database, [some_watch(chance) for _ in range(count)])
    market = WholeMarket(calendar)
    checks = WatchChecks(store, search=market.search, is_live=True, every=PERIOD, clock=calendar)
    try:
        first = await _timed(checks, market)
        calendar.now += PERIOD
        return first, await _timed(checks, market)
    finally:
        await database.close()


async def _timed(checks: WatchChecks, market: WholeMarket) -> Timed:
    processor, wall = time.process_time() - market.processor, time.perf_counter()
    checked = await checks.check()
    assert checked
    return Timed(
        checked=checked, processor=time.process_time() - market.processor - processor, wall=time.perf_counter() - wall
    )


def some_watch(chance: random.Random) -> Watch:
    """Return a watch with figures like those that people have."""
    value = chance.randrange(120_000, 900_000, 1_000)
    return Watch(
        given=BEGINNING.date(),
        balance=round(value * chance.uniform(0.1, 0.9), -2),
        value=value,
        years=chance.randrange(10, 71) / 2,
        rate=chance.randrange(120, 660) / 100,
        deal_end=date(2026, 7, 1) + timedelta(days=chance.randrange(1_000)),
        follow_on=chance.randrange(650, 900) / 100,
        charge_percent=chance.randrange(0, 5),
        repay=chance.choice(("repayment", "repayment", "repayment", "interest-only")),
        home=chance.choice(("home", "home", "home", "let")),
        lender_id=chance.choice((None, *range(1, 40))),
        tells=frozenset(Tell),
        saving_over=chance.randrange(500, 5_000, 100),
        rate_below=chance.randrange(300, 420) / 100,
        kind=chance.choice(tuple(DealKind)),
        applied_rate=chance.randrange(350, 420) / 100,
    )


async def fill(database: Database, watches: Sequence[Watch]) -> None:
    """Store confirmed watches, each of an address of its own."""
    cipher = WatchCipher(KEYS)

    def row(number: int) -> dict[str, Any]:
        new = NewWatch(
            contact=WatchContact(watch=watches[number], email=f"owner{number}@quill.example"),
            submissions=(f"form {number}",),
            created=BEGINNING,
            delete_after=BEGINNING + timedelta(days=1_000),
            consent_text="1",
            consent_words="Tell me.",
            consent_page="/",
        )
        return {**cipher.row(new, f"address {number}"), "state": WatchState.ACTIVE.value}

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(insert(WatchRow), [row(number) for number in range(len(watches))])

    await database.write(work)


class WatchingServer(FlakyServer):
    """Counts the mails that it accepted by recipient as well, and keeps when."""

    def __init__(self, chance: random.Random, calendar: Calendar) -> None:
        super().__init__(chance)
        self.calendar = calendar
        self.mails = list[Arrived]()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        answer = await super().handle_DATA(server, session, envelope)
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            message = message_from_bytes(envelope.content)
            stop = parse_qs(urlsplit(message["List-Unsubscribe"].strip("<>")).query)["stop"][0]
            self.mails.append(
                Arrived(at=self.calendar(), recipient=message["To"], key=message["Message-ID"], stop=stop)
            )
        return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    at: datetime
    recipient: str
    key: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfYear:
    """What arrived, what each owner was told by the database, and when owners stopped, by recipient."""

    mails: Sequence[Arrived]
    told: Sequence[StoredWatch]
    stopped: dict[str, datetime]
    refused: int
    waiting: int
    repeated: Counter[str] = field(default_factory=Counter)


def live_half_a_year(settings: Settings, count: int, *, days: int = 183, seed: int = 1) -> HalfYear:
    """Check watches every few hours while rates move, and send through the server; one in four stops at its mail."""
    return asyncio.run(_live(settings, count, days=days, chance=random.Random(seed)))


async def _live(settings: Settings, count: int, *, days: int, chance: random.Random) -> HalfYear:
    calendar, database = Calendar(), database_for(settings)
    store, market = WatchStore(database, KEYS), MovingMarket(calendar)
    server = WatchingServer(chance, calendar)
    settings = settings.changed(smtp_url=f"smtp://127.0.0.1:{server.port}", mail_to=STAFF, mail_from=SENDER)
    mailer = mailer_for(settings, lambda: FIRM)
    assert mailer
    outbox = OutboxStore(database, KEYS, "sender")
    sender = Outbox(outbox, mailer, clock=calendar)
    checks = WatchChecks(store, search=market.search, is_live=True, every=PERIOD, clock=calendar)
    await fill(database, [some_watch(chance) for _ in range(count)])
    stopped, seen = dict[str, datetime](), 0
    for number in range(int(timedelta(days=days) / ROUND)):
        calendar.now += ROUND
        market.shift = -1.2 * number / (days * 4) + chance.choice((0, 0, 0, 0.1, -0.1))
        market.away, market.empty = chance.random() < 0.1, chance.random() < 0.1
        await checks.check()
        for arrived in server.mails[seen:]:
            if chance.random() < 0.25 and arrived.recipient not in stopped:
                await store.delete(stop=arrived.stop)
                stopped[arrived.recipient] = calendar()
        seen = len(server.mails)
        if number % 20 > 3 and (await outbox.status()).waiting:  # away for a day now and then
            with server.up():
                await sender.send_due()
    for _ in range(_MAX_ROUNDS):
        calendar.now += timedelta(hours=1)
        with server.up():
            await sender.send_due()
        if not (await outbox.status()).waiting:
            break
    told, waiting = [store._cipher.read(row) for row in await _rows(database)], (await outbox.status()).waiting
    await database.close()
    return HalfYear(
        mails=server.mails,
        told=told,
        stopped=stopped,
        refused=server.refused,
        waiting=waiting,
        repeated=server.accepted,
    )


async def _rows(database: Database) -> Sequence[Any]:
    async def work(connection: AsyncConnection) -> Sequence[Any]:
        return (await connection.execute(select(WatchRow))).all()

    return await database.read(work)


def assert_right(lived: HalfYear) -> None:
    """Assert that each mail came once and none after a stop, that no month has three, and that no news came twice."""
    assert set(lived.repeated.values()) == {1}
    by_owner: dict[str, list[datetime]] = {}
    for mail in lived.mails:
        by_owner.setdefault(mail.recipient, []).append(mail.at)
        assert mail.recipient not in lived.stopped or mail.at <= lived.stopped[mail.recipient]
    for stored in lived.told:
        mails = by_owner.get(stored.email, [])
        times = sorted({each.at for each in stored.told})
        assert len(times) == len(mails), stored.email
        assert all(third - first >= WINDOW for first, third in zip(times, times[2:], strict=False))
    assert lived.waiting == 0
