import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.staff.accounts import MAX_FAILURES
from broker.staff.audit import Act
from broker.staff.credentials import code_at, step_at
from broker.staff.sign_in import (
    ACCOUNT_CODES_HOURS,
    MAX_LISTED_FAILURES,
    MAX_STEP_CODES,
    STEP_OVER,
    STEP_OVER_MORE,
    TOO_LATE,
    TOO_MANY_CODES,
    TOO_MANY_CODES_MORE,
    SignedIn,
    SignInDenied,
)
from tests.unit.staff.staff_testbed import ADA, HERE, OTHER, StaffTestbed


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


async def wrong_codes(staff: StaffTestbed, networks: int) -> None:
    """Enter the password and four wrong codes from each of some networks."""
    for network in range(networks):
        step_token = await staff.step_token()
        for code in range(MAX_STEP_CODES - 1):
            await staff.admin.sign_in.with_code(step_token, f"00000{code}", address=f"198.51.100.{network}")


async def enter_elsewhere(staff: StaffTestbed, code: str, *, device: str = "") -> SignedIn | SignInDenied:
    """Enter the password and a code from another network."""
    step_token = await staff.step_token()
    return await staff.admin.sign_in.with_code(step_token, code, address="203.0.113.9", device=device)


async def test_five_wrong_codes_end_the_step(staff: StaffTestbed, secret: bytes) -> None:
    step_token = await staff.step_token()
    answers = [await enter(staff, "not a code", step_token) for _ in range(MAX_STEP_CODES)]
    assert answers == [*[SignInDenied()] * 4, SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE)]
    assert not await staff.admin.sign_in.awaits_code(step_token)
    assert await enter(staff, staff.code(secret), step_token) == answers[-1]
    assert isinstance(await enter(staff, staff.code(secret)), SignedIn)


async def test_codes_sent_at_once_count_before_they_are_compared(staff: StaffTestbed, secret: bytes) -> None:
    step_token = await staff.step_token()
    codes = [*(f"{each:06}" for each in range(MAX_STEP_CODES)), staff.code(secret)]
    await asyncio.gather(*(enter(staff, code, step_token) for code in codes))
    assert not [each for each in await staff.audit_sentences() if each == "ada signed in"][1:]


async def test_codes_of_an_account_have_a_limit_over_all_networks(staff: StaffTestbed, secret: bytes) -> None:
    await wrong_codes(staff, networks=40)
    refused = await enter_elsewhere(staff, staff.code(secret))
    assert refused == SignInDenied(words=TOO_MANY_CODES, more=TOO_MANY_CODES_MORE, status=429)
    staff.calendar.forward(hours=ACCOUNT_CODES_HOURS)
    assert isinstance(await enter_elsewhere(staff, staff.code(secret)), SignedIn)


async def test_limit_of_an_account_leaves_its_owner_three_ways_in(staff: StaffTestbed) -> None:
    secret, recovery = await staff.set_up_codes(await staff.session())
    staff.calendar.forward(minutes=5)
    before = await enter(staff, staff.code(secret))
    assert isinstance(before, SignedIn)
    staff.calendar.forward(minutes=1)
    await wrong_codes(staff, networks=6)
    assert isinstance(await enter_elsewhere(staff, staff.code(secret)), SignInDenied)
    assert isinstance(await enter_elsewhere(staff, staff.code(secret), device=before.device), SignedIn)
    assert isinstance(await enter_elsewhere(staff, recovery[0]), SignedIn)
    await wrong_codes(staff, networks=6)
    await staff.accounts.reset(ADA, OTHER, without_codes=True)
    assert isinstance(await staff.sign_in(password=OTHER, address="203.0.113.9"), SignedIn)


@pytest.mark.usefixtures("secret")
async def test_many_failures_take_few_lines_of_the_record(staff: StaffTestbed) -> None:
    await wrong_codes(staff, networks=40)
    failed = [entry for entry in await staff.audit_entries() if entry.what is Act.SIGN_IN_FAILED]
    assert len(failed) == MAX_LISTED_FAILURES
    staff.calendar.forward(hours=1)
    await enter_elsewhere(staff, "000000")
    assert (await staff.audit_sentences())[-1] == (
        "ada failed to sign in (too many one-time codes; 140 more failures before this one are not listed)"
    )


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
