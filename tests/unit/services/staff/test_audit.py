"""Staff read the record: a page at a time, with the enquiries that are still there, and what typed words mean."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.audit import Act, AuditEntry
from broker.domain.staff.audit_search import ActKind, AuditFilter, AuditPage
from broker.domain.staff.enquiry_workflow import Refused
from broker.services import Services
from broker.services.staff.audit import AWAY, record_names, record_page, recorded_about
from broker.settings import Settings
from tests.unit.services.enquiring import BEGINNING, running, sent, thanked

Found = TypeVar("Found")


def over(settings: Settings, block: Callable[[Services, str], Awaitable[Found]]) -> Found:
    """Return what comes of a record: ada read an enquiry that is there and one that is not, bob changed two logos."""

    async def with_it() -> Found:
        async with running(settings) as services:
            reference = thanked(await services.enquiries.submit(sent())).reference
            for who, what, about in (
                ("ada", Act.ENQUIRY_READ, "HG-2222-2222"),
                ("ada", Act.ENQUIRY_READ, reference),
                ("bob", Act.LOGO_REMOVED, "lender 7"),
                ("bob", Act.LOGO_UPLOADED, "lender 42"),
                ("command line", Act.ACCOUNT_ADDED, "carol"),
            ):
                await services.audit.add(AuditEntry(at=BEGINNING, who=who, what=what, about=about))
            return await block(services, reference)

    return asyncio.run(with_it())


def page_of(found: AuditPage | Refused) -> AuditPage:
    """Return the page that an answer must be."""
    assert isinstance(found, AuditPage), found
    return found


def test_record_is_paged_and_names_the_enquiries_that_exist(db_settings: Settings) -> None:
    async def block(services: Services, reference: str) -> None:
        first = page_of(await record_page(services, AuditFilter(), most=3))
        assert ([entry.about for entry in first.entries], first.has_more) == (["carol", "lender 42", "lender 7"], True)
        older = page_of(await record_page(services, AuditFilter(before=first.entries[-1].number), most=3))
        assert [entry.about for entry in older.entries] == [reference, "HG-2222-2222"]
        assert (older.has_more, older.existing) == (False, {reference})
        exactly = page_of(await record_page(services, AuditFilter(), most=5))
        assert (len(exactly.entries), exactly.has_more) == (5, False)

    over(db_settings, block)


FILTERS = {
    "who": (AuditFilter(who="bob"), ["lender 42", "lender 7"]),
    "kind": (AuditFilter(kind=ActKind.ACCOUNTS), ["carol"]),
    "about": (AuditFilter(about="lender 7"), ["lender 7"]),
    "all three": (AuditFilter(who="ada", kind=ActKind.LOGOS, about="lender 7"), []),
}


@pytest.mark.parametrize(("wanted", "found"), FILTERS.values(), ids=FILTERS)
def test_record_is_narrowed(db_settings: Settings, wanted: AuditFilter, found: list[str]) -> None:
    async def block(services: Services, _: str) -> list[str]:
        return [entry.about for entry in page_of(await record_page(services, wanted)).entries]

    assert over(db_settings, block) == found


TYPED = {
    "a lender's number": ("42", "lender 42"),
    "a lender as the record has it": ("lender 7", "lender 7"),
    "an account": ("Carol", "carol"),
    "a reference in small letters": ("hg 2222 2222", "HG-2222-2222"),
    "nothing": ("  ", ""),
    "no text": (["carol"], ""),
    "half a character": ("\ud800", ""),
    "a nought character": ("carol\0", "carol"),
}


@pytest.mark.parametrize(("typed", "meant"), TYPED.values(), ids=TYPED)
def test_typed_words_are_taken_as_the_record_has_them(db_settings: Settings, typed: object, meant: str) -> None:
    assert over(db_settings, lambda services, _: recorded_about(services, typed)) == meant


@pytest.mark.parametrize("typed", ["Zebedee Quillfeather", "43", "HG-2222-2223", "%"])
def test_words_that_are_not_in_the_record_mean_nothing(db_settings: Settings, typed: str) -> None:
    found = over(db_settings, lambda services, _: recorded_about(services, typed))
    assert found == Refused(words="Nothing in the record is about that")


def test_everybody_in_the_record_is_named_once(db_settings: Settings) -> None:
    assert over(db_settings, lambda services, _: record_names(services)) == ("ada", "bob", "command line")


def test_record_that_is_away_is_a_sentence(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise StorageError("away")

    async def block(services: Services, _: str) -> set[object]:
        monkeypatch.setattr(services.audit._database, "read", away)
        return {
            await record_page(services, AuditFilter()),
            await record_names(services),
            await recorded_about(services, "carol"),
        }

    with caplog.at_level(logging.CRITICAL):
        assert over(db_settings, block) == {Refused(words=AWAY)}
