"""Notes to staff, one for every enquiry, those that are there already included."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table, and a mail for each enquiry that staff have had no mail about."""
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), nullable=False, unique=True
        ),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("due", _MOMENT, nullable=False, index=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(40)),
        sa.Column("claimed_until", _MOMENT),
        sa.Column("sent_at", _MOMENT),
        sa.Column("problem", sa.String(40), nullable=False),
    )
    op.execute(
        "INSERT INTO outbox (enquiry_id, created, due, attempts, problem) "
        "SELECT id, created, created, 0, '' FROM enquiries WHERE state = 'new'"
    )


def downgrade() -> None:
    op.drop_table("outbox")
