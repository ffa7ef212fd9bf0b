"""What somebody of staff changes of their own account, and what refuses it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from broker.domain.staff.accounts import MAX_FAILURES, StaffSession
from broker.domain.staff.audit import Act
from broker.services.staff.one_time_codes import code_at, step_at
from broker.services.staff.own_account import (
    NOT_ALIKE,
    NOTHING_BEGUN,
    SAME_AS_BEFORE,
    WRONG_CODE,
    WRONG_PASSWORD,
    AccountProblem,
    CodesState,
)
from broker.services.staff.sign_in import SignedIn
from broker.storage.encryption import DecryptionError
from tests.unit.services.staffing import ADA, HERE, OTHER, PASSWORD, Staffroom, staffroom

Found = TypeVar("Found")


def signed_in(url: str, block: Callable[[Staffroom, StaffSession], Awaitable[Found]]) -> Found:
    """Return what ada does once she is signed in."""

    async def with_it() -> Found:
        async with staffroom(url) as room:
            session = await room.admin.signed_in(f"staff={await room.token()}")
            assert session
            return await block(room, session)

    return asyncio.run(with_it())


async def set_up(room: Staffroom, session: StaffSession) -> tuple[str, ...]:
    """Set up one-time codes, and return the recovery codes."""
    secret = await room.admin.account.begin_codes(session, password=PASSWORD)
    assert isinstance(secret, bytes)
    codes = await room.admin.account.confirm_codes(session, code=code_at(secret, step_at(room.calendar())))
    assert isinstance(codes, tuple)
    return codes


PASSWORDS = {
    "wrong": ("not it", OTHER, OTHER, "old", WRONG_PASSWORD),
    "short": (PASSWORD, "short", "short", "new", "Choose a password of 12"),
    "common": (PASSWORD, "password2026", "password2026", "new", "Choose another"),
    "the same": (PASSWORD, PASSWORD, PASSWORD, "new", SAME_AS_BEFORE),
    "not alike": (PASSWORD, OTHER, OTHER + "x", "again", NOT_ALIKE),
    "nothing": (None, None, None, "old", WRONG_PASSWORD),
}


@pytest.mark.parametrize("case", PASSWORDS.values(), ids=PASSWORDS)
def test_password_is_not_changed_for_a_reason(database_url: str, case: tuple[object, object, object, str, str]) -> None:
    old, new, again, field, words = case

    async def block(room: Staffroom, session: StaffSession) -> tuple[object, str]:
        done = await room.admin.account.change_password(session, old=old, new=new, again=again)
        return done, await room.token()

    done, token = signed_in(database_url, block)
    assert isinstance(done, AccountProblem)
    assert (done.field, done.words.startswith(words), bool(token)) == (field, True, True)


def test_guessing_the_password_in_an_open_session_locks_too(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> tuple[object, Act]:
        for number in range(MAX_FAILURES):
            await room.admin.account.remove_codes(session, password=f"guess {number}")
        refused = await room.admin.account.remove_codes(session, password=PASSWORD)
        return refused, [entry.what for entry in await room.record()][-2]

    assert signed_in(database_url, block) == (AccountProblem(field="password", words=WRONG_PASSWORD), Act.LOCKED)


def test_codes_are_asked_for_once_a_code_confirmed_them(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> list[object]:
        own = room.admin.account
        before = await own.codes(session)
        secret = await own.begin_codes(session, password=PASSWORD)
        pending = await own.codes(session)
        still = type(await room.admin.sign_in.with_password(ADA, PASSWORD, address=HERE))
        wrong = await own.confirm_codes(session, code="000000x")
        assert isinstance(secret, bytes)
        recovery = await own.confirm_codes(session, code=code_at(secret, step_at(room.calendar())))
        assert isinstance(recovery, tuple)
        await room.ticket()
        return [before, pending.pending == secret, still, wrong, await own.codes(session)]

    assert signed_in(database_url, block) == [
        CodesState(are_on=False, recovery_left=0),
        True,
        SignedIn,
        AccountProblem(field="code", words=WRONG_CODE),
        CodesState(are_on=True, recovery_left=10),
    ]


def test_nothing_is_confirmed_that_was_not_begun(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> object:
        return await room.admin.account.confirm_codes(session, code="123456")

    assert signed_in(database_url, block) == AccountProblem(field="", words=NOTHING_BEGUN)


def test_removed_codes_are_asked_for_no_longer(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> tuple[object, object, list[str]]:
        await set_up(room, session)
        await room.admin.account.remove_codes(session, password=PASSWORD)
        return await room.admin.account.codes(session), bool(await room.token()), (await room.told())[-2:]

    state, is_in, told = signed_in(database_url, block)
    assert (state, is_in) == (CodesState(are_on=False, recovery_left=0), True)
    assert told == ["ada removed the one-time codes of ada", "ada signed in"]


def test_secret_is_sealed_for_its_account_alone(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> tuple[bool, object]:
        await set_up(room, session)
        ada = await room.store.find(ADA)
        await room.accounts.add("grace", OTHER)
        grace = await room.store.find("grace")
        assert ada
        assert grace
        assert ada.code_secret
        await room.store.begin_codes(grace.id, ada.code_secret)
        stolen = await room.admin.signed_in(f"staff={await room.token('grace', OTHER)}")
        assert stolen
        return (await room.admin.account.codes(stolen)).pending == b"", ada.code_secret[:3]

    assert signed_in(database_url, block) == (True, b"gAA")


def test_secret_of_other_keys_is_told_as_such(database_url: str) -> None:
    async def block(room: Staffroom, session: StaffSession) -> None:
        await room.store.begin_codes(session.account_id, b"not sealed by us")
        with pytest.raises(DecryptionError):
            await room.admin.account.codes(session)

    signed_in(database_url, block)
