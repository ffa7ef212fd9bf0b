import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases import store as list_store
from broker.cases.case import CloseReason, EnquiryExport, EnquirySummary, Refused, Service, Source, StaffNote, Stage
from broker.cases.case_list import ME, AmountBand, CaseFilter, CasePage, Column, Due, Listing, Tab, fits
from broker.cases.changes import closed, due_set
from broker.cases.lists import NO_NAME, CaseLists
from broker.cases.saved_filters import SavedFilterStore
from broker.cases.search_store import CaseSearch
from broker.cases.service import AWAY
from broker.cases.store import EnquiryListStore
from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import Act
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import EnquiryRow
from tests.databases.fixtures import KEY
from tests.unit.appointments.booking import add_adviser
from tests.unit.storage.stores import LATER, NOON, Stores, edit, giving, moving, new, stores_of

NEW, CALLED, BOOKED, CLOSED = EnquiryState
NAMES = ("Émile Ash", "bob Birch", "Zoë Cedar", "Émile Dogwood")


def lists_over(database: Database, audit: AuditStore | None = None) -> CaseLists:
    keys = SecretKeys((KEY,))
    return CaseLists(
        EnquiryListStore(database, keys),
        CaseSearch(database, keys),
        SavedFilterStore(database),
        audit or AuditStore(database),
        clock=lambda: LATER,
    )


async def set_values(stores: Stores, reference: str, **values: Any) -> None:
    async def work(connection: AsyncConnection) -> None:
        named = col(EnquiryRow.reference) == reference
        await connection.execute(update(EnquiryRow).where(named).values(**values))

    await stores.database.write(work)


async def filled(stores: Stores) -> dict[str, str]:
    """Store Ash, late; Birch, bob's at its offer; Cedar, closed; Dogwood, due tomorrow. Return references by name."""
    people = [new(number, name=name, call_in=number * 12) for number, name in enumerate(NAMES, 1)]
    found = {each.enquiry.contact.name.split()[-1]: await stores.enquiries.add(each) for each in people}
    await stores.changes.change(edit(found["Birch"]), moving(CALLED))
    await stores.changes.change(edit(found["Birch"], 2), giving("bob"))
    await stores.changes.change(
        edit(found["Birch"], 3), lambda case: due_set(case, LATER + timedelta(hours=1), "Ask", LATER)
    )
    await stores.changes.change(edit(found["Cedar"]), lambda case: closed(case, CloseReason.SPAM))
    offer = {"stage": Stage.OFFER.value, "stage_since": LATER - timedelta(days=70), "amount": 250_000}
    await set_values(stores, found["Birch"], **offer, source=Source.TOWNS.value, waiting_for="lender")
    await set_values(stores, found["Ash"], amount=90_000, service=Service.MOVING.value, deal_ends=LATER.date())
    return found


def names(page: object) -> list[str]:
    assert isinstance(page, CasePage), page
    return [head.contact.name.split()[-1] if head.contact else "sealed" for head in page.heads]


SORTED = {
    ("due", False): ["Ash", "Birch", "Dogwood", "Cedar"],
    ("due", True): ["Dogwood", "Birch", "Ash", "Cedar"],
    ("name", False): ["Birch", "Ash", "Dogwood", "Cedar"],
    ("name", True): ["Cedar", "Dogwood", "Ash", "Birch"],
    ("amount", False): ["Ash", "Birch", "Dogwood", "Cedar"],
    ("amount", True): ["Birch", "Ash", "Dogwood", "Cedar"],
    ("stage", True): ["Birch", "Dogwood", "Cedar", "Ash"],
    ("who", False): ["Birch", "Dogwood", "Cedar", "Ash"],
    ("action", False): ["Birch", "Dogwood", "Cedar", "Ash"],
    ("kind", False): ["Ash", "Dogwood", "Cedar", "Birch"],
    ("source", True): ["Birch", "Dogwood", "Cedar", "Ash"],
    ("waits", False): ["Birch", "Dogwood", "Cedar", "Ash"],
    ("changed", False): ["Ash", "Dogwood", "Cedar", "Birch"],
}
"""All four cases by a column and whether it is descending."""


async def test_list_is_sorted_by_every_column_what_is_empty_last(stores: Stores) -> None:
    known, lists = await filled(stores), lists_over(stores.database)
    every = CaseFilter(references=tuple(known.values()))
    found = {
        (by, down): names(await lists.page(Listing(wanted=every, sort=Column(by), descending=down), who="ada"))
        for by, down in SORTED
    }
    assert found == SORTED
    by_reference = await lists.page(Listing(wanted=every, sort=Column.REFERENCE), who="ada")
    assert names(by_reference) == [name for name, _ in sorted(known.items(), key=lambda each: each[1])]


FILTERS: dict[str, tuple[CaseFilter, list[str]]] = {
    "open": (CaseFilter(), ["Ash", "Birch", "Dogwood"]),
    "closed": (CaseFilter(tab=Tab.CLOSED), ["Cedar"]),
    "today": (CaseFilter(tab=Tab.TODAY), ["Ash", "Birch"]),
    "nobody's": (CaseFilter(tab=Tab.NOBODY), ["Ash", "Dogwood"]),
    "with lenders": (CaseFilter(tab=Tab.LENDERS), ["Birch"]),
    "offers": (CaseFilter(tab=Tab.OFFERS), ["Birch"]),
    "deals": (CaseFilter(tab=Tab.DEALS), ["Ash"]),
    "state": (CaseFilter(state=NEW), ["Ash", "Dogwood"]),
    "stage": (CaseFilter(stage=Stage.OFFER), ["Birch"]),
    "mine": (CaseFilter(adviser=ME), ["Birch"]),
    "a colleague's": (CaseFilter(adviser="ada"), []),
    "late": (CaseFilter(due=Due.LATE), ["Ash"]),
    "due within a week": (CaseFilter(due=Due.WEEK), ["Birch", "Dogwood"]),
    "amount": (CaseFilter(amount=AmountBand.UP_TO_300), ["Birch"]),
    "no amount": (CaseFilter(amount=AmountBand.UNKNOWN), ["Dogwood"]),
    "source": (CaseFilter(source=Source.TOWNS), ["Birch"]),
    "kind": (CaseFilter(service=Service.MOVING), ["Ash"]),
    "a name": (CaseFilter(text=" emile "), ["Ash", "Dogwood"]),
    "a name in the tab alone": (CaseFilter(text="cedar"), []),
    "a number": (CaseFilter(text="07700 900002"), ["Birch"]),
    "a word of a message": (CaseFilter(tab=Tab.CLOSED, text="message 3"), ["Cedar"]),
}


@pytest.mark.parametrize("most", [500, 0])
async def test_list_and_its_count_are_narrowed(stores: Stores, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_store, "_MAX_IN", most)  # 0: a search that finds more than a statement names
    await filled(stores)
    lists = lists_over(stores.database)
    pages = {name: await lists.page(Listing(wanted=wanted), who="bob") for name, (wanted, _) in FILTERS.items()}
    shown = {name: (names(page), getattr(page, "count", -1)) for name, page in pages.items()}
    assert shown == {name: (people, len(people)) for name, (_, people) in FILTERS.items()}
    wordless = [(wanted, people) for wanted, people in FILTERS.values() if not wanted.text]
    counts = await lists.counts([wanted for wanted, _ in wordless], who="bob")
    assert counts == tuple(len(people) for _, people in wordless)
    assert await lists.counts((), who="bob") == ()


async def test_database_decides_as_a_single_case_is_decided(stores: Stores) -> None:
    known, lists = await filled(stores), lists_over(stores.database)
    heads = await lists.heads_after(1, tuple(known.values()))
    assert not isinstance(heads, Refused)
    for wanted, people in FILTERS.values():
        if not wanted.text:
            assert sorted(_name(each) for each in heads if fits(each, wanted, who="bob", now=LATER)) == sorted(people)


async def test_what_all_tabs_ask_for_after_a_change_is_read_once(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, lists, reads = await filled(stores), lists_over(stores.database), Counter[str]()
    for name, found in (("heads", EnquiryListStore.heads), ("counts", EnquiryListStore.counts)):

        def read(*given: Any, of: str = name, found: Any = found, **named: Any) -> Any:
            reads[of] += 1
            return found(*given, **named)

        monkeypatch.setattr(EnquiryListStore, name, read)
    ash, mine = (known["Ash"],), [CaseFilter(), CaseFilter(adviser=ME)]
    same = await asyncio.gather(*(lists.heads_after(1, ash) for _ in range(3)))
    assert [len(heads) for heads in same if not isinstance(heads, Refused)] == [1, 1, 1]
    assert [await lists.counts_after(1, [CaseFilter()], who=who) for who in ("ada", "bob")] == [(3,), (3,)]
    assert reads == {"heads": 1, "counts": 1}
    assert [await lists.counts_after(1, mine, who=who) for who in ("ada", "bob")] == [(3, 0), (3, 1)]
    await stores.changes.change(edit(known["Ash"]), giving("bob"))
    (head,) = await _found(lists.heads_after(2, ash))
    assert head.assigned == "bob"
    assert await lists.counts_after(2, mine, who="bob") == (3, 2)


async def test_refusal_is_not_kept_for_other_tabs(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_given: Any, **_named: Any) -> Any:
        raise StorageError("away")

    known, lists = await filled(stores), lists_over(stores.database)
    with monkeypatch.context() as patch:
        patch.setattr(EnquiryListStore, "heads", away)
        assert await lists.heads_after(1, (known["Ash"],)) == Refused(words=AWAY)
    assert len(await _found(lists.heads_after(1, (known["Ash"],)))) == 1


async def _found(reading: Awaitable[tuple[EnquirySummary, ...] | Refused]) -> tuple[EnquirySummary, ...]:
    found = await reading
    assert not isinstance(found, Refused), found
    return found


def _name(head: EnquirySummary) -> str:
    assert head.contact
    return head.contact.name.split()[-1]


async def test_reference_is_found_in_any_spelling(stores: Stores) -> None:
    known, lists = await filled(stores), lists_over(stores.database)
    typed = CaseFilter(text=known["Ash"].lower().replace("-", " "))
    assert names(await lists.page(Listing(wanted=typed), who="ada")) == ["Ash"]


async def test_list_comes_page_by_page(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_store, "PAGE_SIZE", 2)
    monkeypatch.setattr("broker.cases.case_list.PAGE_SIZE", 2)
    await filled(stores)
    lists = lists_over(stores.database)
    for sort, pages in (
        (Column.DUE, [["Ash", "Birch"], ["Dogwood"], []]),
        (Column.NAME, [["Birch", "Ash"], ["Dogwood"], []]),
    ):
        found = [await lists.page(Listing(sort=sort, page=page), who="ada") for page in (1, 2, 3)]
        assert ([names(page) for page in found], {getattr(page, "count", 0) for page in found}) == (pages, {3})


async def test_page_opens_its_own_rows_alone_in_a_bounded_number_of_statements(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(stores)
    lists, opened, reads = lists_over(stores.database), list[str](), list[object]()
    await lists.page(Listing(wanted=CaseFilter(text="emile")), who="ada")
    head, read = list_store.EnquiryCipher.head, Database.read
    monkeypatch.setattr(
        list_store.EnquiryCipher, "head", lambda self, row: (opened.append(row.reference), head(self, row))[1]
    )
    monkeypatch.setattr(Database, "read", lambda self, work: (reads.append(work), read(self, work))[1])
    for wanted, rows, statements in ((CaseFilter(), 3, 1), (CaseFilter(text="emile"), 2, 2)):
        opened.clear()
        reads.clear()
        await lists.page(Listing(wanted=wanted), who="ada")
        assert (len(opened), len(reads)) == (rows, statements)


async def exported(lists: CaseLists, listing: Listing, *, own: bool = False) -> tuple[list[str], Any]:
    export = await lists.export(listing, form="CSV", own=own, who="bob")
    assert isinstance(export, EnquiryExport), export
    return [_name(each.head) for each in export.cases], export


async def test_export_is_the_list_or_the_ticked_and_is_recorded(stores: Stores) -> None:
    known, lists = await filled(stores), lists_over(stores.database)
    await stores.changes.add_note(known["Dogwood"], StaffNote(at=NOON, who="ada", text="first"))
    ticked = CaseFilter(references=(known["Cedar"], known["Ash"]))
    by_name = Listing(wanted=CaseFilter(text="émile"), sort=Column.NAME, descending=True)
    found = [(await exported(lists, each))[0] for each in (Listing(), by_name, Listing(wanted=ticked))]
    assert found == [["Ash", "Birch", "Dogwood"], ["Dogwood", "Ash"], ["Ash", "Cedar"]]
    assert (await exported(lists, Listing(wanted=ticked), own=True))[0] == []
    assert (await exported(lists, Listing(), own=True))[0] == ["Birch"]
    details = [each.detail for each in await stores.audit.latest(9, acts=[Act.ENQUIRIES_EXPORTED])]
    assert details == [
        "1 as CSV: open, own alone",
        "0 as CSV: 2 ticked, own alone",
        "2 as CSV: 2 ticked",
        "2 as CSV: open, by words",
        "3 as CSV: open",
    ]


async def test_export_holds_the_enquiries_merged_into_a_case_with_their_notes(stores: Stores) -> None:
    known, lists = await filled(stores), lists_over(stores.database)
    for name in ("Birch", "Dogwood"):
        await stores.changes.add_note(known[name], StaffNote(at=NOON, who="ada", text=name))
    await stores.changes.merge(known["Dogwood"], known["Birch"], who="ada", at=NOON)
    found, export = await exported(lists, Listing())
    assert found == ["Ash", "Birch"]
    birch = export.cases[1]
    assert birch.references == (known["Birch"], known["Dogwood"])
    assert [note.text for note in birch.notes] == ["Birch", "Dogwood"]
    assert export.cases[0].merged == ()


async def test_export_leaves_out_what_no_key_opens_and_says_where_there_is_more(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = lists_over(stores.database)
    lost = await stores_of(stores.database, "another key, that is long enough too").enquiries.add(new(9))
    await stores.enquiries.add(new(1, call_in=1))
    assert names(await lists.page(Listing(), who="ada")) == ["sealed", "1"]
    _, export = await exported(lists, Listing())
    assert (export.sealed, export.complete, len(export.cases)) == ((lost,), True, 1)
    monkeypatch.setattr(list_store, "MAX_EXPORTED", 1)
    _, export = await exported(lists, Listing())
    assert (export.complete, export.sealed, export.cases) == (False, (lost,), ())


async def test_filters_and_columns_are_kept_for_an_account(stores: Stores) -> None:
    await add_adviser(stores)
    lists = lists_over(stores.database)
    assert await lists.save_filter(" Big \n", "amount=500", who="ada") is None
    own = await lists.own_filters("ada")
    assert not isinstance(own, Refused)
    assert [(each.name, each.query) for each in own.filters] == [("Big", "amount=500")]
    number = own.filters[0].number
    for name in (None, "", " ", 7, "x" * 41, "\0"):
        assert await lists.save_filter(name, "", who="ada") == Refused(words=NO_NAME)
        assert await lists.rename_filter(number, name, who="ada") == Refused(words=NO_NAME)
    assert await lists.hide_columns({Column.SOURCE, Column.WHO}, who="ada") is None
    await lists.rename_filter(number, "Large", who="ada")
    own = await lists.own_filters("ada")
    assert not isinstance(own, Refused)
    assert ([each.name for each in own.filters], own.hidden) == (["Large"], {Column.SOURCE, Column.WHO})
    await lists.delete_filter(number, who="ada")
    own = await lists.own_filters("ada")
    assert getattr(own, "filters", None) == ()


async def test_database_that_is_away_is_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    database = Database(database_address("postgresql://nobody@127.0.0.1:1/name"))
    lists = lists_over(database)
    with caplog.at_level(logging.ERROR):
        answers: Sequence[object] = [
            await lists.page(Listing(), who="ada"),
            await lists.page(Listing(wanted=CaseFilter(text="zoë")), who="ada"),
            await lists.counts([CaseFilter()], who="ada"),
            await lists.heads_after(1, ("HG-2222-3333",)),
            await lists.own_filters("ada"),
            await lists.save_filter("Big", "", who="ada"),
            await lists.export(Listing(), form="JSON", own=False, who="ada"),
        ]
    assert answers == [Refused(words=AWAY)] * 7
    await database.close()


async def test_export_that_cannot_be_recorded_is_refused(stores: Stores) -> None:
    class FullAuditStore(AuditStore):
        async def add(self, entry: object) -> None:
            raise StorageError(f"the disk is full: {entry}")

    await filled(stores)
    lists = lists_over(stores.database, FullAuditStore(stores.database))
    assert await lists.export(Listing(), form="CSV", own=False, who="ada") == Refused(words=AWAY)


async def test_references_of_what_is_still_there(stores: Stores) -> None:
    found = await filled(stores)
    wanted = {found["Ash"], found["Birch"]}
    assert await stores.lists.existing(frozenset((*wanted, "HG-2222-2222", "' OR 1"))) == wanted
    assert await stores.lists.existing(()) == frozenset()
    assert replace(Listing(), page=2).offset == 50
