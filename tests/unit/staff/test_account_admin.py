import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import UpdateBase, select, update
from sqlmodel import col

from broker.cases.case import Refused
from broker.duties.complaint import Complainant, ComplaintOutcome, NewComplaint, RootCause, Subject
from broker.duties.complaint_store import ComplaintStore
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.store import EnquiryStore
from broker.staff.account_admin import NO_HEIR, NOT_YOURSELF, AccountAdmin, Disabled, MadeLink
from broker.staff.audit import Act
from broker.staff.people import EMAIL, LAST_OWNER, LINK_LIFETIME, NAME, ROLE, Person
from broker.staff.roles import Role
from broker.storage.database import all_rows, first_row, rows_changed
from broker.storage.encryption import SecretKeys
from broker.storage.tables import ComplaintRow, EnquiryRow, MailRow, StaffInviteRow
from tests.databases.fixtures import KEY
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD, StaffTestbed, staff_testbed
from tests.unit.storage.stores import new

BEN = "ben.template"
COMPLAINT = NewComplaint(
    subject=Subject.SERVICE,
    cause=RootCause.DELAY,
    received=date(2026, 3, 30),
    person=Complainant(name="Imke Imaginary"),
    about="Nobody called back",
)
FORM = {NAME: "Ben Template", EMAIL: "b.template@example.com", ROLE: "adviser"}


@pytest.fixture
async def testbed(each_database_url: str) -> AsyncIterator[StaffTestbed]:
    async with staff_testbed(each_database_url) as testbed:
        yield testbed


def admin_of(testbed: StaffTestbed) -> AccountAdmin:
    return testbed.admin.admin


async def invited(testbed: StaffTestbed, **form: str) -> MadeLink:
    made = await admin_of(testbed).invite({**FORM, **form}, who=ADA)
    assert isinstance(made, MadeLink), made
    return made


async def joined(testbed: StaffTestbed, **form: str) -> Person:
    """Invite somebody, and have them choose a password."""
    made = await invited(testbed, **form)
    await admin_of(testbed).use_link(made.token, OTHER, OTHER)
    return next(each for each in await admin_of(testbed).people() if each.shown_name == made.person)


async def person(testbed: StaffTestbed, name: str) -> Person:
    return next(each for each in await admin_of(testbed).people() if each.name == name)


async def acts(testbed: StaffTestbed) -> list[Act]:
    return [entry.what for entry in await testbed.audit.latest(20)]


async def test_invited_person_signs_in_after_the_link_and_not_before(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    ben = await person(testbed, BEN)
    assert (ben.enabled, ben.is_set_up, ben.email, ben.role) == (False, False, FORM[EMAIL], Role.ADVISER)
    assert "SignInDenied" in repr(await testbed.sign_in(BEN, ""))
    found = await admin_of(testbed).linked(made.token)
    assert found
    assert (found.shown_name, found.is_reset) == ("Ben Template", False)
    account = await admin_of(testbed).use_link(made.token, OTHER, OTHER)
    assert not isinstance(account, dict)
    assert account
    assert account.enabled
    assert (await testbed.session(await testbed.token(BEN, OTHER))).role is Role.ADVISER
    assert (await acts(testbed))[:3] == [Act.SIGNED_IN, Act.LINK_USED, Act.SIGN_IN_FAILED]


async def test_looking_at_a_link_changes_nothing(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    before = await person(testbed, BEN)
    for _ in range(3):
        assert await admin_of(testbed).linked(made.token)
    assert await person(testbed, BEN) == before


async def test_link_works_once_and_for_two_days(testbed: StaffTestbed) -> None:
    first = await invited(testbed)
    assert await admin_of(testbed).use_link(first.token, OTHER, OTHER)
    assert await admin_of(testbed).use_link(first.token, PASSWORD, PASSWORD) is None
    late = await invited(testbed, **{NAME: "Cat Fixture"})
    testbed.calendar.forward(seconds=int(LINK_LIFETIME.total_seconds()) - 1)
    assert await admin_of(testbed).linked(late.token)
    testbed.calendar.forward(seconds=1)
    assert await admin_of(testbed).linked(late.token) is None
    assert await admin_of(testbed).use_link(late.token, OTHER, OTHER) is None


async def test_link_is_stored_as_a_digest_and_mailed(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    row, mail = [await testbed.database.read(first_row(select(table))) for table in (StaffInviteRow, MailRow)]
    assert row
    assert mail
    assert made.token not in str(row)
    assert made.token.encode() not in mail.context
    assert FORM[EMAIL].encode() not in mail.recipient
    assert (mail.kind, mail.expires) == ("staff-link", made.expires)


async def test_weak_or_mistyped_password_keeps_the_link(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    for password, again, field in (("short", "short", "new"), (OTHER, PASSWORD, "again"), (None, None, "new")):
        found = await admin_of(testbed).use_link(made.token, password, again)
        assert isinstance(found, dict)
        assert list(found) == [field]
    assert await admin_of(testbed).linked(made.token)


async def test_link_sent_again_ends_the_earlier_one(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    again = await admin_of(testbed).make_link((await person(testbed, BEN)).id, who=ADA)
    assert isinstance(again, MadeLink)
    assert await admin_of(testbed).linked(made.token) is None
    assert await admin_of(testbed).linked(again.token)


async def test_withdrawn_invitation_leaves_no_account(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    ben = await person(testbed, BEN)
    assert await admin_of(testbed).withdraw(ben.id, who=ADA) is None
    assert await admin_of(testbed).linked(made.token) is None
    assert [each.name for each in await admin_of(testbed).people()] == [ADA]
    assert isinstance(await admin_of(testbed).withdraw(ben.id, who=ADA), Refused)


async def test_name_that_is_taken_is_refused(testbed: StaffTestbed) -> None:
    await invited(testbed)
    assert list(await admin_of(testbed).invite(FORM, who=ADA)) == [NAME]  # pyright: ignore[reportArgumentType]


async def test_reset_ends_what_signed_the_account_in_once_its_link_is_used(testbed: StaffTestbed) -> None:
    token = await testbed.token()
    ada = await person(testbed, ADA)
    made = await admin_of(testbed).make_link(ada.id, who="olga")
    assert isinstance(made, MadeLink)
    assert made.is_mailed is False
    assert await testbed.name(token) == ADA
    assert await admin_of(testbed).use_link(made.token, OTHER, OTHER)
    assert await testbed.name(token) == ""
    assert "SignInDenied" in repr(await testbed.sign_in(ADA, PASSWORD))
    assert await testbed.token(ADA, OTHER)


async def test_last_owner_is_neither_demoted_nor_disabled(testbed: StaffTestbed) -> None:
    ada = await person(testbed, ADA)
    assert await admin_of(testbed).set_role(ada.id, "adviser", who=ADA) == Refused(words=LAST_OWNER)
    assert await admin_of(testbed).disable(ada.id, (), who="command line") == Refused(words=LAST_OWNER)
    assert await person(testbed, ADA) == ada
    olga = await joined(testbed, **{NAME: "Olga Owner", ROLE: "owner"})
    assert await admin_of(testbed).set_role(ada.id, "adviser", who=olga.name) is None
    assert (await person(testbed, ADA)).role is Role.ADVISER


async def test_owners_who_demote_each_other_at_once_leave_one(testbed: StaffTestbed) -> None:
    ada, olga = await person(testbed, ADA), await joined(testbed, **{NAME: "Olga Owner", ROLE: "owner"})
    told = await asyncio.gather(
        admin_of(testbed).set_role(ada.id, "adviser", who=olga.name), admin_of(testbed).disable(olga.id, (), who=ADA)
    )
    assert told.count(Refused(words=LAST_OWNER)) == 1
    left = [each.name for each in await admin_of(testbed).people() if each.enabled and each.role is Role.OWNER]
    assert len(left) == 1


async def test_link_used_twice_at_once_sets_one_password(testbed: StaffTestbed) -> None:
    made = await invited(testbed)
    told = await asyncio.gather(*(admin_of(testbed).use_link(made.token, each, each) for each in (OTHER, PASSWORD)))
    assert [account is None for account in told].count(True) == 1


async def test_changed_role_ends_the_sessions(testbed: StaffTestbed) -> None:
    ben = await joined(testbed)
    token = await testbed.token(BEN, OTHER)
    assert await testbed.name(token) == BEN
    assert await admin_of(testbed).set_role(ben.id, "logos", who=ADA) is None
    assert await testbed.name(token) == ""
    assert await admin_of(testbed).set_role(ben.id, "king", who=ADA)


async def test_one_session_or_all_are_ended(testbed: StaffTestbed) -> None:
    ben = await joined(testbed)
    first, second = [await testbed.token(BEN, OTHER) for _ in range(2)]
    sessions = (await person(testbed, BEN)).sessions
    assert len(sessions) == 2
    oldest = min(sessions, key=lambda each: each.id)
    assert await admin_of(testbed).end_sessions(ben.id, oldest.id, who=ADA) is None
    assert (await testbed.name(first), await testbed.name(second)) == ("", BEN)
    assert await admin_of(testbed).end_sessions(ben.id, 0, who=ADA) is None
    assert await testbed.name(second) == ""
    assert isinstance(await admin_of(testbed).end_sessions(ben.id, 0, who=ADA), Refused)


async def test_session_of_another_account_is_not_ended(testbed: StaffTestbed) -> None:
    ben = await joined(testbed)
    mine = await testbed.token()
    session = (await person(testbed, ADA)).sessions[0]
    assert isinstance(await admin_of(testbed).end_sessions(ben.id, session.id, who=ADA), Refused)
    assert await testbed.name(mine) == ADA


async def changed(testbed: StaffTestbed, *statements: UpdateBase) -> None:
    for each in statements:
        await testbed.database.write(rows_changed(each))


async def test_disabled_account_hands_its_open_cases_to_colleagues_in_turn(testbed: StaffTestbed) -> None:
    ben, cat = await joined(testbed), await joined(testbed, **{NAME: "Cat Fixture"})
    stored = EnquiryStore(testbed.database, SecretKeys((KEY,)))
    references = [await stored.add(new(number)) for number in range(1, 5)]
    closed = update(EnquiryRow).where(col(EnquiryRow.reference) == references[3])
    await changed(testbed, update(EnquiryRow).values(assigned=BEN), closed.values(state=EnquiryState.CLOSED.value))
    token = await testbed.token(BEN, OTHER)
    done = await admin_of(testbed).disable(ben.id, (ADA, cat.name), who=ADA)
    assert done == Disabled(name="Ben Template", cases=3, complaints=0, to=(ADA, cat.name))
    rows = await testbed.database.read(all_rows(select(EnquiryRow).order_by(col(EnquiryRow.id))))
    assert [row.assigned for row in rows] == [ADA, cat.name, ADA, BEN]
    assert [row.version for row in rows] == [2, 2, 2, 1]
    assert await testbed.name(token) == ""
    gone = await person(testbed, BEN)
    assert (gone.enabled, gone.open_cases) == (False, 0)
    assert (await acts(testbed))[:4] == [Act.ACCOUNT_DISABLED, *[Act.ENQUIRY_ASSIGNED] * 3]
    assert await admin_of(testbed).enable(ben.id, who=ADA) is None
    assert await testbed.token(BEN, OTHER)


async def test_merged_enquiry_is_no_open_case_and_is_not_handed_over(testbed: StaffTestbed) -> None:
    ben = await joined(testbed)
    stored = EnquiryStore(testbed.database, SecretKeys((KEY,)))
    kept, merged = [await stored.add(new(number)) for number in (1, 2)]
    of_kept = select(col(EnquiryRow.id)).where(col(EnquiryRow.reference) == kept).scalar_subquery()
    into = update(EnquiryRow).where(col(EnquiryRow.reference) == merged).values(merged_into=of_kept)
    await changed(testbed, update(EnquiryRow).values(assigned=BEN), into)
    assert (await person(testbed, BEN)).open_cases == 1
    done = await admin_of(testbed).disable(ben.id, (ADA,), who=ADA)
    assert done == Disabled(name="Ben Template", cases=1, complaints=0, to=(ADA,))
    assert [entry.about for entry in await testbed.audit.latest(2)] == [BEN, kept]


async def test_disabled_account_hands_its_open_complaints_over_with_its_cases(testbed: StaffTestbed) -> None:
    ben, cat = await joined(testbed), await joined(testbed, **{NAME: "Cat Fixture"})
    case = await EnquiryStore(testbed.database, SecretKeys((KEY,))).add(new(1))
    complaints = ComplaintStore(testbed.database, SecretKeys((KEY,)))
    for assigned in (BEN, BEN, ADA, BEN):
        await complaints.add(replace(COMPLAINT, assigned=assigned), who=ADA, at=testbed.calendar())
    closed = update(ComplaintRow).where(col(ComplaintRow.id) == 4)
    withdrawn = closed.values(closed=COMPLAINT.received, outcome=ComplaintOutcome.WITHDRAWN.value)
    await changed(testbed, update(EnquiryRow).values(assigned=BEN), withdrawn)
    assert (await person(testbed, BEN)).complaints == 2
    done = await admin_of(testbed).disable(ben.id, (ADA, cat.name), who=ADA)
    assert done == Disabled(name="Ben Template", cases=1, complaints=2, to=(ADA, cat.name))
    found = {each.label: each for each in await complaints.all()}
    assert {label: each.record.assigned for label, each in found.items()} == {
        "C-0001": cat.name,
        "C-0002": ADA,
        "C-0003": ADA,
        "C-0004": BEN,
    }
    assert (found["C-0001"].version, found["C-0001"].changed_by, found["C-0003"].version) == (2, ADA, 1)
    entries = await testbed.audit.latest(4)
    assert [(entry.what, entry.about) for entry in entries] == [
        (Act.ACCOUNT_DISABLED, BEN),
        (Act.COMPLAINT_CHANGED, "C-0002"),
        (Act.COMPLAINT_CHANGED, "C-0001"),
        (Act.ENQUIRY_ASSIGNED, case),
    ]
    assert entries[2].detail == f"assigned to {cat.name}, before to {BEN}, whose account is disabled"


async def test_work_goes_only_to_those_who_may_do_it(testbed: StaffTestbed) -> None:
    ben = await joined(testbed)
    keeper = await joined(testbed, **{NAME: "Eli Emblem", ROLE: "logos"})
    for to in ((keeper.name,), ("nobody.here",), (BEN,)):
        assert await admin_of(testbed).disable(ben.id, to, who=ADA) == Refused(words=NO_HEIR)
    assert await admin_of(testbed).disable(ben.id, (), who=BEN) == Refused(words=NOT_YOURSELF)


async def test_session_that_ran_out_is_not_listed(testbed: StaffTestbed) -> None:
    await testbed.token()
    assert len((await person(testbed, ADA)).sessions) == 1
    testbed.calendar.forward(seconds=int(timedelta(minutes=30).total_seconds()))
    assert (await person(testbed, ADA)).sessions == ()
