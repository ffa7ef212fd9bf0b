"""Roles and details of staff accounts, one-time links, passkeys and their challenges, and the browser of a session."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_MOMENT = sa.DateTime(timezone=True)


def _owner(*, nullable: bool = False, unique: bool = False, index: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey("staff.id", ondelete="CASCADE")
    return sa.Column("staff_id", sa.Integer(), key, nullable=nullable, unique=unique, index=index)


def upgrade() -> None:
    """Make the columns and the tables; every account there is becomes an owner's."""
    op.add_column("staff", sa.Column("role", sa.String(40), nullable=False, server_default="owner"))
    op.add_column("staff", sa.Column("display_name", sa.String(80), nullable=False, server_default=""))
    op.add_column("staff", sa.Column("email", sa.LargeBinary()))
    op.add_column("staff", sa.Column("theme", sa.String(40), nullable=False, server_default=""))
    op.add_column("staff", sa.Column("keys_off", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("staff", sa.Column("disabled_at", _MOMENT))
    op.add_column("staff_sessions", sa.Column("agent", sa.String(80), nullable=False, server_default=""))
    op.create_table(
        "staff_invites",
        sa.Column("id", sa.Integer(), primary_key=True),
        _owner(unique=True),
        sa.Column("link", sa.String(64), nullable=False, unique=True),
        sa.Column("is_reset", sa.Boolean(), nullable=False),
        sa.Column("made_by", sa.String(80), nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
    )
    op.create_table(
        "staff_passkeys",
        sa.Column("id", sa.Integer(), primary_key=True),
        _owner(index=True),
        sa.Column("credential", sa.String(1_400), nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("counter", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("added", _MOMENT, nullable=False),
        sa.Column("used", _MOMENT),
    )
    op.create_table(
        "staff_challenges",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("challenge", sa.String(64), nullable=False, unique=True),
        _owner(nullable=True),
        sa.Column("expires", _MOMENT, nullable=False, index=True),
    )


def downgrade() -> None:
    """Remove the tables and the columns."""
    for name in ("staff_challenges", "staff_passkeys", "staff_invites"):
        op.drop_table(name)
    op.drop_column("staff_sessions", "agent")
    for name in ("role", "display_name", "email", "theme", "keys_off", "disabled_at"):
        op.drop_column("staff", name)
