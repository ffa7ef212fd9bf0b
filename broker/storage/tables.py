"""The tables; personal data in them is encrypted (`encryption`)."""

from datetime import UTC, date, datetime, time
from typing import ClassVar

from sqlalchemy import BigInteger, DateTime, Dialect, Text, UniqueConstraint, false, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

_REFERENCE_LENGTH, _DIGEST_LENGTH, _WORD_LENGTH, _PATH_LENGTH = 16, 64, 40, 200
"""Characters of a reference, a SHA-256 in hexadecimal, an enumerated value, and a URL path."""

_ACTOR_LENGTH, _SUBJECT_LENGTH, _DETAIL_LENGTH = 80, 80, 400
"""Characters of an entry of the audit record, as `staff.audit` limits them."""

_FILE_NAME_LENGTH, _ACCOUNT_LENGTH, _HASH_LENGTH = 80, 40, 200
"""Characters of a safe file name, of an account's name, and of an Argon2id hash with its parameters."""

_CREDENTIAL_LENGTH = 1_400
"""Characters of a passkey's credential id, of at most 1,023 bytes (WebAuthn), in base64url."""

_EMPTY_DEFAULT = {"server_default": text("''")}
"""Default of a column that was added to existing rows."""


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC, with its time zone on SQLite too, which stores none."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return the time in UTC; raises ValueError for one without a time zone."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time needs its time zone")
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class NumberedRow(SQLModel):
    """A row with a number that the database gives."""

    id: int | None = Field(default=None, primary_key=True)


class EnquiryRow(NumberedRow, table=True):
    """An enquiry, and staff's case of it; no other column than the encrypted ones is personal.

    `submission` is a digest of the form, so that a form makes one enquiry; `version` counts changes, and `changed_by`
    is the member of staff who made the last one. `call_by` is the time by which we promised to call.

    `contact`, `answers`, `waiting_note`, `next_action` and `needs` are encrypted. `phone_digest` and `email_digest` are
    keyed hashes of the telephone number and of the email address in small letters, empty until they are filled in.
    `stage`, `waiting_for`, `service`, `source`, `outcome` and `close_reason` are words of `cases.case`. `amount` is the
    loan in pounds, `attempts` counts calls without an answer since the last one that was answered, and `merged_into` is
    the enquiry whose case this one belongs to; it is deleted with that one.
    """

    __tablename__: ClassVar[str] = "enquiries"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    reference: str = Field(max_length=_REFERENCE_LENGTH, unique=True)
    submission: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    kind: str = Field(max_length=_WORD_LENGTH)
    state: str = Field(max_length=_WORD_LENGTH, index=True)
    version: int
    created: datetime = Field(sa_type=UtcDateTime, index=True)
    delete_after: datetime = Field(sa_type=UtcDateTime, index=True)
    page: str = Field(max_length=_PATH_LENGTH)
    contact: bytes
    answers: bytes
    consent_text: str = Field(max_length=_WORD_LENGTH)
    consent_at: datetime = Field(sa_type=UtcDateTime)
    consent_page: str = Field(max_length=_PATH_LENGTH)
    marketing: str = Field(max_length=_PATH_LENGTH)
    call_by: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    assigned: str = Field(default="", max_length=_ACTOR_LENGTH, index=True, sa_column_kwargs=_EMPTY_DEFAULT)
    changed_by: str = Field(default="", max_length=_ACTOR_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    changed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    stage: str = Field(default="enquiry", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "enquiry"})
    stage_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    waiting_for: str = Field(default="us", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "us"})
    waiting_note: bytes | None = None
    next_action: bytes | None = None
    next_due: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    amount: int | None = None
    service: str = Field(default="other", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "other"})
    source: str = Field(default="other", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "other"})
    outcome: str = Field(default="", max_length=_WORD_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    close_reason: str = Field(default="", max_length=_WORD_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    first_call_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    deal_ends: date | None = None
    phone_digest: str = Field(default="", max_length=_DIGEST_LENGTH, index=True, sa_column_kwargs=_EMPTY_DEFAULT)
    email_digest: str = Field(default="", max_length=_DIGEST_LENGTH, index=True, sa_column_kwargs=_EMPTY_DEFAULT)
    needs: bytes | None = None
    merged_into: int | None = Field(default=None, index=True)


class NoteRow(NumberedRow, table=True):
    """An encrypted entry of a case's timeline, deleted with its enquiry.

    `kind` and `outcome` are words of `cases.case`. `mail` is the key of the mail that a reply was sent as, or empty.
    """

    __tablename__: ClassVar[str] = "enquiry_notes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", index=True)
    at: datetime = Field(sa_type=UtcDateTime)
    who: str = Field(max_length=_ACTOR_LENGTH)
    text: bytes
    kind: str = Field(default="note", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "note"})
    outcome: str = Field(default="", max_length=_WORD_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    mail: str = Field(default="", max_length=_WORD_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)


class DeskUndoRow(NumberedRow, table=True):
    """What a case was before a change by staff, encrypted, for the ten minutes in which the change can be undone.

    Changes of several cases at once have one `batch`. `version` is that of the case after the change.
    """

    __tablename__: ClassVar[str] = "desk_undo"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    batch: str = Field(max_length=_WORD_LENGTH, index=True)
    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", index=True)
    who: str = Field(max_length=_ACTOR_LENGTH)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    what: str = Field(max_length=_WORD_LENGTH)
    version: int
    before: bytes


class ReplyTemplateRow(NumberedRow, table=True):
    """A reply that staff send again and again; nothing in it is about a visitor."""

    __tablename__: ClassVar[str] = "reply_templates"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    name: str = Field(max_length=_SUBJECT_LENGTH, unique=True)
    subject: str = Field(default="", max_length=_SUBJECT_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    version: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})
    text: str = Field(sa_type=Text)
    changed_by: str = Field(max_length=_ACTOR_LENGTH)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class OpenCaseRow(SQLModel, table=True):
    """Who has a case open in a browser, until a time shortly after its last word of it."""

    __tablename__: ClassVar[str] = "open_cases"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    enquiry_id: int = Field(
        primary_key=True, foreign_key="enquiries.id", ondelete="CASCADE", sa_column_kwargs={"autoincrement": False}
    )
    who: str = Field(primary_key=True, max_length=_ACTOR_LENGTH)
    until: datetime = Field(sa_type=UtcDateTime, index=True)


class JourneyRow(NumberedRow, table=True):
    """Encrypted answers of an unsent questionnaire; of the visitor's token only the digest is stored."""

    __tablename__: ClassVar[str] = "journeys"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    token: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    entry: str = Field(max_length=_WORD_LENGTH)
    answers: bytes
    version: int
    created: datetime = Field(sa_type=UtcDateTime)
    touched: datetime = Field(sa_type=UtcDateTime)
    delete_after: datetime = Field(sa_type=UtcDateTime, index=True)


class RetentionRow(NumberedRow, table=True):
    """The last run of retention, `at` a time, and the time from which its clock has been followed; one row."""

    __tablename__: ClassVar[str] = "retention"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    at: datetime = Field(sa_type=UtcDateTime)
    since: datetime = Field(sa_type=UtcDateTime)


class MailRow(NumberedRow, table=True):
    """A mail, sent or to be sent, deleted with the enquiry or the watch that it is about.

    `recipient` and `context`, the values of its templates, are encrypted, and None once it is sent or given up; the
    recipient of mail to staff is None. `digest`, the keyed hash of the recipient, stays, so that a report of a returned
    mail need not be believed about its address. `key` is the left part of its Message-ID. It is retried at `due`. A
    sender claims it until `claimed_until`, so that it is sent once. `problem` is the last error code of the mail
    server, or why it was given up. `returned_at` is when it was reported as returned or as spam. It is given up at
    `expires` where it says so.
    """

    __tablename__: ClassVar[str] = "mail"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    kind: str = Field(max_length=_WORD_LENGTH)
    recipient: bytes | None
    context: bytes | None
    digest: str | None = Field(default=None, max_length=64)
    key: str = Field(max_length=_WORD_LENGTH, unique=True)
    enquiry_id: int | None = Field(default=None, foreign_key="enquiries.id", ondelete="CASCADE", index=True)
    watch_id: int | None = Field(default=None, foreign_key="watches.id", ondelete="CASCADE", index=True)
    created: datetime = Field(sa_type=UtcDateTime)
    due: datetime = Field(sa_type=UtcDateTime, index=True)
    attempts: int
    claimed_by: str | None = Field(default=None, max_length=_WORD_LENGTH)
    claimed_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    given_up_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    returned_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    expires: datetime | None = Field(default=None, sa_type=UtcDateTime)
    problem: str = Field(max_length=_WORD_LENGTH)


class SuppressedAddressRow(NumberedRow, table=True):
    """An address that no mail is sent to, as its keyed hash alone: mail came back, or was reported as spam."""

    __tablename__: ClassVar[str] = "suppressed_addresses"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    digest: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    times: int
    last_at: datetime = Field(sa_type=UtcDateTime)
    is_complaint: bool


class WatchRow(NumberedRow, table=True):
    """A watch on a mortgage; `contact` and `figures` are encrypted, and no other column names its owner.

    `link` and `stop` are digests of the tokens of its page and of its one-click address, `address` is the keyed hash of
    its email address, and `submission` a digest of the form, so that a form makes one watch. `version` counts changes.
    `deal_month` is the month in which the deal ends, by `lending.days`. `record` says in JSON what was found and told.
    """

    __tablename__: ClassVar[str] = "watches"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    link: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    stop: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    submission: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    address: str = Field(max_length=_DIGEST_LENGTH, index=True)
    state: str = Field(max_length=_WORD_LENGTH)
    version: int
    created: datetime = Field(sa_type=UtcDateTime)
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    delete_after: datetime = Field(sa_type=UtcDateTime, index=True)
    may_call: bool
    deal_month: int = Field(index=True)
    contact: bytes
    figures: bytes
    record: str = Field(sa_type=Text)
    consent_text: str = Field(max_length=_WORD_LENGTH)
    consent_words: str = Field(sa_type=Text)
    consent_at: datetime = Field(sa_type=UtcDateTime)
    consent_page: str = Field(max_length=_PATH_LENGTH)


class WatchCheckRow(NumberedRow, table=True):
    """When watches were last checked; one row, of the id 1."""

    __tablename__: ClassVar[str] = "watch_checks"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    at: datetime = Field(sa_type=UtcDateTime)


class AuditRow(NumberedRow, table=True):
    """An entry of the audit record; triggers refuse updates and deletes (migration 0003)."""

    __tablename__: ClassVar[str] = "audit"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    at: datetime = Field(sa_type=UtcDateTime)
    who: str = Field(max_length=_ACTOR_LENGTH, index=True)
    what: str = Field(max_length=_WORD_LENGTH)
    about: str = Field(max_length=_SUBJECT_LENGTH, index=True)
    detail: str = Field(max_length=_DETAIL_LENGTH)


class ContentChangeRow(NumberedRow, table=True):
    """A change of the content to publish; the unique `signature` of its message is accepted once."""

    __tablename__: ClassVar[str] = "content_changes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    at: datetime = Field(sa_type=UtcDateTime, index=True)
    by: str = Field(max_length=_ACTOR_LENGTH)
    signature: str = Field(max_length=_DIGEST_LENGTH, unique=True)


class LogoPictureRow(SQLModel, table=True):
    """An immutable image of a lender's logo; its file name has the digest of its bytes."""

    __tablename__: ClassVar[str] = "logo_pictures"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    name: str = Field(primary_key=True, max_length=_WORD_LENGTH)
    lender_id: int = Field(index=True)
    digest: str = Field(max_length=_DIGEST_LENGTH)
    width: int
    height: int
    png: bytes
    added: datetime = Field(sa_type=UtcDateTime)


class LogoVersionRow(SQLModel, table=True):
    """A version of a lender's logo, numbered from 1 for each source; the highest number is current.

    Two changes of the same version have the same number, so the primary key refuses the second.
    """

    __tablename__: ClassVar[str] = "logo_versions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    lender_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    source: str = Field(primary_key=True, max_length=_WORD_LENGTH)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(max_length=_WORD_LENGTH)
    picture: str | None = Field(default=None, max_length=_WORD_LENGTH, foreign_key="logo_pictures.name", index=True)
    who: str = Field(max_length=_ACTOR_LENGTH)
    at: datetime = Field(sa_type=UtcDateTime)
    file_name: str = Field(max_length=_FILE_NAME_LENGTH)


class LenderWindowRow(SQLModel, table=True):
    """A correction of how early a lender lets its own borrowers book, numbered from 1; the highest number is current.

    `opens` is a period like `4 months`. One without a day in `checked` withdraws those before it.
    """

    __tablename__: ClassVar[str] = "lender_windows"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    lender_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    opens: str = Field(max_length=_WORD_LENGTH)
    swap: str = Field(max_length=_DETAIL_LENGTH)
    source: str = Field(max_length=_SUBJECT_LENGTH)
    checked: str = Field(max_length=_WORD_LENGTH)
    who: str = Field(max_length=_ACTOR_LENGTH)
    at: datetime = Field(sa_type=UtcDateTime)


class StaffRow(NumberedRow, table=True):
    """An account; it is disabled instead of deleted, so that its name in the audit record stays unique.

    `epoch` counts changes of credentials: a sign-in begun before one is void. `code_secret` is encrypted, None without
    one-time codes; `code_pending` is not confirmed yet. `code_step` is the period of the last code accepted. `role` is
    a Role, `display_name` the person's name and `email` encrypted. `theme` is light, dark or empty for the system's,
    and `keys_off` whether single keys do nothing. An invited account is disabled until its link is used.
    """

    __tablename__: ClassVar[str] = "staff"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    name: str = Field(max_length=_ACCOUNT_LENGTH, unique=True)
    password: str = Field(max_length=_HASH_LENGTH)
    enabled: bool
    epoch: int
    code_secret: bytes | None
    code_pending: bytes | None
    code_step: int
    created: datetime = Field(sa_type=UtcDateTime)
    signed_in_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    role: str = Field(default="owner", max_length=_WORD_LENGTH, sa_column_kwargs={"server_default": "owner"})
    display_name: str = Field(default="", max_length=_ACTOR_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    email: bytes | None = None
    theme: str = Field(default="", max_length=_WORD_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)
    keys_off: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    disabled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class StaffSessionRow(NumberedRow, table=True):
    """A session, under the digest of the token in its cookie; `agent` names its browser and system."""

    __tablename__: ClassVar[str] = "staff_sessions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    token: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    started: datetime = Field(sa_type=UtcDateTime)
    touched: datetime = Field(sa_type=UtcDateTime, index=True)
    agent: str = Field(default="", max_length=_ACTOR_LENGTH, sa_column_kwargs=_EMPTY_DEFAULT)


class StaffInviteRow(NumberedRow, table=True):
    """A one-time link of an account, under its digest: an invitation, or a `is_reset` of its sign-in."""

    __tablename__: ClassVar[str] = "staff_invites"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", unique=True)
    link: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    is_reset: bool
    made_by: str = Field(max_length=_ACTOR_LENGTH)
    expires: datetime = Field(sa_type=UtcDateTime)


class PasskeyRow(NumberedRow, table=True):
    """A passkey of an account (WebAuthn): its credential id in base64url, its public key and its signature counter."""

    __tablename__: ClassVar[str] = "staff_passkeys"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    credential: str = Field(max_length=_CREDENTIAL_LENGTH, unique=True)
    public_key: bytes
    counter: int = Field(sa_type=BigInteger)
    name: str = Field(max_length=_ACTOR_LENGTH)
    added: datetime = Field(sa_type=UtcDateTime)
    used: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PasskeyChallengeRow(NumberedRow, table=True):
    """An unused challenge of a passkey: of an account that adds one, or of a sign-in, which has no account yet."""

    __tablename__: ClassVar[str] = "staff_challenges"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    challenge: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    staff_id: int | None = Field(default=None, foreign_key="staff.id", ondelete="CASCADE")
    expires: datetime = Field(sa_type=UtcDateTime, index=True)


class RecoveryCodeRow(NumberedRow, table=True):
    """The digest of an unused recovery code."""

    __tablename__: ClassVar[str] = "staff_recovery_codes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    digest: str = Field(max_length=_DIGEST_LENGTH, unique=True)


class DailyCountRow(SQLModel, table=True):
    """How often something of a kind happened on a day of the UK; none of it is personal."""

    __tablename__: ClassVar[str] = "daily_counts"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    day: date = Field(primary_key=True)
    kind: str = Field(primary_key=True, max_length=_WORD_LENGTH)
    total: int


class AdviserHoursRow(SQLModel, table=True):
    """A range of an adviser's hours on a weekday, Monday is 0, in UK wall time."""

    __tablename__: ClassVar[str] = "adviser_hours"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    adviser: str = Field(primary_key=True, max_length=_ACCOUNT_LENGTH, foreign_key="staff.name", ondelete="CASCADE")
    weekday: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    opens: time = Field(primary_key=True)
    closes: time


class AbsenceRow(NumberedRow, table=True):
    """A time in which an adviser has no appointments."""

    __tablename__: ClassVar[str] = "adviser_absences"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    adviser: str = Field(max_length=_ACCOUNT_LENGTH, foreign_key="staff.name", ondelete="CASCADE", index=True)
    starts: datetime = Field(sa_type=UtcDateTime)
    ends: datetime = Field(sa_type=UtcDateTime)


class AppointmentRow(NumberedRow, table=True):
    """An appointment with an adviser, deleted with its enquiry.

    `uid` identifies it in calendars, `sequence` counts its changes. `remind_at` is when the next reminder is due, None
    without one. `changed_by` is an account or the visitor.
    """

    __tablename__: ClassVar[str] = "appointments"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    uid: str = Field(max_length=_WORD_LENGTH, unique=True)
    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", unique=True)
    adviser: str = Field(max_length=_ACCOUNT_LENGTH, foreign_key="staff.name", index=True)
    starts: datetime = Field(sa_type=UtcDateTime, index=True)
    minutes: int
    medium: str = Field(max_length=_WORD_LENGTH)
    state: str = Field(max_length=_WORD_LENGTH)
    sequence: int
    created: datetime = Field(sa_type=UtcDateTime)
    remind_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    changed_by: str = Field(max_length=_ACTOR_LENGTH)
    changed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AppointmentCellRow(SQLModel, table=True):
    """Five minutes of an adviser, which one appointment takes; they are numbered from the epoch."""

    __tablename__: ClassVar[str] = "appointment_cells"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    adviser: str = Field(primary_key=True, max_length=_ACCOUNT_LENGTH)
    cell: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    appointment_id: int = Field(foreign_key="appointments.id", ondelete="CASCADE", index=True)


class CalendarFeedRow(SQLModel, table=True):
    """The calendar feed of an adviser, under the digest of the token in its address."""

    __tablename__: ClassVar[str] = "calendar_feeds"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    adviser: str = Field(primary_key=True, max_length=_ACCOUNT_LENGTH, foreign_key="staff.name", ondelete="CASCADE")
    token: str = Field(max_length=_DIGEST_LENGTH, unique=True)
    made: datetime = Field(sa_type=UtcDateTime)


class ComplaintRow(NumberedRow, table=True):
    """A complaint, whose number is its id; `person` and `words` are encrypted.

    `reference` is of its enquiry, which may be deleted before it. `redress` is in pounds.
    """

    __tablename__: ClassVar[str] = "complaints"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way
    __table_args__: ClassVar[dict[str, bool]] = {"sqlite_autoincrement": True}  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    version: int
    subject: str = Field(max_length=_WORD_LENGTH)
    cause: str = Field(max_length=_WORD_LENGTH)
    received: date
    closed: date | None = None
    outcome: str = Field(max_length=_WORD_LENGTH)
    redress: int
    assigned: str = Field(max_length=_ACTOR_LENGTH)
    reference: str = Field(max_length=_REFERENCE_LENGTH, index=True)
    person: bytes
    words: bytes
    delete_after: date = Field(index=True)
    created: datetime = Field(sa_type=UtcDateTime)
    changed_by: str = Field(max_length=_ACTOR_LENGTH)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class ComplaintLetterRow(NumberedRow, table=True):
    """A letter to a complainant; `words` are encrypted."""

    __tablename__: ClassVar[str] = "complaint_letters"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    complaint_id: int = Field(foreign_key="complaints.id", ondelete="CASCADE", index=True)
    kind: str = Field(max_length=_WORD_LENGTH)
    sent: date
    who: str = Field(max_length=_ACTOR_LENGTH)
    words: bytes


class DataRequestRow(NumberedRow, table=True):
    """What a person asked for about their data; `person`, what they are found by, is encrypted, None once deleted.

    `phone_digest` and `email_digest` are keyed hashes, empty for none and once deleted.
    """

    __tablename__: ClassVar[str] = "data_requests"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    kind: str = Field(max_length=_WORD_LENGTH)
    asked: date
    due: date = Field(index=True)
    done: date | None = None
    phone_digest: str = Field(max_length=_DIGEST_LENGTH, index=True)
    email_digest: str = Field(max_length=_DIGEST_LENGTH, index=True)
    person: bytes | None
    who: str = Field(max_length=_ACTOR_LENGTH)


class PromotionRow(NumberedRow, table=True):
    """An approval of what a public page shows, immutable but for `ended_at`: when another took its place."""

    __tablename__: ClassVar[str] = "promotions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    path: str = Field(max_length=_PATH_LENGTH, index=True)
    digest: str = Field(max_length=_DIGEST_LENGTH)
    text: str = Field(sa_type=Text)
    who: str = Field(max_length=_ACTOR_LENGTH)
    at: datetime = Field(sa_type=UtcDateTime)
    due: date
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)


class NoteDraftRow(NumberedRow, table=True):
    """The encrypted draft of a note that an account is writing to a case."""

    __tablename__: ClassVar[str] = "note_drafts"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE")
    who: str = Field(max_length=_ACTOR_LENGTH)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    text: bytes

    __table_args__ = (UniqueConstraint("enquiry_id", "who"),)


class SavedFilterRow(NumberedRow, table=True):
    """A filter of the list of cases that an account saved, as the query of its address, which holds no visitor's data.

    The one without a name holds the columns that the account hides.
    """

    __tablename__: ClassVar[str] = "saved_filters"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way
    __table_args__ = (UniqueConstraint("who", "name"),)

    who: str = Field(max_length=_ACCOUNT_LENGTH, foreign_key="staff.name", ondelete="CASCADE")
    name: str = Field(max_length=_WORD_LENGTH)
    query: str = Field(max_length=_DETAIL_LENGTH)
