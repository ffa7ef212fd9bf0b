"""The tables of staff: accounts, who is signed in, and recovery codes. Nothing in them opens anything."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from sqlmodel import Field, SQLModel

from broker.domain.staff.accounts import MAX_NAME_LENGTH
from broker.storage.tables import DIGEST, Moment

HASH = 200
"""Characters of an Argon2id hash with its parameters."""


class StaffRow(SQLModel, table=True):
    """An account. It is disabled rather than deleted, so that its name in the audit record stays one person's.

    `epoch` counts the changes of how to sign in: what was begun before one is not finished after it. `code_secret` is
    sealed, None without one-time codes; `code_pending` is one that is not confirmed yet. `code_step` is the period of
    the last code that was taken.
    """

    __tablename__: ClassVar[str] = "staff"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=MAX_NAME_LENGTH, unique=True)
    password: str = Field(max_length=HASH)
    enabled: bool
    epoch: int
    failures: int
    locked_until: datetime | None = Field(default=None, sa_type=Moment)
    code_secret: bytes | None
    code_pending: bytes | None
    code_step: int
    created: datetime = Field(sa_type=Moment)
    signed_in_at: datetime | None = Field(default=None, sa_type=Moment)


class StaffSessionRow(SQLModel, table=True):
    """Somebody who is signed in; of the token in their cookie only the digest is kept."""

    __tablename__: ClassVar[str] = "staff_sessions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    token: str = Field(max_length=DIGEST, unique=True)
    started: datetime = Field(sa_type=Moment)
    touched: datetime = Field(sa_type=Moment, index=True)


class RecoveryCodeRow(SQLModel, table=True):
    """A recovery code that is not used yet, as its digest."""

    __tablename__: ClassVar[str] = "staff_recovery_codes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    digest: str = Field(max_length=DIGEST, unique=True)
