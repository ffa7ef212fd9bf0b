"""Watches on visitors' mortgages, the mail about each, and when watches were last checked."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_MOMENT = sa.DateTime(timezone=True)
_KEY = "mail_watch_id_fkey"


def upgrade() -> None:
    """Make the tables, and the column of mail."""
    op.create_table(
        "watches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("link", sa.String(64), nullable=False, unique=True),
        sa.Column("stop", sa.String(64), nullable=False, unique=True),
        sa.Column("submission", sa.String(64), nullable=False, unique=True),
        sa.Column("address", sa.String(64), nullable=False, index=True),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("reminded_at", _MOMENT),
        sa.Column("confirmed_at", _MOMENT),
        sa.Column("delete_after", _MOMENT, nullable=False, index=True),
        sa.Column("may_call", sa.Boolean(), nullable=False),
        sa.Column("deal_month", sa.Integer(), nullable=False, index=True),
        sa.Column("contact", sa.LargeBinary(), nullable=False),
        sa.Column("figures", sa.LargeBinary(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("consent_text", sa.String(40), nullable=False),
        sa.Column("consent_words", sa.Text(), nullable=False),
        sa.Column("consent_at", _MOMENT, nullable=False),
        sa.Column("consent_page", sa.String(200), nullable=False),
    )
    op.create_table(
        "watch_checks", sa.Column("id", sa.Integer(), primary_key=True), sa.Column("at", _MOMENT, nullable=False)
    )
    with op.batch_alter_table("mail") as mail:
        mail.add_column(sa.Column("watch_id", sa.Integer()))
        mail.create_foreign_key(_KEY, "watches", ["watch_id"], ["id"], ondelete="CASCADE")
        mail.create_index("ix_mail_watch_id", ["watch_id"])


def downgrade() -> None:
    """Remove the tables and the column, with the mail about watches."""
    op.execute("DELETE FROM mail WHERE watch_id IS NOT NULL")
    with op.batch_alter_table("mail") as mail:
        mail.drop_index("ix_mail_watch_id")
        mail.drop_constraint(_KEY, type_="foreignkey")
        mail.drop_column("watch_id")
    op.drop_table("watch_checks")
    op.drop_table("watches")
