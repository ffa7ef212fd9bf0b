import pytest

from broker.staff.accounts import MAX_FAILURES, StaffSession
from broker.staff.audit import Act
from broker.staff.authentication import (
    NOT_ALIKE,
    NOTHING_BEGUN,
    SAME_AS_BEFORE,
    WRONG_CODE,
    WRONG_PASSWORD,
    AccountProblem,
    CodesState,
    OwnAccount,
)
from broker.staff.sign_in import SignedIn
from broker.storage.encryption import DecryptionError
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD, StaffTestbed


@pytest.fixture
async def session(staff: StaffTestbed) -> StaffSession:
    return await staff.session()


@pytest.fixture
def account(staff: StaffTestbed) -> OwnAccount:
    return staff.admin.account


PASSWORDS = {
    "wrong": ("not it", OTHER, OTHER, "old", WRONG_PASSWORD),
    "short": (PASSWORD, "short", "short", "new", "Choose a password of 12"),
    "common": (PASSWORD, "password2026", "password2026", "new", "Choose another"),
    "the same": (PASSWORD, PASSWORD, PASSWORD, "new", SAME_AS_BEFORE),
    "not alike": (PASSWORD, OTHER, OTHER + "x", "again", NOT_ALIKE),
    "nothing": (None, None, None, "old", WRONG_PASSWORD),
}


async def test_password_is_not_changed_for_a_reason(
    staff: StaffTestbed, session: StaffSession, account: OwnAccount
) -> None:
    for name, (old, new, again, field, words) in PASSWORDS.items():
        problem = await account.change_password(session, old=old, new=new, again=again)
        assert isinstance(problem, AccountProblem), name
        assert (problem.field, problem.words.startswith(words)) == (field, True), name
        assert await staff.token(), name


async def test_guessing_the_password_in_an_open_session_locks_too(
    staff: StaffTestbed, session: StaffSession, account: OwnAccount
) -> None:
    for number in range(MAX_FAILURES):
        await account.remove_codes(session, password=f"guess {number}")
    problem = AccountProblem(field="password", words=WRONG_PASSWORD)
    assert await account.remove_codes(session, password=PASSWORD) == problem
    assert (await staff.audit_entries())[-2].what is Act.LOCKED


async def test_codes_are_required_from_confirmation_to_removal(
    staff: StaffTestbed, session: StaffSession, account: OwnAccount
) -> None:
    off = CodesState(are_on=False, recovery_left=0)
    assert await account.confirm_codes(session, code="123456") == AccountProblem(field="", words=NOTHING_BEGUN)
    assert await account.codes(session) == off
    secret = await account.begin_codes(session, password=PASSWORD)
    assert isinstance(secret, bytes)
    assert (await account.codes(session)).pending == secret
    assert isinstance(await staff.sign_in(), SignedIn)
    assert await account.confirm_codes(session, code="000000x") == AccountProblem(field="code", words=WRONG_CODE)
    assert isinstance(await account.confirm_codes(session, code=staff.code(secret)), tuple)
    assert await staff.step_token()
    assert await account.codes(session) == CodesState(are_on=True, recovery_left=10)
    await account.remove_codes(session, password=PASSWORD)
    assert await account.codes(session) == off
    assert await staff.token()
    assert (await staff.audit_sentences())[-2:] == ["ada removed the one-time codes of ada", "ada signed in"]


async def test_secret_is_encrypted_for_its_account_alone(
    staff: StaffTestbed, session: StaffSession, account: OwnAccount
) -> None:
    await staff.set_up_codes(session)
    await staff.accounts.add("grace", OTHER)
    ada, grace = await staff.store.find(ADA), await staff.store.find("grace")
    assert ada
    assert grace
    assert ada.code_secret
    assert ada.code_secret[:3] == b"gAA"
    await staff.store.begin_codes(grace.id, ada.code_secret)
    stolen = await staff.session(await staff.token("grace", OTHER))
    assert (await account.codes(stolen)).pending == b""


async def test_secret_of_other_keys_raises(staff: StaffTestbed, session: StaffSession, account: OwnAccount) -> None:
    await staff.store.begin_codes(session.account_id, b"not encrypted by us")
    with pytest.raises(DecryptionError):
        await account.codes(session)
