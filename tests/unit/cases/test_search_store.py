from broker.cases.case import DeleteReason, StaffNote
from broker.cases.search_store import CaseSearch
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.storage.stores import LATER, Stores, edit, new, stores_of


def search_of(stores: Stores, key: str = KEY) -> CaseSearch:
    return CaseSearch(stores.database, SecretKeys((key,)))


async def found(search: CaseSearch, text: str) -> int:
    return len(await search.find(text))


async def test_every_case_is_found_once_the_index_is_built(stores: Stores) -> None:
    references = [await stores.enquiries.add(new(number)) for number in range(3)]
    search = search_of(stores)
    assert [await found(search, each) for each in references] == [1, 1, 1]
    assert (await found(search, "visitor"), await found(search, "message")) == (3, 3)


async def test_change_by_another_process_is_found(stores: Stores) -> None:
    first = await stores.enquiries.add(new(1))
    search = search_of(stores)
    assert await found(search, "greenhouse") == 0
    await stores.changes.add_note(first, StaffNote(at=LATER, who="ada", text="About the Greenhouse"))
    assert await found(search, "greenhouse") == 1
    await stores.enquiries.add(new(2, name="C. Greenhouse"))
    assert await found(search, "greenhouse") == 2


async def test_only_what_changed_is_decrypted_again(stores: Stores) -> None:
    references = [await stores.enquiries.add(new(number)) for number in range(4)]
    search = search_of(stores)
    await search.find("visitor")
    await stores.changes.open(references[0], who="ada", at=LATER)
    await search.find("visitor")
    assert search.decrypted == 4
    for _ in range(2):
        await stores.changes.add_note(references[1], StaffNote(at=LATER, who="ada", text="Called"))
    await search.find("visitor")
    await search.find("visitor")
    assert search.decrypted == 5


async def test_deleted_case_is_dropped(stores: Stores) -> None:
    references = [await stores.enquiries.add(new(number)) for number in range(2)]
    search = search_of(stores)
    assert await found(search, "visitor") == 2
    await stores.changes.delete(edit(references[0]), DeleteReason.TEST)
    assert await found(search, "visitor") == 1


async def test_case_whose_key_is_lost_is_found_by_its_reference_alone(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    sealed = search_of(stores_of(stores.database, "another key of the same length as it"), "b" * 32)
    assert (await found(sealed, "visitor"), await found(sealed, reference)) == (0, 1)
