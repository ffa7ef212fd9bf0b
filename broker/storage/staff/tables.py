"""Tables of staff accounts, sessions and recovery codes; tokens and codes are stored as digests only."""

from datetime import datetime
from typing import ClassVar

from sqlmodel import Field, SQLModel

from broker.domain.staff.accounts import MAX_NAME_LENGTH
from broker.storage.tables import DIGEST_LENGTH, UtcDateTime

HASH_LENGTH = 200
"""Characters of an Argon2id hash with its parameters."""


class StaffRow(SQLModel, table=True):
    """An account; it is disabled instead of deleted, so that its name in the audit record stays unique.

    `epoch` counts changes of credentials: a sign-in begun before one is void. `code_secret` is encrypted, None without
    one-time codes; `code_pending` is not confirmed yet. `code_step` is the period of the last code accepted.
    """

    __tablename__: ClassVar[str] = "staff"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=MAX_NAME_LENGTH, unique=True)
    password: str = Field(max_length=HASH_LENGTH)
    enabled: bool
    epoch: int
    code_secret: bytes | None
    code_pending: bytes | None
    code_step: int
    created: datetime = Field(sa_type=UtcDateTime)
    signed_in_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class StaffSessionRow(SQLModel, table=True):
    """A session, under the digest of the token in its cookie."""

    __tablename__: ClassVar[str] = "staff_sessions"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    token: str = Field(max_length=DIGEST_LENGTH, unique=True)
    started: datetime = Field(sa_type=UtcDateTime)
    touched: datetime = Field(sa_type=UtcDateTime, index=True)


class RecoveryCodeRow(SQLModel, table=True):
    """The digest of an unused recovery code."""

    __tablename__: ClassVar[str] = "staff_recovery_codes"  # pyright: ignore[reportIncompatibleVariableOverride] - SQLModel's own way

    id: int | None = Field(default=None, primary_key=True)
    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE", index=True)
    digest: str = Field(max_length=DIGEST_LENGTH, unique=True)
