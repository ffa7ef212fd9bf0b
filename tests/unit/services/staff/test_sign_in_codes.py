"""The second step of signing in: one-time codes and recovery codes, each once, and what they need to come with."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.domain.staff.accounts import MAX_FAILURES
from broker.domain.staff.audit import Act
from broker.services.staff.one_time_codes import code_at, step_at
from broker.services.staff.sign_in import TOO_LATE, SignedIn, SignInDenied
from tests.unit.services.staff_testbed import ADA, HERE, OTHER, StaffTestbed


@pytest.fixture
async def secret(staff: StaffTestbed) -> bytes:
    """The secret of ada's one-time codes; the code that set them up is over."""
    secret, _ = await staff.set_up_codes(await staff.session())
    staff.calendar.forward(minutes=5)
    return secret


async def enter(staff: StaffTestbed, code: str, step_token: str | None = None) -> object:
    entered = await staff.step_token() if step_token is None else step_token
    return await staff.admin.sign_in.with_code(entered, code, address=HERE)


async def test_code_is_required_after_the_password_and_taken_once(staff: StaffTestbed, secret: bytes) -> None:
    code = staff.code(secret)
    assert isinstance(await enter(staff, f" {code[:3]} {code[3:]} "), SignedIn)
    assert await enter(staff, code) == SignInDenied()
    assert await enter(staff, code_at(secret, step_at(staff.calendar()) - 1)) == SignInDenied()
    staff.calendar.forward(seconds=30)
    assert isinstance(await enter(staff, staff.code(secret)), SignedIn)


async def test_one_code_sent_twice_at_once_signs_in_once(staff: StaffTestbed, secret: bytes) -> None:
    step_token, code = await staff.step_token(), staff.code(secret)
    both = await asyncio.gather(*(enter(staff, code, step_token) for _ in range(2)))
    assert {type(answer) for answer in both} == {SignInDenied, SignedIn}


async def test_recovery_code_signs_in_once(staff: StaffTestbed) -> None:
    session = await staff.session()
    _, codes = await staff.set_up_codes(session)
    typed = codes[3].lower().replace("-", " ")
    assert [type(await enter(staff, typed)) for _ in range(2)] == [SignedIn, SignInDenied]
    assert ((await staff.admin.account.codes(session)).recovery_left, len(set(codes))) == (9, 10)
    assert (await staff.audit_sentences())[-3:] == [
        "ada signed in with a recovery code",
        "ada signed in",
        "ada failed to sign in (code used before, or the account changed)",
    ]


@pytest.mark.usefixtures("secret")
async def test_guessed_codes_lock_the_account_though_the_password_is_right(staff: StaffTestbed) -> None:
    for _ in range(MAX_FAILURES):
        await enter(staff, "not a code")
    assert await staff.sign_in() == SignInDenied()
    assert (await staff.audit_sentences())[-2:] == [
        "ada was locked out after too many failures",
        "ada failed to sign in (locked)",
    ]


async def late(staff: StaffTestbed, step_token: str) -> str:
    staff.calendar.forward(minutes=5)
    return step_token


async def password_reset(staff: StaffTestbed, step_token: str) -> str:
    await staff.accounts.reset(ADA, OTHER)
    return step_token


async def forged(_: StaffTestbed, step_token: str) -> str:
    return step_token[:-4] + "AAAA"


async def missing(*_: object) -> str:
    return ""


@pytest.mark.parametrize("spoil", [late, password_reset, forged, missing])
async def test_code_needs_the_step_token_of_a_password_just_entered(
    staff: StaffTestbed, secret: bytes, spoil: Callable[[StaffTestbed, str], Awaitable[str]]
) -> None:
    step_token = await spoil(staff, await staff.step_token())
    found = await enter(staff, staff.code(secret), step_token)
    assert isinstance(found, SignInDenied)
    assert (found.words, found.status) == (TOO_LATE, 403)


@pytest.mark.usefixtures("secret")
async def test_password_alone_never_signs_in_where_codes_are_on(staff: StaffTestbed) -> None:
    before = [entry.what for entry in await staff.audit_entries()].count(Act.SIGNED_IN)
    assert await staff.step_token()
    assert [entry.what for entry in await staff.audit_entries()].count(Act.SIGNED_IN) == before
