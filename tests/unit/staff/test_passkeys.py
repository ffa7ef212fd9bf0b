import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from broker.staff.audit import Act
from broker.staff.passkeys import CHALLENGE_LIFETIME, MAX_ANSWER, MAX_ASKED, MAX_PASSKEYS, NOT_ADDED, TOO_MANY_PASSKEYS
from broker.staff.sign_in import SignedIn, SignInDenied
from tests.unit.staff.authenticator import Authenticator, changed, flipped
from tests.unit.staff.staff_testbed import ADA, HERE, PASSWORD, StaffTestbed, staff_testbed

NAME = "Ada’s key ring"
BEN = "ben"


@pytest.fixture
async def testbed(database_url: str) -> AsyncIterator[StaffTestbed]:
    async with staff_testbed(database_url) as testbed:
        yield testbed


@pytest.fixture
async def each_testbed(each_database_url: str) -> AsyncIterator[StaffTestbed]:
    async with staff_testbed(each_database_url) as testbed:
        yield testbed


async def options(testbed: StaffTestbed, name: str = ADA) -> tuple[Any, str]:
    """Return a session of an account, and the options with which it adds a passkey."""
    session = await testbed.session(await testbed.token(name))
    made = await testbed.admin.account.begin_passkey(session, password=PASSWORD)
    assert isinstance(made, str), made
    return session, made


async def added(testbed: StaffTestbed, name: str = ADA) -> Authenticator:
    authenticator = Authenticator()
    session, wanted = await options(testbed, name)
    assert await testbed.admin.passkeys.add(session, authenticator.make(wanted), NAME) == ""
    return authenticator


async def sign_in(testbed: StaffTestbed, answer: object) -> SignedIn | SignInDenied:
    return await testbed.admin.sign_in.with_passkey(answer, address=HERE, agent="Firefox on Linux")


async def asked(testbed: StaffTestbed) -> str:
    return await testbed.admin.passkeys.asking("")


async def test_added_passkey_signs_in_without_password_and_code(testbed: StaffTestbed) -> None:
    authenticator = await added(testbed)
    await testbed.set_up_codes(await testbed.session())
    await sign_in(testbed, authenticator.sign(await asked(testbed)))
    signed_in = await sign_in(testbed, authenticator.sign(await asked(testbed)))
    assert isinstance(signed_in, SignedIn)
    assert await testbed.name(signed_in.token) == ADA
    session = await testbed.session(signed_in.token)
    (passkey,) = await testbed.admin.passkeys.of(session)
    assert (passkey.name, passkey.used) == (NAME, testbed.calendar())
    assert (await testbed.admin.sessions.of_account(session.account_id))[0].agent == "Firefox on Linux"
    assert [entry.what for entry in await testbed.audit.latest(9)].count(Act.PASSKEY_ADDED) == 1


async def test_passkey_without_a_name_has_the_uk_day(testbed: StaffTestbed) -> None:
    testbed.calendar.now = datetime(2026, 6, 30, 23, 20, tzinfo=UTC)
    session, wanted = await options(testbed)
    assert await testbed.admin.passkeys.add(session, Authenticator().make(wanted), "") == ""
    assert [each.name for each in await testbed.admin.passkeys.of(session)] == ["Passkey of 1 July 2026"]


async def test_options_require_verification_and_name_no_account(testbed: StaffTestbed) -> None:
    authenticator = await added(testbed)
    _, adding = await options(testbed)
    made, signing = json.loads(adding), json.loads(await asked(testbed))
    assert made["authenticatorSelection"]["userVerification"] == signing["userVerification"] == "required"
    assert made["authenticatorSelection"]["residentKey"] == "required"
    assert (made["rp"]["id"], signing["rpId"]) == ("localhost", "localhost")
    assert [each["id"] for each in made["excludeCredentials"]] == [json.loads(authenticator.sign(adding))["id"]]
    assert signing.get("allowCredentials", []) == []


async def test_passkey_is_added_with_the_password_alone(testbed: StaffTestbed) -> None:
    session = await testbed.session()
    refused = await testbed.admin.account.begin_passkey(session, password="not this one")
    assert getattr(refused, "field", "") == "password"


Forge = Callable[[Authenticator, str], str]

FORGED: dict[str, Forge] = {
    "signature": lambda key, ask: key.sign(
        ask, signature=flipped(json.loads(replace(key).sign(ask))["response"]["signature"])
    ),
    "another key": lambda key, ask: replace(key, key=Authenticator().key).sign(ask),
    "another origin": lambda key, ask: replace(key, origin="https://localhost:3000").sign(ask),
    "origin with more": lambda key, ask: replace(key, origin="http://localhost:3000.example").sign(ask),
    "another host": lambda key, ask: replace(key, host="evil.example").sign(ask),
    "not verified": lambda key, ask: replace(key, is_verified=False).sign(ask),
    "another account": lambda key, ask: replace(key, handle="OTk").sign(ask),
    "unknown passkey": lambda _, ask: Authenticator(handle="MQ").sign(ask),
    "of a new passkey": lambda key, ask: key.sign(
        ask, clientDataJSON=json.loads(replace(key).sign(ask))["response"]["authenticatorData"]
    ),
    "another type": lambda key, ask: changed(key.sign(ask), type="password"),
    "no response": lambda key, ask: changed(key.sign(ask), response=None),
    "own challenge": lambda key, _: key.sign(json.dumps({"challenge": "AAAAAAAAAAAAAAAAAAAAAA"})),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
async def test_forged_answer_signs_nobody_in(testbed: StaffTestbed, forge: Forge) -> None:
    authenticator = await added(testbed)
    assert isinstance(await sign_in(testbed, forge(authenticator, await asked(testbed))), SignInDenied)
    assert isinstance(await sign_in(testbed, authenticator.sign(await asked(testbed))), SignedIn)


HOSTILE = [None, 7, "", "x", "[]", "{}", "null", "1e999", '{"id": 1}', "[" * 5000, "x" * (MAX_ANSWER + 1)]


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
async def test_answer_that_is_none_is_refused(testbed: StaffTestbed, answer: object) -> None:
    assert isinstance(await sign_in(testbed, answer), SignInDenied)
    session, _ = await options(testbed)
    assert await testbed.admin.passkeys.add(session, answer, NAME) == NOT_ADDED


async def test_each_part_of_an_answer_may_be_of_any_type(testbed: StaffTestbed) -> None:
    authenticator = await added(testbed)
    for name in ("authenticatorData", "clientDataJSON", "signature", "userHandle"):
        for value in (None, 7, [], {}, "", "é", "AA", True):
            if name == "userHandle" and value is None:
                continue  # which a passkey of an older kind leaves out
            answer = authenticator.sign(await asked(testbed), **{name: value})
            assert isinstance(await testbed.admin.passkeys.proven(answer), type(None)), (name, value)
    session, _ = await options(testbed)
    for name in ("attestationObject", "clientDataJSON", "transports"):
        for value in (None, 7, [], {}, "", "é", "AA", True):
            _, wanted = await options(testbed)
            made = json.loads(Authenticator().make(wanted))
            made["response"][name] = value
            told = await testbed.admin.passkeys.add(session, json.dumps(made), NAME)
            assert told == NOT_ADDED or name == "transports"


async def test_answer_is_used_once(each_testbed: StaffTestbed) -> None:
    authenticator = await added(each_testbed)
    answer = authenticator.sign(await asked(each_testbed))
    assert isinstance(await sign_in(each_testbed, answer), SignedIn)
    assert isinstance(await sign_in(each_testbed, answer), SignInDenied)


async def test_challenge_ends(testbed: StaffTestbed) -> None:
    authenticator, ask = await added(testbed), await asked(testbed)
    testbed.calendar.forward(seconds=CHALLENGE_LIFETIME.total_seconds())
    assert isinstance(await sign_in(testbed, authenticator.sign(ask)), SignInDenied)


async def test_challenge_of_one_purpose_or_account_serves_no_other(testbed: StaffTestbed) -> None:
    await testbed.accounts.add(BEN, PASSWORD)
    authenticator = await added(testbed)
    session, wanted = await options(testbed)
    assert isinstance(await sign_in(testbed, authenticator.sign(wanted)), SignInDenied)
    ben, _ = await options(testbed, BEN)
    assert await testbed.admin.passkeys.add(ben, Authenticator().make(wanted), NAME) == NOT_ADDED
    assert await testbed.admin.passkeys.add(session, Authenticator().make(wanted), NAME) == ""


async def test_passkey_belongs_to_one_account(testbed: StaffTestbed) -> None:
    await testbed.accounts.add(BEN, PASSWORD)
    authenticator = await added(testbed)
    ben, wanted = await options(testbed, BEN)
    assert await testbed.admin.passkeys.add(ben, authenticator.make(wanted), NAME) == NOT_ADDED


ELSEWHERE = [{"origin": "https://evil.example"}, {"host": "evil.example"}, {"is_verified": False}]


@pytest.mark.parametrize("wrong", ELSEWHERE)
async def test_passkey_made_elsewhere_or_without_verification_is_not_added(
    testbed: StaffTestbed, wrong: dict[str, Any]
) -> None:
    session, wanted = await options(testbed)
    assert await testbed.admin.passkeys.add(session, Authenticator(**wrong).make(wanted), NAME) == NOT_ADDED
    assert await testbed.admin.passkeys.of(session) == ()


async def test_copied_passkey_with_an_older_counter_is_refused(testbed: StaffTestbed) -> None:
    authenticator = await added(testbed)
    copy = replace(authenticator)
    assert isinstance(await sign_in(testbed, authenticator.sign(await asked(testbed))), SignedIn)
    assert isinstance(await sign_in(testbed, copy.sign(await asked(testbed))), SignInDenied)


async def test_removed_passkey_signs_nobody_in(testbed: StaffTestbed) -> None:
    authenticator, session = await added(testbed), await testbed.session()
    (passkey,) = await testbed.admin.passkeys.of(session)
    ask = await asked(testbed)
    assert await testbed.admin.admin.remove_passkey(session.account_id, passkey.id, who=ADA) is None
    assert isinstance(await sign_in(testbed, authenticator.sign(ask)), SignInDenied)


async def test_passkey_of_a_disabled_account_signs_nobody_in(testbed: StaffTestbed) -> None:
    await testbed.accounts.add(BEN, PASSWORD)
    authenticator = await added(testbed, BEN)
    await testbed.disable(BEN)
    assert isinstance(await sign_in(testbed, authenticator.sign(await asked(testbed))), SignInDenied)
    assert (await testbed.audit_sentences())[-1] == "ben failed to sign in (disabled)"
    await testbed.accounts.enable(BEN)
    assert isinstance(await sign_in(testbed, authenticator.sign(await asked(testbed))), SignedIn)


async def test_account_has_so_many_passkeys_at_most(testbed: StaffTestbed) -> None:
    for _ in range(MAX_PASSKEYS):
        await added(testbed)
    session, wanted = await options(testbed)
    assert await testbed.admin.passkeys.add(session, Authenticator().make(wanted), NAME) == TOO_MANY_PASSKEYS


async def test_passkeys_end_where_a_link_resets_signing_in(testbed: StaffTestbed) -> None:
    authenticator, session = await added(testbed), await testbed.session()
    made: Any = await testbed.admin.admin.make_link(session.account_id, who=ADA)
    await testbed.admin.admin.use_link(made.token, PASSWORD, PASSWORD)
    assert isinstance(await sign_in(testbed, authenticator.sign(await asked(testbed))), SignInDenied)


async def test_network_asks_for_so_many_challenges(testbed: StaffTestbed) -> None:
    for _ in range(MAX_ASKED):
        assert await testbed.admin.passkeys.asking(HERE)
    assert await testbed.admin.passkeys.asking(HERE) == ""
    assert await testbed.admin.passkeys.asking("198.51.100.7")
