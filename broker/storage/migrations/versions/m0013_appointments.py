"""Appointments with advisers: hours, absences, the time that is taken, calendar feeds, and mail that expires."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_MOMENT = sa.DateTime(timezone=True)


def _account(*, deleted: str | None = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey("staff.name", ondelete=deleted)


def _owner(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "adviser_hours",
        sa.Column("adviser", sa.String(40), _account(), primary_key=True),
        sa.Column("weekday", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("opens", sa.Time(), primary_key=True),
        sa.Column("closes", sa.Time(), nullable=False),
    )
    op.create_table(
        "adviser_absences",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("adviser", sa.String(40), _account(), nullable=False, index=True),
        sa.Column("starts", _MOMENT, nullable=False),
        sa.Column("ends", _MOMENT, nullable=False),
    )
    op.create_table(
        "appointments",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("uid", sa.String(40), nullable=False, unique=True),
        sa.Column(
            "enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), nullable=False, unique=True
        ),
        sa.Column("adviser", sa.String(40), _account(deleted=None), nullable=False, index=True),
        sa.Column("starts", _MOMENT, nullable=False, index=True),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("medium", sa.String(40), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("remind_at", _MOMENT, index=True),
        sa.Column("changed_by", sa.String(80), nullable=False),
        sa.Column("changed_at", _MOMENT),
    )
    op.create_table(
        "appointment_cells",
        sa.Column("adviser", sa.String(40), primary_key=True),
        sa.Column("cell", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column(
            "appointment_id",
            sa.Integer(),
            sa.ForeignKey("appointments.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
    )
    op.create_table(
        "calendar_feeds",
        sa.Column("adviser", sa.String(40), _account(), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("made", _MOMENT, nullable=False),
    )
    op.add_column("mail", sa.Column("expires", _MOMENT))


def downgrade() -> None:
    """Remove the tables and the column."""
    op.drop_column("mail", "expires")
    for name in ("calendar_feeds", "appointment_cells", "appointments", "adviser_absences", "adviser_hours"):
        op.drop_table(name)
