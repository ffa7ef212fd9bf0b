import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.staff import credentials
from broker.staff.accounts import LOCKOUT, MAX_FAILURES, MAX_PASSWORD_LENGTH
from broker.staff.audit import UNKNOWN_ACTOR, Act
from broker.staff.credentials import Cost, code_at, step_at
from broker.staff.sign_in import (
    ACCOUNT_CODES_HOURS,
    BUSY,
    BUSY_MORE,
    MAX_LISTED_FAILURES,
    MAX_NETWORK_FAILURES,
    MAX_QUICK_FAILURES,
    MAX_STEP_CODES,
    SLOW_SECONDS,
    STEP_OVER,
    STEP_OVER_MORE,
    TOO_LATE,
    TOO_MANY,
    TOO_MANY_CODES,
    TOO_MANY_CODES_MORE,
    SignedIn,
    SignInDenied,
)
from tests.unit.staff.staff_testbed import ADA, CHEAP, HERE, OTHER, PASSWORD, StaffTestbed, staff_testbed


async def lock(staff: StaffTestbed) -> None:
    for _ in range(MAX_FAILURES):
        await staff.sign_in(password="wrong")


async def test_right_password_signs_in_under_a_new_token_each_time(staff: StaffTestbed) -> None:
    first, second = await staff.token(), await staff.token("  ADA ")
    assert (len(first), len(second), first != second) == (43, 43, True)
    assert (await staff.name(first), await staff.name(second)) == (ADA, ADA)
    assert await staff.audit_sentences() == ["command line added the account ada", "ada signed in", "ada signed in"]


async def sign_in_disabled(staff: StaffTestbed) -> object:
    await staff.disable(ADA)
    return await staff.sign_in()


async def sign_in_locked(staff: StaffTestbed) -> object:
    await lock(staff)
    staff.hashes.compared = 0
    return await staff.sign_in()


FAILURES: dict[str, tuple[Callable[[StaffTestbed], Awaitable[object]], str, str]] = {
    "unknown name": (lambda staff: staff.sign_in("grace"), UNKNOWN_ACTOR, "no such account"),
    "wrong password": (lambda staff: staff.sign_in(password=OTHER), ADA, "password"),
    "disabled": (sign_in_disabled, ADA, "disabled"),
    "locked": (sign_in_locked, ADA, "locked"),
    "nothing": (lambda staff: staff.sign_in(None, None), UNKNOWN_ACTOR, "no such account"),
    "endless": (lambda staff: staff.sign_in(password=PASSWORD + "x" * 100_000), ADA, "password"),
    "odd name": (lambda staff: staff.sign_in("ada\x00'; DROP TABLE staff --"), UNKNOWN_ACTOR, "no such account"),
}


@pytest.mark.parametrize(("attempt", "who", "why"), FAILURES.values(), ids=FAILURES)
async def test_every_failure_has_the_same_words_and_work_and_is_recorded(
    staff: StaffTestbed, attempt: Callable[[StaffTestbed], Awaitable[object]], who: str, why: str
) -> None:
    assert (await attempt(staff), staff.hashes.compared) == (SignInDenied(), 1)
    last = (await staff.audit_entries())[-1]
    assert (last.who, last.what, last.detail) == (who, Act.SIGN_IN_FAILED, why)


async def test_nothing_of_a_password_is_recorded_stored_or_said(staff: StaffTestbed) -> None:
    account = await staff.store.find(ADA)
    await staff.sign_in(password=OTHER)
    await staff.sign_in(OTHER)
    text = f"{account} {await staff.audit_entries()}"
    assert "$argon2id$v=19$m=8,t=1,p=1$" in text
    assert [word for word in (PASSWORD, OTHER, "lanterns", "kettles") if word in text] == []


async def test_ten_failures_in_a_row_lock_for_a_quarter_of_an_hour(staff: StaffTestbed) -> None:
    await lock(staff)
    outcomes = []
    for seconds in (0, LOCKOUT.total_seconds() - 1, 1):
        staff.calendar.forward(seconds=seconds)
        outcomes.append(type(await staff.sign_in()))
    assert outcomes == [SignInDenied, SignInDenied, SignedIn]
    assert (await staff.audit_sentences()).count("ada was locked out after too many failures") == 1


async def test_account_that_is_enabled_or_reset_is_not_locked(staff: StaffTestbed) -> None:
    await lock(staff)
    await staff.accounts.enable(ADA)
    assert isinstance(await staff.sign_in(), SignedIn)
    await lock(staff)
    await staff.accounts.reset(ADA, OTHER)
    assert isinstance(await staff.sign_in(password=OTHER), SignedIn)


async def test_lock_is_not_put_off_by_trying_on(staff: StaffTestbed) -> None:
    await lock(staff)
    for _ in range(14):
        staff.calendar.forward(minutes=1)
        await staff.sign_in(password="wrong")
    staff.calendar.forward(minutes=1)
    assert isinstance(await staff.sign_in(), SignedIn)


async def test_sign_in_resets_the_count_of_failures(staff: StaffTestbed) -> None:
    for _ in range(2):
        for _ in range(MAX_FAILURES - 1):
            await staff.sign_in(password="wrong")
        await staff.token()
    assert isinstance(await staff.sign_in(), SignedIn)


async def test_guesses_sent_at_once_lock_as_guesses_one_by_one(staff: StaffTestbed) -> None:
    answers = await asyncio.gather(*(staff.sign_in(password=f"guess {each}") for each in range(30)))
    assert {type(answer) for answer in answers} == {SignInDenied}
    assert isinstance(await staff.sign_in(), SignInDenied)


async def test_guesses_elsewhere_lock_nobody_out(staff: StaffTestbed) -> None:
    for number in range(30):
        for _ in range(MAX_FAILURES):
            await staff.sign_in(password="wrong", address=f"198.51.100.{number}")
    assert isinstance(await staff.sign_in(address="198.51.100.1"), SignInDenied)
    assert isinstance(await staff.sign_in(), SignedIn)


async def test_device_that_signed_in_before_is_not_locked_by_its_network(staff: StaffTestbed) -> None:
    await staff.accounts.add("bob", OTHER)
    ours, bobs = await staff.sign_in(), await staff.sign_in("bob", OTHER)
    assert isinstance(ours, SignedIn)
    assert isinstance(bobs, SignedIn)
    await lock(staff)
    for device in ("", "forged", bobs.device):
        assert isinstance(await staff.sign_in(device=device), SignInDenied), device
    again = await staff.sign_in(device=ours.device)
    assert isinstance(again, SignedIn)
    for _ in range(MAX_FAILURES):
        await staff.sign_in(password="wrong", device=again.device)
    assert isinstance(await staff.sign_in(device=ours.device), SignInDenied)


async def test_one_network_may_fail_so_often_whatever_it_tries(staff: StaffTestbed) -> None:
    for number in range(MAX_NETWORK_FAILURES):
        await staff.sign_in(f"name{number}", address="2001:db8:1:2::1")
    compared = staff.hashes.compared
    refused = await staff.sign_in(address="2001:db8:1:2:ffff::9")
    assert isinstance(refused, SignInDenied)
    assert (refused.words, refused.status, staff.hashes.compared) == (TOO_MANY, 429, compared)
    assert isinstance(await staff.sign_in(address="2001:db8:1:3::1"), SignedIn)
    staff.calendar.forward(minutes=15)
    assert isinstance(await staff.sign_in(), SignedIn)


async def test_three_hundred_sign_ins_at_once_do_not_fail_each_other(staff: StaffTestbed) -> None:
    answers = await asyncio.gather(*(staff.sign_in() for _ in range(300)))
    assert {type(answer) for answer in answers} == {SignedIn}


async def test_tries_after_ten_failures_of_a_network_are_slowed(database_url: str) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with staff_testbed(database_url, sleep=sleep) as staff:
        for number in range(MAX_QUICK_FAILURES + 3):
            await staff.sign_in(f"name{number}")
    assert waited == [SLOW_SECONDS] * 3


async def test_too_many_at_once_are_asked_to_come_again(staff: StaffTestbed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "MAX_WAITING", 0)
    assert await staff.sign_in() == SignInDenied(words=BUSY, more=BUSY_MORE, status=503)


async def test_hash_of_another_cost_is_renewed_at_sign_in(database_url: str) -> None:
    for cost, parameters in ((CHEAP, "m=8,t=1,p=1"), (Cost(memory=16, passes=2), "m=16,t=2,p=1")):
        async with staff_testbed(database_url, cost=cost) as staff:
            await staff.token()
            account = await staff.store.find(ADA)
            assert account
            assert account.password.split("$")[3] == parameters


async def test_longest_password_may_be_all_of_it(staff: StaffTestbed) -> None:
    longest = ("four words make one " * 9)[:MAX_PASSWORD_LENGTH]
    await staff.accounts.reset(ADA, longest)
    assert isinstance(await staff.sign_in(password=longest), SignedIn)
    assert isinstance(await staff.sign_in(password=longest + "x"), SignInDenied)


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
    step_token, too_many = await staff.step_token(), 3
    codes = (f"{each:06}" for each in range(MAX_STEP_CODES + too_many))
    await asyncio.gather(*(enter(staff, code, step_token) for code in codes))
    failed = [entry for entry in await staff.audit_entries() if entry.what is Act.SIGN_IN_FAILED]
    assert len(failed) == MAX_STEP_CODES
    assert await enter(staff, staff.code(secret), step_token) == SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE)


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
