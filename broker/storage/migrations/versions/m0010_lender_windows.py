"""Staff's corrections of how early a lender lets its own borrowers book."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lender_windows",
        sa.Column("lender_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("opens", sa.String(40), nullable=False),
        sa.Column("swap", sa.String(400), nullable=False),
        sa.Column("source", sa.String(80), nullable=False),
        sa.Column("checked", sa.String(40), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("lender_windows")
