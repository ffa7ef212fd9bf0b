"""Complaints with their letters, requests about a person's data, and approvals of public pages."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "complaints",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(40), nullable=False),
        sa.Column("cause", sa.String(40), nullable=False),
        sa.Column("received", sa.Date(), nullable=False),
        sa.Column("closed", sa.Date()),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("redress", sa.Integer(), nullable=False),
        sa.Column("assigned", sa.String(80), nullable=False),
        sa.Column("reference", sa.String(16), nullable=False, index=True),
        sa.Column("person", sa.LargeBinary(), nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=False),
        sa.Column("delete_after", sa.Date(), nullable=False, index=True),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("changed_by", sa.String(80), nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "complaint_letters",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "complaint_id", sa.Integer(), sa.ForeignKey("complaints.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("sent", sa.Date(), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "data_requests",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("asked", sa.Date(), nullable=False),
        sa.Column("due", sa.Date(), nullable=False, index=True),
        sa.Column("done", sa.Date()),
        sa.Column("phone_digest", sa.String(64), nullable=False, index=True),
        sa.Column("email_digest", sa.String(64), nullable=False, index=True),
        sa.Column("person", sa.LargeBinary()),
        sa.Column("who", sa.String(80), nullable=False),
    )
    op.create_table(
        "promotions",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("path", sa.String(200), nullable=False, index=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("due", sa.Date(), nullable=False),
        sa.Column("ended_at", _MOMENT, index=True),
    )


def downgrade() -> None:
    for table in ("promotions", "data_requests", "complaint_letters", "complaints"):
        op.drop_table(table)
