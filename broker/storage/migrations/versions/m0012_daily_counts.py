"""Counts by day and kind."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "daily_counts",
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("total", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("daily_counts")
