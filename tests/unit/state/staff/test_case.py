import inspect
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.appointments.appointment import Medium, Slot
from broker.cases.case import ONLY_ADVICE, Changed, Outcome, Refused
from broker.cases.case_changes import CaseChanges
from broker.cases.changes import CallRecord
from broker.cases.replies import RETURNED, ReplyTemplate
from broker.cases.service import AWAY, CaseService
from broker.duties.complaint import Complaint, Saved
from broker.enquiries.service import EnquiryCredentials
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff import case as module
from broker.state.staff.case import ANOTHER, NONE_OPEN, PANELS, CaseState
from tests.unit.duties.test_complaints import FORM as COMPLAINT
from tests.unit.enquiries.enquiring import ADDRESS
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, enquire


async def opened(reference: str, name: str = "ada") -> StaffTab:
    tab = StaffTab(CaseState, name)
    await tab.open(routes.staff_enquiry(reference))
    return tab


def stamp(tab: StaffTab) -> str:
    return tab.state.found.stamp


async def press(tab: StaffTab, outcome: str, *, note: str = "", choice: int = 0) -> None:
    """Press an outcome and one of its dates or reasons, as with a note that is typed."""
    await tab.do("choose", outcome, stamp(tab))
    chosen = tab.state.plan.choices[choice]
    await tab.do("record", chosen.due, chosen.reason, note, tab.state.plan.stamp)


def timeline(tab: StaffTab) -> list[str]:
    return [f"{line.who} {line.did}: {line.text}" for line in tab.state.found.timeline]


async def test_outcome_and_its_date_save_note_outcome_and_date_together(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    await tab.do("choose", "no-answer", stamp(tab))
    assert (tab.state.plan.outcome, tab.state.plan.label) == ("no-answer", "Second try:")
    assert tab.state.plan.choices[0].words.endswith(", by rule")
    await tab.do("record", tab.state.plan.choices[0].due, "", "Voicemail left", tab.state.plan.stamp)
    assert (tab.state.plan.outcome, tab.state.refused) == ("", "")
    assert tab.state.result.startswith("No answer, next ")
    assert (tab.state.can_undo, tab.state.found.assigned) == (True, "ada")
    assert (tab.state.found.next_action, timeline(tab)[0]) == ("Second try", "You called, no answer: Voicemail left")


async def test_pressed_outcome_is_taken_back_by_a_second_press_or_cancelled(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    for handler, given in (("choose", ("reached", stamp(tab))), ("drop_outcome", ())):
        await tab.do("choose", "reached", stamp(tab))
        assert tab.state.plan.outcome == "reached"
        await tab.do(handler, *given)
        assert tab.state.plan.outcome == ""


async def test_outcome_that_leads_to_the_diary_is_over_once_a_time_is_booked(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab = await opened(reference)
    await tab.do("choose", "appointment", stamp(tab))
    assert tab.state.plan.is_booking
    diary: Any = staff_site.services.diary
    now = staff_site.calendar()
    wanted = Slot(start=now + timedelta(days=1), minutes=20, medium=Medium.TELEPHONE)
    await diary._store.book_by_staff(reference, wanted, adviser="ada", who="ada", at=now)
    await tab.open(routes.staff_enquiry(reference))
    assert tab.state.plan.outcome == ""


async def test_outcome_not_ours_takes_a_reason_and_closes(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    await tab.do("choose", "not-ours", stamp(tab))
    reasons = [each.reason for each in tab.state.plan.choices]
    assert (tab.state.plan.has_dates, "spam" in reasons) == (False, True)
    await tab.do("record", "", "spam", "", tab.state.plan.stamp)
    assert (tab.state.found.is_closed, tab.state.found.closed) == (True, "closed: it is spam")


async def test_date_of_ones_own_is_kept_with_an_outcome_and_without(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    form = {"day": "2026-04-07", "time": "10:40"}
    await tab.do("choose", "reached", stamp(tab))
    await tab.do("record_other", {**form, "stamp": tab.state.plan.stamp}, "Rang")
    assert (tab.state.found.next_action, tab.state.found.next_due) == ("Call again", "Tue 7 Apr, 10:40")
    await tab.do("record_other", {**form, "day": "2026-04-08", "stamp": stamp(tab)}, "")
    assert (tab.state.found.next_due, tab.state.result) == ("Wed 8 Apr, 10:40", "Next: Wed 8 Apr, 10:40")
    for day, time in (("", ""), ("2026-13-01", "10:00"), ("2026-04-08", "25:00"), ("0001-01-01", "10:00")):
        await tab.do("record_other", {"day": day, "time": time, "stamp": stamp(tab)}, "")
        assert (tab.state.refused != "", tab.state.found.next_due) == (True, "Wed 8 Apr, 10:40")


async def test_form_of_a_date_is_closed_once_it_is_saved_or_undone_and_in_another_case(staff_site: Site) -> None:
    reference, other = await enquire(staff_site), await enquire(staff_site, message="another")
    tab = await opened(reference)
    forms = [tab.state.date_key]
    await tab.do("record_other", {"day": "", "time": "", "stamp": stamp(tab)}, "")
    await tab.do("add_note", {"note": "Rang", "stamp": stamp(tab)})
    await staff_site.services.cases.take(reference, who="ben")
    await tab.do("look_again")
    assert (tab.state.found.assigned, tab.state.date_key) == ("ben", forms[0])
    await tab.do("record_other", {"day": "2026-04-07", "time": "10:40", "stamp": stamp(tab)}, "")
    forms.append(tab.state.date_key)
    await tab.do("undo")
    forms.append(tab.state.date_key)
    await tab.open(routes.staff_enquiry(other))
    assert len({*forms, tab.state.date_key}) == 4


async def test_case_is_taken_handed_over_and_undone(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    await tab.do("take", stamp(tab))
    assert (tab.state.result, tab.state.found.assigned) == ("It is yours", "ada")
    await tab.do("open_panel", "hand")
    assert (tab.state.panel, tab.state.accounts) == ("hand", ("ada", "ben"))
    await tab.do("hand_over", "ben", stamp(tab))
    assert (tab.state.result, tab.state.found.assigned, tab.state.panel) == ("Handed over to ben", "ben", "")
    await tab.do("undo")
    assert (tab.state.result, tab.state.found.assigned) == ("Undone", "ada")
    await tab.do("hand_over", "nobody we know", stamp(tab))
    assert (tab.state.refused_at, tab.state.found.assigned) == ("panel", "ada")


@pytest.mark.parametrize("is_loaded_again", [False, True])
async def test_case_is_handed_over_to_nobody_who_was_disabled_meanwhile(
    staff_site: Site, is_loaded_again: bool
) -> None:
    tab = await opened(await enquire(staff_site))
    await tab.do("open_panel", "hand")
    admin = staff_site.services.staff.admin
    (ben,) = (each for each in await admin.people() if each.name == "ben")
    await admin.disable(ben.id, (), who="ada")
    if is_loaded_again:
        await tab.come_back()
    else:
        await tab.do("hand_over", "ben", stamp(tab))
        assert tab.state.refused == "Choose one of the accounts"
    assert (tab.state.panel, tab.state.accounts) == ("hand", ("ada",))


async def test_stage_and_whom_we_wait_for_are_set(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    form = {"stage": "valuation", "waiting": "valuer", "waiting_note": "a date", "stamp": stamp(tab)}
    await tab.do("set_stage", form)
    found = tab.state.found
    assert (found.stage, found.waiting, found.waiting_note) == ("Valuation", "the valuer", ": a date")
    await tab.do("set_stage", {**form, "stage": "tomorrow", "stamp": stamp(tab)})
    assert (tab.state.refused_at, tab.state.found.stage) == ("panel", "Valuation")


async def test_contact_details_are_corrected_or_the_wrong_field_is_said(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    form = {"name": "A. Example", "telephone": "0770 900", "email": "", "when": "any", "stamp": stamp(tab)}
    await tab.do("correct", form)
    assert (list(tab.state.problems), tab.state.found.name) == (["telephone"], "Zebedee Quillfeather")
    await tab.do("correct", {**form, "name": "", "telephone": "07700 900999"})
    assert tab.state.problems == {"name": "Enter their name"}
    await tab.do("correct", {**form, "telephone": "07700 900999"})
    assert (tab.state.problems, tab.state.found.name, tab.state.found.tel) == ({}, "A. Example", "+447700900999")


async def test_figures_are_corrected_or_the_wrong_field_is_said_and_undone(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    await tab.do("open_panel", "figures")
    assert tab.state.panel == "figures"
    form = {"service": "moving", "amount": "lots", "deal_ends": "2028-06-30", "stamp": stamp(tab)}
    await tab.do("correct_figures", form)
    assert (list(tab.state.problems), tab.state.found.figures) == (["amount"], ())
    await tab.do("correct_figures", {**form, "amount": "148,000"})
    assert (tab.state.panel, tab.state.result) == ("", "The figures are corrected")
    assert (tab.state.found.amount, tab.state.found.deal_ends) == ("148,000", "2028-06-30")
    assert (tab.state.found.service, tab.state.found.service_value) == ("Moving", "moving")
    assert "corrected what it is about, loan, end of the deal" in timeline(tab)[0]
    await tab.do("undo")
    assert (tab.state.found.amount, tab.state.found.deal_ends, tab.state.found.service) == ("", "", "")


async def test_figures_that_a_colleague_changed_meanwhile_conflict(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ben.do("correct_figures", {"service": "other", "amount": "90000", "deal_ends": "", "stamp": stamp(ben)})
    await ada.do("correct_figures", {"service": "other", "amount": "80000", "deal_ends": "", "stamp": stamp(ada)})
    assert (ada.state.panel, ada.state.found.amount) == ("conflict", "90,000")


async def test_note_is_added_whatever_others_do_and_its_draft_goes(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ada.do("keep_draft", ada.state.note_key, "Ra")
    assert ada.state.draft_kept.startswith("Draft kept ")
    assert (await opened(reference)).state.draft == "Ra"
    assert (await opened(reference, "ben")).state.draft == ""
    await ben.do("take", stamp(ben))
    before = ada.state.note_key
    await ada.do("add_note", {"note": "Rang.", "stamp": stamp(ada)})
    assert (ada.state.result, timeline(ada)[0]) == ("Your note is kept", "You wrote: Rang.")
    assert ada.state.note_key != before
    await ada.do("keep_draft", before, "Ra")  # typed before, and sent late
    assert (await opened(reference)).state.draft == ""


async def test_draft_outlives_a_reload_and_a_database_that_is_away(
    staff_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = await enquire(staff_site)
    ada = await opened(reference)
    await ada.do("keep_draft", ada.state.note_key, "Rang")
    await ada.open(routes.staff_enquiry(reference))  # the same tab again
    assert ada.state.draft == "Rang"
    with monkeypatch.context() as failing:
        failing.setattr(staff_site.services.drafts, "keep", AsyncMock(return_value=False))
        await ada.do("keep_draft", ada.state.note_key, "Rang, wants")
        await ada.open(routes.staff_enquiry(reference))
        assert (ada.state.draft, ada.state.draft_kept) == ("Rang, wants", "Draft not kept")
    await ada.do("look_again")
    assert ada.state.draft_kept.startswith("Draft kept ")
    assert (await opened(reference)).state.draft == "Rang, wants"


async def test_conflict_shows_both_changes_and_keeps_the_note_whatever_is_chosen(staff_site: Site) -> None:
    for choice, action in (("leave_theirs", "Call again"), ("mine_counts", "Second try")):
        reference = await enquire(staff_site, message=choice)
        ada, ben = await opened(reference), await opened(reference, "ben")
        await ada.do("choose", "no-answer", stamp(ada))
        await press(ben, "reached", note="Spoke to them")
        first = ada.state.plan.choices[0]
        await ada.do("record", first.due, "", "Rings out", ada.state.plan.stamp)
        assert (ada.state.panel, ada.state.conflict.theirs_by.partition(",")[0]) == ("conflict", "ben")
        assert ada.state.conflict.mine.startswith("No answer, next ")
        assert [line for line in timeline(ada) if "Rings out" in line] == ["You wrote: Rings out"]
        await ada.do(choice)
        assert (ada.state.panel, ada.state.conflict.mine) == ("", "")
        assert ada.state.found.next_action == action
        assert [line for line in timeline(ada) if "Rings out" in line] == ["You wrote: Rings out"]


DIALOGS = {
    "stage": ("set_stage", {"waiting_note": "the deed"}, {"stage": "offer"}, "Stage: Offer"),
    "contact": (
        "correct",
        {"telephone": "07700 900999"},
        {"name": "A. Example", "when": "afternoon"},
        "Name: A. Example; Best time: Afternoon",
    ),
    "figures": ("correct_figures", {"amount": "90,000"}, {"deal_ends": "2028-06-30"}, "Deal ends: 2028-06-30"),
}
"""Of each dialog the handler, what a colleague types into it, what is typed here, and its words."""


@pytest.mark.parametrize("choice", ["mine_counts", "leave_theirs"])
@pytest.mark.parametrize("panel", DIALOGS)
async def test_conflict_of_a_dialog_changes_only_what_was_typed_into_it(
    staff_site: Site, panel: str, choice: str
) -> None:
    """The dialog stays open while the case behind it is read again."""
    handler, theirs, mine, words = DIALOGS[panel]
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    began = dialog_of(ada)
    for tab in (ada, ben):
        await tab.do("open_panel", panel)
    await ben.do(handler, {**began, **theirs, "stamp": ben.state.panel_stamp})
    await ada.do("look_again")
    await ada.do(handler, {**began, **mine, "stamp": ada.state.panel_stamp})
    assert (ada.state.panel, ada.state.conflict.mine, ada.state.conflict.leave) == ("conflict", words, "Leave ben’s")
    assert any(line.startswith("ben ") for line in ada.state.conflict.theirs)
    await ada.do(choice)
    assert (ada.state.panel, ada.state.refused, ada.state.problems) == ("", "", {})
    assert dialog_of(ada) == {**began, **theirs, **(mine if choice == "mine_counts" else {})}


def dialog_of(tab: StaffTab) -> dict[str, str]:
    found = tab.state.found
    return {
        "stage": found.stage_value,
        "waiting": found.waiting_value,
        "waiting_note": found.waiting_text,
        "name": found.name,
        "telephone": found.telephone,
        "email": found.email,
        "when": found.when_value,
        "service": found.service_value,
        "amount": found.amount,
        "deal_ends": found.deal_ends,
    }


async def test_dialog_in_which_nothing_was_typed_meets_no_conflict(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ada.do("open_panel", "stage")
    began = dialog_of(ada)
    await ben.do("set_stage", {**dialog_of(ben), "stage": "offer", "stamp": stamp(ben)})
    await ada.do("set_stage", {**began, "stamp": ada.state.panel_stamp})
    assert (ada.state.panel, ada.state.refused, ada.state.found.stage) == ("stage", "Nothing is different", "Offer")


async def test_deletion_that_a_colleagues_change_prevented_is_made_all_the_same(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ada.do("ask", {"reason": "spam"})
    await ben.do("open_panel", "stage")
    await ben.do("set_stage", {**dialog_of(ben), "stage": "advice", "stamp": stamp(ben)})
    await ada.do("delete", stamp(ada))
    assert (ada.state.panel, ada.state.conflict.mine) == ("conflict", "Delete it, because it is spam")
    await ada.do("mine_counts")
    assert (ada.state.status, ada.state.panel) == ("gone", "")


async def test_case_that_a_colleague_took_meanwhile_is_not_deleted_by_another(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ada.do("ask", {"reason": "spam"})
    await ben.do("take", stamp(ben))
    await ada.do("delete", stamp(ada))
    await ada.do("mine_counts")
    assert (ada.state.status, ada.state.panel, ada.state.refused_at) == ("loaded", "", "reason")
    assert ada.state.refused == "This case is ben’s. They delete it, or an owner does"


async def test_outcome_pressed_before_anothers_change_was_seen_conflicts(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ada.do("choose", "no-answer", stamp(ada))
    await press(ben, "reached")
    await ada.do("look_again")
    assert "ben" in ada.state.meanwhile
    await ada.do("record", ada.state.plan.choices[0].due, "", "", ada.state.plan.stamp)
    assert ada.state.panel == "conflict"


async def test_fourth_call_without_an_answer_still_proposes_a_mail_and_a_mail_ends_it(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    proposed: list[str] = []
    for _ in range(4):
        await press(tab, "no-answer")
        proposed.append(tab.state.found.proposed)
    assert proposed == ["", "", *(f"No answer {count} times. A mail may reach them:" for count in (3, 4))]
    await tab.do("open_panel", "reply")
    await tab.do("send_reply", {"text": "We called.", "stamp": stamp(tab)})
    assert (tab.state.refused, tab.state.found.proposed) == ("", "")


async def test_other_case_of_the_same_person_is_compared_and_merged(staff_site: Site) -> None:
    first, second = await enquire(staff_site), await enquire(staff_site, message="Again")
    tab = await opened(second)
    assert (tab.state.twins_count, len(tab.state.twins)) == ("1 other enquiry", 2)
    await tab.do("merge", first, stamp(tab))
    assert tab.state.result.startswith("Merged")
    assert (tab.state.twins_count, tab.state.found.also) == ("", first)
    merged = await opened(first)
    assert merged.state.found.reference == second
    await tab.do("compare", {"reference": first})
    assert tab.state.refused == "There is no other case with this reference"


async def complained(reference: str) -> Complaint:
    outcome = await current().duties.complaints.add({**COMPLAINT, "reference": reference}, who="ben")
    assert isinstance(outcome, Saved)
    return outcome.complaint


async def said_to(reference: str, *rights: Right) -> list[str]:
    """Return the complaints of which the case tells an account with these rights."""
    tab = StaffTab(CaseState)
    tab.state.staff_rights = tuple(right.value for right in rights)
    await tab.open(routes.staff_enquiry(reference))
    return [each.label for each in tab.state.complaints]


async def test_case_says_its_open_complaints_to_an_account_that_may_see_them(staff_site: Site) -> None:
    first, other = await enquire(staff_site), await enquire(staff_site, message="Again")
    held = await complained(first)
    assert await said_to(first, Right.CASES, Right.COMPLAINTS) == ["Complaint C-0001"]
    assert await said_to(first, Right.CASES) == await said_to(other, Right.CASES, Right.COMPLAINTS) == []
    ending = {"outcome": "withdrawn", "closed": COMPLAINT["received"], "remedy": "Nothing"}
    await current().duties.complaints.close(held, ending, who="ben")
    assert await said_to(first, Right.CASES, Right.COMPLAINTS) == []


async def test_complaint_about_a_merged_enquiry_is_said_on_its_case_and_no_longer_on_the_next(staff_site: Site) -> None:
    first, second, other = [await enquire(staff_site, message=each) for each in ("One", "Two", "Three")]
    await complained(first)
    tab = StaffTab(CaseState)
    tab.state.staff_rights = (Right.CASES.value, Right.COMPLAINTS.value)
    await tab.open(routes.staff_enquiry(second))
    assert tab.state.complaints == ()
    await tab.do("merge", first, stamp(tab))
    assert [each.label for each in tab.state.complaints] == ["Complaint C-0001"]
    await tab.open(routes.staff_enquiry(other))
    assert tab.state.complaints == ()


async def test_tab_of_a_case_that_is_merged_says_so_and_keeps_what_is_typed(staff_site: Site) -> None:
    first, second = await enquire(staff_site), await enquire(staff_site, message="Again")
    tab = await opened(first)
    key = tab.state.note_key
    await tab.do("keep_draft", key, "Half a note")
    await staff_site.services.cases.merge(first, second, who="ben")
    await tab.do("look_again")
    assert tab.state.meanwhile.startswith(f"{first} is part of {second} now, and this page shows that case; ben merged")
    assert (tab.state.found.reference, tab.state.note_key, tab.state.draft) == (second, key, "Half a note")
    await tab.do("keep_draft", key, "Half a note, and more")
    assert (await opened(second)).state.draft == (await opened(first)).state.draft == "Half a note, and more"
    await tab.do("add_note", {"note": "The whole note", "stamp": stamp(tab)})
    assert (tab.state.result, timeline(tab)[0]) == ("Your note is kept", "You wrote: The whole note")
    assert (await opened(first)).state.draft == ""


async def test_timeline_of_merged_cases_has_what_staff_did_with_both(staff_site: Site) -> None:
    kept = await enquire(staff_site)
    given = {"name": "A. Example", "telephone": "07700 900999", "service": "moving", "privacy": "on"}
    entered = await staff_site.services.cases.add_caller(given, who="ada")
    assert isinstance(entered, Changed)
    tab = await opened(kept)
    await tab.do("merge", entered.case.head.reference, stamp(tab))
    for reference in (kept, entered.case.head.reference):
        lines = [line.partition(": ")[0] for line in timeline(await opened(reference))]
        assert lines.count("You entered it by hand") == 1
        assert [line for line in lines if "merged" in line] == ["You merged it"]


async def test_drafts_of_two_cases_that_are_merged_are_both_kept(staff_site: Site) -> None:
    first, second = await enquire(staff_site), await enquire(staff_site, message="Again")
    for reference in (first, second):
        await staff_site.services.drafts.keep(reference, f"Typed to {reference}", who="ada")
    await staff_site.services.cases.merge(first, second, who="ben")
    draft = (await opened(second)).state.draft
    assert (f"Typed to {first}" in draft, f"Typed to {second}" in draft) == (True, True)


async def test_reply_is_begun_with_a_template_and_kept_in_the_timeline(
    staff_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await staff_site.services.cases.save_template(
        "Papers", "Dear {name}, please send your payslips.", subject="Papers we need", who="ben"
    )
    tab = await opened(await enquire(staff_site, email="a.example@example.com"))
    await tab.do("open_panel", "reply")
    assert (tab.state.panel, "Papers" in tab.state.templates, tab.state.reply_text) == ("reply", True, "")
    await tab.do("use_template", "Papers")
    assert tab.state.reply_text == "Dear Zebedee Quillfeather, please send your payslips."
    assert tab.state.reply_subject == "Papers we need"
    await tab.do("send_reply", {"text": "Dear {name}", "stamp": stamp(tab)})
    assert (tab.state.refused_at, tab.state.panel) == ("panel", "reply")
    assert tab.state.reply_waits == ""
    await tab.do("send_reply", {"text": tab.state.reply_text, "stamp": stamp(tab)})
    assert (tab.state.panel, tab.state.result) == ("", "Your reply is on its way")
    assert timeline(tab)[0].startswith("You replied by mail, not sent yet: Dear Zebedee Quillfeather")
    without_server = replace(staff_site.services, sends_mail=False)
    monkeypatch.setattr(module, "current", lambda: without_server)
    await tab.do("open_panel", "reply")
    assert tab.state.reply_waits == "The mail to the visitor waits: no mail server is set up."
    await tab.do("send_reply", {"text": "Dear Zebedee", "stamp": stamp(tab)})
    assert tab.state.result == "Your reply waits: no mail server is set up"


async def test_mail_that_is_proposed_after_calls_without_an_answer_is_begun(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site, email="a.example@example.com"))
    await tab.do("write_mail")
    assert (tab.state.panel, tab.state.template) == ("reply", "We tried to call")
    assert tab.state.reply_text.startswith("Dear Zebedee Quillfeather")
    await tab.do("open_panel", "reply")
    assert (tab.state.template, tab.state.reply_text) == ("", "")
    given = next(each for each in await templates(staff_site) if each.name == "We tried to call")
    assert await staff_site.services.cases.delete_template(given, who="ben") is True
    await tab.do("write_mail")
    assert (tab.state.panel, tab.state.template, tab.state.reply_text) == ("reply", "", "")


async def templates(site: Site) -> tuple[ReplyTemplate, ...]:
    found = await site.services.cases.templates()
    assert not isinstance(found, Refused)
    return found


async def test_field_that_says_nothing_is_named_as_soon_as_its_template_is_chosen(staff_site: Site) -> None:
    await staff_site.services.cases.save_template("A. Papers", "We need {papers}.", who="ben")
    tab = await opened(await enquire(staff_site, email="a.example@example.com"))
    await tab.do("open_panel", "reply")
    await tab.do("use_template", "A. Papers")
    hint = tab.state.reply_hint
    assert (tab.state.refused, hint.partition(",")[0]) == ("", "Write something instead of {papers}")
    await tab.do("send_reply", {"text": tab.state.reply_text, "stamp": stamp(tab)})
    assert (tab.state.panel, tab.state.refused_at, tab.state.refused) == ("reply", "panel", hint)
    await tab.do("use_template", "")
    assert (tab.state.refused, tab.state.reply_hint) == ("", "")


async def test_reply_to_an_address_that_mail_comes_back_from_is_refused_in_its_dialog(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site, email="a.example@example.com"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseService, "reply", AsyncMock(return_value=Refused(words=RETURNED)))
        await tab.do("open_panel", "reply")
        await tab.do("send_reply", {"text": "Papers, please", "stamp": stamp(tab)})
    assert (tab.state.panel, tab.state.refused_at, tab.state.refused) == ("reply", "panel", RETURNED)
    assert "Papers, please" not in str(timeline(tab))


async def test_colleagues_changes_are_shown_as_they_come(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    assert [reader.words for reader in ben.state.readers] == ["ada is reading this"]

    async def follow(_: CaseChanges) -> AsyncIterator[frozenset[str]]:
        await ben.do("take", stamp(ben))
        yield frozenset((reference,))
        for _second in range(module.LOOK_SECONDS):
            yield frozenset()

    monkeypatch.setattr(CaseChanges, "follow", follow)
    monkeypatch.setattr(module, "still_signed_in", AsyncMock(return_value=True))
    await ada.do("watch")
    assert (ada.state.found.assigned, ada.state.meanwhile.partition(",")[0]) == ("ben", "ben took it")
    assert [reader.words for reader in ada.state.readers] == ["ben is reading this"]
    await ada.do("close_meanwhile")
    assert ada.state.meanwhile == ""


async def test_watching_ends_with_the_session(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await opened(await enquire(staff_site))
    looked = AsyncMock()

    async def follow(_: CaseChanges) -> AsyncIterator[frozenset[str]]:
        yield frozenset(("HG-2222-3333",))

    monkeypatch.setattr(CaseChanges, "follow", follow)
    monkeypatch.setattr(CaseState, "_follow", looked)
    await tab.do("watch")
    assert (looked.await_count, tab.state.status) == (0, "idle")


async def test_deleting_takes_a_reason_and_a_second_word(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab, other = await opened(reference), await opened(reference, "ben")
    await tab.do("delete", stamp(tab))
    assert (tab.state.status, tab.state.refused_at) == ("loaded", "reason")
    await tab.do("ask", {"reason": "because"})
    assert (tab.state.asked, tab.state.refused) == ("", "Choose why this case is deleted")
    await tab.do("ask", {"reason": "spam"})
    assert (tab.state.asked, tab.state.asked_words) == ("spam", "it is spam")
    await tab.do("keep")
    assert (tab.state.asked, tab.state.result, tab.state.is_done) == ("", "Nothing was deleted", False)
    await tab.do("ask", {"reason": "spam"})
    await tab.do("delete", stamp(tab))
    assert (tab.state.status, tab.state.gone_title) == ("gone", f"{reference} is deleted")
    assert tab.state.found.name == ""
    await other.do("add_note", {"note": "Rang.", "stamp": stamp(other)})
    assert (other.state.status, other.state.gone_words[:29]) == ("gone", "ada deleted it today at 13:00")


async def test_case_with_advice_is_deleted_by_an_owner_alone_and_as_a_test(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    await press(tab, "advice-given")
    for rights in ((Right.CASES,), (Right.CASES, Right.ACCOUNTS)):
        tab.state.staff_rights = tuple(right.value for right in rights)
        await tab.do("ask", {"reason": "test"})
        assert tab.state.status == "loaded"
        await tab.do("delete", stamp(tab))
        is_owner = Right.ACCOUNTS in rights
        assert (tab.state.status, tab.state.refused_at) == (("gone", "") if is_owner else ("loaded", "reason"))
        assert is_owner or "must be kept until" in tab.state.refused


async def test_case_of_which_only_advice_is_kept_opens_no_outcome_and_no_reply(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    record = CallRecord(outcome=Outcome.ADVICE_GIVEN, note="Needs and reasons")
    assert isinstance(await staff_site.services.cases.record(reference, record, version=1, who="ada"), Changed)
    await staff_site.services.enquiries.delete(EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123"))
    tab = await opened(reference)
    assert tab.state.found.deleted
    await tab.do("choose", "no-answer", stamp(tab))
    assert (tab.state.plan.outcome, tab.state.refused) == ("", ONLY_ADVICE)
    panels = dict[str, str]()
    for name in sorted(PANELS):
        await tab.do("open_panel", name)
        panels[name] = tab.state.panel
        await tab.do("close_panel")
    assert {name for name, opened_as in panels.items() if not opened_as} == {"reply", "stage"}
    await tab.do("add_note", {"note": "The ombudsman asked", "stamp": stamp(tab)})
    assert "You wrote: The ombudsman asked" in timeline(tab)


async def test_button_of_another_case_changes_nothing(staff_site: Site) -> None:
    first, second = await enquire(staff_site), await enquire(staff_site, message="Another")
    tab = await opened(first)
    old = stamp(tab)
    await tab.open(routes.staff_enquiry(second))
    await tab.do("take", old)
    assert (tab.state.refused, tab.state.found.reference) == (ANOTHER, second)
    assert [(await opened(each)).state.found.assigned for each in (first, second)] == ["", ""]


async def test_case_that_cannot_be_read_again_stays_on_screen(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseService, "open", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("look_again")
        assert (tab.state.status, tab.state.away) == ("loaded", "No answer from the desk since 13:00.")
        failed = await opened(tab.state.found.reference)
        assert (failed.state.status, failed.state.problem) == ("failed", AWAY)
    await tab.do("look_again")
    assert (tab.state.status, tab.state.away) == ("loaded", "")


HOSTILE: list[Any] = [None, "", 7, [], {}, {"stamp": 7, "note": [], "reason": None}, "x:1", "\ud800:2"]
BY_FORM = (
    "add_note",
    "set_stage",
    "correct",
    "correct_figures",
    "send_reply",
    "compare",
    "ask",
    "delete",
    "take",
    "use_template",
)


async def test_hostile_arguments_are_refused(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    before = tab.state.found
    for given in HOSTILE:
        for handler in BY_FORM:
            await tab.do(handler, given)
        for handler in ("choose", "hand_over", "merge", "keep_draft"):
            await tab.do(handler, given, given)
        await tab.do("choose", given, stamp(tab))
        await tab.do("hand_over", given, given)
        await tab.do("record", given, given, given, given)
        await tab.do("record_other", given, given)
        await tab.do("open_panel", given) if not isinstance(given, list | dict) else None
        assert tab.state.result == ""
    assert (tab.state.status, tab.state.found, tab.state.panel) == ("loaded", before, "")


@pytest.mark.usefixtures("staff_site")
@pytest.mark.parametrize("reference", ["HG-2222-3333", "HG22223333"])
async def test_unknown_reference_is_reported(reference: str) -> None:
    tab = StaffTab(CaseState)
    await tab.open(f"{routes.STAFF_ENQUIRY}?reference={reference}")
    assert (tab.state.status, tab.state.gone_title[:11]) == ("gone", "There is no")


@pytest.mark.usefixtures("staff_site")
@pytest.mark.parametrize("reference", ["", "x", "%00"])
async def test_address_without_a_case_opens_none(reference: str) -> None:
    tab = StaffTab(CaseState)
    await tab.open(f"{routes.STAFF_ENQUIRY}?reference={reference}")
    assert tab.state.status == NONE_OPEN


async def test_slow_database_is_said_after_a_moment(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = await enquire(staff_site)
    monkeypatch.setattr(module, "SLOW_SECONDS", 0)
    tab = StaffTab(CaseState)
    tab.go(routes.staff_enquiry(reference))
    written: Any = inspect.unwrap(tab.state.event_handlers["open"].fn)
    seen = [tab.state.status async for _ in written(tab.state)]
    assert (seen, tab.state.status) == (["loading"], "loaded")
