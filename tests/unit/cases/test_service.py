import logging
from datetime import date, timedelta
from typing import Any

import pytest

from broker.appointments.appointment import AppointmentRefused, Medium, Slot
from broker.cases.caller import TOLD
from broker.cases.case import (
    NO_ACCOUNT,
    ONLY_ADVICE,
    Case,
    Changed,
    Conflict,
    DeleteReason,
    Gone,
    ManyChanged,
    Outcome,
    Refused,
    Service,
    Source,
    Undone,
)
from broker.cases.case_changes import CaseChanges, OpenCases
from broker.cases.change_store import EnquiryChangeStore
from broker.cases.changes import CallRecord, CaseFigures
from broker.cases.service import AWAY, KEY_LOST, MAX_HISTORY, NO_CLOSE_REASON, NO_REASON, CaseService
from broker.cases.store import EnquiryListStore
from broker.cases.template_store import TemplateStore
from broker.cases.today import Today
from broker.cases.today_store import TodayStore
from broker.duties.complaint import NotDone
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from broker.enquiries.service import EnquiryCredentials
from broker.enquiries.store import EnquiryStore
from broker.services import Services
from broker.settings import Settings
from broker.staff.account_store import StaffStore
from broker.staff.audit import COMMAND_LINE, VISITOR, Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_address, database_for
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import ADDRESS, BEGINNING, Calendar, running, sent, thanked


@pytest.fixture
async def reference(services: Services, db_settings: Settings) -> str:
    """An enquiry, where ada and bob have accounts, and eve a disabled one."""
    database = database_for(db_settings)
    staff = StaffStore(database)
    for name in ("ada", "bob", "eve"):
        entry = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
        assert await staff.add(name, "hash", entry=entry)
    eve = (await staff.all())[-1]
    disabled = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_DISABLED, about=eve.name)
    await staff.change(eve.id, disabled, enabled=False)
    await database.close()
    return thanked(await services.enquiries.submit(sent())).reference


async def audited(services: Services) -> list[tuple[str, Act, str, str]]:
    """Return what staff did, oldest first, without what was done on the command line."""
    entries = reversed(await services.audit.latest(100))
    return [(each.who, each.what, each.about, each.detail) for each in entries if each.who != COMMAND_LINE]


def admin_over(database: Database, audit: AuditStore) -> CaseService:
    keys = SecretKeys((KEY,))
    cases, lists = EnquiryChangeStore(database, keys), EnquiryListStore(database, keys)
    return CaseService(
        cases,
        lists,
        audit=audit,
        accounts=StaffStore(database),
        enquiries=EnquiryStore(database, keys),
        day=TodayStore(database, keys),
        changes=CaseChanges(database),
        opened=OpenCases(database),
        templates=TemplateStore(database),
    )


async def test_enquiry_is_worked_through_and_every_act_is_audited(
    services: Services, reference: str, calendar: Calendar
) -> None:
    admin = services.cases
    found = await admin.open(reference.lower().replace("-", " "), who="ada")
    assert isinstance(found, Case)
    calendar.forward(hours=1)
    assert isinstance(await admin.assign(reference, "ada", version=1, who="ada"), Changed)
    assert isinstance(await admin.add_note(reference, "Rang.\n", who="ada"), Changed)
    moved = await admin.set_stage(reference, "advice", waiting_for="client", version=2, who="ada")
    assert isinstance(moved, Changed)
    assert (moved.case.head.changed_at, [note.text for note in moved.case.notes]) == (calendar.now, ["Rang."])
    gone = await admin.delete(reference, "duplicate", version=3, who="bob", is_owner=True)
    assert gone == Gone(by="bob", at=BEGINNING + timedelta(hours=1), reason="it is there twice")
    assert await audited(services) == [
        ("ada", Act.ENQUIRY_READ, reference, ""),
        ("ada", Act.ENQUIRY_ASSIGNED, reference, "to ada"),
        ("ada", Act.ENQUIRY_NOTE, reference, ""),
        ("ada", Act.CASE_STAGE, reference, "advice, waiting for client"),
        ("bob", Act.ENQUIRY_DELETED, reference, "it is there twice"),
    ]


async def test_figures_are_corrected_for_a_version_and_the_record_keeps_which_but_not_their_values(
    services: Services, reference: str
) -> None:
    admin, figures = services.cases, CaseFigures(amount=148_000, deal_ends=date(2028, 6, 30))
    changed = await admin.correct_figures(reference, figures, version=1, who="ada")
    assert isinstance(changed, Changed)
    assert (changed.case.head.amount, changed.case.head.deal_ends) == (148_000, date(2028, 6, 30))
    late = await admin.correct_figures(reference, CaseFigures(amount=1, deal_ends=None), version=1, who="bob")
    assert isinstance(late, Conflict)
    assert late.case.head.amount == 148_000
    assert isinstance(await admin.correct_figures("no such", figures, version=1, who="ada"), Gone)
    assert await audited(services) == [("ada", Act.CASE_FIGURES, reference, "loan, end of the deal")]


NONSENSE: list[object] = [None, "", "no such", 7, [], {"a": 1}, "x" * 10_000, "\0", "\ud800", "HG-2222-3333"]


async def test_anything_that_a_page_may_send_is_answered_in_words(services: Services, reference: str) -> None:
    admin = services.cases
    for value in NONSENSE:
        assert isinstance(await admin.open(value, who="ada"), Gone)
        assert isinstance(await admin.set_stage(value, "advice", waiting_for="us", version=1, who="ada"), Gone)
        assert isinstance(await admin.delete(value, "spam", version=1, who="ada"), Gone)
        assert isinstance(await admin.set_stage(reference, value, waiting_for="us", version=1, who="ada"), Refused)
        assert await admin.delete(reference, value, version=1, who="ada") == Refused(words=NO_REASON)
    assert await admin.add_note(reference, None, who="ada") == Refused(words="Write a note first")
    for account in ("x" * 81, "eve", "nobody we know"):
        refused = await admin.assign(reference, account, version=1, who="ada")
        assert refused == Refused(words="Choose one of the accounts")
    assert await admin.accounts() == ("ada", "bob")
    assert not await audited(services)


async def advised(services: Services, reference: str, *, version: int = 1) -> Changed:
    record = CallRecord(outcome=Outcome.ADVICE_GIVEN, note="Needs and reasons.")
    changed = await services.cases.record(reference, record, version=version, who="ada")
    assert isinstance(changed, Changed)
    return changed


async def test_adviser_deletes_own_cases_and_those_that_nobody_has_and_an_owner_any(
    services: Services, reference: str
) -> None:
    admin, other = services.cases, thanked(await services.enquiries.submit(sent(message="Another"))).reference
    assert isinstance(await admin.delete(other, "spam", version=1, who="bob"), Gone)
    assert isinstance(await admin.assign(reference, "ada", version=1, who="ada"), Changed)
    refused = await admin.delete(reference, "spam", version=2, who="bob")
    assert refused == Refused(words="This case is ada’s. They delete it, or an owner does")
    assert isinstance(await admin.delete(reference, "spam", version=2, who="bob", is_owner=True), Gone)


async def test_case_with_advice_is_kept_for_its_years_whoever_deletes_it(
    services: Services, reference: str, calendar: Calendar
) -> None:
    admin, version = services.cases, (await advised(services, reference)).case.head.version
    before = await audited(services)
    for reason in DeleteReason:
        for is_owner in (False, True):
            if (reason, is_owner) != (DeleteReason.TEST, True):
                kept = await admin.delete(reference, reason.value, version=version, who="ada", is_owner=is_owner)
                assert isinstance(kept, Refused), (reason, is_owner)
                assert "kept until 31 March 2029 (MCOB 4.7A.25R: 3 years)" in kept.words
    assert await audited(services) == before
    calendar.forward(days=3 * 366)
    assert isinstance(await admin.delete(reference, "asked", version=version, who="ada"), Gone)


async def test_case_past_advice_by_its_stage_or_an_enquiry_merged_with_it_is_kept(
    services: Services, reference: str
) -> None:
    admin, other = services.cases, thanked(await services.enquiries.submit(sent(message="Another"))).reference
    moved = await admin.set_stage(reference, "application", waiting_for="lender", version=1, who="ada")
    assert isinstance(moved, Changed)
    version = moved.case.head.version
    assert isinstance(await admin.delete(reference, "duplicate", version=version, who="ada"), Refused)
    merged = await admin.merge(reference, other, who="ada")
    assert isinstance(merged, Changed)
    version = merged.case.head.version
    assert isinstance(await admin.delete(other, "duplicate", version=version, who="ada"), Refused)


async def test_owner_deletes_a_case_with_advice_that_was_a_test(services: Services, reference: str) -> None:
    version = (await advised(services, reference)).case.head.version
    gone = await services.cases.delete(reference, "test", version=version, who="bob", is_owner=True)
    assert isinstance(gone, Gone)
    assert (await audited(services))[-1] == ("bob", Act.ENQUIRY_DELETED, reference, "it was a test")


async def test_advice_is_kept_for_the_years_of_the_setting(db_settings: Settings, reference: str) -> None:
    async with running(db_settings.changed(advice_years=6)) as services:
        version = (await advised(services, reference)).case.head.version
        kept = await services.cases.delete(reference, "asked", version=version, who="ada")
    assert isinstance(kept, Refused)
    assert "(MCOB 4.7A.25R: 6 years)" in kept.words


async def only_advice_of(services: Services, reference: str) -> Case:
    """Return a case with advice once its sender has deleted the enquiry."""
    await advised(services, reference)
    await services.enquiries.delete(EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123"))
    case = await services.cases.open(reference, who="ada")
    assert isinstance(case, Case)
    return case


async def test_case_of_which_only_advice_is_kept_is_not_worked_on(
    services: Services, reference: str, calendar: Calendar
) -> None:
    head, admin = (await only_advice_of(services, reference)).head, services.cases
    assert head.only_advice_since == calendar.now
    at, who = calendar.now + timedelta(days=1), "ada"
    slot = Slot(start=at, minutes=20, medium=Medium.TELEPHONE)
    diary: Any = services.diary
    refused = {
        "outcome": await admin.record(reference, CallRecord(outcome=Outcome.NO_ANSWER), version=head.version, who=who),
        "reply": await admin.reply(reference, None, "Good morning", who=who),
        "stage": await admin.set_stage(reference, "offer", waiting_for="client", version=head.version, who=who),
    }
    assert refused == dict.fromkeys(refused, Refused(words=ONLY_ADVICE))
    many = [await admin.set_due((reference,), at, who=who), await admin.close((reference,), "spam", who=who)]
    assert many == [ManyChanged(references=(), left={reference: ONLY_ADVICE})] * 2
    booked = await diary._store.book_by_staff(reference, slot, adviser=who, who=who, at=calendar.now)
    assert booked == AppointmentRefused(reason=ONLY_ADVICE)
    needs = {"needs_words": "Large print", "needs_agreed": "on"}
    asked = await services.duties.needs.record(reference, needs, version=head.version, who=who)
    assert asked == NotDone(words=ONLY_ADVICE)


async def test_of_a_case_of_which_only_advice_is_kept_the_record_may_still_be_written(
    services: Services, reference: str
) -> None:
    head = (await only_advice_of(services, reference)).head
    assert isinstance(await services.cases.add_note(reference, "The ombudsman asked", who="ada"), Changed)
    assert await services.cases.hand_over((reference,), "bob", who="ada") == ManyChanged(references=(reference,))
    contact = ContactDetails(name="Zoe", telephone="+447700900124", email="", when=CallTime.MORNING)
    corrected = await services.cases.correct_contact(reference, contact, version=head.version + 1, who="ada")
    assert isinstance(corrected, Changed)


async def test_case_of_which_only_advice_is_kept_is_worked_on_once_the_person_asks_again(
    services: Services, reference: str
) -> None:
    await only_advice_of(services, reference)
    again = thanked(await services.enquiries.submit(sent(message="Again"))).reference
    merged = await services.cases.merge(again, reference, who="ada")
    assert isinstance(merged, Changed)
    assert merged.case.head.only_advice_since is None
    closed = await services.cases.close((reference,), "elsewhere", who="ada")
    assert closed == ManyChanged(references=(reference,))
    case = await services.cases.open(reference, who="ada")
    assert isinstance(case, Case)
    assert case.head.only_advice_since is None


async def test_enquiry_that_its_sender_deleted_meanwhile_is_gone(services: Services, reference: str) -> None:
    await services.enquiries.delete(EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123"))
    outcomes = [
        await services.cases.add_note(reference, "Rang", who="ada"),
        await services.cases.set_stage(reference, "advice", waiting_for="us", version=1, who="ada"),
    ]
    assert [getattr(outcome, "by", "") for outcome in outcomes] == [VISITOR] * 2


async def test_enquiry_that_the_keys_do_not_decrypt_is_reported_and_logged(
    db_settings: Settings, reference: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(db_settings.changed(secret_keys=("another key, that is long enough too",))) as other:
        with caplog.at_level(logging.ERROR):
            assert await other.cases.open(reference, who="ada") == Refused(words=KEY_LOST)
    assert "enquiries: encrypted with no key of BROKER_SECRET_KEY, or changed since" in caplog.messages


async def test_database_that_is_away_is_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    database, reference = Database(database_address("postgresql://nobody@127.0.0.1:1/name")), "HG-2222-3333"
    admin = admin_over(database, AuditStore(database))
    with caplog.at_level(logging.ERROR):
        assert [
            await admin.open(reference, who="ada"),
            await admin.set_stage(reference, "advice", waiting_for="us", version=1, who="ada"),
            await admin.assign(reference, "ada", version=1, who="ada"),
            await admin.add_note(reference, "Rang", who="ada"),
            await admin.delete(reference, "spam", version=1, who="ada"),
        ] == [Refused(words=AWAY)] * 5
    assert set(caplog.messages) == {"enquiries: the database cannot be used: ConnectionRefusedError"}
    await database.close()


async def test_enquiry_that_stays_open_is_in_its_history_once(
    services: Services, reference: str, calendar: Calendar
) -> None:
    admin = services.cases
    other = thanked(await services.enquiries.submit(sent(message="Another"))).reference
    await admin.open(reference, who="ada")
    assert isinstance(await admin.open(reference, who="ada", again=True), Case)
    await admin.open(other, who="eve")
    await admin.add_note(reference, "Rang", who="bob")
    assert admin.now == calendar.now
    history = await admin.history(reference.lower())
    assert isinstance(history, tuple)
    assert [(entry.who, entry.what) for entry in history] == [("bob", Act.ENQUIRY_NOTE), ("ada", Act.ENQUIRY_READ)]
    for unknown in ("", None, 7, "no such", "HG-2222-3333"):
        assert await admin.history(unknown) == ()
    assert MAX_HISTORY == 300


FORM = {
    "name": "A. Example",
    "telephone": "07700 900999",
    "service": "moving",
    "amount": "205,000",
    "note": "In May",
    "privacy": "on",
}


@pytest.mark.usefixtures("reference")
async def test_caller_is_entered_once_and_found_by_the_number(services: Services) -> None:
    admin = services.cases
    added = [await admin.add_caller(FORM, who="ada") for _ in range(2)]
    assert all(isinstance(each, Changed) for each in added)
    known = await admin.known_by("07700 900999")
    assert isinstance(known, tuple)
    head = known[0]
    assert (len(known), head.kind, head.source) == (1, EnquiryKind.CALL, Source.TELEPHONE)
    assert (head.state, head.assigned, head.service, head.amount) == (
        EnquiryState.CALLED,
        "ada",
        Service.MOVING,
        205_000,
    )
    found = await admin.open(head.reference, who="ada", again=True)
    assert isinstance(found, Case)
    assert [note.text for note in found.notes] == [TOLD, "In May"]
    assert ("ada", Act.CASE_ADDED, head.reference, "") in await audited(services)
    assert (await admin.known_by("nobody"), await admin.known_by("07700 900000")) == ((), ())
    refused = await admin.add_caller({**FORM, "name": ""}, who="ada")
    assert isinstance(refused, tuple)
    assert [problem.field for problem in refused] == ["name"]


async def test_two_enquiries_of_one_number_are_duplicates_until_they_are_merged(
    services: Services, reference: str
) -> None:
    admin = services.cases
    own = await admin.open(reference, who="ada", again=True)
    assert isinstance(own, Case)
    added = await admin.add_caller({**FORM, "telephone": own.kept.enquiry.contact.telephone}, who="ada")
    assert isinstance(added, Changed)
    other = added.case.head.reference
    for one, two in ((reference, other), (other, reference)):
        found = await admin.duplicates(one)
        assert isinstance(found, tuple)
        assert [each.reference for each in found] == [two]
    assert isinstance(await admin.merge(other, reference, who="ada"), Changed)
    assert await admin.duplicates(reference) == ()


async def test_contact_details_are_corrected_and_found_by_the_new_ones(services: Services, reference: str) -> None:
    admin = services.cases
    contact = ContactDetails(name="A. Example", telephone="+447700900998", email="a.example@example.com")
    changed = await admin.correct_contact(reference, contact, version=1, who="ada")
    assert isinstance(changed, Changed)
    assert changed.case.kept.enquiry.contact == contact
    found = await admin.known_by("A.Example@example.com")
    assert isinstance(found, tuple)
    assert [each.reference for each in found] == [reference]
    last = (await audited(services))[-1]
    assert last == ("ada", Act.CONTACT_CORRECTED, reference, "name, telephone, email, when to call")
    assert isinstance(await admin.undo(who="ada"), Undone)
    assert await admin.known_by("a.example@example.com") == ()


async def test_day_needs_the_database_and_says_so(services: Services, reference: str) -> None:
    found = await services.cases.today("ada")
    assert isinstance(found, Today)
    assert [each.reference for each in found.new] == [reference]
    assert await services.cases.opened_by(reference, who="bob") == ()
    assert await services.cases.opened_by(reference, who="ada") == ("bob",)
    taken = await services.cases.take(reference, who="ada")
    assert isinstance(taken, Changed)
    assert isinstance(await services.cases.take(reference, who="bob"), Refused)
    assert await services.cases.hand_over((reference,), "nobody at all", who="ada") == Refused(words=NO_ACCOUNT)
    assert await services.cases.close((reference,), "boredom", who="ada") == Refused(words=NO_CLOSE_REASON)
