"""The second step of signing in: one-time codes and recovery codes, each once, and what they need to come with."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.domain.staff.accounts import MAX_FAILURES
from broker.domain.staff.audit import Act
from broker.services.staff.one_time_codes import code_at, step_at
from broker.services.staff.sign_in import TOO_LATE, CodeRequired, SignedIn, SignInDenied
from tests.unit.services.staffing import ADA, HERE, OTHER, PASSWORD, Staffroom, in_room


async def with_codes(room: Staffroom) -> bytes:
    """Set up one-time codes for ada, and return the secret once its first code is over."""
    session = await room.admin.signed_in(f"staff={await room.token()}")
    assert session
    secret = await room.admin.account.begin_codes(session, password=PASSWORD)
    assert isinstance(secret, bytes)
    codes = await room.admin.account.confirm_codes(session, code=code_at(secret, step_at(room.calendar())))
    assert isinstance(codes, tuple)
    room.calendar.forward(minutes=5)
    return secret


def test_code_is_asked_for_after_the_password_and_taken_once(database_url: str) -> None:
    async def block(room: Staffroom) -> list[object]:
        secret = await with_codes(room)
        code = code_at(secret, step_at(room.calendar()))
        first = await room.admin.sign_in.with_code(await room.ticket(), f" {code[:3]} {code[3:]} ", address=HERE)
        again = await room.admin.sign_in.with_code(await room.ticket(), code, address=HERE)
        before = code_at(secret, step_at(room.calendar()) - 1)
        earlier = await room.admin.sign_in.with_code(await room.ticket(), before, address=HERE)
        room.calendar.forward(seconds=30)
        later = code_at(secret, step_at(room.calendar()))
        return [
            type(first),
            again,
            earlier,
            type(await room.admin.sign_in.with_code(await room.ticket(), later, address=HERE)),
        ]

    assert in_room(database_url, block) == [SignedIn, SignInDenied(), SignInDenied(), SignedIn]


def test_one_code_sent_twice_at_once_signs_in_once(database_url: str) -> None:
    async def block(room: Staffroom) -> list[str]:
        secret = await with_codes(room)
        ticket, code = await room.ticket(), code_at(secret, step_at(room.calendar()))
        both = [room.admin.sign_in.with_code(ticket, code, address=HERE) for _ in range(2)]
        return sorted(type(each).__name__ for each in await asyncio.gather(*both))

    assert in_room(database_url, block) == ["SignInDenied", "SignedIn"]


def test_recovery_code_signs_in_once(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[list[object], list[str]]:
        session = await room.admin.signed_in(f"staff={await room.token()}")
        assert session
        secret = await room.admin.account.begin_codes(session, password=PASSWORD)
        assert isinstance(secret, bytes)
        codes = await room.admin.account.confirm_codes(session, code=code_at(secret, step_at(room.calendar())))
        assert isinstance(codes, tuple)
        typed = codes[3].lower().replace("-", " ")
        found = [type(await room.admin.sign_in.with_code(await room.ticket(), typed, address=HERE)) for _ in range(2)]
        left = await room.admin.account.codes(session)
        return [*found, left.recovery_left, len(set(codes))], (await room.told())[-3:]

    found, told = in_room(database_url, block)
    assert found == [SignedIn, SignInDenied, 9, 10]
    assert told == [
        "ada signed in with a recovery code",
        "ada signed in",
        "ada failed to sign in (code used before, or the account changed)",
    ]


def test_codes_tried_out_lock_the_account_though_the_password_is_right(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[object, list[str]]:
        secret = await with_codes(room)
        for _ in range(MAX_FAILURES):
            await room.admin.sign_in.with_code(await room.ticket(), "not a code", address=HERE)
        code = code_at(secret, step_at(room.calendar()))
        held = await room.admin.sign_in.with_password(ADA, PASSWORD, address=HERE)
        return held, (await room.told())[-2:] if code else []

    held, told = in_room(database_url, block)
    assert held == SignInDenied()
    assert told == ["ada was locked out after too many failures", "ada failed to sign in (locked)"]


async def late(room: Staffroom, ticket: str) -> str:
    """Wait too long."""
    room.calendar.forward(minutes=5)
    return ticket


async def reset(room: Staffroom, ticket: str) -> str:
    """Have the password changed meanwhile."""
    await room.accounts.reset(ADA, OTHER)
    return ticket


async def forged(_: Staffroom, ticket: str) -> str:
    """Change the ticket."""
    return ticket[:-4] + "AAAA"


async def none(*_: object) -> str:
    """Bring none."""
    return ""


STALE = {"late": late, "reset": reset, "forged": forged, "none": none}


@pytest.mark.parametrize("spoil", STALE.values(), ids=STALE)
def test_code_needs_the_ticket_of_a_password_just_given(
    database_url: str, spoil: Callable[[Staffroom, str], Awaitable[str]]
) -> None:
    async def block(room: Staffroom) -> tuple[str, int]:
        secret = await with_codes(room)
        ticket = await spoil(room, await room.ticket())
        found = await room.admin.sign_in.with_code(ticket, code_at(secret, step_at(room.calendar())), address=HERE)
        assert isinstance(found, SignInDenied)
        return found.words, found.status

    assert in_room(database_url, block) == (TOO_LATE, 403)


def test_password_alone_never_signs_in_where_codes_are_on(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[object, int]:
        await with_codes(room)
        before = len([entry for entry in await room.record() if entry.what is Act.SIGNED_IN])
        found = await room.admin.sign_in.with_password(ADA, PASSWORD, address=HERE)
        after = len([entry for entry in await room.record() if entry.what is Act.SIGNED_IN])
        return type(found), after - before

    assert in_room(database_url, block) == (CodeRequired, 0)
