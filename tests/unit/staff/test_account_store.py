import asyncio

from broker.staff.account_store import Account
from broker.staff.audit import Act, AuditEntry
from broker.staff.session_store import SecondFactor, session_key
from tests.unit.storage.stores import NOON, Stores

CHANGE = AuditEntry(at=NOON, who="ada", what=Act.SIGNED_IN)


async def account_of(stores: Stores, name: str = "ada") -> Account:
    await stores.accounts.add(name, "hash", entry=CHANGE)
    found = await stores.accounts.find(name)
    assert found
    return found


async def test_account_is_found_by_name_and_id_and_its_name_is_unique(stores: Stores) -> None:
    ada, bob = await account_of(stores), await account_of(stores, "bob")
    assert await stores.accounts.add("ada", "other", entry=CHANGE) is False
    assert (await stores.accounts.with_id(ada.id), await stores.accounts.find("eve")) == (ada, None)
    assert await stores.accounts.all() == (ada, bob)
    assert (ada.name, ada.password, ada.enabled, ada.epoch, ada.created) == ("ada", "hash", True, 1, NOON)


async def test_changed_account_ends_its_sessions_and_begun_sign_ins(stores: Stores) -> None:
    ada = await account_of(stores)
    started = [await stores.sessions.start(ada, token, now=NOON) for token in ("one", "two")]
    await stores.accounts.change(ada.id, CHANGE, ends=False, password="new hash")
    stayed = await stores.sessions.find(session_key("one"), NOON)
    await stores.accounts.rehash(ada, "rehashed from the old password")
    changed = await account_of(stores)
    await stores.accounts.change(ada.id, CHANGE, enabled=False)
    assert [
        *started,
        stayed is not None,
        (changed.password, changed.epoch),
        await stores.sessions.find(session_key("one"), NOON),
        await stores.sessions.start(changed, "three", now=NOON),
        await stores.sessions.start(await account_of(stores), "four", now=NOON),
    ] == [True, True, True, ("new hash", 2), None, False, False]


async def test_second_factor_is_accepted_once_even_at_once(stores: Stores) -> None:
    ada = await account_of(stores)
    await stores.accounts.begin_codes(ada.id, b"secret")
    begun = await account_of(stores)
    assert await stores.accounts.set_codes(ada, CHANGE, step=5, digests=("a", "b")) is False
    assert await stores.accounts.set_codes(begun, CHANGE, step=5, digests=("a", "b")) is True
    ada = await account_of(stores)
    assert (ada.code_secret, ada.code_pending, ada.code_step) == (b"secret", None, 5)
    results = []
    for factor in (SecondFactor(step=5), SecondFactor(step=6), SecondFactor(recovery="a")):
        starts = (stores.sessions.start(ada, f"{factor} {i}", now=NOON, factor=factor) for i in range(3))
        results.append(sorted(await asyncio.gather(*starts)))
    assert await stores.accounts.recovery_codes(ada.id) == 1
    assert await stores.accounts.set_codes(ada, CHANGE) is True
    removed = await account_of(stores)
    assert (removed.code_secret, await stores.accounts.recovery_codes(ada.id)) == (None, 0)
    used, new, recovery = results
    assert (used, new, recovery) == ([False] * 3, [False, False, True], [False, False, True])
