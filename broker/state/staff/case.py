"""State of a case: optimistic locking by version, and what others change while it is open.

Every change names the version that the page showed. On a conflict nothing is changed until somebody chooses; notes are
kept either way. What is typed stays in the browser, and a draft of it on the server.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

import reflex as rx

from broker import routes
from broker.cases.case import (
    ONLY_ADVICE,
    REASONS,
    Case,
    Changed,
    CloseReason,
    Conflict,
    DeleteReason,
    EnquirySummary,
    Gone,
    ManyChanged,
    Outcome,
    Refused,
)
from broker.cases.case_view import (
    CaseView,
    ConflictView,
    PlanView,
    Reader,
    Twin,
    Typed,
    case_view,
    changes,
    conflict_view,
    gone_words,
    merged_words,
    newest_number,
    plan_view,
    readers_of,
    stamp_in,
    twin_of,
    twins_words,
    typed,
    undone_words,
)
from broker.cases.changes import NOTHING_NEW, CallRecord, CaseFigures, parse_figures
from broker.cases.outcomes import after_outcome
from broker.cases.replies import TRIED, ReplyTemplate, unfilled
from broker.cases.words import OUTCOME_WORDS
from broker.clock import uk_date
from broker.duties.complaint import NotDone
from broker.duties.complaint_view import OpenComplaint, open_complaint
from broker.duties.support_needs import read_needs
from broker.enquiries.contact_details import ContactDetails, Problem, parse_contact_details, parse_word
from broker.enquiries.enquiry import parse_reference
from broker.mail.mail import MAIL_WAITS, WAITS
from broker.services import current
from broker.staff.audit import Act, AuditEntry
from broker.staff.roles import Right
from broker.staff.times import clock, due_moment, moment_in, uk_moment
from broker.state.staff.access import FAILED, GONE, IDLE, LOADED, LOADING, StaffState, sign_in_again, still_signed_in
from broker.state.staff.form import text_field

NONE_OPEN = "none"
"""Value of `status` where the address names no case."""

NOTE, REASON, STAMP = "note", "reason", "stamp"
"""Fields of the page's forms."""

OUTCOME, PANEL = "outcome", "panel"
"""Parts of the page where something may be refused, besides NOTE and REASON."""

STAGE, CONTACT, FIGURES = "stage", "contact", "figures"
"""The dialogs that change a case for one version."""

PANELS = frozenset((STAGE, CONTACT, FIGURES, "hand", "reply", "templates", "merge"))
"""The dialogs that a page may open."""

_WORK = frozenset((STAGE, "reply"))
"""Those that are not opened for a case of which only the record of advice is kept."""

_KEPT: Mapping[str, str] = {
    STAGE: "The stage is kept",
    CONTACT: "Contact details are corrected",
    FIGURES: "The figures are corrected",
}

NOTE_ID, DATE_ID, NEXT_ID, HEADING_ID, REPLY_ID = "case-note", "case-date", "case-next", "case-heading", "open-reply"
"""Ids of the field of a note, what opens a date's form, the link to the next case, the case's heading, and Reply.

Once an outcome is saved and its buttons are gone, the link has the focus, and where there is none the heading.
"""

ANOTHER = "This page shows another case by now, and nothing was changed. Look at it, and do it again if it is right"

NOT_KEPT = "Draft not kept"
"""What is said of a draft until it can be kept."""

SLOW_SECONDS = 0.2
"""Time after which a page says that it is loading."""


LOOK_SECONDS = 5
"""Seconds after which a page looks who else has its case open."""


class CaseState(StaffState):
    """The case on screen.

    `result` says what was done, or that nothing was unless `is_done`, and `results` counts what was; `refused` why
    something was not, in the part `refused_at`; `meanwhile` what others did. `note_key` changes with the case and once
    a note is kept, and `draft` is what the field of a note has when it is drawn: what was typed last. `plan` is what
    may follow a pressed outcome; `date_key` changes whenever the form of a date is to be drawn closed. `panel` is the
    open dialog, `panel_stamp` the stamp of the case that it began with, and `problems` are the errors of its fields.
    `asked` is the reason for which the case is to be deleted, if it is so confirmed. `away` says since when the case
    could not be read. `next_href` opens what follows the case on Today.
    """

    right: ClassVar[Right] = Right.CASES

    status: str = IDLE
    problem: str = ""
    found: CaseView = CaseView()
    reference: str = ""
    accounts: tuple[str, ...] = ()
    readers: tuple[Reader, ...] = ()
    twins: tuple[Twin, ...] = ()
    twins_count: str = ""
    twins_words: str = ""
    complaints: tuple[OpenComplaint, ...] = ()
    meanwhile: str = ""
    away: str = ""
    result: str = ""
    results: str = ""
    can_undo: bool = False
    is_done: bool = False
    refused: str = ""
    refused_at: str = ""
    problems: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    draft: str = ""
    draft_kept: str = ""
    note_key: str = ""
    plan: PlanView = PlanView()
    date_key: str = ""
    panel: str = ""
    panel_stamp: str = ""
    conflict: ConflictView = ConflictView()
    templates: tuple[str, ...] = ()
    template: str = ""
    reply_subject: str = ""
    reply_text: str = ""
    reply_hint: str = ""
    reply_waits: str = ""
    asked: str = ""
    asked_words: str = ""
    next_href: str = ""
    gone_title: str = ""
    gone_words: str = ""
    read_at: str = ""

    _wanted: str = ""
    _head: EnquirySummary | None = None
    _references: tuple[str, ...] = ()
    _template: ReplyTemplate | None = None
    _seen: int = 0
    _prevented: CallRecord | Typed | DeleteReason | None = None
    _began: CaseView = CaseView()
    _began_seen: int | None = None
    _counted: int = 0
    _saved: tuple[str, ...] = ()

    @rx.event
    async def open(self) -> Any:
        """Read the case whose reference is in the page's address; the audit record lists the read."""
        async for _ in self._open():
            yield

    async def _open(self) -> AsyncIterator[None]:
        """Read the case of the address in parts, each of which leaves what is to be shown at once."""
        wanted = parse_reference(self.router.url.query_parameters.get("reference", ""))
        if not wanted:
            self._close(NONE_OPEN)
            return
        again = wanted == self._wanted and self.status == LOADED
        reading = asyncio.ensure_future(_read(wanted, who=self.staff_name, again=again))
        if not again and not (await asyncio.wait({reading}, timeout=SLOW_SECONDS))[0]:
            self._close(LOADING)
            yield
        found, history = await reading
        if not again:
            self._close(LOADING)
            self._wanted = wanted
        self._take(found, history)
        if not again:
            await self._open_draft()
        elif self.panel == "hand":
            await self._read_accounts()
        if self.status == LOADED:
            await self._look_for_readers()
            await self._look_for_twins()
            await self._look_for_complaints()

    @rx.event(background=True)
    async def watch(self) -> Any:
        """Show what colleagues change, until the tab goes or leaves the page: Reflex ends what a page's load began."""
        async for changed in news():
            async with self:
                if not await still_signed_in(self):
                    yield sign_in_again(self)
                    return
                await self._follow(changed)

    @rx.event
    async def look_again(self) -> None:
        """Read the case again, and say what others did to it since."""
        await self._follow(frozenset((self.reference,)))

    @rx.event
    async def take(self, stamp: str) -> None:
        """Take a case that nobody has."""
        self._clear()
        if self._version(stamp, OUTCOME):
            outcome = await current().cases.take(self.reference, who=self.staff_name)
            await self._settle(outcome, OUTCOME, done="It is yours")

    @rx.event
    async def hand_over(self, account: str, stamp: str) -> None:
        self._clear()
        if self._version(stamp, PANEL):
            outcome = await current().cases.hand_over((self.reference,), account, who=self.staff_name)
            await self._settle(outcome, PANEL, done=f"Handed over to {account or 'nobody'}")
        if self.panel == "hand":
            await self._read_accounts()

    @rx.event
    def choose(self, outcome: str, stamp: str) -> None:
        """Propose dates or reasons for a pressed outcome; a second press takes it back."""
        self._clear()
        known = parse_word(outcome, Outcome)
        if not self._version(stamp, OUTCOME) or self._head is None or known is None or self.plan.outcome == known:
            self.plan = PlanView()
            return
        if self._head.only_advice_since:
            self.plan, self.refused, self.refused_at = PlanView(), ONLY_ADVICE, OUTCOME
            return
        service = current().cases
        plan = after_outcome(known, self._head, service.now, week=service.week)
        self._began_seen = self._seen
        self.plan = plan_view(plan, known, stamp, now=service.now, appointment=self._head.appointment)

    @rx.event
    def drop_outcome(self) -> None:
        self._clear()
        self.plan = PlanView()

    @rx.event
    async def record(self, due: str, reason: str, note: str, stamp: str) -> Any:
        """Save the pressed outcome with its date or reason, and the note that is typed."""
        return await self._record(moment_in(due), parse_word(reason, CloseReason), note, stamp)

    @rx.event
    async def record_other(self, form: dict[str, Any], note: str) -> Any:
        """Save the pressed outcome with a day and UK time of one's own; without an outcome, the next date alone."""
        self._clear()
        stamp, at = text_field(form, STAMP), uk_moment(text_field(form, "day"), text_field(form, "time"))
        if at is None:
            self.refused, self.refused_at = "Give a day and a time", OUTCOME
            return None
        if self.plan.outcome:
            return await self._record(at, None, note, stamp)
        if self._version(stamp, OUTCOME):
            outcome = await current().cases.set_due((self.reference,), at, who=self.staff_name)
            await self._settle(outcome, OUTCOME, done=f"Next: {due_moment(at, self._now(), capital=True)}")
        if self.refused:
            return None
        self._close_date()
        return rx.set_focus(DATE_ID)

    @rx.event
    async def add_note(self, form: dict[str, Any]) -> Any:
        """Add a note, whatever others do meanwhile."""
        self._clear()
        if self._version(text_field(form, STAMP), NOTE):
            outcome = await current().cases.add_note(self.reference, text_field(form, NOTE), who=self.staff_name)
            if isinstance(outcome, Changed):
                await self._drop_draft()
            await self._settle(outcome, NOTE, done="Your note is kept", undoable=False)
        return rx.set_focus(NOTE_ID)

    @rx.event
    async def keep_draft(self, key: str, text: str) -> None:
        """Keep what is typed on the server until it is saved; `key` is the `note_key` of the field it is typed into."""
        if isinstance(key, str) and isinstance(text, str) and key not in self._saved:
            await self._keep_draft(key, text)

    @rx.event
    async def set_stage(self, form: dict[str, Any]) -> None:
        await self._submit(STAGE, form)

    @rx.event
    async def correct(self, form: dict[str, Any]) -> None:
        """Correct contact details; an invalid field is said where it stands."""
        await self._submit(CONTACT, form)

    @rx.event
    async def correct_figures(self, form: dict[str, Any]) -> None:
        """Correct what it is about, the loan and the end of the deal; an invalid field is said where it stands."""
        await self._submit(FIGURES, form)

    @rx.event
    async def open_panel(self, name: str) -> None:
        """Open a dialog of the case."""
        await self._open_panel(name)

    @rx.event
    async def write_mail(self) -> None:
        """Open the reply that is proposed after calls without an answer, with its template if there still is one."""
        await self._open_panel("reply", template=TRIED)

    async def _open_panel(self, name: str, *, template: str = "") -> None:
        self._clear()
        if self.status != LOADED or name not in PANELS or (self.found.deleted and name in _WORK):
            return
        if name == "hand":
            await self._read_accounts()
        if name == "reply":
            self.reply_waits = "" if current().sends_mail else MAIL_WAITS
            await self._write_reply(template)
        self.panel, self.panel_stamp = name, self.found.stamp
        self._began, self._began_seen = self.found, self._seen

    @rx.event
    def close_panel(self) -> None:
        self._clear()
        self._close_panel()

    @rx.event
    def close_meanwhile(self) -> None:
        self.meanwhile = ""

    @rx.event
    async def use_template(self, name: str) -> None:
        """Begin the reply again with another template."""
        if self.panel == "reply":
            self._clear()
            await self._write_reply(name)

    @rx.event
    async def send_reply(self, form: dict[str, Any]) -> None:
        """Send a reply by mail; what was typed stays where it is refused."""
        self._clear()
        if self._version(text_field(form, STAMP), PANEL):
            service = current().cases
            sent = "Your reply is on its way" if current().sends_mail else f"Your reply {WAITS}"
            outcome = await service.reply(self.reference, self._template, text_field(form, "text"), who=self.staff_name)
            await self._settle(outcome, PANEL, done=sent, undoable=False)

    @rx.event
    async def compare(self, form: dict[str, Any]) -> None:
        """Show another case beside this one, by its reference."""
        self._clear()
        found = await current().cases.open(text_field(form, "reference"), who=self.staff_name)
        if isinstance(found, Refused):
            self.refused, self.refused_at = found.words, PANEL
        elif isinstance(found, Gone) or self._head is None or found.head.reference == self.reference:
            self.refused, self.refused_at = "There is no other case with this reference", PANEL
        else:
            known = {twin.reference: twin for twin in self.twins} or {self.reference: self._twin(self._head)}
            other = self._twin(found.head)
            self.twins = tuple({**known, other.reference: other}.values())

    @rx.event
    async def merge(self, reference: str, stamp: str) -> None:
        """Merge another case into this one; both references stay valid."""
        self._clear()
        if self._version(stamp, PANEL):
            outcome = await current().cases.merge(reference, self.reference, who=self.staff_name)
            await self._settle(outcome, PANEL, done="Merged: both references lead here")
            await self._look_for_twins()
            await self._look_for_complaints()

    @rx.event
    def leave_theirs(self) -> None:
        """Let a colleague's change stand; the note of one's own is kept already."""
        words = self.conflict.left
        self._close_panel()
        self._say(words, undoable=False, is_done=False)

    @rx.event
    async def mine_counts(self) -> Any:
        """Make the change that was prevented to the case as it is now; of a dialog, those fields that were changed."""
        prevented, stamp = self._prevented, self.found.stamp
        self._close_panel()
        match prevented:
            case CallRecord():
                return await self._send(prevented, stamp)
            case DeleteReason():
                await self._delete(prevented, stamp)
            case Typed(panel=panel):
                form = {**prevented.over(self.found), STAMP: stamp}
                await self._submit(panel, form)
                if self.refused or self.problems:
                    self.panel = panel
        return None

    @rx.event
    async def undo(self) -> None:
        """Undo one's last change of the last ten minutes."""
        self._clear()
        undone = await current().cases.undo(who=self.staff_name)
        if isinstance(undone, Refused):
            self._say(undone.words, undoable=False, is_done=False)
        else:
            self._say(undone_words(undone), undoable=False)
        self._close_date()
        await self._look_again()

    @rx.event
    def ask(self, form: dict[str, Any]) -> None:
        """Ask for confirmation before the case is deleted for a reason."""
        self._clear()
        reason = parse_word(text_field(form, REASON), DeleteReason)
        if reason is None:
            self.refused, self.refused_at = "Choose why this case is deleted", REASON
        else:
            self.asked, self.asked_words = reason.value, REASONS[reason]

    @rx.event
    def keep(self) -> None:
        self._clear()
        self._say("Nothing was deleted", undoable=False, is_done=False)

    @rx.event
    async def delete(self, stamp: str) -> None:
        """Delete the case for the confirmed reason."""
        reason = parse_word(self.asked, DeleteReason)
        self._clear()
        await self._delete(reason, stamp)

    async def _delete(self, reason: DeleteReason | None, stamp: object) -> None:
        if version := self._version(stamp, REASON):
            is_owner = Right.ACCOUNTS.value in self.staff_rights
            outcome = await current().cases.delete(
                self.reference, reason, version=version, who=self.staff_name, is_owner=is_owner
            )
            await self._settle(outcome, REASON, wanted=reason)

    async def _submit(self, panel: str, form: object) -> None:
        """Make the change of a dialog's form."""
        self._clear()
        given = form if isinstance(form, Mapping) else {}
        version = self._version(text_field(given, STAMP), PANEL)
        if not version:
            return
        service, who, reference = current().cases, self.staff_name, self.reference
        outcome: Changed | Conflict | Gone | Refused | tuple[Problem, ...]
        if panel == STAGE:
            stage, waiting, note = (text_field(given, name) for name in ("stage", "waiting", "waiting_note"))
            outcome = await service.set_stage(
                reference, stage, waiting_for=waiting, note=note, version=version, who=who
            )
        elif panel == CONTACT:
            details = parse_contact_details(given, whose="their")
            outcome = (
                await service.correct_contact(reference, details, version=version, who=who)
                if isinstance(details, ContactDetails)
                else details
            )
        else:
            figures = parse_figures(given, uk_date(self._now()))
            outcome = (
                await service.correct_figures(reference, figures, version=version, who=who)
                if isinstance(figures, CaseFigures)
                else figures
            )
        if isinstance(outcome, tuple):
            self.problems = {problem.field: problem.reason for problem in outcome}
            return
        began = self._began if self._began.reference == reference else self.found
        await self._settle(outcome, PANEL, done=_KEPT[panel], wanted=typed(panel, given, began))

    async def _record(self, at: datetime | None, reason: CloseReason | None, note: object, stamp: object) -> Any:
        self._clear()
        outcome = parse_word(self.plan.outcome, Outcome)
        if outcome is None or stamp != self.plan.stamp:
            self.refused, self.refused_at = ANOTHER, OUTCOME
            return None
        text = note.strip() if isinstance(note, str) else ""
        return await self._send(CallRecord(outcome=outcome, note=text, due=at, reason=reason), stamp)

    async def _send(self, call: CallRecord, stamp: object) -> Any:
        """Record a call for the version of a stamp; its note is kept also where the version is outdated."""
        version = self._version(stamp, OUTCOME)
        if not version:
            return None
        outcome = await current().cases.record(self.reference, call, version=version, who=self.staff_name)
        words = _call_words(call, self._now())
        if isinstance(outcome, Changed | Conflict):
            await self._drop_draft()
        without_note = CallRecord(outcome=call.outcome, due=call.due, reason=call.reason)
        await self._settle(outcome, OUTCOME, done=words, wanted=without_note)
        has_next = self.next_href and self.router.url.path.rstrip("/") == routes.STAFF.rstrip("/")
        return rx.set_focus(NEXT_ID if has_next else HEADING_ID) if isinstance(outcome, Changed) else None

    async def _settle(
        self,
        outcome: Changed | Conflict | Gone | ManyChanged | Refused,
        part: str,
        *,
        done: str = "",
        wanted: CallRecord | Typed | DeleteReason | None = None,
        undoable: bool = True,
    ) -> None:
        """Show what came of a change: done, refused, prevented by another's change, or that the case is gone.

        `wanted` is the change, to be made all the same if it is prevented.
        """
        if isinstance(outcome, ManyChanged) and outcome.left:
            outcome = Refused(words=next(iter(outcome.left.values())))
        if isinstance(outcome, Refused):
            self.refused, self.refused_at = outcome.words, part
            return
        seen = self._seen if self._began_seen is None else self._began_seen
        self.plan = PlanView()
        if isinstance(outcome, Gone):
            self._take(outcome, ())
            return
        await self._look_again()
        if isinstance(outcome, Conflict) and isinstance(wanted, Typed) and not wanted.fields:
            self.refused, self.refused_at = NOTHING_NEW, PANEL
        elif isinstance(outcome, Conflict):
            is_mine = outcome.case.head.changed_by == self.staff_name
            history = await _history(self.reference)
            lines = changes(history, after=seen, who=self.staff_name, now=self._now(), mine=is_mine)
            self._show_conflict(outcome.case.head, lines, wanted)
        else:
            self.panel, self.meanwhile, self._began_seen = "", "", None
            self._say(done, undoable=undoable)

    def _show_conflict(
        self, head: EnquirySummary, lines: Sequence[str], wanted: CallRecord | Typed | DeleteReason | None
    ) -> None:
        match wanted:
            case CallRecord():
                mine = _call_words(wanted, self._now())
            case Typed():
                mine = wanted.words
            case _:
                mine = f"Delete it, because {REASONS[wanted]}" if wanted else ""
        is_call = isinstance(wanted, CallRecord)
        self.conflict = conflict_view(head, lines, mine=mine, who=self.staff_name, now=self._now(), is_call=is_call)
        self._prevented, self.panel, self._began_seen = wanted, "conflict", None

    async def _follow(self, changed: frozenset[str]) -> None:
        """Read the case again if it has changed, and say what others did to it; what is typed stays."""
        if self.status != LOADED:
            return
        if self.reference in changed:
            seen, before = self._seen, self.reference
            await self._look_again()
            lines = changes(
                await _history(self.reference), after=seen, who=self.staff_name, now=self._now(), mine=False
            )
            if before and self.reference != before:
                lines = (merged_words(before, self.reference), *lines)
            self.meanwhile = "; ".join(lines) or self.meanwhile
            await self._look_for_twins()
            await self._look_for_complaints()
        if self.draft_kept == NOT_KEPT:
            await self._keep_draft(self.note_key, self.draft)
        await self._look_for_readers()

    async def _look_again(self) -> None:
        if self.status == LOADED:
            found, history = await _read(self._wanted, who=self.staff_name, again=True)
            if isinstance(found, Refused):
                self.away = self.away or f"No answer from the desk since {clock(self._now())}."
            else:
                self._take(found, history)

    async def _look_for_readers(self) -> None:
        """Say who else has the case open."""
        readers = await current().cases.opened_by(self.reference, who=self.staff_name)
        self.readers = () if isinstance(readers, Refused) else readers_of(readers)

    async def _look_for_twins(self) -> None:
        """Say which other cases this person has."""
        if self._head is None:
            return
        twins = await current().cases.duplicates(self.reference)
        others = () if isinstance(twins, Refused) else twins
        self.twins_count, self.twins_words = twins_words(others)
        if self.panel != "merge":
            self.twins = tuple(self._twin(each) for each in (self._head, *others)) if others else ()

    async def _look_for_complaints(self) -> None:
        """Say which complaints about this case are open, to an account that may see them."""
        if self._head is None or Right.COMPLAINTS.value not in self.staff_rights:
            return
        complaints = current().duties.complaints
        found = await complaints.open_about(self._references)
        if not isinstance(found, NotDone):
            self.complaints = tuple(open_complaint(each, complaints.today) for each in found)

    def _twin(self, head: EnquirySummary) -> Twin:
        return twin_of(head, self._head or head, now=self._now())

    async def _open_draft(self) -> None:
        self.draft = await current().drafts.find(self.reference, who=self.staff_name)
        self.draft_kept = "Draft kept" if self.draft else ""
        self._renew_note()

    async def _keep_draft(self, key: str, text: str) -> None:
        is_kept = await current().drafts.keep(key.rpartition(":")[0], text, who=self.staff_name)
        if key == self.note_key:
            at = f"Draft kept {clock(self._now())}" if text else ""
            self.draft, self.draft_kept = text, at if is_kept else NOT_KEPT

    async def _drop_draft(self) -> None:
        self._saved = (*self._saved[-9:], self.note_key)
        await current().drafts.keep(self.reference, "", who=self.staff_name)
        self.draft = self.draft_kept = ""
        self._renew_note()

    async def _read_accounts(self) -> None:
        """Read to whom the case can be handed over: nobody who was disabled since."""
        accounts = await current().cases.accounts()
        self.accounts = () if isinstance(accounts, Refused) else accounts

    async def _write_reply(self, name: object) -> None:
        """Begin a reply with a template, its fields filled in, or with nothing."""
        templates = await current().cases.templates()
        known = {each.name: each for each in (() if isinstance(templates, Refused) else templates)}
        self.templates = tuple(known)
        self._template = known.get(name) if isinstance(name, str) else None
        chosen = self._template or ReplyTemplate(name="", text="")
        self.template, self.reply_subject, text = chosen.name, chosen.subject, chosen.text
        self.reply_text = await current().cases.filled(self.reference, text, who=self.staff_name) if text else ""
        self.reply_hint = unfilled(self.reply_text)

    def _take(self, found: Case | Gone | Refused, history: Sequence[AuditEntry]) -> None:
        if isinstance(found, Refused):
            self.status, self.problem = FAILED, found.words
            return
        if isinstance(found, Gone):
            self.status, self.found, self._head, self.meanwhile = GONE, CaseView(), None, ""
            self.gone_title, self.gone_words = gone_words(self._wanted, found, who=self.staff_name, now=self._now())
            self._close_panel()
            return
        if self.reference != found.head.reference:
            self._seen = newest_number(history)
        self._head, self.reference, self._references = found.head, found.head.reference, found.references
        self._seen = max(self._seen, newest_number(history))
        needs = read_needs(found.needs)
        words = needs.sentence if needs else ""
        self.found = case_view(found, history, who=self.staff_name, now=self._now(), needs=words)
        if self.plan.is_booking and self._head.appointment:
            self.plan = PlanView()
        self.status, self.away, self.read_at = LOADED, "", f"{clock(self._now())}"

    def _close(self, status: str) -> None:
        """Put the case away that was open, with all that was said of it."""
        self._clear()
        self._close_panel()
        self._close_date()
        self.status, self.found, self.reference, self.plan = status, CaseView(), "", PlanView()
        self.meanwhile = self.away = self.draft = self.draft_kept = self._wanted = ""
        self.readers, self.twins, self.twins_count, self.complaints = (), (), "", ()
        self._head, self._seen = None, 0

    def _close_panel(self) -> None:
        self.panel, self.conflict, self._prevented = "", ConflictView(), None
        self._began, self._began_seen = CaseView(), None

    def _close_date(self) -> None:
        self._counted += 1
        self.date_key = str(self._counted)

    def _clear(self) -> None:
        """Clear the messages of the last action."""
        self.result = self.refused = self.refused_at = self.asked = self.asked_words = ""
        self.problems, self.can_undo = {}, False

    def _say(self, words: str, *, undoable: bool, is_done: bool = True) -> None:
        self._counted += 1
        self.is_done = is_done
        self.result, self.results, self.can_undo = words, str(self._counted), undoable

    def _renew_note(self) -> None:
        self._counted += 1
        self.note_key = f"{self.reference}:{self._counted}"

    def _version(self, stamp: object, part: str) -> int:
        """Return the version that the page showed; 0, with a refusal, where it showed another case."""
        reference, version = stamp_in(stamp)
        if self.status == LOADED and version and reference == self.reference:
            return version
        self.refused, self.refused_at = ANOTHER, part
        return 0

    @staticmethod
    def _now() -> datetime:
        return current().cases.now


async def news() -> AsyncIterator[frozenset[str]]:
    """Yield the references of changed cases as soon as there are any, and every `LOOK_SECONDS` without one."""
    quiet = 0
    async for changed in current().cases.changes.follow():
        quiet = 0 if changed else quiet + 1
        if changed or quiet % LOOK_SECONDS == 0:
            yield changed


async def _read(reference: str, *, who: str, again: bool) -> tuple[Case | Gone | Refused, tuple[AuditEntry, ...]]:
    """Return a case with its part of the audit record, which is read first: what is missing there comes again.

    The entries of enquiries that are merged into it are among them, but not that each was merged, which the case's say.
    """
    history = await _history(reference)
    found = await current().cases.open(reference, who=who, again=again)
    if isinstance(found, Case) and found.merged:
        others = [await _history(each) for each in found.references if each != parse_reference(reference)]
        history = tuple(
            entry
            for entries in (history, *others)
            for entry in entries
            if entry.what is not Act.CASE_MERGED or entry.about == found.head.reference
        )
    return found, history


async def _history(reference: str) -> tuple[AuditEntry, ...]:
    history = await current().cases.history(reference)
    return () if isinstance(history, Refused) else history


def _call_words(call: CallRecord, now: datetime) -> str:
    next_call = f", next {due_moment(call.due, now, capital=True)}" if call.due else ""
    return f"{OUTCOME_WORDS[call.outcome]}{next_call}"
