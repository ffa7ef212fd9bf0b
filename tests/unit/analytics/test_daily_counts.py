import asyncio
from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path

import pytest
from sqlmodel import select

from broker.analytics.__main__ import main
from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.analytics.daily_counts import DailyCounts
from broker.analytics.table import FEW, MIN_SHOWN, shown_counts
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.service import EnquiryRefused, Limits
from broker.questionnaire.journey import Refused
from broker.questionnaire.journeys import VisitorJourney
from broker.settings import Settings
from broker.storage.database import Database, database_address, database_for
from broker.storage.errors import StorageError
from broker.storage.tables import WatchRow
from broker.watches.service import WatchStarted
from tests.unit.enquiries.enquiring import BEGINNING, BUILT, Calendar, answered, questionnaire, running, sent, thanked
from tests.unit.watches.watching import sent as watch_form

DAY = BEGINNING.date()


async def stored(database: Database) -> dict[tuple[date, str], int]:
    return {(day, kind): total for day, kind, total in await CountStore(database).since(date.min)}


MIDNIGHTS = {
    "before midnight in winter": (datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC), date(2026, 1, 31)),
    "midnight in winter": (datetime(2026, 2, 1, tzinfo=UTC), date(2026, 2, 1)),
    "before midnight in summer": (datetime(2026, 6, 30, 22, 59, 59, tzinfo=UTC), date(2026, 6, 30)),
    "midnight in summer": (datetime(2026, 6, 30, 23, tzinfo=UTC), date(2026, 7, 1)),
    "before the day on which clocks go forward": (datetime(2026, 3, 28, 23, 59, tzinfo=UTC), date(2026, 3, 28)),
    "that day begins": (datetime(2026, 3, 29, tzinfo=UTC), date(2026, 3, 29)),
    "that day ends an hour early": (datetime(2026, 3, 29, 23, tzinfo=UTC), date(2026, 3, 30)),
    "the day on which clocks go back begins": (datetime(2026, 10, 24, 23, tzinfo=UTC), date(2026, 10, 25)),
    "that day ends an hour late": (datetime(2026, 10, 25, 23, 59, tzinfo=UTC), date(2026, 10, 25)),
    "leap day": (datetime(2028, 2, 29, 12, tzinfo=UTC), date(2028, 2, 29)),
}


@pytest.mark.parametrize(("moment", "day"), MIDNIGHTS.values(), ids=MIDNIGHTS)
async def test_a_count_belongs_to_its_day_in_the_uk(sqlite_url: str, moment: datetime, day: date) -> None:
    database, counts = Database(database_address(sqlite_url)), DailyCounts(lambda: moment)
    counts.add(Counted.HOME)
    await counts.store(CountStore(database))
    assert await stored(database) == {(day, Counted.HOME): 1}
    await database.close()


async def test_counts_of_processes_add_up(each_database_url: str) -> None:
    databases = [Database(database_address(each_database_url)) for _ in range(3)]
    processes = [DailyCounts(Calendar()) for _ in databases]

    async def work(counts: DailyCounts, database: Database, kinds: list[Counted]) -> None:
        for _ in range(10):
            for kind in kinds:
                counts.add(kind)
            await counts.store(CountStore(database))

    orders = [list(Counted), list(reversed(Counted)), [*Counted, *Counted]]
    await asyncio.gather(*(work(*each) for each in zip(processes, databases, orders, strict=True)))
    assert await stored(databases[0]) == {(DAY, kind): 40 for kind in Counted}
    for database in databases:
        await database.close()


class Away(CountStore):
    """A database that is away `times` times."""

    def __init__(self, database: Database, times: int) -> None:
        super().__init__(database)
        self.times = times

    async def add(self, counts: Mapping[tuple[date, Counted], int]) -> None:
        self.times -= 1
        if self.times >= 0:
            raise StorageError("the database cannot be used: TimeoutError")
        await super().add(counts)


async def test_database_that_is_away_for_days_loses_no_count(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    calendar, naps = Calendar(), count()
    counts, away = DailyCounts(calendar), Away(database, 3)

    async def sleep(_: float) -> None:
        if next(naps) == 5:
            raise asyncio.CancelledError
        counts.add(Counted.SEARCH)
        calendar.forward(days=1)

    with pytest.raises(asyncio.CancelledError):
        await counts.store_periodically(away, sleep)
    days = (date(2026, 3, 31), *(date(2026, 4, day) for day in range(1, 5)))
    assert await stored(database) == {(day, Counted.SEARCH): 1 for day in days}
    assert len(caplog.messages) == 3


async def test_counts_are_stored_when_the_process_ends_and_read_by_the_command(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(db_settings) as services:
        for kind in (*MIN_SHOWN * [Counted.HOME], Counted.PDF):
            services.counts.add(kind)
    monkeypatch.setenv("BROKER_DATABASE_URL", db_settings.database_url)
    assert await asyncio.to_thread(main, ["--days", "2", "--csv"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "day,kind,count"
    assert [line.partition(",")[2] for line in lines] == [f"PDF,{FEW}", f"page: home,{MIN_SHOWN}"]
    assert await asyncio.to_thread(main, []) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [lines[0].partition(",")[0], "PDF", *FEW.split()]


def test_command_says_what_it_takes_and_when_there_is_nothing(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROKER_DATABASE_URL", sqlite_url)
    assert main(["--days", "28"]) == 0
    assert capsys.readouterr().out.startswith("Nothing was counted since ")
    for days in ("0", "-3", "40000", "Ann"):
        with pytest.raises(SystemExit):
            main(["--days", days])
    (tmp_path / "file").touch()
    monkeypatch.setenv("BROKER_DATABASE_URL", f"sqlite:///{tmp_path}/file/counts.db")
    assert (main([]), "the database cannot be opened" in capsys.readouterr().err) == (1, True)


def test_small_counts_are_not_shown() -> None:
    day = date(2026, 11, 26)
    rows = [(day, Counted.HOME, MIN_SHOWN), (day, Counted.PDF, MIN_SHOWN - 1), (day, Counted.TOWN, 1)]
    table = shown_counts(rows)
    assert table["count"].isna().tolist() == [False, True, True]
    assert table["count"].dropna().tolist() == [MIN_SHOWN]
    assert table.to_csv(index=False, na_rep=FEW).split("\n")[1:4] == [
        "2026-11-26,page: home,5",
        f"2026-11-26,PDF,{FEW}",
        f"2026-11-26,page: towns,{FEW}",
    ]
    assert shown_counts([]).empty


async def test_questionnaire_and_enquiry_are_counted_once(db_settings: Settings) -> None:
    async with running(db_settings, limits=Limits(sent=99, sent_without_token=99)) as services:
        journeys, enquiries = services.journeys, services.enquiries
        await journeys.open("", "q1")  # looked at, not begun
        done = await answered(services)
        await journeys.answer(done.token, "q4", answer=BUILT)  # as it was
        assert isinstance(await journeys.answer("", "q1", answer="buy"), VisitorJourney)  # begun, not finished
        assert isinstance(await journeys.answer(done.token, "q1", answer="none of ours"), Refused)
        for form in (sent(), sent(EnquiryKind.CONTACT), questionnaire(done)):
            at_once = await asyncio.gather(*(enquiries.submit(form) for _ in range(3)))
            again = await enquiries.submit(form)
            assert len({thanked(each).reference for each in (*at_once, again)}) == 1
        assert isinstance(await enquiries.submit(sent(name="")), EnquiryRefused)
    database = database_for(db_settings)
    assert {kind: total for (_, kind), total in (await stored(database)).items()} == {
        Counted.QUESTIONNAIRE_STARTED: 2,
        Counted.QUESTIONNAIRE_FINISHED: 1,
        Counted.CALLBACK: 1,
        Counted.MESSAGE: 1,
        Counted.QUESTIONNAIRE: 1,
    }
    await database.close()


async def test_watch_is_counted_once_as_started_confirmed_and_stopped(db_settings: Settings) -> None:
    calendar = Calendar()
    async with running(db_settings, calendar) as services:
        watches = services.watches
        for email in ("a@quill.example", "b@quill.example"):
            for _ in range(2):  # the same form twice
                assert isinstance(await watches.start(watch_form(email=email)), WatchStarted)
        rows = await watches._store._database.read(lambda one: one.execute(select(WatchRow.contact)))
        contacts = [watches._store._cipher.contact(row.contact) for row in rows]
        for contact in contacts:
            calendar.forward(minutes=1)
            await watches.confirm(contact["link"])
            calendar.forward(minutes=1)
            await watches.confirm(contact["link"])
        for _ in range(2):
            await watches.stop(contacts[0]["link"])
            await watches.unsubscribe(contacts[1]["stop"])
    database = database_for(db_settings)
    kinds = (Counted.WATCH_STARTED, Counted.WATCH_CONFIRMED, Counted.WATCH_STOPPED)
    assert {kind: total for (_, kind), total in (await stored(database)).items()} == dict.fromkeys(kinds, 2)
    await database.close()
