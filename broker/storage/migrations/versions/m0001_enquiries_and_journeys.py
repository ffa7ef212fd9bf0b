"""Enquiries, and the answers that are not sent yet."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _make_enquiries()
    _make_journeys()


def _make_enquiries() -> None:
    op.create_table(
        "enquiries",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("reference", sa.String(16), nullable=False, unique=True),
        sa.Column("submission", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False, index=True),
        sa.Column("delete_after", _MOMENT, nullable=False, index=True),
        sa.Column("page", sa.String(200), nullable=False),
        sa.Column("contact", sa.LargeBinary(), nullable=False),
        sa.Column("answers", sa.LargeBinary(), nullable=False),
        sa.Column("consent_text", sa.String(40), nullable=False),
        sa.Column("consent_at", _MOMENT, nullable=False),
        sa.Column("consent_page", sa.String(200), nullable=False),
        sa.Column("marketing", sa.String(200), nullable=False),
    )


def _make_journeys() -> None:
    op.create_table(
        "journeys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("entry", sa.String(40), nullable=False),
        sa.Column("answers", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("touched", _MOMENT, nullable=False),
        sa.Column("delete_after", _MOMENT, nullable=False, index=True),
    )


def downgrade() -> None:
    """Remove both tables, with what is in them."""
    op.drop_table("journeys")
    op.drop_table("enquiries")
