from typing import Any

import pytest

from broker.cases.case import Changed
from broker.duties.complaint import NotDone
from broker.duties.complaints import AWAY
from broker.duties.needs import GONE, NOTHING, OVERTAKEN
from broker.duties.support_needs import (
    AGREED,
    CONSENT_VERSION,
    NEED_WORDS,
    TO_ASK,
    CaseNeeds,
    Need,
    SupportNeeds,
    count_needs,
    parse_needs,
    read_needs,
    write_needs,
)
from broker.enquiries.enquiry import StoredEnquiry
from broker.enquiries.service import EnquiryRefused
from broker.services import Services
from broker.staff.audit import VISITOR, Act
from broker.state.staff.needs import NeedsState
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, sent, thanked
from tests.unit.state.tab import StaffTab

FORM: dict[str, Any] = {"needs": ["large-print"], "needs_words": "After four o’clock", AGREED: "on"}


def needs(**changes: Any) -> SupportNeeds:
    found = parse_needs({**FORM, **changes}, at=BEGINNING, who="ada")
    assert isinstance(found, SupportNeeds), found
    return found


def test_needs_are_stored_with_the_wording_agreed_to() -> None:
    found = needs()
    assert (found.consent, found.at, found.who) == (CONSENT_VERSION, BEGINNING, "ada")
    assert found.sentence == "Large print; After four o’clock"
    assert read_needs(write_needs(found)) == found
    assert read_needs("") is None


@pytest.mark.parametrize("form", [{}, {"needs": "wings"}, {"needs": 5, "needs_words": " "}, {AGREED: "on"}])
def test_question_is_optional(form: dict[str, Any]) -> None:
    assert parse_needs(form, at=BEGINNING, who="ada") is None


@pytest.mark.parametrize(("field", "value"), [(AGREED, ""), ("needs_words", "a" * 201)])
def test_needs_without_consent_or_too_long_are_refused(field: str, value: str) -> None:
    found = parse_needs({**FORM, field: value}, at=BEGINNING, who="ada")
    assert isinstance(found, tuple)
    assert [each.field for each in found] == [field]


def test_ticks_of_a_form_are_needs() -> None:
    found = needs(**{"needs": None, "needs-more-time": "on", "needs-interpreter": True, "needs_words": ""})
    assert found.needs == (Need.MORE_TIME, Need.INTERPRETER)


def test_small_counts_are_not_given() -> None:
    counted = dict(count_needs([needs()] * 4 + [needs(needs=["more-time"])] * 5))
    assert counted[NEED_WORDS[Need.LARGE_PRINT]] == "fewer than 5"
    assert counted[NEED_WORDS[Need.MORE_TIME]] == "5"
    assert counted[NEED_WORDS[Need.INTERPRETER]] == "0"


async def test_needs_of_a_case_are_recorded_changed_and_removed(services: Services) -> None:
    reference, service = thanked(await services.enquiries.submit(sent())).reference, services.duties.needs
    first = await service.record(reference, FORM, version=1, who="ada")
    assert isinstance(first, CaseNeeds)
    assert await service.find(reference) == first
    assert await service.record(reference, FORM, version=1, who="ben") == NotDone(words=OVERTAKEN)
    assert await service.record(reference, {}, version=2, who="ben") == NotDone(words=NOTHING)
    assert isinstance(await service.remove(reference, version=2, who="ben"), CaseNeeds)
    assert await service.find(reference) == CaseNeeds(version=3, needs=None)
    assert await service.find("HG-AAAA-AAAA") == NotDone(words=GONE)
    acts = [(each.who, each.what, each.detail) for each in await services.audit.latest(2)]
    assert acts == [("ben", Act.NEEDS_REMOVED, ""), ("ada", Act.NEEDS_RECORDED, "")]


async def test_needs_are_removed_from_what_was_merged_too(services: Services) -> None:
    older, newer = [
        thanked(await services.enquiries.submit(sent(message=message, needs_words="Large print", needs_agreed="on")))
        for message in ("One", "Two")
    ]
    merged = await services.cases.merge(newer.reference, older.reference, who="ada")
    assert isinstance(merged, Changed)
    removed = await services.duties.needs.remove(older.reference, version=merged.case.head.version, who="ada")
    assert isinstance(removed, CaseNeeds)
    assert [await sentence_of(services, each.reference) for each in (older, newer)] == ["", ""]


async def test_visitor_sees_on_their_page_what_makes_a_call_easier(services: Services) -> None:
    receipt = thanked(await services.enquiries.submit(sent(needs_words="Large print", needs_agreed="on")))
    shown = await services.enquiries.thanked(receipt.link)
    assert isinstance(shown, StoredEnquiry)
    assert shown.enquiry.needs
    assert shown.enquiry.needs.sentence == "Large print"


async def test_database_away_is_said(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> None:
        raise StorageError("away")

    store: Any = services.duties.needs._store
    monkeypatch.setattr(store, "all", away)
    assert await services.duties.needs.counts() == NotDone(words=AWAY)


@pytest.fixture
def tab(services: Services, monkeypatch: pytest.MonkeyPatch) -> StaffTab:
    from broker import services as installed

    monkeypatch.setattr(installed, "_installed", [services])
    tab = StaffTab(NeedsState)
    tab.state.staff_name = "ada"
    return tab


async def test_form_of_a_case_keeps_what_is_refused(services: Services, tab: StaffTab) -> None:
    reference, service = thanked(await services.enquiries.submit(sent())).reference, services.duties.needs
    await tab.do("ask", f"{reference}:1")
    await tab.do("submit", {**FORM, AGREED: ""})
    assert (tab.state.is_open, tab.state.refused) == (True, TO_ASK)
    assert isinstance(await service.record(reference, FORM, version=1, who="ben"), CaseNeeds)
    await tab.do("submit", FORM)
    assert (tab.state.is_open, tab.state.refused) == (True, OVERTAKEN)
    await tab.do("submit", {**FORM, "needs_words": ""})
    assert (tab.state.is_open, tab.state.result) == (False, "Recorded. It is shown above when you call.")
    assert await sentence_of(services, reference) == "Large print"
    await tab.do("ask", f"{reference}:3")
    await tab.do("remove")
    assert (await sentence_of(services, reference), tab.state.result) == ("", "Deleted")


async def test_form_is_of_the_case_on_screen(services: Services, tab: StaffTab) -> None:
    first, second = [
        thanked(await services.enquiries.submit(sent(name=name))).reference for name in ("A. Example", "B. Example")
    ]
    await tab.do("ask", f"{first}:1")
    await tab.do("submit", FORM)
    await tab.do("ask", f"{second}:1")
    assert (tab.state.reference, tab.state.is_open, tab.state.result) == (second, True, "")
    await tab.do("submit", {**FORM, "needs_words": ""})
    assert await sentence_of(services, first) == "Large print; After four o’clock"
    assert await sentence_of(services, second) == "Large print"


async def sentence_of(services: Services, reference: str) -> str:
    found = await services.duties.needs.find(reference)
    assert isinstance(found, CaseNeeds)
    return found.needs.sentence if found.needs else ""


async def test_visitor_says_it_in_the_form_of_an_enquiry(services: Services) -> None:
    refused = await services.enquiries.submit(sent(needs_words="Large print"))
    assert isinstance(refused, EnquiryRefused)
    assert [each.field for each in refused.problems] == [AGREED]
    form = sent(needs_words="Large print", needs_agreed="yes")
    found = await services.duties.needs.find(thanked(await services.enquiries.submit(form)).reference)
    assert isinstance(found, CaseNeeds)
    assert found.needs
    assert (found.needs.sentence, found.needs.who) == ("Large print", VISITOR)
    other = thanked(await services.enquiries.submit(sent(name="B. Example"))).reference
    assert await services.duties.needs.find(other) == CaseNeeds(version=1, needs=None)
