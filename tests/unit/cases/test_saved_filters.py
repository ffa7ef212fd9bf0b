import pytest

from broker.cases.case import Refused
from broker.cases.saved_filters import MAX_FILTERS, NAME_TAKEN, TOO_MANY, SavedFilterStore
from tests.unit.appointments.booking import add_adviser
from tests.unit.storage.stores import Stores


@pytest.fixture
async def saved(stores: Stores) -> SavedFilterStore:
    await add_adviser(stores, "ada")
    await add_adviser(stores, "bob")
    return SavedFilterStore(stores.database)


async def names(saved: SavedFilterStore, who: str = "ada") -> list[str]:
    return [each.name for each in (await saved.all(who))[0]]


async def test_filters_are_an_accounts_own_in_the_order_of_saving(saved: SavedFilterStore) -> None:
    for who, name in (("ada", "Second homes"), ("bob", "Bob’s"), ("ada", "Big")):
        assert await saved.save(who, name, f"stage=offer&for={who}") is None
    assert (await names(saved), await names(saved, "bob")) == (["Second homes", "Big"], ["Bob’s"])
    number = (await saved.all("ada"))[0][0].number
    await saved.delete("bob", number)
    await saved.rename("bob", number, "Taken")
    assert await names(saved) == ["Second homes", "Big"]


async def test_filter_is_replaced_by_one_of_its_name(saved: SavedFilterStore) -> None:
    await saved.save("ada", "Big", "amount=500")
    await saved.save("ada", "Big", "amount=250")
    assert [each.query for each in (await saved.all("ada"))[0]] == ["amount=250"]


async def test_filter_is_renamed_and_removed(saved: SavedFilterStore) -> None:
    await saved.save("ada", "Big", "amount=500")
    await saved.save("ada", "Small", "amount=0")
    first = (await saved.all("ada"))[0][0].number
    assert await saved.rename("ada", first, "Small") == Refused(words=NAME_TAKEN)
    assert await saved.rename("ada", first, "Large") is None
    assert await names(saved) == ["Large", "Small"]
    await saved.delete("ada", first)
    assert await names(saved) == ["Small"]


async def test_account_has_a_bounded_number(saved: SavedFilterStore) -> None:
    for number in range(MAX_FILTERS):
        await saved.save("ada", f"Filter {number}", "")
    assert await saved.save("ada", "One more", "") == Refused(words=TOO_MANY)
    assert await saved.save("ada", "Filter 3", "stage=offer") is None
    assert len(await names(saved)) == MAX_FILTERS


async def test_hidden_columns_are_no_filter(saved: SavedFilterStore) -> None:
    await saved.hide_columns("ada", "source,changed")
    await saved.hide_columns("ada", "source")
    assert (await saved.all("ada"), (await saved.all("bob"))[1]) == (((), "source"), "")
