"""Signing in: who may, what is the same for all who may not, the lock, the limits, and the second step."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.domain.staff.accounts import LOCKOUT, MAX_FAILURES, MAX_PASSWORD_LENGTH
from broker.domain.staff.audit import UNKNOWN_ACTOR, Act
from broker.services.staff import password_hashing
from broker.services.staff.password_hashing import Cost
from broker.services.staff.sign_in import BUSY, BUSY_MORE, MAX_TRIES, TOO_MANY, SignedIn, SignInDenied, client_network
from tests.unit.services.staffing import ADA, CHEAP, HERE, OTHER, PASSWORD, Staffroom, in_room, staffroom


async def tried(room: Staffroom, name: object = ADA, password: object = PASSWORD, address: str = HERE) -> object:
    """Try to sign in."""
    return await room.admin.sign_in.with_password(name, password, address=address)


async def locked(room: Staffroom) -> None:
    """Fail until the account is locked, from as many addresses."""
    for number in range(MAX_FAILURES):
        await tried(room, password="wrong", address=f"198.51.100.{number}")


def test_right_password_signs_in_under_a_new_token_each_time(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[str, str, str, list[str]]:
        first, second = await room.token(), await room.token("  ADA ")
        return first, second, await room.name(first) + await room.name(second), await room.told()

    first, second, names, told = in_room(database_url, block)
    assert (len(first), len(second), first != second, names) == (43, 43, True, "adaada")
    assert told == ["command line added the account ada", "ada signed in", "ada signed in"]


async def unknown(room: Staffroom) -> object:
    """Try a name that nobody has."""
    return await tried(room, "grace")


async def wrong(room: Staffroom) -> object:
    """Try a wrong password."""
    return await tried(room, password=OTHER)


async def disabled(room: Staffroom) -> object:
    """Try the right password of an account that was disabled."""
    await room.accounts.disable(ADA)
    return await tried(room)


async def while_locked(room: Staffroom) -> object:
    """Try the right password while the account is locked."""
    await locked(room)
    room.hashes.compared = 0
    return await tried(room)


async def nothing(room: Staffroom) -> object:
    """Try nothing at all."""
    return await tried(room, None, None)


async def endless(room: Staffroom) -> object:
    """Try the right password with very much behind it."""
    return await tried(room, password=PASSWORD + "x" * 100_000)


async def odd(room: Staffroom) -> object:
    """Try a name that no account can have."""
    return await tried(room, "ada\x00'; DROP TABLE staff --")


FAILURES = {
    "unknown name": (unknown, UNKNOWN_ACTOR, "no such account"),
    "wrong password": (wrong, ADA, "password"),
    "disabled": (disabled, ADA, "disabled"),
    "locked": (while_locked, ADA, "locked"),
    "nothing": (nothing, UNKNOWN_ACTOR, "no such account"),
    "endless": (endless, ADA, "password"),
    "odd name": (odd, UNKNOWN_ACTOR, "no such account"),
}


@pytest.mark.parametrize(("attempt", "who", "why"), FAILURES.values(), ids=FAILURES)
def test_every_failure_has_the_same_words_and_work_and_is_recorded(
    database_url: str, attempt: Callable[[Staffroom], Awaitable[object]], who: str, why: str
) -> None:
    async def block(room: Staffroom) -> tuple[object, int, object]:
        answer = await attempt(room)
        last = (await room.record())[-1]
        return answer, room.hashes.compared, (last.who, last.what, last.detail)

    assert in_room(database_url, block) == (SignInDenied(), 1, (who, Act.SIGN_IN_FAILED, why))


def test_nothing_of_a_password_is_recorded_stored_or_said(database_url: str) -> None:
    async def block(room: Staffroom) -> str:
        account = await room.store.find(ADA)
        await tried(room, password=OTHER)
        await tried(room, OTHER)
        return f"{account} {await room.record()}"

    kept = in_room(database_url, block)
    assert "$argon2id$v=19$m=8,t=1,p=1$" in kept
    assert [word for word in (PASSWORD, OTHER, "lanterns", "kettles") if word in kept] == []


def test_ten_failures_in_a_row_lock_for_a_quarter_of_an_hour(database_url: str) -> None:
    async def block(room: Staffroom) -> list[object]:
        await locked(room)
        found = [type(await tried(room))]
        room.calendar.forward(seconds=LOCKOUT.total_seconds() - 1)
        found.append(type(await tried(room)))
        room.calendar.forward(seconds=1)
        return [
            *found,
            type(await tried(room)),
            (await room.told()).count("ada was locked out after too many failures"),
        ]

    assert in_room(database_url, block) == [SignInDenied, SignInDenied, SignedIn, 1]


def test_lock_is_not_put_off_by_trying_on(database_url: str) -> None:
    async def block(room: Staffroom) -> object:
        await locked(room)
        for _ in range(14):
            room.calendar.forward(minutes=1)
            await tried(room, password="wrong")
        room.calendar.forward(minutes=1)
        return type(await tried(room))

    assert in_room(database_url, block) is SignedIn


def test_a_sign_in_forgets_the_failures_before_it(database_url: str) -> None:
    async def block(room: Staffroom) -> object:
        for _ in range(2):
            for _ in range(MAX_FAILURES - 1):
                await tried(room, password="wrong")
            await room.token()
        return type(await tried(room))

    assert in_room(database_url, block) is SignedIn


def test_guesses_sent_at_once_lock_as_guesses_one_by_one(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[set[type], type]:
        guesses = [tried(room, password=f"guess {each}", address=f"198.51.100.{each}") for each in range(30)]
        answers = {type(answer) for answer in await asyncio.gather(*guesses)}
        return answers, type(await tried(room))

    assert in_room(database_url, block) == ({SignInDenied}, SignInDenied)


def test_one_address_may_try_so_often_whatever_it_tries(database_url: str) -> None:
    async def block(room: Staffroom) -> tuple[object, int, object, object, object]:
        for number in range(MAX_TRIES):
            await tried(room, f"name{number}", address="2001:db8:1:2::1")
        compared = room.hashes.compared
        refused = await tried(room, address="2001:db8:1:2:ffff::9")
        worked = room.hashes.compared - compared
        other = await tried(room, address="2001:db8:1:3::1")
        room.calendar.forward(minutes=15)
        return (
            getattr(refused, "words", ""),
            worked,
            getattr(refused, "status", 0),
            type(other),
            type(await tried(room)),
        )

    assert in_room(database_url, block) == (TOO_MANY, 0, 429, SignedIn, SignedIn)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_tries_are_counted_by_the_network_of_a_subscriber(address: str, network: str) -> None:
    assert client_network(address) == network


def test_too_many_at_once_are_asked_to_come_again(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def block(room: Staffroom) -> object:
        monkeypatch.setattr(password_hashing, "MAX_WAITING", 0)
        return await tried(room)

    assert in_room(database_url, block) == SignInDenied(words=BUSY, more=BUSY_MORE, status=503)


def test_hash_is_made_anew_where_it_costs_otherwise_now(database_url: str) -> None:
    async def parameters(cost: Cost) -> str:
        async with staffroom(database_url, cost=cost) as room:
            await room.token()
            account = await room.store.find(ADA)
            return account.password.split("$")[3] if account else ""

    assert asyncio.run(parameters(CHEAP)) == "m=8,t=1,p=1"
    assert asyncio.run(parameters(Cost(memory=16, passes=2))) == "m=16,t=2,p=1"


def test_longest_password_may_be_all_of_it(database_url: str) -> None:
    longest = ("four words make one " * 9)[:MAX_PASSWORD_LENGTH]

    async def block(room: Staffroom) -> tuple[object, object]:
        await room.accounts.reset(ADA, longest)
        return type(await tried(room, password=longest)), type(await tried(room, password=longest + "x"))

    assert in_room(database_url, block) == (SignedIn, SignInDenied)
