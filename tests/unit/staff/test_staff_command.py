import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from broker.appointments.appointment import Medium, Slot
from broker.appointments.slots import AdviserHours, TimeRange
from broker.duties.complaint_store import ComplaintStore
from broker.enquiries.working_time import bank_holidays
from broker.settings import Settings
from broker.staff import __main__, credentials
from broker.staff.sign_in import SignedIn
from broker.storage.database import Database, all_rows, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.tables import ComplaintRow, EnquiryRow
from tests.databases.fixtures import KEY
from tests.unit.appointments.booking import booked
from tests.unit.staff.staff_testbed import ADA, CHEAP, OTHER, PASSWORD, staff_testbed
from tests.unit.staff.test_account_admin import COMPLAINT
from tests.unit.storage.stores import giving, new, stores_of

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(db_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run the command with some words, typing passwords where it asks; return its code and what it wrote."""
    monkeypatch.setattr(__main__, "read_settings", lambda: db_settings)
    monkeypatch.setattr(credentials, "Cost", lambda: CHEAP)

    def command(*words: str, typed: tuple[str, ...] = ()) -> tuple[int, str, str]:
        answers = iter(typed)
        monkeypatch.setattr(__main__, "getpass", lambda _: next(answers))
        monkeypatch.setattr(sys.stdin, "isatty", lambda: bool(typed), raising=False)
        code = __main__.main(words)
        told = capsys.readouterr()
        return code, told.out, told.err

    yield command


def signs_in(url: str, password: str) -> bool:
    async def trying() -> object:
        async with staff_testbed(url, ada=False) as staff_area:
            staff_area.calendar.now = datetime.now(UTC)
            return await staff_area.sign_in(ADA, password)

    return isinstance(asyncio.run(trying()), SignedIn)


def test_there_is_no_account_before_the_first(run: Run) -> None:
    assert run("list") == (0, "There is no account yet. Make one with: python -m broker.staff add NAME\n", "")


def test_added_account_signs_in_and_is_listed(run: Run, database_url: str) -> None:
    assert run("add", "Ada", typed=(PASSWORD, PASSWORD)) == (0, "Added ada, owner.\n", "")
    assert signs_in(database_url, PASSWORD)
    assert re.fullmatch(
        r"ada +owner +active +password only +signed in last: 20\d\d-\d\d-\d\d \d\d:\d\d UTC\n", run("list")[1]
    )


def test_made_password_is_shown_once_and_signs_in(run: Run, database_url: str) -> None:
    code, said, _ = run("add", ADA, "--generate")
    made = said.split()[-1]
    assert (code, len(made), signs_in(database_url, made)) == (0, 20, True)
    assert made not in run("list")[1]


REFUSED = {
    "no such name": (("add", "a"), (), "A name has 2 to 40 characters"),
    "no terminal": (("add", "grace"), (), "A password is typed on a terminal"),
    "too short": (("add", "grace"), ("short",), "Choose a password of 12"),
    "not alike": (("add", "grace"), (OTHER, OTHER + "x"), "The two passwords are not the same"),
    "name is taken": (("add", ADA, "--generate"), (), "There is an account ada already"),
    "nobody to reset": (("reset", "grace", "--generate"), (), "There is no account 'grace'"),
    "nobody to disable": (("disable", "grace"), (), "There is no account 'grace'"),
    "nobody to enable": (("enable", "x" * 900), (), "There is no account"),
}


@pytest.mark.parametrize(("words", "typed", "reason"), REFUSED.values(), ids=REFUSED)
def test_command_says_why_it_does_nothing(
    run: Run, words: tuple[str, ...], typed: tuple[str, ...], reason: str
) -> None:
    run("add", ADA, typed=(PASSWORD, PASSWORD))
    code, said, refused = run(*words, typed=typed)
    assert (code, said, refused.startswith(reason), refused.count("\n")) == (1, "", True, 1)
    assert run("list")[1].count("\n") == 1


def test_reset_changes_the_password(run: Run, database_url: str) -> None:
    run("add", ADA, typed=(PASSWORD, PASSWORD))
    assert run("reset", ADA, typed=(OTHER, OTHER))[0] == 0
    assert [signs_in(database_url, each) for each in (PASSWORD, OTHER)] == [False, True]


def test_disabled_account_is_out_until_it_is_enabled(run: Run, database_url: str) -> None:
    run("add", ADA, typed=(PASSWORD, PASSWORD))
    assert run("disable", ADA)[0] == 0
    assert (" disabled " in run("list")[1], signs_in(database_url, PASSWORD)) == (True, False)
    assert run("enable", ADA) == (0, "ada can sign in.\n", "")
    assert signs_in(database_url, PASSWORD)


def test_account_that_is_disabled_with_appointments_says_where_to_hand_them_over(run: Run, database_url: str) -> None:
    run("add", ADA, typed=(PASSWORD, PASSWORD))

    async def book() -> None:
        now = datetime.now(UTC)
        days = (now + timedelta(days=number) for number in range(2, 9))
        working = next(day for day in days if day.date() not in bank_holidays(day.year))
        hours = AdviserHours(ranges=dict.fromkeys(range(7), (TimeRange(opens=time(6), closes=time(20)),)))
        database = Database(database_address(database_url))
        stores = stores_of(database)
        await stores.appointments.set_hours(ADA, hours, who=ADA, at=now)
        for number in (1, 2):
            start = working.replace(hour=9 + number, minute=0, second=0, microsecond=0)
            await booked(stores, Slot(start=start, minutes=20, medium=Medium.TELEPHONE), number, at=now)
        await database.close()

    asyncio.run(book())
    handing = "This account has 2 appointments to come: hand them over at /staff/diary/absences/?adviser=ada"
    assert run("disable", ADA, "--to-nobody")[1].endswith(f" {handing}\n")


@pytest.fixture
def work(run: Run, database_url: str) -> Callable[[], tuple[list[str], list[str]]]:
    """Give ada two open cases and a complaint beside ben; return who has cases and complaints now."""
    for name in (ADA, "ben", "cat"):
        run("add", name, typed=(PASSWORD, PASSWORD))

    async def begin() -> None:
        database, now = Database(database_address(database_url)), datetime.now(UTC)
        stores = stores_of(database)
        references = [await stores.enquiries.add(new(number)) for number in (1, 2)]
        await stores.changes.change_many(references, giving(ADA), who=ADA, at=now)
        complaint = replace(COMPLAINT, assigned=ADA)
        await ComplaintStore(database, SecretKeys((KEY,))).add(complaint, who=ADA, at=now)
        await database.close()

    async def holders() -> tuple[list[str], list[str]]:
        database = Database(database_address(database_url))
        wanted = [select(col(table.assigned)).order_by(col(table.id)) for table in (EnquiryRow, ComplaintRow)]
        found = [[row.assigned for row in await database.read(all_rows(each))] for each in wanted]
        await database.close()
        return found[0], found[1]

    asyncio.run(begin())
    return lambda: asyncio.run(holders())


def test_account_with_open_work_is_not_disabled_until_somebody_gets_it(
    run: Run, work: Callable[[], tuple[list[str], list[str]]]
) -> None:
    code, said, refused = run("disable", ADA)
    assert (code, said) == (1, "")
    assert refused == "ada has 2 open cases and 1 complaint: say who gets them with --to NAME, or --to-nobody.\n"
    for heir in ("zed", ADA):
        assert run("disable", ADA, "--to", heir) == (1, "", "Choose colleagues who may work on cases.\n")
    assert (" disabled " in run("list")[1], work()) == (False, ([ADA] * 2, [ADA]))


HEIRS = {
    "a colleague": (("--to", "ben"), (["ben", "ben"], ["ben"]), "went to ben."),
    "two in turn": (("--to", "ben", "cat"), (["ben", "cat"], ["ben"]), "went to ben and cat."),
    "nobody": (("--to-nobody",), (["", ""], [""]), "went to nobody."),
}


@pytest.mark.parametrize(("words", "holders", "said"), HEIRS.values(), ids=HEIRS)
def test_disabled_account_hands_over_its_open_work_as_in_the_browser(
    run: Run,
    work: Callable[[], tuple[list[str], list[str]]],
    words: tuple[str, ...],
    holders: tuple[list[str], list[str]],
    said: str,
) -> None:
    done = f"ada can no longer sign in. 2 open cases and 1 complaint {said}\n"
    assert run("disable", ADA, *words) == (0, done, "")
    assert (work(), " disabled " in run("list")[1]) == (holders, True)
    assert run("disable", ADA) == (0, "ada can no longer sign in.\n", "")


def test_everything_is_recorded_and_no_password_with_it(run: Run, database_url: str) -> None:
    run("add", ADA, typed=(PASSWORD, PASSWORD))
    run("reset", ADA, "--remove-codes", typed=(OTHER, OTHER))
    run("disable", ADA)
    run("enable", ADA)

    async def told() -> list[str]:
        async with staff_testbed(database_url) as staff_area:
            return await staff_area.audit_sentences()

    assert asyncio.run(told()) == [
        f"command line {each}"
        for each in (
            "added the account ada",
            "removed the one-time codes of ada",
            "gave the account ada a new password",
            "disabled the account ada",
            "enabled the account ada",
        )
    ]


def test_away_database_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    away = Settings(database_url="postgresql://nobody@127.0.0.1:1/name")
    monkeypatch.setattr(__main__, "read_settings", lambda: away)
    code, _, said = run("list")
    assert (code, said) == (1, "the database cannot be used: ConnectionRefusedError.\n")
