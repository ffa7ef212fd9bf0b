"""Filters of the list of cases that accounts save."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "saved_filters",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("who", sa.String(40), sa.ForeignKey("staff.name", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("query", sa.String(400), nullable=False),
        sa.UniqueConstraint("who", "name"),
    )


def downgrade() -> None:
    op.drop_table("saved_filters")
