"""View of Today: what is due on a day, in groups, with what each row leads to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from broker import routes
from broker.appointments.appointment import Medium
from broker.cases.case import EnquirySummary, Service
from broker.cases.case_view import stamp_of
from broker.cases.list_view import NO_KEY
from broker.cases.today import DayAppointment, Today
from broker.cases.words import SERVICE_WORDS, STAGE_WORDS
from broker.clock import UK, uk_date
from broker.enquiries.contact_details import isolated, uk_format
from broker.lending.money import pounds
from broker.staff.accounts import account_tone, initials
from broker.staff.times import clock, due_badge, due_words
from broker.watches.watch import StaffWatch

CALLER = "caller"
"""Parameter of the address, `1` to open the form of a caller, and the name of its dialog."""

_KNOWN_SHOWN = 3
"""Cases of a caller that are named."""

_UNSAID_FIRST = sorted(SERVICE_WORDS, key=lambda service: service is not Service.OTHER)

SERVICES = tuple((service.value, SERVICE_WORDS[service]) for service in _UNSAID_FIRST)
"""Choices of the form of a caller. `Not said` is first: an unchanged form says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRow:
    """A row; `reference` is empty for a watch, which is no case.

    `href` opens it, `tone` is the colour of its badge, `action` is what its button does: call, take, write, video,
    or nothing. `is_new` rows came while the list was on screen, and wait while somebody points into it.
    """

    key: str
    reference: str
    href: str
    name: str
    what: str
    time: str = ""
    badge: str = ""
    tone: str = "gray"
    has_clock: bool = False
    is_late: bool = False
    is_done: bool = False
    is_new: bool = False
    has_needs: bool = False
    initials: str = ""
    who: str = ""
    who_tone: str = ""
    action: str = ""
    action_href: str = ""
    action_label: str = ""
    stamp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayGroup:
    """A group of rows: its heading with a remark, and its chip, which says how many are late, if any."""

    key: str
    heading: str
    remark: str
    count: str
    chip: str
    late: str = ""
    rows: tuple[DayRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayView:
    """Today; `empty` and `empty_words` say what comes next where nothing is due."""

    day: str = ""
    groups: tuple[DayGroup, ...] = ()
    total: int = 0
    empty: str = ""
    empty_words: str = ""
    first_new: str = ""


def case_address(reference: str) -> str:
    """Return the address of Today with a case open."""
    return routes.with_query(routes.STAFF, {"reference": reference})


def with_held_rows(view: DayView, known: frozenset[str]) -> DayView:
    """Return the view with its rows marked as new unless they are known."""
    groups = (
        replace(group, rows=tuple(replace(row, is_new=row.key not in known) for row in group.rows))
        for group in view.groups
    )
    return replace(view, groups=tuple(groups))


def next_after(view: DayView, reference: str, *, planned: str = "") -> tuple[str, str]:
    """Return the address of the next row to work on, the first after the last, and the place of the open one.

    A case that has left the list is followed by what was `planned` while it was there, if that still is.
    """
    rows = [row for group in view.groups for row in group.rows if row.reference and not row.is_done]
    places = [place for place, row in enumerate(rows) if row.reference == reference]
    if places:
        others = [row for row in rows[places[0] + 1 :] + rows[: places[0]] if row.reference != reference]
        return others[0].href if others else "", f"{places[0] + 1} of {len(rows)}"
    if reference and any(row.href == planned for row in rows):
        return planned, ""
    return rows[0].href if rows else "", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCase:
    """A case of somebody who telephones, as a link, and what stands after it."""

    words: str
    href: str
    after: str = ""


def known_cases(found: Sequence[EnquirySummary]) -> tuple[tuple[KnownCase, ...], str]:
    """Return the first cases there are of a caller, and how many more."""
    shown = found[:_KNOWN_SHOWN]
    more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
    cases = tuple(
        KnownCase(
            words=f"{isolated(_name(head))} ({head.reference}, {head.assigned or 'nobody'})",
            href=case_address(head.reference),
            after="" if head is shown[-1] else ", ",
        )
        for head in shown
    )
    return cases, more


def day_view(today: Today, *, now: datetime, everyone: bool) -> DayView:
    """Return Today in its groups; rows of all accounts have initials."""

    def rows(key: str, heads: Iterable[EnquirySummary], draw: Callable[..., DayRow]) -> tuple[DayRow, ...]:
        drawn = (draw(head, key, now) for head in heads)
        return tuple(replace(row, initials=row.initials if everyone else "") for row in drawn)

    appointments = tuple(
        replace(row, initials=row.initials if everyone else "")
        for row in (_appointment(each, now) for each in today.appointments)
    )
    calls, new = rows("calls", today.calls, _call), rows("new", today.new, _new)
    due = rows("due", today.due, _due)
    watches = tuple(_watch(place, each) for place, each in enumerate(today.watches))
    to_come = sum(not row.is_done for row in appointments)
    groups = (
        _group("appointments", "Appointments", f"{to_come} to come", "Booked", appointments),
        _group("calls", "Calls promised", "by time", "Calls", calls),
        _group("new", "New, nobody has", _first_promise(today.new, now), "New", new),
        _group("due", "Next actions due", str(len(due)), "Next", due),
        _group("watches", "Watches opening", "agreed to a call", "Watches", watches),
    )
    total = sum(not row.is_done for group in groups for row in group.rows)
    empty = "" if any((to_come, calls, new, due, watches)) else "Nothing is due today"
    return DayView(
        day=f"{now.astimezone(UK):%A %-d %B}",
        groups=groups,
        total=total,
        empty=empty,
        empty_words="New enquiries appear here as soon as they are sent." if empty else "",
        first_new=new[0].stamp if new else "",
    )


def _group(key: str, heading: str, remark: str, chip: str, rows: tuple[DayRow, ...]) -> DayGroup:
    late = sum(row.is_late for row in rows)
    return DayGroup(
        key=key,
        heading=heading,
        remark=remark,
        count=str(sum(not row.is_done for row in rows)),
        chip=chip,
        late=f", {late} late" if late else "",
        rows=rows,
    )


def _first_promise(new: Sequence[EnquirySummary], now: datetime) -> str:
    first = min((head.call_by for head in new), default=None)
    return f"promise by {due_words(first, now)}" if first else ""


def _name(head: EnquirySummary) -> str:
    return head.contact.name if head.contact else NO_KEY


def _service(head: EnquirySummary) -> str:
    return "Mortgage" if head.service is Service.OTHER else SERVICE_WORDS[head.service]


def _row(head: EnquirySummary, key: str, **more: Any) -> DayRow:
    """Return a row with what all groups have: the name, what it is about, marks, and the number to call."""
    row = DayRow(
        key=f"{key}-{head.reference}",
        reference=head.reference,
        href=case_address(head.reference),
        name=_name(head),
        what=f"{_service(head)} £{head.amount:,}" if head.amount else _service(head),
        has_needs=head.has_needs,
        **_who(head.assigned),
        stamp=stamp_of(head.reference, head.version),
    )
    if head.contact:
        row = replace(
            row, action="call", action_href=f"tel:{head.contact.telephone}", action_label=f"Call {head.contact.name}"
        )
    return replace(row, **more)


def _who(name: str) -> dict[str, Any]:
    return {"who": name, "initials": initials(name), "who_tone": account_tone(name)}


def _badge(at: datetime, now: datetime) -> dict[str, Any]:
    words, tone = due_badge(at, now)
    return {"badge": words, "tone": tone, "has_clock": tone == "orange", "is_late": tone == "red"}


def _appointment(found: DayAppointment, now: datetime) -> DayRow:
    head, booked, slot = found.case, found.booked, found.booked.slot
    how = "video, " if slot.medium is Medium.VIDEO else ""
    row = _row(head, "appointments", time=clock(slot.start), what=f"{_service(head)}, {how}{slot.minutes} min")
    row = replace(row, key=f"appointment-{booked.id}", **_who(booked.adviser))
    if not booked.is_live or booked.is_over(now):
        return replace(row, is_done=True, action="done")
    return replace(row, badge="now", tone="orange") if slot.start <= now else replace(row, **_badge(slot.start, now))


def _call(head: EnquirySummary, key: str, now: datetime) -> DayRow:
    at = head.due or head.call_by
    return _row(head, key, time=_time(at, now), **_badge(at, now))


def _new(head: EnquirySummary, key: str, now: datetime) -> DayRow:
    words, tone = due_badge(head.call_by, now)
    badge = words if tone == "red" else f"by {due_words(head.call_by, now)}"
    row = _row(head, key, time=_time(head.created, now), badge=badge, tone=tone, is_late=tone == "red")
    return replace(row, action="take", action_href="", action_label=f"Take {_name(head)}")


def _due(head: EnquirySummary, key: str, now: datetime) -> DayRow:
    at = head.next_due or now
    words, tone = due_badge(at, now)
    is_late = (uk_date(now) - uk_date(at)).days > 0
    return _row(
        head,
        key,
        time=_time(at, now),
        what=head.next_action or _service(head),
        badge=words if tone != "gray" else STAGE_WORDS[head.stage],
        tone=tone,
        is_late=is_late or tone == "red",
    )


def _time(at: datetime, now: datetime) -> str:
    """Return the time of a row: of today the time, else the day."""
    local = at.astimezone(UK)
    return f"{local:%H:%M}" if local.date() == uk_date(now) else f"{local:%a %-d}"


def _watch(place: int, found: StaffWatch) -> DayRow:
    watch = found.watch
    telephone = uk_format(found.telephone)
    return DayRow(
        key=f"watch-{place}",
        reference="",
        href=routes.STAFF_WATCHES,
        name=telephone,
        what=f"Deal ends {watch.deal_end:%-d %b}, {pounds(watch.balance)}",
        time=f"{watch.deal_end:%b}",
        badge="window open",
        tone="cyan",
        action="call",
        action_href=f"tel:{found.telephone}",
        action_label=f"Call {telephone}",
    )
