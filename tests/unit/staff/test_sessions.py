from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.staff.sessions import CACHE_LIFETIME
from broker.storage.errors import StorageError
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD, StaffTestbed, staff_testbed


@pytest.fixture
async def other(staff: StaffTestbed, database_url: str) -> AsyncIterator[StaffTestbed]:
    """Another machine over the database of `staff`, at the same time."""
    async with staff_testbed(database_url, calendar=staff.calendar) as testbed:
        yield testbed


async def stored(staff: StaffTestbed, what: str) -> str:
    async def work(connection: AsyncConnection) -> object:
        return (await connection.execute(text(f"SELECT {what} FROM staff_sessions"))).scalar()

    return str(await staff.database.read(work))


async def idle_for_half_an_hour(staff: StaffTestbed, _: str) -> None:
    staff.calendar.forward(minutes=30)


async def active_for_twelve_hours(staff: StaffTestbed, token: str) -> None:
    for _ in range(36):
        staff.calendar.forward(minutes=20)
        await staff.admin.sessions.signed_in(f"staff={token}")


async def disabled(staff: StaffTestbed, _: str) -> None:
    await staff.disable(ADA)
    staff.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())


async def reset(staff: StaffTestbed, _: str) -> None:
    await staff.accounts.reset(ADA, OTHER)
    staff.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())


async def signed_out(staff: StaffTestbed, token: str) -> None:
    await staff.admin.sessions.end(await staff.session(token))


async def signed_out_everywhere_in_another_browser(staff: StaffTestbed, _: str) -> None:
    await staff.admin.sessions.end(await staff.session(), everywhere=True)


ENDS = (
    *(idle_for_half_an_hour, active_for_twelve_hours, disabled, reset),
    *(signed_out, signed_out_everywhere_in_another_browser),
)


@pytest.mark.parametrize("end", ENDS)
async def test_session_ends(staff: StaffTestbed, end: Callable[[StaffTestbed, str], Awaitable[None]]) -> None:
    token = await staff.token()
    assert await staff.name(token) == ADA
    await end(staff, token)
    assert await staff.name(token) == ""


async def test_session_goes_on_while_something_is_done_in_it(staff: StaffTestbed) -> None:
    token = await staff.token()
    for _ in range(24):
        staff.calendar.forward(minutes=29)
        assert await staff.name(token) == ADA


async def test_signing_out_here_leaves_other_browsers_signed_in(staff: StaffTestbed) -> None:
    here, there = await staff.token(), await staff.token()
    await staff.admin.sessions.end(await staff.session(here))
    assert (await staff.name(here), await staff.name(there)) == ("", ADA)


async def test_end_on_another_machine_is_known_within_three_seconds(staff: StaffTestbed, other: StaffTestbed) -> None:
    token = await staff.token()
    session = await staff.session(token)
    assert await other.name(token) == ADA
    await staff.admin.sessions.end(session)
    assert (await staff.name(token), await other.name(token)) == ("", ADA)
    staff.calendar.forward(seconds=3)
    assert await other.name(token) == ""


async def test_end_on_another_machine_is_known_after_the_clock_goes_back(
    staff: StaffTestbed, other: StaffTestbed
) -> None:
    token = await staff.token()
    assert await other.name(token) == ADA
    await staff.admin.sessions.end(await staff.session(token))
    staff.calendar.forward(hours=-1)
    assert await other.name(token) == ""


async def test_session_ends_in_its_time_after_the_clock_goes_back(staff: StaffTestbed) -> None:
    token = await staff.token()
    staff.calendar.forward(hours=-1)
    assert await staff.name(token) == ADA
    staff.calendar.forward(minutes=30)
    assert await staff.name(token) == ""


async def test_database_is_read_every_three_seconds_and_written_every_minute(staff: StaffTestbed) -> None:
    token = await staff.token()
    statements: list[str] = []

    def note(*arguments: object) -> None:
        statement = str(arguments[2])
        # SQLite reads back what it wrote
        if "sqlite_master" not in statement:
            statements.append(statement.split(maxsplit=1)[0])

    event.listen(Engine, "before_cursor_execute", note)
    for _ in range(1_200):
        staff.calendar.forward(seconds=0.1)
        await staff.name(token)
    event.remove(Engine, "before_cursor_execute", note)
    assert (statements.count("SELECT"), statements.count("UPDATE")) == (40, 2)


async def test_only_a_digest_of_the_token_is_stored_and_opens_nothing(staff: StaffTestbed) -> None:
    token, digest = await staff.token(), await stored(staff, "token")
    assert (len(digest), token in digest) == (64, False)
    assert (await staff.name(digest), await staff.name(digest[:43])) == ("", "")


async def test_sessions_that_are_over_are_deleted_by_the_next_sign_in(staff: StaffTestbed) -> None:
    for _ in range(3):
        await staff.token()
    staff.calendar.forward(hours=1)
    await staff.token()
    assert await stored(staff, "count(*)") == "1"


COOKIES = {
    "none": "",
    "another's name": "session=%s",
    "secure name on http": "__Host-staff=%s",
    "longer": "staff=%sA",
    "quoted": 'staff="%s"',
    "behind another": "staff=x; staff=%s",
    "far behind": f"a={'b' * 16_000}; staff=%s",
}


async def test_cookie_of_another_shape_is_nobodys(staff: StaffTestbed) -> None:
    token = await staff.token()
    for name, header in COOKIES.items():
        assert await staff.admin.sessions.signed_in(header.replace("%s", token)) is None, name


async def test_secure_site_takes_the_secure_cookie_alone(database_url: str) -> None:
    async with staff_testbed(database_url, site="https://broker.example") as staff:
        token = await staff.token()
        assert await staff.admin.sessions.signed_in(f"__Host-staff={token}") is not None
        assert await staff.admin.sessions.signed_in(f"staff={token}") is None


async def test_away_database_raises_and_lets_nobody_in() -> None:
    async with staff_testbed("postgresql://nobody@127.0.0.1:1/name", ada=False) as staff:
        with pytest.raises(StorageError):
            await staff.name("A" * 43)


async def test_changed_password_renews_this_session_and_ends_the_others(staff: StaffTestbed) -> None:
    here, there = await staff.token(), await staff.token()
    session = await staff.session(here)
    renewed = await staff.admin.account.change_password(session, old=PASSWORD, new=OTHER, again=OTHER)
    assert isinstance(renewed, str)
    assert [await staff.name(token) for token in (here, there, renewed)] == ["", "", ADA]
    assert (await staff.audit_sentences())[-1] == "ada changed the password of ada"
