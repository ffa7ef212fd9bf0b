"""Failed sign-ins are counted by client, in memory, and no longer in the account."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Remove the count of failures, and the lock that anybody could put on an account."""
    op.drop_column("staff", "failures")
    op.drop_column("staff", "locked_until")


def downgrade() -> None:
    """Bring the columns back, with no failures."""
    op.add_column("staff", sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("staff", sa.Column("locked_until", sa.DateTime(timezone=True)))
