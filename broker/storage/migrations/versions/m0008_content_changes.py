"""Changes of the content that are to be published, each by a signed message or a member of staff."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "content_changes",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("signature", sa.String(64), nullable=False, unique=True),
    )


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("content_changes")
