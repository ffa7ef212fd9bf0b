"""What staff do with enquiries: notes, who has one, when it is to be called, who changed it last."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_MOMENT = sa.DateTime(timezone=True)
_ADDED = ("call_by", "assigned", "changed_by", "changed_at")


def upgrade() -> None:
    """Make the table of notes, and add the columns; enquiries that are there already are to be called first."""
    # columns are added one by one: SQLite would copy the table, and take the outbox with the old one
    op.add_column("enquiries", sa.Column("call_by", _MOMENT))
    op.add_column("enquiries", sa.Column("assigned", sa.String(80), nullable=False, server_default=""))
    op.add_column("enquiries", sa.Column("changed_by", sa.String(80), nullable=False, server_default=""))
    op.add_column("enquiries", sa.Column("changed_at", _MOMENT))
    op.execute("UPDATE enquiries SET call_by = created")
    op.create_index("ix_enquiries_call_by", "enquiries", ["call_by"])
    op.create_index("ix_enquiries_assigned", "enquiries", ["assigned"])
    op.create_table(
        "enquiry_notes",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "enquiry_id", sa.Integer(), sa.ForeignKey("enquiries.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
    )


def downgrade() -> None:
    """Remove the notes and the columns, with what is in them."""
    op.drop_table("enquiry_notes")
    op.drop_index("ix_enquiries_assigned", "enquiries")
    op.drop_index("ix_enquiries_call_by", "enquiries")
    for name in _ADDED:
        op.drop_column("enquiries", name)
