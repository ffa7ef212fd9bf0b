import logging

import pytest

from broker.cases.case import Refused
from broker.services import Services
from broker.staff.audit import Act, ActKind, AuditEntry, AuditFilter, AuditPage
from broker.staff.audit_reader import AWAY, record_names, record_page, recorded_about
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, sent, thanked


@pytest.fixture(autouse=True)
async def reference(services: Services) -> str:
    """The reference of an enquiry. Ada read it and one that is gone, bob changed two logos, carol's account is new."""
    reference = thanked(await services.enquiries.submit(sent())).reference
    for who, what, about in (
        ("ada", Act.ENQUIRY_READ, "HG-2222-2222"),
        ("ada", Act.ENQUIRY_READ, reference),
        ("bob", Act.LOGO_REMOVED, "lender 7"),
        ("bob", Act.LOGO_UPLOADED, "lender 42"),
        ("command line", Act.ACCOUNT_ADDED, "carol"),
    ):
        await services.audit.add(AuditEntry(at=BEGINNING, who=who, what=what, about=about))
    return reference


def page_of(found: AuditPage | Refused) -> AuditPage:
    assert isinstance(found, AuditPage), found
    return found


async def test_record_is_paged_and_names_the_enquiries_that_exist(services: Services, reference: str) -> None:
    first = page_of(await record_page(services, AuditFilter(), most=3))
    assert ([entry.about for entry in first.entries], first.has_more) == (["carol", "lender 42", "lender 7"], True)
    older = page_of(await record_page(services, AuditFilter(before=first.entries[-1].number), most=3))
    assert [entry.about for entry in older.entries] == [reference, "HG-2222-2222"]
    assert (older.has_more, older.existing) == (False, {reference})
    exactly = page_of(await record_page(services, AuditFilter(), most=5))
    assert (len(exactly.entries), exactly.has_more) == (5, False)


FILTERS = {
    "who": (AuditFilter(who="bob"), ["lender 42", "lender 7"]),
    "kind": (AuditFilter(kind=ActKind.ACCOUNTS), ["carol"]),
    "about": (AuditFilter(about="lender 7"), ["lender 7"]),
    "all three": (AuditFilter(who="ada", kind=ActKind.LOGOS, about="lender 7"), []),
}


async def test_record_is_narrowed_and_everybody_in_it_named_once(services: Services) -> None:
    for name, (wanted, about) in FILTERS.items():
        assert [entry.about for entry in page_of(await record_page(services, wanted)).entries] == about, name
    assert await record_names(services) == ("ada", "bob", "command line")


NOTHING = Refused(words="Nothing in the record is about that")
TYPED: dict[str, tuple[object, str | Refused]] = {
    "a lender's number": ("42", "lender 42"),
    "a lender as the record has it": ("lender 7", "lender 7"),
    "an account": ("Carol", "carol"),
    "a reference in small letters": ("hg 2222 2222", "HG-2222-2222"),
    "nothing": ("  ", ""),
    "no text": (["carol"], ""),
    "half a character": ("\ud800", ""),
    "a nought character": ("carol\0", "carol"),
    "a name that is not in the record": ("Zebedee Quillfeather", NOTHING),
    "a lender that is not in the record": ("43", NOTHING),
    "a reference that is not in the record": ("HG-2222-2223", NOTHING),
    "a wildcard": ("%", NOTHING),
}


async def test_typed_words_are_taken_as_the_record_has_them(services: Services) -> None:
    for name, (typed, meant) in TYPED.items():
        assert await recorded_about(services, typed) == meant, name


async def test_record_that_is_away_is_a_sentence(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise StorageError("away")

    monkeypatch.setattr(services.audit._database, "read", away)
    with caplog.at_level(logging.CRITICAL):
        assert await record_page(services, AuditFilter()) == Refused(words=AWAY)
        assert await record_names(services) == Refused(words=AWAY)
        assert await recorded_about(services, "carol") == Refused(words=AWAY)
