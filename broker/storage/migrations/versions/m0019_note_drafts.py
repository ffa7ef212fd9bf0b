"""Drafts of notes that staff are writing."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "note_drafts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.UniqueConstraint("enquiry_id", "who"),
    )


def downgrade() -> None:
    op.drop_table("note_drafts")
