"""Sessions: what ends them, how soon that is known, and how rarely the database is told that they go on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.domain.enquiries.stored_records import StorageError
from broker.services.staff.sessions import CACHE_LIFETIME
from tests.unit.services.enquiring import Calendar
from tests.unit.services.staffing import ADA, OTHER, PASSWORD, Staffroom, in_room, staffroom

Found = TypeVar("Found")


def in_two_rooms(url: str, block: Callable[[Staffroom, Staffroom], Awaitable[Found]]) -> Found:
    """Return what happens where two machines work on one database, at the same time of day."""

    async def with_them() -> Found:
        calendar = Calendar()
        async with staffroom(url, calendar=calendar) as room, staffroom(url, calendar=calendar) as other:
            return await block(room, other)

    return asyncio.run(with_them())


async def rows(room: Staffroom, what: str = "count(*)") -> object:
    """Return something of the sessions that are stored."""

    async def work(connection: AsyncConnection) -> object:
        return (await connection.execute(text(f"SELECT {what} FROM staff_sessions"))).scalar()

    return await room.database.read(work)


async def until_idle(room: Staffroom) -> None:
    """Do nothing for half an hour."""
    room.calendar.forward(minutes=30)


async def until_the_end(room: Staffroom) -> None:
    """Do something every twenty minutes, for twelve hours."""
    for _ in range(36):
        room.calendar.forward(minutes=20)
        await room.admin.signed_in(f"staff={KEPT[0]}")


async def disable(room: Staffroom) -> None:
    """Disable the account, on the command line."""
    await room.accounts.disable(ADA)
    room.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())


async def reset(room: Staffroom) -> None:
    """Give the account another password, on the command line."""
    await room.accounts.reset(ADA, OTHER)
    room.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())


async def sign_out(room: Staffroom) -> None:
    """Sign out."""
    session = await room.admin.signed_in(f"staff={KEPT[0]}")
    assert session
    await room.admin.sessions.end(session)


async def sign_out_everywhere(room: Staffroom) -> None:
    """Sign out everywhere, in another browser."""
    session = await room.admin.signed_in(f"staff={await room.token()}")
    assert session
    await room.admin.sessions.end(session, everywhere=True)


KEPT: list[str] = []
"""The token of the session that is to end."""

ENDS = {
    "idle": until_idle,
    "absolute": until_the_end,
    "disabled": disable,
    "reset": reset,
    "signed out": sign_out,
    "signed out everywhere": sign_out_everywhere,
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_session_ends(database_url: str, end: Callable[[Staffroom], Awaitable[None]]) -> None:
    async def block(room: Staffroom) -> tuple[str, str]:
        KEPT[:] = [await room.token()]
        before = await room.name(KEPT[0])
        await end(room)
        return before, await room.name(KEPT[0])

    assert in_room(database_url, block) == (ADA, "")


def test_session_goes_on_while_something_is_done_in_it(database_url: str) -> None:
    async def block(room: Staffroom) -> list[str]:
        token, names = await room.token(), []
        for _ in range(24):
            room.calendar.forward(minutes=29)
            names.append(await room.name(token))
        return names

    assert in_room(database_url, block) == [ADA] * 24


def test_signing_out_here_leaves_other_browsers_signed_in(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[str, str]:
        here, there = await room.token(), await room.token()
        session = await room.admin.signed_in(f"staff={here}")
        assert session
        await room.admin.sessions.end(session)
        return await room.name(here), await room.name(there)

    assert in_room(database_url, block) == ("", ADA)


def test_end_on_another_machine_is_known_within_three_seconds(database_url: str) -> None:
    async def block(room: Staffroom, other: Staffroom) -> list[str]:
        token = await room.token()
        session, names = await room.admin.signed_in(f"staff={token}"), [await other.name(token)]
        assert session
        await room.admin.sessions.end(session)
        names += [await room.name(token), await other.name(token)]
        room.calendar.forward(seconds=3)
        return [*names, await other.name(token)]

    assert in_two_rooms(database_url, block) == [ADA, "", ADA, ""]


def test_database_is_asked_once_in_three_seconds_and_told_once_a_minute(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[int, int]:
        token = await room.token()
        asked: list[str] = []

        def note(*given: object) -> None:
            asked.append(str(given[2]).split()[0])

        event.listen(room.database.engine.sync_engine, "before_cursor_execute", note)
        for _ in range(1_200):
            room.calendar.forward(seconds=0.1)
            await room.name(token)
        return asked.count("SELECT"), asked.count("UPDATE")

    assert in_room(database_url, block) == (40, 2)


def test_only_a_digest_of_the_token_is_stored(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[str, object]:
        return await room.token(), await rows(room, "token")

    token, stored = in_room(database_url, block)
    assert len(str(stored)) == 64
    assert token not in str(stored)


def test_digest_of_a_token_opens_nothing(database_url: str) -> None:
    async def block(room: Staffroom) -> str:
        await room.token()
        return await room.name(str(await rows(room, "token"))) + await room.name(str(await rows(room, "token"))[:43])

    assert in_room(database_url, block) == ""


def test_sessions_that_are_over_are_deleted_by_the_next_sign_in(database_url: str) -> None:
    async def block(room: Staffroom) -> object:
        for _ in range(3):
            await room.token()
        room.calendar.forward(hours=1)
        await room.token()
        return await rows(room)

    assert in_room(database_url, block) == 1


COOKIES = {
    "none": "",
    "another's name": "session=%s",
    "secure name on http": "__Host-staff=%s",
    "longer": "staff=%sA",
    "quoted": 'staff="%s"',
    "behind another": "staff=x; staff=%s",
    "far behind": f"a={'b' * 16_000}; staff=%s",
}


@pytest.mark.parametrize("header", COOKIES.values(), ids=COOKIES)
def test_cookie_of_another_shape_is_nobodys(database_url: str, header: str) -> None:
    async def block(room: Staffroom) -> object:
        token = await room.token()
        return await room.admin.signed_in(header.replace("%s", token))

    assert in_room(database_url, block) is None


def test_secure_site_takes_the_secure_cookie_alone(database_url: str) -> None:
    async def block() -> tuple[object, object]:
        async with staffroom(database_url, site="https://broker.example") as room:
            token = await room.token()
            right, wrong = f"__Host-staff={token}", f"staff={token}"
            return await room.admin.signed_in(right) is not None, await room.admin.signed_in(wrong)

    assert asyncio.run(block()) == (True, None)


def test_away_database_is_told_and_lets_nobody_in() -> None:
    async def block() -> None:
        async with staffroom("postgresql://nobody@127.0.0.1:1/name", ada=False) as room:
            with pytest.raises(StorageError):
                await room.name("A" * 43)

    asyncio.run(block())


def test_changed_password_renews_this_session_and_ends_the_others(database_url: str) -> None:
    async def block(room: Staffroom) -> list[str]:
        here, there = await room.token(), await room.token()
        session = await room.admin.signed_in(f"staff={here}")
        assert session
        renewed = await room.admin.account.change_password(session, old=PASSWORD, new=OTHER, again=OTHER)
        assert isinstance(renewed, str)
        names = [await room.name(token) for token in (here, there, renewed)]
        return [*names, (await room.told())[-1]]

    assert in_room(database_url, block) == ["", "", ADA, "ada changed the password of ada"]
