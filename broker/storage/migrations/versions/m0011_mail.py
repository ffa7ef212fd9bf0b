"""One outbox for all mail, with the notes to staff that were in theirs, and the addresses that mail came back from."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_MOMENT = sa.DateTime(timezone=True)
_KEPT = "enquiry_id, outbox.created, due, attempts, claimed_by, claimed_until, sent_at, problem"


def upgrade() -> None:
    """Make the tables, and move the notes; their Message-ID stays the enquiry's reference."""
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("recipient", sa.LargeBinary()),
        sa.Column("context", sa.LargeBinary()),
        sa.Column("digest", sa.String(64)),
        sa.Column("key", sa.String(40), nullable=False, unique=True),
        sa.Column("enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), index=True),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("due", _MOMENT, nullable=False, index=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(40)),
        sa.Column("claimed_until", _MOMENT),
        sa.Column("sent_at", _MOMENT),
        sa.Column("given_up_at", _MOMENT),
        sa.Column("returned_at", _MOMENT),
        sa.Column("problem", sa.String(40), nullable=False),
    )
    op.execute(
        "INSERT INTO mail "
        "(kind, key, enquiry_id, created, due, attempts, claimed_by, claimed_until, sent_at, problem) "
        f"SELECT 'enquiry-note', reference, {_KEPT} "
        "FROM outbox JOIN enquiries ON enquiries.id = enquiry_id ORDER BY outbox.id"
    )
    op.drop_table("outbox")
    op.create_table(
        "suppressed_addresses",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
        sa.Column("is_complaint", sa.Boolean(), nullable=False),
    )


def downgrade() -> None:
    """Make the table of notes again, with those that are in the outbox; other mail and the addresses go."""
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
    columns = "enquiry_id, created, due, attempts, claimed_by, claimed_until, sent_at, problem"
    op.execute(
        f"INSERT INTO outbox ({columns}) SELECT {columns.replace('sent_at', 'COALESCE(sent_at, given_up_at)')} "
        "FROM mail WHERE kind = 'enquiry-note' ORDER BY id"
    )
    op.drop_table("mail")
    op.drop_table("suppressed_addresses")
