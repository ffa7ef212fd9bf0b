"""Accounts and sessions of staff."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables; there is no account in them."""
    _make_accounts()
    _make_what_is_theirs()


def _make_accounts() -> None:
    op.create_table(
        "staff",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("locked_until", _MOMENT, nullable=True),
        sa.Column("code_secret", sa.LargeBinary(), nullable=True),
        sa.Column("code_pending", sa.LargeBinary(), nullable=True),
        sa.Column("code_step", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("signed_in_at", _MOMENT, nullable=True),
    )


def _make_what_is_theirs() -> None:
    op.create_table(
        "staff_sessions",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_staff(),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("started", _MOMENT, nullable=False),
        sa.Column("touched", _MOMENT, nullable=False, index=True),
    )
    op.create_table(
        "staff_recovery_codes",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_staff(),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
    )


def _of_staff() -> sa.Column[int]:
    return sa.Column(
        "staff_id", sa.Integer(), sa.ForeignKey("staff.id", ondelete="CASCADE"), nullable=False, index=True
    )


def downgrade() -> None:
    """Remove the tables, with the accounts in them."""
    for name in ("staff_recovery_codes", "staff_sessions", "staff"):
        op.drop_table(name)
