"""Owners' work on accounts: invite, change roles, reset, end sessions, disable with hand-over, and enable."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from broker.cases.case import Refused
from broker.clock import UK, utc_now
from broker.mail.mail import MailKind, NewMail
from broker.staff.account_store import Account, StaffStore
from broker.staff.accounts import normalised_password, password_problem
from broker.staff.audit import Act, AuditEntry
from broker.staff.credentials import PasswordHashes
from broker.staff.people import LAST_OWNER, LINK_LIFETIME, NAME, NAME_TAKEN, NO_PERSON, Person, parse_invitation
from broker.staff.people_store import NewLink, PeopleStore
from broker.staff.roles import Right, may, parse_role
from broker.staff.session_store import session_key
from broker.staff.sessions import StaffSessions

NOT_SIGNED_IN = "They are not signed in any longer"
NO_PASSKEY = "This passkey is removed already"
NO_LINK = "This link was used, has ended or was withdrawn already"
NO_HEIR = "Choose colleagues who may work on cases"
NOT_YOURSELF = "You cannot disable your own account. Ask another owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLink:
    """A one-time link that was made, which is shown this once; `is_mailed` is whether a mail brings it as well."""

    person: str
    token: str
    expires: datetime
    is_mailed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Disabled:
    """An account that was disabled: how many of its open cases and complaints were handed over, to whom."""

    name: str
    cases: int
    complaints: int
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedAccount:
    """The account of a link that still works."""

    name: str
    shown_name: str
    is_reset: bool


async def disable_account(
    account: Account,
    to: Sequence[str],
    *,
    entry: AuditEntry,
    people: PeopleStore,
    accounts: StaffStore,
    may_be_last_owner: bool = False,
) -> Disabled | Refused:
    """Disable an account, and give its open cases and complaints to colleagues in turn, nobody for an empty `to`.

    Raises StorageError.
    """
    able = {each.name for each in await accounts.all() if each.enabled and may(each.role, Right.CASES)}
    if not set(to) <= able - {account.name}:
        return Refused(words=NO_HEIR)
    given = await people.disable(account, to, entry, may_be_last_owner=may_be_last_owner)
    if given is None:
        return Refused(words=LAST_OWNER)
    return Disabled(name=account.shown_name, cases=given.cases, complaints=given.complaints, to=tuple(to))


class AccountAdmin:
    """Methods raise StorageError. The caller has checked that `who` is an owner, except for those of a link."""

    def __init__(
        self,
        people: PeopleStore,
        accounts: StaffStore,
        sessions: StaffSessions,
        *,
        hashes: PasswordHashes,
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due."""
        self._people, self._accounts, self._sessions = people, accounts, sessions
        self._hashes, self._notify, self._clock = hashes, notify, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    async def people(self) -> tuple[Person, ...]:
        return await self._people.people(self._clock())

    async def invite(self, given: Mapping[str, object], *, who: str) -> MadeLink | dict[str, str]:
        """Make an account that its link sets up, and mail the link; return the problems of the form's fields."""
        wanted = parse_invitation(given)
        if isinstance(wanted, dict):
            return wanted
        token, link = self._link(wanted.shown_name, wanted.account, wanted.email, is_reset=False, who=who)
        is_new = await self._people.invite(
            account=wanted.account,
            shown_name=wanted.shown_name,
            email=wanted.email,
            role=wanted.role,
            link=link,
            entry=self._entry(who, Act.ACCOUNT_INVITED, wanted.account, wanted.role.value),
        )
        if not is_new:
            return {NAME: f"{NAME_TAKEN}: {wanted.account}. Add a middle name or an initial"}
        self._notify()
        return MadeLink(person=wanted.shown_name, token=token, expires=link.expires, is_mailed=True)

    async def make_link(self, account_id: int, *, who: str) -> MadeLink | Refused:
        """Make a new link: of an invited account again, or one that resets how somebody signs in."""
        person = await self._person(account_id)
        if person is None or not (person.enabled or not person.is_set_up):
            return Refused(words=NO_PERSON)
        is_reset = person.is_set_up
        token, link = self._link(person.shown_name, person.name, person.email, is_reset=is_reset, who=who)
        await self._people.make_link(account_id, link, self._entry(who, Act.LINK_MADE, person.name))
        self._notify()
        return MadeLink(person=person.shown_name, token=token, expires=link.expires, is_mailed=bool(person.email))

    async def withdraw(self, account_id: int, *, who: str) -> Refused | None:
        account = await self._accounts.with_id(account_id)
        if account is None or not await self._people.withdraw(
            account_id, self._entry(who, Act.LINK_WITHDRAWN, account.name)
        ):
            return Refused(words=NO_LINK)
        return None

    async def set_role(self, account_id: int, role: object, *, who: str) -> Refused | None:
        """Change a role; the account signs in again, so that its open pages show what it may do."""
        account, wanted = await self._accounts.with_id(account_id), parse_role(role)
        if account is None or wanted is None:
            return Refused(words=NO_PERSON)
        if account.role is wanted:
            return None
        entry = self._entry(who, Act.ROLE_CHANGED, account.name, f"{account.role} to {wanted}")
        if not await self._people.set_role(account_id, wanted, entry):
            return Refused(words=LAST_OWNER)
        self._sessions.forget(account_id)
        return None

    async def end_sessions(self, account_id: int, session_id: int, *, who: str) -> Refused | None:
        """End a session of an account, or all with 0."""
        account = await self._accounts.with_id(account_id)
        if account is None:
            return Refused(words=NO_PERSON)
        entry = self._entry(who, Act.SESSIONS_ENDED, account.name, "one session" if session_id else "all sessions")
        self._sessions.forget(account_id)
        is_ended = await self._people.end_sessions(account_id, session_id, entry)
        self._sessions.forget(account_id)  # it may have been read again meanwhile
        return None if is_ended else Refused(words=NOT_SIGNED_IN)

    async def remove_passkey(self, account_id: int, passkey_id: int, *, who: str) -> Refused | None:
        account = await self._accounts.with_id(account_id)
        entry = self._entry(who, Act.PASSKEY_REMOVED, account.name if account else "")
        if account is None or not await self._people.remove_passkey(account_id, passkey_id, entry):
            return Refused(words=NO_PASSKEY)
        return None

    async def disable(self, account_id: int, to: tuple[str, ...], *, who: str) -> Disabled | Refused:
        """Disable an account, and give its open cases and complaints to colleagues in turn, nobody for an empty `to`.

        Its appointments stay until `DiaryAdmin.hand_over` passes them on to whoever is free then.
        """
        account = await self._accounts.with_id(account_id)
        if account is None or not account.enabled:
            return Refused(words=NO_PERSON)
        if account.name == who:
            return Refused(words=NOT_YOURSELF)
        entry = self._entry(who, Act.ACCOUNT_DISABLED, account.name)
        done = await disable_account(account, to, entry=entry, people=self._people, accounts=self._accounts)
        if isinstance(done, Disabled):
            self._sessions.forget(account_id)
        return done

    async def enable(self, account_id: int, *, who: str) -> Refused | None:
        account = await self._accounts.with_id(account_id)
        if account is None or account.enabled or not account.password:
            return Refused(words=NO_PERSON)
        entry = self._entry(who, Act.ACCOUNT_ENABLED, account.name)
        await self._accounts.change(account_id, entry, ends=False, enabled=True, disabled_at=None)
        return None

    async def linked(self, token: str) -> LinkedAccount | None:
        """Return the account of a link that still works; nothing is changed."""
        found = await self._people.linked(session_key(token), self._clock())
        if found is None:
            return None
        account, is_reset = found
        return LinkedAccount(name=account.name, shown_name=account.shown_name, is_reset=is_reset)

    async def use_link(self, token: str, password: object, again: object) -> Account | dict[str, str] | None:
        """Set the first password of a link, which ends it; return the account, the problems of fields, or None.

        None is a link that no longer works. Raises HashingBusyError.
        """
        digest, now = session_key(token), self._clock()
        found = await self._people.linked(digest, now)
        if found is None:
            return None
        account, _ = found
        plain = normalised_password(password)
        if problem := password_problem(plain, account.name):
            return {"new": problem}
        if plain != normalised_password(again):
            return {"again": "The two passwords are not the same"}
        entry = self._entry(account.name, Act.LINK_USED, account.name)
        if not await self._people.use_link(digest, await self._hashes.hash(plain), entry):
            return None
        self._sessions.forget(account.id)
        return await self._accounts.with_id(account.id)

    async def _person(self, account_id: int) -> Person | None:
        return next((each for each in await self.people() if each.id == account_id), None)

    def _link(self, shown_name: str, account: str, email: str, *, is_reset: bool, who: str) -> tuple[str, NewLink]:
        """Return the token of a new link, and the link to store with the mail that brings it."""
        token, now = secrets.token_urlsafe(32), self._clock()
        expires = now + LINK_LIFETIME
        context = {
            "name": shown_name,
            "account": account,
            "made_by": who,
            "link": token,
            "ends": f"{expires.astimezone(UK):%A %-d %B, %H:%M}, UK time",
            "is_reset": "yes" if is_reset else "",
        }
        mail = NewMail(kind=MailKind.STAFF_LINK, created=now, recipient=email, context=context, expires=expires)
        made = NewLink(
            digest=session_key(token), is_reset=is_reset, made_by=who, expires=expires, mail=mail if email else None
        )
        return token, made

    def _entry(self, who: str, what: Act, about: str, detail: str = "") -> AuditEntry:
        return AuditEntry(at=self._clock(), who=who, what=what, about=about, detail=detail)
