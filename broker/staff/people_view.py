"""The page of accounts in words: people, the details of one, and what each role may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from broker import routes
from broker.clock import UK
from broker.lending.money import capitalised, counted
from broker.staff.accounts import account_tone, initials
from broker.staff.audit import AuditEntry
from broker.staff.people import Person
from broker.staff.roles import Right, Role, may, own_cases_only
from broker.staff.times import clock, day_words, moment_words

ROLE_WORDS = {Role.OWNER: "Owner", Role.ADVISER: "Adviser", Role.CONTENT: "Content", Role.LOGOS: "Logos"}

IN_TURN, NOBODY = "in turn", ""
"""Who gets the open cases and complaints of a disabled account, besides the name of a colleague."""

_RIGHTS = (
    ("Cases, diary, calls", Right.CASES),
    ("Export, delete people", Right.EXPORT),
    ("Complaints", Right.COMPLAINTS),
    ("Promotions, pages", Right.PROMOTIONS),
    ("Logos", Right.LOGOS),
    ("Figures", Right.FIGURES),
    ("Accounts, the record", Right.ACCOUNTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLine:
    """A row of the table; `colour` is that of the badge of its state."""

    shown_name: str
    initials: str
    tone: str
    email: str
    role: str
    passkeys: str
    sessions: str
    cases: str
    seen: str
    state: str
    colour: str
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailLine:
    """A session, a passkey or an entry of the record: its number, what it is, and when."""

    id: int = 0
    words: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLine:
    """A link that was not used yet."""

    id: int
    name: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """The details of one account; an `id` of 0 is that of nobody."""

    id: int = 0
    shown_name: str = ""
    initials: str = ""
    tone: str = ""
    account: str = ""
    email: str = ""
    since: str = ""
    role: str = ""
    factors: str = ""
    sessions: tuple[DetailLine, ...] = ()
    passkeys: tuple[DetailLine, ...] = ()
    record: tuple[DetailLine, ...] = ()
    record_href: str = ""
    is_enabled: bool = False
    is_set_up: bool = False
    work: str = ""
    disable_words: str = ""
    heirs: tuple[Choice, ...] = ()


def people_sentence(people: Sequence[Person]) -> str:
    """Return how many there are: `6 people at work, 1 invited, 1 disabled`."""
    working = sum(each.enabled for each in people)
    invited = sum(not each.is_set_up for each in people)
    disabled = len(people) - working - invited
    counts = [f"{working} {'person' if working == 1 else 'people'} at work"]
    counts += [f"{count} {words}" for count, words in ((invited, "invited"), (disabled, "disabled")) if count]
    return ", ".join(counts)


def person_line(person: Person, *, chosen: str, now: datetime) -> PersonLine:
    state, colour = _state(person, now)
    seen = person.seen
    return PersonLine(
        shown_name=person.shown_name,
        initials=initials(person.name),
        tone=account_tone(person.name),
        email=person.email,
        role=ROLE_WORDS[person.role],
        passkeys=str(len(person.passkeys)),
        sessions=str(len(person.sessions)),
        cases=str(person.open_cases),
        seen=_brief(seen, now) if seen else "never",
        state=state,
        colour=colour,
        href=routes.staff_account_of(person.name),
        is_chosen=person.name == chosen,
    )


def link_lines(people: Sequence[Person], now: datetime) -> tuple[LinkLine, ...]:
    """Return the links that were not used yet, those of invitations first."""
    found = [(each, each.link) for each in people if each.link]
    found.sort(key=lambda pair: (pair[1].is_reset, pair[1].expires))
    return tuple(
        LinkLine(
            id=person.id,
            name=person.shown_name,
            words=f"has not used {'the link that resets signing in' if link.is_reset else 'the invitation'}; it ends "
            f"{moment_words(link.expires, now)}",
        )
        for person, link in found
    )


def person_view(person: Person, people: Sequence[Person], record: Sequence[AuditEntry], *, now: datetime) -> PersonView:
    heirs = [each for each in people if each.enabled and each.id != person.id and may(each.role, Right.CASES)]
    first_names = _and([each.shown_name.split()[0] for each in heirs])
    choices = [
        *([Choice(value=IN_TURN, words=f"{first_names}, in turn")] if len(heirs) > 1 else []),
        *(Choice(value=each.name, words=each.shown_name) for each in heirs),
        Choice(value=NOBODY, words="Nobody"),
    ]
    handed_over = person.open_cases + person.complaints
    return PersonView(
        id=person.id,
        shown_name=person.shown_name,
        initials=initials(person.name),
        tone=account_tone(person.name),
        account=person.name,
        email=person.email,
        since=f"since {person.created.strftime('%-d %B %Y')}, UK time",
        role=person.role.value,
        factors="and password with code" if person.has_codes else "and password",
        sessions=tuple(
            DetailLine(
                id=each.id,
                words=each.agent or "Unknown browser",
                when=f"since {_brief(each.started, now)}, last press {_brief(each.touched, now)}",
            )
            for each in person.sessions
        ),
        passkeys=tuple(
            DetailLine(
                id=each.id,
                words=each.name,
                when=f"added {_brief(each.added, now)}, "
                + (f"used {_brief(each.used, now)}" if each.used else "not used yet"),
            )
            for each in person.passkeys
        ),
        record=tuple(
            DetailLine(id=each.number, words=capitalised(each.sentence), when=_brief(each.at, now)) for each in record
        ),
        record_href=routes.staff_record_of(person.name),
        is_enabled=person.enabled,
        is_set_up=person.is_set_up,
        work=_work(person),
        disable_words=f"Hand over {handed_over:,} and disable" if handed_over else "Disable",
        heirs=tuple(choices),
    )


def role_table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what each role may do: the right in words, and yes, own or no by role."""
    return tuple((words, tuple(_extent(role, right) for role in Role)) for words, right in _RIGHTS)


def disabled_words(name: str, *, cases: int, complaints: int, to: Sequence[str], passed: int, left: int) -> str:
    """Return what was done as an account was disabled."""
    work = open_work(cases, complaints)
    given = f" {work} went to {_and(to) if to else 'nobody'}." if work else ""
    verb = "is" if passed == 1 else "are"
    moved = f" {counted(passed, 'appointment')} {verb} passed on to colleagues who are free then." if passed else ""
    wait = "waits" if left == 1 else "wait"
    waiting = f" {counted(left, 'appointment')} {wait} for a time when somebody is free: see the diary." if left else ""
    return f"{name} can no longer sign in.{given}{moved}{waiting}"


def open_work(cases: int, complaints: int) -> str:
    """Return how many open cases and complaints somebody has, empty for none."""
    return _and(_parts_of_work(cases, complaints))


def _extent(role: Role, right: Right) -> str:
    if own_cases_only(role, right):
        return "own"
    return "yes" if may(role, right) else "no"


def _state(person: Person, now: datetime) -> tuple[str, str]:
    if not person.is_set_up:
        ends = f"Invited, ends {person.link.expires.astimezone(UK):%a %H:%M}" if person.link else "Invitation ended"
        return ends, "orange"
    if not person.enabled:
        return f"Disabled {person.disabled_at.astimezone(UK):%-d %b}" if person.disabled_at else "Disabled", "gray"
    if person.is_here(now):
        return "Here now", "green"
    if not person.passkeys and not person.has_codes:
        return "Password alone", "orange"
    return "Away", "gray"


def _work(person: Person) -> str:
    parts = _parts_of_work(person.open_cases, person.complaints)
    if person.appointments:
        parts.append(counted(person.appointments, "appointment"))
    if not parts:
        return "There is no open work to hand over."
    verb = "goes" if person.open_cases + person.complaints + person.appointments == 1 else "go"
    return f"{_and(parts)} {verb} first. Appointments go to whoever is free at their time."


def _parts_of_work(cases: int, complaints: int) -> list[str]:
    counts = ((cases, "open case"), (complaints, "complaint"))
    return [counted(count, words) for count, words in counts if count]


def _brief(at: datetime, now: datetime) -> str:
    """Return a time of these days with its hour, an older or a later one as its day."""
    near = abs((at - now).days) < 7
    return f"{day_words(at, now)} {clock(at)}" if near else day_words(at, now)


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
