"""The tables. What is personal in them is sealed (`sealing`): a copy of the database tells nobody who asked what."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

REFERENCE, DIGEST, WORD, PAGE = 16, 64, 40, 200
"""Characters of a reference, of a SHA-256 in hexadecimal, of a word of ours, and of a path."""


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

    `submission` is the digest of the form's ticket, so that one form makes one enquiry; `version` counts changes.
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
