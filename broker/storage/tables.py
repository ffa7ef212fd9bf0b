"""The tables. What is personal in them is sealed (`sealing`): a copy of the database tells nobody who asked what."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from sqlalchemy import DateTime, Dialect, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from broker.domain.file_names import MAX_NAME
from broker.domain.staff.audit import MAX_ABOUT, MAX_DETAIL, MAX_WHO

REFERENCE, DIGEST, WORD, PAGE = 16, 64, 40, 200
"""Characters of a reference, of a SHA-256 in hexadecimal, of a word of ours, and of a path."""

NOTHING = {"server_default": text("''")}
"""What fills a column that was added to rows that were there."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no time zone, so it is put on again when a moment is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return the moment as it is stored; one without a time zone is refused with ValueError."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return the moment with its time zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class EnquiryRow(SQLModel, table=True):
    """An enquiry: `contact` and `answers` are sealed, the rest tells nothing of who sent it.

    `submission` is the digest of the form's ticket, so that one form makes one enquiry; `version` counts changes,
    the last of which was `changed_by` a member of staff. `call_by` is when we promised to call at the latest.
    """

    __tablename__: ClassVar[str] = "enquiries"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(max_length=REFERENCE, unique=True)
    submission: str = Field(max_length=DIGEST, unique=True)
    kind: str = Field(max_length=WORD)
    state: str = Field(max_length=WORD)
    version: int
    created: datetime = Field(sa_type=Moment, index=True)
    delete_after: datetime = Field(sa_type=Moment, index=True)
    page: str = Field(max_length=PAGE)
    contact: bytes
    answers: bytes
    consent_text: str = Field(max_length=WORD)
    consent_at: datetime = Field(sa_type=Moment)
    consent_page: str = Field(max_length=PAGE)
    marketing: str = Field(max_length=PAGE)
    call_by: datetime | None = Field(default=None, sa_type=Moment, index=True)
    assigned: str = Field(default="", max_length=MAX_WHO, index=True, sa_column_kwargs=NOTHING)
    changed_by: str = Field(default="", max_length=MAX_WHO, sa_column_kwargs=NOTHING)
    changed_at: datetime | None = Field(default=None, sa_type=Moment)


class NoteRow(SQLModel, table=True):
    """What a member of staff wrote to an enquiry, sealed; it goes with its enquiry."""

    __tablename__: ClassVar[str] = "enquiry_notes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str = Field(max_length=MAX_WHO)
    text: bytes


class JourneyRow(SQLModel, table=True):
    """Answers that are not sent yet, sealed; of the visitor's token only the digest is kept."""

    __tablename__: ClassVar[str] = "journeys"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    token: str = Field(max_length=DIGEST, unique=True)
    entry: str = Field(max_length=WORD)
    answers: bytes
    version: int
    created: datetime = Field(sa_type=Moment)
    touched: datetime = Field(sa_type=Moment)
    delete_after: datetime = Field(sa_type=Moment, index=True)


class OutboxRow(SQLModel, table=True):
    """A note to staff that is to be sent, or was; it goes with its enquiry.

    It is tried again at `due`; who sends it now claims it for a while, so that no two do. `problem` is the last answer
    of the mail server, as a code.
    """

    __tablename__: ClassVar[str] = "outbox"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", unique=True)
    created: datetime = Field(sa_type=Moment)
    due: datetime = Field(sa_type=Moment, index=True)
    attempts: int
    claimed_by: str | None = Field(default=None, max_length=WORD)
    claimed_until: datetime | None = Field(default=None, sa_type=Moment)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)
    problem: str = Field(max_length=WORD)


class AuditRow(SQLModel, table=True):
    """A line of the audit record, never changed or deleted: triggers refuse it (migration 0003)."""

    __tablename__: ClassVar[str] = "audit"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=Moment)
    who: str = Field(max_length=MAX_WHO, index=True)
    what: str = Field(max_length=WORD)
    about: str = Field(max_length=MAX_ABOUT, index=True)
    detail: str = Field(max_length=MAX_DETAIL)


class LogoPictureRow(SQLModel, table=True):
    """A picture of a lender's under the name of its file, which changes with its bytes: they never do."""

    __tablename__: ClassVar[str] = "logo_pictures"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    name: str = Field(primary_key=True, max_length=WORD)
    lender_id: int = Field(index=True)
    digest: str = Field(max_length=DIGEST)
    width: int
    height: int
    png: bytes
    added: datetime = Field(sa_type=Moment)


class LogoVersionRow(SQLModel, table=True):
    """A version of a lender's logo, counted from 1 for each source; the highest number is the one that stands.

    Two that are made to the same version have the same number, and the database refuses the second.
    """

    __tablename__: ClassVar[str] = "logo_versions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    lender_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    source: str = Field(primary_key=True, max_length=WORD)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(max_length=WORD)
    picture: str | None = Field(default=None, max_length=WORD, foreign_key="logo_pictures.name", index=True)
    who: str = Field(max_length=MAX_WHO)
    at: datetime = Field(sa_type=Moment)
    file_name: str = Field(max_length=MAX_NAME)
